"""Seats: who or what decides for each player."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.ai.player import CALM, Decision, Limits, Report
from thud.engines.spec import COMPUTER, Contender, played_by
from thud.rules.battle import Battle
from thud.rules.position import Side
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


class Person:
    """A person: never asked, since they act on the session themselves.

    Args:
        is_remote: whether they play from another place.
    """

    program: Final = ""

    def __init__(self, *, is_remote: bool = False) -> None:
        self.is_local = not is_remote
        self.is_remote = is_remote

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return an empty text: people speak for themselves."""
        return ""


class Computer:
    """An engine in a process of its own, started when first asked.

    Every request may be cancelled at any time.

    Args:
        contender: the program.

    Attributes:
        program: its name in a record.
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
        self,
        battle: Battle,
        report: Report | None = None,
        seconds: float | None = None,
        *,
        back: int = 0,
    ) -> Decision:
        """Return the decision on its turn, within a number of seconds if a clock runs.

        Args:
            battle: the battle.
            report: called with each thought.
            seconds: most seconds to think, None for its own time.
            back: the number of moves to take back before.

        Raises:
            EngineFault: it fails to decide.
        """
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

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Whether it agrees to the other player's proposal to end the battle.

        It is asked about its own last turn, if it had one, as only there it sees what it may gain.
        The lowest levels agree once nothing has been captured for a while.

        Raises:
            EngineFault: it fails to answer.
        """
        if self._obliges and battle.variant.counts_points and battle.quiet_turns >= _A_WHILE:
            return True
        return (await self.decide(battle, seconds=seconds, back=min(1, battle.played))).ends

    def refusal(self, battle: Battle, side: Side) -> str:
        """Return a sentence on when it, commanding a side, will agree after refusing.

        Empty for another program, of which that is unknown.
        """
        if self._contender.foreign:
            return ""
        if not (self._contender.text.startswith(COMPUTER) and battle.variant.counts_points):
            return "It never agrees to stop early."
        more = max(1, (_A_WHILE if self._obliges else CALM[side]) - battle.quiet_turns)
        least = "" if self._obliges else "at least "
        return f"Ask again after {least}{counted(more, 'quiet move')}."

    def dismiss(self) -> None:
        """End the process at once, without awaiting anything; `close` cleans up."""
        if self._engine is not None:
            self._engine.kill()

    async def close(self) -> None:
        """End the process and wait for that."""
        if self._engine is not None:
            await self._engine.close()


Seat: TypeAlias = Person | Computer


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
        self._failed: dict[int, Computer] = {}
        self._retired: list[Computer] = []
        self.take(contenders)

    def take(self, contenders: Contenders) -> None:
        """Seat new contenders."""
        for computer in self._computers():
            computer.dismiss()
            self._retired.append(computer)
        self._failed.clear()
        self._seats = [
            Person(is_remote=each.guest) if each.human else Computer(each)
            for each in contenders or ()
        ] or [Person(), Person()]
        self._count()

    def _computers(self) -> list[Computer]:
        """Return the computers at the seats, and those that have failed there."""
        return [
            each for each in (*self._seats, *self._failed.values()) if isinstance(each, Computer)
        ]

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
        assert isinstance(failed, Computer)
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
        await asyncio.gather(*(each.close() for each in (*self._computers(), *self._retired)))


def contenders_of(record: Record) -> Contenders:
    """Return the contenders of a record's match when it is resumed."""
    if not any(record.programs):
        return None
    return played_by(record.programs[0]), played_by(record.programs[1])
