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
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._guests: list[Guest] = []
        self._terminals: list[Terminal] = []
        self.serving = Terminal((*THUD, "serve", "--ssh", "0"), (100, 24), places(directory))
        self.serving.wait_for("Ctrl+C ends it.")

    def guest(self, name: str) -> Guest:
        """Return a guest who knows the word."""
        port, word = (
            next(line.split()[at] for line in self.serving.lines if said in line)
            for said, at in (("ssh -p", 2), ("the word:", -1))
        )
        private = self._directory / "data" / "club" / "ssh" / "host_key"
        shown = subprocess.check_output(["ssh-keygen", "-y", "-f", str(private)], text=True)
        key, own = made_key(self._directory / f"{name}.key"), self._directory / name
        guest = Guest(own, int(port), shown.strip(), name=name, word=word, key=key)
        self._guests.append(guest)
        return guest

    def come(self, guest: Guest, size: tuple[int, int], *command: str) -> Terminal:
        """Connect a guest, for the first time or again."""
        terminal = guest.at(size=size, command=command)
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

    def close(self) -> None:
        """Disconnect all guests, and end the server cleanly."""
        for guest in self._guests:
            guest.close()
        self.serving.signal(signal.SIGTERM)
        try:
            assert self.serving.wait_for_end() == 0
        finally:
            self.serving.close()


@pytest.fixture
def club(short_path: Path) -> Iterator[Club]:
    club = Club(short_path)
    yield club
    club.close()


def has_one_move(terminal: Terminal) -> bool:
    """Whether the move list has one move."""
    return len(_MOVE.findall("\n".join(line[-29:] for line in terminal.lines))) == 1


@pytest.mark.slow
def test_the_club_in_lines_of_text_meets_the_board(club: Club) -> None:
    ann = club.come(club.guest("Ann"), (100, 100), "plain")
    ann.wait_for("What is your name?")
    ann.send("Ann", ENTER)
    ann.wait_for("No table is open.")
    ann.send("open koom 3d", ENTER)
    ann.wait_for("Your table is open")
    ann.wait_for("Nobody has taken the trolls")
    guest = club.guest("Bob")
    bob = club.come(guest, (80, 40))
    club.sees(bob, "What is your name?")
    club.sees(bob, " Bob ")
    bob.send(ENTER)
    club.sees(bob, lambda: "called" not in bob.text and "Leave" in bob.text)
    club.sees(bob, "Ann")
    bob.send("J", ENTER)
    club.sees(bob, "Sit down")
    bob.settle()
    bob.send(ENTER)
    club.sees(ann, "Bob has")  # joined, or sat down: what is told last may hide the other
    ann.send("save x.tgn", ENTER)
    club.sees(ann, "'save x.tgn' is not a move")
    assert "was written" not in ann.text
    ann.send("A10-A9", ENTER)
    club.sees(bob, lambda: has_one_move(bob))
    ann.send("quit", ENTER)
    club.sees(ann, "In the lobby")
    club.sees(bob, "Ann is away")
    ann.send("tables", ENTER)
    club.sees(ann, "1: Ann - Bob, Koom Valley, 3 days a move: your seat waits for you.")
    ann.send("1", ENTER)
    club.sees(bob, "Ann is back")
    bob.process.kill()
    club.sees(ann, "Bob is away")
    again = club.come(guest, (80, 40))
    club.sees(again, lambda: has_one_move(again))
    club.sees(ann, "Bob is back")
    again.resize(120, 40)
    club.sees(again, lambda: any(line[110:].strip() for line in again.lines))
    again.send("q")
    club.sees(again, "y  leave")
    again.send("y")
    club.sees(again, "Tables")
    again.send("q")
    club.sees(again, "Leave the club?")
    again.send(ENTER)
    assert again.wait_for_end() == 0
    assert not again.has_mode(1049)
    ann.send("quit", ENTER, "quit", ENTER)
    assert ann.wait_for_end() == 0
