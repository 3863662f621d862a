"""Speed of the searches, and depth in a second, on 20 positions of each game.

Usage: python benchmarks/search.py [--variant NAME] [SECONDS]

Compares Python with the compiled core, if installed, which must find the same result when limited
to the same number of nodes.  Times are processor time, so that other load on the machine does not
matter.
"""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import NamedTuple

from thud.ai.core import OFF, REQUIRED, VARIABLE, compiled, told
from thud.ai.games import searcher_for
from thud.ai.player import Limits
from thud.ai.searcher import Found
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

POSITIONS = Path(__file__).with_name("positions.txt")


def positions(variant: Variant) -> list[Position]:
    """Return twenty positions from battles, half of them with the trolls to move."""
    lines = (line.split(None, 1) for line in POSITIONS.read_text().splitlines())
    return [variant.position(text) for name, text in lines if name == variant.name]


class Measured(NamedTuple):
    """Depth of a search, and its nodes per second."""

    depth: int
    pace: float
    nodes: int


def search(
    which: str, variant: Variant, position: Position, limits: Limits, seconds: float
) -> Found:
    """Search a position in Python or with the core, up to a limit of processor time."""
    os.environ[VARIABLE] = which
    searcher = searcher_for(variant, 1)
    end = process_time() + seconds
    return searcher.search([position], limits, lambda: process_time() >= end)


def measured(which: str, variant: Variant, position: Position, seconds: float) -> Measured:
    """Return the depth and speed of a search within a processor time."""
    begin = process_time()
    thought = search(which, variant, position, Limits(), seconds).thought
    return Measured(thought.depth, thought.nodes / (process_time() - begin), thought.nodes)


def found_alike(variant: Variant, position: Position, nodes: int) -> bool:
    """Whether both find the same when they search as many nodes."""
    python, core = (
        search(which, variant, position, Limits(nodes=nodes), 1e9) for which in (OFF, REQUIRED)
    )
    return python.ranked == core.ranked and python.thought[:3] == core.thought[:3]


def row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def means(rows: list[tuple[Measured, ...]]) -> Iterator[str]:
    """Yield the cells of the mean row."""
    each = list(zip(*rows, strict=True))
    for column in each:
        yield f"{fmean(one.depth for one in column):.1f}"
        yield f"{fmean(one.pace for one in column):,.0f}"
    if len(each) > 1:
        python, core = (fmean(one.pace for one in column) for column in each)
        yield f"{core / python:.1f}"
        yield ""


def compare(variant: Variant, seconds: float) -> None:
    """Print the table for a variant."""
    kinds = {OFF: "Python", **({REQUIRED: "core"} if compiled() else {})}
    columns = [f"{name}: {what}" for name in kinds.values() for what in ("depth", "a second")]
    heads = [variant.name, "to move", *columns, *["ratio", "the same"][: 2 * len(kinds) - 2]]
    row(*heads)
    row(*["---"] * len(heads))
    results: dict[Side, list[tuple[Measured, ...]]] = {side: [] for side in Side}
    for number, position in enumerate(positions(variant), 1):
        found = tuple(measured(which, variant, position, seconds) for which in kinds)
        results[position.to_move].append(found)
        cells = [cell for one in found for cell in (one.depth, f"{one.pace:,.0f}")]
        if len(found) > 1:
            alike = "yes" if found_alike(variant, position, found[0].nodes) else "NO"
            cells += [f"{found[1].pace / found[0].pace:.1f}", alike]
        row(number, position.to_move.plural, *cells)
    for side, rows in results.items():
        row("mean", side.plural, *means(rows))
    print()


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--variant", choices=("classic", "koom", "football"))
    parser.add_argument("seconds", nargs="?", type=float, default=1.0)
    options = parser.parse_args()
    print(f"Beside the Python: {told()}", end="\n\n")
    for name in [options.variant] if options.variant else ("classic", "koom", "football"):
        os.environ.pop(VARIABLE, None)
        compare(VARIANTS[name], options.seconds)


if __name__ == "__main__":
    main()
