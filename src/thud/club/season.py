"""A season of a club: everybody against everybody in one game, with days for each move.

Its owner writes `season.toml`.  All else is in `seasons.json`, with every season that there was,
each under its name: who has joined, the matches as drawn by the circle method, and the results.
Nothing here opens a table or looks at the time; `thud.club.season_tables` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from itertools import groupby
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta, Struct, convert

from thud.club.owner_file import read_values
from thud.club.storage import Visitors
from thud.club.struct_file import StructFile
from thud.net.valid import Id
from thud.rules.clock import MOST_DAYS
from thud.rules.match import Match
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.participants import LONGEST_GIVEN_NAME
from thud.visitor.profile import VisitorProfile, clean
from thud.visitor.season import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    TABLES_EACH,
    SeasonNote,
    SeasonPage,
    SeasonRow,
    Tally,
    match_points,
)

SETTINGS_FILE: Final = "season.toml"
SEASONS_FILE: Final = "seasons.json"

MOST_SEASONS: Final = 50
"""Most seasons that are kept, the latest."""

_Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_GIVEN_NAME)]
_Game: TypeAlias = Annotated[str, Meta(pattern=rf"^({'|'.join(VARIANTS)})\Z")]
_Days: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_DAYS)]


# What the owner writes


class SeasonSettings(NamedTuple):
    """What the owner says of a season."""

    name: _Name
    until: date
    """The last day on which one can join."""
    game: _Game = "classic"
    days: _Days = 3
    """Days for each move."""

    @property
    def closes_at(self) -> float:
        """When joining ends, in seconds since 1970: the end of the last day here."""
        return datetime.combine(self.until + timedelta(days=1), time_of_day()).timestamp()


_HOW: Final = {
    "name": f"what the season is called, in at most {LONGEST_GIVEN_NAME} characters: "
    'name = "Winter"',
    "until": "the last day on which one can join, such as: until = 2026-12-24",
    "game": f'one of {", ".join(VARIANTS)}, such as: game = "classic"',
    "days": f"the days for each move, from 1 to {MOST_DAYS}, such as: days = 3",
}


def settings_in(path: Path) -> SeasonSettings | None:
    """Return the settings in a file, None without a file.

    Raises:
        ValueError: the file is wrong; the text says in what.
    """
    values = read_values(path, SeasonSettings, _HOW)
    if values is None:
        return None
    for name in ("name", "until"):
        if name not in values:
            raise ValueError(f"{name} is missing: {_HOW[name]}")
    found = SeasonSettings(**values | {"until": convert(values["until"], date)})
    if clean(found.name) != found.name:
        raise ValueError(f"name is {_HOW['name']}")
    try:
        found.closes_at  # noqa: B018 - a year out of range is found here
    except (OverflowError, ValueError, OSError):
        raise ValueError(f"until is {_HOW['until']}") from None
    return found


# What the club keeps


class SeasonPlayer(Struct):
    """Somebody who has joined a season."""

    id: Id
    """Their visitor id; one that nobody has if they were forgotten."""
    name: str
    """Their name when they joined; shown if the club does not know them any longer."""
    left: bool = False
    struck: bool = False
    """Whether they left before half of their matches were over: no result of theirs counts."""


class SeasonMatch(Struct, array_like=True):
    """A match of a season; the first player has the dwarfs in the first battle."""

    first: int
    second: int
    table: str = ""
    """The id of its table, empty before that is opened."""
    match: str = ""
    """The id under which it is saved."""
    tally: Tally | None = None
    """The points of both players, once it is over."""

    @property
    def players(self) -> tuple[int, int]:
        """Both players, by their number."""
        return self.first, self.second


class Season(Struct):
    """A season."""

    name: _Name
    game: _Game
    days: _Days
    until: str
    players: list[SeasonPlayer] = []
    matches: list[SeasonMatch] = []
    """All of them, in the order in which they are opened; empty until they are drawn."""

    def __post_init__(self) -> None:
        """Check that the date is one, and that the matches are of these players.

        Raises:
            ValueError: they are not, or two players meet twice.
        """
        date.fromisoformat(self.until)
        numbers = range(len(self.players))
        pairs = {frozenset(each.players) for each in self.matches}
        twice = len(pairs) < len(self.matches) or any(len(pair) < 2 for pair in pairs)
        if twice or any(player not in numbers for pair in pairs for player in pair):
            raise ValueError("the matches of a season are not of its players")

    @property
    def drawn(self) -> bool:
        """Whether its matches are drawn."""
        return bool(self.matches)

    @property
    def over(self) -> bool:
        """Whether all its matches are, but for those that do not count."""
        return self.drawn and all(each.tally or not self.counts(each) for each in self.matches)

    def counts(self, match: SeasonMatch) -> bool:
        """Whether a match's result counts: nobody in it was struck out."""
        return not any(self.players[each].struck for each in match.players)

    def of(self, player: int) -> Iterator[SeasonMatch]:
        """Yield a player's matches."""
        return (each for each in self.matches if player in each.players)


class Seasons(Struct):
    """All seasons of a club, by their names."""

    seasons: list[Season] = []

    def named(self, name: str) -> Season | None:
        """Return the season with a name."""
        return next((each for each in self.seasons if each.name == name), None)


class SeasonsFile(StructFile[Seasons]):
    """The file with all seasons.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, Seasons)


# How a season goes


def follow(seasons: Seasons, settings: SeasonSettings) -> Season:
    """Return the season that the owner has written down, begun or changed as they say.

    Once it is drawn only the days change, for the tables that open from then on.
    """
    season = seasons.named(settings.name)
    if season is None:
        season = Season(settings.name, settings.game, settings.days, settings.until.isoformat())
        seasons.seasons = [*seasons.seasons, season][-MOST_SEASONS:]
    season.days = settings.days
    if not season.drawn:
        season.game, season.until = settings.game, settings.until.isoformat()
    return season


def join(season: Season, person: str, name: str) -> None:
    """Let somebody take part.

    Raises:
        ValueError: they cannot, and the text says why.
    """
    if any(each.id == person for each in season.players):
        raise ValueError("you take part already, or have left for good")
    if season.drawn:
        raise ValueError("joining has ended: the matches are drawn")
    if len(season.players) >= MOST_PLAYERS:
        raise ValueError(f"a season has at most {MOST_PLAYERS} players")
    season.players.append(SeasonPlayer(person, name))


def leave(season: Season, people: Iterable[str]) -> bool:
    """Let somebody leave; return whether they took part until now.

    Before the draw it is as if they had not joined.  Afterwards they lose what is left, as if they
    resigned; before half of their matches are over, no result of theirs counts instead.  Nobody
    leaves a season that is over.

    Args:
        season: the season.
        people: all ids that they have.
    """
    ids, found = {*people}, False
    if not season.drawn:
        staying = [each for each in season.players if each.id not in ids]
        found, season.players = len(staying) < len(season.players), staying
        return found
    for number, player in enumerate(season.players):
        if player.id not in ids or player.left or season.over:
            continue
        matches = [*season.of(number)]
        over = sum(each.tally is not None for each in matches)
        player.left, player.struck, found = True, 2 * over < len(matches), True
        for each in matches if not player.struck else ():
            if each.tally is None and not each.table:
                each.tally = _resigned(season.game, each.players.index(number))
    return found


def _resigned(game: str, loser: int) -> Tally:
    """Return the points of a match in which a player resigns both battles at once."""
    match = Match(VARIANTS[game])
    match.battle.lose(Forfeit(match.side_of(loser), Reason.RESIGNATION))
    match.next_battle()
    match.battle.lose(Forfeit(match.side_of(loser), Reason.RESIGNATION))
    return match.tally


def forget_in(seasons: Seasons, ids: set[str], nobody: str, name: str) -> None:
    """Let somebody leave all seasons, and call them something else there.

    Args:
        seasons: all seasons.
        ids: all ids that they had.
        nobody: an id that nobody has.
        name: what they are called from now on.
    """
    for season in seasons.seasons:
        leave(season, ids)
        for player in season.players:
            if player.id in ids:
                player.id, player.name = nobody, name


def unite(season: Season, person: Callable[[str], str]) -> None:
    """Let those who were linked to another player leave: one person takes part once.

    Args:
        season: the season.
        person: follows links from an id to a visitor's id.
    """
    seen = set[str]()
    for player in [*season.players]:
        now = player.id if player.left else person(player.id)
        if now in seen:
            leave(season, [player.id])
        elif now != player.id:
            player.id = now
        seen.add(now)


def draw(season: Season) -> bool:
    """Draw the matches of all who have joined; return False if they are too few, or drawn."""
    if season.drawn or len(season.players) < FEWEST_PLAYERS:
        return False
    season.matches = [SeasonMatch(*pair) for pair in circle(len(season.players))]
    return True


def circle(players: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of some players, round by round, by the circle method.

    All but one place move around a circle, and each player meets whoever is opposite; with an odd
    number, the place that stays is empty.  In each pair, the first has the dwarfs in the first
    battle: as often as not.
    """
    ring: list[int | None] = [*[None] * (players % 2), *range(players)]
    half = len(ring) // 2
    for turn in range(len(ring) - 1):
        for place in range(half):
            one, other = ring[place], ring[-1 - place]
            if one is not None and other is not None:
                swapped = turn % 2 if place == 0 else place % 2
                yield (other, one) if swapped else (one, other)
        ring[1:] = [ring[-1], *ring[1:-1]]


def due(season: Season) -> Iterator[SeasonMatch]:
    """Yield the matches to open now, so that each player has their next tables."""
    waiting = [each for each in season.matches if each.tally is None]
    open_now = Counter(player for each in waiting if each.table for player in each.players)
    for each in waiting:
        away = any(season.players[player].left for player in each.players)
        busy = any(open_now[player] >= TABLES_EACH for player in each.players)
        if not (each.table or away or busy):
            open_now.update(each.players)
            yield each


# The standing


def standing(season: Season) -> list[tuple[int, SeasonRow]]:
    """Return all players by number, the best first, each with a row for the cross table.

    By match points, then by margin, then by the match points among those whom neither tells apart.
    The names are as saved.
    """
    points, margins, played = Counter[int](), Counter[int](), Counter[int]()
    results: dict[tuple[int, int], Tally] = {}
    for each in season.matches:
        if each.tally is None or not season.counts(each):
            continue
        own, other = each.tally
        for player, rival, tally in (
            (each.first, each.second, (own, other)),
            (each.second, each.first, (other, own)),
        ):
            results[player, rival] = tally
            points[player] += match_points(tally)
            margins[player] += tally[0] - tally[1]  # type: ignore[assignment]
            played[player] += 1

    def alike(player: int) -> tuple[bool, float, float]:
        return season.players[player].struck, -points[player], -margins[player]

    order, places = list[int](), dict[int, int]()
    for (struck, *_), group in groupby(sorted(range(len(season.players)), key=alike), alike):
        players = [*group]
        among = {
            one: sum(match_points(results[one, each]) for each in players if (one, each) in results)
            for one in players
        }
        first = len(order) + 1
        for one in sorted(players, key=lambda each: -among[each]):
            ahead_of_it = sum(among[each] > among[one] for each in players)
            places[one] = 0 if struck else first + ahead_of_it
            order.append(one)
    return [
        (
            one,
            SeasonRow(
                season.players[one].name,
                places[one],
                points[one],
                float(margins[one]),
                played[one],
                tuple(results.get((one, other)) for other in order),
                season.players[one].left,
                season.players[one].struck,
            ),
        )
        for one in order
    ]


def note_of(season: Season, viewer: str = "") -> SeasonNote:
    """Return how a season stands, for a visitor by their id."""
    counting = [each for each in season.matches if season.counts(each)]
    return SeasonNote(
        season.name,
        season.until,
        season.drawn,
        sum(each.tally is not None for each in counting),
        len(counting),
        any(each.id == viewer and not each.left for each in season.players),
    )


def page_of(season: Season, names: Mapping[str, str], viewer: str = "") -> SeasonPage:
    """Return a season with its cross table.

    Args:
        season: the season.
        names: the names of all visitors, by their ids.
        viewer: who looks.
    """
    rows = tuple(
        row._replace(name=names.get(season.players[number].id) or row.name)
        for number, row in standing(season)
    )
    return SeasonPage(note_of(season, viewer), season.game, season.days, rows)


def names_in(season: Season, visitors: Visitors) -> dict[str, str]:
    """Return the names that a season's players have now, by their ids."""
    return {each.id: VisitorProfile(visitors.directory / each.id).name for each in season.players}
