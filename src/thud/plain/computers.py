"""The players that are programs: asked for a move while everybody waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from thud.ai.player import Decision, Limits
from thud.engines.faults import EngineCrashed, EngineStuck
from thud.engines.spec import HUMAN, Seat, level_seat, parse_seat
from thud.rules.battle import Battle

if TYPE_CHECKING:
    import asyncio

    from thud.engines.client import Engine

_SOON: Final = 1.5
"""After so many seconds it is said that somebody is thinking."""

_OF_OTHERS: Final = Limits(seconds=5.0)
_HINT: Final = Limits(seconds=2.0)
_HINTS: Final = -1
PEOPLE: Final = (parse_seat(HUMAN), parse_seat(HUMAN))


class Computers:
    """Plays for the players that are no people; close it to end their programs.

    Args:
        seats: who plays for player 0 and for player 1.
    """

    def __init__(self, seats: tuple[Seat, Seat] = PEOPLE) -> None:
        self.seats = seats
        self._runner: asyncio.Runner | None = None
        self._engines: dict[int, Engine] = {}
        self._handed_over: set[int] = set()

    @property
    def programs(self) -> tuple[str, str]:
        """What stands in a record for both players, empty for a person."""
        return self.seats[0].program, self.seats[1].program

    @property
    def alone(self) -> bool:
        """Whether both players are computers."""
        return not any(seat.human for seat in self.seats)

    def plays(self, player: int) -> bool:
        """Say whether a computer moves for a player now."""
        return not self.seats[player].human and player not in self._handed_over

    def hand_over(self, player: int) -> None:
        """Let a person move for a player whose program fails."""
        self._handed_over.add(player)

    def take_over(self) -> bool:
        """Let the programs that have failed try again; return False if none has."""
        failed = bool(self._handed_over)
        self._handed_over.clear()
        return failed

    def new_battle(self) -> None:
        """Tell the programs that the next question is about another battle."""
        for engine in self._engines.values():
            engine.new_battle()

    def decide(self, player: int, battle: Battle, slow: Callable[[], None]) -> Decision:
        """Return what a player's program decides.

        Args:
            player: 0 or 1, whose turn it is.
            battle: what has been played.
            slow: is called once if that takes long.

        Raises:
            EngineFault: it does not decide; a program that crashed was given a second chance.
        """
        try:
            return self._decide(player, battle, slow)
        except (EngineCrashed, EngineStuck):
            return self._decide(player, battle, slow)

    def would_end(self, player: int, battle: Battle, slow: Callable[[], None]) -> bool:
        """Say whether a player's program would end the battle as it stands, whoever's turn it is.

        Raises:
            EngineFault: it does not answer.
        """
        return self._decide(player, battle, slow).ends

    def hint(self, battle: Battle, slow: Callable[[], None]) -> Decision:
        """Return what the computer at its best would do for the player to move.

        Raises:
            EngineFault: it does not decide.
        """
        return self._ask(_HINTS, battle, _HINT, slow)

    def _decide(self, player: int, battle: Battle, slow: Callable[[], None]) -> Decision:
        """Leave the time to our own players; another program is told how long it has."""
        limits = _OF_OTHERS if self.seats[player].foreign else Limits()
        return self._ask(player, battle, limits, slow)

    def close(self) -> None:
        """End the programs."""
        if self._runner:
            self._runner.run(self._close())
            self._runner.close()

    async def _close(self) -> None:
        for engine in self._engines.values():
            await engine.close()

    def _ask(
        self, player: int, battle: Battle, limits: Limits, slow: Callable[[], None]
    ) -> Decision:
        from asyncio import Runner

        self._runner = self._runner or Runner()
        if player not in self._engines:
            seat = level_seat(0) if player == _HINTS else self.seats[player]
            self._engines[player] = seat.engine()
        return self._runner.run(_decision(self._engines[player], battle, limits, slow))


async def _decision(
    engine: Engine, battle: Battle, limits: Limits, slow: Callable[[], None]
) -> Decision:
    from asyncio import get_running_loop

    alarm = get_running_loop().call_later(_SOON, slow)
    try:
        return await engine.decide(battle, limits)
    finally:
        alarm.cancel()
