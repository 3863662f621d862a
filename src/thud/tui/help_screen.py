"""The help: the rules in a nutshell, the marks, and every key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from thud.rules.variant import Variant

_KEY_NAMES: Final = {
    "kp_begin": "keypad 5",
    "enter": "Enter",
    "space": "Space",
    "escape": "Esc",
    "backspace": "Backspace",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "f1": "F1",
    "question_mark": "?",
}

_NUTSHELL: Final = """\
Pick a piece up, put it down: Enter does both, and so does a click. Marks on the board: \
· a square to go to, × a square where something can be captured, ›T‹ a troll to be hurled at, \
×d× what the move under the cursor captures, - the last move.

Where you may choose what to capture, everything is chosen to begin with: press Enter to take it. \
A direction key spares the piece that lies that way, and n spares all.

A trampling troll goes hop by hop; Enter where it stands ends the move. Or choose the last square \
at once."""


class HelpScreen(ModalScreen[None]):
    """Shows the keys and the marks until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,enter,question_mark", "dismiss", "Close", key_display="Esc"),
    ]

    def __init__(self, variant: Variant, bindings: Iterable[BindingType]) -> None:
        super().__init__()
        self._variant = variant
        self._shown = [b for b in bindings if isinstance(b, Binding) and b.description]

    def compose(self) -> ComposeResult:
        """Lay out the rules, the marks and the keys."""
        with VerticalScroll():
            yield Static(Text(self._variant.title, "bold"))
            for paragraph in self._variant.summary.splitlines():
                yield Static(paragraph, markup=False)
            yield Static(Text("On the board", "bold"))
            yield Static(_NUTSHELL, markup=False)
            yield Static(Text("Keys", "bold"))
            yield Static(self._keys())
        yield Footer(compact=True)

    def _keys(self) -> Table:
        table = Table.grid(padding=(0, 2))
        for binding in self._shown:
            names = (_KEY_NAMES.get(key, key) for key in binding.key.split(","))
            table.add_row("  ".join(names), binding.description)
        return table
