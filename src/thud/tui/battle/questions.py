"""The questions asked beside the board, and the results shown there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final

from rich.text import Text

from thud.rules.match import BATTLES, Match
from thud.rules.position import Side
from thud.session.advice import ALL_THE_SAME
from thud.session.events import Faulted, NewMatch, ProposeEnd, Undo
from thud.session.law import (
    Answer,
    Fairer,
    NextBattle,
    Request,
    TakeOver,
    TryAgain,
    Withdraw,
    allows,
)
from thud.session.state import Proposal, TableState
from thud.session.words import agreeing, proposes
from thud.text import YOU, sentence
from thud.tui.deployment import Deployment
from thud.tui.looks.fitted import fitted
from thud.tui.widgets.prompt import PromptAnswer, Question
from thud.words.match import figure, if_agreed, match_verdict, needed, result_of, why_over
from thud.words.moves import pieces_left

if TYPE_CHECKING:
    from thud.exercises.next_step import Step
    from thud.session.blunders import Blunder


WIDTH: Final = 26
"""Columns of a question's text."""

WIDE: Final = 32
"""Columns of it in a wide panel."""

BELOW: Final = 44
"""Columns of it in a panel below the board, which has few rows."""

_HEIGHT: Final = 3
_FIGURES: Final = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    ".": (" ", " ", "▀"),
    ":": ("▄", "▄", " "),
}
_GAP: Final = 3
_OF: Final = {Side.DWARFS: "prompt--dwarfs", Side.TROLLS: "prompt--trolls"}


def large(first: float, second: float, width: int, colours: Sequence[str] = ("", "")) -> Text:
    """Return two results in figures three lines high, or nothing if they are too wide.

    Args:
        first: the result on the left.
        second: the one on the right.
        width: the columns available.
        colours: the names of their styles.
    """
    parts = [in_figures(text) for text in (figure(first), ":", figure(second))]
    if sum(len(part[0]) for part in parts) + 2 * _GAP > width:
        return Text()
    text = Text()
    for line in range(_HEIGHT):
        for part, colour in zip(parts, (colours[0], "", colours[1]), strict=True):
            text.append(" " * _GAP * bool(part is not parts[0]) + part[line], colour)
        text.append("\n")
    return text


def in_figures(number: str) -> list[str]:
    """Return the three lines of a number in large figures."""
    return [" ".join(_FIGURES[each][line] for each in number) for line in range(_HEIGHT)]


def doubted(doubt: Blunder) -> Question[bool]:
    """Show the coach's objection to a move, and ask whether to play it."""
    text = Text.assemble(("The coach", "bold"), f"\n\n{doubt.because}\n\n{ALL_THE_SAME}")
    return Question(
        text,
        [
            PromptAnswer(("y",), "play it", True),
            PromptAnswer(("n", "escape", "backspace"), "choose again", False),
        ],
        is_modal=True,
    )


def leave(outlook: str, label: str) -> Question[bool]:
    """Ask whether to leave in the middle of a match; `outlook` says what happens to it."""
    text = Text.assemble((f"{label}?", "bold"), f"\n\n{outlook}")
    go = PromptAnswer(("y", "q", "enter"), label.lower(), True)
    return Question(text, [go, PromptAnswer(("n", "escape"), "play on", False)], is_modal=True)


def sure(asked: str, then: str, yes: str, no: str = "play on") -> Question[bool]:
    """Confirm something irreversible, saying what follows from it."""
    text = Text.assemble((asked, "bold"), f"\n\n{then}")
    answers = [
        PromptAnswer(("y",), yes, True),
        PromptAnswer(("n", "escape", "backspace"), no, False),
    ]
    return Question(text, answers, is_modal=True)


def copy() -> Question[str]:
    """Ask what to copy to the clipboard; "" for nothing."""
    return Question(
        Text("Copy to the clipboard", "bold"),
        [
            PromptAnswer(("p",), "the position", "position"),
            PromptAnswer(("m",), "the moves", "moves"),
            PromptAnswer(("s",), "a picture (SVG)", "picture"),
            PromptAnswer(("l",), "a link to the match", "link"),
            PromptAnswer(("escape", "c"), "cancel", ""),
        ],
    )


# What the session asks


class Then(Enum):
    """Answers to what the session asks, besides requests to it."""

    REVIEW = "review the battle"
    REPLAY = "replay the battle"
    PICTURE = "save a picture"
    LEAVE = "leave"
    ONWARD = "go on with what is to be done next"


def failed(match: Match, fault: Faulted) -> Question[TakeOver | TryAgain]:
    """Report that a computer player has failed, and ask how to go on."""
    name = match.players[fault.player]
    text = Text.assemble((f"{name} cannot go on", "bold"), f"\n{fault.fault}.")
    return Question(
        text,
        [
            PromptAnswer(("a", "enter"), "let it try again", TryAgain()),
            PromptAnswer(("p",), "a person takes over", TakeOver()),
        ],
        is_modal=True,
    )


def proposed(state: TableState, proposal: Proposal, *, withdrawable: bool) -> Question[Request]:
    """Ask a player whether they agree to the other side's proposal."""
    text = _proposal(state, proposal).append(f"\n\n{agreeing(state, proposal.by)}")
    wish = proposal.wish
    refusal = Answer(False, wish)
    declining = "play on"
    if isinstance(wish, Undo):
        declining = "leave it ended" if state.battle.agreed else "leave it played"
    answers: list[PromptAnswer[Request]] = [
        PromptAnswer(("y",), "agree", Answer(True, wish)),
        # Not on N for a new match, as N may just have proposed it.
        PromptAnswer(("escape", "backspace"), "not now", refusal)
        if isinstance(wish, NewMatch)
        else PromptAnswer(("n",), declining, refusal),
    ]
    if withdrawable:
        answers.append(PromptAnswer(("escape",), "withdraw it", Withdraw()))
    return Question(text, answers, is_modal=True)


def awaited(state: TableState, proposal: Proposal) -> Question[Request]:
    """Show a proposal to a remote player until they answer."""
    text, asked = _proposal(state, proposal), state.match.name_of(proposal.by.other)
    text.append("\n\nWaiting for ").append(asked, "bold").append(" …")
    return Question(text, [PromptAnswer(("escape",), "withdraw it", Withdraw())])


def _proposal(state: TableState, proposal: Proposal) -> Text:
    """Describe a side's proposal, and the result if it ends the battle."""
    match, battle = state.with_display_names, state.battle
    told, name = proposes(state, proposal), match.name_of(proposal.by)
    if isinstance(proposal.wish, ProposeEnd) and battle.outcome is None:
        told += f" {if_agreed(match)}"
    return Text.assemble((name, "bold"), told.removeprefix(name))


def over(
    state: TableState,
    deployment: Deployment,
    *,
    leaving: str,
    figures: Sequence[str] = (),
    onward: Step | None = None,
    width: int = WIDTH,
    high: bool = False,
) -> Question[Request | Then]:
    """Show how a battle or the match ended, and ask what to do next.

    Args:
        state: the match played.
        deployment: where the app runs.
        leaving: what leaving is called.
        figures: how accurate the player's moves were, and how the match has changed their rating,
            as far as that is known.
        onward: what is to be done next, if the match is over and that is known.
        width: columns of the text.
        high: whether there is room for large figures.
    """
    from thud.session.fairer import fairer_match

    ends = state.match.over
    goes_on = NewMatch() if ends else NextBattle()
    answers: list[PromptAnswer[Request | Then]] = []
    if state.takes_part and not (ends and state.arranged):
        short = width == WIDTH
        if ends:
            label = "again" if short else "another match"
        else:
            label = "battle 2" if short else "begin battle 2"
        label += "" if width == BELOW else _sides_next(state)
        answers.append(PromptAnswer(("enter", "n"), label, goes_on))
    if allows(state, Fairer()) and (fairer := fairer_match(state)):
        answers.append(PromptAnswer(("e",), fairer.words, Fairer()))
    if onward:
        answers.append(PromptAnswer(("N",), onward.answer, Then.ONWARD))
    if deployment.allows("review"):
        answers.append(PromptAnswer(("m",), "review", Then.REVIEW))
        answers.append(PromptAnswer(("r",), "replay", Then.REPLAY))
    if deployment.allows("picture"):
        answers.append(PromptAnswer(("S",), "picture", Then.PICTURE))
    if allows(state, Undo()):
        answers.append(PromptAnswer(("u",), "play on" if state.battle.agreed else "undo", Undo()))
    answers.append(PromptAnswer(("q", "escape"), leaving.lower(), Then.LEAVE))
    told = _result(state.with_display_names, width, high=high)
    if ends:
        told.append("".join(f"\n{each}" for each in figures))
    else:
        told.append(f"\n{state.aimed or needed(state.with_display_names)}")
        told.append("".join(f"\n{each}" for each in figures))
    return Question(told, answers, is_unhurried=True)


def _sides_next(state: TableState) -> str:
    """Say who has the dwarfs in the battle that comes next, and so begins."""
    match = state.with_display_names
    if match.over:
        # Two people at one board swap who begins.
        name = match.players[len(state.seats.local) - 1] if state.seats.local else match.players[0]
    else:
        name = match.name_of(Side.DWARFS, BATTLES)
    if YOU in match.players:
        return " as dwarfs" if name == YOU else " as trolls"
    return f", {name} has the dwarfs"


def _result(match: Match, width: int, *, high: bool) -> Text:
    """Describe how a battle ended, or with the second one the match."""
    outcome, ends = match.battle.outcome, match.over
    assert outcome
    heading = "The match is over" if ends else f"Battle {match.number} is over"
    text = Text.assemble((heading, "bold"), f"\n{sentence(why_over(match, outcome))}\n")
    if high:
        # The battle's points, or the players' totals once the match is over.
        score = outcome.score
        figures = (
            large(*match.tally, width)
            if ends
            else large(score.dwarfs, score.trolls, width, tuple(_OF.values()))
        )
        if figures:
            names = match.players if ends else tuple(map(match.name_of, Side))
            text.append("\n").append(_padded(names[0], width // 2)).append(f"{names[1]}\n")
            text.append(figures)
    text.append("\n")
    if ends:
        text.append(_table(match, width))
    else:
        # For each side the player and their points, and how those came about.
        for side in Side:
            worth, gained = match.variant.worth.get(side, 1), figure(outcome.score.of(side))
            left = pieces_left(match.battle.position, side) + (f" × {worth}" if worth > 1 else "")
            reason = outcome.reason.value if outcome.is_forfeit(side) else left
            name, low = match.name_of(side), width == BELOW
            if low:
                text.append(f"{_padded(name, width // 2)}{reason:{max(0, width - width // 2 - 4)}}")
            else:
                text.append(_padded(name, width - 4))
            text.append(f"{gained:>4}\n", _OF[side]).append("" if low else f"  {reason}\n")
    verdict = match_verdict(match, brief=True) if ends else result_of(match, outcome, brief=True)
    if len(verdict) >= width:
        verdict = verdict.replace(" by ", "\nby ")
    return text.append(f"{verdict}.", "bold")


_COLUMN: Final = len(" dwarfs")
_BOTH: Final = len(" both")


def _table(match: Match, width: int) -> Text:
    """Return a row for each player: the points made with each side, and the sum."""
    text = Text(_padded("points", width - len(Side) * _COLUMN - _BOTH))
    for side in Side:
        text.append(f"{side.plural:>{_COLUMN}}", _OF[side])
    text.append(f"{'both':>{_BOTH}}\n")
    made = [
        {match.side_of(player, n): figure(p) for n, p in enumerate(match.points(player), 1)}
        for player in range(len(match.players))
    ]
    # A name may reach below the word above the first figure.
    column = width - _COLUMN - _BOTH
    room = column - 1 - max(len(each[Side.DWARFS]) for each in made)
    alike = len({fitted(name, room) for name in match.players}) == 1
    for name, of_side, both in zip(match.players, made, match.tally, strict=True):
        text.append(f"{fitted(name, width)}\n" if alike else _padded(name, room))
        dwarfs, trolls = of_side[Side.DWARFS], of_side[Side.TROLLS]
        text.append(dwarfs.rjust(column if alike else column - room), _OF[Side.DWARFS])
        text.append(trolls.rjust(_COLUMN), _OF[Side.TROLLS])
        text.append(f"{figure(both).rjust(_BOTH)}\n", "bold")
    return text


def _padded(name: str, width: int) -> str:
    text = Text(fitted(name, width))
    text.pad_right(width - text.cell_len)
    return text.plain
