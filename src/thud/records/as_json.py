"""Write records as JSON for other programs; docs/notation.md describes the schema."""

from __future__ import annotations

from typing import Any, Final

from thud.records.record import BattleRecord, Record
from thud.rules.match import BATTLES
from thud.rules.notation import move_text
from thud.rules.position import Position, Side
from thud.rules.variant import Outcome, Reason, Variant

VERSION: Final = 1
"""The version of the schema: it grows when a reader of the old one would be misled."""


def json_text(*records: Record) -> str:
    """Return one or several matches as a JSON document."""
    import json

    document = {"format": "thud", "version": VERSION, "matches": list(map(as_json, records))}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_json(record: Record) -> dict[str, Any]:
    """Return a match as the value that JSON writes."""
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
        "battles": [_battle(record, number) for number in range(1, len(record.battles) + 1)],
        "result": _result(record),
        "tags": dict(record.tags),
    }


def _battle(record: Record, number: int) -> dict[str, Any]:
    battle = record.battles[number - 1]
    dwarfs, trolls = record.commanders(number)
    moves = _moves(record.variant, battle)
    played = len(battle.moves)
    return {
        "number": number,
        "dwarfs": dwarfs,
        "trolls": trolls,
        "quiet_limit": battle.quiet_limit,
        "moves": moves[:played],
        "undone": [move["move"] for move in moves[played:]],
        "comments": [comment._asdict() for comment in battle.comments],
        "outcome": _outcome(battle.outcome),
    }


def _moves(variant: Variant, battle: BattleRecord) -> list[dict[str, Any]]:
    positions = list(battle.positions(with_undone=True))
    return [
        {
            "ply": ply,
            "turn": battle.turn(ply - 1),
            "side": position.to_move.plural,
            "move": move_text(position, move),
            "position": positions[ply].to_text(),
            "margin": _margin(variant, positions[ply]),
        }
        for ply, (position, move) in enumerate(
            zip(positions, battle.moves + battle.undone, strict=False), 1
        )
    ]


def _margin(variant: Variant, position: Position) -> float:
    """Return the margin if the battle ended here, by agreement if in no other way."""
    outcome = variant.outcome(position) or variant.settled(position, Reason.AGREEMENT)
    return outcome.margin


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


def _result(record: Record) -> dict[str, Any]:
    """Return the points of both players so far, and who has won if it is over."""
    winner = record.winner if record.over else None
    return {
        "over": record.over,
        "battles_over": len(record.points(0)),
        "battles": BATTLES,
        "points": list(record.tally),
        "winner": None if winner is None else record.players[winner],
    }
