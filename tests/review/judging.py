"""An in-process analyst, and battles to review."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random

from hypothesis import strategies as st

from thud.ai.player import Decision, Limits
from thud.ai.thinker import Thinker
from thud.engines.analyst import Analyst
from thud.engines.outlook import calibrated
from thud.records.record import BattleRecord, Record
from thud.review.judgement import Judgement, believed
from thud.review.reviewer import Judged, Reviewer
from thud.review.summary import Progress, Reviewed
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

variants = st.sampled_from(list(VARIANTS.values()))


class Thinking(Analyst):
    """An analyst that searches in this process, and records its calls."""

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        self.asked: list[tuple[int, Move | None, Limits]] = []
        self._thinker = Thinker(variant, 1)

    async def analyse(
        self,
        battle: Battle,
        limits: Limits,
        *,
        played: int | None = None,
        then: Move | None = None,
    ) -> Decision:
        assert played is not None
        self.asked.append((played, then, limits))
        await asyncio.sleep(0)
        position = battle.positions[played]
        position = position if then is None else position.after(then)
        decision = self._thinker.decide([position], limits)
        assert decision.thought
        said = calibrated(battle.variant, position, decision.thought)
        return decision._replace(thought=said)


def battle_of(variant: Variant, *moves: str, start: Position | None = None) -> Battle:
    """Return a battle with these moves."""
    battle = Battle(variant, start)
    for text in moves:
        battle.play(parse_move(variant, battle.position, text))
    return battle


def random_battle(variant: Variant, seed: int, moves: int) -> Battle:
    """Return a battle of random moves."""
    battle, random = Battle(variant), Random(seed)
    while battle.outcome is None and len(battle.moves) < moves:
        battle.play(random.choice(variant.legal_moves(battle.position)))
    return battle


def record_of(battle: Battle) -> Record:
    """Return a record with one battle."""
    first = BattleRecord.of(battle)
    return Record(battle.variant, (first,), ("Ann", "Bob"))


async def judged(battle: Battle, analyst: Analyst, nodes: int = 300) -> dict[int, Judgement]:
    """Return the judgements of all moves of a battle."""
    found: dict[int, Judgement] = {}

    def tell(news: Judged) -> None:
        found[news.ply] = news.judgement

    reviewer = Reviewer(battle, analyst, Limits(nodes=nodes))
    await reviewer.judge_all(range(len(battle.moves)), tell)
    return found


def judgement_at(battle: Battle, ply: int, random: Random) -> Judgement:
    """Return a random judgement of a move, such as a reviewer might give."""
    variant, position = battle.variant, battle.positions[ply]
    best = random.choice(variant.legal_moves(position))
    # What the board allows after both moves, as variants may have few pieces.
    after = (position.after(battle.moves[ply]), position.after(best))
    expected, promised = (
        min((believed(variant, each, score) for each in after), key=abs)
        for score in (random.randrange(-2000, 2000) for _ in range(2))
    )
    if random.random() < 0.3:
        return Judgement(expected, expected)
    line = lines_from(variant, position.after(best), random)
    reply = lines_from(variant, position.after(battle.moves[ply]), random)
    return Judgement(expected, promised, best, line, reply)


def lines_from(variant: Variant, position: Position, random: Random) -> tuple[Move, ...]:
    """Return a short random line of legal moves."""
    moves = list[Move]()
    for _ in range(random.randrange(5)):
        legal = variant.legal_moves(position)
        if not legal:
            break
        moves.append(random.choice(legal))
        position = position.after(moves[-1])
    return tuple(moves)


def reviewed_of(record: Record, judgements: Mapping[int, Judgement]) -> Reviewed:
    """Return the review of a match's first battle, given judgements by ply."""
    progress = Progress(record)
    for ply, judgement in judgements.items():
        progress.add(1, ply, judgement)
    return progress.reviewed(1)
