"""Saving settings changes only their lines in the file."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thud.settings import file
from thud.settings.file import MAX_BYTES, SettingsNotSaved, load, save
from thud.settings.preferences import Preferences
from thud.settings.values import SETTINGS_INFO, Settings

MINE = """\
# What I like.

bell = true   # only at night
hat = 'pointed'
theme   =   "nord"

[keys]
# like everywhere else
battle.undo = "ctrl+z"

[later]
level = 3
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_comments_order_and_unknown_names_stay(path: Path) -> None:
    path.write_text(MINE)
    save(path, {"theme": "gruvbox", "bell": False})
    assert path.read_text() == MINE.replace("nord", "gruvbox").replace("true ", "false ")


def test_a_setting_that_was_not_there_goes_before_the_tables(path: Path) -> None:
    path.write_text(MINE)
    save(path, {"captures": "all"})
    text = path.read_text()
    assert text.index('captures = "all"') < text.index("[keys]")
    assert text.replace('captures = "all"\n', "") == MINE
    settings, faults = load(path)
    assert (settings.captures, settings.keys, faults) == ("all", {"battle.undo": ("ctrl+z",)}, [])


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("", ("u",), '# Settings of Thud; see docs/settings.md.\n\n[keys]\nbattle.undo = "u"\n'),
        ("bell = true\n", ("u", "f"), 'bell = true\n\n[keys]\nbattle.undo = ["u", "f"]\n'),
        (MINE, ("u",), MINE.replace('"ctrl+z"', '"u"')),
        (MINE, None, MINE.replace('battle.undo = "ctrl+z"\n', "")),
        ('[keys.battle]\nundo = "z" # a\n', ("u",), '[keys.battle]\nundo = "u" # a\n'),
        ('[keys]\n"battle.undo" = "z"\n', ("u",), '[keys]\n"battle.undo" = "u"\n'),
        ('keys.battle.undo = "z"\n', None, ""),
        ('[keys.battle]\nredo = "z"\n', ("u",), '[keys.battle]\nredo = "z"\nundo = "u"\n'),
        ('keys.battle = {redo="z"}\n', ("u",), 'keys.battle = {redo="z",undo = "u"}\n'),
        ("keys = {}\n", ("u",), 'keys = {battle = {undo = "u"}}\n'),
        (
            '[keys.board]\nnext = "z"\n[later]\n[keys.replay]\nnext = "z"\n',
            ("u",),
            '[keys.board]\nnext = "z"\n\n[keys.battle]\nundo = "u"\n'
            '[later]\n[keys.replay]\nnext = "z"\n',
        ),
    ],
)
def test_keys_are_changed_and_removed_however_they_are_written(
    path: Path, before: str, keys: tuple[str, ...] | None, after: str
) -> None:
    path.write_text(before)
    save(path, {"keys.battle.undo": keys})
    assert path.read_text() == after
    settings, faults = load(path)
    assert settings.keys.get("battle.undo") == keys
    assert faults == []


@pytest.mark.parametrize("mine", ["keys = 3\n", "keys.battle = 3\n", "keys = { battle = 1 }\n"])
def test_keys_that_are_no_table_are_left_alone(path: Path, mine: str) -> None:
    path.write_text(mine)
    with pytest.raises(SettingsNotSaved):
        save(path, {"keys.battle.undo": ("u",)})
    assert path.read_text() == mine


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_stay_and_what_equals_nothing_hinders_nothing(path: Path, ends: str) -> None:
    mine = f"weight = nan\nlist = [1, nan]\n{MINE}".replace("\n", ends).encode()
    path.write_bytes(mine)
    save(path, {"theme": "gruvbox", "captures": "all"})
    data = path.read_bytes()
    added = f'captures = "all"{ends}'.encode()
    assert data.replace(added, b"") == mine.replace(b"nord", b"gruvbox")
    assert load(path)[0].captures == "all"


def test_every_choice_comes_back(path: Path) -> None:
    for name, about in SETTINGS_INFO.items():
        for choice in about.choices or ("nord", "ö ’"):
            save(path, {name: choice})
            settings, faults = load(path)
            assert (getattr(settings, name), faults) == (choice, [])
    assert path.read_text().count("#") == 1


def test_the_directory_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.toml"
    save(path, {"bell": True})
    assert load(path) == (Settings(bell=True), [])
    assert os.listdir(path.parent) == ["settings.toml"]


@pytest.mark.parametrize("text", ["bell = \n", "a = 1\na = 2\n", "\x00", "# long\n" * MAX_BYTES])
def test_a_broken_file_is_left_alone(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(
        SettingsNotSaved, match=r"not saved while their file is broken: settings\.toml"
    ):
        save(path, {"bell": True})
    assert path.read_text() == text


def test_windows_line_ends_stay(path: Path) -> None:
    path.write_bytes(b"# hers\r\nbell = true\r\n")
    save(path, {"bell": False})
    assert path.read_bytes() == b"# hers\r\nbell = false\r\n"


def test_a_failing_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(MINE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(file, "write_atomic", full)
    with pytest.raises(SettingsNotSaved, match=r"cannot be saved in .*: No space left on device"):
        save(path, {"bell": False})
    assert path.read_text() == MINE


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    preferences = Preferences(tmp_path / "file" / "settings.toml")
    preferences.change("bell", True)
    assert "Not a directory" in preferences.save()
    assert preferences.settings.bell


def test_a_file_that_only_one_library_understands_is_left_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("a = 1\n")
    monkeypatch.setattr("tomlkit.dumps", lambda document: 'bell = "lost"\n')
    with pytest.raises(SettingsNotSaved, match="a way that cannot be changed"):
        save(path, {"bell": True})
    assert path.read_text() == "a = 1\n"


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("mine", ["keys = 3\n", f"#{'.' * (MAX_BYTES - 20)}\n"])
def test_keys_that_the_file_cannot_take_keep_nothing_else_from_being_saved(
    path: Path, mine: str, at_once: bool
) -> None:
    path.write_text(mine)
    preferences = Preferences(path)
    preferences.change_keys("battle.undo", ("u",))
    if not at_once:
        assert preferences.save()
    preferences.change("bell", True)
    assert bool(preferences.save()) == at_once
    assert load(path)[0].bell
    assert preferences.save() == ""


def test_what_the_disk_refused_is_saved_later(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    preferences = Preferences(tmp_path / "file" / "settings.toml")
    preferences.change("bell", True)
    assert preferences.save()
    (tmp_path / "file").unlink()
    assert preferences.save() == ""
    assert load(preferences.path)[0].bell


def test_what_holds_for_this_once_is_not_kept_unless_changed(path: Path) -> None:
    path.write_text('theme = "nord"\n')
    settings, faults = load(path)
    preferences = Preferences(path, settings, faults, {"ascii": True, "theme": "gruvbox"})
    assert (preferences.settings.ascii, preferences.settings.theme) == (True, "gruvbox")
    preferences.change("bell", True)
    assert preferences.save() == ""
    assert load(path)[0] == Settings(theme="nord", bell=True)
    preferences.change("ascii", False)
    assert preferences.save() == ""
    assert load(path)[0].ascii is False
    assert "ascii = false" in path.read_text()


def test_nothing_is_written_where_nothing_changed(path: Path) -> None:
    assert Preferences(path).save() == ""
    assert not path.exists()


def test_changes_by_others_meanwhile_stay(path: Path) -> None:
    path.write_text("")
    one, other = Preferences(path), Preferences(path)
    one.change("bell", True)
    other.change("captures", "all")
    assert (one.save(), other.save()) == ("", "")
    assert load(path)[0] == Settings(bell=True, captures="all")


def test_many_threads_keep_the_last_change(path: Path) -> None:
    preferences = Preferences(path)
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            preferences.change("theme", f"theme-{number}")
            pool.submit(preferences.save)
    assert preferences.save() == ""
    assert load(path)[0].theme == "theme-39"
    assert os.listdir(path.parent) == ["settings.toml"]
