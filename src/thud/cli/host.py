"""`thud host`: open a match to others and play it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from thud.cli.options import add_doors
from thud.cli.play import add_play


def add_host(command: ArgumentParser) -> None:
    """Add the arguments: the match, and who can join it."""
    add_play(command)
    add_doors(command)


def host(options: Namespace) -> None:
    """Open a match to others, and play it."""
    from thud.cli.remote import host_match

    host_match(options)
