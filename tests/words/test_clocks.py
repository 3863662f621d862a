"""Times as shown and in words."""

from __future__ import annotations

import pytest

from thud.rules.clock import TimeLeft, parse_control
from thud.words.clocks import in_digits, in_words, set_to


@pytest.mark.parametrize(
    ("control", "left", "digits", "words"),
    [
        ("20+10", TimeLeft(1_199_999), "19:59", "19 minutes"),
        ("90", TimeLeft(4_000_000), "1:06:40", "66 minutes"),
        ("20", TimeLeft(119_000), "1:59", "119 seconds"),
        ("20", TimeLeft(10_000), "0:10", "ten seconds"),
        ("20", TimeLeft(9_850), "0:09.8", "nine seconds"),
        ("20", TimeLeft(0), "0:00.0", "no seconds"),
        ("15/3x30", TimeLeft(60_000, 3), "1:00", "60 seconds and three more periods"),
        ("15/3x30", TimeLeft(28_000, 2), "3×0:28", "28 seconds and two more periods"),
        ("3d", TimeLeft(259_199_000), "3 d 0 h", "three days"),
        ("3d", TimeLeft(257_000_000), "2 d 23 h", "two days and 23 hours"),
        ("15/3x30", TimeLeft(1_000, 0), "1×0:01.0", "one second"),
    ],
)
def test_what_is_left(control: str, left: TimeLeft, digits: str, words: str) -> None:
    assert in_digits(left, parse_control(control)) == digits
    assert in_words(left) == words


@pytest.mark.parametrize(
    ("control", "said"),
    [
        ("20", "Each player has 20 minutes for the battle."),
        ("0.5", "Each player has 30 seconds for the battle."),
        ("1+1", "Each player has one minute for the battle, and one second more after each move."),
        ("0/3x30", "Each player has three periods of 30 seconds."),
        ("2/1x5", "Each player has two minutes for the battle, then one period of 5 seconds."),
    ],
)
def test_what_a_clock_is_set_to(control: str, said: str) -> None:
    assert set_to(parse_control(control)) == said
