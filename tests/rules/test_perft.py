"""Perft counts, from two independently written programs that agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules import reference
from thud.rules.variant import perft
from thud.rules.variants import VARIANTS
from variants import TOLD

ENTRIES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft.json").read_text())
IDS = [f"{entry['variant']}-{number}" for number, entry in enumerate(ENTRIES)]


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_perft_and_the_reference_count_the_same(entry: dict[str, Any], full: bool) -> None:
    variant, text, counts = VARIANTS[entry["variant"]], entry["position"], entry["perft"]
    for depth, count in enumerate(counts if full else counts[:2], 1):
        assert perft(variant, variant.position(text), depth) == count
    moves = reference.legal_moves(entry["variant"], text)
    assert len(moves) == counts[0]
    assert sum("x" in move for move in moves) == entry["captures"]


@pytest.mark.parametrize("name", TOLD)
def test_every_variant_has_its_start_counted_to_depth_three(name: str) -> None:
    start = VARIANTS[name].start.to_text()
    counted = [entry for entry in ENTRIES if (entry["variant"], entry["position"]) == (name, start)]
    assert [len(entry["perft"]) for entry in counted] == [3]


def test_nothing_and_one_thing_to_count() -> None:
    classic = VARIANTS["classic"]
    assert perft(classic, classic.start, 0) == 1
    nobody = classic.position("5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/5 d")
    assert [perft(classic, nobody, depth) for depth in (1, 2, 3)] == [0, 0, 0]
