"""How quickly the searches of Classic Thud look, and how deeply in a second, on 20 positions.

Usage: python benchmarks/search.py [SECONDS]

The Python, and beside it the compiled core where there is one, which has to find the same once
more when it is given as many positions.  Positions are what is reached by a move.  They are counted
by processor time, so that other work on the machine does not blur them.
"""

import os
import sys
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
from thud.rules.variants.classic import CLASSIC

POSITIONS = Path(__file__).with_name("positions.txt")


class Measured(NamedTuple):
    """How deep a search has looked, and at how many positions in a second."""

    depth: int
    pace: float
    nodes: int


def search(which: str, position: Position, limits: Limits, seconds: float) -> Found:
    """Search a position with the Python or the core, for some processor time at most."""
    os.environ[VARIABLE] = which
    searcher = searcher_for(CLASSIC, 1)
    end = process_time() + seconds
    return searcher.search([position], limits, lambda: process_time() >= end)


def measured(which: str, position: Position, seconds: float) -> Measured:
    """Return what a search makes of a position in some processor time."""
    begin = process_time()
    thought = search(which, position, Limits(), seconds).thought
    return Measured(thought.depth, thought.nodes / (process_time() - begin), thought.nodes)


def found_alike(position: Position, nodes: int) -> bool:
    """Say whether both find the same when they look at as many positions."""
    python, core = (search(which, position, Limits(nodes=nodes), 1e9) for which in (OFF, REQUIRED))
    return python.ranked == core.ranked and python.thought[:3] == core.thought[:3]


def row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def means(rows: list[tuple[Measured, ...]]) -> Iterator[str]:
    """Yield the cells of what some rows have in common."""
    each = list(zip(*rows, strict=True))
    for column in each:
        yield f"{fmean(one.depth for one in column):.1f}"
        yield f"{fmean(one.pace for one in column):,.0f}"
    if len(each) > 1:
        python, core = (fmean(one.pace for one in column) for column in each)
        yield f"{core / python:.1f}"
        yield ""


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    kinds = {OFF: "Python", **({REQUIRED: "core"} if compiled() else {})}
    print(f"Beside the Python: {told()}", end="\n\n")
    columns = [f"{name}: {what}" for name in kinds.values() for what in ("depth", "a second")]
    heads = ["position", "to move", *columns, *["ratio", "the same"][: 2 * len(kinds) - 2]]
    row(*heads)
    row(*["---"] * len(heads))
    results: dict[Side, list[tuple[Measured, ...]]] = {side: [] for side in Side}
    for number, text in enumerate(POSITIONS.read_text().splitlines(), 1):
        position = CLASSIC.position(text)
        found = tuple(measured(which, position, seconds) for which in kinds)
        results[position.to_move].append(found)
        cells = [cell for one in found for cell in (one.depth, f"{one.pace:,.0f}")]
        if len(found) > 1:
            alike = "yes" if found_alike(position, found[0].nodes) else "NO"
            cells += [f"{found[1].pace / found[0].pace:.1f}", alike]
        row(number, position.to_move.plural, *cells)
    for side, rows in results.items():
        row("mean", side.plural, *means(rows))


if __name__ == "__main__":
    main()
