"""Make the corpus for `thud explore --corpus`: battles of three strong levels, in every variant.

Usage: python tools/make_corpus.py DIR plays the first 125 matches of each variant, 1,000 battles in
all, except those already in the package or in DIR.  It can be interrupted with Ctrl+C at any time
and continues when started again.  python tools/make_corpus.py DIR --review reviews the matches in
DIR that have not been reviewed, or with fewer positions, and can be interrupted as well.  python
tools/make_corpus.py DIR --pack writes the matches in DIR to the package.

The number of a match decides its players, opening and seeds, so it can be replayed move for move
while the evaluation and the levels do not change.  (Those of level 7 and of the Koom Valley
games cannot: these play differently today.)  The opening is the most even of several random ones,
by a search.  The levels use their own limits, in positions rather than seconds.

A review stores its judgements of the marked moves and the name of the annotator.  Only mistakes and
blunders go into the package: dubious moves, three in five marks, would take too much room.
"""

import argparse
import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from thud import __version__
from thud.ai.player import Limits
from thud.ai.thinker import Thinker
from thud.engines.analyst import Analyst
from thud.engines.arena import Pairing, Plan, opening
from thud.engines.processors import processors
from thud.engines.spec import level_contender
from thud.explore.files import CORPUS, corpus_of
from thud.records.formats import read_file, write_file
from thud.records.record import Record
from thud.review.judgement import is_mistake, mark_of
from thud.review.notes import Judgements, judgements_in, with_judgements, without_judgements
from thud.review.reviewer import Judged, judge_battle
from thud.rules.position import Move
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

MATCHES: Final = 125
_SEED: Final = 1
_CANDIDATES: Final = 16
_GLANCE: Final = Limits(nodes=2_000)
_PLIES: Final = (2, 2, 3, 4)
"""Random opening moves of a match: mostly few, so that many battles share them."""

_QUICK, _MIXED, _SLOW, _SLOWEST = (7, 7), (7, 9), (9, 9), (9, 11)
_LEVELS: Final = (
    *(_QUICK, _QUICK, _MIXED, _QUICK, _QUICK, _QUICK, _SLOW, _QUICK, _QUICK, _MIXED),
    *(_QUICK, _QUICK, _MIXED, _QUICK, _QUICK, _SLOW, _QUICK, _QUICK, _MIXED, _QUICK),
)
"""The levels of successive matches, repeated."""

_STRONGEST: Final = 10
"""The match of the strongest levels in each variant; one of their battles takes as long as 50."""


_LOOKS: Final = 16_000
"""Positions for each search of a review; a mark needs four times as many."""

_JUDGE: Final = "Annotator"
"""The tag that names a match's annotator, as in chess records (PGN)."""


class Fixture(NamedTuple):
    """A match of the corpus: its variant and number, from 1."""

    variant: Variant
    number: int

    @property
    def levels(self) -> tuple[int, int]:
        """The two players' levels."""
        if self.number == _STRONGEST:
            return _SLOWEST
        return _LEVELS[(self.number - 1) % len(_LEVELS)]

    def opening(self) -> list[Move]:
        """Return the opening of both battles: the most even of several random ones."""
        chance = Random(f"{_SEED} {self.variant.name} {self.number}")
        plies = _PLIES[self.number % len(_PLIES)]
        openings = [opening(self.variant, plies, chance) for _ in range(_CANDIDATES)]
        return min(openings, key=lambda moves: abs(_expected(self.variant, moves)))

    def plan(self) -> Plan:
        """Return the plan of the match: its players and limits."""
        first, second = (level_contender(level) for level in self.levels)
        return Plan(self.variant, (first, second), 1, Limits(), 0, 1, _SEED, "")

    async def played(self) -> Record:
        """Play the match.

        Raises:
            ValueError: an engine failed.
        """
        pairing = Pairing(self.plan())
        try:
            fought = await pairing.match(self.number, self.opening())
        finally:
            await pairing.close()
        if fought.fault:
            raise ValueError(fought.fault)
        round_ = (("Round", str(self.number)),)
        return fought.record._replace(event="Corpus", tags=round_)

    def file(self, directory: Path) -> Path:
        """Return the path of the match's file before it is packed."""
        return directory / f"{self.variant.name}-{self.number:04}.tgn"


def _expected(variant: Variant, moves: list[Move]) -> int:
    """Return the score after some moves for the side to move, in hundredths of a point."""
    positions = [variant.start]
    for move in moves:
        positions.append(positions[-1].after(move))
    thought = Thinker(variant, _SEED).decide(positions, _GLANCE).thought
    return thought.score if thought else 0


def fixtures(matches: int = MATCHES) -> Iterator[Fixture]:
    """Yield the matches, alternating between variants; the slowest come last."""
    for slow in (False, True):
        for number in range(1, matches + 1):
            round_ = [Fixture(variant, number) for variant in VARIANTS.values()]
            yield from (each for each in round_ if (each.levels == _SLOWEST) is slow)


def unpack(directory: Path) -> None:
    """Write the matches of the package to a directory, except those already there."""
    directory.mkdir(parents=True, exist_ok=True)
    for variant in VARIANTS.values():
        packed = corpus_of(variant)
        for record in read_file(packed) if packed.exists() else ():
            file = Fixture(variant, int(dict(record.tags)["Round"])).file(directory)
            if not file.exists():
                write_file(file, record)


def play(directory: Path, matches: int) -> None:
    """Play the matches that are neither in a directory nor in the package."""
    unpack(directory)
    for fixture in fixtures(matches):
        file = fixture.file(directory)
        if not file.exists():
            record = asyncio.run(fixture.played())
            write_file(file, record)
            print(file.stem, *fixture.levels, *map(str, record.tally), flush=True)


def review(directory: Path) -> None:
    """Review the matches in a directory that have not yet been, with as many positions."""
    for file in sorted(directory.glob("*.tgn")):
        [record] = read_file(file)
        if not dict(record.tags).get(_JUDGE, "").endswith(f" {_LOOKS} positions"):
            write_file(file, asyncio.run(reviewed(record)), overwrite=True)
            print(file.stem, "is reviewed", flush=True)


async def reviewed(record: Record) -> Record:
    """Return a match with judgements of its marked moves, and the annotator's tag.

    Raises:
        EngineFault: a worker process misbehaves.
    """
    tags = tuple(tag for tag in record.tags if tag[0] != _JUDGE)
    record = without_judgements(record)
    async with Analyst(processors()) as analyst:
        for number in range(1, len(record.battles) + 1):
            found = await _marked(record, number, analyst)
            record = with_judgements(record, number, found)
    judge = _JUDGE, f"Thud {__version__}, {_LOOKS} positions"
    return record._replace(tags=(*tags, judge))


async def _marked(record: Record, number: int, analyst: Analyst) -> Judgements:
    """Review a battle; return the judgements of its marked moves only."""
    found: Judgements = {}

    def keep(judged: Judged) -> None:
        if mark_of(record.variant, judged.judgement, positions[judged.ply].to_move):
            found[judged.ply] = judged.judgement

    positions = list(record.battles[number - 1].positions())
    plies = range(len(record.battles[number - 1].moves))
    await judge_battle(record, number, plies, analyst, keep, limits=Limits(nodes=_LOOKS))
    return found


def pack(directory: Path) -> None:
    """Write the matches in a directory to the package, one file per variant."""
    CORPUS.mkdir(exist_ok=True)
    for variant in VARIANTS.values():
        files = sorted(directory.glob(f"{variant.name}-*.tgn"))
        records = [_in_short(read_file(each)[0]) for each in files]
        path = corpus_of(variant)
        write_file(path, *records, overwrite=True)
        battles = sum(len(record.battles) for record in records)
        print(f"{path.name}: {battles} battles, {path.stat().st_size} bytes")


def _in_short(record: Record) -> Record:
    """Return a match with only the judgements of mistakes, and their lines cut to one move."""
    for number, battle in enumerate(record.battles, 1):
        positions = list(battle.positions())
        short = {
            ply: each._replace(line=each.line[:1], reply=each.reply[:1])
            for ply, each in judgements_in(record.variant, battle).items()
            if is_mistake(mark_of(record.variant, each, positions[ply].to_move))
        }
        record = with_judgements(record, number, short)
    return record


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", metavar="DIR", type=Path)
    parser.add_argument("--matches", type=int, default=MATCHES, help="of each variant")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--review", dest="do", action="store_const", const=review)
    what.add_argument("--pack", dest="do", action="store_const", const=pack)
    options = parser.parse_args()
    do = options.do or partial(play, matches=options.matches)
    try:
        do(options.directory)
    except KeyboardInterrupt:
        print("interrupted: what was finished is kept")


if __name__ == "__main__":
    main()
