"""A position being set up, and the match, file or puzzle made of it."""

from __future__ import annotations

import json
import sys
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from thud.ai.player import Limits
from thud.engines.analyst import Analyst, answer_of
from thud.engines.spec import Contender, distinct, parse_contender
from thud.puzzles.book import SUFFIX, add_puzzle
from thud.records import formats
from thud.records.record import BattleRecord, Record
from thud.rules.battle import Battle
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.setup import Setup
from thud.wording.records import saved_as
from thud.wording.text import why

if TYPE_CHECKING:
    from thud.ai.player import Decision


class Editor:
    """A setup with undo and redo.

    Args:
        setup: what to begin with.

    Attributes:
        setup: what it is now.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._before: list[Setup] = []
        self._after: list[Setup] = []

    def change(self, setup: Setup) -> bool:
        """Go over to another setup; return whether it is another."""
        if setup == self.setup:
            return False
        self._before.append(self.setup)
        self._after.clear()
        self.setup = setup
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self._after)

    def undo(self) -> bool:
        """Take the last change back; return False if there is none."""
        if not self._before:
            return False
        self._after.append(self.setup)
        self.setup = self._before.pop()
        return True

    def redo(self) -> bool:
        """Make again what was taken back last; return False if there is nothing."""
        if not self._after:
            return False
        self._before.append(self.setup)
        self.setup = self._after.pop()
        return True


def match_of(setup: Setup, seats: tuple[Contender, Contender]) -> Match:
    """Return a match whose battles both begin with a setup; a computer goes by its own name.

    Raises:
        InvalidPosition: no move can be made there.
    """
    named = (seat.name or name for seat, name in zip(seats, DEFAULT_PLAYERS, strict=True))
    return Match(setup.variant, distinct(*named), setup.playable())


def seats_of(text: str) -> tuple[Contender, Contender]:
    """Read who plays the dwarfs first, and who the trolls: `"human cpu:4"`; one alone is both.

    Raises:
        ValueError: nobody is written so, or these are more than two.
    """
    words = text.split() or ["human"]
    if len(words) > len(DEFAULT_PLAYERS):
        raise ValueError("say who has the dwarfs and who the trolls, such as human 4")
    dwarfs, trolls = parse_contender(words[0]), parse_contender(words[-1])
    return dwarfs, trolls


def save_as(setup: Setup, name: str) -> str:
    """Write a position to a new file in the format of its suffix; return what there is to say.

    Raises:
        ValueError: it is no position of its game, or cannot be written; the message says why.
    """
    start = BattleRecord(setup.checked())
    record = Record(setup.variant, (start,), date=date.today().isoformat())
    return saved_as(formats.save_as(record, name), record)


SECONDS: Final = 2.0
"""The time to judge a position."""


async def evaluated(setup: Setup, analyst: Analyst) -> Decision:
    """Return the best move of a position that is set up, and what it leads to.

    Raises:
        InvalidPosition: no move can be made there.
        EngineFault: the computer does not answer as it should.
    """
    return await analyst.analyse(Battle(setup.variant, setup.playable()), Limits(SECONDS))


async def evaluated_once(setup: Setup) -> Decision:
    """Return the same as `evaluated`, by a process that ends with it."""
    async with Analyst() as analyst:
        return await evaluated(setup, analyst)


TIMEOUT: Final = 60.0
"""Seconds that a position may take."""

# Without -P, Python would look for modules in the current directory first.
_COMMAND: Final = (sys.executable, "-P", "-m", "thud.puzzles.confirm")


class NoPuzzle(ValueError):
    """The position is no puzzle, or the computer cannot say."""


async def confirmed(setup: Setup) -> dict[str, Any]:
    """Return the puzzle that a position is, as it stands in a file; the process is then gone.

    Raises:
        InvalidPosition: no move can be made there.
        NoPuzzle: it is none, or the computer does not answer as it should.
    """
    asked = {"variant": setup.variant.name, "position": setup.playable().to_text()}
    try:
        answer = json.loads(await answer_of(_COMMAND, json.dumps(asked), TIMEOUT))
    except TimeoutError:
        raise NoPuzzle("the computer took too long") from None
    except OSError as error:
        raise NoPuzzle(f"the computer cannot be started: {why(error)}") from error
    except ValueError as error:
        raise NoPuzzle(f"the computer does not answer: {error}") from None
    if not answer.get("puzzle"):
        raise NoPuzzle(answer["reason"])
    puzzle: dict[str, Any] = answer["puzzle"]
    return puzzle


def puzzle_in_words(puzzle: dict[str, Any]) -> str:
    """Return what a puzzle is about: `"hurl a dwarf at the troll (easy)"`."""
    return f"{puzzle['theme']} ({puzzle['band']})"


def add_to(puzzle: dict[str, Any], name: str) -> str:
    """Add a puzzle to a file that a player names; return what there is to say.

    Without a suffix it is a `.jsonl` file.

    Raises:
        ValueError: it cannot be added; the message says why.
    """
    path = formats.new_path(name, SUFFIX)
    try:
        add_puzzle(path, puzzle)
    except OSError as error:
        raise ValueError(f"nothing was added to {path}: {why(error)}") from error
    except ValueError as error:
        raise ValueError(f"nothing was added to {path}: {error}") from error
    return f"Added to {path}. Solve it with: thud puzzles --file {path}"
