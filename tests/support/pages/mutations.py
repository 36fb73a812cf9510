"""Pages of many kinds, and a script that changes them at random in every way that we know of.

`mutate(seed)` makes one change and says in words which; the same seed on the same page makes the
same change.
"""

from __future__ import annotations

from pathlib import Path

_PAGES = Path(__file__).parents[3] / "fixtures" / "pages" / "mutated"
_SCRIPT = Path(__file__).with_name("mutate.js").read_text("utf-8")

KINDS = ("form", "list", "table", "css", "names", "layers", "shadow", "words")


def document(kind: str, extra: str = "", *, calm: bool = False) -> str:
    """A page of one of `KINDS`; `extra` is put at its end.

    `calm`: its rules ask for nothing that changes unnoticed, so that it can tell what is the same.
    """
    style = "calm" if calm or kind == "words" else "style"
    return f"{_piece(style)}<main>{_piece(kind)}</main>{extra}<script>{_SCRIPT}</script>"


def _piece(kind: str) -> str:
    if kind == "list":
        rows = (
            f"<li id=row{n}><span>Row {n}</span> <a href=#r{n}>open {n}</a> <button>x {n}</button>"
            for n in range(14)
        )
        return f"<h1>List</h1><ul>{''.join(rows)}</ul>"
    if kind == "table":
        cells = (f"<tr><td>{n}a<td><b>{n}b</b><td><button>{n}</button></tr>" for n in range(6))
        return (
            "<h1>Table</h1><table><caption>Sums</caption><tr><th>A<th>B<th>C</tr>"
            f"{''.join(cells)}</table>"
            "<div role=grid><div role=row><span role=gridcell tabindex=0>x</span></div></div>"
        )
    return (_PAGES / f"{kind}.html").read_text("utf-8")
