"""The table of commands, and a parser that imports only the given command's file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from thud.namedtuple import NamedTuple
from thud.wording.text import capitalised, quoted

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
"""The exit statuses after a wrong command line, and after Ctrl+C."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse what is unknown here: by itself a command would leave it to all of `thud`."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown

    def error(self, message: str) -> NoReturn:
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
        name: what is typed; `add_NAME` adds its arguments, if it takes any, and `NAME` runs it.
        module: the one of this package where they are.
        text: what it is for; without it the command is not listed.
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
    _Command("resume", "play", "continue an unfinished match"),
    _Command("replay", "replay", "replay a match on the board"),
    _Command("explore", "explore", "see what others played, move by move"),
    _Command("review", "review", "judge the moves of a match, and show what was better"),
    _Command("rules", "rules", "read the rules, with diagrams"),
    _Command("history", "history", "list the finished matches"),
    _Command("export", "export", "write a match in another format, or as a picture"),
    _Command("puzzles", "puzzles", "solve puzzles: find the one much better move"),
    _Command("edit", "edit", "set up any position, then play, judge or save it"),
    _Command("show", "positions", "print the board of a position"),
    _Command("moves", "positions", "list the legal moves, sorted"),
    _Command("perft", "positions", "count the sequences of legal moves"),
    _Command("doctor", "doctor", "show what the terminal can do, and where files are"),
    _Command("completions", "completions", "print shell completions"),
    _Command("engine", "engine", "run a computer player for another program"),
    _Command("arena", "arena", "play matches between two computer players"),
)

_RELAY: Final = _Command("relay", "join")
"""The command that a guest runs over ssh; unlisted, as no person types it."""

_UNLOGGED: Final = frozenset(
    {"history", "export", "show", "moves", "perft", "doctor", "completions", "engine", "arena"}
)
"""The commands that do one thing and end; what happens in all others can be logged."""


def parser_of(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of what is given: only a command that is named gets its arguments.

    If nothing is said of what is given, every command has them: the whole parser, which manual
    pages and completions are made of.
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
    for each in _needed(given):
        _add_command(commands, each, whole=given is None or each.name in given)
    if given and not (given[0].startswith("-") or given[0] in commands.choices):
        parser.error(_unknown(given[0]))
    return parser


def _needed(given: Sequence[str] | None) -> Sequence[_Command]:
    """Return the command that is given at once, or else all of them."""
    every = (*_COMMANDS, _RELAY)
    return [each for each in every if given and each.name == given[0]] or every


def _unknown(word: str) -> str:
    """Say that a word is no command, and which one it is like."""
    from difflib import get_close_matches

    alike = get_close_matches(word, [each.name for each in _COMMANDS])
    return f"there is no command {quoted(word)}" + (
        f": did you mean {alike[0]!r}?" if alike else ""
    )


def _add_command(
    commands: argparse._SubParsersAction[_Parser], command: _Command, *, whole: bool
) -> None:
    """Add a command, and, if it is wanted as a whole, its arguments."""
    name, module, text = command
    listed: dict[str, Any] = {"help": text, "description": f"{capitalised(text)}."} if text else {}
    parser = commands.add_parser(name, **listed)
    parser.set_defaults(run=(module, name))
    if whole and (add := getattr(import_module(f"thud.cli.{module}"), f"add_{name}", None)):
        add(parser)
        if text and name not in _UNLOGGED:
            # By itself the default of a command overrules `thud --log FILE COMMAND`.
            _add_log(parser, default=argparse.SUPPRESS)


def _add_log(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    parser.add_argument(
        "--log",
        metavar="FILE",
        default=default,
        help="append a log to FILE, for bug reports; it has no secrets",
    )


def on_one_line(text: str) -> str:
    """Return a text with whatever does not print escaped: it may quote what was typed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def versions() -> str:
    """Return the versions of the program and of what it runs on, and what searches, in one line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from thud import __version__
    from thud.ai.core import told

    try:
        textual = version("textual")
    except PackageNotFoundError:
        textual = "missing"
    python = platform.python_version()
    return f"thud {__version__} (Python {python}, Textual {textual}, {told()})"
