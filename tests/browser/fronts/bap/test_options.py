"""Options of contexts, pages, clicks and dialogs, as the protocol's own client sends them."""

from __future__ import annotations

from typing import Any

import pytest
from browseragentprotocol import BAPClient, BAPError, role
from browseragentprotocol.types import ActionOptions, ClickOptions, Viewport
from browseragentprotocol.types.methods import ContextOptions

from tests.browser.fronts.bap.pages import CONTROLS
from tests.browser.fronts.bap.raw import RawClient
from tests.support.site import Site

SHOWS = """<h1></h1><script>
const at = Intl.DateTimeFormat().resolvedOptions(), is = query => matchMedia(query).matches;
document.querySelector("h1").textContent = [navigator.language, at.locale, at.timeZone,
  is("(prefers-color-scheme: dark)"), innerWidth, navigator.userAgent].join(" ");</script>"""
SHOWN = "de-DE de-DE Europe/Berlin true 640 Tester/1.0"
OPTIONS = {
    "viewport": Viewport(width=640, height=480),
    "userAgent": "Tester/1.0",
    "locale": "de-DE",
    "timezoneId": "Europe/Berlin",
    "colorScheme": "dark",
}


async def test_every_option_of_the_clients_model_holds_in_a_context(
    client: BAPClient, site: Site
) -> None:
    place = {"geolocation": {"latitude": 1.5, "longitude": 2.5}, "permissions": ["geolocation"]}
    model = ContextOptions.model_validate({**OPTIONS, **place, "offline": False})
    assert set(model.model_dump(exclude_none=True)) == set(ContextOptions.model_fields)
    made = await client.create_context(options=model.model_dump(by_alias=True, exclude_none=True))
    await client.create_page(site.page(SHOWS), context_id=made.context_id)
    assert SHOWN in (await client.content()).content
    [_, listed] = (await client.list_contexts()).contexts
    assert listed.options is not None
    assert listed.options.locale == "de-DE"


async def test_a_launch_and_a_page_take_them_too(client: BAPClient, site: Site) -> None:
    await client.launch(locale="de-DE", timezoneId="Europe/Berlin")
    await client.create_page(site.page(SHOWS))
    assert "de-DE de-DE Europe/Berlin false" in (await client.content()).content
    with pytest.raises(BAPError, match=r"args: .*is not taken: The browser is started by"):
        await client.launch(args=["--no-sandbox"])


async def test_a_page_takes_them_under_its_own_names(raw: RawClient, site: Site) -> None:
    options: dict[str, Any] = {
        "viewport": {"width": 640, "height": 480},
        "userAgent": "Tester/1.0",
        "locale": "de-DE",
        "timezone": "Europe/Berlin",
        "colorScheme": "dark",
    }
    await raw("page/create", url=site.page(SHOWS), **options)
    assert SHOWN in (await raw("observe/content"))["content"]
    await raw("emulate/setUserAgent", userAgent="Tester/2.0", acceptLanguage="fr-FR")
    await raw("page/reload")
    assert (
        "fr-FR fr-FR Europe/Berlin true 640 Tester/2.0"
        in ((await raw("observe/content"))["content"])
    )


async def test_a_trial_waits_as_a_click_does_and_presses_nothing(
    client: BAPClient, site: Site
) -> None:
    await client.create_page(site.page(CONTROLS))
    await client.click(role("button", "Send"), ClickOptions(trial=True))
    await client.dblclick(role("button", "Below"), ClickOptions(trial=True))
    assert "sent" not in (await client.content()).content
    with pytest.raises(BAPError, match="not enabled"):
        await client.click(role("button", "Never"), ClickOptions(trial=True, timeout=300))
    with pytest.raises(BAPError, match="trial is not taken"):
        await client.fill(role("textbox", "Name"), "Ada", ActionOptions(trial=True))
    with pytest.raises(BAPError, match="force is not taken"):
        await client.click(role("button", "Send"), ClickOptions(force=True))
    await client.click(role("button", "Send"))  # no guard of the trial is left
    assert "sent ;" in (await client.content()).content


ASKS = """<p id=p></p><button onclick="p.textContent += prompt('Who?', 'me') + ';'">Ask</button>
<button onclick="p.textContent += confirm('Sure?') + ';'">Delete</button>"""


async def test_an_answer_that_comes_first_is_for_the_next_dialog_alone(
    client: BAPClient, raw: RawClient, site: Site
) -> None:
    await client.create_page(site.page(ASKS))
    await client.handle_dialog("accept", "Ada")
    await client.click(role("button", "Ask"))
    await client.handle_dialog("dismiss")
    await client.click(role("button", "Delete"))
    assert "Ada;false;" in (await client.content()).content
    await client.click(role("button", "Delete"))
    with pytest.raises(BAPError, match="waits for an answer"):
        await client.content()
    await client.handle_dialog("accept")
    assert "Ada;false;true;" in (await client.content()).content

    await raw("page/create", url=site.page(ASKS))
    assert await raw("dialog/handle", action="accept") == {"answersNext": True}
    asked = await raw("action/click", selector="role:button:Delete")
    accepted = {"type": "confirm", "message": "Sure?", "open": False, "accepted": True}
    assert asked["dialogs"] == [accepted]
    refused = await raw("dialog/handle", action="dismiss", promptText="x")
    assert refused["data"]["code"] == "invalid_params"
