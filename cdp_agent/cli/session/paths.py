"""The folder of sessions, which only its owner may enter: one socket per session."""

import os
import sys

FOLDER_VARIABLE = "CDP_AGENT_SESSIONS"

_LONGEST_NAME = 41
#: A socket's address may not be longer, on Linux and macOS.
_LONGEST_PATH = 100


def session_folder() -> str:
    """The folder, made where it is missing.

    Raises:
        BrowserError: it belongs to somebody else, or others may enter it.
    """
    import stat

    from cdp_agent.errors import BrowserError

    path = usual_folder()
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        found = os.lstat(path)
    except OSError as error:
        raise BrowserError(f"no place for sessions: {path}: {error.strerror}") from None
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not is_ours or found.st_mode & 0o077:
        hint = f"Set {FOLDER_VARIABLE} to a folder of yours, or: chmod 700 {path}"
        raise BrowserError(f"{path} is not a folder that only you may enter", hint=hint)
    return path


def usual_folder() -> str:
    """The path of the folder, whether or not it is there."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return chosen
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.path.isdir(runtime):
        return os.path.join(runtime, "cdp-agent")
    top = os.environ.get("TMPDIR", "/tmp") if sys.platform == "darwin" else "/tmp"
    return os.path.join(top, f"cdp-agent-{os.getuid()}")


def socket_path(name: str) -> str:
    """Raises: InvalidParams: no session may be called that."""
    from cdp_agent.errors import InvalidParams

    if not _is_name(name):
        raise InvalidParams(
            f"{name[:60]!r} is not a name for a session",
            hint="Letters, digits, dot, dash and underscore, at most 41.",
        )
    path = os.path.join(session_folder(), f"{name}.sock")
    if len(path) > _LONGEST_PATH:
        raise InvalidParams(f"{path} is too long for a socket", hint=f"Set {FOLDER_VARIABLE}.")
    return path


def _is_name(name: str) -> bool:
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    is_plain = plain.isascii() and plain.isalnum() and name[0] not in "-_."
    return is_plain and len(name) <= _LONGEST_NAME


def session_names() -> "list[str]":
    """Names of all sessions that have a socket, alive or not."""
    names = os.listdir(session_folder())
    return sorted(name.removesuffix(".sock") for name in names if name.endswith(".sock"))


# A session that was opened with guards has them until it is closed: one that was killed or idle is
# started again by any command, and must not come back without them. Names only, never values.


def guards_path(name: str) -> str:
    return socket_path(name).removesuffix(".sock") + ".guards"


def kept_guards(name: str) -> "list[str]":
    """The options of the session that was not closed yet."""
    try:
        with open(guards_path(name), encoding="utf-8") as file:
            return file.read().split("\0")
    except FileNotFoundError:
        return []


def keep_guards(name: str, options: "list[str]") -> None:
    forget_guards(name)
    if options:
        number = os.open(guards_path(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write("\0".join(options))


def forget_guards(name: str) -> None:
    try:
        os.unlink(guards_path(name))
    except FileNotFoundError:
        return
