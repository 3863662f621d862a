"""What the board is to draw, from the hand and the last move."""

from __future__ import annotations

from thud.rules.geometry import Square, squares_of
from thud.rules.position import Move, Position
from thud.tui.board import direction_keys
from thud.tui.hand import Choice, Grip, Hand
from thud.tui.look import Mark, View


def scene(hand: Hand, last: Move | None, *, flipped: bool = False) -> View:
    """Return what the board is to draw; flipped, other keys point to the victims."""
    marks = last_marks(last)
    grip = hand.grip
    if grip is None:
        return View(hand.position, marks, stops=tuple(hand.movable))
    if grip.choice:
        return _choosing(hand.position, grip, grip.choice, flipped)
    places = sorted(grip.destinations)
    for square in places:
        captures = any(move.captures != grip.captured for move in grip.destinations[square])
        marks[square] = Mark.CAPTURE if captures else Mark.DESTINATION
    marks |= {grip.origin: Mark.LAST, grip.at: Mark.HELD}
    here = (grip.at,) if grip.captured else ()
    return View(
        _carried(hand.position, grip),
        marks,
        previews={square: grip.captures_at(square) for square in places},
        stops=tuple(sorted((*places, *here))),
    )


def last_marks(last: Move | None) -> dict[Square, Mark]:
    """Return the marks of the last move, if there was one."""
    return dict.fromkeys((last.origin, last.destination), Mark.LAST) if last else {}


def _carried(position: Position, grip: Grip) -> Position:
    """Return the position with the piece in hand as far as it has trampled."""
    carried = position.after(Move(grip.origin, grip.at, grip.captured))
    return carried._replace(to_move=position.to_move)


def _choosing(position: Position, grip: Grip, choice: Choice, flipped: bool) -> View:
    """Draw the piece on its destination, with its victims and the keys that stand for them."""
    marks = {
        square: Mark.VICTIM if choice.taken >> square & 1 else Mark.SPARED
        for square in squares_of(choice.victims)
    }
    marks |= {grip.origin: Mark.LAST, choice.destination: Mark.HELD}
    moved = position.after(Move(grip.origin, choice.destination))
    keys = {
        square: direction_keys(choice.destination, square, flipped=flipped)[0]
        for square in squares_of(choice.victims)
    }
    return View(moved._replace(to_move=position.to_move), marks, keys)
