"""Judging moves: the best are not marked, losing ones are, and nothing is left running."""

import asyncio
from random import Random
from typing import Any

import pytest

from review.judging import Thinking, battle_of, judged, random_battle
from rules.strategies import every_variant
from thud.ai.player import Decision, Limits
from thud.ai.scores import GOAL
from thud.ai.thinker import Thinker
from thud.engines.analyst import Analyst
from thud.engines.faults import EngineFault, EngineMissing
from thud.records.record import Record
from thud.review.judgement import Judgement, Mark, chance, given_away, mark_of
from thud.review.reviewer import Judged, Reviewer, judge_battle
from thud.review.summary import marked
from thud.rules.battle import Battle
from thud.rules.match import Handicap, Match, starts_at
from thud.rules.notation import move_text
from thud.rules.position import Position, Side
from thud.rules.variant import Forfeit, Reason, Variant
from thud.rules.variants import VARIANTS

CLASSIC, KOOM = VARIANTS["classic"], VARIANTS["koom"]

HURLED = "5/7/9/11/13/15/6T8/7R7/4d10/3d11/2d10/11/9/7/5 d"
"""Three dwarfs in a line aim at a troll that stands alone."""

ALMOST = "5/2dR3/4TT3/4d6/13/8T6/15/15/15/15/13/11/9/7/5 d"
"""The stone is a square away from the far side, and a third troll comes."""


@every_variant
async def test_every_move_is_judged_once(variant: Variant) -> None:
    battle = random_battle(variant, 5, 8)
    analyst = Thinking(variant)
    found = await judged(battle, analyst)
    assert sorted(found) == list(range(len(battle.moves)))
    looks = [(played, limits) for played, then, limits in analyst.asked if not then]
    assert len(looks) == len(set(looks))


async def test_the_best_move_costs_nothing_and_a_missed_capture_much() -> None:
    start = Position.from_text(HURLED)
    best = Thinker(CLASSIC, 1).decide([start], Limits(nodes=300)).move
    assert best.captures
    text = move_text(start, best)
    fine = (await judged(battle_of(CLASSIC, text, start=start), Thinking(CLASSIC)))[0]
    assert fine == Judgement(fine.expected, fine.expected)
    poor = battle_of(CLASSIC, "dE9-A9", start=start)
    missed = (await judged(poor, Thinking(CLASSIC)))[0]
    assert missed.best == best
    assert mark_of(CLASSIC, start, missed) is Mark.BLUNDER
    assert missed.line or CLASSIC.outcome(start.after(best))


async def test_where_the_reply_ends_the_battle_the_better_move_is_searched_in_full() -> None:
    start = Position.from_text("5/7/9/11/13/4dd9/8T6/7R7/15/11d3/13/11/9/7/5 T")
    analyst = Thinking(CLASSIC)
    found = (await judged(battle_of(CLASSIC, "TJ7-H6", start=start), analyst))[0]
    assert found.expected == 300
    depths = {limits.depth for _, then, limits in analyst.asked if then == found.best}
    assert depths == {None}


async def test_a_move_is_not_marked_for_what_scores_of_open_battles_are_worth_on_average() -> None:
    """The better move ends the battle within what is searched, the one played some moves later."""
    rows = "5/d1d4/2d6/dddddd5/dddddd1d5/2dd1d1dd6/1ddd1d9/1Td3dR7/7T7/15/13/11/9/7/5 d"
    battle = battle_of(CLASSIC, "dG8-H9xH9", start=Position.from_text(rows))
    found = (await judged(battle, Thinking(CLASSIC), 1_000))[0]
    assert not mark_of(CLASSIC, battle.positions[0], found)


async def test_a_move_that_wins_at_once_is_expected_to_have_won() -> None:
    start = Position.from_text(ALMOST)
    won = Thinker(KOOM, 1).decide([start], Limits(nodes=300)).move
    battle = battle_of(KOOM, move_text(start, won), start=start)
    assert battle.outcome
    assert (await judged(battle, Thinking(KOOM)))[0] == Judgement(GOAL, GOAL)
    idle = battle_of(KOOM, "dG4-G7", start=start)
    missed = (await judged(idle, Thinking(KOOM)))[0]
    assert missed.best
    assert KOOM.decided(start.after(missed.best))
    assert missed.promised == GOAL
    lost = given_away(KOOM, start, missed)
    assert lost == pytest.approx(1 - chance(KOOM, missed.expected))


async def test_whoever_gives_the_other_side_its_win_blunders_however_lost_the_battle_was() -> None:
    rows = "3TT/7/T8/6T4/13/d14/10d4/8TT1d3/8R6/15/13/11/3d1T3/1d2d2/1d3 d"
    battle = battle_of(KOOM, "dJ14-M11", start=Position.from_text(rows))
    told: list[Judged] = []
    await Reviewer(battle, Thinking(KOOM), Limits(nodes=2_000)).judge_all([0], told.append)
    found = marked(KOOM, 0, battle.positions[0], battle.moves[0], told[0].judgement)
    assert found.mark is Mark.BLUNDER
    assert found.cost == 0


async def test_a_choice_that_comes_back_is_held_against_nobody_twice() -> None:
    start = Position.from_text(HURLED)
    there_and_back = ["dE9-A9", "TG7-G6", "dA9-E9", "TG6-G7"]
    found = await judged(battle_of(CLASSIC, *there_and_back * 2, start=start), Thinking(CLASSIC))
    assert mark_of(CLASSIC, start, found[0])
    assert not mark_of(CLASSIC, start, found[4])


class _Failing(Thinking):
    """An analyst that fails at the third search."""

    async def analyse(self, *args: Any, **kwargs: Any) -> Decision:
        if len(self.asked) == 2:
            raise EngineMissing("gone")
        return await super().analyse(*args, **kwargs)


async def test_a_fault_ends_everything_and_what_was_judged_has_been_told() -> None:
    battle = random_battle(CLASSIC, 2, 6)
    with pytest.raises(EngineFault, match="gone"):
        await judged(battle, _Failing(CLASSIC))
    assert _others() == []


async def test_it_can_be_cancelled_at_any_time() -> None:
    battle, told = random_battle(CLASSIC, 2, 12), list[Judged]()
    enough = asyncio.Event()

    def tell(news: Judged) -> None:
        told.append(news)
        if len(told) == 3:
            enough.set()

    reviewer = Reviewer(battle, Thinking(CLASSIC), Limits(nodes=50))
    work = asyncio.create_task(reviewer.judge_all(range(12), tell))
    await enough.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    number = len(told)
    await asyncio.sleep(0)
    assert len(told) == number < 12
    assert _others() == []


async def test_processes_judge_as_one_would_here() -> None:
    battle = random_battle(KOOM, 8, 3)
    async with Analyst(2) as analyst:
        found = await judged(battle, analyst)
    assert found == await judged(battle, Thinking(KOOM))


async def test_the_second_battle_of_a_match_with_a_handicap_is_judged_from_its_own_start() -> None:
    match, random = Match(CLASSIC, ("Ann", "Bob"), *starts_at(CLASSIC, Handicap(1, 3))), Random(1)
    match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    match.next_battle()
    while match.battle.played < 4:
        match.battle.play(random.choice(CLASSIC.legal_moves(match.battle.position)))
    analyst, told = _Watching(CLASSIC), list[Judged]()
    await judge_battle(Record.of(match), 2, range(4), analyst, told.append, limits=Limits(nodes=50))
    assert sorted(each.ply for each in told) == list(range(4))
    assert analyst.starts == {match.starts[1]}


class _Watching(Thinking):
    """An analyst that notes from what starts the battles are that it is asked of."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.starts = set[Position]()

    async def analyse(self, battle: Battle, *args: Any, **options: Any) -> Decision:
        self.starts.add(battle.start)
        return await super().analyse(battle, *args, **options)


def _others() -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


def test_a_battle_without_moves_has_nothing_to_judge() -> None:
    assert asyncio.run(judged(Battle(CLASSIC), Thinking(CLASSIC))) == {}
