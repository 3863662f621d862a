"""Settings are changed by keys and mouse, hold at once, and are kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widgets import OptionList

from sampling import sampled
from thud.rules.geometry import parse_square
from thud.settings.file import load
from thud.settings.preferences import Preferences
from thud.settings.values import SETTINGS_INFO, Settings
from thud.terminal.cells import CELLS, Cell
from thud.tui.actions import BY_ID
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.pieces import PIECE_SETS
from thud.tui.board.widget import Board
from thud.tui.dialog_fixes import Palette, TextLine
from thud.tui.keys.bar import KeyBar
from thud.tui.settings.keys import KeysScreen
from thud.tui.settings.screen import Preview, SettingsScreen
from thud.tui.widgets.menu import Choice
from tui.driver import Player, beginning, running, work_done


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@asynccontextmanager
async def with_settings(path: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Player]:
    """Run the app on a match with a settings file."""
    settings, faults = load(path)
    app = ThudApp(beginning(), preferences=Preferences(path, settings, faults))
    async with running(app, size) as player:
        yield player


async def kept(player: Player, path: Path) -> Settings:
    """Wait until what was changed is on the disk and return it."""
    await work_done(player.app)
    settings, faults = load(path)
    assert faults == []
    return settings


def row(player: Player, name: str) -> str:
    return str(player.app.screen.query_one(f"#{name}", Choice).render())


def board_of(player: Player) -> Board:
    return player.app.screen_stack[0].query_one(Board)


async def test_what_is_changed_holds_at_once_and_is_kept(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma")
        assert isinstance(player.app.screen, SettingsScreen)
        assert "» Theme" in row(player, "theme")
        await player.press("down", "down", "right")
        assert "> ASCII only" in row(player, "ascii")
        assert board_of(player).ascii_only
        assert (await kept(player, path)).ascii
        await player.press("down", "enter", "l", "left")
        assert board_of(player).largest == Cell(3, 1)
        assert (await kept(player, path)) == Settings(ascii=True, cell="3x1")
        await player.press("escape")
        assert isinstance(player.app.screen, BattleScreen)


@pytest.mark.slow
async def test_a_size_that_changes_as_they_are_left_is_nothing_to_them(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma")
        shown = player.app.screen
        assert isinstance(shown, SettingsScreen)
        size = player.app.size
        shown.on_resize(Resize(size, size))
        shown.dismiss()
        await player.pilot.pause()
        assert player.app.screen_stack == [player.app.screen]


@pytest.mark.slow
async def test_every_setting_goes_through_its_choices_and_explains_them_in_full(
    path: Path,
) -> None:
    async with with_settings(path) as player:
        await player.press("comma")
        for name, about in SETTINGS_INFO.items():
            for _ in range(len(about.choices) or 1):
                before = getattr(player.app.settings, name)
                await player.press("right")
                assert getattr(player.app.settings, name) != before
                assert getattr(await kept(player, path), name) != before
                bottom = player.app.screen.query_one(VerticalScroll).region.bottom
                assert player.app.screen.query_one("#about").region.bottom <= bottom, name
            await player.press("down")


async def test_all_values_begin_in_one_column(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma")
        rows = [row(player, name) for name in SETTINGS_INFO]
        assert {each.index("‹") for each in rows} == {rows[0].index("‹")}


async def test_a_theme_is_seen_at_once(path: Path) -> None:
    async with with_settings(path) as player:
        assert player.app.theme == "koom-valley"
        await player.press("comma", "right")
        assert player.app.theme == "koom-valley"
        await player.press("right")
        chosen = player.app.theme
        assert chosen != "koom-valley"
        assert chosen in row(player, "theme")
        assert (await kept(player, path)).theme == chosen
        await player.press("left", "left")
        assert player.app.theme == "koom-valley"
        assert (await kept(player, path)).theme == "auto"


def preview(player: Player) -> list[str]:
    """Return what the preview shows, nothing where there is none."""
    shown = player.app.screen.query_one(Preview)
    if not shown.display:
        return []
    return [shown.render_line(y).text for y in range(shown.size.height)]


@pytest.mark.parametrize("size", sampled([(80, 24), (160, 50)]))
async def test_what_changes_the_looks_is_previewed_with_real_pieces(
    path: Path, size: tuple[int, int]
) -> None:
    async with with_settings(path, size) as player:
        await player.press("comma", "down")
        seen, told = [], set()
        for _ in PIECE_SETS:
            await player.press("right")
            seen.append(preview(player))
            told.add(player.text("#about"))
            assert len(seen[-1]) >= 3
            assert ("T" in "".join(seen[-1])) is (player.app.settings.pieces == "letters")
            shown = player.app.screen.query_one(Preview)
            assert player.app.screen.find_widget(shown).visible_region == shown.region
        assert len({tuple(each) for each in seen}) == len(told) == len(PIECE_SETS)
        await player.press(*["down"] * 3)
        assert preview(player) == []


@pytest.mark.parametrize("size", sampled([(80, 24), (120, 40), (160, 50), (200, 60)], 4))
async def test_nothing_of_the_panel_is_seen_beside_the_settings(
    path: Path, size: tuple[int, int]
) -> None:
    async with with_settings(path, size) as player:
        panel = player.screen.query_one("#panel").region
        await player.press("comma")
        box = player.app.screen.query_one(VerticalScroll).region
        assert box.x <= panel.x
        board = board_of(player)
        assert box.x >= board.region.x + board.region_of(parse_square("P6")).right


async def test_a_theme_that_is_set_outside_the_settings_is_remembered(path: Path) -> None:
    async with with_settings(path) as player:
        player.app.theme = "gruvbox"
        assert (await kept(player, path)).theme == "gruvbox"
    async with with_settings(path) as player:
        assert player.app.theme == "gruvbox"


async def test_the_theme_for_all_textual_programs_counts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXTUAL_THEME", "no-such-theme,nord")
    async with with_settings(path) as player:
        assert player.app.theme == "nord"
    assert not path.exists()


async def test_an_unknown_theme_is_told_and_stays_in_the_file(path: Path) -> None:
    path.write_text('bell = true\ntheme = "nrod"\n')
    async with with_settings(path) as player:
        assert player.app.theme == "koom-valley"
        (told,) = [each.message for each in player.app._notifications]
        assert told.startswith("settings.toml, line 2: there is no theme 'nrod'")
    assert load(path)[0].theme == "nrod"


async def test_faults_are_told_and_play_goes_on(path: Path) -> None:
    path.write_text(
        'bell = "loud"\n[keys]\nbattle.undoo = "z"\nbattle.redo = "q"\nboard.next = "hug"\n'
    )
    async with with_settings(path) as player:
        (told,) = [each.message for each in player.app._notifications]
        assert told.splitlines() == [
            "settings.toml, line 1: bell is true or false, not 'loud'",
            "settings.toml, line 3: 'battle.undoo' is not the name of a key binding: "
            "did you mean 'battle.undo'?",
            "settings.toml, line 5: there is no key 'hug'",
            "settings.toml, line 4: q is also for Quit (battle.quit): give that another key first",
        ]
        await player.play("dF1-F5")


@pytest.mark.slow
async def test_a_broken_file_in_the_way_is_told_but_not_at_every_step(
    path: Path,
) -> None:
    path.write_text("bell = \n")
    async with with_settings(path) as player:
        await player.press("comma")
        await player.press("down")
        for _ in range(4):
            await player.press("right")
            await work_done(player.app)
        first, second = [each.message for each in player.app._notifications]
        assert first.startswith("settings.toml, line 1: ")
        assert second.startswith("The settings are not saved while their file is broken: settings")
        assert player.app.settings.pieces == "blocks"
    assert path.read_text() == "bell = \n"


async def test_every_setting_that_is_not_saved_is_told(path: Path) -> None:
    path.write_text("bell = \n")
    async with with_settings(path) as player:
        for name in ("ascii", "bell", "ascii"):
            player.app.change_setting(name, not getattr(player.app.settings, name))
            await work_done(player.app)
        _, *told = [each.message for each in player.app._notifications]
        assert len(told) == 3
        assert all(each.startswith("The settings are not saved") for each in told)


async def test_the_last_change_is_kept_however_soon_the_players_leave(path: Path) -> None:
    async with with_settings(path) as player:
        player.app.change_setting("captures", "all")
        player.app.exit()
    assert load(path)[0].captures == "all"


@pytest.mark.slow
async def test_plain_ascii_reaches_every_corner(path: Path) -> None:
    path.write_text("ascii = true\n")
    async with with_settings(path, (120, 40)) as player:
        for keys in (
            (),
            ("comma",),
            ("escape", "f1"),
            ("0",),
            ("escape", "c"),
            ("escape", "ctrl+p"),
        ):
            await player.press(*keys)
            await player.settled()
            for line in player.app.screen._compositor.render_strips():
                assert line.text.isascii(), line.text


@pytest.mark.slow
async def test_a_small_terminal_scrolls_the_settings(path: Path) -> None:
    async with with_settings(path, (80, 10)) as player:
        await player.press("comma")
        await player.press(*["down"] * (len(SETTINGS_INFO) - 1), "right")
        last = player.app.screen.query_one("#practise_dubious", Choice)
        assert last.has_focus
        await player.until(lambda: player.app.screen.region.contains_region(last.region))
        assert player.app.settings.practise_dubious


def test_the_choices_are_those_of_the_board() -> None:
    assert {f"{width}x{height}" for width, height in CELLS} == set(
        SETTINGS_INFO["cell"].choices
    ) - {"auto"}
    assert set(PIECE_SETS) == set(SETTINGS_INFO["pieces"].choices) - {"auto"}


def listed(player: Player) -> dict[str, str]:
    """Return the rows of the page of keys by their ids."""
    rows = player.app.screen.query_one(OptionList).options
    return {str(each.id): " ".join(str(each.prompt).split()) for each in rows if each.id}


def about(player: Player) -> str:
    return player.text("#about")


def told_as(player: Player, beginning: str) -> bool:
    return about(player).startswith(beginning)


async def find(player: Player, wanted: str) -> None:
    """Look for an action on the page of keys, by its id or its key."""
    shown = player.app.screen
    await player.press("slash", *["backspace"] * 12, *wanted)
    await player.until(lambda: shown.query_one(TextLine).value == wanted)
    await player.press("enter")
    await player.until(lambda: shown.query_one(OptionList).has_focus)


async def test_all_keys_are_shown_beginning_with_those_of_the_screen_below(path: Path) -> None:
    path.write_text('[keys]\nbattle.undo = "z"\n')
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        assert listed(player).keys() == BY_ID.keys()
        assert listed(player)["battle.undo"] == "* Undo z usually u"
        assert listed(player)["replay.next"] == "Next move → l ]", (
            "in the words of the card of keys"
        )
        assert listed(player)["app.keys"].startswith("Show what each key does"), (
            "there is no card to close"
        )
        assert player.text("#title") == "All keys: in a match"
        assert player.text("#changed") == "1 changed (*)   / finds a word or a key"
        assert path.name in about(player)
        await player.press("tab")
        assert player.text("#title") == "All keys: on the board"
        await player.press("shift+tab", "shift+tab")
        assert player.text("#title") == "All keys: in the help"


async def test_a_key_is_changed_holds_at_once_and_is_kept(path: Path) -> None:
    path.write_text("# Mine.\n[keys]  # few\n# none yet\n")
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await find(player, "undo")
        await player.press("enter")
        assert about(player) == "Press the new key for Undo.\nEsc leaves it at u."
        await player.press("escape")
        assert (await kept(player, path)).keys == {}
        await player.press("enter", "ctrl+p")
        await player.see(Palette)
        await player.press("escape")
        await player.see(KeysScreen)
        assert about(player).startswith("Undo, in a match.")
        await player.press("enter", "z", "plus", "ctrl+z")
        assert about(player).startswith("z and Ctrl+Z are now the keys for Undo.")
        assert (await kept(player, path)).keys == {"battle.undo": ("z", "ctrl+z")}
        await player.press("escape", "escape", "escape")
        await player.play("dF1-F5")
        await player.press("u")
        assert player.match.battle.moves
        await player.press("z")
        assert not player.match.battle.moves
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await find(player, "z")
        await player.press("delete")
        assert about(player).startswith("u is again the key for Undo.")
        assert (await kept(player, path)).keys == {}
    assert path.read_text() == "# Mine.\n[keys]  # few\n# none yet\n"


async def test_a_key_is_changed_by_the_mouse_too(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await find(player, "undo")
        shown = player.app.screen.query_one(OptionList)
        await player.pilot.click(shown, offset=(4, 1))
        await player.until(lambda: about(player).startswith("Press the new key for Undo."))


async def test_a_key_that_is_taken_can_be_exchanged_or_left(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await find(player, "battle.undo")
        await player.press("enter")
        bar = player.app.screen.query_one(KeyBar)
        await player.until(lambda: str(bar.render()).strip() == "Esc Leave it")
        await player.press("f")
        told = "f is already a key for Flip the board."
        assert about(player) == f"{told}\nEnter exchanges them: Flip the board gets u."
        await player.until(lambda: "Exchange them" in str(bar.render()))
        await player.press("escape")
        await player.until(lambda: "Find" in str(bar.render()))
        assert (await kept(player, path)).keys == {}
        await player.press("enter", "f", "enter")
        told = "f is now the key for Undo, u for Flip the board."
        assert about(player).startswith(told)
        assert (await kept(player, path)).keys == {"battle.undo": ("f",), "battle.flip": ("u",)}
        await player.press("enter", "u", "enter")
        assert (await kept(player, path)).keys == {}
        await find(player, "replay.flip")
        await player.press("enter", "5")
        told = "Not changed: 5 is also for something else there"
        assert about(player) == f"{told}: take another key."
        await find(player, "battle.undo")
        await player.press("delete")
        assert about(player) == "Undo has its usual keys."
        await player.press("enter", "z")
        await find(player, "battle.hint")
        await player.press("enter", "u")
        await find(player, "battle.undo")
        await player.press("delete")
        told = "u is already a key for Get a hint."
        assert about(player) == f"{told}\nEnter exchanges them: Get a hint gets z."
        assert (await kept(player, path)).keys == {"battle.undo": ("z",), "battle.hint": ("u",)}


async def test_all_keys_become_the_usual_ones_once_that_is_confirmed(path: Path) -> None:
    path.write_text('# Mine.\n[keys]\nbattle.undo = "f"\nbattle.flip = "u"\nnone.such = "z"\n')
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await player.press("D")
        asked = "Give every action its usual keys again?"
        assert (
            about(player)
            == f"{asked}\nChanged: Undo in a match, Flip the board in a match, none.such"
        )
        bar = player.app.screen.query_one(KeyBar)
        await player.until(lambda: str(bar.render()).strip() == "y Yes, all of them Esc Leave it")
        await player.press("n")
        assert len((await kept(player, path)).keys) == 3
        await player.press("D", "y")
        again = "Every action has its usual keys again.\nSaved in "
        await player.until(partial(told_as, player, again))
        assert player.text("#changed") == "/ finds a word or a key"
        assert listed(player)["battle.undo"] == "Undo u"
        assert (await kept(player, path)).keys == {}
        await player.press("D")
        assert about(player) == "Every action has its usual keys."
    assert path.read_text() == "# Mine.\n[keys]\n"


async def test_keys_that_cannot_be_saved_hold_for_now_and_that_is_told(path: Path) -> None:
    path.write_text("keys = 3\n")
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await find(player, "battle.undo")
        for key, done in (
            ("z", "z is now the key for Undo."),
            ("f", "f is now the key for Undo, z for Flip the board."),
        ):
            await player.press("enter", key)
            if key == "f":
                await player.press("enter")
            await player.until(partial(told_as, player, f"{done}\nNot saved in "))
        await player.press("D", "y")
        again = "Every action has its usual keys again.\nNot saved in "
        await player.until(partial(told_as, player, again))
        _, *told = [each.message for each in player.app._notifications]
        assert told == ["The keys in the settings file are no table"] * 3
    assert path.read_text() == "keys = 3\n"


async def test_the_cards_of_the_settings_have_whole_words_and_headings_on_one_line(
    path: Path,
) -> None:
    async with with_settings(path, (80, 24)) as player:
        await player.press("comma", "question_mark")
        await player.until(lambda: "In the settings" in player.written)
        await player.until(
            lambda: player.text("KeyBar").split() == ["0", "All", "keys", "Esc", "Back"]
        )  # there is no help
        await player.press("escape", "K")  # at once: Escape is for the card alone
        await player.see(KeysScreen)
        await player.press("question_mark")
        await player.until(lambda: "Reset all keys" in player.written)


async def test_the_search_says_how_to_get_to_what_it_found(path: Path) -> None:
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        await player.press("slash", *"undo")
        bar = player.app.screen.query_one(KeyBar)
        await player.until(lambda: str(bar.render()).startswith("Enter To the actions found"))
        await player.press("enter")
        await player.until(lambda: str(bar.render()).startswith("Enter Change"))
        assert player.app.screen.query_one(OptionList).has_focus


async def test_keys_that_are_wrong_in_the_file_are_told_and_taken_out(path: Path) -> None:
    path.write_text('[keys]\nbattle.undo = "f"\nbattle.undoo = "z"\n')
    async with with_settings(path) as player:
        await player.press("comma", "K")
        await player.see(KeysScreen)
        assert player.text("#changed") == "/ finds a word or a key"
        assert listed(player)["battle.undo"] == "Undo u"
        await find(player, "battle.undo")
        assert "do not hold: f is also for Flip the board" in about(player)
        await player.press("delete")
        assert about(player).startswith("u is again the key for Undo.")
        await work_done(player.app)
    assert path.read_text() == '[keys]\nbattle.undoo = "z"\n'
