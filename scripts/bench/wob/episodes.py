"""Plays episodes: a seeded task, its policy, the reward that the page itself gives."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cdp_agent
from scripts.bench.wob.hands import OurHand, PlaywrightHand
from scripts.bench.wob.policies.policy import Policy
from scripts.bench.wob.view import Ambiguous, NotShown

EngineName = Literal["cdp_agent", "playwright"]
VIEWPORT = (1280, 720)
#: Tasks allow 7 to 30 s, for people and fast machines; a loaded machine must not lose by that.
_EPISODE_MS = 120_000
_ARGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_BEGIN = """(() => {{
  Math.seedrandom({seed!r});
  core.EPISODE_MAX_TIME = {limit};
  core.startEpisodeReal();
  const sentence = core.getUtterance();
  return sentence.utterance || sentence;
}})()"""
_REWARD = "[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_REASON]"


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode as it was played. `problem` is empty where the page gave the full reward.

    One that is `void` counts for nothing: its sentence fits two things.
    """

    engine: str
    task: str
    seed: int
    calls: int
    tokens: int
    seconds: float
    problem: str
    void: bool = False

    @property
    def won(self) -> bool:
        return not self.problem


async def play(
    hand: OurHand | PlaywrightHand, engine: str, task: str, seed: int, address: str, policy: Policy
) -> Episode:
    """Plays one episode on a page that is loaded anew."""
    await hand.open(f"{address}/miniwob/{task}.html")
    sentence = await hand.evaluate(_BEGIN.format(seed=str(seed), limit=_EPISODE_MS))
    begun = time.perf_counter()
    problem, void = "", False
    try:
        await hand.begin(sentence)
        await policy(sentence, hand)
    except Ambiguous as error:
        problem, void = f"void: {error}", True
    except (NotShown, LookupError, ValueError, RuntimeError) as error:
        problem = f"the text does not say it: {type(error).__name__}: {error}"
    except hand.errors as error:
        problem = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    seconds = time.perf_counter() - begun
    done, reward, reason = await hand.evaluate(_REWARD)
    if done and reward > 0.99:
        problem = ""
    elif not problem:
        problem = f"reward {reward}, {reason}" if done else "the episode is not over"
    return Episode(engine, task, seed, len(hand.read), hand.tokens(), seconds, problem, void)


@asynccontextmanager
async def start_hand(
    engine: EngineName, executable: Path
) -> AsyncIterator[OurHand | PlaywrightHand]:
    """Starts a browser of its own for the engine, and ends it."""
    if engine == "cdp_agent":
        async with cdp_agent.launch(executable, args=_ARGS, viewport=VIEWPORT) as browser:
            yield OurHand(await browser.new_page())
        return
    from playwright.async_api import Error, async_playwright

    async with async_playwright() as playwright:
        theirs = await playwright.chromium.launch(executable_path=executable, args=list(_ARGS))
        try:
            page = await theirs.new_page(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
            yield PlaywrightHand(page, (Error,))
        finally:
            await theirs.close()
