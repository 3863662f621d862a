"""What a link opens."""

from __future__ import annotations

from datetime import date

from thud.exercises.puzzles.book import puzzle_of, puzzle_of_the_day
from thud.records.formats import match_in
from thud.records.links import BadLink, LinkKind, read_link
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.text import quoted, sentence
from thud.tui.start import Edit, Puzzles, Replay


def start_of(text: str) -> Replay | Edit | Puzzles:
    """Return what a link opens; nothing is fetched.

    Raises:
        ValueError: it cannot be opened; the message says why.
    """
    kind, told, game = read_link(text)
    if kind is LinkKind.MATCH:
        record, fault = match_in(told)
        return Replay(record, sentence(fault) if fault else "")
    if kind is LinkKind.POSITION:
        if game not in VARIANTS:
            raise BadLink(f"there is no game {quoted(game)} here")
        return Edit(Setup.usual(VARIANTS[game]).read(told))
    daily = puzzle_of_the_day(date.today())
    puzzle = daily.puzzle if kind is LinkKind.DAY else puzzle_of(told)
    return Puzzles([puzzle], daily=daily if puzzle == daily.puzzle else None)
