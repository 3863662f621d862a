"""Judges a match in processes, and keeps the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from thud.engines.analyst import Analyst, cores
from thud.records.record import Record
from thud.records.tree import Cursor, Node
from thud.review.judgement import Mark, counts_points
from thud.review.reviewer import Judged, judge_battle
from thud.review.summary import Marked, Progress, Reviewed, curve
from thud.rules.position import Move, Side
from thud.rules.tactics import Fault
from thud.rules.threats import Threats, aim_of
from thud.rules.variant import Variant
from thud.wording.review import (
    bar,
    better,
    cost_in_words,
    expected_in_words,
    how_far,
    instead_of,
    wrong,
)

if TYPE_CHECKING:
    from thud.drill import Drill


_AT_A_TIME: Final = 0.4
"""Seconds between two reports of progress, at least."""


class Judging:
    """The judgements of a match, and the task that completes them.

    Nothing is known before the comments of the record have been read.

    Args:
        record: the match; its moves do not change.
        tell: is told when more is known, but not of every move.

    Attributes:
        progress: what is known; it grows.  None until the comments have been read.
    """

    def __init__(self, record: Record, tell: Callable[[], None]) -> None:
        self._record = record
        self.progress: Progress | None = None
        self._tell = tell
        self._due: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self.judged = self.wanted = 0
        """Moves judged so far, and to be judged."""
        self._since = 0.0

    async def read(self) -> None:
        """Find out what the comments of the record say already."""
        self.progress = await asyncio.to_thread(Progress, self._record)

    @property
    def begun(self) -> bool:
        """Whether anything is known."""
        return self.progress is not None and self.progress.begun

    @property
    def running(self) -> bool:
        """Whether moves are being judged."""
        return self._task is not None

    async def run(self, first: int) -> bool:
        """Judge one battle and then the others; say whether to the end, and not stopped before.

        Raises:
            EngineFault: a process does not answer as it should.
        """
        if (progress := self.progress) is None:
            return False
        numbers = [first, *(number for number in progress.numbers if number != first)]
        self.judged, self.wanted = 0, sum(len(progress.missing(n)) for n in numbers)
        self._since = monotonic()
        self._task = task = asyncio.create_task(self._judge(progress, numbers))
        self._tell()
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
        if self._due:
            self._due.cancel()
        if task := self._task:
            await _ended(task)

    async def _judge(self, progress: Progress, numbers: Iterable[int]) -> None:
        def tell(number: int, judged: Judged) -> None:
            progress.add(number, judged.ply, judged.judgement)
            self.judged += 1
            if not self._due:
                self._due = asyncio.get_running_loop().call_later(_AT_A_TIME, self._tell_now)

        async with Analyst(cores()) as analyst:
            for number in numbers:
                if missing := progress.missing(number):
                    told = partial(tell, number)
                    await judge_battle(self._record, number, missing, analyst, told)

    def _tell_now(self) -> None:
        self._due = None
        self._tell()

    async def noted(self, latest: Callable[[], Record]) -> Record:
        """Return the record with all that is known, whatever people change in it meanwhile.

        Args:
            latest: returns the record as it is.
        """
        while self.progress:
            record = latest()
            noted = await asyncio.to_thread(self.progress.noted, record)
            if record is latest():
                return noted
        return latest()

    # What is known of a place

    def last_move(self, cursor: Cursor) -> Marked | None:
        """Return what is known of the move before a place, None in a variation."""
        if not self.progress or cursor.left or not cursor.ply:
            return None
        return self.progress.at(cursor.number, cursor.ply - 1)

    def told(self, cursor: Cursor, told: list[str]) -> list[str]:
        """Return what there is to say of a place, with what is known of the move before it.

        Args:
            cursor: the place.
            told: what there is to say besides, line by line.
        """
        move = self.last_move(cursor)
        if move and move.mark:
            told = [*told_of_move(self._record.variant, move), *cursor.words]
        elif move:
            told = [*told, *told_of_move(self._record.variant, move)]
        if self.running:
            told = [*self.how_far, *told]
        return told

    @property
    def how_far(self) -> list[str]:
        """How far the review is, line by line: a bar, and the time left."""
        done = how_far(self.judged, self.wanted, monotonic() - self._since)
        return [f"{bar(self.judged, self.wanted)} {done}. Esc stops."]

    def marks(self, number: int) -> dict[Node, Mark]:
        """Return the marks of a battle's mistakes, by where they stand in its list of moves."""
        return {((), each.ply + 1): each.mark for each in self._mistakes(number) if each.mark}

    def dots(self, cursor: Cursor) -> dict[int, Mark]:
        """Return the marks on the line of a place, by how many moves have been played then."""
        until = cursor.begins if cursor.left else cursor.last
        return dots(each for each in self._mistakes(cursor.number) if each.ply < until)

    def _mistakes(self, number: int) -> tuple[Marked, ...]:
        return self.progress.reviewed(number).mistakes if self.progress else ()

    def expected(self, cursor: Cursor, largest: float) -> list[float | None]:
        """Return what was expected after each move on the line of a place, for its graph."""
        if not self.progress:
            return []
        expected = drawn(self.progress.reviewed(cursor.number), largest)
        return expected[: cursor.begins + 1] if cursor.left else expected

    def mistake(self, cursor: Cursor, by: int) -> Cursor | None:
        """Return the place after the next mistake of the battle, or after the one before."""
        marked = self._mistakes(cursor.number)
        here = ply_in_battle(cursor)
        found = next((m.ply + 1 for m in marked[::by] if (m.ply + 1 - here) * by > 0), None)
        return None if found is None else Cursor.at(cursor.record, cursor.number, found)

    def better(self, cursor: Cursor) -> tuple[Move, ...]:
        """Return what was better than the move before a place, and what would have followed."""
        move = self.last_move(cursor)
        if move is None or move.judgement.best is None:
            return ()
        return (move.judgement.best, *move.judgement.line)

    def drill(self, number: int, side: Side, name: str) -> Drill | None:
        """Return a side's mistakes in a battle as questions, None if it has made none."""
        from thud.review.mistakes import mistakes_drill

        if not self.progress:
            return None
        return mistakes_drill(self.progress.reviewed(number), side, name)


def ply_in_battle(here: Cursor) -> int:
    """Return after how many moves of the battle as it was played this is, or a variation began."""
    while here.left:
        here = here.left
    return here.ply


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
    lines = [f"{move.mark.value} Lost {lost} ({expected} instead of {promised})."]
    lines += [line for line in (wrong(variant, move), better(variant, move)) if line]
    return lines


def pointed_out(variant: Variant, move: Marked) -> Threats | None:
    """Return what the other side could take after a marked move, None if that is not its fault."""
    if move.fault is not Fault.HANGS or not move.judgement.reply:
        return None
    after = move.position.after(move.move)
    return Threats((aim_of(variant, after, move.judgement.reply[0]),))


def dots(mistakes: Iterable[Marked]) -> dict[int, Mark]:
    """Return the marks of mistakes, by how many moves have been played then."""
    return {each.ply + 1: each.mark for each in mistakes if each.mark}


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
