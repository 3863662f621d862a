"""The battle after the first lessons: against a low level, with the coach on.

The caller turns the setting `coach` on, so that it stays on when the match is resumed.
"""

from __future__ import annotations

from typing import Final

from thud.engines.spec import HUMAN, parse_contender
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.session import Session

WELCOME: Final = (
    "You have the dwarfs and move first. Your coach warns you before you lose three dwarfs."
)
"""Message at its start."""


COACHED: Final = "coach"
"""The setting to turn on."""


def first_battle(opponent: str, autosave: Autosave) -> Session:
    """Return a session of a learner against a computer, spelled as on the command line."""
    seats = parse_contender(HUMAN), parse_contender(opponent)
    match = Match(VARIANTS["classic"], (DEFAULT_PLAYERS[0], seats[1].name))
    return Session(match, autosave, seats)
