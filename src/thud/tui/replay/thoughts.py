"""What the computer thinks of the position at hand: its best moves, and what follows on them."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.widgets import Static

from thud.ai.player import Thought
from thud.rules.notation import texts_of
from thud.rules.position import Position
from thud.session.onlooker import LINES, Lines
from thud.tui.looks.fitted import fitted
from thud.wording.hints import expectation

KEYS: Final = "XYZ"
"""The keys that play the lines, the best one first."""


class Thoughts(Static):
    """Shows the best moves with the margins that are expected and the lines that follow."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key"}

    DEFAULT_CSS = "Thoughts { display: none; height: auto; margin: 0 0 1 0; }"

    class Picked(Message):
        """A line was clicked."""

        def __init__(self, rank: int) -> None:
            super().__init__()
            self.rank = rank

    def __init__(self) -> None:
        super().__init__()
        self._lines: Lines = {}

    def line(self, rank: int) -> Thought | None:
        """Return what was thought of the best move, of the second best, or so."""
        return self._lines.get(rank)

    def show(self, position: Position, lines: Lines) -> None:
        """Show what has been found so far."""
        best_first = sorted(lines.values(), key=lambda each: (-each.score, each.rank))
        self._lines = dict(enumerate(best_first, 1))
        width = max(20, self.content_size.width)
        depth = max((each.depth for each in lines.values()), default=0)
        text = Text(f"The computer, depth {depth}" if depth else "The computer thinks …", "bold")
        style = self.get_component_rich_style("prompt--key", partial=True)
        for rank, thought in self._lines.items():
            click = Style(meta={"@click": f"pick({rank})"})
            moves = " ".join(texts_of(position, thought.line))
            told = f" {expectation(position.to_move, thought)} {moves}"
            text.append("\n").append(KEYS[rank - 1], style + click)
            text.append(fitted(told, width - 1), Style(bold=False) + click)
        text.append("\n" * (LINES - len(self._lines)))
        self.update(text)

    def say(self, words: str) -> None:
        """Say something in place of the lines."""
        self._lines = {}
        self.update(Text(words))

    def action_pick(self, rank: int) -> None:
        """Report a line that was clicked."""
        self.post_message(self.Picked(rank))
