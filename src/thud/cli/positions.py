"""`thud moves` and `thud perft`."""

from __future__ import annotations

import argparse
from argparse import Namespace
from contextlib import suppress

from thud.ai.core import CoreFailed, Unavailable
from thud.ai.core import perft as compiled_perft
from thud.cli.options import add_position
from thud.cli.sources import chosen
from thud.engines.processors import processors
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variant import perft as in_python
from thud.text import is_number


def add_moves(command: argparse.ArgumentParser) -> None:
    """Add the arguments: a position."""
    add_position(command)


def add_perft(command: argparse.ArgumentParser) -> None:
    """Add the arguments: position and depth."""
    add_position(command)
    command.add_argument("--divide", action="store_true", help="count each first move separately")
    command.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves deep")


def _depth(text: str) -> int:
    if not (is_number(text) and 1 <= int(text) <= 20):
        raise argparse.ArgumentTypeError("a depth is a whole number from 1 to 20")
    return int(text)


def moves(options: Namespace) -> None:
    """Print the legal moves, sorted, one a line."""
    variant, position = chosen(options)
    for text in sorted(move_text(position, move) for move in variant.legal_moves(position)):
        print(text)


def perft(options: Namespace) -> None:
    """Print the number of sequences of legal moves for each depth."""
    variant, position = chosen(options)
    if options.divide:
        counts = {
            move_text(position, move): _count(variant, position.after(move), options.depth - 1)
            for move in variant.legal_moves(position)
        }
        for text in sorted(counts):
            print(text, counts[text])
        print("total", sum(counts.values()))
        return
    for deep in range(1, options.depth + 1):
        print(f"perft {deep} {_count(variant, position, deep)}", flush=True)


def _count(variant: Variant, position: Position, depth: int) -> int:
    """Count compiled if that is possible and worth its start."""
    found = None
    if depth > 1:
        with suppress(Unavailable, CoreFailed):
            found = compiled_perft(variant, position, depth, processors())
    return in_python(variant, position, depth) if found is None else found
