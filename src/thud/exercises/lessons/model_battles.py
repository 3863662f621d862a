"""Model battles: well played, with comments and questions.  Their records are in `battles/`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from thud.records.record import Record
from thud.records.tgn.lexer import Draft, drafts
from thud.records.tgn.reader import outline_of, read_draft
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import meant, quoted

DIRECTORY: Final = Path(__file__).with_name("battles")
"""A file of battles for each variant, each a match with one battle."""


class ModelBattle(NamedTuple):
    """A battle to learn from.

    Attributes:
        name: what it is called in commands, such as `classic-2`.
        variant: its variant.
        title: its title.
        draft: its text, read by `record`.
        questions: the plies at which it asks something.
        moves: the number of its moves.
    """

    name: str
    variant: Variant
    title: str
    draft: Draft
    questions: Sequence[int]
    moves: int

    def record(self) -> Record:
        """Return its record, after checking its moves."""
        return read_draft(self.draft)


@cache
def model_battles() -> Sequence[ModelBattle]:
    """Return all model battles, by variant."""
    return tuple(
        ModelBattle(
            f"{variant.name}-{number}",
            variant,
            outline_of(draft).event,
            draft,
            tuple(_questions(draft)),
            sum(token.kind == "word" for token in draft.battles[0]),
        )
        for variant in VARIANTS.values()
        if (path := DIRECTORY / f"{variant.name}.tgn").exists()
        for number, draft in enumerate(drafts(path.read_text(encoding="utf-8")), 1)
    )


def _questions(draft: Draft) -> Iterator[int]:
    """Yield the plies of a battle without variations at which something is asked."""
    (battle,) = draft.battles
    ply = 0
    for token in battle:
        ply += token.kind == "word"
        if "[%ask " in token.text:
            yield ply


def model_battle(name: str, otherwise: str = "") -> ModelBattle:
    """Return a model battle by name.

    Args:
        name: its name.
        otherwise: what to do if no battle has a name like it, for the error.

    Raises:
        ValueError: there is none.
    """
    known = {each.name: each for each in model_battles()}
    if name.lower() not in known:
        then = meant(name.lower(), known, otherwise)
        raise ValueError(f"there is no model battle {quoted(name)}{then}")
    return known[name.lower()]
