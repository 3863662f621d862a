"""A line to type in that does what its keys say in the order in which they come."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class TextLine(Input):
    """Does what a key is bound to before it looks at the next key.

    By itself Textual writes letters at once, and sends other keys on to be looked up: those that
    come together, as over a network, would overtake one another.
    """

    async def _on_key(self, event: events.Key) -> None:
        if bindings := self._bindings.key_to_bindings.get(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)
