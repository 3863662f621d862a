"""`thud relay`: the far end of an ssh connection."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace


def add_relay(command: ArgumentParser) -> None:
    """Add the argument: the match to connect to."""
    command.description = "Be the far end of 'thud join ssh://'."
    command.add_argument(
        "match", metavar="ID", nargs="?", default="", help="which match, if there are several"
    )
    command.add_argument("--list", action="store_true", help="list the open matches")


def relay(options: Namespace) -> None:
    """Bridge the standard streams to a match open on this machine, or list those."""
    from thud.net.transports import relay as far_end

    if options.list:
        far_end.list_matches()
    else:
        far_end.relay(options.match)
