"""Parse records, checking every move by the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, lru_cache
from time import monotonic
from typing import Final, TypeVar

from thud.records.bounds import BadRecord
from thud.records.record import (
    BY_A_HOST,
    MAX_COMMENTS,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_VARIED,
    BattleRecord,
    InvalidRecord,
    Node,
    Reading,
    Record,
    moves_of,
    parse_date,
    parse_quiet_limit,
)
from thud.records.tgn.lexer import VARIANT, Draft, Token, drafts
from thud.records.tgn.writer import ENDS, GOES_ON, own_tags, result_text
from thud.rules.battle import Battle
from thud.rules.clock import Control, InvalidControl, parse_control
from thud.rules.geometry import InvalidSquare
from thud.rules.match import BATTLES, DEFAULT_PLAYERS, InvalidPlayers, player_names
from thud.rules.notation import DASHES, InvalidMoveText, parse_move, written_move
from thud.rules.position import InvalidPosition, Move, Position, Side
from thud.rules.variant import Forfeit, IllegalMove, Reason, Variant
from thud.rules.variants import VARIANTS
from thud.text import quoted

TIMEOUT: Final = 30.0
"""Timeout in seconds for checking the moves of a file.

The largest collections take ten; a malicious position could take hours.
"""

_MOVES_ALONE: Final = re.compile(r"\s*(\d{1,4}\.+\s*)?[dTR]?[A-HJ-P]\d{1,2}[-‐-—−][A-HJ-P]\d")
"""The beginning of a text of moves without tags."""

_MARK: Final = re.compile(r"(?<=\d)[!?]{1,2}(?!\S)")
_ENDS_IN_A_MOVE: Final = re.compile(r"([A-HJ-P]\d{1,2}|\})\s*\Z")

_TAGS_OF_A_BATTLE: Final = ("Dwarfs", "Trolls", "QuietLimit", "Result", "End")
OWN_TAGS: Final = frozenset(
    ["Event", "Date", VARIANT, "Start", "Start2", "TimeControl", "Program1", "Program2", "Result"]
    + [f"{name}{n}" for name in _TAGS_OF_A_BATTLE for n in range(1, BATTLES + 1)]
)
"""Tags with a meaning here; all others are kept unchanged."""

_Value = TypeVar("_Value")


def read_tgn(text: str) -> tuple[Record, ...]:
    """Parse a text of one or several matches.

    Raises:
        BadRecord: the first fault.
    """
    return tuple(reading.whole() for reading in readings_of(text))


def readings_of(text: str) -> list[Reading]:
    """Parse a text of one or several matches, each as far as it can be read.

    Moves alone, as people write them, are a match of the game in which most of them are legal.  If
    they end with a move, or a comment on it, the battle is not over.

    Raises:
        BadRecord: the text is too large or empty.
    """
    deadline = monotonic() + TIMEOUT
    if not _MOVES_ALONE.match(text):
        return [_reading_of(draft, deadline) for draft in drafts(text)]
    readings = _read_in_any_game(_MARK.sub(r" {[%mark \g<0>]}", text), deadline)
    if readings[0].fault:
        # Without notes every column of the text stays what it is.
        readings = _read_in_any_game(_MARK.sub(lambda mark: " " * len(mark[0]), text), deadline)
    # The tag has a line of its own.
    return [
        Reading(record, fault and BadRecord(fault.line - 1, fault.reason, fault.column))
        for record, fault in readings
    ]


def _read_in_any_game(text: str, deadline: float) -> list[Reading]:
    """Parse moves by the game in which most of them are legal."""
    if _ENDS_IN_A_MOVE.search(text):
        text += " *"
    best, most = list[Reading](), -1
    for name in VARIANTS:
        tagged = drafts(f'[{VARIANT} "{name}"]\n{text}')
        readings = [_reading_of(draft, deadline) for draft in tagged]
        record, fault = readings[0]
        if fault is None:
            return readings
        moves = sum(len(battle.moves) for battle in record.battles) if record else 0
        if moves > most:
            best, most = readings, moves
    return best


def read_draft(draft: Draft) -> Record:
    """Parse one match from its tokens.

    Raises:
        BadRecord: its first fault.
    """
    return _reading_of(draft, monotonic() + TIMEOUT).whole()


def outline_of(draft: Draft) -> Record:
    """Return a match's record by its tags only, with an empty first battle.

    Clocks are left out: lists of finished matches show none.

    Raises:
        BadRecord: a tag is invalid.
    """
    outline = _outline_of(draft)
    if draft.fault:
        raise draft.fault
    return outline


def _reading_of(draft: Draft, deadline: float) -> Reading:
    """Parse one match as far as possible.

    Faults that cost no move are passed over; at others its reading ends.

    Args:
        draft: the match's tokens.
        deadline: on the monotonic clock.
    """
    try:
        outline = _outline_of(draft)
    except BadRecord as fault:
        draft.note(fault)
        return Reading(None, draft.fault)
    outline = outline._replace(control=_understood(draft, "TimeControl", _control, None))
    match, readers = outline.match(), list[_BattleReader]()
    try:
        for number, tokens in enumerate(draft.battles, 1):
            if number > 1:
                if match.battle.outcome is None:
                    reason = "the second battle begins before the first is over: its result is *"
                    raise tokens[0].fault(reason) if tokens else BadRecord(draft.line, reason)
                match.next_battle()
            match.battle.quiet_limit = _understood(
                draft, f"QuietLimit{number}", parse_quiet_limit, None
            )
            readers.append(_BattleReader(match.battle, deadline, draft.note))
            readers[-1].read(tokens, _value_of(draft, f"End{number}").lower())
    except BadRecord as fault:
        draft.note(fault)
    battles = tuple(reader.record() for reader in readers)
    record = outline._replace(battles=battles or outline.battles)
    if not draft.fault:
        _compare_results(draft, record)
    return Reading(record, draft.fault)


def _outline_of(draft: Draft) -> Record:
    """Return a match's record by its tags, noting what is wrong with them.

    Raises:
        BadRecord: the variant or a start is unknown, so that no move can be read.
    """
    if VARIANT not in draft.tags:
        assert draft.fault
        raise draft.fault
    name = draft.tags[VARIANT].text
    if name.lower() not in VARIANTS:
        *names, last = VARIANTS
        reason = f"{quoted(name)} is not a variant: use {', '.join(names)} or {last}"
        raise draft.tags[VARIANT].fault(reason)
    variant = VARIANTS[name.lower()]
    start = _position_of(draft, "Start", variant) or variant.start
    second = _position_of(draft, "Start2", variant)
    return Record(
        variant,
        (BattleRecord(start),),
        _players_of(draft),
        _value_of(draft, "Event"),
        _understood(draft, "Date", parse_date, ""),
        (_value_of(draft, "Program1"), _value_of(draft, "Program2")),
        tuple(
            (name, tag.text.lower() if name in BY_A_HOST else tag.text)
            for name, tag in draft.tags.items()
            if name not in OWN_TAGS
        ),
        None if second == start else second,
    )


# Tags


def _value_of(draft: Draft, name: str) -> str:
    """Return a tag's value, empty if it is missing."""
    return draft.tags[name].text if name in draft.tags else ""


def _players_of(draft: Draft) -> tuple[str, str]:
    """Return both players' names; they swap sides for the second battle."""
    tags = [_player_tag(draft, "Dwarfs1", "Trolls2"), _player_tag(draft, "Trolls1", "Dwarfs2")]
    names = [tag.text or name for tag, name in zip(tags, DEFAULT_PLAYERS, strict=True)]
    try:
        return player_names(names[0], names[1])
    except InvalidPlayers as error:
        draft.note(max(tags, key=lambda tag: tag.line).fault(str(error)))
        return DEFAULT_PLAYERS


def _player_tag(draft: Draft, first: str, second: str) -> Token:
    """Return the tag with a player's name, from either battle."""
    one, other = (draft.tags.get(name, Token("tag", "", draft.line, 0)) for name in (first, second))
    if one.text and other.text and one.text.split() != other.text.split():
        reason = f"the players swap sides, so {second} is {one.text}, not {quoted(other.text)}"
        draft.note(other.fault(reason))
    return one if one.text else other


def _position_of(draft: Draft, name: str, variant: Variant) -> Position | None:
    """Return the position in a tag, None if it is missing.

    Raises:
        BadRecord: it is no position text of the variant.
    """
    tag = draft.tags.get(name)
    if tag is None or not tag.text:
        return None
    try:
        return variant.position(tag.text)
    except InvalidPosition as error:
        raise tag.fault(str(error)) from None


def _control(text: str) -> Control | None:
    # Other programs write these, as in PGN, for unknown or no clock.
    return None if text in ("-", "?") else parse_control(text)


def _understood(
    draft: Draft, name: str, parse: Callable[[str], _Value], otherwise: _Value
) -> _Value:
    """Return a tag's value, `otherwise` if it is missing or invalid; note a fault."""
    tag = draft.tags.get(name)
    if tag is None or not tag.text:
        return otherwise
    try:
        return parse(tag.text)
    except (InvalidRecord, InvalidControl) as error:
        draft.note(tag.fault(str(error)))
        return otherwise


def _compare_results(draft: Draft, record: Record) -> None:
    """Check that the tags of results and ends agree with the moves; note a fault."""
    own = own_tags(record)
    for name in ("Result1", "End1", "Result2", "End2", "Result"):
        given = draft.tags.get(name)
        if given is None or not given.text:
            continue
        expected = own.get(name, "" if name.startswith("End") else GOES_ON)
        if given.text.lower().translate(DASHES) != expected:
            means = f"it is {expected}" if expected else "that battle is not over"
            reason = f"the tag {name} is {quoted(given.text)}, but by the moves {means}"
            draft.note(given.fault(reason))


# Battles


def play_text(battle: Battle, token: Token) -> None:
    """Play a move from its text.

    Raises:
        BadRecord: it is no move, or illegal.
    """
    if battle.played == MAX_PLIES:
        raise _too_long(token)
    try:
        battle.play(written_move(battle.variant, battle.position, token.text))
    except ValueError as error:
        raise _complaint(token, error) from None


def _complaint(token: Token, error: ValueError) -> BadRecord:
    """Return the error for a refused move."""
    if isinstance(error, InvalidMoveText):
        return token.fault(str(error))
    if isinstance(error, IllegalMove | InvalidSquare):
        return token.fault(f"{' '.join(token.text.split())}: {error}")
    raise error


def _too_long(token: Token) -> BadRecord:
    return token.fault(f"a battle in a record has at most {MAX_PLIES} moves")


class _LineDraft:
    """A line being parsed: the battle itself, or a variation.

    Its first node is the one before its moves: the start, or for a variation a substitute that has
    the comments before its first move, and the variations of that.
    """

    def __init__(self, opened: Token, position: Position | None = None) -> None:
        self.opened = opened
        """The parenthesis that opens it."""
        self.first = 0
        """The ply of its first node; for a variation known only from its first move."""
        self.nodes = [Node()]
        self.positions = [position] if position else []
        self.numbers: list[Token] = []
        """Move numbers to be checked with the next move."""

    @property
    def begun(self) -> bool:
        """Whether it has a move."""
        return len(self.nodes) > 1

    @property
    def last(self) -> int:
        """The ply of its last node."""
        return self.first + len(self.nodes) - 1


class _BattleReader:
    """Parses one battle; after a fault, the part before it is available.

    A fault in a variation costs only the rest of that variation.  Open lines are on an explicit
    stack, so that no text causes recursion.

    Args:
        battle: a fresh battle, which gets the moves.
        deadline: on the monotonic clock, for checking the moves.
        note: called with each fault that does not end the reading.
    """

    def __init__(self, battle: Battle, deadline: float, note: Callable[[BadRecord], None]) -> None:
        self._battle = battle
        self._deadline = deadline
        self._note = note
        self._main = _LineDraft(Token("open", "", 0, 0), battle.position)
        self._open = [self._main]
        self._line = self._main
        """The innermost open line."""
        self._skipped = 0
        """How deep in parentheses that are skipped."""
        self._skipped_for: BadRecord | None = None
        self._quiet_limit = battle.quiet_limit
        self._quiet = self._varied = self._commented = 0
        self._ends: list[_LineDraft] = []
        """Closed lines that continue the battle from its end."""
        self._taken_back: bool | None = None

    @cached_property
    def _fought(self) -> Battle:
        """The battle with all moves of its line; asked once these are known."""
        self._battle.follow(moves_of(tuple(self._main.nodes)), self._main.positions[1:])
        return self._battle

    def read(self, tokens: list[Token], end: str = "") -> None:
        """Parse all tokens of the battle, the last of which is its result, unless that is missing.

        Args:
            tokens: the tokens.
            end: the word for why it ended, if not on the board.

        Raises:
            BadRecord: a token is out of place, a move is illegal, or the deadline is over.
        """
        for token in tokens:
            on_main = self._line is self._main and not self._ends
            if on_main and token.kind == "word":
                self._play(token)
            elif on_main and token.kind == "number":
                self._check_number(self._main, token)
            elif token.kind in ("damage", "bad tag"):
                raise token.fault(token.text)
            elif token.kind == "result":
                self._end(token, end)
            elif self._skipped:
                self._skip(token)
            else:
                try:
                    self._take(token)
                except BadRecord as fault:
                    if self._line is self._main:
                        raise
                    self._note(fault)
                    self._skipped, self._skipped_for = 1, fault
                    self._skip(token)

    def _take(self, token: Token) -> None:
        """Take a comment, a parenthesis, a number or a move."""
        line = self._line
        if token.kind == "comment":
            if self._commented == MAX_COMMENTS:
                reason = f"a battle in a record has at most {MAX_COMMENTS} comments"
                self._note(token.fault(reason))
                return
            # It belongs to the last move, or to the first one if it precedes that.
            self._commented += 1
            node = line.nodes[-1]
            line.nodes[-1] = node._replace(comments=(*node.comments, token.text))
        elif token.kind == "open":
            if len(self._open) > MAX_DEPTH:
                raise token.fault(f"variations are at most {MAX_DEPTH} deep in one another")
            if line is not self._main and not line.begun:
                raise token.fault("a variation comes before its move")
            self._line = _LineDraft(token)
            self._open.append(self._line)
        elif token.kind == "close":
            self._end_variation(token)
        elif line is self._main and self._ends:
            raise token.fault(f"{quoted(token.text)} comes after the moves taken back")
        elif token.kind == "number":
            line.numbers.append(token)  # to be checked when its move is known
        else:
            self._vary(token)

    def _skip(self, token: Token) -> None:
        """Skip a token of a faulty variation; keep the variation up to the fault."""
        self._skipped += (token.kind == "open") - (token.kind == "close")
        if not self._skipped:
            if self._line.begun:
                self._close()
            else:
                self._leave()

    def _end(self, result: Token, end: str) -> None:
        """End the battle by its result.

        Raises:
            BadRecord: something is missing before it, or it does not fit.
        """
        if self._skipped and self._skipped_for:
            raise self._skipped_for
        if self._line is not self._main:
            raise self._line.opened.fault("a parenthesis is never closed")
        self._check_taken_back()
        _end(self._fought, result, end)

    def record(self) -> BattleRecord:
        """Return the battle as far as it was parsed."""
        while self._line is not self._main:
            self._close()
        if self._taken_back is None:
            with suppress(BadRecord):
                self._check_taken_back()
        battle = self._fought
        return BattleRecord(
            battle.start,
            tuple(self._main.nodes),
            battle.outcome,
            battle.quiet_limit,
            bool(self._taken_back),
        )

    # Variations

    def _end_variation(self, token: Token) -> None:
        line = self._line
        if line is self._main:
            self._note(token.fault(") without ("))
            return
        if not line.begun and (line.nodes[0].comments or self._open[-2] is not self._main):
            raise token.fault("there are no moves in the parentheses")
        for number in line.numbers if line.begun else ():
            self._check_number(line, number)
        self._close()

    def _close(self) -> None:
        """Close the innermost line: a variation of the one around it, if it has moves."""
        line, left = self._leave(), self._line
        if line.begun:
            start, first, *rest = line.nodes
            own = (first._replace(comments=start.comments + first.comments), *rest)
            at = line.first - left.first
            node = left.nodes[at]
            left.nodes[at] = node._replace(variations=(*node.variations, own, *start.variations))
        if left is self._main and (not line.begun or line.first == left.last):
            self._ends.append(line)

    def _leave(self) -> _LineDraft:
        line = self._open.pop()
        self._line = self._open[-1]
        return line

    def _settle(self, line: _LineDraft, token: Token) -> None:
        """Determine where a variation begins, by its first move.

        It follows the move that it replaces; at the end of a battle it may instead continue the
        battle, with a move of the other side.
        """
        left = self._open[-2]
        instead = left.begun
        if instead and left is self._main:
            before, variant = left.positions[-2], self._battle.variant
            try:
                move = written_move(variant, before, token.text)
            except ValueError as error:
                raise _complaint(token, error) from None
            if move.origin == before.stone:
                instead = variant.is_legal(before, move)
            else:
                instead = before.letter_at(move.origin) != before.to_move.other.value
        line.first = left.last - instead
        line.positions = [left.positions[-1 - instead]]

    def _check_taken_back(self) -> None:
        """Determine whether the last line that continues the battle is the moves taken back.

        Raises:
            BadRecord: they cannot be played, or a line before them is empty.
        """
        self._taken_back = False
        *others, last = self._ends or [self._main]
        if last is self._main:
            return
        for line in others:
            if not line.begun:
                raise line.opened.fault("there are no moves in the parentheses")
        played, battle = 0, self._fought
        try:
            for move in moves_of(tuple(last.nodes)):
                battle.play(move)
                played += 1
        except IllegalMove as error:
            raise last.opened.fault(f"what was taken back cannot be played: {error}") from None
        finally:
            for _ in range(played):
                battle.undo()
        self._taken_back = last.begun

    # Moves

    def _play(self, token: Token) -> None:
        """Play a move of the battle."""
        if self._quiet == self._quiet_limit:
            assert self._fought.outcome
            raise token.fault(f"{token.text}: {self._fought.outcome.description}")
        move = self._extend(self._main, token)
        self._quiet = 0 if move.captures else self._quiet + 1

    def _vary(self, token: Token) -> None:
        """Play a move of a variation."""
        line = self._line
        if not line.begun:
            self._settle(line, token)
        for number in line.numbers:
            self._check_number(line, number)
        line.numbers.clear()
        if self._varied == MAX_VARIED:
            reason = f"the variations of a battle have at most {MAX_VARIED} moves in all"
            raise token.fault(reason)
        self._extend(line, token)
        self._varied += 1

    def _extend(self, line: _LineDraft, token: Token) -> Move:
        """Add a move to a line, and return it.

        Raises:
            BadRecord: it is no move, or illegal, or one too many, or the deadline is over.
        """
        if line.first + len(line.nodes) > MAX_PLIES:
            raise _too_long(token)
        if monotonic() > self._deadline:
            raise token.fault(f"checking the moves took over {TIMEOUT:.0f} seconds")
        position = line.positions[-1]
        try:
            move = parse_move(self._battle.variant, position, token.text)
        except ValueError as error:
            raise _complaint(token, error) from None
        line.nodes.append(_node(move))
        line.positions.append(position.after(move))
        return move

    def _check_number(self, line: _LineDraft, token: Token) -> None:
        turn = 1 + (line.last + self._battle.skipped) // 2
        if int(token.text) != turn:
            reason = f"the move number {token.text}. should be {turn}."
            raise token.fault(reason)


@lru_cache(1 << 14)
def _node(move: Move) -> Node:
    """Return the node of a move with nothing said of it, which many battles share."""
    return Node(move)


_FORFEITS: Final = {
    ENDS[reason]: reason for reason in (Reason.TIME, Reason.RESIGNATION, Reason.CLAIM)
}
"""Forfeits by the format's words."""


def _end(battle: Battle, result: Token, end: str) -> None:
    """End a battle by its result: by the forfeit of `end`, or else by agreement.

    Raises:
        BadRecord: the result does not fit; the battle goes on unless the board has ended it.
    """
    ended = battle.outcome
    if result.text == result_text(ended):
        return
    if ended:
        told = f"{result_text(ended)} ({ended.because})"
        raise result.fault(f"the result is {told}, not {result.text}")
    variant, position, reason = battle.variant, battle.position, _FORFEITS.get(end)
    if reason is None:
        told = result_text(variant.settled(position, Reason.AGREEMENT))
        if result.text == told:
            battle.agree()
            return
    else:
        for loser in (position.to_move,) if reason is Reason.TIME else Side:
            forfeit = Forfeit(loser, reason)
            told = result_text(variant.forfeited(position, forfeit))
            if result.text == told:
                battle.lose(forfeit)
                return
    raise result.fault(f"the result is {told}, not {result.text}")
