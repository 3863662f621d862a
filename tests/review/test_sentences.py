"""Sentences of reviews."""

import pytest

from thud.ai.scores import GOAL
from thud.review.judgement import Judgement
from thud.review.sentences import cost_in_words
from thud.rules.variants import VARIANTS


@pytest.mark.parametrize(
    ("variant", "judgement", "cost"),
    [
        ("koom", Judgement(0, 600), "24% of the chance of winning"),
        ("koom", Judgement(-GOAL, 400), "50% of the chance of winning"),
        ("classic", Judgement(-320, 100), "4.2 points"),
        ("classic", Judgement(16, -85), "1.0 point"),
        ("classic", Judgement(-4, 196), "2.0 points"),
    ],
)
def test_a_loss_is_the_difference_of_the_figures_shown(
    variant: str, judgement: Judgement, cost: str
) -> None:
    assert cost_in_words(VARIANTS[variant], judgement) == cost
