"""The lobby of a club, through the keys and with the mouse."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from textual.color import Color
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from club.test_keeper import kept
from saving import begin
from thud.club.keeper import Keeper
from thud.engines.program import Program
from thud.engines.spec import HUMAN
from thud.exercises.lessons.progress import LessonProgress
from thud.net.host_connection import Caller, Tokens
from thud.net.remote import Remote
from thud.net.transports.local import LocalTransport, open_matches
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.events import SeatAsked
from thud.session.law import GiveSeat, Play
from thud.session.participants import SEAT
from thud.settings.last_choices import LastChoices, save_choices
from thud.settings.preferences import Preferences
from thud.terminal.cells import LARGEST
from thud.tui.app import ThudApp
from thud.tui.battle.participants_screen import ParticipantsScreen
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.club.lobby import Lobby, TableList, WelcomeScreen, describe_row
from thud.tui.delivery import PictureScreen
from thud.tui.deployment import HOME, Deployment
from thud.tui.deployments import SSH, WEB
from thud.tui.drill.screen import DrillScreen
from thud.tui.editor.panel import EditPanel
from thud.tui.editor.screen import EditScreen
from thud.tui.front.form import NameInput
from thud.tui.front.page import FrontPage
from thud.tui.keys.bar import KeyBar
from thud.tui.looks.contrast import TEXT, contrast
from thud.tui.settings.keys import KeysScreen
from thud.tui.settings.screen import SettingsScreen
from thud.tui.start import Front, OnFront
from thud.tui.widgets.menu import Command, Row
from thud.tui.widgets.modals import ListScreen, TextScreen
from thud.visitor.profile import (
    FAULT,
    LINK_VARIABLES,
    MATCH,
    NAME_VARIABLE,
    TABLE_VARIABLE,
    WAY_BACK,
    LastPlace,
    VisitorProfile,
)
from thud.visitor.tables import (
    NO_SUCH_TABLE,
    CloseTable,
    KeeperRefused,
    ListedTable,
    OpenTable,
    TableLine,
)
from tui.driver import Player
from tui.test_legible import written
from waiting import until

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a visitor have a directory of their own, beside one where tables are found."""
    (tmp_path / "own").mkdir()
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("THUD_CACHE_DIR", str(tmp_path / "own" / "cache"))
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "run"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture(autouse=True)
async def keeper(
    own_places: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Keeper]:
    """Keep the tables of the club."""
    monkeypatch.setattr("thud.club.keeper.REMIND_SECONDS", 0.1)
    async with kept(tmp_path) as found:
        yield found


class Guest(Player):
    """Plays as a visitor."""

    @property
    def lobby(self) -> FrontPage:
        page = self.app.screen_stack[0]
        assert isinstance(page, FrontPage)
        assert page.query(Lobby)
        return page

    @property
    def tables(self) -> list[str]:
        """What is said of the tables."""
        listed = self.lobby.query_one(TableList)
        return [str(option.prompt) for option in listed.options if not option.disabled]

    @property
    def notice(self) -> str:
        return str(self.lobby.query_one("#notice", Static).render())


@asynccontextmanager
async def visiting(
    own: Path,
    size: tuple[int, int] = (80, 24),
    *,
    name: str = "Ann",
    most: int = MEGABYTE,
    deployment: Deployment = SSH,
) -> AsyncIterator[Guest]:
    if name:
        VisitorProfile(own).rename(name)
    progress = LessonProgress(own)
    progress.add("battle")
    progress.save()
    if not (own / "last-match.json").exists():
        save_choices(own, LastChoices(seats=(HUMAN, "cpu:1")))
    preferences = Preferences(None, overrides={"animation": False, "pieces": "letters"})
    store = Store(own, most, WAY_BACK)
    app = ThudApp(Front(), preferences=preferences, store=store, deployment=deployment)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Guest(app, pilot)


@asynccontextmanager
async def table(directory: Path, name: str, variant: str = "classic") -> AsyncIterator[Remote]:
    """Open a table of somebody else's, and sit there; close it at the end if it is unplayed."""
    own = directory / "visitors" / (name[0].lower() * 32)
    line = TableLine(lambda: name, lambda: None, "", own)
    running = [asyncio.create_task(line.run())]
    await line.known.wait()
    opened = (await line.ask(OpenTable(variant))).id
    remote = await Remote.joined(LocalTransport(opened), Caller(name), tokens=Tokens(own))
    await remote.begin()
    running.append(asyncio.create_task(remote.run()))
    try:
        yield remote
    finally:
        await remote.leave()
        with suppress(KeeperRefused):
            await line.ask(CloseTable(opened))
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)


# A stranger's first question


@asynccontextmanager
async def asked(own: Path) -> AsyncIterator[Guest]:
    """Let a stranger come in for the first time, and wait for the question."""
    VisitorProfile(own).rename("Guest 7")
    app = ThudApp(Front(), store=Store(own), deployment=SSH)
    async with app.run_test(size=(80, 24)) as pilot:
        guest = Guest(app, pilot)
        await guest.see(ListScreen)
        yield guest


def offered(guest: Guest) -> list[str]:
    options = guest.app.screen.query_one(OptionList).options
    return [str(each.prompt) for each in options]


async def test_who_plays_with_nobody_there_opens_a_table_to_which_the_house_comes(
    own: Path, keeper: Keeper
) -> None:
    async with asked(own) as guest:
        assert [each.partition(":")[0] for each in offered(guest)] == [
            "Learn",
            "Play",
            "The day's puzzle",
        ]
        await guest.press("down", "enter")
        await guest.see(BattleScreen)
        (found,) = keeper.tables.values()
        assert found.notes.house
        await guest.until(lambda: found.people == {0})


async def test_who_watches_sees_the_next_match_when_one_ends(
    own: Path, tmp_path: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.tui.club.lobby.TOUR_SECONDS", 0.05)
    async with AsyncExitStack() as stack:
        for names in (("Bob", "Carla"), ("Dora", "Emil")):
            await stack.enter_async_context(table(tmp_path, names[0]))
            opened = next(each for each in keeper.tables.values() if len(each.people) == 1)
            await stack.enter_async_context(sitting(tmp_path, opened.id, names[1]))
        await until(lambda: all(len(each.people) == 2 for each in keeper.tables.values()))
        guest = await stack.enter_async_context(asked(own))
        watch = next(at for at, each in enumerate(offered(guest)) if each.startswith("Watch"))
        await guest.press(*watch * ["down"], "enter")
        await guest.see(BattleScreen)
        seen = VisitorProfile(own).place
        assert seen
        await keeper._remove(keeper.tables[seen.id])
        await guest.until(
            lambda: (place := VisitorProfile(own).place) is not None and place.id != seen.id
        )
        await guest.see(BattleScreen)
        assert len(guest.app.screen_stack) == 2


@asynccontextmanager
async def sitting(directory: Path, opened: str, name: str) -> AsyncIterator[Remote]:
    """Let somebody sit at a table."""
    own = directory / "visitors" / (name[0].lower() * 32)
    remote = await Remote.joined(LocalTransport(opened), Caller(name), tokens=Tokens(own))
    await remote.begin()
    running = asyncio.create_task(remote.run())
    try:
        yield remote
    finally:
        await remote.leave()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


# Names


async def test_a_name_is_asked_for_once_and_kept(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME_VARIABLE, "ann\x1b[2J\u202e" + "m\u0301\u0301\u0301\u0301" + "x" * 99)
    async with visiting(own, name="") as ann:
        await ann.see(WelcomeScreen)
        assert "Welcome to the club" in str(ann.app.screen.query("#welcome Static").last().render())
        proposal = ann.app.screen.query_one(Input).placeholder
        assert proposal == VisitorProfile(own).proposed
        assert proposal == ("ann [2J m\u0301\u0301" + "x" * 99)[:36]
        await ann.press(*"Carla", "enter")
        await ann.until(lambda: ann.app.screen is ann.lobby)
        assert ann.lobby.query_one(NameInput).value == "Carla"
    assert VisitorProfile(own).name == "Carla"
    async with visiting(own, name="") as ann:
        assert ann.app.screen is ann.lobby


async def test_keys_before_the_first_frame_are_typed_into_the_question(own: Path) -> None:
    app = ThudApp(Front(), store=Store(own), deployment=SSH)
    begin, early = FrontPage.begin, [*"Hugo", "enter"]

    def type_early(page: FrontPage, start: OnFront) -> None:
        for each in early:
            app.post_message(Key(each, each if len(each) == 1 else "\r"))
        begin(page, start)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FrontPage, "begin", type_early)
        async with app.run_test() as pilot:
            guest = Guest(app, pilot)
            await guest.until(lambda: VisitorProfile(own).name == "Hugo")
            await guest.until(lambda: app.screen is guest.lobby)
            await guest.until(lambda: all(each.group == "club" for each in app.workers))


async def test_a_key_waits_until_a_name_has_been_taken(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed, told = asyncio.Event(), asyncio.Event()
    go, enter = FrontPage.action_go, TableLine.enter

    async def noting(page: FrontPage, what: str) -> None:
        pressed.set()
        await go(page, what)

    async def late(line: TableLine) -> None:
        await told.wait()
        await enter(line)

    async with table(tmp_path, "Bob"), visiting(own, name="") as ann:
        await ann.see(WelcomeScreen)
        await ann.until(lambda: ann.tables)
        monkeypatch.setattr(FrontPage, "action_go", noting)
        monkeypatch.setattr(TableLine, "enter", late)
        await ann.press(*"Carla", "enter")
        await ann.until(lambda: ann.app.screen is ann.lobby)
        ann.app.post_message(Key("J", "J"))
        await pressed.wait()
        told.set()
        await ann.until(lambda: ann.app.focused is ann.lobby.query_one(TableList))


@pytest.mark.parametrize(("keys", "then"), [("", DrillScreen), ("down", BattleScreen)])
async def test_a_stranger_is_asked_one_question(
    own: Path, keys: str, then: type[Screen[Any]]
) -> None:
    VisitorProfile(own).rename("Guest 7")
    app = ThudApp(Front(), store=Store(own), deployment=SSH)
    async with app.run_test() as pilot:
        guest = Guest(app, pilot)
        await guest.see(ListScreen)
        said = app.screen.query_one("#said", Static)
        assert str(said.content) == "Welcome, Guest 7. What would you like to do?"
        await guest.press(*keys.split(), "enter")
        await guest.see(then)


async def test_a_stranger_sits_down_with_whoever_waits(own: Path, tmp_path: Path) -> None:
    VisitorProfile(own).rename("Guest 7")
    async with table(tmp_path, "Bob") as bob:
        app = ThudApp(Front(), store=Store(own), deployment=SSH)
        async with app.run_test() as pilot:
            guest = Guest(app, pilot)
            await guest.see(ListScreen)
            await guest.press("down", "enter")
            await guest.see(BattleScreen)
            await guest.until(lambda: "Guest 7" in bob.state.match.players)


async def test_a_name_that_is_taken_is_refused_with_the_reason(own: Path) -> None:
    VisitorProfile(own.parent / "visitors" / ("b" * 32)).rename("Ann")
    async with visiting(own, name="") as ann:
        await ann.see(WelcomeScreen)
        await ann.press(*"aNN", "enter")
        refusal = ann.app.screen.query_one("#refusal", Static)
        await ann.until(lambda: "somebody else" in str(refusal.content).lower())
        await ann.press("2", "enter")
        await ann.until(lambda: VisitorProfile(own).name == "aNN2")


@pytest.mark.parametrize("name", ["\u0000\u001b", "", 7, None, "\u202e"])
def test_a_file_with_no_name_has_none(own: Path, name: object) -> None:
    (own / "visitor.json").write_text(json.dumps({"name": name, "place": ["match", "../x"]}))
    assert VisitorProfile(own).name == ""
    assert VisitorProfile(own).place is None


# Tables


@pytest.mark.slow
async def test_tables_come_and_go_and_the_selection_stays(
    own: Path, tmp_path: Path, keeper: Keeper
) -> None:
    async with visiting(own) as ann:
        assert ann.tables == []
        async with table(tmp_path, "Bob"):
            await ann.until(lambda: "Bob – nobody yet" in "".join(ann.tables))
            assert len(ann.tables) == 1
            assert "the trolls are free" in ann.tables[0]
            await ann.press("J")
            listed = ann.lobby.query_one(TableList)
            assert ann.app.focused is listed
            chosen = listed.highlighted_option
            assert chosen
            async with table(tmp_path, "Cid", variant="koom"):
                await ann.until(lambda: len(ann.tables) == 2)
                assert listed.highlighted_option
                assert listed.highlighted_option.id == chosen.id
                await keeper.tables[str(chosen.id)].session.arrive(1, "Dee")
                await ann.until(lambda: any("Bob – Dee" in each for each in ann.tables))
                assert listed.highlighted_option.id == chosen.id
            await ann.until(lambda: len(ann.tables) == 1)
        await ann.until(lambda: not ann.tables)


async def test_a_browser_says_what_its_visitor_prefers(own: Path) -> None:
    async with visiting(own, deployment=WEB) as ann:
        app = ann.app
        assert not app.touched
        app.prefer(touch=True, calm=True, light=True)
        assert (app.touched, app.animation_level, app.theme) == (True, "none", "ankh-morpork")
        app.change_setting("theme", "nord")
        app.prefer(touch=False, calm=False, light=False)
        assert (app.touched, app.animation_level, app.theme) == (False, "full", "nord")


async def test_a_free_seat_is_taken_by_keys(own: Path, tmp_path: Path) -> None:
    async with table(tmp_path, "Bob") as bob, visiting(own) as ann:
        await ann.until(lambda: ann.tables)
        await ann.press("J", "enter")
        await ann.see(ListScreen)
        await ann.press("enter")
        await ann.see(BattleScreen)
        await ann.until(lambda: bob.state.match.players == ("Bob", "Ann"))
        assert VisitorProfile(own).place == LastPlace(SEAT, open_matches()[0].id)
        variant, position = bob.state.battle.variant, bob.state.battle.position
        await bob.request(Play(parse_move(variant, position, "dF1-F5")))
        await ann.until(lambda: ann.screen.session.state.turn.here)
        await ann.press("q")
        await ann.press("y")
        await ann.until(lambda: ann.app.screen is ann.lobby)
        await ann.until(lambda: VisitorProfile(own).place is None)
        await ann.until(lambda: ann.tables and "it is your turn" in ann.tables[0])


@pytest.mark.slow
async def test_a_lost_seat_is_asked_for_in_the_lobby(own: Path, tmp_path: Path) -> None:
    async with table(tmp_path, "Bob") as bob, visiting(own) as ann:
        transport = LocalTransport(open_matches()[0].id)
        cid = await Remote.joined(transport, Caller("Cid"), tokens=Tokens(tmp_path / "cid"))
        await cid.leave()
        await ann.until(lambda: any("Bob – Cid" in each for each in ann.tables))
        await ann.press("J", "enter")
        await ann.see(ListScreen)
        await ann.press("down", "down", "enter")
        await ann.until(lambda: bob.state.participants.asking is not None)
        assert bob.state.participants.asking == SeatAsked(1, "Ann")
        await ann.until(lambda: "those at the table can give it to you" in ann.notice)
        await bob.request(GiveSeat())
        await ann.until(lambda: "sit down" in ann.tables[0])
        await ann.press("J", "enter")
        await ann.see(ListScreen)
        await ann.press("enter")
        await ann.see(BattleScreen)
        assert bob.state.match.players == ("Bob", "Ann")


async def test_tables_and_menu_are_reached_from_one_another(own: Path, tmp_path: Path) -> None:
    async with table(tmp_path, "Bob"), visiting(own) as ann:
        await ann.until(lambda: ann.tables)
        listed, row = ann.lobby.query_one(TableList), ann.app.focused
        assert "Tab Tables" in str(ann.lobby.query_one(KeyBar).render())
        assert "»" not in ann.tables[0]
        await ann.press("tab")
        assert ann.app.focused is listed
        assert ann.tables[0].startswith("» Bob")
        await ann.press("tab")
        assert ann.app.focused is row
        assert "»" not in ann.tables[0]
        await ann.press("tab")
        for way, back in (("down", "up"), ("up", "down")):
            await ann.press(way)
            beside = ann.app.focused
            assert isinstance(beside, Row)
            await ann.press(back)
            assert ann.app.focused is listed


async def test_a_table_is_looked_on_at_by_clicks(own: Path, tmp_path: Path) -> None:
    async with table(tmp_path, "Bob") as bob, visiting(own) as ann:
        await ann.until(lambda: ann.tables)
        await ann.pilot.click(TableList, offset=(3, 0))
        await ann.see(ListScreen)
        await ann.pilot.click(OptionList, offset=(3, 1))
        await ann.see(BattleScreen)
        await ann.until(lambda: bob.state.participants.spectators == ["Ann"])
        await ann.until(lambda: "free seat" in ann.standing)
        shown = str(ann.app.screen.query_one(KeyBar).render())
        assert " ".join(shown.split()).endswith("F1 Help q Leave ^P More")
        await ann.press('"', *"hello", "enter")
        await ann.see(BattleScreen)
        await ann.until(
            lambda: ann.screen.session.state.participants.conversation == ["Ann says: hello"]
        )
        assert not bob.state.participants.conversation


async def test_whoever_comes_by_a_link_says_their_name_before_they_watch(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path, "Bob") as bob:
        monkeypatch.setenv(TABLE_VARIABLE, open_matches()[0].id)
        async with visiting(own, name="") as ann:
            await ann.see(WelcomeScreen)
            await ann.until(lambda: ann.tables)
            await ann.press(*"Carla", "enter")
            await ann.see(ListScreen)
            await ann.press("down", "enter")
            await ann.see(BattleScreen)
            await ann.until(lambda: bob.state.participants.spectators == ["Carla"])


async def test_a_link_to_a_closed_table_leads_into_the_lobby_also_without_a_name(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, "0123abcd")
    async with visiting(own, name="") as ann:
        await ann.see(WelcomeScreen)
        await ann.press("escape")
        await ann.until(lambda: VisitorProfile(own).name == "Guest 1")
        await ann.until(lambda: ann.notice == NO_SUCH_TABLE)
        assert ann.app.screen is ann.lobby


async def opens(guest: Guest, *keys: str) -> str:
    """Open a table for everybody, or for whom keys choose; return its id."""
    await guest.press("H")
    await guest.see(ListScreen)
    await guest.press(*keys, "enter")
    await guest.see(BattleScreen)
    place = VisitorProfile(guest.app.matches.store.matches.parent).place
    assert place
    assert place.kind == SEAT
    return place.id


async def test_links_to_an_open_table_are_shown_and_copied_with_one_key(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LINK_VARIABLES[0], "https://club.example/t/{}")
    monkeypatch.setenv(LINK_VARIABLES[1], "ssh -t -p 4722 127.0.0.1 {}")

    def said() -> str:
        return str(ann.app.screen.query_one("#participants", Static).render())

    async with visiting(own) as ann:
        await ann.press("H")
        await ann.see(ListScreen)
        await ann.press("enter")
        await ann.see(ParticipantsScreen)
        place = VisitorProfile(own).place
        assert place
        assert "thud" not in said()
        assert f"https://club.example/t/{place.id}" in said()
        assert f"ssh -t -p 4722 127.0.0.1 {place.id}" in said()
        seen = set()
        for key, purpose in (("a", "any free seat"), ("p", "the trolls"), ("w", "watch")):
            await ann.press(key)
            assert purpose in said()
            seen.add(ann.app.clipboard)
            assert ann.app.clipboard in said().replace("\n  ", "")
        assert len(seen) == 3
        await ann.press("x")
        assert "To watch" not in said()
        assert "To play the trolls" in said()
        await ann.press("escape")
        await ann.see(BattleScreen)
        assert "Your table is open" in ann.message
        assert ann.screen.session.state.match.players == ("Ann", "Player 2")


@pytest.mark.slow
async def test_a_free_seat_is_called_so_until_somebody_sits_down(own: Path, keeper: Keeper) -> None:
    async with visiting(own, name="[b]Ann[/]") as ann:
        assert "[b]Ann[/]" in str(ann.lobby.query_one("#name").render())
        name = await opens(ann)
        session = keeper.tables[name].session
        assert "[b]Ann[/]" in ann.standing
        assert "free seat" in ann.standing
        await ann.play("dF1-F5")
        assert "Nobody has taken the trolls yet" in ann.message
        await ann.press("e")
        assert not ann.question
        await ann.press("W")
        assert "Nobody has taken the trolls yet." in str(
            ann.app.screen.query_one("#participants", Static).render()
        )
        await ann.press("escape")
        await ann.see(BattleScreen)
        await ann.press("u")
        await ann.until(lambda: not ann.match.battle.moves)
        await session.arrive(1, "Bob")
        await ann.until(lambda: "Bob" in ann.standing)
        assert "free seat" not in ann.standing
        session.depart(1)
        await ann.until(lambda: "Bob is away" in ann.message)
        assert "Bob" in ann.standing


@pytest.mark.slow
async def test_the_lobby_leaves_the_title_to_the_board(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages ask before they are left by that title, and windows say whose turn it is."""
    sent: list[str] = []
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("thud.tui.club.lobby.send_codes", lambda _, codes: sent.append(codes))
    async with visiting(own) as ann:
        await opens(ann)
        await ann.press("q")
        await ann.press("y")
        await ann.until(lambda: any("your turn at one table" in each for each in sent))
        await ann.press("J", "enter")
        await ann.see(ListScreen)
        await ann.press("enter")
        await ann.see(BattleScreen)
        sent.clear()
        await ann.play("dF1-F5")
        await ann.until(lambda: "your seat waits" in ann.tables[0])
        assert not sent


async def test_a_closed_table_is_told_of(own: Path, tmp_path: Path) -> None:
    VisitorProfile(own).keep_place(LastPlace(SEAT, "0000abcd"))
    async with visiting(own) as ann:
        await ann.until(lambda: "No match" in ann.notice)
        await ann.until(lambda: VisitorProfile(own).place is None)


@pytest.mark.slow
async def test_whoever_comes_back_before_the_tables_waits_for_them(
    own: Path, tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "again"))
    async with kept(tmp_path / "again"), visiting(own) as ann:
        await opens(ann)
    place = VisitorProfile(own).place
    assert place
    async with visiting(own) as ann:
        await ann.until(lambda: "One moment" in ann.notice)
        async with kept(tmp_path / "again"):
            await ann.see(BattleScreen)
            assert "Welcome back" in ann.message
            assert VisitorProfile(own).place == place


@pytest.mark.slow
async def test_keys_that_are_early_open_nothing_on_the_way_back(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever types on through a break would open another table than theirs: H does."""
    VisitorProfile(own).keep_place(place := LastPlace(SEAT, "0000abcd"))
    monkeypatch.setattr(Lobby, "welcome", lambda _, new_here: None)
    async with visiting(own) as ann:
        await ann.press("H", "enter", "c", "enter")
        assert ann.app.screen is ann.lobby
        assert VisitorProfile(own).place == place


@pytest.mark.slow
async def test_another_window_leaves_a_match_where_it_is_played(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.visitor.profile._TRIES", 2)
    store = Store(own)
    match = Match(VARIANTS["classic"], ("Ann", "Bob"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    with begin(store, match) as saved:
        place = LastPlace(MATCH, saved.id)
        VisitorProfile(own).keep_place(place)
        async with visiting(own) as ann:
            await ann.until(lambda: "another window" in ann.notice)
        assert VisitorProfile(own).place == place
    async with visiting(own) as ann:
        await ann.see(BattleScreen)
        assert "Welcome back" in ann.message


@pytest.mark.parametrize("name", ["\u6f22" * 40, "a\u0301" * 40, "x" * 40])
def test_a_table_takes_two_lines_whatever_names_it_has(name: str) -> None:
    text = describe_row(ListedTable("abc", "classic", (name, name), ("trolls",)))
    assert text.no_wrap
    assert text.plain.count("\n") == 1


# What is off


async def test_what_names_files_is_off_and_there_is_one_word_for_leaving(own: Path) -> None:
    async with visiting(own) as ann:
        assert "q Leave" in str(ann.lobby.query_one(KeyBar).render())
        await ann.press("n")
        await ann.see(BattleScreen)
        await ann.press("o")
        offered = {each.title for each in ann.app.get_system_commands(ann.app.screen)}
        assert offered >= {"Leave", "Flip the board"}
        assert not offered & {"Quit", "Open a file"}
        await ann.play("dF1-F5")
        await ann.press("q")
        assert "Leave?" in ann.question
        assert "uit" not in ann.question
        await ann.press("n", "f1", "0")
        await ann.see(KeysScreen)
        options = ann.app.screen.query_one(OptionList).options
        said = "".join(str(each.prompt) for each in options)
        assert "Quit" not in said
        assert "Open a file" not in said
        assert "Capture all there" in said
        assert str(own.parent) not in ann.app.export_screenshot()
        await ann.press("escape", "escape")
        await ann.press("comma")
        await ann.see(SettingsScreen)
        assert str(own.parent) not in ann.app.export_screenshot()


@pytest.mark.slow
async def test_the_settings_of_a_visitor_are_kept(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path / "settings"))
    VisitorProfile(own).rename("Ann")
    app = ThudApp(Front(), preferences=Preferences.load(), store=Store(own), deployment=SSH)
    async with app.run_test(size=(120, 40)) as pilot:
        app.change_setting("notify", False)
        app.action_settings()
        await pilot.pause()
        assert (
            str(app.screen.query_one("#where > Static", Static).render())
            == "Saved for your next visit."
        )
    assert not Preferences.load().settings.notify


def test_the_deployments_of_a_club_and_of_a_home() -> None:
    for action in ("app.open", "open", "puzzle", "save", "suspend_process"):
        assert HOME.allows(action)
        assert not SSH.allows(action)
        assert not WEB.allows(action)
    assert WEB.allows("app.picture")
    assert not SSH.allows("app.picture")
    for action in ("app.save_as", "play", "put('d')", "alter('side')"):
        assert SSH.allows(action)


@pytest.mark.slow
async def test_a_position_goes_into_no_file(own: Path) -> None:
    async with visiting(own) as ann:
        await ann.press("E")
        await ann.see(EditScreen)
        offered = str(ann.app.screen.query_one(EditPanel).render())
        assert "judge it" in offered
        assert "puzzle" not in offered
        for key in "sz":
            await ann.press(key)
            assert isinstance(ann.app.screen, EditScreen)


@pytest.mark.slow
async def test_a_match_is_shown_as_text(own: Path) -> None:
    async with visiting(own) as ann:
        await ann.press("n")
        await ann.see(BattleScreen)
        await ann.play("dF1-F5")
        await ann.press("s")
        await ann.see(TextScreen)
        assert "Copy it with c" in str(ann.app.screen.query_one(".said", Static).render())
        assert "1. dF1-F5" in str([*ann.app.screen.query(Static)][-1].render())
        await ann.press("c")
        assert "1. dF1-F5" in ann.app.clipboard
        await ann.press("escape")
        await ann.see(BattleScreen)
        await ann.press("S")
        offered = {each.title for each in ann.app.get_system_commands(ann.app.screen)}
        assert isinstance(ann.app.screen, BattleScreen)
        assert "Read as text" in offered
        assert not [each for each in offered if "ave" in each and each != "Leave"]
        assert not [*own.rglob("*.svg")]


@pytest.mark.usefixtures("rough")
async def test_a_browser_downloads_them_and_says_so(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, str, bytes]] = []

    def deliver(binary, *, save_path, mime_type, **_: object) -> None:  # type: ignore[no-untyped-def]
        sent.append((str(save_path), mime_type, binary.read()))

    async with visiting(own, deployment=WEB) as ann:
        driver = ann.app._driver
        assert driver
        monkeypatch.setattr(type(driver), "is_web", True)
        monkeypatch.setattr(driver, "deliver_binary", deliver)
        await ann.press("n")
        await ann.see(BattleScreen)
        await ann.play("dF1-F5")
        await ann.until(lambda: "Pebble" in ann.message)  # the computer has answered
        await ann.press("s")
        await ann.until(lambda: len(sent) == 1)
        await ann.until(lambda: f"Saved to your downloads: {Path(sent[0][0]).name}" in ann.message)
        await ann.press("S")
        await ann.see(PictureScreen)
        ann.app.screen.query_one(Input).value = "board.png"
        await ann.press("enter")
        await ann.until(lambda: len(sent) == 2)
        await ann.see(BattleScreen)
        await ann.until(lambda: ann.message.endswith("Saved to your downloads: board.png"))
    (name, kind, text), (_, picture_kind, picture) = sent
    assert name.endswith(".tgn")
    assert kind == "text/plain"
    assert b"1. dF1-F5" in text
    assert picture_kind == "image/png"
    assert picture.startswith(b"\x89PNG")


async def test_what_went_wrong_is_told_whoever_runs_the_club(own: Path) -> None:
    app = ThudApp(Front(), store=Store(own, MEGABYTE), deployment=SSH)
    app.error_console = Console(file=StringIO())
    app._exit_renderables += ["in /srv/thud/secret.py", "and in another"]
    app._print_error_renderables()
    said = app.error_console.file
    assert isinstance(said, StringIO)
    assert said.getvalue() == f"{FAULT}\n"
    assert "/srv/thud/secret.py" in (own / "fault.txt").read_text()


# Room


@pytest.mark.slow
async def test_no_match_begins_where_there_is_no_room(own: Path) -> None:
    (own / "large").write_bytes(bytes(2000))
    async with visiting(own, most=1000) as ann:
        for key in "nH":
            await ann.press(key)
            await ann.until(lambda: "delete some matches first" in ann.notice)
            assert ann.app.screen is ann.lobby
        (own / "large").unlink()
        await ann.press("n")
        await ann.see(BattleScreen)


async def test_only_so_many_computers_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "most", 1)
    first = await Program.start(["sleep", "1000"])
    try:
        with pytest.raises(OSError, match="too many computers"):
            await Program.start(["sleep", "1000"])
    finally:
        await first.close(0)
    await (await Program.start(["true"])).close(10)


# Looks


@pytest.mark.slow
async def test_everything_is_at_hand_in_every_size(own: Path, tmp_path: Path) -> None:
    async with table(tmp_path, "Bob"), visiting(own) as ann:
        await ann.until(lambda: ann.tables)
        menu = ann.lobby.query_one("#menu")
        for size in (80, 24), (60, 30), (40, 20), (120, 40):
            await ann.pilot.resize_terminal(*size)
            await ann.pilot.pause()
            for row in ann.lobby.query(Row):
                if row.region:
                    row.scroll_visible(animate=False, immediate=True)
                    await ann.pilot.pause()
                    assert row.region.height == 1
                    assert menu.region.overlaps(row.region)
            tables = ann.lobby.query_one(TableList).region
            assert tables.height > 0
            assert not tables.overlaps(menu.region)
        await ann.until(lambda: ann.lobby.query_one(Board).cell == (5, 2))


@pytest.mark.slow
async def test_on_the_smallest_phone_all_but_the_last_rows_of_the_lobby_are_in_sight(
    own: Path, tmp_path: Path
) -> None:
    async with table(tmp_path, "Bob"), visiting(own, (48, 34)) as ann:
        await ann.until(lambda: ann.tables)
        await ann.pilot.pause()
        menu = ann.lobby.query_one("#menu").region
        for row in ann.lobby.query(Row).exclude("#devices, #text, #quit, #remind"):
            if not row.region:
                continue
            assert row.region.height == 2
            assert menu.contains_region(row.region)
        assert "q Leave" in ann.text("KeyBar")


async def test_reminders_are_switched_in_the_lobby_of_a_club_that_has_them(
    own: Path, tmp_path: Path
) -> None:
    async with visiting(own) as ann:
        row = ann.lobby.query_one("#remind", Command)
        assert not row.display
        (tmp_path / "hook.toml").write_text('url = "https://x.example/secret"')
        for note in ("of your turns, outside", "none"):
            await ann.until(lambda: row.display)
            row.focus()
            await ann.press("enter")
            await ann.until(lambda note=note: row.said == note)  # type: ignore[misc]
        (tmp_path / "hook.toml").unlink()
        await ann.until(lambda: not row.display)


@pytest.mark.slow
async def test_notes_in_the_lobby_can_be_read(own: Path) -> None:
    async with visiting(own) as ann:
        ann.lobby.query_one("#learn").focus()
        for size in (48, 34), (80, 24), (120, 40):
            await ann.pilot.resize_terminal(*size)
            await ann.pilot.pause()
            for segment in written(ann.app):
                style = segment.style
                assert style
                assert style.color
                assert style.bgcolor
                colour, ground = map(Color.from_rich_color, (style.color, style.bgcolor))
                colour = colour.blend(ground, 0.34) if style.dim else colour
                assert contrast(colour, ground) >= TEXT, segment.text


async def test_the_bar_has_more_for_those_without_keys(own: Path) -> None:
    async with visiting(own, (60, 24)) as ann:
        bar = ann.lobby.query_one(KeyBar)
        await ann.until(lambda: "More" in str(bar.render()))
        await ann.pilot.click(KeyBar, offset=(str(bar.render()).index("More"), 0))
        await ann.until(lambda: ann.app.screen is not ann.lobby)


async def test_leaving_in_a_match_leads_to_the_lobby_and_then_out(own: Path) -> None:
    async with visiting(own) as ann:
        await ann.press("n")
        await ann.see(BattleScreen)
        await ann.play("dF1-F5")
        assert VisitorProfile(own).place == LastPlace(MATCH, ann.screen.session.autosave.id)
        await ann.press("ctrl+q")
        assert "You find it in the lobby" in " ".join(ann.question.split())
        await ann.press("y")
        await ann.until(lambda: ann.app.screen is ann.lobby)
        await ann.until(lambda: VisitorProfile(own).place is None)
        await ann.press("ctrl+q")
        await ann.see(ListScreen)
        await ann.press("escape")
        await ann.until(lambda: ann.app.screen is ann.lobby)
        await ann.press("q")
        await ann.see(ListScreen)
        await ann.press("enter")
    assert ann.app.return_code == 0


@pytest.mark.slow
async def test_a_size_that_is_typed_is_within_bounds(own: Path) -> None:
    async with visiting(own) as guest:
        for size in (30_000, 30_000), (80, 201), (501, 24), LARGEST:
            guest.app.post_message(Resize.from_dimensions(size, None))
            await guest.pilot.pause()
            assert guest.app.size == (size if size == LARGEST else (80, 24))
