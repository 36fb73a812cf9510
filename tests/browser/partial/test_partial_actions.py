"""A large page that is driven is looked at in parts; each is part of what a first look shows."""

from __future__ import annotations

from cdp_agent import Page, Snapshot
from tests.support.fresh_snapshot import fresh_snapshot
from tests.support.pages.large_pages import REST, require_part
from tests.support.site import Site

_COUNTING = (
    '<button onclick=\'said.textContent = ++n + " times"; list.innerHTML += "<li>More"\'>'
    "Add {0}</button><p id=said>never</p><ul id=list></ul><script>n = 0</script>"
)
_SHADOWS = """<x-open></x-open><x-shut></x-shut><script>
const fill = (root, name) => {
  root.innerHTML = `<button>Open ${name}</button><div hidden><a href=#x>In ${name}</a></div>`;
  root.querySelector("button").onclick = () => {
    root.querySelector("div").hidden = !root.querySelector("div").hidden;
  };
};
customElements.define("x-open", class extends HTMLElement {
  connectedCallback() { fill(this.attachShadow({ mode: "open" }), "drawer"); }
});
customElements.define("x-shut", class extends HTMLElement {
  connectedCallback() { fill(this.attachShadow({ mode: "closed" }), "safe"); }
});
</script>"""


async def _look(page: Page, said: str) -> Snapshot:
    part = await page.snapshot(max_tokens=8000)
    require_part(part, await fresh_snapshot(page), said)
    return part


async def test_a_part_stays_part_of_the_whole_while_the_page_is_driven(
    page: Page, site: Site
) -> None:
    frames = "".join(
        f"<iframe height=120 src={site.page(_COUNTING.format(host), host=host)}></iframe>"
        for host in ("a.test", "b.test")
    )
    await page.goto(site.page(f"{_COUNTING.format('here')}{_SHADOWS}{frames}{REST}"))
    part = await _look(page, "at first")
    for name in ("Add here", "Add a.test", "Open drawer", "Add b.test", "Open safe", "Add here"):
        await page.click(part.find("button", name).id)
        part = await _look(page, name)
    assert part.find("link", "In drawer")
    assert part.find("link", "In safe")
    assert "2 times" in part.text

    await page.scroll("down", pixels=3000)
    part = await _look(page, "scrolled")
    await page.click(part.find("button", "Drop ", nth=3).id)
    await _look(page, "clicked further down")
