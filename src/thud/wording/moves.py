"""Sentences about moves, and the question which captures are meant."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from thud.rules.battle import Battle
from thud.rules.geometry import in_file_order, listed, square_name
from thud.rules.match import Match
from thud.rules.moves import hopped_over
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant
from thud.wording.pieces import piece_at
from thud.wording.text import does, joined

if TYPE_CHECKING:
    from thud.rules.typed import Moves

_MOST_SETS: Final = 8
"""Sets of captures that are named."""

_VERBS: Final = {
    Kind.MOVE: "moves",
    Kind.HURL: "is hurled",
    Kind.STEP: "steps",
    Kind.SHOVE: "is shoved",
    Kind.TRAP: "moves",
    Kind.TRAMPLE: "tramples",
    Kind.ROLL: "moves",
}


def described(variant: Variant, before: Position, move: Move) -> str:
    """Describe a move of a position: `"troll steps from G8 to G7 and captures F6 and F7"`.

    What a trample captures is told hop by hop.
    """
    kind = variant.kind(before, move)
    hops = kind is Kind.TRAMPLE
    victims = hopped_over(before, move) if hops else in_file_order(move.captures)
    piece = piece_at(before, move.origin, variant.stone)
    path = f"from {square_name(move.origin)} to {square_name(move.destination)}"
    taken = f" and captures {joined(map(square_name, victims))}" if victims else ""
    return f"{piece} {_VERBS[kind]} {path}{taken}"


def told(match: Match, before: Position, move: Move) -> str:
    """Tell a move that was played: `"Bob: troll steps from G8 to G7 and captures F6 and F7."`."""
    return f"{match.name_of(before.to_move)}: {described(match.variant, before, move)}."


def told_short(match: Match, before: Position, move: Move, number: int | None = None) -> str:
    """Tell a move that was played: `"Bert tramples F6-B10 and captures 3"`."""
    name, kind = match.name_of(before.to_move, number), match.variant.kind(before, move)
    path = f"{square_name(move.origin)}-{square_name(move.destination)}"
    captures = does(name, "capture").rpartition(" ")[2]
    taken = f" and {captures} {move.captures.bit_count()}" if move.captures else ""
    return f"{does(name, kind.value)} {path}{taken}"


def last_told(match: Match) -> str:
    """Tell the last move of the battle now, nothing if there is none."""
    last = match.battle.last
    return told_short(match, *last) if last else ""


def move_list(battle: Battle) -> list[str]:
    """Return the moves of a battle, a turn a line."""
    texts = list(map(move_text, battle.positions, battle.moves))
    turns: dict[int, list[str]] = {}
    for ply, text in enumerate(texts):
        turns.setdefault(turn_of(battle, ply), ["..."] if not ply and battle.skipped else [])
        turns[turn_of(battle, ply)].append(text)
    return [f"{number}. {' '.join(each)}" for number, each in turns.items()]


def turn_of(battle: Battle, ply: int) -> int:
    """Return the number of the turn to which the move after so many moves belongs."""
    return 1 + (ply + battle.skipped) // 2


def capture_question(position: Position, moves: Moves) -> str:
    """Ask which of several moves of a piece to a place is meant: they differ in the captures."""
    piece, where = position.to_move.singular, square_name(moves[0].destination)
    victims = reduce(or_, (move.captures for move in moves))
    sets = [move.captures for move in moves if move.captures]
    none = "none" if len(sets) < len(moves) else ""
    if len(sets) == 1:
        return f"On {where} the {piece} can capture {listed(victims)}. Yes or no?"
    if len(sets) == (1 << victims.bit_count()) - 1:
        can, answers = listed(victims), ["all", none, "or squares"]
    else:
        can = "either " + ", or ".join(map(listed, sets[:_MOST_SETS]))
        can += f", or {len(sets) - _MOST_SETS} other sets" if len(sets) > _MOST_SETS else ""
        answers = [none, "or" if none else "", "squares"]
    answer = ", ".join(filter(None, answers)).replace("or, ", "or ")
    return f"On {where} the {piece} can capture {can}. Captures: {answer}?"
