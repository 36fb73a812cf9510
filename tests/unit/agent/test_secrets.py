"""Values of secrets on their way out."""

from __future__ import annotations

import base64
import json
import logging

import pytest

from cdp_agent import InvalidParams
from cdp_agent.agent.safety.secrets import Secrets, origin_of

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


SHAPES = Secrets(
    {
        "card": "4929123456781234",
        "token": "tok_9f8e7d6c5b4a",
        "phrase": "correct-horse-battery-staple",
        "marks": "!@#$%^&*()_+",
        "icons": "\U0001f511\U0001f434\U0001f50b\U0001f4ce",
        "lines": "line one 77\nline two 88",
        "sort": "123456",
        "word": "Password123!",
        "quotes": 'p@ss "w\'ord"\\1 <b>&amp;',
    }
)
SHOWN = {
    "in groups": "4929 1234 5678 1234",
    "with dashes": "4929-1234-5678-1234",
    "a digit at a time": "4 9 2 9 1 2 3 4 5 6 7 8 1 2 3 4",
    "in wide digits": "".join(chr(ord(digit) + 0xFEE0) for digit in "4929123456781234"),
    "its beginning, cut": "paid with 4929 12…",
    "its beginning, the rest as stars": "4929 12** **** ****",
    "its beginning": "tok_9f8e7d",
    "its end": "ends in 7d6c5b4a",
    "in upper case without signs": "TOK9F8E7D6C5B4A",
    "words without dashes": "correct horse battery",
    "marks": 'value="!@#$%^&*()_+"',
    "spaced marks": "! @ # $ % ^ & * ( ) _ +",
    "marks in HTML": "!@#$%^&amp;*()_+",
    "marks in an address": "%21%40%23%24%25%5E%26%2A%28%29_%2B",
    "icons": "\U0001f511 \U0001f434 \U0001f50b \U0001f4ce",
    "lines folded": "line one 77 line two 88",
    "lines in JSON": json.dumps("line one 77\nline two 88"),
    "in base64 of more": base64.b64encode(b"user:correct-horse-battery-staple").decode(),
    "in base64 of even more": base64.b64encode(b"me:tok_9f8e7d6c5b4a@").decode(),
    "by numbers": "".join(f"&#{ord(letter)};" for letter in "tok_9f8e7d6c5b4a"),
    "percent signs all over": "".join(f"%{ord(letter):02X}" for letter in "tok_9f8e7d6c5b4a"),
    "backwards": "4321876543219294",
    "with accents": "corr\u00e9ct-h\u00f6rse-battery-staple",
    "a sort code": "12-34-56",
    "marks and letters, spaced": 'text "p @ s s \\" w \' o r d \\" \\\\ 1 < b > & a m p ;"',
    "quoted three times": json.dumps(json.dumps(json.dumps('p@ss "w\'ord"\\1 <b>&amp;'))),
    "quoted": '"tok"_"9f8e"_"7d6c"_"5b4a"',
}


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN.keys())
def test_a_value_that_a_page_writes_otherwise_is_masked(text: str) -> None:
    assert "{{secret:" in SHAPES.mask(text)


HARMLESS = [
    'textbox "Password" required',
    "correct answers",
    "[1-23456] button",
    "1-23456",
    "Total 1,234.56",
    "2026-11-17 22:39",
    "ends in 1234",
    "{{secret:token}} and {{ secret:card }}",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_words_ids_and_prices_of_a_page_stay(text: str) -> None:
    assert SHAPES.mask(text) == text


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
