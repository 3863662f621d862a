"""How quickly the search of Classic Thud looks, and how deeply in a second, on 20 positions.

Usage: python benchmarks/search.py [SECONDS]

The nodes are positions reached by a move.  They are counted by processor time, so that other
work on the machine does not blur them.
"""

import sys
from pathlib import Path
from statistics import fmean
from time import process_time

from thud.ai.games import game_for
from thud.ai.player import Limits
from thud.ai.quick import think
from thud.ai.search import Tree
from thud.rules.position import Position, Side
from thud.rules.variants.classic import CLASSIC

POSITIONS = Path(__file__).with_name("positions.txt")


def measured(position: Position, seconds: float) -> tuple[int, float]:
    """Return the depth reached in some processor time and the nodes in a second of it."""
    game = game_for(CLASSIC, position.to_move)
    state = game.state(position)
    begin = process_time()
    found = think(
        Tree(game.seen_from(state, 0)), state, Limits(), lambda: process_time() - begin >= seconds
    )
    return found.depth, found.nodes / (process_time() - begin)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"| position | to move | depth in {seconds:g} s | nodes a second |")
    print("| --- | --- | --- | --- |")
    results: dict[Side, list[tuple[int, float]]] = {side: [] for side in Side}
    for number, text in enumerate(POSITIONS.read_text().splitlines(), 1):
        position = CLASSIC.position(text)
        depth, pace = measured(position, seconds)
        results[position.to_move].append((depth, pace))
        print(f"| {number} | {position.to_move.plural} | {depth} | {pace:,.0f} |", flush=True)
    for side, rows in results.items():
        depths, paces = zip(*rows, strict=True)
        print(f"| mean | {side.plural} | {fmean(depths):.1f} | {fmean(paces):,.0f} |")


if __name__ == "__main__":
    main()
