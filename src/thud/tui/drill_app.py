"""The application in which drills are gone through, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from textual.await_complete import AwaitComplete
from textual.screen import Screen

from thud.drills.drill import Drill
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.drill.screen import DrillScreen


class DrillApp(ThudApp):
    """Goes through drills, and ends when they have been left.

    Args:
        drills: what to go through, one or more.
        preferences: the settings.
    """

    def __init__(self, drills: Iterator[Drill], preferences: Preferences) -> None:
        super().__init__(preferences=preferences)
        self._drills = drills

    def get_default_screen(self) -> Screen[None]:
        """Begin with the first task."""
        screen = self._following(DrillScreen(self._drills))
        screen._push_result_callback(screen, None)
        return screen

    def pop_screen(self) -> AwaitComplete:
        """Leave a screen, which is the end where nothing else is open."""
        if len(self.screen_stack) > 1:
            return super().pop_screen()
        self.exit()
        nothing: AwaitComplete = AwaitComplete.nothing()  # type: ignore[no-untyped-call]
        return nothing
