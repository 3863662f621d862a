"""A guest plays at the board with keys, as in a local match."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.meeting import Meeting, SocketPairTransport, any_move
from thud.net.host_connection import Caller, Tokens
from thud.net.remote import Remote
from thud.session.events import Faulted, Undo
from thud.session.law import Answer, Play
from thud.settings.preferences import Preferences
from thud.tui import start
from thud.tui.app import ThudApp
from tui.driver import Player
from waiting import until


async def shown(player: Player, words: str) -> None:
    """Wait until the screen shows a message or question."""
    await player.until(lambda: words in f"{player.message} {player.question}")


@pytest.mark.usefixtures("mended_at_once")
async def test_a_guest_plays_at_the_board_whatever_breaks(meeting: Meeting, tmp_path: Path) -> None:
    way = SocketPairTransport(meeting.host)
    remote = await Remote.joined(way, Caller("Bob"), tokens=Tokens(tmp_path), command="thud join")
    app = ThudApp(start.PlayMatch(remote), preferences=Preferences(overrides={"animation": False}))
    async with app.run_test() as pilot:
        bob = Player(app, pilot)
        await shown(bob, "Waiting for Ann")
        await meeting.session.request(Play(any_move(meeting.session)))
        await until(lambda: remote.state.turn.here)
        await bob.play_move(any_move(remote))
        await until(lambda: len(meeting.session.state.battle.moves) == 2)
        await bob.press("u")
        await shown(bob, "Waiting for Ann")
        await meeting.session.request(Answer(True, Undo()))
        await until(lambda: len(remote.state.battle.moves) == 1)
        meeting.session.emit(Faulted(0, "Fake hangs"))
        await shown(bob, "the host decides what to do")
        way.host = None
        way.break_off()
        await shown(bob, "The connection is broken")
        way.host = meeting.host
        await shown(bob, "The connection is back")
        way.host = None
        await meeting.close_host()
        await shown(bob, "Ann is away; waiting.")
        await meeting.open_again()
        way.host = meeting.host
        await shown(bob, "Ann is back.")
        await bob.play_move(any_move(remote))
        await until(lambda: len(meeting.session.state.battle.moves) == 2)
        await bob.press("q")
        await shown(bob, "your seat are kept")
        await bob.press("y")
    await until(lambda: meeting.session.state.participants.missing == (1,))
