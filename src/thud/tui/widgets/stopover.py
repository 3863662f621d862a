"""Which screens are come back to."""

from __future__ import annotations


class Stopover:
    """A screen on the way: what is opened from it is left for it again."""
