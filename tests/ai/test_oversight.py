"""What low levels overlook: much as people do, and the same for a while."""

from statistics import fmean

import pytest

from ai.wandering import wander
from thud.ai.oversight import overlooked
from thud.rules.geometry import parse_square
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]

EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())


def path(text: str) -> tuple[int, int]:
    origin, destination = map(parse_square, text.split("-"))
    return origin, destination


def seen(variant: Variant, text: str, move: str, *, before: str = "", share: float = 0.8) -> float:
    """Return how often a move is seen."""
    positions = [variant.position(each) for each in (before, text) if each]
    moves = {each for each in variant.legal_moves(positions[-1]) if each[:2] == path(move)}
    assert moves
    return fmean(not moves & overlooked(variant, positions, share, seed) for seed in range(600))


@EVERY_VARIANT
def test_it_overlooks_its_share_and_never_everything(variant: Variant) -> None:
    position = variant.start
    everything = set(variant.legal_moves(position))
    shares = [len(overlooked(variant, [position], 0.6, seed)) for seed in range(40)]
    assert 0.5 < fmean(shares) / len(everything) < 0.8
    for seed in range(20):
        assert set(overlooked(variant, [position], 1.0, seed)) < everything
        assert not overlooked(variant, [position], 0.0, seed)


@EVERY_VARIANT
def test_what_it_captures_makes_no_difference(variant: Variant) -> None:
    for seed in range(6):
        positions = wander(variant, seed, 30)
        unseen = overlooked(variant, positions, 0.7, seed)
        moves = variant.legal_moves(positions[-1])
        paths = {move[:2] for move in unseen}
        assert {move for move in moves if move[:2] in paths} == unseen


HURL_AND_MOVE = "5/7/9/11/13/15/15/7R7/4d10/4T10/13/11/2d6/7/5 d"
STEP = "5/7/9/11/13/15/4d10/7R7/4T10/4T10/3T9/11/9/7/5 T"
SHOVE = "5/7/9/11/13/4d10/15/7R7/4T10/4T10/3T9/11/9/7/5 T"


def test_a_hurl_is_seen_more_often_than_an_ordinary_move() -> None:
    assert seen(CLASSIC, HURL_AND_MOVE, "E9-E10") > seen(CLASSIC, HURL_AND_MOVE, "E9-E8")


def test_a_shove_is_seen_less_often_than_a_step_that_captures() -> None:
    step, shove = CLASSIC.position(STEP), CLASSIC.position(SHOVE)
    kinds = [
        {CLASSIC.kind(each, move) for move in CLASSIC.legal_moves(each) if move.captures}
        for each in (step, shove)
    ]
    assert kinds == [{Kind.STEP}, {Kind.SHOVE}]
    assert seen(CLASSIC, STEP, "E9-E8") > seen(CLASSIC, SHOVE, "E9-E7")


def test_what_moved_last_draws_the_eye() -> None:
    before = "5/7/9/11/13/15/15/4T2R7/15/4d10/13/11/9/7/5 T"
    after = "5/7/9/11/13/15/15/7R7/4T10/4d10/13/11/9/7/5 d"
    assert seen(CLASSIC, after, "E10-F11", before=before) > 1.5 * seen(CLASSIC, after, "E10-F11")


def unseen_paths(text: str, seed: int) -> set[tuple[int, int]]:
    return {move[:2] for move in overlooked(CLASSIC, [CLASSIC.position(text)], 0.8, seed)}


def test_what_is_overlooked_stays_so_until_a_piece_beside_it_comes_or_goes() -> None:
    here = "5/7/9/11/13/15/15/7R7/4d10/15/13/8T2/9/7/5 d"
    elsewhere = "5/7/9/11/13/15/15/7R7/4d10/15/13/9T1/9/7/5 d"
    beside = "5/7/9/11/13/15/15/4T2R7/4d10/15/13/11/9/7/5 d"
    move = path("E9-F9")
    same = [(move in unseen_paths(here, n), move in unseen_paths(elsewhere, n)) for n in range(60)]
    assert len({one for one, _ in same}) == 2
    assert all(one == other for one, other in same)
    assert any(
        (move in unseen_paths(here, n)) != (move in unseen_paths(beside, n)) for n in range(60)
    )


def test_a_position_that_comes_back_is_looked_at_afresh() -> None:
    position = CLASSIC.start
    once = [overlooked(CLASSIC, [position], 0.8, seed) for seed in range(10)]
    again = [overlooked(CLASSIC, [position, position], 0.8, seed) for seed in range(10)]
    assert once != again
