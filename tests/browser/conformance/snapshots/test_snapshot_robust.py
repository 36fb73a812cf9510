"""Pages that are too big, too deep, too busy or not there yet: a snapshot still says the truth."""

from __future__ import annotations

import threading

import pytest

from cdp_agent import Page, Snapshot
from tests.support.oracle import PageOracle
from tests.support.site import Request, Response, Site
from tests.support.stage import FRAME_KINDS, MakeStage, OpenPage


def assert_consistent(snap: Snapshot) -> None:
    """Every id is shown once and resolves, every line has its parent, every frame is known."""
    ids = [element.id for element in snap.elements]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(snap.backend_node_map)
    assert {element.frame_index for element in snap.elements} <= {f.index for f in snap.frames}
    depth = 0
    for line in snap.text.splitlines()[1:]:
        indent = len(line) - len(line.lstrip(" "))
        assert indent <= depth + 2, f"a line without its parent: {line!r}"
        depth = indent
    for element_id in ids:
        assert snap.text.count(f"[{element_id}]") == 1


@pytest.mark.row("SNP-30")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_snapshots_of_a_page_that_never_rests_are_consistent(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await make_stage(
        """<button>Fixed</button><div id=box></div><script>
        let n = 0;
        const timer = setInterval(() => {
          n++;
          if (box.children.length > 40) box.firstChild.remove();
          const item = document.createElement('section');
          item.innerHTML = `<h2>Item ${n}</h2><ul><li><button>Buy ${n}</button></li></ul>`;
          box.append(item);
          if (n % 3 == 0) box.prepend(box.lastChild);
          if (n % 7 == 0) box.replaceChildren(...[...box.children].reverse());
        }, 5);
        </script>""",
        frame_kind,
    )

    for _ in range(20):
        snap = await stage.page.snapshot()
        assert_consistent(snap)
        assert snap.find("button", "Fixed")

    await stage.eval("clearInterval(timer)")


@pytest.mark.row("SNP-30")
async def test_frames_that_come_and_go_do_not_disturb_a_snapshot(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage
) -> None:
    url = site.page("<button>Framed</button>", host="b.test")
    await open_page(f"""<button>Fixed</button><div id=box></div><script>
      const timer = setInterval(() => {{
        if (box.children.length > 3) box.firstChild.remove();
        const frame = document.createElement('iframe');
        frame.src = '{url}';
        box.append(frame);
      }}, 50);
    </script>""")

    for _ in range(20):
        snap = await page.snapshot()
        assert_consistent(snap)
        assert snap.find("button", "Fixed")

    await oracle.eval("clearInterval(timer)")


@pytest.mark.row("SNP-33")
@pytest.mark.parametrize(
    "blocker",
    ["<link rel=stylesheet href=/slow.css>", "<script src=/slow.js></script>"],
    ids=["stylesheet", "script"],
)
async def test_a_page_that_cannot_paint_yet_is_complete_or_says_that_it_loads(
    page: Page, oracle: PageOracle, site: Site, open_page: OpenPage, blocker: str
) -> None:
    release = threading.Event()

    def slow(_: Request) -> Response:
        release.wait(10)
        return Response(200, {"Content-Type": "text/css"}, b"")

    site.route("/slow.css", slow)
    site.route("/slow.js", slow)
    await open_page("<p>Before</p>")
    url = site.page(f"<!doctype html><title>Slow</title>{blocker}<button>Content</button>")

    await oracle.eval(f"void setTimeout(() => location.href = '{url}')")
    await oracle.wait(f"location.href === '{url}'")
    try:
        early = await page.snapshot()
    finally:
        release.set()
    await oracle.wait("document.readyState === 'complete'")
    late = await page.snapshot()

    assert early.find_all("button", "Content") or "loading" in early.text.splitlines()[0]
    assert late.find("button", "Content")
    assert "loading" not in late.text.splitlines()[0]


@pytest.mark.row("SNP-35")
@pytest.mark.timeout(180)
@pytest.mark.no_after_state("a second snapshot of 100,000 nodes shows nothing new")
async def test_a_page_of_100_000_nodes_is_read_whole_or_says_what_is_missing(
    page: Page, oracle: PageOracle, open_page: OpenPage
) -> None:
    await open_page("""<table><tbody id=rows></tbody></table><script>
      rows.innerHTML = Array.from({length: 20000}, (_, n) =>
        `<tr><td>Row ${n}.</td><td><button>Buy ${n}.</button></td></tr>`).join('');
    </script>""")
    assert await oracle.eval("document.getElementsByTagName('*').length") > 80_000

    snap = await page.snapshot(timeout=60)

    shown = len(snap.find_all("button"))
    assert snap.find("button", "Buy 0.")
    assert snap.find("button", "Buy 99.")
    assert shown == 20_000 or snap.warnings, f"{20_000 - shown} buttons left out in silence"
    assert_backed(snap)


def assert_backed(snap: Snapshot) -> None:
    """As `assert_consistent`, without its quadratic search through the text."""
    ids = [element.id for element in snap.elements]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(snap.backend_node_map)


@pytest.mark.row("SNP-36")
@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
@pytest.mark.parametrize("levels", [200, 2000])
async def test_a_button_under_thousands_of_levels_is_listed_and_clicked(
    make_stage: MakeStage, frame_kind: str, levels: int
) -> None:
    """Built from the inside out: a parser stops nesting at 512 levels."""
    stage = await make_stage(
        f"""<body><script>
        let node = document.createElement('button');
        node.textContent = 'Deep';
        node.onclick = () => document.title = 'hit';
        for (let level = 0; level < {levels}; level++) {{
          const parent = document.createElement('div');
          parent.append(node);
          node = parent;
        }}
        document.body.append(node);
        </script>""",
        frame_kind,
    )

    await stage.page.click(await stage.id("button", "Deep"))

    assert await stage.eval("document.title") == "hit"


@pytest.mark.parametrize("role", ["group", "list"])
async def test_levels_that_all_mean_something_stay_readable(
    page: Page, open_page: OpenPage, role: str
) -> None:
    await open_page(f"""<body><script>
      let node = document.createElement('button');
      node.textContent = 'Deep';
      for (let level = 0; level < 300; level++) {{
        const parent = document.createElement('div');
        parent.role = '{role}';
        parent.ariaLabel = 'Level ' + level;
        parent.append(node);
        node = parent;
      }}
      document.body.append(node);
    </script>""")

    snap = await page.snapshot()

    assert snap.find("button", "Deep")
    assert_consistent(snap)


@pytest.mark.parametrize(
    "html",
    [
        "<!doctype html>",
        "<!doctype html><title></title><body hidden><button>x</button>",
        "<!doctype html><frameset></frameset>",
        "<html><script>document.documentElement.remove()</script>",
        "<!doctype html><script>document.replaceChildren()</script>",
    ],
    ids=["empty", "hidden body", "frameset", "no root", "no children"],
)
@pytest.mark.no_after_state("there is no document to put a control into")
async def test_a_page_with_nothing_in_it_has_an_empty_snapshot(
    page: Page, open_page: OpenPage, html: str
) -> None:
    await open_page(html)

    snap = await page.snapshot()

    assert not snap.elements
    assert snap.text.startswith("Page: ")
