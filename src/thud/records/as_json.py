"""JSON export of records; docs/notation.md describes the schema."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, Final

from thud.records.record import BattleRecord, Line, Node, Record, moves_of, positions_along
from thud.rules.match import BATTLES
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Position, Side
from thud.rules.variant import Outcome, Reason, Variant

VERSION: Final = 1
"""The schema's version: raised when readers of the old one would be misled."""


def json_text(*records: Record) -> str:
    """Return one or several matches as a JSON document."""
    document = {"format": "thud", "version": VERSION, "matches": list(map(as_json, records))}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_json(record: Record) -> dict[str, Any]:
    """Return a match as a JSON value."""
    winner = record.winner if record.over else None
    return {
        "event": record.event or None,
        "date": record.date or None,
        "variant": record.variant.name,
        "players": [
            {"name": name, "program": program or None}
            for name, program in zip(record.players, record.programs, strict=True)
        ],
        "start": record.start.to_text(),
        "second_start": record.starts[1].to_text(),
        "time_control": str(record.control) if record.control else None,
        "battles": [_battle(record, number) for number in range(1, len(record.battles) + 1)],
        "result": {
            "over": record.over,
            "battles_over": len(record.points(0)),
            "battles": BATTLES,
            "points": list(record.tally),
            "winner": None if winner is None else record.players[winner],
        },
        "tags": dict(record.tags),
    }


def _battle(record: Record, number: int) -> dict[str, Any]:
    battle = record.battles[number - 1]
    dwarfs, trolls = record.commanders(number)
    *_, position = battle.positions()
    return {
        "number": number,
        "dwarfs": dwarfs,
        "trolls": trolls,
        "quiet_limit": battle.quiet_limit,
        **_line(record.variant, battle, battle.line, battle.start, 0),
        "undone": list(texts_of(position, battle.undone)),
        "outcome": _outcome(battle.outcome),
    }


def _line(
    variant: Variant, battle: BattleRecord, line: Line, position: Position, first: int
) -> dict[str, Any]:
    """Return the moves after a line's first node, of ply `first`, its comments and its variations.

    Recursive in variations, whose depth is bounded.
    """
    moves = moves_of(line[1:])
    positions = tuple(positions_along(position, moves))
    times = battle.times if line is battle.line else {}
    written = []
    for ply, (move, (before, after)) in enumerate(
        zip(moves, pairwise(positions), strict=True), first + 1
    ):
        # Where the rules do not end it, a battle may end by agreement.
        ended, left = variant.outcome(after), times.get(ply)
        ended = ended or variant.settled(after, Reason.AGREEMENT)
        written.append(
            {
                "ply": ply,
                "turn": battle.turn(ply - 1),
                "side": before.to_move.plural,
                "move": move_text(before, move),
                "position": after.to_text(),
                "margin": ended.margin,
                "clock": left and {"seconds": left.ms / 1000, "periods": left.periods},
            }
        )
    return {
        "moves": written,
        "comments": [
            {"after": after, "text": text}
            for after, node in enumerate(line)
            for text in node.comments
        ],
        "variations": [
            {
                "after": after,
                **_line(variant, battle, (Node(), *each), positions[after], first + after),
            }
            for after, node in enumerate(line)
            for each in node.variations
        ],
    }


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner.plural if outcome.winner else None,
        "reason": outcome.reason.name.lower(),
        "because": outcome.because,
        Side.DWARFS.plural: outcome.score.dwarfs,
        Side.TROLLS.plural: outcome.score.trolls,
        "margin": outcome.margin,
    }
