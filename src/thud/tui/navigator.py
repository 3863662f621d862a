"""Navigation: which screen to return to when one is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import ModalScreen, Screen

from thud.tui.actions import BY_ID
from thud.tui.deployment import deployment_of
from thud.tui.keys.bar import key_of
from thud.tui.screens import MatchScreen, ThudScreen
from thud.tui.widgets.appearance import settings_of

if TYPE_CHECKING:
    from thud.exercises.drill import Attempts, Task
    from thud.exercises.next_step import Step


async def next_of(app: App[Any]) -> Step | None:
    """Find out what is to be done next; None where no front page leads there."""
    front = getattr(app, "front", None)
    return await front.find_next() if front else None


def count_answer_of(app: App[Any], task: Task, effort: Attempts) -> None:
    """Count an answer in a review in practice, too, where matches are kept."""
    if matches := getattr(app, "matches", None):
        matches.count_answer(task, effort, dubious=settings_of(app).practise_dubious)


def leave_label(app: App[Any], *, over: bool = False) -> str:
    """Return what leaving a match is called: to quit only where that ends the program.

    Args:
        app: the app.
        over: whether the match is over, so that where it leads may be named.
    """
    navigator: Navigator | None = getattr(app, "navigator", None)
    label = deployment_of(app).labels.get("battle.quit")
    if label or not (navigator and (stop := navigator.stopover)):
        return label or BY_ID["battle.quit"].label
    return "Front page" if over and stop is getattr(app, "front", None) else "Leave"


def way_back(app: App[Any]) -> str:
    """Say how to get back to a match that is left; empty where no front page leads there."""
    if getattr(app, "front", None) is None:
        return ""
    key = key_of(app, "front.resume")
    return f"To resume it, press {key} on the front page."


class Navigator:
    """Finds the way back through the screen stack.

    Leaving a match returns to the nearest stopover below it, such as the front page or a replay.
    Modal screens just close.  Leaving any other screen leaves the nearest one, from it downwards,
    that is a stopover or has a match.

    Args:
        app: the app.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app

    @property
    def match(self) -> MatchScreen | None:
        """The nearest screen with a match, from the current one downwards."""
        return next(self._matches(), None)

    @property
    def played(self) -> MatchScreen | None:
        """The nearest screen at which a match is played, from the current one downwards."""
        return next((screen for screen in self._matches() if screen.session), None)

    def match_below(self, screen: object) -> MatchScreen | None:
        """Return the screen of the match that goes on below one; None if that has a match itself.

        Args:
            screen: the current screen, or the one that dialogs cover.
        """
        played = self.played
        return None if played is screen else played

    def _matches(self) -> Iterator[MatchScreen]:
        return (each for each in reversed(self._app.screen_stack) if isinstance(each, MatchScreen))

    def close_above(self, screen: object) -> None:
        """Close every screen above one."""
        while self._app.screen is not screen:
            self._app.pop_screen()

    async def return_to(self, screen: Screen[Any]) -> None:
        """Close every screen above one, after leaving the matches played there.

        So they are saved when the screen is shown again.
        """
        stack = self._app.screen_stack
        for above in stack[stack.index(screen) + 1 :]:
            if isinstance(above, MatchScreen) and above.session:
                await above.session.leave()
        if screen in self._app.screen_stack:
            self.close_above(screen)

    async def leave(self) -> None:
        """Leave the current screen; ask first about a match."""
        place = self._place
        shown = self._app.screen
        if isinstance(shown, ModalScreen):
            shown.dismiss(None)
        elif isinstance(place, MatchScreen):
            await place.ask_to_leave()
        elif place and (below := self._below(place)):
            self.close_above(below[-1])
        elif place and place is not shown:
            self._app.run_worker(self.return_to(place))
        else:
            self._app.exit()

    @property
    def stopover(self) -> Screen[Any] | None:
        """The nearest stopover below the match being left; None means leaving the app."""
        place = self._place
        below = self._below(place) if place else []
        return next(filter(_is_stopover, reversed(below)), None)

    @property
    def _place(self) -> Screen[Any] | None:
        """The nearest stopover or match from the current screen downwards."""
        stack = reversed(self._app.screen_stack)
        return next((s for s in stack if _is_stopover(s) or isinstance(s, MatchScreen)), None)

    def _below(self, screen: Screen[Any]) -> list[Screen[Any]]:
        stack = self._app.screen_stack
        return stack[: stack.index(screen)]


def _is_stopover(screen: Screen[Any]) -> bool:
    return isinstance(screen, ThudScreen) and screen.stopover
