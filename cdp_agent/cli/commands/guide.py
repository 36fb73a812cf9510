"""`cdp-agent guide`: short pages, and a skill file for coding agents."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from cdp_agent.errors import InvalidParams

#: Pages for who uses the command, in the order of reading; `start` is enough for most tasks.
COMMAND_TOPICS = (
    *("start", "selectors", "steps", "frames", "downloads", "secrets", "policies"),
    *("logins", "debugging"),
)
#: Pages for who writes programs, runs servers or works on the library.
LIBRARY_TOPICS = (
    *("serve", "batch", "cluster", "live", "outcome", "errors", "architecture", "contributing"),
    *("services", "benchmarks", "action-protocol", "seeds"),
)
TOPICS = (*COMMAND_TOPICS, *LIBRARY_TOPICS)

_SKILL = """\
---
name: cdp-agent
description: Drive a real web browser from the shell with `cdp-agent`. Use it to open web pages, \
read them, fill forms, click, upload, download, and check what a page shows.
---

"""


def page(topic: str) -> str:
    """The text of one page of the guide.

    Raises:
        InvalidParams: there is none of that name.
    """
    if topic not in TOPICS:
        raise InvalidParams(
            f"the guide has no page {topic[:60]!r}", hint=f"Pages: {', '.join(TOPICS)}."
        )
    room = "command" if topic in COMMAND_TOPICS else "library"
    return resources.files("cdp_agent").joinpath("guide", room, f"{topic}.md").read_text("utf-8")


def skill() -> str:
    """A skill file for coding agents: front matter and the first page."""
    return _SKILL + page("start")


def run(args: argparse.Namespace) -> int:
    if args.install_skill is not None:
        print(f"wrote {install_skill(Path(args.install_skill))}")
        return 0
    text = page(args.topic)
    if args.json:
        from cdp_agent.text import json_text

        print(json_text({"topic": args.topic, "text": text, "topics": TOPICS}))
    else:
        print(text, end="")
    return 0


def install_skill(folder: Path) -> Path:
    """Write `SKILL.md` into a folder, which is made if need be.

    Raises:
        InvalidParams: it cannot be written.
    """
    try:
        path = folder.expanduser() / "SKILL.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(skill(), "utf-8")
    except (OSError, RuntimeError) as error:
        raise InvalidParams(f"cannot write a skill file to {folder}: {error}") from None
    return path
