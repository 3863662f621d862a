"""What a piece may do, told in words and shown on the board."""

from __future__ import annotations

from collections import defaultdict

from rich.text import Text

from thud.rules.geometry import Mask, Square, bit, in_file_order, square_name
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import name_at
from thud.rules.variant import Kind, Variant
from thud.tui.looks.phrases import capital


def abilities(variant: Variant, position: Position, square: Square) -> Text:
    """Tell what the piece on a square may do, by kinds of moves; what captures is marked."""
    turn = _its_turn(position, square)
    piece = name_at(position, square, variant.stone).split()[-1]
    text = Text(f"{capital(piece)} on {square_name(square)}", "bold")
    if turn.to_move is not position.to_move:
        text.append("\nif it were its turn", "italic")
    moves = variant.legal_moves(turn, bit(square))
    if not moves:
        return text.append("\n\ncannot move.")
    for kind, places in _by_kind(variant, turn, moves).items():
        text.append(f"\n\n{kind.value}: ", "bold")
        text.append(" ".join(_place(where, most) for where, most in places.items()))
    return text


def _its_turn(position: Position, square: Square) -> Position:
    """Return the position with the side to move that the piece on a square belongs to."""
    if position.stone == square:
        return position._replace(to_move=Side.DWARFS)
    side = next((side for side in Side if position.pieces(side) >> square & 1), position.to_move)
    return position._replace(to_move=side)


def _by_kind(
    variant: Variant, position: Position, moves: list[Move]
) -> dict[Kind, dict[Square, int]]:
    """Return where each kind of move leads, with the most that it captures there."""
    most: dict[Kind, dict[Square, int]] = defaultdict(dict)
    for move in moves:
        places = most[variant.kind(position, move)]
        taken = max(places.get(move.destination, 0), move.captures.bit_count())
        places[move.destination] = taken
    return {kind: _sorted(most[kind]) for kind in Kind if kind in most}


def _sorted(places: dict[Square, int]) -> dict[Square, int]:
    reached: Mask = sum(map(bit, places))
    return {square: places[square] for square in in_file_order(reached)}


def _place(square: Square, most: int) -> str:
    return square_name(square) + ("×" + (str(most) if most > 1 else "") if most else "")
