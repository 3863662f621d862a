"""`thud play` and `thud resume`: a match, on the board or in lines of text."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import contenders, launch, sources
from thud.rules.control import parse_control
from thud.rules.match import Match

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.session.session import Session


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    if options.source:
        _play_on(options)
        return
    variant, position = sources.chosen(options)
    pair = _contenders(options)
    names = contenders.names(pair, options.names or ())
    control = parse_control(options.clock) if options.clock else None
    first, second = sources.starts(options, position, names)
    match = Match(variant, names, first, second, control)
    _ready(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    _show(Session(match, Keeper(Store()), pair), options, mention=True)


def _play_on(options: Namespace) -> None:
    record, fault = sources.source(options)
    if options.clock:
        from thud.records.timed import with_other_clock

        record = with_other_clock(record, parse_control(options.clock))
    match = record.match()
    pair = _contenders(options, match, record.programs)
    _ready(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    _show(Session(match, Keeper(Store(), record=record), pair), options, notice=fault)


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
    _ready(options)
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    saved = store.resume(options.id) if options.id else store.resume_latest()
    match = saved.restored()
    pair = _contenders(options, match, saved.record.programs)
    _show(Session(match, Keeper(store, saved), pair), options)


def _contenders(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Contender, Contender] | None:
    """Return who plays, None where only people do: what starts computers is not loaded then."""
    if not (any(programs) or contenders.given(options)):
        return None
    return contenders.chosen(options, match, programs)


def _ready(options: Namespace) -> None:
    """Pass if the match can be shown as the options say."""
    if not options.plain:
        launch.require_terminal()


def _show(session: Session, options: Namespace, *, notice: str = "", mention: bool = False) -> None:
    """Let a session be played as the options say."""
    if options.plain:
        coached = bool(options.coach)
        launch.play_in_lines(
            session, launch.lines(), coached=coached, notice=notice, mention=mention
        )
    else:
        launch.play_on_board(session, options, notice=notice, mention=mention)
