"""Speed of the search in WebAssembly, compared with the same search as a native program.

Usage: python benchmarks/search.py [--variant NAME] [--nodes N] [--rounds N]

Both search the same twenty positions of each game, by turns, to the same number of nodes, and must
find the same.  Times are processor time, so that other load on the machine matters little; of
several rounds the fastest counts.  `cargo build --release` in core/ builds the native program.
"""

import json
import subprocess
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

from thud.ai.core import Instance, description, position_line
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

GAMES = ("classic", "koom", "football")
NATIVE = Path(__file__).parents[1] / "core/target/release/thud-core"
POSITIONS = Path(__file__).with_name("positions.txt")


def positions(variant: Variant) -> list[Position]:
    """Return twenty positions from battles, half of them with the trolls to move."""
    lines = (line.split(None, 1) for line in POSITIONS.read_text().splitlines())
    return [variant.position(text) for name, text in lines if name == variant.name]


class Measured(NamedTuple):
    """The processor seconds of a search, and its answer."""

    seconds: float
    answer: dict[str, Any]

    @property
    def pace(self) -> float:
        """Positions a second."""
        nodes: int = self.answer["thought"]["nodes"]
        return nodes / self.seconds

    @property
    def found(self) -> dict[str, Any]:
        """The answer without its time."""
        return self.answer | {"thought": self.answer["thought"] | {"microseconds": 0}}


def in_wasm(request: str) -> Measured:
    instance = Instance()
    begun = process_time()
    answer = instance.ask(request)
    return Measured(process_time() - begun, answer)


def in_native(request: str) -> Measured:
    def spent() -> float:
        usage = getrusage(RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begun = spent()
    done = subprocess.run(
        [NATIVE], input=f"{request}\n\n", capture_output=True, text=True, check=True
    )
    return Measured(spent() - begun, json.loads(done.stdout.splitlines()[-1]))


def row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def compare(variant: Variant, nodes: int, rounds: int) -> None:
    """Print the table for a variant."""
    kinds: tuple[Callable[[str], Measured], ...] = (in_wasm, in_native)
    heads = (variant.name, "to move", "depth", "WebAssembly: a second", "native: a second", "ratio")
    row(*heads, "the same")
    row(*["---"] * (len(heads) + 1))
    results = []
    for number, position in enumerate(positions(variant), 1):
        request = (
            f"search\nvariant {variant.name}\nposition {position_line(position)}\nnodes {nodes}"
        )
        turns = [[search(request) for search in kinds] for _ in range(rounds)]
        wasm, native = (min(each, key=lambda one: one.seconds) for each in zip(*turns, strict=True))
        ratio, depth = wasm.pace / native.pace, wasm.answer["thought"]["depth"]
        results.append((depth, wasm.pace, native.pace, ratio))
        cells = (number, position.to_move.plural, depth, f"{wasm.pace:,.0f}", f"{native.pace:,.0f}")
        row(*cells, f"{ratio:.2f}", "yes" if wasm.found == native.found else "NO")
    depth, wasm_pace, native_pace, ratio = map(fmean, zip(*results, strict=True))
    row("mean", "", f"{depth:.1f}", f"{wasm_pace:,.0f}", f"{native_pace:,.0f}", f"{ratio:.2f}", "")
    print()


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--variant", choices=GAMES)
    parser.add_argument("--nodes", type=int, default=300_000, help="for each position")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not NATIVE.exists():
        parser.error(f"{NATIVE} is missing: run 'cargo build --release' in core/")
    print(f"The search is {description()}.", end="\n\n")
    for name in [options.variant] if options.variant else GAMES:
        compare(VARIANTS[name], options.nodes, options.rounds)


if __name__ == "__main__":
    main()
