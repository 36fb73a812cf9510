"""Messages over real pipes: whole, in order, whatever the pieces they come in."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from cdp_agent.transport import PipeTransport, Transport
from tests.unit.memory_transport import idle, until


@dataclass
class Browser:
    """The other ends of the two pipes, and what the transport has told us."""

    transport: PipeTransport
    reads: int
    writes: int
    messages: list[bytes | bytearray] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def start(self) -> None:
        wire: Transport = self.transport
        wire.start(self.messages.append, self.reasons.append)

    def write(self, data: bytes) -> None:
        os.write(self.writes, data)

    async def read(self, size: int) -> bytes:
        """Exactly that many bytes, read in a thread: the transport must not need our help."""

        def read_all() -> bytes:
            found = b""
            while len(found) < size:
                found += os.read(self.reads, size - len(found))
            return found

        return await asyncio.to_thread(read_all)

    def close(self) -> None:
        for descriptor in (self.reads, self.writes):
            with contextlib.suppress(OSError):
                os.close(descriptor)


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    commands, replies = os.pipe(), os.pipe()
    transport = await PipeTransport.open(replies[0], commands[1])
    browser = Browser(transport, reads=commands[0], writes=replies[1])
    yield browser
    await transport.aclose()
    browser.close()
    await idle()  # what was still to be sent has nowhere to go now


async def test_a_command_goes_out_with_a_zero_byte_at_its_end(browser: Browser) -> None:
    browser.start()

    browser.transport.send(b'{"id":1}')
    browser.transport.send('{"id":2,"ä":"€"}'.encode())

    wanted = b'{"id":1}\0' + '{"id":2,"ä":"€"}'.encode() + b"\0"
    assert await browser.read(len(wanted)) == wanted


PIECES = {
    "one message": [b"one\0"],
    "several at once": [b"one\0two\0three\0"],
    "a message in pieces": [b"o", b"n", b"e\0"],
    "the end mark alone": [b"one", b"\0"],
    "a piece that ends one and begins another": [b"one\0tw", b"o\0"],
    "an end and a whole message and a beginning": [b"on", b"e\0two\0thr", b"ee\0"],
    "pieces of many sizes": [b"", b"one\0t", b"w", b"o\0three", b"\0"],
    "an unfinished message is not handed out": [b"one\0two\0thr"],
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES.keys())
async def test_messages_are_cut_at_the_zero_bytes_however_they_come(
    browser: Browser, pieces: list[bytes]
) -> None:
    browser.start()

    for piece in pieces:
        browser.write(piece)
        await idle()  # so that the pieces are read one by one

    whole, _, _ = b"".join(pieces).rpartition(b"\0")
    wanted = whole.split(b"\0")
    await until(lambda: len(browser.messages) >= len(wanted))
    assert browser.messages == wanted


async def test_every_cut_of_a_stream_gives_the_same_messages(browser: Browser) -> None:
    browser.start()
    stream = b'{"id":1}\0{"method":"a.b"}\0'

    for cut in range(1, len(stream)):
        browser.messages.clear()
        browser.write(stream[:cut])
        await idle()
        browser.write(stream[cut:])
        await until(lambda: len(browser.messages) >= 2)
        assert browser.messages == [b'{"id":1}', b'{"method":"a.b"}'], cut


async def test_what_came_before_the_start_is_kept_for_it() -> None:
    commands, replies = os.pipe(), os.pipe()
    os.write(replies[1], b"early\0and more\0beg")
    transport = await PipeTransport.open(replies[0], commands[1])
    browser = Browser(transport, reads=commands[0], writes=replies[1])
    await idle()

    browser.start()
    browser.write(b"un\0")

    await until(lambda: len(browser.messages) >= 3)
    assert browser.messages == [b"early", b"and more", b"begun"]
    await transport.aclose()
    browser.close()


async def test_a_message_larger_than_any_buffer_arrives_whole(browser: Browser) -> None:
    browser.start()
    large = b"x" * 3_000_000

    def write_all() -> None:
        left = large + b"\0next\0"
        while left:
            left = left[os.write(browser.writes, left) :]

    await asyncio.to_thread(write_all)

    await until(lambda: len(browser.messages) == 2)
    assert browser.messages == [large, b"next"]


async def test_sending_does_not_wait_for_a_browser_that_does_not_read(browser: Browser) -> None:
    browser.start()
    large = b"y" * 1_000_000

    for _ in range(3):
        browser.transport.send(large)
    browser.transport.send(b"last")

    sent = await browser.read(3 * len(large) + 3 + len(b"last\0"))
    assert sent == (large + b"\0") * 3 + b"last\0"


async def test_when_the_browser_ends_it_is_said_once(browser: Browser) -> None:
    browser.start()
    browser.write(b"whole\0and a ha")

    browser.close()

    await until(lambda: bool(browser.reasons))
    await idle()
    assert browser.messages == [b"whole"]
    assert browser.reasons == ["the browser closed the pipe"]
    browser.transport.send(b"too late")  # nobody hears it, and it is not an error


async def test_closing_closes_both_descriptors_and_may_be_repeated() -> None:
    commands, replies = os.pipe(), os.pipe()
    transport = await PipeTransport.open(replies[0], commands[1])
    browser = Browser(transport, reads=commands[0], writes=replies[1])
    browser.start()

    await transport.aclose()
    await transport.aclose()
    await idle()

    assert os.read(browser.reads, 10) == b""  # the browser sees the end of its input
    with pytest.raises(BrokenPipeError):
        os.write(browser.writes, b"anybody?")
    browser.close()


async def test_closing_before_the_start_leaves_nothing_open() -> None:
    commands, replies = os.pipe(), os.pipe()
    transport = await PipeTransport.open(replies[0], commands[1])

    await transport.aclose()
    await idle()

    assert os.read(commands[0], 10) == b""
    with pytest.raises(BrokenPipeError):
        os.write(replies[1], b"anybody?")
    os.close(commands[0])
    os.close(replies[1])


async def test_closing_does_not_wait_for_output_that_nobody_reads() -> None:
    """A hung browser must not keep the pipe open: its end is what makes Chromium end."""
    commands, replies = os.pipe(), os.pipe()
    transport = await PipeTransport.open(replies[0], commands[1])
    browser = Browser(transport, reads=commands[0], writes=replies[1])
    browser.start()
    transport.send(b"z" * 1_000_000)

    await transport.aclose()
    await idle()

    def read_to_the_end() -> int:
        os.set_blocking(browser.reads, False)
        size = 0
        while piece := os.read(browser.reads, 65536):
            size += len(piece)
        return size

    try:
        assert read_to_the_end() < 1_000_000  # and BlockingIOError where the end never comes
    finally:
        browser.close()
        await idle()
