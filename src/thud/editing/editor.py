"""A position that is set up step by step."""

from __future__ import annotations

from thud.rules.setup import Setup


class Editor:
    """A setup that is changed step by step, with undo and redo.

    Args:
        setup: what to begin with.

    Attributes:
        setup: what it is now.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._before: list[Setup] = []
        self._after: list[Setup] = []

    def change(self, setup: Setup) -> bool:
        """Go over to another setup; return whether it is another."""
        if setup == self.setup:
            return False
        self._before.append(self.setup)
        self._after.clear()
        self.setup = setup
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self._after)

    def undo(self) -> bool:
        """Take the last change back; return False if there is none."""
        if not self._before:
            return False
        self._after.append(self.setup)
        self.setup = self._before.pop()
        return True

    def redo(self) -> bool:
        """Make again what was taken back last; return False if there is nothing."""
        if not self._after:
            return False
        self._before.append(self.setup)
        self.setup = self._after.pop()
        return True
