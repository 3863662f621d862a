"""`thud relay`: the far end of an ssh connection."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from thud.cli.options import add_open_match


def add_relay(command: ArgumentParser) -> None:
    """Add the argument: the match to connect to."""
    command.description = "Be the far end of 'thud join ssh://'."
    add_open_match(command)


def relay(options: Namespace) -> None:
    """Bridge the standard streams to a match open on this machine, or list those."""
    from thud.net.transports import relay as far_end

    if options.list:
        far_end.list_matches()
    else:
        far_end.relay(options.match)
