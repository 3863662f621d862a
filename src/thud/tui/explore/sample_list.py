"""A list of matches in which a move was made, to open one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text
from textual.widgets.option_list import Option

from thud.explore.library import Sample
from thud.explore.words import result, spot
from thud.rules.variant import Variant
from thud.tui.looks.phrases import points
from thud.tui.widgets.modals import ListScreen


def sample_list(variant: Variant, move: str, samples: Sequence[Sample]) -> ListScreen:
    """List matches; the answer is the number of one, from 0, as text.

    Args:
        variant: the game.
        move: the move that was made, empty if any.
        samples: where.
    """
    title = f"Matches with {move}" if move else "Matches that have been here"
    options = [Option(_line(variant, each), id=str(n)) for n, each in enumerate(samples)]
    return ListScreen(title, options, "No match has been here.")


def _line(variant: Variant, sample: Sample) -> Table:
    """Return what there is to say of a match: who, where in it, and what came of the battle."""
    line = Table.grid(padding=(0, 2), expand=True)
    line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    line.add_column(no_wrap=True)
    line.add_column(justify="right", width=16, no_wrap=True)
    # As plain strings, names in brackets would be taken for markup.
    line.add_row(*map(Text, (sample.players, spot(sample), result(variant, sample, points))))
    return line
