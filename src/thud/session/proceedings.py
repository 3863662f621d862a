"""How a match is changed: one thing after the other, kept, and then told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from thud.engines.analyst import Analyst
from thud.rules.match import Match
from thud.rules.variant import IllegalMove
from thud.session import changes
from thud.session.advice import Advice, Coach
from thud.session.autosave import Autosave
from thud.session.company import Company
from thud.session.events import Event, NotKept
from thud.session.seats import Contenders, Seats
from thud.session.situation import Situation
from thud.session.timekeeper import Timekeeper
from thud.session.turns import Turns
from thud.wording.standing import untaken

if TYPE_CHECKING:
    from thud.records.record import Record


_Change: TypeAlias = Callable[[], list[Event]]


async def finished(work: Coroutine[object, object, None]) -> None:
    """Do what is not to be left half done: a cancellation of the caller waits until it is done."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled:
        raise cancelled


class TooLate(ValueError):
    """What was decided about an earlier state of the match: nothing is done."""


class Proceedings(Situation):
    """A match with all that attends it, and the one way to change it.

    Args:
        match: what is played; read it, and change it only through here.
        autosave: keeps it; without one nothing is kept.
        contenders: who plays, if not two people who sit here.
        coached: whether the coach is on, whatever the settings say.

    Attributes:
        autosave: what keeps the match.
        turns: the turns of those who do not sit here.
        analyst: the computer that is asked for advice; it plays for nobody.
        advice: what it says to players.
        coach: what doubts the moves of people against computers, if it is on.
        company: those who are at other places.
        timekeeper: keeps the clock, if there is one.
    """

    def __init__(
        self,
        match: Match,
        autosave: Autosave | None = None,
        contenders: Contenders = None,
        *,
        coached: bool = False,
    ) -> None:
        super().__init__(match, Seats(contenders))
        self.autosave = autosave or Autosave(None)
        self.turns = Turns(self)
        self.analyst = Analyst()
        self.advice = Advice(self, self.analyst)
        self.coach = Coach(self, self.analyst, stays=coached)
        self.company = Company(self, self.rename, self._mind_company)
        self._attendants: list[Callable[[], Coroutine[object, object, None]]] = []
        self._closings: list[Callable[[], Coroutine[object, object, None]]] = []
        changes.limit_quiet(self)
        self.timekeeper = Timekeeper(self, self.company)
        self.timekeeper.look()

    def attend(self, run: Callable[[], Coroutine[object, object, None]]) -> None:
        """Let something run beside the session, for as long as that runs."""
        self._attendants.append(run)

    @property
    def attended(self) -> bool:
        """Whether something may happen at any time: a player is elsewhere, or something attends."""
        return self.seats.apart or bool(self._attendants)

    def at_the_end(self, close: Callable[[], Coroutine[object, object, None]]) -> None:
        """Let something be closed when the session is left."""
        self._closings.append(close)

    async def rename(self, player: int, name: str) -> None:
        """Call a player otherwise.

        Raises:
            InvalidPlayers: nobody can go by that name, or the other player does.
        """
        async with self.changing:
            self.match.rename(player, name)
            await finished(self._keep_and_tell())

    @property
    def record(self) -> Record:
        """The record of the match as it is now, with the tags and comments it came with."""
        return self.autosave.record(self.match, self.seats.programs)

    # Time

    async def mind_time(self) -> None:
        """End the battle if the time of the player to move is up."""
        if self.timekeeper.up:
            with suppress(TooLate):
                await self._change(partial(changes.time_up, self), self.number)

    def _mind_company(self) -> None:
        """Let the clock wait for those who are missing, or for nobody any more."""
        self.timekeeper.look()

    async def _run_clock(self) -> None:
        while True:
            await self.timekeeper.fall()
            await self.mind_time()

    async def _put_down(self) -> None:
        """Keep what has been used of the turn on the clock, too."""
        if self.autosave.id and self.timekeeper.put_down():
            await finished(self._keep_and_tell())

    # Changing

    async def _change(self, change: _Change, at: int | None = None) -> bool:
        """Change the match, keep it and tell it.

        Return False if the battle has ended instead, because a time was up before that.  Whoever
        is cancelled meanwhile goes when that is done: what has been changed is kept and told.
        """
        async with self.changing:
            self._refuse_if_late(at)
            in_time = not self.timekeeper.up
            events = change() if in_time else changes.time_up(self)
            self._count_change()
            await finished(self._keep_and_tell(*events))
        return in_time

    def _refuse_if_late(self, at: int | None) -> None:
        if self.left or at not in (None, self.number):
            raise TooLate("the match has gone on meanwhile")

    async def _keep(self) -> list[Event]:
        complaint = await self.autosave.keep(self.match, self.seats.programs)
        return [NotKept(complaint)] if complaint else []

    async def _keep_and_tell(self, *events: Event) -> None:
        """Keep the match, and tell what has changed it."""
        kept = await self._keep()
        self.tell(*events, *kept)

    def _count_change(self) -> None:
        """Make what was thought, proposed and feared about the match until now of no use."""
        self.number += 1
        self.proposal = self.fault = None
        self._interrupt()

    def _interrupt(self) -> None:
        self.timekeeper.look()
        self.turns.interrupt()
        self.coach.interrupt()
        self.advice.interrupt()

    def _refuse_if_over(self) -> None:
        if outcome := self.battle.outcome:
            raise IllegalMove(outcome.told)

    @property
    def not_yet(self) -> str:
        """Why nobody here can move, if somebody at another place can, or could."""
        if self.match.commander(self.to_move) in self.company.free:
            return untaken(self.to_move)
        return f"it is {self.match.name_of(self.to_move)}'s turn"

    def _refuse_on_turn_of_others(self, by: int | None) -> None:
        if not (self.decides(self.to_move, by) or self.battle.outcome):
            raise IllegalMove(self.not_yet)
