"""The one distinction between errors that the library does not make and a shell needs."""

from __future__ import annotations

from cdp_agent.errors import CdpAgentError


class EnvironmentFailure(Exception):
    """An error of the library's that is this machine's fault, not the page's: exit code 2."""

    def __init__(self, error: CdpAgentError) -> None:
        super().__init__(str(error))
        self.error = error
