"""Fill the documents with what was measured of the games.

Usage: python tools/fill_documents.py [--check]

The paragraph after each comment `<!-- measured: WHAT -->` is written anew, from
`src/thud/rules/measurements.py`, which `tools/measure.py` writes, from what
`benchmarks/ladder.py --keep` wrote, and from the corpus.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Any, Final

from thud.ai.levels import LEVELS
from thud.explore.files import corpus_of
from thud.review.judgement import Shares
from thud.rules.variants import VARIANTS
from thud.strength.levels import RATINGS
from thud.words.match import CALMED, par

ROOT: Final = Path(__file__).parents[1]
_WIDTH: Final = 118
_MATCHES: Final = 100
"""The matches of a step, or more, where nothing else is said."""
_RESULT: Final = re.compile(r'^\[Result[12] "([0-9.]+)-([0-9.]+)"\]$', re.MULTILINE)
"""The points of the dwarfs and of the trolls in a battle of a record."""
_MARKED: Final = re.compile(r"(<!-- measured: ([a-z ]+) -->\n\n).+?(?=\n\n|\n*\Z)", re.DOTALL)


def _fair(name: str) -> str:
    return f"{par(VARIANTS[name])} Because you play both sides, that is fair."


def _par_table() -> str:
    """Return the table of how battles between equal players ended."""
    rows = ["| | players | battles | the dwarfs | drawn |", "| --- | --- | ---: | --- | ---: |"]
    for variant in VARIANTS.values():
        for each in variant.measured.par:
            if variant.counts_points:
                ended = f"{each.dwarfs:+.1f} ± {each.error:.1f} points"
            else:
                ended = f"{each.dwarfs:.0%} ± {each.error:.0%} of the battles"
            cells = (variant.title, each.players, each.battles, ended, f"{each.drawn:.0%}")
            rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def _calm_table() -> str:
    """Return the table of how often calm battles saw another capture."""
    rows = ["| | after the quiet moves | after a third return |", "| --- | ---: | ---: |"]
    for variant in VARIANTS.values():
        if found := variant.measured.calm:
            rows.append(f"| {variant.title} | {found[0]:.0%} | {found[1]:.0%} |")
    return "\n".join(rows)


def _no_goal_table() -> str:
    """Return the table of how battles of Football ended in which no goal was in sight."""
    rows = ["| turns | the dwarfs won | drawn | the trolls won |", "| --- | ---: | ---: | ---: |"]
    known = VARIANTS["football"].measured.no_goal_in_sight
    # A turn of a battle is a move of each side.
    ends = [f" to {after.moves // 2}" for after in known[1:]] + [" on"]
    for each, end in zip(known, ends, strict=True):
        cells = (f"{share}%" for share in Shares(*each[1:]).percents)
        rows.append(f"| {each.moves // 2 + 1}{end} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _spread_table() -> str:
    """Return the table of how far off figures are, by the number of dwarfs."""
    games = [each for each in VARIANTS.values() if each.counts_points]
    rows = [
        f"| dwarfs | {' | '.join(each.title for each in games)} |",
        f"| ---: |{' ---: |' * len(games)}",
    ]
    for some in zip(*(reversed(each.measured.following) for each in games), strict=True):
        wide = (f"{fmean(each.spread) / 100:.1f}" for each in some)
        rows.append(f"| {some[0].dwarfs} | {' | '.join(wide)} |")
    return "\n".join(rows)


def _level_table() -> str:
    """Return the table of the levels."""
    rows = ["| level | name | what it is like to meet | rating |", "| --- | --- | --- | --- |"]
    for number, level in LEVELS.items():
        cells = number, level.name, level.meeting, round(RATINGS[number].value)
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows)


def _share(measured: dict[str, Any]) -> str:
    """Return the share of matches that a level won, with their number if they are few."""
    few = f" of {measured['matches']}" * (measured["matches"] < _MATCHES)
    return f"{measured['share']:.0%}{few}"


def _ladder_table() -> str:
    """Return the table of how often each level wins against the one below."""
    kept = json.loads((ROOT / "benchmarks/results/ladder.json").read_text())
    rows = [
        f"| | {' | '.join(each.short for each in VARIANTS.values())} | average |",
        f"| --- |{' ---: |' * (len(VARIANTS) + 1)}",
    ]
    for level in [*LEVELS][1:]:
        found = [kept[name].get(f"{level}") for name in VARIANTS]
        shares = [each["share"] for each in found if each]
        cells = [_share(each) if each else "not yet" for each in found]
        rows.append(f"| {level} against {level - 1} | {' | '.join(cells)} | {fmean(shares):.0%} |")
    return "\n".join(rows)


def _corpus_table() -> str:
    """Return the table of how the battles of the corpus ended."""
    rows = [
        "| | battles | won by the dwarfs | drawn | mean of the dwarfs' points minus the trolls' |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for variant in VARIANTS.values():
        results = _RESULT.findall(corpus_of(variant).read_text("ascii"))
        ahead = [float(dwarfs) - float(trolls) for dwarfs, trolls in results]
        won, drawn = sum(each > 0 for each in ahead), ahead.count(0)
        mean = f"{fmean(ahead):+.1f}" if variant.counts_points else ""
        rows.append(f"| {variant.title} | {len(ahead)} | {won} | {drawn} | {mean} |")
    return "\n".join(rows)


def _accuracy_table() -> str:
    """Return the table of how accurate moves at random and two levels are."""
    rows = ["| | at random | level 1 | level 8 |", "| --- | ---: | ---: | ---: |"]
    for variant in VARIANTS.values():
        if usual := variant.odds.usual:
            rows.append(f"| {variant.title} | {' | '.join(f'{each}%' for each in usual)} |")
    return "\n".join(rows)


WHAT: Final[dict[str, Callable[[], str]]] = {
    "par classic": lambda: fill(_fair("classic"), _WIDTH),
    "par single": lambda: fill(_fair("single"), _WIDTH),
    "par koom": lambda: fill(_fair("koom"), _WIDTH),
    "par football": lambda: fill(_fair("football"), _WIDTH),
    "par table": _par_table,
    "calm": lambda: fill(CALMED, _WIDTH),
    "calm table": _calm_table,
    "no goal in sight table": _no_goal_table,
    "spread table": _spread_table,
    "level table": _level_table,
    "ladder table": _ladder_table,
    "corpus table": _corpus_table,
    "accuracy table": _accuracy_table,
}
"""What a comment can name."""


def filled(text: str) -> str:
    """Return a document with its measured paragraphs written anew."""
    return _MARKED.sub(lambda found: found[1] + WHAT[found[2]](), text)


def documents() -> Iterator[Path]:
    """Yield the documents that may have such paragraphs."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").glob("*.md"))
    yield from sorted((ROOT / "benchmarks/results").glob("*.md"))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it would")
    options = parser.parse_args()
    stale = [path for path in documents() if filled(text := path.read_text("utf-8")) != text]
    for path in stale:
        if options.check:
            print(f"{path.relative_to(ROOT)} is out of date", file=sys.stderr)
        else:
            path.write_text(filled(path.read_text("utf-8")), "utf-8")
    sys.exit(bool(stale and options.check))


if __name__ == "__main__":
    main()
