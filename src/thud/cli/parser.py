"""The table of commands, and a parser that imports only the given command's file."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple, NoReturn

from thud import __version__
from thud.text import capitalised, joined, meant, quoted

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
"""Exit statuses after a wrong command line, and after Ctrl+C."""


_REQUIRED: Final = "the following arguments are required: "
"""Argparse's words for what is missing."""

_EMPTY: Final = re.compile(r"argument (\S+): expected (?:at least )?one argument")
"""Argparse's words for an option without its value."""

_NEEDS: Final = {"--names": "a name, such as --names Ann Bob"}
"""What an option needs, if that is not a value of any kind."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse unknown arguments, which a subcommand by default leaves to the main parser."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            what = "option" if option.startswith("-") else "argument"
            then = meant(option, self._option_string_actions)
            self.error(f"there is no {what} {quoted(option)}{then}")
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse an unknown value in the words of other errors."""
        if action.choices is not None and value not in action.choices:
            known = list(map(str, action.choices))
            then = meant(str(value), known, f"use {joined(known, 'or')}")
            raise argparse.ArgumentError(action, f"there is no {quoted(str(value))}{then}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a text, with the errors of the output that argparse discards."""
        print(message, end="", file=file or sys.stderr)

    def error(self, message: str) -> NoReturn:
        message = message.replace(_REQUIRED, "missing: ")
        if empty := _EMPTY.fullmatch(message):
            message = f"{empty[1]} needs {_NEEDS.get(empty[1], 'a value')}"
        complaint = f"{self.prog}: {message} (try '{self.prog} --help')"
        self.exit(USAGE_ERROR, f"{on_one_line(complaint)}\n")


class _Version(argparse.Action):
    """Prints the versions, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(versions())
        parser.exit()


class _Command(NamedTuple):
    """A command.

    Attributes:
        name: its name; the function `add_NAME`, if any, adds its arguments, and `NAME` runs it.
        module: the module of this package with these functions.
        text: its help; without it the command is not listed.
    """

    name: str
    module: str
    text: str = ""


_COMMANDS: Final = (
    _Command("play", "play", "play a match: two battles, with the sides swapped"),
    _Command("host", "host", "open a match to players elsewhere"),
    _Command("join", "join", "join a remote match"),
    _Command("watch", "join", "watch a remote match"),
    _Command("serve", "serve", "run a club for browsers and ssh"),
    _Command("learn", "learn", "learn the game by playing it"),
    _Command("resume", "resume", "continue an unfinished match"),
    _Command("replay", "replay", "replay a match on the board"),
    _Command("explore", "explore", "see what others played, move by move"),
    _Command("review", "review", "judge the moves of a match, and show what was better"),
    _Command("rules", "rules", "read the rules, with diagrams"),
    _Command("history", "history", "list the finished matches"),
    _Command("export", "export", "write a match in another format, or as a picture"),
    _Command("puzzles", "puzzles", "solve puzzles: find the one much better move"),
    _Command("practise", "practise", "practise your mistakes and missed puzzles"),
    _Command("models", "models", "replay model battles, with comments and questions"),
    _Command("edit", "edit", "set up any position, then play, judge or save it"),
    _Command("show", "show", "print the board of a position"),
    _Command("moves", "positions", "list the legal moves, sorted"),
    _Command("perft", "positions", "count the sequences of legal moves"),
    _Command("doctor", "doctor", "show what the terminal can do, and where files are"),
    _Command("completions", "completions", "print shell completions"),
    _Command("engine", "engine", "run a computer player for another program"),
    _Command("arena", "arena", "play matches between two computer players"),
)

_RELAY: Final = _Command("relay", "relay")
"""The command that a guest's Thud runs over ssh; unlisted, as no person types it."""

_UNLOGGED: Final = frozenset(
    {"history", "export", "show", "moves", "perft", "doctor", "completions", "engine", "arena"}
)
"""The commands without `--log`: they do one thing and end."""


def parser_of(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser; only the command given gets its arguments.

    For None every command gets its arguments, for manual pages and completions.
    """
    parser = _Parser(
        prog="thud",
        description="Thud, the board game of dwarfs and trolls, in your terminal.",
        epilog="'thud' alone opens the front page. 'thud COMMAND --help' explains a command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the versions, and exit")
    _add_log(parser, default=None)
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    first, every = given[0] if given else "", (*_COMMANDS, _RELAY)
    for name, module, text in [each for each in every if each.name == first] or every:
        listed: dict[str, Any] = {}
        if text:
            listed = {"help": text, "description": f"{capitalised(text)}."}
        command = commands.add_parser(name, **listed)
        command.set_defaults(run=(module, name))
        if given is not None and name not in given:
            continue
        if add := getattr(import_module(f"thud.cli.{module}"), f"add_{name}", None):
            add(command)
            if text and name not in _UNLOGGED:
                # Suppressed, as a subcommand's default would override `thud --log FILE COMMAND`.
                _add_log(command, default=argparse.SUPPRESS)
    if first and not (first.startswith("-") or first in commands.choices):
        then = meant(first, [each.name for each in _COMMANDS])
        parser.error(f"there is no command {quoted(first)}{then}")
    return parser


def _add_log(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    parser.add_argument(
        "--log",
        metavar="FILE",
        default=default,
        help="append a log to FILE, for bug reports; it has no secrets",
    )


def on_one_line(text: str) -> str:
    """Return a text with non-printable characters escaped, such as in quoted input."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def versions() -> str:
    """Return one line with the versions of Thud, Python and Textual."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    try:
        textual = version("textual")
    except PackageNotFoundError:
        textual = "missing"
    python = platform.python_version()
    return f"thud {__version__} (Python {python}, Textual {textual})"
