"""The economy benchmark's table: a row per flow, totals, and the targets beside them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scripts.bench.walks.flow import AGENT_BROWSER, OURS, PLAYWRIGHT
from scripts.bench.walks.play import Played

#: The measure, the peer and the greatest share of the peer's total that ours may have.
TARGETS = (
    ("tokens", AGENT_BROWSER, 0.8),
    ("tokens", PLAYWRIGHT, 0.4),
    ("calls", AGENT_BROWSER, 1.0),
)
_COLUMNS = f"{'calls':>6}{'tokens':>8}{'s':>7} ok "


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums of one tool over flows."""

    calls: int
    tokens: int
    seconds: float
    succeeded: int


def totals(results: Sequence[Played], tool: str) -> Totals:
    """Returns the sums over all flows that were played with the tool."""
    mine = [played for played in results if played.tool == tool]
    return Totals(
        sum(played.calls for played in mine),
        sum(played.tokens for played in mine),
        sum(played.seconds for played in mine),
        sum(not played.problem for played in mine),
    )


def ratio(results: Sequence[Played], measure: str, peer: str) -> float:
    """Returns our total of a measure over the peer's, on the flows that both carried out.

    A walk that stopped half-way is cheap; such a flow is left out for both.
    """
    good = {(played.flow, played.tool) for played in results if not played.problem}
    shared = [played for played in results if {(played.flow, OURS), (played.flow, peer)} <= good]
    theirs = getattr(totals(shared, peer), measure)
    return getattr(totals(shared, OURS), measure) / theirs if theirs else float("nan")


def table_lines(results: Sequence[Played], tools: Sequence[str]) -> Iterator[str]:
    """Yields the heading, a row per flow, the totals and the failures."""
    flows = list(dict.fromkeys(played.flow for played in results))
    width = max((len(flow) for flow in flows), default=4) + 1
    yield " " * width + "".join(f"{tool:>{len(_COLUMNS)}}" for tool in tools).rstrip()
    yield f"{'flow':<{width}}" + (_COLUMNS * len(tools)).rstrip()
    for flow in flows:
        cells = (_cell(results, flow, tool) for tool in tools)
        yield (f"{flow:<{width}}" + "".join(cells)).rstrip()
    sums = (totals(results, tool) for tool in tools)
    cells = (f"{t.calls:>6}{t.tokens:>8}{t.seconds:>7.1f}{t.succeeded:>3} " for t in sums)
    yield (f"{'total':<{width}}" + "".join(cells)).rstrip()
    for played in results:
        if played.problem:
            yield f"{played.flow}, {played.tool}: {' '.join(played.problem.split())}"


def target_lines(results: Sequence[Played], tools: Sequence[str]) -> Iterator[str]:
    """Yields our ratios to each peer, with the target where there is one."""
    limits = {(measure, peer): limit for measure, peer, limit in TARGETS}
    for peer in tools:
        for measure in ("tokens", "calls", "seconds") if peer != OURS else ():
            share = ratio(results, measure, peer)
            limit = limits.get((measure, peer))
            target = f" (target at most {limit:g}: {_verdict(share, limit)})" if limit else ""
            yield f"{measure}, {OURS} to {peer}: {share:.2f}{target}"
    flows = len({played.flow for played in results})
    yield f"flows that {OURS} carried out: {totals(results, OURS).succeeded} of {flows}"


def _cell(results: Sequence[Played], flow: str, tool: str) -> str:
    for played in results:
        if (played.flow, played.tool) == (flow, tool):
            ok = "no" if played.problem else "yes"
            return f"{played.calls:>6}{played.tokens:>8}{played.seconds:>7.1f} {ok:<3}"
    return f"{'-':>6}{'-':>8}{'-':>7}    "


def _verdict(share: float, limit: float) -> str:
    return "met" if share <= limit else "missed"
