"""`thud play` and `thud resume`: the commands that open the board."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands.positions import chosen
from thud.rules.match import DEFAULT_PLAYERS, Match

if TYPE_CHECKING:
    from thud.tui.keeper import Keeper


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    match = _match_of_file(options) if options.source else _new_match(options)
    require_terminal()
    from thud.records.store import Store
    from thud.tui.keeper import Keeper

    run(match, Keeper(Store()), mention_unfinished=True)


def _new_match(options: Namespace) -> Match:
    variant, position = chosen(options)
    first, second = options.names or DEFAULT_PLAYERS
    return Match(variant, (first, second), position)


def _match_of_file(options: Namespace) -> Match:
    if options.position is not None or options.names is not None:
        raise ValueError("--from takes position and names from the record")
    from thud.commands.records import opened

    options.file = options.source
    match = opened(options).match()
    if match.over:
        raise ValueError(
            f"that match is over: 'thud replay {options.source}' plays on from any of its moves"
        )
    return match


def resume(options: Namespace) -> None:
    """Go on with an unfinished match, or list them."""
    from thud.records.store import Store

    store = Store()
    if options.list:
        from thud.commands.tables import print_unfinished

        print_unfinished(store)
        return
    latest = store.latest()
    if options.id is None and latest is None:
        raise ValueError("there is no unfinished match; 'thud play' begins one")
    require_terminal()
    from thud.tui.keeper import Keeper

    saved = store.resume(options.id or (latest.id if latest else ""))
    run(saved.restored(), Keeper(store, saved))


def run(
    match: Match, keeper: Keeper, *, replay: bool = False, mention_unfinished: bool = False
) -> None:
    """Draw a match until the players leave, and say how to go on with it."""
    from thud.tui.app import ThudApp

    try:
        ThudApp(match, keeper, replay=replay, mention_unfinished=mention_unfinished).run()
    finally:
        resumable = keeper.resumable
        keeper.close()
    if resumable:
        print(f"The match is kept: 'thud resume {resumable}' goes on with it.")


def require_terminal() -> None:
    """Pass where there is a terminal to draw on.

    Raises:
        ValueError: input or output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("a match is played in a terminal, and this is none")
