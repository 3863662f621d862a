"""The rules chapter by chapter, and the chapter on a topic."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Collection, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from thud.rulebook.diagrams import Diagram, Example, read_diagram, read_example
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant

_SHIPPED: Final = Path(__file__).with_name("rules.md")
DOCUMENT: Final = _SHIPPED if _SHIPPED.exists() else Path(__file__).parents[3] / "docs" / "rules.md"
"""The rules for players: shipped with the package, or in a source tree's documents."""

GAME: Final = "game"
"""Topic of a variant's first chapter."""
END: Final = "end"
"""Topic of how a battle ends, and what counts."""


class Emphasis(Enum):
    """The emphasis of words."""

    PLAIN = 0
    STRONG = 1
    STRESSED = 2
    LITERAL = 3
    """Moves, and other words to type literally."""


class Span(NamedTuple):
    """Words of one emphasis."""

    text: str
    tone: Emphasis = Emphasis.PLAIN


Spans: TypeAlias = tuple[Span, ...]

_SET_OFF: Final = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\(.+?\)")
_TONES: Final = (Emphasis.STRONG, Emphasis.STRESSED, Emphasis.LITERAL, Emphasis.PLAIN)


def parse_spans(text: str) -> Spans:
    """Parse a text of one or more lines; links are reduced to their text.

    >>> [(span.text, span.tone.name) for span in parse_spans("see **all** of [it](#there)")]
    [('see ', 'PLAIN'), ('all', 'STRONG'), (' of ', 'PLAIN'), ('it', 'PLAIN')]
    """
    text, spans, start = " ".join(text.split()), list[Span](), 0
    for found in _SET_OFF.finditer(text):
        tone = _TONES[(found.lastindex or 1) - 1]
        spans += [Span(text[start : found.start()]), Span(found[found.lastindex or 0], tone)]
        start = found.end()
    return tuple(span for span in (*spans, Span(text[start:])) if span.text)


def plain_text(spans: Spans) -> str:
    """Return the text without emphasis."""
    return "".join(span.text for span in spans)


class Paragraph(NamedTuple):
    """Sentences."""

    spans: Spans


class Bullets(NamedTuple):
    """A bulleted list."""

    points: tuple[Spans, ...]


class CellTable(NamedTuple):
    """Rows of cells; the first row is the heading."""

    rows: tuple[tuple[Spans, ...], ...]


class Drawing(NamedTuple):
    """A diagram between sentences."""

    diagram: Diagram


Block: TypeAlias = Paragraph | Bullets | CellTable | Drawing


class Chapter(NamedTuple):
    """A heading and its content."""

    title: str
    section: int
    """The number of its section, from 1."""
    heads: bool
    """Whether it begins its section."""
    tells: frozenset[tuple[str, str]]
    """The variants and topics it covers."""
    blocks: tuple[Block, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return all chapters of the rules, in order."""
    if DOCUMENT.exists():
        text = DOCUMENT.read_text(encoding="utf-8")
    else:
        zipped = pkgutil.get_data(__name__, _SHIPPED.name)
        assert zipped is not None
        text = zipped.decode()
    found: list[Chapter] = []
    for mark, title, body in re.findall(r"^(#+) (.+)\n((?:(?!#).*\n)*)", text, re.MULTILINE):
        heads = len(mark) < 3
        section = (found[-1].section if found else 0) + heads
        found.append(Chapter(title, section, heads, _tells(body), tuple(_blocks(body))))
    return tuple(found)


def chapter_on(variant: str, topic: str) -> int | None:
    """Return the index of the chapter that covers a topic, None if there is none."""
    told = (n for n, chapter in enumerate(chapters()) if (variant, topic) in chapter.tells)
    return next(told, None)


def chapters_of(variant: str) -> list[Chapter]:
    """Return the chapters that cover a variant, the one on the game first."""
    told = (each for each in chapters() if any(name == variant for name, _ in each.tells))
    return sorted(told, key=lambda chapter: (variant, GAME) not in chapter.tells)


def topics_of(variant: str) -> list[str]:
    """Return a variant's topics covered by chapters, in order."""
    return [t for chapter in chapters() for name, t in sorted(chapter.tells) if name == variant]


def _tells(body: str) -> frozenset[tuple[str, str]]:
    """Parse the comment with a chapter's topics: `<!-- tells koom, football: end -->`."""
    return frozenset(
        (variant, topic)
        for variants, topics in re.findall(r"<!-- tells (.+): (.+) -->", body)
        for variant in variants.split(", ")
        for topic in topics.split(", ")
    )


def _blocks(body: str) -> Iterator[Block]:
    """Parse a chapter's blocks, which are separated by empty lines."""
    example: Example | None = None
    for chunk in re.split(r"\n\n+|(?<=-->)\n", body.strip()):
        if chunk.startswith("<!-- example"):
            example = read_example(chunk)
        elif chunk.startswith("```") and example:
            yield Drawing(read_diagram(example, chunk.splitlines()[1:-1]))
        elif chunk and not chunk.startswith("<!--"):
            yield _written(chunk)


def _written(chunk: str) -> Block:
    if chunk.startswith("- "):
        return Bullets(tuple(map(parse_spans, re.split(r"\n?^- ", chunk, flags=re.MULTILINE)[1:])))
    if chunk.startswith("|"):
        heading, _, *rows = (line.strip("|").split("|") for line in chunk.splitlines())
        return CellTable(tuple(tuple(map(parse_spans, row)) for row in (heading, *rows)))
    return Paragraph(parse_spans(chunk))


_MOST_TELLING: Final = (
    Kind.HURL,
    Kind.SHOVE,
    Kind.TRAP,
    Kind.TRAMPLE,
    Kind.STEP,
    Kind.ROLL,
    Kind.MOVE,
)
"""Kinds of moves, those first that a player most likely asks about."""


def topic_at_hand(variant: Variant, position: Position, moves: Collection[Move]) -> str:
    """Return the topic for a player who is about to choose one of some moves, or none yet."""
    if variant.outcome(position):
        return END
    kinds = {variant.kind(position, move) for move in moves}
    kind = next((kind for kind in _MOST_TELLING if kind in kinds), None)
    if kind is Kind.MOVE:  # dwarfs and trolls may each have a plain one
        return f"{position.to_move.singular} move"
    return kind.value if kind else GAME
