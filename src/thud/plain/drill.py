"""Lessons, puzzles and mistakes in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from thud.drill import Drill, Verdict, describe_with_reason
from thud.plain.lines import Lines
from thud.plain.loop import begun_runner
from thud.plain.repl import BOARD_COMMANDS, Left, Repl, TypedCommand, execute, help_with, leave
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.terminal.signals import held_signals
from thud.wording.board import board_in_words
from thud.wording.moves import described


class DrillRepl(Repl):
    """A REPL of the current task.

    Args:
        drill: the drill.
        lines: output and input.
        runner: runs the judging of attempts.
    """

    def __init__(self, drill: Drill, lines: Lines, runner: asyncio.Runner) -> None:
        super().__init__(lines)
        self.drill = drill
        self.skipped = False
        """Whether to skip the rest of the drill."""
        self._runner = runner

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.drill.task.variant

    @property
    def positions(self) -> Sequence[Position]:
        """The position of the task."""
        return (self.drill.task.position,)

    def begin(self) -> None:
        """Read out the task and the board."""
        drill, of = self.drill, len(self.drill.tasks)
        number = f", {drill.place + 1} of {of}" if of > 1 else ""
        self.say("", f"{drill.title}{number}.", drill.task.words)
        self.say(*board_in_words(self.variant, self.position, flipped=self.flipped))

    def make(self, move: Move | None) -> None:
        """Try a legal move, or with None to propose the end."""
        self._tell(move, self._runner.run(self.drill.attempt(move)))

    def _tell(self, move: Move | None, verdict: Verdict) -> None:
        position = self.position.after(move) if move else self.position
        answers = verdict.answers
        self.say(verdict.words)
        if answers and described(self.variant, position, answers[0]) in verdict.words:
            position, answers = position.after(answers[0]), answers[1:]
        self.tell_moves("Then", position, answers)
        if not verdict.right:
            self.say("Try again from the same position.")
        elif self.drill.proceed():
            self.begin()

    def tell_moves(self, first: str, position: Position, moves: Iterable[Move]) -> None:
        """Read out a sequence of moves, a line each."""
        for move in moves:
            self.say(f"{first}: the {described(self.variant, position, move)}.")
            position, first = position.after(move), "Then"

    @property
    def question(self) -> str:
        """The prompt for a move."""
        return f"You have the {self.position.to_move.plural}. Your move:"


def run(drills: Iterator[Drill], lines: Lines) -> bool:
    """Go through drills; return False if left before the end."""
    with begun_runner() as runner:
        for drill in drills:
            try:
                _go_through(DrillRepl(drill, lines, runner))
            except Left:
                return False
            finally:
                with held_signals():
                    runner.run(drill.close())
    return True


def _go_through(repl: DrillRepl) -> None:
    repl.begin()
    while not (repl.drill.over or repl.skipped):
        execute(repl, repl.ask(repl.question), DRILL_COMMANDS)
    if repl.drill.over and repl.drill.farewell:
        repl.say(repl.drill.farewell)


def _help(repl: DrillRepl, _: str) -> None:
    help_with(repl, DRILL_COMMANDS)


def _task(repl: DrillRepl, _: str) -> None:
    repl.begin()


def _hint(repl: DrillRepl, _: str) -> None:
    repl.say(repl.drill.hint().words)


def _end(repl: DrillRepl, _: str) -> None:
    repl.make(None)


def _skip(repl: DrillRepl, _: str) -> None:
    if not repl.drill.skips:
        repl.say("Do this task before the next.")
    elif repl.drill.skip():
        repl.begin()
    else:
        repl.skipped = True


def _solution(repl: DrillRepl, _: str) -> None:
    if not repl.drill.skips:
        repl.say("There is no solution to show. Ask for a hint.")
        return
    task = repl.drill.task
    first, *further = repl.drill.give_up()
    repl.say(f"The solution: {describe_with_reason(task, first)}")
    repl.tell_moves("Then", task.position.after(first), further)
    if repl.drill.proceed():
        repl.begin()


DRILL_COMMANDS: Final[Mapping[str, TypedCommand[DrillRepl]]] = {
    "help": TypedCommand(_help, "help, or ?", "this"),
    "task": TypedCommand(_task, "task", "repeat the task"),
    "hint": TypedCommand(_hint, "hint", "which piece to look at; a second time, the move"),
    "skip": TypedCommand(_skip, "skip", "go on to the next puzzle or mistake"),
    "solution": TypedCommand(_solution, "solution", "show the solution of a puzzle or a mistake"),
    "end": TypedCommand(_end, "end", "propose the end of the battle"),
    **BOARD_COMMANDS,
    "quit": TypedCommand(leave, "quit", "leave; your progress is saved"),
}
