"""Make a network from nothing, in generations of battles.

Usage: python tools/make_net.py VARIANT DIRECTORY --selfplay PROGRAM [--after FILE.net]
           [--stage GENERATIONS BATTLES NODES]... [--jobs 2]

Needs numpy; PROGRAM is core's `selfplay`.  The first battles are between networks of random
weights, or FILE.net against itself.  In the others a player is the newest network in three cases of
four, else an earlier one.  Each generation goes on from the network before, and learns from its own
battles and those of the three generations before it, half from their results and half from what the
search expected.  A stage is a number of generations, with the battles of each and the positions
searched a move in them.  Battles are played in `--jobs` processes, each with a file and a seed of
its own.

An interrupted run goes on where it was, with as many jobs.  More generations in the last stage, or
more stages, continue it.
`manifest.json` in the directory has the command that made each file, the hashes of all files and of
both programs.  Records are the same on every machine; networks apart from the order in which a
machine adds.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, Final

import train_net
from thud.disk.atomic import write_atomic

_SEED: Final = 1000
"""The seed of the first weights; each generation's battles have ten of the next."""

_STAGES: Final = [(12, 800, 400), (16, 1600, 1000), (6, 1600, 2000)]
"""Generations, battles of each, and positions a move."""

_WINDOW: Final = 4
"""How many generations a network learns from: in older battles the dwarfs do not yet hold."""

_LEARNT: Final = ["--rate", "0.0015", "--epochs", "3", "--batch", "1024"]
"""How a generation is learnt."""


class Maker:
    """Makes files by commands, and writes down by which.

    Args:
        directory: where the files are.
        programs: what to run for the first word of a command; its last word is a file.
    """

    def __init__(self, directory: Path, programs: dict[str, list[str]]) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory, self._programs = directory, programs
        self._path = directory / "manifest.json"
        self._writing = Lock()
        self._manifest: dict[str, Any] = (
            json.loads(self._path.read_text()) if self._path.exists() else {"made": {}}
        )
        now = {name: train_net.sha256(Path(words[-1])) for name, words in programs.items()}
        if self._manifest.setdefault("programs", now) != now:
            sys.exit(f"{directory} was begun by other programs. Choose another directory.")

    def make(self, file: str, *command: object) -> None:
        """Make a file, unless it was made by the same command before."""
        words = [*map(str, command)]
        path = self._directory / file
        made = self._manifest["made"].get(file)
        if made and path.exists():
            if made != {"command": words, "sha256": train_net.sha256(path)}:
                sys.exit(f"{path} was made otherwise. Choose another directory.")
            return
        # What an interrupted run left, to which 'selfplay' would append.
        path.unlink(missing_ok=True)
        called = [*self._programs.get(words[0], words[:1]), *words[1:]]
        if subprocess.run(called, cwd=self._directory, check=False).returncode:
            sys.exit(f"{path} could not be made.")
        with self._writing:
            self._manifest["made"][file] = {"command": words, "sha256": train_net.sha256(path)}
            write_atomic(self._path, f"{json.dumps(self._manifest, indent=2)}\n".encode())

    def battles(
        self, variant: str, number: int, nodes: int, battles: int, jobs: int, *players: str
    ) -> list[str]:
        """Make a generation's battles, all files at once; return the files of their records.

        Args:
            variant: the game.
            number: the generation's, from 1.
            nodes: positions a move; from half as many to twice as many.
            battles: how many.
            jobs: the number of files.
            players: the networks among which players are chosen.
        """

        def play(part: int) -> str:
            records, kinds = f"{number}-{part}.bin", f"{number}-{part}.kinds"
            count = (battles + part) // jobs
            generate = "generate", variant, count, _SEED + 10 * number + part, nodes, records
            self.make(records, "selfplay", *generate, *players)
            self.make(kinds, "selfplay", "kinds", variant, records, kinds)
            return records

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(play, range(jobs)))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=train_net.GAMES)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--selfplay", type=Path, required=True)
    parser.add_argument("--after", type=Path, help="the network of the first battles")
    parser.add_argument(
        "--stage",
        type=int,
        nargs=3,
        action="append",
        metavar=("GENERATIONS", "BATTLES", "NODES"),
        help=f"default {_STAGES}",
    )
    parser.add_argument("--jobs", type=int, choices=range(1, 11), default=2)
    options = parser.parse_args()
    variant, stages = options.variant, options.stage or _STAGES
    if not options.selfplay.is_file():
        parser.error(f"there is no program {options.selfplay}")
    if min(map(min, stages)) < 1:
        parser.error("a stage has a generation, a battle and a position at least")
    programs = {
        "selfplay": [str(options.selfplay.resolve())],
        "train_net.py": [sys.executable, str(Path(train_net.__file__).resolve())],
    }
    maker = Maker(options.directory, programs)
    if options.after:
        maker.make("0.net", "cp", options.after.resolve(), "0.net")
    else:
        maker.make("0.net", "train_net.py", variant, "0.net", "--epochs", 0, "--seed", _SEED)
    played = list[list[str]]()
    for generations, battles, nodes in stages:
        for _ in range(generations):
            number = len(played) + 1
            newest, earlier = f"{number - 1}.net", f"{max(0, number - _WINDOW)}.net"
            players = newest, newest, newest, earlier
            played.append(maker.battles(variant, number, nodes, battles, options.jobs, *players))
            # What networks of random weights expected teaches nothing.
            expected = 0 if number == 1 and not options.after else 0.5
            records = [file for files in played[-_WINDOW:] for file in files]
            goes_on = *records, "--after", newest, "--expected", expected, *_LEARNT
            maker.make(f"{number}.net", "train_net.py", variant, f"{number}.net", *goes_on)


if __name__ == "__main__":
    main()
