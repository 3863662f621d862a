"""A dialog that shows who is connected, and how others can join."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static
from textual.widgets.option_list import Option

from thud.session.events import Arrived, Event
from thud.session.participants import SHOW
from thud.session.state import TableState
from thud.session.view import SessionView
from thud.session.words import who_is_there
from thud.text import capitalised, sentence
from thud.tui.actions import bindings
from thud.tui.deployment import deployment_of
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.widgets.modals import ListScreen
from thud.visitor.links import LATE, late_in_words

if TYPE_CHECKING:
    from thud.visitor.links import TableLinks

_BREAKS: Final = "#/."
"""Characters to wrap a long command after, in order; the secret begins after the first."""

_INDENT: Final = "  "


def broken(command: str, width: int, breaks: str = _BREAKS) -> list[str]:
    """Wrap a command to a width in columns, if possible between its parts.

    >>> broken("thud join thud://box:4763/#ABCDEFGH.IJKL", 30)
    ['thud join thud://box:4763/#', 'ABCDEFGH.IJKL']
    """
    if len(command) <= width:
        return [command]
    if not breaks:
        return [command[at : at + width] for at in range(0, len(command), width)]
    rows: list[str] = []
    for part in re.findall(rf"[^{breaks[0]}]+{breaks[0]}*|{breaks[0]}+", command):
        if rows and len(rows[-1] + part) <= width:
            rows[-1] += part
        else:
            rows += broken(part, width, breaks[1:])
    return rows


class ParticipantsText(Static):
    """The text of the dialog, wrapped to its width.

    Args:
        state: the match played.
    """

    def __init__(self, state: TableState) -> None:
        super().__init__(id="participants", markup=False)
        self._state = state
        self._at = 0
        self._notice = ""

    def on_resize(self) -> None:
        """Wrap the commands to the new width."""
        self.tell()

    def tell(self) -> None:
        """Show who is connected now."""
        text = Text("Who is here", "bold", end="")
        for line in who_is_there(self._state) or ("Nobody yet.",):
            text.append(f"\n{line}", "not bold")
        fitted = [*map(self._fitted, self.commands)]
        if fitted:
            text.append("\n\nHow to join")
        if any("\n" in line for line in fitted):
            text.append(" (an indented line continues the one above)", "not bold")
        rows = iter(enumerate(fitted))
        for heading, commands in self._state.participants.invitation.items():
            text.append(f"\n{heading}", "not bold")
            for number, line in islice(rows, len(commands)):
                style = "bold reverse" if number == self._at else "bold"
                text.append("\n").append(line, style)
        if self._notice:
            text.append(f"\n\n{self._notice}", "not bold")
        self.update(text)

    def select(self, by: int) -> None:
        """Select another command."""
        self._at = max(0, min(self._at + by, len(self.commands) - 1))
        self._notice = ""
        self.tell()

    @property
    def commands(self) -> list[str]:
        """The commands with which others join."""
        return [*chain.from_iterable(self._state.participants.invitation.values())]

    @property
    def selected(self) -> str:
        """The selected command."""
        return self.commands[self._at]

    def copy(self, command: str) -> None:
        """Select a command, copy it to the terminal's clipboard, and say so."""
        self._at = self.commands.index(command)
        self.app.copy_to_clipboard(command)
        self.say(f"The selected line was sent to {deployment_of(self.app).clipboard}.")

    def say(self, notice: str) -> None:
        """Show a message below the text, which may have changed."""
        self._at = max(0, min(self._at, len(self.commands) - 1))
        self._notice = notice
        self.tell()

    def _fitted(self, line: str) -> str:
        room = self.content_size.width - len(_INDENT)
        return f"\n{_INDENT}".join(broken(line, room)) if room > 0 else line


class ParticipantsScreen(FixedModalScreen[None]):
    """Shows who is connected, updated while it is open.

    Args:
        session: the session played.
        links: the visitor's links to it, if it is a club's table.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("participants")

    DEFAULT_CSS = """
    ParticipantsScreen {
        align: center middle;
        VerticalScroll {
            width: 100%;
            max-width: 120;
            height: auto;
            max-height: 100%;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
    }
    """

    def __init__(self, session: SessionView, links: TableLinks | None = None) -> None:
        super().__init__()
        self._session = session
        self._state = session.state
        self._links = links
        self._waits = bool(self._state.participants.missing)
        self._told = ParticipantsText(self._state)

    def compose(self) -> ComposeResult:
        """Lay out the text and the keys."""
        with VerticalScroll():
            yield self._told
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the text, and update it when somebody comes or goes."""
        self._told.tell()
        self._stop_listening = self._session.subscribe(self._hear)

    def on_unmount(self) -> None:
        """Unsubscribe from the session."""
        self._stop_listening()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now."""
        if action in ("link", "show"):
            return self._links is not None and self._state.takes_part
        if action == "revoke" and self._links is None:
            return False
        return action not in ("copy", "select", "revoke") or bool(self._told.commands)

    def action_copy(self) -> None:
        """Copy the selected command."""
        self._told.copy(self._told.selected)

    @work
    async def action_show(self) -> None:
        """Ask how late a link shows the table to people who do not come in, and make it."""
        options = [Option(capitalised(late_in_words(each)), str(each)) for each in LATE]
        late = await self.app.push_screen_wait(ListScreen("When are moves shown?", options))
        if late is not None:
            await self.action_link(SHOW, int(late))

    async def action_link(self, purpose: str, late: int = 0) -> None:
        """Make a link for a purpose, and copy it.

        Args:
            purpose: `watch`, `show`, `any`, or `seat` for the free one.
            late: how many moves late it shows the table.
        """
        assert self._links
        purpose = self._links.seat if purpose == "seat" else purpose
        try:
            made = await self._links.make(purpose, late)
        except ValueError as refusal:
            self._told.say(sentence(str(refusal)))
        else:
            self._told.copy(made)
            self.refresh_bindings()

    async def action_revoke(self) -> None:
        """Revoke the selected link: it lets nobody in any longer."""
        assert self._links
        try:
            await self._links.revoke(self._told.selected)
        except ValueError as refusal:
            self._told.say(sentence(str(refusal)))
        else:
            self._told.say("That link lets nobody in any longer.")
            self.refresh_bindings()

    def action_select(self, by: int) -> None:
        """Select another command."""
        self._told.select(by)

    def action_close(self) -> None:
        """Go back to the board."""
        self.dismiss()

    def _hear(self, event: Event) -> None:
        """Update the text; close once everybody who was awaited has come."""
        self._told.tell()
        if isinstance(event, Arrived) and self._waits and not self._state.participants.missing:
            self._waits = False
            self.dismiss()
