"""Picking a move square by square: the picked piece, what is marked, and what can be done.

Values, independent of Textual.  Each choice of a square gives another `Selection`, or the move once
it is complete; every choice of captures that the rules leave to the player is offered.  Each event
gives another `Picker`, which plays nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from thud.rules.geometry import (
    Mask,
    Square,
    bit,
    listed,
    mask_of,
    square_name,
    squares_of,
    step_between,
)
from thud.rules.match import Match
from thud.rules.moves import hops_from, line_length
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.settings.values import Settings
from thud.text import YOU, capitalised
from thud.tui.board.cursor import direction_keys
from thud.tui.board.look import HEADS, STROKES, SquareMark, Stroke, View, last_marks
from thud.tui.looks.fitted import BETWEEN
from thud.words.moves import nothing_in_danger, piece_at

if TYPE_CHECKING:
    from thud.records.annotation import Shape
    from thud.rules.threats import Threats
    from thud.session.blunders import Blunder

_THREATS: Final = ("! in danger", ": captures, or helps to", "o lands safely", "# lands in danger")
"""Legend of the threat map."""

_Stop: TypeAlias = tuple[Square, Mask]
"""A stop on a trampling route: the square reached and all captures so far."""


class CaptureChoice(Struct, frozen=True):
    """The victims chosen at a destination; as many as possible to begin with."""

    moves: Sequence[Move]
    """The legal moves to choose from."""
    taken: Mask

    @property
    def destination(self) -> Square:
        """Where the piece is put down."""
        return self.moves[0].destination

    @property
    def victims(self) -> Mask:
        """Everything that one of the moves captures."""
        return reduce(or_, (move.captures for move in self.moves))

    def is_legal(self, captures: Mask) -> bool:
        """Whether exactly some of the victims can be captured."""
        return any(move.captures == captures for move in self.moves)

    def toggle(self, square: Square) -> CaptureChoice:
        """Take a victim or spare it; if only one may be taken, it replaces the other.

        Raises:
            IllegalMove: the square holds no victim.
        """
        if not self.victims >> square & 1:
            raise IllegalMove(f"there is nothing to capture on {square_name(square)}")
        taken = self.taken ^ bit(square)
        alone = taken & bit(square)
        replaces = self.is_legal(alone) and not self.is_legal(taken)
        return replace(self, taken=alone if replaces else taken)


class PickedPiece:
    """A piece that is picked up; on a trampling route it has moved and captured already.

    Args:
        variant: the game.
        position: the position in which it is picked up.
        moves: all its legal moves.
        path: the stops on its trampling route, from its origin.
        choice: the open choice of captures, if any.

    Attributes:
        origin: where the piece was picked up.
        at: where it is: its origin, or as far as it has trampled.
        captured: dwarfs trampled so far.
        moves: its moves, or while choosing captures those to choose from.
        choice: the open choice of captures, if any.
        destinations: where it can be put down now, with the moves that end there.
    """

    def __init__(
        self,
        variant: Variant,
        position: Position,
        moves: Sequence[Move],
        path: Sequence[_Stop] = (),
        choice: CaptureChoice | None = None,
    ) -> None:
        self._variant = variant
        self._position = position
        self._all_moves = moves
        self.moves = choice.moves if choice else moves
        self.origin = moves[0].origin
        self._path = path or ((self.origin, 0),)
        self.at, self.captured = self._path[-1]
        self.choice = choice
        self._direct: dict[Square, list[Move]] = defaultdict(list)
        """The moves that go straight to a square."""
        self._routes = set[_Stop]()
        """The ends of its trampling routes; any prefix of a route is a route."""
        for move in moves:
            if variant.kind(position, move) is Kind.TRAMPLE:
                self._routes.add((move.destination, move.captures))
            else:
                self._direct[move.destination].append(move)
        self.destinations: dict[Square, list[Move]] = defaultdict(list)
        if not choice:
            reached, frontier = set[_Stop](), [self._path[-1]]
            while frontier:
                onward = set(self._onward(frontier.pop())) - reached
                reached |= onward
                frontier += onward
            for square, captured in reached:
                self.destinations[square].append(Move(self.origin, square, captured))
            if not self.captured:
                self.destinations.update(self._direct)

    def _onward(self, stop: _Stop) -> list[_Stop]:
        """Return the stops one hop further."""
        if not self._routes:
            return []
        at, captured = stop
        hops = [
            (landing, captured | bit(victim))
            for victim, landing in hops_from(at)
            if not captured >> victim & 1
        ]
        return [hop for hop in hops if hop in self._routes]

    def _hop_to(self, square: Square) -> _Stop | None:
        return next((stop for stop in self._onward(self._path[-1]) if stop[0] == square), None)

    def captures_at(self, square: Square) -> Mask:
        """Return everything that can be captured by putting the piece down on a square."""
        if self.choice:
            return self.choice.taken
        if square == self.at:
            return self.captured
        if hop := self._hop_to(square):
            return hop[1]
        return reduce(or_, (move.captures for move in self.destinations.get(square, ())), 0)

    def takes(self, square: Square) -> bool:
        """Whether the piece can be put down on a square now."""
        if self.choice:
            return square == self.choice.destination
        return bool(self.captured) if square == self.at else square in self.destinations

    def completes(self, square: Square) -> bool:
        """Whether putting the piece down on a square completes the move."""
        try:
            return self.takes(square) and isinstance(self.put_down(square), Move)
        except IllegalMove:
            return False  # several routes end there

    def put_down(self, square: Square) -> PickedPiece | Move:
        """Put the piece down; return the move, or the piece if there is more to choose.

        Raises:
            IllegalMove: the piece cannot go there, or the choice is not legal; says why.
        """
        if self.choice:
            return self.confirm()
        if square == self.at and self.captured:
            return Move(self.origin, square, self.captured)
        if not self.captured and square in self._direct:
            moves = self._direct[square]
            most = max((move.captures for move in moves), key=int.bit_count)
            return moves[0] if len(moves) == 1 else self.chosen(CaptureChoice(moves, most))
        # The next hop of a trample, or a square that only one route leads to.
        moves, stop = self.destinations.get(square, []), self._hop_to(square)
        if not stop:
            there = square_name(square)
            if len(moves) > 1:
                raise IllegalMove(f"several trampling routes end on {there}: go hop by hop")
            if not moves and self.captured:
                here = square_name(self.at)
                raise IllegalMove(f"no trampling hop leads from {here} to {there}")
            if not moves:
                move = Move(self.origin, square)
                raise IllegalMove(self._variant.why_not(self._position, move))
            stop = square, moves[0].captures
        if self._onward(stop):
            return self._with((*self._path, stop))
        return Move(self.origin, *stop)

    def take_all(self, square: Square) -> PickedPiece | Move:
        """Put the piece down and capture all victims; leave a choice open if not all can be."""
        put = self if self.choice else self.put_down(square)
        choice = put.choice if isinstance(put, PickedPiece) else None
        if choice and choice.is_legal(choice.victims):
            return self.chosen(replace(choice, taken=choice.victims)).confirm()
        return put

    def _with(self, path: Sequence[_Stop], choice: CaptureChoice | None = None) -> PickedPiece:
        return PickedPiece(self._variant, self._position, self._all_moves, path, choice)

    def chosen(self, choice: CaptureChoice) -> PickedPiece:
        """Return the piece with another choice of captures."""
        return self._with(self._path, choice)

    def confirm(self) -> Move:
        """Return the move with the captures chosen.

        Raises:
            IllegalMove: the choice is not legal, such as an empty shove; says why.
        """
        assert self.choice
        move = self.choice.moves[0]._replace(captures=self.choice.taken)
        self._variant.check(self._position, move)
        return move

    def back(self) -> PickedPiece | None:
        """Undo the last choice, of captures or of a hop; return None if there was none."""
        if self.choice:
            return self._with(self._path)
        return self._with(self._path[:-1]) if len(self._path) > 1 else None


class Selection(Struct, frozen=True):
    """Picking a move in one position."""

    variant: Variant
    position: Position
    moves: Mapping[Square, Sequence[Move]]
    """The legal moves by their origins."""
    picked: PickedPiece | None = None
    """The piece picked up, if any."""

    @classmethod
    def empty(cls, variant: Variant, position: Position) -> Selection:
        """Return the selection in a position, with nothing picked up."""
        moves: dict[Square, list[Move]] = defaultdict(list)
        for move in variant.legal_moves(position):
            moves[move.origin].append(move)
        return cls(variant, position, dict(moves))

    @property
    def movable(self) -> list[Square]:
        """The squares of the pieces that can move, in reading order."""
        return sorted(self.moves)

    def choose(self, square: Square) -> Selection | Move:
        """Choose a square: pick up, put down, put back or continue a choice.

        Returns:
            The move, once it is complete; until then the selection.

        Raises:
            IllegalMove: the square cannot be chosen; says why.
        """
        piece = self.picked
        if piece is None:
            return self.pick_up(square)
        if not piece.takes(square):
            if square == piece.origin:
                return self.let_go()
            if square in self.moves:
                return self.pick_up(square)
        return self._put(piece.put_down(square))

    def take_all(self, square: Square) -> Selection | Move:
        """Put the picked piece down and capture everything there."""
        return self._put(self.picked.take_all(square)) if self.picked else self

    def _put(self, put: PickedPiece | Move) -> Selection | Move:
        return replace(self, picked=put) if isinstance(put, PickedPiece) else put

    def pick_up(self, square: Square) -> Selection:
        """Pick up a piece, replacing the one picked before.

        Raises:
            IllegalMove: the player cannot move a piece from the square; says why.
        """
        if piece := self.peek(square):
            return replace(self, picked=piece)
        side = self.position.to_move
        if self.position.pieces(side) >> square & 1:
            raise IllegalMove(f"the {side.singular} on {square_name(square)} cannot move now")
        raise IllegalMove(self.variant.why_not(self.position, Move(square, square)))

    def peek(self, square: Square) -> PickedPiece | None:
        """Return the piece on a square as it would be picked up, or None if it cannot move."""
        moves = self.moves.get(square)
        return PickedPiece(self.variant, self.position, moves) if moves else None

    def let_go(self) -> Selection:
        """Put the picked piece back where it stood."""
        return replace(self, picked=None)

    def back(self) -> Selection:
        """Undo the last choice, and finally the picking up."""
        return replace(self, picked=self.picked and self.picked.back())


class Take(Enum):
    """Answers about captures, besides the square of a victim to take or spare."""

    THESE = "these"
    ALL = "all"
    NONE = "none"


class ShownHint(Struct, frozen=True):
    """A hint, which stays until a move is made."""

    move: Move | None = None
    """The advised move, if any."""
    words: str = ""
    threats: Threats | None = None
    """What is drawn with it."""
    with_legend: bool = True
    """Whether it has a legend, and a place of its own."""


class Picker(Struct, frozen=True):
    """What the player to move has picked, and what is marked for them."""

    match: Match
    """The match whose battle is played."""
    revision: int
    """The session's revision that the selection's position belongs to."""
    selection: Selection
    """The piece picked up, and the moves picked from."""
    blocked: str = ""
    """Why nothing can be picked, empty if something can."""
    hovered: Square | None = None
    """The square under the mouse."""
    tapped: tuple[PickedPiece, Square] | None = None
    """The piece in hand and the square tapped once, where a second tap plays the move."""
    advice: ShownHint = ShownHint()
    """The hint shown."""
    shapes: Sequence[Shape] = ()
    """Arrows and circles that a person has drawn here."""
    with_line: bool = True
    """Whether the line of the last hurl or shove is drawn."""
    doubt: Blunder | None = None
    """The coach's objection shown, if any."""
    threats: Threats | None = None
    """The threat map, while it is shown."""
    settings: Settings = Settings()
    """How captures and taps are handled, and what signs there are."""
    footnote: str = ""
    """What is told below everything else until a move is made."""

    @classmethod
    def of(cls, match: Match, revision: int = 0) -> Picker:
        """Return the picker in a match's position, with nothing picked up."""
        return cls(match, revision, Selection.empty(match.variant, match.battle.position))

    def begin(self, match: Match, revision: int) -> Picker:
        """Begin picking in a new position, with nothing picked up.

        Args:
            match: the match whose battle is played.
            revision: the session's revision that the position belongs to.
        """
        from thud.rules.threats import threat_map

        battle = match.battle
        stays = not battle.outcome and battle.position == self.selection.position
        wanted = self.threats is not None and not battle.outcome
        return replace(
            self,
            match=match,
            revision=revision,
            selection=Selection.empty(match.variant, battle.position),
            hovered=None,
            advice=replace(self.advice if stays else ShownHint(), threats=None),
            doubt=None,
            threats=threat_map(battle.variant, battle.position) if wanted else None,
            footnote="",
        )

    # Picking

    @property
    def choice(self) -> CaptureChoice | None:
        """The open choice of captures, if any."""
        return self.selection.picked.choice if self.selection.picked else None

    def choose(self, square: Square, *, all_there: bool = False) -> tuple[Picker, Move | None]:
        """Pick up or put down on a square; return what is picked then, and a complete move.

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
        if isinstance(picked, Move):
            return self, picked
        after = replace(self, selection=picked)
        choice = after.choice
        if self.settings.captures != "all" or not (choice and choice.is_legal(choice.victims)):
            return after, None
        move = picked.take_all(square)
        assert isinstance(move, Move)
        return after, move

    def take(self, answer: Take | Square) -> tuple[Picker, Move | None]:
        """Answer which pieces to capture; return what is picked then, and a complete move.

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
                choice = replace(choice, taken=0)
            case square:
                choice = choice.toggle(square)
        chosen = replace(self.selection, picked=piece.chosen(choice))
        return replace(self, selection=chosen), None

    def grab(self, square: Square) -> Picker | None:
        """Pick up a piece to drag it; return None if it cannot move."""
        if self.blocked or square not in self.selection.moves:
            return None
        return replace(self, selection=self.selection.pick_up(square))

    def back(self) -> Picker:
        """Undo the last choice: captures, a hop, the picked piece."""
        return replace(self, selection=self.selection.back())

    def let_go(self) -> Picker:
        """Put the picked piece back where it stood."""
        return replace(self, selection=self.selection.let_go(), doubt=None)

    def tap(self, square: Square, *, touched: bool) -> Picker | None:
        """Note the first tap on a square that completes a move; return None if one is enough."""
        piece, when = self.selection.picked, self.settings.second_tap
        if not (when == "always" or (when == "touch" and touched)):
            return None
        if not piece or piece.choice or not piece.completes(square):
            return None
        tapped = piece, square
        return None if tapped == self.tapped else replace(self, tapped=tapped)

    def toggle_threats(self) -> Picker:
        """Toggle the threat map: what could be captured next move, and from where."""
        from thud.rules.threats import threat_map

        battle = self.match.battle
        wanted = self.threats is None
        return replace(
            self, threats=threat_map(battle.variant, battle.position) if wanted else None
        )

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
        return replace(view, goals=variant.goals, stone=variant.stone)

    @property
    def _last_marks(self) -> dict[Square, SquareMark]:
        _, last = self.match.battle.last or (None, None)
        return last_marks(last)

    def _waiting(self) -> View:
        """Draw the position with nothing picked up, the hint, and arrows and circles."""
        position, marks, last = self.selection.position, self._last_marks, self.match.battle.last
        strokes = line_of(self.match.variant, *last) if last and self.with_line else {}
        past, labels = bool(strokes) and not self.shapes, dict[Square, str]()
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
        return View(position, marks, labels, stops=stops, strokes=strokes, past=past)

    def _holding(self, piece: PickedPiece) -> View:
        """Draw the picked piece, as far as it has trampled, and its destinations."""
        position, places = self.selection.position, _destinations(piece)
        carried = position.after(Move(piece.origin, piece.at, piece.captured))
        marks = self._last_marks | places
        advised = self.advice.move
        if advised and advised.origin == piece.origin and advised.destination in places:
            marks[advised.destination] = SquareMark.ADVISED
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
        from thud.rules.threats import threat_of

        position, marks = self.selection.position, last_marks(doubt.move)
        if doubt.instead:
            return View(position, marks | _advised(doubt.instead)), None
        if doubt.answer is None:
            return View(position, marks), None
        after = position.after(doubt.move)
        return View(after, marks), threat_of(self.match.variant, after, doubt.answer)

    def texts(self, cursor: Square, notice: str) -> tuple[str, str, str, str]:
        """Return what is told below the board, with the cursor on a square and after a notice.

        That is what can be done, the notice, the legend of the marks, and the hint.
        """
        from thud.review.hints import doubt_shown

        if self.doubt:
            line, legend = doubt_shown(self.doubt.answer is not None), ""
        else:
            line = self.blocked or self._invitation(cursor)
            parts = list[str]()
            if self.threats is not None:
                parts += _THREATS if self.threats.aims else [nothing_in_danger(self.match.variant)]
            advised = self.advice.move
            picked = self.selection.picked
            followed = advised and (picked is None or picked.origin == advised.origin)
            if advised and followed and self.advice.with_legend:
                parts.append("* best move")
                if advised.captures:
                    parts.append(f"{'x' if self.settings.ascii else '×'} captured")
            legend = BETWEEN.join(parts) or self.footnote
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


def line_of(variant: Variant, before: Position, move: Move) -> dict[Square, Stroke]:
    """Return the line along which a hurl or shove went, with all pieces in line behind it."""
    straight = step_between(move.origin, move.destination)
    if variant.kind(before, move) not in (Kind.HURL, Kind.SHOVE) or straight is None:
        return {}
    step, distance = straight
    line = line_length(before.pieces(before.to_move), move.origin, step)
    along = range(1 - line, distance)
    return dict.fromkeys((move.origin + each * step for each in along), STROKES[abs(step)])


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
    ends = mask_of(*(aim.destination for aim in threats.aims)) & ~view.position.occupied
    strokes |= {
        s: Stroke.COVERED if threats.covered >> s & 1 else Stroke.LANDING for s in squares_of(ends)
    }
    return replace(view, threatened=threats.threatened, strokes=strokes, past=False)
