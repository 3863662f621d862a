"""The score of puzzles done: an ordered list, and the figures derived from it.

Only the first attempt at a puzzle counts, rated against its band's rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.exercises.drill import Attempts, Drill
from thud.exercises.puzzles.book import Daily, puzzle_of_the_day
from thud.exercises.puzzles.puzzle import BANDS, Puzzle, PuzzleFilter, tasks
from thud.exercises.puzzles.themes import THEMES
from thud.strength.glicko import Rating, rated
from thud.text import counted

PAR: Final = dict(zip(BANDS, (Rating(1200, 60), Rating(1500, 60), Rating(1800, 60)), strict=True))
"""The rating of a band's puzzles."""


BEGINS: Final = Rating(1200, 200)
"""The rating before the first puzzle: that of the easy ones, so uncertain as to change by 90."""

SETTLED: Final = 10
"""Puzzles after which a rating is no longer provisional."""


class Solved(NamedTuple):
    """A puzzle done, with the effort of the first time; set again if its solution was shown."""

    id: str
    band: str
    effort: Attempts


class PuzzleScore(NamedTuple):
    """All puzzles done, in order."""

    solved: tuple[Solved, ...] = ()
    """Puzzles solved, or with their solution shown."""
    seen: tuple[str, ...] = ()
    """The puzzles set, latest last."""
    days: tuple[date, ...] = ()
    """The days whose puzzle was solved on that day, in order."""
    missed: Mapping[str, date] = MappingProxyType({})
    """The day on which puzzles were missed, of those of the last such day."""

    @property
    def ids(self) -> frozenset[str]:
        """The ids of solved puzzles."""
        return frozenset(each.id for each in self.solved if not each.effort.shown)

    @property
    def clean(self) -> int:
        """Number solved at the first try, without a hint."""
        return sum(each.effort.clean for each in self.solved)

    @property
    def streak(self) -> int:
        """Streak of puzzles solved at the first try."""
        return sum(1 for _ in takewhile(lambda each: each.effort.clean, reversed(self.solved)))

    @property
    def rating(self) -> Rating | None:
        """The player's rating, None before the first puzzle."""
        rating = BEGINS
        for each in self.solved:
            rating = rated(rating, [(PAR[each.band], float(each.effort.clean))])
        return rating if self.solved else None

    def with_solved(
        self, puzzle: Puzzle, effort: Attempts, *, day: date | None = None
    ) -> PuzzleScore:
        """Return the score with a puzzle done, on a day; the first time counts."""
        missed = self.missed
        if day and not effort.clean:
            missed = {each: on for each, on in missed.items() if on == day} | {puzzle.id: day}
        done = {each.id: each for each in self.solved}
        first = done.get(puzzle.id, Solved(puzzle.id, puzzle.band, effort))
        if first.effort.shown and not effort.shown:
            # It is solved now, but was missed the first time.
            effort = Attempts(max(1, first.effort.misses), first.effort.hints)
            first = first._replace(effort=effort)
        done[puzzle.id] = first
        return self._replace(solved=tuple(done.values()), missed=missed)

    def with_day(self, day: date) -> PuzzleScore:
        """Return the score with the puzzle of a day solved."""
        return self._replace(days=tuple(sorted({*self.days, day}))[-_MOST_DAYS:])

    def waits(self, today: date) -> bool:
        """Whether the puzzle of the day waits: it is not solved, nor was its solution seen."""
        if today in self.days:
            return False
        missed = [each for each, on in self.missed.items() if on == today]
        return not missed or puzzle_of_the_day(today).puzzle.id not in missed

    def running(self, today: date) -> int:
        """Return the days on which the puzzle of the day was solved, without a break.

        A day missed is forgiven; two in a row are a break.
        """
        count, last = 0, today
        for day in reversed([each for each in self.days if each <= today]):
            if last - day > _FORGIVEN:
                break
            count, last = count + 1, day
        return count

    def with_seen(self, name: str) -> PuzzleScore:
        """Return the score with a puzzle set."""
        others = (each for each in self.seen if each != name)
        return self._replace(seen=(*others, name)[-_MOST:])


def in_words(score: PuzzleScore) -> str:
    """Return a score as text, such as `"Solved 3, first try 2, streak 1, rating 1286"`."""
    rating = score.rating
    if rating is None:
        return "No puzzle solved yet."
    figures = f"Solved {len(score.ids)}, first try {score.clean}, streak {score.streak}"
    provisional = "" if len(score.solved) >= SETTLED else " (provisional)"
    return f"{figures}, rating {rating.value:.0f}{provisional}"


def days_in_words(score: PuzzleScore, today: date) -> str:
    """Say how long somebody has solved the puzzle of the day, such as `"three days running"`."""
    running = score.running(today)
    return f"{counted(running, 'day')} running" if running > 1 else "the first day"


def status_of(daily: Daily, score: PuzzleScore) -> str:
    """Return a line that says whether the puzzle of a day is solved."""
    today, puzzle = daily
    what = f"Today's puzzle ({puzzle.variant.title}, {puzzle.band})"
    if today in score.days:
        return f"{what} is solved: {days_in_words(score, today)}."
    if not score.waits(today):
        return f"{what} was not solved."
    after = f", after {days_in_words(score, today)}" if score.running(today) > 1 else ""
    return f"{what} waits{after}."


class PuzzleCourse:
    """A sequence of puzzles, and the score.

    Args:
        puzzles: the puzzles, at least one.
        score: the score before.
        save: called with each new score.
        choice: the initial filter.
        daily: the puzzle of the day.

    Attributes:
        choice: the present filter.
        daily: the puzzle of the day.
        score: the present score.
    """

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        score: PuzzleScore,
        save: Callable[[PuzzleScore], object],
        choice: PuzzleFilter = PuzzleFilter(),  # noqa: B008 - it is a value
        daily: Daily | None = None,
    ) -> None:
        self._puzzles = puzzles
        self.daily = daily
        self.choice = choice
        self.score = score
        self._save = save

    def found(self, choice: PuzzleFilter) -> list[Puzzle]:
        """Return the puzzles that match a filter."""
        return list(filter(choice.fits, self._puzzles))

    def drills(self) -> Iterator[Drill]:
        """Yield a drill for each matching puzzle that is not solved, or for all if all are.

        Those of one game come before those of the next, the game of the last one first.  The
        easiest come first, and among them those never set; the one set last comes last.
        """
        wanted = self.found(self.choice)
        solved = self.score.ids
        queue = [each for each in wanted if each.id not in solved] or wanted
        seen = {name: place for place, name in enumerate(self.score.seen)}
        games = list(dict.fromkeys(each.variant.name for each in wanted))
        last = max(wanted, key=lambda each: seen.get(each.id, -1), default=None)
        if last and last.id in seen:
            games.insert(0, last.variant.name)

        def order(each: Puzzle) -> tuple[int, int, int]:
            game = games.index(each.variant.name)
            return game, BANDS.index(each.band), seen.get(each.id, -1)

        queue.sort(key=order)
        if queue and self.score.seen[-1:] == (queue[0].id,):
            queue.append(queue.pop(0))
        for puzzle in queue:
            self.score = self.score.with_seen(puzzle.id)
            self._save(self.score)
            yield self.drill(puzzle)

    def drill(self, puzzle: Puzzle) -> Drill:
        """Return a puzzle's drill, which ends with the score."""

        def done(effort: Attempts) -> None:
            before = self.score
            daily = self.daily if self.daily and self.daily.puzzle is puzzle else None
            day = daily.day if daily else date.today()
            self.score = before.with_solved(puzzle, effort, day=day)
            if daily and not effort.shown:
                self.score = self.score.with_day(daily.day)
            self._save(self.score)
            told = in_words(self.score)
            if daily and not effort.shown:
                told = f"The puzzle of the day: {days_in_words(self.score, daily.day)}. {told}"
            if puzzle.id in (each.id for each in before.solved):
                told = f"Only the first time is rated. {told}"
            elif effort.shown:
                told = f"Seeing the solution counts as a miss. {told}"
            elif not effort.clean:
                told = f"A {'wrong move' if effort.misses else 'hint'} counts as a miss. {told}"
            drill.farewell = told

        title = f"{puzzle.variant.title}, puzzle {puzzle.number} ({puzzle.band})"
        drill = Drill(
            title, tuple(tasks(puzzle)), done, skips=True, linked=True, theme=THEMES[puzzle.theme]
        )
        return drill


FILE_NAME: Final = "puzzles.json"
_MAX_BYTES: Final = 1 << 22
_MOST: Final = 10_000
"""Most misses or hints accepted from a file, and most puzzles remembered."""
_NUMBERS: Final = frozenset(range(_MOST))
_SHOWN: Final = "shown"
_FORMER_BANDS: Final = {"middling": "medium"}
_MOST_DAYS: Final = 400
_FORGIVEN: Final = timedelta(days=2)
"""Longest time from one day's puzzle to the next in a series."""


def load_score(directory: Path) -> PuzzleScore:
    """Load the score from a data directory; missing or invalid entries count as not done."""
    values = read_small(directory / FILE_NAME, _MAX_BYTES)
    listed, names, dates = (
        value if isinstance(value := values.get(key), list) else []
        for key in ("solved", "seen", "days")
    )
    solved, days = dict[str, Solved](), set[date]()
    for value in listed:
        match value:
            case [str(name), str(written), int(misses), int(hints), *rest] if (
                (band := _FORMER_BANDS.get(written, written)) in BANDS
                and name not in solved
                and {misses, hints} <= _NUMBERS
                and rest in ([], [_SHOWN])
            ):
                solved[name] = Solved(name, band, Attempts(misses, hints, bool(rest)))
    for value in dates:
        with suppress(ValueError, TypeError):
            days.add(date.fromisoformat(value))
    seen = dict.fromkeys(name for name in names if isinstance(name, str))
    missed, told = dict[str, date](), values.get("missed")
    for name, value in told.items() if isinstance(told, dict) else ():
        with suppress(ValueError, TypeError):
            missed[name] = date.fromisoformat(value)
    return PuzzleScore(
        tuple(solved.values()), tuple(seen), tuple(sorted(days))[-_MOST_DAYS:], missed
    )


def save_score(directory: Path, score: PuzzleScore) -> None:
    """Save a score in a data directory.

    Raises:
        OSError: it cannot be saved.
    """
    solved = [
        [each.id, each.band, *each.effort[:2], *([_SHOWN] if each.effort.shown else [])]
        for each in score.solved
    ]
    values = {"solved": solved, "seen": list(score.seen)}
    if score.days:
        values["days"] = [each.isoformat() for each in score.days]
    if score.missed:
        values["missed"] = {name: day.isoformat() for name, day in score.missed.items()}
    write_small(directory / FILE_NAME, values)


def forget_score(directory: Path) -> None:
    """Delete the score from a data directory.

    Raises:
        OSError: it cannot be deleted.
    """
    (directory / FILE_NAME).unlink(missing_ok=True)
