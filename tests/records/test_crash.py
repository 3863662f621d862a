"""Kill -9 at any moment loses at most the move being made."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from thud.records.store import Store
from thud.records.tgn.writer import tgn_text

KILLS, KILLS_IN_FULL = 30, 150
MOST_LINES = 16
LONGEST_WAIT = 0.004
CHILD = Path(__file__).with_name("crash_child.py")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")


def one_life(directory: Path, seed: int, random: Random) -> list[list[str]]:
    """Let a child play for a random number of lines and a moment more, kill it, return its output.

    Counting lines first makes the test equally hard on a busy machine.
    """
    command = [sys.executable, str(CHILD), str(directory), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        said = [child.stdout.readline() for _ in range(1 + random.randrange(MOST_LINES))]
        time.sleep(random.uniform(0, LONGEST_WAIT))
        child.kill()
        said += child.stdout
    assert child.returncode == -signal.SIGKILL, "the child failed"
    return [line.split() for line in said]


@pytest.mark.slow
def test_no_kill_loses_a_move_that_was_saved(tmp_path: Path, full: bool) -> None:
    kills = KILLS_IN_FULL if full else KILLS
    store, random = Store(tmp_path), Random(2026)
    expected: dict[str, set[str]] = {}
    moves = unsaved = 0
    for seed in range(kills):
        for word, name, digest in one_life(tmp_path, seed, random):
            if word == "done":
                expected[name] = {digest}
                moves += 1
            else:
                expected[name].add(digest)
        unsaved += any(len(digests) > 1 for digests in expected.values())
        check(store, expected)
    print(f"{kills} kills, {moves} saves, {unsaved} kills during a save")
    assert moves > kills
    assert unsaved, "no kill came during a save"
    assert len(expected) > 1, "no match was played to its end"


def check(store: Store, expected: dict[str, set[str]]) -> None:
    """Check that each match is as saved last, or includes the one action in progress."""
    assert not store.listing().broken
    listed = {summary.id: summary for summary in store.listing().unfinished + store.finished()}
    begun = set(listed) - set(expected)
    assert len(begun) <= 1, "a match appeared that nobody began"
    for name in begun:  # killed between its first save and the report of it
        expected[name] = {found(store, name)}
    for name, digests in list(expected.items()):
        digest = found(store, name)
        assert digest in digests, f"match {name} is not as it was saved"
        expected[name] = {digest}
        if not listed[name].over:
            with store.resume(name) as saved:
                kept = saved.record.updated(saved.record.match())
                assert tgn_text(kept) == saved.path.read_text()
                untouched = not saved.record.battles[0].begun
            if untouched:  # its file is deleted on close
                del expected[name]


def found(store: Store, name: str) -> str:
    """Return the hash of a match's file."""
    return hashlib.sha256((store.matches / f"{name}.tgn").read_bytes()).hexdigest()
