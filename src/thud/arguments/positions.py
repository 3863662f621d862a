"""Arguments of the commands that are about a position."""

from __future__ import annotations

import argparse

from thud.arguments.numbers import depth
from thud.arguments.options import add_file, add_looks, add_place, add_plain, add_position


def add_edit(command: argparse.ArgumentParser) -> None:
    """Add where to begin."""
    add_position(command)
    add_looks(command)
    add_plain(command)


def add_moves(command: argparse.ArgumentParser) -> None:
    """Add of which position."""
    add_position(command)


def add_perft(command: argparse.ArgumentParser) -> None:
    """Add from where and how deep to count."""
    add_position(command)
    command.add_argument("--divide", action="store_true", help="count below each first move")
    command.add_argument("depth", metavar="DEPTH", type=depth, help="how many moves deep, from 1")


def add_show(command: argparse.ArgumentParser) -> None:
    """Add a position, or a place in a record."""
    add_file(command, optional=True)
    add_position(command)
    add_place(command)
