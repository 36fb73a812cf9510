"""Identifiers of a page that a person would understand: `delete-button`, never `css-1x2y3z`. Pure.

An identifier is split into its words. It is readable if no word is a machine's (letters and digits
mixed, no vowels) and one says more than how a thing looks or what kind of thing it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

#: Makers of class names: what follows is a hash, or a component of theirs.
_MACHINE = re.compile(
    r"^(?:css|sc|jss|jsx|emotion|st-emotion|svelte|ng|v|data-v|Mui|makeStyles|radix|react-aria"
    r"|headlessui|ember|ext-gen|yui|__|:)(?=[-_:A-Z\d]|$)"
)
_SIZE = (
    r"(?:\d[\w./%]*|px|auto|full|screen|none|min|max|fit|xs|sm|md|lg|xl|x|y|t|b|l|r|start|end|center|between"
    r"|around|evenly|stretch|baseline|top|bottom|left|right|middle|hidden|visible|scroll|white|black"
    r"|transparent|current|inherit|normal|nowrap|wrap|reverse|col|row|cover|contain|bold|medium"
    r"|semibold|light|thin|italic|mono|sans|serif|solid|dashed|pointer|default|all|colors|opacity"
    r"|transform|shadow|in|out|linear|only|inline|block|flex|grid|[a-z]+-\d{2,3})"
)
#: Tailwind's and Bootstrap's utilities: they say how a thing looks.
_UTILITY = re.compile(
    r"^-?(?:[mp][trblxyse]?|[whz]|min-[wh]|max-[wh]|size|d|text|bg|border|rounded|shadow|font|leading"
    r"|tracking|flex|grid|gap|items|justify|self|content|place|space|order|col|row|inset|top|bottom"
    r"|left|right|overflow|opacity|cursor|transition|duration|ease|delay|scale|rotate|translate"
    r"|object|ring|outline|divide|from|to|via|sr|select|pointer-events|whitespace|align|float|position"
    r"|shrink|grow|aspect|fill|stroke|animate|btn|fs|fw|lh|vstack|hstack|stretched)"
    rf"(?:-{_SIZE})*$"
    r"|^(?:cursor|shadow|ring|rounded|border|bg|transition|duration|ease|tracking|leading"
    r"|justify|items|overflow|whitespace|animate|pointer-events|select)-[a-z-]+$"
)
#: Tailwind's utilities that hold in some state only: `hover:underline`.
_VARIANT = re.compile(
    r"^(?:hover|focus|focus-visible|focus-within|active|disabled|visited|checked|open|dark|light"
    r"|xs|sm|md|lg|xl|2xl|print|first|last|odd|even|before|after|placeholder|selection|marker|rtl"
    r"|ltr|(?:group|peer|data|aria|motion|supports|max|min|not|has|in)-[\w-]+|group|peer):"
)
#: Words that say how a thing looks, or only what kind of thing it is.
_EMPTY = re.compile(
    r"absolute|action|actionable|active|affix|after|animated|animation|app|append|background|bar|base|before|block|body|border|bottom|box|btn|button|buttons"
    r"|cell|center|class|clickable|col|color|column|command|component|container|content"
    r"|control|cursor|dark|default|dense|dir|disabled|div|draft|draggable|editor|element|enabled"
    r"|even|fab|field|filled|first|fixed|flat|flex|focus|focusable|focused|form|frame|full|gap|generic|grid"
    r"|group|handle|helper|hidden|hover|html|icon|icons|id|image|img|inactive|index|inline|inner|input"
    r"|interactive|item|label|large|last|layout|left|level|light|line|link|list|lower|ltr|lucide"
    r"|main|margin|medium|middle|mini|mod|nav|non|none|notranslate|null|odd|outer|outline|outlined|padding"
    r"|pane|panel|parent|pointer|popup|position|prefix|prepend|primary|public|rectangle|ref|regular|relative"
    r"|resizable|right|root|round|rounded|row|rtl|scroll|scroller|secondary|section|selectable|shadow|side|simple"
    r"|single|size|slot|small|solid|span|standard|state|static|sticky|style|suffix|svg|tab|tag|target"
    r"|text|theme|tiny|toolbar|top|transition|type|undefined|unstyled|upper|view|visible|widget|wide"
    r"|width|wrap|wrapper|wrapping"
)
_SPLIT = re.compile(r"[-_.:\s]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+\d{0,3}|\d{1,3}")
_VOWEL = re.compile(r"[aeiouyäöüéèà]|[^\x00-\x7f]", re.IGNORECASE)
#: Suffixes that CSS modules add: `delete__3xYz1`.
_HASH_SUFFIX = re.compile(r"(?:__|--|_)(?=[\w-]*\d)[\w-]{4,10}$")
#: Classes of icon fonts: `fa-trash`, `bi-x`, `icon-menu`, `mdi-delete`.
_ICON = re.compile(
    r"^(?:fa|feather|bi|ti|ri|mdi|pi|icon|glyphicon|codicon|octicon|lucide|ph)-([a-z][a-z-]+)\d?$"
)
_ICON_STYLES = frozenset({"fw", "lg", "sm", "xs", "spin", "solid", "regular", "brands", "stack"})
#: Fonts that draw an icon in place of a word: `<i class="material-icons">edit_calendar</i>`.
_WORD_FONT = re.compile(r"^(?:material-(?:icons|symbols)\b|[a-z]+-icon$|icons?$)")
_ICON_WORD = re.compile(r"[a-z][a-z\d]*(?:_[a-z\d]+)*")
_SYMBOL = re.compile(r"#(?:icon-)?([A-Za-z][\w-]+)$")
_LONGEST = 60


def readable(identifiers: str, *, by_last_word: bool = False, but: str = "") -> str:
    """The first readable one of the identifiers, which blanks separate; empty for none.

    `by_last_word`: the last word has to tell, as in `item-control-hide`. `but` is a word that
    tells nothing here: the role, as in `q-checkbox`.
    """
    for identifier in identifiers[:500].split():
        if not is_readable(identifier) or _ICON.match(identifier):
            continue
        words = [word for word in _words(identifier) if word.lower() != but]
        if any(map(_tells, words[-1:] if by_last_word else words)):
            return identifier.strip("_-")
    return ""


def is_readable(identifier: str) -> bool:
    """Returns whether a person would understand it."""
    if len(identifier) > _LONGEST or _MACHINE.match(identifier):
        return False
    if _VARIANT.match(identifier) or _UTILITY.match(identifier):
        return False
    if not re.fullmatch(r"[\w.:-]+", identifier):
        return False  # `w-[32px]` and the like
    words = _words(identifier)
    return all(map(_WORD.fullmatch, words)) and any(map(_tells, words))


def _words(identifier: str) -> list[str]:
    return [word for word in _SPLIT.split(_HASH_SUFFIX.sub("", identifier)) if word]


def _tells(word: str) -> bool:
    word = word.rstrip("0123456789").lower()
    return len(word) > 2 and not _EMPTY.fullmatch(word) and _VOWEL.search(word) is not None


def icon_in(attributes: Mapping[str, str]) -> str:
    """The name of the icon that an element draws: `trash` for `fa fa-trash`."""
    named = attributes.get("data-icon") or attributes.get("data-lucide") or ""
    if named and len(named) <= _LONGEST:
        return named.rpartition(":")[2]
    for name in attributes.get("class", "")[:500].split():
        icon = _ICON.match(name)
        if icon and icon[1] not in _ICON_STYLES:
            return icon[1]
    symbol = _SYMBOL.search(attributes.get("href") or attributes.get("xlink:href") or "")
    return symbol[1] if symbol and "d" not in attributes and "role" not in attributes else ""


def draws_by_word(attributes: Mapping[str, str]) -> bool:
    """Returns whether an element's font may draw an icon in place of the word that it holds."""
    return any(map(_WORD_FONT.match, attributes.get("class", "")[:500].split()))


def is_icon_word(word: str) -> bool:
    """Returns whether such a font may have an icon of this name."""
    return len(word) <= _LONGEST and _ICON_WORD.fullmatch(word) is not None


def readable_in_path(address: str) -> str:
    """The last readable step of an address's path, without its extension."""
    if address.startswith(("data:", "javascript:", "blob:", "about:")):
        return ""
    path = re.sub(r"^[a-z]+://[^/]*", "", address[:500].split("?")[0].split("#")[0])
    for step in reversed(path.split("/")):
        words = unquote(step).rsplit(".", 1)[0] if "." in step else unquote(step)
        if is_readable(words):
            return words
    return ""
