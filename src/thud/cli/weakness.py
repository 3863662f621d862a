"""A warning if our own computers are weak on this machine."""

from __future__ import annotations

import sys

from thud.engines.client import Engine


def tell_weakness() -> None:
    """Say on standard error, once, if our own computers are weak on this machine."""
    Engine.on_weakness = lambda told: print(f"thud: {told}", file=sys.stderr, flush=True)
