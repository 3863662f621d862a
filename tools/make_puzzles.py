"""Make puzzles from battles of the computer against itself, or verify those there are.

Usage: python tools/make_puzzles.py VARIANT [--minutes N] [--most N] makes more, and adds them to
those of the package; with --verify it looks at each of those anew, and says which do not hold; with
--mend it also corrects those of them that are puzzles still, and drops the others.

A position is a puzzle where one move, or a few that are equally good, are better than every other
by three points at least (in Koom Valley by a win, a troll or three dwarfs).  That has to be so at
2,000 positions for each look, at 20,000, and at 200,000, which takes the compiled core.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from thud.ai.games import game_for
from thud.ai.levels import LevelPlayer
from thud.ai.player import Player
from thud.ai.scores import GOAL
from thud.puzzles.confirm import band_of, written
from thud.puzzles.puzzle import BANDS
from thud.puzzles.search import (
    CONFIRM,
    MARGIN,
    SearchResult,
    Step,
    distance,
    look,
    step,
    steps_from,
    won,
)
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.symmetry import canonical_text
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.wording.puzzles import capture_theme, theme_of

_DATA: Final = Path(__file__).parent.parent / "src/thud/puzzles/data"
_GLANCES: Final = CONFIRM // 10, 3 * CONFIRM // 10
"""Positions per look that finds a puzzle."""
_FIRST_SIGHT: Final = 1_000
"""The same to see whether something has been given away."""
_APART: Final = 8
"""Turns between two puzzles of one battle, at least."""
_VERIFY: Final = 10 * CONFIRM
"""The same for each look that verifies one."""
_MOST_ALIKE: Final = 24
"""Puzzles of a variant with one theme in one band, at most."""
_MOST_EASY: Final = 0.7
"""The share of a variant's puzzles that may be easy."""
_FEWEST: Final = {"classic": (10, 2), "single": (10, 2), "koom": (6, 4), "football": (0, 0)}
"""Fewest dwarfs and trolls in a battle that is still open."""
_MOST_OF_BATTLE: Final = 3
_LONGEST_BATTLE: Final = 140
_BEFORE_THE_END: Final = (5, 3, 4, 2, 7)
"""Turns before a goal from which it is to be won, or stopped."""
_ANYHOW: Final = 0.06
"""How often a move in the battles is any move."""
_GIVEN: Final = 250
"""A rise in the score since the last turn by which a position is looked at: a gift."""
_SAMPLED: Final = 0.2
"""The share of the other positions that is looked at."""


@dataclass
class Book:
    """The puzzles of a variant there are."""

    variant: Variant
    lines: list[str] = field(default_factory=list)
    """The lines of the file; that of a puzzle that was dropped is empty."""

    def __post_init__(self) -> None:
        if self.path.exists():
            self.lines = self.path.read_text().splitlines()

    @property
    def puzzles(self) -> list[dict[str, Any]]:
        """What each line says."""
        return [json.loads(line) for line in self.lines if line]

    @property
    def path(self) -> Path:
        """Where they are."""
        return _DATA / f"{self.variant.name}.jsonl"

    @property
    def next_battle(self) -> int:
        """The first battle that has not been looked at, as far as the puzzles tell."""
        return max((puzzle["battle"] for puzzle in self.puzzles), default=0) + 1

    def likenesses(self) -> set[str]:
        """Return what no further puzzle may be like."""
        positions = (self.variant.position(puzzle["position"]) for puzzle in self.puzzles)
        return {canonical_text(self.variant, position) for position in positions}

    def add(self, puzzle: dict[str, Any]) -> None:
        """Add a puzzle to the file at once."""
        self.lines.append(json.dumps(puzzle))
        self.write()

    def write(self) -> None:
        """Write the file."""
        self.path.write_text("".join(f"{line}\n" for line in self.lines))

    def has_from(self, battle: int, move: str) -> bool:
        """Say whether a battle's puzzle of some turns ago has the same solution."""
        of_battle = (each for each in self.puzzles if each["battle"] == battle)
        return any(move in each["solutions"][0] for each in of_battle)

    def has_enough(self, theme: str, band: str) -> bool:
        """Say whether there are enough of a theme in a band, or of the easy band."""
        puzzles = self.puzzles
        alike = Counter((puzzle["theme"], puzzle["band"]) for puzzle in puzzles)
        easy = sum(puzzle["band"] == BANDS[0] for puzzle in puzzles)
        return alike[theme, band] >= _MOST_ALIKE or (
            band == BANDS[0] and easy > _MOST_EASY * len(puzzles)
        )


class Seen(NamedTuple):
    """A position of a battle, and whether whoever is to move has just been given something."""

    position: Position
    turn: int
    given: bool


def battle_of(variant: Variant, number: int) -> Iterator[Seen]:
    """Play a battle of two low levels that now and then move anyhow; yield every position."""
    chance = Random(f"{variant.name} {number}")
    players: dict[Side, Player] = {
        side: LevelPlayer(variant, chance.choice((1, 2, 2, 6)), number) for side in Side
    }
    expected = dict.fromkeys(Side, 0)
    battle = Battle(variant, quiet_limit=40)
    while battle.outcome is None and len(battle.moves) < _LONGEST_BATTLE:
        side = battle.position.to_move
        score = look(variant, battle.position, _FIRST_SIGHT).score
        yield Seen(battle.position, len(battle.moves), score - expected[side] >= _GIVEN)
        expected[side] = score
        if chance.random() < _ANYHOW:
            battle.play(chance.choice(variant.legal_moves(battle.position)))
        else:
            battle.play(players[side].decide(battle.positions).move)


def candidates(variant: Variant, number: int) -> Iterator[Seen]:
    """Yield the positions of a battle that are worth a look, the likeliest first.

    Where a goal decides that is shortly before the end.
    """
    seen, chance = list(battle_of(variant, number)), Random(number)
    if variant.goals:
        yield from (seen[-place] for place in _BEFORE_THE_END if place <= len(seen))
    yield from (each for each in seen if each.given)
    yield from (each for each in seen if not each.given and chance.random() < _SAMPLED)


def promising(book: Book, position: Position) -> SearchResult | None:
    """Return the best move if a quick look finds nothing else that is nearly as good."""
    variant = book.variant
    if not tactical(variant, position):
        return None
    best = None
    for nodes in _GLANCES:
        best = look(variant, position, nodes)
        if plain(best) and book.has_enough(capture_theme(variant, position, best.move), BANDS[0]):
            return None
        same = like(best.move, variant.legal_moves(position))
        if not same:
            return None
        rest = look(variant, position, nodes, same)
        if distance(best.score, rest.score) < MARGIN:
            return None
    return best


def like(best: Move, moves: Sequence[Move]) -> list[Move]:
    """Return a move and those that capture the same, none if there are no others."""
    same = [m for m in moves if m == best or (m.captures and m.captures == best.captures)]
    return same if len(same) < len(moves) else []


def plain(best: SearchResult) -> bool:
    """Say whether a move is a capture that is the best at first sight, and wins nothing else."""
    first_sight = all(move == best.move for _, move in best.reports)
    return first_sight and bool(best.move.captures) and not won(best.score)


def tactical(variant: Variant, position: Position) -> bool:
    """Say whether either side could capture now, or reach a goal, in a battle still open."""
    fewest = _FEWEST[variant.name]
    if position.dwarfs.bit_count() < fewest[0] or position.trolls.bit_count() < fewest[1]:
        return False
    passed = position._replace(to_move=position.to_move.other)
    return any(at_stake(variant, one) for one in (position, passed))


def at_stake(variant: Variant, position: Position) -> bool:
    """Say whether the side to move can capture as much as counts, or reach a goal."""
    game = game_for(variant, position.to_move)
    state = game.state(position)
    for gain, move in game.captures(state):
        captured = game.rules_move(state, move).captures
        most = captured.bit_count() * (4 if position.to_move is Side.DWARFS else 1)
        if gain >= GOAL or 100 * most >= MARGIN:
            return True
    return False


def make(book: Book, battle: int, most: int, seconds: float) -> None:
    """Add puzzles from a battle on until there are enough, or the time is up."""
    until = monotonic() + seconds
    for number in count(battle):
        turns = list[int]()
        for position, turn, _ in candidates(book.variant, number):
            if len(book.puzzles) >= most or monotonic() > until:
                return
            far = all(abs(turn - other) >= _APART for other in turns)
            if far and len(turns) < _MOST_OF_BATTLE and added(book, position, number, turn):
                turns.append(turn)


def added(book: Book, position: Position, number: int, turn: int) -> bool:
    """Add a position to the puzzles if it is one, and a new one."""
    variant = book.variant
    best = promising(book, position)
    if best is None or canonical_text(variant, position) in book.likenesses():
        return False
    if book.has_from(number, move_text(position, best.move)):
        return False
    steps = steps_from(variant, position)
    if not steps or book.has_enough(theme_of(variant, steps), band_of(steps)):
        return False
    steps = verified(variant, steps[0])
    if not steps or book.has_enough(theme_of(variant, steps), band_of(steps)):
        return False
    puzzle = written(variant, steps) | {"battle": number, "turn": turn}
    print(len(book.puzzles) + 1, json.dumps(puzzle), flush=True)
    book.add(puzzle)
    return True


def verified(variant: Variant, first: Step) -> list[Step]:
    """Return the moves of a puzzle if its best ones are the same from more positions."""
    steps = steps_from(variant, first.position, _VERIFY)
    same = steps and set(steps[0].solutions) == set(first.solutions)
    return steps if same else []


def verify(book: Book, mend: bool) -> int:
    """Look at every puzzle anew, and say which do not hold; return how many.

    Args:
        book: the puzzles.
        mend: whether to write what they should be, an empty line for those that are none.
    """
    failed = 0
    for number, line in enumerate(book.lines, 1):
        if line and (right := anew(book.variant, json.loads(line))) != line:
            failed += 1
            told = "goes on otherwise" if right else "does not hold"
            print(f"{book.variant.name} {number} {told}", flush=True)
            if mend:
                book.lines[number - 1] = right
                book.write()
    return failed


def anew(variant: Variant, puzzle: dict[str, Any]) -> str:
    """Return the line of a puzzle that was verified anew: as it is, another, or an empty one."""
    first = step(variant, variant.position(puzzle["position"]))
    steps = verified(variant, first) if first else []
    if not steps:
        return ""
    found = written(variant, steps)
    if [*map(set, found["solutions"])] == [*map(set, puzzle["solutions"])]:
        return json.dumps(puzzle)
    return json.dumps(puzzle | found)


def main() -> None:
    """Do as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=[*VARIANTS])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--battle", type=int, help="the first; after the last of the puzzles'")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--mend", action="store_true", help="what does not hold")
    options = parser.parse_args()
    book = Book(VARIANTS[options.variant])
    if options.verify or options.mend:
        sys.exit(verify(book, options.mend) > 0)
    make(book, options.battle or book.next_battle, options.most, 60 * options.minutes)


if __name__ == "__main__":
    main()
