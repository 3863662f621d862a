"""The law of requests: it is silent exactly when a request is carried out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from sampling import sampled
from session.scripts import computers
from session.timing import ManualClock
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import (
    ConnectionLost,
    Evaluated,
    Event,
    Faulted,
    NewMatch,
    ProposeEnd,
    Thinking,
    Undo,
)
from thud.session.law import (
    Answer,
    ChangeSpeed,
    Claim,
    Code,
    Fairer,
    GiveSeat,
    Hold,
    NextBattle,
    Open,
    Pause,
    Play,
    Redo,
    Refusal,
    Request,
    RequestRefused,
    Resign,
    Say,
    TakeOver,
    TryAgain,
    Withdraw,
    allows,
    why_not,
)
from thud.session.participants import MUTED
from thud.session.session import Session
from thud.session.state import Await, Proposal, Reply, TableState, Whose

SEATS = {
    "people": ("human", "human"),
    "computer": ("human", "random"),
    "computers": ("random", "random"),
    "guest": ("human", "guest"),
    "guest and computer": ("guest", "random"),
    "guests": ("guest", "guest"),
}
HUMAN, GUEST = parse_contender("human"), parse_contender("guest")
STEPS = 30
CLAIM = 600
CLASSIC = VARIANTS["classic"]
WISHES = ProposeEnd(), Undo(), NewMatch()


def requests(session: Session) -> Iterator[Request]:
    """Yield a request of each kind; its move and its record are sound."""
    battle = session.state.battle
    if moves := battle.variant.legal_moves(battle.position):
        yield Play(moves[0])
    yield from (Undo(), Redo(), ProposeEnd(), Resign(), Claim(), Withdraw(), GiveSeat())
    yield from (Answer(agree, wish) for agree in (True, False) for wish in WISHES)
    yield from (NextBattle(), NewMatch(), Fairer(), Open(Record.of(Match(battle.variant))))
    yield from (Say("well played"), Say(" \x07 "), Hold(), Hold(False), Pause(), Pause(False))
    yield from (ChangeSpeed(1), TryAgain(), TakeOver())


def fair(  # noqa: PLR0911, PLR0912 - one for each request
    session: Session, request: Request, by: int | None
) -> bool:
    """Whether a request should be carried out: the law again, in other terms."""
    state, battle, match = session.state, session.state.battle, session.state.match
    seats, participants, proposal = state.seats, state.participants, state.proposal
    here = {player for player in (0, 1) if seats[player].is_local}
    apart = any(seats[player].is_remote for player in (0, 1))
    watched = not (here or apart)
    me = here if by is None else {by}
    mover, over = match.commander(battle.position.to_move), battle.outcome is not None
    proposer = match.commander(proposal.by) if proposal else None
    asked = None if proposer is None else 1 - proposer
    # Whoever acts at a place with two players acts for the one to move.
    other = 1 - (mover if len(me) > 1 else min(me, default=0))
    away = seats[other].is_remote and other not in participants.connected
    nobody = away and other not in participants.been and match.players[other][:6] == "Player"
    # Both must agree where a person at another place is concerned.
    person = seats[other].is_remote or (by is not None and seats[other].is_local)
    agree = len(me) == 1 and not nobody and person
    match request:
        case Play():
            return not over and mover in me
        case ProposeEnd():
            return not over and mover in me and not nobody and not proposal
        case Resign():
            return not over and bool(me) and not nobody
        case Claim():
            since = state.absent_for(other)
            early = since is not None and since < state.claim_after
            fits = bool(me) and away and not nobody and mover == other and not early
            return not over and fits and state.claim_after > 0
        case Undo():
            turns = {match.commander(each.to_move) for each in battle.positions[:-1]}
            last = battle.agreed or (not battle.forfeit and (turns & me or (watched and turns)))
            return bool(last and (me or watched)) and not (agree and proposal)
        case Redo():
            return bool(battle.undone) and not over and not apart
        case Answer(_, wish):
            return proposal is not None and proposal.wish == wish and asked in me
        case Withdraw():
            return proposer is not None and proposer in me
        case NextBattle():
            return over and match.number == 1
        case NewMatch():
            same = proposal and isinstance(proposal.wish, NewMatch) and asked in me
            return (match.over or not apart) and (not agree or not proposal or bool(same))
        case Fairer():
            return False  # none of these computers has a level
        case Open():
            return not apart
        case Say(text):
            muted = by is None and participants.muted
            speaks = participants.chat_allowed and not muted and apart
            return bool(me) and speaks and text.strip().isprintable()
        case GiveSeat():
            return participants.asking is not None
        case TryAgain():
            return state.computers.fault is not None or bool(seats.failed)
    return True


class Script:
    """Random requests and events at one table.

    Args:
        directory: where it is saved.
        seats: who plays.
        rng: chooses.
        clock: the time.
    """

    def __init__(
        self, directory: Path, seats: tuple[str, str], rng: Random, clock: ManualClock
    ) -> None:
        first, second = map(parse_contender, seats)
        names = ("Ann", "Bert") if rng.random() < 0.5 else ("Player 1", "Player 2")
        match = Match(CLASSIC, names)
        self.session = Session(match, Autosave(Store(directory)), (first, second))
        self.session.state.agree_on(
            hints=True, chat=rng.random() < 0.8, waits=False, claim=rng.choice((0, CLAIM, CLAIM))
        )
        self.session.state.participants.muted = MUTED if rng.random() < 0.2 else ""
        self.rng, self.clock = rng, clock
        self.events: list[Event] = []
        self.session.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if not isinstance(event, Thinking | Evaluated):
            self.events.append(event)

    @property
    def guests(self) -> list[int]:
        """The remote players."""
        return [player for player in (0, 1) if self.session.state.seats[player].is_remote]

    @property
    def so(self) -> tuple[object, ...]:
        """All that a request can change."""
        state = self.session.state
        computers = state.computers.held, state.computers.paused, state.computers.speed
        battle = state.battle.moves, state.battle.undone, state.battle.outcome, state.match.number
        asking = state.participants.asking
        return state.revision, state.proposal, computers, battle, asking, len(self.events)

    async def something_happens(self) -> None:
        """Let computers play, time pass, or a guest come or go."""
        session, rng = self.session, self.rng
        what = rng.choice(("play", "play", "time", "come", "go", "ask"))
        guest = rng.choice(self.guests) if self.guests else None
        if what == "play":
            await session.play_on()
        elif what == "time":
            self.clock.pass_ms(rng.choice((1, 400_000, 700_000)))
        elif guest is None:
            return
        elif what == "come":
            await session.arrive(guest, rng.choice(("", "Cleo")))
        elif what == "go":
            session.depart(guest)
        elif guest in session.state.participants.missing:
            session.ask_for_seat(guest, "Dora", "")

    async def obeys_the_law(self) -> set[tuple[str, Code | None]]:
        """Make every request for everybody, first those that are refused; return how they fared."""
        allowed, fared = [], set()
        for by in (None, *self.guests):
            for request in requests(self.session):
                refusal = why_not(self.session.state, request, by)
                assert (refusal is None) is fair(self.session, request, by), (request, by, refusal)
                fared.add((type(request).__name__, refusal.code if refusal else None))
                if refusal is None:
                    allowed.append((request, by))
                    continue
                before = self.so
                with pytest.raises(RequestRefused) as refused:
                    await self.session.request(request, self.session.state.revision, by=by)
                assert refused.value.refusal == refusal
                assert str(refused.value) == refusal.because
                assert self.so == before, "a refused request changes nothing"
        kinds = sorted({type(request).__name__ for request, _ in allowed} - self._endings())
        kind = self.rng.choice(kinds)
        request, by = self.rng.choice([each for each in allowed if type(each[0]).__name__ == kind])
        before = self.so
        await self.session.request(request, self.session.state.revision, by=by)
        harmless = isinstance(request, Hold | Pause | ChangeSpeed | TryAgain | TakeOver)
        assert harmless or self.so != before, "and one that is carried out changes something"
        return fared

    def _endings(self) -> set[str]:
        """Return the kinds of requests that end too much to be made often."""
        return {"Open", "NewMatch", "Resign"} if self.rng.random() < 0.8 else set()


async def fares(directory: Path, seats: str, seed: int) -> set[tuple[str, Code | None]]:
    """Follow a script to its end; return how each kind of request fared."""
    with pytest.MonkeyPatch.context() as patch, computers():
        clock = ManualClock().put_everywhere(patch)
        script = Script(directory, SEATS[seats], Random(f"{seats} {seed}"), clock)
        fared = set()
        await script.session.begin()
        for _ in range(STEPS):
            await script.something_happens()
            fared |= await script.obeys_the_law()
        await script.session.leave()
        for request in requests(script.session):
            refusal = why_not(script.session.state, request)
            fared.add((type(request).__name__, refusal.code if refusal else None))
    return fared


@pytest.mark.parametrize("seed", sampled(range(8), 4))
@pytest.mark.parametrize("seats", SEATS)
async def test_the_law_is_silent_exactly_when_a_request_is_carried_out(
    tmp_path: Path, seats: str, seed: int
) -> None:
    assert await fares(tmp_path, seats, seed)


async def test_the_scripts_meet_every_reason(tmp_path: Path) -> None:
    fared = set()
    for seats in SEATS:
        for seed in (0, 4):
            fared |= await fares(tmp_path / f"{seats}{seed}", seats, seed)
    kinds = {type(each).__name__ for each in requests(Session(Match(CLASSIC)))}
    # None of these computers has a level.
    assert {kind for kind, code in fared if code is None} == kinds - {"Fairer"}
    # A guest alone has a connection; see the law between guest and host.
    assert {code for _, code in fared} == {None, *Code} - {Code.CONNECTION, Code.SENDING}


def table(*seats: str, guest: bool = False) -> TableState:
    """Return a table in the first battle, before its first move."""
    first, second = map(parse_contender, seats)
    return TableState(Match(CLASSIC, ("Ann", "Bert")), (first, second), guest=guest)


def test_only_who_plays_waits_for_their_turn() -> None:
    waiting, spectating = table("guest", "human"), table("guest", "guest")
    for state, waits in ((waiting, True), (spectating, False)):
        refusal = why_not(state, Play(""))
        assert refusal == Refusal(Code.TURN, "it is Ann's turn", waits)


def test_a_second_move_waits_for_the_first_to_arrive() -> None:
    state = table("human", "guest", guest=True)
    connection = state.connection
    assert connection
    assert why_not(state, Play("")) is None
    connection.sending = "dF1-F5"
    assert why_not(state, Play("")) == Refusal(Code.SENDING, "dF1-F5 is still on its way")


def test_a_guest_steers_no_computers() -> None:
    state = table("human", "guest", guest=True)
    refusal = Refusal(Code.EXCLUDED, "computers play at the host's")
    for request in (Pause(), ChangeSpeed(1), TryAgain(), TakeOver()):
        assert why_not(state, request) == refusal
    assert why_not(state, Hold()) is None


def test_computers_are_steered_whatever_has_changed_since() -> None:
    state = table("random", "random")
    state.computers.fault = Faulted(0, "it has failed")
    state.left = True
    for request in (Hold(), Pause(), ChangeSpeed(1), TryAgain(), TakeOver()):
        assert why_not(state, request) is None
    guest = table("human", "guest", guest=True)
    assert guest.connection
    guest.connection.lost = ConnectionLost("", True)
    assert why_not(guest, Hold()) is None


def test_who_only_watches_is_told_so_first() -> None:
    state = table("guest", "guest", guest=True)
    state.agree_on(hints=True, chat=True, waits=False, claim=CLAIM)
    kinds = Undo, Withdraw, ProposeEnd, Resign, Claim, NextBattle, NewMatch, GiveSeat
    for _ in range(2):
        refusals = [why_not(state, kind()) for kind in kinds]
        assert {each and each.code for each in refusals} == {Code.NOT_A_PLAYER}
        if not state.battle.outcome:
            state.match.battle.agree()


def test_nothing_is_won_of_somebody_who_has_never_been_here() -> None:
    state = TableState(Match(CLASSIC), (GUEST, HUMAN))
    state.agree_on(hints=True, chat=True, waits=False, claim=CLAIM)
    for request in (ProposeEnd(), Resign(), Claim()):
        refusal = why_not(state, request)
        assert refusal
        assert refusal.code is (Code.TURN if request == ProposeEnd() else Code.UNTAKEN)


@pytest.mark.parametrize("for_good", [False, True])
def test_only_a_move_and_a_message_wait_for_a_lost_connection(for_good: bool) -> None:
    state = table("human", "guest", guest=True)
    state.participants.enter(1)
    state.match.battle.play(CLASSIC.legal_moves(CLASSIC.start)[0])
    state.match.battle.undo()
    connection = state.connection
    assert connection
    connection.lost = ConnectionLost("", for_good)
    refusal = Refusal(Code.CONNECTION, "the connection to the host is broken")
    for request in (ProposeEnd(), Undo(), Resign(), Answer(True, Undo()), Withdraw(), GiveSeat()):
        assert why_not(state, request) == refusal
    for waits in (Play(""), Say("hello")):
        assert why_not(state, waits) == (refusal if for_good else None)


def test_a_battle_can_be_claimed_from_the_second_on_that_was_agreed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = ManualClock().put_everywhere(monkeypatch)
    state = table("guest", "human")
    state.agree_on(hints=True, chat=True, waits=False, claim=CLAIM)
    state.participants.enter(0)
    state.participants.leave(0)
    clock.pass_ms(1000 * CLAIM - 1)
    refusal = why_not(state, Claim())
    assert refusal
    assert refusal.code is Code.TOO_EARLY
    clock.pass_ms(1)
    assert why_not(state, Claim()) is None


@pytest.mark.parametrize("player", [0, 1])
def test_nobody_is_asked_in_a_free_seat(player: int) -> None:
    for names, asks in ((DEFAULT_PLAYERS, False), (("Ann", "Bert"), True)):
        state = table("human", "guest") if player == 0 else table("guest", "human")
        state.match.players = names
        for by in (None, player):
            assert state.asks(by) is (state.match.side_of(player) if asks else None)


def test_nobody_is_to_move_here_once_the_battle_is_over_or_left() -> None:
    left, over = table("human", "human"), table("human", "human")
    assert left.turn.here
    left.left = True
    over.match.battle.agree()
    assert not left.turn.here
    assert not over.turn.here


def whose(state: TableState) -> Whose:
    return state.turn.whose


def test_what_is_found_out_is_found_anew_after_each_change() -> None:
    state = table("human", "guest", guest=True)
    connection = state.connection
    assert connection
    assert whose(state) is Whose.HERE
    assert allows(state, Play(""))
    connection.sending = "dF1-F5"
    assert whose(state) is Whose.SENDING
    assert not allows(state, Play(""))
    connection.lost = ConnectionLost("")
    assert whose(state) is Whose.CONNECTION
    connection.lost, connection.sending = None, ""
    assert state.turn is state.turn
    state.match.battle.agree()
    state.refresh()
    assert whose(state) is Whose.OVER


def test_who_may_not_chat_is_told_who_says_so() -> None:
    state = table("human", "guest")
    state.participants.muted = MUTED
    assert why_not(state, Say("hello")) == Refusal(Code.EXCLUDED, MUTED)
    assert why_not(state, Say("hello"), 1) is None, "only the person here is muted"


async def test_another_match_is_not_agreed_to_by_who_is_asked_something_else() -> None:
    session = Session(Match(CLASSIC), None, (HUMAN, GUEST))
    await session.arrive(1, "Bert")
    for number in (1, 2):
        asking, asked = (None, 1) if number == 1 else (1, None)
        await session.request(ProposeEnd(), by=asking)
        await session.request(Answer(True, ProposeEnd()), by=asked)
        if number == 1:
            await session.request(NextBattle())
    await session.request(Undo(), by=1)
    with pytest.raises(RequestRefused, match="has not been answered"):
        await session.request(NewMatch())


def test_a_silent_host_holds_up_only_who_waits_for_it() -> None:
    for seats, expected in ((("human", "guest"), Whose.HERE), (("guest", "human"), Whose.SILENT)):
        state = table(*seats, guest=True)
        state.participants.greet(seats.index("guest"))
        assert state.connection
        state.connection.silent = 13
        assert whose(state) is expected


def test_a_seat_elsewhere_is_free_until_somebody_comes_and_then_theirs() -> None:
    state = TableState(Match(CLASSIC), (GUEST, HUMAN))
    assert whose(state) is Whose.FREE
    state.participants.enter(0)
    state.refresh()
    assert whose(state) is Whose.ELSEWHERE
    state.participants.leave(0)
    state.refresh()
    assert whose(state) is Whose.AWAY


def test_hints_are_for_who_is_to_move_here_where_they_are_allowed() -> None:
    for seats, allowed in ((("human", "guest"), True), (("guest", "human"), False)):
        state = table(*seats)
        assert state.advisable is allowed
        state.hints_allowed = False
        assert not state.advisable


def test_what_is_asked_of_the_people_here() -> None:
    proposal = Proposal(Side.DWARFS, 0, ProposeEnd())
    for seats, asked in (
        (("human", "human"), Reply(proposal, made_here=True)),
        (("guest", "human"), Reply(proposal, made_here=False)),
        (("human", "guest"), Await(proposal)),
        (("human", "random"), None),
        (("guest", "guest"), None),
    ):
        state = table(*seats)
        assert state.asked is None
        state.proposal = proposal
        assert state.asked == asked
        state.proposal = None
        state.battle.agree()
        assert state.asked is state.battle.outcome
        state.computers.fault = Faulted(1, "it has failed")
        assert state.asked is state.computers.fault


async def test_of_two_players_here_the_one_to_move_resigns() -> None:
    session = Session(Match(CLASSIC))
    await session.request(Play(CLASSIC.legal_moves(CLASSIC.start)[0]))
    await session.request(Resign())
    assert session.state.battle.forfeit == Forfeit(Side.TROLLS, Reason.RESIGNATION)
