"""What a player can learn from a match: the move that cost the most."""

from __future__ import annotations

from typing import Final

from thud.engines.analyst import Analyst
from thud.records.record import Record
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import better, lost_in_words
from thud.review.summary import Progress
from thud.rules.match import commander_of
from thud.rules.notation import move_text
from thud.rules.position import Side

_LAST: Final = 200
"""The last moves of a battle that are judged, so that it takes seconds."""

_NONE: Final = "The review finds no mistake among your moves."


async def costliest(record: Record, player: int, analyst: Analyst) -> str:
    """Say which move of a player cost the most, and what was better.

    Args:
        record: the match, which is over.
        player: the player, 0 or 1.
        analyst: judges the moves.

    Raises:
        EngineFault: the engine does not answer as it should.
    """
    review = Progress(record)
    efforts = []
    for number in review.numbers:
        side = next(side for side in Side if commander_of(side, number) == player)
        positions = list(record.battles[number - 1].positions())
        plies = [ply for ply in review.missing(number) if positions[ply].to_move is side]
        plies = plies[-_LAST:]

        def add(judged: Judged, number: int = number) -> None:
            review.add(number, *judged)

        await judge_battle(record, number, plies, analyst, add)
        efforts.append((number, review.reviewed(number).effort(side)))
    worst = [(number, effort.worst) for number, effort in efforts if effort.worst]
    if not worst:
        return _NONE
    number, move = max(worst, key=lambda each: each[1].cost)
    variant, turn = record.variant, record.battles[number - 1].turn(move.ply)
    mark = move.mark.value if move.mark else ""
    text = f"{turn}. {move_text(move.position, move.move)}{mark}."
    told = f"Your costliest move, in battle {number}: {text}"
    return " ".join(filter(None, [told, lost_in_words(variant, move), better(variant, move)]))
