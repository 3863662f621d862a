"""How what the search says of Classic compares with how battles end.

Usage: python benchmarks/reliability.py RECORDS...

The records are of battles by `selfplay generate` (core/src/bin/selfplay.rs) that the network did
not learn from.  For each number of dwarfs and side to move: the expected margins that the search
gave, the final margins, and the slope of a line through them, which is 1 if a point said is a point
won.  Margins are in points for the dwarfs.  Errors are by battle, since positions of a battle are
alike.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
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


def main() -> None:
    grouped: dict[tuple[tuple[int, int], str], dict[int, list[tuple[float, float]]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for path in sys.argv[1:]:
        for fields in _RECORD.iter_unpack(Path(path).read_bytes()):
            side, score, result, battle = fields[9], *fields[12:15]
            dwarfs = sum(word.bit_count() for word in fields[:4])
            band = next(band for band in _BANDS if band[0] <= dwarfs)
            grouped[band, _SIDES[side]][battle].append((score / 100, result / 100))
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


if __name__ == "__main__":
    main()
