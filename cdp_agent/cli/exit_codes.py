"""Exit codes of the shell that the library's errors do not tell apart."""

from __future__ import annotations

from cdp_agent.errors import CdpAgentError

#: The exit code of a command that was interrupted from the keyboard or by a signal.
INTERRUPTED = 130


class EnvironmentFailure(Exception):
    """An error that is this machine's fault, not the page's: exit code 2."""

    def __init__(self, error: CdpAgentError) -> None:
        super().__init__(str(error))
        self.error = error
