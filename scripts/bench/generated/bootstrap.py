"""Fetches Bootstrap's style sheet from npm into `.bench/`, once."""

from __future__ import annotations

from scripts.bench.applications.install import install, packages


def bootstrap_css() -> str:
    """Returns the text of Bootstrap's minified style sheet.

    Raises:
        NotInstalled: npm is missing or could not fetch it.
    """
    install("bootstrap")
    sheet = packages("bootstrap") / "node_modules/bootstrap/dist/css/bootstrap.min.css"
    return sheet.read_text("utf-8")
