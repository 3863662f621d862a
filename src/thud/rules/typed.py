"""Moves typed or pasted by people: `dF1-F5`, `f1f5`, `f6 g6 x f5 g5`, `g6 all`, `F5`, `1. dF1-F5`.

Records are parsed strictly, by `notation`.  Here a text means the one legal move that fits it; if
several fit, they differ only in their captures, and the player is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple, TypeAlias

from thud.rules.geometry import (
    BOARD,
    Mask,
    Square,
    bit,
    in_file_order,
    listed,
    mask_of,
    parse_square,
    square_name,
)
from thud.rules.notation import DASHES, MAX_TEXT, InvalidMoveText, check_length, check_piece
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.reasons import name_at
from thud.rules.variant import IllegalMove, Variant
from thud.text import quoted

Moves: TypeAlias = tuple[Move, ...]

_ALL: Final = "ALL"
_NONE: Final = "NONE"
_SQUARE: Final = r"[A-Z]\d{1,2}"
# Compiled by `re` when first used, which is after the board is shown.
_GAPS: Final = r"(?:[\s,;:>-]|\bTO\b)+"
_CAPTURES: Final = rf"(?:X ?)?(?:{_ALL}|{_NONE})|X ?{_SQUARE}(?: ?X? ?{_SQUARE})*"
_MOVE: Final = (
    rf"(?:(?P<piece>[DTR]) ?(?=[A-Z]))?(?P<path>{_SQUARE}(?: ?{_SQUARE})?)"
    rf"(?: ?(?P<captures>{_CAPTURES}))?"
)

_NUMBER: Final = r"(?<!\S)\d{1,4}(?:\s*\.[\s.]*|\s+)(?=[A-Za-z])"
"""A move's number, as in a list of moves: `12.`, `12` or `12. ...`."""

_WHOLE: Final = rf"[DTR]?{_SQUARE}-{_SQUARE}(?:X{_SQUARE})*"
_TURN: Final = rf"(?i:{_WHOLE}(?:\s+{_WHOLE})*)"

_LISTED: Final = rf"(?i:[DTR]{_SQUARE}-{_SQUARE})"

MOST: Final = 100
"""Most moves read at once: each is saved before the next is played."""


class _Text(NamedTuple):
    """A typed move, parsed: piece letter, squares, and captures if given."""

    letter: str | None
    path: tuple[Square, ...]
    captures: Mask | None
    takes_all: bool


def read_typed(variant: Variant, position: Position, text: str, *, take_all: bool = False) -> Moves:
    """Parse a typed move.

    Case, piece letter, hyphen and the order of captures do not matter.  A single square is the
    destination, if only one piece can go there.  Captures may be `all` or `none`.

    Args:
        variant: the game.
        position: the position.
        text: the text.
        take_all: whether a text without captures takes all it can.

    Returns:
        The move; or, if the text leaves the captures open, all moves that fit, of one piece to one
        square.

    Raises:
        InvalidMoveText: the text is not a move, or several pieces fit it.
        InvalidSquare: it names a square off the octagon.
        IllegalMove: no legal move fits it; the message says why.
    """
    said = _read(text)
    if outcome := variant.outcome(position):
        raise IllegalMove(outcome.description)
    find = _from_square_to_square if len(said.path) > 1 else _to_one_square
    moves = find(variant, position, said)
    if said.takes_all or (take_all and said.captures is None):
        return most_captures(moves)
    return moves


def moves_in(text: str) -> list[str]:
    """Split a line into the texts of its moves: several if it is written like one of a record."""
    text = re.sub(_NUMBER, "", _cleaned(text).translate(DASHES))
    return text.split() if re.fullmatch(_TURN, text) else [text] if text else []


def read_sequence(
    variant: Variant,
    position: Position,
    texts: Sequence[str],
    plays: Callable[[Side], bool] = lambda _: True,
) -> list[Move]:
    """Parse successive moves, all or none.

    What a move with its piece letter does not name, it does not capture, as in a list of moves.

    Args:
        variant: the game.
        position: the position of the first move.
        texts: the moves.
        plays: whether the person who gives them plays a given side.

    Raises:
        IllegalMove: there are too many, or one is illegal or leaves its captures open; the message
            says which.
    """
    found: list[Move] = []
    if len(texts) > MOST:
        raise IllegalMove(f"at most {MOST} moves can be given at once")
    for text in texts:
        try:
            if not plays(position.to_move):
                raise IllegalMove("it is another player's turn then")
            moves = read_typed(variant, position, text)
            if len(moves) > 1 and re.fullmatch(_LISTED, text):
                moves = read_captures(moves, _NONE)
            if len(moves) > 1:
                raise IllegalMove("say what it captures: all, none or squares")
        except ValueError as refusal:
            told = f"no move was played: in {quoted(text)}, {refusal}"
            raise IllegalMove(told) from refusal
        found += moves
        position = position.after(moves[0])
    return found


def read_captures(moves: Moves, text: str) -> Moves:
    """Narrow down the moves of an open text by an answer: `all`, `none` or squares.

    Raises:
        InvalidMoveText: the answer is none of these.
        InvalidSquare: it names a square off the octagon.
        IllegalMove: no move captures exactly that.
    """
    answer = _plain(text)
    if not re.fullmatch(_CAPTURES, answer):
        answer = f"X{answer}"
    if not re.fullmatch(_CAPTURES, answer):
        raise InvalidMoveText(f"{quoted(text)} is not what to capture: say all, none or squares")
    captures, takes_all = _captures(answer)
    if takes_all:
        return most_captures(moves)
    if found := tuple(move for move in moves if move.captures == captures):
        return found
    taken = f"just {listed(captures)}" if captures else "nothing"
    raise IllegalMove(f"no move to {square_name(moves[0].destination)} captures {taken}")


def most_captures(moves: Moves) -> Moves:
    """Return the moves with maximal captures: no other captures the same and more."""
    masks = [move.captures for move in moves]
    return tuple(
        move
        for move in moves
        if not any(move.captures == mask & move.captures != mask for mask in masks)
    )


def _plain(text: str) -> str:
    """Return a text in capitals, with single spaces as separators."""
    check_length(text)
    text = re.sub(rf"^{_NUMBER}", "", _cleaned(text).translate(DASHES))
    return re.sub(_GAPS, " ", text.upper()).strip() if text.isascii() else ""


def _cleaned(text: str) -> str:
    """Return a text with plain letters and spaces, without what nobody sees.

    East Asian keyboards type wide letters, other programs put special spaces and marks.
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    text = unicodedata.normalize("NFKC", text)
    seen = (each for each in text if unicodedata.category(each) != "Cf")
    return "".join(" " if each.isspace() else each for each in seen).strip()


def _read(text: str) -> _Text:
    found = re.fullmatch(_MOVE, _plain(text))
    if not found:
        raise InvalidMoveText(f"{quoted(text)} is not a move: write it like F1-F5 or f1f5")
    letter = "d" if found["piece"] == "D" else found["piece"]
    path = tuple(map(parse_square, re.findall(_SQUARE, found["path"])))
    return _Text(letter, path, *_captures(found["captures"]))


def _captures(text: str | None) -> tuple[Mask | None, bool]:
    """Parse captures: return the squares, None if not given, and whether all."""
    if text is None or text.endswith(_ALL):
        return None, text is not None
    squares = [parse_square(name) for name in re.findall(_SQUARE, text)]
    for place, square in enumerate(squares):
        if square in squares[:place]:
            raise InvalidMoveText(f"{square_name(square)} is captured twice")
    return mask_of(*squares), False


def _from_square_to_square(variant: Variant, position: Position, said: _Text) -> Moves:
    origin, destination = said.path
    check_piece(variant, position, said.letter, origin)
    if moves := _legal(variant, position, said, bit(origin), bit(destination)):
        return moves
    raise IllegalMove(variant.why_not(position, Move(origin, destination, said.captures or 0)))


def _to_one_square(variant: Variant, position: Position, said: _Text) -> Moves:
    """Return the moves for a text with one square: the destination, or with captures the origin."""
    (square,) = said.path
    where, side = square_name(square), position.to_move
    if said.letter not in (None, side.value, STONE_LETTER):
        raise IllegalMove(f"it is the {side.plural}' turn")
    if position.pieces(side) >> square & 1:
        return _from_one_square(variant, position, said)
    origins = bit(position.stone) if said.letter == STONE_LETTER else position.pieces(side)
    origins = origins if said.letter else BOARD
    moves = _legal(variant, position, said, origins, bit(square))
    found = mask_of(*(move.origin for move in moves))
    if found.bit_count() > 1:
        raise InvalidMoveText(f"{where} can be reached from {listed(found)}: say which")
    if not moves:
        raise IllegalMove(_why_not_there(variant, position, said))
    return moves


def _from_one_square(variant: Variant, position: Position, said: _Text) -> Moves:
    """Return the moves of a square's piece with the text's captures."""
    (square,) = said.path
    moves = _legal(variant, position, said, bit(square), BOARD) if said.captures else ()
    destinations = mask_of(*(move.destination for move in moves))
    if destinations.bit_count() == 1:
        return moves
    piece = f"{position.to_move.singular} on {square_name(square)}"
    ends = f", to {listed(destinations, 'or')}" if destinations else ""
    raise InvalidMoveText(f"say where the {piece} goes{ends}")


def _why_not_there(variant: Variant, position: Position, said: _Text) -> str:
    (square,) = said.path
    if said.letter == STONE_LETTER:
        return variant.why_not(position, Move(position.stone, square, said.captures or 0))
    refusal = f"no {position.to_move.singular} can go to {square_name(square)}"
    if said.captures:
        return f"{refusal} and capture {listed(said.captures)}"
    if position.letter_at(square):
        return f"{refusal}: {name_at(position, square, variant.stone)} stands there"
    return refusal


def _legal(
    variant: Variant, position: Position, said: _Text, origins: Mask, destinations: Mask
) -> Moves:
    """Return the legal moves between squares with the text's captures, if given."""
    moves = variant.legal_moves(position, origins, destinations)
    return tuple(move for move in moves if said.captures in (None, move.captures))


# Completions

MOST_COMPLETIONS: Final = 20
"""Most completions of a text."""

_LETTER: Final = r"(?i:([DTR])\s*(?=[A-P]|$))"
_NAME: Final = r"[A-P]\d{0,2}"
_START: Final = (
    rf"(?P<origin>(?:{_NAME})?)(?P<gap>[\s,;:>-]*)(?P<destination>(?:{_NAME})?)"
    r"(?P<captures>\s*(?:X[A-P0-9X\s,]*)?)"
)


class _Start(NamedTuple):
    """The beginning of a typed move, in capitals, without the piece letter."""

    origin: str
    gap: str
    destination: str
    captures: str

    @property
    def has_origin(self) -> bool:
        """Whether the origin is complete: something follows it."""
        return bool(self.gap or self.destination or self.captures)


def completions(variant: Variant, position: Position, text: str) -> list[str]:
    """Return completions of a text to legal moves, at most `MOST_COMPLETIONS`, by file and rank.

    Each begins with the text itself, and continues in its case.  Until the path is complete,
    captures are included only if there is no choice.
    """
    if len(text) > MAX_TEXT or not text.isascii():
        return []
    begin = len(text) - len(text.lstrip())
    found = chain.from_iterable(_readings(variant, position, text[begin:]))
    readable = (text[:begin] + each for each in found if begin + len(each) <= MAX_TEXT)
    return list(islice(readable, MOST_COMPLETIONS))


def _readings(variant: Variant, position: Position, text: str) -> Iterator[Iterator[str]]:
    """Yield the completions for each reading of the first letter."""
    if piece := re.match(_LETTER, text):
        letter = "d" if piece[1] in "dD" else piece[1].upper()
        yield _of(variant, position, text, piece.end(), letter)
    yield _of(variant, position, text, 0, None)


def _of(
    variant: Variant, position: Position, text: str, begin: int, letter: str | None
) -> Iterator[str]:
    found = re.fullmatch(_START, text[begin:].upper())
    if not found:
        return
    start = _Start(*found.groups())
    lower = any(each.islower() for each in text[begin:] if each != "x")
    for rest in _rests(variant, position, start, letter):
        yield text + (rest.lower() if lower else rest)


def _rests(
    variant: Variant, position: Position, start: _Start, letter: str | None
) -> Iterator[str]:
    """Yield the possible rests of a move's start."""
    own = position.pieces(position.to_move) | 1 << position.stone
    for origin in in_file_order(own):
        if letter not in (None, position.letter_at(origin)):
            continue
        name = square_name(origin)
        if name == start.origin or (name.startswith(start.origin) and not start.has_origin):
            yield from _rests_from(variant, position, start, origin)


def _rests_from(
    variant: Variant, position: Position, start: _Start, origin: Square
) -> Iterator[str]:
    by_destination: dict[Square, list[Move]] = defaultdict(list)
    for move in variant.legal_moves(position, mask_of(origin)):
        by_destination[move.destination].append(move)
    hyphen = "" if start.has_origin else "-"
    for destination in in_file_order(mask_of(*by_destination)):
        name, moves = square_name(destination), by_destination[destination]
        if name == start.destination:
            rests = (_captures_after(start.captures, move) for move in moves)
            yield from sorted(filter(None, rests))
        if name.startswith(start.destination) and name != start.destination and not start.captures:
            before = square_name(origin)[len(start.origin) :] + hyphen
            rest = name[len(start.destination) :]
            yield before + rest + (_captures_after("", moves[0]) or "" if len(moves) == 1 else "")


def _captures_after(typed: str, move: Move) -> str | None:
    """Return the rest of typed captures for a move, None if they do not fit."""
    left = [square_name(square) for square in in_file_order(move.captures)]
    names = re.findall(_NAME, typed)
    begun = names.pop() if names and typed[-1].isalnum() and typed[-1] != "X" else ""
    if not set(names) <= set(left):
        return None
    left = [name for name in left if name not in names]
    if not begun and not typed.rstrip().endswith("X"):
        return "".join(f"x{name}" for name in left)
    found = next((name for name in left if name.startswith(begun)), None)
    if found is None:
        return None
    left.remove(found)
    return found[len(begun) :] + "".join(f"x{name}" for name in left)
