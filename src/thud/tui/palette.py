"""The command palette: the actions of the current screen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from rich.cells import cell_len
from textual.actions import parse
from textual.app import SystemCommand
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits
from textual.content import Content
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider

from thud.tui.actions import ACTIONS, BY_ID, Action
from thud.tui.deployment import Deployment
from thud.tui.keys.keymap import Keymap, key_name, keys_of
from thud.tui.navigator import Navigator
from thud.tui.screens import BoardScreen, MatchScreen

_NO_COMMANDS: Final = ("app.quit", "app.command_palette")
"""Actions not listed: Textual offers to quit already, and the palette is open."""

_OF_TEXTUAL: Final = {"Theme": "Change all colours", "Quit": "Leave"}
"""Textual's commands that suit the game, and their help."""


_KEY: Final = "Key: "
"""What precedes a command's keys, at the end of its help."""

_BESIDE: Final = 6
"""Columns of the palette's list that are no text."""


class KeyedCommands(SystemCommandsProvider):
    """The commands of the palette, each with its key at the right of its row."""

    async def discover(self) -> Hits:
        """Yield all commands, by title; for fingers, which scroll, in the order of use."""
        hits = [each async for each in super().discover()]
        if self._for_fingers:
            offered = [each.title for each in self.app.get_system_commands(self.screen)]
            of_textual = [each for each in offered if each in _OF_TEXTUAL]
            order = [*(each for each in offered if each not in _OF_TEXTUAL), *of_textual]
            hits.sort(key=lambda hit: order.index(hit.text) if hit.text in order else len(order))
        for hit in hits:
            assert isinstance(hit, DiscoveryHit)
            shown, told = self._with_key(hit.display, hit.help or "")
            yield DiscoveryHit(shown, hit.command, hit.text, told)

    async def search(self, query: str) -> Hits:
        """Yield the commands that match what is typed."""
        async for hit in super().search(query):
            assert isinstance(hit, Hit)
            shown, told = self._with_key(hit.match_display, hit.help or "")
            yield Hit(hit.score, shown, hit.command, hit.text, told)

    @property
    def _for_fingers(self) -> bool:
        return bool(getattr(self.app, "touched", False))

    def _with_key(self, title: Any, told: str) -> tuple[Content, str | None]:
        """Return a title with its key at the right, and its help without it."""
        shown = title if isinstance(title, Content) else Content(title)
        meaning, found, keys = told.rpartition(_KEY)
        if not found:
            return shown, told or None
        if self._for_fingers:
            return shown, meaning.rstrip(". ") or None
        room = self.app.size.width - _BESIDE - shown.cell_length - cell_len(keys)
        shown = Content.assemble(shown, " " * max(2, room), (keys, "$text-accent"))
        return shown, meaning.rstrip(". ") or None


def commands(
    screen: Screen[object],
    textual: Iterable[SystemCommand],
    keymap: Keymap,
    deployment: Deployment,
) -> Iterable[SystemCommand]:
    """Return the actions of a screen's keys, and Textual's commands that suit the game."""
    found = [
        command._replace(
            title=deployment.label("front.quit") if command.title == "Quit" else command.title,
            help=_OF_TEXTUAL[command.title],
        )
        for command in textual
        if command.title in _OF_TEXTUAL
    ]
    to_keys = partial(screen.run_action, "app.all_keys")
    found.append(SystemCommand("All keys", "Find what any key does, and change it", to_keys))
    own = (BY_ID[each.id] for each in screen.BINDINGS if isinstance(each, Binding) and each.id)
    for action in (*own, *ACTIONS["app"]):
        if action.runs not in _NO_COMMANDS and does_something(screen, action, deployment):
            keys = " ".join(map(key_name, keys_of(action, keymap)))
            told = ". ".join(filter(None, (action.meaning, f"{_KEY}{keys}")))
            run = partial(screen.run_action, action.runs)
            found.append(SystemCommand(deployment.label(action.id), told, run))
    offered: dict[str, SystemCommand] = {}
    for each in found:
        # Offer each title once: two keys may have the same.
        offered.setdefault(each.title, each)
    return offered.values()


def does_something(screen: Screen[object], action: Action, deployment: Deployment) -> bool:
    """Whether an action would do something on a screen now."""
    space, name, parameters = parse(action.runs)
    if not deployment.allows(action.runs):
        return False
    if not space:
        offers = getattr(screen, "does_something", screen.check_action)
        return offers(name, parameters) is True
    # The app cannot be asked here: its screen is the palette by now.
    match = screen if isinstance(screen, MatchScreen) else None
    asking = match is not None and match.asking
    saves = match is not None and not asking
    possible = {
        "edit": isinstance(screen, BoardScreen) and not asking,
        "explore": not (asking or (match and match.why_not("explore"))),
        "picture": saves,
        "save_as": saves,
        "open": match is not None and match.opens,
        "to_match": Navigator(screen.app).match_below(screen) is not None,
    }
    return possible.get(name, True)
