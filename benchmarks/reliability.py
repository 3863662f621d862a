"""How what the program says of positions compares with how battles end.

Usage: python benchmarks/reliability.py DIRECTORY [--raw] [--games classic koom] [--write]

The directory has the records of `tools/battles.py`; only the battles to which nothing was fitted
count. With --raw the search's scores are compared instead, with the same spread. With --write the
tables replace those of their games in `benchmarks/results/reliability.md`.

For a game with points: the margins happened less those said, in points for the dwarfs; the slope
of a line through them, which is 1 if a point said is a point won; how far off they were; the spread
said, and the share of margins within it, which should be 68 %. Where a goal decides: the dwarfs'
result, a draw as half, happened less said; draws said and happened; the Brier score of that result,
and of a constant. Each by phase, by side to move, and by pairing. Errors are by battle, since
positions of a battle are alike.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from battles import Judged, judged
from thud.ai.player import CALM, Thought
from thud.ai.scores import seen_by
from thud.engines.outlook import calibrated, possible
from thud.review.judgement import shares, spread
from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

RESULTS: Final = Path(__file__).parent / "results/reliability.md"
"""The document with all tables."""

_BANDS: Final = ((24, 32), (16, 23), (8, 15), (1, 7))
_PLIES: Final = ((0, 39), (40, 99), (100, 9999))
_PACES: Final = ((500, 1_000), (2_000, 8_000))
"""Positions a move between which battles of equal players are counted together."""
_FEWEST: Final = 10
"""Fewest battles of a row."""


class Seen(NamedTuple):
    """A position with what was said, and what happened, in points or results for the dwarfs."""

    judged: Judged
    said: float
    happened: float
    spread: float
    """Or the chance of a draw."""


def seen(path: Path, variant: Variant, *, raw: bool) -> Iterator[Seen]:
    """Yield the positions to which nothing was fitted."""
    for one in judged(path):
        if not one.is_held_out:
            continue
        side = one.position.to_move
        thought = Thought(1, seen_by(side, one.score), 1, 0.1, ())
        if not raw:
            thought = calibrated(variant, one.position, thought)
        expected = possible(variant, one.position, seen_by(side, thought.score))
        if variant.counts_points:
            wide = spread(variant, one.position) / 100
            yield Seen(one, expected / 100, one.result, wide)
        else:
            won, drawn, _ = shares(variant, one.position, expected, one.quiet)
            yield Seen(one, won + drawn / 2, (1 + one.result) / 2, drawn)


def by_battle(rows: Iterable[Seen]) -> list[list[Seen]]:
    """Return the positions of each battle."""
    found = defaultdict[int, list[Seen]](list)
    for row in rows:
        found[row.judged.number].append(row)
    return list(found.values())


def error(battles: Sequence[Sequence[Seen]], of: Callable[[Sequence[Seen]], float]) -> float:
    """Return the standard error of a figure of positions, by leaving out parts (jackknife)."""
    parts = min(20, len(battles))
    found = [
        of([row for place, one in enumerate(battles) if place % parts != part for row in one])
        for part in range(parts)
    ]
    return float(((parts - 1) / parts * sum((one - fmean(found)) ** 2 for one in found)) ** 0.5)


def ahead(rows: Sequence[Seen]) -> float:
    """Return the mean of what happened less what was said."""
    return fmean(row.happened - row.said for row in rows)


def slope(rows: Sequence[Seen]) -> float:
    """Return the slope of what happened on what was said."""
    middle = fmean(row.said for row in rows)
    square = sum((row.said - middle) ** 2 for row in rows)
    product = sum((row.said - middle) * row.happened for row in rows)
    return product / square if square else 1.0


def groups(variant: Variant, rows: Sequence[Seen]) -> Iterator[tuple[str, list[Seen]]]:
    """Yield the rows by phase, by side to move, and by pairing."""
    if variant.counts_points:
        for low, high in _BANDS:
            name = f"{low}–{high} dwarfs"
            yield name, [r for r in rows if low <= r.judged.position.dwarfs.bit_count() <= high]
    for low, high in _PLIES:
        name = f"ply {low}–{high}" if high < 1000 else f"ply {low} on"
        whole = [row for row in rows if row.judged.kind != "few"]
        yield name, [row for row in whole if low <= row.judged.ply <= high]
    for side in {row.judged.position.to_move: None for row in rows}:
        name = f"{side.plural} to move"
        yield name, [row for row in rows if row.judged.position.to_move is side]
    for kind in ("levels", "equal", "few"):
        some, phase = [row for row in rows if row.judged.kind == kind], ""
        yield kind, some
        if kind == "few":
            continue
        if variant.counts_points:
            some = [row for row in some if row.judged.position.dwarfs.bit_count() >= _BANDS[0][0]]
            phase = f", {_BANDS[0][0]}–{_BANDS[0][1]} dwarfs"
            yield f"{kind}{phase}", some
        if kind == "levels":
            for name in ("levels alike", "dwarfs stronger", "trolls stronger"):
                yield f"{name}{phase}", [row for row in some if pairing(row) == name]
        elif not variant.counts_points:
            for low, high in _PACES:
                name = f"equal, {low:,} to {high:,} positions a move"
                yield name, [row for row in some if low <= int(row.judged.players[0]) <= high]


def pairing(row: Seen) -> str:
    """Return which side of a battle between levels has the higher one."""
    dwarfs, trolls = (int(name.split()[-1]) for name in row.judged.players)
    if dwarfs == trolls:
        return "levels alike"
    return "dwarfs stronger" if dwarfs > trolls else "trolls stronger"


def margins(variant: Variant, rows: Sequence[Seen]) -> Iterator[str]:
    """Yield the rows of the table of a game in which pieces count."""
    yield "| | positions | battles | happened − said | slope | off by | spread | within |"
    yield "| --- |" + " ---: |" * 7
    for name, some in groups(variant, rows):
        battles = by_battle(some)
        if len(battles) < _FEWEST:
            continue
        off = [abs(row.said - row.happened) for row in some]
        within = fmean(each <= row.spread for each, row in zip(off, some, strict=True))
        yield (
            f"| {name} | {len(some):,} | {len(battles)} "
            f"| {ahead(some):+.2f} ± {error(battles, ahead):.2f} "
            f"| {slope(some):.2f} ± {error(battles, slope):.2f} | {fmean(off):.1f} "
            f"| {fmean(row.spread for row in some):.1f} | {within:.0%} |"
        )


def chances(variant: Variant, rows: Sequence[Seen]) -> Iterator[str]:
    """Yield the rows of the table of a game in which a goal decides."""
    yield (
        "| | positions | battles | said | happened − said | draws said | drawn | Brier | constant |"
    )
    yield "| --- |" + " ---: |" * 8
    tenths = [
        (f"said {tenth * 20} to {tenth * 20 + 20} %", [r for r in rows if int(5 * r.said) == tenth])
        for tenth in range(5)
    ]
    safe = [row for row in rows if not variant.can_reach_goal(row.judged.position, Side.TROLLS)]
    few = [
        (f"too few trolls, {when}", [row for row in safe if (row.judged.quiet < CALM) is early])
        for when, early in ((f"below {CALM} quiet moves", True), (f"{CALM} quiet moves on", False))
    ]
    for name, some in [("all", list(rows)), *groups(variant, rows), *few, *tenths]:
        battles = by_battle(some)
        if len(battles) < _FEWEST:
            continue
        mean = fmean(row.happened for row in some)
        yield (
            f"| {name} | {len(some):,} | {len(battles)} | {fmean(row.said for row in some):.2f} "
            f"| {ahead(some):+.2f} ± {error(battles, ahead):.2f} "
            f"| {fmean(row.spread for row in some):.2f} "
            f"| {fmean(row.judged.result == 0 for row in some):.2f} "
            f"| {fmean((row.said - row.happened) ** 2 for row in some):.3f} "
            f"| {fmean((mean - row.happened) ** 2 for row in some):.3f} |"
        )


def section(directory: Path, variant: Variant, *, raw: bool) -> str:
    """Return a game's heading and table."""
    rows = list(seen(directory / f"{variant.name}.jsonl", variant, raw=raw))
    table = (margins if variant.counts_points else chances)(variant, rows)
    return "\n".join([f"## {variant.title}", "", *table])


def write(sections: Mapping[str, str]) -> None:
    """Replace the sections of games, by their titles, in the document."""
    head, *old = RESULTS.read_text("utf-8").rstrip().split("\n\n## ")
    parts = [sections.get(each.partition("\n")[0], f"## {each}") for each in old]
    RESULTS.write_text("\n\n".join([head, *parts]) + "\n", "utf-8")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--games", choices=VARIANTS, nargs="+", default=[*VARIANTS])
    parser.add_argument("--raw", action="store_true", help="the search's scores")
    parser.add_argument("--write", action="store_true", help="into the document")
    options = parser.parse_args()
    if options.raw and options.write:
        parser.error("the document is of what is said")
    found = dict[str, str]()
    for name in options.games:
        variant = VARIANTS[name]
        found[variant.title] = section(options.directory, variant, raw=options.raw)
        print(f"\n{found[variant.title]}")
    if options.write:
        write(found)


if __name__ == "__main__":
    main()
