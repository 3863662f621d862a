"""Judgements of played moves: cost, mark, chance of winning."""

from __future__ import annotations

from enum import Enum
from math import exp
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from thud.ai.scores import GOAL, LIMIT, Score, seen_by
from thud.engines.outlook import possible
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import can_win, lets_win
from thud.rules.variant import Outcome, Variant

Expectation: TypeAlias = Score
"""A battle's expected result, always from the dwarfs' view: their final margin in hundredths of a
point where pieces count, else an evaluation on the same scale."""


_FARTHEST: Final = 2_000
"""The score that a goal in sight counts as in a move's accuracy."""
_NEVER: Final = 1e-9
"""A chance that is 0 but for rounding."""


class Judgement(NamedTuple):
    """A judged move: the expectation after it, and with the best move."""

    expected: Expectation
    """After the move that was played."""
    promised: Expectation
    """After the best move; the same if that was played."""
    best: Move | None = None
    """The engine's best move; None if it was played."""
    line: tuple[Move, ...] = ()
    """Expected line after the best move."""
    reply: tuple[Move, ...] = ()
    """Expected line after the move played, where known."""


class Mark(Enum):
    """A mark for a bad move, mildest first; the value is its symbol."""

    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def word(self) -> str:
        """The noun for such a move, such as `"blunder"`."""
        return "dubious move" if self is Mark.DUBIOUS else self.name.lower()

    @property
    def plural(self) -> str:
        """The plural of its word."""
        return f"{self.word}s"


POINTS: Final = MappingProxyType({Mark.BLUNDER: 4.0, Mark.MISTAKE: 2.5, Mark.DUBIOUS: 1.5})
"""Least loss of a marked move in points, worst mark first: below, most of it is the search's
error."""


CHANCES: Final = MappingProxyType({Mark.BLUNDER: 0.4, Mark.MISTAKE: 0.2, Mark.DUBIOUS: 0.1})
"""The same in chance of winning, where pieces do not count."""


def given_away(variant: Variant, position: Position, judgement: Judgement, quiet: int = 0) -> float:
    """Return the loss of a move, at least 0.

    It is in points where pieces count, else in chance of winning, from 0 to 1.

    Args:
        variant: the game.
        position: the position before the move.
        judgement: of the move.
        quiet: moves since the last capture, before it.
    """
    side = position.to_move
    if variant.counts_points:
        return max(0, seen_by(side, judgement.promised) - seen_by(side, judgement.expected)) / 100
    expected = judgement.promised, judgement.expected
    before, after = (chance_at(variant, position, each, quiet) for each in expected)
    return max(0.0, before - after if side is Side.DWARFS else after - before)


def gives_win(variant: Variant, position: Position, move: Move, judgement: Judgement) -> bool:
    """Whether a move lets the other side win at once where the better move does not."""
    best = judgement.best
    if best is None or judgement.expected != seen_by(position.to_move.other, GOAL - 1):
        return False
    return lets_win(variant, position, move) and not lets_win(variant, position, best)


def accuracy(variant: Variant, judgement: Judgement, side: Side) -> float:
    """Return the accuracy of a side's move, from 0 to 100, by the score that it lost.

    It falls the faster the less a game's moves usually cost.
    """
    most = LIMIT if variant.counts_points else _FARTHEST
    near, far = (
        max(-most, min(most, seen_by(side, each)))
        for each in (judgement.expected, judgement.promised)
    )
    return 100 * exp(-max(0, far - near) / variant.odds.slack)


def chance_at(variant: Variant, position: Position, expected: Expectation, quiet: int = 0) -> float:
    """Return the dwarfs' chance of winning, a draw as half, from 0 to 1; arguments as `shares`."""
    won, drawn, _ = shares(variant, position, expected, quiet)
    return won + drawn / 2


def chance(variant: Variant, expected: Expectation) -> float:
    """Return the dwarfs' chance of winning by an expectation alone that is not `is_open`."""
    if abs(expected) > LIMIT:
        return float(expected > 0)
    scale = variant.odds
    return 1 / (1 + exp((scale.level - expected) / scale.steep))


def percent(variant: Variant, position: Position, expected: Expectation, quiet: int = 0) -> int:
    """Return `chance` in percent: 0 or 100 only where a goal is in sight."""
    rounded = round(100 * chance_at(variant, position, expected, quiet))
    return rounded if abs(expected) > LIMIT else max(1, min(99, rounded))


class Shares(NamedTuple):
    """Chances of the three outcomes where a goal decides, from 0 to 1."""

    won: float
    """By the dwarfs."""
    drawn: float
    lost: float

    @property
    def percents(self) -> tuple[int, int, int]:
        """They in percent, 100 in all; no outcome that may happen has none."""
        told = [max(1, round(100 * each)) if each > _NEVER else 0 for each in self]
        # What rounding adds or leaves out changes the greatest least.
        told[told.index(max(told))] += 100 - sum(told)
        return told[0], told[1], told[2]


def shares(variant: Variant, position: Position, expected: Expectation, quiet: int = 0) -> Shares:
    """Return the chances of the outcomes where a goal decides.

    Args:
        variant: the game.
        position: the position.
        expected: its expectation.
        quiet: moves since the last capture, if known.
    """
    able = [variant.can_reach_goal(position, side) for side in Side]
    if is_open(variant, expected):
        # Nothing is captured where that is so: the moves are all the battle's.
        won, drawn, lost = variant.measured.open_at(quiet)
        possible = won * able[0], drawn, lost * able[1]
        return Shares(*(each / sum(possible) for each in possible))
    half = chance(variant, expected)
    if abs(expected) > LIMIT:
        return Shares(half, 0.0, 1 - half)
    log_odds = (expected - variant.odds.level) / variant.odds.steep
    drawn = variant.measured.draw(log_odds, quiet, variant.traits(position))
    if all(able):
        # So neither side's win is excluded.
        drawn = min(1.8 * min(half, 1 - half), drawn)
        return Shares(half - drawn / 2, drawn, 1 - half - drawn / 2)
    # What a side without the pieces for its goal expects at best is a draw.
    expects = half > 1 / 2, half < 1 / 2
    won, lost = ((1 - drawn) * (can and may) for can, may in zip(able, expects, strict=True))
    return Shares(won, 1 - won - lost, lost)


def spread(variant: Variant, position: Position) -> Score:
    """Return how far off an expectation of a position is in one battle of three, or less.

    In hundredths of a point; 0 where it is unknown, where the battle is over, and where a goal
    decides.
    """
    if variant.outcome(position):
        return 0
    return variant.measured.spread(position)


class Band(NamedTuple):
    """An expectation with what it leaves open, in points or the dwarfs' chance minus the trolls'.

    Where pieces count that is its spread, as far as the pieces allow; else the draws, which lie
    between the battles won and those lost.
    """

    low: float
    expected: float
    high: float


def band(variant: Variant, position: Position, expected: Expectation, quiet: int = 0) -> Band:
    """Return an expectation of a position with what it leaves open; arguments as for `shares`."""
    if not variant.counts_points:
        won, _, lost = shares(variant, position, expected, quiet)
        return Band(2 * won - 1, won - lost, 1 - 2 * lost)
    wide = spread(variant, position)
    low, high = (possible(variant, position, expected + by) for by in (-wide, wide))
    return Band(low / 100, expected / 100, high / 100)


_COARSE: Final = 300
"""The spread, in hundredths of a point, above which tenths of a point say nothing."""


def is_coarse(spread: Score) -> bool:
    """Whether only whole points are told."""
    return spread > _COARSE


def rounded(score: Score, spread: Score) -> Score:
    """Round hundredths of a point to tenths, or to points where only they are told."""
    step = 100 if is_coarse(spread) else 10
    return (score + step // 2) // step * step


def in_points(score: Score, spread: Score) -> str:
    """Return rounded points without a sign: `"1.5"`, or `"15"`."""
    return f"{abs(rounded(score, spread)) / 100:.{0 if is_coarse(spread) else 1}f}"


def lead_in_points(
    variant: Variant, position: Position, expected: Score, *, within: str = " ±"
) -> str:
    """Return who is expected ahead, and the spread: `"trolls +15 ±9"`.

    Args:
        variant: a game in which pieces count.
        position: the position.
        expected: its expectation.
        within: comes before the spread.
    """
    wide = spread(variant, position)
    points, give_or_take = (in_points(each, wide) for each in (expected, wide))
    leader = Side.DWARFS if expected > 0 else Side.TROLLS
    lead = f"{leader.plural} +{points}" if float(points) else "even"
    return f"{lead}{within}{give_or_take}" if float(give_or_take) else lead


def grave_loss(variant: Variant) -> Score:
    """Return the loss of score that divides a side's odds by e: in Classic, a troll's worth."""
    return variant.odds.steep


def is_open(variant: Variant, expected: Expectation) -> bool:
    """Whether an expectation says nothing: no goal is in sight, and the score is not telling."""
    return abs(expected) <= LIMIT and not variant.odds.telling


def is_unknown(variant: Variant, position: Position, expected: Expectation) -> bool:
    """Whether nothing is known of a position: no goal is in sight, and its pieces are unusual.

    How battles without a goal in sight end was measured with the pieces of the start.
    """
    return is_open(variant, expected) and any(
        position.pieces(side).bit_count() != variant.start.pieces(side).bit_count() for side in Side
    )


def settled(variant: Variant, outcome: Outcome) -> Expectation:
    """Return the expectation of a finished battle: its outcome.

    Where a goal decides, a draw is worth what an even battle is.
    """
    if variant.counts_points:
        return round(outcome.margin * 100)
    if outcome.winner is None:
        return variant.odds.level
    return seen_by(outcome.winner, GOAL)


def believed(variant: Variant, position: Position, expected: Expectation) -> Expectation:
    """Return what the rules leave of an expectation in a position.

    A margin, or odds, are such as the pieces on the board allow.  A battle is over, or won at once,
    only where it is by the rules.
    """
    expected = possible(variant, position, expected)
    if variant.counts_points or abs(expected) < GOAL - 1:
        return expected
    if outcome := variant.outcome(position):
        return settled(variant, outcome)
    side = position.to_move
    if seen_by(side, expected) > 0:
        return seen_by(side, GOAL - (1 if can_win(variant, position) else 3))
    return seen_by(side, 2 - GOAL)


def won_at_once(variant: Variant, position: Position) -> Expectation | None:
    """Return the expectation where the side to move can reach its goal at once, else None."""
    return seen_by(position.to_move, GOAL - 1) if can_win(variant, position) else None


def mark_of(
    variant: Variant, position: Position, judgement: Judgement, quiet: int = 0
) -> Mark | None:
    """Return the mark of a move, None for none; arguments as for `given_away`."""
    lost = given_away(variant, position, judgement, quiet)
    return next((mark for mark, least in thresholds(variant).items() if lost >= least), None)


def thresholds(variant: Variant) -> MappingProxyType[Mark, float]:
    """Return each mark's least loss on the scale of `given_away`, worst first."""
    return POINTS if variant.counts_points else CHANCES


def is_mistake(mark: Mark | None) -> bool:
    """Whether a mark is a mistake or worse."""
    return mark in (Mark.MISTAKE, Mark.BLUNDER)
