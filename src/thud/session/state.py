"""A session as its parts and front ends see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from thud.rules.battle import Battle
from thud.rules.clock import Clock
from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.events import Event
from thud.session.seats import Seat, Seats

if TYPE_CHECKING:
    from thud.records.record import Record


class Possible(NamedTuple):
    """What a player here can do now."""

    take_part: bool
    """The match is played or run here, not just spectated."""
    move: bool
    """A local player is to move, and so may play, propose the end and get hints."""
    undo: bool
    """There is an agreement or a move to take back."""
    redo: bool
    resign: bool
    """The battle has an opponent and is not over."""
    claim: bool
    """The player to move is absent, and claims are allowed."""
    be_advised: bool
    """A local player is to move, and hints are allowed."""
    talk: bool


class SessionState(Protocol):
    """A session as its parts see it; `SessionView` documents the members."""

    match: Match
    seats: Seats
    revision: int
    clock: Clock | None
    waits: bool

    hints_allowed: bool

    @property
    def record(self) -> Record: ...  # noqa: D102

    @property
    def battle(self) -> Battle: ...  # noqa: D102

    @property
    def to_move(self) -> Side: ...  # noqa: D102

    @property
    def clock_runs(self) -> bool: ...  # noqa: D102

    @property
    def watched(self) -> bool: ...  # noqa: D102

    @property
    def engine_due(self) -> bool: ...  # noqa: D102

    @property
    def can(self) -> Possible: ...  # noqa: D102

    def seat_of(self, side: Side) -> Seat: ...  # noqa: D102

    def emit(self, *events: Event) -> None: ...  # noqa: D102

    async def settled(self) -> None: ...  # noqa: D102
