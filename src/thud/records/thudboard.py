"""Read and write the `.thud` files of the ThudBoard program.

Such a file holds one battle, without variant, players or result.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Final

from thud.records.bounds import BadRecord, clean
from thud.records.record import BattleRecord, InvalidRecord, Reading, Record
from thud.records.tgn.lexer import Token
from thud.records.tgn.reader import TIMEOUT, play_text
from thud.rules.battle import Battle
from thud.rules.geometry import (
    InvalidSquare,
    Mask,
    Square,
    bit,
    parse_square,
    square_name,
    squares_of,
)
from thud.rules.notation import move_text, parse_move
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS
from thud.text import quoted

_LETTERS: Final = (Side.DWARFS.value, Side.TROLLS.value, STONE_LETTER)
_DRAWN: Final = frozenset("DTXRdtxr░▒▓█#. ")
"""Characters of a board drawn with a line for each rank, as other programs save it."""

_LETTER_OF: Final = {letter.lower(): letter for letter in _LETTERS}


def thud_text(record: Record, number: int = 1) -> str:
    """Format one battle of a match, numbered from 1, for ThudBoard.

    The format cannot hold the result, the names or moves taken back.

    Raises:
        InvalidRecord: the match has no such battle.
    """
    if not 1 <= number <= len(record.battles):
        raise InvalidRecord(f"the record has no battle {number}")
    battle = record.battles[number - 1]
    start = battle.start
    masks = zip(_LETTERS, (start.dwarfs, start.trolls, bit(start.stone)), strict=True)
    pieces = [f"{each}{square_name(square)}" for each, mask in masks for square in squares_of(mask)]
    moves = map(move_text, battle.positions(), battle.moves)
    return "\n".join([",".join(pieces), *moves, ""])


def read_thud(text: str, variant: Variant | None = None) -> Reading:
    """Parse a battle up to the first bad line, checking every move.

    The default variant is the first one that begins with these pieces and allows all moves.  A
    stone that the first line does not name stands where the variant has it.  A trampling sequence
    may be one line, or a line for each hop.  If the first move is a troll's, the trolls begin.

    Raises:
        BadRecord: the text is too large.
    """
    text, strange = clean(text)
    lines = [
        Token("word", line.strip(), number, 1 + len(line) - len(line.lstrip()))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    try:
        record, fault = _read_lines(lines, variant)
    except BadRecord as refused:
        record, fault = None, refused
    if strange and not (fault and fault.precedes(strange[0])):
        fault = strange[0]
    return Reading(record, fault)


def _read_lines(lines: list[Token], variant: Variant | None) -> Reading:
    """Parse a battle of a variant, or of the one in which its moves are legal furthest.

    Raises:
        BadRecord: the pieces are invalid.
    """
    if not lines:
        raise BadRecord(1, "the file is empty")
    if set(lines[0].text) <= _DRAWN:
        reason = "this is a drawn board, not a battle: the first line of a battle names the pieces"
        raise BadRecord(lines[0].line, reason)
    dwarfs, trolls, stone = _read_pieces(lines[0])
    missing = lines[0].fault("no variant starts with these pieces: say which one it is")
    best, furthest = Reading(None, missing), 0
    for candidate in [variant] if variant else VARIANTS.values():
        start = Position(dwarfs, trolls, candidate.start.stone if stone is None else stone)
        if not variant and start != candidate.start:
            continue
        if (start.dwarfs | start.trolls) >> start.stone & 1:
            taken = f"the stone (R) is missing, and a piece is on {square_name(start.stone)}"
            raise lines[0].fault(taken)
        if len(lines) > 1 and _trolls_begin(start, lines[1]):
            start = start._replace(to_move=Side.TROLLS)
        if faults := candidate.faults(start):
            raise lines[0].fault("; ".join(faults))
        reading = _read_moves(Battle(candidate, start), lines[1:])
        if reading.fault is None:
            return reading
        if reading.fault.line > furthest:
            best, furthest = reading, reading.fault.line
    return best


def _read_moves(battle: Battle, lines: list[Token]) -> Reading:
    """Play a battle, as far as its moves are legal."""
    deadline, fault = monotonic() + TIMEOUT, None
    try:
        for line in lines:
            if monotonic() > deadline:
                reason = f"checking the moves took over {TIMEOUT:.0f} seconds"
                raise line.fault(reason)
            if whole := _trampled_on(battle, line):
                battle.undo()
                battle.play(whole)
            else:
                play_text(battle, line)
    except BadRecord as error:
        fault = error
    return Reading(Record(battle.variant, (BattleRecord.of(battle),)), fault)


def _trampled_on(battle: Battle, line: Token) -> Move | None:
    """Return the whole trample if a line is a further hop of the troll that has just moved.

    It would be the dwarfs' turn, so the line is not ambiguous.
    """
    if battle.last is None or battle.position.to_move is Side.TROLLS:
        return None
    before, last = battle.last
    if battle.variant.kind(before, last) is not Kind.TRAMPLE:
        return None
    still_moving = battle.position._replace(to_move=Side.TROLLS)
    try:
        hop = parse_move(battle.variant, still_moving, line.text)
    except ValueError:
        return None
    if hop.origin != last.destination or not hop.captures:
        return None
    return Move(last.origin, hop.destination, last.captures | hop.captures)


def _read_pieces(line: Token) -> tuple[Mask, Mask, Square | None]:
    """Return the dwarfs, the trolls and, if it is named, the stone of a first line."""
    masks: dict[str, Mask] = dict.fromkeys(_LETTERS, 0)
    column = line.column
    for text in line.text.rstrip(",").split(","):
        piece, here = text.strip(), line._replace(column=column + len(text) - len(text.lstrip()))
        column += len(text) + 1
        letter = _LETTER_OF.get(piece[:1].lower())
        if letter is None:
            first = "the first line is written like dF1,TG7,RH8"
            raise here.fault(f"{quoted(piece)} is not a piece: {first}")
        try:
            square = parse_square(piece[1:])
        except InvalidSquare as error:
            raise here.fault(f"among the pieces, {error}") from None
        if any(mask >> square & 1 for mask in masks.values()):
            raise here.fault(f"two pieces are on {square_name(square)}")
        masks[letter] |= bit(square)
    dwarfs, trolls, stones = masks.values()
    if stones.bit_count() > 1:
        found = f"the first line has {stones.bit_count()}"
        raise line.fault(f"there is exactly one stone (R), and {found}")
    return dwarfs, trolls, stones.bit_length() - 1 if stones else None


def _trolls_begin(start: Position, line: Token) -> bool:
    """Whether the first move is a troll's; in doubt it is a dwarf's."""
    letter, origin = line.text[0], line.text.partition("-")[0].strip()
    # D is a dwarf or a file: with two letters, the first is the piece.
    where = origin if origin[1:2].isdigit() else origin[1:].strip()
    with suppress(InvalidSquare):
        return letter in "tT" and bool(start.trolls >> parse_square(where) & 1)
    return False
