"""`thud host`, `thud join` and `thud watch`: a match of people at different places."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import contenders, launch, sources
from thud.engines.spec import GUEST, HUMAN
from thud.rules.match import DEFAULT_PLAYERS, Match

if TYPE_CHECKING:
    from thud.net.calling import Caller
    from thud.net.hosting import Doors
    from thud.net.ways.way import Way
    from thud.session.session import Session


def host(options: Namespace) -> None:
    """Open a match to others, and play it."""
    _name_seats(options)
    session = sources_of_match(options)
    session.hints_allowed = options.hints
    session.company.talks = options.chat
    doors = _doors(options)

    async def prepared() -> Session:
        from thud.net.hosting import opened

        await opened(session, doors, watchers=options.watchers)
        return session

    launch.play(prepared, options)
