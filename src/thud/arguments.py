"""What can be said on the command line: each command and its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from thud.options import (
    add_doors,
    add_file,
    add_limits,
    add_looks,
    add_open_match,
    add_place,
    add_place_of_host,
    add_plain,
    add_position,
    add_seats,
    add_variant,
    amount,
    is_number,
    number,
    sources,
)
from thud.rules.geometry import shown
from thud.rules.variants import VARIANTS

USAGE_ERROR: Final = 2
_DEEPEST: Final = 20
_HIGHEST_LEVEL: Final = 7
_LONGEST_OPENING: Final = 40


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line long."""

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
        ("play", "play:play", "play a match: two battles, sides exchanged", _add_play),
        ("host", "net:host", "open a match to somebody at another place", _add_host),
        ("join", "net:join", "play in a match at another place", _add_join),
        ("watch", "net:watch", "look on at a match at another place", _add_join),
        ("learn", "learn:learn", "learn the game by playing it, a task at a time", _add_learn),
        ("resume", "play:resume", "go on with an unfinished match", _add_resume),
        ("replay", "records:replay", "replay a match on the board", _add_replay),
        ("explore", "explore:explore", "see what others played, move by move", _add_explore),
        ("review", "review:review", "judge the moves of a match: what was better", _add_review),
        ("rules", "rules:rules", "read the rules, with diagrams", _add_rules),
        ("history", "records:history", "list the finished matches", _add_history),
        ("export", "records:export", "write a match in another format, or pictures", _add_export),
        ("puzzles", "puzzles:puzzles", "find the one move that is much better", _add_puzzles),
        ("edit", "edit:edit", "set up any position, and play, judge or keep it", _add_edit),
        ("show", "positions:show", "print the board of a position", _add_show),
        ("moves", "positions:moves", "list the legal moves, sorted, one a line", add_position),
        ("perft", "positions:count", "count the sequences of legal moves", _add_perft),
        ("doctor", "doctor:doctor", "tell what the terminal can do, and where files are", _none),
        ("completions", "completions:completions", "print what a shell completes", _add_shell),
        ("engine", "engines:engine", "be a computer player for another program", _add_engine),
        ("arena", "arena:arena", "play matches between two computer players", _add_arena),
    ):
        named = given is None or name in given
        _add_command(commands, name, run, text, add_arguments if named else _none)
    _add_relay(commands)
    return parser


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


def _add_play(command: argparse.ArgumentParser) -> None:
    add_position(command)
    command.add_argument(
        "--names",
        nargs="+",
        metavar=("NAME", "NAME"),
        help="the players; the first commands the dwarfs in the first battle. Against a computer "
        "the person's name is enough",
    )
    command.add_argument(
        "--handicap",
        metavar="WHO:STEPS",
        help="who begins both battles with fewer pieces, by a name, or 1 or 2 for the first or the "
        "second player; 1 to 4 steps, such as Ann:2",
    )
    command.add_argument(
        "--clock",
        metavar="TIME",
        help="the time of each player for a battle: 20 (minutes), 20+10 (and 10 seconds more after "
        "each move) or 15/3x30 (then three periods of 30 seconds)",
    )
    command.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help=f"go on from where a record ends: {sources()}",
    )
    add_seats(command)
    add_looks(command)
    add_plain(command)


def _add_host(command: argparse.ArgumentParser) -> None:
    _add_play(command)
    add_doors(command)


def _add_join(command: argparse.ArgumentParser) -> None:
    add_place_of_host(command)
    add_looks(command)
    add_plain(command)


def _add_learn(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", nargs="?", help="the lesson to begin at")
    command.add_argument("--list", action="store_true", help="list the lessons, and which are done")
    command.add_argument("--reset", action="store_true", help="count no lesson as done any more")
    add_looks(command)
    add_plain(command)


def _add_resume(command: argparse.ArgumentParser) -> None:
    command.add_argument("id", metavar="ID", nargs="?", help="which match; the latest if not given")
    command.add_argument("--list", action="store_true", help="list the unfinished matches")
    command.add_argument("--delete", metavar="ID", help="delete a match that is kept")
    command.add_argument("--yes", action="store_true", help="delete it without a question")
    add_seats(command)
    add_looks(command)
    add_plain(command)


def _add_replay(command: argparse.ArgumentParser) -> None:
    add_file(command)
    add_looks(command)
    add_variant(command, "the game of a .thud file, which does not name it")


def _add_explore(command: argparse.ArgumentParser) -> None:
    from thud.records.formats import READABLE, spoken

    command.add_argument(
        "files",
        metavar="FILE|DIR",
        nargs="*",
        help=f"{spoken(READABLE, 'or')} files, and folders of them, to look into besides the "
        "matches that are kept here",
    )
    add_position(command)
    command.add_argument(
        "--corpus",
        action="store_true",
        help="look into the battles between computers, too, that come with the program",
    )
    command.add_argument(
        "--json", action="store_true", help="print the moves that were made in the position"
    )
    add_looks(command)
    add_plain(command, "walk")


def _add_review(command: argparse.ArgumentParser) -> None:
    add_file(command)
    add_variant(command, "the game of a .thud file, which does not name it")
    command.add_argument("--battle", type=number, metavar="N", help="only one battle, 1 or 2")
    add_limits(command, "look at a move; 16000 positions if neither is given")
    command.add_argument("--jobs", type=amount, metavar="J", help="processes; else one a core")
    command.add_argument("--anew", action="store_true", help="judge again what was judged before")
    command.add_argument("--output", "-o", metavar="OUT", help="write a record with the judgement")
    command.add_argument("--force", action="store_true", help="replace a file that is there")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--all", action="store_true", help="print every move, not the marked ones")
    instead.add_argument("--json", action="store_true", help="print the review as JSON")
    instead.add_argument(
        "--learn",
        choices=("dwarfs", "trolls"),
        help="go over the mistakes of a side, as questions, in the first battle or --battle",
    )
    add_plain(command)


def _add_rules(command: argparse.ArgumentParser) -> None:
    gists = "; ".join(f"{name}: {variant.gist}" for name, variant in VARIANTS.items())
    command.add_argument(
        "variant",
        metavar="VARIANT",
        nargs="?",
        type=_variant,
        help=f"begin with the rules of one game. {gists}",
    )
    add_looks(command)
    command.add_argument("--plain", action="store_true", help="print them as text")


def _variant(text: str) -> str:
    if text not in VARIANTS:
        known = f"{', '.join([*VARIANTS][:-1])} and {[*VARIANTS][-1]}"
        raise argparse.ArgumentTypeError(f"there is no game {shown(text)}: there are {known}")
    return text


def _add_history(command: argparse.ArgumentParser) -> None:
    command.add_argument("--name", metavar="PLAYER", help="only the matches of a player")
    add_variant(command, "only the matches of a game")
    command.add_argument(
        "--reset-rating",
        action="store_true",
        help="let the rating begin anew, that of --name or all; the matches stay",
    )


def _add_export(command: argparse.ArgumentParser) -> None:
    add_file(command)
    add_variant(command, "the game of a .thud file, which does not name it")
    add_place(command)
    from thud.records.formats import FORMATS

    kinds = ", ".join(f"{kind.name} ({kind.purpose})" for kind in FORMATS.values())
    command.add_argument(
        "--format",
        choices=[kind.name for kind in FORMATS.values()],
        help=f"the format to write, if it is not to be that of OUT: {kinds}",
    )
    command.add_argument("--output", "-o", metavar="OUT", help="the file to write, not the screen")
    command.add_argument("--svg", metavar="OUT", help="write a picture of the position")
    command.add_argument("--png", metavar="OUT", help="write a picture of it in pixels")
    command.add_argument("--gif", metavar="OUT", help="write a moving picture of the battle")
    command.add_argument("--force", action="store_true", help="replace files that are there")
    command.add_argument(
        "--no-judgements", action="store_true", help="leave out what a review has judged"
    )
    command.add_argument("--flip", action="store_true", help="turn the picture's board round")
    _add_look(command)


def _add_look(command: argparse.ArgumentParser) -> None:
    """Add how a picture looks."""
    from thud.settings.values import PICTURED

    command.add_argument("--theme", metavar="NAME", help="draw pictures in the colours of a theme")
    command.add_argument(
        "--pieces", choices=PICTURED, help="draw the pieces of the terminal, not those carved"
    )
    command.add_argument(
        "--arrows",
        choices=("last", "hint", "both"),
        help="draw an arrow for the last move, for what the best computer would do, or for both",
    )


def _add_show(command: argparse.ArgumentParser) -> None:
    add_file(command, optional=True)
    add_position(command)
    add_place(command)


def _add_puzzles(command: argparse.ArgumentParser) -> None:
    command.add_argument("id", metavar="ID", nargs="?", help="one puzzle, such as classic-1")
    add_variant(command, "only the puzzles of a game")
    command.add_argument(
        "--band", choices=("easy", "middling", "hard"), help="only those that are so hard"
    )
    command.add_argument(
        "--file", metavar="FILE", help="those of a file, as 'thud edit' writes it, not our own"
    )
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="list them, and which are solved")
    instead.add_argument("--json", action="store_true", help="print them, solutions and all")
    instead.add_argument("--reset", action="store_true", help="forget which are solved")
    add_looks(command)
    add_plain(command)


def _add_edit(command: argparse.ArgumentParser) -> None:
    add_position(command)
    add_looks(command)
    add_plain(command)


def _none(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def _add_perft(command: argparse.ArgumentParser) -> None:
    add_position(command)
    command.add_argument("--divide", action="store_true", help="count below each first move")
    command.add_argument("depth", metavar="DEPTH", type=_depth, help="how many moves deep, from 1")


def _add_shell(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="which")


def _add_engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--level",
        type=_level,
        default=0,
        metavar="N",
        help="1 to 7; 0, full strength within the limits that are asked for, if not given",
    )
    command.add_argument("--seed", type=number, metavar="N", help="make its play repeatable")
    command.add_argument(
        "--player",
        choices=("cpu", "random", "material"),
        default="cpu",
        help="cpu thinks ahead, the others are to be measured by: random plays anything, "
        "material captures what it can",
    )


def _add_arena(command: argparse.ArgumentParser) -> None:
    who = "cpu:1 to cpu:7, cpu for full strength, random, material, or engine:COMMAND"
    command.add_argument("first", metavar="A", help=f"a player: {who}")
    command.add_argument("second", metavar="B", help="another, or the same")
    command.add_argument(
        "--matches",
        type=amount,
        default=10,
        metavar="N",
        help="so many matches of two battles, sides exchanged; 10 if not given",
    )
    add_limits(command, "move")
    add_variant(command, "the game, classic if not given")
    command.add_argument(
        "--openings",
        type=_opening,
        default=2,
        metavar="K",
        help="begin both battles of a match with the same K moves at random, at most "
        f"{_LONGEST_OPENING}; 2 if not given",
    )
    command.add_argument(
        "--jobs", type=amount, metavar="J", help="so many matches at a time; 1 if not given"
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="have the matches played by the workers of a Dask scheduler, such as tcp://host:8786",
    )
    command.add_argument("--seed", type=number, metavar="S", help="choose the same openings again")
    command.add_argument(
        "--output",
        "-o",
        metavar="DIR",
        help="where to save the matches; in the data directory, below arena, if not given",
    )
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def _opening(text: str) -> int:
    if not (is_number(text) and int(text) <= _LONGEST_OPENING):
        moves = f"0 to {_LONGEST_OPENING} moves at random"
        raise argparse.ArgumentTypeError(f"a battle begins with {moves}")
    return int(text)


def _level(text: str) -> int:
    if not (is_number(text) and int(text) <= _HIGHEST_LEVEL):
        raise argparse.ArgumentTypeError(f"a level is a whole number from 0 to {_HIGHEST_LEVEL}")
    return int(text)


def _depth(text: str) -> int:
    if not (is_number(text) and 1 <= int(text) <= _DEEPEST):
        raise argparse.ArgumentTypeError(f"a depth is a whole number from 1 to {_DEEPEST}")
    return int(text)


def on_one_line(text: str) -> str:
    """Return a text with whatever does not print escaped: it may quote what was typed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
