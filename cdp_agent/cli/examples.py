"""What `cdp-agent COMMAND --help` ends with: lines that one can type."""

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
  cdp-agent read --search "refund deadline"     the passages with any of these words
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
    "mcp": """\
  claude mcp add browser -- cdp-agent mcp       for Claude Code
  cdp-agent mcp --http 8931                     one server for many clients; prints its token
  cdp-agent mcp --connect 9222 --shared         in a Chrome of yours, with its tabs and logins""",
    "serve": """\
  cdp-agent serve                               prints its addresses and a token
  cdp-agent serve --token watcher-7=look        a token that can look and nothing else
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
    "replay": """\
  cdp-agent replay run1
  cdp-agent replay run1 --url https://staging.shop.example --secret password=SHOP_PASSWORD""",
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
