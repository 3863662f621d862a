"""Symmetry-canonical Zobrist hashes.

Symmetric positions have the same hash, all others, in practice, a different one.  Every piece on
every square has a random number of 64 bits, and a position's hash is the exclusive or of its
pieces' numbers, so that the next position's hash follows from the squares that a move changes (A.
L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).  A position has one
hash for each symmetry of its game, side by side in one large int; the least of them is canonical.
Among ten million positions, two collide by chance once in 400,000 collections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from struct import unpack
from typing import Final, NamedTuple

from thud.rules.geometry import SQUARES, Square, squares_of
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.symmetry import Symmetry, symmetries
from thud.rules.variant import Variant

_BYTES: Final = 8


class PositionKey(NamedTuple):
    """The hash of a position, the same for all its symmetric images.

    Attributes:
        number: the hash, a signed number of 64 bits.
        ways: the symmetries that map the position to its canonical image.
    """

    number: int
    ways: Sequence[Symmetry]

    def shared(self, move: Move) -> bytes:
        """Return the canonical form of a move in the position."""
        return min(_packed(way.move(move)) for way in self.ways)

    def own(self, shared: bytes) -> Move:
        """Return the position's move for a canonical form."""
        return self.ways[0].back.move(_unpacked(shared))


def key_of(variant: Variant, position: Position) -> PositionKey:
    """Return a position's key."""
    return _zobrist_table(variant).key(_zobrist_table(variant).whole(position))


def keys_along(variant: Variant, start: Position, moves: Sequence[Move]) -> Iterator[PositionKey]:
    """Yield the keys of the positions before each move."""
    table = _zobrist_table(variant)
    whole, position = table.whole(start), start
    for move in moves:
        yield table.key(whole)
        whole ^= table.change(position, move)
        position = position.after(move)


class _ZobristTable:
    """A variant's Zobrist numbers: one int holds those of all symmetries, 64 bits each."""

    def __init__(self, variant: Variant) -> None:
        self._symmetries = symmetries(variant)
        self._pieces = {
            letter: {square: self._row(letter, square) for square in SQUARES}
            for letter in (*(side.value for side in Side), STONE_LETTER)
        }
        self._sides = {side: self._same(f"{variant.name} {side.value}") for side in Side}
        self._turn = self._sides[Side.DWARFS] ^ self._sides[Side.TROLLS]
        self._format = f"<{len(self._symmetries)}q"

    def _row(self, letter: str, square: Square) -> int:
        """Return a piece's numbers, on the image of its square under each symmetry."""
        images = (each.images[square] for each in self._symmetries)
        return int.from_bytes(b"".join(_random(f"{letter} {image}") for image in images), "little")

    def _same(self, text: str) -> int:
        return int.from_bytes(_random(text) * len(self._symmetries), "little")

    def whole(self, position: Position) -> int:
        """Return a position's hashes, one for each symmetry."""
        numbers = self._sides[position.to_move] ^ self._pieces[STONE_LETTER][position.stone]
        for side in Side:
            for square in squares_of(position.pieces(side)):
                numbers ^= self._pieces[side.value][square]
        return numbers

    def change(self, position: Position, move: Move) -> int:
        """Return the change of a position's hashes by a move, to be applied by exclusive or."""
        mover, victims = position.to_move, position.to_move.other
        letter = STONE_LETTER if move.origin == position.stone else mover.value
        moved = self._pieces[letter]
        numbers = self._turn ^ moved[move.origin] ^ moved[move.destination]
        for square in squares_of(move.captures):
            numbers ^= self._pieces[victims.value][square]
        return numbers

    def key(self, whole: int) -> PositionKey:
        """Return the key for a position's hashes."""
        numbers = unpack(self._format, whole.to_bytes(_BYTES * len(self._symmetries), "little"))
        least = min(numbers)
        ways = zip(numbers, self._symmetries, strict=True)
        return PositionKey(least, [way for number, way in ways if number == least])


@cache
def _zobrist_table(variant: Variant) -> _ZobristTable:
    return _ZobristTable(variant)


def _random(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_BYTES).digest()


def _packed(move: Move) -> bytes:
    """Return a move as one byte for each square: origin, destination, captures in order."""
    return bytes((move.origin, move.destination, *squares_of(move.captures)))


def _unpacked(packed: bytes) -> Move:
    origin, destination, *captured = packed
    return Move(origin, destination, sum(1 << square for square in captured))
