"""What the dwarfs' formation says about how a battle of Classic ends.

Usage: python benchmarks/formation.py NAME=FILES... [--ply 60]

Prints a table for each sample of records: correlations of the dwarfs' final margin with figures of
the position after some plies, alone and at equal material (a partial correlation), each with its
standard error, and the margins by size and place of the largest block.  What goes with a result
need not cause it.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from glob import glob
from math import nan, sqrt
from operator import or_
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Final, NamedTuple

from thud.records.formats import read_file
from thud.rules.formation import alone, blocks
from thud.rules.geometry import ADJACENT, BOARD, EDGE, bit, squares_of
from thud.rules.moves import hurls
from thud.rules.position import Position, Side
from thud.rules.threats import unanswered
from thud.rules.variants import VARIANTS

CLASSIC: Final = VARIANTS["classic"]


class Sample(NamedTuple):
    """A battle: its figures after some plies, and what came of it."""

    figures: Mapping[str, float]
    block: int
    edge: float
    margin: float


def figures_of(position: Position) -> dict[str, float]:
    """Return what is measured of a position."""
    groups = blocks(position.dwarfs)
    block = groups[0] if groups else 0
    turn = position._replace(to_move=Side.TROLLS)
    free = unanswered(CLASSIC, turn)
    reached = {move.destination for move in CLASSIC.legal_moves(turn) if move.captures}
    return {
        "material": position.dwarfs.bit_count() - 4 * position.trolls.bit_count(),
        "largest block": block.bit_count(),
        "its share of the dwarfs": block.bit_count() / max(1, position.dwarfs.bit_count()),
        "number of groups": len(groups),
        "dwarfs alone": alone(position.dwarfs).bit_count(),
        "share of the block on the edge": (block & EDGE).bit_count() / max(1, block.bit_count()),
        "landing squares not covered": len(free),
        "their share, where there are any": len(free) / len(reached) if reached else nan,
        "squares beside dwarfs, share not covered": bare_share(position),
        "most dwarfs to be captured for nothing": max(map(int.bit_count, free.values()), default=0),
    }


def bare_share(position: Position) -> float:
    """Return the share of the empty squares beside dwarfs where a troll could capture for nothing.

    It is as if a troll came there from nowhere and captured all it could.
    """
    beside = reduce(or_, (ADJACENT[square] for square in squares_of(position.dwarfs)), 0)
    squares = squares_of(beside & ~position.occupied)
    bare = sum(
        not hurls(
            position._replace(
                dwarfs=position.dwarfs & ~ADJACENT[square], trolls=position.trolls | bit(square)
            ),
            BOARD,
            bit(square),
        )
        for square in squares
    )
    return bare / len(squares) if squares else nan


def samples(pattern: str, ply: int) -> Iterator[Sample]:
    """Yield the battles of records that last beyond a ply."""
    for path in sorted(glob(pattern)):
        for record in read_file(Path(path)):
            for battle in record.battles if record.variant is CLASSIC else ():
                positions = list(battle.positions())
                if len(positions) <= ply + 1:
                    continue
                last, figures = positions[-1], figures_of(positions[ply])
                yield Sample(
                    figures,
                    round(figures["largest block"]),
                    figures["share of the block on the edge"],
                    last.dwarfs.bit_count() - 4 * last.trolls.bit_count(),
                )


def with_error(r: float, n: int) -> str:
    """Return a correlation with its standard error."""
    return f"{r:+.2f} ± {(1 - r * r) / sqrt(n - 1):.2f}"


def partial(x: Sequence[float], y: Sequence[float], z: Sequence[float]) -> float:
    """Return the correlation of x and y at equal z."""
    xy, xz, yz = correlation(x, y), correlation(x, z), correlation(y, z)
    return (xy - xz * yz) / sqrt((1 - xz * xz) * (1 - yz * yz))


def mean(values: Sequence[float]) -> str:
    """Return a mean with its standard error, and the number of values."""
    if len(values) < 2:
        return f"({len(values)})"
    return f"{fmean(values):+.1f} ± {stdev(values) / len(values) ** 0.5:.1f} ({len(values)})"


def table(name: str, found: Sequence[Sample]) -> None:
    """Print a sample's tables."""
    print(f"\n## {name}: {len(found)} battles, margin {mean([each.margin for each in found])}\n")
    print("| figure | r with the margin | at equal material | battles |\n| --- | --- | --- | --- |")
    for figure in found[0].figures:
        some = [each for each in found if each.figures[figure] == each.figures[figure]]
        x, y = [each.figures[figure] for each in some], [each.margin for each in some]
        z = [each.figures["material"] for each in some]
        at_equal = "" if figure == "material" else with_error(partial(x, y, z), len(some) - 1)
        print(f"| {figure} | {with_error(correlation(x, y), len(x))} | {at_equal} | {len(x)} |")
    groups: dict[str, Callable[[Sample], bool]] = {
        "block of 12 or more": lambda each: each.block >= 12,
        "block of 8 to 11": lambda each: 8 <= each.block < 12,
        "block of less than 8": lambda each: each.block < 8,
        "block of 8 or more, less than half on the edge": lambda e: e.block >= 8 and e.edge < 0.5,
        "half to three quarters": lambda e: e.block >= 8 and 0.5 <= e.edge <= 0.75,
        "more than three quarters": lambda e: e.block >= 8 and e.edge > 0.75,
    }
    print("\n| battles | margin (number) |\n| --- | --- |")
    for words, belongs in groups.items():
        some = [each for each in found if belongs(each)]
        print(f"| {words} | {mean([each.margin for each in some])} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="+", help="a name, =, and a pattern of files")
    parser.add_argument("--ply", type=int, default=60)
    options = parser.parse_args()
    for sample in options.samples:
        name, pattern = sample.split("=", 1)
        table(name, list(samples(pattern, options.ply)))


if __name__ == "__main__":
    main()
