"""The screens as the app knows them: what it asks of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from thud.tui.textual_fixes import OrderedScreen

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.tree import Excerpt
    from thud.rules.setup import Setup
    from thud.session.view import SessionView
    from thud.settings.values import Settings


class ThudScreen:
    """What the app asks of a screen that stays while others are shown above it.

    Attributes:
        stopover: whether leaving a screen opened from this one returns to it.
    """

    stopover: ClassVar[bool] = False

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings; called whenever they change."""


class BoardScreen(ThudScreen, OrderedScreen):
    """What it asks of a screen with a board, which finishes each key's action before the next."""

    @property
    def current_setup(self) -> Setup:
        """The position shown, for the editor or to play from."""
        raise NotImplementedError

    @property
    def says(self) -> bool:
        """Whether it has a place for notices now."""
        return False

    def say(self, notice: str) -> None:
        """Show a notice."""
        raise NotImplementedError

    def why_not(self, action: str) -> str:
        """Return why an action does nothing now, empty if it does something or has no reason."""
        return ""

    def refuses(self, action: str) -> bool:
        """Show why an action does nothing now, if there is a reason; return whether there is."""
        because = self.why_not(action)
        if because:
            self.say(because)
        return bool(because)


class MatchScreen(BoardScreen):
    """What it asks of a screen with a match, played or replayed, that can be saved.

    Attributes:
        session: the session played here; None in a replay.
    """

    session: SessionView | None = None

    class Left(Message):
        """The players want to leave the screen's match."""

    class ReviewWanted(Message):
        """A session's finished battle is to be replayed.

        Args:
            session: the session.
            judge: whether to start the review at once.
        """

        def __init__(self, session: SessionView, *, judge: bool) -> None:
            super().__init__()
            self.session = session
            self.judge = judge

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""
        raise NotImplementedError

    @property
    def asking(self) -> bool:
        """Whether a question is open that is to be answered before anything else is done."""
        raise NotImplementedError

    @property
    def opens(self) -> bool:
        """Whether another match can be opened in place of this one."""
        return False

    def excerpt(self) -> Excerpt:
        """Return the place shown, to save its battle or draw a picture of it."""
        raise NotImplementedError

    def on_saved(self) -> None:
        """Note that the record has been written to a file."""

    async def ask_to_leave(self) -> None:
        """Leave, perhaps after a confirmation, by posting `Left`."""
        raise NotImplementedError
