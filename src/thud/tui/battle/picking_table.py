"""The board with what is said beneath it, what is asked beside it, and where moves are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from thud.rules.position import Position
from thud.settings.values import Settings
from thud.tui.board.widget import Board
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.prompt import Prompt, Question

if TYPE_CHECKING:
    from thud.tui.battle.move_entry import MoveEntry


class PickingTable(Horizontal):
    """Shows a board on which moves are picked, and asks what it is told to ask.

    Args:
        position: what stands on the board at first.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(id="play")
        self.board = Board(position)
        self.prompt = Prompt()
        # Kept: something may still be said while the table is taken down, its parts first.
        self.message = Static(id="message", markup=False)
        self.past: int | None = None
        """After how many moves the battle is shown, while people look back."""

    def compose(self) -> ComposeResult:
        """Lay out the board with its message, and the panel."""
        with Vertical(id="table"):
            yield self.board
            yield self.message
        yield from self.compose_between()
        with Vertical(id="panel"):
            yield from self.compose_panel()
            yield self.prompt

    def compose_between(self) -> ComposeResult:
        """Lay out what stands between the board and the panel."""
        yield from ()

    def compose_panel(self) -> ComposeResult:
        """Lay out the panel, but for the question at its foot."""
        yield from ()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self.board, settings)

    def tell(self, line: str, notice: str = "") -> None:
        """Say something beneath the board, and a notice in bold below it."""
        text = Text(line)
        text.append(f"\n{notice}", "bold")
        self._show_message(text)

    def _show_message(self, text: Text, *, layout: bool = False) -> None:
        """Show a text beneath the board, which is not drawn again where it is there already."""
        if text != self.message.content:
            self.message.update(text, layout=layout)

    def ask(self, question: Question) -> None:
        """Ask a question beside the board; it takes the keys, but none from a move being typed."""
        self.add_class("-asking")
        self.prompt.ask(question)
        self.take_keys()

    def withdraw(self) -> None:
        """Withdraw the question, return from the past, and give the keys to the board."""
        self.past = None
        self.remove_class("-asking")
        self.prompt.close()
        self.close_entry()
        self.take_keys()

    @property
    def occupied(self) -> bool:
        """Whether people are doing something else than looking at the board as it is now."""
        return self.typing or self.past is not None or self.prompt.question is not None

    @property
    def typing(self) -> bool:
        """Whether the line in which a move is typed is open."""
        return self.has_class("-typing")

    def take_keys(self) -> None:
        """Give the keys to whatever people are doing."""
        if self.typing:
            self.screen.set_focus(self._entry)
        else:
            self.screen.set_focus(self.prompt if self.prompt.question else self.board)

    def open_entry(self, entry: MoveEntry) -> None:
        """Open the line in which a move is typed."""
        self.add_class("-typing")
        self.query_one("#table").mount(entry)
        self.screen.set_focus(entry)

    def write(self, text: str) -> None:
        """Write a text into the line in which a move is typed."""
        self._entry.action_write(text)

    @property
    def _entry(self) -> MoveEntry:
        """The line in which a move is typed: one closed a moment ago may still be before it."""
        from thud.tui.battle.move_entry import MoveEntry

        return self.query(MoveEntry).last()

    def on_move_entry_going(self, event: MoveEntry.Going) -> None:
        """Say how what is typed may go on."""
        if self.typing and event.still:
            self.tell("  ".join(event.ways) or event.entry.idle())

    def close_entry(self) -> None:
        """Close the line in which a move is typed."""
        if self.typing:
            self.remove_class("-typing")
            self.query("MoveEntry").remove()
            self.take_keys()
