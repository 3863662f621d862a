"""Outcomes of battles: properties for every variant, then the endings of Classic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import reference
from rules.drawing import drawn
from rules.strategies import every_variant, positions
from thud.rules.position import Side
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


@classics
@pytest.mark.parametrize(
    ("drawing", "to_move", "winner", "score"),
    [
        ("   F G H\n1  . . .", "d", None, (0, 0)),
        ("   F G H\n1  d d .", "T", Side.DWARFS, (2, 0)),
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
