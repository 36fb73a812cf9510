"""Makes five studies with 40 finished trials each."""

import os
from pathlib import Path

import optuna
from optuna.distributions import FloatDistribution, IntDistribution

optuna.logging.set_verbosity(optuna.logging.WARNING)
storage = f"sqlite:///{Path(os.environ['BENCH_DATA']) / 'study.db'}"
distributions = {"rate": FloatDistribution(0, 1), "depth": IntDistribution(1, 12)}
for name in ("bridge", "engine", "glider", "pump", "turbine"):
    study = optuna.create_study(storage=storage, study_name=name, direction="minimize")
    study.add_trials(
        [
            optuna.trial.create_trial(
                params={"rate": number / 40, "depth": number % 12 + 1},
                distributions=distributions,
                value=abs(number - 17) / 10,
            )
            for number in range(40)
        ]
    )
