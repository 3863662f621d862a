"""Speed and memory of indexing matches for "what others played", and speed of its look-ups.

Usage: python benchmarks/explore.py [RECORDS]

A few hundred battles of Classic start with one of a few openings, some far more often than others.
Each record has two of them, rotated or mirrored, cut off anywhere and finished differently.
Indexing is timed in its own process, which gives the peak memory, and compared with only reading.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

from thud.explore.index import NAME
from thud.explore.library import Library
from thud.records.formats import read_file, write_file
from thud.records.record import Record
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.symmetry import symmetries
from thud.rules.variants import VARIANTS

RECORDS: Final = 10_000
BATTLES: Final = 300
LENGTH: Final = 70
OWN_END: Final = 12
OPENING: Final = 6
CHOICES: Final = 5
SAMPLE: Final = 200
CHANGED: Final = 100
LIMIT: Final = 50
"""Limit for a look-up in milliseconds."""

VARIANT: Final = VARIANTS["classic"]

_Result = TypeVar("_Result")


class Indexed(NamedTuple):
    """Seconds to index all files, no new files and some changed files; and peak memory."""

    all: float
    none: float
    some: float
    megabytes: float


def choose(battle: Battle, rng: random.Random) -> Move:
    """Choose a move: one of a few in the opening, later mostly a capture."""
    moves = VARIANT.legal_moves(battle.position)
    if len(battle.moves) < OPENING:
        known = random.Random(battle.position.to_text()).sample(moves, min(CHOICES, len(moves)))
        return known[min(int(rng.expovariate(0.7)), len(known) - 1)]
    captures = [move for move in moves if move.captures]
    return rng.choice(captures if captures and rng.random() < 0.7 else moves)


def play_on(battle: Battle, moves: int, rng: random.Random) -> None:
    """Play a number of moves, or fewer if the battle ends."""
    for _ in range(moves):
        if battle.outcome:
            return
        battle.play(choose(battle, rng))


def pool(rng: random.Random) -> list[tuple[Move, ...]]:
    """Return the moves of the battles from which all records are made."""
    battles = [Battle(VARIANT) for _ in range(BATTLES)]
    for battle in battles:
        play_on(battle, LENGTH, rng)
    return [battle.moves for battle in battles]


def record(battles: Sequence[tuple[Move, ...]], rng: random.Random) -> Record:
    """Return a match of two of the battles, each with its own ending."""
    match = Match(VARIANT, (f"Player {rng.randrange(90)}", f"Guest {rng.randrange(90)}"))
    for number in (1, 2):
        moves, turned = rng.choice(battles), rng.choice(symmetries(VARIANT))
        for move in moves[: rng.randrange(OPENING, len(moves))]:
            match.battle.play(turned.move(move))
        play_on(match.battle, OWN_END, rng)
        if not match.battle.outcome:
            match.battle.agree()
        if number == 1:
            match.next_battle()
    return Record.of(match)


def make(directory: Path, records: int) -> int:
    """Write the records; return their number of moves."""
    rng, moves = random.Random(1), 0
    battles = pool(rng)
    for number in range(records):
        made = record(battles, rng)
        moves += sum(len(battle.moves) for battle in made.battles)
        write_file(directory / f"{number:05}.tgn", made)
    return moves


def timed(do: Callable[[], _Result]) -> tuple[float, _Result]:
    """Call a function; return the seconds it took, and its result."""
    begun = perf_counter()
    result = do()
    return perf_counter() - begun, result


def index(directory: Path, cache: Path) -> Indexed:
    """Index the records, update with nothing new, and update after some have changed."""
    times, peaks = [], []
    for changed in (0, 0, CHANGED):
        for path in sorted(directory.iterdir())[:changed]:
            path.write_bytes(path.read_bytes() + b"\n")
        with closing(Library([directory], cache)) as library:
            times.append(timed(library.update)[0])
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return Indexed(times[0], times[1], times[2], peaks[0])


def apart(do: Callable[[Path, Path], _Result], *paths: Path) -> _Result:
    """Call a function in a process of its own, and return its result."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(do, *paths).result()


def look_ups(directory: Path, cache: Path) -> Iterator[tuple[str, float, int]]:
    """Yield, for positions near and far from the start, the look-up's milliseconds and count."""
    with closing(Library([directory], cache)) as library:
        library.update()
        first, found = timed(lambda: library.played(VARIANT, VARIANT.start))
        yield "the start, the first time", 1000 * first, sum(each.number for each in found)
        battle = Battle(VARIANT)
        for ply in range(OPENING + 2):
            taken, found = timed(lambda: library.played(VARIANT, battle.position))
            yield f"after {ply} moves", 1000 * taken, sum(each.number for each in found)
            battle.play(found[0].move)
        deep = []
        for path in sorted(directory.iterdir())[::97]:
            positions = list(read_file(path)[0].battles[0].positions())
            deep += [timed(partial(library.played, VARIANT, each))[0] for each in positions[10::7]]
        yield f"{len(deep)} far from it, median", 1000 * median(deep), 0
        yield f"{len(deep)} far from it, worst", 1000 * max(deep), 0
        taken, _ = timed(lambda: library.samples(VARIANT, VARIANT.start))
        yield "matches at the start", 1000 * taken, 0


def main() -> None:
    """Make the records, index them, look positions up, and print the costs."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    with TemporaryDirectory() as name:
        directory, cache = Path(name, "records"), Path(name, "cache")
        directory.mkdir()
        moves = make(directory, records)
        paths = sorted(directory.iterdir())[: min(SAMPLE, records)]
        alone = timed(lambda: [read_file(path) for path in paths])[0] / len(paths)
        took = apart(index, directory, cache)
        size = (cache / NAME).stat().st_size / 1e6
        print(f"{records} records, {moves} moves")
        print(f"indexed in {took.all:.1f} s: {records / took.all:.0f} records a second,", end=" ")
        print(f"{took.all / records / alone:.2f} times as long as reading alone")
        print(f"peak memory {took.megabytes:.0f} MB, the index {size:.0f} MB")
        print(f"nothing new {took.none:.2f} s, {min(CHANGED, records)} changed {took.some:.2f} s")
        for what, taken, battles in look_ups(directory, cache):
            there = f", {battles} battles" if battles else ""
            print(f"{what}: {taken:.1f} ms{there}{' TOO LONG' if taken > LIMIT else ''}")


if __name__ == "__main__":
    main()
