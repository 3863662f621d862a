"""The state of the battle, beside the board."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widgets import Static

from thud.rules.match import BATTLES, Match, commander_of, handicap_in, side_of
from thud.rules.position import Position, Side
from thud.settings.values import Settings
from thud.terminal.cells import CELLS
from thud.tui.board.pieces import picture
from thud.tui.board.sprites import SHEETS, colours, heads
from thud.tui.looks.fitted import fitted
from thud.tui.looks.themes import paints, tones_merge
from thud.tui.widgets.appearance import piece_set
from thud.words.match import behind, figure, handicap_in_short
from thud.words.moves import pieces_left

if TYPE_CHECKING:
    from thud.records.record import Record

_FREE: Final = "free seat"
_TO_MOVE: Final = " to move"


class Standing(Static):
    """Variant, battle, turn, pieces left, and the variant's current counts."""

    DEFAULT_CLASSES = "section"

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("standing--turn", "standing--faint", "standing--dwarfs", "standing--trolls")
    }

    def __init__(self) -> None:
        super().__init__()
        self._glyphs = {side.value: side.value for side in Side}
        self._pieces = ""
        """The piece set drawn, if captured pieces can be drawn like it."""
        self._again: Callable[[], None] | None = None
        self._expected = ""
        self._width = 0

    def on_resize(self) -> None:
        """Lay the lines out for their new width."""
        if self._width != self.content_size.width:
            self._tell_again()

    def notify_style_update(self) -> None:
        """Redraw in the new colours."""
        super().notify_style_update()
        if self._again:
            # Later: component styles are updated after the widget itself.
            self.call_later(self._tell_again)

    def _tell_again(self) -> None:
        # Called later: `_again` is read only now, as it may have changed meanwhile.
        if self._again:
            self._again()

    def expect(self, expected: str) -> None:
        """Show a computer's expectation; empty hides it."""
        if expected != self._expected:
            self._expected = expected
            self._tell_again()

    def apply_settings(self, settings: Settings) -> None:
        """Draw captured pieces as on the board's smallest squares.

        Letters replace the `blocks` set, whose pieces side by side would look like a bar.
        """
        pieces = piece_set(settings)
        self._pieces = "letters" if settings.ascii else pieces
        pieces = "letters" if pieces == "blocks" else pieces
        for letter in self._glyphs:
            drawn = picture(letter, CELLS[-1], pieces, ascii_only=settings.ascii)
            self._glyphs[letter] = drawn.rows[0].strip()[:1]
        self._tell_again()

    def show(
        self,
        match: Match | Record,
        number: int,
        position: Position,
        *,
        over: bool,
        programs: tuple[str, str] = ("", ""),
        free: Collection[int] = (),
        alone: bool = False,
        summed: bool = False,
    ) -> None:
        """Show the standing of a battle in a position.

        Args:
            match: the match or its record.
            number: the number of the battle.
            position: the position.
            over: whether the battle is over.
            programs: the players' programs, empty for people.
            free: the players whose seats are free.
            alone: whether the battle is shown for itself, not as one of a match's two.
            summed: whether the points of both battles are shown elsewhere.
        """
        from thud.records.words import computer

        self._again = partial(
            self.show,
            match,
            number,
            position,
            over=over,
            programs=programs,
            free=free,
            alone=alone,
            summed=summed,
        )
        self._width = self.content_size.width
        width = max(20, self._width)
        faint = self.get_component_rich_style("standing--faint", partial=True)
        title, which = match.variant.title, "" if alone else f"{number} of {BATTLES}"
        self.border_title, self.border_subtitle = title, f"battle {which}" if which else ""
        lines = list[Text]()
        if not self.styles.border_top[0]:
            room = width - len(title) - 1
            ways = (f"battle {which}", which) if which else ()
            beside = next((each for each in ways if len(each) <= room), "")
            lines.append(_spread(title, beside, width))
            lines[0].stylize("bold", 0, len(title))
            if which and not beside:
                lines.append(_spread("  battle", which, width, faint))
        if handicap := handicap_in(match.variant, match.starts):
            first, second = (
                fitted(name, width - len("  handicap  gives 2")) for name in match.players
            )
            odds = handicap_in_short((first, second), handicap)
            lines.append(_spread("  handicap", odds, width, faint))
        for side in Side:
            player, on_turn = commander_of(side, number), position.to_move is side and not over
            name = _FREE if player in free else match.name_of(side, number)
            shown = f"{'» ' if on_turn else '  '}{fitted(name, width - 14)}"
            left = pieces_left(position, side)
            if on_turn and len(left) + cell_len(shown + _TO_MOVE) < width:
                shown += _TO_MOVE
            lines.append(_spread(shown, left, width))
            if on_turn:
                turn = self.get_component_rich_style("standing--turn", partial=True)
                lines[-1].stylize(turn)
            if program := programs[player]:
                lines.append(Text(f"  {fitted(computer(program), width - 2)}", faint, end=""))
            if number == BATTLES and not summed:
                first = figure(match.points(commander_of(side, number))[0])
                lines.append(_spread("  battle 1", first, width, faint))
            start = match.starts[number - 1].pieces(side.other)
            if taken := start.bit_count() - position.pieces(side.other).bit_count():
                lines.append(self._captured(side.other, taken, width))
        if number == BATTLES and match.variant.counts_points and not over:
            lines.append(_spread(*_aim(match, position, width), width, faint))
        if not over:  # what the end counts is told with it
            # The pieces left say the score already.
            progress = match.variant.progress(position)[1 if match.variant.counts_points else 0 :]
            lines += [_spread(f"  {label}", value, width, faint) for label, value in progress]
        if self._expected:
            lines.append(_spread("  expected", self._expected, width, faint))
        self.update(Text("\n").join(lines))

    def _captured(self, side: Side, number: int, width: int) -> Text:
        """Return the captured pieces of a side: heads if they fit on the line, else signs."""
        label = "  captured"
        faint = self.get_component_rich_style("standing--faint", partial=True)
        roomy = self.styles.border_top[0] and self.screen.has_class("-tall")
        if roomy and self._pieces in SHEETS and not tones_merge(self.app):
            there, named = paints(self.app.current_theme), colours(self._pieces)
            head = Text(end="")
            for dab in heads(self._pieces)[side.singular][0]:
                if dab:
                    glyph, paint = dab
                    ink, paper = (there[named[letter]] for letter in paint)
                    head.append(glyph, Style(color=ink, bgcolor=paper))
            row = Text(" ").join([head] * number)
            if len(label) + row.cell_len < width:
                return Text(label.ljust(width - row.cell_len), faint, end="").append_text(row)
        letter, (fives, rest) = self._glyphs[side.value], divmod(number, 5)
        tray = " ".join([letter * 5] * fives + [letter * rest] * bool(rest))
        if len(tray) >= width - len(label) - 1:
            tray = f"{number} × {letter}"
        line = _spread(label, tray, width, faint)
        style = self.get_component_rich_style(f"standing--{side.plural}", partial=True)
        line.stylize(style, len(line) - len(tray))
        return line


def _aim(match: Match | Record, position: Position, width: int) -> tuple[str, str]:
    """Return what the second battle has to bring to whoever is behind, or that it cannot."""
    both = [match.points(player)[0] for player in range(2)]
    player, lead, most = behind(match.variant, both, position)
    if not lead:
        return "  to win", "any lead"
    name = match.name_of(side_of(player, BATTLES), BATTLES)
    if lead > most:
        return "  to win", f"{fitted(name, width - len('  to win  cannot'))} cannot"
    aim, ahead = ("win", lead + 1) if lead < most else ("draw", lead)
    return f"  to {aim}", f"{fitted(name, width - 14)} +{figure(ahead)}"


def _spread(left: str, right: str, width: int, style: Style | None = None) -> Text:
    """Return a line with one text at its left end and one at its right."""
    text = Text(left, style or "", end="")
    text.pad_right(max(1, width - text.cell_len - len(right)))
    return text.append(right)
