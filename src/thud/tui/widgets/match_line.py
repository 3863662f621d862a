"""A status line of the match below the current screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rich.text import Text
from textual.screen import Screen
from textual.widgets import Static

from thud.session.events import ClockRuns, Ended, Evaluated, Event, Thinking
from thud.session.view import SessionView
from thud.session.words import meanwhile, stands
from thud.tui.keys.bar import key_of
from thud.tui.screens import MatchScreen
from thud.words.clocks import in_digits

_TICK: Final = 1.0
_UNTOLD: Final = (ClockRuns, Evaluated, Thinking)


def match_line(screen: Screen[Any]) -> Iterator[MatchLine]:
    """Yield a status line of the match below a screen, if it has a clock or remote players."""
    if isinstance(screen, MatchScreen) and screen.session:
        return
    stack = reversed(screen.app.screen_stack)
    played = (each.session for each in stack if isinstance(each, MatchScreen))
    session = next(filter(None, played), None)
    if session:
        state = session.state
        if state.seats.has_remote or (state.clock and not state.match.over):
            yield MatchLine(session)


class MatchLine(Static):
    """One line on a running match: the key back to it, clock, turn and latest event.

    Args:
        session: the session played.
    """

    DEFAULT_CSS = """
    MatchLine {
        dock: top;
        height: 1;
        padding: 0 1;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        background: $panel;
        color: $foreground;
        &.-calls { text-style: bold; background: $primary; color: $text; }
    }
    """

    def __init__(self, session: SessionView) -> None:
        super().__init__(id="match-line", markup=False)
        self._session = session
        self._told = ""
        self._tells_end = False
        """Whether what is told says that the battle is over, and how."""

    def on_mount(self) -> None:
        """Show the match, and update it on every event and every second of a clock."""
        self._stop_listening = self._session.subscribe(self._hear)
        if self._session.state.clock:
            self.set_interval(_TICK, self._show)
        self._show()

    def on_unmount(self) -> None:
        """Unsubscribe from the session."""
        self._stop_listening()

    def _hear(self, event: Event) -> None:
        if not isinstance(event, _UNTOLD):
            if told := meanwhile(self._session.state, event):
                self._told, self._tells_end = told, isinstance(event, Ended)
            # Later, because the event arrives before the clock is updated.
            self.call_later(self._show)

    def _show(self) -> None:
        state = self._session.state
        clock, left = state.clock, ""
        if clock and not state.battle.outcome:
            # That of the local player, or else of the side to move.
            left = in_digits(clock.left(state.side_of() or state.to_move), clock.control)
        to_match = f"{key_of(self.app, 'app.to_match')} to the match"
        standing = "" if self._tells_end else stands(state)
        parts = filter(None, (to_match, left, standing, self._told))
        self.set_class(state.turn.here or state.proposal is not None, "-calls")
        self.update(Text("  ".join(parts), end=""), layout=False)
