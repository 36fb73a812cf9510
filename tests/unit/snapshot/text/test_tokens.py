"""The estimate of tokens beside a real tokenizer."""

# ruff: noqa: RUF001 - other scripts are the point

from __future__ import annotations

import pytest

from cdp_agent.snapshot.text.tokens import estimate_tokens
from tests.support.real_tokens import count_tokens

TEXTS = {
    "a form": "\n".join(
        f'[0-{n}] textbox "Field {n}" value="some text {n * 7}"' for n in range(60)
    ),
    "a list": "\n".join(
        f' * [0-{n}] link "Row {n}"\n  text "{n} pieces, {n * 13} g"' for n in range(60)
    ),
    "prose": "Every sentence of a long text is read by somebody who is looking for more. " * 20,
    "German": "Die Würde des Menschen ist unantastbar. Sie zu achten ist Verpflichtung. " * 20,
    "Russian": "Все счастливые семьи похожи друг на друга, каждая несчастлива по-своему. " * 20,
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。" * 20,
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. " * 20,
    "addresses": '[0-3] link "x" https://www.example.com/a/b/c?id=0f3ab29c-11\n' * 20,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_the_estimate_is_within_ten_per_cent(text: str) -> None:
    real = count_tokens(text)

    assert 0.9 * real <= estimate_tokens(text) <= 1.1 * real


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0
