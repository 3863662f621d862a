"""The card of keys."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from textual.screen import ModalScreen
from textual.widgets import OptionList

from thud.engines.spec import parse_contender
from thud.exercises.lessons.model_battles import model_battle
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.deployment import HOME
from thud.tui.front.page import FrontPage
from thud.tui.help.keys_card import KeysCard, keys_now
from thud.tui.help.screen import HelpScreen
from thud.tui.settings.keys import KeysScreen
from thud.tui.settings.screen import SettingsScreen
from thud.tui.start import Edit, Explore, Front, Replay
from tui.driver import Player, placed, playing, running
from tui.test_keys import with_keys
from tui.test_review import judged
from tui.test_settings_screen import find
from tui.test_variations import short


def rows(player: Player) -> list[str]:
    """Return the lines of the open card."""
    assert isinstance(player.app.screen, KeysCard)
    return [strip.text for strip in player.app.screen._compositor.render_strips()]


def says(player: Player, key: str, does: str) -> bool:
    """Whether the card has a key and what it does in a line."""
    return any(f" {key} " in row and row.find(f" {key} ") < row.find(does) for row in rows(player))


async def test_it_shows_what_the_keys_do_now() -> None:
    async with playing(size=(120, 40)) as player:
        await player.press("question_mark")
        assert says(player, "i", "Get a hint")
        assert says(player, "←↓↑→ hjkl 1-9", "Move the cursor")
        assert says(player, "Ctrl+←↓↑→", "Jump to a piece")
        assert says(player, "Tab Shift+Tab", "Next, previous piece")
        assert not says(player, "x", "Next capture")
        assert not says(player, "'", "What was said")
        assert not says(player, "u", "Undo")
        await player.press("question_mark")
        await player.play("dF1-F5")
        await player.press("question_mark")
        assert says(player, "u", "Undo")
        assert says(player, "[", "Look back ")
        await player.press("escape")
        screen = await player.see(BattleScreen)
        await player.press("tab", "enter")
        assert screen.picker.selection.picked
        await player.press("question_mark")
        await player.see(KeysCard)
        assert not says(player, "[", "Look back "), "not with a piece in hand"
        await player.press("escape")
        await player.see(BattleScreen)
        await player.press("escape", "u")
        await player.see(BattleScreen)
        await player.until(lambda: not player.match.battle.moves)
        await player.press("question_mark", "f1")
        await player.see(HelpScreen)


async def test_it_has_the_keys_of_a_question_and_of_a_dialog() -> None:
    async with playing(size=(120, 40)) as player:
        await player.press("e", "question_mark")
        assert says(player, "y", "Agree")
        assert says(player, "n", "Play on")
        await player.press("n")
        await player.see(BattleScreen)
        await player.until(lambda: not player.screen.asking)
        await player.press("comma", "question_mark")
        assert says(player, "→ l Enter", "Change")
        assert says(player, "Esc q ,", "Close the settings")


async def test_a_key_closes_what_a_piece_can_do_and_acts() -> None:
    async with playing(size=(120, 40)) as player:
        await player.press("d")
        assert "Dwarf on" in player.question
        before = player.board.cursor
        await player.press("tab")
        assert not player.screen.pane.prompt.question
        assert player.board.cursor != before


async def test_it_shows_the_players_own_keys_in_ascii_if_wanted() -> None:
    own = {"battle.hint": ("z",), "board.north": ("w",), "board.south": ("Z",)}
    async with with_keys(own, ascii_only=True) as player:
        await player.press("question_mark")
        assert says(player, "z", "Get a hint")
        assert says(player, "Left Right", "Move the cursor")
        assert not says(player, "i", "Get a hint")


async def test_what_works_beside_a_question_is_on_the_card_and_in_the_palette() -> None:
    async with playing("classic", placed("TG8", "dE6", "dE7"), size=(120, 40)) as player:
        await player.type("e6e5")
        await player.choose("G8", "F7")
        assert "capture" in player.question
        await player.press("question_mark")
        assert says(player, ",", "Settings")
        assert says(player, "Ctrl+P", "Commands")
        await player.press("escape")
        found = {each.title: each for each in player.app.get_system_commands(player.screen)}
        await found["Settings"].callback()
        await player.see(SettingsScreen)


@pytest.mark.parametrize(
    "pressed", [(), ("n",), ("enter",), ("enter", "tab", "enter")], ids=" ".join
)
async def test_all_of_it_is_seen_at_once_in_a_replay(pressed: tuple[str, ...]) -> None:
    for record in (model_battle("classic-2").record(), judged(Record.of(short()))):
        async with running(ThudApp(Replay(record)), (80, 24)) as player:
            await player.settled()
            await player.press("right", "right", *pressed, "question_mark")
            card = await player.see(KeysCard)
            await player.settled()
            assert card._page.max_scroll_y == 0, player.written
            assert any(each in player.written for each in ("Go back", "Let go", "Summary"))


async def test_who_watches_computers_can_pause_them_and_pick_up_nothing() -> None:
    async with playing(size=(120, 40), seats=(parse_contender("random"),) * 2) as player:
        await player.press("question_mark")
        assert says(player, "Enter Space 5", "Pause")
        assert not says(player, "Enter Space 5", "Pick up")
        assert not says(player, "x", "Next capture")
        await player.press("escape")
        await player.see(BattleScreen)
        await player.press("space", "question_mark")
        await player.see(KeysCard)
        assert says(player, "Enter Space 5", "Go on")


async def test_a_key_is_listed_once_and_nothing_that_there_is_none_of(tmp_path: Path) -> None:
    async with running(ThudApp(Front(), store=Store(tmp_path)), (120, 40)) as player:
        page = await player.see(FrontPage)
        page.query_one("#computer").focus()
        await player.press("question_mark")
        assert says(player, "Enter Space", "Go")
        assert says(player, "→ l", "Change")
        assert not says(player, "Enter", "Change")
        assert says(player, "z", "Puzzles")
        assert not any(
            says(player, key, name)
            for key, name in (("r", "Resume"), ("p", "Replay"), ("P", "Practise"))
        )


async def test_what_waits_for_ones_turn_is_on_the_card_as_in_the_footer() -> None:
    seats = parse_contender("human"), parse_contender("cpu:1")
    async with playing(size=(120, 40), seats=seats) as player:
        await player.until(lambda: player.screen.offers["hint"] is True)
        sections = keys_now(player.app.screen, {}, HOME, ascii_only=False)
        assert not any(each.waits for lines in sections.values() for each in lines)
        offers = {"hint": None, "end_battle": None}
        with patch.object(BattleScreen, "offers", offers):
            sections = keys_now(player.app.screen, {}, HOME, ascii_only=False)
        waiting = {each.does for lines in sections.values() for each in lines if each.waits}
        assert waiting == {"Get a hint", "Propose to end the battle"}


@pytest.mark.parametrize(
    "start",
    [
        Front(),
        pytest.param(Edit(Setup.usual(VARIANTS["koom"])), marks=pytest.mark.slow),
        pytest.param(Explore(Match(VARIANTS["classic"])), marks=pytest.mark.slow),
        Replay(Record.of(Match(VARIANTS["classic"]))),
    ],
)
async def test_every_screen_has_one(start: Front | Edit | Explore | Replay) -> None:
    async with running(ThudApp(start)) as player:
        below = player.app.screen
        assert not isinstance(below, ModalScreen)
        await player.press("question_mark")
        assert says(player, "q", "Leave") or says(player, "q", "Quit")
        assert not says(player, "x", "Next capture") or not isinstance(start, Edit)
        await player.press("escape")
        assert player.app.screen is below
        await player.press("question_mark")
        await player.see(KeysCard)
        await player.press("f1")
        await player.see(HelpScreen)


def headings(player: Player) -> list[str]:
    """Return the headings of the page of all keys."""
    options = player.app.screen.query_one(OptionList).options
    return [str(each.prompt).strip() for each in options if not each.id]


@pytest.mark.parametrize(
    ("start", "first"),
    [
        (Front(), ["On the front page", "In menus", "Everywhere"]),
        (Explore(Match(VARIANTS["classic"])), ["In the explorer", "On the board", "Everywhere"]),
        (Replay(Record.of(short())), ["In a replay", "In a review", "Everywhere"]),
    ],
)
async def test_all_keys_are_one_key_away_those_of_ones_screen_first(
    start: Front | Explore | Replay, first: list[str]
) -> None:
    async with running(ThudApp(start), (80, 24)) as player:
        below = player.app.screen
        await player.press("question_mark")
        await player.see(KeysCard)
        await player.press("0")
        await player.see(KeysScreen)
        assert headings(player)[:3] == first
        assert player.text("#title") == f"All keys: {first[0][0].lower()}{first[0][1:]}"
        await player.press("escape")
        assert player.app.screen is below
        await player.press("f1")
        shown = await player.see(HelpScreen)
        await player.press("0")
        await player.see(KeysScreen)
        assert headings(player)[:3] == first
        await player.press("escape")
        assert player.app.screen is shown


async def test_the_palette_has_all_keys_which_without_a_file_are_only_shown() -> None:
    async with playing(size=(80, 24)) as player:
        offered = {each.title: each for each in player.app.get_system_commands(player.screen)}
        await offered["All keys"].callback()
        await player.see(KeysScreen)
        assert headings(player)[:3] == ["In a match", "On the board", "Everywhere"]
        await find(player, "undo")
        await player.press("enter", "z")
        assert player.text("#about") == "Undo, in a match."
        assert not player.app.keymap
