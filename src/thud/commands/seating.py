"""Who sits where: from the options of a command, or from the record of a match that goes on."""

from __future__ import annotations

import re
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.position import Side

if TYPE_CHECKING:
    from thud.engines.spec import Seat

_OWN: Final = re.compile(r"Thud \S+ (?:level (?P<level>[1-7])|(?P<simple>random|material))")


def given(options: Namespace) -> bool:
    """Say whether the options tell who plays."""
    return bool(options.dwarfs or options.trolls or options.opponent)


def seats(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Seat, Seat]:
    """Return who plays for player 0 and for player 1.

    The options name sides as they are in the battle now.  Without them those who played before go
    on: persons and our own computers.  Another program is never started because a file says so.

    Args:
        options: what the command line says.
        match: the match that goes on, if one does.
        programs: what played for its players before.

    Raises:
        ValueError: nobody is called so, or --opponent stands beside the others.
    """
    from thud.engines.spec import HUMAN, parse_seat

    if options.opponent and (options.dwarfs or options.trolls):
        raise ValueError("--opponent is for both battles: leave --dwarfs and --trolls out")
    if not given(options):
        first, second = (parse_seat(_word(program)) for program in programs)
        return first, second
    if options.opponent:
        return parse_seat(HUMAN), parse_seat(options.opponent)
    by_side = {
        Side.DWARFS: parse_seat(options.dwarfs or HUMAN),
        Side.TROLLS: parse_seat(options.trolls or HUMAN),
    }
    side = match.side_of(0) if match else Side.DWARFS
    return by_side[side], by_side[side.other]


def names(seats: tuple[Seat, Seat]) -> tuple[str, str]:
    """Return what the players are called if nobody says otherwise: a computer by its level."""
    from thud.engines.spec import distinct

    first, second = (seat.name or name for seat, name in zip(seats, DEFAULT_PLAYERS, strict=True))
    return distinct(first, second)


def _word(program: str) -> str:
    """Return the word on a command line for what played before."""
    found = _OWN.fullmatch(program)
    if not found:
        return "human"
    return found["simple"] or f"cpu:{found['level']}"
