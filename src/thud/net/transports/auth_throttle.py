"""Limits unauthenticated callers: how many at once, and how often they may fail.

A secret has 128 bits or more, so that nobody guesses one; what this bounds is what trying
costs the host.  Whoever shows the right secret is no longer counted, and is not kept waiting for
what others do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from typing import Final, NamedTuple, TypeVar

_T = TypeVar("_T")

UNPROVEN: Final = 32
"""Visitors at once who have not shown a secret yet, in all."""

UNPROVEN_EACH: Final = 6
"""Such visitors from one place."""

FREE: Final = 5
"""Tries in a row that cost a place nothing: a line may break, a secret may be half copied."""

FREE_IN_ALL: Final = 60
"""Tries in a row, from all places, that cost a place without tries of its own nothing."""

LONGEST_WAIT: Final = 60.0
"""Seconds that a place is kept out after its last try, however many there were."""

LONGEST_HOLD: Final = 5.0
"""Seconds that anybody is held up because of what others tried."""

FADES: Final = 60.0
"""Seconds after which one try is forgotten."""

REMEMBERED: Final = 1024
"""Places that are remembered, those that tried last; and as many that have been right."""


class Attempt:
    """A caller who has come in.

    Args:
        caller: the place they come from.
        hold: seconds to wait before anything is said to them.
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
        """Return how many seconds more to wait: twice as long for each try, to a bound."""
        over = math.ceil(self.faded(now)) - free
        return max(0.0, self.last + min(longest, 2.0 ** min(over, 10)) - now) if over >= 0 else 0.0


class AuthThrottle:
    """The throttle of a host, shared by its listeners.

    Args:
        clock: returns seconds that never go back.
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
        """Admit a connection from an address; None if there is no room, or it has to wait."""
        inside = self._unproven.get(caller, 0)
        if self.unproven >= UNPROVEN or inside >= UNPROVEN_EACH or self._wait(caller):
            return None
        self._unproven[caller] = inside + 1
        return Attempt(caller, self._hold(caller))

    def meet(self, attempt: Attempt, connection: Hashable) -> None:
        """Know a visitor by the line to them, such as what is written to, from now on."""
        attempt.connection = connection
        self._attempts[connection] = attempt

    def right(self, connection: Hashable) -> None:
        """Hear that a visitor has shown a right secret; whom nobody let in here is passed over."""
        attempt = self._attempts.get(connection)
        if attempt is None or attempt.proven:
            return
        attempt.proven = True
        self._count_out(attempt.caller)
        self._tries.pop(attempt.caller, None)
        _remember(self._good, attempt.caller, None)

    def wrong(self, connection: Hashable) -> None:
        """Hear that a visitor has shown a wrong secret, as often as that happens."""
        if (attempt := self._attempts.get(connection)) and not attempt.proven:
            attempt.noted = True
            self._note(attempt.caller)

    def leave(self, attempt: Attempt) -> None:
        """Forget a connection; one that never showed a right secret counts as a failed try."""
        self._attempts.pop(attempt.connection, None)
        if not attempt.proven:
            self._count_out(attempt.caller)
            if not attempt.noted:
                self._note(attempt.caller)

    def _wait(self, caller: str) -> float:
        tries = self._tries.get(caller, _Tries())
        return tries.wait(self._clock(), FREE, LONGEST_WAIT)

    def _hold(self, caller: str) -> float:
        if caller in self._good:
            return 0.0
        return self._in_all.wait(self._clock(), FREE_IN_ALL, LONGEST_HOLD)

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
