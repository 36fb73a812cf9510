"""The JSON form of a snapshot on a real page. Rows are those of fixtures/seed_rows.txt."""

from __future__ import annotations

import base64
import json
import uuid
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter

from cdp_agent import Page
from cdp_agent.snapshot.schema import SnapshotJson
from tests.support.site import Site

PAGE = """<label>Name <input autofocus></label><input type=checkbox aria-label=News checked>
<input type=checkbox aria-label=Ads><button disabled>Send</button>
<details><summary>More</summary>x</details><div role=menu aria-label=M tabindex=0>
<div role=menuitem tabindex=-1>One</div><div role=menuitem tabindex=-1>Two</div></div>
<input readonly aria-label=Total value=5><div style="height:3000px"></div><a href=/x>Below</a>"""


async def dumped(page: Page, **options: Any) -> dict[str, Any]:
    plain = (await page.snapshot(**options)).model_dump()
    TypeAdapter(SnapshotJson).validate_json(json.dumps(plain), strict=True)
    return plain


async def test_row_94_every_snapshot_has_a_name_and_a_time(page: Page, site: Site) -> None:
    await page.goto(site.page(PAGE))
    before = datetime.now(UTC).replace(microsecond=0)

    first, second = await dumped(page), await dumped(page)

    assert uuid.UUID(first["snapshot_id"]) != uuid.UUID(second["snapshot_id"])
    times = [datetime.fromisoformat(one["timestamp"]) for one in (first, second)]
    assert before <= times[0] <= times[1]


async def test_row_95_the_focus_and_on_request_a_picture_are_in_it(page: Page, site: Site) -> None:
    await page.goto(site.page(PAGE))
    field = (await page.snapshot()).find("textbox", "Name")
    await page.focus(field.id)

    plain, with_picture = await dumped(page), await dumped(page, screenshot=True)

    assert plain["focused"] == str(field.id)
    assert plain["screenshot"] is None
    assert base64.b64decode(with_picture["screenshot"]).startswith(b"\x89PNG")


async def test_row_96_elements_have_ref_states_box_and_children(page: Page, site: Site) -> None:
    await page.goto(site.page(PAGE))
    snapshot = await page.snapshot()
    await page.focus(snapshot.find("textbox", "Name").id)

    elements = {e["name"]: e for e in (await dumped(page))["elements"] if e["role"] != "label"}

    assert elements["Name"]["states"] == ["visible", "enabled", "focused"]
    assert elements["News"]["states"] == ["visible", "enabled", "checked"]
    assert elements["Ads"]["states"] == ["visible", "enabled", "unchecked"]
    assert elements["Send"]["states"] == ["visible", "disabled"]
    assert elements["More"]["states"] == ["visible", "enabled", "collapsed"]
    assert elements["Total"]["states"] == ["visible", "enabled", "readonly"]
    assert elements["Below"]["states"] == ["offscreen", "enabled"]
    assert elements["M"]["children"] == [elements["One"]["ref"], elements["Two"]["ref"]]
    assert elements["One"]["ref"] == elements["One"]["id"]
    box = snapshot.find("button", "Send").bounds
    assert box is not None
    assert elements["Send"]["bbox"]["width"] == round(box.width)
