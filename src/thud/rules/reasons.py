"""Reasons why a move is illegal, shared by the variants."""

from __future__ import annotations

from thud.rules.geometry import RAYS, Square, square_name, step_between
from thud.rules.moves import line_length
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.text import counted


def stuck(position: Position) -> str:
    """Say why the player to move has no legal move: no piece left, or none can move."""
    side = position.to_move
    left = position.pieces(side)
    return f"the {side.plural} have no legal move" if left else f"no {side.singular} is left"


def name_at(position: Position, square: Square, stone: str) -> str:
    """Name a square's piece in a sentence: `"a dwarf"`, `"the Rock"`, `"nothing"`."""
    letter = position.letter_at(square)
    if letter is None:
        return "nothing"
    return f"the {stone}" if letter == STONE_LETTER else f"a {Side(letter).singular}"


def mover(position: Position, move: Move, stone: str) -> str:
    """Name the piece that moves, with its square: `"dwarf on F1"`, `"the Rock on H8"`."""
    name = name_at(position, move.origin, stone).removeprefix("a ")
    return f"{name} on {square_name(move.origin)}"


def obstacle(position: Position, move: Move, stone: str, landing_on: str = "") -> str | None:
    """Say what blocks a piece on the way to its destination, None if nothing does.

    A piece whose letter is in `landing_on` may be on the destination.
    """
    reach = step_between(move.origin, move.destination)
    who = f"{mover(position, move, stone)} cannot reach {square_name(move.destination)}"
    if reach is None and move.origin == move.destination:
        return f"the {mover(position, move, stone).removeprefix('the ')} has to leave its square"
    if reach is None:
        return f"{who}: the squares are not in a straight line"
    step, distance = reach
    for square in RAYS[move.origin][step][:distance]:
        letter = position.letter_at(square)
        if letter and not (square == move.destination and letter in landing_on):
            return f"{who}: {name_at(position, square, stone)} stands on {square_name(square)}"
    return None


def too_far(position: Position, move: Move, target: str) -> str | None:
    """Say that a line is too short for its front piece to reach the target, None if not."""
    reach = step_between(move.origin, move.destination)
    if reach is None:
        return None
    step, distance = reach
    side = position.to_move
    line = line_length(position.pieces(side), move.origin, step)
    if line >= distance:
        return None
    line_text = f"the line has {counted(line, side.singular)}"
    return f"{line_text}, and {target} is {counted(distance, 'square')} away"
