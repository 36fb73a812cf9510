"""Commands of the PyCDP form: generators that yield a request, once."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, TypeVar

from cdp_agent.errors import InvalidParams

if TYPE_CHECKING:
    from cdp_agent.protocol.session import Session

T = TypeVar("T")

_HINT = 'It yields {"method": "Page.navigate", "params": {…}} once, and returns the result.'


async def run_generator(
    session: Session, command: Generator[dict[str, Any], Any, T], seconds: float
) -> T:
    """Send what the generator yields, hand it the result, and give what it returns.

    Raises:
        InvalidParams: it is not such a generator.
    """
    if not isinstance(command, Generator):
        raise InvalidParams(f"a {type(command).__name__} is not a command", hint=_HINT)
    try:
        request = next(command, None)
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            raise InvalidParams("the generator yields no command", hint=_HINT)
        params = request.get("params") or {}
        reply = await session.post_untyped(request["method"], params, timeout=seconds)
        try:
            command.send(reply)
        except StopIteration as end:
            result: T = end.value
            return result
        raise InvalidParams("the generator yields more than one command", hint=_HINT)
    finally:
        command.close()
