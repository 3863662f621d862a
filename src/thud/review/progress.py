"""A review that gets on: what is known of each battle, by comments and by what is judged now."""

from __future__ import annotations

from collections.abc import Iterator

from thud.records.record import Record
from thud.review.judged import Judgements, judgements_in, with_judgements
from thud.review.judgement import Judgement
from thud.review.summary import Marked, Reviewed, marked
from thud.review.told import move_lines
from thud.rules.position import Position


class Progress:
    """What has been judged of a match.

    Args:
        record: the match; what its comments hold counts as judged.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._positions: dict[int, list[Position]] = {}
        self._moves: dict[int, dict[int, Marked]] = {}
        for number, battle in enumerate(record.battles, 1):
            self._positions[number] = list(battle.positions())
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
        """Note what was judged of a move."""
        battle = self._record.battles[number - 1]
        position = self._positions[number][ply]
        found = marked(self._record.variant, ply, position, battle.moves[ply], judgement)
        self._moves[number][ply] = found

    def missing(self, number: int) -> list[int]:
        """Return the moves of a battle that have not been judged."""
        judged = self._moves[number]
        return [ply for ply in range(len(self._positions[number]) - 1) if ply not in judged]

    def at(self, number: int, ply: int) -> Marked | None:
        """Return what is known of a move, None if it has not been judged."""
        return self._moves[number].get(ply)

    def reviewed(self, number: int) -> Reviewed:
        """Return all that is known of a battle."""
        moves = self._moves[number]
        battle = self._record.battles[number - 1]
        in_turn = tuple(moves[ply] for ply in sorted(moves))
        return Reviewed(self._record.variant, battle, number, in_turn)

    def noted(self, record: Record) -> Record:
        """Return the match as it is now with all that has been judged in its comments."""
        for number, moves in self._moves.items():
            judgements: Judgements = {ply: each.judgement for ply, each in moves.items()}
            if judgements:
                record = with_judgements(record, number, judgements)
        return record


def in_turn(progress: Progress, number: int, *, every: bool = False) -> Iterator[list[str]]:
    """Yield, each time, what there is to say by now of the moves of a battle, in turn.

    Args:
        progress: what is known; it grows meanwhile.
        number: which battle.
        every: tell of every move, and not only of those that are marked.
    """
    place = 0
    while True:
        lines = list[str]()
        while move := progress.at(number, place):
            if every or move.mark:
                lines += move_lines(progress.reviewed(number), move)
            place += 1
        yield lines
