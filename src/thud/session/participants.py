"""Remote players and spectators: presence, seats and chat."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from time import monotonic
from typing import Final

from thud.rules.match import DEFAULT_PLAYERS
from thud.session.events import Arrival, Arrived, Said, SeatAsked, SeatGiven, SpectatorSaid
from thud.session.state import SessionState
from thud.text import clipped
from thud.wording.match import says

LONGEST_WORDS: Final = 200
"""Longest chat message, in characters."""

LONGEST_NAME: Final = 36
"""Longest name, in characters."""

MUTED: Final = "whoever runs the club does not let you chat"
"""Why a muted person cannot chat."""

MOST_SAID: Final = 100
"""Most chat messages remembered."""


class Participants:
    """Remote players and spectators of one session.

    Attributes:
        connected: the remote players who are connected.
        spectators: the names of the spectators.
        chat_allowed: whether chat is allowed.
        muted: whether the person here may not chat: a club's owner can forbid it.
        said: the players' last chat messages.
        invitation: who can join and how, a sentence or a command each.
        asking: the request for an absent player's seat, if any.
    """

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self._been: set[int] = set()
        self._opened = monotonic()
        self._gone: dict[int, float] = {}
        self.connected: set[int] = set()
        self.spectators: list[str] = []
        self.chat_allowed = True
        self.muted = False
        self.said: deque[Said] = deque(maxlen=MOST_SAID)
        self._heard: deque[Said | SpectatorSaid] = deque(maxlen=MOST_SAID)
        self.invitation: tuple[str, ...] = ()
        self.asking: SeatAsked | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        """The remote players who are not connected."""
        seats = self._session.seats
        return tuple(
            each for each in range(2) if seats[each].is_remote and each not in self.connected
        )

    @property
    def free(self) -> tuple[int, ...]:
        """The players whose seats are free; one with a name of their own is expected instead."""
        names = self._session.match.players
        unnamed = (each for each in self.missing if names[each] in DEFAULT_PLAYERS)
        return tuple(each for each in unnamed if each not in self._been)

    @property
    def awaited(self) -> bool:
        """Whether the clock waits: for a player's first arrival, or if agreed, any absence."""
        missing = self.missing
        return bool(missing) and (self._session.waits or not self._been.issuperset(missing))

    def away_for(self, player: int) -> float:
        """Return the seconds since an absent player left, or since the session began."""
        return monotonic() - self._gone.get(player, self._opened)

    def saw_leave(self, player: int) -> bool:
        """Whether an absent player has left since the session began."""
        return player in self._gone

    def leave(self, player: int) -> None:
        """Note that a player has left."""
        self.connected.discard(player)
        self._gone[player] = monotonic()

    @property
    def met(self) -> bool:
        """Whether there are or can be other participants."""
        return bool(self._session.seats.has_remote or self.spectators or self.invitation)

    @property
    def talking(self) -> bool:
        """Whether there is a remote player and chat is allowed."""
        return self.chat_allowed and not self.muted and self._session.seats.has_remote

    @property
    def conversation(self) -> list[str]:
        """The chat, with spectators' messages, a line each, as far as remembered."""
        return [says(each.name, each.text) for each in self._heard]

    def enter(self, player: int, *, known: bool = False) -> Arrived:
        """Note that a player has arrived; return the event."""
        otherwise = Arrival.STILL if known else Arrival.FIRST
        how = Arrival.BACK if player in self._been else otherwise
        self.greet(player)
        return Arrived(self._session.match.players[player], player, how)

    def greet(self, *players: int) -> None:
        """Note that players are connected."""
        self.connected.update(players)
        self._been.update(players)
        if self.asking and self.asking.player in players:
            self.asking = None

    def give(self) -> SeatGiven:
        """Give the seat to the person who asks, and return the event.

        Raises:
            ValueError: nobody asks for one.
        """
        if self.asking is None:
            raise ValueError("nobody is asking for a seat")
        return self.given(SeatGiven(self.asking.player, self.asking.name))

    def given(self, event: SeatGiven) -> SeatGiven:
        """Note that a player's seat is free again; return the event."""
        self.asking = None
        self._been.discard(event.player)
        return event

    def expect(self, *players: int) -> None:
        """Note that players came before this session began: the clock does not wait for them."""
        self._been.update(players)

    def words(self, text: str) -> str:
        """Return a chat message as one printable line.

        Raises:
            ValueError: there is no chat, or nothing printable in the message.
        """
        if self.muted:
            raise ValueError(MUTED)
        if not self.talking:
            raise ValueError("this match has no chat")
        if not (words := clipped(text, LONGEST_WORDS)):
            raise ValueError("the message is empty")
        return words

    def add_message(self, player: int, name: str, words: str) -> Said:
        """Remember a player's chat message, and return it."""
        self.said.append(Said(player, name, words))
        self._heard.append(self.said[-1])
        return self.said[-1]

    def add_spectator_message(self, name: str, words: str) -> SpectatorSaid:
        """Remember a spectator's chat message, and return it."""
        self._heard.append(heard := SpectatorSaid(name, words))
        return heard

    def merge_chat(self, said: Iterable[Said]) -> list[Said]:
        """Merge the chat as the host remembers it; return the new messages."""
        told, known = [*said], [*self.said]
        shared = (count for count in range(len(told), 0, -1) if told[:count] == known[-count:])
        new = told[next(shared, 0) :]
        self.said.extend(new)
        self._heard.extend(new)
        return new
