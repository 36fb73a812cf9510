"""The meaning of Chromium's error messages. The only place that reads them.

They are English sentences without numbers of their own (nearly all are -32000), so they are
matched here, once, and become types or answers to a question.
"""

from __future__ import annotations

from cdp_agent.errors import CdpAgentError, ProtocolError, TargetClosed, TargetCrashed
from cdp_agent.protocol.codec import ErrorBody

_SESSION_NOT_FOUND = -32001
#: The document that a tab showed is on its way out, and the next one is not there yet.
_BETWEEN = "Not attached to an active page"

_TARGET_GONE = (
    "Session with given id not found",
    "Target closed",
    "No target with given id",
    "Inspected target navigated or closed",
    _BETWEEN,
)
_CONTEXT_GONE = (
    "Cannot find context with specified id",
    "uniqueContextId not found",
    "Execution context was destroyed",
    "Cannot find default execution context",
    "Inspected target navigated or closed",
    "Argument should belong to the same JavaScript world",
    "Frame with the given frameId is not found",
    "No frame for given id found",
)
_NODE_GONE = (
    "No node with given id found",
    "Could not find node with given id",
    "No node found for given backend id",
    "Node with given id does not belong to the document",
    "Could not find object with given id",
    "Cannot find object with given id",
    "Could not compute content quads",
)
_NO_LAYOUT = (
    "Could not compute box model",
    "Could not compute content quads",
    "Node does not have a layout object",
    "Node is detached from document",
)
_REFUSED = (
    "Blocked opening ",
    "Blocked form submission",
    "Sending form data to ",
    "Unsafe attempt to initiate navigation",
    "Not allowed to load local resource",
    "Not allowed to navigate top frame",
    "Download is disallowed",
    "Ignored call to ",
)


def is_refusal(text: str) -> bool:
    """Returns whether a log line says that a sandbox or policy forbade something.

    Nothing else tells of it: the page sees neither an event nor an error.
    """
    return text.startswith(_REFUSED)


def error_for(method: str, body: ErrorBody) -> CdpAgentError:
    """The exception for an error reply."""
    reason = body.message + (f" ({body.data})" if body.data else "")
    if "crashed" in body.message.lower():
        return TargetCrashed(f"{method}: {reason}")
    if body.code == _SESSION_NOT_FOUND:
        return TargetClosed("the tab or frame is gone")
    error = ProtocolError(method, reason, body.code)
    if _BETWEEN in body.message:
        error.hint = "The page is between two documents. Retry, or call page.recover()."
        error.can_retry = True
    return error


def _says(error: BaseException, sentences: tuple[str, ...]) -> bool:
    return isinstance(error, ProtocolError) and any(s in error.reason for s in sentences)


def is_between_documents(error: BaseException) -> bool:
    """Returns whether the tab is between two documents."""
    return _says(error, (_BETWEEN,))


def is_target_gone(error: BaseException) -> bool:
    return isinstance(error, TargetClosed) or _says(error, _TARGET_GONE)


def is_context_gone(error: BaseException) -> bool:
    """The document that a script was meant for has been replaced or its frame removed."""
    return _says(error, _CONTEXT_GONE) or is_target_gone(error)


def is_node_gone(error: BaseException) -> bool:
    return _says(error, _NODE_GONE)


def has_no_layout(error: BaseException) -> bool:
    """The node exists and has no box: it is not rendered."""
    return _says(error, _NO_LAYOUT)


def is_override_taken(error: BaseException) -> bool:
    """Returns whether another session has set the process's language or time zone."""
    return _says(error, ("override is already in effect",))
