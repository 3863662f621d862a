"""What a club loses when its processes are killed.

Usage: python benchmarks/club_faults.py [TIMES] [SEED]

A real `thud serve` keeps a table with a clock.  Two players sit at it by the lines that visitors'
processes use.  Between moves, and while one is on its way, something is killed with SIGKILL: the
keeper of the tables, the whole club, or the line of a player.  The club is then started again.
Afterwards both players have to be back at the board by themselves, with every move that was
acknowledged, and their clocks must have run, but for the time in which there was no keeper.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.net.host_connection import Caller, Tokens
from thud.net.remote import Remote
from thud.net.transports.local import LocalTransport
from thud.rules.position import Side
from thud.rules.variant import IllegalMove
from thud.session.view import TooLate
from thud.tui.club.tables import TableLine

COMMAND: Final = (sys.executable, "-P", "-m", "thud", "serve", "--web", "0")
PATIENCE: Final = 60.0
KINDS: Final = ("keeper", "club", "line")


class Club:
    """A `thud serve` that is killed and started again."""

    def __init__(self) -> None:
        self.process = self._started()

    @staticmethod
    def _started() -> subprocess.Popen[str]:
        process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        process.stdout.readline()
        return process

    def keeper(self) -> int:
        """Return the process that keeps the tables, 0 if there is none just now."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                parent = int(path.read_text().rpartition(")")[2].split()[1])
                command = (path.parent / "cmdline").read_text()
                if parent == self.process.pid and "thud.club.keeper" in command:
                    return int(path.parent.name)
        return 0

    def kill(self, kind: str) -> None:
        """Kill the keeper, or the club, which is started again."""
        if kind == "club":
            self.process.kill()
            self.process.wait()
            self.process = self._started()
        elif keeper := self.keeper():
            os.kill(keeper, signal.SIGKILL)

    def end(self) -> None:
        """Close it in good order."""
        self.process.terminate()
        self.process.wait()


class Player:
    """A visitor's process, as far as a table has to do with it."""

    def __init__(self, directory: Path, name: str) -> None:
        self.name = name
        self._directory = directory / (name[0].lower() * 32)
        self._directory.mkdir()
        self.line = TableLine(lambda: name, lambda: None, "", self._directory)
        self._tasks = [asyncio.create_task(self.line.run())]
        self.remote: Remote

    async def sit_down(self, table: str) -> None:
        """Take a seat, and keep it."""
        caller = Caller(self.name, named=False)
        transport = LocalTransport(table)
        self.remote = await Remote.joined(transport, caller, tokens=Tokens(self._directory))
        await self.remote.begin()
        self._tasks.append(asyncio.create_task(self.remote.run()))

    def break_line(self) -> None:
        """Have the line break."""
        self.remote._connection.cut("")

    async def go(self) -> None:
        """Leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def main(times: int, seed: int) -> int:
    """Kill something so often; print what was lost; return the exit status."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="thud-faults-") as name:
        directory = Path(name)
        for kind in ("DATA", "RUN", "CONFIG", "CACHE"):
            os.environ[f"THUD_{kind}_DIR"] = str(directory / kind.lower())
        club = Club()
        players = [Player(directory, "Ann"), Player(directory, "Bob")]
        await players[0].line.known.wait()
        opened = await players[0].line.ask("open", variant="koom", clock="600")
        for each in players:
            await each.sit_down(str(opened["id"]))
        lost = refused = 0
        acknowledged: list[str] = []
        longest = first = 0.0
        killed = dict.fromkeys(KINDS, 0)
        began = time.monotonic()
        for number in range(times):
            moving = players[len(acknowledged) % 2].remote
            kind = chance.choice(KINDS)
            killing = asyncio.create_task(_kill(club, players, kind, chance))
            try:
                move = chance.choice([*moving.battle.variant.legal_moves(moving.battle.position)])
                await moving.play(move)
                acknowledged.append(str(move))
                first = first or time.monotonic()
            except (IllegalMove, TooLate):
                refused += 1
            await killing
            killed[kind] += 1
            since = time.monotonic()
            if not await _all_back(players):
                print(f"after {number + 1} ({kind}): somebody is not back at the board")
                lost += 1
                break
            longest = max(longest, time.monotonic() - since)
            played = [str(each) for each in players[0].remote.battle.moves]
            if played[: len(acknowledged)] != acknowledged:
                print(f"after {number + 1} ({kind}): an acknowledged move is lost")
                lost += 1
            # A move may have been played whose acknowledgement was lost.
            acknowledged = played
            if players[0].remote.battle.outcome:
                break
        clock, passed = players[0].remote.clock, time.monotonic() - first
        assert clock
        full = clock.control.whole(clock.control.full)
        used = sum(full - clock.whole(side) for side in Side) / 1000
        print(f"killed: {killed}; moves {len(acknowledged)}, refused {refused}, lost {lost}")
        print(f"the clocks ran for {used:.1f} s of {passed:.1f} s since the first move")
        print(f"back at the board after {longest:.1f} s at most")
        print(f"{time.monotonic() - began:.0f} s in all")
        for each in players:
            await each.go()
        club.end()
        return int(lost > 0)


async def _kill(club: Club, players: list[Player], kind: str, chance: random.Random) -> None:
    await asyncio.sleep(chance.random() * 0.05)
    if kind == "line":
        chance.choice(players).break_line()
    else:
        await asyncio.to_thread(club.kill, kind)


async def _all_back(players: list[Player]) -> bool:
    """Wait until both have a line to the table again, and see the same; return False if not."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        await asyncio.sleep(0.05)
        remotes = [each.remote for each in players]
        same = remotes[0].battle.moves == remotes[1].battle.moves
        present = all(not each.lost and not each.company.missing for each in remotes)
        if same and present:
            return True
    return False


if __name__ == "__main__":
    arguments = [*map(int, sys.argv[1:])]
    sys.exit(asyncio.run(main(*(arguments + [200, 1][len(arguments) :]))))
