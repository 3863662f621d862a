"""Short runs of the network benchmarks: fault injection and fuzzing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["net_faults.py", "--local", "4", "--ssh", "0"],
        ["net_fuzz.py", "4000"],
    ],
    ids=["everything breaks", "nothing makes sense"],
)
def test_no_harm_is_done(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr
