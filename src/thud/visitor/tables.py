"""A visitor's connection to the keeper of the club's tables.

JSON lines over a local socket.  The keeper sends a `ClubState` whenever it has changed, and answers
each of `Request` with `CarriedOut` or `NotDone`, in order.  Both sides limit what they read.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from thud.disk.directories import data_directory, run_directories
from thud.net.host_connection import Tokens
from thud.net.seat_registry import MOST_LATE, PURPOSES
from thud.net.transports import sockets
from thud.net.transports.transport import Unreachable
from thud.net.valid import Id
from thud.records.store import Store, is_id
from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.session.participants import SEAT, SHOW, WATCH
from thud.session.view import SessionView
from thud.settings.last_choices import LastChoices
from thud.visitor.look_up import Found, LookUp, PlayerPage, Players, Texts
from thud.visitor.message import Message
from thud.visitor.profile import (
    LINK_VARIABLES,
    PROOF_VARIABLE,
    SHOW_VARIABLES,
    LastPlace,
    clean,
)
from thud.visitor.season import JoinSeason, SeasonNote, SeasonPage, SeeSeason
from thud.visitor.seek import ListedSeek, SeekRequest
from thud.words.clocks import in_short

SOCKET: Final = "club.tables"
"""The name of the keeper's socket in the run directory."""

LONGEST: Final = 1 << 18
"""Longest line from the keeper, in bytes, with all tables and visitors."""

_KNOWN_SECONDS: Final = 20.0
_ANSWER_SECONDS: Final = 10.0
_PAUSES: Final = (0.1, 0.2, 0.5, 1.0)
_NO_KEEPER: Final = "the club does not answer: try again in a moment"

_Player: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
_Late: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_LATE)]


class ListedTable(Struct, frozen=True):
    """A table, as one visitor sees it."""

    id: str
    variant: str
    players: tuple[str, str]
    wanted: tuple[str, ...] = ()
    """The free sides: "dwarfs", "trolls"."""
    turn: _Player | None = None
    """The player to move, None if nobody is."""
    mine: _Player | None = None
    """The visitor's player, None without a seat there."""
    clock: str = ""
    """The clock's setting, empty without one."""
    over: bool = False
    offered: bool = False
    """Whether it is offered to this visitor alone."""
    own: bool = False
    """Whether this visitor has opened it."""
    word: str = ""
    """The secret by which this visitor comes to a private table."""
    purpose: str = ""
    """What the link is for that the visitor followed, one of `PURPOSES`; empty without one."""
    here: int = 0
    """How many people are there now, to play or to watch."""
    seated: bool = False
    """Whether the visitor has a seat there, even if it is unknown which."""
    unrated: bool = False
    """Whether what is played there is not rated."""
    begun: bool = False
    """Whether a move has been played."""
    season: bool = False
    """Whether it is a table of the club's season."""
    unread: int = 0
    """How many messages the visitor has not seen, if they have a seat there."""
    ratings: tuple[str, str] = ("", "")
    """The players' ratings in words, empty where it is too early."""

    @property
    def my_turn(self) -> bool:
        """Whether it is the visitor's turn."""
        return self.mine is not None and self.turn == self.mine

    @property
    def linked_to(self) -> tuple[LastPlace, int | None] | None:
        """Where the visitor's link leads to, and as which player; None if they have the choice."""
        if self.purpose == WATCH and not self.seated:
            return LastPlace(WATCH, self.id, self.word), None
        players = PURPOSES.get(self.purpose)
        if players and self.seated:
            return LastPlace(SEAT, self.id, self.word), None
        if players and self.wanted:
            return LastPlace(SEAT, self.id, self.word), players[0] if len(players) == 1 else None
        return None


class TableLink(NamedTuple):
    """A link that the visitor has made."""

    word: str
    purpose: str
    """One of `PURPOSES`."""
    until: float
    """When it expires, in seconds since 1970."""
    secret: str
    """The secret after the `#`, which lets newcomers into the club."""
    late: int = 0
    """How many moves late it shows the table, if that is its purpose."""


class Present(NamedTuple):
    """A visitor present in the club."""

    id: str
    name: str


class ClubState(Message, tag="tables"):
    """The club as a visitor sees it: tables, most relevant first, and visitors present."""

    tables: tuple[ListedTable, ...] = ()
    visitors: tuple[Present, ...] = ()
    muted: str = ""
    """Why this visitor may not chat, empty if they may."""
    hook: bool = False
    """Whether the club can tell players outside where it is their turn."""
    reminded: bool = False
    """Whether it tells this visitor."""
    name: str = ""
    """What the club's owner has called this visitor since they came in."""
    season: SeasonNote | None = None
    """How the club's season stands, None if there is none."""
    seeks: tuple[ListedSeek, ...] = ()
    """The standing offers that this visitor has made, or may take."""

    @property
    def turns(self) -> int:
        """The number of tables where it is the visitor's turn."""
        return sum(each.my_turn for each in self.tables)

    @property
    def waiting(self) -> ListedTable | None:
        """A table at which somebody waits for another player now; None if there is none."""
        tables = (each for each in self.tables if each.wanted and not (each.over or each.seated))
        return max((each for each in tables if each.here), key=_liveliness, default=None)

    def liveliest(self, but: str = "") -> ListedTable | None:
        """Return the table most worth watching, both of whose seats are taken, None without one.

        Args:
            but: the id of one that has been seen.
        """
        tables = (each for each in self.tables if not (each.wanted or each.over or each.seated))
        return max((each for each in tables if each.id != but), key=_liveliness, default=None)

    def table(self, link: str) -> ListedTable | None:
        """Return the table with a link or an id."""
        name, _ = split_link(link)
        return next((each for each in self.tables if each.id == name), None)


def link_of(name: str, word: str) -> str:
    """Return a table's link, after `/t/` or as an argument of ssh: its id, and the link's word."""
    return f"{name}-{word}" if word else name


def club_links(name: str, made: TableLink) -> tuple[str, ...]:
    """Return a link as others use it: an address for browsers, a command for ssh."""
    link, doors = link_of(name, made.word), LINK_VARIABLES
    if made.purpose == SHOW:
        doors = SHOW_VARIABLES
    web, ssh = (os.environ.get(each, "") for each in doors)
    shown = f"#{made.secret}" if made.secret else ""
    filled = (each.format(link) for each in (web and f"{web}{shown}", ssh) if each)
    return tuple(filled)


def split_link(link: str) -> tuple[str, str]:
    """Return the id and the word in a table's link, both empty if it is malformed."""
    name, _, word = link.partition("-")
    return (name, word) if is_id(name) and (not word or is_id(word)) else ("", "")


class Enter(Message, tag="enter"):
    """Say who the visitor is; not answered."""

    visitor: Id
    proof: str = ""
    """What the club gave the visitor's process to prove that."""
    name: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    """Their seat tokens, by table id."""
    link: str = ""
    """The link of the table that they came for."""
    strength: tuple[float, float] | None = None
    """Their rating by their matches against the levels, if they have one: value and deviation."""


class TakeName(Message, tag="name"):
    """Take a name that nobody else has; the answer has the `name`.

    Empty, or "Guest", takes a numbered one.
    """

    name: str


class OpenTable(Message, tag="open", rename={"offered_to": "for"}):
    """Open a table; the answer has its `id` and `word`."""

    variant: str
    handicap: str = ""
    clock: str = ""
    private: bool = False
    """Whether only those who have its link see it."""
    offered_to: Id | None = None
    """The id of the visitor it is for, None for everybody."""
    house: bool = False
    """Whether the house player sits down if nobody else has come in a minute."""


class CloseTable(Message, tag="close"):
    """Close one's own table, if it is finished or has no move yet."""

    table: str


class PlayUnrated(Message, tag="unrated"):
    """Let what is played at a table not be rated: said by one who sits there, before a move."""

    table: str


class AddDevice(Message, tag="word"):
    """Get a `word` that links another device to this visitor."""


class LinkDevice(Message, tag="link"):
    """Link this device to the visitor whose word it is."""

    word: str


class ChangeLinks(Message, tag="links"):
    """Get the visitor's links to a table, after making or revoking one."""

    table: str
    make: str = ""
    """The purpose of one to make, empty for none."""
    late: _Late = 0
    """How many moves late it shows the table, if that is its purpose."""
    revoke: str = ""
    """The word of one to revoke, empty for none."""


class Remind(Message, tag="remind"):
    """Let the club tell the visitor outside of their turns, or no longer."""

    on: bool


Request: TypeAlias = (
    TakeName
    | OpenTable
    | CloseTable
    | PlayUnrated
    | AddDevice
    | LinkDevice
    | ChangeLinks
    | Remind
    | LookUp
    | SeeSeason
    | JoinSeason
    | SeekRequest
)


class CarriedOut(Message, tag="done"):
    """The answer to a request that was carried out."""

    id: str = ""
    word: str = ""
    name: str = ""
    links: tuple[TableLink, ...] = ()


class NotDone(Message, tag="refused"):
    """The answer to a request that was refused."""

    because: str


Answer: TypeAlias = CarriedOut | Found | Players | PlayerPage | Texts | SeasonPage
"""What the keeper answers to a request that it has carried out."""

_FROM_KEEPER: Final = msgspec.json.Decoder(ClubState | Answer | NotDone)

_Answer = TypeVar("_Answer", bound=Answer)


def _order(table: ListedTable) -> tuple[bool, ...]:
    """Sort key: the visitor's turn first, then offers, the visitor's seats, free seats."""
    seated = table.seated and not table.over
    return not table.my_turn, not table.offered, not seated, not table.wanted


def _liveliness(table: ListedTable) -> int:
    return table.here


_NOBODY: Final = "nobody yet"
OPEN: Final = "Your table is open: everybody in the club sees it."
OPEN_WITH_HOUSE: Final = (
    "Everybody in the club sees your table. If nobody comes within a minute, a computer sits down."
)
NO_SUCH_TABLE: Final = "There is no such table. It may be closed, or the link has expired."


def who_plays(table: ListedTable, *, rated: bool = False) -> str:
    """Return the players of a table; "nobody yet" for one without a name.

    Args:
        table: the table.
        rated: whether to add their ratings.
    """
    unsaid = ("", *LastChoices().names) if table.wanted else ("",)
    names = (_NOBODY if name in unsaid else name for name in map(clean, table.players))
    first, second = (
        f"{name} ({rating})" if rating and rated else name
        for name, rating in zip(names, table.ratings, strict=True)
    )
    return f"{first} – {second}"


def what_is_played(table: ListedTable) -> str:
    """Return a table's game and clock."""
    clock = f", {in_short(parse_control(table.clock))}" if table.clock else ""
    season = ", season" if table.season else ""
    unrated = ", not rated" if table.unrated else ""
    return f"{VARIANTS[table.variant].title}{clock}{season}{unrated}"


def how_it_stands(table: ListedTable) -> str:
    """Return what a visitor can do at a table."""
    if table.over:
        return "the match is over"
    if table.my_turn:
        return "it is your turn"
    if table.offered:
        return "offered to you"
    if table.seated:
        return "your seat waits for you"
    if table.wanted:
        return f"sit down, the {' and the '.join(table.wanted)} are free"
    return "watch"


UNRATED: Final = "What is played at that table is not rated."
REMINDED: Final = "While you are away, you are told outside the club where it is your turn."
NOT_REMINDED: Final = "You are no longer told outside the club where it is your turn."


class KeeperRefused(ValueError):
    """The keeper refuses a request; the message says why."""


class TableLine:
    """The connection to the keeper, which reconnects when it breaks.

    Args:
        name: returns the visitor's name.
        changed: called whenever the tables or the visitors have changed.
        link: the link of the table that the visitor came for.
        directory: the visitor's directory, by default the data directory.

    Attributes:
        changed: the same.
        state: the club's state as received last.
        known: set once a state has been received.
    """

    def __init__(
        self,
        name: Callable[[], str],
        changed: Callable[[], None],
        link: str,
        directory: Path | None = None,
    ) -> None:
        self._directory = directory or data_directory()
        self._name = name
        self.changed = changed
        self._link = link
        self._writer: asyncio.StreamWriter | None = None
        self._seats: frozenset[str] = frozenset()
        self._received = ClubState()
        self._asked: deque[asyncio.Future[Answer | NotDone]] = deque()
        self._session: SessionView | None = None
        self.state = ClubState()
        self.known = asyncio.Event()

    async def when_known(self) -> None:
        """Wait for the list of tables, not for long: after a crash they reopen meanwhile."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.known.wait(), _KNOWN_SECONDS)

    async def run(self) -> None:
        """Connect and receive messages, reconnecting until cancelled."""
        tries = 0
        while True:
            with suppress(OSError, ValueError):
                reader, self._writer = await reached()
                tries = 0
                try:
                    await self.enter()
                    await self._receive(reader)
                finally:
                    self._writer.transport.abort()
                    self._writer = None
                    while self._asked:
                        self._asked.popleft().cancel()
            await asyncio.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
            tries += 1

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            message = _FROM_KEEPER.decode(line)
            if isinstance(message, ClubState):
                self._received = message
                self.known.set()
                self._update()
            elif self._asked:
                answering = self._asked.popleft()
                if not answering.done():
                    answering.set_result(message)

    def _update(self) -> None:
        tables = [
            # A season's seats come while the visitor is here.
            replace(each, seated=each.id in self._seats or each.mine is not None)
            for each in self._received.tables
        ]
        state = replace(self._received, tables=tuple(sorted(tables, key=_order)))
        if state != self.state:
            self.state = state
            self._apply_mute()
            self.changed()

    def follow(self, session: SessionView) -> None:
        """Let the visitor chat in the session they play now, as far as the club lets them."""
        self._session = session
        self._apply_mute()

    def _apply_mute(self) -> None:
        if self._session:
            self._session.state.participants.muted = self.state.muted
            self._session.emit()

    async def enter(self) -> None:
        """Tell the keeper who the visitor is, and which seats are theirs."""
        if self._writer:
            tokens = await asyncio.to_thread(Tokens(self._directory).all)
            self._seats = frozenset(tokens)
            self._update()
            proof = os.environ.get(PROOF_VARIABLE, "")
            strength = await asyncio.to_thread(_strength_in, self._directory, self._name())
            self._send(
                Enter(self._directory.name, proof, self._name(), tokens, self._link, strength)
            )

    async def ask(self, request: Request) -> CarriedOut:
        """Send the keeper a request; return its answer.

        Raises:
            KeeperRefused: the keeper refuses or does not answer.
        """
        return await self.look_up(request, CarriedOut)

    async def look_up(self, request: Request, kind: type[_Answer]) -> _Answer:
        """Send the keeper a request; return its answer, which is of a kind.

        Raises:
            KeeperRefused: the keeper refuses or does not answer.
        """
        if self._writer is None:
            raise KeeperRefused(_NO_KEEPER)
        answering = asyncio.get_running_loop().create_future()
        self._send(request)
        self._asked.append(answering)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer: Answer | NotDone = await asyncio.shield(answering)
        except (TimeoutError, asyncio.CancelledError):
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            raise KeeperRefused(_NO_KEEPER) from None
        if isinstance(answer, NotDone):
            raise KeeperRefused(answer.because)
        if not isinstance(answer, kind):  # the club has another version than this process
            raise KeeperRefused(_NO_KEEPER)
        return answer

    async def take_name(self, name: str) -> str:
        """Take a name, empty for any; return the name that the visitor has now.

        Raises:
            KeeperRefused: somebody else has it, or the keeper does not answer.
        """
        await self.when_known()
        return (await self.ask(TakeName(name))).name

    async def links(
        self, table: str, make: str = "", revoke: str = "", late: int = 0
    ) -> tuple[TableLink, ...]:
        """Return the visitor's links to a table, by its id, after making or revoking one.

        Args:
            table: the table.
            make: the purpose of one to make.
            revoke: the word of one to revoke.
            late: how many moves late the one to make shows the table.

        Raises:
            KeeperRefused: the visitor does not sit there, or the keeper does not answer.
        """
        return (await self.ask(ChangeLinks(table, make, late, revoke))).links

    async def remind(self, on: bool) -> str:
        """Let the club tell the visitor outside of their turns, or no longer; return what holds.

        Raises:
            KeeperRefused: the club has no web hook, or the keeper does not answer.
        """
        await self.ask(Remind(on))
        return REMINDED if on else NOT_REMINDED

    def _send(self, message: Enter | Request) -> None:
        if self._writer:
            self._writer.write(msgspec.json.encode(message) + b"\n")


def _strength_in(directory: Path, name: str) -> tuple[float, float] | None:
    """Return somebody's rating by the matches against the levels in their directory."""
    from thud.strength.people import person, strengths_in

    store = Store(directory)
    try:
        strength = strengths_in(store, store.finished()).get(person(name))
    except OSError:
        return None
    return (strength.rating.value, strength.rating.deviation) if strength else None


async def reached() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the keeper.

    Raises:
        Unreachable: there is no keeper.
    """
    for directory in run_directories():
        with suppress(OSError, ValueError):
            connected = await asyncio.to_thread(sockets.connected, directory / SOCKET)
            return await asyncio.open_connection(sock=connected, limit=LONGEST)
    raise Unreachable(_NO_KEEPER)
