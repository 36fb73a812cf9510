"""Messages that a viewer may send, checked by their type."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cdp_agent.errors import InvalidParams

#: More than any text that is pasted here; a message of a viewer is small.
LARGEST_MESSAGE = 64 * 1024
_LONGEST_TEXT = 10_000
_WIDEST_PICTURE = 1600

Fraction = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Delta = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
PaneId = Annotated[str, Field(max_length=40)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Watch(_Message):
    """The panes whose pictures are looked at, each with its width on the screen."""

    type: Literal["watch"]
    panes: dict[PaneId, Annotated[int, Field(ge=1, le=_WIDEST_PICTURE)]] = Field(max_length=200)


class Answer(_Message):
    """The decision on one question."""

    type: Literal["answer"]
    pane: PaneId
    question: str = Field(max_length=40)
    approved: bool
    words: str = Field("", max_length=500)


class AnswerDialog(_Message):
    """The answer to the dialog that a page shows; `message` is the one that was read."""

    type: Literal["dialog"]
    pane: PaneId
    message: str = Field(max_length=_LONGEST_TEXT)
    accept: bool
    text: str | None = Field(None, max_length=_LONGEST_TEXT)


class Steer(_Message):
    """Holding an agent up, letting it go on, taking its browser and giving it back."""

    type: Literal["pause", "resume", "step", "take", "give"]
    pane: PaneId


class MouseInput(_Message):
    """One event of a mouse, at a fraction of the picture's width and height."""

    type: Literal["mouse"]
    pane: PaneId
    kind: Literal["mousePressed", "mouseReleased", "mouseMoved", "mouseWheel"]
    x: Fraction
    y: Fraction
    button: Literal["none", "left", "middle", "right"] = "none"
    buttons: int = Field(0, ge=0, le=7)
    clicks: int = Field(0, ge=0, le=3)
    dx: Delta = 0
    dy: Delta = 0
    modifiers: int = Field(0, ge=0, le=15)


class KeyInput(_Message):
    """One key that went down or up, named as the DOM names it."""

    type: Literal["key"]
    pane: PaneId
    kind: Literal["down", "up"]
    key: str = Field(min_length=1, max_length=32)
    code: str = Field("", max_length=32)
    modifiers: int = Field(0, ge=0, le=15)


class TextInput(_Message):
    """A text that was pasted, or written in the live page's own field."""

    type: Literal["text"]
    pane: PaneId
    text: str = Field(min_length=1, max_length=_LONGEST_TEXT)


Message = Watch | Answer | AnswerDialog | Steer | MouseInput | KeyInput | TextInput
_ADAPTER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def parse(text: str | bytes) -> Message:
    """The message that a viewer sent.

    Raises:
        InvalidParams: it is none; the error names the field and not its value.
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise InvalidParams(f"a message of the live page is wrong: {where}: {first['msg']}") from (
            None
        )
