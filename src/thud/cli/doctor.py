"""`thud doctor`: what the terminal can do, what the game will use, and its files."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from shutil import get_terminal_size
from typing import Final, TypeAlias

from thud import __version__
from thud.ai import core
from thud.cli.launch import themes
from thud.cli.parser import on_one_line
from thud.disk.directories import cache_directory, data_directory
from thud.disk.lock import Lock, Locked
from thud.disk.small import damaged_in
from thud.explore.index import NAME
from thud.records.store import Store
from thud.settings.file import unknown_settings
from thud.settings.preferences import Preferences
from thud.settings.values import AUTO, SETTINGS_INFO, Settings, written
from thud.terminal.cells import SMALLEST, SMALLEST_UPRIGHT, Cell, cell_at
from thud.terminal.environment import (
    can_be_drawn_on,
    glyphs_in_doubt,
    intermediaries,
    locale_of,
    prepare_colours,
    speaks_utf8,
)
from thud.terminal.probe import Answers, probe
from thud.terminal.sound import player
from thud.terminal.streams import at_terminal
from thud.text import counted, quoted, why

Rows: TypeAlias = Iterator[tuple[str, str]]

_COLOURS: Final = {"standard": "16", "windows": "16", "256": "256", "truecolor": "16 million"}
_KNOWN: Final = {True: "yes", False: "no", None: "it does not say"}


def doctor(_: Namespace) -> None:
    """Print a report for when the game does not look or play as it should."""
    answers = None
    if at_terminal():
        answers = Answers()
        if can_be_drawn_on(os.environ):
            with suppress(OSError):
                answers = probe(sys.stdin.fileno(), sys.stdout.fileno(), os.environ)
    widths = answers.widths if answers else {}
    wide = " ".join(glyph for glyph, width in widths.items() if width != 1)
    preferences = Preferences.load()
    settings = preferences.settings
    _print("Versions", _versions())
    _print("This terminal", _terminal(answers, wide))
    prepare_colours(os.environ)  # as for the board, whose colours are told from here on
    _print("The game will use", _used(settings, answers))
    _print("Files", _files(preferences))
    _print("Worth knowing", ((hint, "") for hint in _hints(settings, answers, wide)))


def _print(title: str, rows: Rows) -> None:
    lines = [f"  {label:<12} {on_one_line(value)}".rstrip() for label, value in rows]
    if lines:
        print(f"{title}:", *lines, "", sep="\n")


def _versions() -> Rows:
    yield "thud", __version__
    yield "python", f"{platform.python_version()} on {platform.system()} {platform.release()}"
    for package in "textual", "rich":
        yield package, version(package)
    yield "search", core.description()


def _terminal(answers: Answers | None, wide: str) -> Rows:
    for name, stream in ("input", sys.stdin), ("output", sys.stdout):
        yield name, "a terminal" if stream.isatty() else "no terminal"
    yield "size", "{} columns, {} rows".format(*get_terminal_size())
    for name in "TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "TEXTUAL_COLOR_SYSTEM":
        if name in os.environ:
            yield name, os.environ[name]
    yield "locale", locale_of(os.environ) or "none"
    yield "encoding", sys.stdout.encoding
    if within := intermediaries(os.environ):
        yield "within", ", ".join(within)
    if answers is None:
        yield "questions", "not asked: this is not a terminal"
        return
    if not answers.answered:
        yield "questions", "none answered"
        return
    if answers.name:
        yield "name", answers.name
    if not answers.widths:
        yield "glyphs", "it does not say how wide they are"
    elif wide:
        yield "glyphs", f"{wide} not one column wide"
    else:
        yield "glyphs", f"{' '.join(answers.widths)} one column wide"
    yield "mouse", _KNOWN[answers.mouse]
    yield "whole frames", _KNOWN[answers.synchronized]
    yield "keys", "Kitty's protocol" if answers.kitty_keyboard else "the usual protocol"


def _used(settings: Settings, answers: Answers | None) -> Rows:
    room = cell_at(*get_terminal_size()) is not None
    drawn = answers is not None and room and can_be_drawn_on(os.environ)
    yield "playing", "on the board" if drawn else "in lines, with --plain"
    yield "pieces", _pieces(settings) + (", all in plain ASCII" if settings.ascii else "")
    if os.environ.get("NO_COLOR"):
        yield "colours", "shades of grey, because of NO_COLOR"
    else:
        yield "colours", _COLOURS.get(_colour_system() or "", "none")
    theme = settings.theme
    if theme == AUTO:
        yield "theme", "the game's own"
    elif theme in themes():
        yield "theme", theme
    else:
        yield "theme", f"the game's own: there is no theme {quoted(theme)}"
    limit = None if settings.cell == AUTO else Cell(*map(int, settings.cell.split("x")))
    if cell := cell_at(*get_terminal_size(), limit):
        yield "squares", f"{cell.width} columns, {counted(cell.height, 'row')}"
    else:
        needed = "{} columns and {} rows, or {} and {}".format(*SMALLEST, *SMALLEST_UPRIGHT)
        yield "squares", f"none: the board needs {needed}"
    yield "mouse", "no" if answers is None or answers.mouse is False else "yes"
    moves = settings.animation and os.environ.get("TEXTUAL_ANIMATIONS", "").lower() != "none"
    yield "animation", "yes" if moves else "no"
    program = Path(player()[0]).name if player() else "no program that plays sounds is installed"
    yield "sound", f"{'yes' if settings.sound else 'no'} ({program})"


def _pieces(settings: Settings) -> str:
    if settings.pieces == AUTO and glyphs_in_doubt(os.environ, sys.stdout.encoding):
        return "letters"
    if settings.pieces not in (AUTO, "sprites"):
        return settings.pieces
    colourful = not os.environ.get("NO_COLOR") and _colour_system() in ("256", "truecolor")
    return "sprites" if colourful and not settings.ascii else "unicode"


def _colour_system() -> str | None:
    """Return Rich's name of the colours that Textual will use, None for none."""
    from rich.console import Console

    system: str | None = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if system not in _COLOURS:
        system = Console(force_terminal=True, legacy_windows=False).color_system
    return system


def _files(preferences: Preferences) -> Rows:
    store = Store()
    yield "matches", str(store.matches)
    try:
        unfinished, finished, broken = store.listing()
    except OSError as error:
        yield "", f"they cannot be read: {why(error)}"
    else:
        yield "", f"{len(unfinished)} unfinished, {len(finished)} finished"
        with suppress(Locked, OSError):
            lock = Lock(store.matches / ".lock")
            if lock.soft:
                twice = "do not play a match on two computers at once"
                yield "", f"files cannot be locked there: {twice}"
            lock.release()
        yield from (("", f"{each.path.name} is skipped: {each.reason}") for each in broken)
    yield from (("", f"{path.name} is damaged") for path in damaged_in(data_directory()))
    yield "index", str(cache_directory() / NAME)
    yield "settings", str(preferences.path)
    if not (preferences.faults or (preferences.path and preferences.path.exists())):
        yield "", "no settings file; every setting has its default"
    usual = Settings()
    for name in SETTINGS_INFO:
        value = getattr(preferences.settings, name)
        if value != getattr(usual, name):
            yield "", f"{name} = {written(value)}"
    wrong = _wrong_keys(preferences.settings)
    for name, keys in preferences.settings.keys.items():
        if (setting := f"keys.{name}") not in wrong:
            yield "", f"{setting} = {', '.join(keys)}"
    unknown = unknown_settings(preferences.path) if preferences.path else []
    faults = [*preferences.faults, *preferences.blamed(wrong), *unknown]
    yield from (("", str(fault)) for fault in faults)


def _wrong_keys(settings: Settings) -> Mapping[str, str]:
    """Return what is wrong with the player's own keys, by setting."""
    if not settings.keys:
        return {}
    from thud.tui.keys.keymap import keymap

    _, wrong = keymap(settings.keys)
    return {f"keys.{name}": reason for name, reason in wrong.items()}


def _hints(settings: Settings, answers: Answers | None, wide: str) -> Iterator[str]:
    """Yield advice to the player.

    Args:
        settings: the settings.
        answers: the terminal's answers, None without a terminal.
        wide: the glyphs that it draws too wide.
    """
    if answers is None or not can_be_drawn_on(os.environ):
        yield "To play in lines of text, without a terminal: thud play --plain"
    if not speaks_utf8(sys.stdout.encoding):
        yield "A UTF-8 locale, such as LANG=C.UTF-8, lets the pieces be drawn as pictures."
    if _colour_system() == "standard" and not os.environ.get("NO_COLOR"):
        yield "If this terminal has more than 16 colours, say so: COLORTERM=truecolor thud"
    if wide and settings.pieces in (AUTO, "sprites", "unicode", "blocks"):
        yield f"{wide} would break the board. Use thud play --pieces letters."
    if answers and answers.answered and not answers.kitty_keyboard:
        yield "Esc takes a moment to act; Backspace does the same without a delay."
    if os.environ.get("TMUX"):
        with suppress(OSError, subprocess.TimeoutExpired):
            done = subprocess.run(
                ["tmux", "show-options", "-gv", "mouse"],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=1,
                check=False,
            )
            if done.stdout.strip() == b"off":
                yield "'tmux set -g mouse on' lets the mouse through to the game."
    if os.environ.get("STY"):
        yield "In screen the mouse may not arrive; every key works."
    if _over_mosh():
        yield "Over mosh the mouse is unreliable; every key works."


def _over_mosh() -> bool:
    """Whether it runs under mosh, judging by the parent processes."""
    process = str(os.getppid())
    for _ in range(32):
        try:
            text = Path("/proc", process, "status").read_text()
        except OSError:
            return False
        facts = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        if facts.get("Name", "").startswith("mosh-server"):
            return True
        process = facts.get("PPid", "0").strip()
    return False
