"""A person's own marks: `!` to `??` on a move, arrows and circles on the board after it.

They are notes in comments, as in chess's PGN: `[%mark !?]`, `[%cal GF1F5,GA6A7]` for arrows and
`[%csl GH8]` for circles.  The first letter is a colour, always green here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from thud.records.tgn.notes import notes_in, without_notes
from thud.rules.geometry import InvalidSquare, Square, parse_square, square_name

MARKS: Final = ("!", "!!", "!?", "?!", "?", "??")
"""The marks of a move, in the order in which a key goes through them."""
MOST: Final = 32
"""Most arrows, and most circles, on a board."""
NAMES: Final = ("mark", "cal", "csl")
"""The names of their notes."""

_COLOUR: Final = "G"
_SQUARE: Final = "[A-HJ-P](?:1[0-5]|[1-9])"
_SHAPE: Final = rf"[RGYB]({_SQUARE})({_SQUARE})?"
_TYPED: Final = rf"({_SQUARE})(?:-?({_SQUARE}))?"

Shape: TypeAlias = tuple[Square, Square]
"""An arrow between two squares; a circle, if they are the same."""


class Annotation(NamedTuple):
    """A person's marks at a place in a record."""

    mark: str = ""
    """One of `MARKS`, or none."""
    shapes: tuple[Shape, ...] = ()
    """Arrows and circles, in the order in which they were drawn."""

    @property
    def next_mark(self) -> str:
        """The mark that comes after this one; none after the last."""
        following = ("", *MARKS, "")
        return following[following.index(self.mark) + 1]

    def toggled(self, shape: Shape) -> Annotation:
        """Return it with a shape drawn, or without one that was.

        Raises:
            ValueError: there are too many.
        """
        if shape in self.shapes:
            return self._replace(shapes=tuple(each for each in self.shapes if each != shape))
        return self._replace(shapes=_bounded([*self.shapes, shape]))


def annotation_in(texts: Iterable[str]) -> Annotation:
    """Parse the notes in comments; whatever is invalid is ignored."""
    notes = notes_in(" ".join(texts))
    mark, shapes = notes.get("mark", ""), list[Shape]()
    for name in ("cal", "csl"):
        for word in notes.get(name, "").split(","):
            found = re.fullmatch(_SHAPE, word)
            if found and (found[2] is None) == (name == "csl"):
                with suppress(InvalidSquare):
                    shapes.append((parse_square(found[1]), parse_square(found[2] or found[1])))
    try:
        kept = _bounded(shapes)
    except ValueError:
        kept = ()
    return Annotation(mark if mark in MARKS else "", kept)


def annotated(text: str, annotation: Annotation) -> str:
    """Return a comment with an annotation instead of the one it has."""
    names = [(square_name(a), square_name(b)) for a, b in annotation.shapes]
    notes = {
        "mark": annotation.mark,
        "cal": ",".join(f"{_COLOUR}{a}{b}" for a, b in names if a != b),
        "csl": ",".join(f"{_COLOUR}{a}" for a, b in names if a == b),
    }
    written = " ".join(f"[%{name} {words}]" for name, words in notes.items() if words)
    return f"{written} {without_notes(text, NAMES)}".strip()


# As people type and read them


def typed_shapes(text: str) -> tuple[Shape, ...]:
    """Parse shapes such as `F1-F5 H8`: an arrow and a circle.

    Raises:
        ValueError: it is not written like that, or there are too many.
    """
    shapes = []
    for word in text.replace(",", " ").split():
        found = re.fullmatch(_TYPED, word.upper())
        if not found:
            raise ValueError("write an arrow like F1-F5, and a circle like H8")
        shapes.append((parse_square(found[1]), parse_square(found[2] or found[1])))
    return _bounded(shapes)


def written_shapes(annotation: Annotation) -> str:
    """Return shapes as they are typed."""
    return " ".join(
        square_name(a) if a == b else f"{square_name(a)}-{square_name(b)}"
        for a, b in annotation.shapes
    )


def _bounded(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return different shapes.

    Raises:
        ValueError: there are too many.
    """
    different = tuple(dict.fromkeys(shapes))
    circles = sum(a == b for a, b in different)
    if max(circles, len(different) - circles) > MOST:
        raise ValueError(f"there is room for {MOST} arrows and {MOST} circles")
    return different
