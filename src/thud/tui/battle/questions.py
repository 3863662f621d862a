"""The questions asked beside the board, and the results shown there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from thud.rules.geometry import Square, in_file_order, square_name
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Outcome
from thud.session.advice import ALL_THE_SAME
from thud.session.events import Wish
from thud.session.view import SessionView
from thud.text import capitalised, sentence
from thud.tui.battle.hand import CaptureChoice
from thud.tui.deployment import Deployment
from thud.tui.looks.fitted import fitted
from thud.tui.widgets.margin_graph import bars
from thud.tui.widgets.prompt import Answer, Question, Run
from thud.wording.outcomes import figure, if_agreed, match_verdict, result_of, why_over
from thud.wording.pieces import pieces_left
from thud.wording.session import agreeing, proposes

if TYPE_CHECKING:
    from thud.session.blunders import Blunder


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
    parts = [_drawn(figure(first)), _drawn(":"), _drawn(figure(second))]
    if sum(len(part[0]) for part in parts) + 2 * _GAP > width:
        return Text()
    text = Text()
    for line in range(_HEIGHT):
        for part, colour in zip(parts, (colours[0], "", colours[1]), strict=True):
            text.append(" " * _GAP * bool(part is not parts[0]) + part[line], colour)
        text.append("\n")
    return text


def of_sides(dwarfs: float, trolls: float, width: int) -> Text:
    """Return the points of both sides in large figures of their colours."""
    return large(dwarfs, trolls, width, tuple(_OF.values()))


def _drawn(text: str) -> list[str]:
    return [" ".join(_FIGURES[each][line] for each in text) for line in range(_HEIGHT)]


def margin_lines(leads: Sequence[float], width: int) -> Text:
    """Return the course of the lead as two lines of bars; empty if nobody ever led."""
    text = Text()
    if not any(leads):
        return text
    for side, label, drawn in bars(leads, width):
        text.append(label, _OF[side])
        for bar, hanging in drawn:
            text.append(bar, _OF[side])
            if hanging:
                text.stylize("reverse", len(text) - 1)
        text.append("\n")
    return text


WIDTH = 26
"""Columns of a question's text."""


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
    """Ask which pieces to capture; `keys` maps each victim to the keys that point to it."""
    taken, victims = choice.taken.bit_count(), choice.victims.bit_count()
    text = Text.assemble(
        ("Capture from ", ""),
        (square_name(choice.destination), "bold"),
        f": {taken} of {victims}\n",
    )
    for index, square in enumerate(in_file_order(choice.victims)):
        mark = "×" if choice.taken >> square & 1 else " "
        key = keys[square][0]
        text.append("   " if index % 2 else "\n")
        text.append(f"{key} [{mark}] {square_name(square):<3}")
    toggles = [Answer(pointing, None, partial(toggle, square)) for square, pointing in keys.items()]
    single = victims == 1
    if single:
        (pointing,) = keys.values()
        text.append(f"\n\nClick it, or press {pointing[0]}, to {'spare' if taken else 'take'} it.")
    else:
        text.append("\n\nClick one, or press its number, to take or spare it.")
    these = ("capture it" if taken else "spare it") if single else "capture these"
    every, none = (None, None) if single else ("all of them", "none of them")
    return Question(
        text,
        [
            *toggles,
            Answer(("enter", "space", "5", "kp_begin"), these, confirm),
            *([Answer(("a",), every, take_all)] if choice.all_at_once else []),
            *([Answer(("n",), none, clear)] if choice.none_at_all else []),
            Answer(("escape", "backspace"), "back", back),
        ],
    )


def failed(fault: str, name: str, *, again: Run, take_over: Run) -> Question:
    """Report that a computer player has failed, and ask how to go on."""
    text = Text.assemble((f"{name} cannot go on", "bold"), f"\n{capitalised(fault)}.")
    return Question(
        text,
        [
            Answer(("a", "enter"), "let it try again", again),
            Answer(("p",), "a person takes over", take_over),
        ],
        is_modal=True,
    )


def doubted(doubt: Blunder, *, play: Run, keep: Run) -> Question:
    """Show the coach's objection to a move, and ask whether to play it."""
    text = Text.assemble(("The coach", "bold"), f"\n\n{doubt.because}\n\n{ALL_THE_SAME}")
    return Question(
        text,
        [
            Answer(("y",), "play it", play),
            Answer(("n", "escape", "backspace"), "choose again", keep),
        ],
        is_modal=True,
    )


def proposed(
    session: SessionView, by: Side, wish: Wish, *, agree: Run, refuse: Run, withdraw: Run | None
) -> Question:
    """Ask a player whether they agree to the other side's proposal."""
    text = _proposal(session, by, wish).append(f"\n\n{agreeing(session, by)}")
    return Question(
        text,
        [
            Answer(("y",), "agree", agree),
            _refusal(wish, refuse),
            *([Answer(("escape",), "withdraw it", withdraw)] if withdraw else []),
        ],
        is_modal=True,
    )


def _refusal(wish: Wish, refuse: Run) -> Answer:
    """Return the refusal; not on N for a new match, as N may just have proposed it."""
    if wish is Wish.NEW_MATCH:
        return Answer(("escape", "backspace"), "not now", refuse)
    return Answer(("n",), "play on", refuse)


def awaited(session: SessionView, by: Side, wish: Wish, *, withdraw: Run) -> Question:
    """Show a proposal to a remote player until they answer."""
    text = _proposal(session, by, wish)
    text.append("\n\nWaiting for ").append(session.match.name_of(by.other), "bold").append(" …")
    return Question(text, [Answer(("escape",), "withdraw it", withdraw)])


def _proposal(session: SessionView, by: Side, wish: Wish) -> Text:
    """Describe a side's proposal, and the result if it ends the battle."""
    match, battle = session.with_display_names, session.battle
    told, name = proposes(session, by, wish), match.name_of(by)
    if wish is Wish.END and battle.outcome is None:
        told += f" {if_agreed(match)}"
    return Text.assemble((name, "bold"), told.removeprefix(name))


def told(text: Text, back: Run) -> Question:
    """Show a text until a key closes it."""
    close = ("escape", "enter", "space", "d", "backspace")
    return Question(text, [Answer(close, "close", back)])


def leave(outlook: str, deployment: Deployment, *, leave: Run, stay: Run) -> Question:
    """Ask whether to quit in the middle of a match; `outlook` says what happens to it."""
    text = Text.assemble((f"{deployment.label('battle.quit')}?", "bold"), f"\n\n{outlook}")
    go = Answer(("y", "q", "enter"), deployment.label("battle.quit").lower(), leave)
    return Question(text, [go, Answer(("n", "escape"), "play on", stay)], is_modal=True)


def sure(asked: str, then: str, labels: tuple[str, str], *, do: Run, back: Run) -> Question:
    """Confirm something irreversible, saying what follows from it."""
    yes, no = labels
    text = Text.assemble((asked, "bold"), f"\n\n{then}")
    answers = [Answer(("y",), yes, do), Answer(("n", "escape", "backspace"), no, back)]
    return Question(text, answers, is_modal=True)


def copy(*, position: Run, moves: Run, picture: Run, back: Run) -> Question:
    """Ask what to copy to the clipboard."""
    return Question(
        Text("Copy to the clipboard", "bold"),
        [
            Answer(("p",), "the position", position),
            Answer(("m",), "the moves", moves),
            Answer(("s",), "a picture (SVG)", picture),
            Answer(("escape", "c"), "cancel", back),
        ],
    )


class Result(NamedTuple):
    """The result of a battle, as shown."""

    match: Match
    leads: Sequence[float]
    """The dwarfs' lead after each of its moves."""
    agreement: str = ""
    """Who has just agreed to end it, if that ended it."""
    large: bool = False
    """Whether there is room for large figures, and for the margin graph in the panel above."""

    @property
    def figures(self) -> Text:
        """The battle's points in large figures, or the players' totals once the match is over."""
        if not self.large:
            return Text()
        score = _outcome(self.match).score
        if self.match.over:
            drawn = large(*self.match.tally, WIDTH)
        else:
            drawn = of_sides(score.dwarfs, score.trolls, WIDTH)
        return Text("\n") + drawn if drawn else drawn

    @property
    def line(self) -> Text:
        """The course of the lead, unless the margin graph shows it already."""
        return Text() if self.large else margin_lines(self.leads, WIDTH)


class Next(NamedTuple):
    """What can be done after a battle."""

    go_on: Run | None
    """None if nobody here takes part."""
    undo: Run | None
    """None if nothing can be taken back."""
    undoes: str
    """What undo does."""
    review: Run
    replay: Run
    picture: Run | None
    """None where the deployment has no pictures."""
    leave: Run
    deployment: Deployment

    def answers(self, label: str) -> list[Answer]:
        """Return the answers, the first to go on with the given label."""
        names = map(self.deployment.label, ("battle.picture", "battle.quit"))
        save_picture, leave = map(str.lower, names)
        return [
            *([Answer(("enter", "n"), label, self.go_on)] if self.go_on else []),
            Answer(("m",), "review it", self.review),
            Answer(("r",), "replay it", self.replay),
            *([Answer(("S",), save_picture, self.picture)] if self.picture else []),
            *([Answer(("u",), self.undoes, self.undo)] if self.undo else []),
            Answer(("q",), leave, self.leave),
        ]


def battle_over(result: Result, then: Next) -> Question:
    """Show how a first battle ended, and go on to the second."""
    match, outcome = result.match, _outcome(result.match)
    text = Text.assemble(
        (f"Battle {match.number} is over", "bold"),
        f"\n{result.agreement or sentence(why_over(match, outcome))}\n",
        result.figures,
        "\n",
        *(_reckoned(match, side, outcome) for side in Side),
        result.line,
        (f"{result_of(match, outcome, brief=True)}.", "bold"),
    )
    return Question(text, then.answers("begin battle 2"), is_unhurried=True)


def match_over(result: Result, then: Next) -> Question:
    """Show how the second battle ended and the result of the match, and go on to a new one."""
    match, outcome = result.match, _outcome(result.match)
    text = Text.assemble(
        ("The match is over", "bold"),
        f"\n{result.agreement or sentence(why_over(match, outcome))}\n",
        result.figures,
        "\n",
        f"{_padded('battle', WIDTH - 15)}{1:>5}{2:>5}{'both':>5}\n",
        *(_summed(match, player) for player in range(len(match.players))),
        result.line,
        (f"{match_verdict(match, brief=True)}.", "bold"),
    )
    return Question(text, then.answers("new match"), is_unhurried=True)


def _outcome(match: Match) -> Outcome:
    if match.battle.outcome is None:
        raise ValueError("the battle is not over")
    return match.battle.outcome


def _reckoned(match: Match, side: Side, outcome: Outcome) -> str:
    """Return two lines on one side: the player and their points, and how those came about."""
    worth, gained = match.variant.worth.get(side), figure(outcome.score.of(side))
    left = pieces_left(match.battle.position, side) + (f" × {worth}" if worth else "")
    reason = outcome.reason.value if outcome.is_forfeit(side) else left
    return f"{_padded(match.name_of(side), WIDTH - 4)}{gained:>4}\n  {reason}\n"


def _summed(match: Match, player: int) -> str:
    """Return a row of one player's points: each battle and the sum."""
    figures = (*match.points(player), match.tally[player])
    columns = "".join(figure(number).rjust(5) for number in figures)
    name = match.players[player]
    if cell_len(name) > WIDTH - 15:
        return f"{fitted(name, WIDTH)}\n{columns.rjust(WIDTH)}\n"
    return f"{_padded(name, WIDTH - 15)}{columns}\n"


def _padded(name: str, width: int) -> str:
    text = Text(fitted(name, width))
    text.pad_right(width - text.cell_len)
    return text.plain
