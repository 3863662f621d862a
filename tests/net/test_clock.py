"""The host keeps the time, and all guests see the same clock, even when connections break."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.meeting import Meeting, SocketPairTransport, any_move
from net.test_lying_host import liar
from session.timing import ManualClock
from thud.rules.position import Side
from thud.rules.variant import IllegalMove, Reason
from thud.session.events import ClockRuns, ConnectionBack, Departed, Ended, RunningOut, Undo
from thud.session.law import Hold, NextBattle, Play
from thud.session.state import TooLate
from thud.session.view import SessionView
from thud.session.words import news as in_words
from waiting import until

__all__ = ["liar"]

pytestmark = pytest.mark.usefixtures("mended_at_once")


@pytest_asyncio.fixture
async def timed(tmp_path: Path, glass: ManualClock) -> AsyncIterator[Meeting]:
    """A match of 5 minutes, whose clock runs on while a player is away."""
    meeting = Meeting(tmp_path, control="5")
    yield meeting
    await meeting.close()


def left(session: SessionView) -> tuple[int, int]:
    """Return the milliseconds left for the dwarfs and for the trolls."""
    assert session.state.clock
    return session.state.clock.left(Side.DWARFS).ms, session.state.clock.left(Side.TROLLS).ms


def runs(session: SessionView) -> bool:
    return session.state.clock is not None and session.state.clock.running


async def play(meeting: Meeting, at: SessionView) -> None:
    """Play a move on the host or a guest, and wait until all are in sync."""
    await at.request(Play(any_move(at)))
    await meeting.all_agree()


async def test_a_guest_waits_for_the_hosts_word_when_a_time_is_up(
    timed: Meeting, glass: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The host checks the clock only when somebody moves.
    monkeypatch.setattr("thud.session.view._LONGEST_SLEEP", 3600.0)
    guest, heard = await timed.join(), list[object]()
    guest.subscribe(heard.append)
    await play(timed, timed.session)
    glass.pass_ms(280_000)
    guest.timekeeper.sync()
    await until(lambda: RunningOut(Side.TROLLS) in heard)
    glass.pass_ms(20_000)
    await guest.play_on()
    guest.timekeeper.sync()
    assert left(guest) == (300_000, 0)
    assert not guest.state.battle.outcome
    with pytest.raises(TooLate, match="the time was up before that move"):
        await guest.request(Play(any_move(guest)))
    assert guest.state.battle.timed_out
    assert timed.session.state.battle.timed_out
    (ended,) = (each for each in timed.told["Bob"] if isinstance(each, Ended))
    assert ended.outcome.reason is Reason.TIME
    with pytest.raises(IllegalMove, match="nothing can be undone"):
        await guest.request(Undo())
    await guest.request(NextBattle(), guest.state.revision)
    assert left(guest) == left(timed.session) == (300_000, 300_000)
    assert not runs(guest)


async def test_the_clock_waits_for_who_is_away_where_that_is_agreed(
    tmp_path: Path, glass: ManualClock
) -> None:
    waiting = Meeting(tmp_path, control="5", waits=True)
    way = SocketPairTransport(waiting.host)
    guest, watcher = await waiting.join(way=way), await waiting.watch()
    assert guest.state.waits
    assert watcher.state.waits
    await play(waiting, waiting.session)
    glass.pass_ms(5_000)
    host, way.host = way.host, None
    way.break_off()
    await until(lambda: waiting.session.state.participants.missing)
    assert [type(each) for each in waiting.told["host"][-2:]] == [Departed, ClockRuns]
    await until(lambda: ClockRuns(False) in waiting.told["Wim"])
    await until(lambda: guest.there.lost)
    glass.pass_ms(100_000)
    assert left(waiting.session) == left(watcher) == left(guest) == (300_000, 295_000)
    assert not any(map(runs, waiting.everywhere))
    way.host = host
    await until(lambda: ConnectionBack() in waiting.told["Bob"])
    await until(lambda: ClockRuns(True) in waiting.told["Wim"])
    await until(lambda: all(map(runs, waiting.everywhere)))
    glass.pass_ms(1_000)
    assert left(waiting.session) == left(watcher) == left(guest) == (300_000, 294_000)
    await waiting.close()


async def test_nobody_stops_it_by_being_asked_whether_to_leave(
    timed: Meeting, glass: ManualClock
) -> None:
    guest = await timed.join()
    await timed.session.request(Play(any_move(timed.session)))
    await until(lambda: runs(guest))
    for session in (timed.session, guest):
        await session.request(Hold())
        assert runs(timed.session)
        glass.pass_ms(1_000)
        await session.request(Hold(False))
    assert left(timed.session) == (300_000, 298_000)
    assert ClockRuns(False) not in timed.told["Bob"]


async def test_without_that_it_runs_on_but_never_before_everybody_has_come(
    timed: Meeting, glass: ManualClock
) -> None:
    await timed.session.request(Play(any_move(timed.session)))
    glass.pass_ms(900_000)
    assert left(timed.session) == (300_000, 300_000)
    guest = await timed.join()
    assert not guest.state.waits
    await until(lambda: runs(guest))
    glass.pass_ms(3_000)
    assert left(timed.session) == left(guest) == (300_000, 297_000)
    await guest.leave()
    await until(lambda: timed.session.state.participants.missing)
    glass.pass_ms(3_000)
    assert left(timed.session) == (300_000, 294_000)
    assert in_words(timed.session.state, Departed("Bob", 1)) == "Bob is away. The clock runs on."
