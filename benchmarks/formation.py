"""What the dwarfs' formation says about how a battle of Classic ends.

Usage: python benchmarks/formation.py NAME=FILES... [--ply 60]

Prints tables for each sample of records: correlations of the dwarfs' final margin with figures of
the position after some plies and of the dwarfs' first 20 moves, alone and at equal material (a
partial correlation), each with its standard error, and the margins by size and place of the largest
block, by trolls captured in these 20 moves, and by dwarfs fed.  What goes with a result need not
cause it.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from glob import glob
from math import nan, pi, sqrt, tan
from operator import or_
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Final, NamedTuple

from thud.records.formats import read_file
from thud.rules.formation import alone, blocks, largest_block
from thud.rules.geometry import ADJACENT, BOARD, EDGE, Mask, bit, file_of, rank_of, squares_of
from thud.rules.moves import hurls
from thud.rules.position import Move, Position, Side
from thud.rules.threats import unanswered
from thud.rules.variants import VARIANTS

CLASSIC: Final = VARIANTS["classic"]
_MIDDLE: Final = 8
"""The number of the middle file and rank."""
_EARLY: Final = 40
"""Plies of the first moves."""
_FED: Final = "of the first 20 moves: onto squares where they were captured at once"
_TAKEN: Final = "trolls captured in the first 20 moves"


class Sample(NamedTuple):
    """A battle: its figures after some plies, and what came of it."""

    figures: Mapping[str, float]
    block: int
    edge: float
    corner: bool
    """Whether the largest block is nearer to a corner than to the middle of a flat side."""
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


def early(positions: Sequence[Position], moves: Sequence[Move]) -> dict[str, float]:
    """Return what is measured of the dwarfs' first moves."""
    plies = range(0, min(_EARLY, len(moves) - 1), 2)
    fed = sum(bool(moves[at + 1].captures >> moves[at].destination & 1) for at in plies)
    open_to = sum(
        any(each >> moves[at].destination & 1 for each in free.values())
        for at in plies
        if (free := unanswered(CLASSIC, positions[at + 1]))
    )
    return {
        _FED: fed,
        "of the first 20 moves: onto squares open to a capture": open_to,
        _TAKEN: sum(moves[at].captures.bit_count() for at in plies),
    }


def in_a_corner(block: Mask) -> bool:
    """Whether a block is nearer to a slanted side's middle than to a flat side's."""
    places = [(file_of(square), rank_of(square)) for square in squares_of(block)]
    x, y = (abs(fmean(each) - _MIDDLE) for each in zip(*places, strict=True))
    return min(x, y) > tan(pi / 8) * max(x, y)


def samples(pattern: str, ply: int) -> Iterator[Sample]:
    """Yield the battles of records that last beyond a ply."""
    for path in sorted(glob(pattern)):
        for record in read_file(Path(path)):
            for battle in record.battles if record.variant is CLASSIC else ():
                positions = list(battle.positions())
                if len(positions) <= ply + 1:
                    continue
                last, figures = positions[-1], figures_of(positions[ply])
                block = largest_block(positions[ply].dwarfs)
                yield Sample(
                    figures | early(positions, battle.moves),
                    block.bit_count(),
                    figures["share of the block on the edge"],
                    bool(block) and in_a_corner(block),
                    last.dwarfs.bit_count() - 4 * last.trolls.bit_count(),
                )


def with_error(r: float, n: int) -> str:
    """Return a correlation with its standard error."""
    return f"{r:+.2f} ± {(1 - r * r) / sqrt(n - 1):.2f}"


def at_equal_third(x: Sequence[float], y: Sequence[float], z: Sequence[float]) -> float:
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
        at_equal = (
            "" if figure == "material" else with_error(at_equal_third(x, y, z), len(some) - 1)
        )
        print(f"| {figure} | {with_error(correlation(x, y), len(x))} | {at_equal} | {len(x)} |")
    groups: dict[str, Callable[[Sample], bool]] = {
        "block of 12 or more": lambda each: each.block >= 12,
        "block of 8 to 11": lambda each: 8 <= each.block < 12,
        "block of less than 8": lambda each: each.block < 8,
        "block of 8 or more, less than half on the edge": lambda e: e.block >= 8 and e.edge < 0.5,
        "half to three quarters": lambda e: e.block >= 8 and 0.5 <= e.edge <= 0.75,
        "more than three quarters": lambda e: e.block >= 8 and e.edge > 0.75,
        "block of 8 or more at a flat side": lambda e: e.block >= 8 and not e.corner,
        "block of 8 or more in a corner": lambda e: e.block >= 8 and e.corner,
        **{
            f"{least} {'or more ' * (least == 3)}trolls captured in the first 20 moves": partial(
                _between, _TAKEN, least, least + 9 * (least == 3)
            )
            for least in range(4)
        },
        **{
            f"{least} to {most} of these moves captured at once": partial(
                _between, _FED, least, most
            )
            for least, most in ((0, 1), (2, 3), (4, 5), (6, 20))
        },
    }
    print("\n| battles | margin (number) |\n| --- | --- |")
    for words, belongs in groups.items():
        some = [each for each in found if belongs(each)]
        print(f"| {words} | {mean([each.margin for each in some])} |")


def _between(figure: str, least: int, most: int, sample: Sample) -> bool:
    return least <= sample.figures[figure] <= most


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
