"""The help page on playing here: mouse, marks, clocks, and the rules in brief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.table import Table
from rich.text import Text
from textual.widget import Widget
from textual.widgets import Static

from thud.rules.variant import Variant
from thud.tui.board.drawing import TO_ASCII

TITLE: Final = "At the board"

_NUTSHELL: Final = """\
Enter or a click picks a piece up and puts it down. You can also drag it, or type a move, such as \
G5-C5. ? shows what each key does now, 0 here shows all keys, and d what the piece under the \
cursor can do.

When you can choose what to capture, everything is chosen at first: Enter captures it all. A \
direction key spares the piece on that side, and n spares all.

A trampling troll goes hop by hop: Enter where it stands ends the move. Or choose the last square \
right away."""

_MARKS: Final = (
    ("[ ]", "the cursor"),
    ("‹ ›", "the piece in hand"),
    ("·", "where it can go"),
    ("×", "where it can go and capture; › ‹ stand around what it captures"),
    ("× ×", "what the move under the cursor captures"),
    ("( )", "what is spared"),
    ("- -", "the last move, from and to"),
    ("* *", "the hint"),
    ("! !", "what could be captured next move"),
    (": :", "the pieces that could capture it, and the line behind them"),
    ("o", "where they would land safely"),
    ("#", "where they would land in danger"),
    ("^", "where the Rock or the Ball has to go"),
)

_JUDGED: Final = (
    ('"', "behind a move: it has a comment, which is shown beside the board"),
    ("?!  ?  ??", "behind a move: dubious, a mistake, a blunder. n goes to the next one"),
    ("* *", "the better move, which w plays"),
    ("graph", "the expected result: up for the dwarfs, down for the trolls"),
    ("•", "on the graph: a mistake or a blunder"),
)
"""Legend of a replay and a review."""

_CLOCKS: Final = """\
Each player's time is below the names: » marks the running clock, ! little time left, and 3×0:30 \
the first of three periods. A player who runs out of time loses the battle, and that cannot be \
undone. Looking back shows the times after each move. The clock keeps running meanwhile, also \
while you read this."""


def at_the_board(variant: Variant | None, judged: bool, *, ascii_only: bool) -> Iterator[Widget]:
    """Yield the widgets of the page on playing here.

    Args:
        variant: the variant whose rules to summarise, if one is played.
        judged: whether to show first what a replay and a review show.
        ascii_only: whether marks are written in plain ASCII.
    """
    if judged:
        yield Static("What a replay and a review show", classes="title")
        yield Static(_marks(_JUDGED, ascii_only=ascii_only))
    yield Static(_NUTSHELL, markup=False)
    yield Static("Marks", classes="title")
    yield Static(_marks(_MARKS, ascii_only=ascii_only))
    yield Static("Clocks", classes="title")
    yield Static(_CLOCKS.translate(TO_ASCII) if ascii_only else _CLOCKS, markup=False)
    if variant:
        yield Static(f"{variant.title} in a nutshell", classes="title")
        for paragraph in variant.summary.splitlines():
            yield Static(paragraph, markup=False)


def _marks(marks: Iterable[tuple[str, str]], *, ascii_only: bool) -> Table:
    """Return a table of marks with their meanings."""
    table = Table.grid(padding=(0, 2))
    for mark, meaning in marks:
        texts = (t.translate(TO_ASCII) if ascii_only else t for t in (mark, meaning))
        table.add_row(*map(Text, texts))
    return table
