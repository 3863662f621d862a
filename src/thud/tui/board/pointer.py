"""The mouse on the board: the square under it, clicks and drags."""

from __future__ import annotations

from thud.rules.geometry import Square


class Pointer:
    """Turns mouse events into clicks, drags and hovering."""

    def __init__(self) -> None:
        self.over: Square | None = None
        self.dragged: Square | None = None
        """The square that is dragged from."""
        self._pressed: Square | None = None
        self._dropped = False

    def enter(self, square: Square | None) -> bool:
        """Note what is under the mouse; say whether that has changed."""
        before, self.over = self.over, square
        return before != square

    def press(self, square: Square | None) -> None:
        """Note where the button was pressed, None beside the board."""
        self._pressed, self.dragged, self._dropped = square, None, False

    def pulls(self, square: Square | None) -> bool:
        """Say whether something begins to be dragged, with the mouse on a square now."""
        if self._pressed is None or self.dragged is not None or square == self._pressed:
            return False
        self.dragged = self._pressed
        return True

    def release(self) -> Square | None:
        """Note that the button is up; return where what is dropped by that was taken from."""
        dragged, self.dragged, self._pressed = self.dragged, None, None
        self._dropped = dragged is not None
        return dragged

    def clicks(self) -> bool:
        """Say whether a click is one, and not the end of dragging."""
        dropped, self._dropped = self._dropped, False
        return not dropped
