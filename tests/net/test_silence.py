"""Connections that are silent without being closed, and moves that get no answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from net.meeting import Meeting, SocketPairTransport, Streams, any_move, connected
from thud.net.messages import Refused
from thud.net.remote import Remote
from thud.rules.variant import IllegalMove
from thud.session.events import (
    ConnectionBack,
    ConnectionLost,
    ConnectionSilent,
    NotPlayed,
    ProposeEnd,
    Sending,
    Undo,
)
from thud.session.law import Play, Resign, allows
from thud.session.words import idle, news
from waiting import until


class BlackHole(SocketPairTransport):
    """A transport that can swallow what is sent, in either direction.

    Attributes:
        swallows: the directions in which everything is lost: "there", "back".
    """

    swallows: frozenset[str] = frozenset()

    async def open(self) -> Streams:
        if self.swallows:
            raise ValueError("no route")
        reader, writer = await super().open()
        ours, outer = await connected()
        self.relays = [
            asyncio.create_task(self._relay(outer[0], writer, "there")),
            asyncio.create_task(self._relay(reader, outer[1], "back")),
        ]
        self.everybody.append(ours[1])
        return ours

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if way not in self.swallows:
                    writer.write(data)
        writer.close()


@pytest.fixture
def hole(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> BlackHole:
    monkeypatch.setattr("thud.net.host_connection.PAUSES", (0.0,))
    return BlackHole(meeting.host)


class Silence:
    """Connections that swallow everything, for a while."""

    def __init__(self, meeting: Meeting, hole: BlackHole, patch: pytest.MonkeyPatch) -> None:
        self.meeting = meeting
        self.hole = hole
        self.patch = patch

    async def falls(self, *ways: str) -> Remote:
        """Let a guest join, and play a move that gets no answer."""
        guest, session = await self.meeting.join(way=self.hole), self.meeting.session
        await session.request(Play(any_move(session)))
        await until(lambda: guest.state.turn.here)
        self.patch.setattr("thud.net.host_connection.ANSWER_SECONDS", 0.1)
        self.hole.swallows = frozenset(ways)
        with pytest.raises(IllegalMove, match="again when the connection is back, unless you undo"):
            await guest.request(Play(any_move(guest)))
        return guest

    def ends(self) -> None:
        self.patch.setattr("thud.net.host_connection.ANSWER_SECONDS", 3600.0)
        self.hole.swallows = frozenset()


@pytest.fixture
def silence(meeting: Meeting, hole: BlackHole, monkeypatch: pytest.MonkeyPatch) -> Silence:
    return Silence(meeting, hole, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("ways", [{"there"}, {"back"}, {"there", "back"}])
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_move_without_an_answer_is_sent_again_and_played_once(
    meeting: Meeting, silence: Silence, ways: set[str], restarted: bool
) -> None:
    guest = await silence.falls(*ways)
    move, told = guest.there.sending, meeting.told["Bob"]
    assert Sending(move) in told
    await until(lambda: idle(guest.state) == f"Waiting for the connection; {move} is sent then")
    with pytest.raises(IllegalMove, match="is still on its way"):
        await guest.request(Play(any_move(guest)))
    if restarted:
        await meeting.open_again()
        silence.hole.host = meeting.host
    silence.ends()
    await until(lambda: guest.state.battle.played == meeting.session.state.battle.played == 2)
    await until(lambda: guest.there.sending == "")
    assert told[-1] == Sending("")
    await meeting.session.request(Play(any_move(meeting.session)))
    await until(lambda: guest.state.battle.moves == meeting.session.state.battle.moves)


@pytest.mark.parametrize("way", ["there", "back"])
async def test_a_move_without_an_answer_can_be_withdrawn(
    meeting: Meeting, silence: Silence, way: str
) -> None:
    guest = await silence.falls(way)
    await until(lambda: guest.there.lost)
    assert ConnectionLost("the host does not answer") in meeting.told["Bob"]
    assert allows(guest.state, Undo())
    await guest.request(Undo())
    assert guest.there.sending == ""
    silence.ends()
    await until(lambda: guest.there.lost is None)
    # What had arrived before counts; nothing is sent again.
    arrived = way == "back"
    assert guest.state.battle.played == meeting.session.state.battle.played == 1 + arrived
    if not arrived:
        await guest.request(Play(any_move(guest)))
        await until(lambda: meeting.session.state.battle.played == 2)


async def test_what_was_asked_when_the_line_broke_is_refused(
    meeting: Meeting, hole: BlackHole
) -> None:
    await meeting.session.request(Play(any_move(meeting.session)))
    guest = await meeting.join(way=hole)
    hole.swallows = frozenset({"back"})
    asking = asyncio.create_task(guest.request(ProposeEnd()))
    await until(lambda: meeting.session.state.proposal)
    hole.lines[-1].transport.abort()
    with pytest.raises(IllegalMove, match="the connection to the host is broken"):
        await asking


async def test_a_move_that_came_too_late_is_told(meeting: Meeting, silence: Silence) -> None:
    guest = await silence.falls("there")
    move = guest.there.sending
    await meeting.session.request(Resign())
    silence.ends()
    await until(lambda: any(isinstance(each, NotPlayed) for each in meeting.told["Bob"]))
    (told,) = (each for each in meeting.told["Bob"] if isinstance(each, NotPlayed))
    assert news(guest.state, told).endswith(f"Not played: {move}")
    assert guest.there.sending == ""


@pytest.mark.parametrize("late", [True, False])
async def test_a_move_sent_again_is_refused_aloud_unless_it_had_arrived(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    guest = await meeting.join()
    await meeting.session.request(Play(any_move(meeting.session)))
    await until(lambda: guest.state.turn.here)
    guest.there.sent_in, guest.there.sending = guest._turn_now, "TG7-F6"
    refused = asyncio.get_running_loop().create_future()
    refused.set_result(Refused("the match has changed meanwhile", late=late))
    monkeypatch.setattr(guest._connection, "say", lambda _: refused)
    guest._send_again()
    await until(lambda: guest.there.sending == "")
    await asyncio.sleep(0)
    told = [each for each in meeting.told["Bob"] if isinstance(each, NotPlayed)]
    assert bool(told) is not late


@pytest.mark.slow
async def test_a_silence_is_told_while_it_lasts(
    meeting: Meeting, hole: BlackHole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.net.remote.QUIET_SECONDS", 1)
    guest = await meeting.join(way=hole)
    hole.swallows = frozenset({"back"})
    await until(lambda: guest.there.silent)
    assert idle(guest.state) == f"No answer for {guest.there.silent} s"
    silences = [each for each in meeting.told["Bob"] if isinstance(each, ConnectionSilent)]
    assert news(guest.state, silences[0]).startswith("No answer for")
    hole.swallows = frozenset()
    hole.lines[-1].transport.abort()
    await until(lambda: ConnectionBack() in meeting.told["Bob"])
    assert idle(guest.state) == "Waiting for Ann"
