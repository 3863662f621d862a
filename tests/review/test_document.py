"""docs/review.md is accurate: its numbers match the code."""

import re
from pathlib import Path

from thud.review.judgement import CHANCES, POINTS
from thud.review.notes import LONGEST_LINE
from thud.review.reviewer import LOOK
from thud.rules.tactics import TELLING
from thud.rules.variants import VARIANTS
from thud.words.remarks import FAULTS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "review.md").read_text(encoding="utf-8")


def test_the_marks_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\?\S?|\?)` \| [^|]+ \| ([\d.]+) [^|]+ \| (\d+)%", TEXT, re.MULTILINE)
    told = {mark: (float(points), float(chance) / 100) for mark, points, chance in rows}
    assert told == {mark.value: (POINTS[mark], CHANCES[mark]) for mark in POINTS}


def test_the_kinds_are_those_of_the_code() -> None:
    section = TEXT.split("## What is wrong with a move")[1].split("\n## ")[0]
    kinds = re.findall(r"^\| ([^|`]+) \| ", section, re.MULTILINE)[2:]
    assert kinds == list(FAULTS.values())
    assert "captures two points" in section
    assert TELLING == 2


def test_the_odds_are_those_of_the_code() -> None:
    with_goals = [each for each in VARIANTS.values() if not each.counts_points]
    assert with_goals
    for variant in with_goals:
        odds = variant.odds
        assert f"| {variant.title} | {odds.level} | {odds.steep} |" in TEXT
        assert f"| {variant.title} | {odds.slack} |" in TEXT


def test_how_far_is_looked_is_told() -> None:
    assert LOOK.seconds == 5
    assert f"(default: {LOOK.nodes}, or what five seconds allow)" in " ".join(TEXT.split())


def test_the_length_of_a_line_is_that_of_the_notation() -> None:
    assert LONGEST_LINE == 6
    assert "six moves at most" in (DOCS / "notation.md").read_text(encoding="utf-8")
