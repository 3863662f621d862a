"""What the laws ask a variant: whether the rulebook tells of it, and whether it can be searched.

A new variant is one file and one line in the registry, and plays with that. What has a chapter of
its own in the rulebook has everything else, too: examples, lessons, counts, a reference.
"""

from __future__ import annotations

from typing import Final

import pytest

from thud.ai.games import has_game
from thud.rulebook.chapters import topics_of
from thud.rules.variants import VARIANTS

TOLD: Final = {name: variant for name, variant in VARIANTS.items() if topics_of(name)}
"""The variants of which the rulebook tells, and so all documents."""

every_told = pytest.mark.parametrize("variant", TOLD.values(), ids=list(TOLD))
"""Run a test for each variant of which the rulebook tells."""

_QUICK: Final = {name: variant for name, variant in VARIANTS.items() if has_game(variant)}

every_quick = pytest.mark.parametrize("variant", _QUICK.values(), ids=list(_QUICK))
"""Run a test for each variant that has a game of its own for the search."""


def as_told(text: str) -> str:
    """Return a text as the documents have it where it lists all variants."""
    for between, last in ((", ", ", "), (", ", " and "), (", ", " or "), (" var ", " var ")):
        text = text.replace(_listed([*VARIANTS], between, last), _listed([*TOLD], between, last))
    return text


def _listed(names: list[str], between: str, last: str) -> str:
    return last.join([between.join(names[:-1]), names[-1]])
