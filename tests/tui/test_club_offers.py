"""Offers that stay, what waits, and a table shown by a link, through the keys."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from textual.widgets import Static

from club.test_keeper import ANN, guests, plays
from club.test_past import named
from thud.club.keeper import Keeper
from thud.net.host_connection import Caller
from thud.net.remote import Remote
from thud.net.seat_registry import LINK_SECONDS, Link
from thud.net.transports.local import LocalTransport
from thud.session.law import Resign, Say
from thud.session.participants import SHOW
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.club.lobby import TableList
from thud.tui.deployments import SHOWN_SSH
from thud.tui.start import PlayMatch
from thud.tui.widgets.modals import ListScreen
from thud.visitor.profile import VisitorProfile
from thud.visitor.seek import MakeSeek, TakeSeek
from tui.driver import Player
from tui.test_club import keeper, own_places, visiting
from tui.test_club_past import chooses, rows
from waiting import until

__all__ = ["keeper", "own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


@pytest.fixture
def own(tmp_path: Path, own_places: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ann's directory among the club's visitors."""
    found = tmp_path / "visitors" / ANN
    found.mkdir(parents=True)
    monkeypatch.setenv("THUD_DATA_DIR", str(found))
    named(tmp_path, b="Bob")
    return found


async def test_an_offer_is_made_from_the_form_and_whoever_takes_it_is_announced(
    tmp_path: Path, own: Path
) -> None:
    async with visiting(own) as ann, guests(tmp_path, "Bob") as (bob,):
        await ann.press("H")
        await ann.see(ListScreen)
        await chooses(ann, "Whoever takes it")
        await ann.until(lambda: "Your offer stays for 14 days" in ann.notice)
        await ann.until(lambda: any("You offer a match" in each for each in ann.tables))
        assert str(ann.lobby.query_one("#club-title", Static).render()) == "Tables"
        await until(lambda: bob.state.seeks)
        await bob.line.ask(TakeSeek(bob.state.seeks[0].id))
        await ann.until(lambda: "Bob has sat down, and it is your turn" in ann.notice)
        await ann.until(lambda: "it is your turn" in ann.tables[0])
        title = str(ann.lobby.query_one("#club-title", Static).render())
        assert title == "What waits for you: your turn at one table"


async def test_an_offer_is_heard_and_taken_and_who_wants_hears_no_more(
    tmp_path: Path, own: Path, keeper: Keeper
) -> None:
    async with visiting(own) as ann, guests(tmp_path, "Bob") as (bob,):
        await until(bob.line.known.is_set)
        await ann.until(lambda: "Bob" in str(ann.lobby.query_one("#present").render()))
        await bob.line.ask(MakeSeek("koom", "3d"))
        await ann.until(lambda: "Bob offers a match: Koom Valley, 3 days a move." in ann.notice)
        await ann.press("tab", "enter")
        await ann.see(ListScreen)
        assert rows(ann) == ["Take it", "Do not tell me of new offers"]
        await chooses(ann, "Do not tell")
        await ann.until(lambda: "no longer told" in ann.notice)
        await bob.line.ask(MakeSeek("classic", "", even=True))
        await ann.until(lambda: len(ann.tables) == 2)
        assert "even match" not in ann.notice
        assert not VisitorProfile(own).hears
        assert ann.app.focused is ann.lobby.query_one(TableList)
        await ann.press("enter")
        await ann.see(ListScreen)
        assert rows(ann) == ["Take it", "Tell me of new offers"]
        await chooses(ann, "Take it")
        await ann.see(BattleScreen)
        assert "Bob is told, and begins" in ann.message
        assert ann.match.players == ("Bob", "Ann")
        (table,) = keeper.tables.values()
        assert table.people == {1}


async def test_a_table_shown_by_a_link_has_nothing_that_needs_a_computer(
    tmp_path: Path, own: Path, keeper: Keeper
) -> None:
    async with guests(tmp_path, "Cid", "Bob") as (cid, bob):
        table = await cid.opens()
        one, two = await cid.sits_down(table), await bob.sits_down(table)
        link = Link("word", SHOW, time.time() + LINK_SECONDS, "c", late=2)
        keeper.tables[table.id].registry.links = (link,)
        remote = await Remote.joined(LocalTransport(table.id, "word"), Caller("", SHOW))
        app = ThudApp(
            PlayMatch(remote, "shown"), preferences=Preferences(None), deployment=SHOWN_SSH
        )
        async with app.run_test(size=(80, 24)) as pilot:
            eve = Player(app, pilot)
            await plays(one, "dF1-F5")
            await one.request(Say("a secret"))
            await plays(two, "TG7-G6")
            await plays(one, "dK1-K5")
            await eve.until(lambda: eve.match.battle.played == 1)
            for key in ("i", "m", "X", "E", '"', "v", "S", "n", "W", "u", "apostrophe"):
                await eve.press(key)
                assert isinstance(app.screen, BattleScreen)
            assert "secret" not in eve.message
            await two.request(Resign())
            await eve.until(lambda: eve.match.battle.played == 3)
            for key in ("m", "r", "n", "enter"):
                await eve.press(key)
                assert app.screen_stack == [app.screen]
            await eve.press("q")
