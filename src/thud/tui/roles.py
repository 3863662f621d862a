"""Protocols that screens fulfil for the app, each with its test."""

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
        """The position, to be changed elsewhere."""


class ShowsMatch(Protocol):
    """A screen with a match, played or replayed, which can be saved."""

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
        """Return a record, and the place in it that is shown, for a picture of that."""

    def say(self, notice: str) -> None:
        """Show a notice."""

    def noted(self) -> None:
        """Know that the record has been written to a file."""

    def ask_to_leave(self) -> None:
        """Leave, perhaps after a question; `MatchLeft` is posted if that is answered so."""


class PlaysMatch(Protocol):
    """A screen at which a match is played."""

    @property
    def session(self) -> SessionView:
        """What is played."""

    @property
    def opens(self) -> bool:
        """Whether another match can be opened in place of this one."""

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""

    def say(self, notice: str) -> None:
        """Show a notice."""


class FollowsSettings(Protocol):
    """A screen that follows changed settings."""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings, whenever they change."""


class TakesKeysInOrder(Protocol):
    """A screen that finishes one key's action before the next key."""

    begun: bool
    """Whether it can take keys: those that come before that wait."""

    def take_any_key(self, key: str) -> bool:
        """Look at a key before its binding; say whether that was all it does."""

    async def take_paste(self, text: str) -> None:
        """Take pasted text in its turn."""


class MatchLeft(Message):
    """The players want to leave the screen's match."""


class ReviewWanted(Message):
    """A battle is over, and shall be replayed.

    Args:
        judge: whether to have it judged at once.
    """

    def __init__(self, *, judge: bool) -> None:
        super().__init__()
        self.judge = judge


def shows_position(screen: object) -> TypeGuard[ShowsPosition]:
    """Say whether a screen shows a position."""
    return hasattr(type(screen), "at_hand")


def shows_match(screen: object) -> TypeGuard[ShowsMatch]:
    """Say whether a screen has a match."""
    return hasattr(type(screen), "ask_to_leave")


def plays_match(screen: object) -> TypeGuard[PlaysMatch]:
    """Say whether a match is played at a screen."""
    return hasattr(type(screen), "opens")


def follows_settings(screen: object) -> TypeGuard[FollowsSettings]:
    """Say whether a screen follows the settings."""
    return hasattr(type(screen), "apply_settings")


def takes_keys_in_order(screen: object) -> TypeGuard[TakesKeysInOrder]:
    """Say whether a screen wants one key after the other."""
    return hasattr(type(screen), "take_any_key")


def is_stopover(screen: Screen[Any]) -> bool:
    """Say whether what is opened from a screen is left for it again: its class says so."""
    return getattr(type(screen), "stopover", False)
