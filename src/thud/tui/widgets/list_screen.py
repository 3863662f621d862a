"""A list over a screen, to choose one thing of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import LIST_KEYS


class ListScreen(ModalScreen[str | None]):
    """Lists what there is; the answer is the id of one, or None.

    Args:
        title: what is to be chosen.
        options: what there is, each with its id; None is a line between two groups.
        without: what to say if there is nothing.
        chosen: the id of the one to begin at.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*LIST_KEYS]

    DEFAULT_CSS = """
    ListScreen {
        align: center middle;
        Vertical {
            width: 76;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
        Static { text-style: bold; margin-bottom: 1; }
        OptionList { height: auto; max-height: 70vh; border: none; background: $surface; }
        OptionList:focus { border: none; }
    }
    """

    def __init__(
        self, title: str, options: Sequence[Option | None], without: str = "", chosen: str = ""
    ) -> None:
        super().__init__()
        self._title = title
        self._options = options
        self._without = without
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """Lay out the title above what there is."""
        with Vertical():
            yield Static(self._title if self._options else self._without, id="said", markup=False)
            yield OptionList(*self._options)
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin at what is chosen already, if anything is."""
        if self._chosen:
            listed = self.query_one(OptionList)
            listed.highlighted = listed.get_option_index(self._chosen)

    @property
    def may_choose(self) -> bool:
        """Whether what is chosen now is the answer."""
        return True

    @on(OptionList.OptionSelected)
    def _answer(self, event: OptionList.OptionSelected) -> None:
        # A second Enter may come before the list has gone.
        if self.is_current and self.may_choose:
            self.dismiss(event.option_id)
