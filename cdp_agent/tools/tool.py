"""A tool: its name, its words, its arguments, and what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from cdp_agent.api.checked_model import CheckedModel
from cdp_agent.api.selectors.selector import Selector
from cdp_agent.ids import ElementId
from cdp_agent.snapshot.options import LEAST_TOKENS
from cdp_agent.tools.result import ToolResult

if TYPE_CHECKING:
    from cdp_agent.act.wait.lines_before import LinesBefore
    from cdp_agent.api.page import Page
    from cdp_agent.tools.text.reader_view import View
    from cdp_agent.tools.tool_session import ToolSession


def _target(value: Any) -> ElementId | Selector:
    if not isinstance(value, str | Selector | Mapping):
        return ElementId.parse(value)  # raises
    selector = Selector.parse(value)
    return ElementId.parse(selector.value) if selector.kind == "id" else selector


#: An id, or until `table.call` has found its element, a selector. A bad one raises RefInvalid out
#: of the validation, so that it keeps its own code and hint.
ElementTarget = Annotated[ElementId, PlainValidator(_target), WithJsonSchema({"type": "string"})]
#: Two numbers: x and y in pixels.
PointXY = Annotated[
    tuple[float, float], WithJsonSchema({"type": "array", "items": {"type": "number"}})
]


#: A budget that a page fits into; a smaller one is raised to the least.
MaxTokens = Annotated[
    int, Field(ge=1, le=1_000_000), AfterValidator(lambda tokens: max(tokens, LEAST_TOKENS))
]


class Show(CheckedModel):
    """The part of the page that an answer shows, if not the usual one."""

    #: Only lines with any of these words.
    search: str | None = Field(None, min_length=1, max_length=1000)
    max_tokens: MaxTokens | None = None
    #: Only the subtree of this element.
    root: ElementTarget | None = None
    interactive: bool = False
    #: Nothing of it.
    quiet: bool = False


class ToolArgs(CheckedModel):
    """Base of all arguments; unknown names are errors.

    `show` is taken by every tool that answers with a page, and is not in the schemas: there it
    would cost more than it saves.
    """

    #: The id of a page; the current one unless given. `browser_tabs` says so once for all tools.
    page: str | None = None
    show: SkipJsonSchema[Show | None] = None


@dataclass(slots=True)
class ToolCall:
    """One call under way. A hook may replace `args`, by `args.model_copy(update=…)`."""

    session: ToolSession
    tool: Tool
    args: Any
    page_id: str
    page: Page
    #: Told how far a long call has come: done, total (or None), a word.
    progress: ReportProgress | None = None
    #: How many requests the policy had stopped before it.
    stopped_before: int = 0
    #: One of several in one call, which shows the page once, after the last.
    is_step: bool = False
    #: All elements that the selector fits, for a tool that takes several.
    several: tuple[ElementId, ...] = ()
    #: For a wait for a new text: the lines with it before the action before.
    lines_before: LinesBefore | None = None
    #: Elements that a CSS selector or an XPath named, which means those alone.
    named_by_structure: set[str] = field(default_factory=set)
    #: The origin of the page before a step.
    origin_before: str = ""
    #: What its elements were called before it acted, by their ids.
    element_names: dict[str, str] = field(default_factory=dict)
    #: Their roles and names.
    element_facts: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Those that its reader has called by their id or by their whole name.
    known_elements: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.tool.name

    @property
    def view(self) -> View:
        return self.session.view(self.page_id)

    def named(self, ref: str) -> str:
        """An element of the call's arguments, for its reader: `[0-44] button "Save"`.

        In a step, one that its reader has called so is its id alone.
        """
        if self.is_step and ref in self.known_elements:
            return f"[{ref}]"
        return self.element_names.get(ref) or f"[{ref}]"

    def done(self, text: str, **data: Any) -> ToolResult:
        """The result of a call that shows no page; `data` is for programs."""
        return ToolResult(text, data={"page": self.page_id, "url": self.page.url, **data})

    async def tell(self, done: float, total: float | None, message: str) -> None:
        if self.progress is not None:
            await self.progress(done, total, message)


ReportProgress = Callable[[float, float | None, str], Awaitable[None]]
RunTool = Callable[[ToolCall], Awaitable[ToolResult]]


@dataclass(frozen=True)
class Tool:
    """`run` may raise any CdpAgentError; `table.call` makes a result of it."""

    name: str
    description: str
    args: type[ToolArgs]
    run: RunTool
    #: It only looks: nothing on the page changes.
    reads_only: bool = False
    #: A selector that fits several elements means all of them.
    takes_several: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments, as short as it can be."""
        from cdp_agent.tools.argument_schema import compact_schema

        return compact_schema(self.args)
