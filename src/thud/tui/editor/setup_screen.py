"""The board on which any position is set up, by keys and mouse, and who can play from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static
from textual.widgets.option_list import Option

from thud.editing.editor import Editor
from thud.engines.players import HIGHEST_LEVEL
from thud.engines.spec import HUMAN, level_contender
from thud.rules.geometry import SQUARES, Square, squares_of
from thud.rules.position import Move, Side
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.settings.values import Settings
from thud.tui.board.look import Mark, View
from thud.tui.board.widget import Board
from thud.tui.deployment import deployment_of
from thud.tui.editor.panel import Brush, EditPanel
from thud.tui.keys.bar import KeyBar
from thud.tui.keys.bindings import EDIT_KEYS
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.modals import ListScreen
from thud.tui.widgets.room import fit, show_if_room
from thud.wording.text import capitalised


def player_list() -> ListScreen:
    """List who can play; the answer is who has the dwarfs first, and who the trolls."""
    return ListScreen("Who plays from here?", list(_options()))


def _options() -> Iterator[Option | None]:
    yield Option("Two people at this terminal", id=f"{HUMAN} {HUMAN}")
    for side in Side:
        yield None
        yield Option(Text(f"You, with the {side.plural} first, against", "bold"), disabled=True)
        for level in range(1, HIGHEST_LEVEL + 1):
            contender = level_contender(level)
            seats = (HUMAN, contender.text) if side is Side.DWARFS else (contender.text, HUMAN)
            yield Option(f"  level {level}, {contender.name}", id=" ".join(seats))
    yield None
    yield Option("The best computer against itself", id="cpu cpu")


def _other_side(setup: Setup) -> Setup:
    return setup.give_turn(setup.position.to_move.other)


def _next_game(setup: Setup) -> Setup:
    games = list(VARIANTS.values())
    after = games.index(setup.variant) + 1 if setup.variant in games else 0
    return setup.at_game(games[after % len(games)])


_CHANGES: Final[Mapping[str, tuple[Callable[[Setup], Setup], str]]] = {
    "side": (_other_side, ""),
    "game": (_next_game, ""),
    "start": (lambda setup: Setup.usual(setup.variant), "The usual start; u takes that back."),
    "clear": (Setup.clear, "Cleared; u takes that back."),
    "mirror": (Setup.mirror, ""),
    "turn": (Setup.turn, ""),
}
"""What changes all of it at once, by the names of the keys, and what is said then."""


class SetupScreen(Screen[None]):
    """Changes a setup step by step.

    Args:
        editor: what is set up, and the steps that led there.
        notice: what there is to say to begin with.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*EDIT_KEYS]

    def __init__(self, editor: Editor, notice: str = "") -> None:
        super().__init__()
        self.editor = editor
        self.advised: Move | None = None
        """A move that is advised, as long as nothing is changed."""
        self._brush = Brush.HAND
        self._held: Square | None = None
        self._notice = notice
        self._board = Board(editor.setup.position)

    def compose(self) -> ComposeResult:
        """Lay out the board above its message, and the panel and the footer."""
        fit(self, self.app.size, update=False)
        with Horizontal(id="play"):
            with Vertical(id="table"):
                yield self._board
                yield Static(id="message", markup=False)
            with Vertical(id="panel"):
                yield EditPanel()
        yield Static(id="too-small")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show what there is as soon as there is room for it."""
        self._board.focus()
        self.call_after_refresh(self.show)

    def on_resize(self, event: events.Resize) -> None:
        """Show the board where there is room for it, and else say what room it needs."""
        show_if_room(self, event.size)
        self.call_after_refresh(self.show)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self._board, settings)
        if self.is_mounted:
            self.call_after_refresh(self.show)

    @property
    def setup(self) -> Setup:
        """What it is now."""
        return self.editor.setup

    # Showing

    def show(self, notice: str | None = None) -> None:
        """Show it as it is, and a notice; without one that which was there."""
        if notice is not None:
            self._notice = notice
        if not self.is_attached:
            return
        position = self.setup.position
        stops = tuple(square for square in SQUARES if position.letter_at(square))
        variant = self.setup.variant
        self._board.show(
            View(position, self._marks(), stops=stops, goals=variant.goals, stone=variant.stone)
        )
        self.query_one(EditPanel).show(self.setup, self._brush)
        text = Text(self._verdict())
        text.append(f"\n{self._notice}", "bold")
        self.query_one("#message", Static).update(text, layout=False)
        self.refresh_bindings()

    def _marks(self) -> dict[Square, Mark]:
        marks: dict[Square, Mark] = {}
        if self.advised:
            marks |= dict.fromkeys(squares_of(self.advised.captures), Mark.VICTIM)
            marks |= dict.fromkeys(self.advised[:2], Mark.ADVISED)
        return marks | ({self._held: Mark.HELD} if self._held is not None else {})

    def _verdict(self) -> str:
        """Say whether it is a position of the game, and else why not."""
        setup = self.setup
        if objections := setup.objections:
            return f"{capitalised('; '.join(objections))}."
        return f"This is a position of {setup.variant.title}."

    # Changing

    def change(self, setup: Setup, notice: str = "") -> None:
        """Go over to another setup."""
        self.editor.change(setup)
        self.begin_anew(notice)

    def begin_anew(self, notice: str) -> None:
        """Show what is there now, and forget what was said and held before."""
        self.workers.cancel_group(self, "asked")
        self._held = self.advised = None
        self.show(notice)

    def _use(self, square: Square) -> None:
        """Do on a square what the brush does."""
        if self._held is not None:
            self.change(self.setup.move(self._held, square))
        elif self._brush is Brush.HAND:
            self._pick_up(square)
        elif self._brush.value in ("", self.setup.position.letter_at(square)):
            self.change(self.setup.remove(square))
        else:
            self.change(self.setup.put(self._brush.value, square))

    def _pick_up(self, square: Square) -> None:
        if self.setup.position.letter_at(square) is None:
            self.show("Nothing stands there: d, t and R put something, b changes what Enter does.")
            return
        self._held = square
        self.show("Enter or a click puts it down, Esc lets it be.")

    # The mouse

    @on(Board.Clicked)
    def _use_clicked(self, event: Board.Clicked) -> None:
        self._use(event.square)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        if self.setup.position.letter_at(event.square):
            self._held = event.square
            self.show("")

    @on(Board.Dropped)
    def _drop(self, event: Board.Dropped) -> None:
        if event.destination is None:
            self.change(self.setup.remove(event.origin))
        else:
            self.change(self.setup.move(event.origin, event.destination))

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        if self.has_class("-too-small"):
            return action == "leave"
        possible = {"undo": self.editor.can_undo, "redo": self.editor.can_redo}
        return possible.get(action, deployment_of(self.app).allows(action))

    def action_choose(self) -> None:
        """Do on the square under the cursor what the brush does."""
        self._use(self._board.cursor)

    def action_put(self, letter: str) -> None:
        """Put a piece on the square under the cursor."""
        self.change(self.setup.put(letter, self._board.cursor))

    def action_remove(self) -> None:
        """Take away what stands on the square under the cursor."""
        self.change(self.setup.remove(self._board.cursor))

    def action_brush(self) -> None:
        """Let Enter and a click do something else."""
        self._brush, self._held = self._brush.next, None
        self.show("")

    def action_alter(self, how: str) -> None:
        """Change all of it at once, in one of the ways that have a name."""
        change, notice = _CHANGES[how]
        self.change(change(self.setup), notice)

    def action_undo(self) -> None:
        """Take the last change back."""
        self.editor.undo()
        self.begin_anew("")

    def action_redo(self) -> None:
        """Make again what was taken back last."""
        self.editor.redo()
        self.begin_anew("")

    def action_flip(self) -> None:
        """Look at the board from the other end."""
        self._board.flip()

    def action_back(self) -> None:
        """Let go of what is held; leave where nothing is."""
        if self._held is None and not self.advised:
            self.action_leave()
        else:
            self.begin_anew("")

    def action_leave(self) -> None:
        """Leave, at any moment."""
        self.dismiss(None)
