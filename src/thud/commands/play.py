"""`thud play` and `thud resume`: a match, on the board or in lines of text."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import launch, matches

if TYPE_CHECKING:
    from thud.session.session import Session


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    session, notice = matches.begun(options)
    _show(session, options, notice=notice, mention=not options.source)


def resume(options: Namespace) -> None:
    """Go on with an unfinished match, or list them."""
    from thud.records.store import Store

    store = Store()
    if options.delete:
        store.discard(options.delete)
        print(f"Match {options.delete} is deleted.")
        return
    if options.list:
        from thud.commands.tables import print_unfinished

        print_unfinished(store)
        return
    if options.id is None and store.latest() is None:
        raise ValueError("there is no unfinished match; 'thud play' begins one")
    matches.check_shown(options)
    from thud.net.seating import hosted

    saved = store.resume(options.id) if options.id else store.resume_latest()
    match = saved.restored()
    pair = matches.chosen_pair(options, match, saved.record.programs)
    was = hosted(store.matches, saved.id)
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    keeper = Keeper(store, saved)
    if was:
        from thud.engines.spec import with_guests

        session = Session(match, keeper, with_guests(pair, was.players))
        launch.play_hosted(session, was.terms, options)
    else:
        _show(Session(match, keeper, pair), options)


def _show(session: Session, options: Namespace, *, notice: str = "", mention: bool = False) -> None:
    """Let a session be played as the options say."""
    if options.plain:
        coached = bool(options.coach)
        launch.play_in_lines(
            session, launch.lines(), coached=coached, notice=notice, mention=mention
        )
    else:
        launch.play_on_board(session, options, notice=notice, mention=mention)
