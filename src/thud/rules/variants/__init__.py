"""The registry of variants, one line for each."""

from __future__ import annotations

from typing import Final

from thud.rules.variant import Variant
from thud.rules.variants.classic import CLASSIC, SINGLE
from thud.rules.variants.football import FOOTBALL
from thud.rules.variants.koom_valley import KOOM_VALLEY

VARIANTS: Final[dict[str, Variant]] = {
    variant.name: variant for variant in (CLASSIC, SINGLE, KOOM_VALLEY, FOOTBALL)
}
"""Variants by name on the command line."""
