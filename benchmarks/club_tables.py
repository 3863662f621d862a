"""Cost of the keeper of a club's tables while nobody sits at them.

Usage: python benchmarks/club_tables.py [TABLES] [MOVES]

Opens tables and plays some moves at each, half of them with a clock in days.  Then starts a new
keeper with one table, and one with all of them.  Memory is proportional set size (PSS), so this
runs on Linux only.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

sys.path.pop(0)  # the directory of club.py, which would hide the package `club`
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from club.test_keeper import Guest, kept
from thud.club.storage import club_directory
from thud.net.remote import Remote
from thud.session.law import Play
from waiting import until

QUIET: Final = 20.0
"""Seconds over which processor time is taken."""

TICKS: Final = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Cost of a keeper.

    Attributes:
        start: seconds, and seconds of processor time, until its tables are open.
        idle: percent of one core.
        memory: MB.
    """

    start: tuple[float, float]
    idle: float
    memory: float

    def __str__(self) -> str:
        """Return the cost as one line."""
        wall, used = self.start
        return (
            f"open after {wall:.2f} s ({used:.2f} s of processor time), "
            f"idle {self.idle:.2f} %, {self.memory:.1f} MB"
        )


async def play(tables: range, moves: int) -> None:
    """Open tables and play a number of moves at each."""
    chance, directory = random.Random(1), club_directory()
    async with kept(directory):
        for number in tables:
            pair = [Guest(directory, f"{2 * number + at:032x}", "AB"[at]) for at in (0, 1)]
            table = await pair[0].opens(clock="3d" if number % 2 else "")
            players = [await each.sits_down(table) for each in pair]
            for turn in range(moves):
                by = players[turn % 2]
                await until(partial(_has_played, by, turn))
                battle = by.state.battle
                legal = [*battle.variant.legal_moves(battle.position)]
                await by.request(Play(chance.choice(legal)))
            for each in pair:
                await each.goes()


def _has_played(remote: Remote, moves: int) -> bool:
    return len(remote.state.battle.moves) == moves


def measure() -> Cost:
    """Start a keeper and leave it idle; return its cost."""
    began = time.perf_counter()
    command = [sys.executable, "-P", "-m", "thud.club.keeper"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        start = time.perf_counter() - began, _used(process.pid)
        time.sleep(3)
        before = _used(process.pid)
        time.sleep(QUIET)
        idle = 100 * (_used(process.pid) - before) / QUIET
        rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        process.stdin.close()
    kilobytes = next(line.split()[1] for line in rollup.splitlines() if line.startswith("Pss:"))
    return Cost(start, idle, int(kilobytes) / 1024)


def _used(process: int) -> float:
    stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / TICKS


def main(tables: int = 100, moves: int = 60) -> None:
    """Print the cost of one table and of many."""
    with tempfile.TemporaryDirectory(prefix="thud-tables-") as directory:
        for kind in ("DATA", "RUN", "CONFIG", "CACHE"):
            os.environ[f"THUD_{kind}_DIR"] = f"{directory}/{kind.lower()}"
        Path(directory, "run").mkdir(mode=0o700)
        asyncio.run(play(range(1), moves))
        one = measure()
        asyncio.run(play(range(1, tables), moves))
        many = measure()
    print(f"1 table, {moves} moves: {one}")
    each = (many.memory - one.memory) / (tables - 1)
    print(f"{tables} tables, {moves} moves each: {many}, {each:.3f} MB a table")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
