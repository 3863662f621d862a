"""Outcomes of battles: properties for every variant, then the endings of Classic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import reference
from rules.drawing import drawn
from rules.strategies import every_variant, positions
from thud.rules.position import Position, Side
from thud.rules.variant import Outcome, Reason, Score, Variant
from thud.rules.variants import VARIANTS
from variants import every_told

CLASSIC, SINGLE = VARIANTS["classic"], VARIANTS["single"]
classics = pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=["classic", "single"])


def as_reference(variant: Variant, outcome: Outcome | None) -> str | None:
    """Return an outcome in the reference's format: the points, or the winner."""
    if outcome is None:
        return None
    if variant.name in reference.CLASSICS:
        return f"{outcome.score.dwarfs:g}-{outcome.score.trolls:g}"
    return outcome.winner.plural if outcome.winner else "draw"


@every_told
@given(data=st.data())
def test_the_outcome_is_the_references(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    outcome = variant.outcome(position)
    assert as_reference(variant, outcome) == reference.ending(variant.name, position.to_text())


@every_variant
@given(data=st.data())
def test_a_battle_is_over_where_there_is_no_move(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    assert (variant.outcome(position) is None) == bool(variant.legal_moves(position))


@every_variant
@given(data=st.data(), reason=st.sampled_from([Reason.AGREEMENT, Reason.QUIET]))
def test_winner_score_and_margin_agree(
    variant: Variant, data: st.DataObject, reason: Reason
) -> None:
    position = data.draw(positions(variant))
    for outcome in variant.outcome(position), variant.settled(position, reason):
        if outcome:
            dwarfs, trolls = outcome.score
            assert outcome.margin == outcome.score.margin == dwarfs - trolls
            assert [outcome.score.of(side) for side in Side] == [dwarfs, trolls]
            winner = Side.DWARFS if dwarfs > trolls else Side.TROLLS if trolls > dwarfs else None
            assert outcome.winner is winner


@every_variant
def test_a_settled_battle_says_why(variant: Variant) -> None:
    agreed = variant.settled(variant.start, Reason.AGREEMENT)
    assert (agreed.reason, agreed.because) == (Reason.AGREEMENT, "both players agree")
    quiet = variant.settled(variant.start, Reason.QUIET)
    assert (quiet.reason, quiet.because) == (Reason.QUIET, "the quiet limit is reached")
    assert agreed.winner is None


@classics
@pytest.mark.parametrize(
    ("drawing", "to_move", "winner", "score"),
    [
        ("   F G H\n1  . . .", "d", None, (0, 0)),
        ("   F G H\n1  . . .", "T", None, (0, 0)),
        ("   F G H\n1  d d .", "T", Side.DWARFS, (2, 0)),
        ("   F G H\n1  T . .", "d", Side.TROLLS, (0, 4)),
        ("   E F G H\n1    T d .\n2  d d d .", "T", None, (4, 4)),
        ("   E F G H\n1    T d .\n2  d d d d", "T", Side.DWARFS, (5, 4)),
        ("   E F G H\n1    T T d\n2  d d d d", "T", Side.TROLLS, (5, 8)),
    ],
)
def test_classic_ends_where_the_player_to_move_cannot(
    variant: Variant, drawing: str, to_move: str, winner: Side | None, score: tuple[int, int]
) -> None:
    position, side = drawn(drawing, to_move), Side(to_move)
    outcome = variant.outcome(position)
    none_left = f"no {side.singular} is left"
    because = f"the {side.plural} have no legal move" if position.pieces(side) else none_left
    assert outcome == Outcome(winner, Reason.NO_MOVES, because, Score(*score))


@classics
def test_classic_goes_on_while_the_player_to_move_can(variant: Variant) -> None:
    assert variant.outcome(drawn("   F G H\n1  d d .", "d")) is None
    assert variant.outcome(drawn("   F G H\n1  T . .", "T")) is None


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        (CLASSIC.start.to_text(), 0),
        ("5/7/9/11/13/15/6TTT6/6TRT6/6TTT6/15/13/11/9/7/5 d", -32),
        ("ddddd/ddddddd/ddddddddd/ddddddddddd/13/15/15/7R7/15/15/13/11/9/7/5 T", 32),
        ("ddddd/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4T d", 1),
    ],
)
def test_classic_points_are_one_a_dwarf_and_four_a_troll(text: str, margin: int) -> None:
    assert CLASSIC.settled(Position.from_text(text), Reason.AGREEMENT).margin == margin


@classics
@pytest.mark.parametrize(
    ("drawing", "score", "margin", "lead"),
    [
        ("   F G H\n1  d d d", "dwarfs 3, trolls 0", "3 to the dwarfs", 3),
        ("   F G H\n1  d T T", "dwarfs 1, trolls 8", "7 to the trolls", -7),
        ("   E F G H\n1    d d .\n2  d d . T", "dwarfs 4, trolls 4", "even", 0),
    ],
)
def test_what_counts_in_classic(
    variant: Variant, drawing: str, score: str, margin: str, lead: float
) -> None:
    position = drawn(drawing, "d")
    assert variant.progress(position) == (("score", score), ("margin", margin))
    assert variant.lead(position) == lead
