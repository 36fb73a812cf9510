"""Makes a folder of notes, tables and one notebook, and switches JupyterLab's news off."""

import json
import os
from pathlib import Path

data = Path(os.environ["BENCH_DATA"])
files = data / "files"
(files / "plots").mkdir(parents=True)
for number in range(1, 21):
    (files / f"note-{number:02d}.md").write_text(f"# Note {number}\n\nNothing yet.\n")
    (files / f"table-{number:02d}.csv").write_text("day,value\n1,2\n")
cell = {"cell_type": "code", "execution_count": None, "id": "first", "metadata": {}, "outputs": []}
notebook = {
    "cells": [{**cell, "source": ["print(1 + 1)"]}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
(files / "sums.ipynb").write_text(json.dumps(notebook))
settings = Path(os.environ["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / "apputils-extension"
settings.mkdir(parents=True)
(settings / "notification.jupyterlab-settings").write_text(
    json.dumps({"fetchNews": "false", "checkForUpdates": False})
)
