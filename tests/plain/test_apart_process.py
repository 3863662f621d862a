"""Plain mode with somebody elsewhere as a process of its own: at a terminal, over pipes, ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plain import apart_child
from plain.test_process import ID, bare_environment

if sys.platform == "win32":
    pytest.skip("pseudo-terminals and named pipes are POSIX", allow_module_level=True)

from terminal.emulator import Terminal

ANN = "Ann, dwarfs, to move. Your move:"


class Bob:
    """Does things elsewhere.

    Args:
        directory: where all files are.
    """

    def __init__(self, directory: Path) -> None:
        self.pipe = directory / "bob"
        os.mkfifo(self.pipe)
        self.directory = directory
        found = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
        self.environment = bare_environment(directory) | {"PYTHONPATH": found}
        self.command = [sys.executable, apart_child.__file__, str(directory), str(self.pipe)]

    def does(self, what: str) -> None:
        self.pipe.write_text(f"{what}\n")


@pytest.fixture
def bob(tmp_path: Path) -> Bob:
    return Bob(tmp_path)


@contextmanager
def at_terminal(bob: Bob) -> Iterator[Terminal]:
    """Let Ann sit at a terminal, and wait until she is asked."""
    with Terminal(bob.command, (80, 40), bob.environment) as terminal:
        terminal.wait_for(ANN)
        yield terminal


def lines(terminal: Terminal) -> list[str]:
    """Return what the screen shows from the first question on."""
    shown = [line.rstrip() for line in terminal.lines]
    return [
        line for line in shown[next(n for n, line in enumerate(shown) if ANN in line) :] if line
    ]


def test_what_is_typed_stays_typed_when_something_happens(bob: Bob) -> None:
    with at_terminal(bob) as terminal:
        terminal.send("sco")
        terminal.wait_for(f"{ANN} sco")
        bob.does("say hello")
        terminal.wait_for(lambda: lines(terminal)[-1] == ANN)
        terminal.send("re\r")
        terminal.wait_for("Margin: even.")
        terminal.wait_for(lambda: lines(terminal)[-1] == ANN)
        assert lines(terminal)[:4] == [
            f"{ANN} sco",
            "Bob says: hello",
            f"{ANN} re",
            "Classic, battle 1 of 2.",
        ]


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_the_end_of_the_input_leave_while_a_line_is_awaited(
    bob: Bob, key: str, status: int
) -> None:
    with at_terminal(bob) as terminal:
        terminal.send("f1 f5\r")
        terminal.wait_for("Waiting for Bob")
        terminal.send(key)
        assert terminal.wait_for_end() == status
        assert lines(terminal)[-2].startswith("Waiting for Bob, trolls, who is away.")
        assert ID.search(lines(terminal)[-1])


@pytest.mark.parametrize(("name", "ignored"), [("SIGINT", ""), ("SIGTERM", "INT")])
def test_a_signal_keeps_the_match_while_a_line_is_awaited(
    bob: Bob, name: str, ignored: str
) -> None:
    number = signal.Signals[name]
    ignoring = ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh"] if ignored else []
    with subprocess.Popen(
        [*ignoring, *bob.command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bob.environment,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"f1 f5\n")
        process.stdin.flush()
        while b"from F1 to F5" not in process.stdout.readline():
            pass
        bob.does("say hello")
        while b"Bob says: hello" not in process.stdout.readline():
            pass
        process.send_signal(number)
        said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, b"")
    assert ID.search(said.decode().splitlines()[-1])
