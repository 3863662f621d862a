"""The board's view as a value: the hand, the last move, and what else is marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.rules.geometry import Square, squares_of, step_between
from thud.rules.position import Move, Position
from thud.rules.variant import Kind
from thud.tui.board.cursor import direction_keys
from thud.tui.board.look import HEADS, STROKES, SquareMark, Stroke, View, last_marks
from thud.tui.picking.hand import CaptureChoice, Grip, Hand

if TYPE_CHECKING:
    from thud.records.annotation import Shape
    from thud.rules.threats import Threats
    from thud.session.advice import Blunder


class Marks(NamedTuple):
    """What is marked on the board besides the last move and the hand."""

    hover: Square | None = None
    """The square under the mouse; its piece's destinations are marked if the hand is empty."""
    advised: Move | None = None
    """An advised move, marked if the hand is empty."""
    threats: Threats | None = None
    """The threat map."""
    shapes: Sequence[Shape] = ()
    """Arrows and circles that a person has drawn, shown if the hand is empty."""
    doubt: Blunder | None = None
    """The coach's objection to a move, drawn instead of everything else."""


UNMARKED: Final = Marks()


def scene(
    hand: Hand, last: Move | None = None, marks: Marks = UNMARKED, *, flipped: bool = False
) -> View:
    """Return the view for the board to draw.

    Args:
        hand: the hand of the player to move.
        last: the last move.
        marks: what else is marked.
        flipped: whether the board is flipped, which changes the keys that point to victims.
    """
    grip = hand.grip
    if marks.doubt:
        view = _doubted(hand, marks.doubt)
    elif grip and grip.choice:
        view = _choosing(hand.position, grip, grip.choice, flipped)
    elif grip:
        view = _holding(hand.position, grip, last)
    else:
        view = _waiting(hand, last, marks.advised, marks.hover)
        if marks.shapes:
            view = _with_shapes(view, marks.shapes)
    if marks.threats and not marks.doubt:
        view = with_threats(view, marks.threats)
    return view._replace(goals=hand.variant.goals, stone=hand.variant.stone)


def _waiting(hand: Hand, last: Move | None, advised: Move | None, hover: Square | None) -> View:
    """Draw the position with an empty hand."""
    marks = last_marks(last)
    if advised:
        marks |= _advised(advised)
    if hover is not None and (peeked := hand.peek(hover)):
        marks |= _destinations(peeked)
    return View(hand.position, marks, stops=tuple(hand.movable))


def _with_shapes(view: View, shapes: Sequence[Shape]) -> View:
    """Return a view with arrows and circles: their squares marked, and lines between them."""
    marks, strokes, labels = dict(view.marks), dict(view.strokes), dict(view.labels)
    for origin, end in shapes:
        marks |= dict.fromkeys((origin, end), SquareMark.NOTED)
        if line := step_between(origin, end):
            step, length = line
            between = (origin + step * along for along in range(1, length))
            strokes |= dict.fromkeys(between, STROKES[abs(step)])
            labels[end] = HEADS[step]
    return view._replace(marks=marks, strokes=strokes, labels=labels)


def _advised(move: Move) -> dict[Square, SquareMark]:
    """Return the marks of an advised move."""
    victims = dict.fromkeys(squares_of(move.captures), SquareMark.VICTIM)
    return victims | dict.fromkeys((move.origin, move.destination), SquareMark.ADVISED)


def _holding(position: Position, grip: Grip, last: Move | None) -> View:
    """Draw the piece in hand and its destinations."""
    places = _destinations(grip)
    marks = last_marks(last) | places | {grip.origin: SquareMark.LAST, grip.at: SquareMark.HELD}
    here = (grip.at,) if grip.captured else ()
    return View(
        _carried(position, grip),
        marks,
        previews={square: grip.captures_at(square) for square in places},
        stops=tuple(sorted((*places, *here))),
    )


def _destinations(grip: Grip) -> dict[Square, SquareMark]:
    """Return the marks of a piece's destinations."""
    return {
        square: SquareMark.CAPTURE
        if any(move.captures != grip.captured for move in moves)
        else SquareMark.DESTINATION
        for square, moves in grip.destinations.items()
    }


def _doubted(hand: Hand, doubt: Blunder) -> View:
    """Draw the coach's objection to a move: a better move, or a possible reply."""
    from thud.rules.threats import Threats, aim_of

    if doubt.instead:
        return View(hand.position, last_marks(doubt.move) | _advised(doubt.instead))
    if doubt.answer is None:
        return View(hand.position, last_marks(doubt.move))
    after = hand.position.after(doubt.move)
    aim = aim_of(hand.variant, after, doubt.answer)
    return with_threats(View(after, last_marks(doubt.move)), Threats((aim,)))


def with_threats(view: View, threats: Threats) -> View:
    """Return a view with the threat map over it."""
    strokes: dict[Square, Stroke] = {}
    for aim in threats.aims:
        line = step_between(aim.origin, aim.destination)
        straight = line is not None and aim.kind is not Kind.TRAMPLE
        stroke = STROKES[abs(line[0])] if line and straight else Stroke.CROSSING
        for square in (aim.origin, *squares_of(aim.support), *aim.path):
            strokes[square] = stroke if strokes.get(square, stroke) is stroke else Stroke.CROSSING
    ends = {aim.destination for aim in threats.aims}
    strokes |= {s: Stroke.LANDING for s in ends if view.position.letter_at(s) is None}
    return view._replace(threatened=threats.threatened, strokes=strokes)


def _carried(position: Position, grip: Grip) -> Position:
    """Return the position with the piece in hand moved as far as it has trampled."""
    carried = position.after(Move(grip.origin, grip.at, grip.captured))
    return carried._replace(to_move=position.to_move)


def _choosing(position: Position, grip: Grip, choice: CaptureChoice, flipped: bool) -> View:
    """Draw the piece on its destination, with its victims and the keys that toggle them."""
    marks = {
        square: SquareMark.VICTIM if choice.taken >> square & 1 else SquareMark.SPARED
        for square in squares_of(choice.victims)
    }
    marks |= {grip.origin: SquareMark.LAST, choice.destination: SquareMark.HELD}
    moved = position.after(Move(grip.origin, choice.destination))
    keys = {
        square: direction_keys(choice.destination, square, flipped=flipped)[0]
        for square in squares_of(choice.victims)
    }
    return View(moved._replace(to_move=position.to_move), marks, keys)
