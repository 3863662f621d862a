"""Who sits where: from the options of a command, or from the record of a match that goes on."""

from __future__ import annotations

from argparse import Namespace
from shutil import which
from typing import TYPE_CHECKING

from thud.rules.geometry import shown
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.position import Side

if TYPE_CHECKING:
    from thud.engines.spec import Seat


def given(options: Namespace) -> bool:
    """Say whether the options tell who plays."""
    return bool(options.dwarfs or options.trolls or options.opponent)


def seats(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Seat, Seat]:
    """Return who plays for player 0 and for player 1.

    The options name sides as they are in the battle now.  Without them those who played before go
    on, as far as they are persons or our own computers.

    Args:
        options: what the command line says.
        match: the match that goes on, if one does.
        programs: what played for its players before.

    Raises:
        ValueError: nobody is called so, a program is not there, or --opponent stands beside the
            others.
    """
    from thud.engines.spec import HUMAN, parse_seat, played_by

    if options.opponent and (options.dwarfs or options.trolls):
        raise ValueError("--opponent is for both battles: leave --dwarfs and --trolls out")
    if not given(options):
        return played_by(programs[0]), played_by(programs[1])
    if options.opponent:
        return parse_seat(HUMAN), _present(parse_seat(options.opponent))
    by_side = {
        Side.DWARFS: _present(parse_seat(options.dwarfs or HUMAN)),
        Side.TROLLS: _present(parse_seat(options.trolls or HUMAN)),
    }
    side = match.side_of(0) if match else Side.DWARFS
    return by_side[side], by_side[side.other]


def names(seats: tuple[Seat, Seat]) -> tuple[str, str]:
    """Return what the players are called if nobody says otherwise: a computer by its level."""
    from thud.engines.spec import distinct

    first, second = (seat.name or name for seat, name in zip(seats, DEFAULT_PLAYERS, strict=True))
    return distinct(first, second)


def _present(seat: Seat) -> Seat:
    """Return a seat whose program is there to be started."""
    if seat.foreign and which(seat.command[0]) is None:
        raise ValueError(f"there is no program {shown(seat.command[0])} that could be started")
    return seat
