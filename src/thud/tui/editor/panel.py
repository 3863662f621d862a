"""The panel of the editor: game, turn, brush and actions."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.widget import Widget
from textual.widgets import Static

from thud.rules.position import STONE_LETTER, Side
from thud.rules.setup import Setup
from thud.tui.actions import BY_ID
from thud.tui.deployment import deployment_of
from thud.tui.keys.bar import key_of
from thud.tui.keys.keymap import keymap_of, keys_of
from thud.tui.widgets.prompt import Tappable, side_by_side
from thud.wording.moves import pieces_left

_WIDTH: Final = 15
"""Columns of the first of two actions on a line."""
_COLUMNS: Final = 3
"""Actions on one line below the board."""
_DONE: Final = (
    *(("dwarf", "dwarf"), ("troll", "troll"), ("stone", "")),
    *(("remove", "erase"), ("undo", "undo"), ("redo", "redo")),
    *(("start", "start"), ("clear", "clear"), ("mirror", "mirror")),
    *(("turn", "turn"), ("type", "type it"), ("copy", "copy")),
    *(("play", "play it"), ("judge", "judge it"), ("puzzle", "puzzle"), ("save", "save")),
)
"""Actions below the board: binding and label; the stone's label is its name in the variant."""


class Brush(Enum):
    """What Enter or a click does on a square; the value is the letter of the piece it puts."""

    HAND = "hand"
    DWARF = Side.DWARFS.value
    TROLL = Side.TROLLS.value
    STONE = STONE_LETTER
    NOTHING = ""

    @property
    def next(self) -> Brush:
        """The next brush, wrapping around."""
        every = list(Brush)
        return every[(every.index(self) + 1) % len(every)]

    def in_words(self, stone: str) -> str:
        """Describe what it does, with the stone's name."""
        return {
            Brush.HAND: "pick up, put down",
            Brush.DWARF: "put a dwarf",
            Brush.TROLL: "put a troll",
            Brush.STONE: f"put the {stone}",
            Brush.NOTHING: "remove",
        }[self]


class EditPanel(Static):
    """The setup in words, and its actions to click."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key", "standing--faint"}

    DEFAULT_CSS = "EditPanel { link-style: none; }"

    ALLOW_SELECT = False

    def show(self, setup: Setup, brush: Brush) -> None:
        """Show a setup, and what the brush does."""
        upright = self.app.has_class("-upright")
        self.update((self._below if upright else self._beside)(setup, brush))

    def _below(self, setup: Setup, brush: Brush) -> Text:
        """Return the panel below the board: few lines, two rows high each if there is room."""
        width = max(_COLUMNS, self.content_size.width)
        said, actions = self._said(setup, brush), self._actions(setup)
        rows = len(said) + -(-len(actions) // _COLUMNS)
        high = 2 * rows <= self._room
        text = side_by_side(said, width, 1, high=high).append("\n" if high else "\n\n")
        return text.append(side_by_side(actions, width, _COLUMNS, high=high))

    def _said(self, setup: Setup, brush: Brush) -> list[Tappable]:
        """Return the game, the side to move and the brush."""
        position = setup.position
        told = {
            "game": setup.variant.title,
            "side": f"{position.to_move.plural} to move ({_left(setup)})",
            "brush": f"on Enter and a click: {brush.in_words(setup.variant.stone)}",
        }
        return [self._to_tap(name, what) for name, what in told.items()]

    def _actions(self, setup: Setup) -> list[Tappable]:
        """Return the actions."""
        allows = deployment_of(self.app).allows
        offered = [each for each in _DONE if allows(BY_ID[f"edit.{each[0]}"].runs)]
        return [self._to_tap(name, what or setup.variant.stone) for name, what in offered]

    def _to_tap(self, name: str, what: str) -> Tappable:
        return Tappable(self._row(name, what), self._click(name))

    @property
    def _room(self) -> int:
        return self.parent.size.height if isinstance(self.parent, Widget) else 0

    def _beside(self, setup: Setup, brush: Brush) -> Text:
        """Return the panel beside the board."""
        position = setup.position
        lines = [
            Text("Any position", "bold"),
            self._row("game", setup.variant.title),
            self._row("side", f"{position.to_move.plural} to move"),
            self._faint(f"    {_left(setup)}"),
            Text(),
            self._faint("Enter or a click:"),
            self._row("brush", brush.in_words(setup.variant.stone)),
            Text(),
            self._pair(("dwarf", "dwarf"), ("troll", "troll")),
            self._pair(("stone", setup.variant.stone), ("remove", "erase")),
            Text(),
            self._pair(("undo", "undo"), ("redo", "redo")),
            self._pair(("start", "start"), ("clear", "clear")),
            self._pair(("mirror", "mirror"), ("turn", "turn")),
            self._pair(("type", "type it"), ("copy", "copy")),
            Text(),
            self._pair(("play", "play it"), ("judge", "judge it")),
            self._pair(("puzzle", "puzzle"), ("save", "save")),
        ]
        return Text("\n").join(lines)

    def _row(self, name: str, what: str) -> Text:
        click = self._click(name)
        return Text.assemble((" ", click), self._key(name), (f" {what}", click))

    def _pair(self, first: tuple[str, str], second: tuple[str, str]) -> Text:
        text = self._row(*first)
        text.pad_right(max(1, _WIDTH - text.cell_len))
        return text.append(self._row(*second))

    def _key(self, name: str) -> Text:
        """Return a binding's key, clickable."""
        shown = key_of(self.app, f"edit.{name}")
        style = self.get_component_rich_style("prompt--key", partial=True)
        return Text(f" {shown} ", style + self._click(name))

    def _click(self, name: str) -> Style:
        key = keys_of(BY_ID[f"edit.{name}"], keymap_of(self.app))[0]
        return Style(meta={"@click": f"app.simulate_key('{key}')"})

    def _faint(self, text: str) -> Text:
        return Text(text, self.get_component_rich_style("standing--faint", partial=True))


def _left(setup: Setup) -> str:
    """Return how many pieces each side has, in words."""
    return ", ".join(pieces_left(setup.position, side) for side in Side)
