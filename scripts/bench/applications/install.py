"""Installs and seeds the applications, each in a folder of its own under `.bench/`.

Versions are pinned, so that two runs of a year measure the same pages. An application that is
there already is left as it is: a stamp file names what was installed or seeded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".bench"
SEEDS = Path(__file__).resolve().parent / "seeds"

#: Application → packages of the Python Package Index.
PIP = {
    "django": ("django==5.2.19",),
    "jupyter": ("jupyterlab==4.6.6",),
    "streamlit": ("streamlit==1.67.0",),
    "gradio": ("gradio==6.31.0",),
    "datasette": ("datasette==0.65.5",),
    "wagtail": ("wagtail==8.0.1", "django==5.2.19"),
    "optuna": ("optuna-dashboard==0.21.0", "optuna==5.0.0"),
}
#: Application → packages of npm.
NPM = {
    "nodered": ("node-red@4.1.15",),
    "tiddlywiki": ("tiddlywiki@5.4.1",),
    "bootstrap": ("bootstrap@5.3.3",),
}
_INSTALL_SECONDS = 900
_SEED_SECONDS = 300


class NotInstalled(Exception):
    """A package could not be installed or seeded. The message has the end of its output."""


def packages(name: str) -> Path:
    """The folder that an application's packages are installed in."""
    return FOLDER / "packages" / name


def data(name: str) -> Path:
    """The folder that an application keeps its data in."""
    return FOLDER / "data" / name


def program(name: str, command: str) -> Path:
    """A command of an application that pip installed."""
    return packages(name) / "venv" / "bin" / command


def environment(name: str, port: int = 0) -> dict[str, str]:
    """The variables that seeds and servers read; homes are kept inside the data folder."""
    home = data(name) / "home"
    return {
        **os.environ,
        "BENCH_DATA": str(data(name)),
        "BENCH_PORT": str(port),
        "PYTHONPATH": str(SEEDS),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "GRADIO_TEMP_DIR": str(home / "gradio"),
        "HF_HUB_OFFLINE": "1",
        "JUPYTER_CONFIG_DIR": str(home / "jupyter-config"),
        "JUPYTER_DATA_DIR": str(home / "jupyter-data"),
        "JUPYTER_RUNTIME_DIR": str(home / "jupyter-runtime"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "jupyter-workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "jupyter-settings"),
        "IPYTHONDIR": str(home / "ipython"),
    }


def install(name: str) -> None:
    """Install an application's packages unless that has been done.

    Raises:
        NotInstalled: pip or npm failed, or npm is missing.
    """
    wanted = " ".join((*PIP.get(name, ()), *NPM.get(name, ())))
    stamp = packages(name) / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    shutil.rmtree(packages(name), ignore_errors=True)
    packages(name).mkdir(parents=True)
    print(f"{name:<11} installing {wanted}", file=sys.stderr, flush=True)
    if name in PIP:
        _run([sys.executable, "-m", "venv", str(packages(name) / "venv")])
        _run([str(program(name, "python")), "-m", "pip", "install", "-q", *PIP[name]])
    if name in NPM:
        if shutil.which("npm") is None:
            raise NotInstalled("npm is not installed")
        (packages(name) / "package.json").write_text('{"private": true}')
        quiet = ("--no-audit", "--no-fund", "--loglevel=error")
        _run(["npm", "install", *quiet, *NPM[name]], cwd=packages(name))
    stamp.write_text(wanted)


def seed(name: str) -> None:
    """Make an application's data unless that has been done. Raises: NotInstalled."""
    stamp = data(name) / "seeded"
    if stamp.exists():
        return
    shutil.rmtree(data(name), ignore_errors=True)
    data(name).mkdir(parents=True)
    if name == "tiddlywiki":  # it wants an empty folder
        script = packages(name) / "node_modules" / "tiddlywiki" / "tiddlywiki.js"
        _run(["node", str(script), str(data(name)), "--init", "server"])
    (data(name) / "home").mkdir()
    script = SEEDS / f"{name}_data.py"
    if script.exists():
        # A seed for a JavaScript application needs nothing but Python itself.
        python = program(name, "python") if name in PIP else Path(sys.executable)
        _run([str(python), str(script)], env=environment(name), seconds=_SEED_SECONDS)
    stamp.touch()


def _run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    seconds: float = _INSTALL_SECONDS,
) -> None:
    try:
        subprocess.run(
            command,
            cwd=cwd,
            env=env,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        )
    except subprocess.CalledProcessError as error:
        raise NotInstalled(f"{Path(command[0]).name} failed: {error.output[-600:]}") from None
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"{Path(command[0]).name} took over {seconds:g} s") from None
