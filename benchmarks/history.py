"""Processor time of the lists of saved matches, as the number of matches grows.

Usage: python benchmarks/history.py [MATCHES ...]

The matches are battles of the corpus, all finished and rated.  Each list is made by a process of
its own: with no match, then with all of them for the first time, then again.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from thud.explore.files import corpus_of
from thud.records.formats import read_file
from thud.records.programs import written
from thud.records.store import SUFFIX
from thud.records.tgn.writer import tgn_text
from thud.rules.variants import VARIANTS

MATCHES: Final = (1_000, 10_000)
COMMANDS: Final = (["history"], ["resume", "--list"])
LIMIT: Final = 0.3
"""Limit in seconds for any list but the first."""

SETTLED: Final = 4
"""Seconds after which files count as unchanged."""

REPEATS: Final = 5


def make(directory: Path, matches: int) -> None:
    """Save so many matches."""
    directory.mkdir(parents=True)
    records = read_file(corpus_of(VARIANTS["classic"]))
    texts = [
        tgn_text(each._replace(players=("Ann", "Computer"), programs=("", written(4))))
        for each in records
    ]
    for number, text in enumerate(islice(cycle(texts), matches)):
        path = directory / f"match-{number}{SUFFIX}"
        path.write_text(text)
        os.utime(path, (1_700_000_000 + 60 * number,) * 2)


def seconds(directory: Path, command: list[str]) -> float:
    """Return the processor time that a list takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "thud", *command],
        env=os.environ | {"THUD_DATA_DIR": str(directory)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Make the matches, list them, and print what that costs."""
    for matches in map(int, sys.argv[1:] or MATCHES):
        with TemporaryDirectory() as name:
            none, many = Path(name, "none"), Path(name, "many")
            make(many / "matches", matches)
            time.sleep(SETTLED)
            first = seconds(many, COMMANDS[0])
            for command in COMMANDS:
                empty, again = (
                    min(seconds(place, command) for _ in range(REPEATS)) for place in (none, many)
                )
                what = f"{matches} matches, {' '.join(command)}"
                print(f"{what}: {again:.2f} s, {empty:.2f} s without any", end=", ")
                print(f"first {first:.2f} s, {first / again:.0f} times as long", end="")
                print(" TOO LONG" if again > LIMIT else "")


if __name__ == "__main__":
    main()
