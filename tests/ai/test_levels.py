"""The levels play whole battles legally, reproducibly and to the end."""

from itertools import count, pairwise
from math import inf

import pytest

from ai.wandering import wander
from thud.ai.level_player import LevelPlayer
from thud.ai.levels import LEVELS, LevelStrength, strength
from thud.ai.player import CALM, Limits, Thought, is_calm
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.geometry import BOARD, bit, squares_of
from thud.rules.notation import parse_move
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
def test_a_seed_repeats_what_is_played_whatever_it_was_asked_before(variant: Variant) -> None:
    positions = wander(variant, 1, 21)
    for level in (1, 4, 7):
        fresh, asked = LevelPlayer(variant, level, 7), LevelPlayer(variant, level, 7)
        asked.decide(positions[:11], FAST)
        assert asked.decide(positions, FAST).move == fresh.decide(positions, FAST).move


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


def test_it_tells_what_it_thinks_and_stops_when_told_to() -> None:
    variant, thoughts, asked = VARIANTS["classic"], list[Thought](), count()
    decision = LevelPlayer(variant, max(LEVELS), 1).decide(
        [variant.start], stop=lambda: next(asked) >= 40, report=thoughts.append
    )
    assert next(asked) > 40
    assert decision.thought
    assert decision.thought.line[0] == decision.move == thoughts[-1].line[0]


RESTING = VARIANTS["classic"].position("ddd2/ddd4/9/11/13/15/15/7R7/15/15/13/11/9/5TT/5 d")
ABOUT_TO_LOSE = VARIANTS["classic"].position("dd1dd/d6/9/11/13/15/15/7R7/15/15/13/11/9/4dTT/5 T")


def quiet_before(position: Position, turns: int) -> list[Position]:
    """Return positions of so many turns, no two alike, and then the given one."""
    free = squares_of(BOARD & ~position.occupied)
    sides = position.to_move, position.to_move.other
    return [
        position._replace(trolls=bit(free[turn]) | bit(free[turn + 1]), to_move=sides[turn % 2])
        for turn in range(turns, 0, -1)
    ] + [position]


@pytest.mark.parametrize("level", [1, 4, 7])
@pytest.mark.parametrize(
    ("position", "quiet", "ends"),
    [
        (RESTING, CALM, True),
        (RESTING, CALM - 1, False),
        (ABOUT_TO_LOSE, CALM + 10, False),
        (RESTING._replace(to_move=Side.TROLLS), CALM, True),
        (RESTING._replace(to_move=Side.TROLLS), CALM - 1, False),
    ],
)
def test_it_ends_a_calm_battle_in_which_nothing_more_can_be_had(
    level: int, position: Position, quiet: int, ends: bool
) -> None:
    variant = VARIANTS["classic"]
    positions = [variant.start, *quiet_before(position, quiet)]
    assert LevelPlayer(variant, level, 1).decide(positions).ends is ends


@pytest.mark.parametrize(("times", "ends"), [(2, False), (3, True)])
def test_a_position_for_the_third_time_is_a_sign_of_calm(times: int, ends: bool) -> None:
    variant = VARIANTS["classic"]
    positions = [variant.start, *[RESTING, RESTING._replace(to_move=Side.TROLLS)] * times][:-1]
    assert is_calm(positions) is ends
    assert LevelPlayer(variant, 7, 1).decide(positions).ends is ends


@pytest.mark.parametrize(("turns", "ends"), [(4, False), (8, True), (9, False)])
def test_where_a_goal_decides_it_ends_what_keeps_coming_back_if_it_expects_a_draw(
    turns: int, *, ends: bool
) -> None:
    """The trolls are too few for their goal; the dwarfs, who move after nine turns, expect more."""
    battle = Battle(
        VARIANTS["koom"], Position.from_text("d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3TT T")
    )
    for text in ("TJ15-J14", "dF1-F2", "TJ14-J15", "dF2-F1") * 3:
        battle.play(parse_move(battle.variant, battle.position, text))
    positions = battle.positions[: turns + 1]
    assert LevelPlayer(battle.variant, 7, 1).decide(positions).ends is ends


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
        len(LevelPlayer(variant, 6, seed).overlooked([variant.start])) / len(moves)
        for seed in range(40)
    ]
    assert 2 * min(shares) < max(shares)
