"""The levels' ratings match the measured matches, and docs contain them."""

import re
from pathlib import Path
from statistics import fmean

import pytest

from thud.ai.levels import LEVELS
from thud.records.programs import MIDDLE_LEVEL
from thud.strength.glicko import Rating, expected
from thud.strength.levels import EVERY, RATINGS, SHARES, closest_level

NEW = (2, 5, 13)
"""Levels that the scale of twelve did not have."""

PAGE = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")


def test_every_level_is_rated_above_the_one_below() -> None:
    assert list(RATINGS) == list(LEVELS)
    values = [rating.value for rating in RATINGS.values()]
    assert values == sorted(set(values))
    assert RATINGS[MIDDLE_LEVEL].value == Rating().value


@pytest.mark.parametrize("edition", EVERY)
def test_every_edition_rates_the_levels_by_their_numbers_of_today(edition: int) -> None:
    was = EVERY[edition]
    former = edition < 10
    assert list(was) == [level for level in LEVELS if not (former and level in NEW)]
    assert [rating.value for rating in was.values()] == sorted(
        rating.value for rating in was.values()
    )
    assert was[MIDDLE_LEVEL].value == Rating().value
    assert LEVELS[MIDDLE_LEVEL].name == "Miner"


def test_a_level_is_expected_to_win_the_share_that_was_measured() -> None:
    for level, share in SHARES.items():
        assert expected(RATINGS[level], RATINGS[level - 1]) == pytest.approx(share, abs=0.003)


def test_the_page_tells_the_same_shares_and_ratings() -> None:
    rows = re.findall(r"^\| (\d+) against \d+ \|(.*)\| (\d+)% \|$", PAGE, re.MULTILINE)
    assert {int(level): int(average) / 100 for level, _, average in rows} == SHARES
    for _, games, average in rows:
        shares = [int(share) for share in re.findall(r"(\d+)%", games)]
        assert shares
        assert fmean(shares) == pytest.approx(int(average), abs=1)  # all are rounded
    rated = re.findall(r"^\| (\d+) \|.*\| (-?\d+) \|$", PAGE, re.MULTILINE)
    assert {int(level): float(value) for level, value in rated} == {
        level: rating.value for level, rating in RATINGS.items()
    }


def test_the_page_tells_what_each_level_is_like() -> None:
    told = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert {int(level): (name, meeting) for level, name, meeting in told} == {
        number: (level.name, level.meeting) for number, level in LEVELS.items()
    }


@pytest.mark.parametrize("level", RATINGS)
def test_the_closest_level(level: int) -> None:
    assert closest_level(RATINGS[level]) == level
    assert closest_level(Rating(RATINGS[level].value + 40)) == level
