"""The finished matches of a club on the board: lists, a match, a player's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from rich.text import Text
from textual.app import App
from textual.widgets.option_list import Option

from thud.records.record import Record
from thud.tui.delivery import TO_COPY, hand_over
from thud.tui.deployment import Delivery, deployment_of
from thud.tui.widgets.modals import AskScreen, ListScreen, TextScreen
from thud.visitor.look_up import (
    HIDDEN,
    HOW_TO_SEARCH,
    NOT_FOUND,
    NOT_HIDDEN,
    PAGE,
    FindMatches,
    FindPlayers,
    Found,
    FoundMatch,
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
from thud.visitor.profile import clean
from thud.visitor.tables import TableLine

_MOST_ON_SCREEN: Final = 3 * PAGE
"""Most matches whose text is shown to be copied, where nothing can be downloaded."""


class PastMatchesBrowser:
    """Asks a visitor what to look up, until they leave or replay a match.

    Args:
        app: shows the lists.
        line: the connection to the keeper.
        say: shows a message in the lobby.
    """

    def __init__(self, app: App[Any], line: TableLine, say: Callable[[str], None]) -> None:
        self._app = app
        self._line = line
        self._say = say

    async def browse(self) -> tuple[Record, str] | None:
        """Return the match to replay, and a message about it; None if there is none.

        Raises:
            ValueError: the keeper refuses or does not answer.
        """
        asked, wanted = FindMatches(), ""
        while True:
            found = await self._line.look_up(asked, Found)
            matches = {each.id: each for each in found.matches}
            answer = await self._chosen(self._title(found, wanted), self._options(found, asked))
            match answer:
                case None:
                    return None
                case "/search":
                    text = await self._app.push_screen_wait(
                        AskScreen(f"Search. {HOW_TO_SEARCH}", wanted, _searched, empty="")
                    )
                    if text is not None:
                        asked, wanted = parse_search(text), text
                case "/more":
                    asked = next_page(asked)
                case "/players":
                    if player := await self._player():
                        asked, wanted = player
                case "/download":
                    await self._download(asked, found.total)
                case "/hide":
                    await self._line.ask(Hide(not found.hidden))
                    self._say(NOT_HIDDEN if found.hidden else HIDDEN)
                    return None
                case str(name):
                    if (replayed := await self._at(matches[name])) is not None:
                        if isinstance(replayed, str):
                            return await match_of(self._line, replayed)
                        asked, wanted = replayed

    def _title(self, found: Found, wanted: str) -> str:
        if not found.total:
            return f"{wanted}: {NOT_FOUND}" if wanted else "No match is finished yet."
        return f"{f'{wanted}: ' if wanted else ''}{total_in_words(found.total)}"

    def _options(self, found: Found, asked: FindMatches) -> list[Option | None]:
        left = found.total - (asked.page + 1) * PAGE
        parts = f", {self._most} at a time" if found.total > self._most else ""
        several = f"Download the text of these {found.total}{parts}"
        download = [Option(several, id="/download")] if found.total else []
        hide = "Let others look me up again" if found.hidden else "Do not let others look me up"
        return [
            Option("Search", id="/search"),
            Option("Players", id="/players"),
            *download,
            Option(hide, id="/hide"),
            *([None] if found.matches else []),
            *(Option(Text(match_in_words(each)), id=each.id) for each in found.matches),
            *([Option(f"More: {left} earlier ones", id="/more")] if left > 0 else []),
        ]

    @property
    def _most(self) -> int:
        downloads = deployment_of(self._app).delivery is Delivery.DOWNLOAD
        return MOST_FETCHED if downloads else _MOST_ON_SCREEN

    async def _at(self, match: FoundMatch) -> str | tuple[FindMatches, str] | None:
        """Ask what to do with a match: its id to replay it, or a search for a player's matches."""
        players = [
            Option(Text(f"{clean(name)}'s page"), id=f"/{player}")
            for player, name in enumerate(match.names)
            if match.people[player]
        ]
        options = [
            Option("Replay and review", id="replay"),
            Option("Download its text", id="download"),
        ]
        answer = await self._chosen(match_in_words(match), [*options, *players])
        if answer == "replay":
            return match.id
        if answer == "download":
            text = await text_of(self._line, match.id)
            await self._hand_over(f"thud-{match.variant}-{match.day}.tgn", text)
        elif answer:
            return await self._page(match.people[int(answer[1:])])
        return None

    async def _player(self) -> tuple[FindMatches, str] | None:
        """Let the visitor choose a player; return a search for the matches of one, if wanted."""
        asked = FindPlayers()
        while True:
            found = await self._line.look_up(asked, Players)
            left = found.total - (asked.page + 1) * PAGE
            options = [Option(Text(player_in_words(each)), id=each.id) for each in found.players]
            if left > 0:
                options.append(Option(f"More: {left} others", id="/more"))
            answer = await self._chosen("Players", options, "Nobody has finished a match yet.")
            if answer != "/more":
                return await self._page(answer) if answer else None
            asked = FindPlayers(page=asked.page + 1)

    async def _page(self, person: str) -> tuple[FindMatches, str] | None:
        """Show a player's page; return a search for their matches, if wanted."""
        page = await self._line.look_up(SeePlayer(person), PlayerPage)
        title, *lines = page_in_words(page)
        options = [
            Option("Matches", id="matches"),
            None,
            *(Option(Text(each), id=f"/{number}") for number, each in enumerate(lines)),
        ]
        if await self._chosen(title, options) == "matches":
            return FindMatches(person=person), clean(page.name)
        return None

    async def _download(self, asked: FindMatches, total: int) -> None:
        """Download the matches that fit a search; if there are too many, ask for a part of them."""
        most, first, part = self._most, 0, f"{total}"
        if total > most:
            parts = {f"{at}": part_in_words(at, most, total) for at in range(0, total, most)}
            options = [Option(words, id=at) for at, words in parts.items()]
            if (chosen := await self._chosen("Which ones? The latest are first.", options)) is None:
                return
            first, part = int(chosen), parts[chosen].replace(" ", "-")
        self._say("One moment …")
        texts = await texts_of(self._line, asked, most, first)
        self._say("")
        await self._hand_over(f"thud-matches-{part}.tgn", texts_as_file(texts))

    async def _hand_over(self, name: str, text: str) -> None:
        """Start a download, or show the text until the visitor has closed it."""
        if (delivery := deployment_of(self._app).delivery) is Delivery.DOWNLOAD:
            hand_over(self._app, name, text, "text/plain", delivery)
        else:
            await self._app.push_screen_wait(TextScreen(name, text, TO_COPY))

    async def _chosen(
        self, title: str, options: Sequence[Option | None], without: str = ""
    ) -> str | None:
        return await self._app.push_screen_wait(ListScreen(title, options, without))


async def _searched(text: str) -> str:
    parse_search(text)
    return text.strip()
