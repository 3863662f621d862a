"""The mouse on the board: the square under it, clicks and drags."""

from __future__ import annotations

from thud.rules.geometry import Square


class DragTracker:
    """Turns mouse events into clicks, drags and hovering."""

    def __init__(self) -> None:
        self.over: Square | None = None
        self.dragged: Square | None = None
        """The square being dragged from."""
        self._pressed: Square | None = None
        self._dropped = False

    def enter(self, square: Square | None) -> bool:
        """Set the square under the mouse; return whether it has changed."""
        before, self.over = self.over, square
        return before != square

    def press(self, square: Square | None) -> None:
        """Set the square where the button was pressed, None off the board."""
        self._pressed, self.dragged, self._dropped = square, None, False

    def start_drag(self, square: Square | None) -> bool:
        """Start a drag if the mouse has left the pressed square; return whether it did."""
        if self._pressed is None or self.dragged is not None or square == self._pressed:
            return False
        self.dragged = self._pressed
        return True

    def release(self) -> Square | None:
        """End the press; return the square a drag started from, None if there was no drag."""
        dragged, self.dragged, self._pressed = self.dragged, None, None
        self._dropped = dragged is not None
        return dragged

    def take_click(self) -> bool:
        """Whether a click is a real one, not the end of a drag; resets that."""
        dropped, self._dropped = self._dropped, False
        return not dropped
