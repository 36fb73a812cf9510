"""Pages of many rows that are alike, each in its own way: `ROW_KINDS[kind]` makes the document."""

from __future__ import annotations

from collections.abc import Callable

_EVERY_SIXTH = (
    "<div class=a><a href=#{i}>x{i}</a></div>",
    "<section aria-label='sec {i}'><h4>t{i}</h4>text <br> more {i}</section>",
    "<dl><dt>t{i}<dd>d{i}</dl>",
    "<figure><img alt='' src=data:,><figcaption>cap {i}</figcaption></figure>",
    "<blockquote>q{i} <cite>c</cite></blockquote>",
    "<pre>code {i}\n more</pre>",
)


def _fields(i: int) -> str:
    return (
        f"<div><label>Name {i} <input name=n{i} value='v{i}'></label><label for=q{i}>Qty {i}"
        f"</label><input id=q{i} type=number value={i % 3}><select><option>a<option"
        f"{' selected' if i % 2 else ''}>b</select><textarea>t{i}</textarea><input type=checkbox"
        f"{' checked' if i % 3 else ''} aria-label='c{i}'><input type=password value=p></div>"
    )


def _constrained(i: int) -> str:
    return (
        f"<div><input required placeholder='p{i}' value='{'' if i % 2 else 'x'}'>"
        f"<input type=email value='{'bad' if i % 5 == 0 else 'a@b.c'}'><input disabled value=d{i}>"
        f"<fieldset{' disabled' if i % 4 == 0 else ''}><button>B{i}</button></fieldset></div>"
    )


def _hidden(i: int) -> str:
    return (
        f"<div{' hidden' if i % 3 == 0 else ''}><a href=#{i}>a{i}</a>"
        f"<span style='{'visibility:hidden' if i % 4 == 0 else ''}'>vis {i}</span>"
        f"<div aria-hidden={'true' if i % 5 == 0 else 'false'}><button>h{i}</button></div>"
        f"<p{' inert' if i % 7 == 0 else ''}>in{i}</p></div>"
    )


def _aria(i: int) -> str:
    return (
        f"<div role=listitem aria-expanded={'true' if i % 2 else 'false'} tabindex=0>"
        f"<span role=checkbox aria-checked={'mixed' if i % 3 else 'true'} tabindex=0>Ch {i}</span>"
        f"<span id=l{i}>Lab {i}</span>"
        f"<div role=textbox aria-labelledby=l{i} contenteditable>val {i}</div>"
        f"<div role=slider aria-valuenow={i % 4} tabindex=0 aria-label='s{i}'></div></div>"
    )


def _card(i: int) -> str:
    return (
        f"<div class='card c{i}' style='order:{i}'><div class=in><img alt='pic {i}' src=data:,>"
        f"<h3>Card {i}</h3><p>Text {i} <i>it</i></p><div><button aria-label='Buy {i}'>"
        f"<svg width=10 height=10><path d='M{i} 0'/></svg></button>"
        f"<a href=/c/{i}><span>More</span> <span>of {i}</span></a></div></div></div>"
    )


def _empty(i: int) -> str:
    return (
        f"<div><a href=#{i}> </a><span>{'' if i % 2 else 'x'}</span><b>{' ' if i % 3 else 'y'}</b>"
        f"<button>{'' if i % 4 else 'z'}</button><img alt='{'' if i % 2 else 'im'}' src=data:,>"
        f"<i aria-label='{'' if i % 3 else 'said'}' role=img></i></div>"
    )


def _drawn(i: int) -> str:
    return (
        f"<div><svg width=20 height=20 role=img aria-label='icon {i}'><circle cx={i} cy=3 r=2>"
        f"</circle></svg><svg width=9 height=9><title>t{i}</title><g><text x=0 y=9>tx{i}</text></g>"
        f"</svg><a href=#{i}><svg width=5 height=5><use href=#u></use></svg></a></div>"
    )


def _placed(i: int) -> str:
    return (
        f"<div class=g><div class=fx><span class=ib>a{i}</span><div class=ct><a href=#{i}>b{i}</a>"
        f"</div></div><div class=fl>f{i}</div></div>"
    )


_PLACES = (
    "<style>.g{display:grid}.fx{display:flex}.ib{display:inline-block}.ct{display:contents}"
    ".fl{float:left}</style>"
)
_WRITTEN = (
    "<style>.r::before{content:'> '} .k::after{content:attr(data-x)} li{counter-increment:c}"
    "li::before{content:counter(c) '. '}</style>"
)
_STYLED = "<style>.u{text-transform:uppercase} .p{white-space:pre}</style>"
_ROOTS = (
    "<script>document.querySelectorAll('.host').forEach((host, i) => {"
    "host.attachShadow({mode: i % 2 ? 'open' : 'closed'}).innerHTML ="
    " '<button>sh ' + i + '</button><slot></slot>'})</script>"
)
_PLAIN = "<div><a href=#{i} id=a{i}>x{i}</a><p>t</p><input value={i}></div>"


def _repeat(row: Callable[[int], str] | str, before: str = "", after: str = "") -> str:
    made = (row.format(i=i) if isinstance(row, str) else row(i) for i in range(60))
    return f"{before}{''.join(made)}{after}"


ROW_KINDS: dict[str, str] = {
    "list": _repeat(
        "<li><a href=#r{i}>Row {i}</a> <span>{i} pieces</span> <button>Del {i}</button></li>",
        "<ul>",
        "</ul>",
    ),
    "numbered": _repeat("<li><em>e{i}</em><b>b{i}</b><p>para {i}</p></li>", "<ol>", "</ol>"),
    "nested": _repeat("<li>Top {i}<ul><li>a{i}<li>b{i}<ul><li>deep {i}</li></ul></ul></li>"),
    "table": _repeat(
        "<tr><td>{i}</td><td><a href=#{i}>L {i}</a></td>"
        "<td><input type=checkbox value={i}> <button>x{i}</button></td></tr>",
        "<table><thead><tr><th>A<th>B<th>C</thead><tbody>",
        "</table>",
    ),
    "row heads": _repeat(
        "<tr><th scope=row>n{i}</th><td>{i}</td><td>two<br>lines {i}</td><td></td></tr>",
        "<table><caption>Sums</caption>",
        "</table>",
    ),
    "two tables": _repeat("<tr><td>{i}<td>{i}b</tr>", "<table>", "</table>")
    + _repeat("<tr><td>{i}<td>{i}b</tr>", "<table><tr><th>h<th>g</tr>", "</table>"),
    "article": _repeat(
        "<h2 id=h{i}>Head {i}</h2><p>Paragraph {i} with <a href=#{i}>link {i}</a> and <b>bold</b>."
    ),
    "cards": _repeat(_card),
    "fields": _repeat(_fields),
    "constrained": _repeat(_constrained),
    "hidden": _repeat(_hidden),
    "aria": _repeat(_aria),
    "tree": _repeat(
        "<li role=treeitem aria-level=1 tabindex=-1>Item {i}<ul role=group>"
        "<li role=treeitem aria-selected=true>sub {i}</li></ul></li>",
        "<ul role=tree>",
        "</ul>",
    ),
    "written by CSS": _repeat(
        "<li class=r><span class=k data-x='x{i}'>w{i}</span><button class=r>b{i}</button>"
        "<q>quote {i}</q></li>",
        f"{_WRITTEN}<ul>",
        "</ul>",
    ),
    "transformed": _repeat(
        "<p class=u>Upper {i} <a href=#{i}>link {i}</a></p><p class=p>a  b\n c{i}</p>", _STYLED
    ),
    "details": _repeat(
        lambda i: (
            f"<details{' open' if i % 3 == 0 else ''}><summary>Sum {i}</summary><p>in {i}</p>"
            "</details>"
        )
    ),
    "hands": _repeat(
        "<div class=c><span>click {i}</span></div><div onclick='x()'>listen {i}</div>"
        "<span class=c title='t{i}'></span>",
        "<style>.c{cursor:pointer}</style>",
    ),
    "shadow": _repeat("<div class=host><p>light {i}</p></div><p>{i}</p>", after=_ROOTS),
    "custom": _repeat(
        "<x-row><x-cell><a href=#{i}>cust {i}</a></x-cell><button>b</button></x-row>"
    ),
    "mixed": _repeat(lambda i: _EVERY_SIXTH[i % 6].format(i=i)),
    "frame": _repeat(_PLAIN, after="<iframe srcdoc='<button>in</button><p>hey'></iframe>"),
    "modal": _repeat(
        _PLAIN, after="<dialog id=d><button>ok</button></dialog><script>d.showModal()</script>"
    ),
    "focus": _repeat(_PLAIN, after="<script>a7.focus()</script>"),
    "empty": _repeat(_empty),
    "other scripts": _repeat(
        "<div dir=rtl lang=ar><p>مرحبا {i}\u200f</p><a href=#{i}>soft\u00adhyphen{i}</a>"
        "<span>zero\u200bwidth</span></div>"
    ),
    "drawn": _repeat(_drawn),
    "labels": _repeat(
        "<label><input type=radio name=g{i}> Opt {i}</label>"
        "<label>Text {i}<select><option>1<option>2</select></label>"
    ),
    "placed": _repeat(_placed, _PLACES),
    "editors": _repeat("<p contenteditable>note {i} <b>bold</b></p><div tabindex=0>tab {i}</div>"),
}
