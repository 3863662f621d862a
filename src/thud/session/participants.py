"""Who takes part in a match: who decides for each player, who is here, and what they say.

From top to bottom: the players' seats, with a person or a computer on each; what the computer's
levels say; and remote players and spectators, with the chat.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.ai.levels import LEVELS
from thud.ai.player import CALM, Decision, Limits, Report, is_calm, keeps_coming
from thud.engines.spec import COMPUTER, Contender, played_by
from thud.rules.battle import Battle
from thud.rules.match import DEFAULT_PLAYERS, LONGEST_NAME, Match
from thud.session.events import (
    Arrival,
    Arrived,
    Begun,
    Ended,
    Event,
    Played,
    Said,
    SeatAsked,
    SeatGiven,
    SpectatorSaid,
)
from thud.text import clipped, plural, spelled
from thud.words.match import says

if TYPE_CHECKING:
    from thud.engines.client import Engine
    from thud.records.record import Record

# Seats

Contenders: TypeAlias = tuple[Contender, Contender] | None
"""The contenders for players 0 and 1; None for two people."""

_OTHERS_SECONDS: Final = 5.0
"""Thinking time of other programs; Thud's own levels have theirs."""


_OWN_SECONDS: Final = 10.0
"""Most thinking time of Thud's own levels with a clock; most need less."""

_TRIES: Final = 2
"""Times that an engine is asked if its process ends or hangs."""


class Person:
    """A person: never asked, since they act on the session themselves.

    Args:
        is_remote: whether they play from another place.
    """

    program: Final = ""
    level: Final = None

    def __init__(self, *, is_remote: bool = False) -> None:
        self.is_local = not is_remote
        self.is_remote = is_remote

    def refusal(self, battle: Battle) -> str:
        """Return an empty text: people speak for themselves."""
        return ""


class Computer:
    """An engine in a process of its own, started when first asked.

    Every request may be cancelled at any time.

    Args:
        contender: the program.

    Attributes:
        program: its name in a record.
        level: which of our levels it is, 0 for full strength; None for another program.
    """

    is_local: Final = False
    is_remote: Final = False

    def __init__(self, contender: Contender) -> None:
        self.program = contender.program
        self._contender = contender
        self.level = contender.level
        self._agrees_when_calm = bool(self.level and LEVELS[self.level].agrees_when_calm)
        self._engine: Engine | None = None
        self._asked: Battle | None = None

    async def decide(
        self,
        battle: Battle,
        report: Report | None = None,
        seconds: float | None = None,
        *,
        back: int = 0,
    ) -> Decision:
        """Return the decision on its turn, within a number of seconds if a clock runs.

        Args:
            battle: the battle.
            report: called with each thought.
            seconds: most seconds to think, None for its own time.
            back: the number of moves to take back before.

        Raises:
            EngineFault: it fails to decide.
        """
        if seconds is not None or self._contender.foreign:
            most = _OTHERS_SECONDS if self._contender.foreign else _OWN_SECONDS
            seconds = most if seconds is None else min(most, seconds)
        self._engine = self._engine or self._contender.engine()
        if self._asked is not battle:
            self._asked = battle
            self._engine.new_battle()
        return await self._engine.decide(
            battle, Limits(seconds), back=back, report=report, tries=_TRIES
        )

    async def agrees(self, battle: Battle, seconds: float | None = None) -> bool:
        """Whether it agrees to the other player's proposal to end the battle.

        It is asked about its own last turn, if it had one, as only there it sees what it may gain.
        Where pieces count, the lowest levels agree once the battle is calm.  Where a goal decides,
        all agree then if they expect no more than a draw, or if nobody makes progress.

        Raises:
            EngineFault: it fails to answer.
        """
        variant, positions = battle.variant, battle.positions
        calm, back = is_calm(positions), min(1, battle.played)
        if self._agrees_when_calm and variant.counts_points and calm:
            return True
        decision = await self.decide(battle, seconds=seconds, back=back)
        if decision.ends or variant.counts_points or not (calm and self._is_computer):
            return decision.ends
        from thud.ai.scores import seen_by  # not needed for the first frame

        drawn = seen_by(positions[-1 - back].to_move, variant.odds.level)
        expects_more = decision.thought is None or decision.thought.score > drawn
        return keeps_coming(positions) or not expects_more

    def waits_for(self, battle: Battle) -> str:
        """Return when it may agree to end a battle, `after …`; empty if now or not known."""
        if not self._is_computer or is_calm(battle.positions):
            return ""
        left = CALM - battle.quiet_moves
        more = f"{spelled(left)} more {plural(left, 'move')}"
        quiet = " without a capture" if battle.variant.has_captures else ""
        return f"after {more}{quiet}, or when a position comes up a third time"

    def refusal(self, battle: Battle) -> str:
        """Return a sentence on when it will agree to end a battle after refusing.

        Empty for another program, of which that is unknown.
        """
        if self._contender.foreign:
            return ""
        if not self._is_computer:
            return "It never agrees to stop early."
        if waits := self.waits_for(battle):
            return f"Ask again {waits}."
        if not battle.variant.counts_points:
            return "It still expects more than a draw."
        # It was asked about its own turn, at which the battle may not have been calm yet.
        own = battle.positions[:-1]
        return "It still expects a capture." if is_calm(own) else "Ask again after your next move."

    @property
    def _is_computer(self) -> bool:
        """Whether it is a level, or the computer at full strength."""
        return self._contender.text.startswith(COMPUTER)

    def dismiss(self) -> None:
        """End the process at once, without awaiting anything; `close` cleans up."""
        if self._engine is not None:
            self._engine.kill()

    async def close(self) -> None:
        """End the process and wait for that."""
        if self._engine is not None:
            await self._engine.close()


Seat: TypeAlias = Person | Computer


class Seats:
    """The seats of both players.

    Args:
        contenders: the contenders, None for two local people.

    Attributes:
        local: the local players.
        has_remote: whether there is a remote player.
        engines_only: whether only computers play.
    """

    local: tuple[int, ...]
    has_remote: bool
    engines_only: bool

    def __init__(self, contenders: Contenders = None) -> None:
        self._seats: list[Seat] = []
        self._failed: dict[int, Computer] = {}
        self._retired: list[Computer] = []
        self.take(contenders)

    def take(self, contenders: Contenders) -> None:
        """Seat new contenders."""
        for computer in self._computers():
            computer.dismiss()
            self._retired.append(computer)
        self._failed.clear()
        self._seats = [
            Person(is_remote=each.guest) if each.human else Computer(each)
            for each in contenders or ()
        ] or [Person(), Person()]
        self._count()

    def _computers(self) -> list[Computer]:
        """Return the computers at the seats, and those that have failed there."""
        return [
            each for each in (*self._seats, *self._failed.values()) if isinstance(each, Computer)
        ]

    def _count(self) -> None:
        """Count who plays, after a change of the seats."""
        self.local = tuple(player for player, seat in enumerate(self._seats) if seat.is_local)
        self.has_remote = any(seat.is_remote for seat in self._seats)
        self.engines_only = not (self.local or self.has_remote)

    def __getitem__(self, player: int) -> Seat:
        """Return a player's seat."""
        return self._seats[player]

    @property
    def programs(self) -> tuple[str, str]:
        """The players' programs for a record, including engines that have failed since."""
        first, second = (self._failed.get(n, seat).program for n, seat in enumerate(self._seats))
        return first, second

    def hand_over(self, player: int) -> None:
        """Hand a failed engine's seat to a local person."""
        failed = self._seats[player]
        assert isinstance(failed, Computer)
        failed.dismiss()
        self._failed[player], self._seats[player] = failed, Person()
        self._count()

    @property
    def failed(self) -> bool:
        """Whether a person sits in place of an engine that has failed."""
        return bool(self._failed)

    def take_back(self) -> None:
        """Restart failed engines, if there are any."""
        for player, seat in self._failed.items():
            self._seats[player] = seat
        self._failed.clear()
        self._count()

    async def close(self) -> None:
        """End every process."""
        await asyncio.gather(*(each.close() for each in (*self._computers(), *self._retired)))


def contenders_of(record: Record) -> Contenders:
    """Return the contenders of a record's match when it is resumed."""
    if not any(record.programs):
        return None
    return played_by(record.programs[0]), played_by(record.programs[1])


# What the computer's levels say: messages of the chat, so that everybody sees the same


@cache
def voices() -> tuple[Mapping[str, list[str]], ...]:
    """Return each level's lines by occasion, the weakest level's first."""
    import tomllib

    text = Path(__file__).with_name("voices.toml").read_text("utf-8")
    return tuple(tomllib.loads(text)["level"])


class Voices:
    """The words of the level that plays against a person.

    Attributes:
        on: whether it speaks.
    """

    def __init__(self) -> None:
        self.on = False
        self._said = ""

    def remarks(
        self, events: Iterable[Event], current: Match, seats: Seats
    ) -> Iterator[tuple[int, str]]:
        """Yield what there is to say about some events, each with the player who says it."""
        levels = [(player, seats[player].level) for player in (0, 1)]
        speakers = [(player, level) for player, level in levels if level]
        if len(speakers) != 1:
            return
        [(player, level)] = speakers
        for event in events:
            occasion = ""
            match event:
                case Begun() if not current.battle.played:
                    occasion = "start"
                case Played(before, move) if current.commander(before.to_move) == player:
                    occasion = "capture" if move.is_great else ""
                case Ended():
                    occasion = "end"
            if occasion:
                lines = voices()[level - 1][occasion]
                self._said = random.choice([line for line in lines if line != self._said])
                yield player, self._said


# Who is here, and the chat

SEAT: Final = "seat"
WATCH: Final = "watch"
"""What somebody comes to a match for: to play or to watch."""

SHOW: Final = "show"
"""The same for whoever only sees the match, by a link: without a name, a chat or a visit."""

LONGEST_WORDS: Final = 200
"""Longest chat message, in characters."""

LONGEST_GIVEN_NAME: Final = LONGEST_NAME - 4
"""Longest name that somebody gives, in characters: a number may have to follow it."""

MUTED: Final = "whoever runs the club does not let you chat"
"""Why a muted person cannot chat."""

MOST_SAID: Final = 100
"""Most chat messages remembered."""


class Participants:
    """Presence and chat of one session: remote players and spectators.

    Args:
        seats: the players' seats.
        names: returns the players' names.

    Attributes:
        been: the remote players who have been here.
        gone: when players have left, by player.
        connected: the remote players who are connected.
        spectators: the names of the spectators.
        chat_allowed: whether chat is allowed.
        muted: why the person here may not chat, empty if they may.
        said: the players' last chat messages.
        invitation: the commands to join with, by a line that says who can.
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
        self.muted = ""
        self.said: deque[Said] = deque(maxlen=MOST_SAID)
        self._heard: deque[Said | SpectatorSaid] = deque(maxlen=MOST_SAID)
        self.invitation: Mapping[str, tuple[str, ...]] = {}
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
    def how_to_join(self) -> list[str]:
        """The invitation in lines."""
        return [line for who, how in self.invitation.items() for line in (who, *how)]

    @property
    def talking(self) -> bool:
        """Whether there is a remote player and chat is allowed."""
        return self.chat_allowed and self._seats.has_remote

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
        """Return a chat message as one printable line, empty if nothing of it can be printed."""
        return clipped(text, LONGEST_WORDS)

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
