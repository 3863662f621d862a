"""Matches between two programs, to find out which is the stronger and by how much.

They are played here, so many at a time; `cluster` has them played by other machines.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import NamedTuple

from thud.engines.pairing import Fought, Pairing, Plan
from thud.rules.match import Match


class Reached(NamedTuple):
    """Where a match has come to."""

    job: int
    number: int
    match: Match


class Spectator(NamedTuple):
    """Who is told how the arena gets on."""

    moved: Callable[[Reached], None]
    fought: Callable[[Fought], None]


async def play(plan: Plan, spectator: Spectator) -> None:
    """Play all matches of a plan; if this is cancelled, the programs are ended first.

    A program's fault ends its match, and the next one begins.

    Raises:
        EngineMissing: one of the programs cannot be started, or does not play the variant.
    """
    numbers = iter(range(1, plan.matches + 1))
    jobs = range(min(plan.jobs, plan.matches))
    tasks = [asyncio.create_task(_work(plan, spectator, job, numbers)) for job in jobs]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            # Who is cancelled already is putting its programs away: that shall not be cut short.
            if not task.cancelling():
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _work(plan: Plan, spectator: Spectator, job: int, numbers: Iterator[int]) -> None:
    """Play one match after the other with a pair of programs of its own."""
    pairing = Pairing(plan, lambda number, match: spectator.moved(Reached(job, number, match)))
    try:
        for number in numbers:
            spectator.fought(await pairing.match(number))
    finally:
        await pairing.close()
