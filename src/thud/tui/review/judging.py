"""Judges the moves of a match in processes, and says what came of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from thud.review.judgement import counts_points
from thud.review.reviewer import Judged, Means, judge_battle, means
from thud.review.summary import Marked, Reviewed, curve
from thud.review.told import better, cost_in_words, expected_in_words, instead_of, wrong
from thud.rules.tactics import Fault
from thud.rules.threats import Threats, aim_of
from thud.rules.variant import Variant
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.review.summary import Progress


class Judging:
    """Judges what has not been judged, one battle after the other, until it is stopped.

    Args:
        record: the match; its moves do not change.
        progress: what is known of it; it grows.
        tell: is told whenever more is known.
    """

    def __init__(self, record: Record, progress: Progress, tell: Callable[[], None]) -> None:
        self._record, self._progress = record, progress
        self._tell = tell
        self._task: asyncio.Task[None] | None = None
        self._means: Means = means()
        self.judged = self.wanted = 0
        """So many moves have been judged, of so many."""

    @property
    def running(self) -> bool:
        """Whether moves are being judged."""
        return self._task is not None

    async def run(self, numbers: Iterable[int]) -> bool:
        """Judge the battles of some numbers; say whether to the end, and not stopped before.

        Raises:
            EngineFault: a process does not answer as it should.
        """
        numbers = list(numbers)
        self.judged, self.wanted = 0, sum(len(self._progress.missing(n)) for n in numbers)
        self._task = task = asyncio.create_task(self._judge(numbers))
        try:
            await asyncio.wait([task])
        finally:
            self._task = None
            if not task.done():
                await _ended(task)
        if task.cancelled():
            return False
        task.result()
        return True

    def stop(self) -> None:
        """Judge no more: `run` returns as soon as every process has ended."""
        if self._task:
            self._task.cancel()

    async def close(self) -> None:
        """Judge no more, and return when every process has ended."""
        if task := self._task:
            await _ended(task)

    async def _judge(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if missing := self._progress.missing(number):
                await self._judge_battle(number, missing)

    async def _judge_battle(self, number: int, missing: list[int]) -> None:
        def tell(judged: Judged) -> None:
            self._progress.add(number, judged.ply, judged.judgement)
            self.judged += 1
            self._tell()

        await judge_battle(self._record, number, missing, self._means, tell)


async def _ended(task: asyncio.Task[None]) -> None:
    """Return when a task has come to its end, though this one is to end, too."""
    task.cancel()
    await asyncio.wait([task])


def told_of_move(variant: Variant, move: Marked) -> list[str]:
    """Return what there is to say of a judged move, line by line."""
    if move.mark is None:
        return [f"Expected: {expected_in_words(variant, move.judgement.expected)}"]
    expected, promised = instead_of(variant, move.judgement)
    lost = cost_in_words(variant, move.cost)
    lines = [f"{move.mark.value} {capitalised(lost)} given away: {expected}, not {promised}."]
    lines += [line for line in (wrong(variant, move), better(variant, move)) if line]
    return lines


def pointed_out(variant: Variant, move: Marked) -> Threats | None:
    """Return what the other side could take after a marked move, None if that is not its fault."""
    if move.fault is not Fault.HANGS or not move.judgement.reply:
        return None
    after = move.position.after(move.move)
    return Threats((aim_of(variant, after, move.judgement.reply[0]),))


def drawn(reviewed: Reviewed, largest: float) -> list[float | None]:
    """Return what was expected after each number of moves as a graph of leads can draw it.

    Args:
        reviewed: the battle.
        largest: the largest lead that the graph has: as high as a battle that is won is drawn
            where no points count.
    """
    points = curve(reviewed)
    if counts_points(reviewed.variant):
        return points
    return [None if each is None else each * largest for each in points]
