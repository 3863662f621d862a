"""The commands.  Textual and Rich are loaded only by the commands that draw."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from thud import __version__
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variant import Variant, perft
from thud.rules.variants import VARIANTS

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
_DEEPEST: Final = 20


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line long."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message} (try '{self.prog} --help')\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status.

    The status is 0, or 2 for bad arguments or bad text with one line on standard error.
    """
    parser = _build_parser()
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 0
    try:
        options.run(options)
        sys.stdout.flush()
    except ValueError as error:
        print(f"thud {options.command}: {error}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:
        # The reader has had enough, as in `thud moves | head`: spare Python's complaint at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _build_parser() -> _Parser:
    parser = _Parser(
        prog="thud",
        description="Thud, the board game of dwarfs and trolls, for the terminal.",
        epilog="'thud play' starts a match for two people at this terminal. "
        "'thud COMMAND --help' tells more about a command.",
    )
    parser.add_argument("--version", action="version", version=f"thud {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, run, text in (
        ("play", _play, "play a match: two battles, sides exchanged for the second"),
        ("show", _show, "print the board of a position"),
        ("moves", _moves, "list the legal moves of a position, sorted, one a line"),
        ("perft", _perft, "count the sequences of legal moves, one line for each depth"),
    ):
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.set_defaults(run=run)
        _add_position_arguments(command)
        if name == "play":
            _add_play_arguments(command)
        if name == "perft":
            _add_perft_arguments(command)
    return parser


def _add_position_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--variant",
        choices=VARIANTS,
        default="classic",
        help="the game: " + ", ".join(f"{name} ({v.title})" for name, v in VARIANTS.items()),
    )
    command.add_argument(
        "--position",
        metavar="TEXT",
        help="a position text to begin from, in place of the variant's start",
    )


def _add_play_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--names",
        nargs=2,
        metavar=("FIRST", "SECOND"),
        default=DEFAULT_PLAYERS,
        help="the players; the first commands the dwarfs in the first battle",
    )


def _add_perft_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--divide", action="store_true", help="count below each first move")
    command.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves deep, from 1")


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _DEEPEST):
        raise argparse.ArgumentTypeError(f"a depth is a whole number from 1 to {_DEEPEST}")
    return int(text)


def _chosen(options: argparse.Namespace) -> tuple[Variant, Position]:
    variant = VARIANTS[options.variant]
    if options.position is None:
        return variant, variant.start
    return variant, variant.position(options.position)


def _play(options: argparse.Namespace) -> None:
    variant, position = _chosen(options)
    match = Match(variant, tuple(options.names), position)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ValueError("a match is played in a terminal, and this is none")
    from thud.tui.app import ThudApp

    ThudApp(match).run()


def _show(options: argparse.Namespace) -> None:
    from thud.diagram import print_position

    print_position(*_chosen(options))


def _moves(options: argparse.Namespace) -> None:
    variant, position = _chosen(options)
    for text in sorted(move_text(position, move) for move in variant.legal_moves(position)):
        print(text)


def _perft(options: argparse.Namespace) -> None:
    variant, position = _chosen(options)
    if options.divide:
        _print_divided(variant, position, options.depth)
        return
    for depth in range(1, options.depth + 1):
        print(f"perft {depth} {perft(variant, position, depth)}", flush=True)


def _print_divided(variant: Variant, position: Position, depth: int) -> None:
    counts = {
        move_text(position, move): perft(variant, position.after(move), depth - 1)
        for move in variant.legal_moves(position)
    }
    for text in sorted(counts):
        print(text, counts[text])
    print("total", sum(counts.values()))
