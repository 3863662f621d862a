"""How what the search says compares with how battles end.

Usage: python benchmarks/reliability.py VARIANT [--raw] RECORDS...

The records are of battles by `selfplay generate` (core/src/bin/selfplay.rs) to which neither the
network nor `Odds`, what the program makes of its scores, was fitted.  With --raw, these scores.

For a game with points: for each number of dwarfs and side to move the expected margins that the
program gave, the final margins, and the slope of a line through them, which is 1 if a point said is
a point won.  Margins are in points for the dwarfs.  For Koom Valley: for each tenth of the scale
the dwarfs' chance, and the share that they won, a draw as half.  Errors are by battle, since
positions of a battle are alike.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from statistics import fmean
from struct import Struct
from typing import Final, NamedTuple

from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_RECORD: Final = Struct("<4Q4QBBBBhhIHH")
"""Masks of dwarfs and trolls, stone, side, capture, zero, score, result, battle, turn and zeros."""
_BANDS: Final = ((24, 32), (16, 23), (8, 15), (1, 7))


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
    to_move: Side
    said: float
    happened: float


def seen(paths: Sequence[Path], variant: Variant, *, raw: bool) -> Iterator[Seen]:
    """Yield the positions of files of records; one that is being written may end early."""
    odds = variant.odds
    for path in paths:
        whole = path.stat().st_size // _RECORD.size * _RECORD.size
        for fields in _RECORD.iter_unpack(path.read_bytes()[:whole]):
            to_move, score, result, battle = tuple(Side)[fields[9]], *fields[12:15]
            dwarfs, trolls = (sum(map(int.bit_count, fields[at : at + 4])) for at in (0, 4))
            if variant.counts_points:
                expected = score if raw else odds.expected(score, dwarfs, to_move)
                said = max(-4 * trolls, min(dwarfs, expected / 100))
            else:
                there = odds.level + odds.steep * score / 100
                expected = there if raw else odds.expected(round(there), dwarfs, to_move)
                said = (expected - odds.level) / odds.steep
            yield Seen(battle, dwarfs, to_move, said, result / 100)


def margins(positions: Iterator[Seen]) -> None:
    """Print the table of a game in which pieces count."""
    grouped: dict[tuple[tuple[int, int], Side], dict[int, list[tuple[float, float]]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for one in positions:
        band = next(band for band in _BANDS if band[0] <= one.dwarfs)
        grouped[band, one.to_move][one.battle].append((one.said, one.happened))
    print("| dwarfs | to move | positions | battles | happened − said | slope | off by |")
    print("| --- " * 7 + "|")
    for band in _BANDS:
        for side in Side:
            battles = [sums(pairs) for pairs in grouped[band, side].values()]
            if len(battles) < 20:
                continue
            (ahead, slope, off), (ahead_error, slope_error, _) = described(battles), errors(battles)
            print(
                f"| {band[0]}–{band[1]} | {side.plural} | {sum(one.number for one in battles):,} "
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
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--raw", action="store_true", help="the search's scores")
    options = parser.parse_args()
    variant = VARIANTS[options.variant]
    positions = seen(options.records, variant, raw=options.raw)
    (margins if variant.counts_points else chances)(positions)


if __name__ == "__main__":
    main()
