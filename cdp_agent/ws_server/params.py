"""What the methods that are no action take, checked by type: a wrong one is told as such."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from cdp_agent.api.actions import LONGEST, MOST_TEXT, problems
from cdp_agent.api.checked_model import CheckedModel
from cdp_agent.errors import InvalidParams


class MethodParams(CheckedModel):
    """Base of all."""


class CompositeParams(MethodParams):
    steps: Any = None  # checked step by step, by `plan`
    timeout: float = Field(60, gt=0, le=LONGEST)
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False


class ObserveParams(MethodParams):
    max_elements: int = Field(100, ge=1, le=200)
    filter_roles: list[str] | str = Field(default_factory=list)
    viewport_only: bool = False
    tree: bool = False
    picture: bool = False


class ExtractParams(MethodParams):
    json_schema: dict[str, Any] = Field(alias="schema")
    root: str | None = None
    instruction: str = Field("", max_length=2000)


class NewParams(MethodParams):
    url: str | None = Field(None, max_length=100_000)


class ScreenshotParams(MethodParams):
    full_page: bool = False


class DialogParams(MethodParams):
    accept: bool = True
    text: str | None = Field(None, max_length=MOST_TEXT)


P = TypeVar("P", bound=MethodParams)


def checked(kind: type[P], given: Mapping[str, Any]) -> P:
    """Raises: InvalidParams: what is wrong, and what there is."""
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        names = (field.alias or name for name, field in kind.model_fields.items())
        known = ", ".join(names) or "none"
        raise InvalidParams(problems(error), hint=f"Parameters: {known}.") from None


def page_of(given: dict[str, Any]) -> str | None:
    """Takes the page's id out of what was given.

    Raises:
        InvalidParams: it is no text.
    """
    page = given.pop("page", None)
    if page is not None and not isinstance(page, str):
        raise InvalidParams("page must be the id of a page, a text", hint="page/list has them.")
    return page
