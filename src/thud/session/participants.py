"""Remote players and spectators: presence, seats and chat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final

from thud.rules.match import DEFAULT_PLAYERS
from thud.session.events import Arrival, Arrived, Said, SeatAsked, SeatGiven, SpectatorSaid
from thud.session.seats import Seats
from thud.text import clipped
from thud.wording.match import says

SEAT: Final = "seat"
WATCH: Final = "watch"
"""What somebody comes to a match for: to play or to watch."""

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

    Args:
        seats: the players' seats.
        names: returns the players' names.

    Attributes:
        been: the remote players who have been here.
        gone: when players have left, by player.
        connected: the remote players who are connected.
        spectators: the names of the spectators.
        chat_allowed: whether chat is allowed.
        muted: whether the person here may not chat: a club's owner can forbid it.
        said: the players' last chat messages.
        invitation: who can join and how, a sentence or a command each.
        asking: the request for an absent player's seat, if any.
    """

    def __init__(self, seats: Seats, names: Callable[[], tuple[str, str]]) -> None:
        self._seats = seats
        self._names = names
        self._opened = monotonic()
        self.been: set[int] = set()
        self.gone: dict[int, float] = {}
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
        return tuple(
            each for each in range(2) if self._seats[each].is_remote and each not in self.connected
        )

    @property
    def free(self) -> tuple[int, ...]:
        """The players whose seats are free; one with a name of their own is expected instead."""
        names = self._names()
        return tuple(
            each
            for each in self.missing
            if names[each] in DEFAULT_PLAYERS and each not in self.been
        )

    def away_for(self, player: int) -> float:
        """Return the seconds since an absent player left, or since the session began."""
        return monotonic() - self.gone.get(player, self._opened)

    def leave(self, player: int) -> None:
        """Note that a player has left."""
        self.connected.discard(player)
        self.gone[player] = monotonic()

    @property
    def met(self) -> bool:
        """Whether there are or can be other participants."""
        return bool(self._seats.has_remote or self.spectators or self.invitation)

    @property
    def talking(self) -> bool:
        """Whether there is a remote player and chat is allowed."""
        return self.chat_allowed and not self.muted and self._seats.has_remote

    @property
    def conversation(self) -> list[str]:
        """The chat, with spectators' messages, a line each, as far as remembered."""
        return [says(each.name, each.text) for each in self._heard]

    def enter(self, player: int, *, known: bool = False) -> Arrived:
        """Note that a player has arrived; return the event."""
        otherwise = Arrival.STILL if known else Arrival.FIRST
        how = Arrival.BACK if player in self.been else otherwise
        self.greet(player)
        return Arrived(self._names()[player], player, how)

    def greet(self, *players: int) -> None:
        """Note that players are connected."""
        self.connected.update(players)
        self.been.update(players)
        if self.asking and self.asking.player in players:
            self.asking = None

    def given(self, event: SeatGiven) -> SeatGiven:
        """Note that a player's seat is free again; return the event."""
        self.asking = None
        self.been.discard(event.player)
        return event

    def expect(self, *players: int) -> None:
        """Note that players came before this session began: the clock does not wait for them."""
        self.been.update(players)

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
