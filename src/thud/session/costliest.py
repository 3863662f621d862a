"""What a player can learn from a battle or a match: the move that cost the most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final, TypeAlias

from thud.ai.player import Limits
from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.records.record import Record
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import accuracy_of, lost_in_words
from thud.review.summary import Marked, Progress, effort_of
from thud.rules.match import commander_of
from thud.rules.notation import move_text
from thud.text import plural

_Place: TypeAlias = tuple[int, int]
"""A battle's number from 1, and a ply from 0."""


_GLANCE: Final = Limits(seconds=1.0, nodes=2_000)
"""Limits of the searches that say which moves to judge first."""


class LookBack:
    """The search for a player's costliest move; a review goes on from its judgements.

    All moves are glanced at first, and then judged, those first that seemed to cost the most.

    Args:
        record: the match, whose last battle is over; moves judged in its comments are not judged
            again.
        player: the player.

    Attributes:
        progress: the judgements.
    """

    def __init__(self, record: Record, player: int) -> None:
        self._record = record
        self.progress, self._glances = Progress(record), Progress(record)
        self.progress.renew(*self.progress.numbers)
        self._own: list[_Place] = []
        for number, battle in enumerate(record.battles, 1):
            made = zip(battle.positions(), battle.moves, strict=False)
            for ply, (before, _) in enumerate(made):
                if commander_of(before.to_move, number) == player:
                    self._own.append((number, ply))

    @property
    def moves(self) -> int:
        """Number of the player's moves."""
        return len(self._own)

    @property
    def missing(self) -> int:
        """Number of them still to be judged."""
        return len(self._missing)

    @property
    def _missing(self) -> list[_Place]:
        return [each for each in self._own if self.progress.at(*each) is None]

    @property
    def costliest(self) -> _Place | None:
        """The place of the costliest move found so far, None without any."""
        return (self._worst[0], self._worst[1].ply) if self._worst else None

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

        def glance(number: int, judged: Judged) -> None:
            self._glances.add(number, *judged)

        together = processors() + 2  # so that none is idle
        async with Analyst(processors()) as analyst:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._judge(self._missing, analyst, glance, _GLANCE)
                    missing = sorted(self._missing, key=self._seemed, reverse=True)
                    for begin in range(0, len(missing), together):
                        await self._judge(missing[begin : begin + together], analyst, add)

    async def _judge(
        self,
        places: Sequence[_Place],
        analyst: Analyst,
        tell: Callable[[int, Judged], None],
        limits: Limits | None = None,
    ) -> None:
        for number in dict.fromkeys(number for number, _ in places):
            plies = [ply for where, ply in places if where == number]
            told = partial(tell, number)
            await judge_battle(self._record, number, plies, analyst, told, limits=limits)

    def _seemed(self, place: _Place) -> float:
        """Return what a move seemed to cost at a glance; it may be anything before."""
        seen = self._glances.at(*place)
        return seen.cost if seen else inf

    def report(self) -> str:
        """Say how far the search is, and what it has found once that will hardly change."""
        found = self._worst
        judged = f"{self.moves - self.missing} of {self.moves} {plural(self.moves, 'move')} judged."
        if found and found[1].cost >= max(map(self._seemed, self._missing), default=0):
            return f"Your costliest move: {self._text(*found)} {judged}"
        return f"Looking for your costliest move: {judged}"

    def found(self) -> str:
        """Say which move cost the most, and what was better."""
        found, rest = self._worst, self.missing
        if found is None and rest:
            return "No mistake found among your moves so far. The review judges the rest."
        if found is None:
            return "The review finds no mistake among your moves."
        whose = f"Your costliest move{f' of {self.moves - rest} judged' if rest else ''}"
        others = " The review judges the others." if rest else ""
        return f"{whose}: {self._text(*found)}{others}"

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
        """Say where a move was, what it cost, and what was better."""
        turn, best = self._record.battles[number - 1].turn(move.ply), move.judgement.best
        where = f", in battle {number}" if len(self._record.battles) > 1 else ""
        instead = f" Better: {move_text(move.position, best)}." if best else ""
        told = f"turn {turn}, {move_text(move.position, move.move)}{where}."
        return f"{told} {lost_in_words(self._record.variant, move)}{instead}"
