"""How much may be said between two places, how often, and how long anybody waits there."""

from __future__ import annotations

from typing import Final

from thud.session.company import LONGEST_WORDS

VERSION: Final = 1
"""The version of the protocol."""

MAX_GUEST_LINE: Final = 4096
"""The longest line from a guest, in bytes, its end included."""

MAX_TOLD_LINE: Final = 8192
"""The longest line from a host that is no snapshot, in bytes."""

MAX_SNAPSHOT_LINE: Final = 1 << 20
"""The longest line from a host, in bytes: a snapshot of a long match."""

MAX_NAME: Final = 40
MAX_CHAT: Final = LONGEST_WORDS
MAX_SENTENCE: Final = 500
"""The most characters of a name, of what is said to the others, and of a sentence of a host."""

MAX_NUMBER: Final = 10**9
"""The highest number that anything is counted to."""

MAX_ONLOOKERS: Final = 64
WATCHERS: Final = 16
"""How many spectators a host ever lets in, and how many if nothing else is said."""

SAID_BEFORE: Final = 20
"""So much of what was said before is told to whoever comes."""

MAX_LINKS: Final = 96
"""So many clients a host listens to at a time, those that have not said who they are included."""

OUTBOX: Final = 256
"""So many messages wait for a slow reader; with one more it is cut off."""

PACE: Final = 20.0
BURST: Final = 40
"""So many messages a second are read from a guest in the long run, and at most at once."""

TOLD_PACE: Final = 500.0
TOLD_BURST: Final = 500
"""The same of what a host tells: more than two computers ever play."""

CHATS: Final = 5
CHAT_SECONDS: Final = 10.0
"""So many times a guest may say something in so many seconds."""

HELLO_SECONDS: Final = 10.0
"""So long a client may take to say who it is, and a host to let it in."""

ANSWER_SECONDS: Final = 5.0
"""So long a guest waits for the answer to what it wants, before the line counts as broken."""

PING_SECONDS: Final = 20.0
SILENCE_SECONDS: Final = 70.0
"""A guest says something at least so often; after so long a silence the line is broken."""

FAREWELL_SECONDS: Final = 2.0
"""So long the last message may take to leave."""

PAUSES: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""The seconds between attempts to come back; the last pause again and again."""

STEADY_SECONDS: Final = 30.0
"""A line that has lasted so long was a good one: the next pauses begin from the first again."""
