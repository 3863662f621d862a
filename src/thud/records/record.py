"""The record of a match: an immutable value, made anew from the match as that is played on.

From top to bottom: what a record may hold; a battle, which is a tree of nodes; the match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Final, NamedTuple, TypeAlias

from thud.records.bounds import BadRecord
from thud.records.tgn.notes import clock_note, left_in, used_in, without_clock
from thud.rules.battle import Battle
from thud.rules.clock import Control, TimeLeft
from thud.rules.match import (
    BATTLES,
    DEFAULT_PLAYERS,
    Match,
    ahead,
    all_fought,
    commander_of,
    points_of,
    tally_of,
)
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Forfeit, Outcome, Reason, Score, Variant
from thud.text import is_printable, quoted

# What a record may hold

MAX_PLIES: Final = 5000
"""Longest line of moves in a battle, including moves taken back."""

MAX_VARIED: Final = 5000
"""Most moves of all variations of a battle together."""

MAX_DEPTH: Final = 20
"""Deepest nesting of variations; one of the battle itself has depth 1."""

MAX_QUIET: Final = 1000
MAX_COMMENT: Final = 4000
"""Longest comment, in characters."""

MAX_COMMENTS: Final = MAX_PLIES + 1000
"""Most comments in a battle and its variations: a review adds one to each move."""

MAX_TAGS: Final = 64
MAX_TAG_VALUE: Final = 400

_TAG_NAME: Final = r"[A-Z][A-Za-z0-9_]{0,31}"
_DATE: Final = r"(?a)(\d{4}|\?{4})[-./](\d\d|\?\?)[-./](\d\d|\?\?)"


class InvalidRecord(ValueError):
    """A record that could not be read back."""


def check_tag(name: str, value: str) -> None:
    """Check that a tag can be written.

    Raises:
        InvalidRecord: its name is invalid, or its value too long or unprintable.
    """
    if not re.fullmatch(_TAG_NAME, name):
        raise InvalidRecord(
            f"{quoted(name)} is not the name of a tag: up to 32 letters, digits and _,"
            " a capital letter first"
        )
    if len(value) > MAX_TAG_VALUE:
        raise InvalidRecord(f"the tag {name} has more than {MAX_TAG_VALUE} characters")
    if not is_printable(value):
        raise InvalidRecord(f"the tag {name} has unprintable characters: {quoted(value)}")


def check_comment(text: str) -> None:
    """Check that a comment can be written.

    Raises:
        InvalidRecord: it is empty, too long, unprintable, or holds a brace.
    """
    if len(text) > MAX_COMMENT:
        raise InvalidRecord(f"a comment has more than {MAX_COMMENT} characters")
    if "{" in text or "}" in text:
        raise InvalidRecord(f"a comment has a brace in it: {quoted(text)}")
    if not is_printable(text) or text != " ".join(text.split()) or not text:
        raise InvalidRecord(f"a comment is one line of text, not {quoted(text)}")


def parse_date(text: str) -> str:
    """Parse a date; return it as `"2026-11-20"` or `"2026-11-??"`.

    Raises:
        InvalidRecord: it is not a date of the calendar, written year, month, day.
    """
    if found := re.fullmatch(_DATE, text):
        with suppress(ValueError):
            if "?" not in text:
                date(*map(int, found.groups()))
            return "-".join(found.groups())
    raise InvalidRecord(f"{quoted(text)} is not a date: write it like 2026-11-20 or 2026-11-??")


def parse_quiet_limit(text: str) -> int:
    """Parse a quiet limit, in moves without a capture.

    Raises:
        InvalidRecord: it is not a whole number from 1 to `MAX_QUIET`.
    """
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_QUIET:
        return int(text)
    raise InvalidRecord(
        f"a quiet limit is a whole number from 1 to {MAX_QUIET}, not {quoted(text)}"
    )


# Battles


class Node(NamedTuple):
    """A place in a battle's tree: the move that leads there, and what is said and tried there."""

    move: Move | None = None
    """None at the battle's start."""
    comments: tuple[str, ...] = ()
    """People's words, and notes for programs."""
    variations: tuple[Line, ...] = ()
    """Other lines that go on from here than the one that the node is on, the best one first."""


Line: TypeAlias = tuple[Node, ...]
"""Successive nodes; a tuple and no chain of children, for a battle may have thousands of moves.

A battle's line begins with its start, a variation with its first move.  A variation's last node has
no variations: what goes on from there is part of it.
"""


def line_of(moves: Iterable[Move]) -> Line:
    """Return a battle's line of moves, with nothing else known of them."""
    return (Node(), *map(Node, moves))


class BattleRecord(NamedTuple):
    """One battle, with its variations and comments.

    Variations at its end continue it; the last of them may be the moves taken back.
    """

    start: Position
    line: Line = (Node(),)
    """The start, and the moves played."""
    outcome: Outcome | None = None
    quiet_limit: int | None = None
    taken_back: bool = False
    """Whether the last variation is the moves taken back, which can be redone."""

    @classmethod
    def of(cls, battle: Battle) -> BattleRecord:
        """Return the record of a battle's present state."""
        *line, end = line_of(battle.moves)
        if battle.undone:
            end = Node(end.move, variations=(tuple(map(Node, battle.undone)),))
        record = cls(
            battle.start, (*line, end), battle.outcome, battle.quiet_limit, bool(battle.undone)
        )
        return record.with_notes(clock_notes(battle))

    def updated(self, battle: Battle) -> BattleRecord:
        """Return it with a battle's present state, and its known comments and variations.

        Moves replaced since become a variation if they have comments or variations; else they are
        dropped.
        """
        line = self.with_comments(without_clock).line
        if self.taken_back:
            *played, end = line
            *others, back = end.variations
            line = (*played, end._replace(variations=tuple(others)), *back)
        line = _along(line, battle.moves + battle.undone)
        *played, end = line[: battle.played + 1]
        back = line[battle.played + 1 :]
        if back:
            end = end._replace(variations=(*end.variations, _as_variation(back)))
        taken_back = bool(back and not back[-1].variations)
        line = (*played, end)
        record = BattleRecord(battle.start, line, battle.outcome, battle.quiet_limit, taken_back)
        return record.with_notes(clock_notes(battle))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played."""
        return moves_of(self.line)

    @property
    def undone(self) -> tuple[Move, ...]:
        """Moves that redo would play, the next one first."""
        return moves_of(self.line[-1].variations[-1]) if self.taken_back else ()

    @property
    def agreed(self) -> bool:
        """Whether the players ended the battle by agreement."""
        return self.outcome is not None and self.outcome.reason is Reason.AGREEMENT

    @property
    def forfeit(self) -> Forfeit | None:
        """The forfeit, None without one."""
        return self.outcome and self.outcome.forfeit

    @property
    def times(self) -> dict[int, TimeLeft]:
        """Time left after moves, by number from 1, where comments note it."""
        return {
            ply: left
            for ply, node in enumerate(self.line[1:], 1)
            for left in map(left_in, node.comments)
            if left is not None
        }

    @property
    def used(self) -> int:
        """Milliseconds that the player to move had used when the battle was saved."""
        return max(map(used_in, self.line[-1].comments), default=0)

    @property
    def begun(self) -> bool:
        """Whether it has any move, variation, outcome or comment."""
        return self.outcome is not None or self.line != (Node(),)

    def positions(self) -> Iterator[Position]:
        """Return every position from the start: one more than moves."""
        return positions_along(self.start, self.moves)

    def quiet_counts(self) -> list[int]:
        """Return the moves since the last capture, at every position from the start."""
        quiet = [0]
        for move in self.moves:
            quiet.append(0 if move.captures else quiet[-1] + 1)
        return quiet

    def turn(self, ply: int) -> int:
        """Return a move's turn number, which counts pairs of moves: ply 0 is in turn 1."""
        return 1 + (ply + (self.start.to_move is Side.TROLLS)) // 2

    def replay(self, battle: Battle) -> None:
        """Play it in a fresh battle, including moves that can be redone.

        Raises:
            IllegalMove: a move is not legal.
        """
        battle.quiet_limit = self.quiet_limit
        times = self.times
        for number, move in enumerate(self.moves + self.undone, 1):
            battle.play(move, times.get(number))
        for _ in self.undone:
            battle.undo()
        battle.used = self.used
        if self.agreed:
            battle.agree()
        elif self.forfeit:
            battle.lose(self.forfeit)

    def with_notes(self, notes: Mapping[int, str]) -> BattleRecord:
        """Return it with notes for programs, by move number from 1, or 0 for before the first.

        Each note is put before its move's first comment, or alone if that would be too long.
        """
        line = list(self.line)
        for ply, note in notes.items():
            comments, room = list(line[ply].comments), MAX_COMMENT - len(note) - 1
            at = next((at for at, text in enumerate(comments) if len(text) <= room), None)
            if at is None:
                comments.append(note)
            else:
                comments[at] = f"{note} {comments[at]}"
            line[ply] = line[ply]._replace(comments=tuple(comments))
        return self._replace(line=tuple(line))

    def with_comments(self, change: Callable[[str], str]) -> BattleRecord:
        """Return it with the comments on its own moves changed; empty ones are left out."""
        line = (
            node._replace(comments=tuple(filter(None, map(change, node.comments))))
            if node.comments
            else node
            for node in self.line
        )
        return self._replace(line=tuple(line))


def clock_notes(battle: Battle) -> dict[int, str]:
    """Return notes of the time left after each move, where known, by number from 1.

    Before the first move that is the time used, with number 0.
    """
    notes: dict[int, str] = {}
    if not battle.played and (note := clock_note(None, battle.used)):
        notes[0] = note
    for number, left in enumerate(battle.left, 1):
        used = battle.used if number == battle.played else 0
        if (left or used) and (note := clock_note(left, used)):
            notes[number] = note
    return notes


def moves_of(line: Line) -> tuple[Move, ...]:
    """Return the moves of a line."""
    return tuple(node.move for node in line if node.move)


def positions_along(position: Position, moves: Iterable[Move]) -> Iterator[Position]:
    """Yield a position, and the one after each move."""
    yield position
    for move in moves:
        position = position.after(move)
        yield position


def _along(line: Line, moves: Sequence[Move], *, tried: bool = False) -> Line:
    """Return a line of moves from a line's first node on, with all that is known along it.

    Other moves of the line become a variation if they were one (`tried`), or have comments or
    variations; else they are dropped.
    """
    pairs = enumerate(zip(line[1:], moves, strict=False))
    alike = min(len(line) - 1, len(moves))
    alike = next((at for at, (node, move) in pairs if node.move != move), alike)
    here, rest, ahead = line[alike], line[alike + 1 :], moves[alike:]
    into = next((each for each in here.variations if ahead and each[0].move == ahead[0]), None)
    others = [each for each in here.variations if each is not into]
    if rest and (tried or any(node.comments or node.variations for node in rest)):
        others.append(_as_variation(rest))
    here = here._replace(variations=tuple(others))
    if into is None:
        return (*line[:alike], here, *map(Node, ahead))
    return line[:alike] + _along((here, *into), ahead, tried=True)


def _as_variation(line: Line) -> Line:
    """Return a line as a variation: what goes on from its end first becomes a part of it."""
    *nodes, end = line
    onward, *others = end.variations or [()]
    return (*nodes, end._replace(variations=tuple(others)), *onward)


def check_battle(battle: BattleRecord) -> None:
    """Check that a battle can be written.

    Raises:
        InvalidRecord: something in it could not be read back.
    """
    if battle.quiet_limit is not None and not 1 <= battle.quiet_limit <= MAX_QUIET:
        raise InvalidRecord(f"a quiet limit is from 1 to {MAX_QUIET}, not {battle.quiet_limit}")
    if battle.taken_back and not battle.line[-1].variations:
        raise InvalidRecord("what was taken back goes on from the end of the battle")
    comments = varied = 0
    waiting: list[tuple[int, int, Line]] = [(0, 0, battle.line)]
    while waiting:
        depth, first, line = waiting.pop()
        if first + len(line) - 1 > MAX_PLIES:
            raise InvalidRecord(f"a battle in a record has at most {MAX_PLIES} moves")
        if depth > MAX_DEPTH:
            raise InvalidRecord(f"variations are at most {MAX_DEPTH} deep in one another")
        if depth and not line:
            raise InvalidRecord("a variation has no moves")
        if depth and line[-1].variations:
            raise InvalidRecord("a variation begins where no move was played")
        for ply, node in enumerate(line, first):
            comments += len(node.comments)
            for text in node.comments:
                check_comment(text)
            for each in node.variations:
                waiting.append((depth + 1, ply + 1, each))
        varied += len(line) if depth else 0
    if comments > MAX_COMMENTS:
        raise InvalidRecord(f"a battle in a record has at most {MAX_COMMENTS} comments")
    if varied > MAX_VARIED:
        raise InvalidRecord(f"the variations of a battle have at most {MAX_VARIED} moves in all")


# Matches

LOOKED_ON: Final = ("LookedOn", "yes")
"""Tag of a match that its owner watched but did not play."""

GUEST: Final = ("Guest", "yes")
"""Tag of a match that its owner played as a guest, as reported by its host."""

BY_A_HOST: Final = (LOOKED_ON[0], GUEST[0])
"""Names of the tags of matches played elsewhere."""


class Record(NamedTuple):
    """A match: players, date, battles, and other programs' tags.

    Player 0 commands the dwarfs in the first battle, player 1 in the second.  `programs` names the
    programs or levels that played for them, empty for a person; `date` is like `2026-11-20`.
    """

    variant: Variant
    battles: tuple[BattleRecord, ...]
    players: tuple[str, str] = DEFAULT_PLAYERS
    event: str = ""
    date: str = ""
    programs: tuple[str, str] = ("", "")
    tags: tuple[tuple[str, str], ...] = ()
    second: Position | None = None
    """Start of the second battle, None for the first one's."""
    control: Control | None = None
    """The clocks' setting in each battle, None without clocks."""

    @classmethod
    def of(
        cls,
        match: Match,
        *,
        event: str = "",
        date: str = "",
        programs: tuple[str, str] = ("", ""),
    ) -> Record:
        """Return the record of a match's present state."""
        first, second = match.starts
        return cls(
            match.variant,
            tuple(map(BattleRecord.of, match.battles)),
            match.players,
            event,
            date,
            programs,
            second=None if first == second else second,
            control=match.control,
        )

    def updated(self, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
        """Return it with the match's present battles; if it is finished, it stays as it was.

        Programs that play now replace those recorded, and so do players' names.  Comments and
        variations stay with their moves.
        """
        if self.over:
            return self
        known = self.battles + (BattleRecord(self.start),) * BATTLES
        battles = tuple(map(BattleRecord.updated, known, match.battles))
        first, second = (now or before for now, before in zip(programs, self.programs, strict=True))
        # Played on here, the match is no longer somebody else's.
        tags = tuple(tag for tag in self.tags if tag[0] not in BY_A_HOST)
        return self._replace(
            programs=(first, second), battles=battles, players=match.players, tags=tags
        )

    def with_clock(self, control: Control | None) -> Record:
        """Return it with another clock, with all its time left in the present battle."""
        battles = (*self.battles[:-1], self.battles[-1].with_comments(without_clock))
        return self._replace(battles=battles, control=control)

    def with_battle(self, number: int, battle: BattleRecord) -> Record:
        """Return the match with battle `number` replaced."""
        return self._replace(battles=(*self.battles[: number - 1], battle, *self.battles[number:]))

    def match(self) -> Match:
        """Return the match, to be played on: moves taken back can be redone.

        Raises:
            ValueError: a move is illegal, or the players' names are invalid; a record read from
                text has been checked already.
        """
        match = self.match_at_start()
        for number, battle in enumerate(self.battles, 1):
            if number > 1:
                match.next_battle()
            battle.replay(match.battle)
        return match

    def match_at_start(self) -> Match:
        """Return the match before its first move.

        Raises:
            ValueError: the players' names are invalid.
        """
        return Match(self.variant, self.players, *self.starts, control=self.control)

    @property
    def start(self) -> Position:
        """Start of the first battle, and of the second unless `second` is set."""
        return self.battles[0].start

    @property
    def starts(self) -> tuple[Position, Position]:
        """The starts of both battles."""
        return self.start, self.start if self.second is None else self.second

    @property
    def set_up(self) -> bool:
        """Whether a battle has an unusual start."""
        return any(start != self.variant.start for start in self.starts)

    @property
    def over(self) -> bool:
        """Whether both battles are over."""
        return all_fought(self._scores)

    def points(self, player: int) -> tuple[float, ...]:
        """Return a player's points in each finished battle."""
        return points_of(player, self._scores)

    @property
    def tally(self) -> tuple[float, float]:
        """Both players' points in the finished battles, summed."""
        return tally_of(self._scores)

    @property
    def winner(self) -> int | None:
        """The player with more points, None if equal."""
        return ahead(self.tally)

    def name_of(self, side: Side, number: int) -> str:
        """Return the name of a side's player in a battle, numbered from 1."""
        return self.players[commander_of(side, number)]

    def commanders(self, number: int) -> tuple[str, str]:
        """Return the names of the dwarfs' and the trolls' player in a battle, from 1."""
        dwarfs, trolls = (self.name_of(side, number) for side in Side)
        return dwarfs, trolls

    @property
    def _scores(self) -> list[Score | None]:
        return [battle.outcome and battle.outcome.score for battle in self.battles]


class Reading(NamedTuple):
    """A match of a file as far as it could be read, None if not at all, and its first fault."""

    record: Record | None
    fault: BadRecord | None = None

    def whole(self) -> Record:
        """Return the match.

        Raises:
            BadRecord: it has a fault.
        """
        if self.fault:
            raise self.fault
        assert self.record
        return self.record
