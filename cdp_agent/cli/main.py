"""The entry of `cdp-agent`: session commands take the short way.

What this file imports before it knows which is paid by every session command, so it is nothing.
"""

import sys

TYPE_CHECKING = False  # as `typing` has it, without importing that
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command; its exit code. Never raises anything but bugs of ours."""
    words = sys.argv[1:] if argv is None else list(argv)
    from cdp_agent.cli.session.fast_path import try_short_way

    code = try_short_way(words)
    if code is not None:
        return code
    from cdp_agent.cli.command_line import run_command

    return run_command(words)


def build_parser() -> "argparse.ArgumentParser":
    from cdp_agent.cli.command_line import build_parser

    return build_parser()


if __name__ == "__main__":
    sys.exit(main())
