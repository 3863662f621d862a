"""How much may come over one line of ssh, how fast, and how long anybody waits there."""

from __future__ import annotations

from typing import Final

SILENT_SECONDS: Final = 10.0
"""So long a line may say nothing at all; and so long, let in, not ask for the board."""

LOGIN_SECONDS: Final = 120.0
"""So long somebody may take in all to compare the key of the host and to type the word."""

MOST_TRIES: Final = 3
"""So many wrong words end a line."""

WRONG_SECONDS: Final = 1.0
"""So long a wrong word is thought over."""

MOST_KEYS: Final = 24
"""So many keys can be shown on one line."""

ALIVE_SECONDS: Final = 2
ALIVE_TIMES: Final = 2
"""A line that has been silent for so long is asked for a sign of life, and after so many questions
it is dead: after 6 s, so that with `GRACE_SECONDS` its program has ended within 10."""

STALLED_SECONDS: Final = 30.0
"""So long somebody may not take what their board draws, before they are parted with."""

MOST_UNTAKEN: Final = 4 << 20
"""So many bytes of what their board draws wait for somebody; none waits for more."""

PARTING_SECONDS: Final = 2.0
"""So long the end may take to reach somebody."""

WINDOW: Final = 8192
"""The most bytes that are typed and not yet read by the program."""

PACKET: Final = 16384
"""The largest packet, in bytes."""

RECEIVED: Final = 16384
"""Bytes that the system keeps of what comes, before it lets the other side wait."""

AT_ONCE: Final = 131072
"""So many bytes are read as soon as they are there."""

A_SECOND: Final = 32768
"""So many more in each second."""

CHUNK: Final = 16384
"""So many bytes of what a program draws are handed on at a time."""

MOST_VARIABLES: Final = 64
"""So many variables of the environment can be offered."""
