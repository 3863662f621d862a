"""Battles to fit and to check what is said of positions: played, judged, written, read.

Usage: python tools/battles.py VARIANT FILE BATTLES

Appends battles to a file, a line of JSON each, from the first number that it does not hold, on all
processors. A battle depends on the program, the variant and its number alone, so a file can be made
again, or longer, as long as the levels have the same edition. Every third battle is left for
`benchmarks/reliability.py` (`HELD_OUT`); `measure.py` fits the others.

A third are between levels from 7 to 14, at most two apart, as people meet them; half between
players that search equally many positions, from 500 to 8,000; a sixth begins with few pieces,
anywhere. A few random choices among good moves come first. Every third position or so is judged by
a search of 4,000 positions, as hints and reviews judge, unless its score is an end's.

With --low all are between equals of the levels from 1 to 6, and no position is judged.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from thud.ai.core import weakness
from thud.ai.level_player import LevelPlayer
from thud.ai.player import Limits, Player, Thought
from thud.ai.scores import seen_by
from thud.ai.thinker import Thinker
from thud.disk.atomic import write_atomic
from thud.engines.outlook import is_exact
from thud.records.programs import EDITION
from thud.rules.battle import Battle
from thud.rules.geometry import BOARD, bit, squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

HELD_OUT: Final = 3
"""One battle in so many is fitted to nothing."""

QUIET: Final = {"classic": 100, "single": 100, "koom": 200, "football": 300}
"""Plies without a capture that end a battle here."""

_JUDGE: Final = Limits(nodes=4_000)
_GLANCE: Final = Limits(depth=1)
_CHOICE: Final = 6
_LOW: Final = (1, 6)
_MET: Final = (7, 14)
_PACES: Final = (500, 1_000, 2_000, 4_000, 8_000)


class Judged(NamedTuple):
    """A position of a battle, and what a search said of it."""

    number: int
    """The battle's number."""
    kind: str
    """`levels`, `equal`, `few` or `low`."""
    players: tuple[str, str]
    """The dwarfs' and the trolls': a level, or positions a move."""
    ply: int
    quiet: int
    """Plies since the last capture."""
    position: Position
    score: int
    """The search's score for the dwarfs, in hundredths."""
    result: float
    """The margin, or 1, 0 or -1, for the dwarfs."""

    @property
    def is_held_out(self) -> bool:
        """Whether nothing is fitted to the battle."""
        return self.number % HELD_OUT == 0


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the battles of a file; one that is being written may end early."""
    for line in path.read_text().splitlines(keepends=True):
        if line.endswith("\n"):
            yield json.loads(line)


def positions(record: dict[str, Any]) -> Iterator[tuple[Position, int]]:
    """Yield the positions of a battle, each with the plies since the last capture."""
    position, quiet = Position.from_text(record["start"]), 0
    yield position, quiet
    for origin, destination, *captured in record["moves"]:
        move = Move(origin, destination, sum(map(bit, captured)))
        quiet = 0 if move.captures else quiet + 1
        position = position.after(move)
        yield position, quiet


def judged(path: Path) -> Iterator[Judged]:
    """Yield the judged positions of the battles of a file."""
    for record in read(path):
        said = {int(ply): score for ply, score in record["scores"].items()}
        for ply, (position, quiet) in enumerate(positions(record)):
            if ply in said:
                yield Judged(
                    record["number"],
                    record["kind"],
                    (record["dwarfs"], record["trolls"]),
                    ply,
                    quiet,
                    position,
                    said[ply],
                    record["result"],
                )


def play(variant: Variant, number: int, *, low: bool = False) -> dict[str, Any]:
    """Return the record of a battle, if `low` between low levels."""
    chance = Random(f"{variant.name} {number}")
    kinds = ("levels", "equal", "equal", "levels", "equal", "few")
    kind = "low" if low else kinds[number // HELD_OUT % len(kinds)]
    names, players = _players(variant, kind, chance)
    start = _few_pieces(variant, chance) if kind == "few" else variant.start
    battle = Battle(variant, start, quiet_limit=QUIET[variant.name])
    judge = Thinker(variant, number)
    for _ in range(0 if kind == "few" else chance.randrange(2, 9)):
        _open(battle, judge, chance)
    scores, due = {}, len(battle.moves) + chance.randrange(3)
    while battle.outcome is None:
        position, ply = battle.position, len(battle.moves)
        if ply == due and not low:
            due += chance.randrange(2, 5)
            thought = judge.search([position], _JUDGE).thought
            if not is_exact(variant, position, thought):
                scores[ply] = seen_by(position.to_move, thought.score)
        player, limits = players[position.to_move]
        battle.play(player.decide(list(battle.positions), limits).move)
    winner = battle.outcome.winner
    won = 0 if winner is None else 1 if winner is Side.DWARFS else -1
    return {
        "number": number,
        "edition": EDITION,
        "kind": kind,
        "dwarfs": names[0],
        "trolls": names[1],
        "start": start.to_text(),
        "moves": [
            [move.origin, move.destination, *squares_of(move.captures)] for move in battle.moves
        ],
        "scores": scores,
        "result": battle.outcome.margin if variant.counts_points else won,
        "because": battle.outcome.reason.name.lower(),
    }


def _players(
    variant: Variant, kind: str, chance: Random
) -> tuple[tuple[str, str], dict[Side, tuple[Player, Limits]]]:
    """Draw the players of a battle: their names, and each with its limits."""
    if kind in ("levels", "low"):
        lowest, highest = _LOW if kind == "low" else _MET
        one = chance.randint(lowest, highest)
        other = one if kind == "low" else one + chance.randint(-2, 2)
        other = min(highest, max(lowest, other))
        levels = [LevelPlayer(variant, level, chance.getrandbits(32)) for level in (one, other)]
        names = f"level {one}", f"level {other}"
        return names, dict(zip(Side, ((level, Limits()) for level in levels), strict=True))
    nodes = chance.choice(_PACES)
    thinkers = [(Thinker(variant, chance.getrandbits(32)), Limits(nodes=nodes)) for _ in Side]
    return (str(nodes), str(nodes)), dict(zip(Side, thinkers, strict=True))


def _open(battle: Battle, judge: Thinker, chance: Random) -> None:
    """Play one of the best moves at a glance."""
    best = dict[int, Move]()

    def keep(thought: Thought) -> None:
        best[thought.rank] = thought.line[0]

    if battle.outcome is None:
        judge.search([battle.position], _GLANCE, report=keep, lines=_CHOICE)
        battle.play(chance.choice([*best.values()]))


def _few_pieces(variant: Variant, chance: Random) -> Position:
    """Draw a position of few pieces, on any squares, in which the battle goes on."""
    while True:
        squares = squares_of(BOARD & ~(bit(variant.start.stone) | variant.goals))
        dwarfs, trolls = chance.randrange(1, 11), chance.randrange(1, 5)
        drawn = chance.sample(squares, dwarfs + trolls + 1)
        stone = variant.start.stone if variant.counts_points else drawn[-1]
        position = Position(
            sum(map(bit, drawn[:dwarfs])),
            sum(map(bit, drawn[dwarfs:-1])),
            stone,
            chance.choice(tuple(Side)),
        )
        if variant.outcome(position) is None:
            return position


def extend(path: Path, variant: Variant, battles: int, *, low: bool = False) -> None:
    """Append battles to a file until it has so many; a last line that was not finished is gone."""
    if why := weakness():
        sys.exit(f"the levels play as they should only with the compiled search: {why}")
    whole = [*read(path)] if path.exists() else []
    if any(each.get("edition") != EDITION for each in whole):
        sys.exit(f"{path} has battles of other levels than edition {EDITION}: begin another file")
    write_atomic(path, "".join(f"{json.dumps(each)}\n" for each in whole).encode())
    with path.open("a") as out, Pool() as pool:
        for record in pool.imap(partial(play, variant, low=low), range(len(whole), battles)):
            print(json.dumps(record), file=out, flush=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("file", type=Path)
    parser.add_argument("battles", type=int)
    parser.add_argument("--low", action="store_true", help="equals of levels 1 to 6")
    options = parser.parse_args()
    extend(options.file, VARIANTS[options.variant], options.battles, low=options.low)


if __name__ == "__main__":
    main()
