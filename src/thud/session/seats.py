"""Seats: who decides for each player, behind one contract.

Somebody who plays from elsewhere, or teaches, is another `Seat`, and nothing else.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from thud.session.cancellation import forever

if TYPE_CHECKING:
    from thud.ai.player import Decision, Report
    from thud.engines.client import Engine
    from thud.engines.spec import Contender
    from thud.records.record import Record
    from thud.rules.battle import Battle
    from thud.rules.position import Side


Contenders: TypeAlias = "tuple[Contender, Contender] | None"
"""The contenders for players 0 and 1; None for two people."""

_OTHERS_SECONDS: Final = 5.0
"""The time for a move of a program that is not ours: our own levels know theirs."""


_OWN_SECONDS: Final = 10.0
"""The time for a move that the clock leaves to our own levels at most; most need less."""

_TRIES: Final = 2
"""Times that a computer is asked whose process ends or hangs."""

_OBLIGING: Final = ("cpu:1", "cpu:2")
"""The levels that end a quiet battle to please whoever asks."""

_A_WHILE: Final = 8
"""Moves without a capture that are enough for these."""


class Seat(Protocol):
    """Decides for a player; every question may be cancelled at any time."""

    @property
    def here(self) -> bool:
        """Whether it is decided by what is done at this session: it is never asked to agree."""

    @property
    def elsewhere(self) -> bool:
        """Whether a person decides at another place, and does at the session what is decided."""

    @property
    def program(self) -> str:
        """Its name in a record, empty for a person."""

    async def decide(
        self, battle: Battle, report: Report | None = None, seconds: float | None = None
    ) -> Decision:
        """Return what is done on its turn, after so many seconds at most where a clock runs.

        Raises:
            EngineFault: it does not decide as it should.
        """

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Whether it ends the battle, as the other player proposes.

        Raises:
            EngineFault: it does not answer as it should.
        """

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return a sentence on when it will end the battle, if it commands a side and did not."""

    def dismiss(self) -> None:
        """End it at once, where nothing can be awaited; `close` puts away what is left."""

    async def close(self) -> None:
        """Leave nothing of it behind."""


class Person:
    """A person: never asked, since they act on the session themselves.

    Args:
        elsewhere: it is done from another place.
    """

    program: Final = ""

    def __init__(self, *, elsewhere: bool = False) -> None:
        self.here = not elsewhere
        self.elsewhere = elsewhere

    async def decide(
        self, battle: Battle, report: Report | None = None, seconds: float | None = None
    ) -> Decision:
        """Wait: what a person decides is done at the session, and interrupts this."""
        return await forever()

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Wait, as for a decision."""
        return await forever()

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return nothing: people speak for themselves."""
        return ""

    def dismiss(self) -> None:
        """Do nothing: there is no process."""

    async def close(self) -> None:
        """Do nothing: there is no process."""


class Computer:
    """An engine in a process of its own, started when first asked.

    Args:
        contender: which program.
    """

    here: Final = False
    elsewhere: Final = False

    def __init__(self, contender: Contender) -> None:
        self.program = contender.program
        self._contender = contender
        self._obliges = contender.text in _OBLIGING
        self._engine: Engine | None = None
        self._asked: Battle | None = None

    async def decide(
        self, battle: Battle, report: Report | None = None, seconds: float | None = None
    ) -> Decision:
        """Ask for a move."""
        return await self._decide(battle, report, seconds)

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Ask about its own last turn, if it had one, since there it sees what it may gain.

        The lowest levels oblige whoever asks, once nothing has been captured for a while.
        """
        if self._obliges and battle.variant.worth and battle.quiet_turns >= _A_WHILE:
            return True
        back = min(1, battle.played)
        return (await self._decide(battle, seconds=seconds, back=back)).ends

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return when it will think otherwise; what another program will do, nobody knows."""
        from thud.ai.thinker import CALM
        from thud.engines.spec import COMPUTER
        from thud.wording.text import counted

        if self._contender.foreign:
            return ""
        if not (self._contender.text.startswith(COMPUTER) and battle.variant.worth):
            return "It plays to the end. Quit when you like: the match is saved."
        more = max(1, (_A_WHILE if self._obliges else CALM[side]) - battle.quiet_turns)
        first = "Ask again" if self._obliges else "Ask again, at the earliest,"
        return f"{first} after {counted(more, 'more move')} without a capture."

    def dismiss(self) -> None:
        """End the process at once."""
        if self._engine is not None:
            self._engine.kill()

    async def close(self) -> None:
        """End the process; it is asked no more."""
        if self._engine is not None:
            await self._engine.close()

    async def _decide(
        self,
        battle: Battle,
        report: Report | None = None,
        seconds: float | None = None,
        *,
        back: int = 0,
    ) -> Decision:
        from thud.ai.player import Limits

        if seconds is not None or self._contender.foreign:
            most = _OTHERS_SECONDS if self._contender.foreign else _OWN_SECONDS
            seconds = most if seconds is None else min(most, seconds)
        self._engine = self._engine or self._contender.engine()
        if self._asked is not battle:
            self._asked = battle
            self._engine.new_battle()
        return await self._engine.decide(
            battle, Limits(seconds), back=back, report=report, tries=_TRIES
        )


class Seats:
    """The seats of both players.

    Args:
        contenders: who plays.
    """

    def __init__(self, contenders: Contenders = None) -> None:
        self._seats: list[Seat] = []
        self._failed: dict[int, Seat] = {}
        self._retired: list[Seat] = []
        self.take(contenders)

    def take(self, contenders: Contenders) -> None:
        """Seat these from now on."""
        self._retire(*self._seats, *self._failed.values())
        self._failed.clear()
        self._seats = [_seat(each) for each in contenders] if contenders else [Person(), Person()]

    def __getitem__(self, player: int) -> Seat:
        """Return who decides for a player now."""
        return self._seats[player]

    @property
    def programs(self) -> tuple[str, str]:
        """The programs in a record for the two players, also those that have failed since."""
        first, second = (self._failed.get(n, seat).program for n, seat in enumerate(self._seats))
        return first, second

    @property
    def alone(self) -> bool:
        """Whether there are no people: computers play with one another."""
        return not any(seat.here or seat.elsewhere for seat in self._seats)

    @property
    def apart(self) -> bool:
        """Whether a player is a person at another place."""
        return any(seat.elsewhere for seat in self._seats)

    @property
    def here(self) -> tuple[int, ...]:
        """The players who sit here."""
        return tuple(player for player, seat in enumerate(self._seats) if seat.here)

    def hand_over(self, player: int) -> None:
        """Hand a failed engine's seat to a person here."""
        failed = self._seats[player]
        failed.dismiss()
        self._failed[player], self._seats[player] = failed, Person()

    def take_back(self) -> bool:
        """Restart failed engines; return False if there are none."""
        failed = bool(self._failed)
        for player, seat in self._failed.items():
            self._seats[player] = seat
        self._failed.clear()
        return failed

    async def close(self) -> None:
        """End every process; nobody is asked any more."""
        everybody = [*self._seats, *self._failed.values(), *self._retired]
        await asyncio.gather(*(seat.close() for seat in everybody))

    def _retire(self, *seats: Seat) -> None:
        for seat in seats:
            seat.dismiss()
        self._retired += seats


def _seat(contender: Contender) -> Seat:
    return Person(elsewhere=contender.guest) if contender.human else Computer(contender)


def contenders_of(record: Record) -> Contenders:
    """Return who goes on with a match that is taken up again."""
    if not any(record.programs):
        return None
    from thud.engines.spec import played_by

    return played_by(record.programs[0]), played_by(record.programs[1])
