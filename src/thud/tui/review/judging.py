"""Judges a match in engine processes, and keeps the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.exercises.mistakes import mistakes_drill
from thud.records.record import Record
from thud.records.tree import Cursor, NodePath
from thud.review.judgement import Band, Mark
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import (
    bar,
    better,
    expected_in_words,
    how_far,
    lost_in_words,
    wrong,
)
from thud.review.summary import Marked, Progress, Reviewed, curve
from thud.rules.position import Move, Side
from thud.rules.tactics import Fault
from thud.rules.threats import Threats, threat_of
from thud.rules.variant import Variant
from thud.text import capitalised
from thud.words.formation import formation_in_words

if TYPE_CHECKING:
    from thud.exercises.drill import Drill


_AT_A_TIME: Final = 0.4
"""Shortest interval between two reports of progress, in seconds."""


class ReviewTask:
    """The judgements of a match, and the task that completes them.

    Empty until the record's comments have been read.

    Args:
        record: the match; its moves do not change.
        tell: throttled callback when there are more judgements.

    Attributes:
        progress: the judgements so far; None until the comments have been read.
    """

    def __init__(self, record: Record, tell: Callable[[], None]) -> None:
        self._record = record
        self.progress: Progress | None = None
        self._tell = tell
        self._due: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._total = self._before = self._judged = 0
        """All moves of the match; of them, those judged before this run, and by now."""
        self._since = 0.0
        """When the first move of this run was judged."""

    async def read(self) -> None:
        """Read the judgements in the record's comments."""
        self.progress = await asyncio.to_thread(Progress, self._record)

    @property
    def begun(self) -> bool:
        """Whether there are any judgements."""
        return self.progress is not None and self.progress.begun

    @property
    def running(self) -> bool:
        """Whether moves are being judged."""
        return self._task is not None

    async def run(self, first: int) -> bool:
        """Judge one battle and then the others; return False if stopped before the end.

        Raises:
            EngineFault: an engine process fails.
        """
        if (progress := self.progress) is None:
            return False
        numbers = [first, *(number for number in progress.numbers if number != first)]
        progress.renew(*numbers)
        self._total = sum(len(battle.moves) for battle in self._record.battles)
        self._before = self._total - sum(len(progress.missing(n)) for n in numbers)
        self._judged = self._before
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
        """Stop judging; `run` returns once every process has ended."""
        if self._task:
            self._task.cancel()

    async def close(self) -> None:
        """Stop judging, and wait for every process to end."""
        if self._due:
            self._due.cancel()
        if task := self._task:
            await _ended(task)

    async def _judge(self, progress: Progress, numbers: Iterable[int]) -> None:
        def tell_now() -> None:
            self._due = None
            self._tell()

        def add(number: int, judged: Judged) -> None:
            progress.add(number, judged.ply, judged.judgement)
            if self._judged == self._before:
                self._since = monotonic()
            self._judged += 1
            if not self._due:
                self._due = asyncio.get_running_loop().call_later(_AT_A_TIME, tell_now)

        async with Analyst(processors()) as analyst:
            for number in numbers:
                if missing := progress.missing(number):
                    told = partial(add, number)
                    await judge_battle(self._record, number, missing, analyst, told)

    async def noted(self, latest: Callable[[], Record]) -> Record:
        """Return the record with all judgements, retrying if it is edited meanwhile.

        Args:
            latest: returns the current record.
        """
        while self.progress:
            record = latest()
            noted = await asyncio.to_thread(self.progress.noted, record)
            if record is latest():
                return noted
        return latest()

    # The judgements of a place

    def last_move(self, cursor: Cursor) -> Marked | None:
        """Return the judged move before a place, None in a variation."""
        if not self.progress or cursor.parent or not cursor.ply:
            return None
        return self.progress.at(cursor.number, cursor.ply - 1)

    def with_judgement(self, cursor: Cursor, told: list[str], key: str) -> list[str]:
        """Return the lines on a place, with the judgement of the move before it.

        Args:
            cursor: the place.
            told: the other lines on the place.
            key: the key that reviews and shows the summary.
        """
        variant, move = self._record.variant, self.last_move(cursor)
        if move and move.mark:
            reasons = filter(None, (wrong(variant, move), better(variant, move)))
            what = f"{move.mark.value} {capitalised(move.mark.word)}."
            told = [f"{what} {lost_in_words(variant, move)}", *reasons]
        elif move:
            after, expected = move.position.after(move.move), move.judgement.expected
            words = expected_in_words(variant, after, expected, move.quiet_after)
            told = [*told, f"Expected: {words}"]
        if move and variant.counts_points:
            told = [*told, *formation_in_words(variant, move.position.after(move.move))]
        if self.running:
            seconds = monotonic() - self._since
            done = how_far(self._judged, self._total, seconds, before=self._before)
            then = f"When all are, {key} shows the summary."
            told = [f"{bar(self._judged, self._total)} {done}. {then}", *told]
        if move and self.progress and cursor.number in self.progress.outdated:
            told = [*told, f"Judged by an earlier version of Thud: {key} judges anew."]
        return told

    def marks(self, number: int) -> dict[NodePath, Mark]:
        """Return the marks of a battle's mistakes, by their nodes in the move tree."""
        return {((), each.ply + 1): each.mark for each in self._mistakes(number) if each.mark}

    def sides_marked(self, number: int) -> dict[int, Side]:
        """Return the sides that made a battle's mistakes, by the number of moves played."""
        return {each.ply + 1: each.side for each in self._mistakes(number)}

    def dots(self, cursor: Cursor) -> dict[int, Mark]:
        """Return the marks on the line of a place, by the number of moves played."""
        until = cursor.parent.ply if cursor.parent else cursor.last
        return dots(each for each in self._mistakes(cursor.number) if each.ply < until)

    def _mistakes(self, number: int) -> tuple[Marked, ...]:
        return self.progress.reviewed(number).mistakes if self.progress else ()

    def expected(self, cursor: Cursor, largest: float) -> list[Band | None]:
        """Return the expected result with its band after each move up to a place, for its graph."""
        if not self.progress:
            return []
        expected = drawn(self.progress.reviewed(cursor.number), largest)
        return expected[: cursor.first] if cursor.parent else expected

    def knows_better(self, number: int) -> bool:
        """Whether a better move is known in place of any of a battle's."""
        moves = self.progress.reviewed(number).moves if self.progress else ()
        return any(each.judgement.best for each in moves)

    def better(self, cursor: Cursor) -> tuple[Move, ...]:
        """Return the best move instead of the one before a place, and its continuation."""
        move = self.last_move(cursor)
        if move is None or move.judgement.best is None:
            return ()
        return (move.judgement.best, *move.judgement.line)

    def drill(self, number: int, side: Side, name: str) -> Drill | None:
        """Return a drill of a side's mistakes in a battle, None if there are none."""
        if not self.progress:
            return None
        return mistakes_drill(self.progress.reviewed(number), side, name, so_far=self.running)


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end, even if the current one is cancelled, too."""
    task.cancel()
    await asyncio.wait([task])


def allowed_capture(variant: Variant, move: Marked) -> Threats | None:
    """Return the capture that a marked move allows, None if that is not its fault."""
    if move.fault is not Fault.HANGS or not move.judgement.reply:
        return None
    after = move.position.after(move.move)
    return threat_of(variant, after, move.judgement.reply[0])


def dots(mistakes: Iterable[Marked]) -> dict[int, Mark]:
    """Return the marks of mistakes and blunders, by the number of moves played.

    Dots for dubious moves would cover the graph of a long battle.
    """
    grave = (Mark.MISTAKE, Mark.BLUNDER)
    return {each.ply + 1: each.mark for each in mistakes if each.mark in grave}


def drawn(reviewed: Reviewed, largest: float) -> list[Band | None]:
    """Return the expected result after each move, on the scale of a graph of leads.

    Args:
        reviewed: the battle.
        largest: the graph's largest lead; the height of a won battle where no points count.
    """
    height = 1 if reviewed.variant.counts_points else largest
    return [each and Band(*(height * value for value in each)) for each in curve(reviewed)]
