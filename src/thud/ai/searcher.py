"""The contract of a search, in moves of the rules.

Whoever plays decides by what a searcher has found, and does not see how: one may search in a
language of its own, or compiled, or through the rules alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import Score
from thud.rules.position import Move, Position


class Ranked(NamedTuple):
    """A move and its score."""

    move: Move
    score: Score
    """As `Thought.score` has it: in hundredths of a point, or a goal."""
    worth: Score
    """The same in the searcher's own measure, by which it chose; a troll is some hundreds."""


class Found(NamedTuple):
    """The result of a search of the current position."""

    thought: Thought
    """What was told last: depth, score, nodes, seconds, and the line, which is never empty."""
    ranked: tuple[Ranked, ...]
    """Every move considered in the position, each once, as the last full round left them: the
    best first, each of the others at most as good as it says."""
    standing: Score
    """What stands on the board now, in the measure of `Thought.score`: what is expected on top is
    to be gained."""
    sure: bool
    """Whether it has looked so deep that it would have seen something coming."""

    @property
    def move(self) -> Move:
        """The best move."""
        return self.thought.line[0]


class Searcher(Protocol):
    """Searches one variant, for either side."""

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
    ) -> Found:
        """Search the position now, until a limit is reached or it is told to stop.

        What is found depends on the battle, the limits and the searcher's seed alone, not on what
        it was asked before.

        Args:
            positions: the battle so far, the position now as its last; it has a legal move.
            limits: how long to think; with none it goes on until it is told to stop, or until
                there is nothing more to find.
            stop: asked often; ends the search when it returns True.
            report: is told of every better move and every new depth.
            without: moves that are not considered now; there is another one.
        """


def since_capture(positions: Sequence[Position]) -> Sequence[Position]:
    """Return the last positions of a battle that have as many pieces as the position now."""
    dwarfs, trolls = positions[-1][:2]
    pieces = dwarfs.bit_count(), trolls.bit_count()
    first = len(positions) - 1
    while first and pieces == tuple(mask.bit_count() for mask in positions[first - 1][:2]):
        first -= 1
    return positions[first:]
