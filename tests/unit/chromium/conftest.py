"""A program in Chromium's place, and a temporary folder in the system's."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.chromium.started import Fake


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The system's temporary folder for this test, so that what is left in it is seen."""
    folder = Path(tempfile.mkdtemp(prefix="launch-"))  # short: sockets are made in it
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """A program that does what the given shell lines say."""

    def make(lines: str) -> Path:
        path = tmp_path / "fake-chrome"
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
        return path

    return make
