"""A guest accepts nothing that the rules forbid, and survives any message of a host."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from net.meeting import Streams, connected
from thud.engines.spec import parse_contender
from thud.net.host_connection import Caller, Tokens
from thud.net.messages import (
    EventUpdate,
    Hello,
    Message,
    Snapshot,
    Table,
    Welcome,
    decode_guest,
    encode,
)
from thud.net.remote import Remote
from thud.net.updates import BattleEnded, ClockSet, MovePlayed, MovesTakenBack, Update
from thud.records.record import GUEST, Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.clock import TimeLeft, Times, parse_control
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.rules.variants import VARIANTS
from thud.session.events import Arrived, ConnectionBack, ConnectionLost, Event, Said, Thinking
from thud.session.participants import SEAT, WATCH
from thud.strength.people import rated_match
from waiting import until

CLASSIC = VARIANTS["classic"]
WELCOME = Welcome(1, "liar", True, True, 1, "token")
SNAPSHOT = Snapshot(7, 3, "m", tgn_text(Record.of(Match(CLASSIC, ("Ann", "Bob")))), (True, True))


class Liar:
    """A host with a script: the greeting, then the next of its lies."""

    secret = ""

    def __init__(self) -> None:
        self.greeting: list[Message | bytes] = [WELCOME, SNAPSHOT]
        self.lies: list[list[Message | bytes]] = []
        self.hellos: list[Hello] = []
        self.writers: list[asyncio.StreamWriter] = []
        self._hosting: set[asyncio.Task[None]] = set()

    async def open(self) -> Streams:
        guest, host = await connected()
        self._hosting.add(asyncio.create_task(self._host(*host)))
        self.writers += [host[1], guest[1]]
        return guest

    async def _host(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            said = decode_guest(line)
            if not isinstance(said, Hello):
                writer.write(encode(Table(1, "liar")))
                continue
            self.hellos.append(said)
            lies = self.lies.pop(0) if self.lies else None
            for each in self.greeting + (lies or []):
                writer.write(each if isinstance(each, bytes) else encode(each))
            if lies is not None:
                writer.write_eof()
            return

    async def close(self) -> None:
        for writer in self.writers:
            writer.transport.abort()
        await asyncio.gather(*self._hosting, return_exceptions=True)


@pytest_asyncio.fixture
async def liar(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Liar]:
    monkeypatch.setattr("thud.net.host_connection.PAUSES", (0.0,))
    monkeypatch.setattr("thud.net.framed_stream.FAREWELL_SECONDS", 0.01)
    liar = Liar()
    yield liar
    await liar.close()


def told(seq: int, what: Update, number: int = 4) -> EventUpdate:
    return EventUpdate(seq, number, "m", what)


FIRST = "dF1-F5"
LIES: dict[str, tuple[list[Message | bytes], str]] = {
    "half an event": ([b'{"m":"event","se'], "in the middle of a message"),
    "garbage": ([b"\x00\x01\n"], "makes no sense"),
    "no message": ([b'{"m":"sing"}\n'], "makes no sense"),
    "another welcome": ([WELCOME], "makes no sense"),
    "an illegal move": ([told(8, MovePlayed("dF1-F15"))], "makes no sense"),
    "no move": ([told(8, MovePlayed("e4"))], "makes no sense"),
    "a gap": ([told(9, MovePlayed(FIRST))], "something is missing"),
    "a move twice": (
        [told(8, MovePlayed(FIRST)), told(8, MovePlayed(FIRST))],
        "something is missing",
    ),
    "nothing to take back": ([told(8, MovesTakenBack(1))], "no such move"),
    "no agreement": ([told(8, MovesTakenBack(0))], "no such move"),
    "no end": ([told(8, BattleEnded(Reason.NO_MOVES))], "battle is not over"),
    "an answer to nothing": ([b'{"m":"done"}\n'], "nothing was asked"),
    "a record that is none": ([replace(SNAPSHOT, seq=8, record="[Oops")], "makes no sense"),
    "a crowd": (
        [EventUpdate(8 + each, 3, "m", Arrived("Wim")) for each in range(65)],
        "too many spectators",
    ),
    "nothing": ([], ""),
}


TIMED = Match(CLASSIC, ("Ann", "Bob"), control=parse_control("5"))
FULL, UP = (
    TimeLeft(300_000),
    Times(TimeLeft(300_000), TimeLeft(300_000), Side.TROLLS, 300_000, False),
)
NOW = Times(FULL, FULL, Side.DWARFS, 0, False)
BEFORE = replace(SNAPSHOT, record=tgn_text(Record.of(TIMED)), clock=NOW)
AFTER = Times(FULL, FULL, Side.TROLLS, 0, True)


PLAYED = told(8, MovePlayed("dF1-F5", FULL, AFTER))
CLOCK_LIES: dict[str, tuple[list[Message | bytes], str]] = {
    "the clock of another player": (
        [told(8, MovePlayed("dF1-F5", FULL, AFTER._replace(turn=Side.DWARFS)))],
        "clock of another player",
    ),
    "the time of another player": (
        [PLAYED, told(9, BattleEnded(Reason.TIME, UP._replace(turn=Side.DWARFS)), 5)],
        "clock of another player",
    ),
    "a time that is not up": (
        [PLAYED, told(9, BattleEnded(Reason.TIME, UP._replace(used=299_999)), 5)],
        "no time is up",
    ),
    "a time without a clock": ([PLAYED, told(9, BattleEnded(Reason.TIME), 5)], "no time is up"),
    "a time before the first move": (
        [told(8, BattleEnded(Reason.TIME, UP._replace(turn=Side.DWARFS)))],
        "no time is up",
    ),
    "another clock meanwhile": (
        [told(8, ClockSet(NOW._replace(turn=Side.TROLLS)))],
        "clock of another player",
    ),
    "another clock after all": (
        [PLAYED, told(9, MovesTakenBack(1, AFTER), 5)],
        "clock of another player",
    ),
    "another clock for everything": (
        [replace(BEFORE, seq=8, clock=AFTER)],
        "clock of another player",
    ),
}


@asynccontextmanager
async def guest_of(
    liar: Liar, directory: Path, store: Store | None = None, want: str = SEAT
) -> AsyncIterator[tuple[Remote, list[Event]]]:
    """Join a liar during the context; yield the guest and its events."""
    tokens = Tokens(directory)
    remote = await Remote.joined(liar, Caller("Bob", want), tokens=tokens, store=store)
    events: list[Event] = []
    remote.subscribe(events.append)
    await remote.begin()
    running = asyncio.create_task(remote.run())
    yield remote, events
    await remote.leave()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("lie", LIES | CLOCK_LIES)
async def test_what_cannot_be_breaks_the_line_and_nothing_else(
    liar: Liar, tmp_path: Path, lie: str
) -> None:
    lies, why = (LIES | CLOCK_LIES)[lie]
    if lie in CLOCK_LIES:
        liar.greeting = [WELCOME, BEFORE]
    liar.lies.append(lies)
    async with guest_of(liar, tmp_path) as (remote, events):
        await until(lambda: ConnectionBack() in events)
        (lost,) = (each for each in events if isinstance(each, ConnectionLost))
        assert why in lost.because
        assert not lost.for_good
        assert remote.state.battle.position == CLASSIC.start
        assert not remote.state.battle.outcome
        assert remote.state.turn.here is False
        assert [hello.token for hello in liar.hellos] == ["", "token"]


GREETINGS: dict[str, list[Message | bytes]] = {
    "no welcome": [SNAPSHOT],
    "no snapshot": [WELCOME, WELCOME],
    "no seat": [replace(WELCOME, seat=None), SNAPSHOT],
    "no record": [WELCOME, replace(SNAPSHOT, record="")],
    "two matches": [WELCOME, replace(SNAPSHOT, record=2 * SNAPSHOT.record)],
    "an illegal move": [WELCOME, replace(SNAPSHOT, record=SNAPSHOT.record + "1. dF1-F15 *\n")],
    "another program": [b"SSH-2.0-OpenSSH_9.6\r\n"],
    "too much": [b"x" * (1 << 21)],
    "half a welcome": [b'{"m":"welcome"'],
}


@pytest.mark.parametrize("greeting", GREETINGS)
async def test_who_greets_wrongly_is_not_joined(liar: Liar, tmp_path: Path, greeting: str) -> None:
    liar.greeting = GREETINGS[greeting]
    liar.lies.append([])
    with pytest.raises(ValueError, match=r"."):
        await Remote.joined(liar, Caller("Bob"), tokens=Tokens(tmp_path))


async def test_tokens_used_last_are_kept(
    liar: Liar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.host_connection._MOST", 2)
    tokens = Tokens(tmp_path)
    for at, host in enumerate(("liar", "other")):
        tokens.keep(host, "token")
        os.utime(tmp_path / "seats" / f"{host}.json", (at, at))
    async with guest_of(liar, tmp_path):
        tokens.keep("third", "token")
    assert set(tokens.all()) == {"liar", "third"}


async def test_a_token_is_private_and_kept(liar: Liar, tmp_path: Path) -> None:
    async with guest_of(liar, tmp_path):
        (kept,) = (tmp_path / "seats").iterdir()
        assert kept.stat().st_mode & 0o077 == 0
        assert Tokens(tmp_path).of("liar") == "token"
    kept.write_text("[")
    assert Tokens(tmp_path).of("liar") == ""
    kept.write_text('{"token": "no\x1b"}')
    assert Tokens(tmp_path).of("liar") == ""


async def test_whoever_sits_here_has_a_turn_while_a_host_floods(
    liar: Liar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.host_connection.PAUSES", (3600.0,))
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    told_by_turn = Counter[int]()
    lies = [EventUpdate(8 + each, 3, "m", Thinking(Side.DWARFS)) for each in range(400)]
    liar.lies.append([b"".join(map(encode, lies))])
    sitting = asyncio.create_task(take_turns())
    async with guest_of(liar, tmp_path) as (remote, _):
        remote.subscribe(lambda _: told_by_turn.update([turns]))
        await until(lambda: told_by_turn.total() >= len(lies))
        assert max(told_by_turn.values()) <= 2
    sitting.cancel()


async def test_nothing_that_a_host_tells_towers_over_other_rows(liar: Liar, tmp_path: Path) -> None:
    tower = "a" + 199 * "\N{COMBINING ACUTE ACCENT}"
    line = {"m": "event", "seq": 8, "number": 3, "match": "m", "kind": "said", "player": 0}
    record = tgn_text(Record.of(Match(CLASSIC, (tower[:36], "Bob"))))
    liar.greeting = [WELCOME, replace(SNAPSHOT, record=record)]
    liar.lies.append([json.dumps(line | {"name": tower[:40], "text": tower}).encode() + b"\n"])
    async with guest_of(liar, tmp_path) as (remote, events):
        assert remote.state.match.players == (tower[:3], "Bob")
        await until(lambda: any(isinstance(each, Said) for each in events))
    (said,) = (each for each in events if isinstance(each, Said))
    assert (said.name, said.text) == (tower[:3], tower[:3])


def finished(name: str, seq: int) -> Snapshot:
    """Return a snapshot of a finished match against a level, with long comments and tags."""
    match = Match(CLASSIC, ("Ann", "Bob"))
    match.battle.play(CLASSIC.legal_moves(match.battle.position)[seq])
    match.battle.agree()
    match.next_battle()
    match.battle.agree()
    record = Record.of(match, programs=(parse_contender("cpu:7").program, ""))
    first, second = record.battles
    written = first.with_notes({1: "x" * 3000})
    record = record._replace(battles=(written, second), tags=(("Site", "y" * 300),))
    return replace(SNAPSHOT, seq=seq, match=name, record=tgn_text(record))


@pytest.mark.parametrize("seat", [1, None], ids=["a player", "a spectator"])
async def test_matches_that_nobody_here_has_played_are_not_kept(
    liar: Liar, tmp_path: Path, seat: int | None
) -> None:
    store, want = Store(tmp_path), WATCH if seat is None else SEAT
    token = "" if seat is None else "token"
    liar.greeting = [replace(WELCOME, seat=seat, token=token), finished("m0", 7)]
    liar.lies.append([finished(f"m{each}", 7 + each) for each in range(1, 40)])
    async with guest_of(liar, tmp_path, store, want) as (remote, events):
        await until(lambda: ConnectionBack() in events)
        assert remote.state.match.over
    assert store.finished() == []


async def test_the_match_sat_down_to_is_kept_bare_and_not_rated(liar: Liar, tmp_path: Path) -> None:
    store = Store(tmp_path)
    match = Match(CLASSIC, ("Ann", "Bob"))
    begun = tgn_text(Record.of(match, programs=(parse_contender("cpu:7").program, "")))
    liar.greeting = [WELCOME, replace(SNAPSHOT, record=begun)]
    liar.lies.append([finished("m", 8), *(finished(f"m{each}", 8 + each) for each in range(1, 9))])
    async with guest_of(liar, tmp_path, store) as (_, events):
        await until(lambda: ConnectionBack() in events)
    (kept,) = store.finished()
    assert kept.guest
    record = store.load(kept.id)
    assert record.tags == (GUEST,)
    assert not any(node.comments for battle in record.battles for node in battle.line)
    assert rated_match(kept) is None
    assert rated_match(kept._replace(guest=False)) is not None


async def test_further_matches_are_kept_where_they_were_agreed_to_and_not_too_many(
    liar: Liar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.remote._MOST_KEPT", 4)
    store, began = Store(tmp_path), SNAPSHOT
    match = Match(CLASSIC, ("Ann", "Bob"))
    fresh = tgn_text(Record.of(match))
    async with guest_of(liar, tmp_path, store) as (remote, _):
        for number in range(6):
            await remote._take(finished(f"m{number}" if number else "m", 8))
            remote._wants_another = number != 1
            await remote._take(replace(began, seq=8, match=f"m{number + 1}", record=fresh))
    # One new match was not agreed to, and those after the fourth exceed the limit.
    assert {each.id for each in store.finished()} == {"m", "m1", "m3"}
