"""How much a browser may say and ask for, how fast, and how long anybody waits for it."""

from __future__ import annotations

from typing import Final

MOST_CONNECTIONS: Final = 128
"""So many connections at once, whoever they are."""

SILENT_SECONDS: Final = 10.0
"""So long whoever has come may take until they have asked for something, and shown the secret."""

KEPT_SECONDS: Final = 15.0
"""So long a connection is kept for another request."""

HEARTBEAT_SECONDS: Final = 5.0
"""After so long a silence a browser is asked whether it is there; it has half as long to answer."""

SLOW_SECONDS: Final = 10.0
"""So long a browser may take for what it is sent."""

GOODBYE_SECONDS: Final = 2.0
"""So long a browser may take to hang up in good order."""

CLOSING_SECONDS: Final = 5.0
"""So long all of them may take to be gone when the door closes."""

PIECE_SECONDS: Final = 5.0
"""So long a process may take until the next piece of a file is ready."""

MOST_SECRET: Final = 200
"""The most bytes that are read of what somebody shows to be let in."""

MOST_MESSAGE: Final = 1 << 16
"""A message of a browser is no longer than so many bytes."""

MOST_PACKET: Final = 8 << 20
"""A packet of a process is no longer than so many bytes."""

MOST_UNTAKEN: Final = 4 << 20
"""So many bytes of what is drawn wait for a browser that takes them slowly; none waits for more."""

MOST_COMPLAINT: Final = 4096
"""So many bytes are kept of what a process complained of last."""

AT_ONCE: Final = 500
"""So many messages are heard as soon as they are there."""

A_SECOND: Final = 250
"""So many more in each second: more than a mouse that is moved, or a key that is held, sends."""

MOST_OFFERED: Final = 8
"""So many files wait to be fetched; one more takes the place of the oldest."""

PIECE: Final = 1 << 16
"""So many bytes of a file are asked for at a time."""

FEWEST_COLUMNS: Final = 20
FEWEST_LINES: Final = 10
"""The smallest board that is drawn."""
