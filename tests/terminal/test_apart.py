"""`thud host`, `thud join` and `thud watch` at terminals of their own."""

import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plain.test_process import ID, started, type_and_hear
from terminal.emulator import Terminal
from thud.net.transports.invitation import parse_goal
from thud.records.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

THUD = (sys.executable, "-m", "thud")
ENTER = "\r"
WAITING = "How to join"
ASKED = "Ann, dwarfs, to move. Your move:"


class Places:
    """Terminals of people with separate files, who share the directory of open matches.

    Args:
        directory: directory for all files.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._open: list[Terminal] = []

    def environment(self, who: str) -> dict[str, str]:
        own = self.directory / who
        return {
            "THUD_DATA_DIR": str(own),
            "THUD_CONFIG_DIR": str(own / "settings"),
            "THUD_RUN_DIR": str(self.directory / "run"),
        }

    def at(self, who: str, *command: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        """Run a command in somebody's terminal."""
        terminal = Terminal((*THUD, *command), size, self.environment(who))
        self._open.append(terminal)
        return terminal

    def store(self, who: str) -> Store:
        return Store(self.directory / who)

    def close(self) -> None:
        for terminal in self._open:
            terminal.close()


@pytest.fixture
def places(short_path: Path) -> Iterator[Places]:
    places = Places(short_path)
    yield places
    places.close()


def play(terminal: Terminal, move: str, shown: str) -> None:
    """Type a move, and wait for it in the move list."""
    terminal.send(":")
    terminal.settle()
    terminal.send(move, ENTER)
    terminal.wait_for(shown)


def leave(terminal: Terminal) -> None:
    terminal.send("q")
    terminal.wait_for("play on")
    terminal.send("y")
    assert terminal.wait_for_end() == 0


def begun(places: Places) -> tuple[Terminal, Terminal]:
    """Have a host and a guest play the first move; return their terminals."""
    ann = places.at("ann", "host", "--names", "Ann")
    ann.wait_for(WAITING)
    bob = places.at("bob", "join", "--name", "Bob", size=(120, 40))
    bob.wait_for("Waiting for Ann")
    ann.wait_for("pick up a dwarf")
    play(ann, "f1f5", "dF1-F5")
    bob.wait_for("pick up a troll")
    return ann, bob


@pytest.mark.slow
def test_two_play_a_third_looks_on_and_a_guest_that_is_killed_comes_back(places: Places) -> None:
    ann, bob = begun(places)
    eve = places.at("eve", "watch", "--name", "Eve")
    eve.wait_for("dF1-F5")
    ann.send("u")
    bob.wait_for("do you agree")
    bob.send("y")
    for terminal in (ann, bob, eve):
        terminal.wait_for("(dF1-F5)")
    play(ann, "g1g5", "dG1-G5")
    bob.wait_for("pick up a troll")
    bob.process.kill()
    ann.wait_for("but away")
    again = places.at("bob", "join")
    again.wait_for("pick up a troll")
    assert "Bob" in again.text
    play(again, "g9g10", "TG9-G10")
    for terminal in (ann, eve):
        terminal.wait_for("TG9-G10")


@pytest.mark.slow
def test_a_host_goes_home_and_goes_on_another_day(places: Places) -> None:
    ann, bob = begun(places)
    leave(ann)
    bob.wait_for("Ann is away")
    places.at("ann", "resume").wait_for("Waiting for Bob")
    bob.wait_for("pick up a troll")
    (match,) = places.store("ann").listing().unfinished
    assert match.players == ("Ann", "Bob")


@pytest.mark.slow
def test_who_hosts_and_joins_from_the_front_page(places: Places) -> None:
    ann = places.at("ann")
    ann.wait_for("Two players here")
    ann.send("H")
    ann.wait_for("Who can join?")
    ann.send(ENTER)
    ann.wait_for(WAITING)
    bob = places.at("bob")
    bob.wait_for("Two players here")
    bob.send("J")
    bob.wait_for("dwarfs free")  # a newcomer is seated with the trolls
    bob.send(ENTER)
    ann.wait_for("Waiting for")
    bob.wait_for("pick up a dwarf")


def invitation_in(screen: str) -> str:
    """Return an invitation, empty while it is not yet shown to its end."""
    found = re.search(r"thud://\S+", screen)
    try:
        return found[0] if found and parse_goal(found[0]) else ""
    except ValueError:
        return ""


@pytest.mark.slow
def test_an_invitation_leads_over_the_network(places: Places) -> None:
    pytest.importorskip("cryptography")
    ann = places.at("ann", "host", "--listen", "127.0.0.1:14763", "--names", "Ann", size=(120, 40))
    ann.wait_for(WAITING)
    ann.wait_for(lambda: invitation_in(ann.text) != "")
    bob = places.at("bob", "join", invitation_in(ann.text), "--name", "Bob")
    bob.wait_for("Waiting for Ann")
    ann.wait_for("pick up a dwarf")


def test_a_sighted_player_plays_one_who_listens(places: Places) -> None:
    ann = places.at("ann", "host", "--plain", "--names", "Ann")
    ann.wait_for(ASKED)
    ann.send("sco")
    ann.wait_for(f"{ASKED} sco")
    bob = places.at("bob", "join", "--name", "Bob")
    bob.wait_for("Waiting for Ann")
    ann.wait_for("Bob has joined.")
    ann.wait_for(lambda: ann.text.rstrip().endswith(ASKED))
    ann.send("re", ENTER)
    ann.wait_for("Margin: even.")
    lines = [line.rstrip() for line in ann.lines]
    at = lines.index("Bob has joined.")
    # What has been typed stays typed when something happens.
    assert (lines[at - 1], lines[at + 1]) == (f"{ASKED} sco", f"{ASKED} re")
    ann.send("f1f5", ENTER)
    ann.wait_for("Waiting for Bob")
    bob.wait_for("pick up a troll")
    play(bob, "g9g10", "TG9-G10")
    ann.wait_for("troll steps from G9 to G10")


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_the_end_of_the_input_leave_while_a_line_is_awaited(
    places: Places, key: str, status: int
) -> None:
    ann = places.at("ann", "host", "--plain", "--names", "Ann")
    ann.wait_for(ASKED)
    ann.send("f1 f5", ENTER)
    ann.wait_for("\nNobody has taken the trolls yet.")
    ann.send(key)
    assert ann.wait_for_end() == status
    assert ID.search(ann.text)


@pytest.mark.parametrize(("name", "ignored"), [("SIGINT", ""), ("SIGTERM", "INT")])
def test_a_signal_keeps_the_match_while_a_line_is_awaited(
    places: Places, name: str, ignored: str
) -> None:
    number = signal.Signals[name]
    ignoring = ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh"] if ignored else []
    command = [*ignoring, *THUD, "host", "--plain"]
    with started(places.directory, command, **places.environment("ann")) as process:
        type_and_hear(process, b"f1 f5\n", b"from F1 to F5")
        process.send_signal(number)
        said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, b"")
    assert ID.search(said.decode().splitlines()[-1])
