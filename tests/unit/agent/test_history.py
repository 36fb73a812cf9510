"""A conversation under a budget: whatever is cut, every call keeps its answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st

from cdp_agent.agent.history import KEPT_TURNS, History, Turn
from cdp_agent.snapshot.text.tokens import estimate_tokens
from tests.support.messages_api import problems_of

PAGE = "Page: Shop · https://shop.test/ · 800x600, scrolled 0 of 0\n" + "\n".join(
    f'[0-{n}] button "Number {n}"' for n in range(200)
)


def turn(number: int, text: str, calls: int = 1, *, picture: bool = False) -> Turn:
    ids = [f"t{number}_{n}" for n in range(calls)]
    said: list[dict[str, Any]] = [{"type": "text", "text": f"Turn {number}."}]
    said.extend({"type": "tool_use", "id": i, "name": "browser_click", "input": {}} for i in ids)
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if picture:
        content.append({"type": "image", "source": {"type": "base64", "data": "x" * 9000}})
    answers: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": i, "content": content} for i in ids
    ]
    return Turn(
        number,
        {"role": "assistant", "content": said},
        {"role": "user", "content": answers or [{"type": "text", "text": "Call a tool."}]},
        f"browser_click -> clicked {number}",
        PAGE if PAGE in text else "",
    )


def size(messages: list[dict[str, Any]]) -> int:
    blocks = [block for message in messages for block in message["content"]]
    parts = [part for block in blocks for part in block.get("content", [block])]
    return estimate_tokens("".join(str(part.get("text", "")) for part in parts))


@settings(max_examples=60, deadline=None)
@given(
    turns=st.lists(
        st.tuples(st.sampled_from(["ok", PAGE, PAGE * 4, "x" * 30_000]), st.integers(0, 3)),
        max_size=40,
    ),
    budget=st.integers(2_000, 20_000),
)
def test_it_fits_and_every_call_is_answered(turns: list[tuple[str, int]], budget: int) -> None:
    history = History("Buy", budget=budget)
    history.begin(PAGE)
    for number, (text, calls) in enumerate(turns, 1):
        history.add(turn(number, text, calls))
        messages = history.messages()
        assert problems_of(messages) == []
        assert messages[0]["content"][0]["text"].startswith("Goal: Buy")
        assert size(messages) <= budget + 600


def test_below_the_budget_nothing_changes() -> None:
    """So that the provider's cache can serve it."""
    history = History("Buy", budget=100_000)
    history.begin(PAGE)
    before: list[Any] = []
    for number in range(1, 9):
        history.add(turn(number, PAGE))
        messages = history.messages()
        assert messages[: len(before)] == before
        before = messages
    assert history.cuts == 0


def test_a_cut_keeps_the_last_turns_and_a_line_of_each_other() -> None:
    history = History("Buy", budget=8_000)
    history.begin(PAGE)
    for number in range(1, 31):
        history.add(turn(number, f"clicked 0-1\n{PAGE}", picture=number == 20))
        history.messages()

    messages = history.messages()
    first = messages[0]["content"][0]["text"]
    last = messages[-1]["content"][0]["content"][0]["text"]
    assert "1. browser_click -> clicked 1" in first
    assert PAGE in last
    assert len(history.turns) <= KEPT_TURNS + 3
    assert history.turns[-1].number == 30
    old = history.turns[0].user["content"][0]["content"][0]["text"]
    assert old.startswith("clicked 0-1\nPage: Shop") or history.turns[0].number >= 29
    assert 'button "Number 150"' not in first


def test_of_an_old_result_only_the_page_is_left_out() -> None:
    """Also where the words before it look like a page."""
    history = History("Buy", budget=5 * estimate_tokens(PAGE))
    for number in range(1, 6):
        history.add(turn(number, f"Page: no page\nclicked 0-1\n{PAGE}\nalert opened"))
    history.messages()

    old, *_, last = [one.user["content"][0]["content"][0]["text"] for one in history.turns]
    header = PAGE.split("\n")[0]
    assert history.cuts == 1
    assert old == (f"Page: no page\nclicked 0-1\n{header} (old: 200 lines left out)\nalert opened")
    assert PAGE in last


def test_very_many_dropped_turns_are_summed_up() -> None:
    history = History("Buy", budget=2_000)
    for number in range(1, 200):
        history.add(turn(number, "x" * 4_000))
        history.messages()

    first = history.messages()[0]["content"][0]["text"]
    assert "turns before these)" in first
    assert estimate_tokens(first) < 2_000


def test_thoughts_stay_until_what_they_are_bound_to_is_edited() -> None:
    """The API refuses a thought whose conversation before it has changed."""
    history = History("Buy", budget=4_000)
    history.begin(PAGE)
    for number in range(1, 4):
        thoughtful = turn(number, "ok")
        thought = {"type": "thinking", "thinking": "", "signature": f"s{number}"}
        thoughtful.assistant["content"].insert(0, thought)
        history.add(thoughtful)
    assert len(thoughts(history.messages())) == 3

    history.add(turn(4, PAGE * 2))
    cut = history.messages()
    assert history.cuts == 1
    assert thoughts(cut) == []
    assert problems_of(cut) == []


def thoughts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [block for message in messages for block in message["content"]]
    return [block for block in blocks if block["type"] == "thinking"]
