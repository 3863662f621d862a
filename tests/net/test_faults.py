"""Short runs of the trials of the network: fault injection and fuzzing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TRIALS = Path(__file__).parents[2] / "trials"


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
        [sys.executable, str(TRIALS / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr
