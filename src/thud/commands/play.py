"""`thud play` and `thud resume`: a match, on the board or in lines of text."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import contenders, launch, sources
from thud.rules.match import Match

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.session.session import Session


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    session, notice = begun(options)
    _show(session, options, notice=notice, mention=not options.source)


def begun(options: Namespace) -> tuple[Session, str]:
    """Return what the options say is to be played, and what there is to say of it.

    Raises:
        ValueError: that cannot be played, or not be shown.
    """
    if options.source:
        return _played_on(options)
    variant, position = sources.chosen(options)
    pair = _contenders(options)
    names = contenders.names(pair, options.names or ())
    match = Match(variant, names, *sources.starts(options, position, names))
    _ready(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    return Session(match, Keeper(Store()), pair), ""


def _played_on(options: Namespace) -> tuple[Session, str]:
    record, fault = sources.source(options)
    match = record.match()
    pair = _contenders(options, match, record.programs)
    _ready(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    return Session(match, Keeper(Store(), record=record), pair), fault


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
