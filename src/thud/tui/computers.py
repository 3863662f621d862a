"""The computers at the table: each a process of its own, started when it is first asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.rules.position import Side

if TYPE_CHECKING:
    from thud.ai.player import Decision, Limits, Report
    from thud.engines.client import Engine
    from thud.engines.spec import Seat
    from thud.records.record import Record
    from thud.rules.match import Match

Seats: TypeAlias = "tuple[Seat, Seat] | None"
"""Who plays for player 0 and for player 1; None are two people."""

_OTHERS_SECONDS: Final = 5.0
"""The time for a move of a program that is not ours."""

_HINT_SECONDS: Final = 2.0
_GLANCE_SECONDS: Final = 0.5
_ADVISER: Final = 2
"""The number under which the engine is kept that gives hints."""


def seats_of(record: Record) -> Seats:
    """Return who goes on with a match that is taken up again."""
    if not any(record.programs):
        return None
    from thud.engines.spec import played_by

    return played_by(record.programs[0]), played_by(record.programs[1])


class Computers:
    """Asks whoever plays for a player, or for a hint.

    Args:
        seats: who plays.
    """

    def __init__(self, seats: Seats = None) -> None:
        self._engines: dict[int, Engine] = {}
        self.seat(seats)

    @property
    def programs(self) -> tuple[str, str]:
        """What stands in a record for the two players, empty for a person."""
        first, second = (seat.program if seat else "" for seat in self._seats)
        return first, second

    @property
    def alone(self) -> bool:
        """Whether both players are computers."""
        return None not in self._seats

    def commands(self, match: Match, side: Side) -> bool:
        """Say whether a side is a computer's in the battle now."""
        return self._seats[match.commander(side)] is not None

    def at_turn(self, match: Match) -> bool:
        """Say whether it is a computer's turn."""
        return self.commands(match, match.battle.position.to_move) and not match.battle.outcome

    def can_undo(self, match: Match) -> bool:
        """Say whether there is a move to take back: a person's, if one plays."""
        first = match.battle.positions[0].to_move
        only_theirs = self.commands(match, first) and not self.alone
        return len(match.battle.moves) > only_theirs

    def seat(self, seats: Seats) -> None:
        """Let others play."""
        for engine in self._engines.values():
            engine.kill()
        self._engines.clear()
        self._seats = [None if seat.human else seat for seat in seats] if seats else [None, None]

    def leave(self, match: Match, side: Side) -> None:
        """Let a person take over a side."""
        player = match.commander(side)
        self._seats[player] = None
        if engine := self._engines.pop(player, None):
            engine.kill()

    async def decide(self, match: Match, report: Report) -> Decision:
        """Ask the computer whose turn it is.

        Raises:
            EngineFault: it does not answer as it should.
        """
        player = match.commander(match.battle.position.to_move)
        return await self._ask(player, match, self._own_limits(player), report)

    async def agrees(self, match: Match, side: Side) -> bool:
        """Ask the computer that commands a side whether it would end the battle as it stands."""
        player = match.commander(side)
        decision = await self._ask(player, match, self._own_limits(player))
        return decision.ends

    async def advise(self, match: Match, report: Report | None = None) -> Decision:
        """Ask the best computer for the best move, whoever's turn it is."""
        from thud.ai.player import Limits

        return await self._ask(_ADVISER, match, Limits(_HINT_SECONDS), report)

    async def glance(self, match: Match) -> Decision:
        """Ask the best computer how the battle stands."""
        from thud.ai.player import Limits

        return await self._ask(_ADVISER, match, Limits(_GLANCE_SECONDS))

    def _own_limits(self, player: int) -> Limits:
        """Leave the time to a level; another program is told how long it has."""
        from thud.ai.player import Limits

        seat = self._seats[player]
        return Limits(_OTHERS_SECONDS) if seat and seat.foreign else Limits()

    async def _ask(
        self, number: int, match: Match, limits: Limits, report: Report | None = None
    ) -> Decision:
        return await self._engine(number).decide(match.battle, limits, report=report)

    def _engine(self, number: int) -> Engine:
        if number not in self._engines:
            from thud.engines.spec import level_seat

            seat = self._seats[number] if number != _ADVISER else level_seat(0)
            assert seat is not None
            self._engines[number] = seat.engine()
        return self._engines[number]

    async def close(self) -> None:
        """End every process."""
        engines = list(self._engines.values())
        self._engines.clear()
        await asyncio.gather(*(engine.close() for engine in engines))
