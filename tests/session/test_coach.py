"""The coach speaks up once, only where it is asked to, in time or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, legal, open_positions
from sampling import sampled
from session.looking import BLUNDER, HUNG, MISSED, TROLL_BLUNDER, looked, looking
from thud.ai.player import Decision, Limits, Thought
from thud.engines.client import Engine
from thud.engines.faults import EngineIllegal
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.review.judgement import Judgement, grave_loss
from thud.review.notes import with_judgements
from thud.review.reviewer import Judged
from thud.review.sentences import lost_in_words
from thud.review.summary import Progress
from thud.rules.battle import Battle
from thud.rules.geometry import square_name
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.blunders import Best, doubt, loss
from thud.session.cancellation import forever
from thud.session.costliest import LookBack
from thud.session.events import Event, LookedBack, LookingBack, NewMatch, Undo
from thud.session.law import Play
from thud.session.participants import Contenders
from thud.session.session import Session
from thud.words.moves import described
from waiting import until

HUMAN, CPU = parse_contender("human"), parse_contender("random")


@pytest.fixture
def asked() -> Iterator[list[Position]]:
    with looking() as asked:
        yield asked


def coached(contenders: Contenders = (HUMAN, CPU), position: str = MISSED) -> Session:
    variant = VARIANTS["classic"]
    session = Session(Match(variant, ("Ann", "Bob"), variant.position(position)), None, contenders)
    session.advice.coach.on = True
    return session


def move(session: Session, text: str) -> Move:
    return parse_move(session.state.battle.variant, session.state.battle.position, text)


async def test_a_missed_capture_is_told_once(asked: list[Position]) -> None:
    session = coached()
    blunder = move(session, BLUNDER)
    told = await session.check_move(blunder)
    assert told
    assert told.because == "The move from F6 to G7 would capture the troll on G7."
    assert told.instead == move(session, "dF6-G7xG7")
    assert await session.check_move(blunder) is None
    assert await session.check_move(move(session, "dK1-K5")) is not None
    assert not session.state.battle.moves
    await session.request(Play(blunder))
    await session.play_on()
    await session.request(Undo())
    assert await session.check_move(blunder), "the coach looks anew"


async def test_what_is_then_taken_is_told(asked: list[Position]) -> None:
    session = coached((CPU, HUMAN), HUNG)
    told = await session.check_move(move(session, TROLL_BLUNDER))
    assert told
    assert told.because == "The reply: the dwarf is hurled from F7 onto the troll on G8."
    assert await session.check_move(move(session, "TH9-G8xF7")) is None


async def test_only_people_who_want_it_are_coached_and_against_computers_only(
    asked: list[Position],
) -> None:
    among_people, off, watched = coached(None), coached(), coached((CPU, CPU))
    off.advice.coach.on = False
    for session in (among_people, off, watched):
        await session.advice.coach.prepare()
        assert await session.check_move(move(session, BLUNDER)) is None
    assert asked == []


async def test_what_is_best_is_known_before_anything_is_chosen(asked: list[Position]) -> None:
    session = coached()
    await session.play_on()
    start, best = session.state.battle.position, move(session, "dF6-G7xG7")
    assert asked == [start, start.after(best)]
    assert await session.check_move(best) is None
    assert await session.check_move(Move(0, 0)) is None
    assert asked == [start, start.after(best)], "neither the best nor what is refused needs a look"
    assert await session.check_move(move(session, BLUNDER))
    blunder = move(session, BLUNDER)
    assert asked == [start, start.after(best), start.after(blunder)]


@pytest.mark.parametrize("moment", sampled(range(40), 8))
@pytest.mark.parametrize("hinted", [False, True])
@pytest.mark.parametrize("judging", [False, True])
async def test_a_blunder_is_told_at_any_moment_with_every_setting_on(
    judging: bool, hinted: bool, moment: int
) -> None:
    """All share one engine: an evaluation and a hint that never end do not delay the coach."""
    with looking(), pytest.MonkeyPatch.context() as patch:
        look = Engine.decide

        async def decide(engine: Engine, battle: Battle, limits: Limits, **how: Any) -> Decision:
            if limits.nodes is None:
                await forever()
            for _ in range(3):
                await asyncio.sleep(0)
            return await look(engine, battle, limits, **how)

        patch.setattr(Engine, "decide", decide)
        session = coached()
        session.set_computers(coach=True, voices=True, paced=True)
        session.advice.judging = judging
        running = asyncio.create_task(session.run())
        hinting = asyncio.create_task(session.advise()) if hinted else None
        for _ in range(moment):
            await asyncio.sleep(0)
        checking = asyncio.create_task(session.check_move(move(session, BLUNDER)))
        await until(checking.done)
        running.cancel()
        await session.leave()
        await asyncio.wait(filter(None, {running, hinting}))
    assert checking.result()


async def test_each_position_is_evaluated_once_the_coach_has_looked() -> None:
    searches: list[tuple[int, bool]] = []
    with looking(), pytest.MonkeyPatch.context() as patch:
        look = Engine.decide

        async def decide(engine: Engine, battle: Battle, limits: Limits, **how: Any) -> Decision:
            searches.append((session.state.revision, limits.nodes is not None))
            return await look(engine, battle, limits, **how)

        session = coached()
        await session.play_on()
        patch.setattr(Engine, "decide", decide)
        session.advice.judging = True
        running = asyncio.create_task(session.run())
        await until(lambda: (0, False) in searches)
        await session.request(Play(move(session, BLUNDER)))
        await until(lambda: (2, False) in searches)
        running.cancel()
        await asyncio.wait({running})
        await session.leave()
    assert [coach for revision, coach in searches if revision == 2] == [True, True, False]


async def test_a_coach_that_is_late_or_fails_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(*_: object, **__: object) -> Decision:
        raise EngineIllegal("the coach finds no move")

    async def ponder(*_: object, **__: object) -> Decision:
        return await asyncio.Future()

    session = coached()
    monkeypatch.setattr("thud.session.advice.COACH_TIMEOUT", 0)
    for decide in (fail, ponder):
        monkeypatch.setattr(Engine, "decide", decide)
        assert await session.check_move(move(session, BLUNDER)) is None


async def test_a_doubt_that_is_overtaken_is_dropped() -> None:
    gate = asyncio.Event()
    with looking(), pytest.MonkeyPatch.context() as patch:
        decide = Engine.decide

        async def decide_late(*args: object, **how: object) -> Decision:
            await gate.wait()
            return await decide(*args, **how)  # type: ignore[arg-type]

        patch.setattr(Engine, "decide", decide_late)
        patch.setattr("thud.session.advice.COACH_TIMEOUT", 60)
        session = coached()
        weighing = asyncio.create_task(session.check_move(move(session, BLUNDER)))
        await asyncio.sleep(0)
        await session.request(NewMatch())
        gate.set()
        assert await weighing is None


@every_variant
@given(data=st.data())
def test_a_doubt_names_a_legal_move_and_what_it_takes(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(open_positions(variant))
    chosen, best = data.draw(legal(variant, position)), looked(variant, position).move
    after = position.after(chosen)
    if variant.outcome(after):
        return
    good = position.after(best)
    answer = looked(variant, after)
    spared = None if variant.outcome(good) else looked(variant, good)
    found = doubt(variant, position, chosen, Best(best, spared), answer)
    if found is None:
        return
    assert loss(variant, position, chosen, Best(best, spared), answer) >= grave_loss(variant)
    if found.answer:
        assert variant.is_legal(after, found.answer)
        assert described(variant, after, found.answer) in found.because
        assert found.answer.captures or "wins" in found.because
    else:
        assert found.instead
        assert variant.is_legal(position, found.instead)
        origin, destination = map(square_name, found.instead[:2])
        assert f"from {origin} to {destination} would" in found.because
        assert found.instead.captures or "win" in found.because


def test_a_look_that_sees_nothing_ahead_is_not_believed() -> None:
    classic = VARIANTS["classic"]
    here = classic.legal_moves(classic.start)[0]
    there = classic.legal_moves(classic.start.after(here))[0]
    shallow, deep = (Thought(depth, 0, 1, 0.0, (there,)) for depth in (1, 3))
    best = Best(here, Decision(there, deep))

    def lost(answer: Decision) -> int:
        return loss(classic, classic.start, here, best, answer)

    assert lost(Decision(there, shallow._replace(score=900))) == 0
    assert lost(Decision(there, deep._replace(score=900))) == 900
    assert lost(Decision(there)) == 0


def test_a_reply_that_ends_the_battle_is_believed_at_any_depth() -> None:
    classic = VARIANTS["classic"]
    position = classic.position("5/7/9/11/13/4dd9/8T6/7R7/15/11d3/13/11/9/7/5 T")
    chosen, good = (parse_move(classic, position, each) for each in ("TJ7-H6", "TJ7-K8"))
    spared, answer = (looked(classic, position.after(each)) for each in (good, chosen))
    answer = answer._replace(thought=Thought(1, 300, 1, 0.0, (answer.move,)))
    blunder = doubt(classic, position, chosen, Best(good, spared), answer)
    assert blunder
    assert "wins at once" in blunder.because


def test_a_move_that_ends_a_battle_for_points_is_worth_these_points() -> None:
    classic = VARIANTS["classic"]
    position = classic.position("5/7/9/11/13/15/15/7R7/15/15/5dT6/5d5/9/7/5 d")
    ends = next(each for each in classic.legal_moves(position) if each.captures)
    other = Move(0, 1)
    answer = Decision(other, Thought(3, 150, 1, 0.0, (other,)))
    assert loss(classic, position, other, Best(ends, None), answer) == 200 + 150


@pytest.mark.parametrize(
    ("depth", "lost", "doubted"), [(3, 400, True), (4, 400, False), (4, 600, True)]
)
def test_looks_that_see_unequally_far_have_to_differ_by_more(
    depth: int, lost: int, doubted: bool
) -> None:
    session = coached()
    chosen, good = move(session, BLUNDER), move(session, "dF6-G7xG7")
    variant, position = session.state.battle.variant, session.state.battle.position
    spared, answer = (looked(variant, position.after(each)) for each in (good, chosen))
    assert spared.thought
    worse = spared.thought._replace(depth=depth, score=spared.thought.score + lost)
    found = doubt(variant, position, chosen, Best(good, spared), answer._replace(thought=worse))
    assert bool(found) is doubted


async def test_the_answer_is_looked_at_as_far_as_that_to_the_best() -> None:
    depths: list[int | None] = []
    with looking(), pytest.MonkeyPatch.context() as patch:
        decide = Engine.decide

        async def decide_and_tell(
            engine: Engine, battle: Battle, limits: Limits, **how: Any
        ) -> Decision:
            depths.append(limits.depth)
            return await decide(engine, battle, limits, **how)

        patch.setattr(Engine, "decide", decide_and_tell)
        session = coached()
        assert await session.check_move(move(session, BLUNDER))
    assert depths == [None, None, 3]


def finished_match(session: Session) -> None:
    """Play a blunder, and end both battles."""
    battle = session.state.match.battle
    battle.play(move(session, BLUNDER))
    battle.play(battle.variant.legal_moves(battle.position)[0])
    battle.agree()
    session.state.match.next_battle()
    session.state.match.battle.agree()


async def test_the_costliest_move_is_told_when_the_match_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.review.reviewer.LOOK", Limits(nodes=4_000))
    session = coached()
    events: list[Event] = []
    session.subscribe(events.append)
    finished_match(session)
    for _ in range(2):
        await session.advice.coach.prepare()
    words = [event.words for event in events if isinstance(event, LookingBack)]
    assert words[0] == "Looking for your costliest move: 0 of 1 move judged."
    (looked_back,) = [event for event in events if isinstance(event, LookedBack)]
    told = looked_back.words
    assert looked_back.accuracy.endswith("but so few moves say little.")
    assert told.startswith(f"Your costliest move: turn 1, {BLUNDER}, in battle 1. Cost")
    assert "Better: dF6-G7xG7." in told
    judged = Progress(session.record).at(1, 0)
    assert judged
    lost = lost_in_words(session.state.match.variant, judged)
    assert f" in battle 1. {lost}" in told, "the review says the same"
    await session.leave()


async def test_what_there_was_no_time_to_judge_is_for_the_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.session.advice.AWAITED_SECONDS", 0)
    session = coached()
    events: list[Event] = []
    session.subscribe(events.append)
    finished_match(session)
    await session.advice.coach.prepare(awaited=True)
    await session.leave()
    told = "No mistake found among your moves so far. The review judges the rest."
    assert LookedBack(told) in events


async def test_what_was_found_holds_only_for_the_battle_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thud.review.reviewer.LOOK", Limits(nodes=4_000))
    session = coached()
    finished_match(session)
    coach = session.advice.coach
    await coach.prepare()
    assert coach.costliest == (1, 0)
    battle = session.state.match.battle
    battle.undo()
    battle.play(battle.variant.legal_moves(battle.position)[0])
    battle.agree()
    assert coach.costliest is None
    await session.request(NewMatch())
    assert coach.costliest is None
    await session.leave()


async def test_a_match_that_cannot_be_saved_is_not_looked_back_at() -> None:
    session, events = coached(), list[Event]()
    session.subscribe(events.append)
    finished_match(session)
    session.autosave.complaint = "the disk is full"
    await session.advice.coach.prepare()
    assert events == [], "the complaint stays where it is"
    await session.leave()


async def test_a_review_stops_the_search_and_what_it_finds_is_told_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = asyncio.Event()

    async def judge_battle(*_: object, **__: object) -> None:
        asked.set()
        await forever()

    monkeypatch.setattr("thud.session.costliest.judge_battle", judge_battle)
    session = coached()
    events: list[Event] = []
    session.subscribe(events.append)
    finished_match(session)
    running = asyncio.create_task(session.run())
    await asked.wait()
    await session.advice.begin_review()
    before = session.record
    noted = with_judgements(before, 1, {0: Judgement(0, 0)})
    session.autosave.annotate(before, noted)
    assert not any(isinstance(event, LookedBack) for event in events)
    session.advice.end_review()
    told = "The review finds no mistake among your moves."
    await until(lambda: any(isinstance(each, LookedBack) and each.words == told for each in events))
    running.cancel()
    await session.leave()


async def test_what_seems_to_have_cost_most_is_judged_first_and_named_once_that_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, asked, told = Match(VARIANTS["classic"]), list[tuple[int, list[int]]](), list[str]()
    for moves in (["dF1-F5", "TG7-F6"], ["dF1-F5", "TG7-F6", "dG1-G5", "TF6-G6xF5xG5"]):
        for text in moves:
            match.battle.play(parse_move(match.variant, match.battle.position, text))
        match.battle.agree()
        if match.number == 1:
            match.next_battle()
    better = parse_move(match.variant, match.battles[1].positions[2], "dJ1-J5")
    costs = {(1, 1): Judgement(0, 0), (2, 0): Judgement(0, 0), (2, 2): Judgement(-800, 0, better)}

    async def judge_battle(
        _: object,
        number: int,
        plies: list[int],
        analyst: object,
        tell: Callable[[Judged], None],
        *,
        limits: Limits | None,
    ) -> None:
        if limits is None:
            asked.append((number, plies))
        for ply in plies:
            tell(Judged(ply, costs[number, ply]))

    monkeypatch.setattr("thud.session.costliest.judge_battle", judge_battle)
    monkeypatch.setattr("thud.session.costliest.processors", lambda: -1)
    looking = LookBack(Record.of(match), 1)
    looking.progress.add(1, 1, Judgement(800, 0, better))
    assert looking.report() == "Looking for your costliest move: 1 of 3 moves judged."
    looking = LookBack(Record.of(match), 1)
    await looking.judge(60, lambda: told.append(looking.report()))
    assert asked[0] == (2, [2])
    assert sorted(asked[1:]) == [(1, [1]), (2, [0])]
    assert all(
        each.startswith("Your costliest move: turn 2, dG1-G5, in battle 2. ") for each in told
    )
    assert told[0].endswith(" Better: dJ1-J5. 1 of 3 moves judged.")
    assert looking.accuracy()
