"""A position being set up, and a match, file or puzzle made from it."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thud.ai.player import Limits
from thud.engines.analyst import Analyst
from thud.engines.outlook import Outlook, outlook
from thud.engines.program import answer_of
from thud.engines.spec import Contender, distinct, parse_contender
from thud.exercises.puzzles.book import SUFFIX, add_puzzle
from thud.exercises.puzzles.themes import THEMES
from thud.records import formats
from thud.records.record import BattleRecord, Record
from thud.records.words import saved_as
from thud.review.hints import evaluation
from thud.rules.battle import Battle
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.setup import Setup
from thud.text import why

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.rules.position import Move, Position
    from thud.rules.variant import Variant


class Editor:
    """A setup with undo and redo.

    Args:
        setup: the setup to begin with.

    Attributes:
        setup: the current setup.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._before: list[Setup] = []
        self._after: list[Setup] = []

    def change(self, setup: Setup) -> bool:
        """Change the setup; return whether it differs."""
        if setup == self.setup:
            return False
        self._before.append(self.setup)
        self._after.clear()
        self.setup = setup
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to redo."""
        return bool(self._after)

    def undo(self) -> bool:
        """Undo the last change; return False if there is none."""
        if not self._before:
            return False
        self._after.append(self.setup)
        self.setup = self._before.pop()
        return True

    def redo(self) -> bool:
        """Redo the change undone last; return False if there is none."""
        if not self._after:
            return False
        self._before.append(self.setup)
        self.setup = self._after.pop()
        return True


def match_of(setup: Setup, seats: tuple[Contender, Contender]) -> Match:
    """Return a match whose battles both begin with a setup; computers have their own names.

    Raises:
        InvalidPosition: no move can be made there.
    """
    named = (seat.name or name for seat, name in zip(seats, DEFAULT_PLAYERS, strict=True))
    return Match(setup.variant, distinct(*named), setup.playable())


def seated(match: Match, programs: tuple[str, str], who: str) -> tuple[Contender, Contender]:
    """Seat players at a match that goes on, and name them; people keep their names.

    Args:
        match: the match, up to the position to play from.
        programs: the programs that played it until now, empty for a person.
        who: who plays the dwarfs and the trolls now, as for `seats_of`.

    Returns:
        the contenders by player.
    """
    dwarfs, trolls = seats_of(who)
    first, second = (dwarfs, trolls) if match.commander(Side.DWARFS) == 0 else (trolls, dwarfs)
    named = (
        seat.name or (default if program else name)
        for seat, program, name, default in zip(
            (first, second), programs, match.players, DEFAULT_PLAYERS, strict=True
        )
    )
    match.players = distinct(*named)
    return first, second


def seats_of(text: str) -> tuple[Contender, Contender]:
    """Parse who plays the dwarfs first and who the trolls: `"human cpu:4"`; one plays both.

    Raises:
        ValueError: there is no such contender, or there are more than two.
    """
    words = text.split() or ["human"]
    if len(words) > len(DEFAULT_PLAYERS):
        raise ValueError("say who has the dwarfs and who the trolls, such as human 4")
    dwarfs, trolls = parse_contender(words[0]), parse_contender(words[-1])
    return dwarfs, trolls


def save_as(setup: Setup, name: str, *, overwrite: bool = False) -> str:
    """Write a position to a file in the format of its suffix; return a message.

    Raises:
        FileThere: it exists, and `overwrite` is off.
        ValueError: no move can be made there, or it cannot be written; the message says why.
    """
    start = BattleRecord(setup.playable())
    record = Record(setup.variant, (start,), date=date.today().isoformat())
    return saved_as(formats.save_as(record, name, overwrite=overwrite), record)


SECONDS: Final = 2.0
"""Thinking time of an evaluation."""


class Evaluation(NamedTuple):
    """A position's best move, and the result to expect."""

    decision: Decision
    expects: Outlook | None


async def evaluated(setup: Setup, analyst: Analyst) -> Evaluation:
    """Return the best move and the evaluation of a setup.

    Raises:
        InvalidPosition: no move can be made there.
        EngineFault: the engine fails.
    """
    variant, position = setup.variant, setup.playable()
    decision = await analyst.analyse(Battle(variant, position), Limits(SECONDS))
    thought = decision.thought
    expects = await asyncio.to_thread(outlook, variant, position, thought) if thought else None
    return Evaluation(decision, expects)


async def evaluated_once(setup: Setup) -> Evaluation:
    """Like `evaluated`, with an engine process of its own."""
    async with Analyst() as analyst:
        return await evaluated(setup, analyst)


async def judged(variant: Variant, position: Position, move: Move, analyst: Analyst) -> str:
    """Return what the computer says of the position after a legal move.

    Raises:
        EngineFault: the engine fails.
    """
    text, after = move_text(position, move), position.after(move)
    if outcome := variant.outcome(after):
        return f"{text}: {outcome.description}."
    setup = Setup(variant, after)
    told = evaluation(variant, after, *await evaluated(setup, analyst))
    return f"After {text}. {' '.join(told)}"


TIMEOUT: Final = 60.0
"""Timeout for confirming a puzzle, in seconds."""

# Without -P, Python would look for modules in the current directory first.
_COMMAND: Final = (sys.executable, "-P", "-m", "thud.exercises.puzzles.confirm")


class NoPuzzle(ValueError):
    """The position is no puzzle, or that cannot be determined."""


async def confirmed(setup: Setup) -> dict[str, Any]:
    """Check in a process that a setup is a puzzle; return it as in a puzzle file.

    Raises:
        InvalidPosition: no move can be made there.
        NoPuzzle: it is not, or the process fails.
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
    """Return a puzzle's theme and difficulty: `"hurl a dwarf (easy)"`."""
    return f"{THEMES[puzzle['theme']]} ({puzzle['band']})"


def add_to(puzzle: dict[str, Any], name: str) -> str:
    """Add a puzzle to the named file; return a message.

    The default suffix is `.jsonl`.

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
