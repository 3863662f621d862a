"""All keys are in one table; players give others to what they like."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App
from textual.command import CommandList, SearchIcon
from textual.widgets import Static

import thud.tui
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.settings.values import Settings
from thud.tui.actions import ACTIONS, GROUPS, TOGETHER, Action
from thud.tui.app import ThudApp
from thud.tui.battle.screen import actions_now
from thud.tui.editor.screen import EditScreen
from thud.tui.keys.keymap import key_name, keymap
from thud.tui.start import Replay
from tui.driver import Player, beginning, playing, running

Keys = Mapping[str, tuple[str, ...]]


@asynccontextmanager
async def with_keys(keys: Keys, *, ascii_only: bool = False) -> AsyncIterator[Player]:
    preferences = Preferences(None, Settings(keys=keys, ascii=ascii_only))
    async with running(ThudApp(beginning(), preferences=preferences)) as player:
        yield player


def test_whatever_has_a_label_has_an_id_and_a_group() -> None:
    for context in TOGETHER:
        for action in context:
            if action.label and action.show:
                assert action.id, action
            if action.id:
                assert action.id.partition(".")[0] in GROUPS
                assert action.label, action


def test_an_id_stands_for_one_action() -> None:
    seen: dict[str, Action] = {}
    for actions in ACTIONS.values():
        for action in actions:
            if action.id:
                assert seen.setdefault(action.id, action) == action


def test_a_match_decides_on_actions_of_its_screen() -> None:
    known = {action.name for action in (*ACTIONS["board"], *ACTIONS["battle"])}
    assert actions_now(Session(Match(VARIANTS["classic"])).state).keys() <= known


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ({"battle.undo": ("z",)}, {"battle.undo": "z"}),
        ({"battle.undo": ("ctrl+Z", "F5", "Del")}, {"battle.undo": "ctrl+z,f5,delete"}),
        ({"battle.undo": ("r",), "battle.redo": ("u",)}, {"battle.undo": "r", "battle.redo": "u"}),
        ({"battle.copy": ("!", "ctrl++")}, {"battle.copy": "exclamation_mark,ctrl+plus"}),
        ({"board.choose": ("enter", "enter")}, {"board.choose": "enter"}),
        ({"replay.flip": ("u",)}, {"replay.flip": "u"}),
    ],
)
def test_keys_are_read_as_people_write_them(own: Keys, found: Mapping[str, str]) -> None:
    own_keymap, wrong = keymap(own)
    assert wrong == {}
    assert {name: own_keymap[name] for name in own} == found


@pytest.mark.parametrize(
    ("own", "name", "why"),
    [
        ({"battle.undoo": ("z",)}, "battle.undoo", "did you mean 'battle.undo'?"),
        ({"nothing": ("z",)}, "nothing", "'nothing' is not the name of a key binding"),
        ({"battle.undo": ("hug",)}, "battle.undo", "there is no key 'hug'"),
        ({"battle.undo": ("ctrl+c",)}, "battle.undo", "Ctrl+C interrupts programs"),
        ({"battle.undo": ("ctrl+i",)}, "battle.undo", "Ctrl+I is Tab in a terminal"),
        ({"battle.undo": ("evil+z",)}, "battle.undo", "there is no key 'evil+z'"),
        ({"battle.undo": ("+",), "battle.redo": ("++",)}, "battle.redo", "there is no key '++'"),
        ({"battle.undo": ("f",)}, "battle.undo", "f is also for Flip the board (battle.flip)"),
        ({"battle.undo": ("x",)}, "battle.undo", "x is also for Next capture (board.next_capture)"),
        ({"picture.look": ("x",)}, "picture.look", "x is also for something else there"),
        ({"battle.undo": ("ctrl+p",)}, "battle.undo", "Ctrl+P is also for Commands (app.palette)"),
        ({"replay.flip": ("5",)}, "replay.flip", "5 is also for something else there"),
        (
            {"battle.undo": ("z",), "battle.redo": ("z",)},
            "battle.redo",
            "z is also for Undo (battle.undo)",
        ),
        (
            {"battle.undo": ("r",), "battle.redo": ("hug",)},
            "battle.undo",
            "r is also for Redo (battle.redo)",
        ),
    ],
)
def test_wrong_keys_are_told_and_those_of_before_stay(own: Keys, name: str, why: str) -> None:
    own_keymap, wrong = keymap(own)
    assert name not in own_keymap
    assert why in wrong[name]


async def test_another_key_does_it_and_the_former_one_no_more() -> None:
    async with with_keys({"battle.undo": ("z", "ctrl+z"), "board.north": ("w",)}) as player:
        await player.play("dF1-F5")
        await player.press("u")
        assert len(player.match.battle.moves) == 1
        await player.press("z")
        assert len(player.match.battle.moves) == 0
        before = player.board.cursor
        await player.press("8")
        assert player.board.cursor == before
        await player.press("w")
        assert player.board.cursor != before
        assert not player.app._notifications


@pytest.mark.slow
async def test_what_shares_a_key_with_what_is_changed_keeps_it() -> None:
    async with with_keys({"app.settings": ("f2",)}) as player:
        await player.press("comma")
        assert player.app.screen is player.app.screen_stack[0]
        await player.press("f2")
        assert player.app.screen is not player.app.screen_stack[0]
        await player.press("comma")
        assert player.app.screen is player.app.screen_stack[0]


async def test_the_keys_where_a_picture_is_saved_can_be_others() -> None:
    async with with_keys({"picture.look": ("F6",)}) as player:
        await player.press("S")
        shown = player.app.screen.query_one("#choices", Static)
        assert str(shown.render()).startswith("F6 Look: carved")
        await player.press("f6")
        assert str(shown.render()).startswith("F6 Look: as on this board")


def rows_of_palette(player: Player) -> dict[str, str]:
    """Return the keys in the palette's rows, by the commands' titles."""
    listed = player.app.screen.query(CommandList)
    rows = [str(option.prompt).split("\n")[0] for each in listed for option in each.options]
    halves = (row.split("  ") for row in rows)
    return {half[0]: half[-1].strip() for half in halves if len(half) > 1}


def offered(app: App[None]) -> set[str]:
    return {command.title for command in app.get_system_commands(app.screen)}


async def test_the_palette_offers_what_does_something_now() -> None:
    async with playing() as player:
        app = player.app
        assert {"Threats", "Save as", "Edit the position", "Theme"} <= offered(app)
        assert not {"Undo", "Redo", "Review", "Watch faster", "Look back", "Let go"} & offered(app)
        await player.press("up", "enter")
        await player.choose("F1")
        assert "Let go" in offered(app)
        assert "Take all" not in offered(app), "there is nothing to capture"
        await player.press("escape")
        await player.play("dF1-F5")
        assert {"Undo", "Look back"} <= offered(app)
        assert "Look forward" not in offered(app)
        await player.press("q")
        assert "Flip the board" in offered(app)
        assert not {"Edit the position", "Explore"} & offered(app), "they wait for the answer"
        await player.press("n", "left_square_bracket")
        assert "Look forward" in offered(app)
        await player.press("u", "u")
        assert "Redo" in offered(app)


async def test_the_way_back_to_the_match_is_offered_where_none_is_played() -> None:
    async with playing() as player:
        app = player.app
        await player.press("E")
        await player.see(EditScreen)
        assert "Back to the match" in offered(app)
        second = app.matches.battle_screen(Session(Match(VARIANTS["classic"])))
        await app.push_screen(second)
        assert "Back to the match" not in offered(app)
        await player.press("f4")
        assert app.screen is second
        await player.press("E", "f4")
        assert app.screen is second


async def test_the_palette_offers_the_ways_through_a_replay_that_there_are() -> None:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    app = ThudApp(Replay(Record.of(match)))
    async with running(app) as player:
        assert {"Next", "Last", "Run", "Play on"} <= offered(app)
        assert not {"Previous", "First", "Variation", "Delete a variation", "Battle"} & offered(app)
        await player.press("right", "b")
        assert {"Previous", "First"} <= offered(app)
        assert not {"Next", "Last", "Battle"} & offered(app)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("question_mark", "?"),
        ("f", "f"),
        ("f1", "F1"),
        ("ctrl+z", "Ctrl+Z"),
        ("shift+tab", "Shift+Tab"),
        ("ctrl+up", "Ctrl+↑"),
        ("kp_begin", "keypad 5"),
        ("G", "G"),
    ],
)
def test_keys_have_names_for_people(key: str, name: str) -> None:
    assert key_name(key) == name


def test_the_table_holds_every_key() -> None:
    files = Path(thud.tui.__file__).parent.rglob("*.py")
    assert [path.name for path in files if " Binding(" in path.read_text("utf-8")] == ["actions.py"]


async def test_the_palette_has_the_keys_that_hold_at_the_right_of_each_row() -> None:
    async with with_keys({"battle.undo": ("z",)}) as player:
        await player.play("dF1-F5")
        commands = player.app.get_system_commands(player.app.screen)
        assert ("Quit", "Leave") in [(each.title, each.help) for each in commands]
        await player.press("ctrl+p")
        await player.until(lambda: "Look back" in rows_of_palette(player))
        found = rows_of_palette(player)
        assert found["Look back"] == "["
        assert found["Undo"] == "z"
        assert not player.app.screen.query_one(SearchIcon).display, "fonts may lack it"
        await player.press(*"hint")
        await player.until(lambda: set(rows_of_palette(player)) == {"Hint"})
        assert rows_of_palette(player)["Hint"] == "i"
