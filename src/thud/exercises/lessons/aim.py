"""The aim of a battle that ends a lesson, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.rules.formation import largest_block
from thud.rules.position import Position, Side
from thud.text import counted, plural, spelled

if TYPE_CHECKING:
    from thud.rules.variant import Outcome


class Measure(Enum):
    """What an aim counts, of the learner's side."""

    HOLD = "hold"
    """Its pieces left."""
    BLOCK = "block"
    """The dwarfs in the largest block."""
    GATHERED = "gathered"
    """The same, minus the dwarfs lost."""
    MARGIN = "margin"
    """Its points minus the other side's."""
    WIN = "win"
    """1 for a win, 0 for a draw, -1 for a loss."""


class Aim(NamedTuple):
    """What a learner is to reach in a battle, at its end or after some turns."""

    side: Side
    """The learner's."""
    measure: Measure
    least: int
    turns: int = 0
    """Turns of both sides after which it is measured; 0 for the end of the battle."""

    @property
    def words(self) -> str:
        """The aim in a sentence: `"Your aim: hold twelve dwarfs for 40 turns."`."""
        when = f"for {counted(self.turns, 'turn')}" if self.turns else "to the end"
        after = f"after {counted(self.turns, 'turn')}" if self.turns else "at the end"
        what = {
            Measure.HOLD: f"hold {self._pieces(self.least)} {when}",
            Measure.BLOCK: f"have {self._pieces(self.least)} in one block {after}",
            Measure.GATHERED: f"{after}, {spelled(self.least)} more dwarfs in one block than lost",
            Measure.MARGIN: f"win by {counted(self.least, 'point')} or more",
            Measure.WIN: "win",
        }
        return f"Your aim: {what[self.measure]}."

    def score(self, result: int) -> str:
        """Say a result: `"14 dwarfs"`, `"lost by 3"`."""
        match self.measure:
            case Measure.HOLD:
                return self._pieces(result)
            case Measure.BLOCK:
                return f"a block of {spelled(result)}"
            case Measure.GATHERED:
                return f"{result} more in a block than lost"
            case _ if not result:
                return "drawn"
        how = "won" if result > 0 else "lost"
        if self.measure is Measure.WIN:
            return how
        return f"{how} by {abs(result)} {plural(abs(result), 'point')}"

    def _pieces(self, number: int) -> str:
        return counted(number, self.side.singular)

    def plies(self, positions: Sequence[Position], outcome: Outcome | None) -> int | None:
        """Return after how many moves a battle is measured; None while that is ahead."""
        played = len(positions) - 1
        if self.turns and played >= 2 * self.turns:
            return 2 * self.turns
        return played if outcome else None

    def result(self, positions: Sequence[Position], outcome: Outcome | None) -> int | None:
        """Return the result of a battle; None while it is open, or where pieces were not counted.

        Args:
            positions: the battle's positions.
            outcome: its outcome, if it is over.
        """
        plies = self.plies(positions, outcome)
        if plies is None:
            return None
        ends = outcome if plies == len(positions) - 1 else None
        if self.measure in (Measure.MARGIN, Measure.WIN):
            return self._margin(ends)
        # Who gives up holds nothing.
        if ends and ends.forfeit:
            return None
        first, last = (each.pieces(self.side) for each in (positions[0], positions[plies]))
        if self.measure is Measure.HOLD:
            return last.bit_count()
        block = largest_block(last).bit_count()
        lost = first.bit_count() - last.bit_count()
        return block - lost if self.measure is Measure.GATHERED else block

    def _margin(self, outcome: Outcome | None) -> int | None:
        """Return the points won by, or 1 for a win; None while the battle goes on."""
        if outcome is None:
            return None
        if self.measure is Measure.WIN:
            won = outcome.winner is not None
            return (1 if outcome.winner is self.side else -1) if won else 0
        margin = round(outcome.margin)
        return margin if self.side is Side.DWARFS else -margin


class Attempt(NamedTuple):
    """An aim, and the best result before."""

    aim: Aim
    best: int | None = None

    @property
    def words(self) -> str:
        """The aim, and the best result so far."""
        told = "" if self.best is None else f" The best so far: {self.aim.score(self.best)}."
        return f"{self.aim.words}{told}"

    def told(self, positions: Sequence[Position], outcome: Outcome | None) -> str:
        """Say what came of it where the last move has decided that; else empty."""
        result = self.aim.result(positions, outcome)
        if result is None or self.aim.plies(positions, outcome) != len(positions) - 1:
            return ""
        reached = "reached" if result >= self.aim.least else "not reached"
        if self.best is None:
            how = ""
        elif result > self.best:
            how = ", the best so far"
        else:
            how = f"; the best so far: {self.aim.score(self.best)}"
        return f"{self.aim.words} You have {reached} it: {self.aim.score(result)}{how}."


_TURNS: Final = "turns"


def read_aim(side: Side, written: Mapping[str, object]) -> Aim:
    """Parse an aim, such as `{ hold = 12, turns = 40 }`.

    Raises:
        ValueError: it is not valid.
    """
    names = [name for name in written if name != _TURNS]
    numbers = [written[name] for name in names] + [written.get(_TURNS, 0)]
    if len(names) != 1 or not all(isinstance(each, int) and each >= 0 for each in numbers):
        raise ValueError("an aim has one measure with a number, and perhaps turns")
    least, turns = (int(str(each)) for each in numbers)
    return Aim(side, Measure(names[0]), least, turns)
