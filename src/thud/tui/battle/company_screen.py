"""Who is at other places, over the board, and how others can come."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from thud.session.events import Came, Event
from thud.session.session import Session
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import COMPANY_KEYS


class CompanyScreen(ModalScreen[None]):
    """Tells of one session who is there, as long as it is open.

    Args:
        session: what is played.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*COMPANY_KEYS]

    DEFAULT_CSS = """
    CompanyScreen {
        align: center middle;
        Vertical {
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

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._waits = bool(session.company.missing)

    def compose(self) -> ComposeResult:
        """Lay out what there is to tell."""
        with Vertical():
            yield Static(id="company", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Tell it, and again when somebody comes or goes."""
        self._tell()
        self._stop_listening = self._session.subscribe(self._hear)

    def on_unmount(self) -> None:
        """Listen no more."""
        self._stop_listening()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        return action != "copy" or bool(self._commands)

    def action_copy(self) -> None:
        """Send the terminal's clipboard what others type to come."""
        self.app.copy_to_clipboard("\n".join(self._commands))

    def action_close(self) -> None:
        """Go back to the board."""
        self.dismiss()

    def _hear(self, event: Event) -> None:
        """Tell what is new; when everybody has come who was waited for, the board is at hand."""
        self._tell()
        if isinstance(event, Came) and self._waits and not self._session.company.missing:
            self._waits = False
            self.dismiss()

    @property
    def _commands(self) -> list[str]:
        """What others type to come."""
        return [line for line in self._session.company.invitation if line.startswith("thud ")]

    def _tell(self) -> None:
        company = self._session.company
        text = Text("Who is there", "bold", end="")
        for line in company.described() or ("Nobody yet.",):
            text.append(f"\n{line}", "not bold")
        if company.invitation:
            text.append("\n\nHow others come")
        for line in company.invitation:
            command = line.startswith("thud ")
            text.append(f"\n{line}", "bold" if command else "not bold")
        self.query_one("#company", Static).update(text)
