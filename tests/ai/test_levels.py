"""The levels play whole battles legally, reproducibly and to the end."""

from itertools import pairwise
from math import inf

import pytest

from ai.wandering import wander, wanderings
from thud.ai.level_player import LevelPlayer
from thud.ai.levels import LEVELS, LevelStrength, strength
from thud.ai.player import Limits, Thought
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import EYRIE, SKIRMISH

EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
FAST = Limits(nodes=64)


def played(variant: Variant, seed: int, levels: tuple[int, int]) -> Battle:
    """Play a battle between two levels; `play` rejects illegal moves."""
    battle = Battle(variant, quiet_limit=60)
    players = {
        side: LevelPlayer(variant, level, seed + place)
        for place, (side, level) in enumerate(zip(Side, levels, strict=True))
    }
    while battle.outcome is None:
        player = players[battle.position.to_move]
        battle.play(player.decide(battle.positions, FAST).move)
    return battle


@pytest.mark.parametrize("variant", [*VARIANTS.values(), SKIRMISH, EYRIE], ids=lambda v: v.name)
def test_a_battle_is_legal_and_ends(variant: Variant) -> None:
    assert played(variant, 1, (5, 2)).outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("quarter", range(4))
@EVERY_VARIANT
def test_two_hundred_battles_are_legal_and_end(variant: Variant, quarter: int) -> None:
    for seed in range(50 * quarter, 50 * (quarter + 1)):
        levels = 1 + seed % 7, 1 + seed // 7 % 7
        assert played(variant, seed, levels).outcome is not None


@EVERY_VARIANT
def test_a_seed_repeats_what_is_played(variant: Variant) -> None:
    for level in (1, 4, 7):
        moves = []
        for _ in range(2):
            player = LevelPlayer(variant, level, 7)
            positions = [variant.start]
            for _ in range(4):
                move = player.decide(positions, FAST).move
                positions.append(positions[-1].after(move))
            moves.append(positions)
        assert moves[0] == moves[1]


def test_what_it_plays_does_not_depend_on_what_it_was_asked_before() -> None:
    variant = VARIANTS["classic"]
    fresh, asked = LevelPlayer(variant, 4, 7), LevelPlayer(variant, 4, 7)
    positions = wander(variant, 1, 21)
    asked.decide(positions[:11], FAST)
    assert asked.decide(positions, FAST).move == fresh.decide(positions, FAST).move


@EVERY_VARIANT
def test_every_level_decides_legally_anywhere(variant: Variant) -> None:
    for player in (LevelPlayer(variant, level, 1) for level in LEVELS):
        for position in list(wanderings(variant, 4))[:4]:
            assert variant.is_legal(position, player.decide([position], FAST).move)


def sharpness(strength: LevelStrength) -> tuple[float, float]:
    """Return the positions that limit a move, 1 for its own moves alone, and the share seen."""
    reach = 1 if strength.limits.depth else strength.limits.nodes or inf
    return reach, 2 - sum(strength.oversight)


@EVERY_VARIANT
@pytest.mark.parametrize("side", Side)
def test_a_level_looks_further_than_the_one_below_or_as_far_and_overlooks_less(
    variant: Variant, side: Side
) -> None:
    strengths = [strength(level, variant, side) for level in LEVELS]
    assert all(sharpness(below) < sharpness(above) for below, above in pairwise(strengths))
    assert strengths[-1] == LevelStrength(Limits(seconds=10.0))


def test_it_tells_what_it_thinks() -> None:
    variant = VARIANTS["classic"]
    thoughts: list[Thought] = []
    decision = LevelPlayer(variant, 7, 1).decide(
        [variant.start], Limits(nodes=4000), report=thoughts.append
    )
    assert decision.thought is not None
    assert decision.thought.line[0] == decision.move == thoughts[-1].line[0]
    assert [thought.depth for thought in thoughts] == sorted(thought.depth for thought in thoughts)


def test_it_stops_when_told_to() -> None:
    variant = VARIANTS["classic"]
    decision = LevelPlayer(variant, 12, 1).decide([variant.start], stop=lambda: True)
    assert variant.is_legal(variant.start, decision.move)


RESTING = VARIANTS["classic"].position("dd1dd/d6/9/11/13/15/15/7R7/15/15/13/11/9/5TT/5 d")
ABOUT_TO_LOSE = VARIANTS["classic"].position("dd1dd/d6/9/11/13/15/15/7R7/15/15/13/11/9/4dTT/5 T")


def shuffled(position: Position, turns: int) -> list[Position]:
    """Return positions that alternate for a number of turns, ending in the given one."""
    before = position._replace(to_move=position.to_move.other)
    return [position if turn % 2 == 0 else before for turn in range(turns, -1, -1)]


@pytest.mark.parametrize("level", [1, 4, 7])
def test_it_ends_a_battle_in_which_nothing_more_can_be_had(level: int) -> None:
    variant = VARIANTS["classic"]
    positions = [variant.start, *shuffled(RESTING, 110)]
    assert LevelPlayer(variant, level, 1).decide(positions).ends


@pytest.mark.parametrize("level", [1, 4, 7])
def test_it_fights_on_while_it_may_gain(level: int) -> None:
    variant = VARIANTS["classic"]
    positions = [variant.start, *shuffled(ABOUT_TO_LOSE, 110)]
    assert not LevelPlayer(variant, level, 1).decide(positions).ends


@pytest.mark.parametrize(
    ("side", "quiet", "ends"),
    [(Side.TROLLS, 50, False), (Side.TROLLS, 70, True), (Side.DWARFS, 70, False)],
)
def test_it_fights_on_for_some_time_and_longer_as_dwarfs(
    side: Side, quiet: int, ends: bool
) -> None:
    variant = VARIANTS["classic"]
    positions = [variant.start, *shuffled(RESTING._replace(to_move=side), quiet)]
    assert LevelPlayer(variant, 7, 1).decide(positions).ends is ends


@EVERY_VARIANT
def test_it_plays_the_best_of_what_it_has_not_overlooked(variant: Variant) -> None:
    for seed in range(4):
        player, positions = LevelPlayer(variant, 3, seed), wander(variant, seed, 11)
        unseen = player.overlooked(positions)
        everything = set(variant.legal_moves(positions[-1]))
        assert len(everything) > len(unseen) > 0
        assert unseen <= everything
        best = Thinker(variant, seed).search(positions, Limits(depth=1), without=unseen).move
        assert player.decide(positions).move == best


def test_the_days_of_a_level_differ_within_its_bounds() -> None:
    variant = VARIANTS["classic"]
    moves = variant.legal_moves(variant.start)
    shares = [
        len(LevelPlayer(variant, 4, seed).overlooked([variant.start])) / len(moves)
        for seed in range(40)
    ]
    assert min(shares) < 0.3
    assert max(shares) > 0.6


@EVERY_VARIANT
def test_the_highest_level_overlooks_nothing(variant: Variant) -> None:
    assert not LevelPlayer(variant, 12, 1).overlooked([variant.start])
