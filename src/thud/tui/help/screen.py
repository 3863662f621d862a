"""The help: the rules chapter by chapter, and how to play here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from thud.rulebook.chapters import chapter_on, chapters
from thud.rules.variant import Variant
from thud.tui.actions import bindings
from thud.tui.dialog_fixes import FixedModalScreen
from thud.tui.help.at_the_board import TITLE, at_the_board
from thud.tui.help.page import page_of
from thud.tui.keys.bar import KeyBar
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.marked_list import MarkedList
from thud.tui.widgets.match_line import match_line

_WIDE: Final = 104
"""Fewest columns for the contents beside a page."""
_NARROW: Final = 51
"""Most columns for a page without margins, so that a whole board fits."""


class Page(VerticalScroll, inherit_bindings=False):
    """The text of the help; the screen has its keys."""


class HelpScreen(FixedModalScreen[None]):
    """Shows pages one after another until a key closes it.

    The first page, number 0, explains the board and its marks; the others are the chapters.

    Args:
        variant: the variant played; without one, it opens at the first chapter.
        topic: the topic of the variant to open at; without one, the page on the board.
        about: what the screen below shows, to be told on that page before all else.
        judged: whether the screen below shows marks of a replay, to be explained next.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    DEFAULT_CSS = """
    HelpScreen {
        background: $surface;
        #leaves { height: 1fr; }
        #contents {
            display: none;
            width: 1fr;
            height: 1fr;
            border: none;
            padding: 1 1;
            background: $panel;
            scrollbar-size-vertical: 1;
        }
        &.-contents #contents { display: block; }
        &.-contents Page { display: none; }
        &.-wide #contents { display: block; width: 31; }
        &.-wide Page { display: block; }
        Page {
            width: 1fr;
            max-width: 110;
            height: 1fr;
            padding: 1 1 0 2;
            scrollbar-size-vertical: 1;
            overflow-x: hidden;
        }
        Page Static { height: auto; margin-bottom: 1; max-width: 84; }
        Page .title { text-style: bold; margin-bottom: 0; }
        &.-narrow Page { padding: 1 0 0 0; scrollbar-size-vertical: 0; }
        .points { height: auto; margin-bottom: 1; }
        .points Horizontal { height: auto; }
        .points Static { width: 1fr; margin-bottom: 0; }
        .points .bullet { width: 2; }
    }
    """

    def __init__(
        self,
        variant: Variant | None,
        topic: str = "",
        about: tuple[str, ...] = (),
        *,
        judged: bool = False,
    ) -> None:
        super().__init__()
        self._about = about
        self._variant = variant
        self._judged = judged
        place = chapter_on(variant.name, topic) if variant else 0
        self._number = 0 if place is None else place + 1
        # The first chapter of each section has the digit that is its key.
        titles = (
            f"{each.section} {each.title}" if each.heads else f"   {each.title}"
            for each in chapters()
        )
        self._contents = MarkedList(f"  {TITLE}", *titles, id="contents")
        self._page = Page()

    def compose(self) -> ComposeResult:
        """Lay out the contents beside the page."""
        yield from match_line(self)
        with Horizontal(id="leaves"):
            yield self._contents
            with self._page:
                yield from self._widgets()
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the page."""
        self._contents.highlighted = self._number
        self._page.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Show the contents beside the page if there is room for both."""
        self.set_class(event.size.width >= _WIDE, "-wide")
        self.set_class(event.size.width <= _NARROW, "-narrow")

    def _widgets(self) -> Iterator[Widget]:
        last, settings = len(chapters()), settings_of(self.app)
        chapter = chapters()[self._number - 1] if self._number else None
        place = f"   {self._number} of {last}" if chapter else ""
        title = chapter.title if chapter else TITLE
        yield Static(Content.assemble((title, "bold"), place))
        if chapter:
            yield from page_of(chapter, settings)
        else:
            yield from (Static(each, markup=False) for each in self._about)
            yield from at_the_board(self._variant, self._judged, ascii_only=settings.ascii)

    async def _turn_to(self, number: int) -> None:
        """Show a page from its beginning, in place of the contents."""
        self._number = max(0, min(number, len(chapters())))
        async with self._page.batch():
            await self._page.remove_children()
            await self._page.mount_all(self._widgets())
        self.action_top()
        self._show_contents(False)
        self._contents.highlighted = self._number

    @on(OptionList.OptionSelected)
    async def _turn_to_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        await self._turn_to(event.option_index)

    async def action_turn(self, by: int) -> None:
        """Turn pages forward or back."""
        await self._turn_to(self._number + by)

    async def action_section(self, number: int) -> None:
        """Turn to the first chapter of a section."""
        heads = (n for n, each in enumerate(chapters(), 1) if each.section == number)
        await self._turn_to(next(heads, 0))

    async def action_read_on(self) -> None:
        """Scroll a screen down, or turn to the next page at the end."""
        if self._page.scroll_offset.y < self._page.max_scroll_y:
            self.action_leaf(1)
        else:
            await self.action_turn(1)

    def action_scroll(self, by: int) -> None:
        """Scroll lines down or up."""
        self._page.scroll_relative(y=by, animate=False, immediate=True)

    def action_leaf(self, by: int) -> None:
        """Scroll a screen down or up, keeping one line in view."""
        self.action_scroll(by * (self._page.size.height - 1))

    def action_top(self) -> None:
        """Scroll to the beginning of the page."""
        self._page.scroll_home(animate=False, immediate=True)

    def action_bottom(self) -> None:
        """Scroll to the end of the page."""
        self._page.scroll_end(animate=False, immediate=True)

    def action_contents(self) -> None:
        """Switch between the contents and the page."""
        self._show_contents(not self.has_class("-contents"))

    def _show_contents(self, wanted: bool) -> None:
        self.set_class(wanted, "-contents")
        (self._contents if wanted else self._page).focus()
