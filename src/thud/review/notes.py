"""Judgements as notes in a record's comments, which every reader of the format keeps.

`[%eval 1.25]` is the expectation after the move, `[%best dF1-F5 3.40]` the better move with its
expectation, `[%then TG7-F6 dG1-G5]` the line after that, `[%reply TG7-F6]` the line after the move
played, and `[%judge 2]` the edition of a battle's judgements; docs/notation.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from thud.ai.scores import GOAL, goal_in
from thud.records.record import BattleRecord, InvalidRecord, Record
from thud.records.tgn.notes import notes_in, without_notes
from thud.records.tgn.writer import tgn_text
from thud.review.judgement import Expectation, Judgement, believed, given_away
from thud.rules.notation import move_text, texts_of, written_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

NAMES: Final = ("eval", "best", "then", "reply", "judge")
"""Keywords of a judgement's notes."""

JUDGED: Final = "[%eval"
"""What a comment with a judgement contains."""

EDITION: Final = 4
"""The edition of judgements, higher after a change of the evaluation that they rest on.

Classic and single capture have had other networks since the fourth; what those before them judged
still counts.
"""

LONGEST_LINE: Final = 6
"""Most moves of a line in a note."""

_POINTS: Final = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,2})?", re.ASCII)
_EDITION: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
_GOAL: Final = re.compile(r"#([+-])([0-9]{1,3})", re.ASCII)


# Formatting


def note(judgement: Judgement, before: Position, move: Move, *, edition: bool = False) -> str:
    """Format the judgement of a move played in a position, with its edition if wanted."""
    best, notes = judgement.best, {"eval": number(judgement.expected)}
    if best is not None:
        notes["best"] = f"{move_text(before, best)} {number(judgement.promised)}"
        notes["then"] = " ".join(texts_of(before.after(best), judgement.line[:LONGEST_LINE]))
    notes["reply"] = " ".join(texts_of(before.after(move), judgement.reply[:LONGEST_LINE]))
    notes["judge"] = f"{EDITION}" if edition else ""
    return " ".join(f"[%{name} {words}]" for name, words in notes.items() if words)


def number(expected: Expectation) -> str:
    """Format an expectation: `-3.25` points, or `#+5` for a win of the dwarfs in five moves.

    Moves of both sides count; `#-4` is a win of the trolls in four.
    """
    goal = goal_in(expected)
    if goal is None:
        return f"{expected / 100:.2f}"
    return f"#{'+' if expected > 0 else '-'}{abs(goal)}"


# Parsing


def judgement_in(variant: Variant, before: Position, move: Move, text: str) -> Judgement | None:
    """Parse the judgement in a move's comment, None if there is none.

    Invalid notes and illegal moves are ignored, and what the rules exclude is corrected.

    Args:
        variant: the variant.
        before: the position before the move.
        move: the move.
        text: the comment.
    """
    notes = notes_in(text)
    expected = _expectation(notes.get("eval", ""))
    if expected is None:
        return None
    after = before.after(move)
    expected = believed(variant, after, expected)
    reply = tuple(_line(variant, after, notes.get("reply", "")))
    judgement = Judgement(expected, expected, reply=reply)
    words = notes.get("best", "").split()
    promised = _expectation(words[-1]) if len(words) == 2 else None
    best = _legal(variant, before, words[0]) if promised is not None else None
    if best is None or promised is None:
        return judgement
    promised = believed(variant, before.after(best), promised)
    line = tuple(_line(variant, before.after(best), notes.get("then", "")))
    return judgement._replace(promised=promised, best=best, line=line)


def _expectation(text: str) -> Expectation | None:
    if goal := _GOAL.fullmatch(text):
        won = GOAL - int(goal[2])
        return won if goal[1] == "+" else -won
    return round(float(text) * 100) if _POINTS.fullmatch(text) else None


def _legal(variant: Variant, position: Position, text: str) -> Move | None:
    try:
        move = written_move(variant, position, text)
    except ValueError:
        return None
    return move if variant.is_legal(position, move) else None


def _line(variant: Variant, position: Position, text: str) -> Iterator[Move]:
    for word in text.split()[:LONGEST_LINE]:
        move = _legal(variant, position, word)
        if move is None:
            return
        yield move
        position = position.after(move)


Judgements: TypeAlias = dict[int, Judgement]
"""A battle's judgements, by ply from 0."""


def judgements_in(variant: Variant, battle: BattleRecord) -> Judgements:
    """Parse the judgements in a battle's comments."""
    noted = [
        (ply, node.move, text)
        for ply, node in enumerate(battle.line[1:])
        for text in node.comments
        if node.move and JUDGED in text
    ]
    positions = list(battle.positions()) if noted else []
    found: Judgements = {}
    for ply, move, text in noted:
        judgement = judgement_in(variant, positions[ply], move, text)
        if judgement is not None:
            found[ply] = judgement
    return found


def edition_in(text: str) -> int:
    """Return the edition that a comment tells, by default the first."""
    told = notes_in(text).get("judge", "")
    return int(told) if _EDITION.fullmatch(told) else 1


def are_outdated(battle: BattleRecord) -> bool:
    """Whether a battle has judgements, of an earlier edition."""
    judged = [text for node in battle.line for text in node.comments if JUDGED in text]
    return max(map(edition_in, judged), default=EDITION) < EDITION


def with_judgements(record: Record, number: int, judgements: Mapping[int, Judgement]) -> Record:
    """Replace the judgements in a record's battle `number`.

    If not all of them fit into a record, those of the most costly moves are kept.
    """
    variant, battle = record.variant, record.battles[number - 1]
    plain = without_judgements(record, number)
    positions, quiet = list(battle.positions()), battle.quiet_counts()
    ranked = sorted(
        judgements,
        key=lambda ply: given_away(variant, positions[ply], judgements[ply], quiet[ply]),
        reverse=True,
    )
    share = len(ranked)
    while share:
        kept = sorted(ranked[:share])
        notes = {
            ply + 1: note(
                judgements[ply], positions[ply], battle.moves[ply], edition=ply == kept[0]
            )
            for ply in kept
        }
        noted = plain.with_battle(number, plain.battles[number - 1].with_notes(notes))
        try:
            tgn_text(noted)
            return noted
        except InvalidRecord:
            share //= 2
    return plain


def without_judgements(record: Record, *numbers: int) -> Record:
    """Return a record without the judgements of the given battles, by default all."""
    for number in numbers or range(1, len(record.battles) + 1):
        battle = record.battles[number - 1]
        bare = battle.with_comments(lambda text: without_notes(text, NAMES))
        record = record.with_battle(number, bare)
    return record
