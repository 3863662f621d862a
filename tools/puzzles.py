"""Make puzzles from battles of the computer against itself, or verify those there are.

Usage: python tools/puzzles.py VARIANT [--minutes N] [--most N] makes more and adds them to what
the package has; `--verify` looks at each anew and says which do not hold.

A position is a puzzle where one move, or a few that are equally good, are better than every other
by three points at least (in Koom Valley by a win or a troll), and are so still at ten times the
positions searched.  How good the others are is found by searching without the best ones.
"""

import argparse
import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from thud.ai.deepening import Result, think
from thud.ai.game import Game, State
from thud.ai.games import game_for
from thud.ai.levels import LevelPlayer
from thud.ai.player import Limits, Player
from thud.ai.scores import GOAL, goal_in
from thud.ai.search import Tree
from thud.puzzles.puzzle import BANDS
from thud.puzzles.symmetry import likeness
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS

DATA = Path(__file__).parent.parent / "src/thud/puzzles/data"
FIND, LOOK_AGAIN, CONFIRM = 2_000, 6_000, 20_000
"""So many positions are searched for each look, to find a puzzle and to confirm it."""
MARGIN = 300
"""So many hundredths of a point, at least, between the best moves and the others."""
EQUAL = 100
"""What is within so many of the best is as good."""
MOST_SOLUTIONS = 5
LONGEST = 3
"""So many moves of the player's, at most."""
APART = 8
"""So many turns, at least, between two puzzles of one battle."""
MOST_ALIKE = {"easy": 10, "middling": 10, "hard": 14}
"""So many puzzles of a variant with one theme, at most, by band."""
FEWEST = {"classic": (10, 2), "single": (10, 2), "koom": (6, 4)}
"""So many dwarfs and trolls, at least, for a battle that is not decided anyway."""
MOST_OF_BATTLE = 3
LONGEST_BATTLE = 140
ANYHOW = 0.06
"""How often a move in the battles is any move."""
GIVEN = 200
"""Whoever expects so much more than a turn ago has been given something: that is looked at."""
SAMPLED = 0.15
"""The share of the other positions that is looked at."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


class Look(NamedTuple):
    """What a search has made of a position."""

    score: int
    line: tuple[Move, ...]
    reports: tuple[tuple[int, Move], ...]
    """The best move whenever it changed, each with the depth at which it did."""

    @property
    def move(self) -> Move:
        return self.line[0]


class Step(NamedTuple):
    """A position with its best moves: a puzzle, or a part of one."""

    position: Position
    solutions: tuple[Move, ...]
    best: Look
    rest: Look
    """The best of all other moves."""
    worst: int
    """The score of the least of the best moves."""

    @property
    def margin(self) -> int:
        return self.worst - self.rest.score

    @property
    def depth(self) -> int:
        """How deep one must look, at least, to see a best move and keep to it."""
        reports = self.best.reports
        wrong = [depth for depth, move in reports if move not in self.solutions]
        return max(wrong, default=0) + 1

    @property
    def quiet(self) -> bool:
        return not self.best.move.captures


def look(variant: Variant, position: Position, nodes: int, barred: Sequence[Move] = ()) -> Look:
    """Search a position as if some moves were not legal there."""
    game: Game = game_for(variant, position.to_move)
    state = game.state(position)
    game = game.seen_from(state, 0)
    searched = without(game, state, frozenset(barred)) if barred else game
    reports = list[tuple[int, Move]]()

    def report(result: Result) -> None:
        reports.append((result.depth, game.rules_move(state, result.move)))

    result = think(Tree(searched), state, Limits(nodes=nodes), report=report)
    score = game.shown(state, game.evaluate(state), result.score)
    return Look(score, tuple(rules_line(game, state, result.line)), tuple(reports))


def rules_line(game: Game, state: State, line: Sequence[int]) -> Iterator[Move]:
    for move in line:
        yield game.rules_move(state, move)
        state = game.make(state, move)


def without(game: Game, root: State, barred: frozenset[Move]) -> Game:
    """Return a game in which some moves of one state are not listed."""

    def allowed(move: int) -> bool:
        return game.rules_move(root, move) not in barred

    def captures(state: State) -> Sequence[tuple[int, int]]:
        listed = game.captures(state)
        return [one for one in listed if allowed(one[1])] if state == root else listed

    def quiets(state: State, depth: int) -> Sequence[int]:
        listed = game.quiets(state, depth)
        return list(filter(allowed, listed)) if state == root else listed

    def all_quiets(state: State) -> Sequence[int]:
        listed = game.all_quiets(state)
        return list(filter(allowed, listed)) if state == root else listed

    other = copy.copy(game)
    vars(other).update(captures=captures, quiets=quiets, all_quiets=all_quiets)
    return other


def distance(one: int, other: int) -> int:
    """Return how much better a score is than another; a slower win is none."""
    if goal_in(one) is not None and goal_in(other) is not None and one != other:
        return EQUAL + 1 if (one > 0) == (other > 0) else one - other
    return one - other


def promising(variant: Variant, position: Position) -> Look | None:
    """Return the best move if a quick look finds nothing else that is nearly as good."""
    if not tactical(variant, position):
        return None
    best = None
    for nodes in (FIND, LOOK_AGAIN):
        best = look(variant, position, nodes)
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


def plain(best: Look) -> bool:
    """Say whether a move is a capture that is the best at first sight, and wins nothing else."""
    first_sight = all(move == best.move for _, move in best.reports)
    return first_sight and bool(best.move.captures) and goal_in(best.score) is None


def tactical(variant: Variant, position: Position) -> bool:
    """Say whether either side could capture now, or reach a goal, in a battle still open."""
    fewest = FEWEST[variant.name]
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


def step(variant: Variant, position: Position) -> Step | None:
    """Return the best moves of a position if they are much better than the others."""
    best = look(variant, position, CONFIRM)
    solutions, worst = [best.move], best.score
    while len(solutions) <= MOST_SOLUTIONS and len(solutions) < variant.count_moves(position):
        rest = look(variant, position, CONFIRM, solutions)
        if best.score - rest.score >= MARGIN and distance(worst, rest.score) >= MARGIN:
            return Step(position, tuple(solutions), best, rest, worst)
        if distance(best.score, rest.score) > EQUAL or not same_effect(best.move, rest.move):
            return None
        solutions.append(rest.move)
        worst = rest.score
    return None


def same_effect(one: Move, other: Move) -> bool:
    """Say whether both moves capture as many pieces."""
    return one.captures.bit_count() == other.captures.bit_count()


def steps_from(variant: Variant, position: Position) -> list[Step]:
    """Return the moves of a puzzle: none if it is no puzzle, a further one while it goes on."""
    first = step(variant, position)
    if first is None or not pays(variant, first):
        return []
    steps = [first]
    while len(steps) < LONGEST and (further := continued(variant, steps[-1])):
        steps.append(further)
    return steps


def pays(variant: Variant, first: Step) -> bool:
    """Say whether there is anything to capture or to win, or to be lost by any other move."""
    if goal_in(first.best.score) or goal_in(first.rest.score):
        return True
    return any(move.captures for move in (*first.best.line[:5], *first.rest.line[:3]))


def continued(variant: Variant, last: Step) -> Step | None:
    """Return what follows on the best defence, if that is a capture or a step to the goal."""
    if len(last.solutions) > 1 or len(last.best.line) < 3:
        return None
    position = last.position.after(last.best.move)
    if variant.outcome(position):
        return None
    position = position.after(last.best.line[1])
    if variant.outcome(position):
        return None
    found = step(variant, position)
    if found and (not found.quiet or (goal_in(found.best.score) or 0) > 0):
        return found
    return None


def theme_of(variant: Variant, steps: Sequence[Step]) -> str:
    """Say in words what a puzzle is about."""
    first = steps[0]
    if (goal := goal_in(first.best.score)) is not None and goal > 0:
        home = {Side.DWARFS: f"bring the {variant.stone} home", Side.TROLLS: "close on the Rock"}
        return home[first.position.to_move] + f" in {NUMBERS[(goal + 1) // 2]}"
    if first.quiet:
        return quiet_theme(variant, steps)
    if len(steps) == 1 and saves(first):
        return "save the troll"
    theme = capture_theme(variant, first.position, first.best.move)
    return f"{theme}, and again" if len(steps) > 1 else theme


def saves(first: Step) -> bool:
    """Say whether a troll that takes little would be lost by any other move."""
    few = 100 * first.best.move.captures.bit_count() < MARGIN
    lost = any(move.captures for move in first.rest.line[1:2])
    return first.position.to_move is Side.TROLLS and few and lost


def capture_theme(variant: Variant, position: Position, move: Move) -> str:
    kind = variant.kind(position, move)
    number = NUMBERS[move.captures.bit_count()]
    if kind is Kind.HURL:
        return "hurl the troll"
    if kind is Kind.TRAP:
        return "trap the troll" if number == "one" else f"trap {number} trolls"
    return f"{kind.value} for {number}"


def quiet_theme(variant: Variant, steps: Sequence[Step]) -> str:
    first = steps[0]
    side = first.position.to_move
    if (goal := goal_in(first.rest.score)) and goal < 0:
        return "stop the Rock" if side is Side.TROLLS else "keep them from the Rock"
    if len(steps) > 1 or any(move.captures for move in first.best.line[2:3]):
        return {Side.DWARFS: "prepare the capture", Side.TROLLS: "set up the strike"}[side]
    return {Side.DWARFS: "save the line", Side.TROLLS: "save the troll"}[side]


def band_of(steps: Sequence[Step]) -> str:
    """Return how hard a puzzle is: by how far one has to look, and for what."""
    first = steps[0]
    quiet = first.quiet and goal_in(first.best.score) != 1
    return BANDS[min(2, first.depth - 1 + len(steps) - 1 + quiet)]


def written(variant: Variant, steps: Sequence[Step], battle: int, turn: int) -> dict[str, Any]:
    """Return a puzzle as it stands in the data."""
    first = steps[0]
    replies = [move_text(s.position.after(s.best.move), s.best.line[1]) for s in steps[:-1]]
    return {
        "position": first.position.to_text(),
        "band": band_of(steps),
        "theme": theme_of(variant, steps),
        "solutions": [[move_text(s.position, move) for move in s.solutions] for s in steps],
        "replies": replies,
        "tempting": list(texts(first.position, first.rest.line[:2])),
        "gain": gained(first),
        "depth": first.depth,
        "battle": battle,
        "turn": turn,
    }


def gained(first: Step) -> float | str:
    """Return by how many points the best move is better, or that it wins, or saves the battle."""
    if (goal := goal_in(first.worst)) and goal > 0:
        return "a win"
    if goal_in(first.rest.score):
        return "not losing"
    return round(first.margin / 100, 1)


def texts(position: Position, line: Sequence[Move]) -> Iterator[str]:
    for move in line:
        yield move_text(position, move)
        position = position.after(move)


@dataclass
class Book:
    """The puzzles of a variant there are."""

    variant: Variant
    puzzles: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.path.exists():
            self.puzzles = [json.loads(line) for line in self.path.read_text().splitlines()]

    @property
    def path(self) -> Path:
        return DATA / f"{self.variant.name}.jsonl"

    @property
    def next_battle(self) -> int:
        return max((puzzle["battle"] for puzzle in self.puzzles), default=0) + 1

    def likenesses(self) -> set[str]:
        positions = (self.variant.position(puzzle["position"]) for puzzle in self.puzzles)
        return {likeness(self.variant, position) for position in positions}

    def add(self, puzzle: dict[str, Any]) -> None:
        self.puzzles.append(puzzle)
        with self.path.open("a") as file:
            file.write(json.dumps(puzzle) + "\n")

    def has_from(self, battle: int, move: str) -> bool:
        """Say whether a battle's puzzle of some turns ago has the same solution."""
        return any(move in each["solutions"][0] for each in self.of_battle(battle))

    def of_battle(self, battle: int) -> list[dict[str, Any]]:
        return [puzzle for puzzle in self.puzzles if puzzle["battle"] == battle]

    def has_enough(self, theme: str, band: str) -> bool:
        alike = Counter((puzzle["theme"], puzzle["band"]) for puzzle in self.puzzles)
        return alike[theme, band] >= MOST_ALIKE[band]


class Fought(NamedTuple):
    """A battle at a turn, and whether whoever is to move has just been given something."""

    battle: Battle
    given: bool


def battle_of(variant: Variant, number: int) -> Iterator[Fought]:
    """Play a battle of two low levels that now and then move anyhow; yield it at every turn."""
    chance = Random(f"{variant.name} {number}")
    players: dict[Side, Player] = {
        side: LevelPlayer(variant, chance.choice((1, 2, 2, 3)), number) for side in Side
    }
    expected = dict.fromkeys(Side, 0)
    battle = Battle(variant, quiet_limit=40)
    while battle.outcome is None and len(battle.moves) < LONGEST_BATTLE:
        side = battle.position.to_move
        decision = players[side].decide(battle.positions)
        score = decision.thought.score if decision.thought else 0
        yield Fought(battle, score - expected[side] >= GIVEN)
        expected[side] = score
        anyhow = chance.random() < ANYHOW
        moves = variant.legal_moves(battle.position)
        battle.play(chance.choice(moves) if anyhow else decision.move)


def make(book: Book, most: int, seconds: float) -> None:
    """Add puzzles until there are enough, or the time is up."""
    until = monotonic() + seconds
    variant = book.variant
    for number in count(book.next_battle):
        last = taken = 0
        chance = Random(number)
        for battle, given in battle_of(variant, number):
            if len(book.puzzles) >= most or monotonic() > until:
                return
            turn = len(battle.moves)
            worth_a_look = given or chance.random() < SAMPLED
            if taken >= MOST_OF_BATTLE or turn - last < APART or not worth_a_look:
                continue
            if added(book, battle.position, number, turn):
                last, taken = turn, taken + 1


def added(book: Book, position: Position, number: int, turn: int) -> bool:
    """Add a position to the puzzles if it is one, and a new one."""
    variant = book.variant
    best = promising(variant, position)
    if best is None or likeness(variant, position) in book.likenesses():
        return False
    if book.has_from(number, move_text(position, best.move)):
        return False
    if plain(best) and book.has_enough(capture_theme(variant, position, best.move), "easy"):
        return False
    steps = steps_from(variant, position)
    if not steps or book.has_enough(theme_of(variant, steps), band_of(steps)):
        return False
    puzzle = written(variant, steps, number, turn)
    print(len(book.puzzles) + 1, json.dumps(puzzle), flush=True)
    book.add(puzzle)
    return True


def verify(book: Book) -> int:
    """Look at every puzzle anew, and say which do not hold; return how many."""
    failed = 0
    for number, puzzle in enumerate(book.puzzles, 1):
        position = book.variant.position(puzzle["position"])
        expected = {parse_move(book.variant, position, text) for text in puzzle["solutions"][0]}
        found = step(book.variant, position)
        if found is None or set(found.solutions) != expected:
            failed += 1
            print(f"{book.variant.name} {number} does not hold")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=[*VARIANTS])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--most", type=int, default=100)
    parser.add_argument("--verify", action="store_true")
    options = parser.parse_args()
    book = Book(VARIANTS[options.variant])
    if options.verify:
        sys.exit(verify(book) > 0)
    make(book, options.most, 60 * options.minutes)


if __name__ == "__main__":
    main()
