"""A list over a screen, to choose one thing of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.padding import Padding
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import LIST_KEYS

_SHARE: Final = 0.7
"""How much of the screen's height the options may take."""


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
            yield OptionList(*self.far_apart(self._options))
        yield KeyBar()

    def far_apart(self, options: Sequence[Option | None]) -> Sequence[Option | None]:
        """Return options with a line between any two, if fingers tap on them and there is room."""
        room = self.app.size.height * _SHARE // 2
        if not self.app.has_class("-upright") or len(options) > room:
            return options
        return [each and _above_a_line(each) for each in options]

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


def _above_a_line(option: Option) -> Option:
    """Return an option with an empty line below it."""
    padded = Padding(option.prompt, (0, 0, 1, 0))  # type: ignore[arg-type]
    return Option(padded, id=option.id, disabled=option.disabled)
