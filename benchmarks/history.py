"""Processor time of the lists of saved matches, compared with that of empty lists.

Usage: python benchmarks/history.py [MATCHES ...]

The matches are battles of the corpus, all finished and rated.  Each list is made by a process of
its own: with all of them for the first time, then again, in turn with an empty one.  The least of
all runs counts, so that a busy machine does not matter.  Fails if a list is above its limit.
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
LIMIT: Final = 5.0
"""Most of any list but the first, as a multiple of an empty one: 3.4 is measured for 10,000."""

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
    """Make the matches, list them, print what that costs, and fail if it is too much."""
    within = True
    for matches in map(int, sys.argv[1:] or MATCHES):
        with TemporaryDirectory() as name:
            none, many = Path(name, "none"), Path(name, "many")
            make(many / "matches", matches)
            time.sleep(SETTLED)
            first = seconds(many, COMMANDS[0])
            for command in COMMANDS:
                runs = [[seconds(place, command) for place in (none, many)] for _ in range(REPEATS)]
                empty, again = map(min, zip(*runs, strict=True))
                within = within and again <= LIMIT * empty
                print(
                    f"{matches} matches, {' '.join(command)}: {again / empty:.1f} × an empty list "
                    f"({1000 * empty:.0f} ms), limit {LIMIT:.0f}; at first {first / empty:.0f} ×"
                )
    sys.exit(not within)


if __name__ == "__main__":
    main()
