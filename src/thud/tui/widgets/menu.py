"""Menu rows: one to choose a value, one to run a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple, TypeAlias

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from thud.tui.actions import bindings
from thud.tui.looks.fitted import fitted

LABEL_WIDTH: Final = 15
MAX_WIDTH: Final = 60


class Opening(NamedTuple):
    """A row of a menu that opens something."""

    id: str
    """The id of its widget, and what its key's action is given."""
    label: str
    note: str
    opens: Callable[[], object]
    """Opens it; awaited if that takes long."""


Menu: TypeAlias = Mapping[str, Sequence[Opening]]
"""The groups of a menu, by title."""


class Row(Static, can_focus=True):
    """A menu row, reached with the arrow keys or the mouse.

    Args:
        label: the row's label.
        id: its name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("row")

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
        & > .row--key { color: $accent; text-style: bold; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"row--key"}

    ALLOW_SELECT = False

    ascii_only = False
    """Whether it is drawn in plain ASCII."""

    label_width = LABEL_WIDTH
    """The columns of the label, after which the value or note begins."""

    note = ""
    """What is said beside the label, unless it is a value."""

    key = ""
    """The key that does the same from every row, shown at the end if there is room."""

    stacks: ClassVar[bool] = False
    """Whether the text is below the label where the row has two lines."""

    def __init__(self, label: str, *, id: str) -> None:  # noqa: A002 - Textual's name for it
        super().__init__(id=id)
        self.auto_links = False
        self.label = label

    def on_mount(self) -> None:
        """Mark the row while it is focused."""
        self.watch(self, "has_focus", self.write)

    def write(self) -> None:
        """Redraw the row."""
        self.refresh()

    def render(self) -> Text:
        """Draw the row, in the colours of the theme as it is now."""
        pointer = (">" if self.ascii_only else "»") if self.has_focus else " "
        text, label, width = Text(f"{pointer} ", no_wrap=True), self.label, self.room
        if self.two_lines:
            # Dimmed, a note would be too faint in a row of another colour.
            style = "not bold" if self.has_focus or self.rich_style.bold else "dim"
            self._append_key(text.append(label))
            text.append("\n  ")
            text.append(fitted(self.said, width - 2), style if self.note else "")
        else:
            label = f"{label} ".ljust(self.label_width) if self.said else label
            text.append(label + fitted(self.said, max(1, width - len(label) - 2)))
            text.rstrip()
            self._append_key(text)
        text.rstrip()
        return text

    def _append_key(self, text: Text) -> None:
        """Append the key at the end of a line, unless fingers press none."""
        room = self.room - text.cell_len
        if self.key and len(self.key) < room and not getattr(self.app, "touched", False):
            look = self.get_component_rich_style("row--key", partial=True)
            text.append(self.key.rjust(room), "" if self.has_focus else look)

    @property
    def room(self) -> int:
        """Its columns, or as many as it may have until it is laid out."""
        return self.size.width or MAX_WIDTH

    @property
    def said(self) -> str:
        """The text to the right of the label, or below it."""
        return self.note

    @property
    def two_lines(self) -> bool:
        """Whether the text is below the label."""
        return self.stacks and self.size.height >= 2


class Choice(Row):
    """A row with one of several values.

    Args:
        label: the row's label.
        values: the values, each with its name.
        value: the current value.
        id: the row's name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("choice")

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
        name = fitted(self.name_of_value, max(1, self.room - self.label_width - 6))
        return f"{left} {name} {right}"

    @property
    def name_of_value(self) -> str:
        """The value's name."""
        return self._values.get(self.value, str(self.value))

    def set_value(self, value: str | bool) -> None:
        """Show another value without posting a message."""
        self.value = value
        self.write()

    async def on_click(self, event: events.Click) -> None:
        """Take the next value, or the previous one on a click on the left arrow."""
        offset = event.get_content_offset(self)
        if offset is not None:
            on_left_arrow = 1 <= offset.x - self.label_width <= 3
            self.action_turn(-1 if on_left_arrow else 1)

    def action_turn(self, by: int) -> None:
        """Take the next or previous value, wrapping around."""
        values = list(self._values)
        here = values.index(self.value) if self.value in values else -1
        self.set_value(values[(here + by) % len(values)])
        self.post_message(self.Changed(self))


class Command(Row):
    """A row that does something, by the action `go` of its screen.

    Args:
        label: the name of the command.
        note: a note to the right of the label.
        id: the row's name within the menu.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("command")

    stacks = True

    def __init__(self, label: str, note: str = "", *, id: str) -> None:  # noqa: A002
        super().__init__(label, id=id)
        self.note = note

    def set_note(self, note: str) -> None:
        """Change the note."""
        self.note = note
        self.write()

    async def on_click(self) -> None:
        """Run the command."""
        await self.action_do()

    async def action_do(self) -> None:
        """Run the command before the next key is handled."""
        await self.run_action(f"screen.go({self.id!r})")


class CommandChoice(Choice):
    """A row that does something, in one of several ways."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("command")

    stacks = True

    @property
    def said(self) -> str:
        """The value between arrows, close to it if there is little room."""
        left, right = "<>" if self.ascii_only else "‹›"
        roomy = f"{left} {self.name_of_value} {right}"
        fits = self.two_lines or len(self.label) + 3 + len(roomy) <= self.room
        return roomy if fits else f"{left}{self.name_of_value}{right}"

    async def on_click(self, event: events.Click) -> None:
        """Run the command on a click on the label, else take another value."""
        event.prevent_default()
        offset = event.get_content_offset(self)
        if offset is None:
            return
        beyond = offset.x - (2 if self.two_lines else len(self.label) + 3)
        if beyond < 0 or (self.two_lines and not offset.y):
            await self.action_do()
        else:
            self.action_turn(-1 if beyond < 2 else 1)

    async def action_do(self) -> None:
        """Run the command before the next key is handled."""
        await self.run_action(f"screen.go({self.id!r})")
