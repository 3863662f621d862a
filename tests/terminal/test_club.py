"""Visitors of a club in separate terminals: playing at one table, and returning to it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from terminal.emulator import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the club is POSIX")

PATIENT = """
import sys
from thud.club.process import main
from thud.net import host, host_connection
host_connection.HELLO_SECONDS = host.HELLO_SECONDS = host_connection.ANSWER_SECONDS = 3600.0
sys.exit(main())
"""
"""The visitor's program, in which nobody is late on a slow machine."""

KEEPER = (sys.executable, "-P", "-m", "thud.club.keeper")
VISITOR = (sys.executable, "-P", "-c", PATIENT)
ENTER, DOWN = "\r", "\x1b[B"
BACK = "Welcome back"


class Club:
    """A club whose visitors each have a process and a directory.

    Args:
        directory: directory for all files.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._open: list[Terminal] = []
        own = {f"THUD_{kind}_DIR": str(directory / kind.lower()) for kind in ("DATA", "RUN")}
        self._keeper = subprocess.Popen(
            KEEPER, env=os.environ | own, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._keeper.stdout
        assert self._keeper.stdout.readline()

    def visit(self, who: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        """Start a visitor, for the first time or again."""
        own = self.directory / who
        own.mkdir(mode=0o700, exist_ok=True)
        environment = {
            "HOME": str(own),
            "THUD_DATA_DIR": str(own),
            "THUD_CONFIG_DIR": str(own / "settings"),
            "THUD_CACHE_DIR": str(own / "cache"),
            "THUD_RUN_DIR": str(self.directory / "run"),
            "VISITOR_NAME": who,
        }
        terminal = Terminal(VISITOR, size, environment)
        self._open.append(terminal)
        return terminal

    def come(self, who: str) -> Terminal:
        """Start a new visitor, and enter a name."""
        terminal = self.visit(who)
        terminal.wait_for("What is your name?")
        terminal.wait_for(f" {who} ")
        terminal.send(ENTER)
        terminal.wait_for(lambda: "called" not in terminal.text and "Leave" in terminal.text)
        return terminal

    def go_to(self, who: str, table: str, *, look_on: bool = False) -> Terminal:
        """Start a visitor, and go to a table."""
        terminal = self.come(who)
        terminal.wait_for(table)
        terminal.send("J", ENTER)
        terminal.wait_for("Sit down")
        terminal.settle()
        terminal.send(*([DOWN] if look_on else []), ENTER)
        terminal.wait_for("Watching:" if look_on else "Waiting for")
        return terminal

    def close(self) -> None:
        for terminal in self._open:
            terminal.close()
        self._keeper.communicate()
        assert self._keeper.returncode == 0


@pytest.fixture
def club(short_path: Path) -> Iterator[Club]:
    club = Club(short_path)
    yield club
    club.close()


def play(terminal: Terminal, move: str) -> None:
    """Type a move, and wait for it in the move list."""
    terminal.send(":")
    terminal.settle()
    terminal.send(move, ENTER)
    terminal.wait_for(move)


def hear(terminal: Terminal, words: str) -> None:
    """Wait for a message below the board, on any number of lines."""
    terminal.wait_for(lambda: words in " ".join("".join(x[:50] for x in terminal.lines).split()))


def break_off(terminal: Terminal, number: signal.Signals) -> None:
    """Break a visitor's connection by a signal."""
    terminal.signal(number)
    terminal.wait_for_end()


@pytest.mark.slow
def test_visitors_come_back_to_their_places_whatever_became_of_them(club: Club) -> None:
    ann = club.come("Ann")
    ann.send("H")
    ann.wait_for("Who is the table for?")
    ann.settle()
    ann.send(ENTER)
    ann.wait_for("Your table is open")
    break_off(ann, signal.SIGTERM)
    ann = club.visit("Ann")
    hear(ann, BACK)  # Nobody has moved yet.
    cid = club.go_to("Cid", "Ann", look_on=True)
    hear(ann, "Cid is watching")
    break_off(cid, signal.SIGKILL)
    hear(ann, "Cid has stopped watching")
    bob = club.go_to("Bob", "Ann")
    hear(ann, "Bob has")  # joined, which the lobby's "sat down, and it is your turn" may replace
    play(ann, "dF1-F5")
    bob.wait_for("dF1-F5")
    break_off(ann, signal.SIGKILL)
    hear(bob, "Ann is away")
    ann = club.visit("Ann")
    hear(ann, BACK)
    ann.wait_for("dF1-F5")
    hear(bob, "Ann is back")
    break_off(bob, signal.SIGTERM)
    hear(ann, "Bob is away")
    bob = club.visit("Bob")
    hear(bob, BACK)
    play(bob, "TG7-G6xF5")
    ann.wait_for("TG7-G6xF5")
    hear(club.visit("Cid"), BACK)
    hear(ann, "Cid is watching")
