"""A match: two battles, with sides swapped for the second, the tally, and handicaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from thud.rules.battle import Battle
from thud.rules.clock import Control
from thud.rules.geometry import Mask, mask_of, parse_square
from thud.rules.position import Position, Side
from thud.rules.variant import IllegalMove, Score, Variant
from thud.text import is_printable, quoted

BATTLES: Final = 2
"""Number of battles in a match."""

DEFAULT_PLAYERS: Final = ("Player 1", "Player 2")

SIDES: Final = ("Dwarfs", "Trolls")
"""Names of the players where nobody plays, as in a position that is explored."""
LONGEST_NAME: Final = 40
"""Longest name of a player, in characters."""


class InvalidPlayers(ValueError):
    """A player's name is empty, too long or unprintable, or both are the same."""


def player_names(first: str, second: str) -> tuple[str, str]:
    """Check and normalize two players' names.

    Raises:
        InvalidPlayers: a name is empty, too long or unprintable, or both are the same.
    """
    names = " ".join(first.split()), " ".join(second.split())
    for name in names:
        if not name:
            raise InvalidPlayers("a player's name is empty")
        if len(name) > LONGEST_NAME:
            raise InvalidPlayers(f"a player's name has at most {LONGEST_NAME} characters")
        if not is_printable(name):
            raise InvalidPlayers(f"a player's name has unprintable characters: {quoted(name)}")
    if names[0].casefold() == names[1].casefold():
        raise InvalidPlayers(f"both players are called {names[0]}: give them different names")
    return names


def commander_of(side: Side, number: int) -> int:
    """Return the player, 0 or 1, who has a side in battle `number`."""
    return int((side is Side.TROLLS) != (number == BATTLES))


def side_of(player: int, number: int) -> Side:
    """Return a player's side in battle `number`."""
    return Side.DWARFS if commander_of(Side.DWARFS, number) == player else Side.TROLLS


def points_of(player: int, scores: Sequence[Score | None]) -> tuple[float, ...]:
    """Return a player's points in each battle with a score; None means unfinished."""
    return tuple(
        score.of(side_of(player, number)) for number, score in enumerate(scores, 1) if score
    )


def tally_of(scores: Sequence[Score | None]) -> tuple[float, float]:
    """Return both players' points, summed over the battles with a score."""
    return sum(points_of(0, scores)), sum(points_of(1, scores))


def ahead(tally: tuple[float, float]) -> int | None:
    """Return the player with more points, None if equal."""
    first, second = tally
    return None if first == second else int(second > first)


def all_fought(scores: Sequence[Score | None]) -> bool:
    """Whether both battles have a score."""
    return len(scores) == BATTLES and None not in scores


class Match:
    """Two battles between two players, who are numbered 0 and 1.

    Player 0 commands the dwarfs in the first battle and the trolls in the second.

    Args:
        variant: the variant.
        players: their names.
        start: the start of both battles; None for the variant's.
        second: the start of the second battle; None for the first one's.
        control: the time control of each battle, None without clocks.

    Attributes:
        starts: the starts of both battles.
    """

    def __init__(
        self,
        variant: Variant,
        players: tuple[str, str] = DEFAULT_PLAYERS,
        start: Position | None = None,
        second: Position | None = None,
        control: Control | None = None,
    ) -> None:
        self.variant = variant
        self.control = control
        self.players = player_names(*players)
        first = variant.start if start is None else start
        self.starts = first, first if second is None else second
        self.battles = [Battle(variant, first)]

    @property
    def battle(self) -> Battle:
        """The current battle."""
        return self.battles[-1]

    @property
    def number(self) -> int:
        """The current battle's number: 1 or 2."""
        return len(self.battles)

    @property
    def over(self) -> bool:
        """Whether both battles are over."""
        return all_fought(self._scores)

    def commander(self, side: Side, number: int | None = None) -> int:
        """Return the player who has a side, in the current battle or in battle `number`."""
        return commander_of(side, self.number if number is None else number)

    def side_of(self, player: int, number: int | None = None) -> Side:
        """Return a player's side, in the current battle or in battle `number`."""
        return side_of(player, self.number if number is None else number)

    def name_of(self, side: Side, number: int | None = None) -> str:
        """Return the name of a side's player, in the current battle or in battle `number`."""
        return self.players[self.commander(side, number)]

    def rename(self, player: int, name: str) -> None:
        """Rename a player.

        Raises:
            InvalidPlayers: the name is invalid, or the other player has it.
        """
        other = self.players[1 - player]
        names = (name, other) if player == 0 else (other, name)
        self.players = player_names(*names)

    def next_battle(self) -> None:
        """Swap sides and begin the second battle.

        Raises:
            IllegalMove: the first battle goes on, or the second has begun.
        """
        if self.number == BATTLES:
            raise IllegalMove("a match has two battles, and the second has begun")
        if self.battle.outcome is None:
            raise IllegalMove("the first battle is not over")
        self.battles.append(Battle(self.variant, self.starts[1]))

    def again(self) -> Match:
        """Return a new match with the same players and settings."""
        return Match(self.variant, self.players, *self.starts, control=self.control)

    def rematch(self) -> Match:
        """Return a new match in which the players swap who begins."""
        handicap, starts = handicap_in(self.variant, self.starts), self.starts
        if handicap:
            starts = starts_at(self.variant, handicap._replace(player=1 - handicap.player))
        first, second = self.players
        return Match(self.variant, (second, first), *starts, control=self.control)

    def until(self, number: int, played: int) -> Match:
        """Return a copy of the match up to `played` moves of battle `number`."""
        match = self.again()
        for earlier in self.battles[: number - 1]:
            match.battle.repeat(earlier, earlier.played)
            match.next_battle()
        match.battle.repeat(self.battles[number - 1], played)
        return match

    def points(self, player: int) -> tuple[float, ...]:
        """Return a player's points in each finished battle."""
        return points_of(player, self._scores)

    @property
    def tally(self) -> tuple[float, float]:
        """Both players' points so far, summed."""
        return tally_of(self._scores)

    @property
    def winner(self) -> int | None:
        """The player with more points, None if equal."""
        return ahead(self.tally)

    @property
    def _scores(self) -> list[Score | None]:
        outcomes = (battle.outcome for battle in self.battles)
        return [outcome and outcome.score for outcome in outcomes]


# Handicaps: the stronger player begins both battles with fewer pieces.  Each variant defines which
# ones; the steps were measured: benchmarks/results/handicaps.md.

MOST_STEPS: Final = 4
"""Most steps of a handicap."""


class Handicap(NamedTuple):
    """The player who begins with fewer pieces, and by how many steps."""

    player: int
    """0 or 1."""
    steps: int
    """From 1 to `MOST_STEPS`."""


def pieces_missing(variant: Variant, side: Side, steps: int) -> Mask:
    """Return the squares left empty by a side that gives a number of steps.

    Raises:
        ValueError: the variant has no handicaps, or not this one.
    """
    if not variant.handicaps:
        raise ValueError(f"{variant.title} has no handicaps: fewer pieces change little in it")
    if not 1 <= steps <= MOST_STEPS:
        raise ValueError(f"a handicap has 1 to {MOST_STEPS} steps, not {steps}")
    gone = variant.handicaps[side]
    return mask_of(*map(parse_square, gone.squares.split()[: gone.at_step[steps - 1]]))


def start_without(variant: Variant, side: Side, steps: int) -> Position:
    """Return the start for a side that gives a number of steps.

    Raises:
        ValueError: as `pieces_missing`.
    """
    gone, start = pieces_missing(variant, side, steps), variant.start
    if side is Side.DWARFS:
        return start._replace(dwarfs=start.dwarfs & ~gone)
    return start._replace(trolls=start.trolls & ~gone)


@cache
def starts_at(variant: Variant, handicap: Handicap) -> tuple[Position, Position]:
    """Return the starts of both battles at a handicap.

    Raises:
        ValueError: as `pieces_missing`.
    """
    player, steps = handicap
    first, second = (
        start_without(variant, side_of(player, number), steps) for number in range(1, BATTLES + 1)
    )
    return first, second


def handicap_in(variant: Variant, starts: Sequence[Position]) -> Handicap | None:
    """Return the handicap of given starts, None if there is none."""
    if not variant.handicaps or all(start == variant.start for start in starts):
        return None
    for player in range(BATTLES):
        for steps in range(1, MOST_STEPS + 1):
            handicap = Handicap(player, steps)
            if starts_at(variant, handicap) == tuple(starts):
                return handicap
    return None


def parse_handicap(text: str, players: tuple[str, str]) -> Handicap:
    """Parse a handicap: `"Ann:2"`, or `"1:2"` for the first player.

    `"1"` and `"2"` always mean the first and the second player, even if a player has that name.

    Raises:
        ValueError: there is no such player, or no such number of steps.
    """
    who, _, number = (part.strip() for part in text.rpartition(":"))
    names = {name.casefold(): player for player, name in enumerate(players)}
    player = {"1": 0, "2": 1}.get(who, names.get(who.casefold()))
    if player is None:
        wrong = f"there is no player {quoted(who)}" if who else "write it like 1:2 or NAME:2"
        raise ValueError(f"a handicap: {wrong}; {' or '.join(players)} can give one")
    if number not in map(str, range(1, MOST_STEPS + 1)):
        raise ValueError(f"a handicap has 1 to {MOST_STEPS} steps, not {quoted(number)}")
    return Handicap(player, int(number))
