"""A puzzle of a position that was set up: confirmed by the computer, and added to a file."""

from __future__ import annotations

import asyncio
import json
import sys
from os.path import expanduser
from pathlib import Path
from typing import Any, Final

from thud.engines.program import LineTooLong, Program
from thud.puzzles.own import SUFFIX, add_puzzle
from thud.rules.setup import Setup

PATIENCE: Final = 60.0
"""So many seconds a position may take."""

# Without -P, Python would look for modules in the current directory first.
_COMMAND: Final = (sys.executable, "-P", "-m", "thud.puzzles.confirm")


class NoPuzzle(ValueError):
    """A position in which no move is much better than every other, or that cannot be told."""


async def confirmed(setup: Setup) -> dict[str, Any]:
    """Return the puzzle that a position is, as it stands in a file; the process is then gone.

    Raises:
        InvalidPosition: no move can be made there.
        NoPuzzle: it is none, or the computer does not answer as it should.
    """
    asked = {"variant": setup.variant.name, "position": setup.playable().to_text()}
    try:
        program = await Program.start(_COMMAND)
    except OSError as error:
        raise NoPuzzle(f"the computer cannot be started: {error.strerror or error}") from error
    try:
        program.send(json.dumps(asked))
        answer = json.loads(await asyncio.wait_for(program.line(), PATIENCE))
    except TimeoutError:
        raise NoPuzzle("the computer takes too long to look at it") from None
    except (EOFError, LineTooLong, ValueError):
        raise NoPuzzle(f"the computer does not answer: {program.last_error}") from None
    finally:
        await program.close(0)
    if not answer.get("puzzle"):
        raise NoPuzzle(answer["reason"])
    puzzle: dict[str, Any] = answer["puzzle"]
    return puzzle


def in_words(puzzle: dict[str, Any]) -> str:
    """Return what a puzzle is about: `"hurl the troll (easy)"`."""
    return f"{puzzle['theme']} ({puzzle['band']})"


def add_to(puzzle: dict[str, Any], name: str) -> str:
    """Add a puzzle to a file that a player names; return what there is to say.

    Without a suffix it is a `.jsonl` file.

    Raises:
        ValueError: it cannot be added; the message says why.
    """
    path = Path(expanduser(name))
    if not path.name:
        raise ValueError("a file needs a name")
    if not path.suffix:
        path = path.with_name(path.name + SUFFIX)
    try:
        add_puzzle(path, puzzle)
    except OSError as error:
        raise ValueError(f"nothing was added to {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ValueError(f"nothing was added to {path}: {error}") from error
    return f"Added to {path}: 'thud puzzles --file {path}' sets it"
