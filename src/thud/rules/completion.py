"""How the text of a move may go on while a player types it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from thud.rules.geometry import Square, in_file_order, mask_of, square_name
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

MOST: Final = 20
"""So many completions at most."""

_PIECE: Final = re.compile(r"([DTR])\s*(?=[A-P]|$)", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-P]\d{0,2}", re.IGNORECASE)
_MOVE: Final = re.compile(
    rf"(?P<origin>(?:{_NAME.pattern})?)(?P<gap>[\s,;:>-]*)(?P<destination>(?:{_NAME.pattern})?)"
    r"(?P<captures>\s*(?:X[A-P0-9X\s,]*)?)",
    re.IGNORECASE,
)


class _Start(NamedTuple):
    """What is typed of a move so far, without the piece letter, in capitals."""

    origin: str
    gap: str
    destination: str
    captures: str

    @property
    def has_origin(self) -> bool:
        """Whether the origin is complete: something follows it."""
        return bool(self.gap or self.destination or self.captures)


def completions(variant: Variant, position: Position, text: str) -> list[str]:
    """Return how a text may go on to be a legal move: at most `MOST`, by file and rank.

    Each begins with the text as it is, and goes on in its case.  As long as the path is not
    complete, captures are written only where there is no choice of them.
    """
    if len(text) > MAX_TEXT or not text.isascii():
        return []
    text = text.lstrip()
    return list(islice(chain.from_iterable(_readings(variant, position, text)), MOST))


def _readings(variant: Variant, position: Position, text: str) -> Iterator[Iterator[str]]:
    """Yield the completions of a text for each way to read its first letter."""
    if piece := _PIECE.match(text):
        letter = "d" if piece[1] in "dD" else piece[1].upper()
        yield _of(variant, position, text, piece.end(), letter)
    yield _of(variant, position, text, 0, None)


def _of(
    variant: Variant, position: Position, text: str, begin: int, letter: str | None
) -> Iterator[str]:
    found = _MOVE.fullmatch(text, begin)
    if not found:
        return
    start = _Start(*(part.upper() for part in found.groups()))
    lower = any(each.islower() for each in text[begin:] if each != "x")
    for rest in _rests(variant, position, start, letter):
        yield text + (rest.lower() if lower else rest)


def _rests(
    variant: Variant, position: Position, start: _Start, letter: str | None
) -> Iterator[str]:
    """Yield what may follow on the start of a move."""
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
    """Return how typed captures go on to be those of a move, None if they cannot."""
    left = [square_name(square) for square in in_file_order(move.captures)]
    names = _NAME.findall(typed)
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
