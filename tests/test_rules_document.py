"""docs/rules.md is accurate: every example in it is played and redrawn.

An example is an HTML comment, invisible to readers, and everything up to the next example or
heading. The comment has these lines, `position` once, the others as often as needed:

    <!-- example: variant=koom
    position: a position text, or "start" for the variant's setup
    legal: moves, separated by commas; before each, those to play first
    illegal: the same, where only the last move of each is refused
    wins: the same, where the last move wins the battle for its player
    goes on: the same, where the battle is not over afterwards
    -->

A ```text block draws an excerpt of the board, or several side by side: a row of file letters,
then rows of a rank number and glyphs. A row may be followed by two spaces or more and a remark.
Several boards have captions above them: "before" is the position, "after MOVE" the position after
a move, and "then MOVE" that of the previous board after another move.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from thud.rulebook.chapters import DOCUMENT
from thud.rules.geometry import FILES, InvalidSquare, parse_square, square_name, squares_of
from thud.rules.notation import parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.rules.variants import VARIANTS
from variants import TOLD

LINES = DOCUMENT.read_text(encoding="utf-8").splitlines()
CLAIMS = ("legal", "illegal", "wins", "goes on")
MOVE = re.compile(r"[dTR][A-P]\d+-[A-P]\d+(?:x[A-P]\d+)*")


class Claim(NamedTuple):
    """An example's claim about a move, with the moves that lead up to it."""

    verb: str
    before: list[str]
    move: str


class Example(NamedTuple):
    """A position, the claims about it, and the blocks that draw it."""

    line: int
    variant: Variant
    text: str
    claims: list[Claim]
    blocks: list[list[str]]

    @property
    def position(self) -> Position:
        return self.variant.start if self.text == "start" else self.variant.position(self.text)


class Board(NamedTuple):
    """A drawn board: caption, files, ranks, and lines from the file letters on."""

    caption: str
    files: str
    ranks: list[int]
    rows: list[str]


def read_example(line: int, rows: Iterator[str]) -> Example:
    """Parse the comment at a line of the document; leave the example's blocks empty."""
    name = re.fullmatch(r"<!-- example: variant=(\w+)", LINES[line - 1])
    assert name, f"line {line}: unreadable example"
    position = ""
    claims: list[Claim] = []
    for row in rows:
        if row == "-->":
            return Example(line, VARIANTS[name[1]], position, claims, [])
        key, _, value = row.partition(": ")
        if key == "position":
            position = value
        else:
            assert key in CLAIMS, f"line {line}: unknown {key!r}"
            for moves in value.split(", "):
                *before, move = moves.split()
                claims.append(Claim(key, before, move))
    raise AssertionError(f"line {line}: the example does not end")


def read_block(rows: Iterator[str]) -> list[str]:
    """Return the lines of a block up to the closing fence."""
    block: list[str] = []
    for row in rows:
        if row == "```":
            return block
        block.append(row)
    raise AssertionError("a block does not end")


def read_examples() -> list[Example]:
    """Parse all examples of the document; every block must belong to one."""
    examples: list[Example] = []
    current: Example | None = None
    numbered = enumerate(LINES, 1)
    rows = (row for _, row in numbered)
    for line, row in numbered:
        if row.startswith("<!-- example"):
            current = read_example(line, rows)
            examples.append(current)
        elif row.startswith("#"):
            current = None
        elif row.startswith("```"):
            assert row == "```text", f"line {line}: a block of another kind"
            assert current, f"line {line}: a block without an example"
            current.blocks.append(read_block(rows))
    return examples


EXAMPLES = read_examples()
every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"line {e.line}")


def play(variant: Variant, position: Position, moves: list[str]) -> Position:
    """Return the position after moves, which must be legal."""
    for move in moves:
        position = position.after(parse_move(variant, position, move))
    return position


def is_header(row: str) -> bool:
    """Whether a line of a block is a row of file letters."""
    return bool(row.strip()) and all(len(word) == 1 and word in FILES for word in row.split())


def boards_of(block: list[str]) -> list[Board]:
    """Split a block into its boards; remarks stay with the last one."""
    top = 0 if is_header(block[0]) else 1
    captions = block[0] if top else ""
    groups = list(re.finditer(r"[A-HJ-P](?: [A-HJ-P])*(?= {2}|$)", block[top]))
    columns = [group.start() - 3 for group in groups]
    boards = []
    for group, column, following in zip(groups, columns, [*columns[1:], None], strict=True):
        rows = [row[column:following].rstrip() for row in block[top:]]
        ranks = [int(row[:2]) for row in rows[1:]]
        boards.append(Board(captions[column:following].strip(), group[0][::2], ranks, rows))
    assert boards, "no row of file letters"
    return boards


def draw(position: Position, files: str, ranks: list[int]) -> list[str]:
    """Draw an excerpt of a position."""
    rows = ["   " + " ".join(files)]
    for rank in ranks:
        glyphs = (glyph(position, f"{file}{rank}") for file in files)
        rows.append(f"{rank:>2} " + " ".join(glyphs))
    return rows


def glyph(position: Position, name: str) -> str:
    """Return the glyph of a square; a space off the board."""
    try:
        return position.letter_at(parse_square(name)) or "."
    except InvalidSquare:
        return " "


def shown_boards(example: Example) -> Iterator[tuple[Board, Position]]:
    """Yield every board of an example with the position that its caption gives."""
    for block in example.blocks:
        boards = boards_of(block)
        assert bool(boards[0].caption) == (len(boards) > 1), "several boards need captions"
        shown = example.position
        for board in boards:
            word, *moves = (board.caption or "before").split()
            assert word in ("before", "after", "then"), f"unknown caption {board.caption!r}"
            assert len(moves) == (word != "before")
            shown = play(example.variant, shown if word == "then" else example.position, moves)
            yield board, shown


def without_remark(row: str, width: int) -> str:
    """Return a board's line without any remark after two or more spaces."""
    return row[:width].rstrip() if row[width : width + 2] == "  " else row


def test_there_are_examples() -> None:
    assert {example.variant.name for example in EXAMPLES} == set(TOLD)
    assert len(EXAMPLES) >= 12


@every_example
def test_positions_are_playable_and_claims_hold(example: Example) -> None:
    assert example.claims
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


@every_example
def test_boards_are_drawn_right_and_leave_no_piece_out(example: Example) -> None:
    for board, position in shown_boards(example):
        expected = draw(position, board.files, board.ranks)
        width = len(expected[0])
        assert [without_remark(row, width) for row in board.rows] == [e.rstrip() for e in expected]
        assert board.files in FILES
        assert board.ranks == list(range(board.ranks[0], board.ranks[-1] + 1))
        shown = {f"{file}{rank}" for file in board.files for rank in board.ranks}
        pieces = position.dwarfs | position.trolls
        assert {square_name(square) for square in squares_of(pieces)} <= shown


@pytest.mark.parametrize("name", ["classic", "koom"])
def test_the_setup_is_drawn_whole(name: str) -> None:
    start = VARIANTS[name].start
    whole = [row.rstrip() for row in draw(start, FILES, list(range(1, 16)))]
    drawn = [
        block
        for example in EXAMPLES
        if example.variant is VARIANTS[name] and example.position == start
        for block in example.blocks
    ]
    assert whole in drawn


def test_the_variants_that_share_a_setup_do() -> None:
    assert VARIANTS["single"].start == VARIANTS["classic"].start
    assert VARIANTS["football"].start == VARIANTS["koom"].start


def kinds_of(example: Example) -> Iterator[Kind]:
    """Yield the kinds of all moves that examples claim are legal."""
    variant = example.variant
    for verb, before, move in example.claims:
        if verb != "illegal":
            position = play(variant, example.position, before)
            yield variant.kind(position, parse_move(variant, position, move))


def test_every_kind_of_move_is_shown() -> None:
    assert {kind for example in EXAMPLES for kind in kinds_of(example)} == set(Kind)


def test_every_move_in_the_text_belongs_to_an_example() -> None:
    named = {
        move
        for example in EXAMPLES
        for claim in example.claims
        for move in (*claim.before, claim.move)
    }
    in_text = {
        code for row in LINES for code in re.findall(r"`([^`]+)`", row) if MOVE.fullmatch(code)
    }
    assert in_text
    assert in_text <= named


def test_the_table_compares_the_variants() -> None:
    rows = {
        cells[0]: cells[1:]
        for line in LINES
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


def test_links_inside_the_document_lead_somewhere() -> None:
    headings = [line.lstrip("#").strip().lower() for line in LINES if line.startswith("#")]
    anchors = {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}
    assert len(anchors) == len(headings), "two headings share an anchor"
    links = set(re.findall(r"\]\(#([^)]*)\)", "\n".join(LINES)))
    assert links
    assert links <= anchors
