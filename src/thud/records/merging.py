"""Merges the record that a match was resumed from with what is played."""

from __future__ import annotations

from contextlib import suppress

from thud.records.bounds import MAX_COMMENT
from thud.records.cursor import Cursor
from thud.records.editing import CannotChange, played
from thud.records.record import LOOKED_ON, BattleRecord, Comment, Record, Variation, clock_comments
from thud.records.tgn.notes import without_clock
from thud.records.tree import beginning_at, in_order, joined, moved, moved_comments, rest_of, until
from thud.rules.battle import Battle
from thud.rules.clock import Control
from thud.rules.match import BATTLES, Match
from thud.rules.position import Move


def updated(record: Record, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
    """Return a record with the battles of its match as they are now.

    Programs that play now take the place of those that are named, and so do players' names.  A
    match that was played to its end stays as it was played: where moves have been taken back
    since, other ones are variations.
    """
    if record.over:
        return _tried_since(record, match)
    known = record.battles + (BattleRecord(record.start),) * BATTLES
    first, second = (now or before for now, before in zip(programs, record.programs, strict=True))
    battles = tuple(map(gone_on, known, match.battles))
    # Whoever plays on does not only look on any more.
    tags = tuple(tag for tag in record.tags if tag[0] != LOOKED_ON[0])
    return record._replace(
        programs=(first, second), battles=battles, players=match.players, tags=tags
    )


def _tried_since(record: Record, match: Match) -> Record:
    """Return the record of a match that is over, with the moves that are at the board now."""
    for number, battle in enumerate(match.battles, 1):
        place = Cursor.at(record, number, 0)
        with suppress(CannotChange):
            for move in battle.moves:
                place = played(place, move)
        record = place.record
    return record


def gone_on(old: BattleRecord, battle: Battle) -> BattleRecord:
    """Return the record of a battle now, with what is known of it: comments and variations.

    What is known of moves that were since replaced by others becomes a variation; if nothing is,
    they are left out.
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
    """Return a battle and what was taken back of it as one line."""
    line = Variation(0, battle.moves, battle.comments, battle.variations)
    if not battle.taken_back:
        return line
    *others, back = line.variations
    return joined(line._replace(variations=tuple(others)), back)


def _along(line: Variation, moves: tuple[Move, ...]) -> Variation:
    """Return other moves than a line's, with what that line and its variations say of them."""
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
    """Return how many moves two lines begin with alike."""
    if one == other[: len(one)]:
        return len(one)
    return next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def with_times(record: BattleRecord, battle: Battle) -> BattleRecord:
    """Return the record of a battle with what was left after its moves, and nothing else of that.

    Each note stands in front of the first comment on its move.
    """
    notes = dict(clock_comments(battle))
    comments = list[Comment]()
    for after, text in without_times(record).comments:
        noted = f"{notes.get(after, '')} {text}".strip()
        if len(noted) <= MAX_COMMENT:
            notes.pop(after, None)
        comments.append(Comment(after, noted if len(noted) <= MAX_COMMENT else text))
    comments += (Comment(after, note) for after, note in notes.items())
    return record._replace(comments=tuple(sorted(comments, key=lambda each: each.after)))


def without_times(record: BattleRecord) -> BattleRecord:
    """Return a battle whose moves say nothing of clocks; its variations are as they were."""
    bare = (Comment(each.after, without_clock(each.text)) for each in record.comments)
    return record._replace(comments=tuple(each for each in bare if each.text))


def with_other_clock(record: Record, control: Control | None) -> Record:
    """Return a match with another clock, on which nothing is used yet in the battle now."""
    battles = (*record.battles[:-1], without_times(record.battles[-1]))
    return record._replace(battles=battles, control=control)
