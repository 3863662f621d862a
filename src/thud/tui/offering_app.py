"""An application that offers in its palette what can be done where it runs, on the screen shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from textual.actions import parse
from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from thud.tui.battle.screen import BattleScreen
from thud.tui.deployment import HOME, Deployment
from thud.tui.keys.bindings import MEANINGS
from thud.tui.keys.keymap import key_name, keys_of
from thud.tui.roles import shows_match, shows_position
from thud.tui.settings_app import SettingsApp

_NO_COMMANDS: Final = ("app.quit", "command_palette")
"""Actions that the palette has by itself, or is."""

_OF_TEXTUAL: Final = {"Theme": "Other colours for everything", "Quit": "Leave what is shown"}
"""The commands of Textual's own that suit the game, and what they do."""


class OfferingApp(SettingsApp):
    """Has keys and a palette in which nothing stands that would do nothing."""

    @property
    def premises(self) -> Deployment:
        """What may be done where it runs."""
        return HOME

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer what the keys do, and of Textual's own commands those that suit the game."""
        offered: dict[str, SystemCommand] = {}
        for each in self._commands(screen):
            # What two keys do that is called alike is offered once.
            offered.setdefault(each.title, each)
        return offered.values()

    def _commands(self, screen: Screen[object]) -> Iterator[SystemCommand]:
        says = self.premises.says
        for command in super().get_system_commands(screen):
            if command.title in _OF_TEXTUAL:
                told = _OF_TEXTUAL[command.title]
                yield command._replace(title=says(command.title), help=says(told))
        for binding in (*screen.BINDINGS, *self.BINDINGS):
            if isinstance(binding, Binding) and self._is_command(screen, binding):
                keys = " ".join(map(key_name, keys_of(binding, self.keymap)))
                told = ". ".join(filter(None, (MEANINGS.get(str(binding.id)), f"Key: {keys}")))
                run = partial(screen.run_action, binding.action)
                yield SystemCommand(says(binding.description), says(told), run)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys that hold everywhere do something here."""
        return self.premises.allows(action)

    def _is_command(self, screen: Screen[Any], binding: Binding) -> bool:
        listed = bool(binding.id) and binding.action not in _NO_COMMANDS
        return listed and self._does_something(screen, binding)

    def _does_something(self, screen: Screen[Any], binding: Binding) -> bool:
        """Say whether a key would do something on a screen now."""
        space, name, parameters = parse(binding.action)
        if not self.premises.allows(name):
            return False
        if not space:
            offers = getattr(screen, "does_something", screen.check_action)
            return offers(name, parameters) is True
        saves = shows_match(screen) and not screen.asking
        possible = {
            "edit": shows_position(screen),
            "picture": saves,
            "save_as": saves,
            "open": isinstance(screen, BattleScreen) and screen.opens,
        }
        return possible.get(name, True)
