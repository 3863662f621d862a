"""The command palette: the actions of the current screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from textual.actions import parse
from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from thud.tui.deployment import Deployment
from thud.tui.keys.bindings import APP_KEYS, MEANINGS
from thud.tui.keys.keymap import Keymap, key_name, keys_of
from thud.tui.roles import plays_match, shows_match, shows_position

_NO_COMMANDS: Final = ("app.quit", "command_palette")
"""Actions not listed: Textual offers to quit already, and the palette is open."""

_OF_TEXTUAL: Final = {"Theme": "Change all colours", "Quit": "Leave"}
"""Textual's commands that suit the game, and their help."""


def commands(
    screen: Screen[object],
    textual: Iterable[SystemCommand],
    keymap: Keymap,
    deployment: Deployment,
) -> Iterable[SystemCommand]:
    """Return the actions of a screen's keys, and Textual's commands that suit the game."""
    offered: dict[str, SystemCommand] = {}
    for each in (*_own(textual, deployment), *_of_keys(screen, keymap, deployment)):
        # Offer each title once: two keys may have the same.
        offered.setdefault(each.title, each)
    return offered.values()


def _own(textual: Iterable[SystemCommand], deployment: Deployment) -> Iterator[SystemCommand]:
    for command in textual:
        if told := _OF_TEXTUAL.get(command.title):
            title = deployment.says(command.title)
            yield command._replace(title=title, help=deployment.says(told))


def _of_keys(
    screen: Screen[object], keymap: Keymap, deployment: Deployment
) -> Iterator[SystemCommand]:
    for binding in (*screen.BINDINGS, *APP_KEYS):
        if isinstance(binding, Binding) and _is_command(screen, binding, deployment):
            keys = " ".join(map(key_name, keys_of(binding, keymap)))
            told = ". ".join(filter(None, (MEANINGS.get(str(binding.id)), f"Key: {keys}")))
            run = partial(screen.run_action, binding.action)
            yield SystemCommand(deployment.says(binding.description), deployment.says(told), run)


def _is_command(screen: Screen[object], binding: Binding, deployment: Deployment) -> bool:
    listed = bool(binding.id) and binding.action not in _NO_COMMANDS
    return listed and does_something(screen, binding, deployment)


def does_something(screen: Screen[object], binding: Binding, deployment: Deployment) -> bool:
    """Whether a key would do something on a screen now."""
    space, name, parameters = parse(binding.action)
    if not deployment.allows(name):
        return False
    if not space:
        offers = getattr(screen, "does_something", screen.check_action)
        return offers(name, parameters) is True
    saves = shows_match(screen) and not screen.asking
    possible = {
        "edit": shows_position(screen),
        "picture": saves,
        "save_as": saves,
        "open": plays_match(screen) and screen.opens,
        "to_match": any(plays_match(each) for each in screen.app.screen_stack if each != screen),
    }
    return possible.get(name, True)
