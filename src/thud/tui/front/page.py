"""The front page: what to play and with whom, and the ways to everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from thud.engines.spec import (
    FAIR,
    HIGHEST_LEVEL,
    HUMAN,
    Contender,
    distinct,
    level_contender,
    parse_contender,
    with_guests,
)
from thud.rules.clock import Control, parse_control
from thud.rules.handicaps import starts_at
from thud.rules.match import Match
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import CLOCKS, HANDICAPS, LastChoices
from thud.settings.values import Settings
from thud.strength.people import Strength, person
from thud.tui.board.look import View
from thud.tui.board.widget import Board
from thud.tui.club.profile import clean
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import FRONT_KEYS, NAME_KEYS
from thud.tui.textual_fixes import TextLine
from thud.tui.widgets.appearance import dress, settings_of
from thud.tui.widgets.menu import Choice, Command, Row
from thud.tui.widgets.room import show_if_room
from thud.tui.widgets.title import Title
from thud.wording.standing import handicap_in_short
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.tui.club.lobby import Lobby


_ROOM: Final = 15
"""The columns for what a row says in the narrowest menu."""


class NameInput(TextLine):
    """A line for a player's name."""

    BINDINGS: ClassVar[list[BindingType]] = [*NAME_KEYS]

    async def action_submit(self) -> None:
        """Go on to the next row at once, whatever is typed next."""
        self.app.action_focus_next()


def called(name: str, seat: str, instead: str) -> str:
    """Return how a player is called in so few columns that a handicap can be told of them."""
    if seat == FAIR:
        return "the level"
    short = name.strip() if seat == HUMAN else f"level {seat.rpartition(':')[2]}"
    return short if cell_len(short) <= _ROOM - len("1 by ") else instead


def levels() -> list[tuple[str, str]]:
    """Return the computer's levels, and how they are called."""
    seats = [(level, level_contender(level)) for level in range(1, HIGHEST_LEVEL + 1)]
    return [(seat.text, f"{level} {seat.name}") for level, seat in seats]


def counted(number: int) -> str:
    """Return a number of matches in words."""
    return "1 match" if number == 1 else f"{number or 'no'} matches"


_THUD: Final = "Many small dwarfs against a few large trolls."
"""What the game is, in one line."""

_SET_UP: Final = "any position"
_SIDES: Final = ("Dwarfs", "Trolls")
_LABEL_WIDTH: Final = 9
_TALL: Final = 44
"""The rows from which the rules in short are shown, too."""
_HIGH: Final = 52
"""The rows from which there is room for a board above the menu."""
_LONGEST_NAME: Final = 40

WAYS: Final = (
    ("Host", "a guest elsewhere", "host"),
    ("Join", "a host elsewhere", "join"),
    ("Resume", "", "resume"),
    ("Replay", "", "replay"),
    ("Puzzles", "", "puzzles"),
    ("Set up", _SET_UP, "edit"),
    ("Rules", "", "rules"),
    ("Settings", "", "settings"),
    ("Quit", "", "quit"),
)
"""The rows below those of a match: their labels, what more there is to say, and their ids."""


class FrontPage(Screen[None]):
    """Offers a new match, the matches that are kept, the rules and the settings.

    Args:
        choices: what was chosen the last time.
        learning: whether lessons come first.
        lobby: what more there is where the page is the lobby of a club.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = [*FRONT_KEYS]

    DEFAULT_CSS = """
    FrontPage {
        #front { height: 1fr; }
        #picture { width: 1fr; }
        #gist { height: auto; padding: 0 1; text-align: center; color: $foreground-muted; }
        #menu {
            width: 31;
            border-left: vkey $panel;
            scrollbar-size-vertical: 1;
        }
        Title { height: auto; width: auto; margin: 0 0 0 1; }
        #match, #ways { height: auto; }
        #strength { height: auto; margin: 0 0 0 2; color: $foreground-muted; display: none; }
        #strength.-known { display: block; }
        .name { height: 1; display: none; }
        .name.-person { display: block; }
        .name Static { width: 11; }
        .name Input { width: 1fr; }
        #notice { height: auto; margin: 0 0 0 2; text-style: bold; display: none; }
        #notice.-said { display: block; }
        #summary { display: none; color: $foreground-muted; height: auto; margin: 1 2; }
        #too-small { display: none; }
        &.-upright { #front { layout: vertical; } #picture { display: none; } }
        &.-upright.-high #picture { display: block; }
        &.-upright #menu { width: 1fr; height: auto; max-height: 100%; border: none; padding: 0; }
        &.-too-small { #picture { display: none; } #menu { width: 1fr; border: none; } }
        &.-wide #menu { width: 38; padding: 0 2; align: left middle; }
        &.-wide Title { margin: 0 0 3 2; }
        &.-wide #match { margin: 0 0 1 0; }
        &.-wide.-tall #summary { display: block; }
        #play { text-style: bold; color: $accent; &:focus { color: $block-cursor-foreground; } }
    }
    """

    class Begun(Message):
        """A match is to be played."""

        def __init__(
            self,
            match: Match,
            seats: tuple[Contender, Contender],
            choices: LastChoices,
            *,
            hosted: bool,
        ) -> None:
            super().__init__()
            self.match = match
            self.seats = seats
            self.choices = choices
            self.hosted = hosted

    class FairWanted(Message):
        """A match is to be played against the level that is fair to somebody of a name."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Wanted(Message):
        """Something else was chosen, a row of the menu by its id: `resume`, say, or `quit`."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    class Shown(Message):
        """The front page is shown, and has nothing to say yet of the matches that are kept."""

    def __init__(
        self, choices: LastChoices, *, learning: bool = False, lobby: Lobby | None = None
    ) -> None:
        super().__init__(classes="-club" if lobby else "")
        self._lobby = lobby
        self._choices = choices
        self._learning = learning
        variant = VARIANTS[choices.variant]
        self._board = Board(variant.start, has_cursor=False)
        self._ascii = False
        self._known: Mapping[str, Strength] = {}

    def compose(self) -> ComposeResult:
        """Lay out the board or the tables, and the title and the menu beside them."""
        self.apply_settings(settings_of(self.app))
        with self._lobby or Horizontal(id="front"):
            with Vertical(id="picture"):
                if self._lobby:
                    yield self._lobby.tables
                yield self._board
                yield Static(id="gist", markup=False)
            with VerticalScroll(id="menu", can_focus=False):
                yield Title()
                if self._learning:
                    yield self._learn_row()
                with Vertical(id="match"):
                    yield from self._match_rows()
                if not self._learning:
                    yield self._learn_row()
                with Vertical(id="ways"):
                    for label, note, way in self._lobby.ways(WAYS) if self._lobby else WAYS:
                        yield Command(label, note, id=way)
                yield Static(id="notice", markup=False)
                yield Static(id="summary", markup=False)
        yield Static(id="too-small")
        yield KeyBar()

    def _learn_row(self) -> Command:
        return Command("Learn", "Thud by playing it", id="learn")

    def _match_rows(self) -> ComposeResult:
        games = [(name, variant.short) for name, variant in VARIANTS.items()]
        yield Choice("Game", games, self._choices.variant, id="game")
        clocks = [("", "none"), *((each, each) for each in CLOCKS)]
        yield Choice("Handicap", self._odds(self._choices.names), self._choices.handicap, id="odds")
        yield Choice("Clock", clocks, self._choices.clock, id="clock")
        for number, side in enumerate(_SIDES):
            seat = self._choices.seats[number]
            known = [(HUMAN, "a person"), (FAIR, "your own level"), *levels()]
            chosen = seat if seat in dict(known) else HUMAN
            yield Choice(side, known, chosen, id=f"seat-{number}")
            with Horizontal(classes="name", id=f"name-{number}"):
                yield Static()
                name = self._choices.names[number]
                yield NameInput(name, placeholder="name", max_length=_LONGEST_NAME, compact=True)
        yield Command("Play", id="play")
        yield Static(id="strength", markup=False)

    def on_mount(self) -> None:
        """Begin with the match that was played last."""
        self._write(ascii_only=self._ascii)
        self._show_names()
        self._show_variant()
        new_here = self._learning and self._choices == LastChoices()
        self.query_one("#learn" if new_here else "#play").focus()

    def on_screen_resume(self) -> None:
        """Have the matches counted that are kept now, and see what tables there are."""
        self.post_message(self.Shown())
        if self._lobby:
            self._lobby.look()

    def on_resize(self, event: events.Resize) -> None:
        """Leave the board away where there is no room for it."""
        show_if_room(self, event.size)
        if self._lobby:
            self._lobby.fit(event.size)
        for rows, name in (_TALL, "-tall"), (_HIGH, "-high"):
            self.set_class(event.size.height >= rows, name)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self._board, settings)
        self._ascii = settings.ascii
        if self.is_mounted:
            self._write(ascii_only=settings.ascii)

    def _write(self, *, ascii_only: bool) -> None:
        self.query_one(Title).write(ascii_only=ascii_only)
        for row in self.query(Row):
            row.ascii_only, row.label_width = ascii_only, _LABEL_WIDTH
            row.write()
        self._show_strength()

    def show_kept(self, unfinished: int, finished: int, known: Mapping[str, Strength]) -> None:
        """Say how many matches can be gone on with, and replayed, and how strong people are."""
        self.query_one("#resume", Command).set_note(counted(unfinished))
        self.query_one("#replay", Command).set_note(counted(finished))
        self._known = known
        self._show_strength()

    def show_set_up(self, *, left: bool) -> None:
        """Say whether a position was set up and left, to be gone on with."""
        self.query_one("#edit", Command).set_note("as you left it" if left else _SET_UP)

    def say(self, notice: str) -> None:
        """Show a notice below the menu."""
        shown = self.query_one("#notice", Static)
        if notice != shown.content:
            shown.update(notice)
            shown.set_class(bool(notice), "-said")
            self.call_after_refresh(shown.scroll_visible, animate=False)

    @property
    def _seats(self) -> tuple[str, str]:
        first, second = (self.query_one(f"#seat-{n}", Choice).value for n in range(2))
        return str(first), str(second)

    @property
    def _names(self) -> tuple[str, str]:
        first, second = (self.query_one(f"#name-{n} Input", Input).value for n in range(2))
        # In a club everybody sees them.
        return (clean(first), clean(second)) if self._lobby else (first, second)

    @property
    def _game(self) -> str:
        return str(self.query_one("#game", Choice).value)

    @property
    def variant(self) -> Variant:
        """The game that is chosen now."""
        return VARIANTS[self._game]

    def _odds(self, names: tuple[str, str]) -> list[tuple[str | bool, str]]:
        """Return every handicap, and how it is called."""
        called = (handicap_in_short(names, each) for each in HANDICAPS.values())
        return [("", "none"), *zip(HANDICAPS, called, strict=True)]

    def _show_odds(self) -> None:
        """Call the handicaps by the players' names, as they are written now."""
        first, second = map(called, self._names, self._seats, ("the first", "the second"))
        self.query_one("#odds", Choice).call(self._odds((first, second)))

    def _show_names(self) -> None:
        self._show_odds()
        for number, seat in enumerate(self._seats):
            self.query_one(f"#name-{number}").set_class(seat == HUMAN, "-person")

    def _show_strength(self) -> None:
        """Say how strong the first person is, if that is known."""
        known = self._known.get(person(self._person or ""))
        said = self.query_one("#strength", Static)
        said.set_class(known is not None, "-known")
        text = f"You play like level {known.level}" if known else ""
        said.update(text)

    @property
    def _person(self) -> str | None:
        """The name of the first person who plays, None where only computers do."""
        pairs = zip(self._names, self._seats, strict=True)
        return next((name for name, seat in pairs if seat == HUMAN), None)

    def _show_variant(self) -> None:
        variant = self.variant
        self._board.show(View(variant.start, goals=variant.goals, stone=variant.stone))
        self.query_one("#gist", Static).update(f"{_THUD}\n{capitalised(variant.gist)}.")
        self.query_one("#summary", Static).update(self.variant.summary)

    @on(Choice.Changed)
    def _follow_choice(self, event: Choice.Changed) -> None:
        event.stop()
        self.say("")
        if event.row.id == "game":
            self._show_variant()
        else:
            self._show_names()
            self._show_strength()

    @on(Input.Changed)
    def _follow_name(self) -> None:
        # Nothing else is said here that is not about what is chosen and written above.
        self.say("")
        self._show_odds()
        self._show_strength()

    @on(Command.Chosen)
    def _choose(self, event: Command.Chosen) -> None:
        event.stop()
        self.action_go(str(event.row.id))

    def action_go(self, what: str) -> None:
        """Begin a match, or go where a row of the menu leads."""
        self.say("")
        if what == "join" and self._lobby:
            self._lobby.turn_to_tables()
        elif what == "play" and FAIR in self._seats:
            self._begin_fairly()
        elif what in ("play", "host"):
            self.begin(hosted=what == "host")
        else:
            self.post_message(self.Wanted(what))

    def _begin_fairly(self) -> None:
        if self._person is None:
            self.say("Your own level is for a person to play against.")
        else:
            self.post_message(self.FairWanted(self._person))

    def begin(self, fair: int = 0, *, hosted: bool = False) -> None:
        """Begin a match as it is chosen, or say why that cannot be.

        Args:
            fair: the level that plays where a fair one was chosen.
            hosted: whether the other one of two players is a guest.
        """
        first, second = (
            level_contender(fair) if seat == FAIR else parse_contender(seat) for seat in self._seats
        )
        if hosted:
            guest = 0 if second.human and not first.human else 1
            first, second = with_guests((first, second), [guest])
        try:
            names = self._names_of((first, second))
            match = Match(self.variant, names, *self._starts, control=self._control)
        except ValueError as error:
            self.say(capitalised(str(error)))
            return
        choices = LastChoices(
            self._game, self._seats, self._names, self._handicap, self._clock_text
        )
        self.post_message(self.Begun(match, (first, second), choices, hosted=hosted))

    @property
    def _handicap(self) -> str:
        return str(self.query_one("#odds", Choice).value)

    @property
    def _starts(self) -> tuple[Position, Position]:
        """Where the battles begin."""
        if not self._handicap:
            return self.variant.start, self.variant.start
        return starts_at(self.variant, HANDICAPS[self._handicap])

    @property
    def _clock_text(self) -> str:
        return str(self.query_one("#clock", Choice).value)

    @property
    def _control(self) -> Control | None:
        return parse_control(self._clock_text) if self._clock_text else None

    def _names_of(self, seats: tuple[Contender, Contender]) -> tuple[str, str]:
        first, second = (
            typed if seat.human else seat.name
            for typed, seat in zip(self._names, seats, strict=True)
        )
        return (first, second) if any(seat.human for seat in seats) else distinct(first, second)
