"""Lessons, puzzles and mistakes in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence

from thud.exercises.drill import Drill, describe_with_reason
from thud.exercises.puzzles.book import id_in_book
from thud.plain.board import board_in_words
from thud.plain.lines import Lines
from thud.plain.loop import begun_runner
from thud.plain.repl import BoardRepl, Left
from thud.records.links import link_to_puzzle
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.session.commands import DRILL_COMMANDS
from thud.terminal.signals import held_signals
from thud.words.moves import described


class DrillRepl(BoardRepl):
    """A REPL of the current task.

    Args:
        drill: the drill.
        lines: output and input.
        runner: runs the judging of attempts.
    """

    commands = DRILL_COMMANDS

    def __init__(self, drill: Drill, lines: Lines, runner: asyncio.Runner) -> None:
        super().__init__(lines)
        self.drill = drill
        self.skipped = False
        """Whether to skip the rest of the drill."""
        self._runner = runner

    @property
    def unavailable(self) -> Collection[str]:
        """Skipping and giving up where every task is to be done; what does nothing here."""
        refused = [each for each in ("skip", "solution", "theme") if self.drill.why_not(each)]
        return {*super().unavailable, *refused, *(() if self.drill.ends else ("end",))}

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
        position = self.position.after(move) if move else self.position
        verdict = self._runner.run(self.drill.attempt(move))
        answers = verdict.answers
        self.say(verdict.words)
        if answers and described(self.variant, position, answers[0]) in verdict.words:
            position, answers = position.after(answers[0]), answers[1:]
        self.tell_moves(position, answers)
        if not verdict.right:
            self.say("Try again from the same position.")
        elif self.drill.proceed():
            self.begin()

    def tell_moves(self, position: Position, moves: Iterable[Move]) -> None:
        """Read out a sequence of moves, a line each."""
        for move in moves:
            self.say(f"Then: the {described(self.variant, position, move)}.")
            position = position.after(move)

    # Commands

    def _do_link(self, rest: str) -> None:
        if name := id_in_book(self.drill.task):
            self.say(link_to_puzzle(name))
        else:
            super()._do_link(rest)

    def _do_task(self, _: str) -> None:
        self.begin()

    def _do_hint(self, _: str) -> None:
        self.say(self.drill.hint().words)

    def _do_theme(self, _: str) -> None:
        self.say(self.drill.why_not("theme") or self.drill.tell_theme())

    def _do_skip(self, _: str) -> None:
        if because := self.drill.why_not("skip"):
            self.say(because)
        elif self.drill.skip():
            self.begin()
        else:
            self.skipped = True

    def _do_solution(self, _: str) -> None:
        drill = self.drill
        if because := drill.why_not("solution"):
            self.say(because)
            return
        task = drill.task
        first, *further = drill.give_up()
        self.say(f"The solution: {describe_with_reason(task, first)}")
        self.tell_moves(task.position.after(first), further)
        if drill.proceed():
            self.begin()

    def _do_end(self, _: str) -> None:
        self.make(None)


def run(drills: Iterator[Drill], lines: Lines) -> bool:
    """Go through drills; return False if left before the end."""
    with begun_runner() as runner:
        for drill in drills:
            repl = DrillRepl(drill, lines, runner)
            try:
                repl.begin()
                while not (drill.over or repl.skipped):
                    repl.obey(repl.ask(f"You have the {repl.position.to_move.plural}. Your move:"))
                if (drill.over or drill.tallied) and drill.last_words:
                    repl.say(*filter(None, drill.last_words.splitlines()))
            except Left:
                return False
            finally:
                with held_signals():
                    runner.run(drill.close())
    return True
