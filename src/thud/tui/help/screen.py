"""The help: the rules in a nutshell, the marks, and every key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from thud.rules.variant import Variant
from thud.tui.board.drawing import TO_ASCII
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import HELP_KEYS
from thud.tui.keys.keymap import GROUPS, all_bindings, key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of

_NUTSHELL: Final = """\
Pick a piece up, put it down: Enter does both, so does a click, and a piece can be dragged. Or \
type a move, such as F1-F5. ? tells what the piece under the cursor may do.

Where you may choose what to capture, everything is chosen to begin with: press Enter to take it. \
A direction key spares the piece that lies that way, and n spares all.

A trampling troll goes hop by hop; Enter where it stands ends the move. Or choose the last square \
at once."""

_MARKS: Final = (
    ("[ ]", "the cursor"),
    ("‹ ›", "the piece in hand"),
    ("·", "where it can go"),
    ("×", "where it can go and capture; › ‹ around what is captured by going there"),
    ("× ×", "what the move under the cursor captures"),
    ("( )", "what is spared"),
    ("- -", "the last move, from and to"),
    ("? ?", "the move that the computer advises"),
    ("! !", "what could be captured next move, and by which lines"),
    ("^", "where the rock is wanted"),
)

_OWN_KEYS: Final = """\
Other keys can be given to everything by its name, the last one in these lists, in the settings \
file. The settings say where it is."""


class HelpScreen(ModalScreen[None]):
    """Shows the rules, the marks and all keys until a key closes it.

    Args:
        variant: the game whose rules are told.
        bindings: the keys that are shown first, because they are those of the screen below.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*HELP_KEYS]

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        VerticalScroll {
            width: 76;
            max-width: 100%;
            height: 1fr;
            max-height: 40;
            padding: 1 2;
            background: $surface;
            scrollbar-size-vertical: 1;
        }
        Static { height: auto; margin-bottom: 1; }
        .title { text-style: bold; margin-bottom: 0; }
    }
    """

    def __init__(self, variant: Variant, bindings: Iterable[BindingType]) -> None:
        super().__init__()
        self._variant = variant
        self._first = {_group(b) for b in bindings if isinstance(b, Binding) and b.id}

    def compose(self) -> ComposeResult:
        """Lay out the rules, the marks and the keys."""
        with VerticalScroll():
            yield Static(self._variant.title, classes="title")
            for paragraph in self._variant.summary.splitlines():
                yield Static(paragraph, markup=False)
            yield Static("At the board", classes="title")
            yield Static(_NUTSHELL, markup=False)
            yield Static("Marks", classes="title")
            yield Static(self._marks())
            for group, bindings in self._groups():
                yield Static(f"Keys {GROUPS[group]}", classes="title")
                yield Static(self._keys(bindings))
            yield Static(_OWN_KEYS, markup=False)
        yield KeyBar()

    @property
    def _ascii(self) -> bool:
        return settings_of(self.app).ascii

    def _marks(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for mark, meaning in _MARKS:
            texts = (t.translate(TO_ASCII) if self._ascii else t for t in (mark, meaning))
            table.add_row(*map(Text, texts))
        return table

    def _groups(self) -> Iterator[tuple[str, list[Binding]]]:
        """Yield the groups of keys: first those that matter now, then all others."""
        order = sorted(GROUPS, key=lambda group: group not in {*self._first, "app"})
        bindings = sorted(all_bindings().values(), key=lambda each: order.index(_group(each)))
        for group, members in groupby(bindings, _group):
            yield group, list(members)

    def _keys(self, bindings: list[Binding]) -> Table:
        """Return the keys of bindings, what they do, and how the settings file calls them."""
        own = keymap_of(self.app)
        table = Table.grid(padding=(0, 1))
        for width in (25, 24, 20):
            table.add_column(width=width)
        for binding in bindings:
            names = [key_name(key, ascii_only=self._ascii) for key in keys_of(binding, own)]
            what = binding.description[:1].upper() + binding.description[1:]
            table.add_row(Text("  ".join(names)), Text(what), Text(str(binding.id), "dim"))
        return table


def _group(binding: Binding) -> str:
    return str(binding.id).partition(".")[0]
