"""Whether a review's marks are true, and how accurate each level is.

Usage: nice python benchmarks/marks.py judge VARIANT FILE [--minutes 30] [--seed 0] [--levels 5 7]
       nice python benchmarks/marks.py play FILE SELFPLAY [--battles 4] [--nodes 1000] [--most 300]
       nice python benchmarks/marks.py deeper FILE [--times 8] [--most 40]
       nice python benchmarks/marks.py closely FILE [--nodes 1000000] [--most 200]
       python benchmarks/marks.py tables FILE...
       python benchmarks/marks.py reasons FILE...

`judge` reviews battles of each level against itself, and of random players, and appends a line for
each move.  `play` lets the search play on from the position after each marked move and from the
one after the better move, with core's program `selfplay`; the difference is what the move lost.
`deeper` judges mistakes again with more positions.  `closely` searches the best move with so many,
and it and the one played to equal depth, for moves with a mark and for others.  `tables` prints
what came of it, and `reasons` of how many marks a review says why, by the words of today.
"""

import argparse
import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import monotonic
from typing import Any, Final, TypeAlias

from thud.ai.core import position_line
from thud.ai.level_player import LevelPlayer
from thud.ai.player import Limits, quiet_moves
from thud.disk.atomic import write_atomic
from thud.engines.analyst import Analyst
from thud.review.judgement import (
    Judgement,
    Mark,
    accuracy,
    given_away,
    is_mistake,
    thresholds,
)
from thud.review.notes import judgement_in, note
from thud.review.reviewer import LOOK, Judged, Reviewer
from thud.review.sentences import wrong
from thud.review.summary import marked
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.words.remarks import merits

Line: TypeAlias = dict[str, Any]

_LEVELS: Final = (4, 0, 7, 1, 10, 2, 12, 5, 8, 11, 13, 3, 6, 9)
"""Levels in the order of their battles; 0 moves at random."""
_OPENING: Final = 2
_LONGEST: Final = 90


def lines_of(path: Path) -> list[Line]:
    """Return the lines of a file, none if it is missing."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write(path: Path, lines: Iterable[Line]) -> None:
    """Replace the lines of a file."""
    write_atomic(path, "".join(f"{json.dumps(line)}\n" for line in lines).encode())


def battle_of(name: str, level: int, random: Random) -> Battle:
    """Return a battle of a level against itself, after a few random moves."""
    battle = Battle(VARIANTS[name])
    players = [LevelPlayer(battle.variant, max(1, level), random.randrange(1 << 20)) for _ in "dT"]
    while battle.outcome is None and len(battle.moves) < _LONGEST:
        if level == 0 or len(battle.moves) < _OPENING:
            battle.play(random.choice(battle.variant.legal_moves(battle.position)))
        else:
            battle.play(players[len(battle.moves) % 2].decide(battle.positions).move)
    return battle


async def judge(options: argparse.Namespace) -> None:
    """Append judged moves of battles until the time is up."""
    until, number = monotonic() + 60 * options.minutes, options.seed
    async with Analyst() as analyst:
        while monotonic() < until:
            level = options.levels[number % len(options.levels)]
            random = Random(f"{options.variant} {number}")
            battle = await asyncio.to_thread(battle_of, options.variant, level, random)
            plies = range(_OPENING, len(battle.moves))
            found = await judged(battle, plies, analyst, options.nodes)
            with options.file.open("a") as file:
                for ply, judgement in sorted(found.items()):
                    line = line_of(battle, ply, judgement)
                    of = {"variant": options.variant, "level": level, "battle": number}
                    file.write(f"{json.dumps(of | line)}\n")
            number += 1


async def judged(
    battle: Battle, plies: Iterable[int], analyst: Analyst, nodes: int
) -> dict[int, Judgement]:
    """Return the judgements of moves of a battle, by ply."""
    found: dict[int, Judgement] = {}

    def tell(each: Judged) -> None:
        found[each.ply] = each.judgement

    await Reviewer(battle, analyst, LOOK._replace(seconds=None, nodes=nodes)).judge_all(plies, tell)
    return found


def line_of(battle: Battle, ply: int, judgement: Judgement) -> Line:
    """Return a judged move as a line."""
    position, move, best = battle.positions[ply], battle.moves[ply], judgement.best
    quiet = quiet_moves(battle.positions[: ply + 1])
    found = marked(battle.variant, ply, position, move, judgement, quiet=quiet)
    return {
        "position": position.to_text(),
        "played": move_text(position, move),
        "best": move_text(position, best) if best else "",
        "cost": found.cost,
        "mark": found.mark.value if found.mark else "",
        "accuracy": accuracy(battle.variant, judgement, position.to_move),
        "note": note(judgement, position, move),
    }


def reasons(options: argparse.Namespace) -> None:
    """Print how many marks have a reason, by game, side and mark, and how many of each fault."""
    lines = [line for path in options.files for line in lines_of(path)]
    marks = [line for line in lines if line["mark"] and line["best"] and "note" in line]
    faults = Counter[tuple[str, str]]()
    print("| game | side | `?!` | `?` | `??` | all | and what the better move does |")
    print("| --- " * 7 + "|")
    for name in dict.fromkeys(line["variant"] for line in marks):
        for side in Side:
            told: dict[str, list[bool]] = {mark.value: [] for mark in Mark}
            more = list[bool]()
            variant = VARIANTS[name]
            for line in (line for line in marks if line["variant"] == name):
                position = variant.position(line["position"])
                if position.to_move is side:
                    move = parse_move(variant, position, line["played"])
                    judgement = judgement_in(variant, position, move, line["note"])
                    assert judgement
                    assert judgement.best
                    found = marked(variant, 0, position, move, judgement)
                    why = bool(wrong(variant, found))
                    told[line["mark"]].append(why)
                    more.append(why or bool(merits(variant, position, judgement.best)))
                    faults[name, found.fault.name if found.fault else "none"] += 1
            every = [each for some in told.values() for each in some]
            cells = [f"{sum(some)} of {len(some)}" for some in (*told.values(), every, more)]
            print(f"| {VARIANTS[name].title} | {side.plural} | {' | '.join(cells)} |")
    print("\n| game | fault | marks |\n| --- | --- | --- |")
    for (name, fault), number in sorted(faults.items()):
        print(f"| {VARIANTS[name].title} | {fault.lower().replace('_', ' ')} | {number} |")


def play(options: argparse.Namespace) -> None:
    """Add to marked moves the results of battles after them, and after the better moves."""
    lines = lines_of(options.file)
    wanted = [line for line in lines if line["mark"] and line["best"]]
    Random(0).shuffle(wanted)
    for mark in Mark:
        some = [line for line in wanted if line["mark"] == mark.value][: options.most]
        todo = [line for line in some if "lost" not in line]
        for at in range(0, len(todo), 10):
            _play_on(todo[at : at + 10], options)
            write(options.file, lines)


def _play_on(lines: Sequence[Line], options: argparse.Namespace) -> None:
    """Add what some moves lost, by battles from the positions after them."""
    name = lines[0]["variant"]
    variant = VARIANTS[name]
    asked = []
    for line in lines:
        position = variant.position(line["position"])
        moves = (parse_move(variant, position, line[each]) for each in ("played", "best"))
        asked += [position_line(position.after(move)) for move in moves]
    command = [options.selfplay, "worth", name, str(options.battles), str(options.nodes)]
    told = subprocess.run(
        command, input="\n".join(asked), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    # A battle of the Koom Valley games is won at 100 and lost at -100: a chance of 1 and of 0.
    unit = 100 if variant.counts_points else 200
    for line, after, instead in zip(lines, told[::2], told[1::2], strict=True):
        lost = fmean(map(int, instead.split())) - fmean(map(int, after.split()))
        dwarfs = variant.position(line["position"]).to_move is Side.DWARFS
        line["lost"] = (lost if dwarfs else -lost) / unit


async def deeper(options: argparse.Namespace) -> None:
    """Add to mistakes whether a longer search calls them mistakes, too."""
    lines = lines_of(options.file)
    mistakes = [line for line in lines if is_mistake(_mark(line["mark"]))]
    Random(0).shuffle(mistakes)
    async with Analyst() as analyst:
        for line in mistakes[: options.most]:
            if "deeper" in line:
                continue
            variant = VARIANTS[line["variant"]]
            position = variant.position(line["position"])
            battle = Battle(variant, position)
            battle.play(parse_move(variant, position, line["played"]))
            found = await judged(battle, [0], analyst, options.times * (LOOK.nodes or 0))
            again = line_of(battle, 0, found[0])
            line |= {"deeper": again["mark"], "deeper cost": again["cost"]}
            write(options.file, lines)


async def closely(options: argparse.Namespace) -> None:
    """Add to moves what they lost by long searches of the best move, and of both."""
    lines = lines_of(options.file)
    shuffled = Random(0).sample(lines, len(lines))
    limits = Limits(nodes=options.nodes)
    async with Analyst() as analyst:
        for wanted in True, False:
            for line in [each for each in shuffled if bool(each["mark"]) is wanted][: options.most]:
                if "closely" in line:
                    continue
                variant = VARIANTS[line["variant"]]
                battle = Battle(variant, variant.position(line["position"]))
                battle.play(parse_move(variant, battle.position, line["played"]))
                best = (await analyst.analyse(battle, limits, played=0)).move
                lost = 0.0
                if best != battle.moves[0]:
                    # It compares with eight times as many.
                    own = Limits(nodes=options.nodes // 8)
                    found = await Reviewer(battle, analyst, own).compare(0, best)
                    lost = given_away(variant, battle.positions[0], found)
                line["closely"] = lost
                write(options.file, lines)


def _mark(text: str) -> Mark | None:
    return Mark(text) if text else None


def tables(options: argparse.Namespace) -> None:
    """Print the tables."""
    lines = [line for path in options.files for line in lines_of(path)]
    names = list(dict.fromkeys(line["variant"] for line in lines))
    print("| | mark | moves | said | lost in play | lost nothing |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in names:
        for mark in Mark:
            of = [line for line in lines if (line["variant"], line["mark"]) == (name, mark.value)]
            played = [line for line in of if "lost" in line]
            if len(played) > 1:
                lost = [line["lost"] for line in played]
                said = fmean(line["cost"] for line in played)
                none = sum(each <= 0 for each in lost)
                row = (name, f"`{mark.value}`", len(played), f"{said:.2f}", mean(lost), none)
                print(f"| {' | '.join(map(str, row))} |")
    for name in names:
        again = [line for line in lines if line["variant"] == name and "deeper" in line]
        if again:
            same = sum(is_mistake(_mark(line["deeper"])) for line in again)
            print(f"\n{name}: a longer search agrees on {same} of {len(again)} mistakes")
    print("\n| | mark | moves | less than half the least of `?!` | 1.5 or more | 3 or more |")
    print("| --- " * 6 + "|")
    for name in (each for each in names if VARIANTS[each].counts_points):
        least = thresholds(VARIANTS[name])[Mark.DUBIOUS] / 2
        for sign in ("", *(each.value for each in Mark)):
            of = [line for line in lines if (line["variant"], line["mark"]) == (name, sign)]
            lost = [line["closely"] for line in of if "closely" in line]
            if lost:
                above = (sum(each >= bound for each in lost) for bound in (1.5, 3))
                found = name, sign, len(lost), sum(each < least for each in lost), *above
                print(f"| {' | '.join(map(str, found))} |")
    print(f"\n| | {' | '.join(f'level {n}' if n else 'at random' for n in range(11))} |")
    print(f"| --- |{' --- |' * 11}")
    for name in names:
        cells = []
        for level in range(11):
            battles: dict[tuple[int, str], list[float]] = {}
            for line in lines:
                if (line["variant"], line["level"]) == (name, level):
                    key = line["battle"], line["position"][-1]
                    battles.setdefault(key, []).append(line["accuracy"])
            cells.append(mean([fmean(each) for each in battles.values()], 0))
        print(f"| {name} | {' | '.join(cells)} |")


def mean(values: Sequence[float], digits: int = 2) -> str:
    """Return a mean with its standard error."""
    if len(values) < 2:
        return ""
    error = stdev(values) / len(values) ** 0.5
    return f"{fmean(values):.{digits}f} ± {error:.{digits}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("judge")
    command.add_argument("variant", choices=VARIANTS)
    command.add_argument("file", type=Path)
    command.add_argument("--minutes", type=float, default=30)
    command.add_argument("--seed", type=int, default=0, help="number of the first battle")
    command.add_argument("--nodes", type=int, default=LOOK.nodes)
    command.add_argument("--levels", type=int, nargs="+", choices=_LEVELS, default=_LEVELS)
    command = commands.add_parser("play")
    command.add_argument("file", type=Path)
    command.add_argument("selfplay", help="the program")
    command.add_argument("--battles", type=int, default=4)
    command.add_argument("--nodes", type=int, default=1_000)
    command.add_argument("--most", type=int, default=300, help="marks of each kind")
    command = commands.add_parser("deeper")
    command.add_argument("file", type=Path)
    command.add_argument("--times", type=int, default=8)
    command.add_argument("--most", type=int, default=40)
    command = commands.add_parser("closely")
    command.add_argument("file", type=Path)
    command.add_argument("--nodes", type=int, default=1_000_000)
    command.add_argument("--most", type=int, default=200, help="with a mark, and without")
    for name in "tables", "reasons":
        command = commands.add_parser(name)
        command.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    waiting = {"judge": judge, "deeper": deeper, "closely": closely}
    if options.command in waiting:
        asyncio.run(waiting[options.command](options))
    else:
        {"play": play, "tables": tables, "reasons": reasons}[options.command](options)


if __name__ == "__main__":
    main()
