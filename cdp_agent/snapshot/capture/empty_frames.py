"""Reasons why a frame shows nothing, for the line of its iframe. Pure."""

from __future__ import annotations

from cdp_agent.targets import Frame

#: The browser's own page about an error, and its viewer of PDFs, are not the frame's content.
_REFUSALS = {
    "net::ERR_BLOCKED_BY_RESPONSE": "blocked: its server refuses to be shown in a frame",
    "net::ERR_BLOCKED_BY_CSP": "blocked by the Content-Security-Policy of the page",
    "net::ERR_BLOCKED_BY_CLIENT": "blocked by the browser",
}


def empty_reason(frame: Frame) -> str:
    """Why the frame has no content of its own; empty where it has, or where it is not known."""
    if frame.crashed:
        return "crashed"
    if frame.error_url:
        refusal = _REFUSALS.get(frame.failure)
        return refusal or f"cannot be shown{f': {frame.failure}' if frame.failure else ''}"
    if frame.mime_type == "application/pdf":
        return "PDF"
    if not frame.documents and frame.pending_loader:
        return "still loading"
    if not frame.documents and frame.failure:
        return f"nothing came: {frame.failure}"
    return ""
