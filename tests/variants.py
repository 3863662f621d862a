"""Parametrizations by variant: those in the rulebook, and those that the compiled search knows.

A new variant is playable with one file and one line in the registry.  A variant with a chapter in
the rulebook must also have everything else: examples, lessons, perft counts, a reference.
"""

from __future__ import annotations

from typing import Final

import pytest

from thud.ai.core import knows
from thud.rulebook.chapters import topics_of
from thud.rules.variants import VARIANTS

TOLD: Final = {name: variant for name, variant in VARIANTS.items() if topics_of(name)}
"""The variants that the rulebook, and so all documents, describe."""

every_told = pytest.mark.parametrize("variant", TOLD.values(), ids=list(TOLD))
"""Run a test for each variant in the rulebook."""

_QUICK: Final = {name: variant for name, variant in VARIANTS.items() if knows(variant)}

every_quick = pytest.mark.parametrize("variant", _QUICK.values(), ids=list(_QUICK))
"""Run a test for each variant that the compiled search knows."""


def as_told(text: str) -> str:
    """Reduce lists of all variants in a text to those in the documents."""
    for between, last in ((", ", ", "), (", ", " and "), (", ", " or "), (" var ", " var ")):
        text = text.replace(_listed([*VARIANTS], between, last), _listed([*TOLD], between, last))
    return text


def _listed(names: list[str], between: str, last: str) -> str:
    return last.join([between.join(names[:-1]), names[-1]])
