"""The program as a process: `python -m thud`, pipes, signals, imported modules."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sampling import sampled

PROGRAM = [sys.executable, "-m", "thud"]
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLUMNS")
}


def run(command: list[str | bytes], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=ENVIRONMENT | environment,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "locale"),
    [(["show", "--position", b"\xff\xfe"], "C"), (["perft", b"\xff"], "C.UTF-8")],
    ids=str,
)
def test_bad_input_leaves_no_traceback(arguments: list[str | bytes], locale: str) -> None:
    done = run([*PROGRAM, *arguments], LC_ALL=locale)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("thud")
    assert done.stderr.count("\n") == 1
    assert done.stderr[:-1].isprintable()


def test_a_piped_board_has_no_escape_codes_whatever_the_terminal() -> None:
    plain = run([*PROGRAM, "show"], TERM="xterm-256color", COLORTERM="truecolor")
    narrow = run([*PROGRAM, "show"], TERM="dumb", COLUMNS="20", LC_ALL="C")
    assert plain.stdout == narrow.stdout
    assert "\x1b" not in plain.stdout
    assert plain.stdout.startswith("    A B C D E F G H J K L M N O P\n  1           d d . d d")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_an_interrupt_ends_a_count_without_a_traceback() -> None:
    with subprocess.Popen(
        [*PROGRAM, "perft", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"perft 1 656\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")


INTERRUPTED = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
before = set(sys.modules)
from thud.__main__ import main
assert set(sys.modules) - before == {{"thud", "thud.__main__"}}
sys.argv = ["thud", "moves"]
sys.exit(main())
"""


@pytest.mark.parametrize(
    "module",
    sampled(
        [
            "argparse",
            "thud.cli.main",
            "thud.terminal.streams",
            "thud.rules.variants",
            "thud.cli.positions",
        ]
    ),
)
def test_an_interrupt_while_the_program_is_loaded_leaves_no_traceback(module: str) -> None:
    done = run([sys.executable, "-c", INTERRUPTED.format(module=module)])
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


IGNORED = """
import sys, time
from thud import __main__ as entry
from thud.cli import main

class Interrupted:
    def __del__(self):
        raise KeyboardInterrupt

def ignoring():
    Interrupted()
    while True:
        time.sleep(0.01)

main.main = ignoring
sys.exit(entry.main())
"""
"""A program that is interrupted in a callback, whose errors Python ignores."""


def test_an_interrupt_that_python_ignores_ends_the_program_quietly() -> None:
    done = run([sys.executable, "-c", IGNORED])
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


INTERRUPTED_IN = """
from thud import __main__ as entry
from thud.cli import main

class Interrupting:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt

def interrupted():
    exec({code!r})

main.main = interrupted
entry.sys.exit(entry.main())
"""
"""A program that is interrupted in code that stands in a string."""


@pytest.mark.parametrize(
    "code", ["raise KeyboardInterrupt", "class Made:\n    name = Interrupting()"]
)
def test_an_interrupt_of_code_in_a_string_ends_the_program_by_its_status(
    code: str, tmp_path: Path
) -> None:
    (tmp_path / "interrupted.py").write_text(INTERRUPTED_IN.format(code=code))
    done = run([sys.executable, "-m", "interrupted"], PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


IMPORTING = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "wasmtime":
            raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

sys.meta_path.insert(0, Interrupted())
sys.argv = ["thud", "perft", "2"]
from thud.__main__ import main
sys.exit(main())
"""
"""A program that is interrupted while a module is loaded in which an enumeration is made."""


def test_an_interrupt_while_the_compiled_search_is_loaded_is_not_taken_for_a_fault_of_it() -> None:
    done = run([sys.executable, "-c", IMPORTING])
    assert (done.returncode, done.stdout, done.stderr) == (130, "perft 1 656\n", "")
