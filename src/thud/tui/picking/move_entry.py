"""The input line for typed and pasted moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from thud.rules.battle import Battle
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Position
from thud.rules.typed import completions
from thud.tui.actions import bindings


class MoveEntry(Input):
    """Input for a move in any notation, with completion.

    Letters are handled by bindings, which are looked up when a key's turn comes: keys typed faster
    than the input opens are neither lost nor reordered.

    Args:
        battle: where the move is to be played.
        typed: callback that plays the submitted text.
        closed: callback when the input is closed without a move.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("entry")

    def __init__(
        self,
        battle: Battle,
        typed: Callable[[str], Awaitable[None]],
        closed: Callable[[], None],
    ) -> None:
        @cache
        def found(position: Position, text: str) -> list[str]:
            return completions(battle.variant, position, text)

        self.completions: Callable[[str], list[str]] = lambda text: found(battle.position, text)
        """Returns the completions of a text by legal moves."""
        self._play = typed
        self._give_up = closed
        self.tried: str | None = None
        """The text submitted last."""
        super().__init__(
            placeholder="G5-C5 or just g5c5; Tab completes, Esc closes",
            suggester=_Completion(self.completions),
            max_length=MAX_TEXT,
            select_on_focus=False,
            compact=True,
        )

    async def on_key(self, event: events.Key) -> None:
        """Leave the keys to the bindings."""
        event.prevent_default()

    def action_write(self, text: str) -> None:
        """Insert a text at the cursor, replacing the selection."""
        self.replace(text, *sorted(self.selection))

    async def action_submit(self) -> None:
        """Play the typed move before the next key is handled; a refused one is selected."""
        self.tried = self.value
        await self._play(self.value)
        self.select_all()

    def action_complete(self) -> None:
        """Accept the suggestion."""
        if found := self.completions(self.value):
            self.value = found[0]
            self.cursor_position = len(self.value)

    def action_close(self) -> None:
        """Close the input without playing."""
        self._give_up()


class _Completion(Suggester):
    """Suggests the first completion of a move."""

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """Return the text completed, None if no legal move begins so."""
        return next(iter(self._complete(value)), None)
