"""docs/rules.md is accurate: every example in it is played.

An example is an HTML comment, invisible to readers, above the diagrams of its position. It has
these lines, `position` once, the others as often as needed:

    <!-- example: variant=koom
    position: a position text, or "start" for the variant's setup
    legal: moves, separated by commas; before each, those to play first
    illegal: the same, where only the last move of each is refused
    wins: the same, where the last move wins the battle for its player
    goes on: the same, where the battle is not over afterwards
    -->

`tests/rulebook` redraws the diagrams.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from thud.rulebook.chapters import DOCUMENT
from thud.rulebook.diagrams import read_example
from thud.rules.notation import parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.rules.variants import VARIANTS
from variants import TOLD

TEXT = DOCUMENT.read_text(encoding="utf-8")
MOVE = re.compile(r"[dTR][A-P]\d+-[A-P]\d+(?:x[A-P]\d+)*")
CLAIM = r"(?:legal|illegal|wins|goes on): .+\n"
EXAMPLE = re.compile(rf"<!-- example: .+\nposition: .+\n((?:{CLAIM})+)-->")


class Claim(NamedTuple):
    """An example's claim about a move, with the moves that lead up to it."""

    verb: str
    before: list[str]
    move: str


class Example(NamedTuple):
    """A position, and the claims about it."""

    variant: Variant
    position: Position
    claims: list[Claim]


def claims_in(lines: str) -> Iterator[Claim]:
    for line in lines.splitlines():
        verb, _, claimed = line.partition(": ")
        for moves in claimed.split(", "):
            *before, move = moves.split()
            yield Claim(verb, before, move)


EXAMPLES = [
    Example(*read_example(comment[0]), [*claims_in(comment[1])])
    for comment in EXAMPLE.finditer(TEXT)
]


def play(variant: Variant, position: Position, moves: list[str]) -> Position:
    """Return the position after moves, which must be legal."""
    for move in moves:
        position = position.after(parse_move(variant, position, move))
    return position


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == TEXT.count("<!-- example") >= 12
    assert {example.variant.name for example in EXAMPLES} == set(TOLD)


@pytest.mark.parametrize("example", EXAMPLES)
def test_positions_are_playable_and_claims_hold(example: Example) -> None:
    assert example.variant.outcome(example.position) is None
    for verb, before, move in example.claims:
        position = play(example.variant, example.position, before)
        if verb == "illegal":
            with pytest.raises(IllegalMove):
                parse_move(example.variant, position, move)
            continue
        outcome = example.variant.outcome(play(example.variant, position, [move]))
        if verb == "wins":
            assert outcome is not None
            assert outcome.winner is position.to_move
        if verb == "goes on":
            assert outcome is None


def test_the_variants_that_share_a_setup_do() -> None:
    assert VARIANTS["single"].start == VARIANTS["classic"].start
    assert VARIANTS["football"].start == VARIANTS["koom"].start


def test_every_kind_of_move_is_shown() -> None:
    kinds = set[Kind]()
    for variant, start, claims in EXAMPLES:
        for verb, before, move in claims:
            if verb != "illegal":
                position = play(variant, start, before)
                kinds.add(variant.kind(position, parse_move(variant, position, move)))
    assert kinds == set(Kind)


def test_every_move_in_the_text_belongs_to_an_example() -> None:
    claims = [claim for example in EXAMPLES for claim in example.claims]
    named = {move for claim in claims for move in (*claim.before, claim.move)}
    in_text = {code for code in re.findall(r"`([^`\n]+)`", TEXT) if MOVE.fullmatch(code)}
    assert in_text
    assert in_text <= named


def test_the_table_compares_the_variants() -> None:
    rows = {
        cells[0]: cells[1:]
        for line in TEXT.splitlines()
        if line.startswith("| ")
        for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
    }
    assert rows["`--variant`"] == [f"`{name}`" for name in TOLD]
    for label, side in (("Dwarfs", Side.DWARFS), ("Trolls", Side.TROLLS)):
        counts = [str(v.start.pieces(side).bit_count()) for v in TOLD.values()]
        assert rows[label] == counts
    assert [cell.split(",")[0] for cell in rows["The stone"]] == [
        variant.stone for variant in TOLD.values()
    ]
