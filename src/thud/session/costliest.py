"""What a player can learn from a battle or a match: the move that cost the most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.records.record import Record
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import accuracy_of, better, lost_in_words
from thud.review.summary import Marked, Progress, effort_of
from thud.rules.match import commander_of
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.tactics import captured_worth
from thud.text import plural

_Place: TypeAlias = tuple[int, int]
"""A battle's number from 1, and a ply from 0."""


class LookBack:
    """The search for a player's costliest move; a review goes on from its judgements.

    The moves are judged in the order of the points that the reply captured, less their own.

    Args:
        record: the match, whose last battle is over; moves judged in its comments are not judged
            again.
        player: the player.

    Attributes:
        progress: the judgements.
    """

    def __init__(self, record: Record, player: int) -> None:
        self._record = record
        self.progress = Progress(record)
        self.progress.renew(*self.progress.numbers)
        lost: dict[_Place, int] = {}
        for number, battle in enumerate(record.battles, 1):
            side = next(side for side in Side if commander_of(side, number) == player)
            made = zip(battle.positions(), battle.moves, strict=False)
            taken = [captured_worth(record.variant, *each) for each in made]
            for ply, before in enumerate(battle.positions()):
                if before.to_move is side and ply < len(taken):
                    lost[number, ply] = sum(taken[ply + 1 : ply + 2]) - taken[ply]
        self._own = sorted(lost, key=lambda place: -lost[place])

    @property
    def moves(self) -> int:
        """Number of the player's moves."""
        return len(self._own)

    @property
    def missing(self) -> int:
        """Number of them still to be judged."""
        return sum(self.progress.at(*each) is None for each in self._own)

    async def judge(self, seconds: float, tell: Callable[[], None]) -> None:
        """Judge the moves that are not judged yet, as far as there is time.

        Args:
            seconds: the longest search; what it leaves is for a review.
            tell: called after each.

        Raises:
            EngineFault: the engine does not answer as it should.
        """

        def add(number: int, judged: Judged) -> None:
            self.progress.add(number, *judged)
            tell()

        missing = [each for each in self._own if self.progress.at(*each) is None]
        together = processors() + 2  # so that none is idle
        async with Analyst(processors()) as analyst:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    for begin in range(0, len(missing), together):
                        some = missing[begin : begin + together]
                        for number in dict.fromkeys(number for number, _ in some):
                            plies = [ply for where, ply in some if where == number]
                            told = partial(add, number)
                            await judge_battle(self._record, number, plies, analyst, told)

    def report(self) -> str:
        """Say how far the search is, and what it has found so far."""
        judged = f"{self.moves - self.missing} of {self.moves} {plural(self.moves, 'move')} judged"
        if found := self._worst:
            cost = lost_in_words(self._record.variant, found[1])
            return f"Your costliest move so far: {self._text(*found)}. {cost} {judged}."
        return f"Looking for your costliest move: {judged}."

    def found(self) -> str:
        """Say which move cost the most, and what was better."""
        found, rest = self._worst, self.missing
        if found is None and rest:
            return "No mistake found among your moves so far. The review judges the rest."
        if found is None:
            return "The review finds no mistake among your moves."
        variant, worst = self._record.variant, found[1]
        cost = lost_in_words(variant, worst)
        whose = f"Your costliest move{f' of {self.moves - rest} judged' if rest else ''}"
        told = f"{whose}: {self._text(*found)}. {cost}"
        others = "The review judges the others." if rest else ""
        return " ".join(filter(None, (told, better(variant, worst), others)))

    def accuracy(self) -> str:
        """Say how accurate the player's moves were; empty unless all are judged."""
        if self.missing:
            return ""
        variant, judged = self._record.variant, [self.progress.at(*each) for each in self._own]
        return accuracy_of(variant, effort_of(variant, [*filter(None, judged)]))

    @property
    def _worst(self) -> tuple[int, Marked] | None:
        """The marked move that cost the most, with its battle's number."""
        moves = ((number, self.progress.at(number, ply)) for number, ply in sorted(self._own))
        marked = [(number, move) for number, move in moves if move and move.mark]
        return max(marked, key=lambda each: each[1].cost, default=None)

    def _text(self, number: int, move: Marked) -> str:
        turn = self._record.battles[number - 1].turn(move.ply)
        where = f", in battle {number}" if len(self._record.battles) > 1 else ""
        return f"turn {turn}, {move_text(move.position, move.move)}{where}"
