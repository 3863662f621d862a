"""A one-ply computer player for the coach, which never exceeds its time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.client import Engine
from thud.rules.battle import Battle
from thud.rules.position import Position, Side
from thud.rules.tactics import wins
from thud.rules.variant import Variant

_WORTH = {Side.DWARFS: 1, Side.TROLLS: 4}

BLUNDER = "dG1-G5"
MISSED = "1d1dd/d5d/d7d/d9d/d11d/d4d8d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d"
"""A position in which a dwarf on F6 can capture a troll on G7."""

TROLL_BLUNDER = "TH9-G8"
HUNG = "dd1dd/7/9/11/13/d3d9d/d4d8d/7R7/d6TT5d/d7T5d/13/11/9/7/5 T"
"""A position in which a troll can move to where the dwarf on F7 captures it."""


def looked(variant: Variant, position: Position) -> Decision:
    """Return the move that captures most, with the lead after it."""
    moves, side = variant.legal_moves(position), position.to_move
    move = max(moves, key=lambda each: (wins(variant, position, each), each.captures.bit_count()))
    ahead = _ahead(position.after(move), side) if not wins(variant, position, move) else 900
    return Decision(move, Thought(3, 100 * ahead, len(moves), 0.0, (move,)))


def _ahead(position: Position, side: Side) -> int:
    own, others = (position.pieces(each).bit_count() * _WORTH[each] for each in (side, side.other))
    return own - others


@contextmanager
def looking() -> Iterator[list[Position]]:
    """Replace every engine by it; yield the positions of its searches."""
    asked: list[Position] = []

    async def decide(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        asked.append(battle.position)
        await asyncio.sleep(0)
        return looked(battle.variant, battle.position)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "decide", decide)
        patch.setattr("thud.session.session._AGAINST_PEOPLE", 0)
        patch.setattr("thud.session.advice.COACH_TIMEOUT", 3600)
        yield asked
