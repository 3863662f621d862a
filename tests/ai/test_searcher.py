"""The contract between players and searchers, and that players rely on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

import pytest

from ai.wandering import endgames, wanderings
from thud.ai.by_rules import RulesSearcher
from thud.ai.games import game_for, searcher_for
from thud.ai.player import Limits, Report, Stop, Thought
from thud.ai.searcher import Found, Ranked, Searcher, since_capture
from thud.ai.thinker import Thinker
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import SKIRMISH
from variants import every_quick

CLASSIC = VARIANTS["classic"]
Maker: TypeAlias = Callable[[Variant, int], Searcher]

pytestmark = pytest.mark.usefixtures("each_search")

SEARCHERS: dict[str, tuple[Variant, Maker]] = {
    **{name: (variant, searcher_for) for name, variant in VARIANTS.items()},
    **{f"{name} by rules": (variant, RulesSearcher) for name, variant in VARIANTS.items()},
    "skirmish": (SKIRMISH, searcher_for),
}
EVERY_SEARCHER = pytest.mark.parametrize(
    ("variant", "make"), SEARCHERS.values(), ids=SEARCHERS.keys()
)


@EVERY_SEARCHER
def test_every_root_move_is_legal_and_ranked_once(variant: Variant, make: Maker) -> None:
    searcher = make(variant, 1)
    for position in list(wanderings(variant, 4))[:4]:
        found = searcher.search([position], Limits(depth=1))
        moves = [ranked.move for ranked in found.ranked]
        assert len(moves) == len(set(moves))
        assert set(moves) <= set(variant.legal_moves(position))
        best = found.ranked[0]
        assert (best.move, best.score) == (found.move, found.thought.score)
        assert [r.worth for r in found.ranked] == sorted(r.worth for r in found.ranked)[::-1]
        assert not found.sure


@EVERY_SEARCHER
def test_what_is_found_does_not_depend_on_what_was_asked_before(
    variant: Variant, make: Maker
) -> None:
    searcher = make(variant, 1)
    for position in list(wanderings(variant, 2))[:2]:
        first, again = (searcher.search([position], Limits(nodes=400)) for _ in range(2))
        untimed = [found.thought._replace(seconds=0) for found in (first, again)]
        assert untimed[0] == untimed[1]
        assert first.ranked == again.ranked


@every_quick
def test_a_move_is_found_among_those_that_the_game_does_not_list(variant: Variant) -> None:
    searcher, tried = searcher_for(variant, 1), 0
    for position in wanderings(variant, 12):
        listed = {each.move for each in searcher.search([position], Limits(nodes=1)).ranked}
        others = set(variant.legal_moves(position)) - listed
        if others:
            tried += 1
            found = searcher.search([position], Limits(nodes=50), without=listed)
            assert found.move in others
            assert {ranked.move for ranked in found.ranked} == others
        if tried == 2:
            break
    assert tried or variant.name == "football"


@pytest.mark.parametrize(
    ("variant", "make"),
    [pair for pair in SEARCHERS.values() if pair[0].worth],
    ids=[name for name, (variant, _) in SEARCHERS.items() if variant.worth],
)
def test_a_glance_is_enough_to_be_sure(variant: Variant, make: Maker) -> None:
    searcher = make(variant, 1)
    """With few pieces left, as when a battle that is won by points is to be ended."""
    for position in endgames(variant, 3):
        assert searcher.search([position], Limits(nodes=5_000, depth=3)).sure


def test_what_stands_in_classic_is_its_margin() -> None:
    for searcher in (searcher_for(CLASSIC, 1), RulesSearcher(CLASSIC, 1)):
        for position in list(wanderings(CLASSIC, 4)):
            found = searcher.search([position], Limits(nodes=1))
            sign = 1 if position.to_move is Side.DWARFS else -1
            assert found.standing == sign * 100 * CLASSIC.lead(position)


def test_a_variant_that_is_not_made_quick_is_searched_through_its_rules() -> None:
    assert isinstance(searcher_for(SKIRMISH, 1), RulesSearcher)
    with pytest.raises(ValueError, match="Skirmish has no quick form"):
        game_for(SKIRMISH, Side.DWARFS)


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
    ) -> Found:
        self.asked.append(limits)
        if report:
            report(self.found.thought)
        return self.found


QUIET = [CLASSIC.start, CLASSIC.start._replace(to_move=Side.TROLLS)] * 60 + [CLASSIC.start]
MOVE, CAPTURE = Move(5, 20), Move(5, 20, 1)


def found(score: int = 0, line: tuple[Move, ...] = (MOVE,), *, sure: bool = True) -> Found:
    return Found(Thought(3, score, 9, 0.1, line), (Ranked(MOVE, score, score),), 0, sure)


@pytest.mark.parametrize(
    ("told", "positions", "ends"),
    [
        (found(), QUIET, True),
        (found(), QUIET[-50:], False),
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


def test_who_is_not_sure_looks_again() -> None:
    searcher = Told(found(sure=False))
    Thinker(CLASSIC, searcher=searcher).decide(QUIET, Limits(nodes=7))
    assert searcher.asked[0] == Limits(nodes=7)
    assert len(searcher.asked) == 2


def test_what_came_since_the_last_capture() -> None:
    fewer = CLASSIC.start._replace(dwarfs=CLASSIC.start.dwarfs & CLASSIC.start.dwarfs - 1)
    assert list(since_capture([CLASSIC.start, fewer, fewer])) == [fewer, fewer]
    assert list(since_capture(QUIET)) == QUIET
