"""A match as it is played, whoever plays and whatever shows it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.session import changes
from thud.session.advice import Advice
from thud.session.coach import Coach
from thud.session.events import (
    Answered,
    Begun,
    Event,
    Faulted,
    HandedOver,
    KeptAside,
    NotKept,
    Proposed,
    Withdrawn,
)
from thud.session.keeper import Keeper
from thud.session.seats import Contenders, Seats, contenders_of
from thud.session.situation import Proposal, Situation
from thud.session.timekeeper import Timekeeper
from thud.session.turns import Turns

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record
    from thud.session.doubts import Doubt

_Change: TypeAlias = Callable[[], list[Event]]


class TooLate(ValueError):
    """What was decided about an earlier state of the match: nothing is done."""


class Session(Situation):
    """One match after the other, with everything that can be done at a table.

    What is done is awaited: when that returns, the match has changed, is on the disk, and it has
    been told to everybody who listens.  Nothing else changes meanwhile.  What is refused raises an
    error with a sentence, and changes nothing.  Whoever may be late with what was decided passes
    the `number` that it was decided at.

    Args:
        match: what is played; read it, and change it only through here.
        keeper: keeps it; without one nothing is kept.
        contenders: who plays, if not two people who sit here.

    Attributes:
        keeper: what keeps the match.
        turns: the turns of those who do not sit here.
        advice: what the best computer says.
        coach: what doubts the moves of people against computers, if it is on.
        timekeeper: keeps the clock, if there is one.
    """

    def __init__(
        self, match: Match, keeper: Keeper | None = None, contenders: Contenders = None
    ) -> None:
        super().__init__(match, Seats(contenders))
        self.keeper = keeper or Keeper(None)
        self.turns = Turns(self)
        self.advice = Advice(self)
        self.coach = Coach(self)
        changes.limit_quiet(self)
        self.timekeeper = Timekeeper(self)
        self.timekeeper.look()

    # Beginning and leaving

    async def begin(self) -> None:
        """Tell which battle is at the board, and keep what has been played of it elsewhere."""
        self.tell(Begun(self.match.number))
        if self.match.battles[0].moves and not self.keeper.id and not self.match.over:
            async with self.changing:
                self.tell(*await self._keep())

    async def run(self) -> None:
        """Let those who do not sit here play, and judge the battle, until that is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._run_turns())
            group.create_task(self._run_clock())
            # Nobody waits for a judgement, but whoever moves does for the coach.
            group.create_task(self.coach.run())
            group.create_task(self.advice.run())

    async def _run_turns(self) -> None:
        while True:
            await self._take_turn()

    async def _run_clock(self) -> None:
        while True:
            await self.timekeeper.fall()
            await self.mind_time()

    async def play_on(self) -> None:
        """Let those play who do not sit here, until somebody here has to do something."""
        await self.mind_time()
        while self.due:
            await self._take_turn()
        await self.coach.prepare()

    async def mind_time(self) -> None:
        """End the battle if the time of the player to move is up."""
        if self.timekeeper.up:
            with suppress(TooLate):
                await self._change(partial(changes.time_up, self), self.number)

    async def leave(self) -> None:
        """End every process and let the match go; nothing changes any more."""
        self.left = True
        self._interrupt()
        await self.turns.settle()
        await self.advice.settle()
        await self.coach.settle()
        await self.seats.close()
        async with self.changing:
            await self._put_down()
            await asyncio.to_thread(self.keeper.close)

    async def _put_down(self) -> None:
        """Keep what has been used of the turn on the clock, too."""
        if self.keeper.id and self.timekeeper.put_down():
            self.tell(*await self._keep())

    # Moves

    async def play(self, move: Move, at: int | None = None) -> None:
        """Play a move of the player to move, who sits here.

        Raises:
            IllegalMove: it is not legal, the battle is over, or it is not a turn of somebody here.
            TooLate: the match has changed since, or the time is up.
        """
        if not (self.seat_of(self.to_move).here or self.battle.outcome):
            raise IllegalMove(f"it is {self.match.name_of(self.to_move)}'s turn")
        if not await self._change(partial(changes.played, self, move), at):
            raise TooLate("the time was up before that move")

    async def weigh(self, move: Move) -> Doubt | None:
        """Return why the coach would not play a move, which the players are to be asked about.

        None is returned if it has nothing against it, has been heard on it, or takes too long.
        """
        if not self.coach.due:
            return None
        self.advice.interrupt()
        return await self.coach.weigh(move)

    async def undo(self) -> None:
        """Take back the agreement to end, or else the moves since somebody here was to move.

        Raises:
            IllegalMove: there is nothing to take back.
        """
        await self._change(partial(changes.taken_back, self))
        self.paused = self.watched
        self.timekeeper.look()
        if aside := self.keeper.aside:
            self.tell(KeptAside(aside))

    async def redo(self) -> None:
        """Make again what was taken back, as far as the next turn of somebody here.

        Raises:
            IllegalMove: there is nothing to make again.
        """
        await self._change(partial(changes.made_again, self))

    # The end of a battle

    async def propose_end(self) -> None:
        """Let the player to move propose to the other one to end the battle.

        If that one sits here, `answer` is waited for; any other is asked as on its turn.

        Raises:
            IllegalMove: the battle is over already.
        """
        self._refuse_if_over()
        self._propose(Proposal(self.to_move, self.number))

    def _propose(self, proposal: Proposal) -> None:
        self.proposal = proposal
        self._interrupt()
        self.tell(Proposed(proposal.by))

    async def answer(self, agree: bool) -> None:
        """Answer for the player who is not to move whether the battle ends.

        Raises:
            IllegalMove: nobody has proposed it.
            TooLate: the match has changed since that was proposed.
        """
        proposal, self.proposal = self._proposal_now(), None
        by = proposal.by.other
        until = "" if agree else self.seat_of(by).refusal(self.battle, by)
        self.tell(Answered(by, agree, until))
        if agree:
            await self._change(partial(changes.agreed, self), proposal.at)
        else:
            await self._go_on_after(proposal)

    async def withdraw(self, because: str = "") -> None:
        """Propose no longer to end the battle.

        Raises:
            IllegalMove: nobody has proposed it.
        """
        proposal, self.proposal = self._proposal_now(), None
        self.tell(Withdrawn(proposal.by, because))
        await self._go_on_after(proposal)

    async def _go_on_after(self, proposal: Proposal) -> None:
        """Play what a computer plays if the battle does not end."""
        self._interrupt()
        if proposal.otherwise:
            self.turns.refused()
            await self._change(partial(changes.played, self, proposal.otherwise), proposal.at)

    def _proposal_now(self) -> Proposal:
        if self.proposal is None:
            raise IllegalMove("nobody has proposed to end the battle")
        return self.proposal

    def _refuse_if_over(self) -> None:
        if outcome := self.battle.outcome:
            raise IllegalMove(f"the battle is over: {outcome.because}")

    # Battles and matches

    async def next_battle(self) -> None:
        """Exchange the sides for the second battle.

        Raises:
            IllegalMove: the first goes on, or the second has begun.
        """
        await self._change(partial(changes.next_battle, self))

    async def new_match(self) -> None:
        """Let the match go, and begin another one of the same players."""
        await self._take_up(self.match.again(), None)

    async def open(self, record: Record) -> None:
        """Let the match go, and go on with that of a record, or look at it if it is over."""
        match = await asyncio.to_thread(record.match)
        self.seats.take(contenders_of(record))
        await self._take_up(match, record)

    async def _take_up(self, match: Match, record: Record | None) -> None:
        async with self.changing:
            await self._put_down()
            self._count_change()
            self.paused = False
            complaint = await self.keeper.turn_to(record)
            self.match = match
            changes.limit_quiet(self)
            self._interrupt()
            self.tell(Begun(match.number), *([NotKept(complaint)] if complaint else []))

    # Those who do not sit here

    def hold(self, held: bool = True) -> None:
        """Let nobody think until a question has been answered, or no longer."""
        self.held = held
        self._interrupt()

    def pause(self, paused: bool = True) -> None:
        """Let computers that play with one another wait, or go on."""
        self.paused = paused
        self._interrupt()

    def try_again(self) -> bool:
        """Let a computer that has failed go on; return False if none has."""
        fault, self.fault = self.fault, None
        taken_back = self.seats.take_back()
        self._interrupt()
        return taken_back or fault is not None

    def take_over(self) -> None:
        """Let somebody here go on for the computer that has just failed, if one has."""
        if self.fault is not None:
            player, self.fault = self.fault.player, None
            self.seats.hand_over(player)
            self.tell(HandedOver(player))
            self._interrupt()

    async def advise(self, at: int | None = None) -> Decision | None:
        """Ask the best computer for the best move; None if the match goes on before that.

        Raises:
            IllegalMove: the battle is over.
            TooLate: the match has changed since that was asked for.
            EngineFault: it does not answer as it should.
        """
        self._refuse_if_late(at)
        self._refuse_if_over()
        return await self.advice.hint()

    async def _take_turn(self) -> None:
        """Wait for what somebody decides, and do it, unless the match goes on before that."""
        await self.settled()
        try:
            await (self._hear_answer() if self.proposal else self._hear_decision())
        except TooLate:
            return

    async def _hear_answer(self) -> None:
        from thud.engines.faults import EngineFault

        try:
            agrees = await self.turns.agrees()
        except EngineFault as fault:
            await self.withdraw(str(fault))
        else:
            if agrees is not None:
                await self.answer(agrees)

    async def _hear_decision(self) -> None:
        from thud.engines.faults import EngineFault

        at, side = self.number, self.to_move
        try:
            decision = await self.turns.decision()
        except EngineFault as fault:
            self.fault = Faulted(self.match.commander(side), str(fault))
            self.timekeeper.look()
            self.tell(self.fault)
            return
        if decision is None:
            return
        if self.turns.ends(decision):
            self._propose(Proposal(side, at, decision.move))
        else:
            await self._change(partial(changes.played, self, decision.move), at)

    @property
    def record(self) -> Record:
        """The record of the match as it is now, with the tags and comments it came with."""
        return self.keeper.record(self.match, self.seats.programs)

    # Changing

    async def _change(self, change: _Change, at: int | None = None) -> bool:
        """Change the match, keep it and tell it.

        Return False if the battle has ended instead, because a time was up before that.
        """
        async with self.changing:
            self._refuse_if_late(at)
            in_time = not self.timekeeper.up
            events = change() if in_time else changes.time_up(self)
            self._count_change()
            kept = await self._keep()
            self.tell(*events, *kept)
        return in_time

    def _refuse_if_late(self, at: int | None) -> None:
        if self.left or at not in (None, self.number):
            raise TooLate("the match has gone on meanwhile")

    async def _keep(self) -> list[Event]:
        complaint = await self.keeper.keep(self.match, self.seats.programs)
        return [NotKept(complaint)] if complaint else []

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
