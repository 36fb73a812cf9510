"""The three tiers of tests: seconds, minutes, and everything.

`scripts/check` (pytest's `--fast`) runs the unit tests that are not listed in `SLOW_UNIT`.
`scripts/test` (`--quick`) shows every test that is not listed in `LONG_FILES` or `LONG_TESTS` by
its first case, in the kinds of frame that `KINDS` names for its rows. `scripts/test --all` runs
every case in every kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.suite.rows import rows_of

#: Kinds of frame in the quick run, by the area of the conformance rows that a test shows. Other
#: tests run in the main frame; frames as such are the subject of the areas IFR and OOP.
KINDS = {
    "CLK": ("main", "oopif"),
    "FIL": ("main", "oopif"),
    "KEY": ("main", "oopif"),
}
#: Folders and files that `--all` alone runs, each for a reason.
LONG_FILES = {
    "tests/browser/differential/": "drives Playwright beside us",
    "tests/browser/incremental/": "random changes, compared with fresh snapshots",
    "tests/browser/widgets/": "widget libraries from npm",
    "tests/browser/batches/test_batch_ray.py": "a Ray cluster; its errors are unit tests",
    "tests/browser/conformance/pages/test_busy_pages.py": "a thousand frames",
    "tests/browser/conformance/fields/test_fill_long.py": "long texts",
    "tests/browser/fronts/bap/test_load.py": "fifty connections at once",
    "tests/browser/partial/test_partial_actions.py": "drives a large page for a minute",
    "tests/browser/snapshot/test_history.py": "random histories",
    "tests/browser/effects/test_false_success.py": "every verb on every kind of field",
    "tests/browser/effects/test_false_success_search.py": "seeded search",
    "tests/browser/effects/test_false_success_undone.py": "every verb, values taken back",
    "tests/browser/robust/test_floods.py": "floods of navigations",
    "tests/browser/identity/test_never_the_wrong_element": "seeded search",
    "tests/browser/policy/test_policy_other_ways.py": "each way out, awaited in vain",
    "tests/browser/robust/test_recovery.py": "pages that hang, awaited",
    "tests/browser/documents/test_regression_scripts.py": "runs scripts as a whole",
    "tests/browser/robust/test_resources.py": "hundreds of actions, memory counted",
    "tests/browser/identity/test_restless_pages.py": "seeded search",
    "tests/browser/settling/test_settling_": "waits of all kinds, many times",
    "tests/browser/robust/test_soak.py": "hundreds of mixed actions on parallel pages",
    "tests/browser/agent/safety/test_leaks.py": "seeded search",
    "tests/faults/test_process_faults.py": "whole processes killed and started again",
}
#: Single tests that `--all` alone runs; others of their file show the same behaviour at less cost.
LONG_TESTS = {
    "agent/test_demo.py::test_the_demo_without_approval": "the demo a second time",
    "agent/test_loop.py::test_sixty_turns": "sixty turns",
    "agent/test_netflix.py::test_row_114": "the same flow as a command",
    "agent/safety/test_secrets.py::test_a_secret_is_not_typed_into_another": "one front stays",
    "batches/test_batch.py::test_a_browser_is_recycled": "browsers started again and again",
    "batches/test_batch.py::test_leaving_the_loop_early": "workers ended in the middle",
    "batches/test_batch_command.py::test_killed_and_resumed": "killed and started again",
    "conformance/frames/test_iframe_failures.py::test_a_thousand_frames": "a thousand frames",
    "conformance/frames/test_oopif_attach.py::test_frames_of_other_processes_that": "many frames",
    "conformance/frames/test_oopif_attach.py::test_nested_frames_all_load": "two clients",
    "conformance/frames/test_oopif_attach.py::test_two_hundred_frames": "two hundred processes",
    "conformance/snapshots/test_snapshot_budget.py::test_a_folded_list_is_read": "stub by stub",
    "conformance/snapshots/test_snapshot_robust.py::test_a_page_of_100_000": "a huge page",
    "conformance/snapshots/test_snapshot_robust.py::test_frames_that_come_and_go": "many seconds",
    "conformance/snapshots/test_snapshot_robust.py::test_snapshots_of_a_page": "many snapshots",
    "devtools/test_logs.py::test_the_log_of_requests_is_bounded": "thousands of requests",
    "fronts/bap/test_errors.py::test_a_browser_that_dies": "a browser killed and replaced",
    "fronts/test_devtools_commands.py::test_a_language_time": "as the commands of the device",
    "fronts/test_devtools_commands.py::test_a_profile_lasts": "four browsers, one after another",
    "fronts/test_guards.py::test_a_session_keeps_its_guards": "every guard, in several sessions",
    "fronts/test_guards.py::test_the_websocket_servers_answers": "every method of the server",
    "fronts/test_mcp.py::test_a_client_that_is_killed": "a process killed, its end awaited",
    "fronts/test_mcp.py::test_clients_of_one_server": "several clients over HTTP",
    "fronts/test_session.py::test_sessions_are_apart": "a session killed and replaced",
    "fronts/test_session.py::test_steps_of_a_file": "two browsers; `do` runs steps, too",
    "live/test_commands.py::test_a_server_shows_its_clients": "a server and clients as commands",
    "packaging/test_packaging.py::test_a_wheel_works": "builds and installs a wheel",
    "partial/test_partial_again.py::test_a_part_of_a_list": "a table's twin stays",
    "partial/test_partial_snapshot.py::test_a_search_finds": "compared with whole snapshots",
    "partial/test_partial_snapshot.py::test_looking_again_and_again": "memory counted",
    "snapshot/test_deep_page.py::": "5,000 levels",
    "snapshot/test_frame_trees.py::test_random": "random frames",
    "tools/test_extract.py::test_a_table_of_ten_thousand": "five thousand items stay",
    "tools/test_find.py::test_a_page_of_ten_thousand": "a huge page",
}
#: Unit tests that `scripts/check` leaves to `scripts/test`, each for a reason.
SLOW_UNIT = {
    "tests/unit/agent/test_anthropic_model.py": "imports the SDK of a model; servers that stall",
    "tests/unit/bench/": "the benchmarks' own arithmetic and pages",
    "tests/unit/cli/test_commands.py": "a process per command",
    "tests/unit/cli/test_agent.py::test_without_a_key_run": "imports the SDK of a model",
    "tests/unit/documents/test_conformance_rows.py": "imports every browser test",
    "tests/unit/documents/test_rows_in_frames.py": "collects the browser tests in another process",
    "tests/unit/batches/test_ray_engine.py": "imports Ray in another process",
    "tests/unit/chromium/test_process_": "processes that hang, awaited",
    "tests/unit/snapshot/text/test_text_is_data.py": "hundreds of random texts",
    "tests/unit/snapshot/text/test_tokens.py": "loads the table of a real tokenizer",
    "tests/unit/snapshot/test_diff.py::test_what_was_and_the_difference": "random pages",
    "tests/unit/snapshot/page_build/test_line_cache.py::test_a_page_that_changes_at": "150 seeds",
}
#: Cases on an artificially slow CPU are for `scripts/repeat`.
SLOW_CPU = "6-times-slower"


def is_left_out(config: pytest.Config, path: Path) -> bool:
    """Returns whether a file need not be read at all: none of its tests is in this run."""
    if not config.getoption("quick") or not path.is_relative_to(config.rootpath):
        return False
    name = path.relative_to(config.rootpath).as_posix()
    return f"{name}/".startswith(tuple(LONG_FILES))


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of this run."""
    kept = items[:]
    if not config.getoption("thorough"):
        kept = [item for item in kept if SLOW_CPU not in item.nodeid]
    if config.getoption("fast"):
        kept = [item for item in kept if not item.nodeid.startswith(tuple(SLOW_UNIT))]
    if config.getoption("quick"):
        long = (*LONG_FILES, *(f"tests/browser/{name}" for name in LONG_TESTS))
        kept = _first_cases(item for item in kept if not item.nodeid.startswith(long))
    chosen = {id(item) for item in kept}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = kept


def _first_cases(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The first case of each test, in each kind of frame that its rows are shown in."""
    first: dict[tuple[str, object], pytest.Item] = {}
    others = []
    for item in items:
        kind = _kind(item)
        if kind is not None and kind not in _kinds_of(item):
            continue
        if item.get_closest_marker("browser") is None:
            others.append(item)  # a case without a browser costs nothing
        else:
            first.setdefault((item.nodeid.partition("[")[0], kind), item)
    return [*others, *first.values()]


def _kind(item: pytest.Item) -> object:
    return getattr(getattr(item, "callspec", None), "params", {}).get("frame_kind")


def _kinds_of(item: pytest.Item) -> tuple[str, ...]:
    areas = {row.partition("-")[0] for row in rows_of(item)}
    return next((kinds for area, kinds in KINDS.items() if area in areas), ("main",))
