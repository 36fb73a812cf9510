"""The actions that steps and remote callers may name, each with the parameters that it takes.

A fixed list: what is not here (scripts, other pages, closing things) cannot be asked for. Needs
pydantic, which is slow to import, so the page imports this when it is first used.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    Field,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)

from cdp_agent.act import Outcome
from cdp_agent.act.focus_text import MOST_TIMES
from cdp_agent.api.checked_model import CheckedModel
from cdp_agent.api.selectors import Selector
from cdp_agent.config import ACTION_TIMEOUT, NAVIGATION_TIMEOUT
from cdp_agent.errors import InvalidParams, NavigationFailed
from cdp_agent.snapshot.options import with_known_names

if TYPE_CHECKING:
    from cdp_agent.api.page import Page

#: Longer waits are more likely milliseconds given for seconds than meant.
LONGEST = 600.0
#: More text than this is no value of a form field.
MOST_TEXT = 1_000_000

_MOST_PROBLEMS = 5

SelectorField = Annotated[
    Selector,
    PlainValidator(Selector.parse),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object"}]}),
]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]


class Params(CheckedModel):
    """Base of all parameters."""

    timeout: float = Field(ACTION_TIMEOUT, gt=0, le=LONGEST, description="Seconds")


class ElementParams(Params):
    """Of an action on one element, named by `selector`, or by `ref` or `id`."""

    selector: SelectorField = Field(validation_alias=AliasChoices("selector", "ref", "id"))


class NavigateParams(Params):
    url: str = Field(max_length=100_000)
    timeout: float = Field(NAVIGATION_TIMEOUT, gt=0, le=LONGEST)


class HistoryParams(Params):
    timeout: float = Field(NAVIGATION_TIMEOUT, gt=0, le=LONGEST)


class ClickParams(ElementParams):
    button: Literal["left", "middle", "right"] = "left"
    count: int = Field(1, ge=1, le=3)
    modifiers: tuple[Modifier, ...] = ()
    position: tuple[float, float] | None = None


class FillParams(ElementParams):
    value: str = Field(max_length=MOST_TEXT, validation_alias=AliasChoices("value", "text"))


class SelectParams(ElementParams):
    value: str | list[str] | None = None
    label: str | list[str] | None = None
    index: int | list[int] | None = None


class OptionalElementParams(Params):
    selector: SelectorField | None = Field(
        None, validation_alias=AliasChoices("selector", "ref", "id")
    )


class TypeParams(OptionalElementParams):
    text: str = Field(max_length=MOST_TEXT, validation_alias=AliasChoices("text", "value"))
    delay_ms: float = Field(0, ge=0, le=1000)
    commit_enter: bool = False
    timeout: float = Field(30.0, gt=0, le=LONGEST)


class ReplaceParams(ElementParams):
    old: str = Field(max_length=MOST_TEXT)
    value: str = Field(max_length=MOST_TEXT, validation_alias=AliasChoices("value", "new", "text"))


class ScrollParams(OptionalElementParams):
    direction: Literal["up", "down", "left", "right", "top", "bottom"] = "down"
    amount: Literal["page", "half"] = "page"
    pixels: float | None = Field(None, gt=0, le=1_000_000)
    until: str | None = Field(None, max_length=10_000)


class ScrollToParams(OptionalElementParams):
    percent: float = Field(ge=0, le=100)


class UploadParams(ElementParams):
    paths: list[str] = Field(min_length=1, max_length=100)


class DragParams(OptionalElementParams):
    target: SelectorField | None = Field(None, validation_alias=AliasChoices("target", "to"))
    at: tuple[float, float] | None = None
    by: tuple[float, float] | None = None


class WaitParams(OptionalElementParams):
    text: str | list[str] | None = None
    text_gone: str | list[str] | None = None
    state: str = "visible"
    url: str | None = Field(None, max_length=10_000)
    quiet: bool = False
    new: bool = False
    timeout: float = Field(30.0, gt=0, le=LONGEST)


class PressParams(OptionalElementParams):
    key: str = Field(max_length=100)
    times: int = Field(1, ge=1, le=MOST_TIMES)


#: The page, the parameters, and the ids that their selectors were found to mean.
Run = Callable[["Page", Any, "Ids"], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Ids:
    """What the selectors of one call name: `element` the first, `target` of a drag the second."""

    element: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    params: type[Params]
    run: Run


async def _navigate(page: Page, p: NavigateParams, _: Ids) -> Outcome:
    return await page.goto(p.url, timeout=p.timeout)


async def _reload(page: Page, p: HistoryParams, _: Ids) -> Outcome:
    return await page.reload(timeout=p.timeout)


async def _back(page: Page, p: HistoryParams, _: Ids) -> Outcome:
    return _moved(await page.back(timeout=p.timeout), "back")


async def _forward(page: Page, p: HistoryParams, _: Ids) -> Outcome:
    return _moved(await page.forward(timeout=p.timeout), "forward")


def _moved(outcome: Outcome, where: str) -> Outcome:
    if not outcome.success:
        raise NavigationFailed(f"there is no page to go {where} to", hint="")
    return outcome


async def _click(page: Page, p: ClickParams, ids: Ids) -> Outcome:
    return await page.click(
        ids.element,
        button=p.button,
        count=p.count,
        modifiers=p.modifiers,
        position=p.position,
        timeout=p.timeout,
    )


async def _double_click(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.double_click(ids.element, timeout=p.timeout)


async def _hover(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.hover(ids.element, timeout=p.timeout)


async def _fill(page: Page, p: FillParams, ids: Ids) -> Outcome:
    return await page.fill(ids.element, p.value, timeout=p.timeout)


async def _replace(page: Page, p: ReplaceParams, ids: Ids) -> Outcome:
    return await page.replace(ids.element, p.old, p.value, timeout=p.timeout)


async def _clear(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.clear(ids.element, timeout=p.timeout)


async def _type(page: Page, p: TypeParams, ids: Ids) -> Outcome:
    return await page.type(
        ids.element or None,
        p.text,
        delay_ms=p.delay_ms,
        commit_enter=p.commit_enter,
        timeout=p.timeout,
    )


async def _press(page: Page, p: PressParams, ids: Ids) -> Outcome:
    return await page.press(p.key, ids.element or None, times=p.times, timeout=p.timeout)


async def _select(page: Page, p: SelectParams, ids: Ids) -> Outcome:
    return await page.select(
        ids.element, value=p.value, label=p.label, index=p.index, timeout=p.timeout
    )


async def _check(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.check(ids.element, timeout=p.timeout)


async def _uncheck(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.uncheck(ids.element, timeout=p.timeout)


async def _focus(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.focus(ids.element, timeout=p.timeout)


async def _scroll(page: Page, p: ScrollParams, ids: Ids) -> Outcome:
    return await page.scroll(
        p.direction,
        pixels=p.pixels,
        amount=p.amount,
        id=ids.element or None,
        until=p.until,
        timeout=p.timeout,
    )


async def _scroll_to(page: Page, p: ScrollToParams, ids: Ids) -> Outcome:
    return await page.scroll_to(p.percent, id=ids.element or None, timeout=p.timeout)


async def _upload(page: Page, p: UploadParams, ids: Ids) -> Outcome:
    return await page.upload(ids.element, p.paths, timeout=p.timeout)


async def _drag(page: Page, p: DragParams, ids: Ids) -> Outcome:
    return await page.drag(
        ids.element or None, ids.target or None, at=p.at, by=p.by, timeout=p.timeout
    )


async def _wait(page: Page, p: WaitParams, ids: Ids) -> Outcome:
    return await page.wait_for(
        text=p.text,
        text_gone=p.text_gone,
        id=ids.element or None,
        state=p.state,
        url=p.url,
        quiet=p.quiet,
        new=p.new,
        timeout=p.timeout,
    )


async def _scroll_into_view(page: Page, p: ElementParams, ids: Ids) -> Outcome:
    return await page.scroll_into_view(ids.element, timeout=p.timeout)


ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        action.name: action
        for action in (
            Action("navigate", NavigateParams, _navigate),
            Action("reload", HistoryParams, _reload),
            Action("back", HistoryParams, _back),
            Action("forward", HistoryParams, _forward),
            Action("click", ClickParams, _click),
            Action("double_click", ElementParams, _double_click),
            Action("hover", ElementParams, _hover),
            Action("fill", FillParams, _fill),
            Action("replace", ReplaceParams, _replace),
            Action("clear", ElementParams, _clear),
            Action("type", TypeParams, _type),
            Action("press", PressParams, _press),
            Action("select", SelectParams, _select),
            Action("check", ElementParams, _check),
            Action("uncheck", ElementParams, _uncheck),
            Action("focus", ElementParams, _focus),
            Action("drag", DragParams, _drag),
            Action("wait", WaitParams, _wait),
            Action("upload", UploadParams, _upload),
            Action("scroll", ScrollParams, _scroll),
            Action("scroll_to", ScrollToParams, _scroll_to),
            Action("scroll_into_view", ElementParams, _scroll_into_view),
        )
    }
)
#: Words that others use for the same.
ALIASES: Mapping[str, str] = MappingProxyType({"goto": "navigate", "wait_for": "wait"})
_OTHER_PAGE = frozenset({"page", "page_id", "pageId", "target", "target_id", "tab", "tab_id"})


def require_action(name: Any) -> Action:
    """Raises: InvalidParams: it is not on the list."""
    known = None
    if isinstance(name, str):
        [word] = with_known_names({name: None}, {*ACTIONS, *ALIASES})
        known = ACTIONS.get(ALIASES.get(word, word))
    if known is None:
        raise InvalidParams(
            f"there is no action {str(name)[:60]!r}", hint=f"Actions: {', '.join(ACTIONS)}."
        )
    return known


def check_params(action: Action, given: Any) -> Params:
    """The parameters of an action.

    Raises:
        InvalidParams: what is wrong with them; another page cannot be named.
    """
    if not isinstance(given, Mapping):
        raise InvalidParams(f"{action.name}: params must be an object")
    foreign = sorted(_OTHER_PAGE & set(given) - set(action.params.model_fields))
    if foreign:
        raise InvalidParams(
            f"{action.name}: {foreign[0]} cannot be named: steps act on the page they are given to"
        )
    try:
        return action.params.model_validate(dict(given))
    except ValidationError as error:
        raise InvalidParams(f"{action.name}: {problems(error)}", hint=usage(action)) from None


def problems(error: ValidationError) -> str:
    """What is wrong, field by field; never with the values themselves."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'arguments'}: {problem['msg']}"
        for problem in found[:_MOST_PROBLEMS]
    ]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def usage(action: Action) -> str:
    names = [
        name if field.is_required() else f"{name}?"
        for name, field in action.params.model_fields.items()
    ]
    return f"{action.name} takes {', '.join(names)}."


async def find_ids(page: Page, params: Params) -> Ids:
    """What the selectors name, waited for as long as the action itself may wait.

    Raises:
        ElementNotFound: it did not come, or several fit.
    """
    deadline = time.monotonic() + params.timeout
    return Ids(
        await _id_of(page, getattr(params, "selector", None), deadline),
        await _id_of(page, getattr(params, "target", None), deadline),
    )


async def _id_of(page: Page, selector: Selector | None, deadline: float) -> str:
    if selector is None:
        return ""
    return await page.find_soon(selector, timeout=deadline - time.monotonic())
