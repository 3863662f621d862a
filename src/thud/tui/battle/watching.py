"""The keys on the last line of who does not play: computers do, or others at other places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from textual.actions import parse
from textual.app import App

from thud.tui.keys.bar import Entry
from thud.tui.keys.bindings import ONLOOK_KEYS, WATCH_KEYS
from thud.tui.keys.keymap import all_bindings, key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of


class Offers(Protocol):
    """A screen that says which keys do something now."""

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now."""


def watch_entries(app: App[Any], screen: Offers, *, paused: bool) -> tuple[Entry, ...]:
    """Return the keys with which people watch, their own ones where they have such.

    Args:
        app: whose keys they are.
        screen: where they hold.
        paused: whether the computers wait: then moves can be taken back, too.
    """
    words = dict(WATCH_KEYS)
    if paused:
        words["board.choose"] = "Go on"
    else:
        del words["battle.undo"]
    return _entries(app, screen, words)


def onlook_entries(app: App[Any], screen: Offers) -> tuple[Entry, ...]:
    """Return the keys of who looks on, who can change nothing."""
    return _entries(app, screen, dict(ONLOOK_KEYS))


def _entries(app: App[Any], screen: Offers, words: Mapping[str, str]) -> tuple[Entry, ...]:
    """Return keys that do something now, by their names in the tables, and what they do."""
    return tuple(_entry(app, name, what) for name, what in words.items() if _holds(screen, name))


def _holds(screen: Offers, name: str) -> bool:
    space, action, parameters = parse(all_bindings()[name].action)
    return bool(space) or screen.does_something(action, parameters)


def _entry(app: App[Any], name: str, what: str) -> Entry:
    binding = all_bindings()[name]
    keys = keys_of(binding, keymap_of(app))
    # Of several keys the one that is nearest to the thumb.
    key = "space" if "space" in keys else keys[0]
    return Entry(key, key_name(key, ascii_only=settings_of(app).ascii), what)
