"""How what the search says compares with how battles end.

Usage: python benchmarks/reliability.py [--chances] RECORDS...

The records are of battles by `selfplay generate` (core/src/bin/selfplay.rs) that the network did
not learn from.  For each number of dwarfs and side to move: the expected margins that the search
gave, the final margins, and the slope of a line through them, which is 1 if a point said is a point
won.  Margins are in points for the dwarfs.  With --chances, for Koom Valley: for each tenth of the
scale the dwarfs' chance that the search gave, and the share that they won, a draw as half.  Errors
are by battle, since positions of a battle are alike.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from statistics import fmean
from struct import Struct
from typing import Final, NamedTuple

_RECORD: Final = Struct("<4Q4QBBBBhhIHH")
"""Masks of dwarfs and trolls, stone, side, capture, zero, score, result, battle, turn and zeros."""
_BANDS: Final = ((24, 32), (16, 23), (8, 15), (1, 7))
_SIDES: Final = ("dwarfs", "trolls")


class Sums(NamedTuple):
    """Sums over the positions of a battle."""

    number: float
    said: float
    happened: float
    square: float
    product: float
    off: float


def sums(pairs: Sequence[tuple[float, float]]) -> Sums:
    """Return the sums over pairs of what was said and what happened."""
    return Sums(
        len(pairs),
        sum(said for said, _ in pairs),
        sum(happened for _, happened in pairs),
        sum(said * said for said, _ in pairs),
        sum(said * happened for said, happened in pairs),
        sum(abs(said - happened) for said, happened in pairs),
    )


def described(battles: Sequence[Sums]) -> tuple[float, float, float]:
    """Return the mean of what happened less what was said, the slope, and how far off it was."""
    number, said, happened, square, product, off = map(sum, zip(*battles, strict=True))
    spread = square - said * said / number
    slope = (product - said * happened / number) / spread if spread else 1.0
    return (happened - said) / number, slope, off / number


def errors(battles: Sequence[Sums], parts: int = 20) -> tuple[float, ...]:
    """Return the standard errors of what `described` returns, by leaving out parts (jackknife)."""
    found = [
        described([one for place, one in enumerate(battles) if place % parts != part])
        for part in range(parts)
    ]
    return tuple(
        ((parts - 1) / parts * sum((one - fmean(each)) ** 2 for one in each)) ** 0.5
        for each in zip(*found, strict=True)
    )


class Seen(NamedTuple):
    """A position with what was said, and what happened, in points for the dwarfs or odds."""

    battle: int
    dwarfs: int
    side: str
    said: float
    happened: float


def seen(paths: Sequence[Path]) -> Iterator[Seen]:
    """Yield the positions of files of records."""
    for path in paths:
        for fields in _RECORD.iter_unpack(path.read_bytes()):
            side, score, result, battle = fields[9], *fields[12:15]
            dwarfs = sum(word.bit_count() for word in fields[:4])
            yield Seen(battle, dwarfs, _SIDES[side], score / 100, result / 100)


def margins(positions: Iterator[Seen]) -> None:
    """Print the table of a game in which pieces count."""
    grouped: dict[tuple[tuple[int, int], str], dict[int, list[tuple[float, float]]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for one in positions:
        band = next(band for band in _BANDS if band[0] <= one.dwarfs)
        grouped[band, one.side][one.battle].append((one.said, one.happened))
    print("| dwarfs | to move | positions | battles | happened − said | slope | off by |")
    print("| --- " * 7 + "|")
    for band in _BANDS:
        for side in _SIDES:
            battles = [sums(pairs) for pairs in grouped[band, side].values()]
            if len(battles) < 20:
                continue
            (ahead, slope, off), (ahead_error, slope_error, _) = described(battles), errors(battles)
            print(
                f"| {band[0]}–{band[1]} | {side} | {sum(one.number for one in battles):,} "
                f"| {len(battles):,} | {ahead:+.2f} ± {ahead_error:.2f} "
                f"| {slope:.2f} ± {slope_error:.2f} | {off:.1f} |"
            )


def chances(positions: Iterator[Seen]) -> None:
    """Print the table of a game in which a goal decides."""
    grouped: dict[int, dict[int, list[tuple[float, float]]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for one in positions:
        chance = 1 / (1 + exp(-one.said))
        happened = (1 + one.happened) / 2
        grouped[min(9, int(10 * chance))][one.battle].append((100 * chance, 100 * happened))
    print("| said of the dwarfs | positions | battles | said | won | won − said |")
    print("| --- " * 6 + "|")
    for tenth, by_battle in sorted(grouped.items()):
        battles = [sums(pairs) for pairs in by_battle.values()]
        number, said, happened = map(sum, list(zip(*battles, strict=True))[:3])
        (ahead, _, _), (error, _, _) = described(battles), errors(battles)
        print(
            f"| {10 * tenth} to {10 * tenth + 10} % | {number:,} | {len(battles):,} "
            f"| {said / number:.1f} | {happened / number:.1f} | {ahead:+.1f} ± {error:.1f} |"
        )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--chances", action="store_true", help="a goal decides")
    options = parser.parse_args()
    (chances if options.chances else margins)(seen(options.records))


if __name__ == "__main__":
    main()
