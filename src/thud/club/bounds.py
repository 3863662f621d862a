"""How many visitors come, how long they stay, and how much each may take."""

from __future__ import annotations

from typing import Final

MOST_VISITORS: Final = 16
"""So many are let in at a time, if nothing else is said."""

MOST_KNOWN: Final = 1000
"""So many visitors are known; one more takes the place of who keeps no match, or, if all do, of who
has been away for longest."""

IDLE_MINUTES: Final = 30
"""So long a visitor may do nothing, if nothing else is said."""

GRACE_SECONDS: Final = 3.0
"""So long a visitor's process may take to leave in good order, before it is killed."""

USUAL_SIZE: Final = (80, 24)
"""Columns and lines of a board for whoever does not say how large it can be."""

MEMORY: Final = 1 << 30
"""Bytes of data that a visitor's process may have, and each computer that plays there."""

LARGEST_FILE: Final = 16 << 20
"""The largest file that a visitor's process can write, in bytes."""

MOST_KEPT: Final = 64 << 20
"""So many bytes a visitor's records may have in all when another match begins."""

NICENESS: Final = 5
"""How far a visitor's process stands back behind the doors, which everybody needs."""

STANDING_BACK: Final = 5
"""How much further the computers stand back that play with a visitor."""

MOST_JUDGES: Final = 2
"""So many computers of one visitor judge a match at a time."""

MOST_COMPUTERS: Final = 4 + MOST_JUDGES
"""So many computers of one visitor run at a time: two who play, one who is asked for hints, one who
looks at another place, and those who judge."""
