"""A host answers or cuts off hostile clients, and its own board never blocks."""

from __future__ import annotations

import asyncio
import json
import socket
from random import Random

import pytest

from net.meeting import Meeting, SocketPairTransport, any_move
from thud.net.codec import BURST, MAX_CONNECTIONS, MAX_GUEST_LINE, OUTBOX
from thud.net.framed_stream import FramedStream, StreamBroken
from thud.net.token_bucket import TokenBucket
from thud.rules.notation import move_text
from thud.session.events import Arrived, Departed, Undo
from thud.session.law import Play
from waiting import until

HELLO = b'{"m":"hello","thud":1,"want":"seat","name":"Bob"}\n'
WATCH = b'{"m":"hello","thud":1,"want":"watch","name":"Wim"}\n'


class Raw:
    """A client that sends arbitrary bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self.heard: list[str] = []

    @classmethod
    async def at(cls, meeting: Meeting, first: bytes = b"", *, trusted: bool = True) -> Raw:
        raw = cls(*await SocketPairTransport(meeting.host, trusted=trusted).open())
        raw.say(first)
        return raw

    def say(self, data: bytes) -> None:
        self.writer.write(data)

    async def hear(self) -> dict[str, object]:
        """Receive the next message; empty at the end."""
        line = await self._reader.readline()
        values: dict[str, object] = json.loads(line) if line else {}
        self.heard.append(str(values.get("m", "")))
        return values

    async def hear_until(self, kind: str) -> dict[str, object]:
        """Receive messages up to one of a kind; empty at the end."""
        while values := await self.hear():
            if values["m"] == kind:
                return values
        return {}

    async def ends(self) -> str:
        """Wait for the end of the connection; return the reason given."""
        because = ""
        while values := await self.hear():
            because = str(values.get("because", ""))
        return because


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.net.framed_stream.FAREWELL_SECONDS", 0.05)


async def still_plays(meeting: Meeting) -> None:
    """Check that the host's board still works, and both players can play."""
    before = len(meeting.session.state.battle.moves)
    while meeting.session.state.match.commander(meeting.session.state.to_move):
        await meeting.session.request(Play(any_move(meeting.session)), by=1)
    await meeting.session.request(Play(any_move(meeting.session)))
    assert len(meeting.session.state.battle.moves) > before


GARBAGE = {
    "no message": (b"GET / HTTP/1.1\r\n\r\n", "this is not a message"),
    "too long": (b'{"m":"ping","x":"' + b"x" * MAX_GUEST_LINE, "a message is too long"),
    "half a line": (b'{"m":"pi', ""),
}


@pytest.mark.parametrize("inside", [False, True], ids=["at the door", "inside"])
@pytest.mark.parametrize("what", GARBAGE)
async def test_garbage_ends_the_line(meeting: Meeting, what: str, inside: bool) -> None:
    data, because = GARBAGE[what]
    raw = await Raw.at(meeting, HELLO if inside else b"")
    if inside:
        await raw.hear_until("snapshot")
    raw.say(data)
    if not because:
        raw.writer.write_eof()
    assert (await raw.ends()).startswith(because or "the connection broke in the middle")
    await until(lambda: meeting.session.state.participants.missing == (1,))
    await still_plays(meeting)


@pytest.mark.parametrize(
    ("first", "because"),
    [
        (b'{"m":"ping"}\n', "says hello first"),
        (b'{"m":"hello","thud":2,"want":"seat","name":""}\n', "thud is 1: the version"),
        (b'{"m":"hello","thud":1,"want":"seat","name":"","seat":0}\n', "not open to guests"),
        (b'{"m":"hello"}\n', "thud is missing"),
        (b'{"m":"ask","thud":1}\n{"m":"ask","thud":1}\n', "says hello first"),
    ],
)
async def test_who_says_no_fit_hello_is_not_let_in(
    meeting: Meeting, first: bytes, because: str
) -> None:
    raw = await Raw.at(meeting, first)
    assert because in await raw.ends()
    assert "welcome" not in raw.heard


async def test_who_says_nothing_is_not_waited_for(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.host.HELLO_SECONDS", 0.01)
    assert "no answer" in await (await Raw.at(meeting)).ends()


async def test_what_is_not_known_is_refused_and_nothing_else_ends(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, HELLO)
    await raw.hear_until("snapshot")
    for line in (b'{"m":"dance"}\n', b'{"m":"play","at":0}\n', HELLO, b'{"m":"ask","thud":1}\n'):
        raw.say(line)
        assert (await raw.hear())["m"] == "refused"
    raw.say(b'{"m":"ping"}\n')
    assert (await raw.hear())["m"] == "pong"
    spectator = await Raw.at(meeting, WATCH)
    at = (await spectator.hear_until("snapshot"))["number"]
    spectator.say(json.dumps({"m": "end", "at": at}).encode() + b"\n")
    refused = await spectator.hear_until("refused")
    assert refused["because"] == "spectators cannot change anything"


async def test_what_comes_late_is_refused(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, HELLO)
    number = (await raw.hear_until("snapshot"))["number"]
    await meeting.session.request(Play(any_move(meeting.session)))
    position = meeting.session.state.battle.position
    move = move_text(position, any_move(meeting.session))
    for values in (
        {"m": "play", "move": move},
        {"m": "end"},
        {"m": "undo"},
        {"m": "next"},
        {"m": "new"},
        {"m": "withdraw"},
        {"m": "resign"},
        {"m": "claim"},
        {"m": "answer", "agree": True, "wish": "end"},
    ):
        raw.say(json.dumps({**values, "at": number}).encode() + b"\n")
        assert (await raw.hear_until("refused"))["late"]
    assert meeting.session.state.battle.position == position


async def test_an_answer_is_to_what_was_asked(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, HELLO)
    await raw.hear_until("snapshot")
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.session.request(Undo())
    at = meeting.session.state.revision
    raw.say(json.dumps({"m": "answer", "at": at, "agree": True, "wish": "end"}).encode() + b"\n")
    refused = await raw.hear_until("refused")
    assert refused["because"] == "that proposal is no longer open"
    assert not meeting.session.state.battle.outcome
    assert meeting.session.state.proposal


async def test_who_never_reads_is_cut_off(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, WATCH)
    await until(lambda: meeting.session.state.participants.spectators)
    for _ in range(50):
        # More than the outbox and the socket buffers hold.
        for _ in range(OUTBOX // 2):
            meeting.session.look_away(meeting.session.look_on("x" * 36))
        await asyncio.sleep(0)
        if not meeting.session.state.participants.spectators:
            break
    await until(lambda: not meeting.session.state.participants.spectators)
    await still_plays(meeting)
    raw.writer.close()


async def test_a_flood_is_read_no_faster_than_it_may_come(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, HELLO)
    await raw.hear_until("snapshot")
    raw.say(b'{"m":"ping"}\n' * 10_000)
    for _ in range(BURST - 1):
        assert (await raw.hear())["m"] == "pong"
    await still_plays(meeting)
    raw.say(b'{"m":"ping"}\n' * 10_000)
    await still_plays(meeting)
    raw.writer.transport.abort()
    await until(lambda: meeting.session.state.participants.missing == (1,))


async def test_who_comes_anew_talks_no_more_than_who_stays(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.host.CHAT_SECONDS", 3600.0)
    token = ""
    for left in (5, 2, 0):
        raw = await Raw.at(meeting, HELLO.replace(b"}", f',"token":"{token}"}}'.encode()))
        token = str((await raw.hear_until("welcome")).get("token", token))
        raw.say(b'{"m":"say","text":"hello"}\n' * 3)
        for _ in range(min(left, 3)):
            await raw.hear_until("done")
        if left < 3:
            assert "too fast" in str((await raw.hear_until("refused"))["because"])
        raw.say(b'{"m":"bye"}\n')
        await raw.ends()
    assert len(meeting.session.state.participants.said) == 5


@pytest.mark.parametrize(("hello", "most"), [(HELLO, 3), (WATCH, 5)], ids=["player", "spectators"])
async def test_who_comes_and_goes_all_the_time_is_not_told_all_the_time(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch, hello: bytes, most: int
) -> None:
    monkeypatch.setattr("thud.net.host.ARRIVALS", 3)
    monkeypatch.setattr("thud.net.host.WATCHERS", 5)
    monkeypatch.setattr("thud.net.host.ARRIVAL_SECONDS", 3600.0)
    token = ""
    for number in range(8):
        named = hello.replace(b'"name":"', f'"token":"{token}","name":"No. {number} '.encode())
        raw = await Raw.at(meeting, named)
        token = str((await raw.hear_until("welcome")).get("token", token))
        raw.say(b'{"m":"ping"}\n{"m":"bye"}\n')
        await raw.ends()
    assert raw.heard[0] == "closed"
    events = meeting.told["host"]
    await until(lambda: sum(isinstance(each, Departed) for each in events) == most)
    assert sum(isinstance(each, Arrived) for each in events) == most


async def test_not_more_than_so_many_are_listened_to(meeting: Meeting) -> None:
    raws = [await Raw.at(meeting) for _ in range(MAX_CONNECTIONS)]
    late = await Raw.at(meeting, HELLO)
    assert await late.ends() == "the match is full: try again later"
    for raw in raws:
        raw.writer.transport.abort()


async def test_who_vanishes_at_once_leaves_the_seat_free(meeting: Meeting) -> None:
    raw = await Raw.at(meeting, HELLO)
    await raw.hear_until("snapshot")
    raw.writer.transport.abort()
    await until(lambda: meeting.session.state.participants.missing == (1,))
    await meeting.join("Cid")


SAID = [
    HELLO,
    WATCH,
    b'{"m":"ask","thud":1}\n',
    b'{"m":"ping"}\n',
    b'{"m":"bye"}\n',
    b'{"m":"say","text":"hi"}\n',
    b'{"m":"new","at":0}\n',
    b'{"m":"next","at":0}\n',
    *(b'{"m":"undo","at":%d}\n' % at for at in range(3)),
    *(b'{"m":"end","at":%d}\n' % at for at in range(3)),
    *(b'{"m":"answer","at":%d,"agree":true,"wish":"end"}\n' % at for at in range(3)),
    b'{"m":"play","at":1,"move":"TG7-G6"}\n',
]


def mutated(line: bytes, rng: Random) -> bytes:
    """Return a line with a few random changes, often none."""
    data = bytearray(line)
    while rng.random() < 0.3:
        at = rng.randrange(len(data) or 1)
        data[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    return bytes(data)


async def test_whatever_comes_in_whatever_order_is_answered_or_ends(
    meeting: Meeting, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TokenBucket, "spend", lambda *_: 0.0)
    meeting.session.state.participants.chat_allowed = True
    rng = Random("whatever")
    for _ in range(400 if full else 40):
        raw = await Raw.at(meeting, HELLO if rng.random() < 0.5 else b"")
        for _ in range(rng.randrange(20)):
            raw.say(mutated(rng.choice(SAID), rng))
        raw.writer.write_eof()
        await raw.ends()
        assert set(raw.heard) <= KINDS
    assert meeting.session.state.participants.missing == (1,)
    assert not meeting.session.state.participants.spectators
    await still_plays(meeting)


KINDS = {"", "table", "welcome", "snapshot", "event", "done", "refused", "closed", "pong"}


async def test_a_link_remembers_no_more_than_a_message(meeting: Meeting) -> None:
    reader, writer = await SocketPairTransport(meeting.host).open()
    reader = asyncio.StreamReader()
    link = FramedStream(reader, writer, MAX_GUEST_LINE)
    reader.feed_data(b"x" * 10**6)
    with pytest.raises(Exception, match="too long"):
        await link.receive()
    assert len(link._heard) <= MAX_GUEST_LINE + (1 << 14)
    await link.close()


async def test_a_line_may_be_cut_twice_at_once(meeting: Meeting) -> None:
    link = FramedStream(*await SocketPairTransport(meeting.host).open(), MAX_GUEST_LINE)
    receiving = asyncio.create_task(link.receive(3600))
    await asyncio.sleep(0)
    link.abort("the first reason")
    await asyncio.sleep(0)
    link.abort("the second")
    with pytest.raises(StreamBroken, match="the first reason"):
        await receiving
    await link.close()


async def test_whom_the_host_fails_is_told(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(meeting.host, "_answer", fail)
    across = SocketPairTransport(meeting.host)
    raw = Raw(*await across.open())
    raw.say(HELLO + b'{"m":"ping"}\n')
    assert await raw.ends() == "the host failed to do that"
    with pytest.raises(ZeroDivisionError):
        await across.served[-1]
    assert not meeting.session.state.participants.connected


async def test_a_stream_to_whom_nobody_reads_is_closed_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.net.framed_stream.FAREWELL_SECONDS", 0.01)
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)
    stream = FramedStream(reader, writer, MAX_GUEST_LINE)
    writer.write(bytes(1 << 24))
    with far:
        await stream.close()
    assert writer.is_closing()
