"""What stands beside the board of the editor: the game, the turn, the brush and what else to do."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.widgets import Static

from thud.rules.position import STONE_LETTER, Side
from thud.rules.reasons import pieces_left
from thud.rules.setup import Setup
from thud.tui.keys.bindings import EDIT_KEYS
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of

_WIDTH: Final = 15
"""The columns of the first of two things to do on a line."""


class Brush(Enum):
    """What Enter and a click do on a square; the value is the letter of what they put there."""

    HAND = "hand"
    DWARF = Side.DWARFS.value
    TROLL = Side.TROLLS.value
    STONE = STONE_LETTER
    NOTHING = ""

    @property
    def next(self) -> Brush:
        """The brush that follows; the first follows the last."""
        every = list(Brush)
        return every[(every.index(self) + 1) % len(every)]

    def in_words(self, stone: str) -> str:
        """Say what it does, where the stone is called so."""
        return {
            Brush.HAND: "pick up, put down",
            Brush.DWARF: "put a dwarf",
            Brush.TROLL: "put a troll",
            Brush.STONE: f"put the {stone}",
            Brush.NOTHING: "take away",
        }[self]


class EditPanel(Static):
    """Says what is set up, and lists what can be done; each of it can be clicked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key", "standing--faint"}

    ALLOW_SELECT = False

    def show(self, setup: Setup, brush: Brush) -> None:
        """Show a setup, and what Enter and a click do now."""
        position = setup.position
        lines = [
            Text("Any position", "bold"),
            self._row("game", setup.variant.title),
            self._row("side", f"{position.to_move.plural} to move"),
            self._faint(f"    {', '.join(pieces_left(position, side) for side in Side)}"),
            Text(),
            self._faint("Enter or a click:"),
            self._row("brush", brush.in_words(setup.variant.stone)),
            Text(),
            self._pair(("dwarf", "dwarf"), ("troll", "troll")),
            self._pair(("stone", setup.variant.stone), ("remove", "none")),
            Text(),
            self._pair(("undo", "undo"), ("redo", "redo")),
            self._pair(("start", "start"), ("clear", "clear")),
            self._pair(("mirror", "mirror"), ("turn", "turn")),
            self._pair(("type", "type it"), ("copy", "copy")),
            Text(),
            self._pair(("play", "play it"), ("judge", "judge it")),
            self._pair(("puzzle", "puzzle"), ("save", "save")),
        ]
        self.update(Text("\n").join(lines))

    def _row(self, name: str, what: str) -> Text:
        return Text.assemble(" ", self._key(name), f" {what}")

    def _pair(self, first: tuple[str, str], second: tuple[str, str]) -> Text:
        text = self._row(*first)
        text.pad_right(max(1, _WIDTH - text.cell_len))
        return text.append(self._row(*second))

    def _key(self, name: str) -> Text:
        """Return the key of a binding, to be clicked like the key."""
        binding = next(each for each in EDIT_KEYS if each.id == f"edit.{name}")
        key = keys_of(binding, keymap_of(self.app))[0]
        shown = key_name(key, ascii_only=settings_of(self.app).ascii)
        click = Style(meta={"@click": f"app.simulate_key('{key}')"})
        style = self.get_component_rich_style("prompt--key", partial=True)
        return Text(f" {shown} ", style + click)

    def _faint(self, text: str) -> Text:
        return Text(text, self.get_component_rich_style("standing--faint", partial=True))
