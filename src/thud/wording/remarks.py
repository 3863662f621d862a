"""What there is to say for a move, or against it: every sentence can be checked on the board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from thud.rules.geometry import Mask, bit, listed
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import Compared, Fault, Prospects, avenged, prospects, wins
from thud.rules.valley import squares_to_go, trolls_beside
from thud.rules.variant import Variant
from thud.wording.text import capitalised, counted

_MOST: Final = 3
"""So many merits of a move are told."""

# For a move


def merits(variant: Variant, position: Position, move: Move) -> str:
    """Say what a legal move does for whoever plays it, in a sentence; nothing if nothing shows."""
    clauses = list(islice(_merits(variant, position, move), _MOST))
    if not clauses:
        return ""
    *others, last = clauses
    return f"It {', '.join(others)}, and {last}." if others else f"It {last}."


def _merits(variant: Variant, position: Position, move: Move) -> Iterator[str]:
    if wins(variant, position, move):
        yield "wins at once"
        return
    if move.captures:
        number, victim = move.captures.bit_count(), position.to_move.other.singular
        yield f"takes {counted(number, victim)}"
    after = position.after(move)
    if not variant.outcome(after):
        yield from _achieved(variant, position, move, prospects(variant, after))


def _achieved(variant: Variant, position: Position, move: Move, then: Prospects) -> Iterator[str]:
    """Yield what has changed for the better, where a battle goes on."""
    side, now = position.to_move, prospects(variant, position)
    if side in then.winning - now.winning:
        yield "threatens to win at once"
    if side.other in now.winning - then.winning:
        yield f"keeps the {side.other.plural} from winning at once"
    if aimed := then.exposed[side.other] & ~now.exposed[side.other]:
        yield f"threatens {pieces(side.other, aimed)}"
    yield from _saved(position, move, now.exposed[side], then.exposed[side])
    if not then.exposed[side] and (now.exposed[side] or move.captures or variant.worth):
        yield f"leaves no {side.singular} to be taken next"
    elif then.exposed[side] and avenged(variant, position.after(move)):
        yield "leaves no capture unpunished"
    yield from _about_stone(variant, position, move)


def _saved(position: Position, move: Move, now: Mask, then: Mask) -> Iterator[str]:
    """Yield which pieces could have been taken, and cannot be taken next."""
    side = position.to_move
    if saved := now & ~then & ~bit(move.origin):
        yield f"saves {pieces(side, saved)}"
    elif now >> move.origin & 1 and not then >> move.destination & 1:
        yield f"brings the {side.singular} out of danger"


def _about_stone(variant: Variant, position: Position, move: Move) -> Iterator[str]:
    """Yield what brings a goal nearer, where there is one."""
    if not variant.goals:
        return
    after = position.after(move)
    if squares_to_go(after.stone, variant.goals) < squares_to_go(position.stone, variant.goals):
        yield f"brings the {variant.stone} nearer to the far side"
    beside = trolls_beside(after)
    if position.to_move is Side.TROLLS and beside > trolls_beside(position):
        yield f"has {counted(beside, 'troll')} beside the {variant.stone}"


# Against a move


def then_won(after: Position, answer: Move) -> str:
    """Say that the other side wins by its answer."""
    return f"{move_text(after, answer)} then wins at once."


def then_taken(after: Position, answer: Move) -> str:
    """Say what the other side takes by its answer."""
    victims = pieces(after.to_move.other, answer.captures)
    return f"{capitalised(victims)} can then be taken by {move_text(after, answer)}."


def instead(variant: Variant, position: Position, move: Move) -> str:
    """Say what another move would do."""
    text = move_text(position, move)
    if wins(variant, position, move):
        return f"{text} would win at once."
    return f"{text} would take {pieces(position.to_move.other, move.captures)}."


def told(variant: Variant, compared: Compared, found: Fault) -> str:
    """Say in a sentence what was found to be wrong with a move."""
    position, move, best, answer = compared
    if not found.answered or answer is None:
        return instead(variant, position, best)
    after = position.after(move)
    return (then_won if found is Fault.LETS_WIN else then_taken)(after, answer)


def pieces(side: Side, squares: Mask) -> str:
    """Return pieces of a side in a sentence: `"the dwarf on K4"`, `"the trolls on F6 and G7"`."""
    name = side.singular if squares.bit_count() == 1 else side.plural
    return f"the {name} on {listed(squares)}"
