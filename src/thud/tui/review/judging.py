"""Has the moves of a match judged by processes, beside what people do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from thud.review.reviewer import Judged, Means, judge_battle, means

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.review.progress import Progress


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
