"""The players that are programs: asked for a move while everybody waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from thud.ai.player import Decision
from thud.engines.seating import Seating, Seats
from thud.engines.spec import HUMAN, Seat, parse_seat
from thud.rules.battle import Battle

if TYPE_CHECKING:
    import asyncio

_SOON: Final = 1.5
"""After so many seconds it is said that somebody is thinking."""

PEOPLE: Final = (parse_seat(HUMAN), parse_seat(HUMAN))
_Answer = TypeVar("_Answer")


class Computers:
    """Lets everybody wait for those who play for players; close it to end their programs.

    Args:
        seats: who plays for player 0 and for player 1.
    """

    def __init__(self, seats: tuple[Seat, Seat] = PEOPLE) -> None:
        self.seating = Seating(seats)
        """Who plays."""
        self._runner: asyncio.Runner | None = None

    def seat(self, seats: Seats) -> None:
        """Let others play."""
        self.seating.seat(seats)

    def hand_over(self, player: int) -> None:
        """Let a person move for a player whose program fails."""
        self.seating.hand_over(player)

    def decide(self, player: int, battle: Battle, slow: Callable[[], None]) -> Decision:
        """Return what a player's program decides.

        Args:
            player: 0 or 1, whose turn it is.
            battle: what has been played.
            slow: is called once if that takes long.

        Raises:
            EngineFault: it does not decide.
        """
        return self._wait_for(lambda: self.seating.decide(player, battle), slow)

    def would_end(self, player: int, battle: Battle, slow: Callable[[], None]) -> bool:
        """Say whether a player's program would end the battle as it stands, whoever's turn it is.

        Raises:
            EngineFault: it does not answer.
        """
        return self._wait_for(lambda: self.seating.agrees(player, battle), slow)

    def hint(self, battle: Battle, slow: Callable[[], None]) -> Decision:
        """Return what the computer at its best would do for the player to move.

        Raises:
            EngineFault: it does not decide.
        """
        return self._wait_for(lambda: self.seating.advise(battle), slow)

    def close(self) -> None:
        """End the programs."""
        if self._runner:
            self._runner.run(self.seating.close())
            self._runner.close()

    def _wait_for(self, ask: Callable[[], Awaitable[_Answer]], slow: Callable[[], None]) -> _Answer:
        from asyncio import Runner

        self._runner = self._runner or Runner()
        return self._runner.run(_answer(ask, slow))


async def _answer(ask: Callable[[], Awaitable[_Answer]], slow: Callable[[], None]) -> _Answer:
    from asyncio import get_running_loop

    alarm = get_running_loop().call_later(_SOON, slow)
    try:
        return await ask()
    finally:
        alarm.cancel()
