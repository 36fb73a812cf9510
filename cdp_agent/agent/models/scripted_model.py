"""A scripted model: steps from a file, each matched against the page.

    name: cancel
    steps:
      - say: The account page offers to cancel.
        tool: browser_click
        target: {role: link, name: Cancel membership}
      - tool: browser_fill
        target: {role: textbox, name: E-mail}
        arguments: {value: ada@lumen.test}
      - when: {text: Before you go}        # the step waits until this holds
        optional: true                     # or is left out when it does not
        tool: browser_click
        target: {role: link, name: Continue}
      - tool: complete_task
        arguments: {success: true, summary: Done.}

A step whose condition or target is not there yet looks again a few times; then the task is
reported as failed, with what was missing. Nothing is guessed: two matching elements are an error
unless the step says `nth`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from cdp_agent.agent.models.model_interface import ModelReply, ModelRequest, Price, ToolUse, Usage
from cdp_agent.agent.predicate import Predicate, element_test, predicate
from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import Snapshot

_STEP_KEYS = frozenset({"say", "tool", "target", "arguments", "when", "optional", "nth"})
#: Looks before a step gives up; each look is a tool call that settles the page.
_LOOKS = 4


@dataclass(frozen=True, slots=True)
class ScriptStep:
    tool: str
    say: str = ""
    target: Mapping[str, Any] | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    when: Predicate | None = None
    optional: bool = False
    nth: int | None = None


class ScriptedModel:
    """Plays steps in order, the same every time, without a network."""

    def __init__(self, steps: Sequence[ScriptStep], *, name: str = "scripted") -> None:
        self._steps = list(steps)
        self._name = name
        self._next = 0
        self._looks = 0
        self._ids = itertools.count(1)

    @classmethod
    def read(cls, text: str, source: str = "script") -> ScriptedModel:
        """Raises: InvalidParams: the text is not a script."""
        try:
            given = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise InvalidParams(f"{source} is not YAML: {error}") from None
        steps = given.get("steps") if isinstance(given, Mapping) else None
        if not isinstance(steps, list) or not steps:
            raise InvalidParams(f"{source} has no steps", hint="steps: [{tool: browser_click, …}]")
        return cls(
            [_step(one, f"{source}, step {n}") for n, one in enumerate(steps, 1)],
            name=str(given.get("name", "scripted")),
        )

    @classmethod
    def load(cls, path: str | Path) -> ScriptedModel:
        """Raises: InvalidParams: the file is missing or not a script."""
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidParams(f"cannot read {path}: {error}") from None
        return cls.read(text, str(path))

    @property
    def name(self) -> str:
        return f"script:{self._name}"

    @property
    def price(self) -> Price | None:
        return Price(0, 0)

    async def reply(self, request: ModelRequest) -> ModelReply:
        snapshot = request.snapshot
        while self._next < len(self._steps):
            step = self._steps[self._next]
            arguments, missing = _match(step, snapshot)
            if arguments is not None:
                self._advance()
                return self._call(step.say, step.tool, arguments)
            if step.optional:
                self._advance()
                continue
            self._looks += 1
            if self._looks > _LOOKS:
                said = f"step {self._next + 1} ({step.tool}): {missing}"
                return self._call("", "complete_task", {"success": False, "summary": said})
            return self._call(f"Looking again: {missing}.", "browser_snapshot", {})
        return self._text("The script has come to its end.")

    async def aclose(self) -> None:
        """Nothing is open."""

    def _advance(self) -> None:
        self._next += 1
        self._looks = 0

    def _call(self, say: str, tool: str, arguments: Mapping[str, Any]) -> ModelReply:
        use = ToolUse(f"step_{next(self._ids)}", tool, dict(arguments))
        content: list[dict[str, Any]] = [{"type": "text", "text": say}] if say else []
        content.append(
            {"type": "tool_use", "id": use.id, "name": tool, "input": dict(use.arguments)}
        )
        return ModelReply(tuple(content), (use,), Usage(), "tool_use")

    def _text(self, text: str) -> ModelReply:
        return ModelReply(({"type": "text", "text": text},), (), Usage(), "end_turn")


def _match(step: ScriptStep, snapshot: Snapshot | None) -> tuple[dict[str, Any] | None, str]:
    """The arguments of the call, or None and what is missing."""
    if step.when is None and step.target is None:
        return dict(step.arguments), ""
    if snapshot is None:
        return None, "there is no page to look at"
    if step.when is not None and not step.when(snapshot):
        return None, f"the page does not show {step.when}"
    if step.target is None:
        return dict(step.arguments), ""
    fits = element_test(step.target)
    found = [node for node in snapshot.nodes if node.id is not None and fits(node)]
    what = " ".join(f"{key} {value!r}" for key, value in step.target.items())
    if not found:
        return None, f"there is no element with {what}"
    if step.nth is None and len(found) > 1:
        return None, f"{len(found)} elements fit {what}"
    if step.nth is not None and step.nth >= len(found):
        return None, f"only {len(found)} elements fit {what}"
    return {"ref": str(found[step.nth or 0].id), **step.arguments}, ""


def _step(given: Any, source: str) -> ScriptStep:
    if not isinstance(given, Mapping) or not isinstance(given.get("tool"), str):
        raise InvalidParams(f"{source} names no tool", hint="For example tool: browser_click.")
    unknown = sorted(set(given) - _STEP_KEYS)
    if unknown:
        raise InvalidParams(
            f"{source}: a step has no {unknown[0]!r}", hint=f"It has {sorted(_STEP_KEYS)}."
        )
    target = given.get("target")
    if target is not None:
        element_test(target)
    when = given.get("when")
    return ScriptStep(
        tool=given["tool"],
        say=str(given.get("say", "")),
        target=target,
        arguments=dict(given.get("arguments") or {}),
        when=predicate(when) if when is not None else None,
        optional=bool(given.get("optional", False)),
        nth=given.get("nth"),
    )
