"""The program on a system without POSIX, simulated by `without_posix.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BEGUN = """
import sys
from without_posix import pretend
pretend()
"""
PROGRAM = f"""{BEGUN}
from thud.__main__ import main
sys.exit(main())
"""
WITH_TEXTUAL = f"""
import textual.app, textual.drivers.linux_driver, textual.pilot
{BEGUN}
"""
EVERY_MODULE = f"""
import aiohttp, asyncssh, textual_serve.app_service
{WITH_TEXTUAL}
import importlib, pkgutil, thud
names = [each.name for each in pkgutil.walk_packages(thud.__path__, "thud.")]
assert {{"thud.disk.lock", "thud.engines.program", "thud.terminal.probe"}} <= {{*names}}
for name in names:
    importlib.import_module(name)
from thud.disk.lock import msvcrt
assert not {{"fcntl", "termios", "tty"}} & {{*sys.modules}}
"""
LOCKS = f"""{BEGUN}
from pathlib import Path
from thud.disk.lock import Lock, Locked
path = Path(sys.argv[1], "lock")
lock = Lock(path)
try:
    Lock(path)
except Locked:
    lock.release()
    assert not path.exists()
    Lock(path, new=True).release()
    print("locked")
"""
BOARD = f"""{WITH_TEXTUAL}
import asyncio
from pathlib import Path
from thud.engines.spec import parse_contender
from thud.records.store import Store
from tui.driver import playing

async def play():
    seats = parse_contender("human"), parse_contender("random")
    async with playing(store=Store(Path(sys.argv[1])), seats=seats) as player:
        await player.press(":", *"f1f5", "enter")
        await player.until(lambda: len(player.match.battle.moves) > 1)
        print(len(player.match.battle.moves), "moves")

asyncio.run(play())
"""

RESTORED = f"""
import os
ends = os.openpty()
{WITH_TEXTUAL}
from types import SimpleNamespace
from textual.drivers._writer_thread import WriterThread
from thud.tui.textual_fixes import restore_terminal

screen = os.fdopen(ends[1], "w")

class Driver:
    def __init__(self):
        self._writer_thread = WriterThread(screen)
        self._writer_thread.start()

    def stop_application_mode(self):
        self._writer_thread.write("restored")

    def close(self):
        self._writer_thread.stop()

restore_terminal(SimpleNamespace(_driver=Driver(), is_headless=False))
print(os.read(ends[0], 99).decode())
screen.close()
"""


def run(
    script: str, directory: Path, *arguments: str, said: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        input=said,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(TESTS),
            **dict.fromkeys(("THUD_DATA_DIR", "THUD_CONFIG_DIR"), str(directory)),
        },
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_every_module_is_loaded(tmp_path: Path) -> None:
    done = run(EVERY_MODULE, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_locks_are_held(tmp_path: Path) -> None:
    done = run(LOCKS, tmp_path, str(tmp_path))
    assert (done.stdout, done.stderr) == ("locked\n", "")


def test_a_match_against_a_computer_is_played_in_lines(tmp_path: Path) -> None:
    arguments = "play", "--plain", "--opponent", "random", "--names", "Ann"
    done = run(PROGRAM, tmp_path, *arguments, said="dF1-F5\nlist\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^1\. .?dF1-F5 ", done.stdout, re.MULTILINE)
    assert "Random" in done.stdout
    resumed = run(PROGRAM, tmp_path, "resume", "--list")
    assert "Ann" in resumed.stdout


@pytest.mark.slow
def test_what_only_posix_can_do_is_told_or_left_out(tmp_path: Path) -> None:
    done = run(PROGRAM, tmp_path, "doctor")
    assert (done.returncode, done.stderr) == (0, "")
    engine = run(PROGRAM, tmp_path, "engine", "--player", "random", said="uci\nquit\n")
    assert "uciok" in engine.stdout
    quick = "random", "random", "--variant", "football", "--matches", "1"
    judged = run(PROGRAM, tmp_path, "arena", *quick)
    assert (judged.returncode, judged.stderr) == (0, "")


@pytest.mark.slow
def test_the_board_is_played_on(tmp_path: Path) -> None:
    done = run(BOARD, tmp_path, str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "2 moves\n"


def test_the_terminal_is_restored_at_an_end_in_the_middle(tmp_path: Path) -> None:
    done = run(RESTORED, tmp_path)
    assert (done.stdout, done.stderr) == ("restored\n", "")


def test_a_club_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = run(PROGRAM, tmp_path, "serve")
    assert done.returncode == 2
    assert done.stderr == "thud serve: a club needs Linux, macOS or a similar system\n"
