"""Names of pieces, sentences about moves, and the question about captures."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from thud.rules.battle import Battle
from thud.rules.geometry import Mask, Square, in_file_order, listed, square_name, step_between
from thud.rules.match import Match
from thud.rules.moves import hopped_over, line_length
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import name_at
from thud.rules.variant import Kind, Variant
from thud.text import capitalised, counted, does, joined, plural, whose

if TYPE_CHECKING:
    from thud.rules.typed import Moves

_MOST_SETS: Final = 8
"""Most sets of captures listed."""

_VERBS: Final = {
    Kind.MOVE: "moves",
    Kind.HURL: "is hurled",
    Kind.STEP: "steps",
    Kind.SHOVE: "is shoved",
    Kind.TRAP: "moves",
    Kind.TRAMPLE: "tramples",
    Kind.ROLL: "moves",
}


_ADVICE: Final = {
    Kind.MOVE: "move",
    Kind.STEP: "move",
    Kind.SHOVE: "shove",
    Kind.TRAP: "move",
    Kind.TRAMPLE: "trample with",
    Kind.ROLL: "move",
}


def piece_at(position: Position, square: Square, stone: str) -> str:
    """Return the name of a square's piece without an article: `"dwarf"`, `"Rock"`."""
    return name_at(position, square, stone).split()[-1]


def pieces(side: Side, squares: Mask) -> str:
    """Name a side's pieces in a sentence: `"the dwarf on K4"`, `"the trolls on F6 and G7"`."""
    return f"the {side.named(squares.bit_count())} on {listed(squares)}"


def pieces_left(position: Position, side: Side) -> str:
    """Return the number of a side's pieces: `"32 dwarfs"`."""
    number = position.pieces(side).bit_count()
    return f"{number} {side.named(number)}"


def nothing_in_danger(variant: Variant) -> str:
    """Say that no piece could be captured next move."""
    if variant.has_captures:
        return "Nothing can be captured next move."
    return f"Nobody is captured in {variant.short}."


def described(variant: Variant, before: Position, move: Move) -> str:
    """Describe a move: `"troll steps from G8 to G7 and captures F6 and F7"`.

    A trample's captures are in the order of its hops.
    """
    kind, piece, path, victims = _parts(variant, before, move)
    if kind is Kind.HURL:
        path, victims = f"from {square_name(move.origin)} onto the troll on {victims}", ""
    taken = f" and captures {victims}" if victims else ""
    return f"{piece} {_VERBS[kind]} {path}{taken}"


def advised(variant: Variant, before: Position, move: Move) -> str:
    """Advise a move: `"move the troll from G8 to G7 and capture F6 and F7"`."""
    kind, piece, path, victims = _parts(variant, before, move)
    if kind is Kind.HURL:
        return f"hurl {square_name(move.origin)} onto the troll on {victims}"
    taken = f" and capture {victims}" if victims else ""
    return f"{_ADVICE[kind]} the {piece} {path}{taken}"


def _parts(variant: Variant, before: Position, move: Move) -> tuple[Kind, str, str, str]:
    """Return a move's kind, piece, path and captures."""
    kind = variant.kind(before, move)
    hops = kind is Kind.TRAMPLE
    victims = hopped_over(before, move) if hops else in_file_order(move.captures)
    piece = piece_at(before, move.origin, variant.stone)
    path = f"from {square_name(move.origin)} to {square_name(move.destination)}"
    return kind, piece, path, joined(map(square_name, victims))


def describe(match: Match, before: Position, move: Move) -> str:
    """Describe a played move: `"Bob: troll steps from G8 to G7 and captures F6 and F7."`.

    Of a hurl or shove by several it says how many: `"Bob: two trolls in a line shove G6 to G4 and
    capture F3."`.
    """
    name, told = match.name_of(before.to_move), described(match.variant, before, move)
    if line := _in_line(match.variant, before, move):
        told = line
        if match.variant.kind(before, move) is Kind.SHOVE:
            told += f" and capture {joined(map(square_name, in_file_order(move.captures)))}"
    return f"{name}: {told}."


def _in_line(variant: Variant, before: Position, move: Move) -> str:
    """Say how a line of several hurls or shoves its front piece; empty for any other move."""
    kind, side = variant.kind(before, move), before.to_move
    straight = step_between(move.origin, move.destination)
    if kind not in (Kind.HURL, Kind.SHOVE) or straight is None:
        return ""
    number = line_length(before.pieces(side), move.origin, straight[0])
    if number < 2:
        return ""
    onto = "onto the troll on" if kind is Kind.HURL else "to"
    ends = f"{square_name(move.origin)} {onto} {square_name(move.destination)}"
    return f"{counted(number, side.singular)} in a line {kind.value} {ends}"


def describe_short(match: Match, before: Position, move: Move, number: int | None = None) -> str:
    """Describe a played move in short: `"Bert tramples F6-B10 and captures 3 dwarfs"`.

    Of a hurl or shove by several: `"Bert's two trolls in a line shove G6 to G4 and capture 1
    dwarf"`, without a name that is the side's.
    """
    name, kind = match.name_of(before.to_move, number), match.variant.kind(before, move)
    stone = f" the {match.variant.stone}" if kind is Kind.ROLL else ""
    path = f"{square_name(move.origin)}-{square_name(move.destination)}"
    taken = ""
    if victims := move.captures.bit_count():
        captures = does(name, "capture").rpartition(" ")[2]
        what = f"{victims} {plural(victims, before.to_move.other.singular)}"
        if line := _in_line(match.variant, before, move):
            is_side = name == capitalised(before.to_move.plural)
            told = capitalised(line) if is_side else f"{whose(name)} {line}"
            return told + (f" and capture {what}" if kind is Kind.SHOVE else "")
        taken = f" and {captures} {what}"
    verb = "move" if kind is Kind.ROLL else kind.value
    return f"{does(name, verb)}{stone} {path}{taken}"


def describe_last(match: Match) -> str:
    """Describe the last move of the current battle in short, empty if there is none."""
    last = match.battle.last
    return describe_short(match, *last) if last else ""


def move_list(battle: Battle) -> list[str]:
    """Return a battle's moves, one line for each turn."""
    texts = list(map(move_text, battle.positions, battle.moves))
    turns: dict[int, list[str]] = {}
    for ply, text in enumerate(texts):
        turns.setdefault(turn_of(battle, ply), ["..."] if not ply and battle.skipped else [])
        turns[turn_of(battle, ply)].append(text)
    return [f"{number}. {' '.join(each)}" for number, each in turns.items()]


def turn_of(battle: Battle, ply: int) -> int:
    """Return a ply's turn number."""
    return 1 + (ply + battle.skipped) // 2


def capture_question(position: Position, moves: Moves) -> str:
    """Ask which captures are meant, for moves that differ only in them."""
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
