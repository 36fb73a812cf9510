"""A session command sent as words, without the imports of a parser.

Starting Python takes as long as the rest of the command together, so nothing is imported here that
is not there already: no parser, no JSON, not even `socket`. Whatever is out of the ordinary (no
session yet, `--help`, a folder that is not ours) takes the whole way instead, which says why.
"""

import os
import sys

#: Commands whose words mean the same in another folder, given the folder.
SHORT = frozenset(
    (
        *("click", "dblclick", "fill", "replace", "type", "press", "select", "check", "uncheck"),
        *("hover", "drag", "scroll", "upload", "wait", "dialog", "screenshot", "snapshot"),
        *("back", "forward", "reload", "do", "read", "expand"),
        *("pdf", "content", "cookies", "state", "viewport", "user-agent", "geolocation"),
        *("locale", "timezone", "media", "offline", "console", "errors", "requests", "tracing"),
    )
)
#: Words of `do` that are the client's business: its input, and how a session is started.
_WHOLE_WAY = (
    *("-", "--headed", "--connect", "--idle"),
    *("--allow-origin", "--secret", "--upload-folder", "--profile"),
)
#: The first byte of such a request; the other kind is a line of JSON.
MARK = b"\0"
_ANSWER_SECONDS = 660.0


def try_short_way(words: "list[str]") -> "int | None":
    """The exit code; None: nothing was done, and the whole way has to be taken."""
    if not words or words[0] not in SHORT or os.name != "posix":
        return None
    if not {"-h", "--help", "--debug"}.isdisjoint(words) or os.environ.get("CDP_AGENT_LOG"):
        return None
    if words[0] == "do" and any(word.partition("=")[0] in _WHOLE_WAY for word in words):
        return None
    path = _socket_path(_session_of(words))
    answer = _asked(path, words) if path is not None else None
    if answer is None:
        return None
    head, _, rest = answer.partition(b"\n")
    code, length = (int(part) for part in head.split())
    if code < 0:
        return None
    _write(1, rest[:length])
    _write(2, rest[length:])
    return code


def _session_of(words: "list[str]") -> str:
    for number, word in enumerate(words):
        if word == "--session" and number + 1 < len(words):
            return words[number + 1]
        if word.startswith("--session="):
            return word[10:]
    return os.environ.get("CDP_AGENT_SESSION", "default")


def _socket_path(name: str) -> "str | None":
    from cdp_agent.cli.session.paths import usual_folder

    if not name.replace("-", "").replace("_", "").isalnum():
        return None
    folder = usual_folder()
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    if found.st_uid != os.getuid() or found.st_mode & 0o170077 != 0o040000:
        return None  # not a folder, or not ours alone
    return os.path.join(folder, f"{name}.sock")


def _asked(path: str, words: "list[str]") -> "bytes | None":
    import _socket  # `socket` costs more than the whole conversation

    wire = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        wire.settimeout(_ANSWER_SECONDS)
        try:
            wire.connect(path)
        except OSError:
            return None
        parts = [os.fsencode(word) for word in (os.getcwd(), *words)]
        if any(b"\0" in part for part in parts):
            return None
        wire.sendall(MARK + b"\0".join(parts))
        wire.shutdown(_socket.SHUT_WR)
        answer = b""
        while part := wire.recv(1 << 16):
            answer += part
    except OSError:
        answer = b""
    finally:
        wire.close()
    if answer:
        return answer
    said = b"connection_lost: the session ended before it answered\nhint: Run the command again.\n"
    return b"2 0\n" + said


def _write(where: int, data: bytes) -> None:
    stream = sys.stdout if where == 1 else sys.stderr
    try:
        stream.flush()
        while data:
            data = data[os.write(where, data) :]
    except BrokenPipeError:
        return  # whoever read our output has seen enough (`| head`)
