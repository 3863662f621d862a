"""Classic Thud, and Classic with single capture, which differ by one argument.

Rules: Trevor Truran, "Thud" (2002), and its later single-capture rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from thud.rules.geometry import (
    ADJACENT,
    BOARD,
    Mask,
    bit,
    listed,
    parse_square,
    square_name,
    squares_of,
    subsets_of,
)
from thud.rules.moves import (
    count_hurls,
    count_slides,
    hurls,
    landings,
    line_length,
    longest_line,
    slides,
    way_between,
)
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import obstacle, stuck, too_far
from thud.rules.variant import (
    Gain,
    HandicapPieces,
    Kind,
    Merit,
    Odds,
    Outcome,
    Reason,
    Score,
    Variant,
)

WORTH: Final = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 4})
THUDSTONE: Final = parse_square("H8")
START: Final = Position.from_text(
    "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d"
)


_FIERCE: Final = "32 dwarfs, 8 trolls, and a troll counts four"
_TAME: Final = "the same fight, with trolls that capture less"
_DWARFS: Final = (
    "Dwarfs run any distance in a straight line. They capture by a hurl: a line of N dwarfs throws "
    "its front dwarf up to N squares, onto a troll. One dwarf alone can capture a troll next to it."
)
_TROLLS: Final = (
    "Trolls step one square, then capture {} next to them. A line of N trolls shoves its front "
    "troll up to N squares, if it captures there: as many of the dwarfs next to it as you like."
)
_END: Final = (
    "A battle ends when both players agree, or when one cannot move. Each dwarf left counts 1, "
    "each troll 4. Then you swap sides. The higher sum of both battles wins."
)


_COMPANY: Final = {Side.DWARFS: 3, Side.TROLLS: 1}
"""Fewest neighbours for which it is worth moving."""

HANDICAPS: Final = MappingProxyType(
    {
        Side.DWARFS: HandicapPieces(
            "C4 N12 N4 C12 E2 L14 L2 E14 B5 O11 O5 B11 D3 M13 M3 D13", (4, 8, 12, 16)
        ),
        Side.TROLLS: HandicapPieces("H9 H7 J8 G8", (1, 2, 3, 4)),
    }
)


class Classic(Variant):
    """Dwarfs slide and hurl, trolls step and shove; the pieces left are the score."""

    stone = "Thudstone"
    start = START
    worth = WORTH
    handicaps = HANDICAPS

    def __init__(self, name: str, title: str, short: str, *, single_capture: bool = False) -> None:
        """Name the variant; with `single_capture` a step takes one dwarf at most."""
        self.name = self.core = name
        self.title = title
        self.short = short
        self.single_capture = single_capture
        self.gist = _TAME if single_capture else _FIERCE
        taken = "one dwarf" if single_capture else "any of the dwarfs"
        self.summary = "\n".join((_DWARFS, _TROLLS.format(taken), _END))
        self.odds = Odds(usual=(18, 50, 86) if single_capture else (18, 36, 81))

    def faults(self, position: Position) -> list[str]:
        """Return the reasons why this variant does not allow a position."""
        faults = super().faults(position)
        if position.stone != THUDSTONE:
            rank = square_name(position.stone)[1:]
            faults.append(f"rank {rank}: the Thudstone is on {square_name(position.stone)}, not H8")
        return faults

    def generate(self, position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
        """List the moves from given squares to others."""
        if position.to_move is Side.DWARFS:
            origins &= position.dwarfs
            along = slides(origins, position.occupied, stops=destinations)
            return along + hurls(position, origins, destinations)
        moves = []
        for origin, destination, distance, line, victims in landings(
            position, origins, destinations
        ):
            if not victims:
                moves.append(Move(origin, destination))
                continue
            if self.single_capture and line == 1:
                choices = [0, *map(bit, squares_of(victims))]
            else:
                choices = subsets_of(victims)[distance > 1 :]
            moves += [Move(origin, destination, captures) for captures in choices]
        return moves

    def count(self, position: Position) -> int:
        """Count the moves of the side to move without listing them."""
        if position.to_move is Side.DWARFS:
            return count_slides(position.dwarfs, position.occupied) + count_hurls(position)
        count = 0
        for landing in landings(position, position.trolls):
            victims = landing.victims.bit_count()
            if self.single_capture and landing.line == 1:
                count += 1 + victims
            else:
                count += (1 << victims) - (landing.distance > 1)
        return count

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether a move is legal; no moves are listed, which is quicker."""
        dwarfs, trolls, _, to_move = position
        origin, destination, captures = move
        way = way_between(origin, destination)
        if way is None or not position.pieces(to_move) >> origin & 1:
            return False
        in_the_way = way.squares & position.occupied
        if to_move is Side.DWARFS:
            if not captures:
                return not in_the_way
            onto = bit(destination) & trolls
            line = line_length(dwarfs, origin, way.step)
            return in_the_way == captures == onto and line >= way.distance
        if in_the_way or captures & ~(ADJACENT[destination] & dwarfs):
            return False
        if way.distance == 1 and not (self.single_capture and captures.bit_count() > 1):
            return True
        least = max(2, way.distance)
        return bool(captures) and line_length(trolls, origin, way.step) >= least

    def kind(self, position: Position, move: Move) -> Kind:
        """Return the kind of a legal move; one square ahead it is a step if possible."""
        if position.to_move is Side.DWARFS:
            return Kind.HURL if move.captures else Kind.MOVE
        near = ADJACENT[move.origin] >> move.destination & 1
        if near and not (self.single_capture and move.captures.bit_count() > 1):
            return Kind.STEP
        return Kind.SHOVE

    def explain(self, position: Position, move: Move) -> str:
        """Say why a move of the right side's piece is illegal."""
        if move.origin == position.stone:
            return "the Thudstone never moves"
        if position.to_move is Side.DWARFS:
            return self._explain_dwarf(position, move)
        return self._explain_troll(position, move)

    def _explain_dwarf(self, position: Position, move: Move) -> str:
        if blocked := obstacle(position, move, self.stone, landing_on="T"):
            return blocked
        if not position.trolls >> move.destination & 1:
            return "a dwarf captures only by being hurled onto a troll"
        if short := too_far(position, move, "the troll"):
            return short
        where = square_name(move.destination)
        if not move.captures:
            return f"a dwarf that is hurled onto the troll on {where} has to capture it"
        return f"a hurl captures the troll it lands on, here {where} alone"

    def _explain_troll(self, position: Position, move: Move) -> str:
        where = square_name(move.destination)
        if blocked := obstacle(position, move, self.stone):
            return blocked
        if short := too_far(position, move, where):
            return short
        victims = ADJACENT[move.destination] & position.dwarfs
        if strangers := move.captures & ~victims:
            return f"no dwarf on {listed(strangers, 'or')} is adjacent to {where}"
        if not victims:
            return f"a shove has to capture, and no dwarf is adjacent to {where}"
        if not move.captures:
            return "a shove has to capture at least one dwarf"
        return "a step captures one dwarf at most; only a shove captures more"

    def decided(self, position: Position) -> None:
        """Return None: no goal ends a Classic battle."""
        return

    def stuck(self, position: Position) -> Outcome:
        """Return the outcome for a player to move who has no legal move."""
        because = stuck(position)
        return self._reckon(position, Reason.NO_MOVES, because)

    def settled(self, position: Position, reason: Reason) -> Outcome:
        """Return the outcome if the battle ends as it stands."""
        return self._reckon(position, reason, reason.value)

    def _reckon(self, position: Position, reason: Reason, because: str) -> Outcome:
        score = score_of(position)
        winner = Side.DWARFS if score.margin > 0 else Side.TROLLS if score.margin < 0 else None
        return Outcome(winner, reason, because, score)

    def progress(self, position: Position) -> tuple[tuple[str, str], ...]:
        """Return the current points and margin."""
        score = score_of(position)
        leader = Side.DWARFS if score.margin > 0 else Side.TROLLS
        margin = f"{abs(score.margin):g} to the {leader.plural}" if score.margin else "even"
        by_side = f"dwarfs {score.dwarfs:g}, trolls {score.trolls:g}"
        return (("score", by_side), ("margin", margin))

    def lead(self, position: Position) -> float:
        """Return the current margin."""
        return score_of(position).margin

    def merits(self, before: Position, after: Position) -> Iterator[Merit]:
        """Yield what a move does for its own side's lines and neighbours."""
        side = before.to_move
        own, now = before.pieces(side), after.pieces(side)
        (origin,), (destination,) = map(squares_of, (own & ~now, now & ~own))
        line = longest_line(now, destination)
        longer = line.bit_count() > longest_line(own, origin).bit_count()
        if side is Side.DWARFS and line.bit_count() > 2 and longer:
            yield Merit(Gain.LINES_UP, line)
        beside = ADJACENT[destination] & now
        more = beside.bit_count() > (ADJACENT[origin] & own).bit_count()
        if more and beside.bit_count() >= _COMPANY[side]:
            yield Merit(Gain.JOINS, beside)


def score_of(position: Position) -> Score:
    """Return the current points: 1 for each dwarf left, 4 for each troll left."""
    dwarfs, trolls = (WORTH[side] * position.pieces(side).bit_count() for side in Side)
    return Score(dwarfs, trolls)


CLASSIC: Final = Classic("classic", "Classic", "Classic")
SINGLE: Final = Classic("single", "Classic, single capture", "Single capture", single_capture=True)
