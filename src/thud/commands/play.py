"""`thud play` and `thud resume`: a match, on the board or in lines of text."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import launch, matches

if TYPE_CHECKING:
    from thud.records.store import Store
    from thud.session.session import Session


def play(options: Namespace) -> None:
    """Play a new match, or go on from where a record ends."""
    session, notice = matches.begun(options)
    _show(session, options, notice=notice, mention=not options.source)


def at_terminal() -> bool:
    """Say whether somebody is there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _delete(store: Store, name: str, *, meant: bool) -> None:
    """Delete a match, after a question unless that is meant, and keep a copy of the last one."""
    from thud.disk.atomic import write_atomic

    if not meant and not _means(f"Delete {_told(store, name)}? [y/N] "):
        print(f"Match {name} is still there.")
        return
    copy = store.matches.with_name("deleted.tgn")
    discarded = store.discard(name)
    try:
        write_atomic(copy, discarded.content)
    except OSError:
        print(f"Match {name} is deleted.")
        return
    print(f"Match {name} is deleted. Until the next one is, a copy of it is {copy}")


def _told(store: Store, name: str) -> str:
    """Return what there is to say of a match that is kept: its id only, where it cannot be read."""
    from thud.records.store import CannotResume

    try:
        record = store.load(name)
    except CannotResume:
        return name
    return f"{name}, {record.variant.title}, {' against '.join(record.players)}"


def _means(question: str) -> bool:
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def resume(options: Namespace) -> None:
    """Go on with an unfinished match, or list them."""
    from thud.records.store import Store

    store = Store()
    if options.delete:
        _delete(store, options.delete, meant=options.yes or not at_terminal())
        return
    if options.list:
        from thud.commands.tables import print_unfinished

        print_unfinished(store)
        return
    if options.id is None and store.latest() is None:
        raise ValueError("there is no unfinished match; 'thud play' begins one")
    matches.check_shown(options)
    from thud.net.seat_registry import hosted

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
