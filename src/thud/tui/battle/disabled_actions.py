"""Which actions of a battle are disabled, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from textual.actions import parse
from textual.app import App

from thud.rules.position import Side
from thud.session.participants import MUTED
from thud.session.view import SessionView
from thud.text import sentence
from thud.tui.keys.bar import Entry
from thud.tui.keys.bindings import ONLOOK_KEYS, WATCH_KEYS
from thud.tui.keys.keymap import all_bindings, key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of

_WITHOUT_HINTS: Final = "This match is played without hints."


class Offers(Protocol):
    """A screen that says which of its actions are enabled."""

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now."""


def watch_entries(app: App[Any], screen: Offers, *, paused: bool) -> tuple[Entry, ...]:
    """Return the footer's keys for watching computers play, as remapped by the player.

    Args:
        app: the app, with its keymap.
        screen: the screen whose actions they run.
        paused: whether the computers are paused: moves can then be taken back.
    """
    words = dict(WATCH_KEYS)
    if paused:
        words["board.choose"] = "Go on"
    else:
        del words["battle.undo"]
    return _entries(app, screen, words)


def onlook_entries(app: App[Any], screen: Offers) -> tuple[Entry, ...]:
    """Return the footer's keys for spectators, who can change nothing."""
    return _entries(app, screen, dict(ONLOOK_KEYS))


def _entries(app: App[Any], screen: Offers, words: Mapping[str, str]) -> tuple[Entry, ...]:
    """Return the enabled bindings among names and labels, as footer entries."""
    return tuple(_entry(app, name, what) for name, what in words.items() if _holds(screen, name))


def _holds(screen: Offers, name: str) -> bool:
    space, action, parameters = parse(all_bindings()[name].action)
    return bool(space) or screen.does_something(action, parameters)


def _entry(app: App[Any], name: str, what: str) -> Entry:
    binding = all_bindings()[name]
    keys = keys_of(binding, keymap_of(app))
    # Of several keys, prefer Space: it is nearest to the thumb.
    key = "space" if "space" in keys else keys[0]
    return Entry(key, key_name(key, ascii_only=settings_of(app).ascii), what)


class Actions(NamedTuple):
    """What the board's actions do now, for those that do not always do something."""

    possible: Mapping[str, bool]
    why_not: Mapping[str, str]
    """Why some do nothing; empty for one that does something, or only has to wait."""
    waiting: frozenset[str]
    """Those that only have to wait for the player's own turn."""

    def hold(self, action: str) -> bool | None:
        """Whether an action's key does something, if only to say why not; None if it waits."""
        if self.possible.get(action, True) or self.why_not.get(action):
            return True
        return None if action in self.waiting else False

    def offer(self, action: str) -> bool | None:
        """Whether to offer an action's key; None to dim it."""
        return None if action in self.waiting else not self.why_not.get(action)


def actions_now(session: SessionView) -> Actions:
    """Find out once after a change what the board's actions do."""
    can, participants = session.can, session.participants
    over = session.battle.outcome is not None
    possible = {
        "choose": can.take_part,
        "undo": can.undo,
        "redo": can.redo,
        "end_battle": can.move,
        "resign": can.resign,
        "reconnect": session.lost is not None and session.lost.asks,
        "give_seat": participants.asking is not None,
        "claim": can.claim,
        "hint": can.be_advised,
        "talk": can.talk,
        "who": participants.met,
        "type_move": not over,
        "threats": not over,
        "speed": session.watched,
        "review": over,
        "look": bool(session.battle.played),
    }
    why_not = {
        "end_battle": _no_end(session),
        "hint": _no_hint(session),
        "explore": "" if over or session.hints_allowed else _WITHOUT_HINTS,
        "evaluate": _no_evaluation(session),
        "review": "" if over else "You can review the battle when it is over.",
        "talk": _no_talk(session),
    }
    waiting = set()
    if not over and session.seats.local and not can.move:
        waiting |= {"hint"} if session.hints_allowed else set()
        waiting |= set() if why_not["end_battle"] else {"end_battle"}
    return Actions(possible, why_not, frozenset(waiting))


def _no_end(session: SessionView) -> str:
    """Return why it is no use to propose the end: without points, Thud's players never agree."""
    if session.match.variant.counts_points:
        return ""
    refusals = (session.seat_of(side).refusal(session.battle, side) for side in Side)
    return next(filter(None, refusals), "")


def _no_hint(session: SessionView) -> str:
    if not session.hints_allowed:
        return _WITHOUT_HINTS
    if session.seats.has_remote and not (session.can.move or session.battle.outcome):
        return "Wait for your turn to ask for a hint."
    return ""


def _no_evaluation(session: SessionView) -> str:
    if session.seats.has_remote and not session.seats.local:
        return "Spectators get no evaluation."
    return "" if session.hints_allowed else "This match is played without evaluation."


def _no_talk(session: SessionView) -> str:
    participants = session.participants
    if participants.muted:
        return sentence(MUTED)
    if participants.talking and not session.can.talk:
        return "Only players can chat."
    return "" if participants.chat_allowed or not participants.met else "This match has no chat."
