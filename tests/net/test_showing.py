"""A match shown by a link: some moves late, without a name, without a chat."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from net.meeting import Meeting, SocketPairTransport
from sampling import sampled
from thud.net.codec import WATCHERS
from thud.net.host_connection import Caller, Tokens, TurnedAway, call
from thud.net.messages import Asked, Refused, decode_host
from thud.net.remote import Remote
from thud.net.seat_registry import LINK_SECONDS, Link
from thud.net.showing import REVOKED
from thud.rules.variants import VARIANTS
from thud.session.events import Undo
from thud.session.law import Play, Resign, Say
from thud.session.participants import SHOW, WATCH
from thud.visitor.links import LATE
from waiting import until

WORD = "abcdefghij"


def link(late: int = 0, word: str = WORD) -> Link:
    return Link(word, SHOW, time.time() + LINK_SECONDS, "ann", late)


def play(meeting: Meeting) -> Play:
    battle = meeting.session.state.battle
    return Play(battle.variant.legal_moves(battle.position)[0])


async def looks_on(meeting: Meeting, word: str = WORD, want: str = SHOW) -> Remote:
    way = SocketPairTransport(meeting.host, word)
    return await meeting.join("", want, way)


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("name", sampled(VARIANTS))
async def test_a_battle_is_shown_late_until_it_is_over(
    name: str, late: int, tmp_path: Path
) -> None:
    meeting = Meeting(tmp_path, VARIANTS[name], ("human", "human"), control="20+5")
    meeting.host.registry.links = (link(late),)
    eve = await looks_on(meeting)
    seen = meeting.session.state

    async def sees(moves: int) -> None:
        await until(lambda: eve.state.battle.moves == seen.battle.moves[: max(0, moves - late)])

    for count in range(1, 9):
        await meeting.session.request(play(meeting))
        await sees(count)
    await meeting.session.request(Undo())
    await sees(7)
    assert eve.state.clock
    assert eve.state.clock.running is (late == 0)
    again = await looks_on(meeting)
    assert again.state.battle.moves == eve.state.battle.moves
    await meeting.session.request(Resign())
    await until(lambda: eve.state.battle.outcome == seen.battle.outcome is not None)
    assert eve.state.battle.moves == seen.battle.moves
    await meeting.close()


async def test_nobody_sees_who_watches_and_they_hear_nothing(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    meeting.host.registry.links = (link(),)
    bob, cid = await meeting.join(), await meeting.join("Cid", WATCH)
    eve = await looks_on(meeting)
    await bob.request(Say("a secret"))
    await meeting.session.request(play(meeting))
    await until(lambda: eve.state.battle.played == 1)
    people = eve.state.participants
    assert not people.chat_allowed
    assert not people.spectators
    assert not people.said
    for each in (bob, cid, meeting.session):
        assert each.state.participants.spectators == ["Cid"]
    await meeting.close()


async def test_a_link_that_shows_lets_nobody_do_anything_else(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    meeting.host.registry.links = (link(),)
    for trusted in (False, True):
        way = SocketPairTransport(meeting.host, "wrong", trusted=trusted)
        with pytest.raises(TurnedAway, match=REVOKED):
            await meeting.join("", SHOW, way)
    for want in (WATCH, "seat"):
        with pytest.raises(TurnedAway, match="not valid"):
            await meeting.join("", want, SocketPairTransport(meeting.host, WORD, trusted=False))
    way = SocketPairTransport(meeting.host, WORD)
    answered = await call(way, Caller("", SHOW), Tokens(tmp_path / "eve"))
    for request in (Play("dF1-F5"), Say("hello"), Resign()):
        answered.stream.send(Asked(request, 0))
    found = [decode_host(await answered.stream.receive()) for _ in range(4)]
    assert sum(isinstance(each, Refused) for each in found) == 3
    assert not meeting.session.state.battle.played
    await answered.stream.close()
    await meeting.close()


async def test_whoever_watches_by_a_revoked_link_is_cut_off(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    meeting.host.registry.links = (link(), link(6, "other"))
    eve, fay = await looks_on(meeting), await looks_on(meeting, "other")
    meeting.host.registry.links = (link(6, "other"),)
    meeting.host.showing.end_revoked()
    await until(lambda: eve.there.lost is not None)
    assert eve.there.lost
    assert (eve.there.lost.because, eve.there.lost.for_good) == (REVOKED, True)
    assert fay.there.lost is None
    await meeting.close()


async def test_those_who_watch_by_links_take_no_place_of_spectators(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    meeting.host.registry.links = (link(),)
    for _ in range(WATCHERS):
        await looks_on(meeting)
    with pytest.raises(TurnedAway, match="too many watch by links"):
        await looks_on(meeting)
    await meeting.join("Cid", WATCH)
    await meeting.close()
