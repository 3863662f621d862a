"""A real `thud serve --ssh` with lobby and board, played through the system's `ssh`."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from club.guests import NEEDS_SSH, Guest, made_key
from club.serving import ENTER, THUD, places
from terminal.emulator import Terminal

pytestmark = NEEDS_SSH

_MOVE = re.compile(r"[dT][A-P]\d+-[A-P]\d+")


class Club:
    """A running `thud serve` and its guests, each with a key.

    Args:
        directory: directory for all files.

    Attributes:
        directory: the same.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._guests: dict[str, Guest] = {}
        self._terminals: list[Terminal] = []
        self.serving = Terminal(
            (*THUD, "serve", "--ssh", "0"),
            (100, 24),
            places(directory),
        )
        self.serving.wait_for("Ctrl+C ends it.")
        line = next(each for each in self.serving.lines if "ssh -p" in each)
        self._port = int(line.split()[2])
        self._word = next(each for each in self.serving.lines if "the word:" in each).split()[-1]

    def come(
        self, name: str, size: tuple[int, int] = (80, 24), command: tuple[str, ...] = ()
    ) -> Terminal:
        """Connect a guest, for the first time or again."""
        if name not in self._guests:
            self._guests[name] = self._guest(name)
        terminal = self._guests[name].at(size=size, command=command)
        self._terminals.append(terminal)
        return terminal

    def sees(self, terminal: Terminal, shown: str | Callable[[], bool]) -> None:
        """Wait until a terminal shows something; all others read too, to stay connected."""

        def so() -> bool:
            for each in self._terminals:
                if each is not terminal and each.process.poll() is None:
                    each.read(0)
            return shown() if callable(shown) else shown in terminal.text

        terminal.wait_for(so)

    def sees_moves(self, terminal: Terminal, number: int) -> None:
        """Wait until the move list has a number of moves."""

        def shown() -> bool:
            listed = "\n".join(line[-29:] for line in terminal.lines)
            return len(_MOVE.findall(listed)) == number

        self.sees(terminal, shown)

    def come_first(self, name: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        """Connect a new guest, who accepts the proposed name."""
        terminal = self.come(name, size)
        self.sees(terminal, "What is your name?")
        self.sees(terminal, f" {name} ")
        terminal.send(ENTER)
        self.sees(terminal, lambda: "called" not in terminal.text and "Leave" in terminal.text)
        return terminal

    def close(self) -> None:
        """Disconnect all guests, and end the server cleanly."""
        for guest in self._guests.values():
            guest.close()
        self.serving.signal(signal.SIGTERM)
        try:
            assert self.serving.wait_for_end() == 0
        finally:
            self.serving.close()

    def _guest(self, name: str) -> Guest:
        private = self.directory / "data" / "club" / "ssh" / "host_key"
        shown = subprocess.check_output(["ssh-keygen", "-y", "-f", str(private)], text=True)
        key = made_key(self.directory / f"{name}.key")
        return Guest(
            self.directory / name, self._port, shown.strip(), name=name, word=self._word, key=key
        )


@pytest.fixture
def club(short_path: Path) -> Iterator[Club]:
    club = Club(short_path)
    yield club
    club.close()


@pytest.mark.slow
def test_the_club_in_lines_of_text_meets_the_board(club: Club) -> None:
    ann = club.come("Ann", (100, 100), ("plain",))
    ann.wait_for("What is your name?")
    ann.send("Ann", ENTER)
    ann.wait_for("No table is open.")
    ann.send("nonsense", ENTER)
    ann.wait_for("Unknown command")
    ann.send("open koom 3d", ENTER)
    ann.wait_for("Your table is open")
    ann.wait_for("Nobody has taken the trolls")
    bob = club.come_first("Bob", (80, 40))
    club.sees(bob, "Ann")
    bob.send("J", ENTER)
    club.sees(bob, "Sit down")
    bob.settle()
    bob.send(ENTER)
    club.sees(ann, "Bob has joined")
    ann.send("save x.tgn", ENTER)
    club.sees(ann, "'save x.tgn' is not a move")
    assert "was written" not in ann.text
    ann.send("A10-A9", ENTER)
    club.sees_moves(bob, 1)
    ann.send("quit", ENTER)
    club.sees(ann, "In the lobby")
    club.sees(bob, "Ann is away")
    ann.send("tables", ENTER)
    club.sees(ann, "1: Ann - Bob, Koom Valley, 3 days a move: your seat waits for you.")
    ann.send("1", ENTER)
    club.sees(bob, "Ann is back")
    bob.process.kill()
    club.sees(ann, "Bob is away")
    bob = club.come("Bob", (80, 40))
    club.sees_moves(bob, 1)
    club.sees(ann, "Bob is back")
    bob.resize(120, 40)
    club.sees(bob, lambda: any(line[110:].strip() for line in bob.lines))
    bob.send("q")
    club.sees(bob, "y  leave")
    bob.send("y")
    club.sees(bob, "Tables")
    bob.send("q")
    club.sees(bob, "Leave the club?")
    bob.send(ENTER)
    assert bob.wait_for_end() == 0
    assert not bob.has_mode(1049)
    ann.send("quit", ENTER, "quit", ENTER)
    assert ann.wait_for_end() == 0
