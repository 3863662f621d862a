"""Seats: what decides for each player, behind one protocol.

Any new kind of player is just another `Seat`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from thud.ai.player import CALM, Decision, Limits, Report
from thud.engines.spec import COMPUTER, Contender, played_by
from thud.rules.battle import Battle
from thud.rules.position import Side
from thud.session.cancellation import forever
from thud.text import counted

if TYPE_CHECKING:
    from thud.engines.client import Engine
    from thud.records.record import Record


Contenders: TypeAlias = tuple[Contender, Contender] | None
"""The contenders for players 0 and 1; None for two people."""

_OTHERS_SECONDS: Final = 5.0
"""Thinking time of other programs; Thud's own levels have theirs."""


_OWN_SECONDS: Final = 10.0
"""Most thinking time of Thud's own levels with a clock; most need less."""

_TRIES: Final = 2
"""Times that an engine is asked if its process ends or hangs."""

_OBLIGING: Final = ("cpu:1", "cpu:2")
"""The levels that agree to end a quiet battle."""

_A_WHILE: Final = 8
"""Moves without a capture after which these levels agree."""


class Seat(Protocol):
    """Decides for a player; every request may be cancelled at any time."""

    @property
    def is_local(self) -> bool:
        """Whether a local person decides by acting on the session; never asked to agree."""

    @property
    def is_remote(self) -> bool:
        """Whether a remote person decides by acting on the session."""

    @property
    def program(self) -> str:
        """Its name in a record, empty for a person."""

    async def decide(
        self, battle: Battle, report: Report | None = None, seconds: float | None = None
    ) -> Decision:
        """Return the decision on its turn, within a number of seconds if a clock runs.

        Raises:
            EngineFault: it fails to decide.
        """

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Whether it agrees to the other player's proposal to end the battle.

        Raises:
            EngineFault: it fails to answer.
        """

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return a sentence on when it, commanding a side, will agree after refusing."""

    def dismiss(self) -> None:
        """Stop it at once, without awaiting anything; `close` cleans up."""

    async def close(self) -> None:
        """Stop it and clean up."""


class Person:
    """A person: never asked, since they act on the session themselves.

    Args:
        is_remote: whether they play from another place.
    """

    program: Final = ""

    def __init__(self, *, is_remote: bool = False) -> None:
        self.is_local = not is_remote
        self.is_remote = is_remote

    async def decide(
        self, battle: Battle, report: Report | None = None, seconds: float | None = None
    ) -> Decision:
        """Wait for ever: a person's action on the session cancels this."""
        return await forever()

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Wait for ever, as for a decision."""
        return await forever()

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return an empty text: people speak for themselves."""
        return ""

    def dismiss(self) -> None:
        """Do nothing: there is no process."""

    async def close(self) -> None:
        """Do nothing: there is no process."""


class Computer:
    """An engine in a process of its own, started when first asked.

    Args:
        contender: the program.
    """

    is_local: Final = False
    is_remote: Final = False

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
        """Ask about its own last turn, if it had one, as only there it sees what it may gain.

        The lowest levels agree once nothing has been captured for a while.
        """
        if self._obliges and battle.variant.counts_points and battle.quiet_turns >= _A_WHILE:
            return True
        back = min(1, battle.played)
        return (await self._decide(battle, seconds=seconds, back=back)).ends

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return when it will agree; empty for another program, of which that is unknown."""
        if self._contender.foreign:
            return ""
        if not (self._contender.text.startswith(COMPUTER) and battle.variant.counts_points):
            return "It never agrees to stop early."
        more = max(1, (_A_WHILE if self._obliges else CALM[side]) - battle.quiet_turns)
        least = "" if self._obliges else "at least "
        return f"Ask again after {least}{counted(more, 'quiet move')}."

    def dismiss(self) -> None:
        """End the process at once."""
        if self._engine is not None:
            self._engine.kill()

    async def close(self) -> None:
        """End the process and wait for that."""
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
        contenders: the contenders, None for two local people.

    Attributes:
        local: the local players.
        has_remote: whether there is a remote player.
        engines_only: whether only computers play.
    """

    local: tuple[int, ...]
    has_remote: bool
    engines_only: bool

    def __init__(self, contenders: Contenders = None) -> None:
        self._seats: list[Seat] = []
        self._failed: dict[int, Seat] = {}
        self._retired: list[Seat] = []
        self.take(contenders)

    def take(self, contenders: Contenders) -> None:
        """Seat new contenders."""
        retired = [*self._seats, *self._failed.values()]
        for seat in retired:
            seat.dismiss()
        self._retired += retired
        self._failed.clear()
        self._seats = [_seat(each) for each in contenders] if contenders else [Person(), Person()]
        self._count()

    def _count(self) -> None:
        """Count who plays, after a change of the seats."""
        self.local = tuple(player for player, seat in enumerate(self._seats) if seat.is_local)
        self.has_remote = any(seat.is_remote for seat in self._seats)
        self.engines_only = not (self.local or self.has_remote)

    def __getitem__(self, player: int) -> Seat:
        """Return a player's seat."""
        return self._seats[player]

    @property
    def programs(self) -> tuple[str, str]:
        """The players' programs for a record, including engines that have failed since."""
        first, second = (self._failed.get(n, seat).program for n, seat in enumerate(self._seats))
        return first, second

    def hand_over(self, player: int) -> None:
        """Hand a failed engine's seat to a local person."""
        failed = self._seats[player]
        failed.dismiss()
        self._failed[player], self._seats[player] = failed, Person()
        self._count()

    def take_back(self) -> bool:
        """Restart failed engines; return False if there are none."""
        failed = bool(self._failed)
        for player, seat in self._failed.items():
            self._seats[player] = seat
        self._failed.clear()
        self._count()
        return failed

    async def close(self) -> None:
        """End every process."""
        everybody = [*self._seats, *self._failed.values(), *self._retired]
        await asyncio.gather(*(seat.close() for seat in everybody))


def _seat(contender: Contender) -> Seat:
    return Person(is_remote=contender.guest) if contender.human else Computer(contender)


def contenders_of(record: Record) -> Contenders:
    """Return the contenders of a record's match when it is resumed."""
    if not any(record.programs):
        return None
    return played_by(record.programs[0]), played_by(record.programs[1])
