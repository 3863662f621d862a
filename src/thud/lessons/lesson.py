"""Lessons and their tasks, as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from thud.drills.drill import Drill, Effort
from thud.drills.task import Verdict
from thud.lessons.goal import Condition, Deed
from thud.rules.geometry import listed
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.wording.moves import described


class LessonTask(NamedTuple):
    """One small task; it is a `thud.drills.task.Task`.

    Attributes:
        variant: the game.
        position: where it is to be done.
        words: what is to be done.
        goal: whether a move does it; None where the end is to be proposed.
        wanted: what was wanted, said of what misses it.
        done: what is said when it is done; nothing says what the move did.
        solution: a move that does it, None where the end is to be proposed.
        answer: the other side's move that is shown then, where it is legal.
        punished: what misses is answered by the capture that takes most, if there is one.
    """

    variant: Variant
    position: Position
    words: str
    goal: Condition | None
    wanted: str
    done: str = ""
    solution: Move | None = None
    answer: Move | None = None
    punished: bool = False

    def judge(self, move: Move | None) -> Verdict:
        """Judge a legal move, or the proposal to end the battle, which is None."""
        if move is None:
            return self._judge_end()
        did = f"The {described(self.variant, self.position, move)}."
        if self.goal and self.goal(Deed(self.variant, self.position, move)):
            return Verdict(True, self.done or did, self._answer(move))
        answers = self._punishment(move)
        taken = "".join(f" The answer takes {listed(each.captures)}." for each in answers)
        return Verdict(False, f"{did}{taken} {self.wanted}", answers)

    def _judge_end(self) -> Verdict:
        if self.goal is None:
            return Verdict(True, self.done)
        return Verdict(False, f"It is too early to end this. {self.wanted}")

    def _answer(self, move: Move) -> tuple[Move, ...]:
        after = self.position.after(move)
        legal = self.answer and self.variant.is_legal(after, self.answer)
        return (self.answer,) if self.answer and legal else ()

    def _punishment(self, move: Move) -> tuple[Move, ...]:
        """Return the other side's capture that takes most, if the task has any and there is one."""
        replies = self.variant.legal_moves(self.position.after(move)) if self.punished else []
        worst = max(replies, key=lambda reply: reply.captures.bit_count(), default=None)
        return (worst,) if worst and worst.captures else ()


class Lesson(NamedTuple):
    """One idea, in a few tasks."""

    name: str
    """The word for it on a command line."""

    title: str
    chapter: str
    tasks: Sequence[LessonTask]
    farewell: str = ""
    """What is said when all is done."""

    battle: str = ""
    """The computer that the lesson ends in a battle against, such as `cpu:1`, if it does."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.tasks[0].variant

    def drill(self, done: Callable[[], None]) -> Drill:
        """Return the lesson to be gone through; `done` is called at its end."""

        def told(_: Sequence[Effort]) -> None:
            done()

        return Drill(self.title, self.tasks, told, self.farewell)
