"""A match of people at different places: each acts for themselves, and some things take both."""

import pytest

from session.timing import ManualClock
from thud.engines.spec import parse_contender
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import Forfeit, IllegalMove, Reason
from thud.rules.variants import VARIANTS
from thud.session.events import (
    Answered,
    Arrived,
    Begun,
    Departed,
    Event,
    NewMatch,
    Notified,
    Proposed,
    ProposeEnd,
    Said,
    TakenBack,
    Undo,
)
from thud.session.law import (
    Answer,
    Claim,
    Code,
    GiveSeat,
    NextBattle,
    Play,
    Redo,
    Resign,
    Say,
    Withdraw,
    allows,
    refused,
)
from thud.session.session import Session
from thud.session.state import Await, Proposal, Reply
from thud.session.words import title

GUEST = 1
"""The player at another place."""


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def session(told: list[Event]) -> Session:
    seats = parse_contender("human"), parse_contender("guest")
    session = Session(Match(VARIANTS["classic"], ("Ann", "Bob")), contenders=seats)
    session.subscribe(told.append)
    return session


def any_move(session: Session) -> Move:
    return session.state.match.variant.legal_moves(session.state.battle.position)[0]


async def test_each_plays_on_their_own_turn_only(session: Session) -> None:
    assert title(session.state) == "Thud: your move"
    with pytest.raises(IllegalMove, match="Ann's turn"):
        await session.request(Play(any_move(session)), by=GUEST)
    await session.request(Play(any_move(session)))
    assert title(session.state) != "Thud: your move"
    assert not any([session.state.engine_due, session.state.watched, session.state.turn.here])
    with pytest.raises(IllegalMove, match="Bob's turn"):
        await session.request(Play(any_move(session)))
    await session.request(Play(any_move(session)), session.state.revision, by=GUEST)
    assert len(session.state.battle.moves) == 2


async def test_to_end_is_answered_by_the_other_one(session: Session) -> None:
    await session.request(Play(any_move(session)))
    await session.request(ProposeEnd(), by=GUEST)
    asked = session.state.asked
    assert isinstance(asked, Reply)
    assert not asked.made_here
    with pytest.raises(IllegalMove, match="you were not asked"):
        await session.request(Answer(True, ProposeEnd()), by=GUEST)
    await session.request(Withdraw(), by=GUEST)
    await session.request(Play(any_move(session)), by=GUEST)
    revision = session.state.revision
    await session.request(ProposeEnd())
    assert session.state.asked == Await(Proposal(Side.DWARFS, revision, ProposeEnd()))
    with pytest.raises(IllegalMove, match="not been answered"):
        await session.request(ProposeEnd())
    with pytest.raises(IllegalMove, match="only the player who proposed it"):
        await session.request(Withdraw(), by=GUEST)
    await session.request(Answer(True, ProposeEnd()), by=GUEST)
    assert session.state.battle.outcome is not None
    assert session.state.battle.outcome.reason is Reason.AGREEMENT


@pytest.mark.parametrize("asking", [None, GUEST])
async def test_to_take_back_takes_both(
    session: Session, told: list[Event], asking: int | None
) -> None:
    asked = GUEST if asking is None else None
    with pytest.raises(IllegalMove, match="nothing to undo"):
        await session.request(Undo(), by=asking)
    await session.request(Play(any_move(session)))
    await session.request(Play(any_move(session)), by=GUEST)
    side = Side.DWARFS if asking is None else Side.TROLLS
    for agree in (False, True):
        await session.request(Undo(), by=asking)
        assert told[-1] == Proposed(side, Undo())
        assert len(session.state.battle.moves) == 2
        await session.request(Answer(agree, Undo()), by=asked)
        assert session.state.proposal is None
    assert Answered(side.other, True, Undo()) in told
    assert isinstance(told[-1], TakenBack)
    assert session.state.to_move is side
    assert len(session.state.battle.moves) == (0 if asking is None else 1)
    assert not allows(session.state, Redo())


async def test_a_proposal_lapses_when_the_match_goes_on(
    session: Session, told: list[Event]
) -> None:
    await session.request(Play(any_move(session)))
    await session.request(Undo())
    await session.request(Play(any_move(session)), by=GUEST)
    assert told[-1] == Notified("Your proposal to undo has lapsed: the match has moved on.")
    with pytest.raises(IllegalMove, match="there is no proposal"):
        await session.request(Answer(True, Undo()), by=GUEST)


@pytest.mark.parametrize("asking", [None, GUEST])
async def test_a_proposal_lapses_with_the_next_battle_for_who_made_it(
    session: Session, told: list[Event], asking: int | None
) -> None:
    await session.request(ProposeEnd())
    await session.request(Answer(True, ProposeEnd()), by=GUEST)
    assert not any(isinstance(each, Notified) for each in told), "it was agreed to"
    await session.request(Undo(), by=asking)
    await session.request(NextBattle(), by=GUEST)
    assert isinstance(told[-1], Notified) is (asking is None), "the guest is told elsewhere"


async def test_a_guest_takes_back_at_once_against_a_computer() -> None:
    seats = parse_contender("guest"), parse_contender("random")
    session = Session(Match(VARIANTS["classic"]), contenders=seats)
    await session.request(Play(any_move(session)), by=0)
    await session.request(Undo(), by=0)
    assert not session.state.battle.moves


async def play_out(session: Session) -> None:
    """Let the players agree to end both battles."""
    for number in (1, 2):
        if number == 2:
            await session.request(NextBattle())
        ending, other = (None, GUEST) if number == 1 else (GUEST, None)
        await session.request(ProposeEnd(), by=ending)
        await session.request(Answer(True, ProposeEnd()), by=other)


@pytest.mark.parametrize(("asking", "asked"), [(None, GUEST), (GUEST, None)])
async def test_another_match_takes_both(
    session: Session, told: list[Event], asking: int | None, asked: int | None
) -> None:
    await play_out(session)
    side = session.state.match.side_of(asking or 0)
    assert allows(session.state, Undo())
    await session.request(NewMatch(), session.state.revision, by=asking)
    assert told[-1:] == [Proposed(side, NewMatch())]
    assert not allows(session.state, Undo()), "another proposal would be refused"
    await session.request(Answer(False, NewMatch()), by=asked)
    assert allows(session.state, Undo())
    assert told[-1:] == [Answered(side.other, False, NewMatch())]
    assert session.state.match.over
    await session.request(NewMatch(), by=asking)
    await session.request(Answer(True, NewMatch()), by=asked)
    assert told[-1:] == [Begun(1)]
    assert not session.state.match.over


async def test_who_begins_what_the_other_one_has_proposed_agrees(
    session: Session, told: list[Event]
) -> None:
    await play_out(session)
    await session.request(NewMatch(), by=GUEST)
    with pytest.raises(IllegalMove, match="not been answered"):
        await session.request(NewMatch(), by=GUEST)
    await session.request(NewMatch())
    assert told[-2:] == [Answered(Side.TROLLS, True, NewMatch()), Begun(1)]


async def test_a_battle_is_claimed_as_soon_as_somebody_has_been_away_for_long_enough(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock().put_everywhere(monkeypatch)
    session.state.agree_on(hints=True, chat=True, waits=False, claim=600)
    await session.request(Play(any_move(session)))
    await session.arrive(GUEST, "Bob")
    with pytest.raises(IllegalMove, match=r"^you can claim .* only while Bob is away"):
        await session.request(Claim())
    found = refused(session.state, Claim())
    assert found
    assert found.code is Code.PRESENT
    await session.request(Play(any_move(session)), by=GUEST)
    session.depart(GUEST)
    clock.pass_ms(600_000)
    with pytest.raises(IllegalMove, match="only on the other player's turn"):
        await session.request(Claim())
    await session.request(Play(any_move(session)))
    found = refused(session.state, Claim())
    assert found
    assert found.code is Code.TOO_EARLY
    for ms, left in (0, "10 minutes"), (480_000, "2 minutes"), (119_999, "1 second"):
        clock.pass_ms(ms)
        with pytest.raises(
            IllegalMove, match=rf"^claim .* in {left}: Bob can be away for 10 minutes"
        ):
            await session.request(Claim())
    session.state.claim_after = 0
    with pytest.raises(IllegalMove, match="battles cannot be claimed"):
        await session.request(Claim())
    session.state.claim_after = 600
    clock.pass_ms(1)
    await session.request(Claim())
    assert session.state.battle.forfeit == Forfeit(Side.TROLLS, Reason.CLAIM)


async def test_each_resigns_on_any_turn_and_that_is_final(session: Session) -> None:
    await session.request(Resign(), by=GUEST)
    assert session.state.battle.forfeit == Forfeit(Side.TROLLS, Reason.RESIGNATION)
    for request in Resign(), Undo():
        with pytest.raises(IllegalMove):
            await session.request(request)
    await session.request(NextBattle())
    await session.request(Resign())
    assert session.state.battle.forfeit == Forfeit(Side.TROLLS, Reason.RESIGNATION)


async def test_who_comes_gets_the_name_that_was_wished_for(
    session: Session, told: list[Event]
) -> None:
    assert session.state.participants.missing == (GUEST,)
    await session.arrive(GUEST, " Bob\x1b[31m ")
    assert session.state.match.players == ("Ann", "Bob [31m")
    assert told[-1] == Arrived("Bob [31m", GUEST)
    session.depart(GUEST)
    assert told == [Arrived("Bob [31m", GUEST), Departed("Bob [31m", GUEST)]
    assert session.state.participants.been == {GUEST}
    session.ask_for_seat(GUEST, "Cleo", "")
    await session.request(GiveSeat())
    assert not session.state.participants.been
    with pytest.raises(ValueError, match="nobody is asking"):
        await session.request(GiveSeat())
    await session.arrive(GUEST, "ann")
    assert session.state.match.players == ("Ann", "ann 2")
    name = session.look_on("\x07")
    session.look_away(name)
    assert told[-2:] == [Arrived(name), Departed(name)]
    assert not session.state.participants.spectators


async def test_players_talk(session: Session, told: list[Event]) -> None:
    assert allows(session.state, Say("hello"))
    guest = parse_contender("guest")
    of_others = Session(session.state.match, contenders=(guest, guest))
    assert not allows(of_others.state, Say("hello"))
    await session.request(Say(" well \n played "))
    await session.request(Say("thanks"), by=GUEST)
    assert told == [Said(0, "Ann", "well played"), Said(1, "Bob", "thanks")]
    session.state.participants.chat_allowed = False
    with pytest.raises(ValueError, match="no chat"):
        await session.request(Say("hello?"))
    with pytest.raises(ValueError, match="no chat"):
        await Session(session.state.match).request(Say("hello"))
