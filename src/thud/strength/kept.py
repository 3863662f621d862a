"""How strong the people are whose matches are kept, and how that begins anew."""

from __future__ import annotations

from collections.abc import Iterable

from thud.records.store import Store
from thud.records.summary import Summary
from thud.strength.people import Strength, person, strengths
from thud.strength.resets import load_resets, reset
from thud.wording.text import quoted


def strengths_in(store: Store, finished: Iterable[Summary]) -> dict[str, Strength]:
    """Return how strong each person is by a store's finished matches, which were listed already."""
    return strengths(finished, load_resets(store.matches.parent))


def begin_anew(store: Store, name: str | None) -> list[str]:
    """Reset the rating of a person, or all ratings; return whose.

    Raises:
        ValueError: nobody is rated.
        OSError: the matches cannot be read, or this cannot be kept.
    """
    rated = strengths_in(store, store.finished())
    people = [each for each in rated if name is None or each == person(name)]
    if not people:
        raise ValueError(f"{quoted(name)} has no rating" if name else "nobody has a rating yet")
    reset(store.matches.parent, people)
    return people
