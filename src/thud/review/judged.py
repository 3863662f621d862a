"""Records with judgements in their comments: found, put in, and taken out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from thud.records.bounds import MAX_COMMENT, InvalidRecord
from thud.records.record import BattleRecord, Comment, Record
from thud.records.tgn.notes import without_notes
from thud.records.tgn.writer import tgn_text
from thud.review.judgement import Judgement, given_away
from thud.review.notes import NAMES, judgement_in, note
from thud.rules.position import Position
from thud.rules.variant import Variant

Judgements: TypeAlias = dict[int, Judgement]
"""Of the moves of a battle, by their ply: the first move is 0."""


def judgements_in(variant: Variant, battle: BattleRecord) -> Judgements:
    """Return the judgements that the comments of a battle hold."""
    noted = [comment for comment in battle.comments if comment.after and "[%eval" in comment.text]
    positions = list(battle.positions()) if noted else []
    found: Judgements = {}
    for after, text in noted:
        ply = after - 1
        judgement = judgement_in(variant, positions[ply], battle.moves[ply], text)
        if judgement is not None:
            found[ply] = judgement
    return found


def with_judgements(record: Record, number: int, judgements: Mapping[int, Judgement]) -> Record:
    """Return a record in whose battle `number` these judgements take the place of all others.

    Where not all of them fit into a record, those of the moves that cost most do.
    """
    variant, battle = record.variant, record.battles[number - 1]
    plain = without_judgements(record, number)
    positions = list(battle.positions())
    ranked = sorted(
        judgements,
        key=lambda ply: given_away(variant, judgements[ply], positions[ply].to_move),
        reverse=True,
    )
    share = len(ranked)
    while True:
        kept = {ply: judgements[ply] for ply in sorted(ranked[:share])}
        noted = _replaced(plain, number, _noted(plain.battles[number - 1], positions, kept))
        if not share or _writable(noted):
            return noted
        share //= 2


def _writable(record: Record) -> bool:
    try:
        tgn_text(record)
    except InvalidRecord:
        return False
    return True


def _noted(
    battle: BattleRecord, positions: list[Position], judgements: Mapping[int, Judgement]
) -> BattleRecord:
    """Return a battle with judgements, each in front of the first comment on its move."""
    texts = {
        ply + 1: note(judgement, positions[ply], battle.moves[ply])
        for ply, judgement in judgements.items()
    }
    comments = list[Comment]()
    for after, text in battle.comments:
        noted = f"{texts[after]} {text}" if after in texts else ""
        if noted and len(noted) <= MAX_COMMENT:
            del texts[after]
        comments.append(Comment(after, noted if 0 < len(noted) <= MAX_COMMENT else text))
    added = [Comment(after, text) for after, text in texts.items()]
    return battle._replace(comments=tuple(sorted([*comments, *added], key=_place)))


def _place(comment: Comment) -> int:
    return comment.after


def without_judgements(record: Record, *numbers: int) -> Record:
    """Return a record without the judgements of some battles, or of all of them."""
    for number in numbers or range(1, len(record.battles) + 1):
        battle = record.battles[number - 1]
        comments = (
            Comment(each.after, without_notes(each.text, NAMES)) for each in battle.comments
        )
        kept = tuple(comment for comment in comments if comment.text)
        record = _replaced(record, number, battle._replace(comments=kept))
    return record


def _replaced(record: Record, number: int, battle: BattleRecord) -> Record:
    battles = list(record.battles)
    battles[number - 1] = battle
    return record._replace(battles=tuple(battles))
