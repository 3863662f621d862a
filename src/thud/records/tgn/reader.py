"""Read records from text, checking every move by the rules."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final, TypeVar

from thud.records.bounds import (
    MAX_COMMENTS,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_VARIED,
    BadRecord,
    InvalidRecord,
    clean,
    parse_date,
    parse_quiet_limit,
)
from thud.records.record import BattleRecord, Comment, Record, Variation
from thud.records.tgn.lexer import VARIANT, Draft, Tag, Token, drafts
from thud.records.tgn.writer import ENDS, GOES_ON, own_tags, result_text
from thud.records.tree import in_order
from thud.rules.battle import Battle
from thud.rules.clock import Control, InvalidControl, parse_control
from thud.rules.geometry import InvalidSquare
from thud.rules.match import BATTLES, DEFAULT_PLAYERS, InvalidPlayers, Match, player_names
from thud.rules.notation import InvalidMoveText, parse_move, written_move
from thud.rules.position import InvalidPosition, Move, Position, Side
from thud.rules.variant import Forfeit, IllegalMove, Outcome, Reason, Variant
from thud.rules.variants import VARIANTS
from thud.wording.text import quoted

TIMEOUT: Final = 30.0
"""Seconds that checking the moves of a file may take.

The largest collections take ten; a position made for the purpose could take hours.
"""

_TAGS_OF_A_BATTLE: Final = ("Dwarfs", "Trolls", "QuietLimit", "Result", "End")
OWN_TAGS: Final = frozenset(
    ["Event", "Date", VARIANT, "Start", "Start2", "TimeControl", "Program1", "Program2", "Result"]
    + [f"{name}{n}" for name in _TAGS_OF_A_BATTLE for n in range(1, BATTLES + 1)]
)
"""The tags that mean something here; all others are kept as they are."""

_Value = TypeVar("_Value")


def read_tgn(text: str) -> tuple[Record, ...]:
    """Read a text of one or several matches.

    Raises:
        BadRecord: with the line and the reason; where the fault lies in the battles, `partial`
            is the match with the moves before it, and `before` are the matches before that.
    """
    deadline = monotonic() + TIMEOUT
    records: list[Record] = []
    try:
        for draft in drafts(clean(text)):
            records.append(read_draft(draft, deadline))
    except BadRecord as fault:
        fault.before = tuple(records)
        raise
    return tuple(records)


def read_draft(draft: Draft, deadline: float | None = None) -> Record:
    """Read one match whose tags and words are known.

    Args:
        draft: the match.
        deadline: on the monotonic clock; if not given, it may take `TIMEOUT`.

    Raises:
        BadRecord: as `read_tgn`.
    """
    deadline = monotonic() + TIMEOUT if deadline is None else deadline
    control = _understood(draft, "TimeControl", _control, None)
    outline = outline_of(draft)._replace(control=control)
    match, readers = outline.match(), list[_BattleReader]()
    try:
        _read_battles(draft, match, readers, deadline)
        record = _filled(outline, readers)
        _compare_results(draft, record)
    except BadRecord as fault:
        fault.partial = _filled(outline, readers)
        raise
    return record


def outline_of(draft: Draft) -> Record:
    """Return what the tags say of a match; its one battle is where the first begins.

    Clocks are left out: a list of matches that are over shows none.

    Raises:
        BadRecord: a tag says what cannot be.
    """
    variant = _variant_of(draft)
    return Record(
        variant,
        (BattleRecord(_start_of(draft, variant)),),
        _players_of(draft),
        _value_of(draft, "Event"),
        _understood(draft, "Date", parse_date, ""),
        (_value_of(draft, "Program1"), _value_of(draft, "Program2")),
        tuple((name, tag.value) for name, tag in draft.tags.items() if name not in OWN_TAGS),
        _second_start_of(draft, variant),
    )


def _read_battles(
    draft: Draft, match: Match, readers: list[_BattleReader], deadline: float
) -> None:
    for number, tokens in enumerate(draft.battles, 1):
        if number > 1:
            if match.battle.outcome is None:
                reason = "the second battle begins before the first is over: its result is *"
                raise BadRecord(tokens[0].line, reason)
            match.next_battle()
        match.battle.quiet_limit = _understood(
            draft, f"QuietLimit{number}", parse_quiet_limit, None
        )
        readers.append(_BattleReader(match.battle, deadline))
        readers[-1].read(tokens, _value_of(draft, f"End{number}"))


def _filled(outline: Record, readers: list[_BattleReader]) -> Record:
    """Return a record with the battles as far as they have been read, the first in any case."""
    battles = tuple(reader.record() for reader in readers)
    return outline._replace(battles=battles or outline.battles)


# Tags


def _value_of(draft: Draft, name: str) -> str:
    """Return the value of a tag, nothing if it is not given."""
    return draft.tags[name].value if name in draft.tags else ""


def _variant_of(draft: Draft) -> Variant:
    """Return the variant that was played.

    Raises:
        BadRecord: it is none of this program's.
    """
    tag = draft.tags[VARIANT]
    if tag.value in VARIANTS:
        return VARIANTS[tag.value]
    *names, last = VARIANTS
    reason = f"{quoted(tag.value)} is not a variant: use {', '.join(names)} or {last}"
    raise BadRecord(tag.line, reason)


def _players_of(draft: Draft) -> tuple[str, str]:
    """Return the names of both players, who exchange the sides for the second battle.

    Raises:
        BadRecord: they cannot go by these names, or did not exchange the sides.
    """
    tags = [_player_tag(draft, "Dwarfs1", "Trolls2"), _player_tag(draft, "Trolls1", "Dwarfs2")]
    names = [tag.value or name for tag, name in zip(tags, DEFAULT_PLAYERS, strict=True)]
    try:
        return player_names(names[0], names[1])
    except InvalidPlayers as error:
        raise BadRecord(max(draft.line, *(tag.line for tag in tags)), str(error)) from None


def _player_tag(draft: Draft, first: str, second: str) -> Tag:
    """Return the tag that names a player, who has one side in each battle."""
    one, other = (draft.tags.get(name, Tag("", 0)) for name in (first, second))
    if one.value and other.value and one.value.split() != other.value.split():
        reason = f"the players swap sides, so {second} is {one.value}, not {quoted(other.value)}"
        raise BadRecord(other.line, reason)
    return one if one.value else other


def _start_of(draft: Draft, variant: Variant) -> Position:
    """Return where the first battle begins, and the second if it begins nowhere else.

    Raises:
        BadRecord: the tag Start is no position text of the variant.
    """
    return _understood(draft, "Start", variant.position, variant.start)


def _second_start_of(draft: Draft, variant: Variant) -> Position | None:
    """Return where the second battle begins, None if where the first does.

    Raises:
        BadRecord: the tag Start2 is no position text of the variant.
    """
    second = _understood(draft, "Start2", variant.position, None)
    return None if second == _start_of(draft, variant) else second


def _control(text: str) -> Control | None:
    # Other programs write so, after PGN, where nothing is known or there is no clock.
    return None if text in ("-", "?") else parse_control(text)


def _understood(
    draft: Draft, name: str, parse: Callable[[str], _Value], otherwise: _Value
) -> _Value:
    tag = draft.tags.get(name)
    if tag is None or not tag.value:
        return otherwise
    try:
        return parse(tag.value)
    except (InvalidRecord, InvalidPosition, InvalidControl) as error:
        raise BadRecord(tag.line, str(error)) from None


def _compare_results(draft: Draft, record: Record) -> None:
    """Pass tags that say of the results and ends what the moves say.

    Raises:
        BadRecord: they say something else.
    """
    own = own_tags(record)
    for name in ("Result1", "End1", "Result2", "End2", "Result"):
        given = draft.tags.get(name)
        if given is None or not given.value:
            continue
        expected = own.get(name, "" if name.startswith("End") else GOES_ON)
        if given.value != expected:
            means = f"it is {expected}" if expected else "that battle is not over"
            reason = f"the tag {name} is {quoted(given.value)}, but by the moves {means}"
            raise BadRecord(given.line, reason)


# Battles


def play_text(battle: Battle, text: str, line: int) -> None:
    """Play a move from its text.

    Raises:
        BadRecord: it is not a move, or not a legal one.
    """
    if battle.played == MAX_PLIES:
        raise _too_long(line)
    try:
        battle.play(written_move(battle.variant, battle.position, text))
    except ValueError as error:
        raise _complaint(text, line, error) from None


def _complaint(text: str, line: int, error: ValueError) -> BadRecord:
    """Say what is wrong with a move that was refused."""
    if isinstance(error, InvalidMoveText):
        return BadRecord(line, str(error))
    if isinstance(error, IllegalMove | InvalidSquare):
        return BadRecord(line, f"{' '.join(text.split())}: {error}")
    raise error


def _too_long(line: int) -> BadRecord:
    return BadRecord(line, f"a battle in a record has at most {MAX_PLIES} moves")


class _LineDraft:
    """A line while it is read: the battle itself, or a variation.

    Where a variation begins is only known with its first move.
    """

    def __init__(self, opened: int, position: Position | None = None) -> None:
        self.opened = opened
        """The line of the text in which it begins."""
        self.after = self.before = 0
        """Moves before its own: in the line that it leaves, and in all."""
        self.positions = [position] if position else []
        self.numbers: list[Token] = []
        """The move numbers that wait for the next move, to be checked."""
        self.moves: list[Move] = []
        self.comments: list[Comment] = []
        self.variations: list[Variation] = []
        self.instead: list[Variation] = []
        """The variations in place of its first move: they leave the line that it leaves."""

    @property
    def played(self) -> int:
        """Number of moves up to here."""
        return self.before + len(self.moves)

    def begin(self, after: int, before: int, position: Position) -> None:
        """Begin a variation where it turns out to begin."""
        self.after, self.before = after, before
        self.positions = [position]

    def as_kept(self) -> list[Variation]:
        """Return it as a variation, with those in place of its first move."""
        comments, variations = tuple(self.comments), tuple(self.variations)
        own = Variation(self.after, tuple(self.moves), comments, variations)
        return [own, *(each._replace(after=self.after) for each in self.instead)]


class _BattleReader:
    """Reads one battle; what precedes a fault is kept.

    The lines that are open are on a stack, so that no text drives a call into another.

    Args:
        battle: one that has not begun; its moves are played in it.
        deadline: on the monotonic clock, when checking moves has taken too long.
    """

    def __init__(self, battle: Battle, deadline: float) -> None:
        self._battle = battle
        self._deadline = deadline
        self._main = _LineDraft(0, battle.position)
        self._open = [self._main]
        self._varied = self._commented = 0
        self._ends: list[_LineDraft] = []
        """The lines that go on from the end, closed."""
        self._taken_back: bool | None = None

    def read(self, tokens: list[Token], end: str = "") -> None:
        """Read all tokens of the battle, the last of which is its result.

        Args:
            tokens: all of them.
            end: the word for why it ended, for a result that the board does not give.

        Raises:
            BadRecord: a token makes no sense, a move is not legal, or it is past the deadline.
        """
        *tokens, result = tokens
        takers = {
            "open": self._begin_variation,
            "close": self._end_variation,
            "comment": self._add_comment,
            "number": self._add_number,
        }
        for token in tokens:
            takers.get(token.kind, self._play)(token)
        if self._line is not self._main:
            raise BadRecord(self._line.opened, "a parenthesis is never closed")
        for number in self._main.numbers:
            self._check_number(self._main, number)
        self._check_taken_back()
        _end(self._battle, result, end)

    def record(self) -> BattleRecord:
        """Return the battle as far as it has been read."""
        while self._line is not self._main:
            self._close()
        if self._taken_back is None:
            with suppress(BadRecord):
                self._check_taken_back()
        main, battle = self._main, self._battle
        return BattleRecord(
            battle.start,
            battle.moves,
            battle.outcome,
            battle.quiet_limit,
            tuple(main.comments),
            in_order(each for each in main.variations if each.moves),
            bool(self._taken_back),
        )

    @property
    def _line(self) -> _LineDraft:
        """The line that is being read."""
        return self._open[-1]

    # Variations

    def _begin_variation(self, token: Token) -> None:
        if len(self._open) > MAX_DEPTH:
            raise BadRecord(token.line, f"variations are at most {MAX_DEPTH} deep in one another")
        if self._line is not self._main and not self._line.moves:
            raise BadRecord(token.line, "a variation comes before its move")
        self._open.append(_LineDraft(token.line))

    def _end_variation(self, token: Token) -> None:
        if self._line is self._main:
            raise BadRecord(token.line, ") without (")
        line = self._line
        empty = not line.moves
        if empty and (line.comments or self._open[-2] is not self._main):
            raise BadRecord(token.line, "there are no moves in the parentheses")
        for number in line.numbers if not empty else ():
            self._check_number(line, number)
        self._close()

    def _close(self) -> None:
        line, left = self._open.pop(), self._line
        if left is not self._main:
            if line.moves:
                (left.variations if line.after else left.instead).extend(line.as_kept())
            return
        if not line.moves:
            line.after = len(left.moves)
        left.variations += line.as_kept()
        if line.after == len(left.moves):
            self._ends.append(line)

    def _settle(self, line: _LineDraft, text: str, at: int) -> None:
        """Find out where a variation begins, by its first move.

        It stands behind the move in whose place it is played; at the end of a battle it may go on
        from there, and is played by the other side.
        """
        left = self._open[-2]
        instead = bool(left.moves)
        if instead and left is self._main:
            instead = self._is_instead(left.positions[-2], text, at)
        if not instead:
            line.begin(len(left.moves), left.played, left.positions[-1])
        else:
            line.begin(len(left.moves) - 1, left.played - 1, left.positions[-2])

    def _is_instead(self, before: Position, text: str, at: int) -> bool:
        """Say whether a move is one of the side that has moved last."""
        try:
            move = written_move(self._battle.variant, before, text)
        except ValueError as error:
            raise _complaint(text, at, error) from None
        if move.origin == before.stone:
            return self._battle.variant.is_legal(before, move)
        return before.letter_at(move.origin) != before.to_move.other.value

    def _check_taken_back(self) -> None:
        """Find out whether the last line that goes on from the end is what was taken back.

        Raises:
            BadRecord: it cannot be played again, or a line before it has no moves.
        """
        self._taken_back = False
        *others, last = self._ends or [_LineDraft(0)]
        for line in others:
            if not line.moves:
                raise BadRecord(line.opened, "there are no moves in the parentheses")
        played = 0
        try:
            for move in last.moves:
                self._battle.play(move)
                played += 1
        except IllegalMove as error:
            raise BadRecord(last.opened, f"what was taken back cannot be played: {error}") from None
        finally:
            for _ in range(played):
                self._battle.undo()
        self._taken_back = bool(last.moves)

    # Moves

    def _play(self, token: Token) -> None:
        line, battle = self._line, self._battle
        if monotonic() > self._deadline:
            raise BadRecord(token.line, f"checking the moves took over {TIMEOUT:.0f} seconds")
        self._refuse_after_end(token)
        if line is not self._main and not line.moves:
            self._settle(line, token.text, token.line)
        for number in line.numbers:
            self._check_number(line, number)
        line.numbers.clear()
        if line is self._main:
            play_text(battle, token.text, token.line)
            assert battle.last
            line.moves.append(battle.last[1])
            line.positions.append(battle.position)
        else:
            self._vary(line, token)

    def _vary(self, line: _LineDraft, token: Token) -> None:
        """Play a move of a variation."""
        if line.played == MAX_PLIES:
            raise _too_long(token.line)
        if self._varied == MAX_VARIED:
            reason = f"the variations of a battle have at most {MAX_VARIED} moves in all"
            raise BadRecord(token.line, reason)
        try:
            move = parse_move(self._battle.variant, line.positions[-1], token.text)
        except ValueError as error:
            raise _complaint(token.text, token.line, error) from None
        self._varied += 1
        line.moves.append(move)
        line.positions.append(line.positions[-1].after(move))

    def _refuse_after_end(self, token: Token) -> None:
        if self._line is self._main and self._ends:
            raise BadRecord(token.line, f"{quoted(token.text)} comes after the moves taken back")

    def _add_number(self, token: Token) -> None:
        """Keep a move number until it is known of which move it is."""
        self._refuse_after_end(token)
        self._line.numbers.append(token)

    def _check_number(self, line: _LineDraft, token: Token) -> None:
        trolls_began = self._battle.start.to_move is Side.TROLLS
        turn = 1 + (line.played + trolls_began) // 2
        if int(token.text) != turn:
            reason = f"the move number {token.text}. should be {turn}."
            raise BadRecord(token.line, reason)

    def _add_comment(self, token: Token) -> None:
        """Add a comment to the last move; what precedes a variation's first move is on that."""
        if self._commented == MAX_COMMENTS:
            raise BadRecord(token.line, f"a battle in a record has at most {MAX_COMMENTS} comments")
        self._commented += 1
        line = self._line
        first = 0 if line is self._main else 1
        line.comments.append(Comment(max(first, len(line.moves)), token.text))


_FORFEITS: Final = {
    ENDS[reason]: reason for reason in (Reason.TIME, Reason.RESIGNATION, Reason.CLAIM)
}
"""Forfeits by their words in the format."""


def _end(battle: Battle, result: Token, end: str) -> None:
    """End a battle as its result says, by what `end` says or else by agreement.

    Raises:
        BadRecord: the result is another one; the battle goes on then if nothing else has ended it.
    """
    ended = battle.outcome
    if result.text == result_text(ended):
        return
    if ended:
        told = f"{result_text(ended)} ({ended.because})"
        raise BadRecord(result.line, f"the result is {told}, not {result.text}")
    variant, position = battle.variant, battle.position
    endings: list[tuple[Outcome, Forfeit | None]] = [
        (variant.forfeited(position, each), each) for each in _forfeits(position, end)
    ]
    for outcome, forfeit in endings or [(variant.settled(position, Reason.AGREEMENT), None)]:
        told = result_text(outcome)
        if result.text == told:
            battle.lose(forfeit) if forfeit else battle.agree()
            return
    raise BadRecord(result.line, f"the result is {told}, not {result.text}")


def _forfeits(position: Position, end: str) -> list[Forfeit]:
    """Return how a side may have lost otherwise than on the board, by the word for it."""
    reason = _FORFEITS.get(end)
    if reason is None:
        return []
    losers = (position.to_move,) if reason is Reason.TIME else tuple(Side)
    return [Forfeit(loser, reason) for loser in losers]
