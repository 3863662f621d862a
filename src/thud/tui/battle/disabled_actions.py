"""Which actions of a battle are disabled, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from textual.actions import parse
from textual.app import App

from thud.rules.position import Side
from thud.session.participants import MUTED
from thud.session.view import SessionView
from thud.tui.keys.bar import Entry
from thud.tui.keys.bindings import ONLOOK_KEYS, WATCH_KEYS
from thud.tui.keys.keymap import all_bindings, key_name, keymap_of, keys_of
from thud.tui.widgets.appearance import settings_of
from thud.wording.text import sentence


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


_POSSIBLE: Final[Mapping[str, Callable[[SessionView], bool]]] = {
    "choose": lambda session: session.takes_part,
    "undo": lambda session: session.can_undo,
    "redo": lambda session: session.can_redo,
    "end_battle": lambda session: session.can_move,
    "resign": lambda session: session.can_resign,
    "reconnect": lambda session: session.lost is not None and session.lost.asks,
    "give_seat": lambda session: session.participants.asking is not None,
    "claim": lambda session: session.can_claim,
    "hint": lambda session: session.can_be_advised,
    "talk": lambda session: session.can_talk,
    "said": lambda session: bool(session.participants.conversation),
    "who": lambda session: session.participants.met,
    "type_move": lambda session: session.battle.outcome is None,
    "threats": lambda session: session.battle.outcome is None,
    "speed": lambda session: session.watched,
    "review": lambda session: session.battle.outcome is not None,
    "look": lambda session: bool(session.battle.played),
}
"""When the board's actions do something; actions missing here always do."""


def possible(session: SessionView, action: str) -> bool:
    """Whether an action of the board does something now."""
    holds = _POSSIBLE.get(action)
    return holds is None or holds(session)


def why_not(session: SessionView, action: str) -> str:
    """Return why an action of the board does nothing now; empty if it does something."""
    because = _BECAUSE.get(action)
    return because(session) if because else ""


def waits_for_turn(session: SessionView, action: str) -> bool:
    """Whether an action only has to wait for the player's own turn."""
    if session.battle.outcome or not session.seats.local:
        return False
    if action == "hint":
        return session.hints_allowed and not session.can_be_advised
    return action == "end_battle" and not (session.can_move or _no_end(session))


def _no_end(session: SessionView) -> str:
    """Return why it is no use to propose the end: without points, Thud's players never agree."""
    if session.match.variant.counts_points:
        return ""
    refusals = (session.seat_of(side).refusal(session.battle, side) for side in Side)
    return next(filter(None, refusals), "")


def _no_hint(session: SessionView) -> str:
    if not session.hints_allowed:
        return "This match is played without hints."
    if session.seats.has_remote and not (session.can_move or session.battle.outcome):
        return "Wait for your turn to ask for a hint."
    return ""


def _no_evaluation(session: SessionView) -> str:
    if session.seats.has_remote and not session.seats.local:
        return "Spectators get no evaluation."
    return "" if session.hints_allowed else "This match is played without evaluation."


def _no_review(session: SessionView) -> str:
    return "" if session.battle.outcome else "You can review the battle when it is over."


def _no_talk(session: SessionView) -> str:
    participants = session.participants
    if participants.muted:
        return sentence(MUTED)
    if participants.talking and not session.can_talk:
        return "Only players can chat."
    return "" if participants.chat_allowed or not participants.met else "This match has no chat."


_BECAUSE: Final[Mapping[str, Callable[[SessionView], str]]] = {
    "end_battle": _no_end,
    "hint": _no_hint,
    "evaluate": _no_evaluation,
    "review": _no_review,
    "talk": _no_talk,
}
