"""Token buckets: one, or one for each caller."""

from __future__ import annotations

import asyncio
from typing import Final

from thud.net.codec import BURST, PACE


class TokenBucket:
    """A rate limit with a burst.

    Args:
        rate: tokens refilled a second.
        burst: capacity.
    """

    def __init__(self, rate: float = PACE, burst: int = BURST) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = asyncio.get_running_loop().time()

    def spend(self, times: int = 1) -> float:
        """Take tokens, into debt if need be; return the seconds until the debt is refilled."""
        self._left = self._now_left() - times
        return max(0.0, -self._left / self._rate)

    async def wait(self) -> None:
        """Take a token; sleep until it is refilled."""
        await asyncio.sleep(self.spend())

    def try_acquire(self) -> bool:
        """Take a token if one is there; return whether it was."""
        self._left = self._now_left()
        passes = self._left >= 1
        self._left -= passes
        return passes

    def _now_left(self) -> float:
        now = asyncio.get_running_loop().time()
        since, self._at = self._at, now
        return min(self._burst, self._left + (now - since) * self._rate)


REMEMBERED: Final = 1024
"""Most callers remembered, the latest."""


class RequestThrottle:
    """Rate limit for each caller.

    Args:
        often: requests a second.
        most: burst.
    """

    def __init__(self, often: float, most: int) -> None:
        self._often = often
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def try_acquire(self, caller: str) -> bool:
        """Whether a caller may request now; if so, the request counts."""
        bucket = self._buckets.pop(caller, None)
        if bucket is None:
            bucket = TokenBucket(self._often, self._most)
        self._buckets[caller] = bucket
        if len(self._buckets) > REMEMBERED:
            del self._buckets[next(iter(self._buckets))]
        return bucket.try_acquire()
