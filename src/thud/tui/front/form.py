"""The ways to play at this terminal, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from thud.engines.spec import (
    COMPUTER,
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
from thud.rules.match import (
    DEFAULT_PLAYERS,
    LONGEST_NAME,
    MOST_STEPS,
    Match,
    player_names,
    starts_at,
)
from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import CLOCKS, DAYS, HANDICAPS, LastChoices
from thud.strength.people import Strength, fair_level, person
from thud.text import capitalised
from thud.tui.actions import bindings
from thud.tui.dialog_fixes import FixedModalScreen, TextLine
from thud.tui.keys.bar import KeyBar
from thud.tui.textual_fixes import OrderedScreen
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.menu import Choice, Command, CommandChoice, Row
from thud.words.clocks import in_short
from thud.words.match import easier_side

_SIDES: Final = (("0", "dwarfs first"), ("1", "trolls first"))
_SIDE_WIDTH: Final = 15
"""Columns of a side's label."""

_HANDICAPS: Final = (
    ("", "none"),
    *((f"1:{steps}", f"you give {steps}") for steps in range(1, MOST_STEPS + 1)),
    *((f"2:{steps}", f"you get {steps}") for steps in range(1, MOST_STEPS + 1)),
)
"""Handicaps as if the person here were the first player."""


_LEVELS: Final = tuple(
    (seat.text, f"{level} {seat.name}")
    for level, seat in ((n, level_contender(n)) for n in range(1, HIGHEST_LEVEL + 1))
)
"""The computer's levels as a row's values."""


class NameInput(TextLine):
    """An input for a player's name."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("name")

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


class NameRow(Horizontal):
    """A row with a player's name.

    Args:
        label: the row's label.
        name: the name at first.
        id: the row's name within the menu.
    """

    DEFAULT_CSS = """
    NameRow {
        height: 1;
        .pointer { width: 2; visibility: hidden; }
        &.-focused .pointer { visibility: visible; }
        .label { width: 9; }
        Input { width: 1fr; }
    }
    """

    def __init__(self, label: str, name: str, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id, classes="name")
        self._label = label
        self._name_at_first = name

    def compose(self) -> ComposeResult:
        """Lay out the label and the name."""
        yield Static("»", classes="pointer")
        yield Static(self._label, classes="label")
        at_first = self._name_at_first
        yield NameInput(at_first, placeholder="name", max_length=LONGEST_NAME, compact=True)

    @property
    def value(self) -> str:
        """The name as typed."""
        return self.query_one(NameInput).value

    @value.setter
    def value(self, name: str) -> None:
        self.query_one(NameInput).value = name


class RowsScreen(FixedModalScreen[tuple[str, str] | None]):
    """A dialog of rows, which Escape closes."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("rows")

    DEFAULT_CSS = """
    RowsScreen {
        align: center middle;
        #rows {
            width: 46;
            max-width: 95%;
            height: auto;
            padding: 1 2;
            background: $surface;
            border: round $primary;
        }
        .title { text-style: bold; margin: 0 0 0 2; }
        .hint { margin: 0 0 1 2; color: $foreground-muted; }
        #rows .label { width: 15; }
        #refusal { margin: 1 0 0 2; display: none; }
        #rows Command { margin: 1 0 0 0; text-style: bold; }
    }
    """

    def __init__(self, title: str, hint: str, rows: Sequence[NameRow | Choice]) -> None:
        super().__init__()
        self._title, self._hint, self._rows = title, hint, rows

    def compose(self) -> ComposeResult:
        """Lay out the rows below their title."""
        with Vertical(id="rows"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._hint, classes="hint", markup=False)
            yield from self._rows
            yield from self.compose_below()
        yield KeyBar()

    def compose_below(self) -> ComposeResult:
        """Lay out what is below the rows."""
        yield from ()

    def on_mount(self) -> None:
        """Write the rows."""
        for row in self.query(Row):
            row.ascii_only, row.label_width = settings_of(self.app).ascii, _SIDE_WIDTH
            row.write()

    def action_close(self) -> None:
        """Close the dialog."""
        if self.is_current:
            self.dismiss(None)


class PairScreen(RowsScreen):
    """Asks for both names, or both computers; the answer is that pair, None if cancelled.

    Args:
        title: what the match is.
        pair: both names, or both computers as on the command line, at first.
        computers: whether they are computers.
    """

    def __init__(self, title: str, pair: tuple[str, str], *, computers: bool = False) -> None:
        rows: list[NameRow | Choice] = []
        for number, ((_, label), each) in enumerate(zip(_SIDES, pair, strict=True)):
            if computers:
                levels = [(COMPUTER, "the best"), *_LEVELS]
                rows.append(Choice(capitalised(label), levels, each, id=f"level-{number}"))
            else:
                rows.append(NameRow(capitalised(label), each, id=f"name-{number}"))
        takes = "Choose both" if computers else "Enter takes each name"
        hint = f"{takes}; on Play, Enter begins."
        super().__init__(title, hint, rows)
        self._computers = computers
        self._known = pair != DEFAULT_PLAYERS

    def compose_below(self) -> ComposeResult:
        """Lay out the row that begins."""
        yield Static(id="refusal", markup=False)
        yield Command("Play", id="begin")

    def on_mount(self) -> None:
        """Focus the first name, or the row that begins once names are known."""
        # At once: the next key is for it.
        self.set_focus(self.query_one("#begin" if self._known else "NameInput"))

    def action_go(self, _row: str) -> None:
        """Answer with the pair, or say why two players cannot have these names."""
        first, second = (str(row.value) for row in self._rows)
        try:
            if not self._computers:
                player_names(first, second)
        except ValueError as error:
            refusal = self.query_one("#refusal", Static)
            refusal.update(capitalised(str(error)))
            refusal.display = True
            return
        if self.is_current:
            self.dismiss((first, second))


class OptionsScreen(RowsScreen, OrderedScreen):
    """The options of a match, where the page has no room for them.

    Args:
        rows: the rows, each like one of the form's.
        take: takes the id of a row, and its value.
    """

    def __init__(self, rows: Sequence[NameRow | Choice], take: Callable[[str, str], None]) -> None:
        super().__init__("Options", "They hold for every match from now on.", rows)
        self._take = take

    @property
    def in_order(self) -> bool:
        """Whether keys are the dialog's: a line of text handles its own."""
        return not isinstance(self.focused, Input)

    def on_mount(self) -> None:
        """Focus the first row that is no line of text."""
        self.begun = True
        self.set_focus(next(each for each in self._rows if isinstance(each, Choice)))

    def action_close(self) -> None:
        """Take what is chosen, and close the dialog."""
        for row in self._rows:
            self._take(str(row.id), str(row.value))
        super().action_close()


class MatchForm(Vertical):
    """The rows to play here, with the person's side and name, game, handicap and clock.

    Args:
        choices: the choices of the last time.
        fitting: the level that fits the person, as a seat.
        visitor: the person's name in a club; None elsewhere.

    Attributes:
        last: the last choices, as they are saved.
        seats: the players of the last match begun here, as on the command line.
        opener: the player, 0 or 1, that the person here is: the first has the dwarfs first.
        is_first: whether the next match is a newcomer's first.
        own_name: the row of the person's name.
    """

    DEFAULT_CSS = """
    MatchForm {
        height: auto;
        #choices, #optional { height: auto; }
        #options { display: none; }
        &.-folded #options { display: block; }
        &.-folded #optional { display: none; }
    }
    """

    def __init__(self, choices: LastChoices, fitting: str, visitor: str | None = None) -> None:
        super().__init__(id="match")
        self.last = choices
        self._fitting = fitting
        self._in_club = visitor is not None
        offered = {HUMAN, FAIR, COMPUTER, *dict(_LEVELS)}
        first, second = (seat if seat in offered else HUMAN for seat in choices.seats)
        self.seats = (
            (first, second)
            if HUMAN in (first, second)
            else (first.replace(FAIR, fitting), second.replace(FAIR, fitting))
        )
        is_mixed = (first == HUMAN) is not (second == HUMAN)
        self.opener = int(second == HUMAN) if is_mixed else choices.opener
        self.is_first = self._seated = False
        """Whether a newcomer's first match is next, and has the side that the game suggests."""
        own = visitor if visitor is not None else choices.names[self.opener]
        own = DEFAULT_PLAYERS[0] if own in DEFAULT_PLAYERS else own
        self.own_name = NameRow("Name", own, id="own")
        if self._in_club:
            self.own_name.display = False
        self._other, self._pair = choices.names[1 - self.opener], choices.pair

    def compose(self) -> ComposeResult:
        """Lay out the rows: ways to play above what holds for all."""
        last = self.last
        levels = [(level_contender(n).text, f"level {n}") for n in range(1, HIGHEST_LEVEL + 1)]
        chosen = self.seats[1 - self.opener] if HUMAN in self.seats else ""
        chosen = chosen if chosen in dict(levels) else self._fitting
        yield CommandChoice("The computer", levels, chosen, id="computer")
        # Visitors of a club each have a screen of their own.
        if self._in_club:
            yield Command("Open a table", "for others", id="host")
        else:
            yield Command("Two players here", id="here")
        with Vertical(id="choices"):
            yield Choice("You", _SIDES, str(self.opener), id="side")
            games = [(name, variant.short) for name, variant in VARIANTS.items()]
            yield Choice("Game", games, last.variant, id="game")
            yield Command("Options", id="options")
            with Vertical(id="optional"):
                yield self.own_name
                yield from self._choices(self._turned(last.handicap), last.clock)

    def _choices(self, odds: str, clock: str) -> tuple[Choice, Choice]:
        """Return rows for the handicap and the clock."""
        controls = (*CLOCKS, *DAYS) if self._in_club else CLOCKS
        clocks = [("", "none"), *((each, in_short(parse_control(each))) for each in controls)]
        return (
            Choice("Handicap", _HANDICAPS, odds, id="odds"),
            Choice("Clock", clocks, clock, id="clock"),
        )

    def on_mount(self) -> None:
        """Say what the folded rows hold."""
        self._tell_options()

    # What is chosen

    @property
    def way(self) -> str:
        """The row that begins a match like the last one."""
        people = self.seats.count(HUMAN)
        return ("watch", "computer", "host" if self._in_club else "here")[people]

    def _value(self, row: str) -> str:
        return str(self.query_one(f"#{row}", Choice).value)

    @property
    def variant(self) -> Variant:
        """The game."""
        return VARIANTS[self._value("game")]

    @property
    def names(self) -> tuple[str, str]:
        """The name of the person here and of another, the one with the dwarfs first before."""
        own, other = self.own_name.value, self._other
        if {own, other} <= {*DEFAULT_PLAYERS}:
            return DEFAULT_PLAYERS
        if own.casefold() == other.casefold():
            other = DEFAULT_PLAYERS[1 - self.opener]
        return (other, own) if self.opener else (own, other)

    @property
    def pair(self) -> tuple[str, str]:
        """The names of two people at this terminal, those of the last time once there was one."""
        return self.names if self._pair == DEFAULT_PLAYERS else self._pair

    @pair.setter
    def pair(self, names: tuple[str, str]) -> None:
        self._pair = names

    @property
    def level(self) -> str:
        """The opponent on the computer's row: the level chosen, or the one that fits."""
        chosen = self._value("computer")
        return FAIR if chosen == self._fitting else chosen

    def against(self, opponent: str) -> tuple[str, str]:
        """Return the seats of the person here and an opponent."""
        return (opponent, HUMAN) if self.opener else (HUMAN, opponent)

    def begun(self, seats: tuple[str, str]) -> LastChoices:
        """Take all choices as the last ones, and return them to be saved."""
        game, odds, clock = map(self._value, ("game", "odds", "clock"))
        fitting = int(self._fitting.rpartition(":")[2])
        names, self.seats, self.is_first = self.names, seats, False
        odds = self._turned(odds)
        said = game, seats, names, odds, clock, fitting, self.opener, self._pair
        self.last = LastChoices(*said, self.last.rows)
        return self.last

    def match(
        self, seats: tuple[str, str], fair_level: int = 0, *, hosted: bool = False
    ) -> tuple[Match, tuple[Contender, Contender]]:
        """Return the chosen match and its contenders.

        Args:
            seats: the players, as on the command line.
            fair_level: the level to use for `fair`.
            hosted: whether the other player is a remote guest.

        Raises:
            ValueError: the names are not valid for two players, or the game has no handicaps.
        """
        first, second = (
            level_contender(fair_level) if seat == FAIR else parse_contender(seat) for seat in seats
        )
        named = self.pair if seats == (HUMAN, HUMAN) and not hosted else self.names
        if seats.count(HUMAN) == 1:
            named = self.own_name.value, self.own_name.value
        one, other = (
            typed if seat.human else seat.name
            for typed, seat in zip(named, (first, second), strict=True)
        )
        names = (one, other) if HUMAN in seats else distinct(one, other)
        if hosted:
            first, second = with_guests((first, second), [1 - self.opener])
        variant, odds, clock = self.variant, self._turned(self._value("odds")), self._value("clock")
        starts = starts_at(variant, HANDICAPS[odds]) if odds else (variant.start, variant.start)
        control = parse_control(clock) if clock else None
        return Match(variant, names, *starts, control=control), (first, second)

    def _turned(self, odds: str) -> str:
        """Turn a handicap of the two players into one of the person here and the other, or back."""
        return f"{3 - int(odds[0])}{odds[1:]}" if odds and self.opener else odds

    # What is shown

    def fold(self, *, short: bool) -> None:
        """Hide the name, the handicap and the clock where the screen is short."""
        self.set_class(short, "-folded")

    def open_options(self) -> None:
        """Show the name, the handicap and the clock on top of a short screen."""

        def take(row: str, value: str) -> None:
            if row == "own":
                self.own_name.value = value
            else:
                self.query_one(f"#{row}", Choice).set_value(value)
                self._tell_options()

        name = [] if self._in_club else [NameRow("Name", self.own_name.value, id="own")]
        choices = self._choices(self._value("odds"), self._value("clock"))
        self.app.push_screen(OptionsScreen([*name, *choices], take))

    @on(Choice.Changed)
    @on(Input.Changed)
    def _tell_options(self) -> None:
        """Say beside *Options* what the folded rows hold."""
        rows = (self.query_one(f"#{row}", Choice) for row in ("odds", "clock"))
        named = not self._in_club and self.own_name.value not in DEFAULT_PLAYERS
        held = [self.own_name.value] if named else []
        held += [row.name_of_value for row in rows if row.value]
        offered = "handicap, clock" if self._in_club else "name, clock, more"
        self.query_one("#options", Command).set_note(", ".join(filter(None, held)) or offered)

    def take_offer(self) -> None:
        """Take the level offered as told."""
        self.last = self.last._replace(fitting=int(self._fitting.rpartition(":")[2]))

    def fit(self, known: Mapping[str, Strength]) -> str:
        """Offer the level that fits the person unless another is chosen.

        Returns:
            What to say of a level that has changed since it was last offered.
        """
        row = self.query_one("#computer", CommandChoice)
        fitting = fair_level(known, self.own_name.value)
        offered = row.value == self._fitting
        self._fitting = level_contender(fitting).text
        if offered:
            row.set_value(self._fitting)
        before = self.last.fitting
        if not offered or before in (0, fitting):
            return ""
        strength = known.get(person(self.own_name.value))
        if strength is None or not strength.sure:
            return f"Level {fitting} is offered next. More matches will show what suits you."
        return f"After these results level {fitting} suits you better than {before}."

    def strength(self, known: Mapping[str, Strength]) -> str:
        """Return the person's rating, empty until it has settled."""
        strength = known.get(person(self.own_name.value), Strength())
        return f"your rating {strength.rating.about}" if strength.rating.narrow else ""

    @on(Choice.Changed, "#side")
    def _take_side(self) -> None:
        self.opener, self._seated = int(self._value("side")), False

    def seat_newcomer(self) -> None:
        """Suggest to somebody new the easier side."""
        self.is_first = self._seated = True
        self._suggest_side()

    @on(Choice.Changed, "#game")
    def _suggest_side(self) -> None:
        if self._seated and self.is_first:
            self.opener = int(easier_side(self.variant) is Side.TROLLS)
            self.query_one("#side", Choice).set_value(str(self.opener))
