"""The list of moves that others played, with a bar for their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from thud.explore.library import ExploredMove
from thud.explore.words import average, give_or_take, percent
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.tui.actions import bindings
from thud.tui.looks.fitted import fitted

_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_NUMBERS: Final = 17
"""Columns of the count, the share and the average."""

_ERROR: Final = 5
"""Columns of the average's error."""

_OWN: Final = 6
"""Columns of the count of people's own battles."""

_SHORTEST_MOVE: Final = 9

_USUAL_MOVE: Final = 12
_LONGEST_MOVE: Final = 14
_SHORTEST_BAR: Final = 3


class PlayedList(ScrollView, can_focus=True, inherit_bindings=False):
    """A list of moves, one of them chosen, below a line of column heads."""

    DEFAULT_CLASSES = "section"

    DEFAULT_CSS = """
    PlayedList {
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .played--head { color: $foreground-muted; }
        & > .played--dwarfs { color: $board-dwarf; }
        & > .played--trolls { color: $board-troll; }
        & > .played--chosen { background: $panel; text-style: bold; }
        &:focus > .played--chosen { text-style: bold reverse; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "played--head",
        "played--dwarfs",
        "played--trolls",
        "played--chosen",
    }

    BINDINGS: ClassVar[list[BindingType]] = bindings("played")

    ALLOW_SELECT = False

    class Chosen(Message):
        """Another move was chosen."""

    class Entered(Message):
        """The chosen move was clicked again."""

    def __init__(self) -> None:
        super().__init__()
        self._variant: Variant | None = None
        self._played: Sequence[ExploredMove] = ()
        self._texts: list[str] = []
        self._now = 0
        self._compared = False
        self._longest = 1.0
        """The average lead whose bar is longest."""

    @property
    def chosen(self) -> ExploredMove | None:
        """The chosen move, None if the list is empty."""
        return self._played[self._now] if self._now < len(self._played) else None

    @property
    def caret(self) -> Offset:
        """The beginning of the chosen move's row."""
        return Offset(0, self._now + 1 - self.scroll_offset.y)

    def show(
        self,
        variant: Variant,
        position: Position,
        played: Sequence[ExploredMove],
        *,
        compared: bool = False,
    ) -> None:
        """List the moves of a position, keeping the chosen one or else choosing the first.

        Args:
            variant: the game.
            position: the position.
            played: the moves made in it.
            compared: whether to list people's own battles beside all, where there is room.
        """
        before = self.chosen
        self._compared = compared
        self._variant, self._played = variant, played
        means = (abs(each.mean or 0.0) for each in played)
        self._longest = max((1.0, *means)) if variant.counts_points else 1.0
        self._texts = [move_text(position, each.move) for each in played]
        moves = [each.move for each in played]
        self._now = moves.index(before.move) if before and before.move in moves else 0
        self.virtual_size = Size(self.size.width, len(played) + 1)
        self._keep_in_sight()
        self.refresh()

    def clear(self) -> None:
        """Empty the list."""
        self._played, self._texts, self._now = (), [], 0
        self.virtual_size = Size(self.size.width, 1)
        self.refresh()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line; the column heads stay at the top."""
        row, width, base = y - 1 + self.scroll_offset.y, self.size.width, self.rich_style
        if not self._played or not self._variant or (y and row >= len(self._played)):
            return Strip.blank(width, base)
        compared = self._compared and width >= _SHORTEST_MOVE + _NUMBERS + _OWN + _SHORTEST_BAR
        numbers = _NUMBERS + _OWN if compared else _NUMBERS
        if unsure := width >= _USUAL_MOVE + numbers + _ERROR:
            numbers += _ERROR
        barred = not unsure or width >= _LONGEST_MOVE + numbers + _SHORTEST_BAR
        of_move = max(1, min(_LONGEST_MOVE, width - numbers - _SHORTEST_BAR * barred))
        if y == 0:
            mean = "average" if self._variant.counts_points else "won"
            head = f"{'move':<{of_move}}{'times':>5}{'':>5}{mean:>7}{' ' * _ERROR * unsure}"
            head += f"{'yours':>{_OWN}}" if compared else ""
            segments = [Segment(head, self._style("played--head"))]
            return Strip(segments).adjust_cell_length(width, base)
        each = self._played[row]
        text = f"{fitted(self._texts[row], of_move - 1):<{of_move}}{each.number:>5}"
        text += f"{percent(each.share):>5}{average(self._variant, each.mean, each.score):>7}"
        text += f"{give_or_take(self._variant, each.error):>{_ERROR}}" if unsure else ""
        text += f"{each.own or '':>{_OWN}}" if compared else ""
        # The bar's length is the average lead, its colour the leading side's.
        lead, room = (each.mean or 0.0) / self._longest, max(0, width - numbers - of_move)
        whole, rest = divmod(round(abs(lead) * max(0, room - 1) * 8), 8) if barred else (0, 0)
        bar = f" {_EIGHTHS[8] * whole}{_EIGHTHS[rest] if rest else ''}"
        side = "played--dwarfs" if lead > 0 else "played--trolls"
        style = self._style("played--chosen") if row == self._now else base
        segments = [Segment(text, style), Segment(f"{bar:<{room}}"[:room], self._style(side))]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        return self.rich_style + self.get_component_rich_style(name, partial=True)

    # Choosing

    def _choose(self, row: int) -> None:
        if self._played:
            self._now = max(0, min(row, len(self._played) - 1))
            self._keep_in_sight()
            self.refresh()
            self.post_message(self.Chosen())

    def _keep_in_sight(self) -> None:
        """Scroll the chosen move into view, below the line of column heads."""
        room, top = max(1, self.size.height - 1), self.scroll_offset.y
        first = min(self._now, max(top, self._now - room + 1))
        self.scroll_to(y=first, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked move; a second click steps in."""
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None or not offset.y:
            return
        row = offset.y - 1 + self.scroll_offset.y
        if row == self._now:
            self.post_message(self.Entered())
        elif row < len(self._played):
            self._choose(row)

    def action_cursor_down(self) -> None:
        """Choose the next move."""
        self._choose(self._now + 1)

    def action_cursor_up(self) -> None:
        """Choose the previous move."""
        self._choose(self._now - 1)

    def action_page_down(self) -> None:
        """Choose the move a screen further down."""
        self._choose(self._now + self.size.height - 2)

    def action_page_up(self) -> None:
        """Choose the move a screen further up."""
        self._choose(self._now - self.size.height + 2)

    def action_first(self) -> None:
        """Choose the first move."""
        self._choose(0)

    def action_last(self) -> None:
        """Choose the last move."""
        self._choose(len(self._played) - 1)
