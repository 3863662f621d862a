"""The arena: matches between two programs, to compare their strength.

They are played on this machine, several at a time; `cluster` plays them on others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import monotonic
from typing import NamedTuple

from thud.ai.player import Limits
from thud.engines.client import Engine
from thud.engines.faults import EngineFault, EngineMissing
from thud.engines.protocol import go_line
from thud.engines.spec import Contender, distinct
from thud.records.record import MAX_PLIES, Record
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.clock import Clock, Control, Source, time_for_move
from thud.rules.match import Match, commander_of
from thud.rules.position import Move, Side
from thud.rules.variant import Variant
from thud.text import counted


class Plan(NamedTuple):
    """The matches to play."""

    variant: Variant
    contenders: tuple[Contender, Contender]
    matches: int
    limits: Limits
    opening: int
    """Random moves that begin each battle."""
    jobs: int
    """Matches at a time."""
    seed: int
    date: str
    """The date for the records, such as `"2026-11-20"`."""
    control: Control | None = None
    """The clocks' setting, if any."""

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, numbered if they are equal."""
        return distinct(*(contender.name for contender in self.contenders))


class MatchResult(NamedTuple):
    """A match as far as it went, and the fault that ended it, if any."""

    number: int
    record: Record
    fault: str = ""
    culprit: int | None = None
    """The player at fault: 0 or 1."""


def opening(variant: Variant, plies: int, random: Random) -> list[Move]:
    """Return random moves from the start after which the battle is not over.

    Raises:
        ValueError: none were found, because most battles end before.
    """
    for _ in range(20):
        battle = Battle(variant)
        while battle.outcome is None and battle.played < plies:
            battle.play(random.choice(variant.legal_moves(battle.position)))
        if battle.outcome is None:
            return list(battle.moves)
    raise ValueError(
        f"{variant.title} mostly ends before {counted(plies, 'move')} at random: begin with fewer"
    )


class _Fault(Exception):
    """A fault of one player's program."""

    def __init__(self, player: int, fault: EngineFault) -> None:
        super().__init__(str(fault))
        self.player = player


@contextmanager
def _blaming(player: int) -> Iterator[None]:
    """Context manager: attribute an engine's fault to a player."""
    try:
        yield
    except EngineMissing:
        raise
    except EngineFault as fault:
        raise _Fault(player, fault) from fault


class Pairing:
    """Two programs that play a plan's matches one by one; close it at the end.

    Args:
        plan: the plan; its number of matches is ignored here.
        moved: called before every move with the match's number and the match.

    Attributes:
        now: the clocks' source of time.
    """

    def __init__(
        self, plan: Plan, moved: Callable[[int, Match], None] = lambda _, __: None
    ) -> None:
        self._plan, self._moved = plan, moved
        self.now: Source = monotonic
        self._engines = [
            Engine(contender.command, name)
            for contender, name in zip(plan.contenders, plan.names, strict=True)
        ]

    async def close(self) -> None:
        """End both programs."""
        await asyncio.gather(*(engine.close() for engine in self._engines))

    async def match(self, number: int, begun: Sequence[Move] | None = None) -> MatchResult:
        """Play a match; a program's fault ends it.

        Args:
            number: the match's number, which determines the openings and our players' seeds.
            begun: the opening moves of both battles; None for random ones.

        Raises:
            EngineMissing: one of the programs cannot be started, or does not play the variant.
        """
        plan, moves = self._plan, begun
        match = Match(plan.variant, plan.names, control=plan.control)
        if moves is None:
            moves = opening(plan.variant, plan.opening, self._random(number, "opening"))
        try:
            await self._battle(match, number, moves)
            match.next_battle()
            await self._battle(match, number, moves)
        except _Fault as fault:
            return MatchResult(number, self._record(match, number), str(fault), fault.player)
        return MatchResult(number, self._record(match, number))

    def _random(self, *parts: object) -> Random:
        return Random(" ".join(map(str, (self._plan.seed, *parts))))

    async def _battle(self, match: Match, number: int, moves: Sequence[Move]) -> None:
        battle, control = match.battle, self._plan.control
        battle.quiet_limit = QUIET_LIMIT
        for move in moves:
            battle.play(move, control.full if control else None)
        for player, engine in enumerate(self._engines):
            engine.new_battle()
            seed = self._random(number, match.number, player).randint(1, 2**31 - 1)
            engine.set_option("Seed", seed)
        ends = dict.fromkeys(Side, False)
        clock = None
        if control:
            for player, engine in enumerate(self._engines):
                with _blaming(player):
                    await engine.start()
            # It runs from the second move on.
            clock = Clock(control, battle.times(control), self.now)
            clock.run(bool(battle.played))
        while battle.outcome is None:
            self._moved(number, match)
            await self._move(match, ends, clock)

    async def _move(self, match: Match, ends: dict[Side, bool], clock: Clock | None) -> None:
        """Play one move; the battle ends if both sides would end it."""
        battle, side = match.battle, match.battle.position.to_move
        player = match.commander(side)
        limits = self._plan.limits
        if clock:
            seconds = time_for_move(clock.control, clock.left(clock.turn))
            limits = limits._replace(seconds=seconds)
        decision = None
        with _blaming(player), suppress(TimeoutError):
            async with asyncio.timeout(clock.seconds_left if clock else None):
                decision = await self._engines[player].decide(battle, limits)
        if decision is None or (clock and clock.up):
            battle.time_up()
            return
        battle.play(decision.move, clock.press() if clock else None)
        ends[side] = decision.ends
        over = all(ends.values()) or battle.played >= MAX_PLIES
        if over and battle.outcome is None:
            battle.agree()

    def _record(self, match: Match, number: int) -> Record:
        # Our own programs by level, others as they report it.
        first, second = (
            engine.own_name or contender.program if contender.foreign else contender.program
            for engine, contender in zip(self._engines, self._plan.contenders, strict=True)
        )
        date = self._plan.date
        record = Record.of(match, event="Arena", date=date, programs=(first, second))
        limits = go_line(self._plan.limits).removeprefix("go").strip()
        tags = {
            "Round": str(number),
            "Limits": limits or "its own",
            "Opening": str(self._plan.opening),
            "Seed": str(self._plan.seed),
        }
        return record._replace(tags=tuple(tags.items()))


class RunningMatch(NamedTuple):
    """The state of a running match."""

    job: int
    number: int
    match: Match


class ArenaCallbacks(NamedTuple):
    """Callbacks for an arena's progress."""

    moved: Callable[[RunningMatch], None]
    finished: Callable[[MatchResult], None]


async def play(plan: Plan, callbacks: ArenaCallbacks) -> None:
    """Play all matches of a plan; on cancellation the programs are ended first.

    A program's fault ends its match, and the next one begins.

    Raises:
        EngineMissing: one of the programs cannot be started, or does not play the variant.
    """
    numbers = iter(range(1, plan.matches + 1))

    async def work(job: int) -> None:
        """Play matches one after the other with one pair of programs."""
        pairing = Pairing(plan, lambda number, at: callbacks.moved(RunningMatch(job, number, at)))
        try:
            for number in numbers:
                callbacks.finished(await pairing.match(number))
        finally:
            await pairing.close()

    tasks = [asyncio.create_task(work(job)) for job in range(min(plan.jobs, plan.matches))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            # A task already cancelled is closing its programs: do not interrupt that.
            if not task.cancelling():
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Tally(NamedTuple):
    """Wins, draws, losses and the mean margin."""

    won: int
    drawn: int
    lost: int
    mean: float
    error: float | None
    """Standard error of the mean; None for fewer than two."""

    @classmethod
    def of(cls, margins: Sequence[float]) -> Tally:
        """Summarize margins."""
        return cls(
            sum(margin > 0 for margin in margins),
            sum(margin == 0 for margin in margins),
            sum(margin < 0 for margin in margins),
            fmean(margins) if margins else 0.0,
            stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else None,
        )


class Tallies(NamedTuple):
    """Tallies of the matches, and of the battles by the first player's side."""

    matches: Tally
    dwarfs: Tally
    trolls: Tally

    @classmethod
    def of(cls, results: Iterable[MatchResult]) -> Tallies:
        """Summarize the finished matches."""
        margins = [battle_margins(each) for each in results if each.record.over]
        return cls(
            Tally.of([sum(both) for both in margins]),
            Tally.of([dwarfs for dwarfs, _ in margins]),
            Tally.of([trolls for _, trolls in margins]),
        )


def lost_on_time(results: Iterable[MatchResult]) -> tuple[int, int]:
    """Return how many battles of finished matches each player has lost on time."""
    late = [0, 0]
    for record in (each.record for each in results if each.record.over):
        for number, battle in enumerate(record.battles, 1):
            for side in Side:
                outcome = battle.outcome
                late[commander_of(side, number)] += bool(outcome and outcome.is_forfeit(side))
    return late[0], late[1]


def battle_margins(result: MatchResult) -> tuple[float, float]:
    """Return the first player's margins in both battles: as dwarfs, then as trolls."""
    both = zip(result.record.points(0), result.record.points(1), strict=True)
    first, second = (own - other for own, other in both)
    return first, second
