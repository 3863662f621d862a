"""Networked matches under fault injection: no acknowledged move may be lost.

Usage: python trials/net_faults.py [--local N] [--ssh N] [--at-once N] [--seed N]

Each match has a host, `thud host --plain`, and two guests, each a process.  The guests play random
moves, agree to end the battle, swap sides and play another.  Meanwhile guests, host, ssh and its
remote end are killed (-9), and connections are delayed or cut in mid-message.  In the end every
move acknowledged to a guest must be in the host's record, both guests must have the same match,
and no process or open match may be left.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from thud.net import host_connection
from thud.net.host_connection import Caller, TurnedAway
from thud.net.remote import Remote
from thud.net.transports.invitation import parse_goal
from thud.net.transports.resolve import transport_to
from thud.net.transports.ssh import SshTransport
from thud.net.transports.transport import Streams, Transport
from thud.records.formats import open_named
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.variant import IllegalMove
from thud.session.events import ConnectionLost, Event, ProposeEnd
from thud.session.law import Answer, NextBattle, Play
from thud.session.state import TooLate

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


THUD: Final = [sys.executable, "-m", "thud"]
VARIANTS: Final = ("classic", "single", "koom", "football")
TIMEOUT: Final = 90.0
"""Time limit for a match in seconds, with all its faults."""

_DISPLACED: Final = 3

Moves = list[list[str]]
"""The moves of each battle."""


def moves_of(match: Match) -> Moves:
    """Return the moves of a match, battle by battle."""
    return [
        [
            move_text(position, move)
            for position, move in zip(battle.positions, battle.moves, strict=False)
        ]
        for battle in match.battles
    ]


# A guest process


class FaultyTransport:
    """A transport that delays data, and sometimes breaks in the middle of a message."""

    def __init__(self, way: Transport, rng: Random) -> None:
        self._way = way
        self._rng = rng
        self._carrying: set[asyncio.Task[None]] = set()

    @property
    def secret(self) -> str:
        """The secret for the host."""
        return self._way.secret

    async def open(self) -> Streams:
        """Open a new connection to the host."""
        far = await self._way.open()
        one, other = socket.socketpair()
        middle = await asyncio.open_connection(sock=other)
        writers = (far[1], middle[1])
        for source, sink in ((far[0], middle[1]), (middle[0], far[1])):
            task = asyncio.create_task(self._carry(source, sink, writers))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)
        return await asyncio.open_connection(sock=one)

    async def _carry(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        both: tuple[asyncio.StreamWriter, ...],
    ) -> None:
        with suppress(OSError):
            while data := await source.read(4096):
                if self._rng.random() < 0.2:
                    await asyncio.sleep(self._rng.random() * 0.05)
                breaks = self._rng.random() < 0.02
                sink.write(data[: self._rng.randrange(len(data))] if breaks else data)
                await sink.drain()
                if breaks:
                    break
        for writer in both:
            writer.close()


async def play(options: argparse.Namespace) -> None:
    """Play a match as a guest, and write its moves to the result file."""
    vars(host_connection)["PAUSES"] = (0.02, 0.05, 0.1, 0.2)
    rng = Random(f"{options.seed} {time.time_ns()}")
    way = transport_to(parse_goal(options.where), options.thud)
    with ExitStack() as after:
        if isinstance(way, SshTransport):
            after.callback(way.close)
        remote = await joined(FaultyTransport(way, rng), options.name)
        running = asyncio.create_task(remote.run())
        await remote.begin()
        with open(options.acknowledged, "a", encoding="utf-8", buffering=1) as file:
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, _describe, remote)
            while not remote.state.match.over:
                if running.done():
                    running.result()
                await step(remote, rng, options.plies, lambda *ply: print(*ply, file=file))
        await remote.settled()
        Path(options.result).write_text(json.dumps(moves_of(remote.state.match)), encoding="utf-8")
        await remote.leave()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def _describe(remote: Remote) -> None:
    """Print the guest's state and all tasks' stacks, for a match that does not end."""
    state = remote.state
    print(state.revision, state.left, state.turn.here, state.proposal, file=sys.stderr)
    for task in asyncio.all_tasks():
        task.print_stack()


async def joined(way: Transport, name: str) -> Remote:
    """Join, with retries: the host may need a moment to notice that a guest was killed."""
    until = time.monotonic() + TIMEOUT / 3
    while True:
        try:
            remote = await Remote.joined(way, Caller(name), store=Store())
        except (ValueError, OSError) as fault:
            lasting = isinstance(fault, TurnedAway) and not fault.again
            if time.monotonic() > until or (lasting and "taken" not in str(fault)):
                raise
            await asyncio.sleep(0.1)
        else:
            remote.subscribe(_give_up)
            return remote


def _give_up(event: Event) -> None:
    if isinstance(event, ConnectionLost) and event.for_good:
        print(f"turned away: {event.because}", file=sys.stderr, flush=True)
        os._exit(_DISPLACED if "taken" in event.because else 1)


async def step(remote: Remote, rng: Random, plies: int, acknowledged: Callable[..., None]) -> None:
    """Make the next move or answer, if any is due."""
    await asyncio.sleep(rng.random() * 0.02)
    state = remote.state
    battle, number = state.battle, state.match.number
    with suppress(IllegalMove, TooLate):
        if battle.outcome:
            if number == 1:
                await remote.request(NextBattle(), state.revision)
        elif asked := state.proposal:
            if state.seat_of(asked.by.other).is_local:
                await remote.request(Answer(True, asked.wish))
        elif state.turn.here and len(battle.moves) >= plies:
            await remote.request(ProposeEnd(), state.revision)
        elif state.turn.here:
            move = rng.choice(state.match.variant.legal_moves(battle.position))
            ply, text = len(battle.moves), move_text(battle.position, move)
            await remote.request(Play(move), state.revision)
            acknowledged(number, ply, text)


# The supervisor of a match


class Failed(Exception):
    """A check failed."""


class Place(NamedTuple):
    """Directory and environment of all matches of a run."""

    directory: Path
    environment: dict[str, str]
    ssh: str = ""
    """Address to put before the id of a match, if reached over ssh."""

    @property
    def run(self) -> Path:
        """The hosts' run directory."""
        return self.directory / "run"


class Supervisor:
    """One match with its host and guests, and the faults injected into it."""

    def __init__(self, place: Place, number: int, seed: int) -> None:
        self.rng = Random(f"{seed} {number} {place.ssh}")
        self.directory = place.directory / f"{'ssh' if place.ssh else 'local'}{number}"
        self.directory.mkdir()
        self.place = place
        self.variant = VARIANTS[number % len(VARIANTS)]
        self.plies = self.rng.randint(8, 24)
        self.faults: Counter[str] = Counter()
        self.id = ""
        self.guests: list[subprocess.Popen[bytes]] = []
        self.host = self._hosted(
            ["host", "--variant", self.variant, "--dwarfs", "guest", "--trolls", "guest"]
        )

    # Processes

    def _environment(self, who: str) -> dict[str, str]:
        return {**self.place.environment, "THUD_DATA_DIR": str(self.directory / who)}

    def _hosted(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start the host, and wait until it accepts guests."""
        log = self.directory / "host.log"
        log.write_bytes(b"")
        with log.open("ab") as output, (self.directory / "host.err").open("ab") as errors:
            host = subprocess.Popen(
                [*THUD, *command, "--plain"],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=errors,
                env=self._environment("host"),
            )
        until = time.monotonic() + TIMEOUT / 3
        while not (found := re.search(r"thud join (\w+)\n(?s:.*)thud watch", log.read_text())):
            if host.poll() is not None or time.monotonic() > until:
                raise Failed(f"the host does not open its match: {self._complaints()}")
            time.sleep(0.01)
        if self.id not in ("", found[1]):
            raise Failed(f"the host was {self.id}, and is {found[1]} now")
        self.id = found[1]
        return host

    def _complaints(self) -> str:
        return (self.directory / "host.err").read_text() + (self.directory / "host.log").read_text()

    def _guest(self, player: int) -> subprocess.Popen[bytes]:
        where = f"{self.place.ssh}/{self.id}" if self.place.ssh else self.id
        name = f"guest{player}"
        with (self.directory / f"{name}.err").open("ab") as errors:
            return subprocess.Popen(
                [
                    *(sys.executable, __file__, "--guest", where, "--name", name),
                    *("--plies", str(self.plies), "--seed", str(self.rng.random())),
                    *("--acknowledged", str(self.directory / f"{name}.acknowledged")),
                    *("--result", str(self.directory / f"{name}.json")),
                ],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env=self._environment(name),
            )

    # Faults

    def play(self) -> Counter[str]:
        """Run the match under faults; return how many of each were injected.

        Raises:
            Failed: a check failed.
        """
        until = time.monotonic() + TIMEOUT
        self.guests = [self._guest(player) for player in range(2)]
        left = self.rng.randint(0, 6)
        try:
            while any(guest.poll() is None for guest in self.guests):
                self._check_guests()
                if time.monotonic() > until:
                    self._let_describe()
                    raise Failed(f"the match does not end: see {self.directory}")
                time.sleep(self.rng.random() * 0.4)
                if left:
                    left -= self._break_something()
            self._check_guests()
            self._close_host()
            self._compare()
        finally:
            for process in (self.host, *self.guests):
                process.kill()
                process.wait()
        return self.faults

    def _let_describe(self) -> None:
        for guest in self.guests:
            if guest.poll() is None:
                guest.send_signal(signal.SIGUSR1)
        time.sleep(1)

    def _check_guests(self) -> None:
        for player, guest in enumerate(self.guests):
            if guest.poll() == _DISPLACED:
                # The host had not yet heard from this guest, and the other one took the seat.
                self.faults["displaced"] += 1
                self.guests[player] = self._guest(player)
            elif guest.poll():
                said = (self.directory / f"guest{player}.err").read_text()
                raise Failed(f"guest {player} ends with {guest.returncode}: {said[-3000:]}")

    def _break_something(self) -> bool:
        what = self.rng.choice(("guest", "guest", "host", *(["line"] if self.place.ssh else [])))
        done = getattr(self, f"_kill_{what}")()
        self.faults[what] += done
        return bool(done)

    def _kill_guest(self) -> bool:
        player = self.rng.randrange(2)
        guest = self.guests[player]
        if guest.poll() is not None:
            return False
        guest.kill()
        guest.wait()
        time.sleep(self.rng.choice((0, 0, 0.3)))
        self.guests[player] = self._guest(player)
        return True

    def _kill_host(self) -> bool:
        """Kill the host, then resume its match, or open another one if nothing was saved."""
        self.host.kill()
        self.host.wait()
        assert self.host.stdin
        self.host.stdin.close()
        if found := self._kept():
            self.host = self._hosted(["resume", found.stem])
            return True
        self.id = ""
        self.host = self._hosted(
            ["host", "--variant", self.variant, "--dwarfs", "guest", "--trolls", "guest"]
        )
        for player, guest in enumerate(self.guests):
            guest.kill()
            guest.wait()
            self.guests[player] = self._guest(player)
        return True

    def _kill_line(self) -> bool:
        """Kill ssh, or the relay at its remote end."""
        mine = {guest.pid for guest in self.guests}
        found = [
            pid
            for pid, command, parent in processes(str(self.place.run))
            if parent in mine or f"relay {self.id}" in command
        ]
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(self.rng.choice(found), signal.SIGKILL)
        return True

    def _close_host(self) -> None:
        """End the host by a signal or the end of its input, and check how it ends."""
        assert self.host.stdin
        how = self.rng.choice((None, signal.SIGTERM, signal.SIGHUP, signal.SIGINT))
        if how is None:
            self.host.stdin.close()
        else:
            self.host.send_signal(how)
        status = self.host.wait(TIMEOUT / 3)
        if status != (0 if how is None else 128 + how):
            raise Failed(f"the host ends with {status} after {how}: {self._complaints()[-3000:]}")
        if errors := (self.directory / "host.err").read_text():
            raise Failed(f"the host complains: {errors[-3000:]}")
        if left := [*self.place.run.glob(f"*{self.id}*")]:
            raise Failed(f"the match still seems to be open: {left}")

    # Results

    def _kept(self) -> Path | None:
        return next((self.directory / "host" / "matches").glob("*.tgn"), None)

    def _compare(self) -> None:
        path = self._kept()
        assert path is not None
        record, _ = open_named(str(path), None)
        host = moves_of(record.match())
        for player in range(2):
            name = f"guest{player}"
            known = json.loads((self.directory / f"{name}.json").read_text(encoding="utf-8"))
            if known != host:
                raise Failed(f"{name} knows {known}, and the host {host}")
            for number, ply, move in self._acknowledged(name):
                if len(host[number - 1]) <= ply or host[number - 1][ply] != move:
                    raise Failed(f"{move} was acknowledged as {ply} in battle {number}: {host}")
                self.faults["acknowledged"] += 1

    def _acknowledged(self, name: str) -> Iterator[tuple[int, int, str]]:
        path = self.directory / f"{name}.acknowledged"
        for told in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            number, ply, move = told.split()
            yield int(number), int(ply), move


def processes(mark: str) -> Iterator[tuple[int, str, int]]:
    """Yield the id, command and parent of processes with a text in their environment."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (path / "environ").read_bytes() and int(path.name) != os.getpid():
                command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                stat = (path / "stat").read_text().rpartition(")")[2].split()
                if stat[0] != "Z":
                    yield int(path.name), command, int(stat[1])


# Runs


def run(place: Place, number: int, at_once: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Run a number of matches; return the faults injected in all, and the failures."""
    happened: Counter[str] = Counter()
    failed = []

    def one(each: int) -> None:
        try:
            happened.update(Supervisor(place, each, seed).play())
        except Exception as fault:
            failed.append(f"{'ssh' if place.ssh else 'local'} match {each}: {fault!s}")
            print(failed[-1], flush=True)

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(number)))
    return happened, failed


def left_behind(place: Place) -> list[str]:
    """Return the processes and files of a run that are still there after a grace period."""
    until = time.monotonic() + 60
    while left := [command for _, command, _ in processes(str(place.run))]:
        if time.monotonic() > until:
            break
        time.sleep(0.2)
    return left + [str(path) for path in place.run.iterdir() if path.name != ".lock"]


def whole_run(
    directory: Path, local: int = 0, ssh: int = 0, at_once: int = 2, seed: int = 0
) -> list[str]:
    """Run matches on this machine and over ssh; return the failures."""
    environment = {**os.environ, "THUD_RUN_DIR": str(directory / "run")}
    (directory / "run").mkdir(mode=0o700)
    failed: list[str] = []
    with ExitStack() as stack:
        places = [(Place(directory, environment), local)]
        if ssh:
            from net.sshd import running

            os.environ["THUD_RUN_DIR"] = environment["THUD_RUN_DIR"]
            (directory / "sshd").mkdir(mode=0o700)
            sshd = stack.enter_context(running(directory / "sshd"))
            del os.environ["THUD_RUN_DIR"]
            over = {**environment, "THUD_SSH_COMMAND": sshd.command}
            places.append((Place(directory, over, sshd.url), ssh))
        for place, number in places:
            began = time.monotonic()
            happened, faults = run(place, number, at_once, seed)
            failed += faults
            if number:
                told = ", ".join(f"{what} {times}" for what, times in sorted(happened.items()))
                kind = "over ssh" if place.ssh else "on this machine"
                seconds = time.monotonic() - began
                print(
                    f"{number} matches {kind} in {seconds:.0f} s: {len(faults)} failed; {told}",
                    flush=True,
                )
    if left := left_behind(places[0][0]):
        failed.append(f"left behind: {left}")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--local", type=int, default=8)
    parser.add_argument("--ssh", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--keep", action="store_true", help="keep the directory of the run")
    for name in ("--guest", "--name", "--acknowledged", "--result"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--plies", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.guest:
        options.where = options.guest
        options.thud = str(Path(sys.executable).with_name("thud"))
        asyncio.run(play(options))
        return
    directory = tempfile.mkdtemp(prefix="thud-faults-")
    failed = whole_run(Path(directory), options.local, options.ssh, options.at_once, options.seed)
    print(*failed, sep="\n")
    print(f"{len(failed)} faults")
    if not options.keep and not failed:
        subprocess.run(["rm", "-r", shlex.quote(directory)], check=True)
    else:
        print(directory)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
