"""Examples at the end of `cdp-agent COMMAND --help`: lines that one can type."""

from __future__ import annotations

import argparse
import textwrap

_LINES = {
    "snapshot": """\
  cdp-agent snapshot example.com                the page as an agent sees it
  cdp-agent snapshot page.html --interactive    only what one can act on
  cdp-agent snapshot                            the session's page (see open)
  cdp-agent snapshot --search invoice           its lines with that word
  cdp-agent snapshot --expand 0-812             open a stub that it showed""",
    "doctor": """\
  cdp-agent doctor
  cdp-agent doctor --json""",
    "guide": """\
  cdp-agent guide                               how to use all this, on one page
  cdp-agent guide selectors
  cdp-agent guide --install-skill .claude/skills/cdp-agent""",
    "open": """\
  cdp-agent open example.com
  cdp-agent open localhost:8000 --session shop --headed
  cdp-agent open shop.test --profile ~/shop     a profile that lasts: log in once
  cdp-agent open https://shop.test --allow-origin https://shop.test --secret pw=SHOP_PASSWORD
  cdp-agent fill 0-9 '{{secret:pw}}'            types the value of SHOP_PASSWORD""",
    "do": """\
  cdp-agent do 'open localhost:8000' 'fill label=Email ada@x.org' 'click text=Save'
  cdp-agent do 'click "text=Log in"' 'wait Orders' 'read' --quiet
  cdp-agent do --file steps.txt --go-on         a command in each line; # begins a comment
  cdp-agent do - < steps.txt

Each step is written like the command itself. The steps end at the first that
fails, and before a step that would act on a page whose address an earlier one
changed (other than by a link, open or back) unless a wait stands between. The
page's changes are printed once, at the end; not after a last step that reads.""",
    "read": """\
  cdp-agent read                                the text of the page, by section
  cdp-agent read "role=heading[name=History]"   one section
  cdp-agent read css=#total
  cdp-agent read --search refund deadline       lines with these words, or with any of them
  cdp-agent read --from 120                     on from where the last one ended""",
    "expand": "  cdp-agent expand 0-812",
    "back": "  cdp-agent back",
    "forward": "  cdp-agent forward",
    "reload": "  cdp-agent reload",
    "click": """\
  cdp-agent click 0-12
  cdp-agent click "text=Place order" --quiet    by its text; the page is not shown
  cdp-agent click "role=link[name=RMA-7731]" --search status
  cdp-agent click 3-7 --double                  in frame 3
  cdp-agent click 0-12 --modifier Control --button middle""",
    "fill": """\
  cdp-agent fill 0-9 "ada@example.com"
  cdp-agent fill label=Email ada@example.com
  cdp-agent fill 0-9 ""                         clears it""",
    "replace": """\
  cdp-agent replace 0-9 "5 days" "7 days"         the rest stays as it is""",
    "type": """\
  cdp-agent type 0-9 "lamp" --enter
  cdp-agent type "lamp"                         where the focus is""",
    "press": """\
  cdp-agent press Enter
  cdp-agent press Control+A --ref 0-9
  cdp-agent press ArrowDown --times 5""",
    "select": """\
  cdp-agent select 0-14 "Express delivery"
  cdp-agent select 0-14 Red Blue                several, where the list takes several
  cdp-agent select 0-14 --index 2""",
    "check": "  cdp-agent check 0-21",
    "uncheck": "  cdp-agent uncheck 0-21",
    "dblclick": "  cdp-agent dblclick 0-4",
    "hover": "  cdp-agent hover 0-4",
    "drag": """\
  cdp-agent drag 0-31 0-40
  cdp-agent drag 0-31 --by 120,0
  cdp-agent drag --at 300,200 --by -50,80       from a point of the viewport""",
    "wait": """\
  cdp-agent wait "Order placed"
  cdp-agent wait Saved --new                    only one that is not shown yet
  cdp-agent wait --gone Loading --timeout 30
  cdp-agent wait --ref 0-44 --state enabled
  cdp-agent wait --url '*/thanks'""",
    "scroll": """\
  cdp-agent scroll                              a page down
  cdp-agent scroll bottom --ref 0-51
  cdp-agent scroll --ref 0-51                   bring it into view
  cdp-agent scroll --until RMA-7731
  cdp-agent scroll up --pixels 200""",
    "upload": "  cdp-agent upload 0-33 receipt.pdf photo.png",
    "tabs": """\
  cdp-agent tabs
  cdp-agent tabs new example.com
  cdp-agent tabs select p2
  cdp-agent tabs close p2""",
    "dialog": """\
  cdp-agent dialog accept
  cdp-agent dialog accept "my answer"           to a prompt
  cdp-agent dialog dismiss""",
    "screenshot": """\
  cdp-agent screenshot
  cdp-agent screenshot page.png --full
  cdp-agent screenshot chart.png --ref css=#chart""",
    "extract": """\
  cdp-agent extract schema.json
  cdp-agent extract '{"type": "object", "properties": {"total": {"type": "number"}}}'""",
    "close": """\
  cdp-agent close
  cdp-agent close --session shop""",
    "sessions": "  cdp-agent sessions",
    "pdf": """\
  cdp-agent pdf invoice.pdf
  cdp-agent pdf invoice.pdf --paper A4 --background --pages 1-2""",
    "content": """\
  cdp-agent content                             the HTML as it is now
  cdp-agent content page.html                   all of it, to a file
  cdp-agent content --frame 1""",
    "cookies": """\
  cdp-agent cookies
  cdp-agent cookies --url https://shop.test/    those that this address is sent
  cdp-agent cookies set lang de
  cdp-agent cookies clear""",
    "state": """\
  cdp-agent state save shop.json                cookies and storage, after you have logged in
  cdp-agent state load shop.json && cdp-agent reload""",
    "viewport": """\
  cdp-agent viewport 1440x900
  cdp-agent viewport 390x844 --mobile --scale 3""",
    "user-agent": """\
  cdp-agent user-agent "Mozilla/5.0 (Linux; Android 14) Mobile"
  cdp-agent user-agent                          the browser's own again""",
    "geolocation": """\
  cdp-agent geolocation 48.52,9.05
  cdp-agent geolocation -33.92,18.42 --accuracy 100""",
    "locale": """\
  cdp-agent locale de-DE
  cdp-agent locale                              the browser's own again""",
    "timezone": """\
  cdp-agent timezone Europe/Berlin
  cdp-agent timezone                            the browser's own again""",
    "media": """\
  cdp-agent media --color-scheme dark
  cdp-agent media print --reduced-motion reduce
  cdp-agent media                               the browser's own again""",
    "offline": """\
  cdp-agent offline
  cdp-agent offline off""",
    "console": """\
  cdp-agent console
  cdp-agent console --since 12                  what came after message 12""",
    "errors": "  cdp-agent errors",
    "requests": """\
  cdp-agent requests
  cdp-agent requests --failed --last 10""",
    "tracing": """\
  cdp-agent tracing start
  cdp-agent tracing stop trace.json""",
    "connect": """\
  google-chrome --remote-debugging-port=9222 --user-data-dir=$HOME/chrome-for-agents
  cdp-agent connect                             to that Chrome; lists its tabs
  cdp-agent connect 9333 --session other

Chrome takes no connections to its default profile: give it a folder, as above,
and log in there once.""",
    "mcp": """\
  claude mcp add browser -- cdp-agent mcp       for Claude Code
  cdp-agent mcp --http 8931                     one server for many clients; prints its token
  cdp-agent mcp --connect 9222 --shared         in a Chrome of yours, with its tabs and logins""",
    "serve": """\
  cdp-agent serve                               prints its addresses and a token
  cdp-agent serve --token "watcher-7=observe:*" a token that can look and nothing else
  cdp-agent serve --web-origin https://my.app   a page of that origin may connect""",
    "act": """\
  cdp-agent act steps.yaml --url example.com    in a browser of its own
  cdp-agent act steps.yaml                      in the session that `cdp-agent open` began
  echo '[{"action": "press", "params": {"key": "Enter"}}]' | cdp-agent act -

a file:
  url: https://example.com
  steps:
    - {action: fill, params: {selector: {label: Email}, value: ada@example.com}}
    - {action: click, params: {selector: {role: button, name: Send}}, on_error: retry}""",
    "completion": """\
  source <(cdp-agent completion bash)           now; put the line into ~/.bashrc to keep it
  cdp-agent completion fish > ~/.config/fish/completions/cdp-agent.fish""",
    "demo": """\
  cdp-agent demo
  cdp-agent demo --headed --approve ask         watch it, and decide yourself
  cdp-agent demo --trace run1 && cdp-agent demo --replay run1""",
    "run": """\
  cdp-agent run "find the cheapest lamp" --url shop.example
  cdp-agent run "cancel my plan" --service netflix --secret password=NETFLIX_PASSWORD
  cdp-agent run "order it again" --url shop.example --hold-writes --trace run1
  cdp-agent run "log in" --url localhost:8000 --model script:steps.yaml   without a model""",
    "cancel": """\
  cdp-agent cancel --service netflix --connect 9222     in a Chrome of yours that is signed in
  cdp-agent cancel --service netflix --profile ~/netflix --headed --trace run1
  cdp-agent cancel --service mine.yaml --url https://my.example/account""",
    "replay": """\
  cdp-agent replay run1
  cdp-agent replay run1 --url https://staging.shop.example --secret password=SHOP_PASSWORD""",
    "batch": """\
  cdp-agent batch tasks.jsonl --out results.jsonl --workers 8
  cdp-agent batch tasks.jsonl --out results.jsonl --resume      after a kill, or Ctrl-C
  cdp-agent batch tasks.jsonl --out results.jsonl --engine ray --address auto

a line of the file, with one of goal, steps and replay:
  {"id": 1, "url": "https://shop.test", "goal": "Order a lamp", "secrets": ["password"]}
  {"id": 2, "url": "https://shop.test", "steps": [{"action": "press", "params": {"key": "Enter"}}]}
  {"id": 3, "replay": "traces/order"}""",
    "services": """\
  cdp-agent services
  cdp-agent services netflix""",
}


def add_examples(commands: dict[str, argparse.ArgumentParser]) -> None:
    """Every command has some: one without is a mistake of ours, and raises."""
    for name, parser in commands.items():
        parser.description = textwrap.fill(parser.description or "", 78)
        parser.epilog = f"examples:\n{_LINES[name]}"
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
