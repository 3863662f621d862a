"""The form of a new match: game, clock, players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from thud.engines.spec import (
    FAIR,
    HUMAN,
    Contender,
    distinct,
    level_contender,
    parse_contender,
    with_guests,
)
from thud.records.programs import HIGHEST_LEVEL
from thud.rules.clock import parse_control
from thud.rules.handicaps import starts_at
from thud.rules.match import Match
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import CLOCKS, DAYS, HANDICAPS, LastChoices
from thud.strength.levels import RATINGS
from thud.strength.people import Strength, person
from thud.tui.keys.bindings import NAME_KEYS
from thud.tui.textual_fixes import TextLine
from thud.tui.widgets.menu import Choice, Command
from thud.visitor.profile import clean
from thud.wording.clocks import in_short
from thud.wording.standing import handicap_in_short

_SIDES: Final = ("Dwarfs", "Trolls")
_LONGEST_NAME: Final = 40
_ROOM: Final = 15
"""Columns of a row's value in the narrowest menu."""


class NameInput(TextLine):
    """An input for a player's name."""

    BINDINGS: ClassVar[list[BindingType]] = [*NAME_KEYS]

    _before: str | None = None

    def on_focus(self) -> None:
        """Remember the name, to restore it, and mark the row."""
        self._before = self.value
        self.query_ancestor(".name").add_class("-focused")

    def on_blur(self) -> None:
        """Take the mark away."""
        self._before = None
        self.query_ancestor(".name").remove_class("-focused")

    def action_restore(self) -> None:
        """Undo what was typed since the input got the focus, if that has been noticed yet."""
        if self._before is not None:
            self.value = self._before

    async def action_submit(self) -> None:
        """Focus the next row before the next key is handled."""
        self.app.action_focus_next()


class MatchForm(Vertical):
    """The form's rows.

    Args:
        choices: the choices of the last time.
        in_club: whether it is in a club, where strangers read the players' names.
    """

    DEFAULT_CSS = """
    MatchForm {
        height: auto;
        #strength { height: auto; margin: 0 0 0 2; color: $foreground-muted; display: none; }
        #strength.-known { display: block; }
        .name { height: 1; display: none; }
        .name.-person { display: block; }
        .name Static { width: 11; visibility: hidden; }
        .name.-focused Static { visibility: visible; }
        .name Input { width: 1fr; }
        #play { text-style: bold; color: $accent; &:focus { color: $block-cursor-foreground; } }
    }
    """

    def __init__(self, choices: LastChoices, *, in_club: bool = False) -> None:
        super().__init__(id="match")
        self._last = choices
        self._in_club = in_club
        self._known: Mapping[str, Strength] = {}

    def compose(self) -> ComposeResult:
        """Lay out the rows."""
        last = self._last
        games = [(name, variant.short) for name, variant in VARIANTS.items()]
        yield Choice("Game", games, last.variant, id="game")
        controls = (*CLOCKS, *DAYS) if self._in_club else CLOCKS
        days = {each: in_short(parse_control(each)) for each in DAYS}
        clocks = [("", "none"), *((each, days.get(each, each)) for each in controls)]
        yield Choice("Handicap", _handicaps(last.names), last.handicap, id="odds")
        yield Choice("Clock", clocks, last.clock, id="clock")
        seats = [(HUMAN, "a person"), (FAIR, "your own level"), *_levels()]
        for number, side in enumerate(_SIDES):
            seat = last.seats[number]
            chosen = seat if seat in dict(seats) else HUMAN
            yield Choice(side, seats, chosen, id=f"seat-{number}")
            with Horizontal(classes="name", id=f"name-{number}"):
                yield Static("»")
                name = last.names[number]
                yield NameInput(name, placeholder="name", max_length=_LONGEST_NAME, compact=True)
        yield Command("Play", id="play")
        yield Static(id="strength", markup=False)

    @property
    def apart(self) -> bool:
        """Whether the match is for two people in a club, each at their own screen."""
        return self._in_club and self._seats == (HUMAN, HUMAN)

    @property
    def opener(self) -> int:
        """The player, 0 or 1, that the person opening a table is."""
        return int(self._seats[0] != HUMAN and self._seats[1] == HUMAN)

    @property
    def _play_note(self) -> str:
        """Who plays."""
        computers = [_level_in_short(seat) for seat in self._seats if seat != HUMAN]
        if not computers:
            return "against anybody" if self._in_club else "two people here"
        return f"against {computers[0]}" if len(computers) == 1 else "two computers"

    def on_mount(self) -> None:
        """Show a name input for each person."""
        self._show_names()

    # What is chosen

    def _value(self, row: str) -> str:
        return str(self.query_one(f"#{row}", Choice).value)

    @property
    def variant(self) -> Variant:
        """The game."""
        return VARIANTS[self._value("game")]

    @property
    def names(self) -> tuple[str, str]:
        """The names as typed."""
        first, second = (self.query_one(f"#name-{n} Input", Input).value for n in range(2))
        return (clean(first), clean(second)) if self._in_club else (first, second)

    @property
    def person(self) -> str | None:
        """The name of the first person who plays, None if only computers play."""
        pairs = zip(self.names, self._seats, strict=True)
        return next((name for name, seat in pairs if seat == HUMAN), None)

    @property
    def fair(self) -> bool:
        """Whether a level as strong as the person is chosen."""
        return FAIR in self._seats

    @property
    def choices(self) -> LastChoices:
        """All choices, to be saved for the next time."""
        game, odds, clock = map(self._value, ("game", "odds", "clock"))
        return LastChoices(game, self._seats, self.names, odds, clock)

    def seat(self, opponent: str) -> None:
        """Seat an opponent against the person, who has the dwarfs unless set to the trolls.

        Args:
            opponent: the opponent, spelled as on the command line.
        """
        first, second = self._seats
        seats = (opponent, HUMAN) if second == HUMAN != first else (HUMAN, opponent)
        for number, seat in enumerate(seats):
            self.query_one(f"#seat-{number}", Choice).set_value(seat)
        self._follow_choice()

    def match(
        self, fair_level: int = 0, *, hosted: bool = False
    ) -> tuple[Match, tuple[Contender, Contender]]:
        """Return the chosen match and its contenders.

        Args:
            fair_level: the level to use for "your own level".
            hosted: whether one of the players is a remote guest.

        Raises:
            ValueError: the names are not valid for two players.
        """
        first, second = (
            level_contender(fair_level) if seat == FAIR else parse_contender(seat)
            for seat in self._seats
        )
        if hosted:
            guest = 0 if second.human and not first.human else 1
            first, second = with_guests((first, second), [guest])
        variant, odds, clock = self.variant, self._value("odds"), self._value("clock")
        starts = starts_at(variant, HANDICAPS[odds]) if odds else (variant.start, variant.start)
        control = parse_control(clock) if clock else None
        names = self._players((first, second))
        return Match(variant, names, *starts, control=control), (first, second)

    def _players(self, seats: tuple[Contender, Contender]) -> tuple[str, str]:
        first, second = (
            typed if seat.human else seat.name
            for typed, seat in zip(self.names, seats, strict=True)
        )
        return (first, second) if any(seat.human for seat in seats) else distinct(first, second)

    @property
    def _seats(self) -> tuple[str, str]:
        return self._value("seat-0"), self._value("seat-1")

    # What is shown

    def show_strengths(self, known: Mapping[str, Strength]) -> None:
        """Show the strengths of people and levels."""
        self._known = known
        self._show_strength()

    def _show_strength(self) -> None:
        """Tell the person their level, if known and somebody else is a computer."""
        computers = any(seat != HUMAN for seat in self._seats)
        known = self._known.get(person(self.person or "")) if computers else None
        shown = self.query_one("#strength", Static)
        shown.set_class(known is not None, "-known")
        if known:
            said = "You play like level" if known.sure else "Your level so far:"
            shown.update(f"{said} {known.level_text}.")

    def _show_handicaps(self) -> None:
        """Label the handicaps with the players' current names."""
        first, second = map(_in_short, self.names, self._seats, ("the first", "the second"))
        self.query_one("#odds", Choice).call(_handicaps((first, second)))

    def _show_names(self) -> None:
        self._show_handicaps()
        for number, seat in enumerate(self._seats):
            self.query_one(f"#name-{number}").set_class(
                seat == HUMAN and not (self.apart and number), "-person"
            )
        self.query_one("#play", Command).set_note(self._play_note)

    @on(Choice.Changed)
    def _follow_choice(self) -> None:
        self._show_names()
        self._show_strength()

    @on(Input.Changed)
    def _follow_name(self) -> None:
        self._show_handicaps()
        self._show_strength()


def met(seat: str) -> str:
    """Describe a level and its rating."""
    from thud.ai.levels import LEVELS

    level = int(seat.rpartition(":")[2])
    return f"{LEVELS[level].name} {LEVELS[level].meeting}. Rated {RATINGS[level].value:.0f}."


def _level_in_short(seat: str) -> str:
    return "your level" if seat == FAIR else f"level {seat.rpartition(':')[2]}"


def _in_short(name: str, seat: str, instead: str) -> str:
    """Return a player's name for a handicap, or another word if it is too wide."""
    if seat == FAIR:
        return "the level"
    short = name.strip() if seat == HUMAN else _level_in_short(seat)
    return short if cell_len(short) <= _ROOM - len("1 by ") else instead


def _levels() -> list[tuple[str, str]]:
    """Return the computer's levels as a row's values."""
    seats = [(level, level_contender(level)) for level in range(1, HIGHEST_LEVEL + 1)]
    return [(seat.text, f"{level} {seat.name}") for level, seat in seats]


def _handicaps(names: tuple[str, str]) -> list[tuple[str | bool, str]]:
    """Return the handicaps as a row's values."""
    called = (handicap_in_short(names, each) for each in HANDICAPS.values())
    return [("", "none"), *zip(HANDICAPS, called, strict=True)]
