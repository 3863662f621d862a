"""What a player picks a move from: the hand, what is marked, and what can be done.

Values in, values out: a `Picker` knows no widget, and plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.rules.geometry import Mask, Square, listed, square_name
from thud.rules.match import Match
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.settings.values import Settings
from thud.text import YOU, capitalised
from thud.tui.board.look import View
from thud.tui.picking.hand import CaptureChoice, Grip, Hand
from thud.tui.picking.scene import Marks, scene
from thud.wording.hints import doubt_shown
from thud.wording.moves import piece_at

if TYPE_CHECKING:
    from thud.records.annotation import Shape
    from thud.rules.threats import Threats
    from thud.session.blunders import Blunder


def invitation(match: Match, hand: Hand, cursor: Square) -> str:
    """Return what the player to move can do, with the cursor on a square."""
    grip, position = hand.grip, hand.position
    if match.battle.outcome:
        return ""
    if grip is None:
        what = f"a {position.to_move.singular}"
        if position.stone in hand.moves:
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


def _offer(variant: Variant, position: Position, moves: Sequence[Move], captures: Mask) -> str:
    kind = variant.kind(position, moves[-1])
    what = f"{'move' if kind is Kind.ROLL else kind.value} to {square_name(moves[-1].destination)}"
    if not captures:
        return capitalised(what)
    choices = {move.captures for move in moves}
    verb = "captures" if len(moves) == 1 else "can capture"
    if captures not in choices and kind is not Kind.TRAMPLE:
        verb += " one of"
    return capitalised(f"{what}: {verb} {listed(captures)}")


_THREATS: Final = ("! in danger", ": can capture", "o where it lands")
"""Legend of the threat map."""

_ADVISED: Final = ("* best move", "{} captured")
"""Legend of an advised move."""


class Take(Enum):
    """Answers about captures, besides the square of a victim to take or spare."""

    THESE = "these"
    ALL = "all"
    NONE = "none"


class ShownHint(NamedTuple):
    """A hint, which stays until a move is made."""

    move: Move | None = None
    """The advised move, if any."""
    words: str = ""
    threats: Threats | None = None
    """What is drawn with it."""
    with_legend: bool = True
    """Whether it has a legend, and a place of its own."""


class Picker:
    """The hand of the player to move, and what is marked for them.

    Args:
        match: the match whose battle is played.
        revision: the session's revision that the battle's position belongs to.

    Attributes:
        match: the match whose battle is played.
        revision: the session's revision that the hand's position belongs to.
        hand: the piece in hand, and the moves picked from.
        blocked: why nothing can be picked, empty if something can.
        hovered: the square under the mouse.
        advice: the hint shown.
        shapes: arrows and circles that a person has drawn here.
        doubt: the coach's objection shown, if any.
        threats: the threat map, while it is shown.
        settings: how captures and taps are handled, and what signs there are.
        footnote: what is told below everything else until a move is made.
    """

    def __init__(self, match: Match, revision: int = 0) -> None:
        self.match = match
        self.revision = revision
        self.hand = Hand.empty(match.variant, match.battle.position)
        self.blocked = self.footnote = ""
        self.hovered: Square | None = None
        self.advice = ShownHint()
        self.shapes: Sequence[Shape] = ()
        self.doubt: Blunder | None = None
        self.threats: Threats | None = None
        self._tapped: tuple[Grip, Square] | None = None
        self.settings = Settings()

    def begin(self, match: Match, revision: int) -> None:
        """Begin picking in a new position, with an empty hand.

        Args:
            match: the match whose battle is played.
            revision: the session's revision that the position belongs to.
        """
        battle, before = match.battle, self.hand.position
        self.match, self.revision = match, revision
        self.hand = Hand.empty(match.variant, battle.position)
        self.footnote = ""
        self.hovered = self.doubt = None
        if battle.outcome or battle.position != before:
            self.advice = ShownHint()
        self.advice = self.advice._replace(threats=None)
        if self.threats is not None:
            self.threats = None
            if not battle.outcome:
                self.toggle_threats()

    # Picking

    @property
    def choice(self) -> CaptureChoice | None:
        """The open choice of captures, if any."""
        return self.hand.grip.choice if self.hand.grip else None

    def choose(self, square: Square) -> Move | None:
        """Pick up or put down on a square; return the move, once it is complete.

        Raises:
            IllegalMove: nothing can be picked now, or not there; says why.
        """
        return self._hold(self.hand.choose, square)

    def take_all(self, square: Square) -> Move | None:
        """Put the piece in hand down on a square and capture everything there.

        Raises:
            IllegalMove: nothing can be picked now, or not there; says why.
        """
        return self._hold(self.hand.take_all, square)

    def _hold(self, choose: Callable[[Square], Hand | Move], square: Square) -> Move | None:
        if self.blocked:
            raise IllegalMove(self.blocked)
        picked = choose(square)
        if isinstance(picked, Hand):
            self.hand = picked
            if not (self.choice and self.choice.all_at_once and self.settings.captures == "all"):
                return None
            picked = picked.take_all(square)
        assert isinstance(picked, Move)
        return picked

    def take(self, answer: Take | Square) -> Move | None:
        """Answer which pieces to capture; return the move, once it is complete.

        Raises:
            IllegalMove: the choice is not legal, or the square holds no victim; says why.
        """
        grip, choice = self.hand.grip, self.choice
        assert grip
        assert choice
        match answer:
            case Take.THESE:
                return self.choose(choice.destination)
            case Take.ALL:
                return self.take_all(choice.destination)
            case Take.NONE:
                self.hand = self.hand._replace(grip=grip.chosen(choice._replace(taken=0)))
            case square:
                self.hand = self.hand._replace(grip=grip.chosen(choice.toggle(square)))
        return None

    def grab(self, square: Square) -> bool:
        """Take a piece in hand to drag it; return whether it can move."""
        if self.blocked or square not in self.hand.moves:
            return False
        self.hand = self.hand.pick_up(square)
        return True

    def let_go(self) -> None:
        """Put the piece in hand back where it stood."""
        self.doubt = None
        self.hand = self.hand.let_go()

    def wants_second_tap(self, square: Square, *, touched: bool) -> bool:
        """Whether a move would be complete, and its square is tapped for the first time."""
        grip, before = self.hand.grip, self._tapped
        if not grip or grip.choice or not grip.completes(square):
            return False
        self._tapped = grip, square
        when = self.settings.second_tap
        return (when == "always" or (when == "touch" and touched)) and self._tapped != before

    def toggle_threats(self) -> None:
        """Toggle the threat map: what could be captured next move, and from where."""
        from thud.rules.threats import threats_in

        battle = self.match.battle
        wanted = self.threats is None
        self.threats = threats_in(battle.variant, battle.position) if wanted else None

    # What is shown

    def view(self, *, flipped: bool) -> View:
        """Return what the board draws."""
        _, last = self.match.battle.last or (None, None)
        marks = Marks(
            None if self.blocked else self.hovered,
            self.advice.move,
            self.threats or self.advice.threats,
            self.shapes,
            self.doubt,
        )
        return scene(self.hand, last, marks, flipped=flipped)

    def texts(self, cursor: Square, notice: str) -> tuple[str, str, str, str]:
        """Return what is told below the board, with the cursor on a square and after a notice.

        That is what can be done, the notice, the legend of the marks, and the hint.
        """
        if self.doubt:
            line, legend = doubt_shown(self.doubt.answer is not None), ""
        else:
            line = self.blocked or invitation(self.match, self.hand, cursor)
            legend = self._legend or self.footnote
        notice = "" if notice == line else notice
        if self.advice.with_legend:
            return line, notice, legend, self.advice.words
        return line, notice or self.advice.words, legend, ""

    @property
    def _legend(self) -> str:
        """The legend of the threat map and of an advised move, as far as they are shown."""
        parts = list[str]()
        if self.threats is not None:
            parts += _THREATS if self.threats.aims else ["Nothing can be captured next move."]
        advised = self.advice.move
        if advised and self.advice.with_legend and not self.hand.grip:
            cross = "x" if self.settings.ascii else "×"
            shown = _ADVISED if advised.captures else _ADVISED[:1]
            parts += [each.format(cross) for each in shown]
        return "   ".join(parts)
