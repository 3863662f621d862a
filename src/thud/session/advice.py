"""Hints, evaluations and the coach, all by the analyst."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from thud.ai.player import Decision, Limits
from thud.engines.analyst import Analyst
from thud.engines.faults import EngineFault
from thud.engines.outlook import outlook
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.session.blunders import Best, Blunder, doubt
from thud.session.cancellation import CancellableTask, forever
from thud.session.events import Advised, Evaluated, Notified
from thud.session.state import SessionState
from thud.wording.hints import reasons

HINT_SECONDS: Final = 2.0
"""Thinking time of a hint."""

EVALUATION_SECONDS: Final = 0.5
"""Thinking time of an evaluation."""

ALL_THE_SAME: Final = "Play your move anyway?"
"""The question after the reason against a move."""

COACH_TIMEOUT: Final = 0.3
"""Longest wait of a chosen move for the coach, in seconds."""

LOOK_SECONDS: Final = 0.2
"""Thinking time of each search of the coach."""

LOOK_NODES: Final = 4_000
"""Most positions in each search of the coach, so that a fast machine is done sooner."""


class Advice:
    """The advice of one session; advice on an earlier position is dropped."""

    def __init__(self, session: SessionState, analyst: Analyst) -> None:
        self._session = session
        self._analyst = analyst
        self._hint = CancellableTask()
        self._evaluation = CancellableTask()
        self._judging = False

    @property
    def judging(self) -> bool:
        """Whether each position is evaluated."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        if judging is not self._judging:
            self._judging = judging
            self._withdraw_evaluation()
            self._evaluation.cancel()

    def interrupt(self) -> None:
        """Cancel all searches: the position is about to change."""
        self._hint.cancel()
        self._evaluation.cancel()

    async def settle(self) -> None:
        """Wait until all cancelled searches have ended."""
        await self._hint.settle()
        await self._evaluation.settle()

    async def hint(self) -> Decision | None:
        """Search for the best move and report it; None if the match changes before.

        It interrupts the evaluation, which is resumed afterwards.

        Raises:
            EngineFault: the engine fails.
        """
        self._hint.cancel()
        self._evaluation.cancel()
        advised = await self._hint.run(self._advise())
        if advised is None:
            return None
        self._session.emit(advised)
        return advised.decision

    async def _advise(self) -> Advised:
        battle = self._session.battle
        variant, position = battle.variant, battle.position
        limits = Limits(HINT_SECONDS)
        decision, second = await self._analyst.best_two(battle, limits)
        because = await asyncio.to_thread(reasons, variant, position, decision, second)
        thought = decision.thought
        expects = await asyncio.to_thread(outlook, variant, position, thought) if thought else None
        return Advised(position, decision, because, expects)

    async def run(self) -> None:
        """Evaluate one position after the other until cancelled."""
        while True:
            await self._evaluation.run(self._look())

    async def _look(self) -> None:
        """Evaluate the position if that is wanted, then wait to be cancelled."""
        session = self._session
        await session.settled()
        if session.battle.outcome:
            self._withdraw_evaluation()
        elif self._judging and session.can.be_advised:
            side, limits = session.to_move, Limits(EVALUATION_SECONDS)
            # Not asked for by anybody; a hint would report the fault.
            with suppress(EngineFault):
                decision = await self._analyst.analyse(session.battle, limits)
                session.emit(Evaluated(side, decision.thought))
        await forever()

    def _withdraw_evaluation(self) -> None:
        self._session.emit(Evaluated(Side.DWARFS, None))


class Coach:
    """The coach of one session; an objection that comes too late is dropped.

    Args:
        session: the session.
        analyst: searches for it.
    """

    def __init__(self, session: SessionState, analyst: Analyst) -> None:
        self._session = session
        self._analyst = analyst
        self._look = CancellableTask()
        self._looking = asyncio.Lock()
        self._best: tuple[int, Best] | None = None
        self._voiced: tuple[int, Move] | None = None
        self._on = False
        self._looked_back: Match | None = None

    @property
    def on(self) -> bool:
        """Whether the coach is on."""
        return self._on

    @on.setter
    def on(self, on: bool) -> None:
        if on is not self._on:
            self._on = on
            self._look.cancel()

    @property
    def due(self) -> bool:
        """Whether a local person is to move against a computer, with the coach on."""
        session = self._session
        if not self.on or not session.can.be_advised:
            return False
        other = session.seat_of(session.to_move.other)
        return not (other.is_local or other.is_remote)

    def interrupt(self) -> None:
        """Cancel the search: the position is about to change."""
        self._look.cancel()

    async def settle(self) -> None:
        """Wait until cancelled searches have ended."""
        await self._look.settle()

    async def run(self) -> None:
        """Prepare for one position after the other until cancelled."""
        while True:
            await self._look.run(self._watch())

    async def _watch(self) -> None:
        await self._session.settled()
        await self.prepare()
        await forever()

    async def prepare(self) -> None:
        """Find the best move while the player thinks, so that theirs can be weighed at once.

        When the match is over, say which of their moves cost the most.
        """
        try:
            if self.due:
                await self._find_best()
            elif self.on and self._session.match.over:
                await self._look_back()
        except EngineFault:
            # Not asked for by anybody; a hint would report the fault.
            return

    async def _look_back(self) -> None:
        """Say once which move of the only person cost the most against a computer."""
        from thud.session.costliest import LOOKING, costliest, own_moves

        session = self._session
        seats = [session.seats[player] for player in (0, 1)]
        people = [player for player, seat in enumerate(seats) if seat.is_local]
        apart = any(seat.is_remote for seat in seats)
        if len(people) != 1 or apart or not session.hints_allowed:
            return
        own = own_moves(session.record, people[0])
        if any(own.values()) and self._looked_back is not session.match:
            self._looked_back = session.match
            session.emit(Notified(LOOKING))
            session.emit(Notified(await costliest(session.record, own, self._analyst)))

    async def check_move(self, move: Move) -> Blunder | None:
        """Return why a move is a blunder; None if it is not, at a second try, or on timeout."""
        revision, battle = self._session.revision, self._session.battle
        if (revision, move) == self._voiced or not battle.variant.is_legal(battle.position, move):
            return None
        try:
            async with asyncio.timeout(COACH_TIMEOUT):
                best = await self._find_best()
                answer = None if move == best.move else await self._answer(move, best.depth)
        except (TimeoutError, EngineFault):
            return None
        if answer is None or revision != self._session.revision:
            return None
        if blunder := doubt(battle.variant, battle.position, move, best, answer):
            self._voiced = revision, move
        return blunder

    async def _find_best(self) -> Best:
        """Return the best move and the reply to it, cached for the position."""
        async with self._looking:
            revision, battle = self._session.revision, self._session.battle
            if self._best is None or self._best[0] != revision:
                move = (await self._analyst.analyse(battle, _limits())).move
                self._best = revision, Best(move, await self._answer(move))
            return self._best[1]

    async def _answer(self, move: Move, depth: int | None = None) -> Decision | None:
        """Return the best reply to a move, None if it ends the battle.

        Args:
            move: the move.
            depth: the search depth, to compare with another move's reply.
        """
        battle = self._session.battle
        if battle.variant.outcome(battle.position.after(move)):
            return None
        return await self._analyst.analyse(battle, _limits(depth), then=move)


def _limits(depth: int | None = None) -> Limits:
    return Limits(LOOK_SECONDS, LOOK_NODES, depth)
