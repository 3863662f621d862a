"""A guest's view of a session at a host."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from thud.engines.spec import GUEST, HUMAN, parse_contender
from thud.net.codec import (
    CHAT_SECONDS,
    CHATS,
    QUIET_SECONDS,
    SENDING_SECONDS,
    InvalidMessage,
)
from thud.net.framed_stream import StreamBroken
from thud.net.host_connection import (
    BROKEN,
    Call,
    Caller,
    ConnectionBroken,
    HostConnection,
    Tokens,
    TurnedAway,
)
from thud.net.messages import Asked, Closed, Done, EventUpdate, Refused, Snapshot
from thud.net.snapshots import caught_up, match_in, same_game
from thud.net.token_bucket import TokenBucket
from thud.net.transports.transport import MustAsk, Transport
from thud.net.updates import CHANGES, Disagreement, apply_update, clock_in, save_failed_there
from thud.records.record import BY_A_HOST, LOOKED_ON
from thud.records.record import GUEST as PLAYED_AS_GUEST
from thud.records.store import is_id
from thud.rules.clock import Times
from thud.rules.match import Match
from thud.rules.notation import move_text, written_move
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.session.autosave import Autosave
from thud.session.events import (
    Begun,
    ConnectionBack,
    ConnectionLost,
    ConnectionSilent,
    Event,
    NewMatch,
    Notified,
    NotPlayed,
    NotSaid,
    Proposed,
    Said,
    SaveFailed,
    Sending,
    Undo,
    Withdrawn,
)
from thud.session.law import (
    Answer,
    Hold,
    NextBattle,
    Play,
    Request,
    RequestRefused,
    Say,
    ToComputers,
    why_not,
)
from thud.session.state import Proposal
from thud.session.view import SessionView, Work
from thud.session.words import with_lapse

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.store import Store


_log: Final = logging.getLogger(__name__)

_MOST_KEPT: Final = 20
"""Most matches of one visit that are saved here."""


class Remote(SessionView):
    """A match played at a host's.

    Actions here become requests to the host.  When one has been awaited, it was carried out there,
    saved on the host's disk, and applied everywhere, here too.  The rules check each update before
    it is applied.  While the session runs, a broken connection is restored, and the match catches
    up with the host's.

    Made by `joined`.

    Args:
        match: the match.
        connection: the connection to its host.
        answered: the host's answer in the handshake.
        autosave: saves the match when it is over.
        command: the command to rejoin.

    Attributes:
        host_revision: the host's count of changes to the match, which restarts at 0 with the host;
            `revision` is the count to use here.
        host_match_id: the host's id for the match.
        there: the state of the connection.
    """

    def __init__(
        self,
        match: Match,
        connection: HostConnection,
        answered: Call,
        autosave: Autosave,
        command: str = "",
    ) -> None:
        seat = answered.welcome.seat
        first, second = (parse_contender(HUMAN if seat == each else GUEST) for each in range(2))
        super().__init__(match, autosave, (first, second), guest=True)
        assert self.state.connection
        self.there = self.state.connection
        self._connection = connection
        self._command = command
        self._complaint = answered.complaint
        self._pace = TokenBucket(CHATS / CHAT_SECONDS, CHATS)
        self._goes_on = False
        """Whether a request to begin the second battle is under way."""
        self._ours = answered.comes_back or not match.over
        """Whether we took part in the match: it was not over when joined, or the seat was ours."""
        self._matches = 1
        self.host_revision = answered.snapshot.number
        self._must_ask: MustAsk | None = None
        self._reconnected = asyncio.Event()
        self._wants_another = False
        """Whether our side agreed to another match."""
        self._follow(answered)
        self._know(answered.snapshot)

    @classmethod
    async def joined(
        cls,
        transport: Transport,
        caller: Caller,
        *,
        store: Store | None = None,
        tokens: Tokens | None = None,
        command: str = "",
    ) -> Remote:
        """Join a match; call it on the event loop that will run the session.

        Args:
            transport: reaches its host.
            caller: who joins, to play or to watch.
            store: where to save it when it is over; None saves nothing.
            tokens: our seats' tokens; None for the default ones.
            command: the command to rejoin.

        Raises:
            ValueError: the host cannot be reached, or refuses us.
        """
        connection = HostConnection(transport, caller, tokens or Tokens())
        answered = await connection.call()
        try:
            record, match = await asyncio.to_thread(match_in, answered.snapshot)
        except ValueError:
            await connection.disconnect()
            raise
        return cls(match, connection, answered, Autosave(store, record=record), command)

    # Beginning and leaving

    async def begin(self) -> None:
        """Announce the battle, complaints about saving, and an open proposal."""
        self.emit(Begun(self.state.match.number))
        if self._complaint:
            self.emit(SaveFailed(self._complaint))
        if self._not_kept:
            self.emit(save_failed_there(self._not_kept))
        if self.state.proposal:
            self.emit(Proposed(self.state.proposal.by, self.state.proposal.wish))

    def _work(self) -> Iterable[Work]:
        return self._keep_connection(), self._run_clock()

    async def play_on(self) -> None:
        """Return at once: computers play at the host's."""

    async def leave(self) -> None:
        """Leave; the seat stays ours."""
        self.state.left = True
        await self._connection.disconnect(leaving=True)
        await super().leave()

    def farewell(self, how: str = "") -> str:
        """Return how to rejoin a match that goes on, or how to replay one that is over."""
        if self._kept_here and (self.autosave.id or self.autosave.has_unsaved):
            return self.autosave.farewell(how)
        if not self._command:
            return self.outlook()
        return f"{self.outlook()} Come back with: {' '.join(filter(None, (self._command, how)))}"

    def outlook(self, way_back: str = "") -> str:
        """Return what happens to the match if we leave now, in a few words."""
        return f"The match{' and your seat are' if self.state.seats.local else ' is'} kept."

    # Requests to the host

    async def request(self, request: Request, at: int | None = None) -> None:
        """Send the host a request of ours, and await its answer.

        A chat message is not awaited: an event reports that it was said, or refused.
        """
        if not isinstance(request, ToComputers):
            self.state.refuse_if_late(at)
        if refusal := why_not(self.state, request):
            raise RequestRefused(refusal)
        match request:
            case Hold():
                self._interrupt()
            case Play(move):
                await self._play(move)
            case Undo() if self.there.withdrawable:
                move = self.there.sending
                self._arrived()
                self.emit(Notified(f"{move} is not sent again. If it has arrived, it counts."))
            case Say(text):
                words = self.state.participants.words(text)
                if not self._pace.try_acquire():
                    raise ValueError("too fast: wait a moment")

                def hear(answering: asyncio.Future[Done | Refused]) -> None:
                    if answering.cancelled() or self.state.left:
                        return
                    if isinstance(answer := answering.result(), Refused):
                        self.emit(NotSaid(words, answer.because))

                self._connection.say(Asked(Say(words))).add_done_callback(hear)
            case NextBattle():
                self._goes_on = True
                try:
                    await self._ask(request)
                finally:
                    self._goes_on = False
            case NewMatch() | Answer(True, NewMatch()):
                self._wants_another = True
                await self._ask(request)
            case Answer():
                self._wants_another = False
                await self._ask(request)
            case _:
                await self._ask(request)

    def set_computers(
        self, *, coach: bool, voices: bool, paced: bool = False, looks_back: bool = False
    ) -> None:
        """Do nothing: computers play at the host's."""

    async def _ask(self, request: Request) -> None:
        await self._connection.ask(Asked(request, self.host_revision))

    async def _play(self, move: Move | str) -> None:
        variant, position = self.state.battle.variant, self.state.battle.position
        if isinstance(move, str):
            move = written_move(variant, position, move)
        variant.check(position, move)
        text, sent_in = move_text(position, move), self._turn_now
        soon = asyncio.get_running_loop().call_later(SENDING_SECONDS, self._tell_sending, text)
        try:
            await self._ask(Play(text))
        except ConnectionBroken:
            if not self.state.left:
                self.there.sent_in = sent_in
                self._tell_sending(text)
                self.emit()  # it can be withdrawn now
            raise IllegalMove(
                f"no answer: {text} is sent again when the connection is back, unless you undo it"
            ) from None
        finally:
            soon.cancel()
            if self.there.sent_in is None:
                self._tell_sending("")

    @property
    def _turn_now(self) -> tuple[object, ...]:
        """What a move is played in; it stays the same when the host is restarted."""
        match = self.state.match
        return self.host_match_id, match.number, match.battle.played, match.battle.position

    def _tell_sending(self, move: str) -> None:
        if move != self.there.sending and not self.state.left:
            self.there.sending = move
            self.emit(Sending(move))

    def _send_again(self) -> None:
        """Send a move again whose answer was lost, if it has not been played."""
        if self.there.sent_in is None:
            return
        if self._turn_now != self.there.sent_in:
            self._arrived()
            return

        def hear(answering: asyncio.Future[Done | Refused]) -> None:
            if answering.cancelled() or self.state.left or (answer := answering.result()) is BROKEN:
                return
            move = self.there.sending
            self._arrived()
            # If it is late, the first one has arrived after all.
            if isinstance(answer, Refused) and not answer.late:
                self.emit(NotPlayed(move, answer.because))

        answering = self._connection.say(Asked(Play(self.there.sending), self.host_revision))
        answering.add_done_callback(hear)

    def _arrived(self) -> None:
        self.there.sent_in = None
        self._tell_sending("")

    # The clock; only the host ends a battle on time

    async def _run_clock(self) -> None:
        """Warn players before their time is up; the host decides when it is."""
        while True:
            await self.timekeeper.wait_until_up()
            await self.timekeeper.changed()

    def _follow_clock(self, times: Times | None) -> None:
        self.there.clock_runs = times is not None and times.running
        self.timekeeper.adopt(times)

    def _stop_clock(self) -> None:
        """Stop the clock until the next update."""
        self.there.clock_runs = False
        self.timekeeper.sync()

    # Messages from the host

    async def _keep_connection(self) -> None:
        """Handle messages, reconnecting when the connection breaks, until cancelled."""
        try:
            while True:
                lost = await self._hear_all()
                await self._connection.disconnect()
                if self.state.left:
                    return
                self.state.participants.connected.clear()
                if self.state.waits:
                    self._stop_clock()
                self._lose(lost)
                if lost.for_good or not await self._come_back(lost):
                    return
        finally:
            await self._connection.disconnect()

    async def _hear_all(self) -> ConnectionLost:
        """Handle messages until the connection ends; return why it did."""
        watches = self._connection.keep_alive(), self._watch_silence()
        meanwhile = [asyncio.create_task(each) for each in watches]
        try:
            while True:
                match await self._connection.receive():
                    case EventUpdate() as told:
                        await self._do(told)
                    case Snapshot(seq) as snapshot:
                        self._refuse_out_of_turn(seq)
                        await self._take(snapshot)
                    case Closed(because, again, away):
                        self._stop_clock()
                        return ConnectionLost(because, not again, away)
                    case message:
                        name = type(message).__name__.lower()
                        raise InvalidMessage(f"there is no reason for {name}")
        except StreamBroken as broken:
            return ConnectionLost(str(broken))
        except ValueError as fault:
            return ConnectionLost(f"the host's message makes no sense: {fault}")
        finally:
            for each in meanwhile:
                each.cancel()
            self.there.silent = 0

    async def _watch_silence(self) -> None:
        """Tell of a silence every second that it lasts."""
        while True:
            await asyncio.sleep(1)
            seconds = int(self._connection.silence)
            seconds = seconds if seconds >= QUIET_SECONDS else 0
            if seconds != self.there.silent:
                first, self.there.silent = not self.there.silent, seconds
                self.emit(ConnectionSilent(seconds, first))

    def _lose(self, lost: ConnectionLost) -> None:
        _log.info("the line to the host is lost: %s", lost.because or "it ended without a word")
        self.there.lost = lost
        if lost.for_good:
            self._arrived()
        self.emit(lost)

    async def _come_back(self, lost: ConnectionLost) -> bool:
        """Reconnect; return whether that succeeded."""
        while True:
            try:
                answered = await self._connection.call_again()
                await self._take(answered.snapshot)
            except MustAsk as must:
                self._must_ask = must
                self._lose(ConnectionLost(str(must), asks=True))
                await self._reconnected.wait()
                self._reconnected.clear()
                continue
            except TurnedAway as away:
                if not (lost.away and self.state.match.over):
                    # Else their leaving was announced already.
                    self._lose(ConnectionLost(str(away), for_good=True))
                return False
            except ValueError as fault:
                _log.info("what the host tells who comes back makes no sense: %s", fault)
                await self._connection.disconnect()
                continue
            _log.info("the line to the host is there again")
            self._follow(answered)
            self.there.lost = None
            self.emit(ConnectionBack(lost.away))
            self._send_again()
            return True

    def reconnect(self) -> None:
        """Reconnect now, answering prompts at the terminal if needed."""
        if self._must_ask is None:
            super().reconnect()
            return
        self._must_ask.connect()
        self._must_ask = None
        self._reconnected.set()

    def _follow(self, answered: Call) -> None:
        told = answered.welcome
        self.state.agree_on(
            hints=told.hints,
            chat=told.chat,
            waits=told.waits,
            claim=told.claim,
            arranged=told.arranged,
        )

    async def _do(self, told: EventUpdate) -> None:
        """Apply one update and announce its events."""
        self._refuse_out_of_turn(told.seq)
        async with self.changing:
            found = apply_update(self.state, told.update) if told.update else []
            if clock := clock_in(told.update):
                self._follow_clock(clock)
            kept = list[Event]()
            if isinstance(told.update, CHANGES):
                self.host_match_id = told.match
                # A change may arrive in several updates.
                if told.number != self.host_revision:
                    self.host_revision = told.number
                    pending = self.state.pending
                    self._count_change()
                    found = with_lapse(found, pending)
                kept = await self._keep_copy()
            if isinstance(told.update, SaveFailed):
                self._not_kept = told.update.complaint
            self._seq = told.seq
            self.emit(*found, *kept)

    async def _take(self, snapshot: Snapshot) -> None:
        """Apply a snapshot; announce only what is new."""
        record, now = await asyncio.to_thread(match_in, snapshot)
        async with self.changing:
            before, complaint, local = self.state.proposal, self._not_kept, self.state.seats.local
            pending = self.state.pending
            # The opponent has begun the second battle, if exactly one player sits here.
            begins = 1 - local[0] if len(local) == 1 and not self._goes_on else None
            known = snapshot.match == self.host_match_id
            found = caught_up(self.state.match, now, begins) if known else None
            if found is None:
                found = [await self._begun(now, record, known=known)]
            if found:
                self._count_change()
                found = with_lapse(found, pending)
            said = self._know(snapshot)
            kept = await self._keep_copy() if found else []
            self.emit(*found, *kept)
            before = None if found else before
            if wish := self.state.proposal:
                if before is None or (before.by, before.wish) != (wish.by, wish.wish):
                    self.emit(Proposed(wish.by, wish.wish))
            elif before:
                self.emit(Withdrawn(before.by))
            self.emit(*said)
            if self._not_kept not in ("", complaint):
                self.emit(save_failed_there(self._not_kept))

    async def _begun(self, now: Match, record: Record, *, known: bool) -> Event:
        goes_on = known
        if not known:
            # Players agree to another match first; spectators are not asked.
            agreed = self._wants_another or not self.state.seats.local
            goes_on = agreed and self.state.match.over and not now.over
            self._matches += 1
            self._wants_another = False
        self._ours = goes_on and same_game(self.state.match, now) and (self._ours or not known)
        await self.autosave.switch_to(record)
        self.state.match = now
        return Begun(now.number)

    def _know(self, snapshot: Snapshot) -> list[Said]:
        """Take over a snapshot's state besides the moves; return chat messages that are new."""
        self._seq, self._not_kept = snapshot.seq, snapshot.not_kept
        self.host_match_id = snapshot.match
        self._follow_clock(snapshot.clock)
        self.host_revision = snapshot.number
        state, participants, by = self.state, self.state.participants, snapshot.proposed
        state.proposal = Proposal(by, state.revision, snapshot.wish) if by else None
        present = (each for each in range(2) if snapshot.present[each])
        participants.connected.clear()
        participants.greet(*(each for each in present if state.seats[each].is_remote))
        participants.spectators = list(snapshot.onlookers)
        return participants.merge_chat(snapshot.said)

    # Saving here

    @property
    def record(self) -> Record:
        """The record of the match as it is now, tagged as played elsewhere."""
        record = super().record
        others = (tag for tag in record.tags if tag[0] not in BY_A_HOST)
        took_part = PLAYED_AS_GUEST if self.state.seats.local else LOOKED_ON
        return record._replace(tags=(took_part, *others))

    @property
    def _kept_here(self) -> bool:
        """Whether the match is saved here, too: once it is over, if we took part."""
        fits = self._ours and self._matches <= _MOST_KEPT
        return fits and self.state.match.over and is_id(self.host_match_id)

    async def _keep_copy(self) -> list[Event]:
        """Save the match under the host's id for it, if it is over.

        The record of any battle that is over is known from then on, to be reviewed.
        """
        if self.state.battle.outcome is None:
            return []
        if self._kept_here:
            return await self._keep(self.host_match_id)
        self.autosave.set_record(self.record)
        return []

    def _refuse_out_of_turn(self, seq: int) -> None:
        if seq != self._seq + 1:
            raise Disagreement("something is missing before it")
