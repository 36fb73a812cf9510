"""Secrets: the model writes `{{secret:name}}`, the page alone gets the value.

The value is put in at the last moment, into a field of a document whose origin is allowed to have
it, and taken out of everything that leaves the engine: results for the model, traces, logs,
progress. In pictures it is painted over, or they are withheld.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from cdp_agent.agent.safety.masking import SHORTEST, Masker
from cdp_agent.api.browser import Browser
from cdp_agent.chromium.surroundings import withhold_values
from cdp_agent.errors import BlockedByPolicy, InvalidParams
from cdp_agent.targets.network.policy import Policy
from cdp_agent.tools import ToolCall, ToolResult

_MENTION = re.compile(r"\{\{\s*secret:\s*([A-Za-z0-9_.-]+)\s*\}\}")
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
#: The arguments that a value may be put into.
_FIELDS = {"browser_fill": "value", "browser_type": "text"}


class Secrets:
    """`values` by name; each may be typed into documents of `origins` only."""

    def __init__(
        self, values: Mapping[str, str] | None = None, *, origins: Iterable[str] = ()
    ) -> None:
        self._values = dict(values or {})
        allowed = tuple(one if "*" in one else origin_of(one) for one in origins)
        self._where = Policy(tuple(one for one in allowed if one))
        for name, value in self._values.items():
            if not _NAME.fullmatch(name):
                raise InvalidParams(
                    f"{name!r} is not a name for a secret", hint="Letters, digits, _."
                )
            if len(value) < SHORTEST:
                raise InvalidParams(
                    f"the secret {name!r} has fewer than {SHORTEST} characters",
                    hint="Something that short cannot be kept out of the texts of a page.",
                )
        withhold_values(self._values.values())
        self._masker = Masker(self._values)
        self._typed = False

    @classmethod
    def from_environment(cls, given: Iterable[str], *, origins: Iterable[str] = ()) -> Secrets:
        """From `name=ENV_VAR` words.

        Raises:
            InvalidParams: a word is written otherwise, or its variable is not set.
        """
        values = {}
        for word in given:
            name, equals, variable = word.partition("=")
            if not equals or not name or not variable:
                raise InvalidParams(
                    "a secret is written name=ENV_VAR", hint="--secret password=LUMEN_PASSWORD"
                )
            if not os.environ.get(variable):
                raise InvalidParams(
                    f"the variable {variable} of the secret {name!r} is not set",
                    hint=f"export {variable}=…",
                )
            values[name] = os.environ[variable]
        return cls(values, origins=origins)

    def __bool__(self) -> bool:
        return bool(self._values)

    @property
    def names(self) -> list[str]:
        return sorted(self._values)

    # -- out: nothing shows a value -------------------------------------------------------------

    def mask(self, text: str) -> str:
        """The text with every value replaced by its name, in whatever way it was written."""
        return self._masker.mask(text)

    def mask_data(self, value: Any) -> Any:
        """The same for plain data, keys included."""
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {self.mask_data(k): self.mask_data(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.mask_data(part) for part in value]
        return value

    # -- pictures: a `Cover` of the browser -----------------------------------------------------

    def cover_pictures(self, browser: Browser) -> None:
        """Cover secret values in all later pictures of the browser's pages."""
        if self._values:
            browser.picture_cover = self

    @property
    def hides_drawings(self) -> bool:
        """Nobody can read a canvas, and its page may know a value once it was typed."""
        return self._typed

    def finds(self, text: str) -> bool:
        return self._masker.finds(text)

    @contextmanager
    def kept_out_of_logs(self) -> Iterator[None]:
        """While it lasts, no log record of the package has a value."""
        if not self._values:
            yield
            return
        before = logging.getLogRecordFactory()

        def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = before(*args, **kwargs)
            record.msg, record.args = self.mask(record.getMessage()), ()
            if record.exc_info and record.exc_info[0] is not None:
                # A formatter takes this text where there is one.
                exception_text = logging.Formatter().formatException(record.exc_info)
                record.exc_text = self.mask(exception_text)
            return record

        logging.setLogRecordFactory(factory)
        try:
            yield
        finally:
            logging.setLogRecordFactory(before)

    # -- in: at the last moment -----------------------------------------------------------------

    async def before_call(self, call: ToolCall) -> ToolResult | None:
        """Put values into the arguments of a call.

        Raises:
            BlockedByPolicy: the place is not one where they may be typed.
            InvalidParams: there is no secret of that name.
        """
        self.cover_pictures(call.page.browser)
        written = call.args.model_dump()
        names = mentioned(json.dumps(written, default=str))
        if not names or call.name == "browser_execute":
            return None  # its steps come here one by one
        for name in names:
            if name not in self._values:
                known = ", ".join(self.names) or "none"
                raise InvalidParams(f"there is no secret {name!r}", hint=f"Secrets: {known}.")
        field = _FIELDS.get(call.name)
        text = written.get(field) if field is not None else None
        if field is None or not isinstance(text, str) or len(_MENTION.findall(text)) != len(names):
            raise BlockedByPolicy(
                f"{call.name} does not take a secret there",
                hint="Secrets go into the value of browser_fill or the text of browser_type only.",
            )
        self._require_origin(call)
        value = _MENTION.sub(lambda match: self._values[match.group(1)], text)
        self._typed = True
        call.args = call.args.model_copy(update={field: value})
        return None

    def _require_origin(self, call: ToolCall) -> None:
        index = call.args.ref.frame_index
        frame = next((one for one in call.page.frames if one.index == index), None)
        origin = origin_of(frame.url) if frame is not None else ""
        if frame is not None and frame.origin and frame.origin != "null":
            origin = origin_of(frame.origin)
        allowed = self._where.allow_origins
        if not allowed or not origin or not self._where.allows(origin):
            raise BlockedByPolicy(
                f"secrets may not be typed into a document of {origin or 'an unknown origin'}",
                hint=f"Allowed: {', '.join(allowed) or 'nowhere'}.",
                origin=origin,
            )

    async def after_call(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Take values out of a result."""
        if not self._values:
            return result
        return replace(result.with_texts(self.mask), data=self.mask_data(result.data))


def mentioned(text: str) -> list[str]:
    """The names of secrets that a text mentions: `{{secret:name}}`."""
    return _MENTION.findall(text)


def origin_of(url: str) -> str:
    """`https://shop.test:8443` of an address; empty where it has none."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        _ = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    usual = {"http": 80, "https": 443}[parts.scheme]
    port = f":{parts.port}" if parts.port and parts.port != usual else ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}"
