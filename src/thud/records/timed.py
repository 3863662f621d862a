"""Battles with what was left on the clock after each move in their comments."""

from __future__ import annotations

from thud.records.bounds import MAX_COMMENT
from thud.records.clk import without_clock
from thud.records.record import BattleRecord, Comment, Record, clock_comments
from thud.rules.battle import Battle
from thud.rules.clock import Control


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
