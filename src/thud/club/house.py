"""The house player: a computer that plays with whoever waits, and makes room for a person."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from thud.engines.faults import EngineFault
from thud.engines.spec import level_contender
from thud.net.host import Host
from thud.rules.battle import Battle
from thud.session.events import ProposeEnd
from thud.session.law import Answer, Play
from thud.session.participants import Computer
from thud.session.state import TooLate

_log: Final = logging.getLogger(__name__)

HOUSE_LEVEL: Final = 3
HOUSE_NAME: Final = "House player (computer)"
HOUSE_SECONDS: Final = 60.0
"""How long somebody waits for a person until the house player sits down."""

_WORDS: Final = (
    f"I am a computer of level {HOUSE_LEVEL}. Whoever sits down at this table takes my seat."
)


class HouseComputer:
    """The one computer of a club's house players, which take turns with it in the order asked."""

    def __init__(self) -> None:
        self._computer = Computer(level_contender(HOUSE_LEVEL))
        self._turn = asyncio.Lock()

    async def move(self, battle: Battle) -> Play:
        """Return what it plays.

        Raises:
            EngineFault: it fails.
        """
        async with self._turn:
            return Play((await self._computer.decide(battle)).move)

    async def agrees(self, battle: Battle) -> bool:
        """Whether it agrees to end a battle.

        Raises:
            EngineFault: it fails.
        """
        async with self._turn:
            return await self._computer.agrees(battle)

    async def close(self) -> None:
        """End its process."""
        await self._computer.close()


class HousePlayer:
    """The house player at one table.

    Args:
        host: the table's.
        player: whose seat it takes.
        computer: decides.

    Attributes:
        player: the same.
    """

    def __init__(self, host: Host, player: int, computer: HouseComputer) -> None:
        self.player = player
        self._host = host
        self._seat = host.registry.seats[player]
        self._computer = computer
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Play until a person has taken the seat."""
        session = self._host.session
        self._seat.lend()
        stop_listening = session.subscribe(lambda _: self._changed.set())
        try:
            await session.arrive(self.player, HOUSE_NAME)
            said = session.state.participants.add_message(self.player, HOUSE_NAME, _WORDS)
            session.emit(said)
            while self._seat.lent:
                self._changed.clear()
                with suppress(TooLate, ValueError):  # the board has changed meanwhile
                    await self._act()
                await self._changed.wait()
        except EngineFault as fault:
            _log.warning("the house player has failed: %s", fault)
        finally:
            stop_listening()
            if self._seat.lent:
                self._seat.free()
                session.depart(self.player)

    async def _act(self) -> None:
        """Play or answer, if it is the house player's turn to."""
        session, state, player = self._host.session, self._host.session.state, self.player
        battle, revision = state.battle, state.revision
        if battle.outcome:
            return
        if proposal := state.proposal:
            if state.match.commander(proposal.by.other) == player:
                agrees = not isinstance(proposal.wish, ProposeEnd) or await self._computer.agrees(
                    battle
                )
                if self._seat.lent and state.proposal is proposal:
                    await session.request(Answer(agrees, proposal.wish), by=player)
        elif state.match.commander(state.to_move) == player:
            move = await self._computer.move(battle)
            if self._seat.lent:
                await session.request(move, revision, by=player)
