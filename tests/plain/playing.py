"""Sessions in lines of text, from a script to all that was said."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from thud.engines.spec import Seat
from thud.plain.computers import PEOPLE, Computers
from thud.plain.keeping import Keeping
from thud.plain.lines import Lines
from thud.plain.session import run
from thud.plain.table import Table
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS


class Session(NamedTuple):
    """What came of a script."""

    said: list[str]
    table: Table
    store: Store

    def answers(self, question: str) -> list[str]:
        """Return what was said right after a line that ends like this."""
        at = next(n for n, line in enumerate(self.said) if line.endswith(question))
        rest = self.said[at + 1 :]
        end = next((n for n, line in enumerate(rest) if "Your move:" in line), len(rest))
        return rest[:end]

    @property
    def kept(self) -> Record:
        """The one match that was kept."""
        (summary,) = self.store.unfinished() + self.store.finished()
        return self.store.load(summary.id)


def played(
    directory: Path,
    *script: str,
    variant: str = "classic",
    position: str | None = None,
    match: Match | None = None,
    seats: tuple[Seat, Seat] = PEOPLE,
) -> Session:
    """Play a script, a line each, by Ann and Bob."""
    source = "".join(f"{line}\n" for line in script).encode()
    return played_bytes(directory, source, match or begun(variant, position), seats)


def begun(variant: str = "classic", position: str | None = None) -> Match:
    """Return a match of Ann and Bob."""
    game = VARIANTS[variant]
    return Match(game, ("Ann", "Bob"), game.position(position) if position else None)


def played_bytes(
    directory: Path, source: bytes, match: Match, seats: tuple[Seat, Seat] = PEOPLE
) -> Session:
    """Play whatever the bytes are."""
    store, sink = Store(directory), io.StringIO()
    lines = Lines(io.BytesIO(source), sink, echo=True)
    table = Table(match, Keeping(store), lines, Computers(seats))
    run(table)
    return Session(sink.getvalue().splitlines(), table, store)
