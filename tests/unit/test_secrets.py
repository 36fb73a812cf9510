"""Values of secrets on their way out."""

from __future__ import annotations

import base64
import json
import logging

import pytest

from cdp_agent import InvalidParams
from cdp_agent.agent.secrets import Secrets, origin_of

VALUE = 'p@ss "word"/1 ä'
SECRETS = Secrets({"password": VALUE, "pin": "90210"}, origins=["https://shop.test/login"])

TEXTS = {
    "as it is": f"it is {VALUE}!",
    "in an address": "https://x.test/?q=p%40ss%20%22word%22%2F1%20%C3%A4",
    "in a form's address": "q=p%40ss+%22word%22%2F1+%C3%A4",
    "in lower case percent signs": "q=p%40ss%20%22word%22%2f1%20%c3%a4",
    "in JSON": json.dumps({"a": VALUE}),
    "in JSON in JSON": json.dumps(json.dumps({"a": VALUE})),
    "in Python": repr({"a": VALUE}),
    "JSON in Python": repr(json.dumps({"a": VALUE})),
    "in HTML": "p@ss &quot;word&quot;/1 ä",
    "in base64": base64.b64encode(VALUE.encode()).decode(),
    "cut short": 'Token p@ss "wor...',
    "in other case": VALUE.upper(),
    "another one": "pin 90210",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_no_spelling_of_a_value_remains(text: str) -> None:
    masked = SECRETS.mask(text)

    assert "{{secret:" in masked
    for leak in ("wor", "90210", base64.b64encode(VALUE.encode()).decode()):
        assert leak.casefold() not in masked.replace("secret:password", "").casefold()


def test_other_text_stays() -> None:
    assert SECRETS.mask("nothing to see, pass by") == "nothing to see, pass by"
    assert Secrets().mask("anything") == "anything"


def test_data_is_masked_all_through() -> None:
    masked = SECRETS.mask_data({"a": [{"90210": "x"}, 3, None, ("y 90210",)]})

    assert masked == {"a": [{"{{secret:pin}}": "x"}, 3, None, ["y {{secret:pin}}"]]}


def test_logs_show_no_value(caplog: pytest.LogCaptureFixture) -> None:
    with SECRETS.kept_out_of_logs(), caplog.at_level(logging.DEBUG):
        logging.getLogger("cdp_agent.test").info("typed %s at %s", "90210", {"q": "90210"})

    assert caplog.messages == ["typed {{secret:pin}} at {'q': '{{secret:pin}}'}"]


WRONG = {
    "no equals sign": ["password"],
    "no name": ["=HOME"],
    "not set": ["password=NO_SUCH_VARIABLE_HERE"],
    "a name with spaces": ["my password=LONG_ENOUGH"],
    "too short": ["pin=SHORT_ONE"],
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG.keys())
def test_what_is_no_secret_is_refused(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONG_ENOUGH", "long enough")
    monkeypatch.setenv("SHORT_ONE", "123")

    with pytest.raises(InvalidParams) as caught:
        Secrets.from_environment(given)
    assert "123" not in str(caught.value)


ORIGINS = {
    "https://shop.test:443/a?b": "https://shop.test",
    "http://shop.test:8000": "http://shop.test:8000",
    "shop.test": "https://shop.test",
    "http://[::1]:80/": "http://[::1]",
    "file:///etc/passwd": "",
    "about:blank": "",
}


@pytest.mark.parametrize(("url", "origin"), ORIGINS.items(), ids=ORIGINS.keys())
def test_the_origin_of_an_address(url: str, origin: str) -> None:
    assert origin_of(url) == origin
