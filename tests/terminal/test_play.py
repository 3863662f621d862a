"""Battles played in a pseudo-terminal, by terminal input and screen output."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from sampling import sampled
from saving import begin
from terminal.emulator import Terminal
from terminal.player import (
    Player,
    by_application_keys,
    by_clicks,
    by_dragging,
    by_numpad,
    by_text,
    plain_moves,
    settings,
)
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

THUD = (sys.executable, "-m", "thud")
ALTERNATE_SCREEN = 1049
MOUSE = (1000, 1003, 1006)
SHOWN_CURSOR = 25
WAYS = (by_numpad, by_clicks, by_text, by_application_keys, by_dragging)


@contextmanager
def playing(
    directory: Path, *arguments: str, variant: str = "classic", size: tuple[int, int] = (80, 24)
) -> Iterator[Player]:
    """Start the program and wait for its board."""
    command = [*THUD, *(arguments or ("play", "--variant", variant))]
    with Terminal(command, size, settings(directory)) as terminal:
        player = Player(terminal, Battle(VARIANTS[variant]))
        player.wait_for_board()
        yield player


def play_some(player: Player, moves: int, seed: int = 0) -> None:
    """Play random moves, captures first, each by another method."""
    rng = random.Random(seed)
    for _, way in zip(range(moves), cycle(WAYS)):
        choices = plain_moves(player.battle)
        captures = [move for move in choices if move.captures]
        player.play(way, rng.choice(captures or choices))


@pytest.mark.parametrize("variant", sampled(["classic", "koom"], 2))
def test_a_battle_is_played_by_keys_mouse_and_text(
    tmp_path: Path, variant: str, full: bool
) -> None:
    with playing(tmp_path, variant=variant) as player:
        play_some(player, 20 if full else len(WAYS))
        assert any(move.captures for move in player.battle.moves)


@pytest.mark.slow
@pytest.mark.parametrize("ended_by", sampled(["SIGTERM", "SIGQUIT", "SIGUSR1", "closing"], 4))
def test_a_program_that_is_ended_leaves_the_terminal_and_the_match_in_order(
    tmp_path: Path, ended_by: str
) -> None:
    with playing(tmp_path) as player:
        assert all(player.terminal.has_mode(mode) for mode in (ALTERNATE_SCREEN, *MOUSE))
        play_some(player, 3)
        if ended_by == "closing":
            player.terminal.disconnect()
            player.terminal.process.wait(60)
        else:
            number = getattr(signal, ended_by)
            player.terminal.signal(number)
            assert player.terminal.wait_for_end() == 128 + number
            assert not any(player.terminal.has_mode(mode) for mode in (ALTERNATE_SCREEN, *MOUSE))
            assert player.terminal.has_mode(SHOWN_CURSOR)
    with Terminal([*THUD, "resume"], (80, 24), settings(tmp_path)) as terminal:
        again = Player(terminal, player.battle)
        again.wait_for_board()
        again.play(by_text, plain_moves(player.battle)[0])


FLOODING = """
import os, sys
from thud.tui import signals
from thud.tui.textual_fixes import FixedApp

def refuse_to_write(event, arguments):
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        raise PermissionError(arguments[0])

class Flooding(FixedApp):
    def on_mount(self):
        sys.addaudithook(refuse_to_write)
        signals._TIMEOUT = 0.1
        signals.install_handlers(self)
        self.call_later(self.draw)

    def draw(self):
        while True:
            self._driver.write("drawn" * 1000)

Flooding().run()
"""
"""An app that draws without end, and may open no file to write, like a visitor's in a club."""


@pytest.mark.slow
@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGQUIT], 2))
def test_a_program_whose_terminal_does_not_read_leaves_it_in_order(number: signal.Signals) -> None:
    with Terminal([sys.executable, "-c", FLOODING]) as terminal:
        terminal.wait_for("drawn")
        terminal.signal(number)
        assert terminal.process.wait(60) == 128 + number
        terminal.wait_for_end()
        assert not any(terminal.has_mode(mode) for mode in (ALTERNATE_SCREEN, *MOUSE))
        assert terminal.has_mode(SHOWN_CURSOR)


@pytest.mark.slow
def test_a_program_that_ignores_the_end_of_its_terminal_ends_all_the_same(tmp_path: Path) -> None:
    nohup = ("sh", "-c", "trap '' HUP; exec \"$@\"", "sh")
    with Terminal([*nohup, *THUD, "edit"], (80, 24), settings(tmp_path)) as terminal:
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.disconnect()
        assert terminal.process.wait(60) == 128 + signal.SIGHUP


def test_a_program_that_is_ended_while_it_shows_a_bar_shows_the_cursor_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "one.tgn").write_text(tgn_text(begun()))
    command = [*THUD, "review", str(tmp_path / "one.tgn"), "--nodes", "100000000"]
    with Terminal(command, (80, 24), settings(tmp_path)) as terminal:
        terminal.wait_for(lambda: not terminal.has_mode(SHOWN_CURSOR))
        terminal.signal(signal.SIGTERM)
        assert terminal.wait_for_end() == 128 + signal.SIGTERM
        assert terminal.has_mode(SHOWN_CURSOR)


LATE = """
import asyncio, os
from signal import SIGTSTP
from thud.tui.textual_fixes import FixedApp

class Late(FixedApp):
    def on_mount(self):
        self.exit()

    async def on_unmount(self):
        os.kill(os.getpid(), SIGTSTP)
        await asyncio.sleep(0.1)

Late().run()
os.kill(os.getpid(), SIGTSTP)
"""
"""An app that is to be stopped while it ends, and afterwards."""


@pytest.mark.slow
def test_a_program_that_ends_is_not_stopped_and_leaves_the_terminal_in_order() -> None:
    with Terminal([sys.executable, "-c", LATE]) as terminal:
        assert terminal.wait_for_end() == 0
        assert not any(terminal.has_mode(mode) for mode in (ALTERNATE_SCREEN, *MOUSE))


UNTOLD = """
import os, signal
from thud.tui.textual_fixes import FixedApp

class Untold(FixedApp):
    def on_mount(self):
        signal.signal(signal.SIGCONT, signal.SIG_IGN)

    def on_key(self, event):
        self.exit() if event.key == "x" else os.kill(os.getpid(), signal.SIGTSTP)

Untold().run()
"""
"""An app that stops at a key, ends at x, and does not hear that it goes on."""


WOKEN = """
import os, signal
from textual.drivers.linux_driver import LinuxDriver
from thud.tui.textual_fixes import FixedApp

stop = LinuxDriver.stop_application_mode

def wake_and_stop(self):
    os.kill(os.getpid(), signal.SIGCONT)
    stop(self)

LinuxDriver.stop_application_mode = wake_and_stop

class Woken(FixedApp):
    def on_key(self, event):
        self.exit() if event.key == "x" else os.kill(os.getpid(), signal.SIGTSTP)

Woken().run()
"""
"""An app that stops at a key, ends at x, and hears while it stops that it goes on."""


def wait_until_stopped(terminal: Terminal) -> None:
    stopped = os.WSTOPPED | os.WNOHANG
    terminal.wait_for(lambda: bool(os.waitid(os.P_PID, terminal.process.pid, stopped)))


@pytest.mark.slow
@pytest.mark.parametrize("app", [UNTOLD, WOKEN], ids=["nobody does", "too early"])
def test_a_stopped_program_goes_on_if_nobody_says_so_or_says_so_too_early(app: str) -> None:
    with Terminal([sys.executable, "-c", app]) as terminal:
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("s")
        wait_until_stopped(terminal)
        terminal.wait_for(lambda: not terminal.has_mode(ALTERNATE_SCREEN))
        terminal.signal(signal.SIGCONT)
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("x")
        assert terminal.wait_for_end() == 0


INTERRUPTED = """
import asyncio, os, signal
from thud.tui.textual_fixes import FixedApp

class Interrupted(FixedApp):
    async def on_mount(self):
        os.kill(os.getpid(), signal.SIGTSTP)
        await asyncio.sleep(3600)

try:
    Interrupted().run()
except KeyboardInterrupt:
    pass
"""
"""An app that stops before it has begun, and ends with an interrupt."""


@pytest.mark.slow
def test_a_program_that_was_interrupted_while_it_was_stopped_leaves_the_terminal_in_order() -> None:
    with Terminal([sys.executable, "-c", INTERRUPTED]) as terminal:
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        wait_until_stopped(terminal)
        terminal.signal(signal.SIGINT)
        terminal.signal(signal.SIGCONT)
        assert terminal.wait_for_end() == 0
        assert not any(terminal.has_mode(mode) for mode in (ALTERNATE_SCREEN, *MOUSE))


JOB = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
program = subprocess.Popen([sys.executable, "-c", sys.argv[1]], process_group=0)
os.tcsetpgrp(0, program.pid)
os.waitid(os.P_PID, program.pid, os.WSTOPPED)
os.tcsetpgrp(0, os.getpgrp())
sys.stdin.readline()
for group in (os.getpgrp(), program.pid):
    os.tcsetpgrp(0, group)
    os.killpg(program.pid, signal.SIGCONT)
    os.waitid(os.P_PID, program.pid, os.WSTOPPED | os.WEXITED)
"""
"""A shell whose user types bg and fg at Enter, once the program is stopped."""


@pytest.mark.slow
def test_a_program_that_is_sent_to_the_background_comes_back_to_the_foreground() -> None:
    app = UNTOLD.replace("signal.signal(signal.SIGCONT, signal.SIG_IGN)", "pass")
    with Terminal([sys.executable, "-c", JOB, app]) as terminal:
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("s")
        terminal.wait_for(lambda: not terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("\r")
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("x")
        assert terminal.wait_for_end() == 0


TOLD_LATE = """
import asyncio, os, signal
from asyncio.selector_events import BaseSelectorEventLoop
from thud.tui.textual_fixes import FixedApp

close = BaseSelectorEventLoop._close_self_pipe

def close_and_go_on(self):
    close(self)
    os.kill(os.getpid(), signal.SIGCONT)

BaseSelectorEventLoop._close_self_pipe = close_and_go_on

class Told(FixedApp):
    def on_mount(self):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)

    def on_key(self):
        self.exit()

Told().run()
"""
"""An app that ends at a key, and is told that it goes on while its loop is closed."""


@pytest.mark.slow
def test_a_signal_at_the_end_of_a_program_leaves_no_warning() -> None:
    with Terminal([sys.executable, "-c", TOLD_LATE]) as terminal:
        terminal.wait_for(lambda: terminal.has_mode(ALTERNATE_SCREEN))
        terminal.send("x")
        assert terminal.wait_for_end() == 0
        assert "Exception ignored" not in terminal.text


SIZES: tuple[Callable[[random.Random], tuple[int, int]], ...] = (
    lambda rng: (rng.randint(1, 40), rng.randint(1, 20)),
    lambda rng: (rng.randint(40, 130), rng.randint(15, 45)),
    lambda rng: (rng.randint(130, 467), rng.randint(45, 145)),
)
"""Random sizes: too small, usual, huge."""


@pytest.mark.slow
def test_the_game_goes_on_after_each_storm_of_resizes(tmp_path: Path) -> None:
    rng = random.Random(200)
    with playing(tmp_path) as player:
        for seed, size in enumerate([(80, 24), (120, 40), (79, 23), (467, 145)]):
            for _ in range(50):
                player.terminal.resize(*rng.choice(SIZES)(rng))
                player.terminal.send(*rng.choices(["\x1b[C", "\x1b[A", "\t"], k=2))
                player.terminal.drain(rng.choice((0, 0, 0.01, 0.1)))
            player.terminal.drain(1)
            player.terminal.resize(30, 8)
            player.terminal.wait_for("30x8")
            player.terminal.resize(*size)
            player.terminal.settle(1)
            player.wait_for_board()
            player.play(by_clicks, plain_moves(player.battle)[seed])
            play_some(player, 2, seed)


@pytest.mark.parametrize("kind", sampled(["dumb", "unknown"], 2))
@pytest.mark.parametrize("arguments", sampled([("play",), ("resume",), ()]))
def test_a_terminal_that_cannot_be_drawn_on_is_told_of_the_plain_mode(
    tmp_path: Path, kind: str, arguments: tuple[str, ...]
) -> None:
    variables = settings(tmp_path) | {"TERM": kind}
    saved = begin(Store(tmp_path / "data"), Match(VARIANTS["classic"]))
    saved.write(begun())
    saved.close()
    with Terminal([*THUD, *arguments], (100, 30), variables) as terminal:
        assert terminal.wait_for_end() == 2
        told = " ".join(terminal.text.split())
    instead = "--plain" if arguments else "'thud play --plain'"
    assert f"cannot be drawn on a '{kind}' terminal: use {instead} instead" in told


def test_a_terminal_reports_sizes_and_pixels_only_while_it_is_drawn_on(tmp_path: Path) -> None:
    variables = settings(tmp_path)
    with Terminal([*THUD, "play"], (100, 30), variables, answers=False) as terminal:
        for mode in _REPORTS:
            terminal.screen.set_mode(mode, private=True)  # as a killed program leaves them
        Player(terminal, Battle(VARIANTS["classic"])).wait_for_board()
        terminal.settle()
        assert not any(map(terminal.has_mode, _REPORTS))
        terminal.send("\x1b[?2048;2$y")
        terminal.wait_for(lambda: all(map(terminal.has_mode, _REPORTS)))
        terminal.send("q\x1b[?2048;2$y")
        assert terminal.wait_for_end() == 0
        assert not any(map(terminal.has_mode, _REPORTS))


def test_a_terminal_that_is_gone_is_no_fault(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [*THUD, "--log", str(log), "play"]
    with Terminal(command, (100, 30), settings(tmp_path)) as terminal:
        player = Player(terminal, Battle(VARIANTS["classic"]))
        player.wait_for_board()
        play_some(player, 1)
        terminal.disconnect()
        assert terminal.process.wait(60) == 128 + signal.SIGHUP
    assert "Traceback" not in log.read_text()


_REPORTS = 1016, 2048
"""Reports of the mouse in pixels, and of sizes."""


def begun() -> Record:
    """Return the record of a match of one move."""
    match = Match(VARIANTS["classic"])
    match.battle.play(plain_moves(match.battle)[0])
    return Record.of(match)
