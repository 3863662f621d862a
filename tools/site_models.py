"""The model battles for the site: their comments, each below a board, and answers to unfold."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from thud.exercises.lessons.model_battles import model_battles
from thud.plain.board import board_in_words
from thud.records.pictured import svg_text
from thud.records.questions import good_moves
from thud.records.tree import Cursor, Excerpt
from thud.records.words import asked_in_words
from thud.rules.notation import move_text

_MARK: Final = "<!-- model battles -->"


def with_battles(text: str, directory: Path, place: str) -> str:
    """Replace the comment for the model battles by all of them.

    Args:
        text: the document.
        directory: the directory to write pictures to.
        place: that directory relative to the document.
    """
    return text.replace(_MARK, "\n".join(_told(directory, place))) if _MARK in text else text


def _told(directory: Path, place: str) -> Iterator[str]:
    for variant, battles in groupby(model_battles(), key=attrgetter("variant")):
        yield f"\n## {variant.title}\n"
        for battle in battles:
            start = Cursor.at(battle.record(), 1, 0)
            shown = {ply for ply in range(1, start.last + 1) if start.to(ply).words}
            asked = {ply for ply in range(start.last) if good_moves(start.to(ply))}
            yield f"### {battle.title}\n\n{' '.join(start.words)} (`thud models {battle.name}`)\n"
            yield '<div class="boards gallery">'
            for ply in sorted(shown | asked):
                here = start.to(ply)
                if ply - 1 not in asked:
                    yield _figure(here, directory, place, battle.name)
                if ply in asked:
                    yield "<details><summary>What was played</summary>"
                    yield _figure(here.to(ply + 1), directory, place, battle.name)
                    yield "</details>"
            yield "</div>\n"


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
