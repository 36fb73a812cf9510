"""The scripts of the isolated world share one scope: a name that is taken twice breaks them all."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from cdp_agent.js import agent_source, shared_lists

DECLARED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def test_no_name_is_declared_twice() -> None:
    names = Counter(DECLARED.findall(agent_source()))

    assert names["prepare"] == 1
    assert [name for name, count in names.items() if count > 1] == []


def test_the_source_is_ascii_and_its_other_letters_are_escapes() -> None:
    source = agent_source()

    assert source.isascii()
    assert r"[$\u20ac\xa3\xa5\u20b9]" in source


@pytest.mark.parametrize("name", ["REFERRING", "SHOWN_SCHEMES", "TEST_ID_ATTRIBUTES"])
def test_a_list_that_python_has_too_stands_before_the_scripts(name: str) -> None:
    [words] = re.findall(rf"^const {name} = (\[.*?\]);$", agent_source(), re.MULTILINE | re.DOTALL)

    assert json.loads(words) == list(getattr(shared_lists, name))
