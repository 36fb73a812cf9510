"""The controls that Chromium draws for audio and video: no listener hears of what they get."""

from __future__ import annotations

import base64
import struct

import pytest

from cdp_agent import ElementObscured
from tests.support.stage import FRAME_KINDS, MakeStage, Stage

SAMPLES = 8000 * 60
WAVE = (
    b"RIFF"
    + struct.pack("<I", 36 + SAMPLES)
    + b"WAVEfmt "
    + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    + b"data"
    + struct.pack("<I", SAMPLES)
    + b"\x80" * SAMPLES
)
AUDIO = (
    "<body style='margin:0'><audio id=target controls src='data:audio/wav;base64,"
    f"{base64.b64encode(WAVE).decode()}'></audio><script>window.log = [];"
    "for (const type of ['play', 'pause', 'volumechange', 'seeking'])"
    " target.addEventListener(type, () => log.push(type))</script>"
)


async def ready(make_stage: MakeStage, frame_kind: str = "main") -> Stage:
    stage = await make_stage(AUDIO, frame_kind)
    await stage.wait("target.readyState > 0")
    return stage


@pytest.mark.parametrize("frame_kind", FRAME_KINDS)
async def test_a_button_of_the_controls_is_clicked_once(
    make_stage: MakeStage, frame_kind: str
) -> None:
    stage = await ready(make_stage, frame_kind)

    outcome = await stage.page.click(await stage.id("button", "play"))

    await stage.wait("log.length > 0")
    assert await stage.eval("[log, target.paused]") == [["play"], False]
    assert outcome.receipt is not None
    assert outcome.receipt.delivered


async def test_two_clicks_mute_and_do_not(make_stage: MakeStage) -> None:
    stage = await ready(make_stage)
    mute = await stage.id("button", "mute")

    for muted in (True, False):
        await stage.page.click(mute)
        await stage.wait(f"target.muted === {str(muted).lower()}")

    assert await stage.eval("log") == ["volumechange"] * 2


async def test_a_click_on_the_audio_itself_is_one_of_its_controls(make_stage: MakeStage) -> None:
    stage = await ready(make_stage)

    outcome = await stage.page.click(await stage.page.find({"css": "#target"}))

    await stage.wait("log.length > 0")
    assert await stage.eval("target.currentTime") > 5
    assert outcome.receipt is not None


async def test_keys_reach_a_button_of_the_controls(make_stage: MakeStage) -> None:
    stage = await ready(make_stage)

    await stage.page.press("Space", await stage.id("button", "play"))

    await stage.wait("!target.paused")
    assert await stage.eval("log") == ["play"]


async def test_covered_controls_refuse_the_click(make_stage: MakeStage) -> None:
    stage = await ready(make_stage)
    button = await stage.id("button", "play")
    cover = "<div id=cover style='position:fixed;inset:0'></div>"
    await stage.eval(f'document.body.insertAdjacentHTML("beforeend", "{cover}")')

    with pytest.raises(ElementObscured, match="cover"):
        await stage.page.click(button, timeout=0.5)

    assert await stage.eval("log") == []
