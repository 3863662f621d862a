"""Picking a move, from the first chosen square to the move played.

A `BoardPane` is the board with the message below it, the panel with its questions, and the move
entry; its `Picker` is the hand of the player to move.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from thud.rules.geometry import Mask, Square, listed, parse_square, square_name, squares_of
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.settings.values import Settings
from thud.text import YOU, capitalised
from thud.tui.actions import COMMANDS
from thud.tui.battle.hand import CaptureChoice, Grip, Hand
from thud.tui.battle.scene import doubted, scene
from thud.tui.board.cursor import direction_keys, nearest
from thud.tui.board.widget import Board
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.prompt import Prompt, Question
from thud.wording.hints import doubt_shown
from thud.wording.pieces import piece_at

if TYPE_CHECKING:
    from thud.records.annotation import Shape
    from thud.rules.threats import Threats
    from thud.session.blunders import Blunder
    from thud.tui.battle.move_entry import MoveEntry
    from thud.tui.board.effects import Ending


def invitation(match: Match, hand: Hand, cursor: Square) -> str:
    """Return what the player to move can do, with the cursor on a square."""
    grip, position = hand.grip, hand.position
    if match.battle.outcome:
        return ""
    if grip is None:
        what = f"a {position.to_move.singular}"
        if position.stone in hand.movable:
            what += f", or the {match.variant.stone}"
        name = match.name_of(position.to_move)
        return f"{'Your move' if name == YOU else f'{name} to move'}: pick up {what}"
    if grip.choice:
        return f"Choose what to capture from {square_name(grip.choice.destination)}"
    if grip.captured and cursor == grip.at:
        return f"Trampled {listed(grip.captured)}: Enter stops here, or trample on"
    if moves := grip.destinations.get(cursor):
        return _offer(match.variant, position, moves, grip.captures_at(cursor))
    piece = piece_at(position, grip.origin, match.variant.stone)
    return capitalised(f"{piece} on {square_name(grip.at)} in hand: put it down; Esc lets go")


def _offer(variant: Variant, position: Position, moves: list[Move], captures: Mask) -> str:
    kind = variant.kind(position, moves[-1])
    what = f"{'move' if kind is Kind.ROLL else kind.value} to {square_name(moves[-1].destination)}"
    if not captures:
        return capitalised(what)
    choices = {move.captures for move in moves}
    verb = "captures" if len(moves) == 1 else "can capture"
    if captures not in choices and kind is not Kind.TRAMPLE:
        verb += " one of"
    return capitalised(f"{what}: {verb} {listed(captures)}")


Play: TypeAlias = Callable[[Move], Awaitable[None]]
"""Plays a complete move."""


_NOT_YET: Final = "It is not your turn yet."
"""Shown when the move entry opens before that."""

_LATER: Final = "Press Enter again when it is your turn."
"""Reply to a move submitted too early; one line, as there may be room for no more."""

_THREATS: Final = ("! in danger", ": can capture", "o where it lands")
"""Legend of the threat map."""

_CENTRE: Final = parse_square("H8")

_REMEMBERED: Final = 200
"""Notices that can be read again."""

_ADVISED: Final = ("* best move", "{} captured")
"""Legend of an advised move."""


class Picker:
    """The hand of the player to move, shown on the pane.

    Args:
        pane: where the hand is shown, and captures are chosen.
        match: the match whose battle is played.
        play: callback for a complete move.
        revision: the session's revision that the battle's position belongs to.

    Attributes:
        match: the match whose battle is played.
        revision: the session's revision that the hand's position belongs to.
        hand: the piece in hand, and the moves picked from.
        notice: the notice shown last.
        said: the last notices and hints, the newest last.
        advised: the advised move, if any.
        shapes: arrows and circles that a person has drawn here.
    """

    def __init__(self, pane: BoardPane, match: Match, play: Play, revision: int = 0) -> None:
        self._pane = pane
        self._play = play
        self.match = match
        self.revision = revision
        self.notice = ""
        self.said: list[str] = []
        self._played = match.battle.played
        self._step = self._ended = False
        self._over = match.battle.outcome is not None
        self.hand = Hand(match.variant, match.battle.position)
        self._all_at_once = False
        self._second_tap = "touch"
        self._tapped: tuple[Grip, Square] | None = None
        self._threats: Threats | None = None
        self._allowed_capture: Threats | None = None
        self._hovered: Square | None = None
        self.advised: Move | None = None
        self.shapes: Sequence[Shape] = ()
        self._advice = ""
        self._explains_advice = False
        self._doubt: Blunder | None = None
        self._blocked_reason = ""
        self._footnote = ""
        self._ascii_only = False

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self._all_at_once = settings.captures == "all"
        self._second_tap = settings.second_tap
        self._ascii_only = settings.ascii

    def begin(self, match: Match, revision: int, *, step: bool | None = None) -> None:
        """Begin picking in a new position, with an empty hand.

        Args:
            match: the match whose battle is played.
            revision: the session's revision that the position belongs to.
            step: whether to animate the last move; by default, if it directly follows the position
                shown before.
        """
        self.revision = revision
        self._footnote = ""
        same = match.battle is self.match.battle
        played = match.battle.played
        self._step = same and played == self._played + 1 if step is None else step
        over = match.battle.outcome is not None
        self._ended = over and (self._step or (same and not self._over))
        self.match, self._played, self._over = match, played, over
        if over or match.battle.position != self.hand.position:
            self.advised, self._advice = None, ""
        self._hovered = self._doubt = self._allowed_capture = None
        if over:
            self._threats = None
        elif self._threats is not None:
            from thud.rules.threats import threats_in

            self._threats = threats_in(match.variant, match.battle.position)
        self.hand = Hand(match.variant, match.battle.position)

    def block(self, because: str) -> None:
        """Block picking and show the reason; "" unblocks."""
        self._blocked_reason = because

    def mention(self, footnote: str) -> None:
        """Show a footnote below everything else until a move is made."""
        self._footnote = footnote
        self.invite()

    def advise(
        self,
        move: Move | None,
        notice: str,
        threats: Threats | None = None,
        *,
        with_legend: bool = True,
    ) -> None:
        """Show an advised move, if any, and threats.

        With a legend of its mark it is a hint, which has its own place.

        The notice stays until a move is made.
        """
        self.advised, self._advice, self._allowed_capture = move, notice, threats
        self._explains_advice = with_legend
        self._remember(notice)
        self.show()

    def show(self, notice: str = "", *, remember: bool = True) -> None:
        """Draw the hand and show its hint; while looking back, only the notice.

        The notice can be read again later, unless something else remembers it.
        """
        self.notice = notice
        if remember:
            self._remember(notice)
        if self._pane.past_ply is not None:
            self._pane.tell_meanwhile(notice or self._advice)
            return
        battle = self.match.battle
        _, last = battle.last or (None, None)
        view = scene(
            self.hand,
            last,
            flipped=self._pane.board.flipped,
            hover=None if self._blocked_reason else self._hovered,
            advised=self.advised,
            threats=self._threats or self._allowed_capture,
            shapes=self.shapes,
        )
        if self._doubt:
            view = doubted(battle.variant, battle.position, self._doubt)
        variant = self.match.variant
        view = view._replace(goals=variant.goals, stone=variant.stone)
        move = last if self._step else None
        self._pane.board.show(view, move=move, ending=self._ending if self._ended else None)
        self._step = self._ended = False
        self._show_hint()

    def _remember(self, notice: str) -> None:
        if notice not in ("", *self.said[-1:]):
            self.said.append(notice)
            del self.said[:-_REMEMBERED]

    @property
    def _ending(self) -> Ending:
        """How the board shows the battle's end."""
        from thud.tui.board.effects import Ending

        battle = self.match.battle
        winner = battle.outcome.winner if battle.outcome else None
        winners = battle.position.pieces(winner) if winner else 0
        return Ending(winners, last=self.match.over)

    def invite(self) -> None:
        """Update the hint for the cursor's square, unless something else is open."""
        if not self._pane.busy:
            self._show_hint()

    def _show_hint(self) -> None:
        if self._doubt:
            line = doubt_shown(self._doubt.answer is not None)
        else:
            line = self._blocked_reason or invitation(
                self.match, self.hand, self._pane.board.cursor
            )
        notice = "" if self.notice == line else self.notice
        legend = "" if self._doubt else self._legend or self._footnote
        if self._explains_advice:
            self._pane.tell(line, notice, legend, self._advice)
        else:
            self._pane.tell(line, notice or self._advice, legend)

    @property
    def _legend(self) -> str:
        """The legend of the threat map and of an advised move, as far as they are shown."""
        parts = list[str]()
        if self._threats is not None:
            parts += _THREATS if self._threats.aims else ["Nothing can be captured next move."]
        if self.advised and self._explains_advice and not self.hand.grip:
            cross = "x" if self._ascii_only else "×"
            shown = _ADVISED if self.advised.captures else _ADVISED[:1]
            parts += [each.format(cross) for each in shown]
        return "   ".join(parts)

    def explain(self) -> bool:
        """Show the moves of the piece in hand or under the cursor; False if there is none."""
        from thud.tui.battle import questions
        from thud.tui.battle.abilities import abilities_told

        grip, battle = self.hand.grip, self.match.battle
        square = grip.origin if grip else self._pane.board.cursor
        if battle.position.letter_at(square) is None:
            return False
        text = abilities_told(battle.variant, battle.position, square)
        self._pane.ask(questions.told(text, self.close_question))
        return True

    @property
    def topic(self) -> str:
        """The topic of the rules that fits now: that of the piece in hand, if any."""
        from thud.rulebook.chapters import topic_at_hand

        hand, grip = self.hand, self.hand.grip
        return topic_at_hand(self.match.variant, hand.position, grip.moves if grip else [])

    def show_threats(self) -> None:
        """Toggle the threat map: what could be captured next move, and from where."""
        from thud.rules.threats import threats_in

        battle = self.match.battle
        wanted = self._threats is None
        self._threats = threats_in(battle.variant, battle.position) if wanted else None
        self.show(self.notice)

    def hide_threats(self) -> None:
        """Hide the threat map."""
        self._threats = None

    @property
    def _choice(self) -> CaptureChoice | None:
        return self.hand.grip.choice if self.hand.grip else None

    # Choosing squares

    async def choose(self, square: Square) -> None:
        """Pick up or put down on a square."""
        await self._attempt(lambda: self.hand.choose(square))

    async def click(self, square: Square) -> None:
        """Choose a square, or a victim while captures are chosen."""
        choice = self._choice
        if self._doubt:
            return
        if choice and square != choice.destination:
            self._toggle(choice, square)
        elif choice or not self._pane.prompt.question:
            if self._wants_second_tap(square):
                self.show(f"{'Tap' if self._pane.touched else 'Click'} it again to play.")
                return
            await self._attempt(lambda: self.hand.choose(square), let_go=True)

    def _wants_second_tap(self, square: Square) -> bool:
        """Whether a move would be complete, and its square is tapped for the first time."""
        grip, before = self.hand.grip, self._tapped
        if not grip or grip.choice or not grip.completes(square):
            return False
        self._tapped = grip, square
        wanted = self._second_tap == "always" or (
            self._second_tap == "touch" and self._pane.touched
        )
        return wanted and self._tapped != before

    def hover(self, square: Square | None) -> None:
        """Show where the piece under the mouse may go, while nothing is in hand."""
        before, self._hovered = self._hovered, square
        if self.hand.grip or self._pane.busy or self._blocked_reason:
            return
        if any(each in self.hand.movable for each in (before, square)):
            self.show(self.notice)

    def grab(self, square: Square) -> None:
        """Take a piece in hand to drag it."""
        if self._blocked_reason or self._pane.busy or square not in self.hand.movable:
            return
        self.hand.pick_up(square)
        self.show()

    async def drop(self, origin: Square, destination: Square | None) -> None:
        """Put down a dragged piece; off the board or on an illegal square, it goes back."""
        if not self.hand.grip or self.hand.grip.origin != origin or self._choice:
            return
        if destination is None or destination == origin:
            self.let_go()
        else:
            await self._attempt(lambda: self.hand.choose(destination), let_go=True)

    # Typing

    def type(self) -> None:
        """Open the move entry."""
        from thud.tui.battle.move_entry import MoveEntry

        self.let_go()
        self._pane.withdraw()
        entry = MoveEntry(
            self.match.battle, lambda: self._blocked_reason, self.typed, self._close_entry
        )
        self._pane.open_entry(entry)
        if self._blocked_reason:
            self._pane.tell(self._blocked_reason, _NOT_YET)

    def _close_entry(self) -> None:
        self._pane.close_entry()
        self.show()

    async def paste(self, text: str, plays: Callable[[Side], bool]) -> None:
        """Put one pasted move into the move entry; play several in order, or none of them.

        Args:
            text: the pasted text.
            plays: whether the person pasting plays a given side.
        """
        from thud.tui.battle.move_entry import pasted_moves

        texts = pasted_moves(text)
        if len(texts) > 1:
            await self._play_pasted(texts, plays)
        elif texts:
            if not self._pane.typing:
                self.type()
            self._pane.write(texts[0])

    async def _play_pasted(self, texts: list[str], plays: Callable[[Side], bool]) -> None:
        """Check all pasted moves, then play them in order."""
        from thud.rules.typed import read_sequence

        self.let_go()
        self._pane.withdraw()
        try:
            if self._blocked_reason:
                raise IllegalMove(self._blocked_reason)
            battle = self.match.battle
            moves = read_sequence(battle.variant, battle.position, texts, plays)
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))
            return
        for revision, move in enumerate(moves, self.revision):
            if revision != self.revision:
                self.show("The match has moved on: the other moves were not played.")
                return
            await self._play(move)

    async def typed(self, text: str) -> None:
        """Play a typed move, or ask for its captures if they are left open; or run a command."""
        from thud.rules.typed import read_typed

        if action := COMMANDS.get(text.strip().lower()):
            await self._run_typed(action)
            return
        if self._blocked_reason:
            self._pane.tell(f"{_LATER} {self._blocked_reason}")
            return
        try:
            moves = read_typed(self.match.variant, self.match.battle.position, text)
        except ValueError as refusal:
            self._pane.tell(capitalised(str(refusal)))
            return
        self._pane.close_entry()
        if len(moves) == 1:
            await self._play(moves[0])
            return
        self.hand.pick_up(moves[0].origin)
        self._pane.board.move_cursor(moves[0].destination)
        await self._attempt(lambda: self.hand.choose(moves[0].destination))

    async def _run_typed(self, action: str) -> None:
        """Run an action of the screen, or say that it does nothing now."""
        screen = self._pane.screen
        self._close_entry()
        if hasattr(screen, f"action_{action}") and screen.check_action(action, ()):
            await screen.run_action(action)
        else:
            self.show("That does nothing here now.")

    # Changing one's mind

    async def take_all(self, square: Square) -> None:
        """Put the piece in hand down on a square and capture everything there."""
        if grip := self.hand.grip:
            await self._attempt(lambda: grip.take_all(square))

    def back(self) -> None:
        """Undo the last choice: captures, a hop, the piece in hand."""
        self.hand.back()
        self._pane.withdraw()
        self.show()

    def close_question(self) -> None:
        """Close the open question, keeping the hand."""
        self._pane.withdraw()
        self.show(self.notice)

    def let_go(self) -> None:
        """Put the piece in hand back where it stood."""
        if self.hand.grip:
            self._doubt = None
            self.hand.let_go()
            self._pane.withdraw()
            self.show()

    def miss_capture(self) -> None:
        """Show why there is no capture to step to."""
        self.show(
            "This piece cannot capture anything now."
            if self.hand.grip
            else "Pick up a piece first, then step through its captures."
        )

    async def _attempt(self, choose: Callable[[], Move | None], *, let_go: bool = False) -> None:
        """Make a choice, and play the move it completes; show why if it is refused."""
        try:
            if self._blocked_reason:
                raise IllegalMove(self._blocked_reason)
            if move := choose():
                await self._play(move)
                return
        except IllegalMove as refusal:
            if let_go:
                self.hand.let_go()
                self._pane.withdraw()
            self.show(capitalised(str(refusal)))
            return
        self.show()
        if not self._choice:
            return
        if self._all_at_once and self._choice.all_at_once:
            self._choice.take_all()
            await self._play(self._choice.confirm())
        else:
            self._ask_captures(self._choice)

    # The coach's objections

    def show_doubt(self, doubt: Blunder) -> None:
        """Show the coach's objection to a move on the board."""
        self._doubt = doubt
        self.show()

    def keep(self) -> None:
        """Drop the doubted move, keeping the piece in hand as it was."""
        self._doubt = None
        self.close_question()
        self.ask_again()

    # Choosing captures

    def ask_again(self) -> None:
        """Ask for the captures again, if that was open: flipping the board changes the keys."""
        if self._choice and not self._doubt:
            self._ask_captures(self._choice)

    def _ask_captures(self, choice: CaptureChoice) -> None:
        from thud.tui.battle import questions

        victims, flipped = squares_of(choice.victims), self._pane.board.flipped
        question = questions.captures(
            choice,
            {s: direction_keys(choice.destination, s, flipped=flipped) for s in victims},
            toggle=lambda square: self._toggle(choice, square),
            confirm=lambda: self._attempt(choice.confirm),
            take_all=lambda: self.take_all(choice.destination),
            clear=lambda: self._spare_all(choice),
            back=self.back,
        )
        self._pane.ask(question)

    def _toggle(self, choice: CaptureChoice, square: Square) -> None:
        try:
            choice.toggle(square)
        except IllegalMove as refusal:
            self.show(capitalised(str(refusal)))
            return
        self.show()
        self._ask_captures(choice)

    def _spare_all(self, choice: CaptureChoice) -> None:
        choice.spare_all()
        self.show()
        self._ask_captures(choice)


class _BoardColumn(Vertical):
    """The board and the message below it."""

    BLANK = True


class BoardPane(Horizontal):
    """A board on which moves are picked, with messages and questions.

    Children are kept as attributes, not queried: messages may arrive while they are being removed.

    Args:
        match: the match whose battle is shown.
        play: callback for a complete move.
        revision: the session's revision that the battle's position belongs to.

    Attributes:
        past_ply: the number of moves after which the battle is shown, None for the present.
    """

    # The children cover it: it has no background of its own to draw.
    BLANK = True

    def __init__(self, match: Match, play: Play, revision: int = 0) -> None:
        super().__init__(id="play")
        self.picker = Picker(self, match, play, revision)
        first = nearest(_CENTRE, self.picker.hand.movable)
        self.board = Board(match.battle.position, cursor=first)
        self.message = Static(id="message", markup=False)
        self.prompt = Prompt()
        self.past_ply: int | None = None
        self._left = _BoardColumn(id="column")
        self._panel = Vertical(id="panel")
        self._aside: Static | None = None
        self._said = ("", "", "", "")
        self._entry: MoveEntry | None = None

    def compose(self) -> ComposeResult:
        """Lay out the board with its message, and the panel."""
        with self._left:
            yield self.board
            yield self.message
        yield from self.compose_between()
        with self._panel:
            yield from self.compose_panel()
            yield self.prompt

    def compose_between(self) -> ComposeResult:
        """Lay out widgets between the board and the panel."""
        yield from ()

    def compose_panel(self) -> ComposeResult:
        """Lay out the panel above the question at its foot."""
        yield from ()

    def on_mount(self) -> None:
        """Update the hint whenever the cursor moves."""
        # After the move that takes the cursor there is handled, but before anything is drawn.
        self.watch(self.board, "cursor", lambda: self.call_next(self.picker.invite), init=False)

    @property
    def is_complete(self) -> bool:
        """Whether all children are mounted and none is being removed."""
        # A screen that is being removed has its `display` off.
        return self.is_mounted and self.is_attached and self.screen.display

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self.board, settings)
        self.picker.apply_settings(settings)

    def tell(self, line: str, notice: str = "", legend: str = "", advice: str = "") -> None:
        """Show a message below the board; what does not fit moves to the panel.

        Args:
            line: what can be done now.
            notice: what has happened, in bold.
            legend: what the marks on the board mean.
            advice: a hint, which is always in the panel, unless that is below the board.
        """
        self._said = line, notice, legend, advice
        if self.app.has_class("-upright"):
            notice, advice = notice or advice, ""
        parts = [Text(line), Text(notice, "bold"), Text(legend)]
        below = [part for part in parts if part]
        beside = [Text(advice)] if advice else []
        width, height = self.message.content_size
        while len(below) > 1 and self._rows(below, width) > height > 0:
            # The line is to stay.  A legend can go to its hint; else the notice is the longest.
            beside.append(below.pop(-1 if advice else 1))
        self._show_message(Text("\n").join(below))
        self._show_aside(Text("\n\n").join(beside), "Hint" if advice else "")

    def _rows(self, parts: Sequence[Text], width: int) -> int:
        console = self.app.console
        return sum(len(part.wrap(console, max(1, width))) for part in parts)

    def on_resize(self) -> None:
        """Lay the message out again for the new size."""
        self.call_after_refresh(lambda: self.tell(*self._said))

    @property
    def touched(self) -> bool:
        """Whether the board is on a touch screen."""
        return self.board.touched

    def tell_meanwhile(self, notice: str) -> None:
        """Show what has happened while the player looks back."""

    def _show_message(self, text: Text, *, layout: bool = False) -> None:
        """Show a text below the board; redraw only if it has changed."""
        if text != self.message.content:
            self.message.update(text, layout=layout)

    def _show_aside(self, text: Text, title: str) -> None:
        """Show a text at the foot of the panel; hide it if it is empty."""
        if text and not self._aside:
            self._aside = Static(id="aside", markup=False)
            self._panel.mount(self._aside, before=self.prompt)
        if self._aside:
            self._aside.display = bool(text)
            self._aside.border_title = title
            self._aside.update(text)

    # Questions

    def ask(self, question: Question) -> None:
        """Ask a question beside the board and focus it, unless a move is being typed."""
        self.add_class("-asking")
        self.prompt.ask(question)
        self.take_keys()
        self.screen.refresh_bindings()

    def withdraw(self) -> None:
        """Close the question and the move entry, end looking back, and focus the board."""
        self.past_ply = None
        self.remove_class("-asking")
        self.prompt.close()
        self.close_entry()
        self.take_keys()

    @property
    def busy(self) -> bool:
        """Whether the player is typing, looking back or being asked something."""
        return self.typing or self.past_ply is not None or self.prompt.question is not None

    def take_keys(self) -> None:
        """Focus the widget that the keys are for."""
        if self.is_attached:  # the screen may have been left meanwhile
            self.screen.set_focus(self.focus_now())

    def focus_now(self) -> Widget | None:
        """Return the move entry, the question or the board, the first that is open.

        None where the screen itself takes the keys.
        """
        return self._entry or (self.prompt if self.prompt.question else self.board)

    # Typing

    @property
    def typing(self) -> bool:
        """Whether the move entry is open."""
        return self._entry is not None

    def open_entry(self, entry: MoveEntry) -> None:
        """Mount the move entry and focus it."""
        self._entry = entry
        self.add_class("-typing")
        self._left.mount(entry)
        self.screen.set_focus(entry)

    def write(self, text: str) -> None:
        """Insert a text into the move entry, if it is open."""
        if self._entry:
            self._entry.action_write(text)

    def on_move_entry_going(self, event: MoveEntry.Going) -> None:
        """Show the completions of the typed text."""
        if event.entry is self._entry and event.is_current:
            self.tell("  ".join(event.completions) or event.entry.blocked_reason())

    def close_entry(self) -> None:
        """Close the move entry."""
        if self._entry:
            self._entry.remove()
            self._entry = None
            self.remove_class("-typing")
            self.take_keys()

    # The mouse

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        if self.past_ply is None:
            await self.picker.click(event.square)

    @on(Board.Hovered)
    def _show_hovered(self, event: Board.Hovered) -> None:
        self.picker.hover(event.square)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        self.picker.grab(event.square)

    @on(Board.Dropped)
    async def _drop(self, event: Board.Dropped) -> None:
        await self.picker.drop(event.origin, event.destination)

    @on(Board.NoCapture)
    def _miss_capture(self) -> None:
        self.picker.miss_capture()

    @on(Board.Missed)
    @on(events.Click)
    def _let_go(self) -> None:
        self.picker.let_go()
