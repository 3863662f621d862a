"""Edits of a record: at a cursor in a replay, and when the match is played on.

Users edit a battle's variations and comments, never its moves: each function returns a cursor in a
new record, or raises an error with a sentence.  Moves taken back become an ordinary variation once
they are edited or continued: only unchanged do they still fit the battle, which may have a limit
that variations do not have.

When the match is played on, comments and variations stay with their moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from thud.records.annotation import Annotation
from thud.records.annotation import annotated as with_annotation
from thud.records.bounds import MAX_COMMENT, InvalidRecord, check_comment
from thud.records.record import (
    BY_A_HOST,
    BattleRecord,
    Comment,
    Line,
    Record,
    Variation,
    clock_comments,
)
from thud.records.tgn.notes import with_prose, without_clock
from thud.records.tgn.writer import check_battle
from thud.records.tree import (
    Change,
    Cursor,
    Trail,
    beginning_at,
    changed,
    in_order,
    joined,
    moved,
    moved_comments,
    rest_of,
    until,
)
from thud.rules.battle import Battle
from thud.rules.clock import Control
from thud.rules.match import BATTLES, Match
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
    for index in place.varied:
        if place.line.variations[index].moves[0] == move:
            return place.into(index)
    place.record.variant.check(place.position, move)
    if place.parent and place.ply == place.last:
        return _changed(place, lambda line: line._replace(moves=(*line.moves, move)), place.ply + 1)
    new = Variation(place.ply - place.begins, (move,))
    index = _index_of_next(place)
    return _changed(
        place, lambda line: _with_variation(line, index, new), place.ply + 1, (*place.trail, index)
    )


def line_played(place: Cursor, moves: Sequence[Move]) -> Cursor:
    """Play several moves from a cursor; return the cursor after the first of them.

    Raises:
        IllegalMove: a move is not legal there.
        CannotChange: there is no room for more moves.
    """
    end = place
    for move in moves:
        end = played(end, move)
    return Cursor.at(end.record, end.number, min(place.ply + 1, end.ply), end.trail)


def deleted(place: Cursor) -> Cursor:
    """Delete a variation's move at the cursor, and all after it.

    Raises:
        CannotChange: the move belongs to the battle itself.
    """
    if place.parent is None:
        raise CannotChange("only a variation can be deleted: the moves that were played stay")
    own = place.ply - place.begins - 1
    if own:
        return _changed(place, lambda line: _without_rest(line, own), place.ply - 1)
    index, parent = place.variation_index, place.parent
    return _changed(parent, lambda line: _without_variation(line, index), parent.ply)


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
    if not parent.parent and place.battle.taken_back and index == len(parent.line.variations) - 1:
        raise CannotChange("moves that were undone stay last")
    if index - 1 in parent.varied:
        return _changed(
            parent, lambda line: _exchanged(line, index), place.ply, (*parent.trail, index - 1)
        )
    if parent.parent is None:
        raise CannotChange("the moves that were played stay first")
    return _changed(parent, lambda line: _in_first_place(line, index), place.ply)


def commented(place: Cursor, text: str) -> Cursor:
    """Replace the comments at a cursor; an empty text deletes them.

    Programs' notes there stay.

    Raises:
        CannotChange: the text is no valid comment.
    """
    return _with_comment(place, with_prose(" ".join(place.comments), " ".join(text.split())))


def annotated(place: Cursor, annotation: Annotation) -> Cursor:
    """Replace a person's marks at a cursor.

    Raises:
        CannotChange: there is no room for them, or there is no move to mark.
    """
    if annotation.mark and not place.ply:
        raise CannotChange("no move has been made here")
    return _with_comment(place, with_annotation(" ".join(place.comments), annotation))


def _with_comment(place: Cursor, text: str) -> Cursor:
    """Replace the comments at a cursor by one.

    Raises:
        CannotChange: the text is no valid comment.
    """
    after = place.ply - place.begins
    new = [Comment(after, text)] if text else []
    try:
        for comment in new:
            check_comment(comment.text)
    except InvalidRecord as error:
        raise CannotChange(str(error)) from None

    def change(line: Line) -> Line:
        others = (each for each in line.comments if each.after != after)
        return line._replace(comments=tuple(sorted((*others, *new), key=lambda each: each.after)))

    return _changed(place, change, place.ply)


def _with_variation(line: Line, index: int, new: Variation) -> Line:
    variations = line.variations
    return line._replace(variations=(*variations[:index], new, *variations[index:]))


def _without_variation(line: Line, index: int) -> Line:
    others = line.variations[:index] + line.variations[index + 1 :]
    if isinstance(line, BattleRecord):
        back = line.taken_back and index < len(others)
        return line._replace(variations=others, taken_back=back)
    return line._replace(variations=others)


def _without_rest(line: Line, kept: int) -> Line:
    """Cut a line; it continues with the first variation at the cut, if any."""
    first, *others = beginning_at(line, kept) or (None,)
    if first is None:
        return until(line, kept)
    onward = joined(until(line, kept), first)
    return onward._replace(variations=in_order((*others, *onward.variations)))


def _exchanged(line: Line, index: int) -> Line:
    """Swap a variation with the one before it."""
    variations = list(line.variations)
    variations[index - 1 : index + 1] = variations[index], variations[index - 1]
    return line._replace(variations=tuple(variations))


def _in_first_place(line: Line, index: int) -> Line:
    """Promote a variation; the rest of the line becomes its variation."""
    first = line.variations[index]
    others = (each for each in beginning_at(line, first.after) if each is not first)
    onward = joined(until(line, first.after), first)
    varied = (rest_of(line, first.after), *others)
    return onward._replace(variations=in_order((*varied, *onward.variations)))


def _index_of_next(place: Cursor) -> int:
    """Return the index of a new variation: last at its move, but before moves taken back."""
    after = place.ply - place.begins
    before = sum(each.after <= after for each in place.line.variations)
    at_end = not place.parent and place.ply == place.last
    return before - (at_end and place.battle.taken_back)


def _changed(place: Cursor, change: Change, ply: int, trail: Trail | None = None) -> Cursor:
    """Change a cursor's line; return a cursor in the new record.

    Raises:
        CannotChange: the new record could not be written.
    """
    record = place.record
    battle = changed(place.battle, place.trail, change)
    if battle.undone != place.battle.undone:
        battle = battle._replace(taken_back=False)
    try:
        check_battle(battle)
    except InvalidRecord as error:
        raise CannotChange(str(error)) from None
    trail = place.trail if trail is None else trail
    return Cursor.at(record.with_battle(place.number, battle), place.number, ply, trail)


# Playing on


def updated(record: Record, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
    """Update a record with its match's present battles.

    Programs that play now replace those recorded, and so do players' names.  A finished match
    stays as it was: moves played after taking back become variations.
    """
    if record.over:
        return _tried_since(record, match)
    known = record.battles + (BattleRecord(record.start),) * BATTLES
    first, second = (now or before for now, before in zip(programs, record.programs, strict=True))
    battles = tuple(map(updated_battle, known, match.battles))
    # Played on here, the match is no longer somebody else's.
    tags = tuple(tag for tag in record.tags if tag[0] not in BY_A_HOST)
    return record._replace(
        programs=(first, second), battles=battles, players=match.players, tags=tags
    )


def _tried_since(record: Record, match: Match) -> Record:
    """Return a finished match's record, with the moves now on the board as variations."""
    for number, battle in enumerate(match.battles, 1):
        place = Cursor.at(record, number, 0)
        with suppress(CannotChange):
            for move in battle.moves:
                place = played(place, move)
        record = place.record
    return record


def updated_battle(old: BattleRecord, battle: Battle) -> BattleRecord:
    """Return a battle's present record, with its known comments and variations.

    Moves replaced since become a variation if they have comments or variations; else they are
    dropped.
    """
    now = len(battle.moves)
    line = _along(_with_undone(without_times(old)), battle.moves + battle.undone)
    back = rest_of(line, now)
    kept = until(line, now)
    record = BattleRecord.of(battle)._replace(
        comments=kept.comments,
        variations=(
            *kept.variations,
            *beginning_at(line, now),
            *([back] if back.moves else []),
        ),
    )
    return with_times(record, battle)


def _with_undone(battle: BattleRecord) -> Variation:
    """Return a battle and its moves taken back as one line."""
    line = Variation(0, battle.moves, battle.comments, battle.variations)
    if not battle.taken_back:
        return line
    *others, back = line.variations
    return joined(line._replace(variations=tuple(others)), back)


def _along(line: Variation, moves: tuple[Move, ...]) -> Variation:
    """Return a line of moves, with the comments and variations of another line that fit."""
    done, begins = Variation(0, moves), 0
    while True:
        common = _common(line.moves, moves[begins:])
        kept, here, rest = until(line, common), beginning_at(line, common), rest_of(line, common)
        into = next((each for each in here if each.moves[:1] == moves[begins + common :][:1]), None)
        others = [each for each in here if each is not into]
        if rest.comments or rest.variations:
            others.append(rest)
        done = done._replace(
            comments=done.comments + moved_comments(kept.comments, begins),
            variations=done.variations + moved((*kept.variations, *others), begins),
        )
        if into is None:
            return done._replace(variations=in_order(done.variations))
        line, begins = into, begins + common


def _common(one: tuple[Move, ...], other: tuple[Move, ...]) -> int:
    """Return the length of two lines' common beginning."""
    if one == other[: len(one)]:
        return len(one)
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def with_times(record: BattleRecord, battle: Battle) -> BattleRecord:
    """Return a battle's record with the battle's times after its moves, replacing all others."""
    return with_notes(without_times(record), dict(clock_comments(battle)))


def with_notes(battle: BattleRecord, notes: Mapping[int, str]) -> BattleRecord:
    """Return a battle with notes for programs, by move number from 1.

    Each note is put before its move's first comment, or alone if that would be too long.
    """
    left = dict(notes)
    comments = list[Comment]()
    for after, text in battle.comments:
        noted = f"{left.get(after, '')} {text}".strip()
        fits = len(noted) <= MAX_COMMENT
        if fits:
            left.pop(after, None)
        comments.append(Comment(after, noted if fits else text))
    comments += (Comment(after, note) for after, note in left.items())
    return battle._replace(comments=tuple(sorted(comments, key=lambda each: each.after)))


def without_times(record: BattleRecord) -> BattleRecord:
    """Return a battle without clock notes on its moves; variations keep theirs."""
    bare = (Comment(each.after, without_clock(each.text)) for each in record.comments)
    return record._replace(comments=tuple(each for each in bare if each.text))


def with_other_clock(record: Record, control: Control | None) -> Record:
    """Return a match with another clock, with all its time left in the present battle."""
    battles = (*record.battles[:-1], without_times(record.battles[-1]))
    return record._replace(battles=battles, control=control)
