"""Observation and extraction on real pages: data out, each value with its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from cdp_agent import ConditionFailed, InvalidParams, Page
from tests.browser.tools.conftest import Use
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

TABLE = """<table><caption>Orders</caption>
<tr><th>Order no.</th><th>Unit price</th><th>Paid</th><th>Status</th></tr>
<tr><td>A-1</td><td>$1,299.50</td><td>yes</td><td>Shipped</td></tr>
<tr><td>A-2</td><td>$7</td><td>no</td><td>open</td></tr>
<tr style="display:none"><td>A-3</td><td>$9</td><td>no</td><td>open</td></tr></table>
<table><tr><th>Other</th><th>Thing</th></tr><tr><td>1</td><td>2</td></tr></table>"""


class Order(BaseModel):
    order_no: str
    unit_price: float
    paid: bool
    status: str | None = None


class Orders(BaseModel):
    orders: list[Order]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_table_becomes_a_list_of_models(make_stage: MakeStage, frame_kind: str) -> None:
    stage = await make_stage(TABLE, frame_kind)
    found = await stage.page.extract(Orders)
    assert [order.model_dump() for order in found.data.orders] == [
        {"order_no": "A-1", "unit_price": 1299.5, "paid": True, "status": "Shipped"},
        {"order_no": "A-2", "unit_price": 7, "paid": False, "status": "open"},
    ]
    source = found.sources["orders.0.unit_price"]
    cell = await stage.ref("td:nth-child(2)")
    assert source.partition("-")[2] == cell.partition("-")[2]


async def test_a_table_of_ten_thousand_rows_is_complete(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    rows = "".join(f"<tr><td>{n}<td>Item {n}<td><button>Edit</button>" for n in range(10_000))
    await open_page(f"<table><tr><th>No<th>Name<th>Do{rows}</table>")
    item = {"type": "object", "properties": {"no": {"type": "integer"}}, "required": ["no"]}

    found = await page.extract({"type": "array", "items": item}, timeout=40)

    assert [row["no"] for row in found.data] == list(range(10_000))
    last = await oracle.backend_node_id("document.querySelector('tr:last-child td')")
    assert found.sources["9999.no"] == f"0-{last}"


async def test_a_list_of_five_thousand_items_is_complete(open_page: OpenPage, page: Page) -> None:
    await open_page(f"<ul>{''.join(f'<li>Item {n}' for n in range(5_000))}</ul>")

    found = await page.extract({"type": "array", "items": {"type": "string"}}, timeout=40)

    assert found.data == [f"Item {n}" for n in range(5_000)]


CARDS = """<h1>Shop</h1><nav><a href=/a>Home</a><a href=/b>Cart</a></nav><div class=grid>
<article class=card><h3><a href="/p/1">Lamp</a></h3><span class=product-price>19,90 €</span>
 <p>A warm light.</p><span class=stock>in stock: 4</span></article>
<article class=card><h3><a href="/p/2">Chair</a></h3><span class=product-price>1.250,00 €</span>
 <p>Oak.</p></article>
<article class=card><h3><a href="/p/3">Desk</a></h3><span class=product-price>99 €</span>
 <p>Large.</p></article></div>"""


async def test_repeated_cards_become_records(open_page: OpenPage, page: Page) -> None:
    url = await open_page(CARDS)
    item = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "price": {"type": "number"},
            "url": {"type": "string", "format": "uri"},
        },
        "required": ["name", "price"],
    }
    found = await page.extract({"type": "array", "items": item})
    start = url.rpartition("/")[0]
    assert found.data == [
        {"name": "Lamp", "price": 19.9, "url": f"{start}/p/1"},
        {"name": "Chair", "price": 1250, "url": f"{start}/p/2"},
        {"name": "Desk", "price": 99, "url": f"{start}/p/3"},
    ]


PAIRS = """<h1>Ada Lovelace</h1><dl><dt>E-mail</dt><dd>ada@example.com</dd>
<dt>Member since</dt><dd>1843</dd></dl>
<form><label>City <input value=London></label>
<label><input type=checkbox checked> Newsletter</label>
<label>Plan <select><option>Basic<option selected>Pro</select></label>
<label>Password <input type=password value=hunter2></label>
<fieldset><legend>Size</legend><label><input type=radio name=size>S</label>
<label><input type=radio name=size checked>L</label></fieldset></form>
<p><b>Phone:</b> 555 1234</p><table><tr><th>Balance</th><td>-12.50 EUR</td></tr></table>
<ul id=tags><li>maths<li>engines</ul>"""


async def test_pairs_of_every_kind_become_an_object(open_page: OpenPage, page: Page) -> None:
    await open_page(PAIRS)
    properties = {
        "name": {"type": "string"},
        "email": {"type": "string"},
        "member_since": {"type": "integer"},
        "city": {"type": "string"},
        "newsletter": {"type": "boolean"},
        "plan": {"enum": ["basic", "pro"]},
        "size": {"type": "string"},
        "phone": {"type": "string"},
        "balance": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "password": {"type": "string"},
    }
    found = await page.extract({"type": "object", "properties": properties})
    assert found.data == {
        "name": "Ada Lovelace",
        "email": "ada@example.com",
        "member_since": 1843,
        "city": "London",
        "newsletter": True,
        "plan": "pro",
        "size": "L",
        "phone": "555 1234",
        "balance": -12.5,
        "tags": ["maths", "engines"],
    }
    assert set(found.sources) >= {"email", "city", "tags.1"}


async def test_what_is_not_there_is_an_error_or_asked_of_the_model(
    open_page: OpenPage, page: Page
) -> None:
    await open_page("<p>He was born in Paris.</p><button>Ok</button>")
    wanted = {"type": "object", "properties": {"born_in": {"type": "string"}}}
    wanted["required"] = ["born_in"]
    with pytest.raises(ConditionFailed, match="born_in"):
        await page.extract(wanted)
    snapshot = await page.snapshot()
    button = str(snapshot.find("button").id)

    async def ask(text: str, schema: Mapping[str, Any], _: str) -> tuple[Any, Mapping[str, str]]:
        assert "born in Paris" in text
        assert schema["required"] == ["born_in"]
        return {"born_in": "Paris"}, {"born_in": button, "made_up": "9-9"}

    found = await page.extract(wanted, ask_model=ask)
    assert (found.data, dict(found.sources)) == ({"born_in": "Paris"}, {"born_in": button})
    assert found.method == "model"


@pytest.mark.parametrize(
    "schema", ["text", {}, {"type": "string"}, {"type": "object", "properties": 3}]
)
async def test_what_is_no_schema_is_refused(page: Page, schema: Any) -> None:
    with pytest.raises(InvalidParams):
        await page.extract(schema)


async def test_the_tool_gives_data_with_sources(use: Use, site: Site) -> None:
    await use("navigate", url=site.page(TABLE))
    schema = {"type": "object", "properties": {"orders": {"type": "array", "items": {}}}}
    schema["properties"] = {
        "orders": {
            "type": "array",
            "items": {"type": "object", "properties": {"status": {"type": "string"}}},
        }
    }
    found = await use("extract", schema=schema)
    assert found.data["data"] == {"orders": [{"status": "Shipped"}, {"status": "open"}]}
    assert '"orders.1.status": "0-' in found.text


async def test_an_observation_lists_what_one_can_do(
    open_page: OpenPage, page: Page, oracle: PageOracle
) -> None:
    await open_page(
        "<button onclick='hit=1'>Go</button><input aria-label=Name value=Ada>"
        "<a href=#x>Same</a><a href=#y>Same</a><p>text</p>"
    )
    seen = await page.observe(max_elements=3, tree=True, picture=True)
    assert (len(seen.elements), seen.total) == (3, 4)
    go, name, _ = seen.elements
    assert (go["role"], go["name"], "clickable" in go["hints"]) == ("button", "Go", True)
    assert (name["value"], "editable" in name["hints"]) == ("Ada", True)
    assert go["bounds"][2] > 0
    assert seen.metadata["url"] == page.url
    assert "text" in (seen.tree or "")
    assert seen.to_dict()["picture"].startswith("iVBOR")
    links = (await page.observe(filter_roles=["link"])).elements
    assert [link["name"] for link in links] == ["Same", "Same"]
    for selector in (go["selector"], links[1]["selector"]):
        assert (await page.act([{"action": "click", "params": {"selector": selector}}])).success
    assert await oracle.eval("[hit, location.hash]") == [1, "#y"]


@pytest.mark.parametrize("most", [0, 201, True, "3"])
async def test_an_observation_has_limits(page: Page, most: Any) -> None:
    with pytest.raises(InvalidParams, match="1 to 200"):
        await page.observe(max_elements=most)
