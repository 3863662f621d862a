"""What a player can learn from a match: the move that cost the most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thud.engines.analyst import Analyst
from thud.records.record import Record
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import better, lost_in_words
from thud.review.summary import Marked, Progress
from thud.rules.match import commander_of
from thud.rules.notation import move_text
from thud.rules.position import Side

_MOST: Final = 120
"""Most moves that are judged, which takes some ten seconds."""

LOOKING: Final = "Looking for your costliest move …"

_NONE: Final = "The review finds no mistake among your moves."


def own_moves(record: Record, player: int) -> dict[int, list[int]]:
    """Return a player's moves by battle, from 1, and ply, from 0; none if they are too many."""
    own = {}
    for number, battle in enumerate(record.battles, 1):
        side = next(side for side in Side if commander_of(side, number) == player)
        positions = zip(battle.positions(), battle.moves, strict=False)
        own[number] = [ply for ply, (before, _) in enumerate(positions) if before.to_move is side]
    return own if sum(map(len, own.values())) <= _MOST else {}


async def costliest(record: Record, own: Mapping[int, list[int]], analyst: Analyst) -> str:
    """Say which of some moves cost the most, and what was better.

    Args:
        record: the match, which is over.
        own: the moves of one player, as `own_moves` returns them.
        analyst: judges the moves.

    Raises:
        EngineFault: the engine does not answer as it should.
    """
    review, found = Progress(record), list[tuple[int, Marked]]()
    for number, plies in own.items():

        def add(judged: Judged, number: int = number) -> None:
            review.add(number, *judged)

        await judge_battle(record, number, plies, analyst, add)
        moves = (review.at(number, ply) for ply in plies)
        found += [(number, move) for move in moves if move and move.mark]
    if not found:
        return _NONE
    number, worst = max(found, key=lambda each: each[1].cost)
    variant, turn = record.variant, record.battles[number - 1].turn(worst.ply)
    mark = worst.mark.value if worst.mark else ""
    text = f"{turn}. {move_text(worst.position, worst.move)}{mark}"
    cost = lost_in_words(variant, worst)
    told = f"Your costliest move, {text} in battle {number}, {cost[0].lower()}{cost[1:]}"
    return f"{told} {better(variant, worst)}".rstrip()
