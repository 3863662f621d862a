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
from struct import Struct
from typing import Final, NamedTuple

from thud.rules.geometry import SQUARES, Square, squares_of
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.rules.symmetry import Symmetry, symmetries
from thud.rules.variant import Variant

_BYTES: Final = 8
_MOST_CACHED: Final = 1 << 15
"""Most moves whose images are kept: more than all that are made in practice."""


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
        origin, destination, *captured = shared
        move = Move(origin, destination, sum(1 << square for square in captured))
        return self.ways[0].back.move(move)


def key_of(variant: Variant, position: Position) -> PositionKey:
    """Return a position's key."""
    return _zobrist_table(variant).key(position)


def plays_along(
    variant: Variant, start: Position, moves: Sequence[Move]
) -> Iterator[tuple[int, bytes]]:
    """Yield, for each move, the hash of the position before it and its canonical form."""
    return _zobrist_table(variant).plays(start, moves)


class _ZobristTable:
    """A variant's Zobrist numbers: one int holds those of all symmetries, 64 bits each."""

    def __init__(self, variant: Variant) -> None:
        self._symmetries = symmetries(variant)
        self._pieces = {
            letter: {square: self._row(letter, square) for square in SQUARES}
            for letter in (*(side.value for side in Side), STONE_LETTER)
        }
        self._sides = {
            side: int.from_bytes(
                _random(f"{variant.name} {side.value}") * len(self._symmetries), "little"
            )
            for side in Side
        }
        self._turn = self._sides[Side.DWARFS] ^ self._sides[Side.TROLLS]
        self._numbers = Struct(f"<{len(self._symmetries)}q")
        self._changes: dict[str, dict[Move, tuple[int, list[bytes]]]] = {
            letter: {} for letter in self._pieces
        }

    def _row(self, letter: str, square: Square) -> int:
        """Return a piece's numbers, on the image of its square under each symmetry."""
        images = (each.images[square] for each in self._symmetries)
        return int.from_bytes(b"".join(_random(f"{letter} {image}") for image in images), "little")

    def whole(self, position: Position) -> int:
        """Return a position's hashes, one for each symmetry."""
        numbers = self._sides[position.to_move] ^ self._pieces[STONE_LETTER][position.stone]
        for side in Side:
            for square in squares_of(position.pieces(side)):
                numbers ^= self._pieces[side.value][square]
        return numbers

    def plays(self, start: Position, moves: Sequence[Move]) -> Iterator[tuple[int, bytes]]:
        """Yield, for each move, the hash of the position before it and its canonical form."""
        unpack, size = self._numbers.unpack, self._numbers.size
        whole, stone = self.whole(start), start.stone
        letter, next_letter = start.to_move.value, start.to_move.other.value
        for move in moves:
            rolled = move.origin == stone
            known = self._changes[STONE_LETTER if rolled else letter].get(move)
            change, images = known or self._change(STONE_LETTER if rolled else letter, move)
            numbers = unpack(whole.to_bytes(size, "little"))
            least = min(numbers)
            if numbers.count(least) == 1:
                yield least, images[numbers.index(least)]
            else:
                ways = zip(numbers, images, strict=True)
                yield least, min(image for number, image in ways if number == least)
            whole ^= change
            stone = move.destination if rolled else stone
            letter, next_letter = next_letter, letter

    def _change(self, letter: str, move: Move) -> tuple[int, list[bytes]]:
        """Return what a piece's move changes in a position's hashes, and the move's images."""
        moved = self._pieces[letter]
        change = self._turn ^ moved[move.origin] ^ moved[move.destination]
        victims = Side.DWARFS if letter == Side.TROLLS.value else Side.TROLLS
        for square in squares_of(move.captures):
            change ^= self._pieces[victims.value][square]
        known = self._changes[letter]
        if len(known) >= _MOST_CACHED:
            known.clear()
        known[move] = change, [_packed(way.move(move)) for way in self._symmetries]
        return known[move]

    def key(self, position: Position) -> PositionKey:
        """Return a position's key."""
        whole = self.whole(position).to_bytes(self._numbers.size, "little")
        numbers = self._numbers.unpack(whole)
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
