"""The search in a worker of the page finds what it finds at home, node for node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from thud.ai.core import MODULE, CoreSearcher, thought_in
from thud.ai.player import Limits
from thud.rules.variants import VARIANTS

ROOT = Path(__file__).resolve().parents[2]
NODES = 5_000


@pytest.mark.skipif(not shutil.which("node"), reason="there is no Node.js here")
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("seed", [1, 7])
def test_a_worker_finds_the_same_move_by_the_same_nodes(name: str, seed: int) -> None:
    variant, limits = VARIANTS[name], Limits(nodes=NODES)
    searcher, positions = CoreSearcher(variant, seed), [variant.start]
    chance = searcher.chance(variant.start)
    assert chance
    words = json.dumps([chance.getrandbits(32) for _ in range(1 << 13)])
    request = searcher.request(positions, limits, (), 1)
    script = Path(__file__).with_name("search_in_node.js")
    done = subprocess.run(
        ["node", script, ROOT / "page" / "search.js", MODULE, request, words],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    )
    kind, text = json.loads(done.stdout)
    assert kind == "answer", text
    found = json.loads(text)
    here = searcher.search(positions, limits)
    there = thought_in(found["thought"])
    assert there._replace(seconds=0) == here.thought._replace(seconds=0)
    assert (found["standing"], found["reliable"]) == (here.standing, here.sure)
