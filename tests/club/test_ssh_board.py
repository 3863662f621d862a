"""A real `thud serve --ssh` with lobby and board, played through the system's `ssh`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from club.guests import NEEDS_SSH, Guest, made_key
from club.serving import DOWN, ENTER, ESCAPE, RIGHT, THUD, TO_THE_ROCK, places
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

    def plays(self, terminal: Terminal, text: str) -> None:
        """Play by typing a move."""
        terminal.send(":")
        self.sees(terminal, "Tab completes")
        terminal.send(text, ENTER)

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


def test_somebody_comes_looks_round_and_leaves(club: Club) -> None:
    ann = club.come_first("Ann")
    ann.resize(120, 40)
    ann.wait_for(lambda: any(line[110:].strip() for line in ann.lines))
    ann.send("q")
    ann.wait_for("Leave the club?")
    ann.send("\r")
    assert ann.wait_for_end() == 0
    assert not ann.has_mode(1049)


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
    ann.send(TO_THE_ROCK.split()[0], ENTER)
    club.sees_moves(bob, 1)
    ann.send("quit", ENTER)
    club.sees(ann, "In the lobby")
    club.sees(bob, "Ann is away")
    ann.send("tables", ENTER)
    club.sees(ann, "1: Ann - Bob, Koom Valley, 3 days a move: your seat waits for you.")
    ann.send("1", ENTER)
    club.sees(bob, "Ann is back")
    ann.send("quit", ENTER, "quit", ENTER)
    assert ann.wait_for_end() == 0


def test_a_lost_seat_is_given_in_lines(club: Club) -> None:
    def sees_table(terminal: Terminal, text: str) -> None:
        """List the tables until a text appears: each visitor learns of changes independently."""

        def listed() -> bool:
            terminal.send("tables", ENTER)
            return text in terminal.text

        club.sees(terminal, listed)

    ann, bob = (club.come(name, (100, 100), ("plain",)) for name in ("Ann", "Bob"))
    for terminal, name in ((ann, "Ann"), (bob, "Bob")):
        club.sees(terminal, "your name?")
        terminal.send(name, ENTER)
        club.sees(terminal, "In the lobby")
    ann.send("open", ENTER)
    club.sees(ann, "Nobody has taken the trolls")
    sees_table(bob, "1: Ann")
    bob.send("sit 1", ENTER)
    club.sees(ann, "Bob has joined")
    bob.send("quit", ENTER, "quit", ENTER)
    club.sees(ann, "Bob is away")
    anew = club.come("Robert", (100, 100), ("plain",))
    club.sees(anew, "your name?")
    anew.send("Robert", ENTER)
    club.sees(anew, "1: Ann - Bob, Classic: watch.")
    anew.send("ask 1", ENTER)
    club.sees(anew, "Say whose seat, such as ask 1 Ann.")
    anew.send("ask 1 bob", ENTER)
    club.sees(anew, "The seat is taken; if its player is away, those at the table can give it")
    club.sees(ann, "Robert asks for the seat of Bob, who is away.")
    ann.send("give", ENTER)
    club.sees(ann, "After that Bob cannot come back.")
    ann.send("yes", ENTER)
    club.sees(ann, "The seat of the trolls is free: Robert can join again and take it.")
    sees_table(anew, "the trolls are free")
    anew.send("sit 1", ENTER)
    club.sees(ann, "Robert has joined")
    for terminal in (ann, anew):
        terminal.send("quit", ENTER, "quit", ENTER)
        assert terminal.wait_for_end() == 0


def test_a_match_with_the_computer_waits_for_who_comes_back_in_lines(club: Club) -> None:
    ann = club.come("Ann", (100, 100), ("plain",))
    ann.wait_for("your name?")
    ann.send("Ann", ENTER)
    ann.wait_for("In the lobby")
    ann.send("sit 00001", ENTER, "computer 00012", ENTER)
    ann.wait_for("Say which table by its number")
    ann.wait_for("Say which level")
    ann.send("computer 1", ENTER)
    ann.wait_for("You have the dwarfs. Your move:")
    ann.send("F1 F5", ENTER)
    ann.wait_for("Your move: F1 F5")
    ann.wait_for(lambda: ann.text.count("Your move:") == 2)
    ann.process.kill()
    again = club.come("Ann", (100, 100), ("plain",))
    club.sees(again, "Rank 1: dwarfs G1 J1 K1.")
    club.sees(again, "Your move:")
    again.send("quit", ENTER)
    club.sees(again, "Saved. You find it in the lobby.")
    again.send("quit", ENTER)
    assert again.wait_for_end() == 0


def test_who_sat_at_a_table_that_is_gone_comes_into_the_lobby_in_lines(club: Club) -> None:
    ann = club.come("Ann", (100, 100), ("plain",))
    ann.wait_for("your name?")
    ann.send("Ann", ENTER)
    ann.wait_for("In the lobby")
    ann.send("quit", ENTER)
    assert ann.wait_for_end() == 0
    (kept,) = club.directory.glob("data/club/visitors/*/visitor.json")
    kept.write_text(json.dumps({"name": "Ann", "place": ["seat", "0123abcd", ""]}))
    ann = club.come("Ann", (100, 100), ("plain",))
    club.sees(ann, "In the lobby. What now?")
    ann.send("quit", ENTER)
    assert ann.wait_for_end() == 0


def test_a_link_to_a_table_that_is_gone_leads_into_the_lobby_in_lines(club: Club) -> None:
    ann = club.come("Ann", (100, 100), ("plain", "0123abcd"))
    ann.wait_for("your name?")
    ann.send("Ann", ENTER)
    club.sees(ann, "In the lobby. What now?")
    assert "There is no such table. It may be closed" in ann.text
    ann.send("quit", ENTER)
    assert ann.wait_for_end() == 0


@pytest.mark.slow
def test_a_whole_battle_is_played_whatever_becomes_of_the_lines(club: Club) -> None:
    ann = club.come_first("Ann", (100, 40))
    ann.send(*[DOWN] * 5)
    while "‹ Koom Valley ›" not in ann.text:
        ann.send(RIGHT)
        ann.settle()
    ann.send("H")
    club.sees(ann, "Who is the table for?")
    ann.settle()
    ann.send(ENTER)
    club.sees(ann, "Your table is open")
    ann.send(ESCAPE)
    bob = club.come_first("Bob", (80, 40))
    club.sees(bob, "Ann")
    bob.send("J", ENTER)
    club.sees(bob, "Sit down")
    bob.settle()
    bob.send(ENTER)
    club.sees(ann, "Bob has joined")
    *moves, last = TO_THE_ROCK.split()
    for number, text in enumerate(moves, 1):
        club.plays((bob, ann)[number % 2], text)
        club.sees_moves(ann, number)
        club.sees_moves(bob, number)
        if number == 3:
            bob.resize(100, 40)
        if number == 6:
            bob.process.kill()
            club.sees(ann, "Bob is away")
            bob = club.come("Bob", (100, 40))
            club.sees_moves(bob, number)
            club.sees(ann, "Bob is back")
        if number == 8:
            ann.send("\r~.")
            club.sees(bob, "Ann is away")
            ann = club.come("Ann", (100, 40))
            club.sees_moves(ann, number)
            club.sees(bob, "Ann is back")
    club.plays(bob, last)
    for screen in (ann, bob):
        club.sees(screen, "Bob wins")
