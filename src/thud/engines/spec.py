"""Players by name: `human`, `cpu:4`, `random`, `engine:./program`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.ai.levels import LEVELS
from thud.records.programs import HIGHEST_LEVEL, SIMPLE_PLAYERS, own_player, written
from thud.rules.match import LONGEST_NAME
from thud.text import joined, legible, meant, quoted

if TYPE_CHECKING:
    from thud.engines.client import Engine


HUMAN: Final = "human"
GUEST: Final = "guest"
COMPUTER: Final = "cpu"
FAIR: Final = "fair"
"""Word for the level about as strong as its opponent."""

FULL_STRENGTH: Final = 0
"""The level without limits of its own."""

_MAX: Final = "max"
_ENGINE: Final = "engine:"
_LONGEST: Final = 1000
_LONGEST_NAME: Final = LONGEST_NAME - 4
"""Longest name of a program, in characters: a number may have to follow it."""

# Without -P, Python would look for modules in the current directory first.
OWN_ENGINE: Final = (sys.executable, "-P", "-m", "thud", "engine")
"""The command that starts this program's engine."""

NICENESS_VARIABLE: Final = "ENGINE_NICENESS"
"""Environment variable by which an engine lowers its own priority, where nobody else can."""


class UnknownPlayer(ValueError):
    """A text is no player's."""


class Contender(NamedTuple):
    """A player: a person, or a program in its own process."""

    text: str
    """Its form on a command line."""
    name: str
    """Its name at the board, empty for a person."""
    program: str = ""
    """Its name in a record, empty for a person."""
    command: tuple[str, ...] = ()
    """The program and its arguments, empty for a person."""
    level: int | None = None
    """Which of our levels it is, 0 for full strength; None for any other player."""

    @property
    def human(self) -> bool:
        """Whether a person plays."""
        return not self.command

    @property
    def guest(self) -> bool:
        """Whether a person plays from elsewhere."""
        return self.text == GUEST

    @property
    def foreign(self) -> bool:
        """Whether another program plays, not one of our own players."""
        return self.text.startswith(_ENGINE)

    def engine(self, seed: int | None = None) -> Engine:
        """Return its engine, not started yet; a seed makes our own players repeatable."""
        from thud.engines.client import Engine

        return Engine(self.command, self.name, {} if seed is None else {"Seed": seed})


def parse_contender(text: str, *, people: bool = True) -> Contender:
    """Parse a player's text.

    Args:
        text: the text.
        people: whether a person can be suggested in place of an unknown player.

    Raises:
        UnknownPlayer: it is no player's; the message lists those there are.
        ValueError: an engine's command cannot be parsed.
    """
    word = " ".join(text.split())
    if word.startswith(_ENGINE) and len(text) <= _LONGEST:
        return _another_program(text.strip().removeprefix(_ENGINE))
    if word.lower() in (HUMAN, GUEST):
        return Contender(word.lower(), "")
    if word.lower() in SIMPLE_PLAYERS:
        kind = word.lower()
        return Contender(kind, kind.capitalize(), written(kind), (*OWN_ENGINE, "--player", kind))
    level = _level_of(word.lower())
    if level is None:
        humans = [HUMAN] if people else []
        levels = f"cpu:1 to cpu:{HIGHEST_LEVEL}, {_MAX}"
        known = joined([*humans, levels, *SIMPLE_PLAYERS, f"{_ENGINE}COMMAND"], "or")
        then = meant(word.lower(), [*humans, *SIMPLE_PLAYERS], f"use {known}")
        raise UnknownPlayer(f"unknown player {quoted(text)}{then}")
    return level_contender(level)


def with_guests(
    pair: tuple[Contender, Contender] | None, guests: Sequence[int]
) -> tuple[Contender, Contender]:
    """Return the pair (default: two people here) with guests in the given seats."""
    first, second = pair or (parse_contender(HUMAN), parse_contender(HUMAN))
    guest = parse_contender(GUEST)
    return guest if 0 in guests else first, guest if 1 in guests else second


def level_contender(level: int) -> Contender:
    """Return the computer at a level, 0 for full strength."""
    text = f"{COMPUTER}:{level}" if level else COMPUTER
    name = LEVELS[level].name if level else "Computer"
    program = written(level or "")
    return Contender(text, name, program, (*OWN_ENGINE, "--level", str(level)), level)


def played_by(program: str) -> Contender:
    """Return the contender for a program named in a record: one of our players, or a person.

    A foreign program is never started because a file names it: a person takes its place.
    """
    found = own_player(program)
    if not found:
        return parse_contender(HUMAN)
    if found.simple:
        return parse_contender(found.simple)
    return level_contender(found.level or FULL_STRENGTH)


def distinct(first: str, second: str) -> tuple[str, str]:
    """Return the names of two players, numbered if they are the same."""
    if first.casefold() != second.casefold():
        return first, second
    return f"{first} 1", f"{second} 2"


def _level_of(word: str) -> int | None:
    """Parse a level: `cpu:4`, `level 4`, `4`, its name, `cpu` or `max`; None for anything else."""
    for prefix in f"{COMPUTER}:", "level:", "level ":
        word = word.removeprefix(prefix)
    if word in (COMPUTER, _MAX):
        return FULL_STRENGTH
    if word in map(str, range(1, HIGHEST_LEVEL + 1)):
        return int(word)
    named = (number for number, level in LEVELS.items() if level.name.lower() == word)
    return next(named, None)


def _another_program(line: str) -> Contender:
    try:
        words = _words(line)
    except ValueError as error:
        raise ValueError(f"{quoted(line)} is not a command: {error}") from error
    if not words or not words[0]:
        raise ValueError("write a command after engine:, such as engine:./program")
    command = (os.path.expanduser(words[0]), *words[1:])
    file = Path(command[0]).name[:_LONGEST_NAME]
    name = legible(file).strip() or "Engine"
    return Contender(f"{_ENGINE}{line}", name, f"{_ENGINE}{name}", command)


def _words(line: str, separator: str = os.sep) -> list[str]:
    """Split a command as a shell does, except that a backslash may separate directories."""
    import shlex

    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if separator == "\\":
        lexer.escape = ""
    return list(lexer)
