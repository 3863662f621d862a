"""JSON export of reviews; docs/review.md describes the schema."""

from __future__ import annotations

import json
from typing import Any, Final

from thud.records.record import Record
from thud.review.judgement import is_unknown, shares, spread
from thud.review.notes import number as written
from thud.review.sentences import wrong
from thud.review.summary import Effort, Marked, Reviewed
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Side

VERSION: Final = 1
"""The schema's version: raised when readers of the old one would be misled."""


def review_json(record: Record, reviews: list[Reviewed]) -> str:
    """Return reviews of a match's battles as a JSON document."""
    document = {
        "format": "thud review",
        "version": VERSION,
        "variant": record.variant.name,
        "measure": "points" if record.variant.counts_points else "chance",
        "battles": [_battle(record, reviewed) for reviewed in reviews],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _battle(record: Record, reviewed: Reviewed) -> dict[str, Any]:
    point = reviewed.turning_point
    return {
        "number": reviewed.number,
        "complete": reviewed.complete,
        "sides": {
            side.plural: {"player": name, **_effort(reviewed.effort(side))}
            for side, name in zip(Side, record.commanders(reviewed.number), strict=True)
        },
        "turning_point": point and point.ply + 1,
        "moves": [_move(reviewed, marked) for marked in reviewed.moves],
    }


def _open(reviewed: Reviewed, marked: Marked) -> dict[str, Any]:
    """Return what an expectation leaves open: its spread in points, or the three outcomes."""
    variant, position = reviewed.variant, marked.position.after(marked.move)
    if variant.counts_points:
        return {"spread": spread(variant, position) / 100}
    expected, quiet = marked.judgement.expected, marked.quiet_after
    if is_unknown(variant, position, expected):
        return {"outcomes": None}
    won, drawn, lost = (each / 100 for each in shares(variant, position, expected, quiet).percents)
    return {"outcomes": {"dwarfs": won, "drawn": drawn, "trolls": lost}}


def _effort(effort: Effort) -> dict[str, Any]:
    return {
        "moves": effort.moves,
        "accuracy": None if effort.accuracy is None else round(effort.accuracy, 1),
        "given_away": round(effort.cost, 2),
        "given_away_per_move": round(effort.each, 3),
        "marks": {mark.value: number for mark, number in effort.marks.items()},
        "kinds": {
            kind.name.lower() if kind else "later": number for kind, number in effort.kinds.items()
        },
    }


def _move(reviewed: Reviewed, marked: Marked) -> dict[str, Any]:
    position, judgement = marked.position, marked.judgement
    best, reply = judgement.best, judgement.reply
    return {
        "ply": marked.ply + 1,
        "turn": reviewed.battle.turn(marked.ply),
        "side": marked.side.plural,
        "move": move_text(position, marked.move),
        "expected": written(judgement.expected),
        "promised": written(judgement.promised),
        **_open(reviewed, marked),
        "given_away": round(marked.cost, 2),
        "mark": marked.mark and marked.mark.value,
        "kind": marked.fault and marked.fault.name.lower(),
        "because": wrong(reviewed.variant, marked) or None,
        "best": best and move_text(position, best),
        "line": list(texts_of(position.after(best), judgement.line)) if best else [],
        "reply": list(texts_of(position.after(marked.move), reply)),
    }
