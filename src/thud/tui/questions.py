"""What the players are asked, and the results they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rich.text import Text

from thud.rules.geometry import Square, in_file_order, square_name
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Outcome
from thud.tui import hand
from thud.tui.phrases import fitted, pieces_left, points, result_of, sentence
from thud.tui.prompt import Choice, Question

Run = Callable[[], None]

WIDTH = 26
"""The columns of a question's text."""


def captures(
    choice: hand.Choice,
    keys: Mapping[Square, tuple[str, ...]],
    *,
    toggle: Callable[[Square], None],
    confirm: Run,
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
    toggles = [Choice(pointing, None, partial(toggle, square)) for square, pointing in keys.items()]
    text.append("\n\nIts digit takes or spares.")
    return Question(
        text,
        [
            *toggles,
            Choice(("enter", "space", "a"), "capture these", confirm),
            Choice(("n",), "none of them", clear),
            Choice(("escape", "backspace"), "back", back),
        ],
    )


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
    text = Text.assemble(
        (f"Battle {match.number} is over", "bold"),
        f"\n{sentence(outcome.because)}.\n\n",
        *(_reckoned(match, side, outcome.score.of(side)) for side in Side),
        (f"\n{result_of(match, outcome)}.", "bold"),
    )
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
    text = Text.assemble(
        ("The match is over", "bold"),
        f"\n{sentence(outcome.because)}.\n\n",
        f"{_padded('battle', WIDTH - 15)}{1:>5}{2:>5}{'sum':>5}\n",
        *(_summed(match, player) for player in range(len(match.players))),
        (f"\n{_verdict(match)}", "bold"),
    )
    return Question(
        text,
        [
            Choice(("n",), "new match", again),
            Choice(("u",), "take back", undo),
            Choice(("q",), "quit", leave),
        ],
    )


def _reckoned(match: Match, side: Side, gained: float) -> str:
    """Return the line of one side's points: player, pieces left, what they are worth."""
    worth = match.variant.worth.get(side)
    left = pieces_left(match.battle.position, side) + (f" × {worth}" if worth else "")
    return f"{_padded(match.name_of(side), WIDTH - 17)}{left:>13}{points(gained):>4}\n"


def _summed(match: Match, player: int) -> str:
    """Return the line of one player's points: each battle and the sum."""
    figures = (*match.points(player), match.tally[player])
    columns = "".join(points(number).rjust(5) for number in figures)
    return f"{_padded(match.players[player], WIDTH - 15)}{columns}\n"


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
