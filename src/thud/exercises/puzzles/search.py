"""The search for puzzles: the margin of the best moves over the others.

The others are rated by a search that leaves out the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from thud.ai.core import searcher_for
from thud.ai.player import Limits, Thought
from thud.ai.scores import LIMIT
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant

CONFIRM: Final = 20_000
"""Nodes per search to confirm a puzzle."""
POINTS: Final = 300
"""Least margin of the best moves over the others where pieces count, in hundredths of a point."""
QUIET: Final = 200
"""The same for quiet moves of the dwarfs, of which several are often nearly as good."""
ODDS: Final = 600
"""The same where a goal decides, as a score: it divides the odds by e, from 50% to 27%."""
_EQUAL: Final = 100
"""Greatest difference from the best score at which a move is as good."""
_MOST_SOLUTIONS: Final = 5
_LONGEST: Final = 3
"""Most moves of the player in one puzzle."""


class SearchResult(NamedTuple):
    """The result of one search."""

    score: int
    line: tuple[Move, ...]
    reports: tuple[tuple[int, Move], ...]
    """Each best move reported, with its depth."""

    @property
    def move(self) -> Move:
        """The best move."""
        return self.line[0]


class Step(NamedTuple):
    """A position with its best moves: a puzzle, or a part of one."""

    position: Position
    solutions: tuple[Move, ...]
    best: SearchResult
    rest: SearchResult
    """The search result without the best moves."""
    worst: int
    """The lowest score of the best moves."""

    @property
    def margin(self) -> int:
        """The margin of the worst of the best moves over the others."""
        return self.worst - self.rest.score

    @property
    def depth(self) -> int:
        """Depth from which the search sticks to a best move."""
        reports = self.best.reports
        wrong = [depth for depth, move in reports if move not in self.solutions]
        return max(wrong, default=0) + 1

    @property
    def quiet(self) -> bool:
        """Whether the best move captures nothing."""
        return not self.best.move.captures


def look(
    variant: Variant, position: Position, nodes: int, barred: Sequence[Move] = ()
) -> SearchResult:
    """Search a position, leaving out some moves."""
    reports = list[tuple[int, Move]]()

    def report(thought: Thought) -> None:
        reports.append((thought.depth, thought.line[0]))

    searcher = searcher_for(variant, None)
    found = searcher.search([position], Limits(nodes=nodes), report=report, without=barred).thought
    return SearchResult(found.score, found.line, tuple(reports))


def margin_of(variant: Variant) -> int:
    """Return the least margin of a puzzle's best moves over the others, as a score."""
    return POINTS if variant.counts_points else ODDS


def won(score: int) -> bool:
    """Whether a score means a goal within reach."""
    return score > LIMIT


def lost(score: int) -> bool:
    """Whether a score means a goal within the opponent's reach."""
    return score < -LIMIT


def distance(one: int, other: int) -> int:
    """Return a score's margin over another; two different wins are neither equal nor far apart."""
    if won(one) and won(other) and one != other:
        return _EQUAL + 1
    return one - other


def step(
    variant: Variant, position: Position, nodes: int = CONFIRM, least: int | None = None
) -> Step | None:
    """Return a position's best moves if they are much better than the others.

    Args:
        variant: the game.
        position: the position.
        nodes: positions for each search.
        least: the least margin; by default that of the variant.
    """
    least = least or margin_of(variant)
    best = look(variant, position, nodes)
    solutions, worst = [best.move], best.score
    while len(solutions) <= _MOST_SOLUTIONS and len(solutions) < variant.count_moves(position):
        rest = look(variant, position, nodes, solutions)
        if distance(worst, rest.score) >= least:
            return Step(position, tuple(solutions), best, rest, worst)
        equal = best.move.captures.bit_count() == rest.move.captures.bit_count()
        if distance(best.score, rest.score) > _EQUAL or not equal:
            return None
        solutions.append(rest.move)
        worst = rest.score
    return None


def steps_from(
    variant: Variant, position: Position, nodes: int = CONFIRM, least: int | None = None
) -> list[Step]:
    """Return a puzzle's steps, none if the position is no puzzle; see `step`."""
    first = step(variant, position, nodes, least)
    if first is None or not pays(first):
        return []
    steps = [first]
    while len(steps) < _LONGEST and (further := continued(variant, steps[-1], nodes)):
        steps.append(further)
    return steps


def pays(first: Step) -> bool:
    """Whether there is something to capture or win, or to lose by any other move."""
    if won(first.best.score) or lost(first.rest.score):
        return True
    return any(move.captures for move in (*first.best.line[:5], *first.rest.line[:3]))


def continued(variant: Variant, last: Step, nodes: int) -> Step | None:
    """Return the step after the best defence, if it is a capture, wins, or is a dwarfs' quiet move.

    The last only where pieces count.
    """
    if len(last.solutions) > 1 or len(last.best.line) < 3:
        return None
    position = last.position.after(last.best.line[0]).after(last.best.line[1])
    quiet = variant.counts_points and position.to_move is Side.DWARFS
    found = step(variant, position, nodes, QUIET if quiet else None)
    if found is None or won(found.best.score):
        return found
    enough = found.margin >= margin_of(variant)
    return found if (quiet if found.quiet else enough) else None
