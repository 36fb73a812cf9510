"""Services as data files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdp_agent import ElementId, InvalidParams
from cdp_agent.agent.service import SERVICES, Indicator, ServiceConfig, Services, read_service
from cdp_agent.snapshot import Node
from tests.unit.pages import plain_snapshot


def test_the_shipped_services_can_be_read() -> None:
    assert {"demo", "netflix"} <= set(SERVICES.names())
    for name in SERVICES.names():
        service = SERVICES.get(name)
        assert service.name == name
        assert service.success
        assert service.checkpoints


BYE = Node("0-1", 0, "heading", "Your membership has been cancelled")
FINISH = Node("1-2", 0, "button", "Finish cancellation", id=ElementId(1, 2))


def test_success_is_believed_only_where_the_service_lives() -> None:
    demo = SERVICES.get("demo")
    there = plain_snapshot((BYE,), url="http://127.0.0.1:8000/cancelled")
    elsewhere = plain_snapshot((BYE,), url="http://127.0.0.1.evil.test/cancelled")

    assert demo.first(demo.success, there) is demo.success[0]
    assert demo.first(demo.success, elsewhere) is None
    made_up = plain_snapshot((BYE,), url="data:text/html,/cancelled")
    assert demo.first(demo.success, made_up) is None


def test_a_checkpoint_holds_and_names_what_it_guards() -> None:
    checkpoint = SERVICES.get("demo").checkpoints[0]

    stay = Node("0-1", 0, "link", "Keep my membership")
    snapshot = plain_snapshot(nodes=(FINISH, stay))

    assert checkpoint.when(snapshot)
    assert checkpoint.guarded_nodes(snapshot) == [FINISH]


def test_python_registers_what_data_cannot_say() -> None:
    services = Services()
    services.register(
        ServiceConfig(
            "odd", "Odd", success=(Indicator("an odd count", lambda s: len(s.nodes) % 2 == 1),)
        )
    )

    odd = services.get("odd")
    assert odd.first(odd.success, plain_snapshot(nodes=(BYE,))) is not None
    assert odd.first(odd.success, plain_snapshot(nodes=(BYE, FINISH))) is None


def test_a_service_is_read_from_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nsuccess: [{when: {text: Done}}]\n")

    service = Services().get(str(path))

    assert service.success[0].meaning == "text 'Done'"


WRONG = {
    "no name": "title: x",
    "no mapping": "[1]",
    "an unknown key": "{name: x, sucess: []}",
    "a wrong condition": "{name: x, success: [{when: {txt: a}}]}",
    "a guard that says nothing": "{name: x, checkpoints: [{name: a, reason: b, when: {text: c}, "
    "guards: [{}]}]}",
    "an origin that is none": "{name: x, origins: ['a b']}",
    "no YAML": "{",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_what_is_no_service_is_refused_by_its_file_name(text: str) -> None:
    with pytest.raises(InvalidParams, match=r"x\.yaml"):
        read_service(text, "x.yaml")


def test_an_unknown_service_is_told_with_those_there_are() -> None:
    with pytest.raises(InvalidParams) as caught:
        SERVICES.get("nextflix")
    assert "netflix" in caught.value.hint
