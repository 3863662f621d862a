"""`thud doctor` in terminals that answer, in silent ones, and without a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doctor.talking import babbling, bare_environment, modern, run, silent, wide
from plain.playing import played
from thud import __version__
from thud.cli.main import main
from unlockable import cannot_lock

pytest.importorskip("termios", reason="terminals of this kind are POSIX")


_MORE_COLOURS = "If this terminal has more than 16 colours, say so: COLORTERM=truecolor thud"


def piped(directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "thud", "doctor"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        env=bare_environment(directory) | environment,
        timeout=60,
        check=False,
    )


def test_a_terminal_that_answers(tmp_path: Path) -> None:
    talk = run(modern, tmp_path, COLORTERM="truecolor")
    assert (talk.status, talk.unread, talk.restored) == (0, False, True)
    assert talk.value("thud") == __version__
    assert talk.value("size") == "100 columns, 40 rows"
    assert talk.value("name") == "Fake 1.0"
    assert talk.value("glyphs").endswith(" one column wide")
    assert talk.value("whole frames") == "yes"
    assert talk.value("keys") == "Kitty's protocol"
    assert talk.value("playing") == "on the board"
    assert talk.value("pieces") == "sprites"
    assert talk.value("colours") == "16 million"
    assert [line for line in talk.lines if line.startswith("  mouse ")] == [
        "  mouse        yes",
        "  mouse        yes",
    ]
    assert "Worth knowing:" not in talk.lines


@pytest.mark.slow
def test_a_terminal_that_draws_a_glyph_too_wide(tmp_path: Path) -> None:
    talk = run(wide, tmp_path)
    assert talk.value("glyphs") == "▲ not one column wide"
    assert talk.value("whole frames") == "no"
    assert "  ▲ would break the board. Use thud play --pieces letters." in talk.lines
    assert [line for line in talk.lines if line.startswith("  mouse ")] == ["  mouse        no"] * 2


@pytest.mark.slow
@pytest.mark.parametrize("answer", [silent, babbling])
def test_a_terminal_without_sense_is_left_as_it_was(tmp_path: Path, answer: object) -> None:
    talk = run(answer, tmp_path)  # type: ignore[arg-type]
    assert (talk.status, talk.unread, talk.restored) == (0, False, True)
    assert "hello" not in talk.screen.decode()
    assert talk.value("pieces") == "sprites"
    assert talk.lines[0] == "Versions:"
    if answer is silent:
        assert talk.value("questions") == "none answered"


@pytest.mark.slow
@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_dumb_terminal_is_asked_nothing(term: str, tmp_path: Path) -> None:
    talk = run(silent, tmp_path, TERM=term)
    assert b"\x1b" not in talk.screen
    assert talk.value("playing") == "in lines, with --plain"
    assert talk.value("pieces") == "letters"


def test_a_pipe(tmp_path: Path) -> None:
    done = piped(tmp_path, NO_COLOR="1", PYTHONIOENCODING="ascii", STY="1.a")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "  questions    not asked: this is not a terminal\n" in done.stdout
    assert "  colours      shades of grey, because of NO_COLOR\n" in done.stdout
    assert "  To play in lines of text, without a terminal: thud play --plain\n" in done.stdout
    assert "  settings     " + str(tmp_path / "settings.toml") in done.stdout
    assert "no settings file; every setting has its default" in done.stdout
    assert "  pieces       letters\n" in done.stdout
    assert "  A UTF-8 locale, such as LANG=C.UTF-8, lets the pieces be drawn as" in done.stdout
    assert "  In screen the mouse may not arrive; every key works.\n" in done.stdout


SAID: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["colours      256"]),
    ({"NO_COLOR": ""}, ["colours      256"]),
    *(
        ({"TERM": term}, ["colours      16 million"])
        for term in ("foot", "alacritty", "wezterm", "xterm-ghostty", "xterm-kitty", "st-direct")
    ),
    ({"TERM": "xterm"}, [_MORE_COLOURS]),
    ({"TERM": "foot", "TEXTUAL_COLOR_SYSTEM": "standard"}, [_MORE_COLOURS]),
    ({"TERM": "linux"}, ["colours      16", "pieces       letters"]),
    (
        {"COLORTERM": "truecolor", "COLUMNS": "78", "LINES": "30"},
        [
            "colours      16 million",
            "squares      none: the board needs 79 columns and 23 rows, or 48 and 34",
        ],
    ),
    ({"COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "256"}, ["colours      256"]),
    ({"TERM": "dumb"}, ["colours      none"]),
    (
        {"LC_ALL": "ja_JP.UTF-8", "TMUX": "/tmp/none,1,0", "SSH_CONNECTION": "1"},
        ["pieces       letters", "within       tmux, ssh"],
    ),
    (
        {"COLUMNS": "80", "LINES": "24", "TEXTUAL_ANIMATIONS": "none"},
        ["squares      3 columns, one row", "animation    no"],
    ),
]

EACH = """
import json, os, sys
from thud.cli.main import main
for environment in json.loads(sys.argv[1]):
    os.environ.clear()
    os.environ.update(environment)
    main(["doctor"])
    print(end="\\0")
assert "textual" not in sys.modules
"""


def test_what_the_environment_says(tmp_path: Path, full: bool) -> None:
    bare, some = bare_environment(tmp_path), SAID if full else SAID[::4]
    everywhere = json.dumps([bare | environment for environment, _ in some])
    done = subprocess.run(
        [sys.executable, "-c", EACH, everywhere],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=bare,
        check=True,
    )
    for (environment, rows), told in zip(some, done.stdout.split("\0")[:-1], strict=True):
        assert [row for row in rows if f"  {row}\n" not in told] == [], environment


def test_files_and_settings(tmp_path: Path) -> None:
    played(tmp_path, "f1 f5")
    (tmp_path / "matches" / "broken.tgn").write_text("nonsense")
    (tmp_path / "puzzles.json").write_text("{bad")
    text = 'pieces = "blocks"\ncell = "5x2"\nbell = "loud"\ntheme = "mud"\n'
    text += '[keys]\n"battle.undo" = "z"\nbogus.id = "x"\n'
    (tmp_path / "settings.toml").write_text(text)
    out = piped(tmp_path, COLUMNS="200", LINES="60").stdout
    assert (
        f"  matches      {tmp_path / 'matches'}\n               1 unfinished, 0 finished\n" in out
    )
    assert "broken.tgn is skipped: " in out
    assert "puzzles.json is damaged\n" in out
    assert f"  index        {tmp_path / 'explored.sqlite'}\n" in out
    assert '               pieces = "blocks"\n               cell = "5x2"\n' in out
    assert "               keys.battle.undo = z\n" in out
    assert "settings.toml, line 3: bell is true or false, not 'loud'\n" in out
    assert "settings.toml, line 7: 'bogus.id' is not the name of a key binding\n" in out
    assert "keys.bogus" not in out
    assert "  theme        the game's own: there is no theme 'mud'\n" in out
    assert "  pieces       blocks\n" in out
    assert "  squares      5 columns, two rows\n" in out


def test_settings_that_cannot_be_read_are_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path / "file"))
    main(["doctor"])
    out = capsys.readouterr().out
    assert "settings.toml: it cannot be read: Not a directory\n" in out
    assert "no settings file" not in out


def test_that_files_cannot_be_locked_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    (tmp_path / "matches").mkdir()
    assert main(["doctor"]) == 0
    assert "locked" not in capsys.readouterr().out
    cannot_lock(monkeypatch)
    assert main(["doctor"]) == 0
    assert "files cannot be locked there" in capsys.readouterr().out
    assert not list((tmp_path / "matches").iterdir())
