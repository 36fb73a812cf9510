"""The soak believes no average: what grows after the warm-up is said to grow."""

from __future__ import annotations

from scripts.bench.load.resources import Usage, growths


def samples(*, client: float = 0.0, handles: float = 0.0, processes: float = 0.0) -> list[Usage]:
    """Forty samples of a run that grows by so much from one to the next."""
    return [
        Usage(
            client_mb=30 + client * number,
            browser_mb=500,
            handles=20 + round(handles * number),
            tasks=10,
            processes=12 + round(processes * number),
        )
        for number in range(40)
    ]


def growing(found: list[Usage]) -> list[str]:
    return [growth.name for growth in growths(found) if not growth.is_flat]


def test_a_run_that_holds_what_it_held_is_flat() -> None:
    assert growing(samples()) == []


def test_what_grows_is_named() -> None:
    assert growing(samples(client=0.5)) == ["client, MB"]
    assert growing(samples(handles=0.5)) == ["handles"]
    assert growing(samples(processes=0.5)) == ["Chromium's processes"]
    line = next(growth.line for growth in growths(samples(client=0.5)) if not growth.is_flat)
    assert line.startswith("GROWS  client, MB")


def test_the_warm_up_does_not_count() -> None:
    first = [Usage(5, 50, 5, 1, 2)] * 8
    assert growing([*first, *samples()[:32]]) == []


def test_one_sample_is_enough_to_be_read() -> None:
    assert growing(samples()[:1]) == []
