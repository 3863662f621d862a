"""Protocols that screens implement for the app, each with its type guard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from textual.message import Message
from textual.screen import Screen

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.tree import Excerpt
    from thud.rules.setup import Setup
    from thud.session.view import SessionView
    from thud.settings.values import Settings
    from thud.tui.battle.picker import BoardPane


class ShowsPosition(Protocol):
    """A screen that shows a position of a game."""

    @property
    def at_hand(self) -> Setup:
        """The position, for the editor."""


class ShowsMatch(Protocol):
    """A screen with a match, played or replayed, that can be saved."""

    @property
    def pane(self) -> BoardPane:
        """The board that shows the match."""

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""

    async def pictured(self) -> tuple[Record, Excerpt]:
        """Return the record and the place shown in it, to draw a picture of it."""

    def say(self, notice: str) -> None:
        """Show a notice."""

    def noted(self) -> None:
        """Called once the record has been written to a file."""

    def ask_to_leave(self) -> None:
        """Leave, perhaps after a confirmation, by posting `MatchLeft`."""


class PlaysMatch(Protocol):
    """A screen at which a match is played."""

    @property
    def session(self) -> SessionView:
        """The session played."""

    @property
    def opens(self) -> bool:
        """Whether another match can be opened in place of this one."""

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""

    def say(self, notice: str) -> None:
        """Show a notice."""

    def refuses(self, action: str) -> bool:
        """Show why an action does nothing now, if there is a reason; return whether there is."""


class FollowsSettings(Protocol):
    """A screen that follows changed settings."""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings; called whenever they change."""


class TakesKeysInOrder(Protocol):
    """A screen that finishes one key's action before the next key."""

    begun: bool
    """Whether it is ready for keys; earlier ones are queued."""

    def take_any_key(self, key: str) -> bool:
        """Handle a key before its binding; return whether the binding is to be skipped."""

    async def take_paste(self, text: str) -> None:
        """Handle pasted text, in order with the keys."""


class MatchLeft(Message):
    """The players want to leave the screen's match."""


class ReviewWanted(Message):
    """The finished battle is to be replayed.

    Args:
        judge: whether to start the review at once.
    """

    def __init__(self, *, judge: bool) -> None:
        super().__init__()
        self.judge = judge


def shows_position(screen: object) -> TypeGuard[ShowsPosition]:
    """Whether a screen shows a position."""
    return hasattr(type(screen), "at_hand")


def shows_match(screen: object) -> TypeGuard[ShowsMatch]:
    """Whether a screen has a match."""
    return hasattr(type(screen), "ask_to_leave")


def plays_match(screen: object) -> TypeGuard[PlaysMatch]:
    """Whether a match is played at a screen."""
    return hasattr(type(screen), "opens")


def follows_settings(screen: object) -> TypeGuard[FollowsSettings]:
    """Whether a screen follows the settings."""
    return hasattr(type(screen), "apply_settings")


def takes_keys_in_order(screen: object) -> TypeGuard[TakesKeysInOrder]:
    """Whether a screen handles one key after the other."""
    return hasattr(type(screen), "take_any_key")


def is_stopover(screen: Screen[Any]) -> bool:
    """Whether leaving a screen opened from this one returns to it, as its class says."""
    return getattr(type(screen), "stopover", False)
