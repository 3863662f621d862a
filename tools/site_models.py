"""The model battles for the site, a page each: comments below boards, and answers to unfold."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from thud.exercises.lessons.model_battles import ModelBattle, model_battles
from thud.plain.board import board_in_words
from thud.records.pictured import svg_text
from thud.records.questions import good_moves
from thud.records.tree import Cursor, Excerpt
from thud.records.words import asked_in_words
from thud.rules.notation import move_text

_MARK: Final = "<!-- model battles -->"


def with_battles(text: str) -> str:
    """Replace the comment for the model battles by a list of them, each with its page."""
    return text.replace(_MARK, "\n".join(_listed())) if _MARK in text else text


def _listed() -> Iterator[str]:
    for variant, battles in groupby(model_battles(), key=attrgetter("variant")):
        yield f"\n## {variant.title}\n\n<ul>"
        for battle in battles:
            words = escape(" ".join(_start(battle).words))
            yield f'<li><a href="{_page(battle)}.html">{escape(battle.title)}</a>: {words}</li>'
        yield "</ul>\n"


def pages(directory: Path, place: str) -> Iterator[tuple[str, dict[str, object], str]]:
    """Write the pictures of every model battle; yield its page, as Sphinx collects pages.

    Args:
        directory: the directory to write pictures to.
        place: that directory relative to the pages.
    """
    battles = model_battles()
    for before, battle, after in zip([None, *battles], battles, [*battles[1:], None], strict=False):
        context: dict[str, object] = {
            "title": battle.title,
            "body": "\n".join(_told(battle, directory, place)),
            "parents": [{"link": "models.html", "title": "Model battles"}],
            "prev": _way_to(before),
            "next": _way_to(after),
        }
        yield _page(battle), context, "page.html"


def _page(battle: ModelBattle) -> str:
    return f"model-{battle.name}"


def _way_to(battle: ModelBattle | None) -> dict[str, str] | None:
    return battle and {"link": f"{_page(battle)}.html", "title": battle.title}


def _start(battle: ModelBattle) -> Cursor:
    return Cursor.at(battle.record(), 1, 0)


def _told(battle: ModelBattle, directory: Path, place: str) -> Iterator[str]:
    start = _start(battle)
    shown = {ply for ply in range(1, start.last + 1) if start.to(ply).words}
    asked = {ply for ply in range(start.last) if good_moves(start.to(ply))}
    yield f"<h1>{escape(battle.title)}</h1>"
    yield f"<p>{escape(' '.join(start.words))}</p>"
    yield (
        f'<p>{battle.variant.title}, one of the <a href="models.html">model battles</a>: '
        f"<code>thud models {battle.name}</code>.</p>"
    )
    yield '<div class="boards gallery">'
    for ply in sorted(shown | asked):
        here = start.to(ply)
        if ply - 1 not in asked:
            yield _figure(here, directory, place, battle.name)
        if ply in asked:
            yield "<details><summary>What was played</summary>"
            yield _figure(here.to(ply + 1), directory, place, battle.name)
            yield "</details>"
    yield "</div>"


def _figure(here: Cursor, directory: Path, place: str, name: str) -> str:
    """Write the board at a place; return it above its comment, as HTML."""
    assert here.before
    assert here.move
    file = f"{name}-{here.ply}.svg"
    directory.joinpath(file).write_text(svg_text(here.record, Excerpt(1, here.ply)))
    turn = f"{here.battle.turn(here.ply - 1)}. {move_text(here.before, here.move)}"
    question = f" <b>{asked_in_words(here)}</b>" if good_moves(here) else ""
    board = " ".join(board_in_words(here.record.variant, here.position))
    return (
        f'<figure><img src="{place}/{file}" alt="{escape(board)}" loading="lazy" width="500"'
        f' height="500"><figcaption><code>{turn}</code> {escape(" ".join(here.words))}{question}'
        "</figcaption></figure>"
    )
