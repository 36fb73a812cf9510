"""The scripts of the isolated world share one scope: a name that is taken twice breaks them all."""

from __future__ import annotations

import re
from collections import Counter

from cdp_agent.js import agent_source

DECLARED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def test_no_name_is_declared_twice() -> None:
    names = Counter(DECLARED.findall(agent_source()))

    assert names["prepare"] == 1
    assert [name for name, count in names.items() if count > 1] == []


def test_the_source_is_ascii_and_its_other_letters_are_escapes() -> None:
    source = agent_source()

    assert source.isascii()
    assert r"[$\u20ac\xa3\xa5\u20b9]" in source
