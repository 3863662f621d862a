"""`thud club`: the owner's requests to a club that runs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thud.disk.directories import DATA_VARIABLE

if TYPE_CHECKING:
    from thud.club.owner import OwnersAnswer, OwnersWords

_REQUESTS: Final = {
    "who": ("", "who is in: since when, from which network, how much memory"),
    "tables": ("", "all tables, private ones included"),
    "visitors": ("", "everybody whom the club knows"),
    "kick": ("VISITOR", "end a visit; they can come back in ten minutes"),
    "mute": ("VISITOR", "no more chat, until unmute"),
    "unmute": ("VISITOR", "let them chat again"),
    "ban": ("VISITOR", "end a visit and keep them out, until unban; their open tables close"),
    "unban": ("VISITOR", "let them in again"),
    "rename": ("VISITOR NAME", "call a visitor something else, at their tables, too"),
    "link": ("VISITOR TO", "make two visitors one: the first is the second from now on"),
    "forget": ("VISITOR", "delete a visitor's name, matches and settings"),
    "close": ("TABLE...", "close tables; players are told, and what they have played is kept"),
    "hide": ("TABLE...", "end the links that show tables to anybody"),
    "season": ("", "the season's cross table"),
    "withdraw": ("VISITOR", "let somebody leave the season, who resigns at its tables"),
    "invite": ("", "where to come in, with the invitation"),
    "renew": ("", "make a new invitation; the old one lets nobody in any longer"),
}
"""What can be asked for: its arguments, and what it does."""

_SERVICE: Final = Path("/var/lib/thud")
"""The data directory of the packaged service."""


def add_club(command: argparse.ArgumentParser) -> None:
    """Add the arguments: what to do, and about whom."""
    listed = "\n".join(
        f"  {f'{name} {words}'.rstrip():<22}{text}" for name, (words, text) in _REQUESTS.items()
    )
    command.description = f"{command.description}\n\n{listed}" if command.description else listed
    command.add_argument("what", choices=tuple(_REQUESTS), metavar="COMMAND", help="one of these")
    command.add_argument(
        "words",
        nargs="*",
        default=[],  # else argparse calls it missing
        metavar="WHOM",
        help="visitors by the first digits of their id, or by name; tables by their id, or by who "
        "opened them",
    )
    command.add_argument(
        "--network",
        action="store_true",
        help="with ban or mute: newcomers from the visitor's last addresses share it",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="with who, tables, visitors or season: print them as JSON",
    )


def club(options: Namespace) -> None:
    """Ask the club, and print its answer."""
    if sys.platform == "win32":
        raise ValueError("a club needs Linux, macOS or a similar system")
    from thud.club.owner import OwnersWords

    words, _ = _REQUESTS[options.what]
    wanted, lists = words.split(), options.what in ("season", *_PRINTED)
    if len(options.words) != len(wanted) and not (words.endswith("...") and options.words):
        raise ValueError(f"say: thud club {f'{options.what} {words}'.rstrip()}")
    if options.network and options.what not in ("ban", "mute"):
        raise ValueError("--network goes with ban or mute")
    if options.json and not lists:
        raise ValueError("--json goes with who, tables, visitors or season")
    answer = _asked(OwnersWords(options.what, options.words, options.network))
    if answer.refused:
        raise ValueError(answer.refused)
    if options.json:
        print(json.dumps(answer.rows, indent=2, ensure_ascii=False))
    elif answer.said:
        print(*answer.said, sep="\n")
    else:
        _print(options.what, answer.rows or [])


def _asked(asked: OwnersWords) -> OwnersAnswer:
    """Ask the club of this data directory, else that of the service; else change files.

    Raises:
        ValueError: there is no club, or it is somebody else's.
        OSError: the files cannot be changed.
    """
    import os

    from thud.club.owner import CONTROL, ask_running
    from thud.disk.directories import data_directory
    from thud.text import quoted

    own = data_directory() / "club"
    service = [] if os.environ.get(DATA_VARIABLE) else [_SERVICE / "club"]
    for directory in (own, *service):
        try:
            return ask_running(directory / CONTROL, asked)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            continue
        except PermissionError:
            user = _owner_of(directory)
            raise ValueError(
                f"the club in {quoted(str(directory), 200)} belongs to {user}: run this as root, "
                f"or with 'sudo -u {user}'"
            ) from None
    if not own.is_dir():
        raise ValueError(
            f"no club is open here, and there is none in {quoted(str(own), 200)}: 'thud serve' "
            f"opens one; for another one, set {DATA_VARIABLE}; for one in a container, use "
            f"'podman exec CONTAINER thud club {asked.what}'"
        )
    return _closed(asked)


def _owner_of(directory: Path) -> str:
    """Return the name of the user to whom the first directory belongs that can be seen."""
    for each in (directory, *directory.parents):
        try:
            return each.owner()
        except (OSError, KeyError):
            continue
    return "another user"


def _closed(asked: OwnersWords) -> OwnersAnswer:
    """Do what can be done while the club of this data directory is closed.

    Raises:
        ValueError: it runs, and does not answer, or its files are not this user's.
        OSError: its files cannot be changed.
    """
    import asyncio

    from thud.club.owner import Owner
    from thud.club.storage import Visitors, only_club

    with only_club() as directory:
        return asyncio.run(Owner(Visitors(directory / "visitors")).answer(asked))


# Tables


def _print(what: str, rows: list[dict[str, Any]]) -> None:
    from thud.cli.tables import AlignedTable

    headings, cells, nothing = _PRINTED[what]
    table = AlignedTable(*headings)
    for each in rows:
        table.add_row(*cells(each))
    if rows:
        table.print()
    else:
        print(nothing)


def _moment(seconds: float) -> str:
    from thud.records.summary import saved_at

    return f"{saved_at(int(seconds * 1e9)):%d %b %H:%M}"


def _name(name: str, nobody: str = "no name yet") -> str:
    from thud.text import printable

    return printable(name, 40) or nobody


def _of_present(each: dict[str, Any]) -> tuple[str, ...]:
    memory = "" if each["memory"] is None else f"{each['memory'] / 1e6:.0f} MB"
    network = each["network"] or "unknown"
    return each["id"][:8], _name(each["name"]), _moment(each["since"]), network, memory


def _of_visitor(each: dict[str, Any]) -> tuple[str, ...]:
    seats, matches = f"{each['seats']}", f"{each['matches']}"
    name, standing = _name(each["name"]), each["standing"]
    return each["id"][:8], name, _moment(each["last"]), matches, seats, standing


def _of_table(each: dict[str, Any]) -> tuple[str, ...]:
    players = " – ".join(_name(name, "nobody yet") for name in each["players"])
    opened_by = f"{each['by'][:8]} {_name(each['opener'])}"
    opener = "the season" if each["season"] else opened_by
    state = "over" if each["over"] else "private" if each["private"] else ""
    state = "offer" if each["offer"] else state
    moved = _moment(time.time() - each["idle"])
    moves, here = f"{each['moves']}", f"{each['here']}"
    return each["id"], each["variant"], players, opener, moves, here, moved, state


_PRINTED: Final = {
    "who": (("id", "name", "since", "network", "memory"), _of_present, "Nobody is in."),
    "visitors": (
        ("id", "name", "here last", "matches", "seats", "standing"),
        _of_visitor,
        "No visitors yet.",
    ),
    "tables": (
        ("id", "game", "players", "opened by", "moves", "here", "saved", "state"),
        _of_table,
        "No table is open.",
    ),
}
"""The columns of what is listed, a row's cells, and what to say without any row."""
