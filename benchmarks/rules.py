"""Speed of the rules engine, relative to plain Python work in the same run.

Usage: python benchmarks/rules.py
"""

import time
import timeit
from collections.abc import Callable
from functools import partial

from thud.rules.variant import perft
from thud.rules.variants import VARIANTS

OPENING_MOVES = 656


def best(work: Callable[[], object], number: int = 100) -> float:
    """Return the best time of one call in fifteen rounds, in seconds."""
    return min(timeit.repeat(work, number=number, repeat=15)) / number


def main() -> None:
    tuples = best(lambda: [(i, i, i) for i in range(OPENING_MOVES)])
    print(f"list of {OPENING_MOVES} three-field tuples: {tuples * 1e6:.1f} µs")
    for name, variant in VARIANTS.items():
        listing = best(partial(variant.legal_moves, variant.start))
        counting = best(partial(variant.count_moves, variant.start))
        print(
            f"{name}: listing the opening moves {listing * 1e6:.0f} µs "
            f"({listing / tuples:.1f} × the tuples), counting them {counting * 1e6:.0f} µs"
        )
    for name, variant in VARIANTS.items():
        begin = time.perf_counter()
        count = perft(variant, variant.start, 3)
        print(f"{name}: perft 3 = {count} in {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    main()
