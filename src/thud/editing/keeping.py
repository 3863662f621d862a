"""A position that was set up as a match that has not begun: to be played, or written to a file."""

from __future__ import annotations

from datetime import date

from thud.engines.spec import Contender, distinct, parse_contender
from thud.records import files
from thud.records.record import BattleRecord, Record
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.setup import Setup


def match_of(setup: Setup, seats: tuple[Contender, Contender]) -> Match:
    """Return a match whose battles both begin with a setup; a computer goes by its own name.

    Raises:
        InvalidPosition: no move can be made there.
    """
    named = (seat.name or name for seat, name in zip(seats, DEFAULT_PLAYERS, strict=True))
    return Match(setup.variant, distinct(*named), setup.playable())


def seats_of(text: str) -> tuple[Contender, Contender]:
    """Read who plays the dwarfs first, and who the trolls: `"human cpu:4"`; one alone is both.

    Raises:
        ValueError: nobody is written so, or these are more than two.
    """
    words = text.split() or ["human"]
    if len(words) > len(DEFAULT_PLAYERS):
        raise ValueError("say who has the dwarfs and who has the trolls, such as human 4")
    dwarfs, trolls = parse_contender(words[0]), parse_contender(words[-1])
    return dwarfs, trolls


def save_as(setup: Setup, name: str) -> str:
    """Write a position to a new file in the format of its suffix; return what there is to say.

    Raises:
        ValueError: it is no position of its game, or cannot be written; the message says why.
    """
    start = BattleRecord(setup.checked())
    return files.save_as(Record(setup.variant, (start,), date=date.today().isoformat()), name)
