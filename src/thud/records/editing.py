"""Edits of a record at a cursor.

Users edit a battle's variations and comments, never its moves: each function returns a cursor in a
new record, or raises an error with a sentence.  Moves taken back become an ordinary variation once
they are edited or continued: only unchanged do they still fit the battle, which may have a limit
that variations do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from thud.records.annotation import Annotation
from thud.records.annotation import annotated as with_annotation
from thud.records.record import InvalidRecord, Line, Node, Record, check_battle, moves_of
from thud.records.tgn.notes import with_prose
from thud.records.tree import Cursor
from thud.rules.match import Match
from thud.rules.position import Move


class CannotChange(ValueError):
    """An edit is refused; the text says why."""


def played(place: Cursor, move: Move) -> Cursor:
    """Play a move at a cursor: along its line, into a variation there, or as a new one.

    Raises:
        IllegalMove: the move is not legal there.
        CannotChange: there is no room for more moves.
    """
    if move == place.next_move:
        return place.to_next()
    for index, variation in enumerate(place.node.variations):
        if variation[0].move == move:
            return place.into(index)
    place.record.variant.check(place.position, move)
    if place.parent and place.ply == place.last:
        return _changed(place, (place.node, Node(move))).to_next()
    onward = _lines_from(place)
    index = len(place.node.variations)
    # Moves taken back stay last.
    index -= _is_taken_back(place, index - 1)
    onward.insert(index + 1, (Node(move),))
    return _going_on(place, onward).into(index)


def line_played(place: Cursor, moves: Sequence[Move]) -> Cursor:
    """Play several moves from a cursor; return the cursor after the first of them.

    Raises:
        IllegalMove: a move is not legal there.
        CannotChange: there is no room for more moves.
    """
    end = place
    for move in moves:
        end = played(end, move)
    return end.to(min(place.ply + 1, end.ply))


def varied(record: Record, match: Match) -> Record:
    """Return a finished match with the moves played after taking back, as variations."""
    for number, battle in enumerate(match.battles, 1):
        place = Cursor.at(record, number, 0)
        with suppress(CannotChange):
            for move in battle.moves:
                place = played(place, move)
        record = place.record
    return record


def deleted(place: Cursor) -> Cursor:
    """Delete a variation's move at the cursor, and all after it.

    Raises:
        CannotChange: the move belongs to the battle itself.
    """
    if place.parent is None:
        raise CannotChange("only a variation can be deleted: the moves that were played stay")
    before = place.to(place.ply - 1)
    onward = _lines_from(before)
    del onward[place.variation_index + 1 if place.ply == place.first else 0]
    return _going_on(before, onward)


def promoted(place: Cursor) -> Cursor:
    """Promote the cursor's variation by one place.

    It moves before the previous variation of the same move; the first one replaces the moves that
    it varies, if those are a variation themselves.

    Raises:
        CannotChange: it is the first variation of the battle itself, or moves taken back.
    """
    parent, index = place.parent, place.variation_index
    if parent is None:
        raise CannotChange("the moves that were played are the main line already")
    if _is_taken_back(parent, index):
        raise CannotChange("moves that were undone stay last")
    if not index and parent.parent is None:
        raise CannotChange("the moves that were played stay first")
    onward = _lines_from(parent)
    onward[index : index + 2] = onward[index + 1], onward[index]
    there = _going_on(parent, onward)
    return (there.into(index - 1) if index else there).to(place.ply)


def commented(place: Cursor, text: str) -> Cursor:
    """Replace the comments at a cursor; an empty text deletes them.

    Programs' notes there stay.

    Raises:
        CannotChange: the text is no valid comment.
    """
    words = " ".join(text.split())
    if words == " ".join(place.words):
        return place
    return _with_comment(place, with_prose(" ".join(place.node.comments), words))


def annotated(place: Cursor, annotation: Annotation) -> Cursor:
    """Replace a person's marks at a cursor.

    Raises:
        CannotChange: there is no room for them, or there is no move to mark.
    """
    if annotation.mark and not place.ply:
        raise CannotChange("no move has been made here")
    return _with_comment(place, with_annotation(" ".join(place.node.comments), annotation))


def _with_comment(place: Cursor, text: str) -> Cursor:
    """Replace the comments at a cursor by one.

    Raises:
        CannotChange: the text is no valid comment.
    """
    node = place.node._replace(comments=(text,) if text else ())
    return _changed(place, (node, *place.nodes[place.ply + 1 :]))


def _lines_from(place: Cursor) -> list[Line]:
    """Return the lines that go on from a cursor: the rest of its own, and the variations."""
    return [place.nodes[place.ply + 1 :], *place.node.variations]


def _going_on(place: Cursor, lines: Sequence[Line]) -> Cursor:
    """Replace the lines that go on from a cursor, the first of which is the rest of its own.

    Raises:
        CannotChange: the new record could not be written.
    """
    onward, *variations = lines or [()]
    return _changed(place, (place.node._replace(variations=tuple(variations)), *onward))


def _is_taken_back(place: Cursor, index: int) -> bool:
    """Whether a variation that begins at a cursor is the moves taken back."""
    last = place.parent is None and place.ply == place.last
    return last and place.battle.taken_back and index == len(place.node.variations) - 1


def _changed(place: Cursor, rest: Line) -> Cursor:
    """Replace a cursor's node and the rest of its line; return the cursor in the new record.

    Raises:
        CannotChange: the new record could not be written.
    """
    line, inner, parent = place.nodes[: place.ply] + rest, place, place.parent
    while parent:
        variations = list(parent.node.variations)
        variations[inner.variation_index] = line[inner.first :]
        node = parent.node._replace(variations=tuple(variations))
        line = (*parent.nodes[: parent.ply], node, *parent.nodes[parent.ply + 1 :])
        inner, parent = parent, parent.parent
    battle, ends = place.battle._replace(line=line), line[-1].variations
    if not ends or moves_of(ends[-1]) != place.battle.undone:
        battle = battle._replace(taken_back=False)
    try:
        check_battle(battle)
    except InvalidRecord as error:
        raise CannotChange(str(error)) from None
    record = place.record.with_battle(place.number, battle)
    return Cursor.at(record, place.number, place.ply, place.trail)
