"""Looking up a club's finished matches: the messages, a search in words, and what is said of it.

The keeper answers from its own list, a page at a time.  The board and the lines of text ask with
the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from thud.net.valid import Id
from thud.rules.variants import VARIANTS
from thud.session.participants import LONGEST_GIVEN_NAME
from thud.text import counted, plural, quoted
from thud.visitor.message import Message
from thud.visitor.profile import clean
from thud.words.match import figure

PAGE: Final = 20
"""Most matches, or players, in an answer."""

MOST_TEXT: Final = 128 * 1024
"""Most bytes of the matches' texts in an answer."""

MOST_OPPONENTS: Final = 40
"""Most opponents on a player's page, those played most often."""

_MOST_PAGES: Final = 100_000
_MOST_MOVES: Final = 100_000

Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_GIVEN_NAME)]
_Day: TypeAlias = Annotated[str, Meta(pattern=r"^(\d{4}(-\d\d){0,2})?\Z")]
_Moves: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST_MOVES)]
_Page: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST_PAGES)]
_Result: TypeAlias = Literal["", "won", "drawn", "lost"]


# Messages


class FindMatches(Message, tag="find"):
    """Get a page of the finished matches that fit, latest first, as `Found`."""

    player: Name = ""
    """A part of a player's name."""
    opponent: Name = ""
    person: Id | None = None
    """The id of a player, instead of a name."""
    variant: Name = ""
    since: _Day = ""
    """The first day, month or year."""
    until: _Day = ""
    """The last day, month or year."""
    result: _Result = ""
    """The player's, or for `drawn` of anybody."""
    shortest: _Moves = 0
    longest: _Moves = _MOST_MOVES
    page: _Page = 0


class FindPlayers(Message, tag="players"):
    """Get a page of those who have finished a match, most matches first, as `Players`."""

    name: Name = ""
    """A part of their name."""
    page: _Page = 0


class SeePlayer(Message, tag="player"):
    """Get a player's page, as `PlayerPage`."""

    person: Id


class ReadMatches(Message, tag="read"):
    """Get the texts of matches, as `Texts`."""

    ids: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=PAGE)]


class Hide(Message, tag="hide"):
    """Not be looked up by others any longer, or again."""

    on: bool


LookUp: TypeAlias = FindMatches | FindPlayers | SeePlayer | ReadMatches | Hide


class FoundMatch(Struct, frozen=True):
    """A finished match, as it is listed."""

    id: str
    day: str
    variant: str
    names: tuple[str, str]
    people: tuple[str, str]
    """The players' ids; empty for those whom the club does not know any longer."""
    tally: tuple[float, float]
    moves: int
    """The moves of both battles together."""
    rated: bool = False


class FoundPlayer(NamedTuple):
    """A player, as they are listed."""

    id: str
    name: str
    matches: int


class Found(Message, tag="found"):
    """A page of matches, and how many there are in all."""

    total: int = 0
    matches: tuple[FoundMatch, ...] = ()
    hidden: bool = False
    """Whether this visitor is not looked up by others."""


class Players(Message, tag="who"):
    """A page of players, and how many there are in all."""

    total: int = 0
    players: tuple[FoundPlayer, ...] = ()


class Record(NamedTuple):
    """Numbers of matches or battles won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def with_one(self, own: float, other: float) -> Record:
        """Return it with one more result."""
        won, drawn, lost = own > other, own == other, own < other
        return Record(self.won + won, self.drawn + drawn, self.lost + lost)

    @property
    def played(self) -> int:
        """All of them together."""
        return self.won + self.drawn + self.lost

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.won} won, {self.drawn} drawn, {self.lost} lost"


class Against(NamedTuple):
    """The matches of a player against one opponent."""

    name: str
    record: Record


class PlayerPage(Message, tag="page"):
    """What the club shows of a player."""

    id: str
    name: str
    seen: str = ""
    """The day of their last visit."""
    here: bool = False
    matches: Record = Record()
    dwarfs: Record = Record()
    """Their battles as the dwarfs."""
    trolls: Record = Record()
    against: tuple[Against, ...] = ()
    others: int = 0
    """How many more opponents there are."""
    ratings: tuple[tuple[str, str], ...] = ()
    """For each game in which the player has a rating to show, its range in words."""


class Texts(Message, tag="texts"):
    """The texts of the first matches that were asked for, as many as fit."""

    texts: tuple[str, ...] = ()


Answer: TypeAlias = Found | Players | PlayerPage | Texts


# A search in words

HOW_TO_SEARCH: Final = (
    "Names, a game, days and results, in any order: ann against bob, koom, 2026-11, since 2026, "
    "until 2026-10, won, drawn or lost, over 30 moves, under 50 moves."
)

_WORD: Final = re.compile(r'"([^"]*)"|(\S+)')
_DAY: Final = re.compile(r"(?a)\d{4}(-\d\d){0,2}")


def parse_search(text: str) -> FindMatches:  # noqa: PLR0912 - a branch for each word
    """Parse a search, such as `ann against bob koom since 2026-11 won over 30 moves`.

    A name in quotation marks may be any word.

    Raises:
        ValueError: it cannot be understood; the text says why.
    """
    words = [(quote or word, bool(quote)) for quote, word in _WORD.findall(text)]
    names: tuple[list[str], list[str]] = [], []
    found: dict[str, str | int] = {}
    against, rest = 0, iter(words)
    for word, is_quoted in rest:
        known = "" if is_quoted else word.lower()
        if known in ("against", "vs"):
            against = 1
        elif known in VARIANTS:
            found["variant"] = known
        elif known in ("won", "drawn", "lost"):
            found["result"] = known
        elif known in ("since", "until"):
            found[known] = _day(next(rest, ("", False))[0])
        elif known in ("over", "under"):
            number = next(rest, ("", False))[0]
            if not (number.isascii() and number.isdigit() and int(number[:9]) <= _MOST_MOVES):
                raise ValueError(f"say how many moves, such as {known} 30")
            if known == "over":
                found["shortest"] = int(number) + 1
            else:
                found["longest"] = max(0, int(number) - 1)
        elif known == "moves":
            pass
        elif known[:4].isdecimal() and _DAY.fullmatch(known):
            found["since"] = found["until"] = _day(known)
        else:
            names[against].append(word)
    player, opponent = (" ".join(each) for each in names)
    for name in (player, opponent):
        if len(name) > LONGEST_GIVEN_NAME:
            raise ValueError(f"a name has at most {LONGEST_GIVEN_NAME} characters")
    if found.get("result") in ("won", "lost") and not player:
        raise ValueError(f"say who {found['result']}, such as ann {found['result']}")
    return FindMatches(player, opponent, **found)  # type: ignore[arg-type]


def _day(text: str) -> str:
    """Return a day, a month or a year of the calendar."""
    if _DAY.fullmatch(text):
        try:
            date.fromisoformat(f"{text}-01-01"[:10] if len(text) < 10 else text)
        except ValueError:
            pass
        else:
            return text
    raise ValueError(f"{quoted(text)} is not a date: write it like 2026-11-20, 2026-11 or 2026")


def next_page(asked: FindMatches) -> FindMatches:
    """Return the search for the next page."""
    return replace(asked, page=asked.page + 1)


# In words

NOT_FOUND: Final = "No finished match fits."
HIDDEN: Final = "Others cannot look you up any longer, nor the matches that you played."
NOT_HIDDEN: Final = "Others can look you up again."
NO_PLAYER: Final = "there is no such player"


def match_in_words(match: FoundMatch) -> str:
    """Return a match on one line: day, players, game, result, length."""
    first, second = (clean(each) for each in match.names)
    score = " : ".join(map(figure, match.tally))
    game = VARIANTS[match.variant].title if match.variant in VARIANTS else clean(match.variant)
    length = f"{match.moves} {plural(match.moves, 'move')}"
    rated = "" if match.rated else ", not rated"
    return f"{match.day}: {first} – {second}, {score}, {game}, {length}{rated}"


def total_in_words(total: int) -> str:
    """Return how many matches there are."""
    return f"{_matches(total, 'finished ')}, the latest first"


def _matches(number: int, kind: str = "") -> str:
    return f"{number} {kind}match{'' if number == 1 else 'es'}"


def player_in_words(player: FoundPlayer) -> str:
    """Return a player on one line."""
    return f"{clean(player.name)}: {_matches(player.matches)}"


def page_in_words(page: PlayerPage) -> Iterator[str]:
    """Yield the lines of a player's page."""
    yield f"{clean(page.name)}: {_matches(page.matches.played)}, {page.matches}."
    if page.here:
        yield "Here now."
    elif page.seen:
        yield f"Last seen on {page.seen}."
    if page.dwarfs.played or page.trolls.played:
        yield f"Battles as the dwarfs: {page.dwarfs}."
        yield f"Battles as the trolls: {page.trolls}."
    for variant, words in page.ratings:
        game = VARIANTS[variant].title if variant in VARIANTS else clean(variant)
        yield f"Rating in {game}: {words}."
    for each in page.against:
        yield f"Against {clean(each.name)}: {each.record}."
    if page.others:
        yield f"And {counted(page.others, 'other opponent')}."


def texts_as_file(texts: Sequence[str]) -> str:
    """Return several matches as one file."""
    return "\n".join(text.rstrip("\n") + "\n" for text in texts)
