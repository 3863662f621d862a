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
