"""A match as it is played, whoever plays and whatever shows it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from thud.engines.faults import EngineFault
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session import changes
from thud.session.events import (
    Answered,
    Begun,
    Faulted,
    HandedOver,
    KeptAside,
    NotKept,
    Proposed,
    Wish,
    Withdrawn,
)
from thud.session.proceedings import Proceedings, TooLate, finished
from thud.session.seats import contenders_of
from thud.session.situation import Proposal
from thud.wording.standing import untaken

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record
    from thud.session.blunders import Blunder


class Session(Proceedings):
    """One match after the other, with everything that can be done at a table.

    What is done is awaited: when that returns, the match has changed, is on the disk, and it has
    been told to everybody who listens.  Nothing else changes meanwhile.  What is refused raises an
    error with a sentence, and changes nothing.  Whoever may be late with what was decided passes
    the `number` that it was decided at, and a player at another place is named: `by`.
    """

    # Beginning and leaving

    async def begin(self) -> None:
        """Tell which battle is at the board, and keep what has been played of it elsewhere."""
        self.tell(Begun(self.match.number))
        if self.match.battles[0].moves and not self.autosave.id and not self.match.over:
            async with self.changing:
                await finished(self._keep_and_tell())

    async def run(self) -> None:
        """Let those who do not sit here play, and judge the battle, until that is cancelled."""
        async with asyncio.TaskGroup() as group:
            for attendant in self._attendants:
                group.create_task(attendant())
            group.create_task(self._run_turns())
            group.create_task(self._run_clock())
            # Nobody waits for a judgement, but whoever moves does for the coach.
            group.create_task(self.coach.run())
            group.create_task(self.advice.run())

    async def _run_turns(self) -> None:
        while True:
            await self._take_turn()

    async def play_on(self) -> None:
        """Let those play who do not sit here, until somebody here has to do something."""
        await self.mind_time()
        while self.due:
            await self._take_turn()
        await self.coach.prepare()

    async def leave(self) -> None:
        """End every process and let the match go; nothing changes any more."""
        self.left = True
        self._interrupt()
        for close in self._closings:
            await close()
        await self.turns.settle()
        await self.advice.settle()
        await self.coach.settle()
        await self.seats.close()
        await self.analyst.close()
        async with self.changing:
            await self._put_down()
            await asyncio.to_thread(self.autosave.close)

    # Moves

    async def play(self, move: Move, at: int | None = None, *, by: int | None = None) -> None:
        """Play a move of the player to move.

        Raises:
            IllegalMove: it is not legal, the battle is over, or it is somebody else's turn.
            TooLate: the match has changed since, or the time is up.
        """
        self._refuse_if_late(at)
        self._refuse_on_turn_of_others(by)
        if not await self._change(partial(changes.played, self, move), at):
            raise TooLate("the time was up before that move")

    async def weigh(self, move: Move) -> Blunder | None:
        """Return why the coach would not play a move, which the players are to be asked about.

        None is returned if it has nothing against it, has been heard on it, or takes too long.
        """
        if not self.coach.due:
            return None
        self.advice.interrupt()
        return await self.coach.weigh(move)

    async def undo(self, at: int | None = None, *, by: int | None = None) -> None:
        """Take back the agreement to end, or else the moves since somebody here was to move.

        That is only proposed if the other player is a person who sits elsewhere than who asks.

        Raises:
            IllegalMove: there is nothing to take back.
            TooLate: the match has changed since.
        """
        await self.settled()
        self._refuse_if_late(at)
        if (asking := self._asking(by)) is None:
            await self._take_back(by, at)
        elif self.moves_back(by) or self.agreed:
            self._propose(Proposal(asking, self.number, wish=Wish.TAKE_BACK))
        else:
            raise IllegalMove("there is nothing to take back")

    def _asking(self, by: int | None) -> Side | None:
        """Return the side of whoever acts, if the other player is to be asked first."""
        player = by if by is not None else next(iter(self.seats.here), None)
        if player is None:
            return None
        if 1 - player in self.company.free:
            return None
        other = self.seats[1 - player]
        asked = other.elsewhere or (other.here and by is not None)
        return self.match.side_of(player) if asked else None

    async def _take_back(self, by: int | None, at: int | None) -> None:
        in_time = await self._change(partial(changes.taken_back, self, by), at)
        self.paused = self.watched
        self.timekeeper.look()
        if in_time and (aside := self.autosave.aside):
            self.tell(KeptAside(aside))

    async def redo(self) -> None:
        """Make again what was taken back, as far as the next turn of somebody here.

        Raises:
            IllegalMove: there is nothing to make again.
        """
        await self._change(partial(changes.made_again, self))

    # What both have to agree to

    async def propose_end(self, at: int | None = None, *, by: int | None = None) -> None:
        """Let the player to move propose to the other one to end the battle.

        If that is a person, `answer` is waited for; a computer is asked as on its turn.

        Raises:
            IllegalMove: the battle is over already, or it is somebody else's turn.
            TooLate: the match has changed since.
        """
        await self.settled()
        self._refuse_if_late(at)
        self._refuse_if_over()
        self._refuse_on_turn_of_others(by)
        if self.match.commander(self.to_move.other) in self.company.free:
            raise IllegalMove(untaken(self.to_move.other))
        self._propose(Proposal(self.to_move, self.number))

    def _propose(self, proposal: Proposal) -> None:
        if self.proposal:
            raise IllegalMove("something is proposed already, and not answered yet")
        self.proposal = proposal
        self._interrupt()
        self.tell(Proposed(proposal.by, proposal.wish))

    async def answer(self, agree: bool, *, by: int | None = None) -> None:
        """Answer for the player to whom something was proposed.

        Raises:
            IllegalMove: nobody has proposed anything to that one.
            TooLate: the match has changed since that was proposed.
        """
        proposal = self._proposal_now()
        answering = proposal.by.other
        if by is not None and not self.decides(answering, by):
            raise IllegalMove("that is not yours to answer")
        self.proposal = None
        until = "" if agree else self.seat_of(answering).refusal(self.battle, answering)
        self.tell(Answered(answering, agree, proposal.wish, until))
        if agree:
            await self._grant(proposal)
        else:
            await self._go_on_after(proposal)

    async def _grant(self, proposal: Proposal) -> None:
        match proposal.wish:
            case Wish.END:
                await self._change(partial(changes.agreed, self), proposal.at)
            case Wish.TAKE_BACK:
                await self._take_back(self.match.commander(proposal.by), proposal.at)
            case Wish.NEW_MATCH:
                await self._take_up(self.match.again(), None)

    async def withdraw(self, because: str = "", *, by: int | None = None) -> None:
        """Propose no longer what was proposed.

        Raises:
            IllegalMove: nobody has proposed anything, or somebody else has.
        """
        proposal = self._proposal_now()
        if by is not None and not self.decides(proposal.by, by):
            raise IllegalMove("that is not yours to withdraw")
        self.proposal = None
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
            raise IllegalMove("nobody has proposed anything")
        return self.proposal

    # Battles and matches

    async def next_battle(self, at: int | None = None, *, by: int | None = None) -> None:
        """Exchange the sides for the second battle.

        Args:
            at: the number at which that was decided; None is now.
            by: the player at another place who wants it; None is anybody here.

        Raises:
            IllegalMove: the first goes on, or the second has begun.
            TooLate: the match has changed since.
        """
        await self._change(partial(changes.next_battle, self, by), at)

    async def new_match(self, at: int | None = None, *, by: int | None = None) -> None:
        """Let the match go, and begin another one of the same players.

        That is only proposed if the other player is a person who sits elsewhere than who asks.

        Raises:
            IllegalMove: it is not over, and a player is at another place.
            TooLate: the match has changed since.
        """
        await self.settled()
        self._refuse_if_late(at)
        if self.seats.apart and not self.match.over:
            raise IllegalMove("this match is not over: leave it for another one")
        if (asking := self._asking(by)) is None:
            await self._take_up(self.match.again(), None)
        elif self.wished(asking.other, Wish.NEW_MATCH):
            # What the other one has proposed meanwhile is agreed to.
            await self.answer(True, by=by)
        else:
            self._propose(Proposal(asking, self.number, wish=Wish.NEW_MATCH))

    async def open(self, record: Record) -> None:
        """Let the match go, and go on with that of a record, or look at it if it is over.

        Raises:
            IllegalMove: a player is at another place.
        """
        if self.seats.apart:
            raise IllegalMove("another match is opened elsewhere: here somebody plays this one")
        match = await asyncio.to_thread(record.match)
        self.seats.take(contenders_of(record))
        await self._take_up(match, record)

    async def _take_up(self, match: Match, record: Record | None) -> None:
        async with self.changing:
            await finished(self._turn_to(match, record))

    async def _turn_to(self, match: Match, record: Record | None) -> None:
        await self._put_down()
        self._count_change()
        self.paused = False
        complaint = await self.autosave.turn_to(record)
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
            IllegalMove: the battle is over, or no hints are allowed.
            TooLate: the match has changed since that was asked for.
            EngineFault: it does not answer as it should.
        """
        self._refuse_if_late(at)
        self._refuse_if_over()
        if not self.hints_allowed:
            raise IllegalMove("this match is played without hints")
        return await self.advice.hint()

    async def _take_turn(self) -> None:
        """Wait for what somebody decides, and do it, unless the match goes on before that."""
        await self.settled()
        try:
            await (self._hear_answer() if self.proposal else self._hear_decision())
        except TooLate:
            return

    async def _hear_answer(self) -> None:
        try:
            agrees = await self.turns.agrees()
        except EngineFault as fault:
            await self.withdraw(str(fault))
        else:
            if agrees is not None:
                await self.answer(agrees)

    async def _hear_decision(self) -> None:
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
