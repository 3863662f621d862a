"""Modal screens: a list to choose from, a line to type in, a text to read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import ClassVar, Final, Generic, TypeVar

from rich.padding import Padding
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from thud.text import sentence
from thud.tui.actions import bindings
from thud.tui.deployment import deployment_of
from thud.tui.dialog_fixes import FixedModalScreen, TextLine
from thud.tui.keys.bar import BarEntry, KeyBar
from thud.tui.widgets.marked_list import MarkedList
from thud.tui.widgets.match_line import match_line

_AROUND: Final = 6
"""Rows of the frame, the title and the key bar around the options."""


class ListScreen(FixedModalScreen[str | None]):
    """A list to choose from; the answer is an option's id, or None.

    Args:
        title: the title.
        options: the options, each with an id; None is a separator.
        without: text to show if there are no options.
        chosen: the id of the option to highlight first.

    Attributes:
        answer: the chosen id, set at once; the caller gets it a little later.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("list")

    DEFAULT_CSS = """
    ListScreen {
        align: center middle;
        Vertical {
            width: 90;
            max-width: 95%;
            height: auto;
            max-height: 100%;
            padding: 0 2;
            background: $surface;
            border: round $primary;
        }
        Static { text-style: bold; margin-bottom: 1; }
        OptionList { height: auto; margin-bottom: 1; border: none; background: $surface; }
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
        self.answer: str | None = None

    def compose(self) -> ComposeResult:
        """Lay out the title above the options."""
        with Vertical():
            # Kept, not queried: an answer from the disk may come when they have been removed.
            title = self._title if self._options else self._without
            self._said = Static(title, id="said", markup=False)
            yield self._said
            self._listed = MarkedList(*self.far_apart(self._options))
            yield self._listed
        yield KeyBar()

    def far_apart(self, options: Sequence[Option | None]) -> Sequence[Option | None]:
        """Return the options with an empty line after each, for touch, if there is room."""
        room = self.app.size.height - _AROUND
        if not self.app.has_class("-upright") or 2 * len(options) > room:
            return options
        return [
            each
            and Option(
                Padding(each.prompt, (0, 0, 1, 0)),  # type: ignore[arg-type]
                id=each.id,
                disabled=each.disabled,
            )
            for each in options
        ]

    def on_mount(self) -> None:
        """Highlight the first option to show, if one is given."""
        if self._chosen:
            self._listed.highlighted = self._listed.get_option_index(self._chosen)

    def on_resize(self, event: events.Resize) -> None:
        """Let the list be as high as its options, up to the screen."""
        self._listed.styles.max_height = max(1, event.size.height - _AROUND)

    @property
    def may_choose(self) -> bool:
        """Whether a selection is accepted now."""
        return True

    @property
    def offers(self) -> Mapping[str, bool]:
        """Whether the footer shows the keys of some actions."""
        return {"select": self.may_choose and self._listed.option_count > 0}

    @on(OptionList.OptionSelected)
    def _answer(self, event: OptionList.OptionSelected) -> None:
        # A second Enter may arrive before the list is removed.
        if self.is_current and self.may_choose:
            self.answer = event.option_id
            self.dismiss(self.answer)


MAX_TEXT: Final = 4000
"""Most characters of a line, which may be a comment."""

_TAPS: Final = (
    BarEntry("enter", "Enter", "Done"),
    BarEntry("escape", "Esc", "Back", ends=True),
)

_Result = TypeVar("_Result")


class AskScreen(FixedModalScreen[_Result | None], Generic[_Result]):
    """Asks for one line until it is accepted; the answer is None if cancelled.

    Args:
        question: the question.
        proposal: the initial text.
        attempt: returns the answer for a line, or raises a ValueError with the reason why it is
            not accepted, which is shown above the line.
        empty: the answer for an empty line; None cancels.
        select: whether the initial text is selected; by default unless an empty line has an answer.
        meant: what an empty line stands for, shown in its place; empty for nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("ask")

    DEFAULT_CSS = """
    AskScreen {
        align: center bottom;
        Vertical { height: auto; padding: 1 2; background: $panel; }
        Label { width: 1fr; }
        #refusal { display: none; text-style: bold; }
    }
    """

    def __init__(
        self,
        question: str,
        proposal: str,
        attempt: Callable[[str], Awaitable[_Result]],
        empty: _Result | None = None,
        *,
        select: bool | None = None,
        meant: str = "",
    ) -> None:
        super().__init__()
        self._question = question
        self._proposal = proposal
        self._attempt = attempt
        self._empty = empty
        self._meant = meant
        self._select = empty is None if select is None else select

    def compose(self) -> ComposeResult:
        """Lay out the question, the reason of a refusal, and the line."""
        with Vertical():
            yield Label(f"{self._question} (Enter, or Esc to go back)", markup=False)
            yield Static(id="refusal", markup=False)
            yield TextLine(
                self._proposal,
                placeholder=self._meant,
                max_length=MAX_TEXT,
                compact=True,
                select_on_focus=self._select,
            )
            yield from self.compose_below()
        if deployment_of(self.app).taps:
            yield KeyBar(lambda: _TAPS)

    def compose_below(self) -> ComposeResult:
        """Lay out widgets below the line."""
        yield from ()

    @on(Input.Submitted)
    async def _try(self, event: Input.Submitted) -> None:
        """Try the line, unless the screen is closed already by an earlier Enter."""
        if not self.is_current:
            return
        if not (line := event.value.strip() or self._meant):
            self.dismiss(self._empty)
            return
        await self.settle(self._attempt(line))

    async def settle(self, attempted: Awaitable[_Result]) -> None:
        """Close with an answer, or show why there is none."""
        try:
            done = await attempted
        except ValueError as reason:
            self._refuse(str(reason))
        else:
            self.dismiss(done)

    @on(TextLine.TooLong)
    def _tell_too_long(self) -> None:
        self._refuse(f"A line has at most {MAX_TEXT} characters: nothing was inserted")

    def _refuse(self, reason: str) -> None:
        """Show why something is refused above the line; an empty reason hides it."""
        refusal = self.query_one("#refusal", Static)
        refusal.update(sentence(reason))
        refusal.display = bool(reason)


class TextScreen(FixedModalScreen[None]):
    """Shows a text until a key closes it.

    Args:
        title: the title.
        text: the text, without markup.
        advice: a line on what to do with it.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("text")

    DEFAULT_CSS = """
    TextScreen {
        background: $surface;
        .title { text-style: bold; padding: 0 1; }
        .said { padding: 0 1; color: $foreground-muted; height: auto; }
        VerticalScroll { height: 1fr; padding: 1 1 0 1; scrollbar-size-vertical: 1; }
    }
    """

    def __init__(self, title: str, text: str | Text, advice: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._advice = advice

    def compose(self) -> ComposeResult:
        """Lay out the title above the text."""
        yield from match_line(self)
        yield Static(self._title, classes="title", markup=False)
        yield Static(self._advice, classes="said", markup=False)
        with VerticalScroll():
            yield Static(self._text, markup=False)
        yield KeyBar()

    def action_copy(self) -> None:
        """Copy the text to the terminal's clipboard."""
        self.app.copy_to_clipboard(str(self._text))
        told = f"It was sent to {deployment_of(self.app).clipboard}."
        self.query_one(".said", Static).update(told)
