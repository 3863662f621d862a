from math import isfinite, log

import pytest
from hypothesis import given
from hypothesis import strategies as some

from thud.strength.glicko import Rating, expected, rated

RATINGS = some.builds(
    Rating,
    some.floats(0, 4000),
    some.floats(30, 350),
    some.floats(0.03, 0.1),
)
SCORES = some.sampled_from((0.0, 0.5, 1.0))


def test_the_worked_example_of_the_paper() -> None:
    found = rated(
        Rating(1500, 200, 0.06),
        [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)],
    )
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_results_only_the_deviation_grows() -> None:
    before = Rating(1432, 85)
    after = rated(before, [])
    assert (after.value, after.volatility) == (before.value, before.volatility)
    assert after.deviation == pytest.approx(85.636, abs=0.001)


@given(RATINGS, RATINGS)
def test_two_share_what_is_expected_of_them_where_both_are_as_well_known(
    one: Rating, other: Rating
) -> None:
    other = other._replace(deviation=one.deviation)
    assert expected(one, other) + expected(other, one) == pytest.approx(1)


@given(RATINGS, some.lists(some.tuples(RATINGS, SCORES), min_size=1, max_size=5))
def test_a_rating_stays_a_number_and_follows_what_was_scored(
    before: Rating, results: list[tuple[Rating, float]]
) -> None:
    after = rated(before, results)
    assert all(isfinite(each) for each in after)
    assert after.deviation > 0
    assert 0 < after.volatility < 2
    worse = rated(before, [(other, 0.0) for other, _ in results])
    better = rated(before, [(other, 1.0) for other, _ in results])
    assert worse.value <= after.value <= better.value


def test_a_surprise_makes_a_rating_more_volatile_and_the_expected_hardly_less() -> None:
    before = Rating(1500, 50)
    shock = rated(before, [(Rating(2500, 50), 1.0)] * 5)
    calm = rated(before, [(Rating(500, 50), 1.0)] * 5)
    assert shock.volatility > before.volatility
    assert log(before.volatility / calm.volatility) < 0.01
