"""The record of a match: the frozen value between a match and its texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from thud.rules.battle import Battle
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
from thud.rules.variant import Outcome, Reason, Score, Variant


class Comment(NamedTuple):
    """A comment, and after how many moves of its battle it stands."""

    after: int
    text: str


class BattleRecord(NamedTuple):
    """One battle as it stands or ended; `undone` is what redo would play, the next move first."""

    start: Position
    moves: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    outcome: Outcome | None = None
    quiet_limit: int | None = None
    comments: tuple[Comment, ...] = ()

    @classmethod
    def of(cls, battle: Battle, comments: tuple[Comment, ...] = ()) -> BattleRecord:
        """Return the record of a battle now."""
        return cls(
            battle.positions[0],
            battle.moves,
            battle.undone,
            battle.outcome,
            battle.quiet_limit,
            comments,
        )

    @property
    def agreed(self) -> bool:
        """Whether the players ended the battle by agreement."""
        return self.outcome is not None and self.outcome.reason is Reason.AGREEMENT

    def positions(self, *, with_undone: bool = False) -> Iterator[Position]:
        """Yield every position from the start on: one more than there are moves."""
        position = self.start
        yield position
        for move in self.moves + self.undone if with_undone else self.moves:
            position = position.after(move)
            yield position

    def turn(self, ply: int) -> int:
        """Return the number before a move, which counts a move of each side: ply 0 has turn 1."""
        return 1 + (ply + (self.start.to_move is Side.TROLLS)) // 2

    def replay(self, battle: Battle) -> None:
        """Play all of it in a battle that has not begun, what can be redone included.

        Raises:
            IllegalMove: a move is not legal.
        """
        battle.quiet_limit = self.quiet_limit
        for move in self.moves + self.undone:
            battle.play(move)
        for _ in self.undone:
            battle.undo()
        if self.agreed:
            battle.agree()

    def kept_comments(self, moves: tuple[Move, ...]) -> tuple[Comment, ...]:
        """Return the comments on what another line of moves has in common with this one."""
        common = 0
        while common < min(len(moves), len(self.moves)) and moves[common] == self.moves[common]:
            common += 1
        return tuple(comment for comment in self.comments if comment.after <= common)


class Record(NamedTuple):
    """A match: who played what, when, all moves, and the tags of other programs.

    Player 0 commands the dwarfs in the first battle, player 1 in the second.  `programs` are the
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
    """Where the second battle begins, None if where the first does."""

    @classmethod
    def of(
        cls,
        match: Match,
        *,
        event: str = "",
        date: str = "",
        programs: tuple[str, str] = ("", ""),
    ) -> Record:
        """Return the record of a match now."""
        battles = tuple(map(BattleRecord.of, match.battles))
        first, second = match.starts
        elsewhere = None if first == second else second
        return cls(match.variant, battles, match.players, event, date, programs, second=elsewhere)

    def updated(self, match: Match, programs: tuple[str, str] = ("", "")) -> Record:
        """Return this record with the battles of the match as they are now.

        Programs that play now take the place of those that are named.

        Comments on moves that were since replaced by others are left out.
        """
        known = self.battles + (BattleRecord(self.start),) * BATTLES
        first, second = (now or before for now, before in zip(programs, self.programs, strict=True))
        return self._replace(
            programs=(first, second),
            battles=tuple(
                BattleRecord.of(battle, old.kept_comments(battle.moves))
                for battle, old in zip(match.battles, known, strict=False)
            ),
        )

    def match(self) -> Match:
        """Return the match as it stands, to be played on: undone moves can be redone.

        Raises:
            ValueError: a move is not legal, or the players cannot go by their names; what was
                read from a text has been checked already.
        """
        match = Match(self.variant, self.players, *self.starts)
        for number, battle in enumerate(self.battles, 1):
            if number > 1:
                match.next_battle()
            battle.replay(match.battle)
        return match

    @property
    def start(self) -> Position:
        """Where the first battle begins, and the second unless `second` says where."""
        return self.battles[0].start

    @property
    def starts(self) -> tuple[Position, Position]:
        """Where either battle begins."""
        return self.start, self.start if self.second is None else self.second

    @property
    def set_up(self) -> bool:
        """Whether a battle begins elsewhere than usual."""
        return any(start != self.variant.start for start in self.starts)

    @property
    def over(self) -> bool:
        """Whether both battles have been fought."""
        return all_fought(self._scores)

    def points(self, player: int) -> tuple[float, ...]:
        """Return a player's points in each battle that is over."""
        return points_of(player, self._scores)

    @property
    def tally(self) -> tuple[float, float]:
        """The sum of both players' points in the battles that are over."""
        return tally_of(self._scores)

    @property
    def winner(self) -> int | None:
        """The player with the higher sum, None where the sums are equal."""
        return ahead(self.tally)

    def commanders(self, number: int) -> tuple[str, str]:
        """Return who commands the dwarfs and who the trolls in a battle, numbered from 1."""
        dwarfs, trolls = (self.players[commander_of(side, number)] for side in Side)
        return dwarfs, trolls

    @property
    def _scores(self) -> list[Score | None]:
        return [battle.outcome and battle.outcome.score for battle in self.battles]
