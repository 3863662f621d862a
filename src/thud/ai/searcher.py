"""The interface of a search, in moves of the rules.

Players use a searcher's results, not its workings: it may be compiled, or use the rules alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.scores import Score
from thud.rules.position import Move, Position


class Found(NamedTuple):
    """A search's result."""

    thought: Thought
    """The last thought; its line is never empty."""
    standing: Score
    """The present position's value on the scale of `Thought.score`; the rest of a score is expected
    gain."""
    sure: bool
    """Whether it searched deep enough to be reliable."""

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
        lines: int = 1,
    ) -> Found:
        """Search the last position until a limit is reached or `stop`.

        The result depends only on the battle, the limits and the searcher's seed, not on earlier
        searches.

        Args:
            positions: the battle so far; the last position is the present one, with a legal move.
            limits: how long to think; without any, until `stop` or until the search is exhausted.
            stop: polled often; True ends the search.
            report: called for every better move and every new depth; with several lines, for each
                line of every depth, by rank.
            without: moves to leave out; at least one other must be legal.
            lines: how many of the best moves to report ("MultiPV").
        """


def since_capture(positions: Sequence[Position]) -> Sequence[Position]:
    """Return the positions since the last capture, those with as many pieces as the last one."""
    dwarfs, trolls = positions[-1][:2]
    pieces = dwarfs.bit_count(), trolls.bit_count()
    first = len(positions) - 1
    while first and pieces == tuple(mask.bit_count() for mask in positions[first - 1][:2]):
        first -= 1
    return positions[first:]
