"""The interface of a task, and a sequence of tasks.

A task is a position, an instruction, and a verdict on each attempt.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Protocol

from thud.rules.geometry import Square, square_name
from thud.rules.notation import texts_of
from thud.rules.position import Move, Position
from thud.rules.tactics import wins_in_two
from thud.rules.variant import Gain, IllegalMove, Variant
from thud.text import counted, sentence, spelled
from thud.words.moves import advised, piece_at
from thud.words.remarks import merits


class Verdict(NamedTuple):
    """The verdict on an attempt."""

    right: bool
    words: str
    """What the move did and, if wrong, what was wanted: a few sentences."""
    answers: tuple[Move, ...] = ()
    """Moves to show next, beginning with the other side's."""
    miss: bool = True
    """Whether it counts as a miss, if wrong."""


class Task(Protocol):
    """An exercise for the side to move."""

    @property
    def variant(self) -> Variant:
        """The game."""

    @property
    def position(self) -> Position:
        """Its position."""

    @property
    def words(self) -> str:
        """The instruction, in one to three sentences."""

    @property
    def solution(self) -> Move | None:
        """A right move, for a hint; None if the end has to be proposed."""

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution to show: moves of both sides in turn."""

    @property
    def played(self) -> Move | None:
        """The move that was played, if it is a mistake."""

    async def judge(self, move: Move | None) -> Verdict:
        """Judge a legal move, or None, the proposal to end the battle."""


END_HINT: Final = "Propose to end the battle."


class Attempts(NamedTuple):
    """Number of wrong attempts and of hints for a task, and whether its solution was shown."""

    misses: int = 0
    hints: int = 0
    shown: bool = False

    @property
    def clean(self) -> bool:
        """Whether the first attempt was right, without a hint."""
        return not (self.misses or self.hints or self.shown)


class Hint(NamedTuple):
    """A hint: its text, the square it points at, and the move if shown."""

    words: str
    square: Square | None = None
    move: Move | None = None


class Drill:
    """A sequence of tasks, each repeated until done; close it at the end.

    Args:
        title: its title.
        tasks: the tasks, at least one.
        done: called with the attempts at all tasks together when they are done.
        farewell: the message then.
        keys: keys to use, for an interface with keys.
        skips: whether tasks may be skipped, and their solutions shown.
        linked: whether each task follows from the one before, so that they are skipped together.
        slow: whether judging an attempt may take seconds.
        release: closes whatever judges the tasks.
        theme: what it is about, told at the end or on demand.
        followed: whether others of the day are to be done after it.
        tallied: whether the end tells how many were found, also if the last is skipped.

    Attributes:
        place: the current task's index.
        efforts: attempts at each task so far.
    """

    def __init__(
        self,
        title: str,
        tasks: Sequence[Task],
        done: Callable[[Attempts], None] = lambda _: None,
        farewell: str = "",
        *,
        keys: str = "",
        skips: bool = False,
        linked: bool = False,
        slow: bool = False,
        release: Callable[[], Awaitable[None]] | None = None,
        theme: str = "",
        followed: bool = False,
        tallied: bool = False,
    ) -> None:
        self.title = title
        self.tasks = tasks
        self.farewell = farewell
        self.keys = keys
        self.place = 0
        self.skips = skips
        self._linked = linked
        self.slow = slow
        self._done = done
        self.answered: Callable[[Task, Attempts], object] = lambda task, effort: None
        """Called once each task is solved or given up, with the attempts at it."""
        self._release = release
        self.efforts = [Attempts()] * len(tasks)
        self.theme = theme
        self.followed = followed
        self.tallied = tallied
        self._found = set[int]()
        """The tasks that were solved, by their places."""
        self._solved = self._pointed = False

    @property
    def task(self) -> Task:
        """The current task."""
        return self.tasks[self.place]

    @property
    def effort(self) -> Attempts:
        """The attempts at all tasks together."""
        misses, hints, shown = zip(*self.efforts, strict=True)
        return Attempts(sum(misses), sum(hints), any(shown))

    @property
    def ends(self) -> bool:
        """Whether proposing the end does one of the tasks."""
        return any(task.solution is None for task in self.tasks)

    def why_not(self, what: str) -> str:
        """Return why skipping, the solution or the theme is not to be had here; else empty."""
        told = {}
        if not self.skips:
            told["skip"] = "Do this task before the next."
            told["solution"] = "There is no solution to show. Ask for a hint."
        if not self.theme:
            told["theme"] = "No theme is told here."
        return told.get(what, "")

    @property
    def over(self) -> bool:
        """Whether the last task is done."""
        return self._solved and self.place == len(self.tasks) - 1

    @property
    def last_words(self) -> str:
        """What is told at the end: its theme, how many were found, and its farewell."""
        about = f"Its theme: {self.theme}." if self.theme else ""
        tally = self._tally() if self.tallied else ""
        return " ".join(filter(None, (about, tally, self.farewell)))

    def _tally(self) -> str:
        """Say how many tasks were found at the first try, and what came of the others."""
        of = len(self.tasks)
        found = [each for place, each in enumerate(self.efforts) if place in self._found]
        shown = sum(each.shown for each in self.efforts)
        rest = {
            "with a hint": sum(not each.misses and each.hints > 0 for each in found),
            "at a later try": sum(each.misses > 0 for each in found),
            "shown": shown,
            "skipped": of - len(found) - shown,
        }
        told = [f"{spelled(number)} {words}" for words, number in rest.items() if number]
        first = sum(each.clean for each in found)
        return sentence(", ".join([f"{first} of {of} found at the first try", *told]))

    async def attempt(self, move: Move | None) -> Verdict:
        """Try a legal move at the current task, or None to propose the end.

        Raises:
            IllegalMove: the end was proposed in a drill that only moves can do; it is not counted.
        """
        if move is None and not self.ends:
            raise IllegalMove("find a move: to propose the end does nothing here")
        verdict = await self.task.judge(move)
        self.count(verdict)
        return verdict

    def count(self, verdict: Verdict) -> None:
        """Count an attempt at the current task, by its verdict."""
        if self._solved:
            return
        if verdict.right:
            self._solved = True
            self._found.add(self.place)
            self.answered(self.task, self.efforts[self.place])
            self._finish()
        elif verdict.miss:
            self._note(misses=1)

    def hint(self) -> Hint:
        """Point at a piece; when asked again, show the move."""
        task, asked = self.task, self._pointed
        self._pointed = True
        if not self._solved:
            self._note(hints=1)
        move = task.solution
        if move is None:
            return Hint(END_HINT)
        if asked:
            return Hint(f"This does it: {describe_with_reason(task, move)}", move.origin, move)
        piece = piece_at(task.position, move.origin, task.variant.stone)
        return Hint(f"Look at the {piece} on {square_name(move.origin)}.", move.origin)

    def tell_theme(self) -> str:
        """Say what it is about, which counts as a hint."""
        if not self._solved:
            self._note(hints=1)
        return f"Look for this: {self.theme}."

    def proceed(self) -> bool:
        """Go on to the next task if this one is done; return whether there was one."""
        if not self._solved or self.over:
            return False
        self.place += 1
        self._solved = self._pointed = False
        return True

    def skip(self) -> bool:
        """Skip the current task; return whether there was another one."""
        if not self.skips or self._linked or self.place == len(self.tasks) - 1:
            return False
        self.place += 1
        self._solved = self._pointed = False
        return True

    def give_up(self) -> tuple[Move, ...]:
        """Give up the current task, and all linked with it; return the solution."""
        line = self.task.line
        if not self._solved:
            effort = self.efforts[self.place]._replace(shown=True)
            self.efforts[self.place] = effort
            self.answered(self.task, effort)
            if self._linked:
                self.place = len(self.tasks) - 1
            self._solved = True
            self._finish()
        return line

    async def close(self) -> None:
        """Close whatever judges the tasks."""
        if self._release:
            await self._release()

    def _note(self, misses: int = 0, hints: int = 0) -> None:
        before = self.efforts[self.place]
        self.efforts[self.place] = before._replace(
            misses=before.misses + misses, hints=before.hints + hints
        )

    def _finish(self) -> None:
        if self.over:
            self._done(self.effort)


def describe_with_reason(task: Task, move: Move) -> str:
    """Advise a right move, and say what it gains, beginning within a sentence."""
    variant, position = task.variant, task.position
    gained = _wins_later(task, move) or merits(variant, position, move, known=(Gain.TAKES,))
    return f"{advised(variant, position, move)}. {gained}".rstrip()


def _wins_later(task: Task, move: Move) -> str:
    """Say in how many moves a task's move wins, or its line; empty if neither, or at once."""
    variant, position, line = task.variant, task.position, task.line
    if len(line) < 2 or line[0] != move:
        return ""
    if wins_in_two(variant, position, move):
        return "It wins in two moves."
    for each in line:
        position = position.after(each)
    outcome = variant.outcome(position)
    if outcome is None or outcome.winner is not task.position.to_move:
        return ""
    then = " ".join(texts_of(task.position.after(move), line[1:]))
    return f"If the battle goes on with {then}, it wins in {counted((len(line) + 1) // 2, 'move')}."
