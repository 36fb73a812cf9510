"""Frames in processes of their own: each is listed under its own index, and clicks land in it."""

from __future__ import annotations

import pytest

from cdp_agent import Page
from tests.support.oracle import PageOracle
from tests.support.pages.framed_pages import CLICKED, iframe, presses, slow_down, target_page
from tests.support.site import Response, Site
from tests.support.stage import OpenPage

INSIDE = "position:relative;width:300px;height:200px;margin:11px 17px;border:3px solid"
"""A frame in a target page: above its background, beside its button."""


@pytest.fixture(params=[1, 6], ids=["full-speed", "6-times-slower"])
def open_page(
    request: pytest.FixtureRequest, page: Page, oracle: PageOracle, site: Site
) -> OpenPage:
    """Instead of the usual one: the same, and every process of the page may be slowed down."""

    async def open_page(html: str) -> str:
        url = site.page(html)
        await page.goto(url)
        await oracle.wait("document.readyState === 'complete'", timeout=20)
        await slow_down(oracle, request.param)
        return url

    return open_page


FORM = """<h2>Deliver to</h2><label>Street <input id=field></label>
<label><input type=checkbox checked> Gift</label><a href="#terms">Terms</a>
<button id=target>Order</button>"""


@pytest.mark.row("OOP-01")
async def test_the_content_of_another_process_is_listed_under_its_own_frame_index(
    page: Page, site: Site, open_page: OpenPage
) -> None:
    child = site.page(FORM, host="b.test")
    await open_page(f"<h1>Shop</h1><button>Cart</button>{iframe(child, name='subject')}")

    snap = await page.snapshot()

    main, frame = snap.frames
    assert (main.index, main.parent_index, main.is_oopif) == (0, None, False)
    assert (frame.index, frame.parent_index, frame.is_oopif) == (1, 0, True)
    assert frame.url == child
    assert frame.origin == f"http://b.test:{site.port}"
    assert snap.find("button", "Cart").id.frame_index == 0
    for role, name in (("textbox", "Street"), ("link", "Terms"), ("button", "Order")):
        assert snap.find(role, name).id.frame_index == 1
    assert 'heading "Deliver to" 2' in snap.text


@pytest.mark.row("OOP-02")
async def test_a_click_reaches_a_button_in_another_process(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(target_page(size=4), host="b.test")
    await open_page(iframe(child, name="subject", style="margin:102px 0 0 117px"))
    target = (await page.snapshot()).find("button", "Target")

    outcome = await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert outcome.receipt is not None
    assert outcome.receipt.delivered
    assert outcome.receipt.trusted
    assert outcome.receipt.target == target.id


async def test_three_nested_sites_are_listed_filled_and_clicked_at_every_depth(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    def level(inner: str) -> str:
        field = "<input id=field aria-label=Street style='position:relative'>"
        return target_page(left=340, size=6) + field + inner

    d = site.page(level(""), host="d.test")
    c = site.page(level(iframe(d, name="depth-3", style=INSIDE)), host="c.test")
    b = site.page(level(iframe(c, name="depth-2", style=INSIDE)), host="b.test")
    await open_page(iframe(b, name="depth-1", style="margin:30px 40px"))
    snap = await page.snapshot()

    for index in (1, 2, 3):
        await page.fill(snap.find("textbox", "Street", frame=index).id, f"Street {index}")
        await page.click(snap.find("button", "Target", frame=index).id)

    assert [frame.parent_index for frame in snap.frames] == [None, 0, 1, 2]
    assert [frame.is_oopif for frame in snap.frames] == [False, True, True, True]
    for index in (1, 2, 3):
        assert await oracle.eval_in(f"depth-{index}", "field.value") == f"Street {index}"
        assert await presses(oracle, f"depth-{index}") == CLICKED


@pytest.mark.row("OOP-05")
async def test_a_frame_in_the_process_of_its_parent_frame_is_listed_once_and_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    inner = site.page(target_page(size=6), host="b.test")
    outer = site.page(
        target_page(left=350) + iframe(inner, name="inner", style=INSIDE), host="b.test"
    )
    await open_page(iframe(outer, name="outer", style="margin:25px"))
    snap = await page.snapshot()

    for index in (1, 2):
        await page.click(snap.find("button", "Target", frame=index).id)

    assert [frame.url for frame in snap.frames][1:] == [outer, inner]
    assert [frame.is_oopif for frame in snap.frames] == [False, True, False]
    assert len(snap.find_all("button", "Target")) == 2
    assert await presses(oracle, "outer") == CLICKED
    assert await presses(oracle, "inner") == CLICKED


@pytest.mark.parametrize("style", ["", "transform:rotate(15deg) scale(.8);"])
async def test_a_frame_of_the_pages_own_site_inside_another_site_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, style: str
) -> None:
    """a.test in b.test in a.test: one process with the main frame, but no part of its layout."""
    inner = site.page(target_page(size=8), host="a.test")
    middle = site.page(
        target_page(left=350) + iframe(inner, name="inner", style=style + INSIDE), host="b.test"
    )
    await open_page(iframe(middle, name="middle", style="margin:25px"))
    snap = await page.snapshot()

    await page.click(snap.find("button", "Target", frame=2).id)

    assert [frame.parent_index for frame in snap.frames] == [None, 0, 1]
    assert await presses(oracle, "inner") == CLICKED
    assert await presses(oracle, "middle") == []


@pytest.mark.row("OOP-06")
async def test_of_two_frames_in_one_process_the_right_one_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    left = site.page(target_page(), host="b.test")
    right = site.page(target_page(), host="b.test")
    narrow = "width:300px"
    await open_page(
        iframe(left, name="left", style=narrow) + iframe(right, name="right", style=narrow)
    )
    snap = await page.snapshot()
    index = {frame.url: frame.index for frame in snap.frames}

    await page.click(snap.find("button", "Target", frame=index[right]).id)
    assert (await presses(oracle, "left"), await presses(oracle, "right")) == ([], CLICKED)

    await page.click(snap.find("button", "Target", frame=index[left]).id)
    assert (await presses(oracle, "left"), await presses(oracle, "right")) == (CLICKED, CLICKED)


@pytest.mark.row("OOP-16")
async def test_a_button_in_a_rotated_and_scaled_frame_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    tall = "<style>#target { width: 20px !important; height: 60px !important }</style>"
    child = site.page(target_page() + tall, host="b.test")
    await open_page(iframe(child, name="subject", style="transform:rotate(30deg) scale(.7)"))
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


async def test_a_frame_of_one_process_in_a_transformed_frame_of_another_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    inner = site.page(target_page(size=8), host="b.test")
    outer = site.page(
        target_page(left=370) + iframe(inner, name="inner", style="rotate:-40deg;" + INSIDE),
        host="b.test",
    )
    await open_page(iframe(outer, name="outer", style="margin:90px;rotate:25deg;scale:.9"))
    target = (await page.snapshot()).find("button", "Target", frame=2)

    await page.click(target.id)

    assert await presses(oracle, "inner") == CLICKED


@pytest.mark.row("OOP-17")
async def test_a_frame_far_down_the_page_is_scrolled_to(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(target_page(), host="b.test")
    await open_page(f"<div style='height:4000px'></div>{iframe(child, name='subject')}")
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED
    assert await oracle.eval("scrollY") > 3000


@pytest.mark.row("OOP-18")
@pytest.mark.parametrize("tall", ["frame", "page"])
async def test_a_fixed_button_in_a_frame_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, tall: str
) -> None:
    """`tall` is the document of 2000 px: the frame's own, scrolled, or the page's."""
    fixed = "<style>#target { position: fixed !important }</style>"
    filler = "<div style='height:2000px'></div>"
    inside, outside = (filler, "") if tall == "frame" else ("", filler)
    child = site.page(target_page() + fixed + inside, host="b.test")
    await open_page(f"{outside}{iframe(child, name='subject')}{outside}")
    await oracle.eval_in("subject", "scrollTo(0, 900)")
    target = (await page.snapshot()).find("button", "Target")

    await page.click(target.id)

    assert await presses(oracle, "subject") == CLICKED


@pytest.mark.row("OOP-20")
@pytest.mark.timeout(120)
async def test_a_button_added_to_a_frame_just_now_is_hit_twenty_times_of_twenty(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(target_page(), host="b.test")
    await open_page(
        "<style>body { border: 150px solid; margin: 250px; padding: 50px }</style>"
        + iframe(child, name="subject")
    )
    for run in range(20):
        await oracle.eval_in(
            "subject",
            f"""document.querySelector('button').remove();
            seen.length = 0;
            document.body.insertAdjacentHTML('beforeend', `<button id=target aria-label="Run {run}"
              style="left: {(run * 37) % 350}px; top: {(run * 53) % 250}px"></button>`)""",
        )
        target = (await page.snapshot()).find("button", f"Run {run}", exact=True)

        await page.click(target.id)

        assert await presses(oracle, "subject") == CLICKED, f"run {run}"


@pytest.mark.row("OOP-23")
async def test_a_frame_with_a_fragment_or_behind_a_redirect_is_listed_once(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    final = site.page(target_page(), host="c.test")
    site.route("/redirected", lambda _: Response(302, {"Location": final}))
    with_fragment = site.page(target_page(), host="b.test") + "#part"
    small = "width:300px"
    await open_page(
        iframe(with_fragment, name="fragment", style=small)
        + iframe(site.url("/redirected", "b.test"), name="redirect", style=small)
    )
    snap = await page.snapshot()

    for element in snap.find_all("button", "Target"):
        await page.click(element.id)

    assert len(snap.frames) == 3
    assert await presses(oracle, "fragment") == CLICKED
    assert await presses(oracle, "redirect") == CLICKED


@pytest.mark.row("OOP-24")
async def test_of_two_frames_with_the_same_address_the_second_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    child = site.page(target_page(), host="b.test")
    small = "width:300px"
    await open_page(
        iframe(child, name="first", style=small) + iframe(child, name="second", style=small)
    )
    snap = await page.snapshot()
    second = next(frame.index for frame in snap.frames if frame.name == "second")

    await page.click(snap.find("button", "Target", frame=second).id)

    assert await presses(oracle, "first") == []
    assert await presses(oracle, "second") == CLICKED


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_a_button_in_a_shadow_root_in_a_frame_is_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage, mode: str
) -> None:
    child = site.page(
        f"<div id=host></div><script>host.attachShadow({{mode: '{mode}'}}).innerHTML = "
        "`<button onclick='window.hits = (window.hits || 0) + 1'>Buy</button>`</script>",
        host="b.test",
    )
    await open_page(iframe(child, name="subject"))
    button = (await page.snapshot()).find("button", "Buy")

    await page.click(button.id)

    assert button.id.frame_index == 1
    assert await oracle.eval_in("subject", "window.hits") == 1


async def test_a_frame_in_a_frame_in_a_closed_shadow_root_is_listed_and_hit(
    page: Page, site: Site, oracle: PageOracle, open_page: OpenPage
) -> None:
    inner = site.page(target_page(size=6), host="c.test")
    middle = site.page(
        target_page(left=350) + iframe(inner, name="inner", style=INSIDE), host="b.test"
    )
    await open_page(
        "<div id=host></div><script>const root = host.attachShadow({mode: 'closed'});"
        f"root.innerHTML = `{iframe(middle, name='middle', style='margin:21px')}`</script>"
    )
    snap = await page.snapshot()

    for index in (1, 2):
        await page.click(snap.find("button", "Target", frame=index).id)

    assert [frame.is_oopif for frame in snap.frames] == [False, True, True]
    assert await presses(oracle, "middle") == CLICKED
    assert await presses(oracle, "inner") == CLICKED
