"""Choosing in a list that the page built itself, as a person does."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field, replace
from typing import Any

from cdp_agent.act.controls.chips import keep_chips
from cdp_agent.act.controls.select import (
    AGREE_SECONDS,
    WantedOptions,
    is_waiting,
    near_label,
    refusal,
)
from cdp_agent.act.controls.without_roles import choose_several
from cdp_agent.act.pointer.click import click
from cdp_agent.act.receipt import Receipt
from cdp_agent.act.stage import Performed, Stage
from cdp_agent.act.text import text_entry
from cdp_agent.act.wait.mark import Mark, has_navigated
from cdp_agent.errors import (
    CdpAgentError,
    ConditionFailed,
    ElementUnstable,
    InvalidParams,
    StaleRef,
)
from cdp_agent.ids import ElementId
from cdp_agent.resolve import LiveElement

#: How long a list is given to open and to show an option, before it is typed or opened by a key.
_PATIENCE_MS = 400
#: How long a list that was searched may take to show something else.
_SEARCH_MS = 800
#: A list that fades out is given this long.
_FADE_MS = 400
#: How often an option is looked for again that was drawn anew under the pointer.
_TRIES = 3


async def select_in_widget(stage: Stage, live: LiveElement, wanted: WantedOptions) -> Performed:
    """Choose in an ARIA listbox, or in the list that a combobox or button opens.

    The list is opened by a click and belongs to the element by `aria-controls` or `aria-owns`, by
    standing in it, or by having appeared with the click. Lists that hold only what is in sight are
    scrolled through; where the option is not found and there is a field that narrows the list, its
    label is typed there. Where no option is called so, the only one that has the label as a part
    is chosen, and `chose` in the data names it. The option is clicked like any element. `live` is
    released here.

    A choice counts when it shows: by `aria-selected` or `aria-checked`, or in the text of the
    widget. A list that takes several has exactly the named ones selected, of those it shows.

    Raises:
        OptionNotFound, ElementDisabled: nothing was chosen; the list is closed again.
        ConditionFailed: the option was clicked, but nothing shows that it is chosen.
        InvalidParams: the element opens no list.
    """
    choosing = WidgetChoice(stage, live, wanted)
    try:
        return await choosing.run()
    finally:
        choosing.live.release()


@dataclass(slots=True)
class WidgetChoice:
    """One choice under way: what has been done to the widget so far."""

    stage: Stage
    live: LiveElement
    wanted: WantedOptions
    #: The number of the last request before anything was done.
    begun: int = 0
    before: dict[str, Any] = field(default_factory=dict)
    opened: bool = False
    #: The field that was typed into to narrow the list, and what it held.
    typed: tuple[ElementId, str] | None = None
    settled: bool = True
    clicked: Performed | None = None
    data: dict[str, Any] = field(default_factory=dict)
    #: Names of the values that it shows as chips beside its field, each with a button to remove it.
    chips: list[str] = field(default_factory=list)
    #: Names of values that are chosen already, which its list may not offer any more.
    kept: list[str] = field(default_factory=list)

    async def run(self) -> Performed:
        stage = self.stage
        mark = Mark.set(stage.target, self.live.frame)
        self.begun = stage.target.requests.last_number
        facts = await self.call("widget")
        if not facts["connected"]:
            self.live = await stage.heal(self.live)
            facts = await self.call("widget")
        live = self.live
        if not facts["kind"]:
            raise InvalidParams(
                f"{live.id} ({live.ref.role} {live.ref.name[:60]!r}) is not a list and opens none",
                hint="Click it, take a snapshot, and click the option there.",
                element_id=str(live.id),
            )
        self.before = await self.call("shownChoice")
        self.chips = await self.call("chipNames")
        self.kept = self.chips or (await self.call("pickedNames") if facts["several"] else [])
        keys = [key for key in self.wanted.keys if self._kept(key) is None]
        if (keys or not self.chips) and not facts["open"]:
            await self._open(away=bool(facts["away"]))
        try:
            names = []
            if facts["several"]:
                names = await choose_several(self, keys)
            elif keys or not self.chips:
                names = await self._choose_all(keys)
        except CdpAgentError:
            with contextlib.suppress(CdpAgentError):  # the first error is the one to tell
                await self._close(restore=True)
            raise
        if self._is_here(mark):
            with contextlib.suppress(StaleRef):  # gone with what the choice did
                await self._close(restore=False)
                if self.chips:
                    names = await keep_chips(self, names)
                else:
                    await self._require_all(names)
        shown = names[0] if len(names) == 1 else names
        data = {"value": shown, "label": shown, "changed": self.clicked is not None, **self.data}
        receipt = self.clicked.receipt if self.clicked is not None else None
        return Performed(live.id, mark, self.settled, receipt, live.healed, data)

    async def call(self, function: str, *arguments: Any) -> Any:
        return await self.live.call(function, *arguments, timeout=self.stage.input_timeout)

    def _is_here(self, mark: Mark) -> bool:
        """Returns whether the page still shows the widget's document and can be asked."""
        target = self.stage.target
        if target.dialog is not None or target.closed is not None:
            return False
        return not has_navigated(target, mark)

    async def _open(self, *, away: bool) -> None:
        """Open the list by a click, or by ArrowDown where the field is out of sight."""
        self.opened = True
        if away:
            await text_entry.press(self.stage, "ArrowDown", self.live.id)
            return
        try:
            await click(self.stage, self.live.id)
        except ElementUnstable:
            # Many open on the press, and what they open takes the release.
            if not await self.call("staysOpen", 0):
                raise

    def _kept(self, key: str | int) -> str | None:
        """The chosen value that a key names: its option may not be offered any more."""
        name = " ".join(key.split()) if isinstance(key, str) else None
        return name if name in self.kept else None

    @property
    def wanted_of_kept(self) -> set[str]:
        """Those of the values chosen already that are to stay."""
        return {name for key in self.wanted.keys if (name := self._kept(key)) is not None}

    async def _require_all(self, names: list[str]) -> None:
        """Require that a widget which shows some of its choices shows all of them.

        Raises:
            ConditionFailed: it shows others.
        """
        shown: list[str] = await self.call("namesShown", names) if len(names) > 1 else names
        if shown and len(shown) < len(names):
            raise self.shows_others(shown)

    def shows_others(self, shown: list[str]) -> ConditionFailed:
        return ConditionFailed(
            f"{self.live.id} shows {', '.join(map(repr, shown)) or 'nothing'} as chosen",
            hint="Take a new snapshot, and remove or choose the values there.",
            element_id=str(self.live.id),
            value=shown,
        )

    async def _choose_all(self, keys: list[str | int]) -> list[str]:
        """The names of what is chosen now."""
        first = await self.find(keys[0] if keys else 0, by=self.wanted.by if keys else "index")
        if not first["several"] and not self.chips:
            if len(self.wanted.keys) != 1:
                raise await refusal(self.stage, self.live, {"why": "not_multiple"}, self.wanted)
            # A popup marks by `aria-selected` what the pointer is on as well: that proves nothing.
            if self.opened or not first["picked"]:
                await self.click_option(first, wanted=True)
            return [str(first["name"])]
        found = {str(first["name"]): first} if keys else {}
        for key in keys[1:]:
            answer = await self.find(key, by=self.wanted.by)
            found[str(answer["name"])] = answer
        selected = set(await self.call("pickedNames"))
        for name in sorted(selected - found.keys() - self.wanted_of_kept):
            await self.click_option(await self.find(name, by="label"), wanted=False)
        for name, answer in found.items():
            if not answer["picked"]:
                await self.click_option(await self.find(name, by="label"), wanted=True)
        return list(found)

    async def find(self, key: str | int, *, by: str) -> dict[str, Any]:
        """The option, in the list as it is, opened by a key, or narrowed by typing.

        Raises:
            OptionNotFound, ElementDisabled, InvalidParams: there is none to be clicked.
        """
        answer = await self._look(key, by, _PATIENCE_MS)
        if answer.get("ok"):
            return answer
        narrowing = await self.call("filterField") if by != "index" else None
        if narrowing is not None and answer["why"] in ("closed", "no_option"):
            offered = answer["offered"]
            begun = self.stage.target.requests.last_number
            await self._type(str(key), narrowing)
            answer = await self._look_on(key, by, begun, near_ms=_SEARCH_MS, open_ms=_PATIENCE_MS)
            answer.setdefault("offered", []).extend(
                o for o in offered if o not in answer["offered"]
            )
            if answer.get("why") == "closed" and offered:
                answer |= {"why": "no_option", "key": key}  # the search has emptied its list
        elif answer["why"] != "ambiguous":
            answer = await self._look_on(key, by, self.begun)
        if not answer.get("ok"):
            raise await refusal(self.stage, self.live, answer, self.wanted)
        return answer

    async def _look_on(
        self, key: str | int, by: str, begun: int, *, near_ms: int = 0, open_ms: int = 0
    ) -> dict[str, Any]:
        """The option once the list shows it, or the only one that has the key as a part.

        A list that is closed after `open_ms` is opened by a key. `begun` is the number of the last
        request before the list was asked for.
        """
        stage = self.stage
        answer = await self._look(key, by, stage.left_ms, near_ms=near_ms, open_ms=open_ms)
        if answer.get("why") == "closed":
            field_id = self.typed[0] if self.typed else self.live.id
            await text_entry.press(stage, "ArrowDown", field_id)
            self.opened = True
            answer = await self._look(key, by, stage.left_ms, near_ms=near_ms)
        while is_waiting(answer, stage, begun):
            answer = await self._look(key, by, stage.left_ms, near_ms=near_ms)
        name = near_label(answer, stage, begun)
        if name is None:
            return answer
        whole = await self._look(name, "label", _PATIENCE_MS)
        if whole.get("ok"):
            self.data.setdefault("chose", {})[str(key)] = name
        return whole

    async def _look(
        self,
        key: str | int,
        by: str,
        patience_ms: int,
        *,
        near_ms: int | None = None,
        open_ms: int | None = None,
    ) -> dict[str, Any]:
        options = {
            "by": by,
            "key": key,
            "timeoutMs": self.stage.left_ms,
            "patienceMs": patience_ms,
            "nearMs": near_ms,
            "openMs": open_ms,
        }
        answer: dict[str, Any] = await self.call("findOption", options)
        if answer.get("why") == "detached":
            raise StaleRef(f"{self.live.id} went away while its list was open")
        return answer

    async def _type(self, label: str, narrowing: dict[str, Any]) -> None:
        live = self.live
        field_id: ElementId | None = live.id
        if not narrowing["own"]:
            field_id = await self.stage.resolver.adopt(live, "cdpAgent.filter()", "textbox", "")
        if field_id is None:
            return
        if self.typed is None:
            self.typed = (field_id, str(narrowing["value"]))
        if narrowing["value"]:
            await text_entry.fill(self.stage, field_id, "")
        # By keys: some search only after one (Select2 is deaf to the first input after Escape).
        await text_entry.type_text(self.stage, field_id, label)

    async def click_option(self, answer: dict[str, Any], *, wanted: bool) -> None:
        """Click the option that was found, and see that the choice shows."""
        stage, name = self.stage, str(answer["name"])
        for tries_left in reversed(range(_TRIES)):
            option = await stage.resolver.adopt(
                self.live, "cdpAgent.picked()", str(answer["role"]), name
            )
            try:
                if option is None:
                    raise StaleRef(f"the option {name!r} went away")
                self.clicked = await self._press(option)
                break
            except StaleRef:
                if tries_left == 0:
                    raise
                await self._look(name, "label", _PATIENCE_MS)
        assert self.clicked is not None
        self.settled = self.settled and self.clicked.settled
        if self._is_here(self.clicked.mark):
            await self._require_shown(name, wanted=wanted)

    async def _press(self, option: ElementId) -> Performed:
        """Click the option. One that leaves the page after the press was chosen by it."""
        mark = Mark.set(self.stage.target, self.live.frame)
        try:
            return await click(self.stage, option)
        except ElementUnstable:
            receipt = Receipt(True, option, True, False, ("pointerdown", "mousedown"))
            return Performed(option, mark, True, receipt)

    async def _require_shown(self, name: str, *, wanted: bool) -> None:
        options = {
            "name": name,
            "waitMs": int(AGREE_SECONDS * 1000),
            "typed": self.typed is not None,
            "before": self.before,
            "id": str(self.live.id),
            "wanted": wanted,
        }
        try:
            answer = await self.live.call("showsChoice", options, timeout=AGREE_SECONDS + 1)
        except StaleRef:
            self.data["removed"] = True
            return
        if answer["evidence"] == "removed":
            self.data["removed"] = True
        elif not answer["evidence"]:
            raise ConditionFailed(
                f"the option {name!r} of {self.live.id} was clicked, but nothing shows its choice",
                hint="Take a new snapshot to see what the page made of it.",
                element_id=str(self.live.id),
            )

    async def _close(self, *, restore: bool) -> None:
        """Close the widget; `restore` also removes the text that was typed in vain.

        Escape would close the modal dialog around it as well, so there the list may stay open.
        """
        live, stage = self.live, replace(self.stage, deadline=time.monotonic() + 1.5)
        if restore and self.typed is not None:
            await text_entry.fill(stage, *self.typed)
        if not self.opened or not await live.call("staysOpen", _FADE_MS):
            return
        if await live.call("listHasFocus") and not await live.call("isInModal"):
            await text_entry.press(stage, "Escape", None)
            if not await live.call("staysOpen", _FADE_MS):
                return
        if self.typed is None and await live.call("filterField") is None:
            with contextlib.suppress(CdpAgentError):  # its own list may cover it
                await click(stage, live.id)
        if await live.call("staysOpen", _FADE_MS) and not await live.call("isInModal"):
            await text_entry.press(
                stage, "Escape", self.typed[0] if self.typed is not None else live.id
            )
        if await live.call("staysOpen", _FADE_MS):
            self.data["expanded"] = True
