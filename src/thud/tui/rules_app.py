"""The rules by themselves, without a match."""

from __future__ import annotations

from thud.rules.variant import Variant
from thud.settings.preferences import Preferences
from thud.tui.help.screen import HelpScreen
from thud.tui.settings_app import SettingsApp
from thud.tui.signals import leave_when_told


class RulesApp(SettingsApp):
    """Shows the rules until they are closed.

    Args:
        variant: the game to begin with; without one it is what all games share.
        topic: what of the variant to begin with.
        preferences: the settings.
    """

    TITLE = "The rules of Thud"

    def __init__(
        self, variant: Variant | None, topic: str, preferences: Preferences | None = None
    ) -> None:
        super().__init__(preferences)
        self._page = HelpScreen(variant, topic=topic)

    def on_mount(self) -> None:
        """Show the page."""
        leave_when_told(self)
        self._tell_faults(self._use_keys())
        self.push_screen(self._page, lambda _: self.exit())

    def action_help_quit(self) -> None:
        """Take Ctrl+C for the wish to leave."""
        self.exit()
