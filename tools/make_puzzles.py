"""Make puzzles from battles of the computer against itself, or verify the existing ones.

Usage: python tools/make_puzzles.py VARIANT [--minutes N] [--most N] adds new puzzles to the
package.  With --verify it searches those again and reports the ones that do not hold; with --mend
it also corrects the ones that are still puzzles, and drops the others.

A position is a puzzle if one move, or a few equally good ones, are better than every other by at
least three points; in Koom Valley and Football by a win, or as much as from even odds to one in
three.  That must hold in searches of 2,000, 20,000 and 200,000 positions.  --quiet looks for quiet
moves of the dwarfs where pieces count: two points better are enough there.  --doubt NODES searches
the puzzles turned, and reports those whose solution keeps less than two thirds of the margin, or
where a goal decides leaves less than one chance in twenty.  --long adds only puzzles of two moves
or three.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, zip_longest
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from thud.ai.level_player import LevelPlayer
from thud.ai.player import Player
from thud.ai.scores import seen_by
from thud.exercises.puzzles.confirm import written
from thud.exercises.puzzles.puzzle import BANDS
from thud.exercises.puzzles.search import (
    CONFIRM,
    POINTS,
    QUIET,
    SearchResult,
    Step,
    distance,
    look,
    margin_of,
    step,
    steps_from,
    won,
)
from thud.exercises.puzzles.themes import theme_of
from thud.review.judgement import chance
from thud.rules.battle import Battle
from thud.rules.notation import move_text, written_move
from thud.rules.position import Move, Position, Side
from thud.rules.symmetry import canonical_text, symmetries
from thud.rules.variant import Reason, Variant
from thud.rules.variants import VARIANTS

_DATA: Final = Path(__file__).parent.parent / "src/thud/exercises/puzzles/data"
_GLANCES: Final = CONFIRM // 10, 3 * CONFIRM // 10
"""Positions for each search that finds puzzles."""
_FIRST_SIGHT: Final = 1_000
"""Positions for a search whether something has been given away."""
_APART: Final = 8
"""Fewest turns between two puzzles of a battle."""
_LOST: Final = 0.05
"""Chance of winning below which a position counts as lost."""
_QUIET_APART: Final = 6
"""The same for quiet moves."""
_VERIFY: Final = 10 * CONFIRM
"""Positions for each search that verifies a puzzle."""
_MOST_ALIKE: Final = 24
"""Most puzzles of a variant with the same theme and band."""
_MOST_EASY: Final = 0.7
"""Largest share of easy puzzles in a variant."""
_FEWEST: Final = {"classic": (10, 2), "single": (10, 2), "koom": (6, 4), "football": (0, 0)}
"""Fewest dwarfs and trolls in a battle that counts as open."""
_MOST_OF_BATTLE: Final = 3
_LONGEST_BATTLE: Final = 140
_BEFORE_THE_END: Final = (5, 3, 4, 2, 7)
"""Turns before the end of a battle from which a goal is to be reached, or stopped."""
_ANYHOW: Final = 0.06
"""Probability of a random move in the battles."""
_GIVEN: Final = 250
"""Rise in the score since the side's last turn that counts as a gift, and makes a candidate."""
_SAMPLED: Final = 0.2
"""Share of the other positions that are candidates."""


@dataclass
class Book:
    """The existing puzzles of a variant."""

    variant: Variant
    lines: list[str] = field(default_factory=list)
    """The lines of the file; empty for dropped puzzles."""

    def __post_init__(self) -> None:
        if self.path.exists():
            self.lines = self.path.read_text().splitlines()

    @property
    def puzzles(self) -> list[dict[str, Any]]:
        """The parsed puzzles."""
        return [json.loads(line) for line in self.lines if line]

    @property
    def path(self) -> Path:
        """The puzzle file."""
        return _DATA / f"{self.variant.name}.jsonl"

    @property
    def next_battle(self) -> int:
        """The number of the first battle after those with puzzles."""
        return max((puzzle["battle"] for puzzle in self.puzzles), default=0) + 1

    def canonical_texts(self) -> set[str]:
        """Return the canonical positions of all puzzles, which new ones may not repeat."""
        positions = (self.variant.position(puzzle["position"]) for puzzle in self.puzzles)
        return {canonical_text(self.variant, position) for position in positions}

    def add(self, puzzle: dict[str, Any]) -> None:
        """Append a puzzle, and save the file."""
        self.lines.append(json.dumps(puzzle))
        self.write()

    def write(self) -> None:
        """Write the file."""
        self.path.write_text("".join(f"{line}\n" for line in self.lines))

    def has_from(self, battle: int, move: str) -> bool:
        """Whether another puzzle of the battle has the same solution."""
        of_battle = (each for each in self.puzzles if each["battle"] == battle)
        return any(move in each["solutions"][0] for each in of_battle)

    def has_enough(self, theme: str, band: str) -> bool:
        """Whether there are enough puzzles of a theme in a band, or of the easy band."""
        puzzles = self.puzzles
        alike = Counter((puzzle["theme"], puzzle["band"]) for puzzle in puzzles)
        easy = sum(puzzle["band"] == BANDS[0] for puzzle in puzzles)
        return alike[theme, band] >= _MOST_ALIKE or (
            band == BANDS[0] and easy > _MOST_EASY * len(puzzles)
        )

    def has_enough_like(self, steps: Sequence[Step]) -> bool:
        """Whether there are enough puzzles like one."""
        puzzle = written(self.variant, steps)
        return self.has_enough(puzzle["theme"], puzzle["band"])


class Seen(NamedTuple):
    """A position of a battle, and whether the opponent has just made a gift."""

    position: Position
    turn: int
    given: bool


def battle_of(variant: Variant, number: int) -> Iterator[Seen]:
    """Play a battle of low levels with occasional random moves; yield every position."""
    chance = Random(f"{variant.name} {number}")
    players: dict[Side, Player] = {
        side: LevelPlayer(variant, chance.choice((1, 3, 3, 8)), number) for side in Side
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
    """Yield the candidate positions of a battle, the likeliest first.

    In variants with goals these begin with positions shortly before the end.
    """
    seen, chance = list(battle_of(variant, number)), Random(number)
    if variant.goals:
        yield from (seen[-place] for place in _BEFORE_THE_END if place <= len(seen))
    yield from (each for each in seen if each.given)
    yield from (each for each in seen if not each.given and chance.random() < _SAMPLED)


def promising(book: Book, position: Position) -> SearchResult | None:
    """Return the best move if quick searches find no other that is nearly as good."""
    variant = book.variant
    if not tactical(variant, position):
        return None
    best = None
    for nodes in _GLANCES:
        best = look(variant, position, nodes)
        theme = theme_of(variant, position, [best.move], None, None)
        if plain(best) and book.has_enough(theme, BANDS[0]):
            return None
        same = like(best.move, variant.legal_moves(position))
        if not same:
            return None
        rest = look(variant, position, nodes, same)
        if distance(best.score, rest.score) < margin_of(variant):
            return None
    return best


def like(best: Move, moves: Sequence[Move]) -> list[Move]:
    """Return a move and those with the same captures; none if these are all the moves."""
    same = [m for m in moves if m == best or (m.captures and m.captures == best.captures)]
    return same if len(same) < len(moves) else []


def plain(best: SearchResult) -> bool:
    """Whether a move is a capture that is best from the first depth on, and does not win."""
    first_sight = all(move == best.move for _, move in best.reports)
    return first_sight and bool(best.move.captures) and not won(best.score)


def tactical(variant: Variant, position: Position) -> bool:
    """Whether either side could now capture or reach a goal, in a battle that is still open."""
    fewest = _FEWEST[variant.name]
    if position.dwarfs.bit_count() < fewest[0] or position.trolls.bit_count() < fewest[1]:
        return False
    passed = position._replace(to_move=position.to_move.other)
    return any(at_stake(variant, one) for one in (position, passed))


def at_stake(variant: Variant, position: Position) -> bool:
    """Whether the side to move can capture enough for a puzzle, or reach a goal."""
    side = position.to_move
    for move in variant.legal_moves(position):
        most = move.captures.bit_count() * (4 if side is Side.DWARFS else 1)
        if 100 * most >= POINTS:
            return True
        outcome = variant.decided(position.after(move))
        if outcome and outcome.reason is Reason.GOAL and outcome.winner is side:
            return True
    return False


def make(book: Book, battle: int, most: int, seconds: float, *, least: int) -> None:
    """Add puzzles, beginning at a battle, until there are enough or the time is up.

    Args:
        book: the puzzles.
        battle: the first battle.
        most: most puzzles of the variant.
        seconds: the time.
        least: fewest moves to find.
    """
    until = monotonic() + seconds
    for number in count(battle):
        turns = list[int]()
        for position, turn, _ in candidates(book.variant, number):
            if len(book.puzzles) >= most or monotonic() > until:
                return
            far = all(abs(turn - other) >= _APART for other in turns)
            if not far or len(turns) == _MOST_OF_BATTLE:
                continue
            if puzzle := puzzle_at(book, position, number, least):
                turns.append(turn)
                puzzle |= {"battle": number, "turn": turn}
                print(len(book.puzzles) + 1, json.dumps(puzzle), flush=True)
                book.add(puzzle)


def make_quiet(book: Book, battle: int, most: int, seconds: float) -> None:
    """Add quiet moves of the dwarfs, beginning at a battle, like `make`."""
    until, known = monotonic() + seconds, book.canonical_texts()
    for number in count(battle):
        last = -_QUIET_APART
        for position, turn in threatened(book.variant, number):
            if len(book.puzzles) >= most or monotonic() > until:
                return
            if turn - last < _QUIET_APART or canonical_text(book.variant, position) in known:
                continue
            steps = quiet_steps(book.variant, position)
            if steps:
                last = turn
                known.add(canonical_text(book.variant, position))
                book.add(written(book.variant, steps) | {"battle": number, "turn": turn})


def threatened(variant: Variant, number: int) -> Iterator[tuple[Position, int]]:
    """Play a battle of medium levels; yield where the dwarfs move, and two could be captured."""
    chance = Random(f"quiet {variant.name} {number}")
    dwarfs = LevelPlayer(variant, chance.choice((3, 4, 6)), number)
    trolls = LevelPlayer(variant, chance.choice((4, 6, 7)), number)
    battle = Battle(variant, quiet_limit=40)
    while battle.outcome is None and len(battle.moves) < _LONGEST_BATTLE:
        position = battle.position
        if position.to_move is Side.DWARFS and position.dwarfs.bit_count() >= _FEWEST["classic"][0]:
            replies = variant.legal_moves(position._replace(to_move=Side.TROLLS))
            if any(move.captures.bit_count() > 1 for move in replies):
                yield position, len(battle.moves)
        player = dwarfs if position.to_move is Side.DWARFS else trolls
        battle.play(player.decide(battle.positions).move)


def quiet_steps(variant: Variant, position: Position) -> list[Step]:
    """Return the steps of a quiet puzzle if ever longer searches find the same moves."""
    for nodes in (CONFIRM // 8, CONFIRM):
        first = step(variant, position, nodes, QUIET)
        if first is None or not first.quiet:
            return []
    steps = steps_from(variant, position, _VERIFY, QUIET)
    same = steps and first and set(steps[0].solutions) == set(first.solutions)
    return steps if same else []


def puzzle_at(book: Book, position: Position, number: int, least: int) -> dict[str, Any] | None:
    """Return a new puzzle at a position of a battle, with so many moves or more; None if none."""
    variant = book.variant
    best = promising(book, position)
    if best is None or canonical_text(variant, position) in book.canonical_texts():
        return None
    if book.has_from(number, move_text(position, best.move)):
        return None
    steps = steps_from(variant, position)
    if len(steps) < least or book.has_enough_like(steps):
        return None
    steps = verified(variant, steps[0])
    return None if len(steps) < least or book.has_enough_like(steps) else written(variant, steps)


def verified(variant: Variant, first: Step) -> list[Step]:
    """Return a puzzle's steps if a longer search finds the same solutions; else none."""
    steps = steps_from(variant, first.position, _VERIFY)
    same = steps and set(steps[0].solutions) == set(first.solutions)
    return steps if same else []


def verify(book: Book, mend: bool) -> int:
    """Verify every puzzle and report those that do not hold; return their number.

    Args:
        book: the puzzles.
        mend: whether to correct the file, with an empty line for each dropped puzzle.
    """
    failed = 0
    for number, line in enumerate(book.lines, 1):
        if line and (right := anew(book.variant, json.loads(line))) != line:
            failed += 1
            told = "is told otherwise" if right else "does not hold"
            print(f"{book.variant.name} {number} {told}", flush=True)
            if mend:
                book.lines[number - 1] = right
                book.write()
    return failed


def doubtful(variant: Variant, puzzle: dict[str, Any], nodes: int) -> str:
    """Return why a puzzle does not hold in searches of its turned image; empty if it does."""
    position = variant.position(puzzle["position"])
    for texts, reply in zip_longest(puzzle["solutions"], puzzle["replies"]):
        moves = [written_move(variant, position, text) for text in texts]
        if why := doubt(variant, position, moves, nodes):
            return why
        position = position.after(moves[0])
        if reply:
            position = position.after(written_move(variant, position, reply))
    return ""


def doubt(variant: Variant, start: Position, solutions: Sequence[Move], nodes: int) -> str:
    """Return why moves are not the best in a search of a turned image; empty if they are."""
    known = symmetries(variant)
    turn = known[Random(f"{start.to_text()} {nodes}").randrange(1, len(known))]
    position, moves = turn.position(start), [turn.move(each) for each in solutions]
    best, rest = look(variant, position, nodes), look(variant, position, nodes, moves)
    told = f"{best.score} against {rest.score} at depth {best.reports[-1][0]}"
    if best.move not in moves:
        return f"another move is better: {told}"
    if distance(best.score, rest.score) < 2 * margin_of(variant) / 3:
        return f"its margin is small: {told}"
    won = chance(variant, seen_by(position.to_move, best.score))
    own = won if position.to_move is Side.DWARFS else 1 - won
    return f"it is lost anyway: {told}" if variant.goals and own < _LOST else ""


def anew(variant: Variant, puzzle: dict[str, Any]) -> str:
    """Verify a puzzle; return its line unchanged or corrected, or empty if it is no puzzle."""
    first = step(variant, variant.position(puzzle["position"]))
    steps = verified(variant, first) if first else []
    if not steps:
        return ""
    return json.dumps(puzzle | written(variant, steps))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=[*VARIANTS])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--battle", type=int, help="the first; after the last of the puzzles'")
    parser.add_argument("--quiet", action="store_true", help="quiet moves of the dwarfs")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--mend", action="store_true", help="what does not hold")
    parser.add_argument("--doubt", type=int, metavar="NODES", help="search them again, turned")
    parser.add_argument("--long", action="store_true", help="of two moves or three")
    options = parser.parse_args()
    book = Book(VARIANTS[options.variant])
    if options.doubt:
        for number, line in enumerate(book.lines, 1):
            if line and (why := doubtful(book.variant, json.loads(line), options.doubt)):
                print(f"{book.variant.name} {number}: {why}", flush=True)
        return
    if options.verify or options.mend:
        sys.exit(verify(book, options.mend) > 0)
    find = make_quiet if options.quiet else partial(make, least=2 if options.long else 1)
    find(book, options.battle or book.next_battle, options.most, 60 * options.minutes)


if __name__ == "__main__":
    main()
