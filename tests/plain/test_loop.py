"""Interrupts while coroutines run from synchronous code."""

from __future__ import annotations

import signal
from asyncio import CancelledError, Event, Runner
from collections.abc import Iterator

import pytest

from thud.plain.loop import Loop


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """Have interrupts handled as Python does."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_cancels_what_is_awaited_in_the_loop_that_runs(times: int) -> None:
    ended: list[str] = []

    async def wait() -> None:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        try:
            await Event().wait()
        except CancelledError:
            ended.append("cancelled")
            raise

    with Runner() as runner:
        loops = [Loop(runner), Loop(runner)]
        while loops:
            with pytest.raises(KeyboardInterrupt):
                loops[-1].run(wait)
            loops.pop().close()
    assert ended == ["cancelled", "cancelled"]


def test_an_interrupt_between_runs_is_raised_at_once() -> None:
    loop = Loop()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    loop.close()
