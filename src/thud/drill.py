"""The contract of a task, and a sequence of tasks.

A task is a position, what is to be done there, and a verdict on what is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol

from thud.rules.geometry import Square, square_name
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.wording.moves import described
from thud.wording.pieces import piece_at


class Verdict(NamedTuple):
    """The verdict on an attempt."""

    right: bool
    words: str
    """What the move did, and where it is not right, what was wanted: a few sentences."""
    answers: tuple[Move, ...] = ()
    """The moves that are shown then, the other side's first; both sides in turn."""


class Task(Protocol):
    """Something to be done by the side to move."""

    @property
    def variant(self) -> Variant:
        """The game."""

    @property
    def position(self) -> Position:
        """Where it is to be done."""

    @property
    def words(self) -> str:
        """What is to be done, in one to three sentences."""

    @property
    def solution(self) -> Move | None:
        """A move that does it, for a hint; None where the end is to be proposed."""

    @property
    def line(self) -> tuple[Move, ...]:
        """What is shown as the solution: moves of both sides in turn."""

    async def judge(self, move: Move | None) -> Verdict:
        """Judge a legal move, or the proposal to end the battle, which is None."""


END_HINT: Final = "Propose the end."


class Attempts(NamedTuple):
    """The wrong attempts and hints that a task took."""

    misses: int = 0
    hints: int = 0

    @property
    def clean(self) -> bool:
        """Whether the first attempt was right, without a hint."""
        return not (self.misses or self.hints)


class Hint(NamedTuple):
    """A hint: its words, the piece it points at, and the move if it shows that."""

    words: str
    square: Square | None = None
    move: Move | None = None


class Drill:
    """A sequence of tasks, each repeated until done; close it at the end.

    Args:
        title: what the whole is called.
        tasks: what is to be done, one or more.
        done: is told the efforts, a task each, once all tasks are done.
        farewell: what is said then.
        keys: which keys to use, where there are keys.
        skips: whether a task may be skipped, and its solution shown.
        linked: whether each task follows from the one before, so that only all are skipped.
        slow: whether to judge an attempt may take seconds.
        release: ends what judges the tasks, if that has to be ended.

    Attributes:
        place: the number of tasks before the one at hand.
        gave_up: whether a solution was shown.
    """

    def __init__(
        self,
        title: str,
        tasks: Sequence[Task],
        done: Callable[[Sequence[Attempts]], None] = lambda _: None,
        farewell: str = "",
        *,
        keys: str = "",
        skips: bool = False,
        linked: bool = False,
        slow: bool = False,
        release: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.title = title
        self.tasks = tasks
        self.farewell = farewell
        self.keys = keys
        self.place = 0
        self.skips = skips
        self.gave_up = False
        self._linked = linked
        self.slow = slow
        self._done = done
        self._release = release
        self._efforts = [Attempts()] * len(tasks)
        self._solved = False

    @property
    def task(self) -> Task:
        """The task at hand."""
        return self.tasks[self.place]

    @property
    def efforts(self) -> Sequence[Attempts]:
        """Attempts at each task so far."""
        return self._efforts

    @property
    def over(self) -> bool:
        """Whether the last task has been done."""
        return self._solved and self.place == len(self.tasks) - 1

    async def attempt(self, move: Move | None) -> Verdict:
        """Try a legal move at the task at hand, or with None to propose the end."""
        verdict = await self.task.judge(move)
        self.count(verdict)
        return verdict

    def count(self, verdict: Verdict) -> None:
        """Count what was judged of an attempt at the task at hand."""
        if self._solved:
            return
        if verdict.right:
            self._solved = True
            self._finish()
        else:
            self._note(misses=1)

    def hint(self) -> Hint:
        """Point at a piece, and when asked again show the move."""
        asked = self._efforts[self.place].hints
        if not self._solved:
            self._note(hints=1)
        return _hint(self.task, again=asked > 0)

    def proceed(self) -> bool:
        """Go on to the next task once this one is done; say whether there was one."""
        if not self._solved or self.over:
            return False
        self.place += 1
        self._solved = False
        return True

    def skip(self) -> bool:
        """Skip the task at hand; say whether there was another one to go on to."""
        if not self.skips or self._linked or self.place == len(self.tasks) - 1:
            return False
        self.place += 1
        self._solved = False
        return True

    def give_up(self) -> tuple[Move, ...]:
        """Give the task at hand up, and all that are linked with it; return the solution."""
        line = self.task.line
        if not self._solved:
            self.gave_up = True
            if self._linked:
                self.place = len(self.tasks) - 1
            self._solved = True
            self._finish()
        return line

    async def close(self) -> None:
        """Judge no more."""
        if self._release:
            await self._release()

    def _note(self, misses: int = 0, hints: int = 0) -> None:
        before = self._efforts[self.place]
        self._efforts[self.place] = Attempts(before.misses + misses, before.hints + hints)

    def _finish(self) -> None:
        if self.over:
            self._done(self._efforts)


def _hint(task: Task, *, again: bool) -> Hint:
    move = task.solution
    if move is None:
        return Hint(END_HINT)
    if again:
        shown = described(task.variant, task.position, move)
        return Hint(f"This does it: the {shown}.", move.origin, move)
    piece = piece_at(task.position, move.origin, task.variant.stone)
    return Hint(f"Look at the {piece} on {square_name(move.origin)}.", move.origin)
