"""A position in words for listeners, and drawn in letters for readers."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from thud.rules.geometry import (
    EAST,
    FILES,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    RANKS,
    RAYS,
    SIZE,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Square,
    file_of,
    listed,
    rank_of,
    square_name,
)
from thud.rules.position import STONE_LETTER, Position, Side
from thud.rules.reasons import name_at, pieces_left
from thud.rules.variant import Variant

_DIRECTIONS: Final = {
    "North": NORTH,
    "North-east": NORTH_EAST,
    "East": EAST,
    "South-east": SOUTH_EAST,
    "South": SOUTH,
    "South-west": SOUTH_WEST,
    "West": WEST,
    "North-west": NORTH_WEST,
}


def board_in_words(variant: Variant, position: Position, *, flipped: bool = False) -> list[str]:
    """Say what stands on each rank that is not empty, rank 1 first unless the board is flipped."""
    ranks = [f"Rank {rank_of(rank[0])}: {_rank(variant, position, rank)}." for rank in RANKS]
    lines = [line for line in ranks if not line.endswith(": .")]
    return lines[::-1] if flipped else lines


def _rank(variant: Variant, position: Position, rank: tuple[Square, ...]) -> str:
    """Say what stands on a rank from left to right, neighbours of one kind together."""
    standing = [square for square in rank if position.letter_at(square)]
    groups = groupby(standing, key=lambda square: position.letter_at(square) or "")
    return ", ".join(_group(variant, letter, list(squares)) for letter, squares in groups)


def _group(variant: Variant, letter: str, squares: list[Square]) -> str:
    if letter == STONE_LETTER:
        name = variant.stone
    else:
        name = Side(letter).singular if len(squares) == 1 else Side(letter).plural
    return " ".join([name, *map(square_name, squares)])


def side_in_words(position: Position, side: Side) -> str:
    """Say where the pieces of a side are."""
    pieces = position.pieces(side)
    where = f": {listed(pieces)}" if pieces else ""
    return f"{pieces_left(position, side)}{where}."


def surroundings(variant: Variant, position: Position, square: Square) -> list[str]:
    """Say what stands on a square, and what comes first in each direction from there."""
    lines = [f"{square_name(square)}: {name_at(position, square, variant.stone)}."]
    for direction, step in _DIRECTIONS.items():
        ray = RAYS[square].get(step, ())
        for distance, place in enumerate(ray, 1):
            if position.letter_at(place):
                what = name_at(position, place, variant.stone)
                lines.append(f"{direction}: {what} on {square_name(place)}, {_away(distance)}.")
                break
        else:
            lines.append(f"{direction}: {_free(len(ray))}.")
    return lines


def _away(distance: int) -> str:
    return "adjacent" if distance == 1 else f"{distance} squares away"


def _free(squares: int) -> str:
    if not squares:
        return "the edge of the board"
    return f"nothing, {squares} {'square' if squares == 1 else 'squares'} to the edge"


def drawing(position: Position, *, flipped: bool = False) -> list[str]:
    """Draw the board in letters: d, T, R, and a point for an empty square."""
    files = "   " + "".join(f" {letter}" for letter in (FILES[::-1] if flipped else FILES))
    ranks = [_drawn_rank(position, rank, flipped=flipped) for rank in RANKS]
    return [files, *(ranks[::-1] if flipped else ranks), files]


def _drawn_rank(position: Position, rank: tuple[Square, ...], *, flipped: bool) -> str:
    letters = [position.letter_at(square) or "." for square in rank]
    margin = "  " * (file_of(rank[0]) - 1)
    number = rank_of(rank[0])
    line = margin + "".join(f" {letter}" for letter in (letters[::-1] if flipped else letters))
    return f"{number:>3}{line:<{2 * SIZE}} {number}"
