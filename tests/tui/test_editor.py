"""Any position on the board: by keys, mouse and text, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual.events import MouseMove
from textual.geometry import Offset
from textual.widgets import Input

from thud.exercises.puzzles.book import read_puzzles
from thud.records.links import Link, LinkKind, read_link
from thud.records.store import Store
from thud.rules.geometry import parse_square
from thud.rules.position import Side
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.settings.preferences import Preferences
from thud.settings.values import Value
from thud.terminal.cells import Cell
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.editor.screen import EditScreen
from thud.tui.front.page import FrontPage
from thud.tui.help.screen import HelpScreen
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import Edit
from thud.tui.widgets.modals import AskScreen, ListScreen
from tui.driver import Player, path, playing, work_done

CLASSIC = VARIANTS["classic"]


class Setter(Player):
    """Drives the editor."""

    @property
    def editing(self) -> EditScreen:
        screen = self.app.screen
        assert isinstance(screen, EditScreen)
        return screen

    @property
    def board(self) -> Board:
        return self.editing.query_one(Board)

    @property
    def setup(self) -> Setup:
        return self.editing.setup

    def at(self, square: str) -> str | None:
        return self.setup.position.letter_at(parse_square(square))

    async def to(self, square: str) -> None:
        await self.press(*path(self.board.cursor, parse_square(square)))

    async def answer(self, line: str) -> None:
        """Write a line where one is asked for, and enter it."""
        asking = self.app.screen
        assert isinstance(asking, AskScreen)
        asking.query_one(Input).value = line
        await self.pilot.press("enter")
        await self.settled()

    async def paste(self, text: str) -> None:
        self.app.post_message(events.Paste(text))
        await self.pilot.pause()

    def place(self, square: str) -> Offset:
        region = self.board.region_of(parse_square(square))
        return Offset(region.x + 1, region.y)

    async def click(self, square: str) -> None:
        await self.pilot.click(Board, offset=self.place(square))

    async def drag(self, origin: str, to: Offset) -> None:
        await self.pilot.mouse_down(Board, offset=self.place(origin))
        await self.pilot._post_mouse_events([MouseMove], widget=Board, offset=to, button=1)
        await self.pilot.mouse_up(Board, offset=to)


@asynccontextmanager
async def editing(
    directory: Path, variant: str = "classic", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Setter]:
    setup = Setup.usual(VARIANTS[variant])
    app = ThudApp(Edit(setup), store=Store(directory), preferences=Preferences(None))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Setter(app, pilot)


@pytest.mark.slow
async def test_the_board_looks_as_the_settings_say(tmp_path: Path) -> None:
    overrides: dict[str, Value] = {"pieces": "letters", "ascii": True}
    start = Edit(Setup.usual(CLASSIC))
    app = ThudApp(start, store=Store(tmp_path), preferences=Preferences(overrides=overrides))
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        board = app.screen.query_one(Board)
        assert (board.piece_set, board.ascii_only) == ("letters", True)
        assert board.cell == Cell(7, 3), "it is as large as in play"


async def test_keys_put_take_away_and_move(tmp_path: Path) -> None:
    async with editing(tmp_path) as setter:
        await setter.to("H5")
        await setter.press("d")
        assert setter.at("H5") == "d"
        assert "Del  remove" in setter.text("EditPanel")
        assert "33 dwarfs: Classic has at most 32" in setter.message
        await setter.press("t")
        assert setter.at("H5") == "T"
        await setter.press("R")
        assert (setter.at("H5"), setter.at("H8")) == ("R", None)
        assert "not H8" in setter.message
        await setter.press("delete")
        assert "The Thudstone is missing" in setter.message
        await setter.press("u", "u", "u", "u", "u", "u")
        assert setter.setup == Setup.usual(CLASSIC)
        await setter.press("ctrl+y")
        assert setter.at("H5") == "d"
        await setter.press("enter", "2", "enter")
        assert (setter.at("H5"), setter.at("H6")) == (None, "d")
        await setter.press("enter", "escape")
        assert setter.at("H6") == "d"
        await setter.press("0")
        assert "Legal in Classic." in setter.message
        await setter.press("f1")
        assert isinstance(setter.app.screen, HelpScreen)


async def test_everything_is_changed_at_once_and_taken_back(tmp_path: Path) -> None:
    async with editing(tmp_path) as setter:
        start = setter.setup
        expected = start
        for key, change in (
            ("m", lambda s: s.give_turn(s.position.to_move.other)),
            ("e", lambda s: s.clear()),
            ("n", lambda s: Setup.usual(s.variant)),
            ("v", lambda s: s.at_game(VARIANTS["single"])),
            ("d", lambda s: s.put("d", setter.board.cursor)),
            ("a", lambda s: s.mirror()),
            ("o", lambda s: s.turn()),
        ):
            expected = change(expected)
            await setter.press(key)
            assert setter.setup == expected, key
        await setter.press(*"u" * 7)
        assert setter.setup == start


async def test_the_mouse_moves_pieces_paints_with_the_brush_and_chooses_in_the_panel(
    tmp_path: Path,
) -> None:
    async with editing(tmp_path) as setter:
        await setter.click("F1")
        await setter.click("F5")
        assert (setter.at("F1"), setter.at("F5")) == (None, "d")
        await setter.drag("F5", setter.place("G6"))
        assert (setter.at("F5"), setter.at("G6")) == (None, "d")
        await setter.drag("G6", Offset(1, 1))
        assert setter.at("G6") is None
        assert setter.setup.position.dwarfs.bit_count() == 31
        for letter in "dTR":
            await setter.press("b")
            await setter.click("H5")
            assert setter.at("H5") == letter
        await setter.click("H5")
        assert setter.at("H5") is None
        await setter.press("b")
        await setter.click("G1")
        assert setter.at("G1") is None
        panel = setter.editing.query_one("EditPanel")
        lines = str(panel.render()).splitlines()
        row = next(number for number, line in enumerate(lines) if "to move" in line)
        assert await setter.pilot.click("EditPanel", offset=(3, row))
        assert "trolls to move" in str(panel.render())


async def test_a_text_is_pasted_or_typed_and_a_bad_one_changes_nothing(tmp_path: Path) -> None:
    text = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4d T"
    async with editing(tmp_path) as setter:
        await setter.paste(f" {text}\n")
        assert setter.setup.position.to_text() == text
        assert "over at once" in setter.message
        await setter.press("i")
        await setter.until(lambda: "…" not in setter.message)
        assert setter.message.count("over at once") == 1, "it is said once"
        await setter.paste("what is this")
        assert "Not changed: found 1 rank; expected 15" in setter.message
        await setter.press("u", "colon")
        asking = setter.app.screen
        assert isinstance(asking, AskScreen)
        await setter.answer("x")
        assert setter.app.screen is asking
        await setter.answer(f"{CLASSIC.start.to_text()[:-1]}T")
        assert setter.setup == Setup.usual(CLASSIC).give_turn(Side.TROLLS)
        await setter.to("H8")
        await setter.press("delete", "c")
        bare = setter.setup
        copied = setter.app.clipboard
        await setter.press("C")
        assert read_link(setter.app.clipboard) == Link(LinkKind.POSITION, copied, "classic")
        await setter.press("c", "u")
        await setter.paste(setter.app.clipboard)
        assert setter.setup == bare, "what is copied without a stone is taken again"
        await setter.press("colon", "enter")
        assert setter.setup == bare
        assert "The Thudstone is missing" in setter.message


async def test_it_is_played_with_a_level_and_left_for_the_editor_again(tmp_path: Path) -> None:
    async with editing(tmp_path, "koom") as setter:
        await setter.to("H9")
        await setter.press("enter", "3", "enter")
        begun = setter.setup.position
        await setter.press("p")
        assert isinstance(setter.app.screen, ListScreen)
        await setter.press("enter")
        assert isinstance(setter.app.screen, BattleScreen)
        assert setter.match.starts == (begun, begun)
        assert setter.match.variant is VARIANTS["koom"]
        await setter.do("q")
        assert setter.setup.position == begun
        await setter.press("q")
        assert isinstance(setter.app.screen, FrontPage)
        row = setter.app.screen.query_one("#edit")
        assert "as you left it" in str(row.render())
        await setter.press("E")
        assert setter.setup.position == begun
        await setter.press("u", "u")
        assert setter.setup == Setup.usual(VARIANTS["koom"]), "the steps are there, too"
        await setter.press("escape")
        assert "any position" in str(row.render())


async def test_what_cannot_be_played_is_said(tmp_path: Path) -> None:
    async with editing(tmp_path) as setter:
        await setter.to("H5")
        for key in "piz":
            await setter.do("d", key)
            assert setter.message.count("33 dwarfs") == 1
            await setter.press("u")


async def test_the_computer_judges_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.session.editor.SECONDS", 0.1)
    async with editing(tmp_path) as setter:
        await setter.do("i")
        assert "The best move: " in setter.message
        assert setter.board.view.marks
        await setter.press("escape")
        assert not setter.board.view.marks
        assert setter.editing.query_one(Board)


async def test_it_is_saved_and_a_puzzle_added_to_a_file(tmp_path: Path) -> None:
    text = "5/T1d4/9/6T3d/13/15/6TdT1d4/4T1T8/6Rd7/d14/13/11/8d/d5d/2d2 T"
    async with editing(tmp_path, "koom") as setter:
        await setter.paste(text)
        await setter.press("s")
        await setter.answer(str(tmp_path / "mine.pos"))
        assert "Saved as" in setter.message
        assert (tmp_path / "mine.pos").read_text() == f"{text}\n"
        await setter.do("z")
        await setter.answer(str(tmp_path / "mine"))
        assert "Added to" in setter.message
    assert read_puzzles(tmp_path / "mine.jsonl")[0].position.to_text() == text


class Pondering:
    """Finds a puzzle, or a judgement, when it is told to."""

    def __init__(self, found: object) -> None:
        self.found, self.done, self.given_up = found, asyncio.Event(), False

    async def __call__(self, *_: object) -> object:
        try:
            await self.done.wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise
        return self.found


@pytest.mark.slow
async def test_a_match_that_is_begun_ends_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, what in (("z", "tui.editor.screen.confirmed"), ("i", "session.editor.evaluated")):
        pondering = Pondering(None)
        monkeypatch.setattr(f"thud.{what}", pondering)
        async with editing(tmp_path) as setter:
            await setter.press(key)
            assert setter.message.endswith(" …")
            await setter.press("p", "enter")
            assert isinstance(setter.app.screen, BattleScreen)
            assert pondering.given_up
            await setter.do("q")
            assert "…" not in setter.message


@pytest.mark.slow
async def test_a_puzzle_asks_for_no_file_over_what_covers_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pondering = Pondering({"theme": "hurl", "band": "easy"})
    monkeypatch.setattr("thud.tui.editor.screen.confirmed", pondering)
    async with editing(tmp_path) as setter:
        await setter.press("z", "p")
        pondering.done.set()
        await work_done(setter.app)
        assert isinstance(setter.app.screen, ListScreen)
        await setter.press("escape")
        assert "This is a puzzle: hurl a dwarf (easy). Press z" in setter.message
        await setter.do("z")
        assert isinstance(setter.app.screen, AskScreen)


async def test_the_position_of_a_match_is_taken_and_the_match_goes_on(tmp_path: Path) -> None:
    async with playing(store=Store(tmp_path)) as player:
        await player.play("dF1-F5")
        shown = player.match.battle.position
        await player.press("E")
        setter = Setter(player.app, player.pilot)
        assert setter.setup == Setup(CLASSIC, shown)
        await setter.press("e", "ctrl+z", "p", "enter")
        assert player.match.battle.moves == ()
        await setter.do("q")
        await setter.press("e", "t")
        left = setter.setup
        await setter.press("escape")
        await player.pilot.pause()
        assert "dF1-F5" in player.moves
        await player.play("TG7-F6")
        await player.press("E")
        assert setter.setup.position != shown
        assert "Press u to get the earlier position back." in setter.message
        await player.press("u")
        assert setter.setup == left
        await player.press("q")
        player.app.matches.replay(player.session.record)
        await player.pilot.pause()
        await player.press("right", "E")
        assert setter.setup.position == shown, "that of a replay is taken, too"
        await setter.press("q")
        await player.pilot.pause()
        assert isinstance(player.app.screen, ReplayScreen)
