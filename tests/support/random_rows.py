"""Pages of rows that are alike in everything but words, numbers and every so manyth state.

The same seed makes the same page. Rows are drawn from all that HTML and ARIA have, in combinations
that nobody would write.
"""

from __future__ import annotations

import random
from collections.abc import Callable

#: What a row says in a place, by its number.
Said = Callable[[int], str]


def _words(text: str) -> list[str]:
    return text.split()


_STYLE = (
    "<style>.pt{cursor:pointer}.up{text-transform:uppercase}.fx{display:flex}.gr{display:grid}"
    ".ct{display:contents}.ib{display:inline-block}.fl{float:left}.ab{position:absolute}"
    ".hv{visibility:hidden}.dn{display:none}.be::before{content:'* '}.bl{display:block}"
    ".af::after{content:attr(data-n)}.tc{display:table-cell}.pre{white-space:pre-wrap}"
    ".sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}</style>"
)
_CLASSES = _words("pt up fx gr ct ib fl ab hv dn be af bl tc pre sr")
_TAGS = _words(
    "div div div span span p a a button button b i em strong ul ol li h2 h3 section article "
    "nav header footer aside main form fieldset legend label input input input select "
    "textarea img svg table dl blockquote pre code small time mark details q abbr figure "
    "output progress meter address hr br video canvas dialog menu"
)
_ROLES = _words(
    "button link checkbox switch listitem list row cell grid heading img presentation none "
    "group region tab option listbox menuitem textbox slider status alert dialog tree "
    "treeitem separator"
)
_TYPES = _words(
    "text checkbox radio number range email submit button search tel date color file hidden "
    "password reset image url time"
)
_VOID = frozenset({"br", "hr", "img", "input"})
_WRAPPERS = _words("div ul ol table main form section span nav")


class _Drawing:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def page(self) -> str:
        rows = [self.element(3) for _ in range(self._random.randint(1, 3))]
        wrapper = self._random.choice(_WRAPPERS)
        around = {"table": "<tr><td>{}</td></tr>", "ul": "<li>{}</li>", "ol": "<li>{}</li>"}
        made = "".join(
            around.get(wrapper, "{}").format(row(number)) for number in range(40) for row in rows
        )
        return f"{_STYLE}<h1>Rows</h1><{wrapper}>{made}</{wrapper}><p id=in3>end</p>"

    def _text(self) -> Said:
        every = self._random.randint(2, 5)
        word = self._random.choice(["word", "Buy now", "x", "Item — ü", "a  b", "5 €"])
        blank = self._random.choice(["same", " ", "  sp  ", "\n"])
        return self._random.choice(
            [
                lambda n: f"{word} {n}",
                lambda n: f"{word} {n}",
                lambda n: blank,
                lambda n: "odd" if n % every else "even thing",
                lambda n: "" if n % every else f"t{n}",
            ]
        )

    def _sometimes(self, share: float, attribute: Said, otherwise: str = "") -> Said | None:
        """The attribute, in a share of all places, in all rows or in most."""
        if self._random.random() >= share:
            return None
        every = self._random.choice([0, 0, 2, 3, 4])
        return lambda n: f" {attribute(n)}" if not every or n % every else otherwise

    def _attributes(self, tag: str) -> Said:
        draw, sometimes = self._random, self._sometimes
        classes = " ".join(draw.sample(_CLASSES, draw.randint(1, 2)))
        role, number = draw.choice(_ROLES), draw.randint(0, 9)
        drawn = [
            sometimes(0.3, lambda n: f"class='{classes}'", " class=z"),
            sometimes(0.1, lambda n: f"id=id{n}x{number}"),
            sometimes(0.12, lambda n: f"data-n='n{n}'"),
            sometimes(0.12, lambda n: f"title='Title {n}'"),
            sometimes(0.12, lambda n: f"aria-label='Lab {n}'", " aria-label=''"),
            sometimes(0.1, lambda n: f"role={role}"),
            sometimes(0.06, lambda n: "aria-expanded=true", " aria-expanded=false"),
            sometimes(0.05, lambda n: "aria-checked=mixed", " aria-checked=true"),
            sometimes(0.05, lambda n: "aria-hidden=true"),
            sometimes(0.05, lambda n: "hidden"),
            sometimes(0.05, lambda n: "tabindex=0"),
            sometimes(0.04, lambda n: "contenteditable"),
            sometimes(0.04, lambda n: "draggable=true"),
            sometimes(0.04, lambda n: "aria-disabled=true"),
            sometimes(0.04, lambda n: "inert"),
            sometimes(0.05, lambda n: f"style='margin-left:{n % 7}px'"),
            sometimes(0.04, lambda n: "onclick='x()'"),
            sometimes(0.03, lambda n: f"aria-describedby=d{n}"),
            sometimes(0.03, lambda n: "lang=de dir=rtl"),
            *self._own_attributes(tag),
        ]
        return lambda n: "".join(one(n) for one in drawn if one is not None)

    def _own_attributes(self, tag: str) -> list[Said | None]:
        draw, sometimes = self._random, self._sometimes
        kind, values = draw.choice(_TYPES), draw.choice([2, 3, 100])
        own: dict[str, list[Said | None]] = {
            "a": [sometimes(1, lambda n: f"href='#{n}'")],
            "img": [lambda n: " src=data:,", sometimes(0.7, lambda n: f"alt='Pic {n}'", " alt=''")],
            "progress": [lambda n: f" value={n % 4} max=5"],
            "meter": [lambda n: f" value={n % 4} max=5"],
            "label": [sometimes(0.4, lambda n: f"for=in{n}")],
            "details": [sometimes(0.5, lambda n: "open")],
            "input": [
                lambda n: f" type={kind} value={n % values}",
                sometimes(0.3, lambda n: "checked"),
                sometimes(0.2, lambda n: "disabled"),
                sometimes(0.2, lambda n: "required"),
                sometimes(0.2, lambda n: f"placeholder='Ph {n}'"),
            ],
        }
        return own.get(tag, [])

    def element(self, depth: int) -> Said:
        draw = self._random
        tag = draw.choice(_TAGS)
        attributes = self._attributes(tag)
        if tag in _VOID:
            return lambda n: f"<{tag}{attributes(n)}>"
        inside = self._inside(tag, depth)
        return lambda n: f"<{tag}{attributes(n)}>{inside(n)}</{tag}>"

    def _inside(self, tag: str, depth: int) -> Said:
        draw = self._random
        every = draw.randint(1, 4)
        first, second = self._text(), self._text()
        if tag == "select":
            return lambda n: f"<option>One<option{' selected' if n % every == 0 else ''}>Two"
        if tag == "textarea":
            return lambda n: f"area {n}"
        if tag == "svg":
            return lambda n: f"{'<title>icon</title>' if every > 2 else ''}<path d='M{n} 1'/>"
        if tag == "dl":
            return lambda n: f"<dt>{first(n)}</dt><dd>{second(n)}</dd>"
        if tag == "table":
            cell = self.element(depth - 2) if depth > 1 else first
            return lambda n: f"<tr><td>{cell(n)}</td><td>{second(n)}</td></tr>"
        parts = [
            self.element(depth - 1) if depth > 0 and draw.random() < 0.6 else self._text()
            for _ in range(draw.randint(0, 3))
        ]
        if tag == "details":
            return lambda n: f"<summary>{first(n)}</summary>{''.join(one(n) for one in parts)}"
        return lambda n: "".join(one(n) for one in parts)


def random_rows(seed: int) -> str:
    """The body of a page."""
    return _Drawing(seed).page()
