"""Make the corpus for `thud explore --corpus`: battles of the computer against itself.

Usage: python tools/make_corpus.py VARIANT DIR --selfplay PROGRAM plays the matches that are not in
DIR; PROGRAM is core's `selfplay`.  --judge DIR adds judgements of the mistakes, and --pack DIR
writes the matches in DIR to the package.  Each can be interrupted with Ctrl+C, and continues when
started again.

The openings are a tree that widens: at each position the moves worth nearly as much as the best
one are played, the better the more often, alike for both sides.  Positions that are mirrored or
turned count as one.  After the opening both sides play the best move that they find.

A judgement is of the review, for each move after which the computer expects much less than before.
Only mistakes and blunders go into the package.
"""

import argparse
import asyncio
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from math import exp
from pathlib import Path
from typing import Final

from thud import __version__
from thud.ai.core import position_line, searcher_for
from thud.ai.player import Limits, Thought
from thud.engines.analyst import Analyst
from thud.explore.files import corpus_of
from thud.records.formats import read_file, write_file
from thud.records.record import Record
from thud.review.judgement import is_mistake, mark_of
from thud.review.notes import Judgements, with_judgements
from thud.review.reviewer import LOOK, Judged, judge_battle
from thud.rules.geometry import mask_of
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.symmetry import canonical_text
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

MATCHES: Final = 125
_NODES: Final = 20_000
"""Positions a move."""
_MORE: Final = 1_500
"""Further ones for each earlier battle with the same opening."""
_WIDTHS: Final = (10, 6, 4, 3, 2, 2)
"""Most choices at each move of the tree of openings."""
_FIRST: Final = Limits(nodes=200_000)
"""Limit of the search of the first position, whose moves have many mirror images."""
_LINES: Final = 40
"""Moves compared there; a quarter of them later."""
_SPREAD: Final = {"classic": 30, "single": 30, "koom": 75, "football": 8}
"""Loss of score at which a move is played a third as often as the best."""
_WORST: Final = 4
"""The greatest loss of a move in the tree, in spreads."""
_QUIET: Final = 20
"""Quiet moves kept at the end of a battle that nobody wins."""
_DROP: Final = {"classic": 200, "single": 200, "koom": 80, "football": 1_000}
"""Drop of what a side expects from which its move is judged."""
_NAMES: Final = "Thud", "Thud again"


@cache
def choices(variant: Variant, position: Position) -> tuple[tuple[float, Move], ...]:
    """Return the moves of the tree at a position, each with its share."""
    first = position == variant.start
    lines = min(_LINES if first else _LINES // 4, variant.count_moves(position))
    limits = _FIRST if first else Limits(nodes=_NODES * 2)
    by_depth = defaultdict[int, dict[int, Thought]](dict)

    def report(thought: Thought) -> None:
        by_depth[thought.depth][thought.rank] = thought

    searcher_for(variant, None).search([position], limits, report=report, lines=lines)
    ranked = [by_depth[depth] for depth in sorted(by_depth)]
    whole = [each for each in ranked if len(each) == lines] or ranked
    thoughts = [whole[-1][rank] for rank in sorted(whole[-1])]
    spread = _SPREAD[variant.name]
    known = set[str]()
    shares = list[tuple[float, Move]]()
    for each in thoughts:
        text = canonical_text(variant, position.after(each.line[0]))
        lost = (thoughts[0].score - each.score) / spread
        if text not in known and lost <= _WORST:
            known.add(text)
            shares.append((exp(-lost), each.line[0]))
    return tuple(shares)


def openings(variant: Variant, count: int) -> Iterator[list[Move]]:
    """Yield openings, each time along the moves that have been played too rarely."""
    played = Counter[tuple[Position, Move]]()
    visits = Counter[Position]()
    for _ in range(count):
        position, moves = variant.start, list[Move]()
        while len(moves) < len(_WIDTHS) and not variant.outcome(position):
            shares = choices(variant, position)[: _WIDTHS[len(moves)]]
            total = sum(share for share, _ in shares)
            visits[position] += 1
            move = max(
                shares,
                key=lambda each: each[0] / total * visits[position] - played[position, each[1]],
            )[1]
            played[position, move] += 1
            moves.append(move)
            position = position.after(move)
        yield moves


def play(variant: Variant, directory: Path, selfplay: str, matches: int) -> None:
    """Play the matches that are not in a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    known = list(openings(variant, 2 * matches))
    # Battles with the same opening differ by the positions a move.
    limits = [_NODES + _MORE * known[:place].count(moves) for place, moves in enumerate(known)]
    for number in range(1, matches + 1):
        file = directory / f"{variant.name}-{number:04}.tgn"
        if file.exists():
            continue
        places = number - 1, matches + number - 1
        match = Match(variant, _NAMES)
        drops: dict[int, list[int]] = {}
        for battle, place in enumerate(places, 1):
            for move in known[place]:
                match.battle.play(move)
            rest = _continued(variant, match.battle.position, selfplay, limits[place])
            drops[battle] = _played(match, rest, len(known[place]))
            if battle == 1:
                match.next_battle()
        program = f"Thud {__version__}, {_NODES} positions a move or more"
        tags = (("Round", str(number)),)
        record = Record.of(match, event="Corpus", programs=(program, program))
        write_file(file, record._replace(tags=tags))
        file.with_suffix(".json").write_text(json.dumps(drops))
        print(file.stem, *map(str, record.tally), flush=True)


def _continued(
    variant: Variant, position: Position, selfplay: str, nodes: int
) -> list[tuple[Move, int]]:
    """Return the moves of a battle from a position, each with the score before it."""
    command = [selfplay, "play", variant.name, str(nodes)]
    told = subprocess.run(
        command, input=position_line(position), capture_output=True, text=True, check=True
    )
    found = []
    for word in told.stdout.split():
        text, _, score = word.partition("=")
        origin, _, rest = text.partition("-")
        destination, *captured = map(int, rest.split("x"))
        found.append((Move(int(origin), destination, mask_of(*captured)), int(score)))
    return found


def _played(match: Match, rest: list[tuple[Move, int]], begun: int) -> list[int]:
    """Play the moves of a battle, and end it; return the plies after which a side expects less."""
    battle, variant = match.battle, match.variant
    quiet = next((n for n, (move, _) in enumerate(reversed(rest)) if move.captures), len(rest))
    last = battle.position
    for move, _ in rest:
        last = last.after(move)
    if variant.outcome(last) is None and quiet > _QUIET:
        rest = rest[: len(rest) - quiet + _QUIET]
    drops = []
    for place, (move, score) in enumerate(rest):
        then = rest[place + 1][1] if place + 1 < len(rest) else score
        sign = 1 if battle.position.to_move is Side.DWARFS else -1
        if sign * (score - then) >= _DROP[variant.name]:
            drops.append(begun + place)
        battle.play(move)
    if battle.outcome is None:
        battle.agree()
    return drops


def judge(directory: Path) -> None:
    """Add judgements to the matches in a directory that have none yet."""
    for file in sorted(directory.glob("*.tgn")):
        plan = file.with_suffix(".json")
        if plan.exists():
            [record] = read_file(file)
            write_file(
                file, asyncio.run(_judged(record, json.loads(plan.read_text()))), overwrite=True
            )
            plan.unlink()
            print(file.stem, "is judged", flush=True)


async def _judged(record: Record, drops: dict[str, list[int]]) -> Record:
    """Return a match with the judgements of its mistakes."""
    variant = record.variant
    async with Analyst() as analyst:
        for number, battle in enumerate(record.battles, 1):
            before = list(zip(battle.positions(), battle.quiet_counts(), strict=True))
            found: Judgements = {}

            def keep(
                judged: Judged,
                found: Judgements = found,
                before: list[tuple[Position, int]] = before,
            ) -> None:
                judgement, (position, quiet) = judged.judgement, before[judged.ply]
                if is_mistake(mark_of(variant, position, judgement, quiet)):
                    short = judgement._replace(line=judgement.line[:1], reply=judgement.reply[:1])
                    found[judged.ply] = short

            plies = drops[str(number)]
            limits = LOOK._replace(seconds=None)
            await judge_battle(record, number, plies, analyst, keep, limits=limits)
            record = with_judgements(record, number, found)
    return record


def pack(directory: Path) -> None:
    """Write the matches in a directory to the package, one file for each variant that is there."""
    for variant in VARIANTS.values():
        files = sorted(directory.glob(f"{variant.name}-*.tgn"))
        if files:
            records = [read_file(each)[0] for each in files]
            path = corpus_of(variant)
            write_file(path, *records, overwrite=True)
            battles = sum(len(record.battles) for record in records)
            print(f"{path.name}: {battles} battles, {path.stat().st_size} bytes")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("directory", metavar="DIR", type=Path)
    parser.add_argument("--matches", type=int, default=MATCHES)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--selfplay", metavar="PROGRAM")
    what.add_argument("--judge", action="store_true")
    what.add_argument("--pack", action="store_true")
    options = parser.parse_args()
    try:
        if options.selfplay:
            play(VARIANTS[options.variant], options.directory, options.selfplay, options.matches)
        else:
            (judge if options.judge else pack)(options.directory)
    except KeyboardInterrupt:
        print("interrupted: what was finished is kept")


if __name__ == "__main__":
    main()
