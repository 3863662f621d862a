"""`thud play` and `thud resume`: a match, on the board or in plain text."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.cli import launch, players, sources
from thud.cli.options import add_clock, add_looks, add_plain, add_position, add_seats, source_help
from thud.rules.clock import parse_control
from thud.rules.match import Match

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.records.store import Store
    from thud.session.session import Session


def add_play(command: argparse.ArgumentParser) -> None:
    """Add the arguments: players, start and clock."""
    add_position(command)
    command.add_argument(
        "--names",
        nargs="+",
        metavar=("NAME", "NAME"),
        help="the players; the first one starts with the dwarfs. Against a computer, give only "
        "your own name",
    )
    command.add_argument(
        "--handicap",
        metavar="WHO:STEPS",
        help="start a player with fewer pieces in both battles: a name, or 1 or 2, and 1 to 4 "
        "steps, such as Ann:2",
    )
    add_clock(command)
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help=f"continue from the end of a record: {source_help()}",
    )
    add_seats(command)
    add_looks(command)
    add_plain(command)


def add_resume(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the unfinished match, and its players now."""
    command.add_argument("id", metavar="ID", nargs="?", help="which match (default: the latest)")
    command.add_argument("--list", action="store_true", help="list the unfinished matches")
    command.add_argument("--delete", metavar="ID", help="delete a saved match")
    command.add_argument("--yes", action="store_true", help="delete it without asking")
    add_seats(command)
    add_looks(command)
    add_plain(command)


def play(options: Namespace) -> None:
    """Play a new match, or continue one from the end of a record."""
    if not options.plain:
        launch.disable_gc()
    session, notice = begun(options)
    _show(session, options, notice=notice, mention=not options.source)


def at_terminal() -> bool:
    """Whether there is a terminal, so that somebody can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _delete(store: Store, name: str, *, meant: bool) -> None:
    """Delete a match, after a confirmation unless `meant`, keeping a copy of the last deleted."""
    from thud.disk.atomic import write_atomic

    store.existing(name)
    if not meant and not _means(f"Delete {_told(store, name)}? [y/N] "):
        print(f"Kept match {name}.")
        return
    copy = store.matches.with_name("deleted.tgn")
    discarded = store.discard(name)
    try:
        write_atomic(copy, discarded.content)
    except OSError:
        print(f"Deleted match {name}.")
        return
    print(f"Deleted match {name}. A copy stays at {copy} until you delete another match.")


def _told(store: Store, name: str) -> str:
    """Describe a saved match; its id alone if it cannot be read."""
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
    """Continue an unfinished match, or list or delete them."""
    from thud.records.store import Damaged, Store

    store = Store()
    if options.delete:
        _delete(store, options.delete, meant=options.yes or not at_terminal())
        return
    if options.list:
        from thud.cli.tables import print_unfinished

        print_unfinished(store)
        return
    if options.id is None and store.latest() is None:
        raise ValueError("no unfinished match: start one with 'thud play'")
    from thud.net.seat_registry import hosted

    try:
        saved = store.resume(options.id) if options.id else store.resume_latest()
    except Damaged as damaged:
        from thud.records.formats import salvage

        _, fault = salvage(store, damaged.name)
        left = f"match {damaged.name} is damaged: {fault}"
        raise ValueError(f"{left}: go on with 'thud play --from {damaged.name}'") from damaged
    try:
        check_shown(options)
    except ValueError:
        saved.close()
        raise
    match = saved.restored()
    pair = chosen_pair(options, match, saved.record.programs)
    was = hosted(store.matches, saved.id)
    from thud.session.autosave import Autosave
    from thud.session.session import Session

    autosave = Autosave(store, saved)
    if was:
        from thud.engines.spec import with_guests

        session = Session(match, autosave, with_guests(pair, was.players))
        launch.play_hosted(session, was.terms, options)
    else:
        _show(Session(match, autosave, pair), options)


def _show(session: Session, options: Namespace, *, notice: str = "", mention: bool = False) -> None:
    """Play a session on the board or in plain text."""
    if options.plain:
        coached = bool(options.coach)
        launch.play_in_lines(
            session, launch.lines(), coached=coached, notice=notice, mention=mention
        )
    else:
        launch.play_on_board(session, options, notice=notice, mention=mention)


def begun(options: Namespace) -> tuple[Session, str]:
    """Return the session that the options describe, and a notice.

    Raises:
        ValueError: it cannot be played or shown.
    """
    if options.source:
        return _played_on(options)
    variant, position = sources.chosen(options)
    pair = chosen_pair(options)
    names = players.names(pair, options.names or ())
    control = parse_control(options.clock) if options.clock else None
    first, second = sources.starts(options, position, names)
    match = Match(variant, names, first, second, control)
    check_shown(options)
    from thud.records.store import Store
    from thud.session.autosave import Autosave
    from thud.session.session import Session

    return Session(match, Autosave(Store()), pair), ""


def _played_on(options: Namespace) -> tuple[Session, str]:
    record, fault = sources.source(options)
    if options.clock:
        from thud.records.editing import with_other_clock

        record = with_other_clock(record, parse_control(options.clock))
    match = record.match()
    pair = chosen_pair(options, match, record.programs)
    check_shown(options)
    from thud.records.store import Store
    from thud.session.autosave import Autosave
    from thud.session.session import Session

    return Session(match, Autosave(Store(), record=record), pair), fault


def chosen_pair(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Contender, Contender] | None:
    """Return the contenders; None for two people, without loading the engine modules."""
    if not (any(programs) or players.given(options)):
        return None
    return players.chosen(options, match, programs)


def check_shown(options: Namespace) -> None:
    """Check that the match can be shown as the options say."""
    if not options.plain:
        launch.require_terminal(options)
