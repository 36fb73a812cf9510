"""`do`, `read` and less of the page, as a shell sees them."""

from __future__ import annotations

import json
import re

from tests.browser.fronts.conftest import Shell
from tests.support.site import Site

PAGE = """<h1>Sign up</h1><label>Email <input></label>
<button onclick="said.textContent = 'Hello ' + document.querySelector('input').value">Save</button>
<p id=said></p><ul>{rows}</ul>""".replace("{rows}", "<li>row</li>" * 30)


async def test_steps_come_from_words_a_file_and_standard_input(
    shell: Shell, site: Site, endpoint: str
) -> None:
    url = site.page(PAGE)
    begun = await shell("do", f"open {url}", "fill label=Email ada", "--connect", endpoint, "-q")
    assert (begun.code, begun.err) == (0, "")
    assert re.fullmatch(r'1\. opened ".+"\n2\. filled \[0-\d+\]\n', begun.out)

    saved = await shell("do", "-", given="# a comment\n\nclick text=Save\n")
    assert "Hello ada" in saved.out
    assert "row" not in saved.out

    steps = shell.folder / "steps.txt"
    steps.write_text("cdp-agent fill label=Email 'bob b'\nclick text=Save\nread css=#said\n")
    done = await shell("do", "--file", str(steps))
    assert done.out.endswith("3. read css=#said\nHello bob b\n")

    wrong = await shell("do", "clik text=Save")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean click?" in wrong.err
    failed = await shell("do", "press Tab", "hover css=#none", "press Tab", "--json")
    assert failed.code == 1
    assert failed.out.endswith("\n")
    assert json.loads(failed.out)["data"]["failed_at"] == 1

    assert (await shell("read", "css=label")).out == "Email bob b\n"
    assert re.fullmatch(r"clicked \[0-\d+\] .*\n", (await shell("click", "text=Save", "-q")).out)
    found = await shell("press", "Tab", "--search", "sign")
    assert 'heading "Sign up"' in found.out
    assert "row" not in found.out
