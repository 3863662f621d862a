"""One battle: play, undo, redo, end it, and query its state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

from thud.rules.clock import Control, TimeLeft, Times
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Forfeit, IllegalMove, Outcome, Reason, Variant

QUIET_LIMIT: Final = 200
"""Usual limit of moves in a row without a capture, in battles between computers."""

_Item = TypeVar("_Item")


class Battle:
    """A battle in progress or finished; with the match, the one mutable object of the rules.

    Args:
        variant: the variant.
        start: the starting position; None for the variant's.
        quiet_limit: moves in a row without a capture that end the battle.  None between people;
            `QUIET_LIMIT` is usual between computers.

    Attributes:
        used: milliseconds that the player to move had used when the battle was saved.
    """

    def __init__(
        self, variant: Variant, start: Position | None = None, quiet_limit: int | None = None
    ) -> None:
        self.variant = variant
        self._quiet_limit = quiet_limit
        self._positions = _Stack([variant.start if start is None else start])
        self._moves = _Stack[Move]([])
        self._left = _Stack[TimeLeft | None]([])
        self._undone: list[tuple[Move, TimeLeft | None]] = []
        self._agreed = False
        self._forfeit: Forfeit | None = None
        self.used = 0
        self._judged: tuple[Outcome | None] | None = None

    @property
    def quiet_limit(self) -> int | None:
        """Moves in a row without a capture that end the battle, None without a limit."""
        return self._quiet_limit

    @quiet_limit.setter
    def quiet_limit(self, limit: int | None) -> None:
        self._quiet_limit = limit
        self._judged = None

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions.items[-1]

    @property
    def start(self) -> Position:
        """The starting position."""
        return self._positions.items[0]

    @property
    def played(self) -> int:
        """Number of moves played."""
        return len(self._moves.items)

    @property
    def last(self) -> tuple[Position, Move] | None:
        """The last move and the position before it, None at the start."""
        if not self._moves.items:
            return None
        return self._positions.items[-2], self._moves.items[-1]

    def earlier(self) -> Iterator[Position]:
        """Yield the positions before the current one, backwards."""
        return islice(reversed(self._positions.items), 1, None)

    # These three are copied on the first read after a move: in a long battle, prefer `played`,
    # `last`, `start` and `earlier` after every move.

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions from the start to now: one more than moves."""
        return self._positions.copied

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far."""
        return self._moves.copied

    @property
    def left(self) -> tuple[TimeLeft | None, ...]:
        """Time left after each move to its player; None without a clock."""
        return self._left.copied

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that `redo` would play, the next one first."""
        return tuple(move for move, _ in reversed(self._undone))

    @property
    def timed_out(self) -> bool:
        """Whether the player to move lost on time."""
        return self._forfeit is not None and self._forfeit.reason is Reason.TIME

    @property
    def agreed(self) -> bool:
        """Whether the players agreed to end it."""
        return self._agreed

    @property
    def forfeit(self) -> Forfeit | None:
        """The forfeit that ended it, if any; it cannot be undone."""
        return self._forfeit

    @property
    def skipped(self) -> int:
        """Moves missing from the first turn: 1 if the trolls began, else 0."""
        return int(self.start.to_move is Side.TROLLS)

    @property
    def outcome(self) -> Outcome | None:
        """How the battle ended, None while it goes on."""
        # Cached, since counting all moves each time would be slow.
        if self._judged is None:
            self._judged = (self._judge(),)
        return self._judged[0]

    @property
    def quiet_moves(self) -> int:
        """Moves since the last capture."""
        moves = 0
        for move in reversed(self._moves.items):
            if move.captures:
                break
            moves += 1
        return moves

    def times(self, control: Control) -> Times:
        """Return the times of a stopped clock, from the times left after the moves."""
        left: dict[Side, TimeLeft] = {}
        turn = self.position.to_move
        if self.timed_out:
            left[turn] = TimeLeft(0)
        for position, after in zip(self.earlier(), reversed(self._left.items), strict=True):
            if after is not None:
                left.setdefault(position.to_move, after)
            if len(left) == len(Side):
                break
        dwarfs, trolls = (left.get(side, control.full) for side in Side)
        return Times(dwarfs, trolls, turn, self.used, False)

    def play(self, move: Move, left: TimeLeft | None = None) -> None:
        """Play a move; moves taken back before can no longer be redone.

        Args:
            move: the move.
            left: the player's time left after it.

        Raises:
            IllegalMove: the move is illegal or the battle is over; nothing has changed.
        """
        # If a move is legal, the board has not ended the battle: no need to count all moves.
        if self._ended_by or not self.variant.is_legal(self.position, move):
            self._refuse_if_over()
            raise IllegalMove(self.variant.why_not(self.position, move))
        self._push(move, left)
        self._undone.clear()

    def follow(self, moves: Sequence[Move], positions: Sequence[Position]) -> None:
        """Play moves that were found legal, and lead to these positions."""
        self._positions.push(*positions)
        self._moves.push(*moves)
        self._left.push(*[None] * len(moves))
        self._judged = None

    def undo(self) -> bool:
        """Take back the agreement to end, or else the last move.

        Return False if there is neither, or the battle was forfeited.
        """
        if self._forfeit or not (self._agreed or self.played):
            return False
        self._judged = None
        if self._agreed:
            self._agreed = False
            return True
        self._positions.pop()
        self._undone.append((self._moves.pop(), self._left.pop()))
        self.used = 0
        return True

    def redo(self) -> bool:
        """Play the last undone move again; return False if there is none."""
        if not self._undone or self._agreed or self._forfeit:
            return False
        self._push(*self._undone.pop())
        return True

    def agree(self) -> None:
        """End the battle by agreement.

        Raises:
            IllegalMove: the battle is over already.
        """
        self._refuse_if_over()
        self._agreed, self.used = True, 0
        self._judged = (self.variant.settled(self.position, Reason.AGREEMENT),)

    def time_up(self) -> None:
        """End the battle: the player to move loses on time.

        Raises:
            IllegalMove: the battle is over already.
        """
        self.lose(Forfeit(self.position.to_move, Reason.TIME))

    def lose(self, forfeit: Forfeit) -> None:
        """End the battle by a forfeit.

        Raises:
            IllegalMove: the battle is over already.
        """
        self._refuse_if_over()
        self._forfeit, self.used = forfeit, 0
        self._judged = (self.variant.forfeited(self.position, forfeit),)

    def repeat(self, other: Battle, played: int) -> None:
        """Play the first moves of another battle and, if those are all, end like it.

        Raises:
            IllegalMove: a move is illegal here.
        """
        moves = islice(other._moves.items, played)
        for move, left in zip(moves, other._left.items, strict=False):
            self.play(move, left)
        if played == other.played:
            self.quiet_limit = other.quiet_limit
            self._agreed, self._forfeit = other._agreed, other._forfeit
            self._judged = None

    def _judge(self) -> Outcome | None:
        if outcome := self.variant.outcome(self.position):
            return outcome
        if self._forfeit:
            return self.variant.forfeited(self.position, self._forfeit)
        reason = self._ended_by
        return self.variant.settled(self.position, reason) if reason else None

    @property
    def _ended_by(self) -> Reason | None:
        """Reason for an end not visible on the board: by the players, or the quiet limit."""
        if self._forfeit:
            return self._forfeit.reason
        if self._agreed:
            return Reason.AGREEMENT
        quiet = self._quiet_limit is not None and self.quiet_moves >= self._quiet_limit
        return Reason.QUIET if quiet else None

    def _refuse_if_over(self) -> None:
        if outcome := self.outcome:
            raise IllegalMove(outcome.description)

    def _push(self, move: Move, left: TimeLeft | None) -> None:
        self._positions.push(self.position.after(move))
        self._moves.push(move)
        self._left.push(left)
        self.used = 0
        self._judged = None


class _Stack(Generic[_Item]):
    """A stack with a cached tuple of its items."""

    def __init__(self, items: list[_Item]) -> None:
        self.items = items
        self._copy: tuple[_Item, ...] | None = None

    @property
    def copied(self) -> tuple[_Item, ...]:
        """The current items."""
        if self._copy is None:
            self._copy = tuple(self.items)
        return self._copy

    def push(self, *items: _Item) -> None:
        """Push items."""
        self.items.extend(items)
        self._copy = None

    def pop(self) -> _Item:
        """Pop the last item."""
        self._copy = None
        return self.items.pop()
