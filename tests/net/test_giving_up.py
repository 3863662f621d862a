"""Resigning, and claiming a battle from a player who is away for too long."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.meeting import Meeting, SocketPairTransport, any_move
from net.test_hostile import HELLO, Raw
from rules.strategies import every_variant
from session.timing import ManualClock
from thud.net.messages import Asked, encode
from thud.net.remote import Remote
from thud.records.store import Store
from thud.rules.position import Side
from thud.rules.variant import Forfeit, IllegalMove, Reason, Variant
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.session.state import Claim, NextBattle, Play, Resign, TooLate, Undo
from thud.wording.session import claiming
from waiting import until

pytestmark = pytest.mark.usefixtures("mended_at_once")
GUEST = Side.TROLLS


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    """The time source for absences."""
    glass = ManualClock()
    monkeypatch.setattr("thud.session.participants.monotonic", glass)
    monkeypatch.setattr("thud.session.state.monotonic", glass)
    monkeypatch.setattr("thud.session.view.monotonic", glass)
    return glass


@pytest_asyncio.fixture
async def table(tmp_path: Path, hours: ManualClock) -> AsyncIterator[Meeting]:
    """A match in which a player can be away for ten minutes."""
    meeting = Meeting(tmp_path)
    yield meeting
    await meeting.close()


async def away(table: Meeting, guest: Remote) -> None:
    """Disconnect a guest for good."""
    table.guests.remove(guest)
    await guest.leave()
    await until(lambda: bool(table.session.state.participants.missing))


@every_variant
async def test_either_player_resigns_on_any_turn_and_everybody_knows(
    variant: Variant, tmp_path: Path
) -> None:
    meeting = Meeting(tmp_path, variant)
    try:
        guest, watcher = await meeting.join(), await meeting.watch()
        await meeting.session.request(Play(any_move(meeting.session)))
        await meeting.all_agree()
        await meeting.session.request(Resign())
        await meeting.all_agree()
        await guest.request(NextBattle())
        await guest.request(Play(any_move(guest)))
        await guest.request(Resign())
        await meeting.all_agree()
        for place in meeting.everywhere:
            first, second = place.state.match.battles
            assert first.forfeit == Forfeit(Side.DWARFS, Reason.RESIGNATION)
            assert second.forfeit == Forfeit(Side.DWARFS, Reason.RESIGNATION)
            assert place.state.match.over
            assert place.state.match.tally == meeting.session.state.match.tally
        for name in ("host", "Bob", "Wim"):
            (kept,) = Store(meeting.directory / name).finished()
            record = Store(meeting.directory / name).load(kept.id)
            assert [each.forfeit for each in record.battles] == [first.forfeit, second.forfeit]
        with pytest.raises(IllegalMove, match="is over"):
            await guest.request(Resign())
        with pytest.raises(IllegalMove):
            await guest.request(Undo())
        with pytest.raises(IllegalMove):
            await watcher.request(Resign())
    finally:
        await meeting.close()


async def test_what_was_resigned_meanwhile_is_known_to_who_comes_back(table: Meeting) -> None:
    guest = await table.join()
    await table.session.request(Play(any_move(table.session)))
    await table.all_agree()
    SocketPairTransport.everybody[-1].transport.abort()
    await table.session.request(Resign())
    await until(lambda: guest.state.battle.outcome is not None)
    assert guest.state.battle.forfeit == Forfeit(Side.DWARFS, Reason.RESIGNATION)


async def test_a_battle_is_claimed_when_the_other_is_away_for_too_long_on_their_turn(
    table: Meeting, hours: ManualClock
) -> None:
    session = table.session
    with pytest.raises(IllegalMove, match="nobody has taken the trolls yet"):
        await session.request(Claim())
    guest = await table.join()
    hours.pass_ms(3_600_000)
    await session.request(Play(any_move(session)))
    await table.all_agree()
    for here, other in ((session, "Bob"), (guest, "Ann")):
        with pytest.raises(IllegalMove, match=f"{other} is not away"):
            claiming(here.state)
        with pytest.raises(IllegalMove, match=f"{other} is not away"):
            await here.request(Claim())
        assert not here.state.can.claim
    await away(table, guest)
    assert session.state.can.claim
    hours.pass_ms(480_000)
    with pytest.raises(IllegalMove, match=r"Bob can be away for 10 minutes: .* in 2 minutes"):
        await session.request(Claim())
    hours.pass_ms(120_000)
    await session.request(Claim())
    assert session.state.battle.forfeit == Forfeit(GUEST, Reason.CLAIM)
    back = await table.join()
    assert back.state.battle.forfeit == Forfeit(GUEST, Reason.CLAIM)


async def test_nobody_loses_by_a_claim_while_the_other_one_is_to_move(
    table: Meeting, hours: ManualClock
) -> None:
    session = table.session
    guest = await table.join()
    await session.request(Play(any_move(session)))
    await table.all_agree()
    await guest.request(Play(any_move(guest)))
    await away(table, guest)
    hours.pass_ms(86_400_000)
    with pytest.raises(IllegalMove, match="only on the other player's turn"):
        claiming(session.state)
    await session.request(Play(any_move(session)))
    with pytest.raises(IllegalMove, match="in 10 minutes"):
        await session.request(Claim())


async def test_one_guest_claims_of_another(tmp_path: Path, hours: ManualClock) -> None:
    meeting = Meeting(tmp_path, seats=("guest", "guest"))
    try:
        ann, bob = await meeting.join("Anna"), await meeting.join("Bob")
        await away(meeting, ann)
        await until(lambda: bob.state.can.claim)
        with pytest.raises(IllegalMove, match="in 10 minutes"):
            claiming(bob.state)
        hours.pass_ms(300_000)
        await away(meeting, bob)
        bob = await meeting.join("Bob")
        # He has not seen when Ann left: only the host knows.
        assert bob.state.can.claim
        assert claiming(bob.state)[0] == "Claim the battle?"
        hours.pass_ms(300_000)
        await bob.request(Claim())
        await meeting.all_agree()
        assert bob.state.battle.forfeit == Forfeit(Side.DWARFS, Reason.CLAIM)
    finally:
        await meeting.close()


async def test_there_is_no_claim_where_the_table_allows_any_absence(
    tmp_path: Path, hours: ManualClock
) -> None:
    meeting = Meeting(tmp_path)
    try:
        meeting.terms = meeting.terms._replace(claim=0)
        meeting.session.state.agree_on(hints=False, chat=True, waits=False, claim=0)
        guest = await meeting.join()
        await meeting.session.request(Play(any_move(meeting.session)))
        await away(meeting, guest)
        hours.pass_ms(86_400_000)
        with pytest.raises(IllegalMove, match="battles cannot be claimed"):
            await meeting.session.request(Claim())
    finally:
        await meeting.close()


async def test_what_is_decided_about_what_has_passed_counts_for_nothing(table: Meeting) -> None:
    raw = await Raw.at(table, HELLO)
    await raw.hear_until("snapshot")
    await table.session.request(Play(any_move(table.session)))
    for request in (Resign(), Claim()):
        raw.say(encode(Asked(request, 0)))
        assert (await raw.hear_until("refused"))["late"] is True
    assert not table.session.state.battle.outcome


async def test_at_one_board_the_player_to_move_resigns() -> None:
    from thud.rules.match import Match

    session = Session(Match(VARIANTS["koom"]))
    await session.request(Play(any_move(session)))
    with pytest.raises(TooLate):
        await session.request(Resign(), 0)
    await session.request(Resign(), 1)
    assert session.state.battle.forfeit == Forfeit(Side.TROLLS, Reason.RESIGNATION)
    assert not session.state.can.undo
    assert not session.state.can.resign
    await session.leave()
