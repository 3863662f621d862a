"""The analyst: a pool of engine processes at full strength.

Hints, the coach, the lines of a replay, the editor and the review of a match ask here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from thud.ai.player import Decision, Limits, Report, Thought
from thud.engines.faults import EngineMissing
from thud.engines.spec import Contender, level_contender
from thud.rules.battle import Battle
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.engines.client import Engine


LINES: Final = 3
"""Number of best moves that `Analyst.watch` follows."""

MAX_RIVALS: Final = 4
"""Most moves that are compared with the best one before it is called better than all."""

_NOTABLE: Final = 50
"""Least lead of the best move that is examined, in hundredths."""

_RIVALS: Final = Limits(seconds=2.0, nodes=60_000)
"""Limits of the search for them."""

_CLOSELY: Final = Limits(seconds=2.0, nodes=60_000)
"""Limits of the search of each."""

Lines: TypeAlias = "Mapping[int, Thought]"
"""Thoughts about the best moves, by rank from 1."""


class Analyst:
    """A bounded pool of engine processes, each answering one question at a time.

    Processes start on demand; one that ends or hangs is restarted and asked again.  Further
    questions wait in order.  Any question may be cancelled at any time.  Close the pool, or use it
    in `async with`.

    What was played before a position does not count: a search that takes a repeated position for
    drawn would say that it has become worse.  Without a time limit the answer depends only on the
    position.  With one, the choice among equally good moves varies from battle to battle.

    Args:
        processes: most processes of this pool.
        contender: the engine; None for the computer at full strength.

    Attributes:
        most: most processes of any pool.
    """

    most: ClassVar[int] = 64

    def __init__(self, processes: int = 1, contender: Contender | None = None) -> None:
        self.processes = max(1, min(processes, self.most))
        self._contender = contender
        self._room = asyncio.Semaphore(self.processes)
        self._engines: list[Engine] = []
        self._idle: list[Engine] = []
        self._battle: Battle | None = None
        self._closed = False

    async def __aenter__(self) -> Analyst:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def analyse(
        self,
        battle: Battle,
        limits: Limits,
        *,
        played: int | None = None,
        then: Move | None = None,
    ) -> Decision:
        """Return the best move for the side to move.

        Args:
            battle: the battle.
            limits: how long to think.
            played: ask about the position after that many moves; None for the present one.
            then: ask about the position after this further legal move.

        Raises:
            EngineFault: there is no answer, or the analyst is closed.
        """
        if battle is not self._battle:
            self._battle = battle
            for engine in self._engines:
                engine.new_battle()
        position = battle.position if played is None else battle.positions[played]
        position = position if then is None else position.after(then)
        return await self._ask(battle.variant, position, limits)

    async def best_two(self, battle: Battle, limits: Limits) -> tuple[Decision, Thought | None]:
        """Return the best move, with a thought, and one of equal depth about the next best.

        The latter is None if there is no other move, or the search was too short to compare them.

        Raises:
            EngineFault: as `analyse`.
        """
        found: Lines = {}
        pair: tuple[Thought, Thought] | None = None

        def compare(thought: Thought) -> None:
            nonlocal found, pair
            found = _with(found, thought)
            best, second = found.get(1), found.get(2)
            if best and second and best.depth == second.depth:
                pair = best, second

        decision = await self._ask(battle.variant, battle.position, limits, 2, compare)
        if pair is None or pair[0].line[:1] != (decision.move,):
            return decision, None
        best, second = pair
        found_goal = best.goal_in is not None or second.goal_in is not None
        if not found_goal and best.score - second.score >= _NOTABLE:
            rival = await self._best_rival(battle, best, second)
            return decision._replace(thought=best), rival
        return decision._replace(thought=best), second

    async def _best_rival(self, battle: Battle, best: Thought, second: Thought) -> Thought | None:
        """Return the best of the other moves, searched closely, its score made comparable.

        A search of two lines prunes the others, so it may take the second for worse than it is.
        None if they cannot be compared.
        """
        variant, position, found = battle.variant, battle.position, dict[int, Thought]()

        def note(thought: Thought) -> None:
            found[thought.rank] = thought

        await self._ask(variant, position, _RIVALS, MAX_RIVALS + 1, note)
        lines = {each.line[0]: each for each in (*found.values(), second)}
        lines.pop(best.line[0], None)
        own = await self._after(variant, position, best.line[0], _CLOSELY)
        if own is None:
            return None
        close, rivals = _CLOSELY._replace(depth=own.depth), list[Thought]()
        for move, line in lines.items():
            then = await self._after(variant, position, move, close)
            if then is None or then.depth < own.depth:
                return None
            # Both are seen by the other side.
            rivals.append(line._replace(score=best.score - (then.score - own.score)))
        return max(rivals, key=lambda each: each.score)

    async def _after(
        self, variant: Variant, position: Position, move: Move, limits: Limits
    ) -> Thought | None:
        """Search the position after a move; None if the battle ends there, or a goal is near."""
        after = position.after(move)
        if variant.outcome(after):
            return None
        thought = (await self._ask(variant, after, limits)).thought
        return thought if thought and thought.goal_in is None else None

    async def watch(
        self, variant: Variant, position: Position, report: Callable[[Lines], None]
    ) -> None:
        """Analyse a position until cancelled or the search is exhausted.

        Args:
            variant: the game.
            position: the position.
            report: called with the best lines at each new thought.

        Raises:
            EngineFault: the engine does not answer as it should.
        """
        found: Lines = {}

        def tell(thought: Thought) -> None:
            nonlocal found
            found = _with(found, thought)
            report(found)

        await self._ask(variant, position, Limits(3600.0), LINES, tell)

    async def close(self) -> None:
        """End all processes, even if closing one fails."""
        self._closed = True
        closing = (engine.close() for engine in self._engines)
        for trouble in await asyncio.gather(*closing, return_exceptions=True):
            if trouble is not None:
                raise trouble

    async def _ask(
        self,
        variant: Variant,
        position: Position,
        limits: Limits,
        lines: int = 1,
        report: Report | None = None,
    ) -> Decision:
        async with self._room:
            if self._idle:
                engine = self._idle.pop()
            elif self._closed:
                raise EngineMissing("the computer has been closed")
            else:
                from thud.engines.client import Engine  # loaded when it is first asked

                who = self._contender or level_contender(0)
                engine = Engine(who.command, who.name, {"Seed": 1})
                self._engines.append(engine)
            engine.set_option("MultiPV", lines)
            try:
                return await engine.decide(
                    Battle(variant, position), limits, report=report, tries=3
                )
            finally:
                self._idle.append(engine)


def _with(found: Lines, thought: Thought) -> Lines:
    """Return the lines with a new thought, each first move only with its latest rank.

    Ranks arrive one by one, so a move may still be listed under its earlier rank.
    """
    others = {
        rank: each
        for rank, each in found.items()
        if rank != thought.rank and each.line[:1] != thought.line[:1]
    }
    return others | {thought.rank: thought}
