"""Sentences about a position, its pieces and their moves, and the board in letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
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
    Mask,
    Square,
    bit,
    file_of,
    in_file_order,
    listed,
    mask_of,
    rank_of,
    square_name,
    squares_of,
)
from thud.rules.position import STONE_LETTER, Position, Side
from thud.rules.reasons import name_at
from thud.rules.tactics import abilities
from thud.rules.threats import threat_map
from thud.rules.variant import Kind, Variant
from thud.text import capitalised, counted, plural
from thud.words.moves import nothing_in_danger, piece_at, pieces, pieces_left

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


_CAN: Final = {
    Kind.MOVE: "It can move to",
    Kind.HURL: "It can be hurled onto",
    Kind.STEP: "It can step to",
    Kind.SHOVE: "It can be shoved to",
    Kind.TRAP: "It can trap trolls from",
    Kind.TRAMPLE: "It can trample to",
    Kind.ROLL: "It can be moved to",
}


_MOST: Final = 30
"""Most captures listed."""


# Pieces and squares


def board_in_words(variant: Variant, position: Position, *, flipped: bool = False) -> list[str]:
    """List the pieces on each non-empty rank, rank 1 first unless flipped."""
    lines = []
    for rank in RANKS:
        standing = [square for square in rank if position.letter_at(square)]
        groups = []
        # From left to right, neighbours of one kind together.
        for letter, squares in groupby(standing, key=lambda each: position.letter_at(each) or ""):
            where = [*map(square_name, squares)]
            name = variant.stone if letter == STONE_LETTER else Side(letter).named(len(where))
            groups.append(" ".join([name, *where]))
        if groups:
            lines.append(f"Rank {rank_of(rank[0])}: {', '.join(groups)}.")
    return lines[::-1] if flipped else lines


def side_in_words(position: Position, side: Side) -> str:
    """List a side's pieces."""
    standing = position.pieces(side)
    where = f": {listed(standing)}" if standing else ""
    return f"{pieces_left(position, side)}{where}."


def surroundings(variant: Variant, position: Position, square: Square) -> list[str]:
    """Describe a square, and the nearest piece in each direction."""
    lines = [f"{square_name(square)}: {name_at(position, square, variant.stone)}."]
    for direction, step in _DIRECTIONS.items():
        ray = RAYS[square].get(step, ())
        for distance, place in enumerate(ray, 1):
            if position.letter_at(place):
                what = name_at(position, place, variant.stone)
                away = "adjacent" if distance == 1 else f"{distance} squares away"
                lines.append(f"{direction}: {what} on {square_name(place)}, {away}.")
                break
        else:
            free = f"nothing, {len(ray)} {plural(len(ray), 'square')} to the edge"
            lines.append(f"{direction}: {free if ray else 'the edge of the board'}.")
    return lines


def drawing(position: Position, *, flipped: bool = False) -> list[str]:
    """Draw the board in letters: d, T, R, and a dot for an empty square."""
    files = "   " + "".join(f" {letter}" for letter in (FILES[::-1] if flipped else FILES))
    ranks = []
    for rank in RANKS:
        letters = [position.letter_at(square) or "." for square in rank]
        line = "".join(f" {letter}" for letter in (letters[::-1] if flipped else letters))
        line = "  " * (file_of(rank[0]) - 1) + line
        number = rank_of(rank[0])
        ranks.append(f"{number:>3}{line:<{2 * SIZE}} {number}")
    return [files, *(ranks[::-1] if flipped else ranks), files]


# Moves


def piece_in_words(variant: Variant, position: Position, square: Square) -> list[str]:
    """Describe the moves of a square's piece, as if it were its side's turn."""
    if position.letter_at(square) is None:
        return [f"{square_name(square)} is empty."]
    piece = f"The {piece_at(position, square, variant.stone)} on {square_name(square)}"
    may = abilities(variant, position, square)
    if not may.moves:
        return [f"{piece} cannot move."]
    unless = "" if may.side is position.to_move else f", if it were the {may.side.plural}' turn"
    kinds = (f"{_CAN[kind]} {_places(places)}." for kind, places in may.kinds.items())
    return [f"{piece} has {counted(may.moves, 'move')}{unless}.", *kinds]


def _places(places: Mapping[Square, Mask]) -> str:
    """List the destinations, each with the most captures there."""
    if all(taken in (0, bit(square)) for square, taken in places.items()):
        return listed(mask_of(*places))
    told = []
    for square, taken in places.items():
        most = taken.bit_count()
        told.append(square_name(square) + (f" with {counted(most, 'capture')}" if most else ""))
    return ", ".join(told)


def side_in_general(variant: Variant, position: Position) -> list[str]:
    """Summarize the moves of the side to move: their number, the pieces, the captures."""
    moves = variant.legal_moves(position)
    if not moves:
        return ["There is no legal move."]
    origins: Mask = mask_of(*(move.origin for move in moves))
    own = origins & position.pieces(position.to_move)
    ways = len({move[:2] for move in moves if move.captures})
    lines = [f"The {position.to_move.plural} have {counted(len(moves), 'move')}."]
    if own:
        lines.append(f"These can move: {listed(own)}.")
    if own != origins:
        lines.append(f"The {variant.stone} can be moved.")
    if ways:
        lines.append(f"{counted(ways, 'way').capitalize()} to capture: type captures.")
    return lines


def captures_in_words(variant: Variant, position: Position) -> list[str]:
    """List the capturing moves of the side to move, each with the most it captures."""
    best: dict[tuple[Square, Square], Mask] = {}
    for origin, destination, captures in variant.legal_moves(position):
        if captures.bit_count() > best.get((origin, destination), 0).bit_count():
            best[origin, destination] = captures
    if not variant.has_captures:
        return [nothing_in_danger(variant)]
    if not best:
        return [f"The {position.to_move.plural} can capture nothing."]
    lines = [
        f"{square_name(origin)} to {square_name(destination)} captures {listed(captures)}."
        for (origin, destination), captures in sorted(
            best.items(), key=lambda each: -each[1].bit_count()
        )
    ]
    more = len(lines) - _MOST
    return lines if more <= 0 else [*lines[:_MOST], f"There are {more} more."]


def dangers_in_words(variant: Variant, position: Position) -> list[str]:
    """List the pieces of both sides that could be captured next move, and from where."""
    origins: dict[Square, Mask] = defaultdict(int)
    threats = threat_map(variant, position)
    for aim in threats.aims:
        for victim in squares_of(aim.victims):
            origins[victim] |= bit(aim.origin)
    if not origins:
        return [nothing_in_danger(variant)]
    lines = []
    for victim in in_file_order(mask_of(*origins)):
        side = Side.DWARFS if position.dwarfs >> victim & 1 else Side.TROLLS
        piece = capitalised(pieces(side, bit(victim)))
        lines.append(f"{piece} could be captured from {listed(origins[victim])}.")
    ends = mask_of(*(aim.destination for aim in threats.aims)) & ~position.occupied
    if safe := ends & ~threats.covered:
        lines.append(f"A capture ending on {listed(safe, 'or')} could not be answered.")
    return lines
