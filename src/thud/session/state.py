"""The protocol through which a session's parts see it."""

from __future__ import annotations

from typing import Protocol

from thud.rules.battle import Battle
from thud.rules.clock import Clock
from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.events import Event
from thud.session.seats import Seat, Seats


class SessionState(Protocol):
    """A session as its parts see it; `SessionView` documents the members."""

    match: Match
    seats: Seats
    revision: int
    clock: Clock | None
    waits: bool

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
    def can_be_advised(self) -> bool: ...  # noqa: D102

    def seat_of(self, side: Side) -> Seat: ...  # noqa: D102

    def emit(self, *events: Event) -> None: ...  # noqa: D102

    async def settled(self) -> None: ...  # noqa: D102
