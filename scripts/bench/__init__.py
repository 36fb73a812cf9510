"""Measures the engine beside its nearest peer. Run `scripts/bench/engine.py`."""
