"""Service definitions: data files in `cdp_agent/services`, read on demand.

A service says where a human is asked (`checkpoints`), what the page shows when the task is done
(`success`) or cannot be done (`failure`), and adds a few words to the prompt. Python can register
more, with functions of the snapshot in place of conditions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from cdp_agent.agent.predicate import SnapshotTest, element_test, predicate
from cdp_agent.errors import InvalidParams
from cdp_agent.snapshot import Snapshot
from cdp_agent.snapshot.model import Node
from cdp_agent.targets.network.policy import Policy

#: The key of a guard that says on which pages it holds.
_PAGE = "page"


@dataclass(frozen=True, slots=True)
class Indicator:
    """A condition and what it means, in words for a person and a model."""

    meaning: str
    holds: SnapshotTest


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A point where a human is asked. `guards` stay locked until the answer is yes.

    The question is put when `when` holds on a fresh snapshot, and again before a guarded element
    is acted on while there is no answer. A guard with `page`, a condition, holds on such pages.
    """

    name: str
    reason: str
    when: SnapshotTest
    guards: tuple[Mapping[str, Any], ...] = ()

    def guarded_nodes(self, snapshot: Snapshot) -> list[Node]:
        """The lines of a page that are locked, by the guards that hold on it."""
        tests = [
            element_test({key: value for key, value in guard.items() if key != _PAGE})
            for guard in self.guards
            if _PAGE not in guard or predicate(guard[_PAGE])(snapshot)
        ]
        return [node for node in snapshot.nodes if any(test(node) for test in tests)]


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """One service. `origins` are the only places where its indicators are believed."""

    name: str
    title: str
    url: str = ""
    origins: tuple[str, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    success: tuple[Indicator, ...] = ()
    failure: tuple[Indicator, ...] = ()
    prompt: str = ""

    def first(self, indicators: Sequence[Indicator], snapshot: Snapshot) -> Indicator | None:
        """The first indicator that holds on a page of this service."""
        url = snapshot.page.url
        if self.origins and not (url.startswith("http") and Policy(self.origins).allows(url)):
            return None
        return next((one for one in indicators if one.holds(snapshot)), None)


@dataclass
class Services:
    """All services by name: shipped, registered, or read from files."""

    _known: dict[str, ServiceConfig] = field(default_factory=dict)

    def register(self, service: ServiceConfig) -> None:
        self._known[service.name] = service

    def names(self) -> list[str]:
        shipped = {path.name.removesuffix(".yaml") for path in _shipped()}
        return sorted(shipped | set(self._known))

    def get(self, name: str) -> ServiceConfig:
        """A service by name, or by the path of a data file.

        Raises:
            InvalidParams: there is none, or its file is wrong.
        """
        if name in self._known:
            return self._known[name]
        for path in _shipped():
            if path.name == f"{name}.yaml":
                service = read_service(path.read_text("utf-8"), path.name)
                self.register(service)
                return service
        path = Path(name)
        if path.suffix in (".yaml", ".yml") and path.is_file():
            return read_service(path.read_text("utf-8"), name)
        raise InvalidParams(
            f"there is no service {name!r}",
            hint=f"Known: {', '.join(self.names())}; or the path of a .yaml file.",
        )


SERVICES = Services()


def read_service(text: str, source: str) -> ServiceConfig:
    """Raises: InvalidParams: the file does not describe a service."""
    try:
        given = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidParams(f"{source} is not YAML: {error}") from None
    try:
        return _service(given)
    except InvalidParams as error:
        raise InvalidParams(f"{source}: {error.message}", hint=error.hint) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidParams(
            f"{source} does not describe a service ({error})",
            hint="It has name, title, origins, checkpoints, success, failure, prompt.",
        ) from None


def _require_known(what: str, given: Mapping[str, Any], *known: str) -> None:
    """Raises: InvalidParams: a name is misspelt, and what it says would be ignored."""
    unknown = sorted(str(name) for name in set(given) - set(known))
    if unknown:
        hint = f"It has {', '.join(known)}."
        raise InvalidParams(f"{what} has no {unknown[0]!r}", hint=hint)


def _service(given: Any) -> ServiceConfig:
    names = ("name", "title", "url", "origins", "checkpoints", "success", "failure", "prompt")
    _require_known("a service", given, *names)
    return ServiceConfig(
        name=str(given["name"]),
        title=str(given.get("title", given["name"])),
        url=str(given.get("url", "")),
        origins=Policy(tuple(given.get("origins", ()))).allow_origins,
        checkpoints=tuple(_checkpoint(one) for one in given.get("checkpoints", ())),
        success=tuple(_indicator(one) for one in given.get("success", ())),
        failure=tuple(_indicator(one) for one in given.get("failure", ())),
        prompt=str(given.get("prompt", "")).strip(),
    )


def _checkpoint(given: Mapping[str, Any]) -> Checkpoint:
    _require_known("a checkpoint", given, "name", "reason", "when", "guards")
    guards = tuple(given.get("guards", ()))
    for guard in guards:
        element_test({key: value for key, value in guard.items() if key != _PAGE})
        if _PAGE in guard:
            predicate(guard[_PAGE])
    return Checkpoint(
        str(given["name"]), str(given["reason"]).strip(), predicate(given["when"]), guards
    )


def _indicator(given: Mapping[str, Any]) -> Indicator:
    _require_known("an indicator", given, "when", "meaning")
    when = predicate(given["when"])
    return Indicator(str(given.get("meaning", when)), when)


def _shipped() -> list[Any]:
    folder = files("cdp_agent") / "services"
    return sorted(
        (path for path in folder.iterdir() if path.name.endswith(".yaml")), key=lambda p: p.name
    )
