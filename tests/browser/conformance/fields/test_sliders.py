"""Sliders that a page draws itself are filled by keys, and what they hold is read back."""

from __future__ import annotations

import pytest

from cdp_agent import InvalidParams, NotEditable, Page
from tests.support.stage import OpenPage

#: A slider as component libraries draw it. `moved(key, now)` is the value after a key.
SLIDER = """<div role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=100
  aria-valuenow=20 style="width:200px; height:20px; background:#ccc"></div><p id=out></p>
  <script>
    const slider = document.querySelector("[role=slider]");
    slider.addEventListener("keydown", (event) => {
      const now = +slider.getAttribute("aria-valuenow");
      const next = Math.min(Math.max((%s)(event.key, now), 0), 100);
      if (next === now) return;
      requestAnimationFrame(() => slider.setAttribute("aria-valuenow", next));
      document.querySelector("#out").textContent = `committed ${next}`;
    });
  </script>"""

STEPS = "(key, now) => now + ({ ArrowRight: %s, ArrowLeft: -%s, Home: -1000, End: 1000 }[key] || 0)"


@pytest.mark.parametrize("value", ["55", "5", "0", "100", "20"])
async def test_a_slider_is_filled_with_a_number(
    page: Page, open_page: OpenPage, value: str
) -> None:
    await open_page(SLIDER % (STEPS % (5, 5)))
    slider = (await page.snapshot()).find("slider", "Volume")

    outcome = await page.fill(slider.id, value)

    assert outcome.data["value"] == value
    assert (await page.snapshot()).find("slider").value == value
    committed = await page.evaluate("document.querySelector('#out').textContent")
    assert committed == f"committed {value}"


async def test_a_slider_that_answers_only_the_vertical_keys_is_filled(
    page: Page, open_page: OpenPage
) -> None:
    await open_page(SLIDER % "(key, now) => now + ({ ArrowUp: 1, ArrowDown: -1 }[key] || 0)")
    slider = (await page.snapshot()).find("slider", "Volume")

    outcome = await page.fill(slider.id, "17")

    assert outcome.data["value"] == "17"


async def test_a_slider_with_a_thumb_that_takes_the_focus_is_filled(
    page: Page, open_page: OpenPage
) -> None:
    source = (SLIDER % (STEPS % (5, 5))).replace(" tabindex=0", "", 1)
    await open_page(source.replace("></div>", "><i tabindex=0>o</i></div>", 1))
    slider = (await page.snapshot()).find("slider", "Volume")

    outcome = await page.fill(slider.id, "35")

    assert outcome.data["value"] == "35"


@pytest.mark.parametrize(
    ("moved", "value", "holds"),
    [
        (STEPS % (10, 10), "55", "50"),
        ("(key, now) => now", "30", "20"),
        ("(key, now) => key === 'ArrowRight' ? Math.min(now + 5, 40) : now", "80", "40"),
        (STEPS % (0.01, 0.01), "90", "20.01"),
    ],
    ids=["between two steps", "no key moves it", "it stops on the way", "too many steps"],
)
async def test_a_slider_that_misses_the_number_is_no_success(
    page: Page, open_page: OpenPage, moved: str, value: str, holds: str
) -> None:
    await open_page(SLIDER % moved)
    slider = (await page.snapshot()).find("slider", "Volume")

    with pytest.raises(NotEditable) as caught:
        await page.fill(slider.id, value)

    assert caught.value.data["value"] == holds
    assert (await page.snapshot()).find("slider").value == holds


@pytest.mark.parametrize("value", ["loud", "101", ""])
async def test_what_a_slider_cannot_hold_touches_nothing(
    page: Page, open_page: OpenPage, value: str
) -> None:
    await open_page(SLIDER % (STEPS % (5, 5)))
    slider = (await page.snapshot()).find("slider", "Volume")

    with pytest.raises(InvalidParams):
        await page.fill(slider.id, value)

    assert (await page.snapshot()).find("slider").value == "20"
