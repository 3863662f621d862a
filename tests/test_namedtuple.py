"""Our named tuples behave like those of `typing`."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from thud import namedtuple


class Ours(namedtuple.NamedTuple):
    """Two numbers."""

    first: int
    second: int = 2

    @property
    def total(self) -> int:
        """Their sum."""
        return self.first + self.second


class Typed(typing.NamedTuple):
    """Two numbers."""

    first: int
    second: int = 2


def test_ours_are_not_those_of_typing() -> None:
    assert type(Ours).__module__ == "thud.namedtuple"


@pytest.mark.parametrize(
    "make",
    [
        lambda cls: cls(1),
        lambda cls: cls(1, 3),
        lambda cls: cls(second=3, first=1),
        lambda cls: cls(1, second=3),
        lambda cls: cls._make((1, 3)),
        lambda cls: cls(1)._replace(second=5),
        lambda cls: copy.deepcopy(cls(1, 3)),
        lambda cls: pickle.loads(pickle.dumps(cls(1, 3))),
    ],
)
def test_they_are_made_and_told_alike(make: Callable[[Any], Any]) -> None:
    ours, typed = make(Ours), make(Typed)
    assert ours == typed == tuple(typed)
    assert hash(ours) == hash(typed)
    assert ours._asdict() == typed._asdict()
    assert repr(ours) == repr(typed).replace("Typed", "Ours")
    assert (ours.first, ours.second) == (typed.first, typed.second)
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize(
    "make",
    [
        lambda cls: cls(),
        lambda cls: cls(1, 2, 3),
        lambda cls: cls(1, first=1),
        lambda cls: cls(1, third=3),
        lambda cls: cls(second=3),
    ],
)
def test_what_does_not_fit_is_refused(make: Callable[[Any], Any]) -> None:
    for cls in (Ours, Typed):
        with pytest.raises(TypeError):
            make(cls)


def test_their_classes_say_the_same_of_themselves() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__"):
        assert getattr(Ours, name) == getattr(Typed, name)
    assert typing.get_type_hints(Ours) == typing.get_type_hints(Typed)


def test_they_have_methods_and_match_by_place() -> None:
    match Ours(4):
        case Ours(first, second):
            assert (first, second, Ours(4).total) == (4, 2, 6)
    with pytest.raises(AttributeError):
        Ours(4).first = 5  # type: ignore[misc]
