"""What a damaged record keeps: random cuts, flipped bits and inserted characters.

    python trials/damage.py [--damages 50000] [--seed 1] [--jobs 2]

Prints, for each kind of damage, how many moves of the file are lost on average and at the median,
how many files keep nothing, and how many moves are kept that were never played: a damaged move
that is legal by chance cannot be told from a played one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Final, NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from records.matches import random_match, varied
from thud.records.bounds import BadRecord, text_of
from thud.records.record import Record
from thud.records.tgn.reader import readings_of
from thud.records.tgn.writer import tgn_text
from thud.rules.position import Move
from thud.rules.variants import VARIANTS

Battles: TypeAlias = list[tuple[Move, ...]]
"""The moves of the battles of a match."""

_INSERTED: Final = ["\0", "\u200b", "\ufeff", "\x1b", "\u2028", "\x85", *'{}()[]"*x1é \n']
_FILES: Final = 60
"""Files that the damages are spread over."""


class Damaged(NamedTuple):
    """What reading a damaged file gave."""

    kind: str
    moves: int
    lost: int
    wrong: int


def main() -> None:
    """Damage files, and print what is lost."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("--damages", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    each = options.damages // _FILES
    tasks = [(options.seed * 1000 + number, each) for number in range(_FILES)]
    with Pool(options.jobs) as pool:
        found = [one for some in pool.imap_unordered(_damaged, tasks) for one in some]
    print(f"{len(found)} damages of {_FILES} files")
    for kind in sorted({one.kind for one in found}):
        _print_kind(kind, [one for one in found if one.kind == kind])
    _print_kind("all", found)


def _print_kind(kind: str, found: Sequence[Damaged]) -> None:
    lost = [one.lost for one in found]
    nothing = Counter(one.lost == one.moves for one in found)[True]
    print(
        f"{kind:28} {mean(lost):6.1f} of {mean(one.moves for one in found):5.1f} moves lost,"
        f" median {median(lost):5.1f}; nothing kept {nothing / len(found):6.1%};"
        f" wrong moves {mean(one.wrong for one in found):.2f}"
    )


def _damaged(task: tuple[int, int]) -> list[Damaged]:
    """Damage one file of one to three matches many times."""
    seed, times = task
    random = Random(seed)
    records = [
        varied(Record.of(random_match(variant, random)), random, 6)
        for variant in random.choices(list(VARIANTS.values()), k=1 + seed % 3)
    ]
    written = [[battle.moves for battle in record.battles] for record in records]
    moves = sum(len(battle) for match in written for battle in match)
    data = tgn_text(*records).encode()
    found = []
    for kind, broken in _damages(data, random, times if moves else 0):
        kept = _kept(broken)
        right = sum(max((_alike(match, each) for each in kept), default=0) for match in written)
        wrong = sum(len(battle) for match in kept for battle in match) - right
        found.append(Damaged(kind, moves, moves - right, max(wrong, 0)))
    return found


def _damages(data: bytes, random: Random, times: int) -> Iterator[tuple[str, bytes]]:
    text = data.decode()
    for number in range(times):
        place = random.randrange(len(data))
        match number % 5:
            case 0:
                yield "cut", data[:place]
            case 1:
                flipped = bytes([data[place] ^ 1 << random.randrange(8)])
                yield "flipped bit", data[:place] + flipped + data[place + 1 :]
            case 2:
                yield "end of zeros", data[:place] + bytes(len(data) - place)
            case other:
                character = random.choice(_INSERTED)
                kind = (
                    "printable" if character.isprintable() or character == "\n" else "unprintable"
                )
                at = random.randrange(len(text)) if other == 3 else text.rindex("\n")
                where = "" if other == 3 else " at the end"
                broken = (text[:at] + character + text[at:]).encode()
                yield f"inserted, {kind}{where}", broken


def _kept(data: bytes) -> list[Battles]:
    """Return the moves that are kept of a damaged file."""
    try:
        readings = readings_of(text_of(data))
    except BadRecord:
        return []
    return [[battle.moves for battle in each.record.battles] for each in readings if each.record]


def _alike(match: Battles, other: Battles) -> int:
    """Count the moves that two matches share from the beginning of their battles."""
    number = 0
    for battle, kept in zip(match, other, strict=False):
        same = [one == two for one, two in zip(battle, kept, strict=False)]
        number += [*same, False].index(False)
    return number


if __name__ == "__main__":
    main()
