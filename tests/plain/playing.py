"""Plain sessions run from a script, with all their output."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from thud.plain.lines import Lines
from thud.plain.match import MatchRepl, run
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.participants import Contenders
from thud.session.session import Session


class Played(NamedTuple):
    """The result of a script."""

    said: list[str]
    talk: MatchRepl
    store: Store

    def answers(self, question: str) -> list[str]:
        """Return the output right after a line with this ending, up to the next prompt."""
        at = next(n for n, line in enumerate(self.said) if line.endswith(question))
        rest = self.said[at + 1 :]
        end = next((n for n, line in enumerate(rest) if "Your move:" in line), len(rest))
        return rest[:end]

    @property
    def kept(self) -> Record:
        """The only saved match."""
        (summary,) = self.store.listing().unfinished + self.store.finished()
        return self.store.load(summary.id)


def played(
    directory: Path,
    *script: str,
    variant: str = "classic",
    position: str | None = None,
    match: Match | None = None,
    seats: Contenders = None,
    coached: bool = False,
) -> Played:
    """Play a script of lines by Ann and Bob."""
    source = "".join(f"{line}\n" for line in script).encode()
    match = match or begun(variant, position)
    return played_bytes(directory, source, match, seats, coached=coached)


def begun(variant: str = "classic", position: str | None = None) -> Match:
    """Return a match of Ann and Bob."""
    game = VARIANTS[variant]
    return Match(game, ("Ann", "Bob"), game.position(position) if position else None)


def played_bytes(
    directory: Path,
    source: bytes,
    match: Match,
    seats: Contenders = None,
    *,
    coached: bool = False,
) -> Played:
    """Play a session whose input is arbitrary bytes."""
    store, sink = Store(directory), io.StringIO()
    lines = Lines(io.BytesIO(source), sink, echo=True)
    talk = MatchRepl(Session(match, Autosave(store), seats), lines)
    talk.session.set_computers(coach=coached, voices=False)
    run(talk)
    return Played(sink.getvalue().splitlines(), talk, store)
