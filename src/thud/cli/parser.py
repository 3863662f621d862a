"""The table of commands, and a parser that imports only the given command's file."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from os.path import expanduser
from typing import Any, Final, NamedTuple, NoReturn

from thud import __version__
from thud.terminal.streams import report
from thud.text import capitalised, joined, meant, quoted

USAGE_ERROR: Final = 2
INTERRUPTED: Final = 130
"""Exit statuses after a wrong command line, and after Ctrl+C."""


_DESCRIPTION: Final = """\
Thud, the board game of dwarfs and trolls, in your terminal.
Thirty-two against eight, and then you swap sides."""

_REQUIRED: Final = "the following arguments are required: "
"""Argparse's words for what is missing."""

_EMPTY: Final = r"argument (\S+): expected (?:at least )?one argument"
"""Argparse's words for an option without its value."""

_EXCLUDED: Final = r"argument (\S+): not allowed with argument (\S+)"
"""Argparse's words for two options of which only one can be given."""

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

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse empty values, such as that of an unset variable of a shell."""
        if "" in arg_strings and action.nargs != argparse.PARSER:
            raise argparse.ArgumentError(action, "the value is empty")
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse an unknown value in the words of other errors."""
        if action.choices is None or value in action.choices:
            return
        if action.nargs == argparse.PARSER:
            then = meant(value, [each.name for each in _COMMANDS])
            self.error(f"there is no command {quoted(value)}{then}")
        known = list(map(str, action.choices))
        then = meant(str(value), known, f"use {joined(known, 'or')}")
        raise argparse.ArgumentError(action, f"there is no {quoted(str(value))}{then}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a text, with the errors of the output that argparse discards."""
        print(message, end="", file=file or sys.stderr)

    def error(self, message: str) -> NoReturn:
        message = message.replace(_REQUIRED, "missing: ")
        if empty := re.fullmatch(_EMPTY, message):
            message = f"{empty[1]} needs {_NEEDS.get(empty[1], 'a value')}"
        message = re.sub(_EXCLUDED, r"use \2 or \1, not both", message)
        complaint = f"{self.prog}: {message} (try '{self.prog} --help')"
        report(on_one_line(complaint), sys.stderr)
        self.exit(USAGE_ERROR)


class _Version(argparse.Action):
    """Prints the versions, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(versions())
        parser.exit()


class _Command(NamedTuple):
    """A command.

    Attributes:
        name: its name; the function `add_NAME`, if any, adds its arguments, and `NAME` runs it.
        text: its help; without it the command is not listed.
        examples: command lines below its help, one a line.
        module: the module of this package with these functions; empty if it has the same name.
        looks: whether it shows a board, whose looks can be chosen.
    """

    name: str
    text: str = ""
    examples: str = ""
    module: str = ""
    looks: bool = True


_GROUPS: Final = {
    "play": (
        _Command(
            "play",
            "play a match: two battles, with the sides swapped",
            "thud play --names Ann Bob\nthud play --variant koom --opponent 2 --coach",
        ),
        _Command("resume", "continue an unfinished match", "thud resume\nthud resume --list"),
        _Command(
            "edit", "set up any position, then play, judge or save it", "thud edit --variant koom"
        ),
    ),
    "learn": (
        _Command("learn", "learn the game by playing it", "thud learn\nthud learn --list"),
        _Command("rules", "read the rules, with diagrams", "thud rules koom"),
        _Command(
            "puzzles",
            "solve puzzles: find the one much better move",
            "thud puzzles --today\nthud puzzles --variant single --difficulty easy",
        ),
        _Command("practise", "go over your mistakes and missed puzzles", "thud practise"),
        _Command(
            "models",
            "replay model battles, with comments and questions",
            "thud models --list\nthud models classic-2",
        ),
    ),
    "matches": (
        _Command("history", "list the finished matches", "thud history --name Ann", looks=False),
        _Command(
            "replay", "replay a match on the board", "thud replay last\nthud replay match.tgn"
        ),
        _Command(
            "review",
            "judge the moves of a match, and show what was better",
            "thud review last\nthud review match.tgn -o review.html",
        ),
        _Command(
            "explore",
            "see what others played, move by move",
            "thud explore\nthud explore --variant koom --corpus --plain",
        ),
        _Command(
            "export",
            "write a match in another format, or as a picture",
            "thud export last -o match.tgn\nthud export match.tgn --svg position.svg",
            looks=False,
        ),
        _Command(
            "delete",
            "delete a saved match",
            "thud delete last\nthud delete 20261129-2015 --yes",
            looks=False,
        ),
        _Command(
            "reset",
            "start over with lessons, puzzles or ratings",
            "thud reset puzzles\nthud reset ratings --name Ann",
            looks=False,
        ),
    ),
    "with others": (
        _Command("host", "open a match to players elsewhere", "thud host\nthud host --listen"),
        _Command("join", "join a remote match", "thud join ssh://ann@example.org"),
        _Command(
            "watch", "watch a remote match", "thud watch ssh://ann@example.org", module="join"
        ),
        _Command(
            "serve",
            "run a club for browsers and ssh",
            "thud serve --web\nthud serve --web --ssh --host 0.0.0.0 --allow-remote",
            looks=False,
        ),
        _Command(
            "club",
            "look after a club that runs",
            "thud club who\nthud club ban 9c41\nthud club close 4f1d20ab\nthud club tables --json",
            module="owner",
            looks=False,
        ),
    ),
    "for programs": (
        _Command("show", "print the board of a position", "thud show last --ply 12", looks=False),
        _Command(
            "moves",
            "list the legal moves, sorted",
            "thud moves --variant koom",
            module="positions",
            looks=False,
        ),
        _Command(
            "perft",
            "count the sequences of legal moves",
            "thud perft 2",
            module="positions",
            looks=False,
        ),
        _Command(
            "engine",
            "run a computer player for another program",
            "thud engine --level 4",
            looks=False,
        ),
        _Command(
            "arena",
            "play matches between two computer players",
            "thud arena cpu:3 cpu:4 --matches 20",
            looks=False,
        ),
        _Command("completions", "print shell completions", "thud completions bash", looks=False),
        _Command(
            "doctor",
            "show what the terminal can do, and where files are",
            "thud doctor",
            looks=False,
        ),
    ),
}
_COMMANDS: Final = tuple(chain.from_iterable(_GROUPS.values()))

_RELAY: Final = _Command("relay", looks=False)
"""The command that a guest's Thud runs over ssh; unlisted, as no person types it."""

_UNLOGGED: Final = frozenset(
    {
        *("history", "export", "delete", "reset", "club"),
        *("show", "moves", "perft", "engine", "arena", "completions", "doctor"),
    }
)
"""The commands without `--log`: they do one thing and end."""


def parser_of(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser; only the command given gets its arguments.

    For None every command gets its arguments, for manual pages and completions.
    """
    first, every = given[0] if given else "", (*_COMMANDS, _RELAY)
    named = [each for each in every if each.name == first]
    overview = ""
    if given is not None and not named:
        for title, group in _GROUPS.items():
            rows = (f"\n  {each.name:<13}{each.text}" for each in group)
            overview += f"\n\n{title}:{''.join(rows)}"
    parser = _Parser(
        prog="thud",
        usage="thud [-h] [--version] [--log FILE] [COMMAND ...]",
        description=_DESCRIPTION + overview,
        epilog="'thud' alone opens the front page. 'thud COMMAND --help' explains a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the versions, and exit")
    _add_log(parser, default=None)
    if not named:
        _add_looks(parser)
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(
        title="commands",
        prog="thud",
        metavar="COMMAND",
        dest="command",
        help=None if given is None else argparse.SUPPRESS,
    )
    for name, text, examples, module, looks in named or every:
        listed: dict[str, Any] = {}
        if text:
            listed = {"help": text, "description": f"{capitalised(text)}."}
        if examples and given is not None:
            shown = examples.replace("\n", "\n  ")
            listed["epilog"] = f"examples:\n  {shown}"
        command = commands.add_parser(
            name, formatter_class=argparse.RawDescriptionHelpFormatter, **listed
        )
        command.set_defaults(run=(module or name, name))
        if given is not None and name not in given:
            continue
        if add := getattr(import_module(f"thud.cli.{module or name}"), f"add_{name}", None):
            add(command)
            if looks:
                default = None if named else argparse.SUPPRESS
                _add_looks(command, explained=given is None, default=default)
            if text and name not in _UNLOGGED:
                # Suppressed, as a subcommand's default would override `thud --log FILE COMMAND`.
                _add_log(command, default=argparse.SUPPRESS)
    return parser


def _add_log(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    parser.add_argument(
        "--log",
        type=expanduser,
        metavar="FILE",
        default=default,
        help="append a log to FILE, for bug reports; it has no secrets",
    )


def _add_looks(
    parser: argparse.ArgumentParser, *, explained: bool = True, default: str | None = None
) -> None:
    """Add the options of the board's look, which are not saved."""

    def said(text: str) -> str:
        return text if explained else argparse.SUPPRESS

    options = "--theme NAME, --pieces KIND, --ascii, --no-animation, --sound"
    looks = parser.add_argument_group(
        "looks, just this once",
        None if explained else f"{options}:\n'thud --help' explains them",
    )
    looks.add_argument(
        "--theme", metavar="NAME", default=default, help=said("the colours, such as nord")
    )
    looks.add_argument(
        "--pieces",
        choices=("sprites", "unicode", "letters", "blocks"),
        default=default,
        help=said("the pieces"),
    )
    looks.add_argument(
        "--ascii", action="store_true", default=default, help=said("use plain ASCII only")
    )
    looks.add_argument(
        "--no-animation",
        dest="animation",
        action="store_false",
        default=default,
        help=said("show moves at once, without steps"),
    )
    looks.add_argument(
        "--sound", action="store_true", default=default, help=said("play a thud for captures")
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
