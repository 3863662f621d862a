"""The levels' ratings match the measured matches, and docs contain them."""

import re
from pathlib import Path
from statistics import fmean

import pytest

from thud.ai.levels import LEVELS
from thud.strength.glicko import Rating, expected
from thud.strength.levels import RATINGS, SHARES, closest_level

PAGE = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")


def test_every_level_is_rated_above_the_one_below() -> None:
    assert list(RATINGS) == list(LEVELS)
    values = [rating.value for rating in RATINGS.values()]
    assert values == sorted(set(values))
    assert RATINGS[6].value == Rating().value


def test_a_level_is_expected_to_win_the_share_that_was_measured() -> None:
    for level, share in SHARES.items():
        assert expected(RATINGS[level], RATINGS[level - 1]) == pytest.approx(share, abs=0.003)


def test_the_page_tells_the_same_shares_and_ratings() -> None:
    rows = re.findall(r"^\| (\d+) against \d+ \|(.*)\| (\d+)% \|$", PAGE, re.MULTILINE)
    assert {int(level): int(average) / 100 for level, _, average in rows} == SHARES
    for _, games, average in rows:
        shares = [int(share) for share in re.findall(r"(\d+)%", games)]
        assert len(shares) == 4
        assert fmean(shares) == pytest.approx(int(average), abs=0.5)
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
