"""Fixes for Textual in dialogs, lists, text lines and the palette, described as in `textual_fixes`.

The first frame has none of them, and each widget's class takes as long to make as two modules.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from textual import events
from textual.app import App, ComposeResult
from textual.command import CommandList, CommandPalette
from textual.errors import NoWidget
from textual.message import Message
from textual.screen import ModalScreen, ScreenResultType
from textual.theme import ThemeProvider
from textual.widget import Widget
from textual.widgets import Input, OptionList

from thud.tui.textual_fixes import FixedScreen, is_leaving


class FixedModalScreen(ModalScreen[ScreenResultType], FixedScreen[ScreenResultType]):
    """The same for a dialog.  Textual takes styles from the first of its base classes."""


class FixedOptionList(OptionList):
    """Ignores clicks on options that are gone, and pages while it has no lines."""

    # Fix narrow_lists (not reported): a list without columns for its text, as one narrower than its
    # border, ends the app with a ValueError.  Until text is wrapped to one column at least.

    DEFAULT_CSS = """
    FixedOptionList { min-width: 9; }
    """

    # Fix page_of_none (not reported): Page Up or Page Down in a list that has no lines, as before
    # it is laid out or in a low window, ends the app with a KeyError.  Until that is checked.

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        if (self.highlighted or 0) in self._index_to_line:
            super()._move_page(direction)

    # Fix gone_option (not reported): a clicked option may be gone before the click is handled,
    # which ends the app with an IndexError.  Until that is checked.

    async def _on_click(self, event: events.Click) -> None:
        # Textual also calls the base class's handler, unless that is prevented.
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()


# Fix typed_in_order (#6605): a plain `Input` inserts letters at once but queues other keys for
# binding lookup, so keys that arrive together, as over a network, can overtake each other.  Until
# one key is handled after the other.


class TextLine(Input):
    """An input that handles its keys in the order in which they arrive."""

    class TooLong(Message):
        """A text was not inserted, as the line would be longer than it may be."""

    def restricted(self) -> None:
        """Ring the bell, and tell the screen."""
        super().restricted()
        self.post_message(self.TooLong())

    async def on_key(self, event: events.Key) -> None:
        """Run a key's binding before the next key is handled."""
        if bindings := self._bindings.key_to_bindings.get(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)


# Fix closed_palette (not reported): a command palette that is closed before it is mounted, or
# twice, or clicked outside of what is laid out, ends the app.  Until it ignores what comes then.

_CHOICES: Final = (Input.Changed, Input.Submitted, OptionList.OptionSelected, events.Click)


class _Commands(CommandList, FixedOptionList):
    """The list of a palette."""


class Palette(CommandPalette, FixedScreen[None]):
    """A command palette that ignores input once it is closed."""

    # The magnifying glass is a blank in fonts that have no emoji.
    DEFAULT_CSS = "Palette SearchIcon { display: none; }"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._parts: dict[object, Widget] = {}

    def compose(self) -> ComposeResult:
        """Compose as usual, with a list of our own."""
        for each in super().compose():
            yield _Commands() if isinstance(each, CommandList) else each

    async def _dispatch_message(self, message: Message) -> None:
        if self in self.app.screen_stack or not isinstance(message, _CHOICES):
            await super()._dispatch_message(message)

    # Textual also calls the base class's handlers of these names, unless that is prevented.

    def _on_mount(self, event: events.Mount) -> None:
        for each in self.query(Widget):
            self._parts |= {f"#{each.id}": each} | dict.fromkeys(type(each).__mro__, each)
        # It may have been closed before it was mounted.
        if not (CommandList in self._parts and self in self.app.screen_stack[1:]):
            event.prevent_default()

    def _on_click(self, event: events.Click) -> None:  # type: ignore[override]
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()  # outside of what is laid out: the terminal has been resized

    def query_one(self, selector: Any, expect_type: Any = None) -> Any:
        """Return a child, even if it has been removed already."""
        return self._parts.get(selector) or super().query_one(selector, expect_type)


def open_palette(app: App[Any]) -> None:
    """Open the command palette, unless it is open."""
    # Not looked up by id: a palette that is still closing has it, too.
    is_open = any(isinstance(each, CommandPalette) for each in app.screen_stack)
    if not is_open and not is_leaving(app):
        app.push_screen(Palette())


def open_themes(app: App[Any]) -> None:
    """Open a palette of themes."""
    app.push_screen(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))
