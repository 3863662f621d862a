"""Limits unauthenticated callers: how many at once, and how often they may fail.

Secrets have 128 bits or more, so nobody guesses one; the throttle bounds what trying costs the
host.  A caller who has shown a right secret is no longer counted, nor delayed by others' failures.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from typing import Final, NamedTuple, TypeVar

_T = TypeVar("_T")

UNPROVEN: Final = 32
"""Most connections at once that have not shown a secret yet, in all."""

UNPROVEN_EACH: Final = 6
"""The same for one origin."""

FREE: Final = 5
"""Failures without a penalty for one origin: connections break, secrets get half copied."""

FREE_IN_ALL: Final = 60
"""Failures from all origins without a delay for the others."""

LONGEST_WAIT: Final = 60.0
"""Longest time in seconds that an origin is refused after its last failure."""

LONGEST_HOLD: Final = 5.0
"""Longest delay in seconds because of others' failures."""

FADES: Final = 60.0
"""Seconds after which one failure is forgotten."""

REMEMBERED: Final = 1024
"""Most origins remembered for failures, the latest; and as many for right secrets."""


class Attempt:
    """An admitted connection that has not shown a secret yet.

    Args:
        caller: its origin.
        hold: delay in seconds before it is served.
    """

    def __init__(self, caller: str, hold: float) -> None:
        self.caller = caller
        self.hold = hold
        self.connection: Hashable = None
        self.proven = False
        self.noted = False


class _Tries(NamedTuple):
    """Failed attempts from one origin, and the time of the last."""

    times: float = 0.0
    last: float = 0.0

    def faded(self, now: float) -> float:
        return max(0.0, self.times - (now - self.last) / FADES)

    def wait(self, now: float, free: int, longest: float) -> float:
        """Return the seconds left to wait: doubled by each failure beyond `free`, up to a bound."""
        over = math.ceil(self.faded(now)) - free
        return max(0.0, self.last + min(longest, 2.0 ** min(over, 10)) - now) if over >= 0 else 0.0


class AuthThrottle:
    """The throttle of a host, shared by its listeners.

    Args:
        clock: a monotonic clock, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._attempts: dict[Hashable, Attempt] = {}
        self._unproven: dict[str, int] = {}
        self._tries: dict[str, _Tries] = {}
        self._in_all = _Tries()
        self._good: dict[str, None] = {}

    @property
    def unproven(self) -> int:
        """Number of connections that have not shown a secret."""
        return sum(self._unproven.values())

    def enter(self, caller: str) -> Attempt | None:
        """Admit a connection; None if there is no room, or its origin has to wait."""
        inside, now = self._unproven.get(caller, 0), self._clock()
        wait = self._tries.get(caller, _Tries()).wait(now, FREE, LONGEST_WAIT)
        if self.unproven >= UNPROVEN or inside >= UNPROVEN_EACH or wait:
            return None
        self._unproven[caller] = inside + 1
        good = caller in self._good
        return Attempt(caller, 0.0 if good else self._in_all.wait(now, FREE_IN_ALL, LONGEST_HOLD))

    def meet(self, attempt: Attempt, connection: Hashable) -> None:
        """Identify an attempt by its connection, such as its stream writer, from now on."""
        attempt.connection = connection
        self._attempts[connection] = attempt

    def right(self, connection: Hashable) -> None:
        """Note a right secret; an unknown connection is ignored."""
        attempt = self._attempts.get(connection)
        if attempt is None or attempt.proven:
            return
        attempt.proven = True
        self._count_out(attempt.caller)
        self._tries.pop(attempt.caller, None)
        _remember(self._good, attempt.caller, None)

    def wrong(self, connection: Hashable) -> None:
        """Note a wrong secret, each time one is shown."""
        if (attempt := self._attempts.get(connection)) and not attempt.proven:
            attempt.noted = True
            self._note(attempt.caller)

    def excuse(self, attempt: Attempt) -> None:
        """Count no failure of a connection that has tried nothing."""
        attempt.noted = True

    def leave(self, attempt: Attempt) -> None:
        """Forget a connection; one without any secret counts as a failure."""
        self._attempts.pop(attempt.connection, None)
        if not attempt.proven:
            self._count_out(attempt.caller)
            if not attempt.noted:
                self._note(attempt.caller)

    def _count_out(self, caller: str) -> None:
        self._unproven[caller] -= 1
        if not self._unproven[caller]:
            del self._unproven[caller]

    def _note(self, caller: str) -> None:
        now = self._clock()
        before = self._tries.get(caller, _Tries())
        _remember(self._tries, caller, _Tries(before.faded(now) + 1, now))
        self._in_all = _Tries(self._in_all.faded(now) + 1, now)


def _remember(known: dict[str, _T], caller: str, what: _T) -> None:
    known.pop(caller, None)
    known[caller] = what
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
