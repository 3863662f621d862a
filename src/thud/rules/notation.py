"""Moves to text and back, in the notation of the ThudBoard program: `TF7-D5xC4xC5`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from thud.rules.geometry import Square, bit, in_file_order, parse_square, square_name
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.reasons import name_at
from thud.rules.variant import IllegalMove, Variant
from thud.text import quoted

MAX_TEXT: Final = 120
DASHES: Final = str.maketrans("‐‑‒–—−→", "-------")
"""What phones and word processors write for a hyphen."""

_NAME: Final = r"[A-HJ-P](?:1[0-5]|[1-9])"
_MOVE: Final = (
    rf"(?P<piece>[DTR])? ?(?P<origin>{_NAME})(?: ?- ?| )?(?P<destination>{_NAME})"
    rf"(?P<captures>(?: ?X ?{_NAME})*)"
)


class InvalidMoveText(ValueError):
    """A text is not a move."""


def move_text(position: Position, move: Move) -> str:
    """Return a move's text, captured squares sorted by file and rank."""
    piece = position.letter_at(move.origin) or ""
    captures = "".join(f"x{square_name(square)}" for square in in_file_order(move.captures))
    return f"{piece}{square_name(move.origin)}-{square_name(move.destination)}{captures}"


def texts_of(position: Position, moves: Iterable[Move]) -> Iterator[str]:
    """Yield the texts of successive moves from a position."""
    for move in moves:
        yield move_text(position, move)
        position = position.after(move)


def parse_move(variant: Variant, position: Position, text: str) -> Move:
    """Parse a legal move of a position.

    The piece letter may be missing, letters in either case, captured squares in any order, and the
    hyphen a dash, a space or nothing.

    Raises:
        InvalidMoveText: the text is not a move.
        InvalidSquare: it names a square off the octagon.
        IllegalMove: the move is illegal there; the message says why.
    """
    move = written_move(variant, position, text)
    if not variant.is_legal(position, move):
        raise IllegalMove(variant.why_not(position, move))
    return move


def written_move(variant: Variant, position: Position, text: str) -> Move:
    """Parse a move of a position without checking its legality.

    Raises:
        InvalidMoveText: the text is not a move.
        InvalidSquare: it names a square off the octagon.
        IllegalMove: its piece letter contradicts the position.
    """
    letter, move = read_move(text)
    if letter != position.letter_at(move.origin):
        check_piece(variant, position, letter, move.origin)
    return move


def check_piece(variant: Variant, position: Position, letter: str | None, origin: Square) -> None:
    """Check that a piece letter does not contradict the piece on a square.

    Raises:
        IllegalMove: another piece is there.
    """
    standing = position.letter_at(origin)
    if letter and standing and letter != standing:
        holds = name_at(position, origin, variant.stone)
        meant = f"the {variant.stone}" if letter == STONE_LETTER else f"a {Side(letter).singular}"
        raise IllegalMove(f"{square_name(origin)} has {holds}, not {meant}")


def check_length(text: str) -> None:
    """Check the length of a move's text.

    Raises:
        InvalidMoveText: it is too long.
    """
    if len(text) > MAX_TEXT:
        raise InvalidMoveText(f"a move text has at most {MAX_TEXT} characters")


@lru_cache(1 << 14)
def read_move(text: str) -> tuple[str | None, Move]:
    """Parse a move text: return its piece letter, if it has one, and the move.

    Raises:
        InvalidMoveText: the text is not a move.
        InvalidSquare: it names a square off the octagon.
    """
    check_length(text)
    plain = text if text.isascii() else text.translate(DASHES)
    found = re.fullmatch(_MOVE, " ".join(plain.split()).upper()) if plain.isascii() else None
    if not found:
        raise InvalidMoveText(f"{quoted(text)} is not a move: write it like dF1-F5 or TF7-D5xC4xC5")
    captures = 0
    for name in re.findall(_NAME, found["captures"]):
        square = parse_square(name)
        if captures & bit(square):
            raise InvalidMoveText(f"{name} is captured twice")
        captures |= bit(square)
    letter = found["piece"]
    move = Move(parse_square(found["origin"]), parse_square(found["destination"]), captures)
    return "d" if letter == "D" else letter, move
