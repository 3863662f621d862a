"""The input line for typed and pasted moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from thud.rules.battle import Battle
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Position
from thud.rules.typed import completions, moves_in
from thud.tui.actions import bindings


class MoveEntry(Input):
    """Input for a move in any notation, with completion.

    Letters are handled by bindings, which are looked up when a key's turn comes: keys typed faster
    than the input opens are neither lost nor reordered.

    Args:
        battle: where the move is to be played.
        blocked_reason: returns why nothing can be played now, empty if something can.
        typed: callback that plays the submitted text.
        closed: callback when the input is closed without a move.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("entry")

    class Going(Message):
        """The typed text changed; carries its completions."""

        def __init__(self, entry: MoveEntry, text: str, completions: list[str]) -> None:
            super().__init__()
            self.entry = entry
            self.text = text
            self.completions = completions

        @property
        def is_current(self) -> bool:
            """Whether this is still the typed text, and it was not submitted."""
            return self.text == self.entry.value != self.entry.tried

    def __init__(
        self,
        battle: Battle,
        blocked_reason: Callable[[], str],
        typed: Callable[[str], Awaitable[None]],
        closed: Callable[[], None],
    ) -> None:
        self._complete = _remembered(battle)
        self.blocked_reason = blocked_reason
        self._play = typed
        self._give_up = closed
        self.tried: str | None = None
        """The text submitted last."""
        super().__init__(
            placeholder="G5-C5 or just g5c5; Tab completes, Esc closes",
            suggester=_Completion(self._complete),
            max_length=MAX_TEXT,
            select_on_focus=False,
            compact=True,
        )

    @on(Input.Changed)
    def _post_completions(self, event: Input.Changed) -> None:
        event.stop()
        found = [] if self.blocked_reason() or not event.value else self._complete(event.value)
        self.post_message(self.Going(self, event.value, found))

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
        if found := self._complete(self.value):
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


def _remembered(battle: Battle) -> Callable[[str], list[str]]:
    """Return a function that completes a text, cached by position and text."""
    known: dict[tuple[Position, str], list[str]] = {}

    def complete(text: str) -> list[str]:
        asked = battle.position, text
        if asked not in known:
            known[asked] = completions(battle.variant, *asked)
        return known[asked]

    return complete


def pasted_moves(text: str) -> list[str]:
    """Return a text's moves, without a leading key that opens the move entry."""
    lines = (line.strip().lstrip(":/") for line in text.splitlines())
    return [move for line in lines for move in moves_in(line)]
