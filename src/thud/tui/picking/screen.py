"""A screen with a board on which moves are picked, and its pane with messages and questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from msgspec.structs import replace
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from thud.rules.geometry import Square, listed, parse_square, square_name
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.settings.values import Settings
from thud.text import capitalised
from thud.tui.board.animation import Ending
from thud.tui.board.cursor import nearest
from thud.tui.board.widget import Board
from thud.tui.keys.bar import BarEntry, KeyBar, key_of
from thud.tui.looks.fitted import in_items
from thud.tui.picking.picker import CaptureChoice, Picker, Selection, ShownHint, Take
from thud.tui.screens import BoardScreen
from thud.tui.textual_fixes import FixedScreen
from thud.tui.widgets.appearance import apply_appearance, settings_of
from thud.tui.widgets.match_line import match_line
from thud.tui.widgets.prompt import MOMENT, Prompt, Question
from thud.tui.widgets.size_classes import fit, show_if_room

if TYPE_CHECKING:
    from thud.rules.threats import Threats
    from thud.tui.picking.move_entry import MoveEntry, Typed

Play: TypeAlias = Callable[[Move], Awaitable[None]]
"""Plays a complete move."""

_Screen = TypeVar("_Screen", bound="PickingScreen")
_Given = ParamSpec("_Given")
_Means = TypeVar("_Means")

_LINE: Final = (
    BarEntry("enter", "Enter", "Play it"),
    BarEntry("tab", "Tab", "Complete"),
    BarEntry("escape", "Esc", "Back", ends=True),
)
"""The key bar while a move is typed."""

_FILES: Final = frozenset("bcdefghjklmop")
"""Letters of files that do not answer which pieces to capture."""

_REMEMBERED: Final = 200
"""Notices that can be read again."""


def _path(choice: CaptureChoice) -> str:
    """Return the squares between which a piece moves whose captures are chosen."""
    origin, destination, _ = choice.moves[0]
    return f"{square_name(origin)}-{square_name(destination)}"


class _BoardColumn(Vertical):
    """The board and the message below it."""

    BLANK = True


class BoardPane(Horizontal):
    """A board on which moves are picked, with messages and questions.

    After each event it draws what its picker holds, and a complete move is played.

    Children are kept as attributes, not queried: messages may arrive while they are being removed.

    Args:
        match: the match whose battle is shown.
        play: callback for a complete move.
        revision: the session's revision that the battle's position belongs to.

    Attributes:
        picker: what is picked, and what is marked.
        notice: the notice shown last.
        said: the last notices and hints, the newest last.
        typing: whether the move entry is open.
        past_ply: the number of moves after which the battle is shown, None for the present.
    """

    # The children cover it: it has no background of its own to draw.
    BLANK = True

    def __init__(self, match: Match, play: Play, revision: int = 0) -> None:
        super().__init__(id="play")
        self.picker = Picker.of(match, revision)
        self._play = play
        first = nearest(parse_square("H8"), self.picker.selection.movable)
        self.board = Board(match.battle.position, cursor=first)
        self.message = Static(id="message", markup=False)
        self.prompt = Prompt()
        self.notice = ""
        self._refused: Square | None = None
        """The square of the cursor when the notice was a refusal, told until something is done."""
        self.said: list[str] = []
        self.typing = False
        self.past_ply: int | None = None
        self._shown = match.battle.played, match.battle.outcome is not None
        """The number of moves of the battle shown, and whether it is over."""
        self._arrives: Move | None = None
        """The move to animate when the position is shown."""
        self._ends = False
        self._left = _BoardColumn(id="column")
        self._panel = Vertical(id="panel")
        self._aside: Static | None = None
        self._said = ("", "", "", "")
        self._held = False
        """Whether a piece was in hand when the footer was last written."""
        self._entry: MoveEntry | None = None
        self._rest: Timer | None = None
        """Runs while a question waits for a rest in what is being typed."""

    def compose(self) -> ComposeResult:
        """Lay out the board with its message, and the panel."""
        with self._left:
            yield self.board
            yield self.message
        with self._panel:
            yield from self.compose_panel()
            yield self.prompt

    def compose_panel(self) -> ComposeResult:
        """Lay out the panel above the question at its foot."""
        yield from ()

    def on_mount(self) -> None:
        """Update the hint whenever the cursor moves."""
        # After the move that takes the cursor there is handled, but before anything is drawn.
        self.watch(self.board, "cursor", lambda: self.call_next(self.invite), init=False)

    @property
    def is_complete(self) -> bool:
        """Whether all children are mounted and none is being removed."""
        # A screen that is being removed has its `display` off.
        return self.is_mounted and self.is_attached and self.screen.display

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        apply_appearance(self.board, settings)
        self.picker = replace(self.picker, settings=settings)

    # The position

    def begin(self, match: Match, revision: int, *, step: bool | None = None) -> None:
        """Begin picking in a new position, which is drawn when something is shown.

        Args:
            match: the match whose battle is played.
            revision: the session's revision that the position belongs to.
            step: whether to animate the last move; by default, if it directly follows the position
                shown before.
        """
        battle, (played, was_over) = match.battle, self._shown
        same = battle is self.picker.match.battle
        over = battle.outcome is not None
        if step is None:
            step = same and battle.played == played + 1
        self._shown = battle.played, over
        self._arrives = battle.last[1] if step and battle.last else None
        self._ends = over and (step or (same and not was_over))
        self.picker = self.picker.begin(match, revision)

    def refuse(self, refusal: object) -> None:
        """Show why something is not done, until something else is."""
        self.show(capitalised(str(refusal)))
        self._refused = self.board.cursor

    def show(self, notice: str = "", *, remember: bool = True) -> None:
        """Draw what the picker holds, and tell what can be done; looking back, only the notice.

        The notice can be read again later, unless something else remembers it.
        """
        self.notice, self._refused = notice, None
        if remember:
            self._remember(notice)
        if self.past_ply is not None:
            self.tell_meanwhile(notice or self.picker.advice.words)
            return
        match, ending = self.picker.match, None
        if self._ends:
            winner = match.battle.outcome.winner if match.battle.outcome else None
            winners = match.battle.position.pieces(winner) if winner else 0
            ending = Ending(winners, last=match.over)
        view = self.picker.view(flipped=self.board.flipped)
        self.board.show(view, move=self._arrives, ending=ending)
        self._arrives, self._ends = None, False
        self._tell_now()

    # Messages

    def invite(self) -> None:
        """Update what can be done on the cursor's square, unless something else is open."""
        if not self.busy:
            if self._refused not in (None, self.board.cursor):
                self.notice, self._refused = "", None
            self._tell_now()

    def _tell_now(self) -> None:
        self.tell(*self.lines_now())

    def lines_now(self) -> tuple[str, str, str, str]:
        """Return what is told now; see `tell`."""
        return self.picker.texts(self.board.cursor, self.notice)

    def advise(
        self,
        move: Move | None,
        words: str,
        threats: Threats | None = None,
        *,
        with_legend: bool = True,
    ) -> None:
        """Show an advised move, if any, and threats; see `ShownHint`."""
        advice = ShownHint(move, words, threats, with_legend)
        self.picker = replace(self.picker, advice=advice)
        self._remember(words)
        self.show()

    def _remember(self, notice: str) -> None:
        if notice not in ("", *self.said[-1:]):
            self.said.append(notice)
            del self.said[:-_REMEMBERED]

    def tell(self, line: str, notice: str = "", legend: str = "", advice: str = "") -> None:
        """Show a message below the board; what does not fit moves to the panel.

        Args:
            line: what can be done now.
            notice: what has happened, in bold.
            legend: what the marks on the board mean.
            advice: a hint, which is always in the panel, unless that is below the board.
        """
        held = self.picker.selection.picked is not None
        if held is not self._held:
            self._held = held
            self.screen.refresh_bindings()
        self._said = line, notice, legend, advice
        if self.app.has_class("-upright"):
            notice, advice = notice or advice, ""
        width, height = self.message.content_size
        marks = Text(in_items(legend, width))
        below = [part for part in (Text(line), Text(notice, "bold"), marks) if part]
        beside = [Text(advice)] if advice else []
        console = self.app.console
        # The line is to stay.  A legend can go to its hint; else the notice is the longest.
        while (
            len(below) > 1
            and sum(len(part.wrap(console, max(1, width))) for part in below) > height > 0
        ):
            beside.append(below.pop(-1 if advice else 1))
        self._show_message(Text("\n").join(below))
        if beside and not self._aside:
            self._aside = Static(id="aside", classes="section", markup=False)
            self._panel.mount(self._aside, before=self.prompt)
        if self._aside:
            room = self._panel.content_size.width - self._aside.gutter.width
            there = [Text(in_items(legend, room)) if part is marks else part for part in beside]
            self._aside.display = bool(there)
            self._aside.border_title = "Hint" if advice else ""
            self._aside.update(Text("\n\n").join(there))

    def on_resize(self) -> None:
        """Lay the message out again for the new size."""
        self.call_after_refresh(lambda: self.tell(*self._said))

    def tell_meanwhile(self, notice: str) -> None:
        """Show what has happened while the player looks back."""

    def _show_message(self, text: Text, *, layout: bool = False) -> None:
        """Show a text below the board; redraw only if it has changed."""
        if text != self.message.content:
            self.message.update(text, layout=layout)

    # Questions

    def show_question(
        self, question: Question[_Means], carry_out: Callable[[_Means], Awaitable[None]]
    ) -> None:
        """Show a question beside the board; see `Prompt.show`."""
        self.prompt.show(question, carry_out)
        self._attend()

    def ask(self, question: Question[_Means]) -> Awaitable[_Means | None]:
        """Ask a question beside the board; see `Prompt.ask`."""
        answer = self.prompt.ask(question)
        self._attend()
        return answer

    def _attend(self) -> None:
        """Give the question the keys, at a rest if somebody is typing."""
        self.add_class("-asking")
        if self.past_ply is None:
            if self._refused is not None:
                self.notice, self._refused = "", None
            self._tell_now()
        if self.line:
            self._rest = self._rest or self.set_timer(MOMENT, self._take_keys_at_rest)
        else:
            self.take_keys()
        self.screen.refresh_bindings()
        # Now, or the frame that shows the question would have the keys of the board.
        for bar in self.screen.query(KeyBar):
            bar.show_keys()

    def typed(self) -> None:
        """Let a question wait longer, as something was typed."""
        if self._rest:
            self._rest.reset()

    def _take_keys_at_rest(self) -> None:
        self._rest = None
        self.take_keys()

    def withdraw(self) -> None:
        """Close the question and end looking back; a line begun gets the keys, or the board."""
        self.past_ply = None
        self.drop_question()

    def drop_question(self) -> None:
        """Close the question, and leave all else as it is."""
        self.remove_class("-asking")
        if self.prompt.question:
            self.prompt.close()
        self.take_keys()

    def drop_outdated(self) -> None:
        """Close the question if there is nothing to answer any more."""
        if self.prompt.question and not self.prompt.question.stands():
            self.drop_question()
            self.screen.refresh_bindings()

    @property
    def busy(self) -> bool:
        """Whether the player is typing, looking back or being asked something."""
        return self.typing or self.past_ply is not None or self.prompt.question is not None

    def take_keys(self) -> None:
        """Focus the widget that the keys are for."""
        if self.is_attached:  # the screen may have been left meanwhile
            self.screen.set_focus(self.focus_now())

    def focus_now(self) -> Widget | None:
        """Return the question, the move entry or the board, the first that is open.

        While somebody types, the question waits.  None where the screen itself takes the keys.
        """
        if self.prompt.question and not self._rest:
            return self.prompt
        return self._entry or self.board

    @property
    def line(self) -> Widget | None:
        """The line that takes the keys, if any."""
        return self._entry if self._entry and self._entry.has_focus else None

    def close_question(self) -> None:
        """Close the open question, keeping what is picked."""
        self.withdraw()
        self.show(self.notice)
        self.ask_captures()

    # Picking

    async def choose(
        self, square: Square, *, all_there: bool = False, let_go: bool = False
    ) -> None:
        """Pick up or put down on a square, and play the move that this completes.

        Args:
            square: the square.
            all_there: whether to capture everything there.
            let_go: whether the picked piece goes back if the square is refused.
        """
        await self._pick(lambda: self.picker.choose(square, all_there=all_there), let_go=let_go)

    async def _pick(
        self, pick: Callable[[], tuple[Picker, Move | None]], *, let_go: bool = False
    ) -> None:
        """Make a choice, and play the move it completes; show why if it is refused."""
        try:
            self.picker, move = pick()
        except IllegalMove as refusal:
            if let_go:
                self._put_back(self.picker.let_go())
            self.refuse(f"{refusal}{self._way_on}")
            return
        if move:
            await self._play(move)
        else:
            self.show()
            self.ask_captures()

    @property
    def _way_on(self) -> str:
        """Which key goes to the pieces that can move, for who has none in hand; else empty."""
        selection = self.picker.selection
        touched = getattr(self.app, "touched", False)
        if selection.picked or self.picker.blocked or not selection.movable or touched:
            return ""
        side = selection.position.to_move
        return f". {key_of(self.app, 'board.next')} goes to a {side.singular} that can move."

    def ask_captures(self) -> None:
        """Ask for the captures, if that is open: the board's side changes the keys."""
        from thud.tui.picking import questions

        if (choice := self.picker.choice) and not (self.picker.doubt or self.asks_others):
            self.show_question(questions.captures(choice, flipped=self.board.flipped), self._take)

    async def _take(self, answer: Take | Square | None) -> None:
        if answer is None:
            self.back()
        else:
            await self._pick(lambda: self.picker.take(answer))

    def back(self) -> None:
        """Undo the last choice: captures, a hop, the picked piece."""
        self._put_back(self.picker.back())
        self.show()

    def let_go(self) -> None:
        """Put the picked piece back where it stood."""
        if self.picker.selection.picked:
            self._put_back(self.picker.let_go())
            self.show()

    def _put_back(self, picker: Picker) -> None:
        """Pick what is left after something was put back, and close what was asked about it."""
        self.picker = picker
        if self.asks_others:
            self.screen.refresh_bindings()
        else:
            self.withdraw()

    @property
    def asks_captures(self) -> bool:
        """Whether the open question is which pieces to capture."""
        question = self.prompt.question
        return bool(question and self.picker.choice and not (question.is_modal or self.asks_others))

    @property
    def asks_others(self) -> bool:
        """Whether the open question, if any, is not about what is picked."""
        return False

    def explain(self) -> bool:
        """Show the moves of the piece picked or under the cursor; False if there is none."""
        from thud.tui.picking import questions

        selection = self.picker.selection
        square = selection.picked.origin if selection.picked else self.board.cursor
        if selection.position.letter_at(square) is None:
            return False

        async def close(_: None) -> None:
            self.close_question()

        question = questions.explanation(selection.variant, selection.position, square)
        self.show_question(question, close)
        return True

    # Typing

    def type(self) -> None:
        """Open the move entry, and focus it; a choice of captures stays open."""
        from thud.tui.picking.move_entry import MoveEntry

        if not self.picker.choice:
            self.let_go()
        self.withdraw()
        self._entry = MoveEntry(
            self.picker.match.battle, self._play_typed, self._obey, self._give_up
        )
        self.typing = True
        self.add_class("-typing")
        self._left.mount(self._entry)
        self.screen.set_focus(self._entry)
        if self.picker.blocked:
            self.tell(self.picker.blocked, "Type ahead, and press Enter when it is your turn.")
        elif self.picker.choice:
            self.tell(self._typable)

    @property
    def _typable(self) -> str:
        """Which captures can be typed, or why no move can be; empty if any move can."""
        choice = self.picker.choice
        if self.picker.blocked or not choice:
            return self.picker.blocked
        victims = listed(choice.victims, "or")
        return f"Type what {_path(choice)} captures: {victims}, all or none; or another move."

    @on(Input.Changed)
    def _tell_completions(self, event: Input.Changed) -> None:
        """Tell the completions of what is typed, unless it has been submitted or changed since."""
        event.stop()
        self.typed()
        entry, text = self._entry, event.value
        if entry and entry is event.input and text == entry.value != entry.tried:
            found = [] if self.picker.blocked or not text else entry.completions(text)
            self.tell("  ".join(found) or self._typable)

    def _give_up(self) -> None:
        self.close_entry()
        self.show()
        self.ask_captures()

    async def _obey(self, typed: Typed) -> None:
        """Let the screen carry out a typed command."""
        self.let_go()
        self._give_up()
        screen = self.screen
        assert isinstance(screen, PickingScreen)
        await screen.obey(typed)

    async def _play_typed(self, text: str) -> None:
        """Play a typed move, or ask for its captures if they are left open.

        While captures are chosen, it may be the captures alone; another move replaces the one in
        hand, which is told.
        """
        from thud.rules.typed import read_captures, read_typed

        if self.picker.blocked:
            # One line: there may be room for no more.
            self.tell(f"Press Enter again when it is your turn. {self.picker.blocked}")
            return
        battle, choice = self.picker.match.battle, self.picker.choice
        moves: tuple[Move, ...] = ()
        if choice:
            with suppress(ValueError):
                moves = read_captures(tuple(choice.moves), text)
        try:
            moves = moves or read_typed(battle.variant, battle.position, text)
        except ValueError as refusal:
            self.tell(self._typable, capitalised(str(refusal)))
            return
        self.close_entry()
        self.picker = self.picker.let_go()
        if len(moves) == 1:
            await self._play(moves[0])
        else:
            self.picker = self.picker.grab(moves[0].origin) or self.picker
            self.board.move_cursor(moves[0].destination)
            await self.choose(moves[0].destination)
        if choice and choice.moves[0][:2] != moves[0][:2] and self.is_complete:
            self.show(f"{_path(choice)} was put back. {self.notice}".rstrip())

    async def paste(self, text: str, plays: Callable[[Side], bool]) -> None:
        """Put one pasted move into the move entry; play several in order, or none of them.

        Args:
            text: the pasted text.
            plays: whether the person pasting plays a given side.
        """
        from thud.rules.typed import moves_in, read_sequence

        # The key that opens the move entry may be copied along.
        lines = (line.strip().lstrip(":/") for line in text.splitlines())
        texts = [move for line in lines for move in moves_in(line)]
        if len(texts) == 1:
            if not self.typing:
                self.type()
            self.write(texts[0])
        if len(texts) < 2:
            return
        self.let_go()
        self.withdraw()
        self.close_entry()
        try:
            if self.picker.blocked:
                raise IllegalMove(self.picker.blocked)
            battle = self.picker.match.battle
            moves = read_sequence(battle.variant, battle.position, texts, plays)
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))
            return
        for revision, move in enumerate(moves, self.picker.revision):
            if revision != self.picker.revision:
                self.show("The match has moved on: the other moves were not played.")
                return
            await self._play(move)

    def write(self, text: str) -> None:
        """Insert a text into the move entry, if it is open."""
        if self._entry:
            self._entry.action_write(text)

    def typed_chat(self, key: str) -> bool:
        """Write a key's character into the entry if it is part of a chat message there."""
        return bool(self._entry and not self.prompt.question and self._entry.takes(key))

    def close_entry(self) -> None:
        """Close the move entry."""
        if self._entry:
            self._entry.remove()
            self._entry, self.typing = None, False
            self.remove_class("-typing")
            self.take_keys()

    # The mouse

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        """Choose a square, or a victim while captures are chosen."""
        picker, square, choice = self.picker, event.square, self.picker.choice
        if self.past_ply is not None or picker.doubt:
            return
        if choice and square != choice.destination:
            await self._take(square)
        elif choice or not self.prompt.question:
            if tapped := picker.tap(square, touched=self.board.touched):
                self.picker = tapped
                self.show(f"{'Tap' if self.board.touched else 'Click'} it again to play.")
            else:
                await self.choose(square, let_go=True)

    @on(Board.Hovered)
    def _show_hovered(self, event: Board.Hovered) -> None:
        """Show where the piece under the mouse may go, while nothing is picked."""
        before, self.picker = self.picker.hovered, replace(self.picker, hovered=event.square)
        selection = self.picker.selection
        if selection.picked or self.busy or self.picker.blocked:
            return
        if before in selection.moves or event.square in selection.moves:
            self.show(self.notice)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        if not self.busy and (grabbed := self.picker.grab(event.square)):
            self.picker = grabbed
            self.show()

    @on(Board.Dropped)
    async def _drop(self, event: Board.Dropped) -> None:
        """Put down a dragged piece; off the board or on an illegal square, it goes back."""
        piece, destination = self.picker.selection.picked, event.destination
        if not piece or piece.origin != event.origin or piece.choice:
            return
        if destination is None or destination == event.origin:
            self.let_go()
        else:
            await self.choose(destination, let_go=True)

    @on(Board.NoCapture)
    def _miss_capture(self) -> None:
        """Show why there is no capture to step to."""
        self.show(
            "This piece cannot capture anything now."
            if self.picker.selection.picked
            else "Pick up a piece first, then step through its captures."
        )

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        self.let_go()


def asks(
    ask: Callable[Concatenate[_Screen, _Given], Coroutine[Any, Any, None]],
) -> Callable[Concatenate[_Screen, _Given], Coroutine[Any, Any, None]]:
    """Make a method that awaits an answer return once it has asked: see `Prompt.converse`."""

    @wraps(ask)
    async def converse(screen: _Screen, /, *args: _Given.args, **options: _Given.kwargs) -> None:
        await screen.pane.prompt.converse(ask(screen, *args, **options))

    return converse


class PickingScreen(FixedScreen[None], BoardScreen):
    """Turns keys, mouse and text into moves.

    Args:
        pane: the board and the panel; moves picked there go to `play`.

    Attributes:
        begun: whether the first position is shown: keys are queued until then.
    """

    # The children cover it: it has no background of its own to draw.
    BLANK = True

    pane: BoardPane

    def __init__(self, pane: BoardPane) -> None:
        super().__init__()
        self.pane = pane
        self.begun = False
        self._letter = ("", False)
        """A file typed while captures are chosen, and whether the board was turned before."""

    @property
    def picker(self) -> Picker:
        """What is picked, and what is marked."""
        return self.pane.picker

    def compose(self) -> ComposeResult:
        """Lay out the pane and the footer, following the settings."""
        self.apply_settings(settings_of(self.app))
        fit(self, self.app.size, update=False)
        if len(self.app.screen_stack) > 1:
            yield from match_line(self)
        yield self.pane
        yield Static(id="too-small")
        yield KeyBar(
            lambda: _LINE if self.pane.line else self.only_keys(), self.first_keys, self.labels_now
        )

    def only_keys(self) -> tuple[BarEntry, ...]:
        """Return entries that replace all others in the footer, if any."""
        return ()

    def first_keys(self) -> tuple[BarEntry, ...]:
        """Return entries that the footer shows first."""
        return ()

    def labels_now(self) -> Mapping[str, str]:
        """Return the labels of actions that are called otherwise for now."""
        return {"back": "Let go"} if self.picker.selection.picked else {}

    def on_mount(self) -> None:
        """Begin after the first refresh."""
        self.call_after_refresh(self._let_begin)

    async def _let_begin(self) -> None:
        try:
            if self.pane.is_attached:  # it may be that the screen has been left meanwhile
                await self.begin()
        finally:
            self.begun = True

    async def begin(self) -> None:
        """Show the first position."""
        raise NotImplementedError

    def on_resize(self, event: events.Resize) -> None:
        """Show the board if there is room for it, else how much it needs."""
        if show_if_room(self, event.size):
            self.call_after_refresh(self.pane.take_keys)
            self.refresh_bindings()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self.pane.apply_settings(settings)

    @property
    def says(self) -> bool:
        """Whether it has a place for notices now."""
        return self.begun and self.pane.is_complete

    def say(self, notice: str) -> None:
        """Show a notice below the board, unless the pane is being removed."""
        if self.pane.is_complete:
            self.pane.show(notice)

    async def play(self, move: Move) -> None:
        """Play or otherwise use a picked move."""
        raise NotImplementedError

    def plays_for(self, side: Side) -> bool:
        """Whether the person picking moves here plays a given side."""
        return True

    # Text

    async def action_type_move(self) -> None:
        """Open the move entry."""
        self.pane.type()

    async def take_paste(self, text: str) -> None:
        """Put one pasted line into the move entry; play several in order, or none of them."""
        if self.pane.prompt.question is None and not self.has_class("-too-small"):
            await self.pane.paste(text, self.plays_for)

    async def obey(self, typed: Typed) -> None:
        """Carry out a typed command."""
        action = typed.action
        if action == "quit":
            await self.run_action("leave" if hasattr(self, "action_leave") else "app.quit")
        elif action and hasattr(self, f"action_{action}") and self.check_action(action, ()):
            await self.run_action(action)
        else:
            self.pane.show("That does nothing here now.")

    # Keys

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        piece = self.picker.selection.picked
        if action in ("take_all", "back", "cycle_captures") and not piece:
            return False
        if action in ("take_all", "cycle_captures") and not self.pane.board.captures:
            return False
        return self.check_action(action, parameters) is True

    def take_any_key(self, key: str) -> bool:
        """Finish the board's animation; return whether a key is a character of a chat message.

        It closes a question that yields to it.
        """
        self.pane.board.settle()
        question = self.pane.prompt.question
        if question and question.yields and not any(key in each.keys for each in question.answers):
            self.pane.close_question()
        return self._begins_square(key) or self.pane.typed_chat(key)

    def _begins_square(self, key: str) -> bool:
        """Open the move entry for a file and rank typed while captures are chosen.

        Otherwise the rank would choose, as a key of the numpad.
        """
        (letter, flipped), self._letter = self._letter, ("", False)
        pane = self.pane
        if not pane.asks_captures:
            return False
        if letter and key.isdigit():
            if pane.board.flipped is not flipped:  # by the letter
                pane.board.flip()
            pane.type()
            pane.write(letter + key)
            return True
        if key.lower() in _FILES:
            self._letter = key, pane.board.flipped
        return False

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor."""
        await self.pane.choose(self.pane.board.cursor)

    async def action_take_all(self) -> None:
        """Put the picked piece down under the cursor and capture everything there."""
        if self.picker.selection.picked:
            await self.pane.choose(self.pane.board.cursor, all_there=True)

    async def action_back(self) -> None:
        """Undo the last choice: captures, a hop, the picked piece."""
        self.pane.back()

    def action_threats(self) -> None:
        """Toggle the threat map: what could be captured next move, and from where."""
        if not self.refuses("threats"):
            self.pane.picker = self.picker.toggle_threats()
            self.pane.show(self.pane.notice)

    def action_flip(self) -> None:
        """Turn the board round."""
        self.pane.board.flip()
        self.pane.show(self.pane.notice)
        self.pane.ask_captures()

    def action_explain(self) -> None:
        """Show the moves of the piece under the cursor."""
        if not self.pane.explain():
            self.say("There is no piece under the cursor.")

    @property
    def at_hand(self) -> Selection:
        """What help is on."""
        return self.picker.selection

    @property
    def topic(self) -> str:
        """The topic of the rules that fits now: that of the picked piece, if any."""
        from thud.rulebook.chapters import topic_at_hand

        hand = self.at_hand
        moves = list(hand.picked.moves) if hand.picked else []
        return topic_at_hand(hand.variant, hand.position, moves)

    def action_help(self) -> None:
        """Show help on what is at hand, linked to all other rules and to the keys."""
        from thud.tui.help.screen import HelpScreen

        self.app.push_screen(HelpScreen(self.picker.selection.variant, self.topic))
