"""How much of the machine a visitor's process takes, and the computers that it starts."""

from __future__ import annotations

from contextlib import suppress

from thud.club.bounds import (
    LARGEST_FILE,
    MEMORY,
    MOST_COMPUTERS,
    MOST_JUDGES,
    NICENESS,
    STANDING_BACK,
)
from thud.engines.analyst import Analyst
from thud.engines.program import Program


def limit() -> None:
    """Limit this process and whatever it starts, as far as the system has limits."""
    Program.most, Program.standing_back = MOST_COMPUTERS, STANDING_BACK
    Analyst.most = MOST_JUDGES
    try:
        import os
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        # A host may have set it lower already, and some systems have none of a kind.
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(kind)
            bounded = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bounded, bounded))
    os.nice(NICENESS)
