"""A move's expected results, before and after, in words."""

import pytest

from thud.ai.scores import GOAL
from thud.review.judgement import Judgement
from thud.rules.variants import VARIANTS
from thud.wording.review import lost_in_words


@pytest.mark.parametrize(
    ("variant", "judgement", "told"),
    [
        (
            "koom",
            Judgement(0, 600),
            "Lost 24% of the chance of winning (34% instead of 58% for the dwarfs).",
        ),
        (
            "koom",
            Judgement(-GOAL, 400),
            "Lost 50% of the chance of winning "
            "(a win for the trolls instead of 50% for the dwarfs).",
        ),
        ("classic", Judgement(-320, 100), "Lost 4.2 points (-3.2 instead of +1.0 for the dwarfs)."),
        ("classic", Judgement(16, -85), "Lost 1.0 point (+0.2 instead of -0.8 for the dwarfs)."),
        ("classic", Judgement(-4, 196), "Lost 2.0 points (+0.0 instead of +2.0 for the dwarfs)."),
    ],
)
def test_a_loss_is_the_difference_of_the_figures_shown(
    variant: str, judgement: Judgement, told: str
) -> None:
    assert lost_in_words(VARIANTS[variant], judgement) == told
