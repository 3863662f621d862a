"""The help page on playing here: actions, marks, keys, and the rules in brief."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from rich.table import Table
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from thud.rules.variant import Variant
from thud.text import capitalised
from thud.tui.actions import BY_ID, GROUPS
from thud.tui.board.drawing import TO_ASCII
from thud.tui.deployment import HOME, Deployment
from thud.tui.keys.keymap import Keymap, key_name, keys_of

TITLE: Final = "At the board"

_NUTSHELL: Final = """\
Enter or a click picks a piece up and puts it down. You can also drag it, or type a move, such as \
G5-C5. ? shows what each key does now, and d what the piece under the cursor can do.

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

_OWN_KEYS: Final = """\
You can change any key in the settings file. The settings say where it is, and show all keys as \
lines of it."""


def at_the_board(
    variant: Variant | None,
    first: Iterable[BindingType],
    own: Keymap,
    deployment: Deployment = HOME,
    *,
    ascii_only: bool,
) -> Iterator[Widget]:
    """Yield the widgets of the page on playing here.

    Args:
        variant: the variant whose rules to summarise, if one is played.
        first: the bindings to show first, which are those of the screen below.  Those before the
            board's keys are shown above everything else.
        own: the player's own keys.
        deployment: keys of actions disabled in it are not shown.
        ascii_only: whether keys and marks are written in plain ASCII.
    """
    own_ids = (each.id for each in first if isinstance(each, Binding) and each.id)
    now = list(dict.fromkeys(name.partition(".")[0] for name in own_ids))

    def keys_of_group(group: str) -> Iterator[Widget]:
        table = Table.grid(padding=(0, 1))
        for width in (25, 40):
            table.add_column(width=width, overflow="fold")
        for name, action in BY_ID.items():
            if name.startswith(f"{group}.") and deployment.allows(action.runs):
                keys = (key_name(key, ascii_only=ascii_only) for key in keys_of(action, own))
                table.add_row(Text("  ".join(keys)), Text(capitalised(deployment.label(name))))
        yield Static(f"Keys {GROUPS[group]}", classes="title")
        yield Static(table)

    above = list(takewhile(lambda group: group != "board", now))
    if {"review", "summary"} & {*above}:
        yield Static("What a replay and a review show", classes="title")
        yield Static(_marks(_JUDGED, ascii_only=ascii_only))
    for group in above:
        yield from keys_of_group(group)
    yield Static(_NUTSHELL, markup=False)
    yield Static("Marks", classes="title")
    yield Static(_marks(_MARKS, ascii_only=ascii_only))
    for group in sorted(GROUPS.keys() - above, key=[*now, "app", *GROUPS].index):
        yield from keys_of_group(group)
    if deployment.files:
        yield Static(_OWN_KEYS, markup=False)
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
