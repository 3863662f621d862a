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
EVERY_DEPTH = [
    pytest.param(
        entry["variant"],
        entry["position"],
        depth,
        count,
        id=f"{name}-depth{depth}",
        marks=[pytest.mark.slow] if depth > 2 else [],
    )
    for name, entry in zip(IDS, ENTRIES, strict=True)
    for depth, count in enumerate(entry["perft"], 1)
]


@pytest.mark.parametrize(("name", "text", "depth", "count"), EVERY_DEPTH)
def test_perft(name: str, text: str, depth: int, count: int) -> None:
    assert perft(VARIANTS[name], VARIANTS[name].position(text), depth) == count


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_the_reference_finds_the_same_moves(entry: dict[str, Any]) -> None:
    moves = reference.legal_moves(entry["variant"], entry["position"])
    assert len(moves) == entry["perft"][0]
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
