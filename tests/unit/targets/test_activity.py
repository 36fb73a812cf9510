"""Activity of a page: the requests an action has to wait for, and the errors it caused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from cdp_agent.targets.logs.console_log import ConsoleLog
from cdp_agent.targets.network.activity import Requests, Sockets

Step = tuple[str, ...]

#: What happens before the action, what after it, and the addresses that are then awaited.
STORIES: dict[str, tuple[list[Step], list[Step], list[str]]] = {
    "a request that the action began": (
        [],
        [("began", "1", "https://a.test/save")],
        ["https://a.test/save"],
    ),
    "one that was under way before is not its own": (
        [("began", "1", "https://a.test/slow")],
        [("began", "2", "https://a.test/save")],
        ["https://a.test/save"],
    ),
    "one that is over needs no waiting": (
        [],
        [("began", "1", "https://a.test/save"), ("ended", "1")],
        [],
    ),
    "an end that nobody knows of": (
        [],
        [("ended", "7"), ("began", "1", "https://a.test/save")],
        ["https://a.test/save"],
    ),
    "all kinds that become content": (
        [],
        [
            ("began", "1", "https://a.test/1", "XHR"),
            ("began", "2", "https://a.test/2", "Fetch"),
            ("began", "3", "https://a.test/3", "Script"),
            ("began", "4", "https://a.test/4", "Stylesheet"),
            ("began", "5", "https://a.test/5", "Document"),
        ],
        [f"https://a.test/{n}" for n in range(1, 6)],
    ),
    "what never ends or shows nothing is not waited for": (
        [],
        [
            ("began", "1", "https://a.test/1", "WebSocket"),
            ("began", "2", "https://a.test/2", "EventSource"),
            ("began", "3", "https://a.test/3", "Ping"),
            ("began", "4", "https://a.test/4", "Image"),
            ("began", "5", "https://a.test/5", "Media"),
            ("began", "6", "data:text/plain,hello", "Fetch"),
        ],
        [],
    ),
    "an address that the page polls is not waited for": (
        [
            (what, str(n), *([f"https://a.test/poll?t={n}"] if what == "began" else []))
            for n in range(10)
            for what in ("began", "ended")
        ],
        [("began", "10", "https://a.test/poll?t=10"), ("began", "11", "https://a.test/save")],
        ["https://a.test/save"],
    ),
    "the second page of a list is not polling": (
        [("began", "1", "https://a.test/rows?page=1"), ("ended", "1")],
        [("began", "2", "https://a.test/rows?page=2")],
        ["https://a.test/rows?page=2"],
    ),
    "a script loaded twice is not polling": (
        [("began", "1", "https://a.test/x.js", "Script"), ("ended", "1")],
        [("began", "2", "https://a.test/x.js", "Script")],
        ["https://a.test/x.js"],
    ),
    "a redirect is still the same request": (
        [],
        [("began", "1", "https://a.test/old"), ("began", "1", "https://a.test/new")],
        ["https://a.test/new"],
    ),
    "a redirect to its own address is still the same request": (
        [],
        [("began", "1", "https://a.test/login"), ("began", "1", "https://a.test/login")],
        ["https://a.test/login"],
    ),
    "a redirect of what was under way before does not make it the action's": (
        [("began", "1", "https://a.test/old")],
        [("began", "1", "https://a.test/new")],
        [],
    ),
}


def play(requests: Requests, steps: list[Step]) -> None:
    for what, request_id, *rest in steps:
        if what == "ended":
            requests.ended(request_id)
        else:
            url, kind = [*rest, "Fetch"][:2]
            requests.began(request_id, url, kind, "F0")


@pytest.mark.parametrize(("before", "after", "awaited"), STORIES.values(), ids=STORIES.keys())
def test_an_action_waits_for_the_requests_that_it_began(
    before: list[Step], after: list[Step], awaited: list[str]
) -> None:
    requests = Requests()
    play(requests, before)
    mark = requests.last_number

    play(requests, after)

    assert [request.url for request in requests.open_since(mark)] == awaited


def test_a_new_document_has_nothing_under_way() -> None:
    requests = Requests()
    play(requests, [("began", "1", "https://a.test/save")])

    requests.clear()

    assert requests.open_since(0) == []
    assert requests.last_number == 1  # numbers go on: a mark set before stays a mark


def test_a_page_that_never_ends_its_requests_is_remembered_in_part() -> None:
    requests = Requests()

    for number in range(5_000):
        requests.began(str(number), f"https://a.test/{number}", "Fetch", "F0")

    still = requests.open_since(0)
    assert len(still) == 2_000
    assert still[-1].url == "https://a.test/4999"
    requests.began("again", "https://a.test/0", "Fetch", "F0")
    assert requests.open_since(5_000)  # asked for so long ago that it counts as new


def test_a_page_that_asks_for_one_address_again_and_again_does_not_forget_it() -> None:
    requests = Requests()

    for number in range(2_000):
        requests.began(f"p{number}", "https://a.test/poll", "Fetch", "F0")
        requests.ended(f"p{number}")
        requests.began(f"n{number}", f"https://a.test/{number}", "Fetch", "F0")
        requests.ended(f"n{number}")
    mark = requests.last_number
    requests.began("p", "https://a.test/poll", "Fetch", "F0")

    assert requests.open_since(mark) == []


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef")), max_size=30))
def test_what_began_and_did_not_end_is_open(steps: list[tuple[bool, str]]) -> None:
    requests, wanted = Requests(), set()

    for begins, name in steps:
        if begins:
            requests.began(name, f"https://a.test/{name}.js", "Script", "F0")
            wanted.add(f"https://a.test/{name}.js")
        else:
            requests.ended(name)
            wanted.discard(f"https://a.test/{name}.js")

    assert {request.url for request in requests.open_since(0)} == wanted


def test_errors_are_those_since_a_mark() -> None:
    errors = ConsoleLog()
    errors.add("old")
    mark = errors.last_number

    errors.add("new")
    errors.add("newer")

    assert errors.since(mark) == ("new", "newer")
    assert errors.since(0) == ("old", "new", "newer")
    assert errors.since(errors.last_number) == ()


def test_a_page_that_complains_for_ever_is_remembered_in_part() -> None:
    errors = ConsoleLog()

    for number in range(1_000):
        errors.add(f"{number} {'x' * 10_000}")

    kept = errors.since(0)
    assert len(kept) == 200
    assert kept[-1].startswith("999 ")
    assert max(map(len, kept)) == 500


def test_a_request_that_is_over_by_now_has_begun_all_the_same() -> None:
    requests = Requests()
    requests.began("R1", "https://a.test/data", "Fetch", "F0")
    requests.ended("R1")

    assert requests.open_since(0) == []
    assert requests.has_begun_since(0)
    assert not requests.has_begun_since(1)


def test_what_an_action_sends_over_a_socket_waits_for_an_answer() -> None:
    sockets = Sockets()
    sockets.sent("W1", acting=True)

    assert sockets.is_waiting
    sockets.received("W2")
    assert sockets.is_waiting
    sockets.received("W1")
    assert not sockets.is_waiting


def test_a_socket_that_sends_by_itself_is_not_waited_for() -> None:
    sockets = Sockets()
    for _ in range(3):
        sockets.sent("W1", acting=False)

    sockets.sent("W1", acting=True)

    assert not sockets.is_waiting
    assert sockets.sent_number == 0


def test_a_socket_that_closes_is_not_waited_for() -> None:
    sockets = Sockets()
    sockets.sent("W1", acting=True)

    sockets.closed("W1")

    assert not sockets.is_waiting


def test_only_addresses_that_a_loading_page_asks_again_and_again_count_as_polled() -> None:
    requests = Requests()
    requests.begin_loading()
    for number in range(20):
        requests.began(f"p{number}", "https://a.test/poll", "Fetch", "F0")
    for number in range(5):
        requests.began(f"q{number}", f"https://a.test/graphql?{number}", "Fetch", "F0")
    assert len(requests.open_since(0)) == 8 + 5
    requests.end_loading()

    mark = requests.last_number
    requests.began("a", "https://a.test/poll", "Fetch", "F0")
    requests.began("b", "https://a.test/graphql", "Fetch", "F0")

    assert [request.url for request in requests.open_since(mark)] == ["https://a.test/graphql"]
