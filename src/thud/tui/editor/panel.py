"""The panel of the editor: game, turn, brush and actions."""

from __future__ import annotations

from enum import Enum
from itertools import chain
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
from thud.words.moves import pieces_left

_WIDTH: Final = 15
"""Columns of the first of two actions on a line."""
_COLUMNS: Final = 3
"""Actions on one line below the board."""
_ACTIONS: Final = (
    (("dwarf", "dwarf"), ("troll", "troll"), ("stone", ""), ("remove", "remove")),
    (
        *(("undo", "undo"), ("redo", "redo"), ("start", "start"), ("clear", "clear")),
        *(("mirror", "mirror"), ("turn", "turn"), ("type", "type it"), ("copy", "copy")),
    ),
    (("play", "play it"), ("judge", "judge it"), ("puzzle", "puzzle"), ("save", "save")),
)
"""Groups of actions: binding and label; the stone's label is its name in the variant."""


class Brush(Enum):
    """What Enter or a click does on a square; the value is the letter of the piece it puts."""

    HAND = "hand"
    DWARF = Side.DWARFS.value
    TROLL = Side.TROLLS.value
    STONE = STONE_LETTER
    NOTHING = ""

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

    DEFAULT_CLASSES = "section"

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key", "standing--faint"}

    DEFAULT_CSS = "EditPanel { link-style: none; }"

    ALLOW_SELECT = False

    def show(self, setup: Setup, brush: Brush) -> None:
        """Show a setup, and what the brush does."""
        variant, position, allows = setup.variant, setup.position, deployment_of(self.app).allows
        side, doing = f"{position.to_move.plural} to move", brush.in_words(variant.stone)
        left = ", ".join(pieces_left(position, each) for each in Side)
        groups = [
            [
                self._to_tap(name, label or variant.stone)
                for name, label in group
                if allows(BY_ID[f"edit.{name}"].runs)
            ]
            for group in _ACTIONS
        ]
        if self.app.has_class("-upright"):
            # Few lines, two rows high each if there is room.
            width = max(_COLUMNS, self.content_size.width)
            said = [
                self._to_tap("game", variant.title),
                self._to_tap("side", f"{side} ({left})"),
                self._to_tap("brush", f"on Enter and a click: {doing}"),
            ]
            actions = list(chain(*groups))
            rows = len(said) + -(-len(actions) // _COLUMNS)
            room = self.parent.size.height if isinstance(self.parent, Widget) else 0
            high = 2 * rows <= room
            text = side_by_side(said, width, 1, high=high).append("\n" if high else "\n\n")
            self.update(text.append(side_by_side(actions, width, _COLUMNS, high=high)))
            return
        faint = self.get_component_rich_style("standing--faint", partial=True)
        lines = [
            Text("Any position", "bold"),
            self._to_tap("game", variant.title).text,
            self._to_tap("side", side).text,
            Text(f"    {left}", faint),
            Text(),
            Text("Enter or a click:", faint),
            self._to_tap("brush", doing).text,
        ]
        for group in groups:
            lines.append(Text())
            for first in range(0, len(group), 2):
                line = group[first].text
                for second in group[first + 1 : first + 2]:
                    line.pad_right(max(1, _WIDTH - line.cell_len))
                    line.append_text(second.text)
                lines.append(line)
        self.update(Text("\n").join(lines))

    def _to_tap(self, name: str, what: str) -> Tappable:
        """Return a binding's key and its label, tappable."""
        action = BY_ID[f"edit.{name}"]
        key = keys_of(action, keymap_of(self.app))[0]
        click = Style(meta={"@click": f"app.simulate_key('{key}')"})
        style = self.get_component_rich_style("prompt--key", partial=True)
        shown = Text(f" {key_of(self.app, action.id)} ", style + click)
        return Tappable(Text.assemble((" ", click), shown, (f" {what}", click)), click)
