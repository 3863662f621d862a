"""What can be said on the command line: each command and its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from thud.arguments.club import add_serve
from thud.arguments.computers import add_arena, add_engine
from thud.arguments.matches import add_host, add_join, add_play, add_resume
from thud.arguments.options import add_open_match, add_position
from thud.arguments.positions import add_edit, add_perft, add_show
from thud.arguments.practice import add_learn, add_puzzles, add_rules
from thud.arguments.records import add_explore, add_export, add_history, add_replay, add_review
from thud.rules.geometry import shown

USAGE_ERROR: Final = 2


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line long, and its own to make."""

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
    """Prints what runs here; nothing is looked up for it before somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from thud.commands.versions import versions

        print(versions())
        parser.exit()


def parser_of(given: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser of what is given: only a command that is named gets its arguments.

    If nothing is said of what is given, every command has them: the whole parser, which manual
    pages and completions are made of.
    """
    parser = _Parser(
        prog="thud",
        description="Thud, the board game of dwarfs and trolls, for the terminal.",
        epilog="'thud' alone opens the front page, 'thud play' a match for two people at this "
        "terminal. "
        "'thud COMMAND --help' tells more about a command.",
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show the versions of what runs here, and exit"
    )
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, run, text, add_arguments in (
        ("play", "play:play", "play a match: two battles, sides exchanged", add_play),
        ("host", "net:host", "open a match to somebody at another place", add_host),
        ("join", "net:join", "play in a match at another place", add_join),
        ("watch", "net:watch", "look on at a match at another place", add_join),
        ("serve", "serve:serve", "open a club here, for browsers and for ssh", add_serve),
        ("learn", "learn:learn", "learn the game by playing it, a task at a time", add_learn),
        ("resume", "play:resume", "go on with an unfinished match", add_resume),
        ("replay", "records:replay", "replay a match on the board", add_replay),
        ("explore", "explore:explore", "see what others played, move by move", add_explore),
        ("review", "review:review", "judge the moves of a match: what was better", add_review),
        ("rules", "rules:rules", "read the rules, with diagrams", add_rules),
        ("history", "records:history", "list the finished matches", add_history),
        ("export", "records:export", "write a match in another format, or pictures", add_export),
        ("puzzles", "puzzles:puzzles", "find the one move that is much better", add_puzzles),
        ("edit", "edit:edit", "set up any position, and play, judge or keep it", add_edit),
        ("show", "positions:show", "print the board of a position", add_show),
        ("moves", "positions:moves", "list the legal moves, sorted, one a line", add_position),
        ("perft", "positions:count", "count the sequences of legal moves", add_perft),
        ("doctor", "doctor:doctor", "tell what the terminal can do, and where files are", _none),
        ("completions", "completions:completions", "print what a shell completes", _add_shell),
        ("engine", "engines:engine", "be a computer player for another program", add_engine),
        ("arena", "arena:arena", "play matches between two computer players", add_arena),
    ):
        named = given is None or name in given
        _add_command(commands, name, run, text, add_arguments if named else _none)
    listed = [*commands.choices]
    _add_relay(commands)
    if given and not (given[0].startswith("-") or given[0] in commands.choices):
        parser.error(_unknown(given[0], listed))
    return parser


def _unknown(word: str, listed: list[str]) -> str:
    """Say that a word is no command, and which one it is like."""
    from difflib import get_close_matches

    alike = get_close_matches(word, listed)
    return f"there is no command {shown(word)}" + (f": perhaps {alike[0]!r}" if alike else "")


def _add_command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    run: str,
    text: str,
    add_arguments: Callable[[argparse.ArgumentParser], None],
) -> None:
    command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    command.set_defaults(run=run)
    add_arguments(command)


def _add_relay(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add what a guest over ssh has run here; it is no command for people, and not listed."""
    command = commands.add_parser("relay", description="Be the far end of 'thud join ssh://'.")
    command.set_defaults(run="net:relay")
    add_open_match(command)


def _none(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def _add_shell(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="which")


def on_one_line(text: str) -> str:
    """Return a text with whatever does not print escaped: it may quote what was typed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
