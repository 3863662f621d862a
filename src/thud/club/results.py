"""The results of a club's finished matches, in one file: `results.json` beside the tables.

What can be looked up of a match is here, and above all who played it: the match's own file has only
names.  The file is replaced as a whole, under a lock, as the owner's commands write it too.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from thud.club.struct_file import StructFile
from thud.net.valid import Id
from thud.rules.match import Match
from thud.rules.position import Side

RESULTS_FILE: Final = "results.json"


_Person: Final = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")]


class Result(Struct, frozen=True, array_like=True):
    """A finished match: who played it, and how it ended."""

    id: Id
    ended: float
    """When it ended, in seconds since 1970."""
    variant: str
    people: tuple[_Person, _Person]  # type: ignore[valid-type]
    """The players' ids; empty for somebody who is not known, or not any longer."""
    names: tuple[str, str]
    """What they were called then."""
    scores: tuple[tuple[float, float], tuple[float, float]]
    """The points of the dwarfs and of the trolls in each battle."""
    moves: int
    """The moves of both battles together."""
    private: bool = False
    """Whether it was played at a table that only the invited saw."""
    set_up: bool = False
    """Whether it had a handicap, or another start than usual."""
    unrated: bool = False
    """Whether a player had said before it began that it is not rated."""
    struck: bool = False
    """Whether the owner has struck it out: it is not rated."""
    starts: tuple[tuple[float, float], tuple[float, float]] = ((0, 0), (0, 0))
    """The players' ratings by their matches against the levels, value and deviation; zeros if
    unknown."""

    @property
    def tally(self) -> tuple[float, float]:
        """Both players' points: the first has the dwarfs in the first battle, then the trolls."""
        (one, two), (three, four) = self.scores
        return one + four, two + three


class Results(Struct):
    """All results, in the order in which the matches ended, and who is not to be looked up."""

    results: list[Result] = []
    hidden: list[str] = []


def result_of(
    name: str,
    match: Match,
    people: tuple[str, str],
    *,
    private: bool,
    ended: float,
    unrated: bool = False,
) -> Result:
    """Return the result of a finished match.

    Args:
        name: its id.
        match: the match, which is over.
        people: the players' ids.
        private: whether only the invited saw its table.
        ended: when it ended, in seconds since 1970.
        unrated: whether a player had said before it began that it is not rated.
    """
    outcomes = [battle.outcome for battle in match.battles]
    scores = [each.score if each else None for each in outcomes]
    dwarfs, trolls = (
        [float(each.of(side)) if each else 0.0 for each in scores]
        for side in (Side.DWARFS, Side.TROLLS)
    )
    return Result(
        name,
        ended,
        match.variant.name,
        people,
        match.players,
        ((dwarfs[0], trolls[0]), (dwarfs[1], trolls[1])),
        sum(battle.played for battle in match.battles),
        private,
        any(start != match.variant.start for start in match.starts),
        unrated,
    )


class ResultsFile(StructFile[Results]):
    """The file with the results.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, Results)


def replaced(results: Iterable[Result], new: Iterable[Result], gone: Iterable[str]) -> list[Result]:
    """Return results without those that are gone, and with new ones at the end.

    One that is known already keeps its place, so that what follows from the order stays the same.
    """
    fresh = {each.id: each for each in new}
    missing = {*gone}
    kept = [fresh.pop(each.id, each) for each in results if each.id not in missing]
    return kept + [each for each in fresh.values() if each.id not in missing]
