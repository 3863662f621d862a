"""An application whose keys and pastes are done in the order in which they come."""

from __future__ import annotations

from textual import events
from textual.app import App

from thud.tui.battle.picking_screen import PickingScreen


class InOrder(App[None]):
    """Does what a key is bound to on the board before it looks at the next key.

    By itself Textual sends a key through the widget that has the focus and back: where the focus
    changes meanwhile, as it does for each typed move, keys would overtake one another or be lost
    with the widget.
    """

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        if not isinstance(screen := self.screen, PickingScreen):
            return await super()._check_bindings(key, priority)
        if not priority:
            # It was looked up before it was sent round, and does not mean something else now.
            return False
        if await super()._check_bindings(key, priority=True) or screen.take_any_key(key):
            return True
        return await super()._check_bindings(key)

    async def on_event(self, event: events.Event) -> None:
        """Take a paste in its turn, too."""
        screen = self.screen if isinstance(event, events.Paste) else None
        if isinstance(event, events.Paste) and isinstance(screen, PickingScreen):
            await screen.take_paste(event.text)
        else:
            await super().on_event(event)
