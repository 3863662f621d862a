"""Remarks for and against moves are true on the board, checked move by move."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import mask
from rules.strategies import every_variant, legal, open_positions
from thud.rules.geometry import distance, mask_of, parse_square, squares_of
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import wins
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS
from thud.text import counted, spelled
from thud.words.remarks import instead, merits, reply_captures, reply_wins
from toy_variant import EYRIE


def captured(variant: Variant, position: Position, side: Side) -> int:
    """Return everything a side could capture if it were its turn."""
    turn = position._replace(to_move=side)
    return mask_of(*(s for move in variant.legal_moves(turn) for s in squares_of(move.captures)))


def winning(variant: Variant, position: Position, side: Side) -> bool:
    """Whether a side could win at once by a goal if it were its turn."""
    turn = position._replace(to_move=side)
    moves = variant.legal_moves(turn) if variant.goals else []
    ends = (variant.outcome(turn.after(move)) for move in moves)
    return any(end is not None and end.winner is side for end in ends)


def named(text: str) -> int:
    return mask_of(*map(parse_square, re.findall(r"[A-P]\d+", text)))


class Claim:
    """A clause about a move, and whether it is true."""

    def __init__(self, variant: Variant, before: Position, move: Move) -> None:
        self.variant, self.before, self.move = variant, before, move
        self.after = before.after(move)
        self.side, self.other = before.to_move, before.to_move.other

    def wins(self, _: str) -> bool:
        end = self.variant.outcome(self.after)
        return end is not None and end.winner is self.side

    def takes(self, text: str) -> bool:
        lost = (self.before.pieces(self.other) & ~self.after.pieces(self.other)).bit_count()
        return lost > 0 and text == f"captures {counted(lost, self.other.singular)}"

    def threatens_to_win(self, _: str) -> bool:
        return winning(self.variant, self.after, self.side) and not winning(
            self.variant, self.before, self.side
        )

    def prevents(self, text: str) -> bool:
        return (
            self.other.plural in text
            and winning(self.variant, self.before, self.other)
            and not winning(self.variant, self.after, self.other)
        )

    def threatens(self, text: str) -> bool:
        aimed = captured(self.variant, self.after, self.side)
        return self.other.singular in text and not named(text) & ~aimed

    def could_shove(self, text: str) -> bool:
        turn, only = self.after._replace(to_move=self.side), dict[bool, int]()
        for move in self.variant.legal_moves(turn):
            shoves = self.variant.kind(turn, move) is Kind.SHOVE
            only[shoves] = only.get(shoves, 0) | move.captures
        before = captured(self.variant, self.before, self.side)
        found = only.get(True, 0) & ~only.get(False, 0) & ~before
        number = found.bit_count()
        rest = f", and {spelled(number - 2)} other{'s' * (number > 3)}" if number > 2 else ""
        return (
            not named(text) & ~found
            and named(text).bit_count() == min(number, 2)
            and text.endswith(f"{rest}.")
            and ("shoves" in text) == (number > 1)
        )

    def saves(self, text: str) -> bool:
        saved = named(text)
        return (
            not saved & ~captured(self.variant, self.before, self.other)
            and not saved & captured(self.variant, self.after, self.other)
            and not saved & ~self.after.pieces(self.side)
        )

    def flees(self, text: str) -> bool:
        now = captured(self.variant, self.before, self.other)
        then = captured(self.variant, self.after, self.other)
        moved = self.before.pieces(self.side) >> self.move.origin & 1
        hung = now >> self.move.origin & 1
        return bool(moved and hung and not then >> self.move.destination & 1)

    def leaves_none(self, text: str) -> bool:
        return self.side.singular in text and not captured(self.variant, self.after, self.other)

    def avenges(self, _: str) -> bool:
        taking = [each for each in self.variant.legal_moves(self.after) if each.captures]
        then = [(self.after.after(each), each.destination) for each in taking]
        return bool(then) and all(
            captured(self.variant, position, self.side) >> where & 1 for position, where in then
        )

    def nearer(self, text: str) -> bool:
        def to_go(stone: int) -> int:
            return min(distance(stone, goal) for goal in squares_of(self.variant.goals))

        return self.variant.stone in text and to_go(self.after.stone) < to_go(self.before.stone)

    def beside(self, text: str) -> bool:
        near = self.next_to(self.after, self.after.stone)
        told = f"gets {counted(len(near), self.side.singular)} next to the {self.variant.stone}"
        return text == told and len(near) > len(self.next_to(self.before, self.before.stone))

    def next_to(self, position: Position, square: int) -> list[int]:
        own = squares_of(position.pieces(self.side))
        return [each for each in own if distance(each, square) == 1]

    def ways(self, position: Position) -> int:
        """Return where the dwarfs could move the stone, if it were their turn."""
        turn = position._replace(to_move=Side.DWARFS)
        moves = self.variant.legal_moves(turn)
        return mask_of(*(m.destination for m in moves if m.origin == position.stone))

    def opens(self, text: str) -> bool:
        return not named(text) & ~(self.ways(self.after) & ~self.ways(self.before))

    def denies(self, text: str) -> bool:
        return not named(text) & ~(self.ways(self.before) & ~self.ways(self.after))

    def within_a_move(self, text: str) -> bool:
        counts = []
        for position in (self.before, self.after):
            turn, stone = position._replace(to_move=Side.TROLLS), position.stone
            moves = self.variant.legal_moves(turn)
            coming = {m.origin for m in moves if distance(m.destination, stone) == 1}
            coming |= {s for s in squares_of(position.trolls) if distance(s, stone) == 1}
            coming -= {s for s in coming if not position.trolls >> s & 1}
            counts.append(len(coming))
        more = counts[1] > counts[0] if self.side is Side.TROLLS else counts[1] < counts[0]
        return more and f" {counted(counts[1], 'troll')} " in text

    def awaits(self, text: str) -> bool:
        return all(
            self.variant.goals >> square & 1
            and not self.after.occupied >> square & 1
            and any(distance(square, dwarf) == 1 for dwarf in squares_of(self.after.dwarfs))
            for square in squares_of(named(text))
        )

    def lines_up(self, text: str) -> bool:
        end, own = self.move.destination, self.after.dwarfs
        lengths = []
        for step in (1, 15, 16, 17):
            behind = next(n for n in range(1, 16) if not own >> max(0, end - n * step) & 1)
            ahead = next(n for n in range(1, 16) if not own >> (end + n * step) & 1)
            lengths.append(behind + ahead - 1)
        return text == f"makes a line of {counted(max(lengths), 'dwarf')}"

    def joins(self, text: str) -> bool:
        beside = len(self.next_to(self.after, self.move.destination))
        told = "another" if beside == 1 else f"{spelled(beside)} others"
        return text == f"puts the {self.side.singular} next to {told}"


_SQUARES: Final = r"[A-P]\d+(?:(?:, | and )[A-P]\d+)*"
_REST: Final = r"(?:, and \w+ others?)?"
_ANY: Final = r"[A-P]\d+(?:(?:, | or )[A-P]\d+)*"
CLAUSES: Final[dict[str, Callable[[Claim, str], bool]]] = {
    r"wins at once": Claim.wins,
    r"captures \w+ (?:dwarf|troll)s?": Claim.takes,
    r"threatens to win next": Claim.threatens_to_win,
    r"stops the (?:dwarfs|trolls) from winning at once": Claim.prevents,
    rf"threatens the (?:dwarf|troll)s? on {_SQUARES}{_REST}": Claim.threatens,
    rf"After it, (?:a shove|shoves) could capture the dwarfs? on {_SQUARES}{_REST}\.": (
        Claim.could_shove
    ),
    rf"saves the (?:dwarf|troll)s? on {_SQUARES}": Claim.saves,
    r"gets the (?:dwarf|troll) out of danger": Claim.flees,
    r"leaves no (?:dwarf|troll) in danger": Claim.leaves_none,
    r"lets the (?:dwarfs|trolls) hit back after any capture": Claim.avenges,
    r"brings the (?:Rock|Ball) nearer to the far side": Claim.nearer,
    r"gets \w+ (?:dwarf|troll)s? next to the (?:Rock|Ball)": Claim.beside,
    rf"lets the (?:Rock|Ball) go on to {_ANY}": Claim.opens,
    rf"keeps the (?:Rock|Ball) from {_ANY}": Claim.denies,
    r"leaves \w+ trolls? within a move of the (?:Rock|Ball)": Claim.within_a_move,
    r"Then (?:one troll is|\w+ trolls are) within a move of the (?:Rock|Ball)\.": (
        Claim.within_a_move
    ),
    rf"has a dwarf ready for the (?:Rock|Ball) at {_ANY}": Claim.awaits,
    r"makes a line of \w+ dwarfs": Claim.lines_up,
    r"puts the (?:dwarf|troll) next to (?:another|\w+ others)": Claim.joins,
}


def clauses(sentence: str) -> list[tuple[str, str]]:
    """Split a sentence into clauses with their forms; nothing may be left over."""
    found = []
    rest = sentence
    for form in sorted(CLAUSES, key=len, reverse=True):
        for match in re.finditer(rf"(?<![a-z]){form}", rest):
            found.append((form, match[0]))
        rest = re.sub(rf"(?<![a-z]){form}", "@", rest)
    assert re.fullmatch(r"(It @(, @)?(, and @)?\.)?( ?@)?", rest), sentence
    return found


@every_variant
@given(data=st.data())
def test_what_speaks_for_a_move_is_true(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    moves = variant.legal_moves(position)
    taking = [move for move in moves if move.captures] or moves
    for move in (data.draw(st.sampled_from(moves)), data.draw(st.sampled_from(taking))):
        claim = Claim(variant, position, move)
        for form, text in clauses(merits(variant, position, move)):
            assert CLAUSES[form](claim, text), (text, position.to_text(), move)


@every_variant
@given(data=st.data())
def test_what_speaks_against_a_move_is_true(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    won = Claim(variant, position, move).wins("")
    assert wins(variant, position, move) is won
    if won:
        assert path(reply_wins(variant, position, move), "wins at once") == move[:2]
        assert path(instead(variant, position, move), "would win") == move[:2]
    elif move.captures:
        reply = reply_captures(variant, position, move)
        assert path(reply, "captures") == move[:2]
        assert named(reply.split(" captures ")[1]) == move.captures
        other = instead(variant, position, move)
        assert path(other, "would capture") == move[:2]
        assert named(other.split(" capture ")[1]) == move.captures


def path(sentence: str, verb: str) -> tuple[int, ...]:
    """Return the squares between which a sentence with a verb moves a piece."""
    assert verb in sentence
    (squares,) = re.findall(r"from ([A-P]\d+) to ([A-P]\d+)", sentence)
    return tuple(map(parse_square, squares))


def told(name: str, move: str, dwarfs: str, trolls: str, stone: str = "H8") -> str:
    """Return the remarks for a move, with its piece's side to move."""
    side = Side(move[0]) if move[0] != "R" else Side.DWARFS
    position = Position(mask(dwarfs), mask(trolls), parse_square(stone), side)
    return merits(VARIANTS[name], position, parse_move(VARIANTS[name], position, move))


CLASSIC: dict[tuple[str, ...], str] = {
    ("dE6-E8xE8", "E5 E6", "E8 P9"): "captures one troll, and gets the dwarf out of danger.",
    ("dE6-L6", "E6", "E8 P9"): "gets the dwarf out of danger.",
    ("dE7-E8xE8", "E7 D7 F7", "E8 P9"): (
        "captures one troll, saves the dwarfs on D7 and F7, and leaves no dwarf in danger."
    ),
    # The piece that is saved does not move.
    ("dE5-E8xE8", "E3 E4 E5 F6", "E8 P9"): "captures one troll, and saves the dwarf on F6",
    ("dE9-E6", "C6 D6 C4 D5 E9", "G7 P9"): (
        "lets the dwarfs hit back after any capture, and makes a line of three dwarfs."
    ),
    ("dE9-E6", "C6 D6 E9", "G7 P9"): "makes a line of three dwarfs.",
    ("dE9-E6", "D6 D5 F5 E9", "P9"): "puts the dwarf next to three others.",
    ("TE9-E8", "P9", "E7 E9"): "puts the troll next to another.",
}
VALLEY: dict[tuple[str, ...], str] = {
    ("dA6-G6", "A6 J7", "P9 P8 P7", "H8"): "lets the Ball go on to H5.",
    ("dA6-E2", "A6 H9", "P9 P8 P7", "H8"): "has a dwarf ready for the Ball at F1.",
    ("TK5-H5", "H9 G4", "K5 P8 P7", "H8"): "keeps the Ball from H3.",
    ("RG2-G1", "G3 H2", "P9 P8 P7", "G2"): "wins at once.",
    ("RG4-G3", "G5 H4", "P9 P8 P7", "G4"): "brings the Rock nearer to the far side",
    ("TF4-F1", "G3 H2", "F4 E9 E8", "G2"): "gets one troll next to the Rock.",
    ("TJ3-G1xH2", "H2 O11", "J3 P9 P8", "G2"): (
        "captures one dwarf, stops the dwarfs from winning at once"
    ),
}


def test_what_speaks_for_a_move_is_said() -> None:
    for case, said in CLASSIC.items():
        assert told("classic", *case).startswith(f"It {said}")
    for case, said in VALLEY.items():
        assert told("football" if "Ball" in said else "koom", *case).startswith(f"It {said}")


def test_dwarfs_that_only_a_shove_could_capture_are_told_as_such() -> None:
    alone = ("TD6-D5", "G5", "C5 D6")
    assert told("classic", *alone) == "After it, a shove could capture the dwarf on G5."
    several = ("TD6-D5", "G4 G5 G6", "C5 D6")
    assert told("classic", *several).endswith(
        "After it, shoves could capture the dwarfs on G4 and G5, and one other."
    )


def test_nothing_is_said_where_nothing_shows() -> None:
    assert told("football", "dA6-B6", "A6 J7", "P9 P8 P7", "H8") == ""


def test_what_the_next_best_move_does_too_is_left_out() -> None:
    variant = VARIANTS["classic"]
    position = Position(mask("E5 E6 D7 F7"), mask("E8 P9"), parse_square("H8"), Side.DWARFS)
    move, other = (parse_move(variant, position, text) for text in ("dE6-E8xE8", "dF7-E8xE8"))
    alone = merits(variant, position, move)
    assert "captures" in alone
    assert "captures" not in merits(variant, position, move, unlike=other)
    assert merits(variant, position, move, unlike=move) == alone


def test_only_where_there_is_a_far_side_it_is_spoken_of() -> None:
    """Eyrie has goals, but none for its stone: a dwarf must reach the peak."""
    beside = EYRIE.position("5/7/9/5d5/13/5T9/15/7R7/15/15/13/11/9/7/5 T")
    for move in EYRIE.legal_moves(beside):
        assert "Hill" not in merits(EYRIE, beside, move)
        assert not list(EYRIE.merits(beside, beside.after(move)))
