"""Read records from text; every move is checked by the rules."""

from __future__ import annotations

from time import monotonic

from thud.records import tag_reader as tags
from thud.records.battle_reader import PATIENCE, BattleReader
from thud.records.draft import Draft, drafts
from thud.records.intake import BadRecord, clean
from thud.records.record import BattleRecord, Record
from thud.rules.match import Match


def read_tgn(text: str) -> tuple[Record, ...]:
    """Read a text of one or several matches.

    Raises:
        BadRecord: with the line and the reason; where the fault lies in the battles, `partial`
            is the match with the moves before it, and `before` are the matches before that.
    """
    deadline = monotonic() + PATIENCE
    records: list[Record] = []
    try:
        for draft in drafts(clean(text)):
            records.append(read_draft(draft, deadline))
    except BadRecord as fault:
        fault.before = tuple(records)
        raise
    return tuple(records)


def read_draft(draft: Draft, deadline: float) -> Record:
    """Read one match whose tags and words are known.

    Raises:
        BadRecord: as `read_tgn`; also when it is past the deadline on the monotonic clock.
    """
    variant = tags.variant_of(draft)
    outline = Record(
        variant,
        (BattleRecord(tags.start_of(draft, variant)),),
        tags.players_of(draft),
        tags.value_of(draft, "Event"),
        tags.date_of(draft),
        (tags.value_of(draft, "Program1"), tags.value_of(draft, "Program2")),
        tags.other_tags(draft),
        tags.second_start_of(draft, variant),
        tags.control_of(draft),
    )
    match, readers = outline.match(), list[BattleReader]()
    try:
        _read_battles(draft, match, readers, deadline)
        record = _filled(outline, readers)
        tags.compare_results(draft, record)
    except BadRecord as fault:
        fault.partial = _filled(outline, readers)
        raise
    return record


def _read_battles(draft: Draft, match: Match, readers: list[BattleReader], deadline: float) -> None:
    for number, tokens in enumerate(draft.battles, 1):
        if number > 1:
            if match.battle.outcome is None:
                reason = "the second battle begins, but the first goes on: its result is *"
                raise BadRecord(tokens[0].line, reason)
            match.next_battle()
        match.battle.quiet_limit = tags.quiet_limit_of(draft, number)
        readers.append(BattleReader(match.battle, deadline))
        readers[-1].read(tokens, timed_out=tags.timed_out(draft, number))


def _filled(outline: Record, readers: list[BattleReader]) -> Record:
    """Return a record with the battles as far as they have been read, the first in any case."""
    battles = tuple(reader.record() for reader in readers)
    return outline._replace(battles=battles or outline.battles)
