"""The rows of menus: one chooses among values, one does something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from thud.tui.keys.bindings import CHOICE_KEYS, COMMAND_KEYS, ROW_KEYS
from thud.tui.looks.fitted import fitted

LABEL_WIDTH: Final = 15


class Row(Static, can_focus=True):
    """A menu row, reached with the arrow keys or the mouse.

    Args:
        label: what the row is about.
        id: its name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*ROW_KEYS]

    DEFAULT_CSS = """
    Row {
        height: 1;
        text-overflow: clip;
        text-wrap: nowrap;
        &:hover { background: $surface-lighten-1; }
        &:focus {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
    }
    """

    ALLOW_SELECT = False

    ascii_only = False
    """Whether it is drawn in plain ASCII."""

    label_width = LABEL_WIDTH
    """The columns of the label; what is said begins behind them."""

    def __init__(self, label: str, *, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(markup=False, id=id)
        self.auto_links = False
        self.label = label

    def on_mount(self) -> None:
        """Mark the row while it has the focus."""
        self.watch(self, "has_focus", self.write)

    def on_resize(self) -> None:
        """Write the row for its new width."""
        self.write()

    def write(self) -> None:
        """Write the row anew."""
        pointer = (">" if self.ascii_only else "»") if self.has_focus else " "
        text = Text(f"{pointer} ", no_wrap=True).append(self._written)
        text.rstrip()
        self.update(text, layout=False)

    @property
    def _written(self) -> Text:
        """The label, and what stands to the right of it."""
        label = f"{self.label} ".ljust(self.label_width) if self.said else self.label
        return Text(label).append(fitted(self.said, max(1, self.size.width - len(label) - 2)))

    @property
    def said(self) -> str:
        """What stands to the right of the label."""
        return ""


class Choice(Row):
    """A row with one of several values.

    Args:
        label: what is chosen.
        values: the values, and how each is called.
        value: the one that is chosen now.
        id: the row's name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*CHOICE_KEYS]

    class Changed(Message):
        """Another value was chosen."""

        def __init__(self, row: Choice) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> Choice:
            """The row."""
            return self.row

    def __init__(
        self,
        label: str,
        values: Sequence[tuple[str | bool, str]],
        value: str | bool,
        *,
        id: str,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(label, id=id)
        self._values = dict(values)
        self.value = value

    @property
    def said(self) -> str:
        """The value between arrows."""
        left, right = "<>" if self.ascii_only else "‹›"
        name = self._values.get(self.value, str(self.value))
        return f"{left} {fitted(name, max(1, self.size.width - self.label_width - 6))} {right}"

    @property
    def name_of_value(self) -> str:
        """The value's name."""
        return self._values.get(self.value, str(self.value))

    def call(self, values: Sequence[tuple[str | bool, str]]) -> None:
        """Give the values other names."""
        self._values = dict(values)
        self.write()

    def set_value(self, value: str | bool) -> None:
        """Show another value without a message."""
        self.value = value
        self.write()

    def on_click(self, event: events.Click) -> None:
        """Go to the next value, or to the one before where the left arrow was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None:
            on_left_arrow = 1 <= offset.x - self.label_width <= 3
            self.action_turn(-1 if on_left_arrow else 1)

    def action_turn(self, by: int) -> None:
        """Take the next value, or the one before; the first follows the last."""
        values = list(self._values)
        here = values.index(self.value) if self.value in values else -1
        self.set_value(values[(here + by) % len(values)])
        self.post_message(self.Changed(self))


class Command(Row):
    """A row that does something.

    Args:
        label: what it does.
        note: what more there is to say.
        id: the row's name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*COMMAND_KEYS]

    class Chosen(Message):
        """The row was chosen."""

        def __init__(self, row: Command) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> Command:
            """The row."""
            return self.row

    def __init__(self, label: str, note: str = "", *, id: str) -> None:  # noqa: A002
        super().__init__(label, id=id)
        self._note = note

    @property
    def said(self) -> str:
        """The note."""
        return self._note

    @property
    def _written(self) -> Text:
        """The label, and the note below it where the row has two lines."""
        if self.size.height < 2:
            return super()._written
        return Text(f"{self.label}\n  ").append(fitted(self.said, self.size.width - 2), "dim")

    def set_note(self, note: str) -> None:
        """Say something else to the right of the label."""
        self._note = note
        self.write()

    def on_click(self) -> None:
        """Do it."""
        self.action_do()

    def action_do(self) -> None:
        """Do it."""
        self.post_message(self.Chosen(self))
