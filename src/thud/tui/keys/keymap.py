"""The player's own keys, and the names of keys.

The keys of every action with an id can be changed in the settings file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from textual.app import App
from textual.keys import Keys, format_key

from thud.text import capitalised, meant, quoted
from thud.tui.actions import BY_ID, TOGETHER, Action
from thud.tui.textual_fixes import character_to_key

Keymap: TypeAlias = Mapping[str, str]
"""The keys of actions by id, separated by commas, as Textual takes them."""

_NAMES: Final = {
    "kp_begin": "keypad 5",
    "enter": "Enter",
    "space": "Space",
    "escape": "Esc",
    "backspace": "Backspace",
    "delete": "Del",
    "tab": "Tab",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}
_IN_ASCII: Final = {"up": "Up", "down": "Down", "left": "Left", "right": "Right"}
_OTHERWISE: Final = {
    "esc": "escape",
    "del": "delete",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
}
_NEEDED: Final = {
    "ctrl+c": "interrupts programs, and copies what is selected",
    "ctrl+q": "quits",
    "ctrl+m": "is Enter in a terminal",
    "ctrl+j": "is Enter in a terminal",
    "ctrl+i": "is Tab in a terminal",
    "ctrl+h": "is Backspace in a terminal",
    "ctrl+s": "stops the output of a terminal",
}
"""What the program or the terminal needs keys for."""
_MODIFIERS: Final = {"ctrl", "shift", "alt", "super", "meta", "hyper"}


def keys_of(action: Action, keymap: Keymap) -> list[str]:
    """Return the keys of an action, the player's own if changed."""
    return keymap.get(action.id, action.keys).split(",")


def keymap_of(app: App[object]) -> Keymap:
    """Return the player's own keys in an app, empty if it has none."""
    return getattr(app, "keymap", {})


@cache
def key_name(key: str, *, ascii_only: bool = False) -> str:
    """Return the display name of a key."""
    *modifiers, base = key.split("+")
    name = _IN_ASCII.get(base) if ascii_only else None
    name = name or _NAMES.get(base) or format_key(base)
    if modifiers or (base[:1] == "f" and base[1:].isdigit()):
        name = name[:1].upper() + name[1:]
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])


def keymap(own: Mapping[str, tuple[str, ...]]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the player's own keys as a keymap, and what is wrong with them, by id.

    Errors are unknown ids, unknown keys, and a key that does two things on one screen.  Actions
    with errors keep their default keys.
    """
    wrong, fit = {}, {}
    for name, keys in own.items():
        strange = [key for key in keys if not _normal(key)]
        if name not in BY_ID:
            wrong[name] = f"{quoted(name)} is not the name of a key binding{meant(name, BY_ID)}"
        elif strange:
            wrong[name] = f"there is no key {quoted(strange[0])}"
        elif needed := next((key for key in map(_normal, keys) if key in _NEEDED), ""):
            wrong[name] = f"{key_name(needed)} {_NEEDED[needed]}"
        else:
            fit[name] = ",".join(dict.fromkeys(map(_normal, keys)))
    while clash := next(((n, why) for n in reversed(fit) if (why := _clash(n, fit))), None):
        name, wrong[name] = clash
        del fit[name]
    return _with_companions(fit), wrong


def why_not(own: Mapping[str, tuple[str, ...]], name: str, keys: tuple[str, ...] | None) -> str:
    """Return why an action cannot have other keys, or its usual ones; empty if it can."""
    others = {each: theirs for each, theirs in own.items() if each != name}
    before, after = (keymap(each)[1] for each in (own, others | ({name: keys} if keys else {})))
    return next((why for each, why in after.items() if each == name or each not in before), "")


def exchanged(
    own: Mapping[str, tuple[str, ...]], name: str, key: str
) -> Mapping[str, tuple[str, ...]]:
    """Return the keys of an action with another's key, and of the others with its own instead.

    Empty if nothing changeable has that key on its screens, or they cannot have its own.
    """
    fit, one = keymap(own)[0], BY_ID[name]
    mine = keys_of(one, fit)[0]
    theirs = {
        other.id: keys_of(other, fit)
        for context in TOGETHER
        if one in context
        for other in context
        if other.id not in ("", name) and key in keys_of(other, fit)
    }
    changed = {
        other: tuple(dict.fromkeys(mine if each == key else each for each in keys))
        for other, keys in theirs.items()
    }
    wrong = set(keymap({**own, **changed, name: (key,)})[1]) - set(keymap(own)[1])
    return {name: (key,), **changed} if changed and not wrong else {}


def _normal(key: str) -> str:
    """Return Textual's name of a key, empty if there is no such key."""
    if len(key) == 1:
        return character_to_key(key)
    *modifiers, base = key.lower().removesuffix("++").split("+") + ["+"] * key.endswith("++")
    base = character_to_key(base) if len(base) == 1 else _OTHERWISE.get(base, base)
    known = base in {*_NAMES, *(each.value for each in Keys)} or len(format_key(base)) == 1
    return "+".join([*modifiers, base]) if known and set(modifiers) <= _MODIFIERS else ""


def _clash(name: str, fit: Keymap) -> str:
    """Return which other action on the same screen has a key of this one, empty if none."""
    for context in TOGETHER:
        mine = [each for each in context if each.id == name]
        for one, other in product(mine, context):
            added = _shared(one, other, fit) - _shared(one, other, {})
            if other.id != name and added:
                what, instead = "something else there", "take another key"
                if other.id:
                    what = f"{capitalised(other.label)} ({other.id})"
                    instead = "give that another key first"
                return f"{key_name(min(added))} is also for {what}: {instead}"
    return ""


def _shared(one: Action, other: Action, fit: Keymap) -> set[str]:
    return set(keys_of(one, fit)) & set(keys_of(other, fit))


def _with_companions(fit: dict[str, str]) -> dict[str, str]:
    """Add the actions that share default keys with changed ones.

    Textual removes a remapped binding's default keys from all bindings that have them.
    """
    changed = [BY_ID[name] for name in fit]
    companions = {
        other.id: other.keys
        for context in TOGETHER
        for other in context
        for one in changed
        if other.id and other.id not in fit and one in context
        if _shared(one, other, {})
    }
    return fit | companions
