"""A move's expected results, before and after, in words."""

import pytest

from thud.review.judgement import Judgement
from thud.rules.variants import VARIANTS
from thud.wording.review import instead_of


@pytest.mark.parametrize(
    ("variant", "judgement", "told"),
    [
        ("koom", Judgement(0, 600), ("34 % for the dwarfs", "58 %")),
        ("football", Judgement(0, 100), ("no goal in sight", "no goal in sight")),
        ("classic", Judgement(-320, 100), ("-3.2", "+1.0")),
    ],
)
def test_what_both_share_is_said_once(
    variant: str, judgement: Judgement, told: tuple[str, str]
) -> None:
    assert instead_of(VARIANTS[variant], judgement) == told
