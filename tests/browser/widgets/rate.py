"""The rate of widgets that were driven rightly: a line for each package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("packages.txt")
#: The property of a test's report that names the package its widget comes from.
PROPERTY = "widget"


class Result(NamedTuple):
    """One case: its name, and whether all of it passed; None if it was left out."""

    package: str
    case: str
    passed: bool | None


def versions() -> dict[str, str]:
    """The version of each package that `scripts/widgets` brings."""
    pairs = (line.rpartition("@") for line in LIST.read_text().split())
    return {name: version for name, _, version in pairs}


def results(reports: Mapping[str, Sequence[object]]) -> list[Result]:
    """The reports of a run by outcome, as pytest's terminal keeps them.

    A case has a report for its beginning, for itself and for its end: one that failed is enough.
    """
    seen: dict[str, Result] = {}
    for outcome, some in reports.items():
        for report in some:
            package = dict(getattr(report, "user_properties", ())).get(PROPERTY)
            if package is None or outcome not in {"passed", "failed", "error", "skipped"}:
                continue
            case = str(getattr(report, "nodeid", "")).rpartition("::")[2]
            passed = {"passed": True, "skipped": None}.get(outcome, False)
            before = seen.get(case)
            if before is None or before.passed or passed is False:
                seen[case] = Result(package, case, passed)
    return sorted(seen.values())


def lines(all_results: Iterable[Result], version_of: Mapping[str, str]) -> list[str]:
    """A line per package with those of its cases that failed; last, the rate of the packages."""
    by_package: defaultdict[str, list[Result]] = defaultdict(list)
    for result in all_results:
        if result.passed is not None:
            by_package[result.package].append(result)
    if not by_package:
        return ["0 of 0 widgets: they are not here"]
    said, good = [], 0
    for package, cases in sorted(by_package.items()):
        failed = [case.case for case in cases if not case.passed]
        good += not failed
        named = f"{package} {version_of.get(package, '')}".rstrip()
        said.append(
            f"{'FAILED' if failed else 'ok':<7} {named:<34} "
            f"{len(cases) - len(failed)} of {len(cases)}"
        )
        said += [f"{'':<8}{case}" for case in failed]
    passed = sum(case.passed is True for cases in by_package.values() for case in cases)
    total = sum(map(len, by_package.values()))
    said.append(f"{good} of {len(by_package)} widgets pass ({passed} of {total} cases)")
    return said
