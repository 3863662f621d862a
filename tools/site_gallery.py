"""Pictures for the site's gallery: every game, theme and set of pieces."""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from textual import app, pilot

from thud.explore.files import corpus_of
from thud.records.formats import read_file
from thud.records.pictured import svg_text, write_battle
from thud.records.record import Record
from thud.records.tree import Excerpt
from thud.rules.variants import VARIANTS

_TESTS: Final = Path(__file__).parents[1] / "tests"
_FARTHER: Final = re.compile(r"@font-face \{.*?\}|<!--.*?-->", re.DOTALL)
"""Web fonts that a browser would load from elsewhere, and comments that name the place."""

_PLAYED: Final = "dF1-F5 TG7-F6 dJ1-J5 TH7-H6"
_SIZE: Final = 120, 40
_SCREENS: Final = {
    "review": "A review: where a battle went wrong, and what was better",
    "editor": "The editor: set up any position, then play, judge or save it",
}
"""Captions of the pictures in docs/images that show no match."""


class Shot(NamedTuple):
    """A terminal screenshot: file name, caption, variant and settings."""

    name: str
    caption: str
    variant: str
    settings: dict[str, Any]


def shots() -> list[Shot]:
    """List the screenshots: each game, and Classic in each theme and set of pieces."""
    from thud.settings.values import SETTINGS_INFO
    from thud.tui.looks.themes import THEMES

    pieces = next(each.choices for each in SETTINGS_INFO.values() if each.name == "pieces")
    return [
        *(Shot(f"game-{each.name}", each.title, each.name, {}) for each in VARIANTS.values()),
        *(Shot(f"theme-{e.name}", e.name, "classic", {"theme": e.name}) for e in THEMES),
        *(Shot(f"pieces-{e}", str(e), "classic", {"pieces": e}) for e in pieces if e != "auto"),
    ]


def make(directory: Path) -> None:
    """Write all pictures to a directory."""
    for variant in VARIANTS:
        record = sample(variant)
        for name, excerpt in ("start", Excerpt(1, 0)), ("later", Excerpt(1, _telling(record))):
            directory.joinpath(f"{variant}-{name}.svg").write_text(svg_text(record, excerpt))
    with directory.joinpath("football.gif").open("wb") as file:
        write_battle(file, sample("football"), Excerpt(1))
    asyncio.run(_take(directory))


def sample(variant: str) -> Record:
    """Return a match of the corpus."""
    return read_file(corpus_of(VARIANTS[variant]))[0]


def _telling(record: Record) -> int:
    """Return the number of moves after which the first battle shows most: its largest capture."""
    moves = record.battles[0].moves
    captures = [move.captures.bit_count() for move in moves[: 2 * len(moves) // 3]]
    return 1 + captures.index(max(captures)) if any(captures) else len(moves) // 2


def use_driver() -> None:
    """Make the tests' driver importable, and give screens full colour in any terminal."""
    sys.path.insert(0, str(_TESTS))
    for name in "NO_COLOR", "TEXTUAL_THEME", "TERM_PROGRAM":
        os.environ.pop(name, None)
    os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    from pauses import draw_at_rest, nothing_left

    draw_at_rest()
    for module in app, pilot:
        module.wait_for_idle = nothing_left  # type: ignore[attr-defined]


async def _take(directory: Path) -> None:
    """Write the screenshots."""
    from snapshots.pictures import picture, watching

    for shot in shots():
        moves = _PLAYED if shot.variant == "classic" else ""
        async with watching(shot.variant, moves=moves, size=_SIZE, **shot.settings) as player:
            text = self_contained(await picture(player))
        directory.joinpath(f"{shot.name}.svg").write_text(text)


def self_contained(svg: str) -> str:
    """Return a screenshot without references to external fonts."""
    return _FARTHER.sub("", svg)


def with_pictures(text: str, place: str) -> str:
    """Replace comments such as `<!-- pictures: theme -->` by pictures."""

    def replaced(found: re.Match[str]) -> str:
        figures = _figures(found[1], place)
        return f'<div class="boards gallery">{"".join(figures)}</div>\n'

    return re.sub("<!-- pictures: (.+) -->", replaced, text)


def _figures(kind: str, place: str) -> Iterator[str]:
    if kind == "boards":
        return _boards(place)
    if kind == "games":
        return _games(place)
    if kind == "screens":
        return _screens(place)
    return _moving(place) if kind == "gif" else _terminals(kind, place)


def _boards(place: str) -> Iterator[str]:
    for variant in VARIANTS.values():
        yield _figure(f"{place}/{variant.name}-start.svg", f"{variant.title}, as it begins")
        yield _figure(f"{place}/{variant.name}-later.svg", f"{variant.title}, on the way")


def _games(place: str) -> Iterator[str]:
    for each in VARIANTS.values():
        yield _figure(f"{place}/{each.name}-later.svg", each.title, f"{each.name}.html")


def _screens(place: str) -> Iterator[str]:
    for name, caption in _SCREENS.items():
        yield _figure(f"{place}/{name}.svg", caption)


def _moving(place: str) -> Iterator[str]:
    yield _figure(f"{place}/football.gif", "A battle of Koom Valley Football")


def _terminals(kind: str, place: str) -> Iterator[str]:
    for shot in shots():
        if shot.name.startswith(f"{kind}-"):
            yield _figure(f"{place}/{shot.name}.svg", shot.caption)


def _figure(source: str, caption: str, target: str = "") -> str:
    told = escape(caption)
    return (
        f'<figure><a href="{target or source}"><img src="{source}" alt="{told}" loading="lazy"></a>'
        f"<figcaption>{told}</figcaption></figure>"
    )
