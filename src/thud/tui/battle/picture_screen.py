"""A dialog for saving a picture: its name and its look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from thud.extras import how_to_get
from thud.records.tree import Excerpt
from thud.tui.actions import ACTIONS, Action, bindings
from thud.tui.battle.sharing import has_pillow
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.widgets.modals import AskScreen

_QUESTION: Final = "Save a picture (.png, .svg) or an animation (.gif)"
_WITHOUT_PILLOW: Final = f"Save a picture (.svg; for .png and .gif {how_to_get('pictures')})"


class PictureScreen(AskScreen[str]):
    """Asks for a file name and a look until a picture is written.

    Args:
        proposal: a file name.
        place: the place to draw, with the design and the advised move that can be chosen.
        save: writes a picture to the named file, and returns a message.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("picture")

    DEFAULT_CSS = "PictureScreen #choices { link-style: none; }"

    def __init__(
        self, proposal: str, place: Excerpt, save: Callable[[Excerpt, str], Awaitable[str]]
    ) -> None:
        question = _QUESTION if has_pillow() else _WITHOUT_PILLOW
        super().__init__(question, proposal, lambda name: save(self.chosen, name))
        self._place = place
        self._shown = Static(id="choices")
        self._like_board = self._arrows = False

    def compose_below(self) -> ComposeResult:
        """Lay out the choices."""
        self._show()
        yield self._shown

    @property
    def chosen(self) -> Excerpt:
        """The place to draw, in the chosen look."""
        return self._place._replace(
            design=self._place.design if self._like_board else None,
            arrow=self._arrows,
            advised=self._place.advised if self._arrows else None,
        )

    @property
    def _choices(self) -> Text:
        look = "as on this board" if self._like_board else "carved, on parchment"
        what = "last move and hint" if self._place.advised else "last move"
        arrows = what if self._arrows else "none"
        keymap = keymap_of(self.app)
        offered = zip(ACTIONS["picture"], (f"Look: {look}", f"Arrows: {arrows}"), strict=True)
        each = [
            Text(f"{key_name(keys_of(action, keymap)[0])} {told}", _clicked(action))
            for action, told in offered
        ]
        return Text("\n\n" if self.app.has_class("-upright") else "   ").join(each)

    def action_look(self) -> None:
        """Toggle between the board's look and the usual look of pictures."""
        self._like_board = not self._like_board
        self._show()

    def action_arrows(self) -> None:
        """Toggle arrows."""
        self._arrows = not self._arrows
        self._show()

    def _show(self) -> None:
        self._shown.update(self._choices)


def _clicked(action: Action) -> Style:
    """Return a style that makes a click do what the key does."""
    return Style(meta={"@click": f"screen.{action.runs}"})
