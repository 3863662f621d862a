"""Numbers as they are written on a command line."""

from __future__ import annotations

import argparse
from typing import Final

from thud.wording.text import quoted

LONGEST_OPENING: Final = 40
_HIGHEST_LEVEL: Final = 7
_DEEPEST: Final = 20


def amount(text: str) -> int:
    """Read a whole number from 1."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from 1")
    return int(text)


def number(text: str) -> int:
    """Read a whole number."""
    if not is_number(text):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number")
    return int(text)


def is_number(text: str) -> bool:
    """Say whether a text is a whole number that is not too long."""
    return text.isascii() and text.isdigit() and len(text) < 7


def opening(text: str) -> int:
    """Read how many moves a battle begins with at random."""
    if not (is_number(text) and int(text) <= LONGEST_OPENING):
        moves = f"0 to {LONGEST_OPENING} moves at random"
        raise argparse.ArgumentTypeError(f"a battle begins with {moves}")
    return int(text)


def level(text: str) -> int:
    """Read a level, 0 for none."""
    if not (is_number(text) and int(text) <= _HIGHEST_LEVEL):
        raise argparse.ArgumentTypeError(f"a level is a whole number from 0 to {_HIGHEST_LEVEL}")
    return int(text)


def depth(text: str) -> int:
    """Read a depth of counting."""
    if not (is_number(text) and 1 <= int(text) <= _DEEPEST):
        raise argparse.ArgumentTypeError(f"a depth is a whole number from 1 to {_DEEPEST}")
    return int(text)


def port(text: str) -> int:
    """Read the number of a port, or 0 for any that is free."""
    if not (is_number(text) and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a port: they go from 1 to 65535")
    return int(text)
