"""A line to type in: keys that come together are done one after the other."""

import asyncio

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Input

from thud.tui.dialog_fixes import TextLine


class OneLine(App[None]):
    """Shows a line until Enter is pressed in it."""

    def __init__(self) -> None:
        super().__init__()
        self.line = asyncio.Future[str]()

    def compose(self) -> ComposeResult:
        yield TextLine("Guest", select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.line.set_result(event.value)


async def typed(*keys: str) -> str:
    """Return what stands in the line after keys that come all at once, and Enter."""
    app = OneLine()
    async with app.run_test():
        for key in (*keys, "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        return await app.line


async def test_letters_wait_for_the_cursor() -> None:
    assert await typed("home", "delete", *"Qu", "end", "s") == "Quuests"
