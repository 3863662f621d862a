"""`thud resume`: continue or list unfinished matches."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import ID_HELP, add_plain, add_seats
from thud.records.store import Store


def add_resume(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the unfinished match, and its players now."""
    command.add_argument(
        "id", metavar="ID", nargs="?", help=f"which match: {ID_HELP} (default: last)"
    )
    command.add_argument("--list", action="store_true", help="list the unfinished matches")
    add_seats(command)
    add_plain(command)


def resume(options: Namespace) -> None:
    """Continue an unfinished match, or list them."""
    store = Store()
    if options.list:
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
