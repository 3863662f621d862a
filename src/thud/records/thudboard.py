"""Read and write the `.thud` files of the ThudBoard program.

Such a file holds one battle, without variant, players or result.
"""

from __future__ import annotations

from time import monotonic
from typing import Final, NamedTuple

from thud.records.bounds import BadRecord, InvalidRecord, clean
from thud.records.record import BattleRecord, Record
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
    moves = zip(battle.positions(), battle.moves, strict=False)
    lines = [_pieces_text(battle.start), *(move_text(*move) for move in moves)]
    return "\n".join(lines) + "\n"


def read_thud(text: str, variant: Variant | None = None) -> Record:
    """Parse a battle, checking every move.

    The default variant is the first one that begins with these pieces and allows all moves.  A
    stone that the first line does not name stands where the variant has it.  A trampling sequence
    may be one line, or a line for each hop.  If the first move is a troll's, the trolls begin.

    Raises:
        BadRecord: with the first bad line; `partial` is the match up to it.
    """
    text, strange = clean(text)
    fault = strange[0] if strange else None
    lines = [
        Token("word", line.strip(), number, 1 + len(line) - len(line.lstrip()))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    try:
        record = _read_lines(lines, variant)
    except BadRecord as refused:
        if fault and not refused.precedes(fault):
            fault.partial = refused.partial
            raise fault from None
        raise
    if fault:
        fault.partial = record
        raise fault
    return record


def _read_lines(lines: list[Token], variant: Variant | None) -> Record:
    if not lines:
        raise BadRecord(1, "the file is empty")
    if set(lines[0].text) <= _DRAWN:
        reason = "this is a drawn board, not a battle: the first line of a battle names the pieces"
        raise BadRecord(lines[0].line, reason)
    pieces = _read_pieces(lines[0])
    variants = [variant] if variant else list(VARIANTS.values())
    starts = [(each, _start_of(each, pieces)) for each in variants]
    if not variant:
        starts = [(each, start) for each, start in starts if start == each.start]
    if not starts:
        raise lines[0].fault("no variant starts with these pieces: say which one it is")
    faults: list[BadRecord] = []
    for candidate, start in starts:
        trolls = len(lines) > 1 and _moves_first(start, lines[1]) is Side.TROLLS
        first = start._replace(to_move=Side.TROLLS) if trolls else start
        try:
            return _read_battle(candidate, first, lines)
        except BadRecord as fault:
            faults.append(fault)
    raise max(faults, key=lambda fault: fault.line)


def _read_battle(variant: Variant, start: Position, lines: list[Token]) -> Record:
    if (start.dwarfs | start.trolls) >> start.stone & 1:
        taken = f"the stone (R) is missing, and a piece is on {square_name(start.stone)}"
        raise lines[0].fault(taken)
    if faults := variant.faults(start):
        raise lines[0].fault("; ".join(faults))
    battle = Battle(variant, start)
    deadline = monotonic() + TIMEOUT
    try:
        for line in lines[1:]:
            if monotonic() > deadline:
                reason = f"checking the moves took over {TIMEOUT:.0f} seconds"
                raise line.fault(reason)
            _play_line(battle, line)
    except BadRecord as fault:
        fault.partial = Record(variant, (BattleRecord.of(battle),))
        raise
    return Record(variant, (BattleRecord.of(battle),))


def _play_line(battle: Battle, line: Token) -> None:
    whole = _trampled_on(battle, line)
    if whole is None:
        play_text(battle, line)
    else:
        battle.undo()
        battle.play(whole)


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


def _pieces_text(position: Position) -> str:
    masks = (position.dwarfs, position.trolls, bit(position.stone))
    return ",".join(
        f"{letter}{square_name(square)}"
        for letter, mask in zip(_LETTERS, masks, strict=True)
        for square in squares_of(mask)
    )


class _Pieces(NamedTuple):
    """The pieces of a first line; the stone may be missing."""

    dwarfs: Mask
    trolls: Mask
    stone: Square | None


def _read_pieces(line: Token) -> _Pieces:
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
    return _Pieces(dwarfs, trolls, stones.bit_length() - 1 if stones else None)


def _start_of(variant: Variant, pieces: _Pieces) -> Position:
    """Return a start by its pieces; a stone that is not named stands where the variant has it."""
    stone = variant.start.stone if pieces.stone is None else pieces.stone
    return Position(pieces.dwarfs, pieces.trolls, stone)


def _moves_first(start: Position, line: Token) -> Side:
    """Return the side that makes the first move; in doubt the dwarfs."""
    letter, origin = line.text[0], line.text.partition("-")[0].strip()
    # D is a dwarf or a file: with two letters, the first is the piece.
    where = origin if origin[1:2].isdigit() else origin[1:].strip()
    try:
        square = parse_square(where)
    except InvalidSquare:
        return Side.DWARFS
    trolls = letter in "tT" and start.trolls >> square & 1
    return Side.TROLLS if trolls else Side.DWARFS
