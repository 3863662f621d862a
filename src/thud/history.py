"""What finished matches show of people: results, ratings, accuracy."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import Any, Final, NamedTuple

from rich.cells import cell_len

from thud.records.store import Store
from thud.records.summary import Summary
from thud.records.words import addressed_in_list, computer
from thud.review.judgement import accuracy
from thud.review.notes import judgements_in
from thud.review.phases import Phase, phase_of
from thud.rules.match import side_of
from thud.rules.position import Side
from thud.strength.glicko import Rating
from thud.strength.people import course, load_resets, person
from thud.text import YOU

READ: Final = 200
"""Most matches read for what summaries do not tell: battles by side, and accuracy."""

VERSION: Final = 1
"""The JSON schema's version: raised when readers of the old one would be misled."""


class Results(NamedTuple):
    """Numbers of wins, draws and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def with_one(self, own: float, other: float) -> Results:
        """Return it with one more result."""
        won, drawn, lost = own > other, own == other, own < other
        return Results(self.won + won, self.drawn + drawn, self.lost + lost)


class Rated(NamedTuple):
    """The rating after a match."""

    date: str
    rating: Rating


class Accuracy(NamedTuple):
    """The mean accuracy of some judged moves, from 0 to 100."""

    of: str
    """What they have in common, such as a month or an opponent."""
    mean: float
    moves: int
    sides: dict[Side, float]
    """The same by side, where there are any."""
    course: tuple[float, ...]
    """The same by match, in the order in which they were saved."""


class Judged(NamedTuple):
    """A judged move of a person."""

    accuracy: float
    side: Side
    month: str
    phase: Phase
    rival: str
    """The level of the computer, or the name of the other person."""
    match: datetime
    """When the match was saved."""


class History(NamedTuple):
    """What a person's finished matches show."""

    opponents: dict[str, Results]
    """Matches by opponent."""
    sides: dict[Side, Results]
    """Battles by side."""
    ratings: list[Rated]
    """In the order of the matches that count."""
    months: list[Accuracy]
    phases: list[Accuracy]
    rivals: list[Accuracy]


def histories(store: Store, finished: Sequence[Summary]) -> dict[str, History]:
    """Return the history of each person in some finished matches, by the name shown, `You` first.

    Args:
        store: where they are saved.
        finished: the matches, last saved first; those only watched do not count.
    """
    seats = defaultdict[str, list[tuple[Summary, int]]](list)
    names = dict[str, str]()
    for match in finished:
        shown = addressed_in_list(match)
        for seat in range(2):
            if not (match.looked_on or match.programs[seat]):
                key = person(match.players[seat])
                names.setdefault(key, shown.players[seat])
                seats[key].append((match, seat))
    rated = defaultdict[str, list[Rated]](list)
    for match, who, strength in course(finished, load_resets(store.matches.parent)):
        rated[who].append(Rated(f"{match.saved:%Y-%m-%d}", strength.rating))
    order = sorted(seats, key=lambda key: (names[key] != YOU, key))
    return {names[key]: _history(store, seats[key], rated[key]) for key in order}


def _history(store: Store, played: Sequence[tuple[Summary, int]], ratings: list[Rated]) -> History:
    opponents, sides = dict[str, Results](), dict[Side, Results]()
    for match, seat in played:
        rival = computer(match.programs[1 - seat]) or match.players[1 - seat]
        own, other = match.tally[seat], match.tally[1 - seat]
        opponents[rival] = opponents.get(rival, Results()).with_one(own, other)
    judged = list[Judged]()
    for match, seat in played[:READ]:
        try:
            record = store.load(match.id)
        except ValueError:  # it was deleted meanwhile, or its moves are damaged
            continue
        rival = computer(match.programs[1 - seat]) or match.players[1 - seat]
        for number, battle in enumerate(record.battles, 1):
            side, positions = side_of(seat, number), list(battle.positions())
            if battle.outcome:
                score = battle.outcome.score
                before = sides.get(side, Results())
                sides[side] = before.with_one(score.of(side), score.of(side.other))
            month = f"{match.saved:%Y-%m}"
            judged += [
                Judged(
                    accuracy(match.variant, judgement, side),
                    side,
                    month,
                    phase_of(battle.turn(ply)),
                    rival,
                    match.saved,
                )
                for ply, judgement in judgements_in(match.variant, battle).items()
                if positions[ply].to_move is side
            ]
    return History(
        dict(sorted(opponents.items())),
        {side: sides[side] for side in Side if side in sides},
        ratings,
        months=_accuracies(judged, lambda move: move.month),
        phases=_accuracies(judged, lambda move: move.phase.words, [each.words for each in Phase]),
        rivals=_accuracies(judged, lambda move: move.rival),
    )


def _accuracies(
    judged: Sequence[Judged], key: Callable[[Judged], str], order: Sequence[str] = ()
) -> list[Accuracy]:
    """Return the mean accuracies of moves by a key, in an order or that of the keys."""
    found = defaultdict[str, list[Judged]](list)
    for move in judged:
        found[key(move)].append(move)
    return [_accuracy(of, found[of]) for of in order or sorted(found) if of in found]


def _accuracy(of: str, judged: Sequence[Judged]) -> Accuracy:
    sides = {side: [move.accuracy for move in judged if move.side is side] for side in Side}
    means = {side: fmean(each) for side, each in sides.items() if each}
    matches = defaultdict[datetime, list[float]](list)
    for move in judged:
        matches[move.match].append(move.accuracy)
    course = tuple(fmean(matches[when]) for when in sorted(matches))
    return Accuracy(of, fmean(move.accuracy for move in judged), len(judged), means, course)


_LATEST: Final = 20
"""Most ratings of a person in a table."""
_DRAWN: Final = 60
"""Most ratings in a curve."""
_COURSE: Final = 8
"""Most matches in the course of an accuracy."""
_BARS: Final = "▁▂▃▄▅▆▇█"


def history_lines(people: Mapping[str, History], *, drawn: bool = False) -> Iterator[str]:
    """Yield the lines of people's histories; `drawn` ratings are a curve instead of a table."""
    if not people:
        yield "No finished matches yet."
    for number, (name, history) in enumerate(people.items()):
        yield from ["", name] if number else [name]
        for place, block in enumerate(blocks(history, drawn=drawn)):
            yield from ["", *block] if place else block


def blocks(history: History, *, drawn: bool = False) -> Iterator[list[str]]:
    """Yield what stands together in a person's history, each as the lines of a table."""
    results = "won", "drawn", "lost"
    matches = [(rival, *map(str, each)) for rival, each in history.opponents.items()]
    yield _table(("matches against", *results), *matches)
    if history.sides:
        battles = [(side.plural, *map(str, each)) for side, each in history.sides.items()]
        yield _table(("battles as", *results), *battles)
    if history.ratings and drawn:
        yield ["rating after each match", _curve(history.ratings[-_DRAWN:])]
    elif history.ratings:
        ratings = [(date, f"{rating}") for date, rating in history.ratings[-_LATEST:]]
        yield _table(("rated match", "rating"), *ratings)
    means = "accuracy", *(side.plural for side in Side)
    for what, some in ("month", history.months), ("phase", history.phases):
        if some:
            rows = ((*_row(each), f"{each.moves}") for each in some)
            yield _table((what, *means, "moves"), *rows)
    if history.rivals:
        rows = ((*_row(each), _course(each, drawn=drawn)) for each in history.rivals)
        yield _table(("moves against", *means, "by match"), *rows)


def _row(accuracy: Accuracy) -> tuple[str, ...]:
    sides = (accuracy.sides.get(side) for side in Side)
    means = ("" if mean is None else f"{mean:.0f}%" for mean in (accuracy.mean, *sides))
    return (accuracy.of, *means)


def _course(accuracy: Accuracy, *, drawn: bool) -> str:
    """Return the accuracy of the latest matches as bars, or in figures."""
    latest = accuracy.course[-_COURSE:]
    if drawn and len(latest) > 1:
        return _in_bars(latest)
    return " ".join(f"{each:.0f}" for each in latest)


def _curve(ratings: Sequence[Rated]) -> str:
    """Return ratings as bars before the last one; one alone as text."""
    last = f"{ratings[-1].rating}"
    if len(ratings) == 1:
        return last
    return f"{_in_bars([each.rating.value for each in ratings])} {last}"


def _in_bars(values: Sequence[float]) -> str:
    """Return values as bars, the lowest one as the smallest."""
    low, high = min(values), max(values)
    steps = (len(_BARS) - 1) / (high - low or 1)
    return "".join(_BARS[round((value - low) * steps)] for value in values)


def _table(*rows: Sequence[str]) -> list[str]:
    """Return the lines of a table, its heading first."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def history_json(finished: Sequence[Summary], people: dict[str, History]) -> str:
    """Return finished matches and their people's histories as a JSON document."""
    document = {
        "format": "thud history",
        "version": VERSION,
        "matches": [_match(each) for each in map(addressed_in_list, finished)],
        "people": {name: _person(each) for name, each in people.items()},
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _match(match: Summary) -> dict[str, Any]:
    return {
        "id": match.id,
        "date": match.date,
        "variant": match.variant.name,
        "players": match.players,
        "programs": match.programs,
        "points": match.tally,
        "winner": match.winner,
        "watched": match.looked_on,
    }


def _person(history: History) -> dict[str, Any]:
    return {
        "opponents": {name: each._asdict() for name, each in history.opponents.items()},
        "sides": {side.plural: each._asdict() for side, each in history.sides.items()},
        "ratings": [
            {"date": date, "rating": round(value), "deviation": round(deviation)}
            for date, (value, deviation, _) in history.ratings
        ],
        "months": [{"month": each.of, **_figures(each)} for each in history.months],
        "phases": [{"phase": each.of, **_figures(each)} for each in history.phases],
        "rivals": [{"rival": each.of, **_figures(each)} for each in history.rivals],
    }


def _figures(accuracy: Accuracy) -> dict[str, Any]:
    sides = {side.plural: round(mean, 1) for side, mean in accuracy.sides.items()}
    course = [round(mean, 1) for mean in accuracy.course]
    mean = round(accuracy.mean, 1)
    return {"accuracy": mean, "moves": accuracy.moves, "sides": sides, "matches": course}
