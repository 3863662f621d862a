"""Who sits at a table: the computers that play and advise, each started when it is first asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from thud.ai.player import Decision, Report
    from thud.engines.client import Engine
    from thud.engines.spec import Seat
    from thud.records.record import Record
    from thud.rules.battle import Battle

Seats: TypeAlias = "tuple[Seat, Seat] | None"
"""Who plays for player 0 and for player 1; None are two people."""

HINT_SECONDS: Final = 2.0
"""The time for a hint."""

GLANCE_SECONDS: Final = 0.5
"""The time to judge a position that people play."""

_OTHERS_SECONDS: Final = 5.0
"""The time for a move of a program that is not ours: our own levels know theirs."""

_ADVISER: Final = -1


class Seating:
    """Asks whoever plays for a player, or the best computer for advice.

    Every question may be cancelled at any time.

    Args:
        seats: who plays.
    """

    def __init__(self, seats: Seats = None) -> None:
        self._engines: dict[int, Engine] = {}
        self._retired: list[Engine] = []
        self._closed = False
        self._asked: dict[int, Battle] = {}
        self._handed_over: set[int] = set()
        self._seats: list[Seat | None] = []
        self.seat(seats)

    def seat(self, seats: Seats) -> None:
        """Let these play from now on."""
        for player in list(self._engines):
            self._retire(player)
        self._handed_over.clear()
        self._seats = [None if seat.human else seat for seat in seats] if seats else [None, None]

    @property
    def programs(self) -> tuple[str, str]:
        """What stands in a record for the two players, empty for a person."""
        first, second = (seat.program if seat else "" for seat in self._seats)
        return first, second

    @property
    def alone(self) -> bool:
        """Whether computers play with one another."""
        return self.plays(0) and self.plays(1)

    def plays(self, player: int) -> bool:
        """Say whether a computer moves for a player now."""
        return self._seats[player] is not None and player not in self._handed_over

    def hand_over(self, player: int) -> None:
        """Let a person move for a player whose computer fails."""
        self._handed_over.add(player)
        self._retire(player)

    def _retire(self, player: int) -> None:
        """End a process at once, where nothing can be awaited; it is put away at `close`."""
        if engine := self._engines.pop(player, None):
            engine.kill()
            self._retired.append(engine)

    def take_back(self) -> bool:
        """Let the computers that have failed try again; return False if none has."""
        failed = bool(self._handed_over)
        self._handed_over.clear()
        return failed

    async def decide(
        self, player: int, battle: Battle, report: Report | None = None, *, back: int = 0
    ) -> Decision:
        """Ask the computer that plays for a player, once more if its process ends or hangs.

        It is asked about the battle as it stands, or as it was some moves back.

        Raises:
            EngineFault: it does not answer as it should.
        """
        from thud.engines.faults import EngineCrashed, EngineStuck

        try:
            return await self._ask(player, battle, self._seconds(player), report, back)
        except (EngineCrashed, EngineStuck):
            if self._closed:
                raise
            return await self._ask(player, battle, self._seconds(player), report, back)

    async def agrees(self, player: int, battle: Battle) -> bool:
        """Ask the computer that is not to move whether it would end the battle.

        It is asked about its own last turn, if it had one, since there it sees what it may gain.

        Raises:
            EngineFault: it does not answer as it should.
        """
        return (await self.decide(player, battle, back=min(1, len(battle.moves)))).ends

    async def advise(self, battle: Battle, seconds: float = HINT_SECONDS) -> Decision:
        """Ask the best computer for the best move, whoever's turn it is.

        Raises:
            EngineFault: it does not answer as it should.
        """
        return await self._ask(_ADVISER, battle, seconds)

    async def close(self) -> None:
        """End every process; nobody is asked any more."""
        self._closed = True
        engines = [*self._engines.values(), *self._retired]
        self._engines.clear()
        self._retired.clear()
        await asyncio.gather(*(engine.close() for engine in engines))

    def _seconds(self, player: int) -> float | None:
        """Leave the time to a level; another program is told how long it has."""
        seat = self._seats[player]
        return _OTHERS_SECONDS if seat and seat.foreign else None

    async def _ask(
        self,
        number: int,
        battle: Battle,
        seconds: float | None,
        report: Report | None = None,
        back: int = 0,
    ) -> Decision:
        from thud.ai.player import Limits

        engine = self._engine(number)
        if self._asked.get(number) is not battle:
            self._asked[number] = battle
            engine.new_battle()
        return await engine.decide(battle, Limits(seconds), back=back, report=report)

    def _engine(self, number: int) -> Engine:
        if number not in self._engines:
            from thud.engines.spec import level_seat

            seat = level_seat(0) if number == _ADVISER else self._seats[number]
            assert seat is not None
            self._engines[number] = seat.engine()
        return self._engines[number]


def seats_of(record: Record) -> Seats:
    """Return who goes on with a match that is taken up again."""
    if not any(record.programs):
        return None
    from thud.engines.spec import played_by

    return played_by(record.programs[0]), played_by(record.programs[1])
