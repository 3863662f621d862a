"""Hints, evaluations and the coach, all by the analyst."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.ai.player import Decision, Limits
from thud.engines.analyst import Analyst
from thud.engines.faults import EngineFault
from thud.records.store import CannotSave
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.session.autosave import Autosave
from thud.session.cancellation import CancellableTask, finished
from thud.session.events import Advised, Evaluated, Event, LookedBack, LookingBack
from thud.session.state import TableState

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.review.summary import Progress
    from thud.session.blunders import Best, Blunder

HINT_SECONDS: Final = 2.0
"""Thinking time of a hint."""

EVALUATION_SECONDS: Final = 0.5
"""Thinking time of an evaluation."""

ALL_THE_SAME: Final = "Play your move anyway?"
"""The question after the reason against a move."""

COACH_TIMEOUT: Final = 1.5
"""Longest wait of a chosen move for the coach, in seconds."""

LOOK_SECONDS: Final = 0.7
"""Thinking time of each search of the coach."""

LOOK_NODES: Final = 4_000
"""Most positions in each search of the coach, so that a fast machine is done sooner."""

LOOK_BACK_SECONDS: Final = 60.0
"""Longest search for the costliest move of a battle, while people do as they please."""

AWAITED_SECONDS: Final = 15.0
"""The same where they wait for it."""


Emit: TypeAlias = Callable[[Event], None]
"""Reports an event to the session's listeners."""


class Advice:
    """The advice of one session; advice on an earlier position is dropped.

    All searches share one engine, and a move waits for the coach.  So for each position the coach
    prepares before the evaluation, and searches that belong together hold the engine.

    Args:
        state: the match.
        analyst: searches for it.
        emit: reports what it has found.
        changing: held during a change, until it is saved and reported.
        autosave: saves the match.

    Attributes:
        coach: objects to blunders of people against computers, if it is on.
    """

    def __init__(
        self,
        state: TableState,
        analyst: Analyst,
        emit: Emit,
        changing: asyncio.Lock,
        autosave: Autosave,
    ) -> None:
        self._state = state
        self._analyst = analyst
        self._emit = emit
        self._changing = changing
        self.coach = Coach(state, analyst, emit, changing, autosave)
        self._hint = CancellableTask()
        self._position = CancellableTask()
        self._evaluating = False
        """Whether the position is evaluated: the coach is done with it."""
        self._judging = False
        self._hinted: Battle | None = None
        self._expected = dict[Side, int]()
        """What each side could expect at its last hint in that battle."""
        self._advised: Advised | None = None
        """The last hint, which is the same as long as the position is."""

    @property
    def judging(self) -> bool:
        """Whether each position is evaluated."""
        return self._judging

    @judging.setter
    def judging(self, judging: bool) -> None:
        if judging is not self._judging:
            self._judging = judging
            self._emit(Evaluated(Side.DWARFS, None))
            self._position.cancel()

    def set_coach(self, on: bool, *, looks_back: bool = False) -> None:
        """Turn the coach on or off, and say whether to look back without it."""
        if (on, looks_back) != (self.coach.on, self.coach.looks_back):
            self.coach.on, self.coach.looks_back = on, looks_back
            self._position.cancel()

    async def begin_review(self) -> None:
        """Stop looking back once what is judged is saved: a review goes on from there."""
        self.coach.reviewing = True
        self._position.cancel()
        await self._position.settle()

    def end_review(self) -> None:
        """Look back again, at what the review has judged, too."""
        if self.coach.reviewing:
            self.coach.reviewing, self.coach.looked_back = False, None
            self._position.cancel()

    def interrupt(self) -> None:
        """Cancel all searches: the position is about to change."""
        self._hint.cancel()
        self._position.cancel()

    async def settle(self) -> None:
        """Wait until all cancelled searches have ended."""
        await self._hint.settle()
        await self._position.settle()

    async def hint(self) -> Decision | None:
        """Search for the best move and report it; None if the match changes before.

        It interrupts the evaluation, which is resumed afterwards.

        Raises:
            EngineFault: the engine fails.
        """
        from thud.engines.outlook import outlook
        from thud.review.hints import reasons

        async def advise() -> Advised:
            battle = self._state.battle
            variant, position = battle.variant, battle.position
            async with self.coach.engine:
                decision, second = await self._analyst.best_two(battle, Limits(HINT_SECONDS))
            because = await asyncio.to_thread(reasons, variant, position, decision, second)
            thought, expects = decision.thought, None
            if thought:
                expects = await asyncio.to_thread(outlook, variant, position, thought)
            side, before = position.to_move, None
            if expects and not (expects.end or expects.winner):
                told, self._expected = self._expected, {}
                if battle is self._hinted:
                    self._expected, before = told, told.get(side)
                self._hinted = battle
                self._expected[side] = expects.score
            return Advised(position, decision, because, expects, before)

        self._hint.cancel()
        self._stop_evaluation()
        battle, advised = self._state.battle, self._advised
        if not advised or self._hinted is not battle or advised.position != battle.position:
            advised = await self._hint.run(advise())
        if advised is None:
            return None
        self._advised = advised
        self._emit(advised)
        return advised.decision

    async def check_move(self, move: Move) -> Blunder | None:
        """Return the coach's objection to a move; a hint and the evaluation are interrupted."""
        if not self.coach.due:
            return None
        self._hint.cancel()
        self._stop_evaluation()
        return await self.coach.check_move(move)

    async def run(self) -> None:
        """Advise on one position after the other until cancelled."""
        await self._position.repeat(self._advise)

    def _stop_evaluation(self) -> None:
        """Stop the evaluation, which begins again when nothing else holds the engine."""
        if self._evaluating:
            self._position.cancel()

    async def _advise(self) -> None:
        """Let the coach prepare for the position, then evaluate it if that is wanted."""
        state, self._evaluating = self._state, False
        async with self._changing:
            pass  # wait until a change under way is saved and reported
        if state.battle.outcome:
            self._emit(Evaluated(Side.DWARFS, None))
        await self.coach.prepare()
        if self._judging and state.advisable:
            self._evaluating = True
            side, limits = state.to_move, Limits(EVALUATION_SECONDS)
            # Not asked for by anybody; a hint would report the fault.
            with suppress(EngineFault):
                async with self.coach.engine:
                    decision = await self._analyst.analyse(state.battle, limits)
                self._emit(Evaluated(side, decision.thought))


class Coach:
    """The coach of one session; an objection that comes too late is dropped.

    Args:
        state: the match.
        analyst: searches for it.
        emit: reports what it has found.
        changing: held during a change, until it is saved and reported.
        autosave: saves the match.

    Attributes:
        on: whether it is on.
        looks_back: whether the costliest move is told even if it is off.
        engine: held for searches that belong together.
        reviewing: whether a review judges the match.
        looked_back: the battle after which the costliest move has been told.
    """

    def __init__(
        self,
        state: TableState,
        analyst: Analyst,
        emit: Emit,
        changing: asyncio.Lock,
        autosave: Autosave,
    ) -> None:
        self._state = state
        self._analyst = analyst
        self._emit = emit
        self._changing = changing
        self._autosave = autosave
        self.on = self.looks_back = False
        self.reviewing = False
        self.engine = asyncio.Lock()
        self._best: tuple[int, Best] | None = None
        self._voiced: tuple[int, Move] | None = None
        self.looked_back: Battle | None = None
        self._found: tuple[tuple[Battle, int], tuple[int, int] | None] | None = None
        """After which battle, of how many moves, which move was found to be the costliest."""

    @property
    def due(self) -> bool:
        """Whether a local person is to move against a computer, with the coach on."""
        state = self._state
        if not self.on or not state.advisable:
            return False
        other = state.seat_of(state.to_move.other)
        return not (other.is_local or other.is_remote)

    @property
    def costliest(self) -> tuple[int, int] | None:
        """The costliest move found, if the battle is over as it was then.

        It is told by its battle's number, from 1, and its ply, from 0.
        """
        battle = self._state.battle
        if self._found is None or self._found[0] != (battle, battle.played):
            return None
        return self._found[1]

    async def prepare(self, *, awaited: bool = False) -> None:
        """Find the best move while the player thinks, so that theirs can be weighed at once.

        When the battle is over, say which of their moves so far cost the most.

        Args:
            awaited: whether the player waits meanwhile.
        """
        # Not asked for by anybody; a hint would report the fault.
        with suppress(EngineFault):
            if self.due:
                async with self.engine:
                    await self._find_best()
            elif self._state.battle.outcome and not self.reviewing:
                # Whoever waits waits for it once a match.
                if awaited and self.on and self._state.match.over:
                    await self._look_back(AWAITED_SECONDS)
                elif not awaited and (self.on or self.looks_back):
                    await self._look_back(LOOK_BACK_SECONDS)

    async def _look_back(self, seconds: float) -> None:
        """Say once a battle which move of the only person cost the most against a computer.

        The judgements are saved with the match, so that its review says the same.  As long as the
        match cannot be saved, that is all there is to say.

        Args:
            seconds: the longest search.
        """
        from thud.session.costliest import LookBack

        state, match, battle = self._state, self._state.match, self._state.battle
        seats = [state.seats[player] for player in (0, 1)]
        people = [player for player, seat in enumerate(seats) if seat.is_local]
        apart = any(seat.is_remote for seat in seats)
        if len(people) != 1 or apart or not state.hints_allowed or battle is self.looked_back:
            return
        if self._autosave.has_unsaved:
            return
        ended, record = (battle, battle.played), self._autosave.record(match, state.seats.programs)
        search = await asyncio.to_thread(LookBack, record, people[0])
        if not search.moves:
            return
        if search.missing:
            self._emit(LookingBack(search.report(), first=True))
            try:
                await search.judge(seconds, lambda: self._emit(LookingBack(search.report())))
            finally:
                self._found = ended, search.costliest
                await finished(self._save(match, record, search.progress))
        if battle is state.battle:
            self.looked_back, self._found = battle, (ended, search.costliest)
            self._emit(LookedBack(search.found(), search.accuracy()))

    async def _save(self, match: Match, record: Record, progress: Progress) -> None:
        """Save judgements with the match, if it is still the one here."""
        noted = await asyncio.to_thread(progress.noted, record)
        async with self._changing:
            if match is self._state.match:
                # What cannot be saved is judged again.
                with suppress(CannotSave):
                    await asyncio.to_thread(self._autosave.annotate, record, noted)

    async def check_move(self, move: Move) -> Blunder | None:
        """Return why a move is a blunder; None if it is not, at a second try, or on timeout."""
        from thud.session.blunders import depth_of, doubt

        revision, battle = self._state.revision, self._state.battle
        if (revision, move) == self._voiced or not battle.variant.is_legal(battle.position, move):
            return None
        try:
            async with asyncio.timeout(COACH_TIMEOUT), self.engine:
                best = await self._find_best()
                depth = depth_of(battle.variant, battle.position, *best)
                answer = None if move == best.move else await self._answer(move, depth)
        except (TimeoutError, EngineFault):
            return None
        if answer is None or revision != self._state.revision:
            return None
        if blunder := doubt(battle.variant, battle.position, move, best, answer):
            self._voiced = revision, move
        return blunder

    async def _find_best(self) -> Best:
        """Return the best move and the reply to it, cached for the position; hold the engine."""
        from thud.session.blunders import Best

        revision, battle = self._state.revision, self._state.battle
        if self._best is None or self._best[0] != revision:
            limits = Limits(LOOK_SECONDS, LOOK_NODES)
            move = (await self._analyst.analyse(battle, limits)).move
            self._best = revision, Best(move, await self._answer(move))
        return self._best[1]

    async def _answer(self, move: Move, depth: int | None = None) -> Decision | None:
        """Return the best reply to a move, None if it ends the battle.

        Args:
            move: the move.
            depth: the search depth, to compare with another move's reply.
        """
        battle = self._state.battle
        if battle.variant.outcome(battle.position.after(move)):
            return None
        limits = Limits(LOOK_SECONDS, LOOK_NODES, depth)
        return await self._analyst.analyse(battle, limits, then=move)
