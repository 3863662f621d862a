"""What the players are asked, and the results they are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rich.text import Text

from thud.rules.geometry import Square, in_file_order, square_name, squares_of, step_between
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Outcome
from thud.tui import hand
from thud.tui.board import DIRECTIONS
from thud.tui.phrases import fitted, pieces_left, points, result_of, sentence
from thud.tui.prompt import Choice, Question

Run = Callable[[], None]

WIDTH = 26
"""The columns of a question's text."""


def captures(
    choice: hand.Choice, *, toggle: Callable[[Square], None], confirm: Run, clear: Run, back: Run
) -> Question:
    """Ask which pieces to capture."""
    taken, victims = choice.taken.bit_count(), choice.victims.bit_count()
    text = Text.assemble(
        ("Capture on ", ""), (square_name(choice.destination), "bold"), f": {taken} of {victims}\n"
    )
    for square in in_file_order(choice.victims):
        mark = "×" if choice.taken >> square & 1 else " "
        key = _direction(choice.destination, square)[0]
        text.append(f"\n {key}  [{mark}] {square_name(square)}")
    toggles = [
        Choice(_direction(choice.destination, square), None, partial(toggle, square))
        for square in squares_of(choice.victims)
    ]
    text.append("\n\nA direction key takes or spares.")
    return Question(
        text,
        [
            *toggles,
            Choice(("enter", "space", "a"), "capture these", confirm),
            Choice(("n",), "none of them", clear),
            Choice(("escape", "backspace"), "back", back),
        ],
    )


def _direction(origin: Square, neighbour: Square) -> tuple[str, ...]:
    """Return the keys that point from a square to its neighbour."""
    reach = step_between(origin, neighbour)
    return next(tuple(keys.split(",")) for step, keys in DIRECTIONS.values() if (step, 1) == reach)


def end_battle(match: Match, *, agree: Run, play_on: Run) -> Question:
    """Ask the player who is not to move whether to end the battle."""
    side = match.battle.position.to_move
    text = Text.assemble(
        (match.name_of(side), "bold"),
        " proposes to end the battle as it stands.\n\n",
        (match.name_of(side.other), "bold"),
        ", do you agree?",
    )
    return Question(
        text,
        [Choice(("y",), "agree", agree), Choice(("n", "escape"), "play on", play_on)],
    )


def leave(*, leave: Run, stay: Run) -> Question:
    """Ask whether to quit in the middle of a match."""
    text = Text.assemble(("Quit?", "bold"), "\n\nThe match is not finished, and it is not kept.")
    return Question(
        text, [Choice(("y", "q"), "quit", leave), Choice(("n", "escape"), "play on", stay)]
    )


def battle_over(match: Match, outcome: Outcome, *, go_on: Run, undo: Run, leave: Run) -> Question:
    """Show how a first battle ended, and go on to the second."""
    text = Text(f"Battle {match.number} is over", "bold")
    text.append(f"\n{sentence(outcome.because)}.\n\n", "not bold")
    text.append_text(_reckoning(match, outcome))
    return Question(
        text,
        [
            Choice(("enter",), "begin battle 2", go_on),
            Choice(("u",), "take back", undo),
            Choice(("q",), "quit", leave),
        ],
    )


def match_over(match: Match, outcome: Outcome, *, again: Run, undo: Run, leave: Run) -> Question:
    """Show how the second battle ended and the result of the match."""
    text = Text("The match is over", "bold")
    text.append(f"\n{sentence(outcome.because)}.\n\n", "not bold")
    text.append(f"{'battle':<{WIDTH - 15}}{'1':>5}{'2':>5}{'sum':>5}\n", "not bold")
    for player, name in enumerate(match.players):
        sums = (*match.points(player), match.tally[player])
        figures = "".join(points(number).rjust(5) for number in sums)
        text.append(_padded(name, WIDTH - 15) + figures + "\n", "not bold")
    text.append(f"\n{_verdict(match)}")
    return Question(
        text,
        [
            Choice(("n",), "new match", again),
            Choice(("u",), "take back", undo),
            Choice(("q",), "quit", leave),
        ],
    )


def _reckoning(match: Match, outcome: Outcome) -> Text:
    """Show how the points of a battle came about."""
    text, position = Text(), match.battle.position
    for side in Side:
        left = pieces_left(position, side)
        gained = points(outcome.score.of(side))
        text.append(f"{_padded(match.name_of(side), WIDTH - 15)} {left:>9}{gained:>5}\n")
    text.append(f"\n{result_of(match, outcome)}.", "bold")
    return text


def _verdict(match: Match) -> str:
    if match.winner is None:
        return "The match is drawn."
    first, second = match.tally
    by = abs(first - second)
    return f"{match.players[match.winner]} wins the match by {points(by)}."


def _padded(name: str, width: int) -> str:
    text = Text(fitted(name, width))
    text.pad_right(width - text.cell_len)
    return text.plain
