"""The interface of a computer player: limits, thoughts, decisions, and when a battle is calm."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from thud.rules.position import Move, Position, Side


class Limits(NamedTuple):
    """Limits of a search; the first one reached ends it, None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


class Thought(NamedTuple):
    """A search's result so far, from the view of the player to move."""

    depth: int
    """Search depth completed, in moves."""
    score: int
    """Expected final margin of the player to move, in hundredths of a point (Classic), or an
    evaluation on the same scale where a goal decides (Koom Valley)."""
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    """The principal variation, beginning with the best move."""
    goal_in: int | None = None
    """Moves until a goal is reached; negative if by the opponent."""
    rank: int = 1
    """Rank among several lines, from 1."""

    @property
    def by(self) -> str:
        """The expected lead in points, as text, such as `"1.5"`."""
        return f"{abs(self.score) / 100:.1f}"

    def ahead(self, to_move: Side) -> Side | None:
        """Return the side expected to be ahead, or to reach the goal.

        None if neither is ahead by a tenth of a point.

        Args:
            to_move: the side whose thought this is.
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
"""Polled often during a search; once it returns True the player decides at once."""

Report: TypeAlias = Callable[[Thought], None]
"""Called with each new thought of a search."""


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
            positions: the battle so far; the last position is the present one, with a legal move.
            limits: how long to think, in addition to the player's own limits.
            stop: ends the search when it returns True.
            report: called with each thought during the search.

        Returns:
            A legal move, always.
        """


CALM: Final = 40
"""Moves without a capture, of both sides, after which a battle is calm."""

RETURNS: Final = 3
"""How often a position comes up until a battle is calm, since the last capture."""


def is_calm(positions: Sequence[Position]) -> bool:
    """Whether little can be expected of a battle any more: it is time to propose the end.

    Nothing has been captured for long, or a position has come back again and again.
    """
    return quiet_moves(positions) >= CALM or keeps_coming(positions)


def keeps_coming(positions: Sequence[Position]) -> bool:
    """Whether a position has come up again and again since the last capture."""
    return max(Counter(since_capture(positions)).values()) >= RETURNS


def quiet_moves(positions: Sequence[Position]) -> int:
    """Return how many moves were played since the last capture."""
    return len(since_capture(positions)) - 1


def since_capture(positions: Sequence[Position]) -> Sequence[Position]:
    """Return the positions since the last capture, those with as many pieces as the last one."""
    dwarfs, trolls = positions[-1][:2]
    pieces = dwarfs.bit_count(), trolls.bit_count()
    first = len(positions) - 1
    while first and pieces == tuple(mask.bit_count() for mask in positions[first - 1][:2]):
        first -= 1
    return positions[first:]
