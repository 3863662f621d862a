"""Picks a move: from squares chosen one after the other to a move played.

The `BoardPane` is the board with what is said beneath it, what is asked beside it, and where
moves are typed; its `Picker` is the hand of the player to move.
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

from thud.rules.geometry import Mask, Square, listed, square_name, squares_of
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.settings.values import Settings
from thud.tui.battle.hand import CaptureChoice, Hand
from thud.tui.battle.scene import doubted, scene
from thud.tui.board.cursor import direction_keys
from thud.tui.board.widget import Board
from thud.tui.widgets.appearance import dress
from thud.tui.widgets.prompt import Prompt, Question
from thud.wording.hints import doubt_shown
from thud.wording.pieces import piece_at
from thud.wording.text import YOU, capitalised

if TYPE_CHECKING:
    from thud.rules.threats import Threats
    from thud.session.blunders import Blunder
    from thud.tui.battle.move_entry import MoveEntry
    from thud.tui.board.moments import Ending


def invitation(match: Match, hand: Hand, cursor: Square) -> str:
    """Say what the player to move can do, with the cursor on a square."""
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
        return f"Choose what to capture on {square_name(grip.choice.destination)}"
    if grip.captured and cursor == grip.at:
        return f"Trampled {listed(grip.captured)}: Enter stops here, or trample on"
    if moves := grip.destinations.get(cursor):
        return _offer(match.variant, position, moves, grip.captures_at(cursor))
    piece = piece_at(position, grip.origin, match.variant.stone)
    return capitalised(f"{piece} on {square_name(grip.at)} in hand: put it down; Esc lets go")


def _offer(variant: Variant, position: Position, moves: list[Move], captures: Mask) -> str:
    what = f"{variant.kind(position, moves[-1]).value} to {square_name(moves[-1].destination)}"
    if not captures:
        return capitalised(what)
    choices = {move.captures for move in moves}
    verb = "captures" if len(moves) == 1 else "can capture"
    if captures not in choices and Kind.TRAMPLE is not variant.kind(position, moves[-1]):
        verb += " one of"
    return capitalised(f"{what}: {verb} {listed(captures)}")


Play: TypeAlias = Callable[[Move], Awaitable[None]]
"""Plays a complete move."""


_NOT_YET: Final = "It is not your turn yet."
"""Reply to a move typed before that."""

_LATER: Final = "Press Enter again when it is your turn."
"""Reply to a whole move typed; there may be room for one line only."""

_LEGEND: Final = "! in danger   : can capture   o where it lands"
"""Legend of the threat map."""


class Picker:
    """The hand of the player to move, shown on the pane.

    Args:
        pane: where the hand is seen, and asked what to capture.
        match: whose battle is played.
        play: what to do with a complete move.
        number: at which number of the session the battle stands as it does.

    Attributes:
        match: whose battle is played.
        number: at which number of the session the position was as it is in hand.
        hand: what is in hand.
        notice: what was said last.
        advised: the move that is advised, None if none is.
    """

    def __init__(self, pane: BoardPane, match: Match, play: Play, number: int = 0) -> None:
        self._pane = pane
        self._play = play
        self.match = match
        self.number = number
        self.notice = ""
        self._played = match.battle.played
        self._step = self._ended = False
        self._over = match.battle.outcome is not None
        self.hand = Hand(match.variant, match.battle.position)
        self._all_at_once = False
        self._threats: Threats | None = None
        self._pointed_out: Threats | None = None
        self._hovered: Square | None = None
        self.advised: Move | None = None
        self._advice = ""
        self._doubt: Blunder | None = None
        self._idle = ""
        self._footnote = ""

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        self._all_at_once = settings.captures == "all"

    def begin(self, match: Match, number: int, *, step: bool | None = None) -> None:
        """Empty the hand for the position as it is at a number of the session.

        Args:
            match: whose battle is played.
            number: the number of the session.
            step: whether the last move is to be seen; by itself, if it is the one after what was
                shown.
        """
        self.number = number
        self._footnote = ""
        same = match.battle is self.match.battle
        played = match.battle.played
        self._step = same and played == self._played + 1 if step is None else step
        over = match.battle.outcome is not None
        self._ended = over and (self._step or (same and not self._over))
        self.match, self._played, self._over = match, played, over
        if match.battle.position != self.hand.position:
            self.advised, self._advice = None, ""
        self._hovered = self._doubt = self._pointed_out = None
        if self._threats:
            from thud.rules.threats import threats_in

            self._threats = threats_in(match.variant, match.battle.position)
        self.hand = Hand(match.variant, match.battle.position)

    def wait(self, because: str) -> None:
        """Pick nothing while there is a reason why nobody here can move; "" ends that."""
        self._idle = because

    def mention(self, footnote: str) -> None:
        """Say something by the way, below everything else, until a move is made."""
        self._footnote = footnote
        self.invite()

    def advise(self, move: Move | None, notice: str, threats: Threats | None = None) -> None:
        """Show a move that is advised, or none, and what could be captured.

        The notice is said again whenever there is nothing else to say, until a move is made.
        """
        self.advised, self._advice, self._pointed_out = move, notice, threats
        self.show(notice)

    def show(self, notice: str = "") -> None:
        """Draw the hand, and say what it can do, unless people look back."""
        self.notice = notice = notice or self._advice
        if self._pane.past is not None:
            self._pane.tell_meanwhile(notice)
            return
        battle = self.match.battle
        _, last = battle.last or (None, None)
        view = scene(
            self.hand,
            last,
            flipped=self._pane.board.flipped,
            hover=None if self._idle else self._hovered,
            advised=self.advised,
            threats=self._threats or self._pointed_out,
        )
        if self._doubt:
            view = doubted(battle.variant, battle.position, self._doubt)
        variant = self.match.variant
        view = view._replace(goals=variant.goals, stone=variant.stone)
        move = last if self._step else None
        self._pane.board.show(view, move=move, ending=self._ending if self._ended else None)
        self._step = self._ended = False
        self._show_hint()

    @property
    def _ending(self) -> Ending:
        """The battle's end as the board shows it."""
        from thud.tui.board.moments import Ending

        battle = self.match.battle
        winner = battle.outcome.winner if battle.outcome else None
        winners = battle.position.pieces(winner) if winner else 0
        return Ending(winners, last=self.match.over)

    def invite(self) -> None:
        """Say what the hand can do with the cursor where it is, unless something else is said."""
        if not self._pane.occupied:
            self._show_hint()

    def _show_hint(self) -> None:
        if self._doubt:
            line = doubt_shown(self._doubt.answer is not None)
        else:
            line = self._idle or invitation(self.match, self.hand, self._pane.board.cursor)
        self._pane.tell(line, self.notice, "" if self._doubt else self._legend or self._footnote)

    @property
    def _legend(self) -> str:
        if self._threats is None:
            return ""
        return _LEGEND if self._threats.aims else "Nothing can be captured next move."

    def explain(self) -> bool:
        """Tell what the piece in hand or under the cursor may do; say whether there is one."""
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
        """What the rules would have to tell now: of the piece in hand, if there is one."""
        from thud.rulebook.chapters import topic_at_hand

        battle, grip = self.match.battle, self.hand.grip
        return topic_at_hand(battle.variant, battle.position, grip.moves if grip else [])

    def show_threats(self) -> None:
        """Show what could be captured next move, and from where, or no longer."""
        from thud.rules.threats import threats_in

        battle = self.match.battle
        wanted = self._threats is None
        self._threats = threats_in(battle.variant, battle.position) if wanted else None
        self.show(self.notice)

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
            await self._attempt(lambda: self.hand.choose(square), let_go=True)

    def hover(self, square: Square | None) -> None:
        """Show where the piece under the mouse may go, while nothing is in hand."""
        before, self._hovered = self._hovered, square
        if self.hand.grip or self._pane.occupied or self._idle:
            return
        if any(each in self.hand.movable for each in (before, square)):
            self.show(self.notice)

    def grab(self, square: Square) -> None:
        """Take a piece in hand to drag it."""
        if self._idle or self._pane.occupied or square not in self.hand.movable:
            return
        self.hand.pick_up(square)
        self.show()

    async def drop(self, origin: Square, destination: Square | None) -> None:
        """Put down what was dragged; beside the board, or where it cannot go, it goes back."""
        if not self.hand.grip or self.hand.grip.origin != origin or self._choice:
            return
        if destination is None or destination == origin:
            self.let_go()
        else:
            await self._attempt(lambda: self.hand.choose(destination), let_go=True)

    # Typing

    def type(self) -> None:
        """Open the line in which a move is typed."""
        from thud.tui.battle.move_entry import MoveEntry

        self.let_go()
        self._pane.withdraw()
        entry = MoveEntry(self.match.battle, lambda: self._idle, self.typed, self._close_entry)
        self._pane.open_entry(entry)
        if self._idle:
            self._pane.tell(self._idle, _NOT_YET)

    def _close_entry(self) -> None:
        self._pane.close_entry()
        self.show()

    async def paste(self, text: str, plays: Callable[[Side], bool]) -> None:
        """Write a pasted line where moves are typed; play several in order, or none of them.

        Args:
            text: what was pasted.
            plays: whether whoever pastes plays for a side.
        """
        from thud.tui.battle.move_entry import pasted_lines

        lines = pasted_lines(text)
        if len(lines) > 1:
            await self._play_pasted(lines, plays)
        elif lines:
            if not self._pane.typing:
                self.type()
            self._pane.write(lines[0])

    async def _play_pasted(self, lines: list[str], plays: Callable[[Side], bool]) -> None:
        """Play moves that have all been tried before the first is played."""
        from thud.tui.battle.move_entry import read_pasted

        self.let_go()
        self._pane.withdraw()
        try:
            if self._idle:
                raise IllegalMove(self._idle)
            moves = read_pasted(self.match.battle, lines, plays)
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))
            return
        for number, move in enumerate(moves, self.number):
            if number != self.number:
                self.show("The match has moved on: the other moves were not played.")
                return
            await self._play(move)

    async def typed(self, text: str) -> None:
        """Play a move that was typed, or take its piece to where captures are to be chosen."""
        from thud.rules.typed import read_typed

        if self._idle:
            self._pane.tell(f"{_LATER} {self._idle}")
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
        """Close what was asked or told, with the hand as it is."""
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
        """Say why there is no capture to go to."""
        self.show(
            "This piece cannot capture anything now."
            if self.hand.grip
            else "Pick up a piece first, then step through its captures."
        )

    async def _attempt(self, choose: Callable[[], Move | None], *, let_go: bool = False) -> None:
        """Make a choice, and the move if that completes it; say why where it is refused."""
        try:
            if self._idle:
                raise IllegalMove(self._idle)
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

    # Moves that are doubted

    def show_doubt(self, doubt: Blunder) -> None:
        """Show on the board what the coach has against a move."""
        self._doubt = doubt
        self.show()

    def keep(self) -> None:
        """Leave the move that was doubted unmade, and the piece as it was."""
        self._doubt = None
        self.close_question()
        self.ask_again()

    # Choosing captures

    def ask_again(self) -> None:
        """Ask anew what to capture, if that was asked: the board was turned round."""
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
    """The board, and what is said beneath it."""

    BLANK = True


class BoardPane(Horizontal):
    """Shows a board on which moves are picked, and asks what it is told to ask.

    Its parts are attributes and not looked up: something may still be said while they are removed.

    Args:
        match: whose battle is at the board.
        play: what to do with a complete move.
        number: at which number of the session the battle stands as it does.

    Attributes:
        past: after how many moves the battle is shown, while people look back.
    """

    # Its parts cover it: there is nothing to draw below them.
    BLANK = True

    def __init__(self, match: Match, play: Play, number: int = 0) -> None:
        super().__init__(id="play")
        self.board = Board(match.battle.position)
        self.message = Static(id="message", markup=False)
        self.prompt = Prompt()
        self.picker = Picker(self, match, play, number)
        self.past: int | None = None
        self._left = _BoardColumn(id="column")
        self._panel = Vertical(id="panel")
        self._aside: Static | None = None
        self._said = ("", "", "")
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
        """Lay out what stands between the board and the panel."""
        yield from ()

    def compose_panel(self) -> ComposeResult:
        """Lay out the panel, but for the question at its foot."""
        yield from ()

    def on_mount(self) -> None:
        """Say what the hand can do wherever the cursor goes."""
        # When the move that puts the cursor there is done, but before anything is drawn.
        self.watch(self.board, "cursor", lambda: self.call_next(self.picker.invite), init=False)

    @property
    def whole(self) -> bool:
        """Whether all its parts are there: they are mounted, and none has been removed."""
        # What is being removed is not displayed any more.
        return self.is_mounted and self.is_attached and self.screen.display

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        dress(self.board, settings)
        self.picker.apply_settings(settings)

    def tell(self, line: str, notice: str = "", legend: str = "") -> None:
        """Say something beneath the board; what has no room there stands in the panel.

        Args:
            line: what can be done now.
            notice: what has happened, in bold.
            legend: what marks on the board mean.
        """
        self._said = line, notice, legend
        parts = [Text(line), Text(notice, "bold"), Text(legend)]
        below = [part for part in parts if part]
        beside: list[Text] = []
        width, height = self.message.content_size
        while len(below) > 1 and self._rows(below, width) > height > 0:
            # The notice goes first: it is the longest, and what can be done stays.
            beside.insert(0, below.pop(1))
        self._show_message(Text("\n").join(below))
        self._show_aside(Text("\n\n").join(beside))

    def _rows(self, parts: Sequence[Text], width: int) -> int:
        console = self.app.console
        return sum(len(part.wrap(console, max(1, width))) for part in parts)

    def on_resize(self) -> None:
        """Say again what was said, as there is room for it now."""
        self.call_after_refresh(lambda: self.tell(*self._said))

    def tell_meanwhile(self, notice: str) -> None:
        """Say what has happened while people look back."""

    def _show_message(self, text: Text, *, layout: bool = False) -> None:
        """Show a text beneath the board, which is not drawn again where it is there already."""
        if text != self.message.content:
            self.message.update(text, layout=layout)

    def _show_aside(self, text: Text) -> None:
        """Show a text at the foot of the panel, nothing if it is empty."""
        if text and not self._aside:
            self._aside = Static(id="aside", markup=False)
            self._panel.mount(self._aside, before=self.prompt)
        if self._aside:
            self._aside.display = bool(text)
            self._aside.update(text)

    # Questions

    def ask(self, question: Question) -> None:
        """Ask a question beside the board; it takes the keys, but none from a move being typed."""
        self.add_class("-asking")
        self.prompt.ask(question)
        self.take_keys()
        self.screen.refresh_bindings()

    def withdraw(self) -> None:
        """Withdraw the question, return from the past, and give the keys to the board."""
        self.past = None
        self.remove_class("-asking")
        self.prompt.close()
        self.close_entry()
        self.take_keys()

    @property
    def occupied(self) -> bool:
        """Whether people are doing something else than looking at the board as it is now."""
        return self.typing or self.past is not None or self.prompt.question is not None

    def take_keys(self) -> None:
        """Give the keys to whatever people are doing."""
        if self.is_attached:  # it may be that the screen has been left meanwhile
            self.screen.set_focus(self.focus_now())

    def focus_now(self) -> Widget | None:
        """Return what the keys are for now, None if they are all the screen's."""
        return self._entry or (self.prompt if self.prompt.question else self.board)

    # Typing

    @property
    def typing(self) -> bool:
        """Whether the line in which a move is typed is open."""
        return self._entry is not None

    def open_entry(self, entry: MoveEntry) -> None:
        """Open the line in which a move is typed."""
        self._entry = entry
        self.add_class("-typing")
        self._left.mount(entry)
        self.screen.set_focus(entry)

    def write(self, text: str) -> None:
        """Write a text into the line in which a move is typed, if it is open."""
        if self._entry:
            self._entry.action_write(text)

    def on_move_entry_going(self, event: MoveEntry.Going) -> None:
        """Say how what is typed may go on."""
        if event.entry is self._entry and event.still:
            self.tell("  ".join(event.ways) or event.entry.idle())

    def close_entry(self) -> None:
        """Close the line in which a move is typed."""
        if self._entry:
            self._entry.remove()
            self._entry = None
            self.remove_class("-typing")
            self.take_keys()

    # The mouse

    @on(Board.Clicked)
    async def _choose_clicked(self, event: Board.Clicked) -> None:
        if self.past is None:
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
