"""Finished matches against any opponent."""

from __future__ import annotations

import os

from saving import begin
from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
OPENING = ("dF1-F5", "TG7-F6xF5")
"""A dwarf is lost, so the trolls are ahead by a point."""

HOUR = 3600
NOON = 1_700_000_000
"""The time at which the first match ended."""


def keep(
    store: Store,
    *,
    won: bool | None,
    seats: tuple[str, str] = ("human", "cpu:3"),
    names: tuple[str, str] = ("Ann", "Miner"),
    hour: int = 0,
    start: str | None = None,
) -> str:
    """Save a match that player 0 won, lost or, if `won` is None, drew; return its id."""
    position = CLASSIC.position(start) if start else None
    match = Match(CLASSIC, names, position)
    for number in (1, 2):
        if won is not None and (match.side_of(0, number) is Side.TROLLS) is won:
            for text in OPENING:
                match.battle.play(parse_move(CLASSIC, match.battle.position, text))
        match.battle.agree()
        if number == 1:
            match.next_battle()
    programs = tuple(parse_contender(seat).program for seat in seats)
    with begin(store, match, programs=(programs[0], programs[1])) as saved:
        pass
    ended = NOON + hour * HOUR
    os.utime(saved.path, (ended, ended))
    return saved.id
