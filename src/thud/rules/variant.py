"""The interface of a variant, and code shared by all variants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from thud.rules.geometry import ADJACENT, BOARD, Mask, bit, square_name, squares_of
from thud.rules.position import InvalidPosition, Move, Position, Side

if TYPE_CHECKING:
    from thud.rules.measured import Measured


class IllegalMove(ValueError):
    """An illegal move; the message says why."""


class Reason(Enum):
    """Why a battle has ended."""

    AGREEMENT = "both players agree"
    QUIET = "the quiet limit is reached"
    NO_MOVES = "no legal move is left"
    GOAL = "the goal is reached"
    NO_GOAL = "no goal can be reached"
    TIME = "time is up"
    RESIGNATION = "resigned"
    CLAIM = "away for too long"


_LOST: Final = {
    Reason.TIME: "the {}' time is up",
    Reason.RESIGNATION: "the {} resign",
    Reason.CLAIM: "the {} have been away for too long",
}
"""Sentences for forfeits."""


class Forfeit(NamedTuple):
    """A loss not on the board: by resignation, time or a claim."""

    loser: Side
    reason: Reason


class Kind(Enum):
    """The kind of a move, by the game's word for it."""

    MOVE = "move"
    HURL = "hurl"
    STEP = "step"
    SHOVE = "shove"
    TRAP = "trap"
    TRAMPLE = "trample"
    ROLL = "roll"


class Gain(Enum):
    """A move's possible gain for its player."""

    WINS = auto()
    TAKES = auto()
    THREATENS_TO_WIN = auto()
    """The side could win next."""
    KEEPS_FROM_WINNING = auto()
    """The other side could have won next, and cannot now."""
    THREATENS = auto()
    """Pieces can be taken next that could not before."""
    SAVES = auto()
    """Pieces that could be taken no longer can."""
    FLEES = auto()
    """The same for the piece that moves."""
    LEAVES_NONE = auto()
    """The other side can take nothing next."""
    AVENGED = auto()
    """Any piece the other side takes with can be taken in return."""
    LINES_UP = auto()
    """A longer line of dwarfs to hurl from."""
    JOINS = auto()
    """More of the side's own pieces stand beside the piece that moves."""
    NEARER = auto()
    """The stone comes nearer to the far side of the valley."""
    BESIDE = auto()
    """More of the side's pieces stand beside the stone."""
    OPENS = auto()
    """The stone can next be moved to squares nearer the far side to which it could not before."""
    DENIES = auto()
    """The stone could next have been moved to squares nearer the far side to which it cannot now.
    """
    CLOSES_IN = auto()
    """More trolls stand beside the stone, or could after one move."""
    GETS_AWAY = auto()
    """Fewer trolls stand beside the stone, or could after one move."""
    AWAITS = auto()
    """A dwarf stands beside squares of the far side that had none beside them."""


class Merit(NamedTuple):
    """A gain, and the pieces concerned."""

    gain: Gain
    pieces: Mask = 0
    """The pieces concerned, or squares, if any."""


class Score(NamedTuple):
    """The points of both sides in a battle."""

    dwarfs: float
    trolls: float

    @property
    def margin(self) -> float:
        """The dwarfs' points minus the trolls'."""
        return self.dwarfs - self.trolls

    def of(self, side: Side) -> float:
        """Return one side's points."""
        return self.dwarfs if side is Side.DWARFS else self.trolls


class Outcome(NamedTuple):
    """The end of a battle: the winner (None: drawn), the reason, a sentence, the points."""

    winner: Side | None
    reason: Reason
    because: str
    score: Score

    @property
    def margin(self) -> float:
        """The dwarfs' points minus the trolls'."""
        return self.score.margin

    @property
    def description(self) -> str:
        """Why no move can be made any more, as the message of an error."""
        return f"the battle is over: {self.because}"

    @property
    def forfeit(self) -> Forfeit | None:
        """The forfeit, None without one."""
        if self.reason not in _LOST or self.winner is None:
            return None
        return Forfeit(self.winner.other, self.reason)

    def is_forfeit(self, side: Side) -> bool:
        """Whether a side forfeited the battle: its pieces do not count."""
        return self.forfeit is not None and side is self.forfeit.loser


class HandicapPieces(NamedTuple):
    """The pieces that a side gives up at each step of a handicap."""

    squares: str
    """The squares left empty, in order."""
    at_step: tuple[int, ...]
    """Number of them at each step."""


class Odds(NamedTuple):
    """What a computer's score means in a game: the logistic from it to the odds, and more.

    A score is in hundredths of a point, from the dwarfs' view.  What follows scores in play is
    `Variant.measured`.
    """

    level: int = 0
    """The score at which both sides win equally often."""
    steep: int = 400
    """Difference in score that multiplies the odds by e."""
    telling: bool = True
    """Whether the score says much about the result before a goal is in sight."""
    slack: int = 150
    """Loss of score that leaves a move's accuracy at one in e, 37."""
    usual: tuple[int, int, int] | None = None
    """Accuracies measured, in percent: of moves at random, of levels 1 and 8.

    None if unknown, or where they hardly differ.
    """


class Variant(ABC):
    """The rules of one game, without state: every method takes the position.

    A new variant defines how pieces move (`generate`, `count`, `kind`, `explain`) and how a battle
    ends (`decided`, `stuck`, `settled`, `progress`, `lead`); the rest follows here. It may also
    define its handicaps, what only there speaks for a move (`merits`), and what the computer knows
    of it (`core`, `odds`).
    """

    name: str
    """Its name on the command line."""

    title: str
    """Its name for users."""

    short: str
    """A shorter name, of at most 15 columns."""

    stone: str
    """The stone's name: Thudstone, Rock or Ball."""

    gist: str
    """The game in a few words: one line below a board."""

    summary: str
    """The rules in brief, one line per paragraph, shown beside a board."""

    start: Position

    goals: Mask = 0
    """The dwarfs' goal for the stone."""

    worth: Mapping[Side, int] = MappingProxyType({})
    """Points for each piece left at the end; empty if pieces do not count."""

    has_captures: bool = True
    """Whether pieces are captured."""

    handicaps: Mapping[Side, HandicapPieces] = MappingProxyType({})
    """Pieces that each side leaves out at a handicap."""

    core: str = ""
    """The name by which the compiled search knows the game; empty if it does not."""

    odds: Odds = Odds()
    """What the scores of the computer mean in it."""

    @cached_property
    def measured(self) -> Measured:
        """What is known from battles of computers; loaded when something is to be said of it."""
        from thud.rules.measurements import MEASURED

        return MEASURED[self.name if self.name in MEASURED else ""]

    def traits(self, position: Position) -> tuple[float, ...]:
        """Return what, besides a score, tells how a battle ends where a goal decides."""
        return ()

    @property
    def counts_points(self) -> bool:
        """Whether pieces count at the end; if not, the dwarfs play for a goal."""
        return bool(self.worth)

    @abstractmethod
    def generate(self, position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
        """List the moves from given squares, in a battle that goes on.

        Those to other squares than the destinations may be left out, which is quicker.
        """

    @abstractmethod
    def count(self, position: Position) -> int:
        """Count the moves of the side to move without listing them."""

    @abstractmethod
    def kind(self, position: Position, move: Move) -> Kind:
        """Return the kind of a legal move."""

    @abstractmethod
    def explain(self, position: Position, move: Move) -> str:
        """Say why a move of the right side's piece is illegal."""

    @abstractmethod
    def decided(self, position: Position) -> Outcome | None:
        """Return the outcome where a goal, or its loss, has ended the battle."""

    @abstractmethod
    def stuck(self, position: Position) -> Outcome:
        """Return the outcome for a player to move who has no legal move."""

    @abstractmethod
    def settled(self, position: Position, reason: Reason) -> Outcome:
        """Return the outcome if the battle ends as it stands."""

    def forfeited(self, position: Position, forfeit: Forfeit) -> Outcome:
        """Return the outcome of a forfeited battle.

        The winner gets the points on the board, at least 1; the loser gets none.
        """
        loser, reason = forfeit
        winner = loser.other
        gained = max(1, self.settled(position, reason).score.of(winner))
        score = Score(gained, 0) if winner is Side.DWARFS else Score(0, gained)
        return Outcome(winner, reason, _LOST[reason].format(loser.plural), score)

    @abstractmethod
    def progress(self, position: Position) -> tuple[tuple[str, str], ...]:
        """Return the current standing as rows for users, each a label and a value."""

    @abstractmethod
    def lead(self, position: Position) -> float:
        """Return the dwarfs' lead, negative if the trolls lead: for the graph of a battle."""

    def can_reach_goal(self, position: Position, side: Side) -> bool:
        """Whether a side still has the pieces for its goal; true where none decides."""
        return True

    def merits(self, before: Position, after: Position) -> Iterable[Merit]:
        """Yield what speaks for a move in this game, besides captures and goals."""
        return ()

    def faults(self, position: Position) -> list[str]:
        """Return the reasons why this variant does not allow a position."""
        return [
            f"{number} {side.plural}: {self.title} has at most {most}"
            for side in Side
            if (number := position.pieces(side).bit_count())
            > (most := self.start.pieces(side).bit_count())
        ]

    def position(self, text: str) -> Position:
        """Parse a position text of this variant.

        Raises:
            InvalidPosition: the text is malformed, or this variant does not allow the position.
        """
        position = Position.from_text(text)
        if faults := self.faults(position):
            raise InvalidPosition("; ".join(faults))
        return position

    def legal_moves(
        self, position: Position, origins: Mask = BOARD, destinations: Mask = BOARD
    ) -> list[Move]:
        """List the legal moves, each once, from `origins` to `destinations`."""
        if self.decided(position):
            return []
        moves = self.generate(position, origins, destinations)
        if destinations == BOARD:
            return moves
        return [move for move in moves if destinations >> move.destination & 1]

    def count_moves(self, position: Position) -> int:
        """Count the legal moves without listing them."""
        return 0 if self.decided(position) else self.count(position)

    def is_legal(self, position: Position, move: Move) -> bool:
        """Whether a move is legal."""
        return on_board(move) and move in self.legal_moves(
            position, bit(move.origin), bit(move.destination)
        )

    def check(self, position: Position, move: Move) -> None:
        """Check that a move is legal.

        Raises:
            IllegalMove: it is not; the message says why.
        """
        if not self.is_legal(position, move):
            raise IllegalMove(self.why_not(position, move))

    def why_not(self, position: Position, move: Move) -> str:
        """Say why an illegal move is illegal, in words a player could read aloud."""
        if outcome := self.outcome(position):
            return outcome.description
        if not on_board(move):
            return "a move begins and ends on a square of the board, and captures on others"
        return self._wrong_piece(position, move) or self.explain(position, move)

    def _wrong_piece(self, position: Position, move: Move) -> str | None:
        where, letter = square_name(move.origin), position.letter_at(move.origin)
        if letter is None:
            return f"{where} is empty"
        if letter == position.to_move.value or move.origin == position.stone:
            return None
        holds = position.to_move.other.singular
        return f"it is the {position.to_move.plural}' turn, but {where} has a {holds}"

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome by the board alone, None while the battle goes on."""
        if outcome := self.decided(position):
            return outcome
        movers = position.pieces(position.to_move) | bit(position.stone)
        goes_on = any(self.generate(position, bit(square)) for square in squares_of(movers))
        return None if goes_on else self.stuck(position)


def on_board(move: Move) -> bool:
    """Whether a move has only squares of the board; a parsed text always has."""
    return move.origin in ADJACENT and move.destination in ADJACENT and not move.captures & ~BOARD


def perft(variant: Variant, position: Position, depth: int) -> int:
    """Count the sequences of `depth` legal moves; a finished battle has none.

    The name and the idea come from chess programming: https://www.chessprogramming.org/Perft
    """
    if depth == 0:
        return 1
    if depth == 1:
        return variant.count_moves(position)
    moves = variant.legal_moves(position)
    return sum(perft(variant, position.after(move), depth - 1) for move in moves)
