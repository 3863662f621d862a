"""`thud join` and `thud watch`: play or watch a remote match."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_looks, add_place_of_host, add_plain


def add_join(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match and the name of the player."""
    add_place_of_host(command)
    add_looks(command)
    add_plain(command)


def add_watch(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match and the name of the spectator."""
    add_join(command)


def join(options: Namespace) -> None:
    """Join a remote match as a player."""
    from thud.cli.remote import join_match

    join_match(options, "seat")


def watch(options: Namespace) -> None:
    """Join a remote match as a spectator."""
    from thud.cli.remote import join_match

    join_match(options, "watch")
