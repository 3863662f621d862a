"""The finished matches of a club in lines of text: search, replay, download, players."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from thud.plain.lines import Lines
from thud.plain.loop import Loop
from thud.plain.repl import Repl
from thud.plain.replay import run as replay
from thud.records.annotation_store import AnnotationStore
from thud.session.commands import TypedCommand
from thud.text import is_number, quoted
from thud.visitor.look_up import (
    HIDDEN,
    HOW_TO_SEARCH,
    NO_PLAYER,
    NOT_FOUND,
    NOT_HIDDEN,
    PAGE,
    FindMatches,
    FindPlayers,
    Found,
    FoundMatch,
    FoundPlayer,
    Hide,
    PlayerPage,
    Players,
    SeePlayer,
    match_in_words,
    next_page,
    page_in_words,
    parse_search,
    player_in_words,
    texts_as_file,
    total_in_words,
)
from thud.visitor.past import MOST_FETCHED, match_of, part_in_words, text_of, texts_of
from thud.visitor.tables import TableLine

PAST_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "matches": TypedCommand(
        "matches, or matches ann against bob",
        f"the club's finished matches, all or those that fit: {HOW_TO_SEARCH.rstrip('.')}",
    ),
    "more": TypedCommand("more", "the next matches of the list"),
    "view": TypedCommand("view 2", "replay match 2 of the list"),
    "download": TypedCommand(
        "download 2, download all, or download all 2",
        f"the text of match 2 of the list, or of all that fit; or of the second {MOST_FETCHED}",
    ),
    "players": TypedCommand("players, or players ann", "the players, with their matches"),
    "player": TypedCommand("player ANN", "Ann's page: matches, sides, opponents"),
    "hide": TypedCommand(
        "hide on, or hide off", "not be looked up by others, you and your matches; or again"
    ),
}
"""What can be typed about finished matches."""


NO_FILES: Final = frozenset({"open", "save"})
"""The commands that are off in a club."""


class PastRepl(Repl):
    """The part of the lobby that looks up finished matches.

    Args:
        lines: the visitor's input and output.
        loop: runs the coroutines.
        line: the connection to the keeper.
    """

    def __init__(self, lines: Lines, loop: Loop, line: TableLine) -> None:
        super().__init__(lines)
        self._loop = loop
        self._line = line
        self._search = FindMatches()
        self._found: Sequence[FoundMatch] = ()

    @abstractmethod
    def stay_at(self, stay: Callable[[], object]) -> None:
        """Be elsewhere than in the lobby, until the visitor leads back."""

    def _do_matches(self, text: str) -> None:
        self._search = parse_search(text)
        self._tell_found()

    def _do_more(self, _: str) -> None:
        self._search = next_page(self._search) if self._found else self._search
        self._tell_found()

    def _tell_found(self) -> None:
        asked = self._search
        found = self._loop.run(lambda: self._line.look_up(asked, Found))
        self._found = found.matches
        if not found.matches:
            self.say(NOT_FOUND if not asked.page else "There are no more.")
            return
        told = (f"{place}: {match_in_words(each)}." for place, each in enumerate(found.matches, 1))
        self.say(f"{total_in_words(found.total)}.", *told)
        if found.total > (asked.page + 1) * PAGE:
            self.say("Type more for the next ones.")

    def _match(self, number: str) -> FoundMatch:
        known = {str(place): each for place, each in enumerate(self._found, 1)}
        if number not in known:
            raise ValueError("say which match by its number: type matches for the list")
        return known[number]

    def _do_view(self, number: str) -> None:
        match = self._match(number).id
        record, fault = self._loop.run(lambda: match_of(self._line, match))
        if fault:
            self.say(fault)
        self.stay_at(lambda: replay(AnnotationStore(record), self.lines, NO_FILES))

    def _do_download(self, what: str) -> None:
        word, _, part = what.partition(" ")
        if word == "all":
            self._download_all(int(part) if is_number(part) and 0 < int(part) < 10_000 else 1)
            return
        match = self._match(what).id
        self.lines.say(*self._loop.run(lambda: text_of(self._line, match)).splitlines())

    def _download_all(self, part: int) -> None:
        first = (part - 1) * MOST_FETCHED
        found = self._loop.run(lambda: self._line.look_up(replace(self._search, page=0), Found))
        texts = self._loop.run(lambda: texts_of(self._line, self._search, MOST_FETCHED, first))
        if not texts:
            self.say(NOT_FOUND if part == 1 else "There are no more.")
            return
        self.lines.say(*texts_as_file(texts).splitlines())
        if found.total > first + len(texts):
            these = part_in_words(first, MOST_FETCHED, found.total)
            self.say(f"These are {these}. Type download all {part + 1} for the next ones.")

    def _players(self, name: str) -> Players:
        return self._loop.run(lambda: self._line.look_up(FindPlayers(name[:36]), Players))

    def _do_players(self, name: str) -> None:
        found = self._players(name)
        self.say(*[f"{player_in_words(each)}." for each in found.players] or ["Nobody."])
        if found.total > len(found.players):
            self.say(f"And {found.total - len(found.players)} more: type a part of a name.")

    def _do_player(self, name: str) -> None:
        found = self._one(self._players(name).players, name)
        page = self._loop.run(partial(self._line.look_up, SeePlayer(found.id), PlayerPage))
        self.say(*page_in_words(page))

    def _one(self, found: Sequence[FoundPlayer], name: str) -> FoundPlayer:
        same = [each for each in found if each.name.casefold() == name.casefold()]
        if not name or not found:
            raise ValueError(NO_PLAYER if name else "say whose page, such as player ann")
        if len(found) > 1 and not same:
            raise ValueError(f"several players are called much like {quoted(name)}: type players")
        return (same or [*found])[0]

    def _do_hide(self, when: str) -> None:
        if when not in ("on", "off"):
            raise ValueError("say hide on or hide off")
        self._loop.run(lambda: self._line.ask(Hide(when == "on")))
        self.say(HIDDEN if when == "on" else NOT_HIDDEN)
