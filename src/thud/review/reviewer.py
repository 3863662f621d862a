"""Judges the moves of a battle with the analyst, several at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from thud.ai.player import Limits, quiet_moves
from thud.ai.scores import seen_by
from thud.engines.analyst import Analyst
from thud.engines.outlook import beside, is_exact
from thud.records.record import Record
from thud.review.judgement import (
    Expectation,
    Judgement,
    Mark,
    believed,
    given_away,
    gives_win,
    settled,
    thresholds,
    won_at_once,
)
from thud.review.notes import LONGEST_LINE as _KEPT
from thud.rules.battle import Battle
from thud.rules.position import Move, Position
from thud.rules.tactics import lets_win

LOOK: Final = Limits(seconds=5.0, nodes=64_000)
"""Default limits of a search; the seconds are for machines without the compiled search."""

_CLOSER: Final = 8
"""Factor of the limits for a closer search of a suspect move."""

_AHEAD: Final = 2
"""Moves in progress beyond the number of processes, so that none is idle."""

_SUSPECT: Final = 0.7
"""Share of a dubious move's loss from which a move is searched more closely."""

_UNSURE: Final = 1 / 3
"""The same of the difference between two estimates of a move's loss, which are then unsure."""

_CLOSEST: Final = 2
"""Factor of the closer search's limits where it disagrees with the first."""


class Judged(NamedTuple):
    """A judged move; the ply is 0 for the first of a battle."""

    ply: int
    judgement: Judgement


Tell: TypeAlias = Callable[[Judged], None]


class _SearchResult(NamedTuple):
    """A search result: the expectation in a position, and the principal variation."""

    expected: Expectation
    depth: int | None = None
    """Search depth, None if the expectation is exact."""
    line: tuple[Move, ...] = ()


async def judge_battle(
    record: Record,
    number: int,
    plies: Iterable[int],
    analyst: Analyst,
    tell: Tell,
    *,
    limits: Limits | None = None,
) -> None:
    """Judge moves of a battle, using all the analyst's processes.

    Args:
        record: the match.
        number: the battle's number, from 1.
        plies: the moves, from 0.
        analyst: searches the positions.
        tell: called with each judged move, in any order.
        limits: limits of a search, in seconds or nodes; None for the default.

    Raises:
        EngineFault: the engine does not answer as it should.
    """
    battle = await asyncio.to_thread(_battle, record, number)
    await Reviewer(battle, analyst, limits or LOOK).judge_all(plies, tell)


def _battle(record: Record, number: int) -> Battle:
    recorded = record.battles[number - 1]
    battle = Battle(record.variant, recorded.start)
    recorded.replay(battle)
    return battle


class Reviewer:
    """Judges each move by the expectations after it and after the best move.

    Both are searched to equal depth, with the opponent to move.  If the move seems to cost
    something, or it is unsure what it costs, they are searched again with higher limits, which may
    find another best move.  The milder judgement counts, so that no mark is an artefact of the
    search; of three, if the first two disagree, the middle one.

    Args:
        battle: the battle, which must not change meanwhile.
        analyst: searches the positions.
        limits: limits of a search, in seconds or nodes.
    """

    def __init__(self, battle: Battle, analyst: Analyst, limits: Limits) -> None:
        self._battle, self._analyst = battle, analyst
        self._limits = limits
        self._deep_limits = _times(_CLOSER, limits)
        self._repeated = set(_repeated(battle))
        self._results: dict[int, asyncio.Task[_SearchResult]] = {}

    async def judge_all(self, plies: Iterable[int], tell: Tell) -> None:
        """Judge moves and report each; on cancellation all searches are cancelled.

        Raises:
            EngineFault: the engine does not answer as it should.
        """
        waiting = iter(plies)
        at_a_time = self._analyst.processes + _AHEAD
        workers = [asyncio.create_task(self._work(waiting, tell)) for _ in range(at_a_time)]
        try:
            await asyncio.gather(*workers)
        finally:
            tasks = [*workers, *self._results.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._results.clear()

    async def _work(self, waiting: Iterator[int], tell: Tell) -> None:
        for ply in waiting:
            tell(Judged(ply, await self._judge(ply)))
            self._results.pop(ply, None)

    async def _judge(self, ply: int) -> Judgement:
        """Judge a move; a move repeated in the same position costs nothing the second time."""
        if ply in self._repeated:
            after = await self._look(ply + 1)
            return Judgement(after.expected, after.expected)
        now, after = await asyncio.gather(self._look(ply), self._look(ply + 1))
        best = await asyncio.to_thread(self._better, ply, now.line[:1])
        if best is None:
            return Judgement(after.expected, after.expected)
        judgement = await self._compare(ply, best, self._limits, after)
        cost = self._cost(ply, judgement)
        # What the best move promises before it is played is another estimate.
        promised = self._cost(ply, Judgement(after.expected, now.expected))
        if cost >= _SUSPECT * self._dubious or promised - cost >= _UNSURE * self._dubious:
            found = [judgement, await self._closer(ply, self._deep_limits)]
            costs = [self._cost(ply, each) for each in found]
            if abs(costs[0] - costs[1]) >= self._dubious / 2 and max(costs) >= self._dubious:
                found.append(await self._closer(ply, _times(_CLOSEST, self._deep_limits)))
            found.sort(key=lambda each: self._cost(ply, each))
            judgement = found[len(found) // 3]
        return self._in_short(ply, judgement)

    async def _closer(self, ply: int, limits: Limits) -> Judgement:
        """Judge a move by a search of its own for the best move."""
        now = await self._ask(ply, limits)
        best = await asyncio.to_thread(self._better, ply, now.line[:1])
        if best is None:
            return Judgement(now.expected, now.expected)
        return await self._compare(ply, best, limits)

    def _better(self, ply: int, best: tuple[Move, ...]) -> Move | None:
        """Return the engine's move instead of the one played, None if that is its choice.

        If that lets the other side win at once, it is a move that does not, if there is one.
        """
        variant, position = self._battle.variant, self._battle.positions[ply]
        played = self._battle.moves[ply]
        if best and lets_win(variant, position, best[0]):
            moves = variant.legal_moves(position)
            safe = (move for move in moves if not lets_win(variant, position, move))
            best = (next(safe, best[0]),)
        return best[0] if best and best[0] != played else None

    async def compare(self, ply: int, best: Move) -> Judgement:
        """Compare a move with a better one, with higher limits and to equal depth, in full.

        Raises:
            EngineFault: the engine does not answer as it should.
        """
        return await self._compare(ply, best, self._deep_limits)

    async def _compare(
        self, ply: int, best: Move, limits: Limits, after: _SearchResult | None = None
    ) -> Judgement:
        """Compare both moves to equal depth; `after` is the move's own result, if known."""
        played = self._battle.moves[ply]
        after = after or await self._ask(ply, limits, played)
        then = await self._ask(ply, limits._replace(depth=after.depth or None), best)
        if after.depth and then.depth and then.depth < after.depth:
            after = await self._ask(ply, limits._replace(depth=then.depth), played)
        after, then = self._beside(ply, played, after, then), self._beside(ply, best, then, after)
        return Judgement(after.expected, then.expected, best, then.line[:_KEPT], after.line[:_KEPT])

    def _beside(
        self, ply: int, move: Move, own: _SearchResult, other: _SearchResult
    ) -> _SearchResult:
        """Return what was found of a move, to be compared with what was found of another one."""
        if own.depth is None or other.depth is not None:
            return own
        battle = self._battle
        position = battle.positions[ply].after(move)
        return own._replace(expected=beside(battle.variant, position, own.expected, other.expected))

    def _in_short(self, ply: int, judgement: Judgement) -> Judgement:
        """Shorten the judgement of a move without a mark: only the better move, if any."""
        battle, cost = self._battle, self._cost(ply, judgement)
        if gives_win(battle.variant, battle.positions[ply], battle.moves[ply], judgement):
            return judgement
        if not cost:
            return Judgement(judgement.expected, judgement.expected)
        return judgement if cost >= self._dubious else judgement._replace(line=(), reply=())

    def _cost(self, ply: int, judgement: Judgement) -> float:
        positions = self._battle.positions[: ply + 1]
        return given_away(self._battle.variant, positions[-1], judgement, quiet_moves(positions))

    @property
    def _dubious(self) -> float:
        return thresholds(self._battle.variant)[Mark.DUBIOUS]

    async def _look(self, ply: int) -> _SearchResult:
        """Search the position after `ply` moves, once."""
        if ply not in self._results:
            self._results[ply] = asyncio.create_task(self._ask(ply, self._limits))
        return await asyncio.shield(self._results[ply])

    async def _ask(self, ply: int, limits: Limits, then: Move | None = None) -> _SearchResult:
        variant, position = self._battle.variant, self._battle.positions[ply]
        position = position if then is None else position.after(then)
        if outcome := variant.outcome(position):
            return _SearchResult(settled(variant, outcome))
        decision = await self._analyst.analyse(self._battle, limits, played=ply, then=then)
        thought = decision.thought
        won = await asyncio.to_thread(won_at_once, variant, position)
        if thought is None:
            return _SearchResult(won or 0, None, (decision.move,))
        line = thought.line if thought.line[:1] == (decision.move,) else (decision.move,)
        expected = seen_by(position.to_move, thought.score)
        depth = None if is_exact(variant, position, thought) else thought.depth
        return _SearchResult(won or believed(variant, position, expected), depth, line)


def _times(factor: int, limits: Limits) -> Limits:
    """Return higher limits of a search."""
    return limits._replace(
        seconds=limits.seconds and limits.seconds * factor,
        nodes=limits.nodes and limits.nodes * factor,
    )


def _repeated(battle: Battle) -> Iterator[int]:
    """Yield the plies of moves played before in the same position."""
    seen = set[tuple[Position, Move]]()
    for ply, choice in enumerate(zip(battle.positions, battle.moves, strict=False)):
        if choice in seen:
            yield ply
        seen.add(choice)
