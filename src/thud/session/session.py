"""A match played here, independent of players and front ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

from thud.engines.faults import EngineFault
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.clock import time_for_move
from thud.rules.match import InvalidPlayers, Match
from thud.rules.position import Move, Side
from thud.rules.variant import Forfeit, Reason
from thud.session.autosave import Autosave
from thud.session.cancellation import CancellableTask, finished, forever
from thud.session.events import (
    Answered,
    Arrived,
    Begun,
    Departed,
    Event,
    Faulted,
    HandedOver,
    NewMatch,
    Notified,
    Played,
    Proposed,
    ProposeEnd,
    Redone,
    SaveFailed,
    SeatAsked,
    SeatGiven,
    Thinking,
    Undo,
    Withdrawn,
)
from thud.session.law import (
    Answer,
    ChangeSpeed,
    Claim,
    Fairer,
    GiveSeat,
    Hold,
    NextBattle,
    Open,
    Pause,
    Play,
    Redo,
    Request,
    RequestRefused,
    Resign,
    Say,
    TakeOver,
    ToComputers,
    TryAgain,
    Withdraw,
    why_not,
)
from thud.session.participants import LONGEST_GIVEN_NAME, Contenders, Voices, contenders_of
from thud.session.state import (
    SPEEDS,
    Proposal,
    TooLate,
    ended,
    played,
    taken_back,
)
from thud.session.view import SessionView, Work
from thud.session.words import with_lapse
from thud.text import printable

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought
    from thud.records.record import Record

_AGAINST_PEOPLE: Final = 0.4
"""Shortest time of a computer for a move against a person, in seconds."""

_SILENT: Final = 10
"""Moves for which no computer proposes the end again after a refusal."""


class Session(SessionView):
    """Matches played one after the other, with all actions of the players.

    Changes are serialised.  `by` is the remote player who acts, None for a local one.
    """

    def __init__(
        self,
        match: Match,
        autosave: Autosave | None = None,
        contenders: Contenders = None,
    ) -> None:
        super().__init__(match, autosave or Autosave(None), contenders)
        self._voices = Voices()
        self._paced = False
        self._asking = CancellableTask()
        self._refused: tuple[Battle, int] | None = None
        """The battle in which a proposal to end was refused last, and after how many moves."""
        self.on_close(self._asking.settle)
        self._limit_quiet()
        self.timekeeper.sync()

    # Beginning and leaving

    async def begin(self) -> None:
        """Report the battle on the board, and save what was played of it before."""
        state = self.state
        self.emit(Begun(state.match.number))
        if state.match.battles[0].moves and not self.autosave.id and not state.match.over:
            async with self.changing:
                await finished(self._save_and_emit())

    def emit(self, *events: Event) -> None:
        """Call all listeners with some events; then a computer may say something about them."""
        super().emit(*events)
        state = self.state
        if self._voices.on and state.participants.chat_allowed:
            for player, words in self._voices.remarks(events, state.match, state.seats):
                name = state.match.players[player]
                super().emit(state.participants.add_message(player, name, words))

    def _work(self) -> Iterable[Work]:
        return self._run_turns(), self._run_clock()

    async def _run_turns(self) -> None:
        while True:
            await self._take_turn()

    async def _run_clock(self) -> None:
        while True:
            await self.timekeeper.wait_until_up()
            await self.mind_time()

    async def play_on(self) -> None:
        """Play the engines' moves until a local person has to act."""
        await self.mind_time()
        while self.state.engine_due:
            await self._take_turn()
        await self.prepare_coach()

    async def leave(self) -> None:
        """Save the time used in the current turn, then stop everything and close the match."""
        self.state.left = True
        self._interrupt()
        await self.save_time_used()
        await super().leave()

    # Time

    async def mind_time(self) -> None:
        """End the battle if the player to move is out of time."""
        if self.timekeeper.up:
            with suppress(TooLate):
                await self._change(self._time_up, self.state.revision)

    def _time_up(self) -> list[Event]:
        self.state.battle.time_up()
        return ended(self.state.battle)

    async def save_time_used(self) -> None:
        """Save the time used in the current turn."""
        async with self.changing:
            await self._store_time_used()

    async def _store_time_used(self) -> None:
        if self.autosave.id and self.timekeeper.store_time_used():
            await finished(self._save_and_emit())

    # Changing

    async def _change(self, change: Callable[[], list[Event]], revision: int | None = None) -> bool:
        """Change the match, save it and report the events.

        Return False if the battle has ended instead, because a player was out of time.  If the
        caller is cancelled meanwhile, that waits: a change is always saved and reported.
        """
        async with self.changing:
            self.state.refuse_if_late(revision)
            in_time, pending = not self.timekeeper.up, self.state.pending
            events = change() if in_time else self._time_up()
            self._count_change()
            await finished(self._save_and_emit(*with_lapse(events, pending)))
        return in_time

    async def _save_and_emit(self, *events: Event) -> None:
        """Save the match, and report the events of the change."""
        kept = await self._keep()
        self.emit(*events, *kept)

    async def rename(self, player: int, name: str) -> None:
        """Rename a player.

        Raises:
            InvalidPlayers: the name is not valid, or the other player has it.
        """
        async with self.changing:
            self.state.match.rename(player, name)
            # Otherwise the saved match would be newer than its clock times.
            self.timekeeper.store_time_used()
            await finished(self._save_and_emit())

    # Requests

    async def request(  # noqa: PLR0912, PLR0915 - a branch for each request
        self, request: Request, at: int | None = None, *, by: int | None = None
    ) -> None:
        """Carry out a request of a player here, or of remote player `by`."""
        from thud.rules.notation import written_move

        state = self.state
        if not isinstance(request, ToComputers):
            # A change under way is completed, so that the revision is current.
            await self.settled()
            state.refuse_if_late(at)
            at = state.revision
        if refusal := why_not(state, request, by):
            raise RequestRefused(refusal)
        match request:
            case Play(move):
                if isinstance(move, str):
                    move = written_move(state.match.variant, state.battle.position, move)
                if not await self._change(partial(self._played, move), at):
                    raise TooLate("the time was up before that move")
            case Undo():
                if side := state.asks(by):
                    self._propose(Proposal(side, state.revision, request))
                else:
                    await self._take_back(at, by=by)
            case Redo():
                await self._change(self._redone, at)
            case Resign() if side := state.side_of(by):
                await self._forfeit(side, Reason.RESIGNATION, at)
            case Claim():
                await self._forfeit(state.to_move, Reason.CLAIM, at)
            case ProposeEnd():
                self._propose(Proposal(state.to_move, state.revision, request))
            case Answer(agree):
                await self._answer(agree)
            case Withdraw():
                await self._withdraw()
            case NextBattle():
                await self._change(partial(self._next_battle, by), at)
            case NewMatch():
                if (side := state.asks(by)) is None:
                    # A computer stays in its seat.
                    match, local = state.match, state.seats.local
                    swap = len(local) == len(match.players)
                    await self._take_up(match.rematch() if swap else match.again(), None)
                elif state.proposal:
                    # The other player has proposed the same meanwhile.
                    await self._answer(True)
                else:
                    self._propose(Proposal(side, state.revision, request))
            case Fairer():
                from thud.session.fairer import fairer_match

                fairer = fairer_match(state)
                assert fairer
                state.seats.take(fairer.contenders)
                await self._take_up(fairer.match, None)
            case Open(record):
                match = await asyncio.to_thread(record.match)
                state.seats.take(contenders_of(record))
                await self._take_up(match, record)
            case Say(text):
                player = next(iter(state.seats.local)) if by is None else by
                words, name = state.participants.words(text), state.match.players[player]
                self.emit(state.participants.add_message(player, name, words))
            case GiveSeat() if asks := state.participants.asking:
                self.emit(state.participants.given(SeatGiven(asks.player, asks.name)))
            case Hold() | Pause() | ChangeSpeed() | TryAgain() | TakeOver():
                self._steer(request)

    def _played(self, move: Move) -> list[Event]:
        """Play a move, with the time it took by the clock."""
        state = self.state
        return played(state.battle, move, state.clock.after_move if state.clock else None)

    async def _take_back(self, at: int | None, *, by: int | None) -> None:
        """Take back the agreement to end, or else the moves back to a player's last turn."""

        def change() -> list[Event]:
            battle = self.state.battle
            self.state.computers.paused = self.state.watched
            return taken_back(battle, 0 if battle.agreed else self.state.moves_back(by))

        in_time = await self._change(change, at)
        if in_time and (aside := self.autosave.aside):
            self.emit(Notified(aside))

    def _redone(self) -> list[Event]:
        """Redo moves up to the next turn of a local player."""
        battle, turns = self.state.battle, list[Played]()
        while battle.undone and not battle.outcome:
            battle.redo()
            assert battle.last
            turns.append(Played(*battle.last))
            if self.state.watched or self.state.decides(self.state.to_move):
                break
        return [Redone(tuple(turns)), *ended(battle)]

    async def _forfeit(self, loser: Side, reason: Reason, at: int | None) -> None:
        """End the battle because a side resigns or loses by a claim."""

        def change() -> list[Event]:
            self.state.battle.lose(Forfeit(loser, reason))
            return ended(self.state.battle)

        await self._change(change, at)

    def _next_battle(self, by: int | None) -> list[Event]:
        self.state.match.next_battle()
        self._limit_quiet()
        return [Begun(self.state.match.number, by)]

    # What both players must agree to

    def _propose(self, proposal: Proposal) -> None:
        self.state.proposal = proposal
        self._interrupt()
        self.emit(Proposed(proposal.by, proposal.wish))

    async def _answer(self, agree: bool) -> None:
        """Answer the open proposal for the player asked, and carry it out if agreed."""
        proposal = self.state.proposal
        assert proposal
        answering, wish = proposal.by.other, proposal.wish
        self.state.proposal = None
        until = "" if agree else self.state.seat_of(answering).refusal(self.state.battle)
        self.emit(Answered(answering, agree, wish, until))
        if not agree:
            await self._go_on_after(proposal)
            return
        match wish:
            case ProposeEnd():
                await self._change(self._agreed, proposal.revision)
            case Undo():
                asker = self.state.match.commander(proposal.by)
                await self._take_back(proposal.revision, by=asker)
            case NewMatch():
                await self._take_up(self.state.match.again(), None)

    def _agreed(self) -> list[Event]:
        self.state.battle.agree()
        return ended(self.state.battle)

    async def _withdraw(self, because: str = "") -> None:
        proposal = self.state.proposal
        assert proposal
        self.state.proposal = None
        self.emit(Withdrawn(proposal.by, because))
        await self._go_on_after(proposal)

    async def _go_on_after(self, proposal: Proposal) -> None:
        """Play the move that comes with a proposal, as the battle does not end."""
        self._interrupt()
        if move := proposal.otherwise:
            self._refused = self.state.battle, self.state.battle.played
            await self._change(partial(self._played, move), proposal.revision)

    # Matches

    async def _take_up(self, match: Match, record: Record | None) -> None:
        async with self.changing:
            await finished(self._switch_to(match, record))

    async def _switch_to(self, match: Match, record: Record | None) -> None:
        await self._store_time_used()
        self._count_change()
        self.state.computers.paused = False
        await self.autosave.switch_to(record)
        self.state.match = match
        # A finished match is only looked at, and saved once it changes.
        saved = not record.over if record else self.autosave.keeps_empty
        complaint = await self.autosave.keep(record or self.record) if saved else ""
        self._limit_quiet()
        self._interrupt()
        self.emit(Begun(match.number), *([SaveFailed(complaint)] if complaint else []))

    def _limit_quiet(self) -> None:
        """Set a quiet limit for a battle between engines.

        If the battle has a longer quiet stretch already, undone moves included, the limit is added
        to that: otherwise these moves would be illegal, and its record unreadable.
        """
        battle = self.state.battle
        if self.state.watched and battle.quiet_limit is None:
            from thud.records.record import MAX_QUIET

            turns = groupby((*battle.moves, *battle.undone), key=lambda move: bool(move.captures))
            quiet = (sum(1 for _ in some) for captures, some in turns if not captures)
            longest = max(quiet, default=0)
            limit = QUIET_LIMIT if longest < QUIET_LIMIT else longest + QUIET_LIMIT
            battle.quiet_limit = limit if limit <= MAX_QUIET else None

    # Remote players and spectators

    async def arrive(self, player: int, name: str, *, known: bool = False) -> None:
        """Seat a player, under the name given or the nearest free one.

        Args:
            player: the player.
            name: the name they ask for, empty if none.
            known: whether they were here before this session.
        """
        if fit := printable(name, LONGEST_GIVEN_NAME):
            try:
                await self.rename(player, fit)
            except InvalidPlayers:
                # The other player has that name.
                await self.rename(player, f"{fit} {player + 1}")
        self.emit(self.state.participants.enter(player, known=known))
        self.timekeeper.sync()

    def ask_for_seat(self, player: int, name: str, origin: str) -> None:
        """Report that somebody asks for an absent player's seat."""
        asking = SeatAsked(player, printable(name, LONGEST_GIVEN_NAME) or "Somebody", origin)
        self.state.participants.asking = asking
        self.emit(asking)

    def depart(self, player: int) -> None:
        """Note that a player has left, and report it unless the match is closed here."""
        if player in self.state.participants.connected:
            self.state.participants.leave(player)
            if not self.state.left:
                self.emit(Departed(self.state.match.players[player], player))
            self.timekeeper.sync()

    def make_room(self, player: int) -> None:
        """Let a computer of the host's leave a seat, as if nobody had been there."""
        self.depart(player)
        self.state.participants.been.discard(player)

    def look_on(self, name: str) -> str:
        """Add a spectator; return their name."""
        fit = printable(name, LONGEST_GIVEN_NAME) or "Somebody"
        self.state.participants.spectators.append(fit)
        self.emit(Arrived(fit))
        return fit

    def look_away(self, name: str) -> None:
        """Remove a spectator, and report it unless the match is closed here."""
        self.state.participants.spectators.remove(name)
        if not self.state.left:
            self.emit(Departed(name))

    # Engines

    def _interrupt(self) -> None:
        super()._interrupt()
        self._asking.cancel()

    def _steer(self, request: ToComputers) -> None:
        """Carry out a request to computers."""
        state, computers = self.state, self.state.computers
        match request:
            case Hold(held):
                computers.held = held
            case Pause(paused):
                computers.paused = paused
            case ChangeSpeed(by):
                computers.speed = max(0, min(computers.speed + by, len(SPEEDS) - 1))
                return
            case TryAgain():
                computers.fault = None
                state.seats.take_back()
            case TakeOver():
                if computers.fault is None:
                    return
                player, computers.fault = computers.fault.player, None
                state.seats.hand_over(player)
                self.emit(HandedOver(player))
        self._interrupt()

    def set_computers(
        self, *, coach: bool, voices: bool, paced: bool = False, looks_back: bool = False
    ) -> None:
        """Set how computers treat people."""
        self.advice.set_coach(coach, looks_back=looks_back)
        self._voices.on, self._paced = voices, paced

    async def _take_turn(self) -> None:
        """Await the engine's next decision or answer, and carry it out unless it is too late."""
        await self.settled()
        revision, side = self.state.revision, self.state.to_move
        with suppress(TooLate):
            if proposal := self.state.proposal:
                try:
                    agrees = await self._asking.run(self._agreement())
                except EngineFault as fault:
                    if self.state.proposal is proposal:
                        await self._withdraw(str(fault))
                else:
                    # It may have been withdrawn just after the engine had answered.
                    if agrees is not None and self.state.proposal is proposal:
                        await self._answer(agrees)
                return
            try:
                decision = await self._asking.run(self._decision())
            except EngineFault as fault:
                self.state.refuse_if_late(revision)
                failed = Faulted(self.state.match.commander(side), str(fault))
                self.state.computers.fault = failed
                self.timekeeper.sync()
                self.emit(failed)
                return
            if decision is None:
                return
            battle, (refused_in, since) = self.state.battle, self._refused or (None, 0)
            silent = refused_in is battle and battle.played - since < _SILENT
            if decision.ends and not silent:
                self.state.refuse_if_late(revision)
                self._propose(Proposal(side, revision, ProposeEnd(), decision.move))
            else:
                await self._change(partial(self._played, decision.move), revision)

    async def _agreement(self) -> bool:
        """Ask the engine whether it agrees to the end; wait for ever if none is due."""
        seat = self.state.engine_due or await forever()
        return await seat.agrees(self.state.battle, self._seconds)

    async def _decision(self) -> Decision:
        """Ask the engine for its move; wait for ever if none is due."""
        seat, side = self.state.engine_due or await forever(), self.state.to_move
        self.emit(Thinking(side))

        def report(thought: Thought) -> None:
            self.emit(Thinking(side, thought))

        seconds, least = self._seconds, 0.0
        if self._paced:
            least = SPEEDS[self.state.computers.speed] if self.state.watched else _AGAINST_PEOPLE
        if seconds is not None:
            least = min(least, seconds)
        deciding = seat.decide(self.state.battle, report, seconds)
        decision, _ = await asyncio.gather(deciding, asyncio.sleep(least))
        return decision

    @property
    def _seconds(self) -> float | None:
        """Seconds that the engine may take by the clock, None without one."""
        clock = self.state.clock
        return None if clock is None else time_for_move(clock.control, clock.left(clock.turn))
