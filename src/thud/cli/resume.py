"""`thud resume`: continue, list or delete unfinished matches."""

from __future__ import annotations

import argparse
from argparse import Namespace
from contextlib import suppress

from thud.cli.options import add_looks, add_plain, add_seats
from thud.disk.atomic import write_atomic
from thud.records.store import CannotResume, Store
from thud.terminal.streams import at_terminal


def add_resume(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the unfinished match, and its players now."""
    command.add_argument("id", metavar="ID", nargs="?", help="which match (default: the latest)")
    command.add_argument("--list", action="store_true", help="list the unfinished matches")
    command.add_argument("--delete", metavar="ID", help="delete a saved match")
    command.add_argument("--yes", action="store_true", help="delete it without asking")
    add_seats(command)
    add_looks(command)
    add_plain(command)


def resume(options: Namespace) -> None:
    """Continue an unfinished match, or list or delete them."""
    store = Store()
    if options.delete:
        _delete(store, options.delete, meant=options.yes)
    elif options.list:
        from thud.cli.tables import print_unfinished

        print_unfinished(store)
    else:
        from thud.cli.match import resumed, show

        session, terms = resumed(store, options)
        if terms:
            from thud.cli.remote import play_hosted

            play_hosted(session, terms, options)
        else:
            show(session, options)


def _delete(store: Store, name: str, *, meant: bool) -> None:
    """Delete a match, after a confirmation unless `meant`, keeping a copy of the last deleted."""
    store.existing(name)
    if not meant:
        if not at_terminal():
            raise ValueError(f"without a terminal you cannot be asked: add --yes to delete {name}")
        told = name
        with suppress(CannotResume):
            record = store.load(name)
            told = f"{name}, {record.variant.title}, {' against '.join(record.players)}"
        try:
            answer = input(f"Delete {told}? [y/N] ")
        except EOFError:
            print()
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
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
