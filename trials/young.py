"""Practice, the explorer's index and the list of matches, killed while they are written.

Usage: python trials/young.py [KILLS] [SEED]

A child writes, and tells each thing that is saved.  It is killed with SIGKILL at a random moment,
or its writes fail at random, or its clock is wrong by up to three years.  Then whatever was told
must be there: each answer practised, and in the index and in the list what one made anew finds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from faults import fail_at_random

from thud.exercises.drill import Attempts
from thud.exercises.practise import Practice, now
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.score import PuzzleScore, save_score
from thud.explore.files import corpus_of
from thud.explore.library import Library
from thud.records.formats import read_file
from thud.records.store import SUFFIX, Store
from thud.records.tgn.writer import tgn_text
from thud.rules.variants import VARIANTS

CLASSIC: Final = VARIANTS["classic"]
CARDS: Final = 30
MATCHES: Final = 40
WITHIN: Final = 0.4
YEARS: Final = 3 * 365 * 86_400


# The child


def set_clock(seconds: int) -> None:
    """Let the clock be wrong."""
    real = time.time
    time.time = lambda: real() + seconds


def practise(directory: Path, chance: Random, ahead: int) -> None:
    """Answer, and tell the number of the card and its answers once they are saved."""
    practice = Practice(directory)
    cards = practice.cards
    while True:
        number = chance.randrange(len(cards))
        at = now().timestamp() + ahead
        card = practice.answer(
            cards[number], Attempts(chance.randrange(2)), now().fromtimestamp(at).astimezone()
        )
        try:
            practice.save()
        except OSError:
            continue
        print(number, len(card.answers), flush=True)


def explore(directory: Path) -> None:
    """Update the index."""
    with closing(Library([directory / "records"], directory)) as library:
        print("begun", flush=True)
        library.update()


def history(directory: Path) -> None:
    """List the matches again and again, each time with some of them changed."""
    store = Store(directory)
    paths = sorted(store.matches.glob(f"*{SUFFIX}"))
    for number in range(10_000):
        os.utime(paths[number % len(paths)], (1_600_000_000 + number,) * 2)
        store.listing()
        print(number, flush=True)


def work(what: str, directory: Path, chance: Random, way: str) -> None:
    """Write until killed."""
    ahead = chance.randint(-YEARS, YEARS) if way == "clock" else 0
    set_clock(ahead)
    if way == "faults":
        fail_at_random(chance)
    match what:
        case "practise":
            practise(directory, chance, ahead)
        case "explore":
            explore(directory)
        case _:
            history(directory)


# The parent


def killed(what: str, directory: Path, chance: Random, way: str) -> list[str]:
    """Run a child, kill it, and return the lines that it told."""
    command = [sys.executable, __file__, "--work", what, str(directory), way]
    with subprocess.Popen(
        [*command, str(chance.randrange(10**6))], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout
        first = child.stdout.readline()
        time.sleep(chance.random() * WITHIN)
        child.kill()
        return [first, *child.stdout.readlines()]


def lost_answers(directory: Path, chance: Random, way: str) -> tuple[int, int]:
    """Practise, kill, and return the answers told and those lost."""
    before = [len(card.answers) for card in Practice(directory).cards]
    told = killed("practise", directory, chance, way)
    after = [len(card.answers) for card in Practice(directory).cards]
    most = dict(enumerate(before))
    whole = [line.split() for line in told if line.endswith("\n")]
    for number, answers in whole:
        most[int(number)] = int(answers)
    return len(whole), sum(max(0, count - after[number]) for number, count in most.items())


def lost_counts(directory: Path, chance: Random, way: str) -> tuple[int, int]:
    """Index, kill, index again, and return the moves counted and those that are wrong."""
    killed("explore", directory, chance, way)
    counts = []
    for cache in (directory, directory / f"new-{chance.randrange(10**9)}"):
        with closing(Library([directory / "records"], cache)) as library:
            library.update()
            played = library.played(CLASSIC, CLASSIC.start)
            counts.append({each.move: (each.number, each.mean) for each in played})
    old, new = counts
    for path in sorted((directory / "records").iterdir())[:: chance.randint(2, 9)]:
        path.write_bytes(path.read_bytes() + b"\n")
    wrong = sum(old.get(move) != known for move, known in new.items())
    return len(new), wrong + len(old) - len(new)


def lost_matches(directory: Path, chance: Random, way: str) -> tuple[int, int]:
    """List, kill, and return the matches listed and those that differ from a list made anew."""
    killed("history", directory, chance, way)
    store = Store(directory)
    first = store.listing()
    for path in store.matches.glob(".*"):
        path.unlink()
    for path in store.matches.iterdir():
        if path.suffix != SUFFIX:
            path.unlink()
    again = Store(directory).listing()
    return len(again.finished), sum(
        one != other for one, other in zip(first.finished, again.finished, strict=True)
    )


def make(directory: Path) -> None:
    """Write what is practised, indexed and listed."""
    score = PuzzleScore()
    for puzzle in puzzles()[:CARDS]:
        score = score.with_solved(puzzle, Attempts(1))
    save_score(directory, score)
    Practice(directory).refresh(Store(directory))
    for folder in ("records", "matches"):
        (directory / folder).mkdir()
    for number, record in enumerate(read_file(corpus_of(CLASSIC))[:MATCHES]):
        text = tgn_text(record)
        (directory / "records" / f"{number:03}.tgn").write_text(text)
        (directory / "matches" / f"20261120-{100_000 + number}-abcd{SUFFIX}").write_text(text)


TRIALS: Final = {"answers": lost_answers, "counts": lost_counts, "matches": lost_matches}


def main() -> None:
    """Kill so many children of each kind in each way, and print what was lost."""
    if sys.argv[1:2] == ["--work"]:
        what, directory, way, seed = sys.argv[2:]
        work(what, Path(directory), Random(seed), way)
        return
    kills, first = (int(given) for given in (*sys.argv[1:], *("100", "1")[len(sys.argv) - 1 :]))
    chance, bad = Random(first), 0
    for name, trial in TRIALS.items():
        for way in ("kill", "faults", "clock"):
            told, lost = Counter[str](), 0
            with TemporaryDirectory() as place:
                make(Path(place))
                for _ in range(kills):
                    number, wrong = trial(Path(place), chance, way)
                    told[name], lost = told[name] + number, lost + wrong
            print(f"{kills} kills ({way}): {told[name]} {name} told, {lost} lost", flush=True)
            bad += lost
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
