"""The owners of seats are saved beside the match, in a private file."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

import pytest

from net.meeting import Meeting, SocketPairTransport
from saving import begin
from thud.ai.player import Thought
from thud.cli.match import resumed
from thud.net.host import Host
from thud.net.host_connection import TurnedAway
from thud.net.seat_registry import SeatRegistry, Terms, hosted, kept_for, same
from thud.net.transports.auth_throttle import AuthThrottle
from thud.records.record import Record
from thud.records.store import Saved, Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.events import ConnectionLost, Evaluated, Thinking
from thud.session.law import Say
from thud.session.participants import SEAT, WATCH
from waiting import until


def test_a_token_is_its_owners_and_no_hash_of_it() -> None:
    registry = SeatRegistry([1])
    token = registry.seats[1].take()
    assert registry.owned(token) == 1
    assert registry.owned(registry.seats[1].owner) is None
    assert registry.owned("") is None
    assert registry.owned(registry.seats[1].take()) == 1
    assert registry.owned(token) is None


def test_nothing_is_no_secret() -> None:
    assert not same("", "")
    assert not SeatRegistry([]).lets_watch("")


async def test_a_host_that_is_killed_while_somebody_comes_has_the_seat_free(
    meeting: Meeting,
) -> None:
    reader, writer = await SocketPairTransport(meeting.host).open()
    writer.write(b'{"m":"hello","thud":1,"want":"seat","name":"Bob"}\n')
    await reader.readline()
    path = kept_for(meeting.store.matches, meeting.session.autosave.id)
    killed = SeatRegistry([1])
    killed.load(path)
    assert killed.id == meeting.host.id
    assert not killed.seats[1].owner
    writer.write(b'{"m":"ping"}\n')
    while b"pong" not in await reader.readline():
        pass
    killed.load(path)
    assert killed.seats[1].owner
    writer.close()


@pytest.mark.parametrize("want", [SEAT, WATCH])
async def test_who_goes_while_they_arrive_is_not_there(meeting: Meeting, want: str) -> None:
    people = meeting.session.state.participants
    way = SocketPairTransport(meeting.host)
    async with meeting.session.changing:
        _, writer = await way.open()
        writer.write(f'{{"m":"hello","thud":1,"want":"{want}","name":""}}\n'.encode())
        await until(lambda: people.spectators or people.connected)
        (arriving,) = way.served
        arriving.cancel()
        await asyncio.wait([arriving])
    assert not people.spectators
    assert not people.connected
    assert not meeting.host.registry.seats[1].owner
    await meeting.join(want=want)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"id": 7, "player 0": []}', '{"id": "\\u202e"}', "{" * 9999]
)
def test_what_is_not_there_or_wrong_is_made_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    registry = SeatRegistry([0])
    before = registry.id, registry.watching, registry.seats[0].secret
    registry.load(path)
    assert registry.id == before[0]
    assert registry.lets_watch(before[1])
    assert registry.seats[0].secret


def test_only_so_many_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.net.seat_registry._MOST", 3)
    for number in range(5):
        SeatRegistry([0]).keep(tmp_path / f"{number}.json")
    assert len([*tmp_path.iterdir()]) == 3


@pytest.mark.usefixtures("mended_at_once")
async def test_who_comes_back_unknown_gets_no_other_seat(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path, seats=("guest", "guest"))
    way = SocketPairTransport(meeting.host)
    bob = await meeting.join("Bob", way=way)
    assert bob.state.seats.local == (0,)
    way.host = None
    way.break_off()
    await until(lambda: meeting.session.state.participants.missing == (0, 1))
    # The host lost Bob's token, for example when it was killed and resumed.
    meeting.host.registry.seats[0].owner = ""
    cid = await meeting.join("Cid")
    assert cid.state.seats.local == (0,)
    way.host = meeting.host
    await until(
        lambda: any(
            isinstance(each, ConnectionLost) and each.for_good for each in meeting.told["Bob"]
        )
    )
    assert meeting.session.state.participants.missing == (1,)
    await meeting.close()


async def test_how_a_match_is_hosted_is_kept_before_the_match(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, known = Saved.write, []

    def looking(saved: Saved, record: Record) -> None:
        known.append(hosted(meeting.store.matches, saved.id))
        write(saved, record)

    monkeypatch.setattr(Saved, "write", looking)
    await meeting.join()
    assert known[0]
    assert known[0].players == (1,)


async def test_the_throttle_hears_what_secrets_were_worth(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    for worth in ("right", "wrong"):
        monkeypatch.setattr(AuthThrottle, worth, lambda *_, worth=worth: heard.append(worth))
    meeting.host = Host(meeting.session, meeting.terms, AuthThrottle())
    with pytest.raises(TurnedAway):
        await meeting.join(way=SocketPairTransport(meeting.host, "guessed", trusted=False))
    assert heard == ["wrong"]
    secret = meeting.host.registry.watching
    await meeting.join("Wim", WATCH, SocketPairTransport(meeting.host, secret, trusted=False))
    assert heard == ["wrong", "right"]
    await meeting.host.close()


async def test_what_computers_think_stays_at_the_hosts(meeting: Meeting) -> None:
    guest = await meeting.join()
    heard: list[object] = []
    guest.subscribe(heard.append)
    thought = Thought(3, 100, 1, 0.1, ())
    meeting.session.emit(Thinking(Side.DWARFS, None), Thinking(Side.DWARFS, thought))
    meeting.session.emit(Evaluated(Side.DWARFS, thought))
    await meeting.session.request(Say("hm"))
    await until(lambda: len(heard) > 1)
    assert heard[0] == Thinking(Side.DWARFS, None)
    assert len(heard) == 2


@pytest.mark.parametrize("terms", [Terms(), Terms(True, ("::", 1), 3, True, waits=True)])
def test_what_is_kept_is_private_and_the_same_again(tmp_path: Path, terms: Terms) -> None:
    registry, path = SeatRegistry([0, 1], terms), kept_for(tmp_path / "matches", "m")
    token = registry.seats[0].take()
    registry.seats[0].known = True
    registry.keep(path)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    assert token not in path.read_text()
    again = SeatRegistry([0, 1])
    again.load(path)
    assert again.owned(token) == 0
    assert (again.id, again.watching) == (registry.id, registry.watching)
    assert again.invites(registry.seats[1].secret) == [1]
    was = hosted(tmp_path / "matches", "m")
    assert was
    assert (was.id, was.terms) == (registry.id, terms)
    text, waits = path.read_text(), f'"waits": {str(terms.waits).lower()}'
    assert waits in text
    path.write_text(text.replace(waits, '"waits": 1'))
    was = hosted(tmp_path / "matches", "m")
    assert was
    assert not was.terms.waits


def test_a_guest_goes_on_only_in_a_hosted_match(tmp_path: Path) -> None:
    store = Store(tmp_path)
    match = Match(VARIANTS["classic"])
    match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    saved = begin(store, match)
    saved.close()
    wanted = Namespace(
        id=saved.id, plain=True, dwarfs=None, trolls="guest", opponent=None, coach=False
    )
    with pytest.raises(ValueError, match="a match begun with 'thud host'"):
        resumed(store, wanted)
    SeatRegistry([1]).keep(kept_for(store.matches, saved.id))
    for said in ("guest", None):
        wanted.trolls = said
        session, terms = resumed(store, wanted)
        assert [session.state.seats[player].is_remote for player in (0, 1)] == [False, True]
        assert terms == Terms()
        session.autosave.close()
