"""Navigation: the screen that comes back when one is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.screen import ModalScreen, Screen

from thud.tui.roles import is_stopover, plays_match, shows_match


class Navigator:
    """Finds the way back through the stack of screens.

    A match returns to the stopover below it, such as the front page or a replay, when it is left.
    Help, lists and questions are passing: to leave one of them closes it, or the nearest screen
    below that is a stopover or has a match.

    Args:
        app: whose screens these are.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app

    def nearest(self, is_sought: Callable[[Screen[Any]], bool]) -> Screen[Any] | None:
        """Return the nearest screen of a kind, from the one that is shown downwards."""
        return next(filter(is_sought, reversed(self._app.screen_stack)), None)

    def close_above(self, screen: object) -> None:
        """Close every screen that lies above one."""
        while self._app.screen is not screen:
            self._app.pop_screen()

    async def return_to(self, screen: Screen[Any]) -> None:
        """Close what lies above a screen, and before that the matches that are played there.

        They are on the disk when the screen is shown again.
        """
        for above in self._above(screen):
            if plays_match(above):
                await above.session.leave()
        if screen in self._app.screen_stack:
            self.close_above(screen)

    def leave(self) -> None:
        """Close what is passing; ask whether to leave a match; leave anything else."""
        place = self._place
        shown = self._app.screen
        if isinstance(shown, ModalScreen):
            shown.dismiss(None)
        elif shows_match(place):
            place.ask_to_leave()
        elif place and (below := self._below(place)):
            self.close_above(below[-1])
        elif place and place is not shown:
            self._app.run_worker(self.return_to(place))
        else:
            self._app.exit()

    @property
    def stopover(self) -> Screen[Any] | None:
        """The nearest stopover below the match that is left; where there is none, the app is."""
        place = self._place
        below = self._below(place) if place else []
        return next(filter(is_stopover, reversed(below)), None)

    @property
    def _place(self) -> Screen[Any] | None:
        """The screen that leaving is about: the one shown, or that something passing covers."""
        return self.nearest(lambda screen: is_stopover(screen) or shows_match(screen))

    def _below(self, screen: Screen[Any]) -> list[Screen[Any]]:
        stack = self._app.screen_stack
        return stack[: stack.index(screen)]

    def _above(self, screen: Screen[Any]) -> list[Screen[Any]]:
        stack = self._app.screen_stack
        return stack[stack.index(screen) + 1 :]
