"""The contract of a computer player: limits, thoughts, decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from thud.namedtuple import NamedTuple
from thud.rules.position import Move, Position, Side


class Limits(NamedTuple):
    """Limits of a search; the first one reached ends it, None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


class Thought(NamedTuple):
    """What a search has found so far, from the view of the player to move."""

    depth: int
    """Moves looked ahead in full."""
    score: int
    """Hundredths of a point that the player to move expects to be ahead in the end (Classic), or
    how well it stands in the same measure where a goal decides (Koom Valley)."""
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    """The moves expected, the best one first."""
    goal_in: int | None = None
    """Moves until the goal is reached; below 0: by the opponent."""
    rank: int = 1
    """Which of the lines that are asked for this is: 1 is the best."""

    @property
    def by(self) -> str:
        """By how many points somebody is expected to be ahead, as it is told: `"1.5"`."""
        return f"{abs(self.score) / 100:.1f}"

    def ahead(self, to_move: Side) -> Side | None:
        """Return who is expected to be ahead, or to reach the goal, as far as that is told.

        None is neither: where nobody is ahead by a tenth of a point, nobody is said to be.

        Args:
            to_move: the side whose move it is, which thinks this.
        """
        expects = self.score if self.goal_in is None else self.goal_in
        if self.goal_in is None and self.by == "0.0":
            return None
        return to_move if expects > 0 else to_move.other


class Decision(NamedTuple):
    """A move, the thought behind it, and whether the player would rather end the battle."""

    move: Move
    thought: Thought | None = None
    ends: bool = False
    """The player proposes to end the battle, and agrees if the opponent proposes it."""


Stop: TypeAlias = Callable[[], bool]
"""Asked often during a search; once it returns True the player decides at once."""

Report: TypeAlias = Callable[[Thought], None]
"""Told whenever a search has found something new."""


class Player(Protocol):
    """A computer player of one variant."""

    @property
    def name(self) -> str:
        """The player's name at the board."""

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide on a move for the side to move.

        Args:
            positions: the battle so far, the position now as its last; it has a legal move.
            limits: how long to think, on top of what the player allows itself.
            stop: ends the thinking when it returns True.
            report: is told what the search finds on its way.

        Returns:
            A legal move, always.
        """
