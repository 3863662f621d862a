"""Reading the settings file: errors name the line, and faulty values count as not set."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.settings.file import MAX_BYTES, load, parse, places
from thud.settings.values import SETTINGS_INFO, Settings

FULL = """\
# What I like.
theme = "nord"
ascii = true

[keys]
battle.undo = "z"
battle.hint = "h, f1"
"board.next" = ["tab", "ctrl+n"]
"""

PARTS = [
    *("bell", "theme", "keys", "a", ".", " = ", "[", "]", "[[", "]]", "{", "}", ",", "\n", "\r\n"),
    *('"', '"""', "'", "#", "true", "1", "-", "+", "_", "0x", "f" * 4000, "nan", "e", "2026-01-01"),
    *("[" * 40, "]" * 40, ".a" * 1000, "{a = " * 40, "\\u", "\x00", "\ufeff", "é", FULL),
]


def told(text: str) -> list[str]:
    return [str(fault) for fault in parse(text)[1]]


def test_settings_and_keys_are_read() -> None:
    keys = {"battle.undo": ("z",), "battle.hint": ("h", "f1"), "board.next": ("tab", "ctrl+n")}
    assert parse(FULL) == (Settings(theme="nord", ascii=True, keys=keys), [])


def test_each_setting_but_the_keys_is_described() -> None:
    assert Settings._fields == (*SETTINGS_INFO, "keys")
    assert all(about.allows(getattr(Settings(), name)) for name, about in SETTINGS_INFO.items())


def test_no_file_and_an_empty_file_set_nothing(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    assert load(path) == (Settings(), [])
    path.write_text("")
    assert load(path) == (Settings(), [])


PIECES = 'pieces is "auto", "sprites", "unicode", "letters" or "blocks", not'
NO_KEYS = "is a key or a list of keys, such as"
WRONG = {
    'bell = "loud"': "bell is true or false, not 'loud'",
    "bell = 1": "bell is true or false, not 1",
    'pieces = "emoji"': f"{PIECES} 'emoji'",
    "pieces = true": f"{PIECES} true",
    'captures = ["ask"]': 'captures is "ask" or "all", not [\'ask\']',
    'theme = ""': "theme is a name, not ''",
    f'theme = "{"x" * 99}"': f"theme is a name, not '{'x' * 39}…'",
    'theme = "\\u001b[2J"': "theme is a name, not '\\x1b[2J'",
    'peices = "blocks"': "there is no 'peices': did you mean 'pieces'?",
    "keys = 5": "keys is a table of bindings: [keys]",
    "keys.battle.undo = 5": f"'battle.undo' {NO_KEYS}",
    "keys.battle.undo = []": f"'battle.undo' {NO_KEYS}",
    'keys."a" = ["u", 1]': f"'a' {NO_KEYS}",
    f"keys.a = {['x'] * 17}": f"'a' {NO_KEYS}",
    f'keys.{"a" * 70} = "x"': NO_KEYS,
}


@pytest.mark.parametrize(("line", "message"), WRONG.items(), ids=WRONG)
def test_a_wrong_value_is_told_with_its_line_and_the_others_hold(line: str, message: str) -> None:
    text = f'# first\n\ncell = "7x3"\n  {line}\nconfirm = false\n'
    settings, faults = parse(text)
    (fault,) = faults
    assert fault.line == 4
    assert str(fault).startswith("settings.toml, line 4: ")
    assert message in fault.reason
    assert settings == Settings(cell="7x3", confirm=False)


def test_every_wrong_value_is_told() -> None:
    assert told('bell = 1\ncell = "big"\ntheme = "x"\n[keys]\nu = 3\n') == [
        "settings.toml, line 1: bell is true or false, not 1",
        f"settings.toml, line 2: cell is {SETTINGS_INFO['cell'].allowed}, not 'big'",
        'settings.toml, line 5: \'u\' is a key or a list of keys, such as ["u", "ctrl+z"]',
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("bell = true\nbell = false\n", 2),
        ("bell = true\n\ntheme =\n", 3),
        ("x = [1,\n2", 2),
        ("[keys\n", 1),
        ('a = "\nb', 1),
        ("a = 1\n\x00", 2),
        ("d = 2026-13-45", 1),
        ("a = 1\n" + "b = " + "[" * 4000, 2),
        ("bell = 3\n" + "keys" + ".a" * 1000 + " = 'u'\n\n", 2),
        ("bell = 3\n[keys" + ".a" * 1000 + "]\nb = 'u'\n", 2),
        ("bell = 3\ncell = " + "[" * 99 + "\n" + "]" * 99 + "\n# done\n", 2),
        ("a = 1\nbell = 0x" + "f" * 3600 + "\n\n", 2),
        ("a = 1\nbell = [\n0x" + "f" * 3600 + "]\n\n", 2),
        ("a = 1\nbell = 1" + "0" * 5000 + "\nc = 1\n", 2),
    ],
)
def test_a_broken_file_is_told_by_line_and_sets_nothing(text: str, line: int | None) -> None:
    settings, (fault,) = parse(text)
    assert settings == Settings()
    assert fault.line == line
    assert "\n" not in str(fault)
    assert len(str(fault)) < 150


@given(st.lists(st.sampled_from(PARTS), max_size=20).map("".join))
def test_any_text_is_read_or_told(text: str) -> None:
    for fault in parse(text)[1]:
        assert str(fault).startswith("settings.toml")


def test_unknown_names_of_a_later_version_are_no_faults() -> None:
    assert parse('hat = "pointed"\n[opponents]\nlevel = 3\n') == (Settings(), [])


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"bell = true\n# caf\xe9\n")
    settings, (fault,) = load(path)
    assert settings == Settings()
    assert str(fault) == "settings.toml, line 2: the byte 0xe9 is not UTF-8 text"
    path.write_bytes("bell = true\n".encode("utf-16"))
    assert str(load(path)[1][0]) == "settings.toml: it is UTF-16 text: save it as UTF-8"
    path.write_bytes(b"\xef\xbb\xbfbell = true\r\n")
    assert load(path) == (Settings(bell=True), [])


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# long\n" * MAX_BYTES)
    (fault,) = load(path)[1]
    assert fault.reason == "it is larger than 64 KiB"


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in (".", "pipe", "zero"):
        (fault,) = load(tmp_path / name)[1]
        assert str(fault) == "settings.toml: it cannot be read: not a file"
    (tmp_path / "file").write_text("")
    (fault,) = load(tmp_path / "file" / "settings.toml")[1]
    assert fault.reason == "it cannot be read: Not a directory"


def test_values_are_placed_whatever_the_way_they_are_written() -> None:
    text = '''\
a = 1
b = [
  1,
  # a remark
  2,
]

[t]  # table
x.y = """
z = 5
"""
"quoted key" = 2

[t.deep]
w = {inside = 3}
'''
    assert places(text) == {
        "a": 1,
        "b": 2,
        "t": 8,
        "t.x": 9,
        "t.x.y": 9,
        "t.quoted key": 12,
        "t.deep": 14,
        "t.deep.w": 15,
        "t.deep.w.inside": 15,
    }


def test_endless_values_cost_their_places_but_not_time() -> None:
    text = "a = 1\nb = [\n" + "1,\n" * 20_000 + "]\nbell = 3\n"
    _, (fault,) = parse(text)
    assert fault.line is None
    assert str(fault) == "settings.toml: bell is true or false, not 3"
