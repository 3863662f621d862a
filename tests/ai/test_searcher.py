"""The contract of searchers, compiled or by the rules, and that players rely on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import count, islice, pairwise, product
from typing import TypeAlias

import pytest

from ai.valley_positions import crowds
from ai.wandering import endgames, wander, wanderings
from thud.ai.by_rules import RulesSearcher
from thud.ai.core import CoreSearcher, knows, searcher_for
from thud.ai.level_player import LevelPlayer
from thud.ai.player import Limits, Report, Stop, Thought, since_capture
from thud.ai.searcher import Found, Searcher
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import EYRIE, SKIRMISH
from variants import every_quick

CLASSIC = VARIANTS["classic"]
Maker: TypeAlias = Callable[[Variant, int], Searcher]

POLL = 128
"""Nodes between two looks at the limits."""

SEARCHERS: dict[str, tuple[Variant, Maker]] = {
    **{name: (variant, searcher_for) for name, variant in VARIANTS.items()},
    **{f"{name} by rules": (variant, RulesSearcher) for name, variant in VARIANTS.items()},
    **{variant.name: (variant, searcher_for) for variant in (SKIRMISH, EYRIE)},
}
EVERY_SEARCHER = pytest.mark.parametrize(
    ("variant", "make"), SEARCHERS.values(), ids=SEARCHERS.keys()
)


def some(variant: Variant, count: int) -> list[Position]:
    return list(islice(wanderings(variant, count), count))


def answer(
    searcher: Searcher,
    position: Position,
    limits: Limits,
    without: Collection[Move] = (),
    lines: int = 1,
) -> tuple[Found, list[Thought]]:
    """Return what is found and told, without the time it took."""
    told = list[Thought]()
    found = searcher.search([position], limits, report=told.append, without=without, lines=lines)
    untimed = found._replace(thought=found.thought._replace(seconds=0))
    return untimed, [thought._replace(seconds=0) for thought in told]


@EVERY_SEARCHER
def test_every_legal_move_is_found_once(variant: Variant, make: Maker) -> None:
    """Asked again without those found so far, until none is left."""
    searcher = make(variant, 1)
    for position in some(variant, 3):
        legal, seen = set(variant.legal_moves(position)), list[Move]()
        while len(seen) < len(legal):
            found, told = answer(searcher, position, Limits(depth=1), seen, 500)
            assert [thought.rank for thought in told] == [*range(1, len(told) + 1)]
            assert told[0].line == found.thought.line
            seen += [thought.line[0] for thought in told]
        assert len(seen) == len(legal)
        assert set(seen) == legal


@pytest.mark.slow
@every_quick
def test_the_compiled_search_leaves_out_only_captures_that_others_contain(
    variant: Variant, full: bool
) -> None:
    searcher, left_out = CoreSearcher(variant, None), 0
    if variant.counts_points:
        crowded = wanderings(variant, 60 if full else 3)
    else:
        crowded = islice(crowds(variant), 0, None, 1 if full else 40)
    for position in crowded:
        legal = set(variant.legal_moves(position))
        if variant.outcome(position) or len(legal) >= 500:
            continue
        _, told = answer(searcher, position, Limits(depth=1), lines=500)
        listed = {thought.line[0] for thought in told}
        assert len(told) == len(listed) < 500
        assert listed <= legal
        for move in legal - listed:
            larger = {each for each in listed if each[:2] == move[:2]}
            assert any(each.captures & move.captures == move.captures for each in larger)
            left_out += 1
    assert left_out or variant.name == "football"


@EVERY_SEARCHER
def test_what_is_found_does_not_depend_on_what_was_asked_before(
    variant: Variant, make: Maker, full: bool
) -> None:
    positions = some(variant, 2)
    for limits in (Limits(nodes=400), Limits(depth=2 if full else 1)):
        asked = [answer(make(variant, 1), position, limits) for position in positions]
        searcher = make(variant, 1)
        again = [answer(searcher, position, limits) for position in positions[::-1]]
        assert asked == again[::-1]


@EVERY_SEARCHER
def test_it_keeps_to_its_nodes(variant: Variant, make: Maker, full: bool) -> None:
    for position, nodes in product(some(variant, 2), (0, 1, 30, 700, *[3000] * full)):
        for lines in (1, 3):
            found, _ = answer(make(variant, 1), position, Limits(nodes=nodes), lines=lines)
            assert found.thought.nodes <= nodes + POLL
            variant.check(position, found.move)


@EVERY_SEARCHER
def test_it_stops_when_told_to_and_still_has_a_move(variant: Variant, make: Maker) -> None:
    for patience, lines in product((0, 3), (1, 3)):
        asked, told = count(), list[Thought]()
        found = make(variant, 1).search(
            [variant.start],
            Limits(),
            lambda asked=asked, patience=patience: next(asked) >= patience,  # type: ignore[misc]
            told.append,
            lines=lines,
        )
        assert next(asked) == patience + 1
        variant.check(variant.start, found.move)
        assert told or lines == 1


@EVERY_SEARCHER
def test_every_depth_is_told_and_its_line_can_be_played(variant: Variant, make: Maker) -> None:
    positions = [*islice(endgames(variant, 9), 3), wander(variant, 3, 20)[-1]]
    for position in (each for each in positions if not variant.outcome(each)):
        found, told = answer(make(variant, 1), position, Limits(depth=2))
        assert told[-1].line == found.thought.line
        depths = [thought.depth for thought in told]
        assert depths == sorted(depths)
        assert {*depths} == {*range(1, found.thought.depth + 1)}
        for thought in told:
            battle = Battle(variant, position)
            for move in thought.line:
                battle.play(move)


@EVERY_SEARCHER
def test_each_of_several_lines_begins_with_another_move(variant: Variant, make: Maker) -> None:
    searcher = make(variant, 1)
    found, told = answer(searcher, variant.start, Limits(depth=2), lines=3)
    assert [(thought.depth, thought.rank) for thought in told] == [
        (depth, rank) for depth in (1, 2) for rank in (1, 2, 3)
    ]
    assert found.thought == told[3]
    for each in (told[:3], told[3:]):
        assert len({thought.line[0] for thought in each}) == 3
        assert [thought.nodes for thought in each] == sorted(thought.nodes for thought in each)
    for thought in told:
        battle = Battle(variant)
        for move in thought.line:
            battle.play(move)
    alone, _ = answer(searcher, variant.start, Limits(depth=2))
    assert alone.thought[:2] == found.thought[:2]
    assert alone.thought.line == found.thought.line


@EVERY_SEARCHER
def test_lines_are_told_together_and_the_best_first(
    variant: Variant, make: Maker, full: bool
) -> None:
    """So whatever ends the search, each line is worth at most what the one before it is."""
    for position, nodes in product(some(variant, 20 if full else 3), (30, 300, 3000)):
        found, told = answer(make(variant, 1), position, Limits(nodes=nodes), lines=3)
        assert found.thought == [thought for thought in told if thought.rank == 1][-1]
        for one, other in pairwise(told):
            if other.rank > 1:
                assert (other.rank, other.depth) == (one.rank + 1, one.depth)
                assert other.score <= one.score


HARD = (
    Limits(depth=0, nodes=200),
    Limits(depth=-1, nodes=200),
    Limits(depth=2**40, nodes=200),
    Limits(nodes=0),
    Limits(nodes=-(2**70)),
    Limits(nodes=2**63, depth=1),
    Limits(nodes=2**70, depth=1),
    Limits(seconds=0),
    Limits(seconds=-1),
    Limits(seconds=1e300, depth=1),
)


@EVERY_SEARCHER
def test_limits_may_be_extreme(variant: Variant, make: Maker) -> None:
    for limits in HARD:
        found, _ = answer(make(variant, 1), variant.start, limits)
        variant.check(variant.start, found.move)


@pytest.mark.parametrize(
    ("variant", "make"),
    [pair for pair in SEARCHERS.values() if pair[0].counts_points],
    ids=[name for name, (variant, _) in SEARCHERS.items() if variant.counts_points],
)
def test_a_glance_is_enough_to_be_sure(variant: Variant, make: Maker) -> None:
    """With few pieces left, as when a battle that is won by points is to be ended."""
    searcher = make(variant, 1)
    for position in endgames(variant, 3):
        assert not searcher.search([position], Limits(depth=1)).sure
        assert searcher.search([position], Limits(nodes=5_000, depth=3)).sure


def test_by_the_rules_alone_what_stands_in_classic_is_its_margin() -> None:
    searcher = RulesSearcher(CLASSIC, 1)
    for position in wanderings(CLASSIC, 4):
        found = searcher.search([position], Limits(nodes=1))
        sign = 1 if position.to_move is Side.DWARFS else -1
        assert found.standing == sign * 100 * CLASSIC.lead(position)


def test_who_is_compiled(skirmish: Variant) -> None:
    for variant in VARIANTS.values():
        kind = CoreSearcher if knows(variant) else RulesSearcher
        assert type(searcher_for(variant, 1)) is kind
    assert not knows(skirmish)


class Told:
    """A searcher with a preset result."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.asked: list[Limits] = []

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
        lines: int = 1,
    ) -> Found:
        self.asked.append(limits)
        if report:
            report(self.found.thought)
        return self.found


QUIET = [CLASSIC.start, CLASSIC.start._replace(to_move=Side.TROLLS)] * 60 + [CLASSIC.start]
MOVE, CAPTURE = Move(5, 20), Move(5, 20, 1)


def found(score: int = 0, line: tuple[Move, ...] = (MOVE,), *, sure: bool = True) -> Found:
    return Found(Thought(3, score, 9, 0.1, line), 0, sure)


@pytest.mark.parametrize(
    ("told", "positions", "ends"),
    [
        (found(), QUIET, True),
        (found(), QUIET[-4:], False),
        (found(), QUIET[-5:], True),
        (found(99), QUIET, True),
        (found(100), QUIET, False),
        (found(-100), QUIET, False),
        (found(line=(MOVE, CAPTURE)), QUIET, False),
        (found(sure=False), QUIET, False),
    ],
)
def test_a_thinker_plays_and_ends_by_what_any_searcher_finds(
    told: Found, positions: list[Position], ends: bool
) -> None:
    thoughts: list[Thought] = []
    thinker = Thinker(CLASSIC, searcher=Told(told))
    decision = thinker.decide(positions, report=thoughts.append)
    assert (decision.move, decision.thought, decision.ends) == (MOVE, told.thought, ends)
    assert thoughts == [told.thought]


def test_where_a_position_keeps_coming_back_something_else_is_tried() -> None:
    tried, other = CLASSIC.legal_moves(CLASSIC.start)[:2]
    back = CLASSIC.start.after(tried)
    expects = Told(found(300, (tried,)))
    asked, limited = list[Collection[Move]](), list[Limits]()

    def search(
        _: object, limits: Limits, *__: object, without: Collection[Move] = (), **___: object
    ) -> Found:
        asked.append(without)
        limited.append(limits)
        return found(250 if without else 300, (other if without else tried,))

    expects.search = search  # type: ignore[method-assign, assignment]
    thinker = Thinker(CLASSIC, searcher=expects)
    moves = [CLASSIC.start, back] * 2 + [CLASSIC.start]
    assert thinker.decide(moves, Limits(nodes=5)).move == other
    assert limited == [Limits(nodes=5), Limits(nodes=9)], "not by the time that was taken"
    assert [set(each) for each in asked] == [set(), {tried}]
    assert thinker.decide([CLASSIC.start, back, CLASSIC.start]).move == tried, "not calm yet"


@pytest.mark.parametrize("level", [None, 12])
def test_trying_something_else_takes_no_more_time_than_is_given(
    level: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, other = CLASSIC.legal_moves(CLASSIC.start)[:2]
    taken: list[float] = []

    def search(
        self: Thinker,
        positions: Sequence[Position],
        limits: Limits,
        *,
        without: Collection[Move] = (),
        **_: object,
    ) -> Found:
        taken.append(limits.seconds or 0.0)
        thought = found(300, (other if tried in without else tried,)).thought
        return Found(thought._replace(seconds=taken[-1]), 0, True)

    monkeypatch.setattr(Thinker, "search", search)
    player = LevelPlayer(CLASSIC, level) if level else Thinker(CLASSIC)
    back = CLASSIC.start.after(tried)
    assert player.decide([CLASSIC.start, back] * 2 + [CLASSIC.start], Limits(4.0)).move == other
    assert len(taken) == 2
    assert sum(taken) <= 4.0
    taken.clear()
    player.decide([CLASSIC.start, back, CLASSIC.start], Limits(4.0))
    assert taken == [4.0]


def test_who_is_not_sure_looks_again() -> None:
    searcher = Told(found(sure=False))
    Thinker(CLASSIC, searcher=searcher).decide(QUIET, Limits(nodes=7))
    assert searcher.asked[0] == Limits(nodes=7)
    assert len(searcher.asked) == 2


def test_what_came_since_the_last_capture() -> None:
    fewer = CLASSIC.start._replace(dwarfs=CLASSIC.start.dwarfs & CLASSIC.start.dwarfs - 1)
    assert list(since_capture([CLASSIC.start, fewer, fewer])) == [fewer, fewer]
    assert list(since_capture(QUIET)) == QUIET
