"""What can be typed besides moves, on the board and in lines of text alike.

Each table has a row for each word: how it is typed, what it means, and the request or the question
that it stands for.  What is said in answer is each front end's.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from thud.records.bounds import READABLE
from thud.records.formats import WRITABLE
from thud.session.events import NewMatch, ProposeEnd, Undo
from thud.session.law import (
    Claim,
    Fairer,
    GiveSeat,
    NextBattle,
    Redo,
    Request,
    Resign,
    Say,
    TryAgain,
    Withdraw,
)
from thud.text import joined


class Question(Enum):
    """What a player wants to be shown or told; the board has an action of that name."""

    HELP = "help"
    THREATS = "threats"
    FLIP = "flip"
    SCORE = "score"
    CLOCK = "clock"
    MOVES = "moves"
    VARIATIONS = "variations"
    HINT = "hint"
    REVIEW = "review"
    LEARN = "learn"
    SAVE = "save"
    OPEN = "open"
    SAID = "said"
    WHO = "who"
    RECONNECT = "reconnect"
    THEME = "theme"
    SKIP = "skip"
    SOLUTION = "solution"
    QUIT = "quit"


class TypedCommand(NamedTuple):
    """A row of a table of commands."""

    form: str
    """How it is typed, with other words that stand for it: `"undo, or u"`."""
    meaning: str
    does: Request | Question | None = None
    """What it stands for, if others than lines of text know it."""


HELP: Final = TypedCommand("help, or ?", "this", Question.HELP)

BOARD_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "rules": TypedCommand("rules, or rules end", "the rules in a nutshell, or on one topic"),
    "board": TypedCommand("board, or board 12", "the board now, or after 12 moves"),
    "draw": TypedCommand("draw, or draw 12", "the board drawn in letters"),
    "look": TypedCommand("look H8", "a square, and what is in each direction"),
    "dwarfs": TypedCommand("dwarfs", "where the dwarfs are"),
    "trolls": TypedCommand("trolls", "where the trolls are"),
    "moves": TypedCommand("moves, or moves A6", "who can move, or what one piece can do"),
    "captures": TypedCommand("captures", "the moves that capture"),
    "threats": TypedCommand("threats", "pieces that could be captured next", Question.THREATS),
    "take": TypedCommand("take all, or take ask", "what a move captures when you do not say"),
    "flip": TypedCommand("flip", "turn the board round", Question.FLIP),
    "text": TypedCommand("text", "the position as text for other programs"),
    "link": TypedCommand("link", "a link to the match, the puzzle or the position"),
}
"""Commands wherever there is a board."""

COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": HELP,
    **BOARD_COMMANDS,
    "score": TypedCommand("score", "the state of the match", Question.SCORE),
    "clock": TypedCommand("clock", "the time both players have left", Question.CLOCK),
    "list": TypedCommand("list", "the moves of this battle", Question.MOVES),
    "variations": TypedCommand(
        "variations", "variations that were tried, with their comments", Question.VARIATIONS
    ),
    "undo": TypedCommand("undo, or u", "undo the last move", Undo()),
    "redo": TypedCommand("redo, or r", "redo it", Redo()),
    "hint": TypedCommand("hint", "a hint from the computer", Question.HINT),
    "again": TypedCommand("again", "restart a computer that failed", TryAgain()),
    "end": TypedCommand("end", "propose to end the battle", ProposeEnd()),
    "resign": TypedCommand("resign", "resign the battle", Resign()),
    "next": TypedCommand("next", "the second battle, once the first is over", NextBattle()),
    "review": TypedCommand("review", "judge every move of a finished battle", Question.REVIEW),
    "learn": TypedCommand(
        "learn, or learn dwarfs",
        "go over the mistakes of your side, or of one side",
        Question.LEARN,
    ),
    "new": TypedCommand("new", "a new match with the same players", NewMatch()),
    "fairer": TypedCommand(
        "fairer", "a new match at a level nearer to yours, or with a handicap", Fairer()
    ),
    "save": TypedCommand(
        "save FILE", f"write the match to a file: {joined(WRITABLE, 'or')}", Question.SAVE
    ),
    "open": TypedCommand(
        "open FILE",
        f"open a match from a {joined(READABLE, 'or')} file, or by its id",
        Question.OPEN,
    ),
    "quit": TypedCommand("quit", "leave; the match is saved", Question.QUIT),
}
"""Commands of a match."""

COMMANDS_APART: Final[Mapping[str, TypedCommand]] = {
    "say": TypedCommand('say TEXT, or "TEXT', "chat with players elsewhere", Say("")),
    "said": TypedCommand("said", "read the chat again", Question.SAID),
    "who": TypedCommand("who", "who is here and who is watching, and how to join", Question.WHO),
    "claim": TypedCommand(
        "claim", "claim the battle from a player who has been away for too long", Claim()
    ),
    "reconnect": TypedCommand(
        "reconnect", "answer ssh, to restore the connection", Question.RECONNECT
    ),
    "give": TypedCommand("give", "give an away player's seat to whoever asks for it", GiveSeat()),
    "withdraw": TypedCommand("withdraw", "withdraw your proposal", Withdraw()),
}
"""Commands that remote play adds."""

DRILL_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": HELP,
    "task": TypedCommand("task", "repeat the task"),
    "hint": TypedCommand("hint", "which piece to look at; a second time, the move", Question.HINT),
    "theme": TypedCommand("theme", "what a puzzle is about; it counts as a hint", Question.THEME),
    "skip": TypedCommand("skip, or next", "go on to the next puzzle or mistake", Question.SKIP),
    "solution": TypedCommand(
        "solution, or s", "show the solution of a puzzle or a mistake", Question.SOLUTION
    ),
    "end": TypedCommand("end", "propose the end of the battle", ProposeEnd()),
    **BOARD_COMMANDS,
    "quit": TypedCommand("quit", "leave; your progress is saved", Question.QUIT),
}
"""Commands of lessons, puzzles and mistakes."""


def with_text(does: Request | Question | None, text: str) -> Request | Question | None:
    """Return what a command stands for, with the text typed after it where that is part of it."""
    return Say(text) if isinstance(does, Say) else does


def command_in(known: Mapping[str, TypedCommand], line: str) -> tuple[str, str] | None:
    """Return the word of the command in a line, and what follows it; None if it has none."""
    word, _, rest = line.strip().partition(" ")
    other = (name for name, row in known.items() if line.strip().lower() in row.form.split(", or "))
    name = next(other, word.lower())
    return (name, rest.strip()) if name in known else None
