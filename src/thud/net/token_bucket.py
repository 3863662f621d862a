"""A token bucket."""

from __future__ import annotations

import asyncio

from thud.net.codec import BURST, PACE


class TokenBucket:
    """Allows so many actions a second, and a burst of some more.

    Args:
        often: so many times a second.
        most: so many times at once.
    """

    def __init__(self, often: float = PACE, most: int = BURST) -> None:
        self._often = often
        self._most = most
        self._left = float(most)
        self._at = asyncio.get_running_loop().time()

    def spend(self, times: int = 1) -> float:
        """Go on so many times, whether it is time or not; return the seconds until it would be."""
        self._left = self._now_left() - times
        return max(0.0, -self._left / self._often)

    async def wait(self) -> None:
        """Return when it is time."""
        await asyncio.sleep(self.spend())

    def pass_now(self) -> bool:
        """Say whether it is time already; if so, that counts."""
        self._left = self._now_left()
        passes = self._left >= 1
        self._left -= passes
        return passes

    def _now_left(self) -> float:
        now = asyncio.get_running_loop().time()
        since, self._at = self._at, now
        return min(self._most, self._left + (now - since) * self._often)
