"""Summary of a battle's judgements: per side, and the turning point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from thud.records.record import BattleRecord, Record
from thud.review.judgement import (
    Band,
    Expectation,
    Judgement,
    Mark,
    accuracy,
    band,
    chance_at,
    given_away,
    gives_win,
    is_mistake,
    is_open,
    mark_of,
)
from thud.review.notes import Judgements, are_outdated, judgements_in, with_judgements
from thud.rules.formation import weakness
from thud.rules.geometry import Square
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import TELLING, Compared, Fault, captured_worth, fault
from thud.rules.threats import unanswered
from thud.rules.variant import Variant

_LEAST_POINTS: Final = 1.0
"""Least expected lead that counts, in points."""

_LEAST_CHANCES: Final = 0.2
"""The same as a difference of the chances of winning."""


_LEAST_DWARFS: Final = 3
"""Fewest dwarfs in a standing danger."""

_STANDS: Final = 5
"""Fewest turns of one."""


class Marked(NamedTuple):
    """A judged move with its cost, mark and fault."""

    ply: int
    """Its number in the battle, from 0."""
    position: Position
    """The position in which it was played."""
    move: Move
    judgement: Judgement
    cost: float
    """Its loss: points, or chance of winning from 0 to 1."""
    mark: Mark | None
    fault: Fault | None
    """Its visible fault, if it has a mark."""
    quiet: int = 0
    """Moves since the last capture, before it."""

    @property
    def quiet_after(self) -> int:
        """Moves since the last capture, after it."""
        return 0 if self.move.captures else self.quiet + 1

    @property
    def side(self) -> Side:
        """The side that played it."""
        return self.position.to_move


class Effort(NamedTuple):
    """Totals of one side in a battle, or of one player in a match."""

    moves: int = 0
    """Number of the moves judged."""
    cost: float = 0.0
    """Their total loss."""
    marks: Mapping[Mark, int] = {}
    kinds: Mapping[Fault | None, int] = {}
    """The marked moves by fault; None for faults not visible on the board."""
    accuracy: float | None = None
    """Mean accuracy of the moves, from 0 to 100; None without any."""

    @property
    def each(self) -> float:
        """Average loss of a move."""
        return self.cost / self.moves if self.moves else 0.0


def effort_of(variant: Variant, own: Sequence[Marked]) -> Effort:
    """Return the totals of some moves."""
    wrong = [move for move in own if move.mark]
    return Effort(
        len(own),
        sum(move.cost for move in own),
        Counter(move.mark for move in wrong if move.mark),
        Counter(move.fault for move in wrong),
        fmean(accuracy(variant, move.judgement, move.side) for move in own) if own else None,
    )


class Reviewed(NamedTuple):
    """A battle and its judged moves."""

    variant: Variant
    battle: BattleRecord
    number: int
    """Number of the battle, from 1."""
    moves: tuple[Marked, ...]
    """Judged moves, in order."""

    @property
    def complete(self) -> bool:
        """Whether every move of the battle has been judged."""
        return len(self.moves) == len(self.battle.moves)

    @property
    def mistakes(self) -> tuple[Marked, ...]:
        """The marked moves, in order."""
        return tuple(move for move in self.moves if move.mark)

    def effort(self, side: Side) -> Effort:
        """Return a side's totals."""
        return effort_of(self.variant, [move for move in self.moves if move.side is side])

    @property
    def expected(self) -> dict[int, Expectation]:
        """Expectations by number of moves, where known."""
        return {move.ply + 1: move.judgement.expected for move in self.moves}

    @property
    def winner(self) -> Side | None:
        """The side that won, or is expected to win a battle that is not over; None if neither."""
        if outcome := self.battle.outcome:
            return outcome.winner
        lead = self.lead_after(self.moves[-1]) if self.moves else 0
        return None if not lead else Side.DWARFS if lead > 0 else Side.TROLLS

    @property
    def turning_point(self) -> Marked | None:
        """The loser's move that put the winner ahead for good; None if there is none.

        That is the loser's mistake or blunder before which the winner was not ahead, and after
        which the loser never was by a margin.
        """
        if (winner := self.winner) is None or not self.complete:
            return None
        sign = 1 if winner is Side.DWARFS else -1
        for move in reversed(self.moves):
            if sign * self.lead_after(move) <= -self._least:
                return None
            if move.side is not winner and self._turned(move):
                return move
        return None

    @property
    def last_turn(self) -> Marked | None:
        """The last mistake or blunder after which the other side was ahead, and not before."""
        return next(filter(self._turned, reversed(self.moves)), None)

    @property
    def ahead(self) -> Side | None:
        """The side that was expected ahead all the way, as in `curve`; None if none.

        None too where the moves are not all judged, or anything was open.
        """
        if not self.moves or not self.complete:
            return None
        if any(is_open(self.variant, expected) for expected in self.expected.values()):
            return None
        leads = [each.expected for each in curve(self) if each]
        if min(leads) >= self._least:
            return Side.DWARFS
        return Side.TROLLS if max(leads) <= -self._least else None

    def _turned(self, move: Marked) -> bool:
        sign = 1 if move.side is Side.TROLLS else -1
        promised = move.judgement.promised
        before = sign * _height(self.variant, move.position, promised, move.quiet)
        return is_mistake(move.mark) and before <= 0 and sign * self.lead_after(move) >= self._least

    @property
    def _least(self) -> float:
        return _LEAST_POINTS if self.variant.counts_points else _LEAST_CHANCES

    def lead_after(self, move: Marked) -> float:
        """Return the dwarfs' expected lead after a move, in points or as chances."""
        after, expected = move.position.after(move.move), move.judgement.expected
        return _height(self.variant, after, expected, move.quiet_after)


def worst_first(moves: Iterable[Marked]) -> list[Marked]:
    """Return marked moves by their marks, then by their costs, the worst first, then by turns.

    A blunder that lets the other side win costs little where that was expected anyway.
    """
    marks = [*reversed(Mark), None]
    return sorted(moves, key=lambda each: (marks.index(each.mark), -each.cost, each.ply))


class StandingDanger(NamedTuple):
    """A capture without an answer that stood for several turns."""

    square: Square
    """Where the troll would have gone."""
    dwarfs: int
    """Number of dwarfs that it could have captured at any of these times."""
    plies: range
    """The plies at which the trolls were to move."""

    @property
    def weight(self) -> int:
        """How bad it was: dwarfs times turns."""
        return self.dwarfs * len(self.plies)


def standing_danger(variant: Variant, positions: Sequence[Position]) -> StandingDanger | None:
    """Return the worst danger that stood for long: by the dwarfs in it, times its plies."""
    if not variant.counts_points:
        return None
    turns = {
        ply: unanswered(variant, position)
        for ply, position in enumerate(positions)
        if position.to_move is Side.TROLLS
    }
    worst: StandingDanger | None = None
    open_since: dict[tuple[Square, int], int] = {}
    for ply, free in turns.items():
        here = {(s, n) for s, m in free.items() for n in range(_LEAST_DWARFS, m.bit_count() + 1)}
        open_since = {each: open_since.get(each, ply) for each in here}
        for (square, dwarfs), since in open_since.items():
            found = StandingDanger(square, dwarfs, range(since, ply + 1, 2))
            if len(found.plies) >= _STANDS and (worst is None or found.weight > worst.weight):
                worst = found
    return worst


def curve(reviewed: Reviewed) -> list[Band | None]:
    """Return the expectation with its band after each number of moves, None where unknown.

    Evaluations favour the side to move, so each value is the mean of two in a row.  One that is
    unknown between two that are known is their mean: often only one side's moves are judged.
    """
    expected = reviewed.expected
    if reviewed.moves and reviewed.moves[0].ply == 0:
        expected[0] = reviewed.moves[0].judgement.promised
    known = zip(reviewed.battle.positions(), reviewed.battle.quiet_counts(), strict=True)
    bands = [
        band(reviewed.variant, position, expected[played], quiet) if played in expected else None
        for played, (position, quiet) in enumerate(known)
    ]
    bands = [
        now or (before and then and Band(*map(_mean, before, then)))
        for before, now, then in zip([None, *bands], bands, [*bands[1:], None], strict=False)
    ]
    return [
        now if now is None or before is None else Band(*map(_mean, before, now))
        for before, now in zip([None, *bands], bands, strict=False)
    ]


def _mean(one: float, other: float) -> float:
    return (one + other) / 2


def _height(variant: Variant, position: Position, expected: Expectation, quiet: int) -> float:
    if variant.counts_points:
        return expected / 100
    return 2 * chance_at(variant, position, expected, quiet) - 1


class Progress:
    """A match's judgements so far.

    Args:
        record: the match; judgements in its comments are included.

    Attributes:
        outdated: the numbers of the battles with judgements of an earlier edition, which are
            shown until they are made anew.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._positions: dict[int, list[Position]] = {}
        self._quiet: dict[int, list[int]] = {}
        self._moves: dict[int, dict[int, Marked]] = {}
        self.outdated = {
            number for number, battle in enumerate(record.battles, 1) if are_outdated(battle)
        }
        for number, battle in enumerate(record.battles, 1):
            self._positions[number] = list(battle.positions())
            self._quiet[number] = battle.quiet_counts()
            self._moves[number] = {}
            for ply, judgement in judgements_in(record.variant, battle).items():
                self.add(number, ply, judgement)

    @property
    def numbers(self) -> range:
        """The numbers of the battles."""
        return range(1, len(self._record.battles) + 1)

    @property
    def complete(self) -> bool:
        """Whether every move has been judged."""
        return not any(self.missing(number) for number in self.numbers)

    @property
    def begun(self) -> bool:
        """Whether any move has been judged."""
        return any(self._moves.values())

    def add(self, number: int, ply: int, judgement: Judgement) -> None:
        """Add a move's judgement."""
        move = self._record.battles[number - 1].line[ply + 1].move
        assert move
        position, quiet = self._positions[number][ply], self._quiet[number][ply]
        found = marked(self._record.variant, ply, position, move, judgement, quiet=quiet)
        self._moves[number][ply] = found

    def renew(self, *numbers: int) -> None:
        """Forget the outdated judgements of some battles, so that all their moves are missing."""
        for number in self.outdated.intersection(numbers):
            self._moves[number] = {}
        self.outdated.difference_update(numbers)

    def missing(self, number: int) -> list[int]:
        """Return the plies of a battle's moves not yet judged, or judged by an earlier edition."""
        judged = {} if number in self.outdated else self._moves[number]
        return [ply for ply in range(len(self._positions[number]) - 1) if ply not in judged]

    def at(self, number: int, ply: int) -> Marked | None:
        """Return a judged move, None if it is not judged yet."""
        return self._moves[number].get(ply)

    def reviewed(self, number: int) -> Reviewed:
        """Return a battle with its judged moves."""
        moves = self._moves[number]
        battle = self._record.battles[number - 1]
        in_turn = tuple(moves[ply] for ply in sorted(moves))
        return Reviewed(self._record.variant, battle, number, in_turn)

    def noted(self, record: Record) -> Record:
        """Return a record with all judgements in its comments."""
        for number, moves in self._moves.items():
            judgements: Judgements = {ply: each.judgement for ply, each in moves.items()}
            if judgements and number not in self.outdated:
                record = with_judgements(record, number, judgements)
        return record


def marked(
    variant: Variant,
    ply: int,
    position: Position,
    move: Move,
    judgement: Judgement,
    *,
    quiet: int | None = None,
) -> Marked:
    """Return a move with its cost, mark and visible fault.

    Args:
        variant: the game.
        ply: moves of the battle before it.
        position: the position before it.
        move: the move.
        judgement: of the move.
        quiet: moves since the last capture, None if that is not known.
    """
    if quiet is None:
        quiet = 0 if variant.has_captures else ply
    is_gift = gives_win(variant, position, move, judgement)
    mark = Mark.BLUNDER if is_gift else mark_of(variant, position, judgement, quiet)
    wrong = fault_of(variant, position, move, judgement) if mark else None
    cost = given_away(variant, position, judgement, quiet)
    return Marked(ply, position, move, judgement, cost, mark, wrong, quiet)


def fault_of(
    variant: Variant, position: Position, move: Move, judgement: Judgement
) -> Fault | None:
    """Return the fault of a marked move; None if neither the board nor a line shows one."""
    if judgement.best is None:
        return None
    found = fault(variant, compared(position, move, judgement))
    if found in (Fault.LETS_WIN, Fault.MISSES_WIN):
        return found
    after = position.after(move)
    if _won(variant, after, judgement.reply):
        return Fault.LOSES_LATER
    if _won(variant, position, (judgement.best, *judgement.line)):
        return Fault.FORGOES_WIN
    if found is None:
        losing = _gained(variant, position, (move, *judgement.reply))
        saving = _gained(variant, position, (judgement.best, *judgement.line))
        if losing < 0 and saving - losing >= TELLING:
            return Fault.LOSES_SOON
    return found or weakness(variant, compared(position, move, judgement))


def _won(variant: Variant, position: Position, line: Sequence[Move]) -> bool:
    """Whether a line ends with a win of the side that begins it."""
    side = position.to_move
    for move in line:
        position = position.after(move)
    outcome = variant.outcome(position) if line else None
    return outcome is not None and outcome.winner is side


def compared(position: Position, move: Move, judgement: Judgement) -> Compared:
    """Return a marked move with the better one and the reply."""
    assert judgement.best is not None
    reply = judgement.reply[0] if judgement.reply else None
    return Compared(position, move, judgement.best, reply)


def _gained(variant: Variant, position: Position, moves: Sequence[Move]) -> float:
    """Return the points captured in a line, minus those lost, for the side that begins it."""
    points, sign = 0, 1
    for move in moves:
        points += sign * captured_worth(variant, position, move)
        position, sign = position.after(move), -sign
    return points
