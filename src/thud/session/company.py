"""Remote players and spectators: presence, seats and chat."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from time import monotonic
from typing import Final

from thud.rules.match import DEFAULT_PLAYERS
from thud.session.events import Arrival, Came, Overheard, Said, SeatAsked, SeatGiven
from thud.session.situation import Situation
from thud.wording.standing import says
from thud.wording.text import clipped

LONGEST_WORDS: Final = 200
"""The characters of what is said at once."""

LONGEST_NAME: Final = 36
"""The characters of what somebody is called."""

MOST_SAID: Final = 100
"""Chat messages that are remembered."""


class Company:
    """Remote players and spectators of one session.

    Attributes:
        there: the players who are at another place, and are there now.
        onlookers: the names of those who look on.
        talks: whether players may say something to one another.
        said: what players have said, the last things of it.
        invitation: who can come, and how, a sentence or a command each.
        asking: who asks for the seat of a player who is away, if somebody does.
    """

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._been: set[int] = set()
        self._opened = monotonic()
        self._gone: dict[int, float] = {}
        self.there: set[int] = set()
        self.onlookers: list[str] = []
        self.talks = True
        self.said: deque[Said] = deque(maxlen=MOST_SAID)
        self._heard: deque[Said | Overheard] = deque(maxlen=MOST_SAID)
        self.invitation: tuple[str, ...] = ()
        self.asking: SeatAsked | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        """The players who play from another place, and are not there."""
        seats = self._situation.seats
        return tuple(each for each in range(2) if seats[each].elsewhere and each not in self.there)

    @property
    def free(self) -> tuple[int, ...]:
        """The players whose seats nobody has taken yet; whoever was named is expected instead."""
        names = self._situation.match.players
        unnamed = (each for each in self.missing if names[each] in DEFAULT_PLAYERS)
        return tuple(each for each in unnamed if each not in self._been)

    @property
    def awaited(self) -> bool:
        """Whether the clock waits for a player: one who has not come yet, or any as agreed."""
        missing = self.missing
        return bool(missing) and (self._situation.waits or not self._been.issuperset(missing))

    def away_for(self, player: int) -> float:
        """Return for how many seconds a player is away, or has been awaited here, if they are."""
        return monotonic() - self._gone.get(player, self._opened)

    def leave(self, player: int) -> None:
        """Note that a player has gone."""
        self.there.discard(player)
        self._gone[player] = monotonic()

    @property
    def met(self) -> bool:
        """Whether others can be at other places at all."""
        return bool(self._situation.seats.apart or self.onlookers or self.invitation)

    @property
    def talking(self) -> bool:
        """Whether somebody plays at another place, and talk is allowed."""
        return self.talks and self._situation.seats.apart

    @property
    def conversation(self) -> list[str]:
        """Chat, also by those who look on, a line each, as far as it is remembered."""
        return [says(each.name, each.text) for each in self._heard]

    def enter(self, player: int, *, known: bool = False) -> Came:
        """Note that a player is there; return the event to tell."""
        otherwise = Arrival.STILL if known else Arrival.FIRST
        how = Arrival.BACK if player in self._been else otherwise
        self.greet(player)
        return Came(self._situation.match.players[player], player, how)

    def greet(self, *players: int) -> None:
        """Note that players are there."""
        self.there.update(players)
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
        """Note that a player's seat is free again; return the event to tell."""
        self.asking = None
        self._been.discard(event.player)
        return event

    def expect(self, *players: int) -> None:
        """Note that players were there before this session began: the clock waits for none."""
        self._been.update(players)

    def words(self, text: str) -> str:
        """Return what somebody says as a line that prints.

        Raises:
            ValueError: nobody talks here, or there is nothing in it that prints.
        """
        if not self.talking:
            raise ValueError("this match has no chat")
        if not (words := clipped(text, LONGEST_WORDS)):
            raise ValueError("the message is empty")
        return words

    def hear(self, player: int, name: str, words: str) -> Said:
        """Remember what a player has said, and return it."""
        self.said.append(Said(player, name, words))
        self._heard.append(self.said[-1])
        return self.said[-1]

    def overhear(self, name: str, words: str) -> Overheard:
        """Remember what somebody has said who looks on, and return it."""
        self._heard.append(heard := Overheard(name, words))
        return heard

    def recall(self, said: Iterable[Said]) -> list[Said]:
        """Remember what was said last, as it is told elsewhere; return what of it is new here."""
        told, known = [*said], [*self.said]
        shared = (count for count in range(len(told), 0, -1) if told[:count] == known[-count:])
        new = told[next(shared, 0) :]
        self.said.extend(new)
        self._heard.extend(new)
        return new
