"""Dates in files, which may be of a clock that was wrong."""

from __future__ import annotations

import time
from typing import Final

_SKEW: Final = 24 * 3600.0
"""Seconds by which clocks of several machines may differ, time zones included."""

_WRITTEN: Final = 1_767_225_600
"""The year 2026, when this was written: a clock before that is wrong itself."""


def is_ahead(at: float) -> bool:
    """Whether a past event's date, in seconds since 1970, is of a clock that was ahead."""
    now = time.time()
    return now > _WRITTEN and at > now + _SKEW
