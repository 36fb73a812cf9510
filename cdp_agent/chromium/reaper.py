"""A shell that outlives us by a moment and removes what a browser leaves.

It waits in a session of its own for the end of a pipe, the *lifeline*, whose other end
this process alone holds. Whatever ends this process, SIGKILL and the out-of-memory killer
too, closes the lifeline; so does a normal close. Then it kills what is left of Chromium,
removes our folder, and is gone.

Nothing depends on winning a race. Before it becomes Chromium, the process that will be
Chromium writes its process group to a file in our folder (`START`). The reaper takes the
folder away by renaming it, which is atomic. Either the file was there and the group is
killed, or it cannot be written and Chromium never starts.

The pipe to Chromium alone would not do: a Chromium that hangs does not read it, one that
was started with a port has none, and neither removes a profile.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import weakref
from pathlib import Path

# $1 our folder, the rest the command. Chromium wants its pipe on fds 3 and 4, and gets it
# from 0 and 1: those Popen sets in C between fork and exec, which is safe with threads. A
# `preexec_fn` is not, and a POSIX shell cannot name the numbers above 9 of `pass_fds`.
# What is written to stdout joins stderr: launcher scripts complain on either.
START_WITH_PIPE = 'echo $$ >"$1/group" && shift && exec "$@" 3<&0 4>&1 </dev/null >&2'
START = 'echo $$ >"$1/group" && shift && exec "$@" </dev/null >&2'

# $1 our folder, $2 how many tenths of a second Chromium gets to save the caller's profile.
_REAPER = """
read -r _
gone="$1.gone"
mv "$1" "$gone" || exit 0
if read -r group <"$gone/group"; then
    tenths=$2
    if [ "$tenths" -gt 0 ]; then
        kill -s TERM "$group"
        while [ "$tenths" -gt 0 ] && kill -s 0 "$group"; do
            sleep 0.1
            tenths=$((tenths - 1))
        done
    fi
    kill -s KILL -- "-$group"
fi
# Until it was killed Chromium may have made the folder anew, at its old path.
tries=50
while rm -rf "$gone" "$1"; { [ -e "$gone" ] || [ -e "$1" ]; } && [ "$tries" -gt 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
done
"""
_LONGEST_REMOVAL = 15.0


class Reaper:
    """The waiting shell. It is started before Chromium and ended after it."""

    def __init__(self, folder: Path, *, saves_profile: bool) -> None:
        """Watch `folder`, which is ours and will be removed, and the group named in it."""
        self._folder = folder
        tenths = "30" if saves_profile else "0"
        read_end, write_end = os.pipe()  # both close-on-exec: no other child keeps it open
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _REAPER, "cdp-agent-reaper", folder, tenths],
                stdin=read_end,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.pathsep.join((os.environ.get("PATH", ""), "/usr/bin", "/bin"))},
                start_new_session=True,  # Ctrl-C and a kill of our group do not reach it
            )
        except BaseException:  # also when interrupted: the pipe's end is ours to close
            os.close(write_end)
            raise
        finally:
            os.close(read_end)
        self._lifeline: int | None = write_end
        _waiting.add(self)

    @property
    def pid(self) -> int:
        return self._process.pid

    def release(self) -> None:
        """Let go of the lifeline. What is left is removed whether or not anybody waits."""
        _waiting.discard(self)
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    async def finished(self) -> None:
        """Wait until the shell has removed everything and ended."""
        ending = asyncio.create_task(asyncio.to_thread(self._process.wait), name="reaper end")
        done, _ = await asyncio.wait({ending}, timeout=_LONGEST_REMOVAL)
        if not done:
            self._process.kill()
        # Only if somebody killed the shell is anything still there.
        shutil.rmtree(self._folder, ignore_errors=True)

    def forget_group(self) -> None:
        """Chromium has ended: its number may go to a stranger, who must not be killed."""
        with contextlib.suppress(OSError):
            (self._folder / "group").unlink(missing_ok=True)


_waiting: weakref.WeakSet[Reaper] = weakref.WeakSet()


def _let_go_in_child() -> None:
    """A fork of ours that outlives us (multiprocessing) must not hold the lifeline."""
    for reaper in list(_waiting):
        reaper.release()


os.register_at_fork(after_in_child=_let_go_in_child)
