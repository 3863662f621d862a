"""`thud` without a command, from its front page to a match and back, in a pseudo-terminal."""

import os
import sys
from pathlib import Path

import pytest

from sampling import sampled
from terminal.emulator import Terminal
from thud.records.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

THUD = (sys.executable, "-m", "thud")
ENTER = "\r"


def click(terminal: Terminal, text: str) -> None:
    """Click the first occurrence of a text, once the screen is completely painted."""
    terminal.settle()
    line, shown = next((y, row) for y, row in enumerate(terminal.lines) if text in row)
    place = f"{shown.index(text) + 1};{line + 1}"
    terminal.send(f"\x1b[<0;{place}M", f"\x1b[<0;{place}m")


def environment(directory: Path) -> dict[str, str]:
    return {"THUD_DATA_DIR": str(directory), "THUD_CONFIG_DIR": str(directory)}


@pytest.mark.slow
def test_a_match_begins_on_the_front_page_and_is_left_for_it(tmp_path: Path) -> None:
    with Terminal(THUD, (80, 24), environment(tmp_path)) as terminal:
        terminal.wait_for("Two players here")
        # Bytes that are no text are no keys, and end nothing.
        os.write(terminal.own, b"\xff\x9b\xc3(")
        terminal.send("n")
        terminal.wait_for("pick up a dwarf")
        cursor = terminal.screen.cursor
        terminal.wait_for(lambda: terminal.screen.display[cursor.y][cursor.x - 1] == "[")
        assert cursor.hidden
        terminal.send(":")
        terminal.settle()
        terminal.send("f1f5", ENTER)
        terminal.wait_for("dF1-F5")
        terminal.send("q")
        terminal.wait_for("play on")
        terminal.send("y")
        terminal.wait_for("1 match")
        click(terminal, "Resume")
        terminal.wait_for("dF1-F5")
        terminal.send("q")
        terminal.wait_for("play on")
        terminal.send("y")
        terminal.wait_for("Two players here")
        click(terminal, "Quit")
        assert terminal.wait_for_end() == 0
    assert len(Store(tmp_path).listing().unfinished) == 1


@pytest.mark.slow
@pytest.mark.parametrize("errors", sampled(["2>&-", "2>/dev/null"], 2))
def test_the_front_page_is_drawn_where_errors_do_not_reach_the_terminal(
    tmp_path: Path, errors: str
) -> None:
    command = ("sh", "-c", f'exec "$@" {errors}', "sh", *THUD)
    with Terminal(command, (80, 24), environment(tmp_path)) as terminal:
        terminal.wait_for("Two players here")
        terminal.send("q")
        assert terminal.wait_for_end() == 0
