"""Shadow trees: what a person sees in them is in the snapshot once, and can be acted on.

Open or closed makes no difference to a person, so it makes none here. Pages keep a closed root in
a variable (`root`), through which the tests look at what happened inside.
"""

from __future__ import annotations

import pytest

from cdp_agent import CdpAgentError, Page
from tests.browser.conformance.attempt import receipt_of
from tests.support.oracle import PageOracle
from tests.support.site import Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage

MODES = ("open", "closed")


def hosted(mode: str, inner: str, light: str = "") -> str:
    """A host element whose shadow root of that mode holds `inner`, with `light` slotted in."""
    return f"""<div id=host>{light}</div><script>
      window.hits = [];
      window.root = host.attachShadow({{mode: '{mode}'}});
      root.innerHTML = `{inner}`;
      root.addEventListener('click', event => hits.push(event.target.id));
    </script>"""


@pytest.mark.row("SHD-01", "SHD-02")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("mode", MODES)
async def test_a_button_in_a_shadow_root_is_listed_and_clicked(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    stage = await make_stage(
        hosted(mode, "<button id=a>First</button><button id=b>Second</button>"), frame_kind
    )

    outcome = await stage.page.click(await stage.id("button", "Second"))

    assert await stage.eval("hits") == ["b"]
    assert receipt_of(outcome).delivered
    assert receipt_of(outcome).target == await stage.id("button", "Second")


@pytest.mark.row("SHD-03")
@pytest.mark.parametrize("mode", MODES)
async def test_nested_roots_and_slots_are_read_once_in_the_order_they_are_shown(
    page: Page, open_page: OpenPage, mode: str
) -> None:
    await open_page(f"""<outer-box><b slot=end>lima</b><b>kilo</b></outer-box><script>
      const mode = '{mode}';
      customElements.define('inner-box', class extends HTMLElement {{
        constructor() {{
          super();
          this.attachShadow({{mode}}).innerHTML =
            '<p>charlie</p><slot></slot><p>hotel</p>';
        }}
      }});
      customElements.define('middle-box', class extends HTMLElement {{
        constructor() {{
          super();
          this.attachShadow({{mode}}).innerHTML =
            '<p>bravo</p><inner-box><p>delta</p><slot></slot></inner-box><p>india</p>';
        }}
      }});
      customElements.define('outer-box', class extends HTMLElement {{
        constructor() {{
          super();
          this.attachShadow({{mode}}).innerHTML =
            '<p>alpha</p><middle-box><slot></slot></middle-box><p>juliet</p><slot name=end></slot>';
        }}
      }});
    </script>""")

    text = (await page.snapshot()).text

    shown = ["alpha", "bravo", "charlie", "delta", "kilo", "hotel", "india", "juliet", "lima"]
    assert [text.count(word) for word in shown] == [1] * len(shown)
    assert sorted(shown, key=text.index) == shown


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("mode", MODES)
async def test_fields_in_a_shadow_root_take_text(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    stage = await make_stage(
        hosted(mode, "<label>Name <input></label><textarea aria-label=Note></textarea>"),
        frame_kind,
    )

    await stage.page.fill(await stage.id("textbox", "Name"), "Ada")
    await stage.page.type(await stage.id("textbox", "Note"), "typed\ntext")

    assert await stage.eval("root.querySelector('input').value") == "Ada"
    assert await stage.eval("root.querySelector('textarea').value") == "typed\ntext"


@pytest.mark.parametrize("mode", MODES)
async def test_a_field_behind_three_roots_is_filled_and_marked_as_focused(
    page: Page, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    await open_page(f"""<div id=top></div><script>
      let parent = document.getElementById('top');
      for (let depth = 0; depth < 3; depth++) {{
        const root = parent.attachShadow({{mode: '{mode}'}});
        root.innerHTML = '<p>level</p><div></div>';
        parent = root.querySelector('div');
      }}
      parent.innerHTML = '<input aria-label=Deep>';
      window.field = parent.firstChild;
    </script>""")
    deep = (await page.snapshot()).find("textbox", "Deep").id

    await page.fill(deep, "found")
    after = await page.snapshot()

    assert await oracle.eval("field.value") == "found"
    assert after.get(deep).value == "found"
    assert after.focused is not None
    assert after.focused.id == deep


@pytest.mark.row("SHD-06")
@pytest.mark.parametrize("host", ["a.test", "b.test"])
@pytest.mark.parametrize("mode", MODES)
async def test_an_iframe_in_a_shadow_root_is_part_of_the_page(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, mode: str, host: str
) -> None:
    inner = site.page("<button onclick='this.textContent = \"Hit\"'>Buy</button>", host=host)
    await open_page(hosted(mode, f"<p>Shop</p><iframe name=inner src='{inner}'></iframe>"))
    await oracle.wait_in("inner", "document.readyState === 'complete'")
    button = (await page.snapshot()).find("button", "Buy")

    await page.click(button.id)

    assert button.frame_index > 0
    assert await oracle.eval_in("inner", "document.querySelector('button').textContent") == "Hit"


@pytest.mark.row("SHD-08")
@pytest.mark.parametrize("mode", MODES)
async def test_content_that_is_slotted_in_takes_the_place_of_the_fallback(
    page: Page, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    await open_page(hosted(mode, "<slot><button>Fallback</button></slot>"))
    before = await page.snapshot()

    await oracle.eval("host.innerHTML = '<button>Assigned</button>'")
    during = await page.snapshot()
    await oracle.eval("host.innerHTML = ''")
    after = await page.snapshot()

    assert [e.name for e in before.find_all("button")] == ["Fallback"]
    assert [e.name for e in during.find_all("button")] == ["Assigned"]
    assert [e.name for e in after.find_all("button")] == ["Fallback"]
    assert after.find("button").id == before.find("button").id


@pytest.mark.parametrize("mode", MODES)
async def test_light_content_without_a_slot_is_not_shown_and_not_clickable(
    page: Page, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    await open_page("<div id=host><button id=light>Light</button></div><script>hits = []</script>")
    light = (await page.snapshot()).find("button", "Light").id

    await oracle.eval(f"host.attachShadow({{mode: '{mode}'}}).innerHTML = '<p>Shadow</p>'")

    assert not (await page.snapshot()).find_all("button")
    with pytest.raises(CdpAgentError) as caught:
        await page.click(light, timeout=0.5)
    assert caught.value.code == "element_not_visible"


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("mode", MODES)
async def test_a_slotted_button_is_clicked_through_the_tree_that_shows_it(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    stage = await make_stage(
        hosted(
            mode,
            "<style>section { padding: 20px }</style><section><slot></slot></section>",
            "<button id=light>Buy</button>",
        ),
        frame_kind,
    )

    await stage.page.click(await stage.id("button", "Buy"))

    assert await stage.eval("hits") == ["light"]


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("mode", MODES)
async def test_a_host_that_is_itself_the_button_is_clicked_through_what_it_shows(
    make_stage: MakeStage, frame_kind: str, mode: str
) -> None:
    """The hit test meets something inside the closed tree; that is the host, for the page."""
    stage = await make_stage(
        f"""<x-button role=button tabindex=0 aria-label=Buy onclick="hits++"></x-button><script>
        window.hits = 0;
        document.querySelector('x-button').attachShadow({{mode: '{mode}'}}).innerHTML =
          '<div style="padding:8px"><span>Buy now</span></div>';
        </script>""",
        frame_kind,
    )

    await stage.page.click(await stage.id("button", "Buy"))

    assert await stage.eval("hits") == 1


@pytest.mark.parametrize("mode", MODES)
async def test_a_cover_inside_the_same_shadow_root_is_named(
    page: Page, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    await open_page(
        hosted(
            mode,
            "<button id=under>Under</button>"
            "<div id=cover role=button aria-label=Cover style='position:fixed;inset:0'></div>",
        )
    )
    snap = await page.snapshot()

    with pytest.raises(CdpAgentError) as caught:
        await page.click(snap.find("button", "Under").id, timeout=0.5)

    assert caught.value.code == "element_obscured"
    assert str(snap.find("button", "Cover").id) in caught.value.message
    assert await oracle.eval("hits") == []
    await oracle.eval("root.getElementById('cover').remove()")


async def test_a_declarative_shadow_root_is_read_like_any_other(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<div><template shadowrootmode=closed>
      <button onclick="document.title = 'clicked'">Declared</button>
    </template></div>""")

    await page.click((await page.snapshot()).find("button", "Declared").id)

    assert await oracle.eval("document.title") == "clicked"


@pytest.mark.parametrize("mode", MODES)
async def test_a_host_that_delegates_its_focus_gives_the_text_to_its_field(
    page: Page, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    await open_page(f"""<x-field></x-field><script>
      const host = document.querySelector('x-field');
      window.root = host.attachShadow({{mode: '{mode}', delegatesFocus: true}});
      root.innerHTML = '<span>Name</span><input aria-label=Name>';
    </script>""")

    await page.type((await page.snapshot()).find("textbox", "Name").id, "Ada")

    assert await oracle.eval("root.querySelector('input').value") == "Ada"


async def test_a_form_control_made_of_a_custom_element_keeps_its_state(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<x-check></x-check><script>
      customElements.define('x-check', class extends HTMLElement {
        static formAssociated = true;
        constructor() {
          super();
          const internals = this.attachInternals();
          internals.role = 'checkbox';
          internals.ariaLabel = 'Agree';
          internals.ariaChecked = 'false';
          this.tabIndex = 0;
          this.attachShadow({mode: 'closed'}).innerHTML = '<span>☐ Agree</span>';
          this.onclick = () => { internals.ariaChecked = 'true'; window.agreed = true };
        }
      });
    </script>""")
    before = await page.snapshot()
    box = before.find("checkbox", "Agree")

    await page.click(box.id)
    after = await page.snapshot()

    assert await oracle.eval("agreed")
    assert box.state.get("checked") in (None, False, "false")
    assert after.get(box.id).state["checked"] in (True, "true")
