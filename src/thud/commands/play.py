"""`thud play` and `thud resume`: the commands that open the board."""

from __future__ import annotations

import gc
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Final

from thud.commands import seating
from thud.commands.positions import chosen
from thud.rules.geometry import shown
from thud.rules.match import DEFAULT_PLAYERS, Match

if TYPE_CHECKING:
    from thud.engines.spec import Seat
    from thud.records.record import Record
    from thud.records.saved import Saved
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.keeper import Keeper

_LOOKS: Final = ("theme", "pieces", "ascii", "animation")
"""The settings that the command line can overrule."""


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    if options.source:
        _play_on(options)
        return
    variant, position = chosen(options)
    seats = _seats(options)
    names = options.names or (seating.names(seats) if seats else DEFAULT_PLAYERS)
    match = Match(variant, (names[0], names[1]), position)
    require_terminal()
    from thud.records.store import Store
    from thud.tui.app import ThudApp
    from thud.tui.keeper import Keeper

    keeper = Keeper(Store())
    looks = preferences(options)
    run(ThudApp(match, keeper, seats=seats, mention_unfinished=True, preferences=looks), keeper)


def _seats(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Seat, Seat] | None:
    """Return who plays, None where only people do: what starts computers is not loaded then."""
    if not (any(programs) or seating.given(options)):
        return None
    return seating.seats(options, match, programs)


def preferences(options: Namespace) -> Preferences:
    """Return the settings, overruled by what the command line says."""
    from thud.settings.preferences import Preferences

    said = {name: getattr(options, name) for name in _LOOKS}
    if options.theme is not None:
        _check_theme(options.theme)
    return Preferences.load({name: value for name, value in said.items() if value is not None})


def _check_theme(name: str) -> None:
    from textual.theme import BUILTIN_THEMES

    from thud.tui.themes import THEMES

    known = sorted({*BUILTIN_THEMES, *(theme.name for theme in THEMES), "auto"})
    if name not in known:
        raise ValueError(f"there is no theme {shown(name)}: there are {', '.join(known)}")


def source(options: Namespace) -> tuple[Record, str]:
    """Return the record that --from names, as far as it can be read, and its fault.

    Raises:
        ValueError: nothing of it can be read, its match is over, or other options contradict it.
    """
    if options.position is not None or options.names is not None:
        raise ValueError("--from takes position and names from the record")
    from thud.commands.records import opened

    options.file = options.source
    record, fault = opened(options)
    if record.over:
        raise ValueError(
            f"that match is over: 'thud replay {options.source}' plays on from any of its moves"
        )
    return record, fault


def _play_on(options: Namespace) -> None:
    record, fault = source(options)
    match = record.match()
    seats = _seats(options, match, record.programs)
    require_terminal()
    from thud.records.saved import CannotSave
    from thud.records.store import Store
    from thud.tui.app import ThudApp
    from thud.tui.keeper import Keeper

    store = Store()
    try:
        saved = store.adopt(record)
    except CannotSave:
        # The board tries again, and tells.
        saved = None
    keeper, looks = Keeper(store, saved), preferences(options)
    run(ThudApp(match, keeper, seats=seats, notice=fault, preferences=looks), keeper)


def resume(options: Namespace) -> None:
    """Go on with an unfinished match, or list them."""
    from thud.records.store import Store

    store = Store()
    if options.list:
        from thud.commands.tables import print_unfinished

        print_unfinished(store)
        return
    if options.id is None and store.latest() is None:
        raise ValueError("there is no unfinished match; 'thud play' begins one")
    require_terminal()
    from thud.tui.app import ThudApp
    from thud.tui.keeper import Keeper

    saved = store.resume(options.id) if options.id else latest_free(store)
    keeper, match = Keeper(store, saved), saved.restored()
    seats, looks = _seats(options, match, saved.record.programs), preferences(options)
    run(ThudApp(match, keeper, seats=seats, preferences=looks), keeper)


def latest_free(store: Store) -> Saved:
    """Take up the latest unfinished match that is not open elsewhere."""
    from thud.records.store import CannotResume

    refusal: CannotResume | None = None
    for summary in store.unfinished():
        try:
            return store.resume(summary.id)
        except CannotResume as error:
            refusal = refusal or error
    raise refusal or ValueError("there is no unfinished match")


def run(app: ThudApp, keeper: Keeper) -> None:
    """Draw until the players leave, and say what became of the match."""
    try:
        app.run()
    finally:
        gc.enable()
        farewell = keeper.farewell
        keeper.close()
    if farewell:
        print(farewell)
    if app.return_code:
        sys.exit(app.return_code)


def require_terminal() -> None:
    """Pass where there is a terminal to draw on, and make ready to load what draws.

    Raises:
        ValueError: input or output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("a match is played in a terminal, and this is none")
    if not (sys.__stderr__ and sys.__stderr__.isatty()):
        # Textual draws where errors are told, which may be a file, or closed.
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    # Nothing that is loaded now is garbage: to look for some takes a sixth of the time to the
    # first frame.  The app switches the collector on again when it has painted that.
    gc.disable()
