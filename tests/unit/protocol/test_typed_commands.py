"""The types of protocol commands: current, and refused by mypy where the protocol has none."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.typed_commands import (
    ROOT,
    STUB,
    protocol_commands,
    protocol_events,
    sent_methods,
    stub_text,
)

if TYPE_CHECKING:
    from cdp_agent.protocol import Session

_NAME = re.compile(r"([A-Z]\w*)\.([a-z]\w+)")


def test_the_stub_is_current() -> None:
    assert STUB.read_text("utf-8") == stub_text(), "run scripts/fix"


def test_methods_are_read_from_the_calls(tmp_path: Path) -> None:
    source = """
        session.post("Page.navigate", {"url": url})
        post("DOM.enable")
        frame.require_session().post("DOM.getDocument", into=Root, timeout=2)
        session.send_only("Page.close")
        session.post_untyped("Test.echo")
        session.post(method, {})
        client.get("Page.reload")
    """
    (tmp_path / "module.py").write_text(textwrap.dedent(source), "utf-8")

    sent = sent_methods((tmp_path,))

    assert sent.post == {"Page.navigate", "DOM.enable"}
    assert sent.post_into == {"DOM.getDocument"}
    assert sent.send_only == {"Page.close"}


def names_in_the_package() -> Iterator[tuple[str, Path]]:
    """Yields the texts that have the form of a command or an event of a domain."""
    domains = {method.partition(".")[0] for method in protocol_commands()}
    for path in (ROOT / "cdp_agent").rglob("*.py"):
        text = path.read_text("utf-8")
        if domains.isdisjoint(match[1] for match in _NAME.finditer(text)):
            continue  # parsing them all takes seconds
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = _NAME.fullmatch(node.value)
                if match and match[1] in domains:
                    yield node.value, path


def test_every_command_and_event_that_is_named_exists() -> None:
    """Also those that are sent as data, which mypy does not see."""
    known = protocol_commands().keys() | protocol_events()
    names = list(names_in_the_package())
    unknown = {f"{name} in {path.name}" for name, path in names if name not in known}
    assert len(names) > 100
    assert not unknown
    assert "Page.navigate" in known
    assert "Page.loadEventFired" in known


if TYPE_CHECKING:

    async def refused(session: Session, name: str) -> None:
        """Calls that mypy refuses: an `ignore` without an error is an error of its own."""
        session.post("Page.fly", {"url": ""})  # type: ignore[call-overload]
        session.post("Page.navigate", {"referrer": ""})  # type: ignore[call-overload]
        session.post("Page.navigate", {"url": "", "referer": ""})  # type: ignore[call-overload]
        session.send_only("DOM.enable", {"includeWhitespace": 7})  # type: ignore[call-overload]
        session.post(name)  # type: ignore[call-overload]
        reply = await session.post("Page.navigate", {"url": ""})
        reply["loader"]  # type: ignore[typeddict-item]
        version: int = await session.post("Browser.getVersion", into=str)  # type: ignore[call-overload]
        del version

    async def taken(session: Session, name: str) -> tuple[str, str]:
        """Calls that mypy takes, with the types that come back."""
        session.send_only("DOM.enable")
        session.send_only_untyped(name, {"any": 1})
        await session.post_untyped(name, {"any": 1})
        reply = await session.post("Page.navigate", {"url": ""}, timeout=2)
        return reply["loaderId"], await session.post("Browser.getVersion", into=str)
