"""What the players are asked, and the results they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from thud.rules.geometry import Square, in_file_order, square_name
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.reasons import capital, pieces_left
from thud.rules.variant import Outcome, Reason
from thud.rules.verdicts import match_verdict
from thud.session.coach import ALL_THE_SAME
from thud.tui.battle.hand import CaptureChoice
from thud.tui.looks.phrases import fitted, points, result_of
from thud.tui.widgets.prompt import Answer, Question, Run

if TYPE_CHECKING:
    from thud.session.doubts import Doubt

WIDTH = 26
"""The columns of a question's text."""


def captures(
    choice: CaptureChoice,
    keys: Mapping[Square, tuple[str, ...]],
    *,
    toggle: Callable[[Square], None],
    confirm: Run,
    take_all: Run,
    clear: Run,
    back: Run,
) -> Question:
    """Ask which pieces to capture; `keys` are those that point to each victim."""
    taken, victims = choice.taken.bit_count(), choice.victims.bit_count()
    text = Text.assemble(
        ("Capture on ", ""), (square_name(choice.destination), "bold"), f": {taken} of {victims}\n"
    )
    for index, square in enumerate(in_file_order(choice.victims)):
        mark = "×" if choice.taken >> square & 1 else " "
        key = keys[square][0]
        text.append("   " if index % 2 else "\n")
        text.append(f"{key} [{mark}] {square_name(square):<3}")
    toggles = [Answer(pointing, None, partial(toggle, square)) for square, pointing in keys.items()]
    text.append("\n\nDigits, as on a numpad,\ntake or spare each.")
    return Question(
        text,
        [
            *toggles,
            Answer(("enter", "space", "5", "kp_begin"), "capture these", confirm),
            *([Answer(("a",), "all of them", take_all)] if choice.all_at_once else []),
            *([Answer(("n",), "none of them", clear)] if choice.none_at_all else []),
            Answer(("escape", "backspace"), "back", back),
        ],
    )


def failed(fault: str, name: str, *, again: Run, take_over: Run) -> Question:
    """Tell that a computer has failed, and ask how to go on."""
    text = Text.assemble((f"{name} cannot go on", "bold"), f"\n{capital(fault)}.")
    return Question(
        text,
        [
            Answer(("a", "enter"), "let it try again", again),
            Answer(("p",), "a person plays on", take_over),
        ],
        holds=True,
    )


def doubted(doubt: Doubt, *, play: Run, keep: Run) -> Question:
    """Tell what the coach has against a move, and ask whether it is played."""
    text = Text.assemble(("The coach", "bold"), f"\n\n{doubt.because}\n\n{ALL_THE_SAME}")
    return Question(
        text,
        [Answer(("y",), "play it", play), Answer(("n", "escape", "backspace"), "not so", keep)],
        holds=True,
    )


def end_battle(match: Match, *, agree: Run, play_on: Run, withdraw: Run | None) -> Question:
    """Ask the player who is not to move whether to end the battle."""
    position = match.battle.position
    side, outcome = position.to_move, match.variant.settled(position, Reason.AGREEMENT)
    text = Text.assemble(
        (match.name_of(side), "bold"),
        f" proposes to end the battle. {result_of(match, outcome)} then.\n\n",
        (match.name_of(side.other), "bold"),
        ", do you agree?",
    )
    return Question(
        text,
        [
            Answer(("y",), "agree", agree),
            Answer(("n",), "play on", play_on),
            *([Answer(("escape",), "withdraw the proposal", withdraw)] if withdraw else []),
        ],
        holds=True,
    )


def told(text: Text, back: Run) -> Question:
    """Tell something until a key closes it."""
    close = ("escape", "enter", "space", "question_mark", "backspace")
    return Question(text, [Answer(close, "close", back)])


def leave(outlook: str, *, leave: Run, stay: Run) -> Question:
    """Ask whether to quit in the middle of a match; the outlook says what becomes of it."""
    text = Text.assemble(("Quit?", "bold"), f"\n\n{outlook}")
    return Question(
        text, [Answer(("y",), "quit", leave), Answer(("n", "escape"), "play on", stay)], holds=True
    )


def copy(*, position: Run, moves: Run, picture: Run, back: Run) -> Question:
    """Ask what to copy to the clipboard."""
    return Question(
        Text("Copy to the clipboard", "bold"),
        [
            Answer(("p",), "the position", position),
            Answer(("m",), "the moves", moves),
            Answer(("s",), "a picture (SVG)", picture),
            Answer(("escape", "c"), "nothing", back),
        ],
    )


def battle_over(match: Match, *, go_on: Run, undo: Run | None, review: Run, leave: Run) -> Question:
    """Show how a first battle ended, and go on to the second."""
    outcome = _outcome(match)
    text = Text.assemble(
        (f"Battle {match.number} is over", "bold"),
        f"\n{capital(outcome.because)}.\n\n",
        *(_reckoned(match, side, outcome) for side in Side),
        (f"\n{result_of(match, outcome)}.", "bold"),
    )
    return Question(
        text,
        [
            Answer(("enter",), "begin battle 2", go_on),
            Answer(("m",), "review it", review),
            *_take_back(undo),
            Answer(("q",), "quit", leave),
        ],
    )


def match_over(match: Match, *, go_on: Run, undo: Run | None, review: Run, leave: Run) -> Question:
    """Show how the second battle ended and the result of the match, and go on to a new one."""
    outcome = _outcome(match)
    text = Text.assemble(
        ("The match is over", "bold"),
        f"\n{capital(outcome.because)}.\n\n",
        f"{_padded('battle', WIDTH - 15)}{1:>5}{2:>5}{'sum':>5}\n",
        *(_summed(match, player) for player in range(len(match.players))),
        (f"\n{match_verdict(match, points)}.", "bold"),
    )
    return Question(
        text,
        [
            Answer(("n",), "new match", go_on),
            Answer(("m",), "review it", review),
            *_take_back(undo),
            Answer(("q",), "quit", leave),
        ],
    )


def _outcome(match: Match) -> Outcome:
    if match.battle.outcome is None:
        raise ValueError("the battle goes on: it has no result to show")
    return match.battle.outcome


def _take_back(undo: Run | None) -> list[Answer]:
    """Offer to take back the last move, or the agreement, if there is any."""
    return [Answer(("u",), "take back", undo)] if undo else []


def _reckoned(match: Match, side: Side, outcome: Outcome) -> str:
    """Return two lines of one side's points: player and points, and how they came about."""
    worth, gained = match.variant.worth.get(side), points(outcome.score.of(side))
    left = pieces_left(match.battle.position, side) + (f" × {worth}" if worth else "")
    reason = Reason.TIME.value if outcome.is_late(side) else left
    return f"{_padded(match.name_of(side), WIDTH - 4)}{gained:>4}\n  {reason}\n"


def _summed(match: Match, player: int) -> str:
    """Return the line of one player's points: each battle and the sum."""
    figures = (*match.points(player), match.tally[player])
    columns = "".join(points(number).rjust(5) for number in figures)
    name = match.players[player]
    if cell_len(name) > WIDTH - 15:
        return f"{fitted(name, WIDTH)}\n{columns.rjust(WIDTH)}\n"
    return f"{_padded(name, WIDTH - 15)}{columns}\n"


def _padded(name: str, width: int) -> str:
    text = Text(fitted(name, width))
    text.pad_right(width - text.cell_len)
    return text.plain
