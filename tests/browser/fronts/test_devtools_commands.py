"""Print, cookies, devices, logs and logins as a shell has them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from cdp_agent import Browser
from tests.browser.fronts.conftest import Shell
from tests.support.site import Request, Response, Site

LOGIN = """<title>Login</title><h1>{who}</h1>
<script>document.title = 'for ' + (localStorage.who || 'nobody')</script>"""


def serve_login(site: Site, path: str) -> None:
    def serve(request: Request) -> Response:
        who = "Ada" if "login=ada" in request.headers.get("Cookie", "") else "Nobody"
        body = LOGIN.format(who=who)
        headers = {"Content-Type": "text/html"}
        if "as" in request.query:
            headers["Set-Cookie"] = "login=ada; Max-Age=3600; Path=/"
            body = "<script>localStorage.who = 'ada'</script>"
        return Response(200, headers, body.encode())

    site.route(path, serve)


async def test_logs_of_a_page_are_printed_bounded(shell: Shell, site: Site, endpoint: str) -> None:
    page = site.page(
        "<h1>Page</h1><script>console.warn('careful'); console.error('broken');"
        "for (let n = 0; n < 70; n++) console.log('line ' + n);"
        "fetch('/devtools/none?q=1')</script>"
    )
    opened = await shell("open", page, "--connect", endpoint)
    assert opened.code == 0, opened.err
    await shell("wait", "--rest")

    console = await shell("console")
    assert "line 69" in console.out
    assert "careful" not in console.out
    assert len(console.out.splitlines()) == 51
    assert console.out.startswith("(")
    assert "careful" in (await shell("console", "--last", "200")).out
    errors = (await shell("errors")).out
    assert f"error broken ({page}:1:" in errors
    [missing] = [line for line in errors.splitlines() if "/devtools/none?q=1" in line]
    assert "404" in missing
    failed = await shell("requests", "--failed", "--json")
    rows = json.loads(failed.out)["data"]["requests"]
    assert (site.url("/devtools/none?q=1"), 404) in [(row["url"], row["status"]) for row in rows]
    assert all(row["failed"] for row in rows)
    assert page in (await shell("requests")).out
    later = await shell("requests", "--since", "999")
    assert later.out == "there are no requests after number 999\n"
    told = await shell("do", "viewport 500x400", "errors")
    assert "1. the viewport is 500x400" in told.out
    assert "broken" in told.out


async def test_a_page_is_printed_written_and_recorded(
    shell: Shell, site: Site, endpoint: str, tmp_path: Path
) -> None:
    await shell("open", site.page("<h1>Invoice</h1>" + "x" * 30_000), "--connect", endpoint)
    printed = await shell("pdf", str(tmp_path / "a.pdf"), "--paper", "A4")
    assert printed.code == 0, printed.err
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    content = (await shell("content")).out
    assert "<h1>Invoice</h1>" in content
    assert "more characters" in content
    assert (await shell("content", str(tmp_path / "a.html"))).code == 0
    assert len((tmp_path / "a.html").read_text()) > 30_000
    assert stat.S_IMODE(os.stat(tmp_path / "a.html").st_mode) == 0o600
    assert (await shell("tracing", "start")).code == 0
    assert (await shell("tracing", "stop", str(tmp_path / "t.json"))).code == 0
    assert json.loads((tmp_path / "t.json").read_bytes())["traceEvents"]

    for words in (
        ("pdf", str(tmp_path / "a.txt")),
        ("pdf", str(tmp_path / "none" / "a.pdf")),
        ("pdf", str(tmp_path / "b.pdf"), "--paper", "napkin"),
        ("content", "--frame", "9"),
        ("viewport", "large"),
        ("viewport", "0x5"),
        ("geolocation", "north"),
        ("geolocation", "95,0"),
        ("locale", "not a tag"),
        ("timezone", "Nowhere/X"),
        ("media", "--color-scheme", "pink"),
        ("cookies", "set", "name"),
        ("cookies", "clear", "name"),
        ("state", "load", str(tmp_path / "none.json")),
        ("state", "load", str(tmp_path / "t.json")),
        ("tracing", "stop", str(tmp_path / "t.json")),
    ):
        refused = await shell(*words)
        assert (refused.code, refused.err[:15]) == (2, "invalid_params:"), (words, refused)
    assert sorted(os.listdir(tmp_path)) == ["a.html", "a.pdf", "t.json"]


async def test_a_device_place_and_network_of_ones_choice(
    shell: Shell, site: Site, endpoint: str
) -> None:
    html = """<meta name=viewport content="width=device-width"><h1>Page</h1>
    <button onclick="navigator.geolocation.getCurrentPosition(
    at => p.textContent = `at ${at.coords.latitude}, ${at.coords.longitude}`,
    () => p.textContent = 'refused')">Where</button><p id=p></p>
    <script>document.title = navigator.userAgent</script>"""
    await shell("open", site.page(html, host="127.0.0.1"), "--connect", endpoint)

    assert (await shell("viewport", "390x844", "--mobile")).out == "the viewport is 390x844\n"
    assert "390x844" in (await shell("snapshot")).out
    assert (await shell("geolocation", "-33.5,18.25")).code == 0
    assert "at -33.5, 18.25" in (await shell("click", "text=Where")).out
    assert (await shell("user-agent", "Tester/1.0")).code == 0
    assert "Page: Tester/1.0" in (await shell("reload")).out
    assert (await shell("offline")).out == "the page is offline\n"
    refused = (await shell("reload")).err
    assert "net::ERR_INTERNET_DISCONNECTED" in refused
    assert "hint: The page was set offline" in refused
    assert (await shell("offline", "off")).code == 0
    assert (await shell("reload")).code == 0


async def test_a_language_time_zone_and_preferences_of_ones_choice(
    shell: Shell, site: Site, endpoint: str
) -> None:
    html = """<h1></h1><script>
    const at = Intl.DateTimeFormat().resolvedOptions(), dark = "(prefers-color-scheme: dark)";
    document.querySelector("h1").textContent =
      `${navigator.language} ${at.timeZone} ${matchMedia(dark).matches}`;</script>"""
    await shell("open", site.page(html), "--connect", endpoint)

    said = await shell("locale", "de-DE")
    assert said.out == "the language is de-DE; reload asks for this page in it, too\n"
    assert (await shell("timezone", "Asia/Tokyo")).out == "the time zone is Asia/Tokyo\n"
    said = await shell("media", "--color-scheme", "dark", "--contrast", "more")
    assert said.out == "color scheme dark, contrast more\n"
    assert "de-DE Asia/Tokyo true" in (await shell("reload")).out
    for command in ("locale", "timezone", "media"):
        assert "browser's own again" in (await shell(command)).out
    assert "de-DE" not in (await shell("reload")).out


async def test_a_login_is_saved_to_a_file_for_its_owner_and_loaded(
    shell: Shell, site: Site, endpoint: str, tmp_path: Path
) -> None:
    serve_login(site, "/devtools/login")
    url, file = site.url("/devtools/login", "127.0.0.1"), tmp_path / "login.json"
    await shell("open", f"{url}?as=ada", "--connect", endpoint)
    saved = await shell("state", "save", str(file))
    assert saved.code == 0, saved.err
    assert "1 cookie and the storage of 1 site" in saved.out
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    listed = await shell("cookies")
    assert listed.out == "login=ada 127.0.0.1/\n"
    await shell("close")

    nobody = await shell("open", url, "--connect", endpoint)
    assert 'heading "Nobody"' in nobody.out
    assert (await shell("state", "load", str(file))).code == 0
    again = await shell("reload")
    assert 'heading "Ada"' in again.out
    assert "for ada" in again.out
    assert (await shell("cookies", "set", "lang", "de")).code == 0
    assert "lang=de" in (await shell("cookies", "--url", url)).out
    assert (await shell("cookies", "clear")).out == "removed 2 cookies\n"
    assert (await shell("cookies")).out == "there are no cookies\n"


async def test_a_profile_lasts_and_is_for_one_browser_at_a_time(
    shell: Shell, site: Site, tmp_path: Path
) -> None:
    serve_login(site, "/devtools/profile")
    url, profile = site.url("/devtools/profile", "127.0.0.1"), tmp_path / "profile"
    first = await shell("open", f"{url}?as=ada", "--profile", str(profile))
    assert first.code == 0, first.err
    assert stat.S_IMODE(os.stat(profile).st_mode) == 0o700

    other = await shell("open", url, "--profile", str(profile), "--session", "other")
    assert other.code != 0
    assert "another browser uses this profile" in other.err
    assert "Another Chromium uses this profile" in other.err
    assert "exited with code" not in other.err
    changed = await shell("open", url, "--profile", str(tmp_path / "another"))
    assert (changed.code, "runs already" in changed.err) == (2, True)
    both = await shell("open", url, "--profile", str(profile), "--connect", "1", "--session", "x")
    assert (both.code, "do not go together" in both.err) == (2, True)
    await shell("close")

    again = await shell("open", url, "--profile", str(profile))
    assert 'heading "Ada"' in again.out
    assert "for ada" in again.out
    assert f"--profile={profile}" in (await shell("sessions")).out


async def test_ones_own_chrome_is_used_with_its_tabs_and_left_running(
    shell: Shell, site: Site, endpoint: str, browser: Browser
) -> None:
    page = await browser.new_page(site.page("<title>Mine</title><button>Press</button>"))
    try:
        await page.set_cookies([{"name": "mine", "value": "1"}])
        connected = await shell("connect", endpoint)
        assert connected.code == 0, connected.err
        row = next(line for line in connected.out.splitlines() if page.url in line)
        assert (await shell("tabs", "select", row.split()[0])).code == 0
        assert "mine=1" in (await shell("cookies", "--url", page.url)).out
        assert (await shell("click", "text=Press")).code == 0
        await shell("close")
        assert await page.evaluate("document.activeElement.textContent") == "Press"
    finally:
        await page.clear_cookies(page.url)
        await page.close()


async def test_a_session_that_found_no_browser_is_over(shell: Shell, endpoint: str) -> None:
    """Who typed a wrong port types the right one next; nothing is there to be closed first."""
    nobody = await shell("connect", "1")
    assert (nobody.code, nobody.out) == (2, "")
    assert "hint:" in nobody.err
    assert (await shell("sessions")).out == "no session runs\n"
    assert (await shell("connect", endpoint)).code == 0
    assert f"connect {endpoint}" in (await shell("sessions")).out
    other = await shell("connect", "1")
    assert f"runs already, with connect {endpoint}" in other.err


async def test_rows_148_and_164_a_frames_part_and_the_coverage_in_the_shell(
    shell: Shell, site: Site, endpoint: str
) -> None:
    inner = site.page(
        "<div id=part><button>Pay</button></div><button>Other</button>", host="b.test"
    )
    rows = "".join(f"<button>Button {n}</button>" for n in range(20))
    await shell("open", site.page(f"<iframe src={inner}></iframe>{rows}"), "--connect", endpoint)
    part = await shell("snapshot", "--root", '{"frameIndex": 1, "selector": "#part"}')
    assert part.code == 0, part.err
    assert "Pay" in part.out
    assert "Other" not in part.out
    wrong = await shell("snapshot", "--root", '{"frameIndex": 1, "selector": "#part", "x": 1}')
    assert (wrong.code, "has no 'x'" in wrong.err) == (2, True)

    pressed = json.loads((await shell("click", "text=Button 3", "--json")).out)
    assert (pressed["coverage"]["full"], pressed["coverage"]["diffs"]) == (1, 1)
    assert pressed["coverage"]["characters_sent"] > 0
