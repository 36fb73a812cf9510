"""The page `index.html` of a trace. Pure: data in, HTML out."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cdp_agent.tools.text.reader_view import Coverage

_STYLE = """
:root{--ink:#1c2033;--dim:#667089;--line:#dde1ec;--card:#fff;--ground:#f4f5f9;--good:#2b8a3e;
--bad:#c92a2a;--mark:#e8590c;--accent:#3b5bdb}
@media(prefers-color-scheme:dark){:root{--ink:#e4e7f2;--dim:#98a1b8;--line:#2f3548;--card:#1d2130;
--ground:#141722;--good:#69db7c;--bad:#ff8787;--mark:#ff922b;--accent:#91a7ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,"DejaVu Sans",sans-serif}
main{max-width:860px;margin:0 auto;padding:16px}
h1{font-size:22px;margin:8px 0}h2{font-size:16px;margin:0;display:flex;gap:8px;flex-wrap:wrap;
align-items:baseline}
.badge{border-radius:6px;padding:1px 8px;color:#fff;background:var(--bad);font-size:13px}
.badge.good{background:var(--good)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;margin:12px 0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
nav{display:flex;gap:2px;margin:14px 0;height:26px}
nav a{min-width:18px;background:var(--accent);border-radius:4px;color:#fff;font-size:12px;
text-align:center;text-decoration:none;line-height:26px}
nav a.bad{background:var(--bad)}nav a.asked{background:var(--mark)}
article{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px;
margin:0 0 14px}
.number{color:var(--dim)}.tool{font-family:ui-monospace,"DejaVu Sans Mono",monospace}
.facts{color:var(--dim);font-size:13px;margin:2px 0 8px;overflow-wrap:anywhere}
.said{margin:0 0 8px}.note,.ask{margin:8px 0;padding:6px 10px;border-left:4px solid var(--mark)}
.picture{position:relative;margin:8px 0;border:1px solid var(--line);border-radius:6px;
overflow:hidden}
.picture img{display:block;width:100%}
.box{position:absolute;border:3px solid var(--mark);border-radius:4px;
box-shadow:0 0 0 2px rgba(255,255,255,.7)}
pre{margin:8px 0 0;padding:10px;background:var(--ground);border-radius:6px;overflow-x:auto;
font:12.5px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;white-space:pre-wrap;
overflow-wrap:anywhere}
.add{color:var(--good)}.del{color:var(--bad)}.chg{color:var(--mark)}
summary{cursor:pointer;color:var(--dim)}
"""

#: A result of more lines is folded.
_LONG = 12


def trace_html(
    start: Mapping[str, Any],
    turns: Sequence[Mapping[str, Any]],
    result: Mapping[str, Any],
    pictures: Mapping[str, bytes],
) -> str:
    goal = str(start.get("goal", ""))
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        '<meta name=viewport content="width=device-width,initial-scale=1">',
        f"<title>{escape(goal)} - cdp-agent</title><style>{_STYLE}</style><main>",
        f"<p class=number>cdp-agent run</p><h1>{escape(goal)}</h1>",
        _overview(start, result),
        _timeline(turns),
        _first_page(start),
    ]
    parts.extend(_turn(turn, pictures) for turn in turns)
    final = pictures.get("pictures/end.png")
    if final is not None:
        parts.append(
            f"<article><h2>At the end</h2>{_image(final, 'the page at the end')}</article>"
        )
    parts.append("</main></html>")
    return "\n".join(parts)


def _overview(start: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    status = str(result.get("status", "cut off"))
    good = " good" if result.get("success") else ""
    rows = [("result", f"<span class='badge{good}'>{escape(status)}</span>")]
    usage = result.get("usage") or {}
    facts: list[tuple[str, Any]] = [
        ("summary", result.get("summary")),
        ("proof", result.get("verified")),
        ("turns", result.get("turns")),
        ("time", f"{result.get('seconds', 0):.1f} s"),
        ("tokens", _tokens(usage)),
        ("page text", _coverage(result)),
        ("cost", _cost(result)),
        ("model", start.get("model")),
        ("service", start.get("service")),
        ("began at", start.get("url")),
        ("ended at", result.get("url")),
        ("when", start.get("began")),
    ]
    rows.extend((name, escape(str(value))) for name, value in facts if value not in (None, ""))
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows) + "</dl>"


def _cost(result: Mapping[str, Any]) -> str:
    if not any((result.get("usage") or {}).values()):
        return ""
    return f"${result['cost']:.4f}" if result.get("cost") is not None else "not known"


def _coverage(result: Mapping[str, Any]) -> str:
    counts = result.get("coverage")
    return Coverage(**counts).line if counts else ""


def _timeline(turns: Sequence[Mapping[str, Any]]) -> str:
    """A strip whose parts are as wide as the turns took long."""
    links = []
    for turn in turns:
        seconds = turn.get("model_seconds", 0) + turn.get("tool_seconds", 0)
        kind = "bad" if turn.get("is_error") else "asked" if turn.get("asked") else ""
        title = escape(f"{turn.get('tool') or 'no call'}, {seconds:.2f} s")
        number = turn["number"]
        links.append(
            f"<a class='{kind}' style='flex-grow:{max(round(seconds * 100), 1)}'"
            f" href='#turn-{number}' title='{title}'>{number}</a>"
        )
    return f"<nav aria-label=Turns>{''.join(links)}</nav>"


def _first_page(start: Mapping[str, Any]) -> str:
    page = str(start.get("page", ""))
    return (
        "<article><h2>The page at the start</h2>"
        f"<details><summary>as the model saw it ({page.count(chr(10)) + 1} lines)</summary>"
        f"{_text(page)}</details></article>"
    )


def _turn(turn: Mapping[str, Any], pictures: Mapping[str, bytes]) -> str:
    number = turn["number"]
    tool = str(turn.get("tool") or "no call")
    badge = f"<span class=badge>{escape(str(turn['code']))}</span>" if turn.get("code") else ""
    parts = [
        f"<article id=turn-{number}><h2><span class=number>{number}</span>"
        f"<span class=tool>{escape(tool)}</span><span>{escape(_target(turn))}</span>{badge}</h2>",
        f"<p class=facts>{escape(_facts(turn))}</p>",
    ]
    if turn.get("said"):
        parts.append(f"<p class=said>{escape(str(turn['said']))}</p>")
    picture = pictures.get(str(turn.get("picture") or ""))
    if picture is not None:
        parts.append(_image(picture, f"the page before turn {number}", _box(turn)))
    for asked in turn.get("asked", ()):
        answer = "approved" if asked["approved"] else "refused"
        words = f": {asked['words']}" if asked.get("words") else ""
        parts.append(
            f"<p class=ask><b>{escape(asked['name'])}</b> {answer}{escape(words)}<br>"
            f"{escape(asked['action'])}. {escape(asked['reason'])}</p>"
        )
    parts.extend(f"<p class=note>{escape(str(note))}</p>" for note in turn.get("notes", ()))
    result = str(turn.get("result", ""))
    if result.count("\n") >= _LONG:
        first = result.partition("\n")[0]
        parts.append(f"<details><summary>{escape(first)} …</summary>{_text(result)}</details>")
    elif result:
        parts.append(_text(result))
    parts.append("</article>")
    return "".join(parts)


def _target(turn: Mapping[str, Any]) -> str:
    element = turn.get("element")
    if element:
        return f'{element["role"]} "{element["name"]}" [{element["ref"]}]'
    words = [str(v) for v in (turn.get("arguments") or {}).values() if isinstance(v, str)]
    return " ".join(words)[:120]


def _facts(turn: Mapping[str, Any]) -> str:
    facts = [
        f"{turn.get('model_seconds', 0):.2f} s thinking, {turn.get('tool_seconds', 0):.2f} s acting"
    ]
    tokens = _tokens(turn.get("usage") or {})
    if tokens:
        facts.append(tokens)
    arguments = {k: v for k, v in (turn.get("arguments") or {}).items() if k != "ref"}
    if arguments and turn.get("element"):
        facts.append(", ".join(f"{k}: {v}" for k, v in arguments.items()))
    if turn.get("healed"):
        facts.append("healed")
    if turn.get("refused"):
        facts.append(f"{turn['refused']} further calls refused")
    facts.append(str(turn.get("url", "")))
    return " · ".join(fact for fact in facts if fact)


def _tokens(usage: Mapping[str, Any]) -> str:
    if not any(usage.values()):
        return ""
    read = usage["input_tokens"] + usage["cache_read"] + usage["cache_write"]
    cached = f" ({usage['cache_read']} cached)" if usage["cache_read"] else ""
    return f"{read} tokens in{cached}, {usage['output_tokens']} out"


def _box(turn: Mapping[str, Any]) -> str:
    """A box around the acted element, in per cent of the picture's size."""
    element, viewport = turn.get("element"), turn.get("viewport")
    if not element or not element.get("bounds") or not viewport:
        return ""
    left, top, width, height = element["bounds"]
    across, down = viewport
    if left >= across or top >= down or left + width <= 0 or top + height <= 0:
        return ""
    place = (
        f"left:{100 * left / across:.2f}%;top:{100 * top / down:.2f}%;"
        f"width:{100 * width / across:.2f}%;height:{100 * height / down:.2f}%"
    )
    return f"<div class=box style='{place}'></div>"


def _image(data: bytes, words: str, box: str = "") -> str:
    source = base64.b64encode(data).decode()
    return (
        f"<div class=picture><img alt='{escape(words)}' src='data:image/png;base64,{source}'>"
        f"{box}</div>"
    )


_KINDS = {"+ ": "add", "- ": "del", "~ ": "chg", "> ": "chg"}


def _text(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        kind = _KINDS.get(line[:2])
        lines.append(f"<span class={kind}>{escape(line)}</span>" if kind else escape(line))
    return f"<pre>{chr(10).join(lines)}</pre>"
