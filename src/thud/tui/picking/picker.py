"""What a player picks a move from: the picked piece, what is marked, and what can be done.

Values in, values out: a `Picker` knows no widget, and plays nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.rules.geometry import Square, listed, square_name, squares_of, step_between
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.threats import Threats, aim_of, threats_in
from thud.rules.variant import IllegalMove, Kind
from thud.settings.values import Settings
from thud.text import YOU, capitalised
from thud.tui.board.cursor import direction_keys
from thud.tui.board.look import HEADS, STROKES, SquareMark, Stroke, View, last_marks
from thud.tui.picking.selection import CaptureChoice, PickedPiece, Selection
from thud.wording.hints import doubt_shown
from thud.wording.moves import piece_at

if TYPE_CHECKING:
    from thud.records.annotation import Shape
    from thud.session.advice import Blunder

_THREATS: Final = ("! in danger", ": can capture", "o where it lands")
"""Legend of the threat map."""


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
    """What the player to move has picked, and what is marked for them.

    Args:
        match: the match whose battle is played.
        revision: the session's revision that the battle's position belongs to.

    Attributes:
        match: the match whose battle is played.
        revision: the session's revision that the selection's position belongs to.
        selection: the piece picked up, and the moves picked from.
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
        self.selection = Selection.empty(match.variant, match.battle.position)
        self.blocked = self.footnote = ""
        self.hovered: Square | None = None
        self.advice = ShownHint()
        self.shapes: Sequence[Shape] = ()
        self.doubt: Blunder | None = None
        self.threats: Threats | None = None
        self._tapped: tuple[PickedPiece, Square] | None = None
        self.settings = Settings()

    def begin(self, match: Match, revision: int) -> None:
        """Begin picking in a new position, with nothing picked up.

        Args:
            match: the match whose battle is played.
            revision: the session's revision that the position belongs to.
        """
        battle, before = match.battle, self.selection.position
        self.match, self.revision = match, revision
        self.selection = Selection.empty(match.variant, battle.position)
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
        return self.selection.picked.choice if self.selection.picked else None

    def choose(self, square: Square, *, all_there: bool = False) -> Move | None:
        """Pick up or put down on a square; return the move, once it is complete.

        Args:
            square: the square.
            all_there: whether to capture everything there.

        Raises:
            IllegalMove: nothing can be picked now, or not there; says why.
        """
        if self.blocked:
            raise IllegalMove(self.blocked)
        selection = self.selection
        picked = selection.take_all(square) if all_there else selection.choose(square)
        if isinstance(picked, Selection):
            self.selection = picked
            choice = self.choice
            if self.settings.captures != "all" or not (choice and choice.is_legal(choice.victims)):
                return None
            picked = picked.take_all(square)
        assert isinstance(picked, Move)
        return picked

    def take(self, answer: Take | Square) -> Move | None:
        """Answer which pieces to capture; return the move, once it is complete.

        Raises:
            IllegalMove: the choice is not legal, or the square holds no victim; says why.
        """
        piece, choice = self.selection.picked, self.choice
        assert piece
        assert choice
        match answer:
            case Take.THESE | Take.ALL:
                return self.choose(choice.destination, all_there=answer is Take.ALL)
            case Take.NONE:
                choice = choice._replace(taken=0)
            case square:
                choice = choice.toggle(square)
        self.selection = self.selection._replace(picked=piece.chosen(choice))
        return None

    def grab(self, square: Square) -> bool:
        """Pick up a piece to drag it; return whether it can move."""
        if self.blocked or square not in self.selection.moves:
            return False
        self.selection = self.selection.pick_up(square)
        return True

    def let_go(self) -> None:
        """Put the picked piece back where it stood."""
        self.doubt = None
        self.selection = self.selection.let_go()

    def wants_second_tap(self, square: Square, *, touched: bool) -> bool:
        """Whether a move would be complete, and its square is tapped for the first time."""
        piece, before = self.selection.picked, self._tapped
        if not piece or piece.choice or not piece.completes(square):
            return False
        self._tapped = piece, square
        when = self.settings.second_tap
        return (when == "always" or (when == "touch" and touched)) and self._tapped != before

    def toggle_threats(self) -> None:
        """Toggle the threat map: what could be captured next move, and from where."""
        battle = self.match.battle
        wanted = self.threats is None
        self.threats = threats_in(battle.variant, battle.position) if wanted else None

    # What is shown

    def view(self, *, flipped: bool) -> View:
        """Return what the board draws; how it lies decides which keys point to victims."""
        piece, variant = self.selection.picked, self.match.variant
        threats = self.threats or self.advice.threats
        if self.doubt:
            view, threats = self._doubted(self.doubt)
        elif piece and piece.choice:
            view = self._choosing(piece, piece.choice, flipped)
        elif piece:
            view = self._holding(piece)
        else:
            view = self._waiting()
        if threats:
            view = with_threats(view, threats)
        return view._replace(goals=variant.goals, stone=variant.stone)

    @property
    def _last_marks(self) -> dict[Square, SquareMark]:
        _, last = self.match.battle.last or (None, None)
        return last_marks(last)

    def _waiting(self) -> View:
        """Draw the position with nothing picked up, the hint, and arrows and circles."""
        position, marks = self.selection.position, self._last_marks
        strokes: dict[Square, Stroke] = {}
        labels: dict[Square, str] = {}
        if self.advice.move:
            marks |= _advised(self.advice.move)
        hovered = None if self.hovered is None else self.selection.peek(self.hovered)
        if hovered and not self.blocked:
            marks |= _destinations(hovered)
        for origin, end in self.shapes:
            marks |= dict.fromkeys((origin, end), SquareMark.NOTED)
            if line := step_between(origin, end):
                step, length = line
                between = (origin + step * along for along in range(1, length))
                strokes |= dict.fromkeys(between, STROKES[abs(step)])
                labels[end] = HEADS[step]
        stops = tuple(self.selection.movable)
        return View(position, marks, labels, stops=stops, strokes=strokes)

    def _holding(self, piece: PickedPiece) -> View:
        """Draw the picked piece, as far as it has trampled, and its destinations."""
        position, places = self.selection.position, _destinations(piece)
        carried = position.after(Move(piece.origin, piece.at, piece.captured))
        marks = self._last_marks | places
        marks |= {piece.origin: SquareMark.LAST, piece.at: SquareMark.HELD}
        here = (piece.at,) if piece.captured else ()
        return View(
            carried._replace(to_move=position.to_move),
            marks,
            previews={square: piece.captures_at(square) for square in places},
            stops=tuple(sorted((*places, *here))),
        )

    def _choosing(self, piece: PickedPiece, choice: CaptureChoice, flipped: bool) -> View:
        """Draw the piece on its destination, with its victims and the keys that toggle them."""
        position, victims = self.selection.position, list(squares_of(choice.victims))
        marks = {
            square: SquareMark.VICTIM if choice.taken >> square & 1 else SquareMark.SPARED
            for square in victims
        }
        marks |= {piece.origin: SquareMark.LAST, choice.destination: SquareMark.HELD}
        moved = position.after(Move(piece.origin, choice.destination))
        keys = {
            square: direction_keys(choice.destination, square, flipped=flipped)[0]
            for square in victims
        }
        return View(moved._replace(to_move=position.to_move), marks, keys)

    def _doubted(self, doubt: Blunder) -> tuple[View, Threats | None]:
        """Draw the coach's objection to a move: a better move, or a possible reply as a threat."""
        position, marks = self.selection.position, last_marks(doubt.move)
        if doubt.instead:
            return View(position, marks | _advised(doubt.instead)), None
        if doubt.answer is None:
            return View(position, marks), None
        after = position.after(doubt.move)
        return View(after, marks), Threats((aim_of(self.match.variant, after, doubt.answer),))

    def texts(self, cursor: Square, notice: str) -> tuple[str, str, str, str]:
        """Return what is told below the board, with the cursor on a square and after a notice.

        That is what can be done, the notice, the legend of the marks, and the hint.
        """
        if self.doubt:
            line, legend = doubt_shown(self.doubt.answer is not None), ""
        else:
            line = self.blocked or self._invitation(cursor)
            parts = list[str]()
            if self.threats is not None:
                parts += _THREATS if self.threats.aims else ["Nothing can be captured next move."]
            advised = self.advice.move
            if advised and self.advice.with_legend and not self.selection.picked:
                parts.append("* best move")
                if advised.captures:
                    parts.append(f"{'x' if self.settings.ascii else '×'} captured")
            legend = "   ".join(parts) or self.footnote
        notice = "" if notice == line else notice
        if self.advice.with_legend:
            return line, notice, legend, self.advice.words
        return line, notice or self.advice.words, legend, ""

    def _invitation(self, cursor: Square) -> str:
        """Return what the player to move can do, with the cursor on a square."""
        match, selection = self.match, self.selection
        piece, position, stone = selection.picked, selection.position, match.variant.stone
        if match.battle.outcome:
            return ""
        if piece is None:
            what = f"a {position.to_move.singular}"
            if position.stone in selection.moves:
                what += f", or the {stone}"
            name = match.name_of(position.to_move)
            return f"{'Your move' if name == YOU else f'{name} to move'}: pick up {what}"
        if piece.choice:
            return f"Choose what to capture from {square_name(piece.choice.destination)}"
        if piece.captured and cursor == piece.at:
            return f"Trampled {listed(piece.captured)}: Enter stops here, or trample on"
        moves = piece.destinations.get(cursor)
        if not moves:
            name = piece_at(position, piece.origin, stone)
            where = square_name(piece.at)
            return capitalised(f"{name} on {where} in hand: put it down; Esc lets go")
        kind, captures = match.variant.kind(position, moves[-1]), piece.captures_at(cursor)
        what = f"{'move' if kind is Kind.ROLL else kind.value} to {square_name(cursor)}"
        if captures:
            what += ": captures" if len(moves) == 1 else ": can capture"
            if kind is not Kind.TRAMPLE and all(move.captures != captures for move in moves):
                what += " one of"
            what += f" {listed(captures)}"
        return capitalised(what)


def _advised(move: Move) -> dict[Square, SquareMark]:
    """Return the marks of an advised move."""
    victims = dict.fromkeys(squares_of(move.captures), SquareMark.VICTIM)
    return victims | dict.fromkeys((move.origin, move.destination), SquareMark.ADVISED)


def _destinations(piece: PickedPiece) -> dict[Square, SquareMark]:
    """Return the marks of a piece's destinations."""
    return {
        square: SquareMark.CAPTURE
        if any(move.captures != piece.captured for move in moves)
        else SquareMark.DESTINATION
        for square, moves in piece.destinations.items()
    }


def with_threats(view: View, threats: Threats) -> View:
    """Return a view with the threat map over it."""
    strokes: dict[Square, Stroke] = {}
    for aim in threats.aims:
        line = step_between(aim.origin, aim.destination)
        straight = line is not None and aim.kind is not Kind.TRAMPLE
        stroke = STROKES[abs(line[0])] if line and straight else Stroke.CROSSING
        for square in (aim.origin, *squares_of(aim.support), *aim.path):
            strokes[square] = stroke if strokes.get(square, stroke) is stroke else Stroke.CROSSING
    ends = {aim.destination for aim in threats.aims}
    strokes |= {s: Stroke.LANDING for s in ends if view.position.letter_at(s) is None}
    return view._replace(threatened=threats.threatened, strokes=strokes)
