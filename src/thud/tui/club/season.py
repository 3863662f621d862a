"""A club's season on the board: its standing, its cross table, joining and leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rich.text import Text
from textual.app import App
from textual.widgets.option_list import Option

from thud.tui.widgets.modals import ListScreen, TextScreen
from thud.visitor.season import (
    JOINED,
    NOT_JOINED,
    JoinSeason,
    SeasonPage,
    SeeSeason,
    cross_table,
    leaving_in_words,
    results_in_words,
    row_in_words,
    season_in_words,
    title_in_words,
)
from thud.visitor.tables import TableLine

_JOIN, _LEAVE, _TABLE = "join", "leave", "table"
_STAY: Final = "stay"


async def see_season(app: App[Any], line: TableLine, say: Callable[[str], None]) -> None:
    """Show a visitor the season until they leave it.

    Args:
        app: shows the lists.
        line: the connection to the keeper.
        say: shows a message in the lobby.

    Raises:
        ValueError: the keeper refuses or does not answer.
    """
    chosen = ""
    while True:
        page = await line.look_up(SeeSeason(), SeasonPage)
        title = "\n".join([title_in_words(page), *season_in_words(page)])
        answer = await app.push_screen_wait(ListScreen(title, _options(page), chosen=chosen))
        chosen = answer or ""
        match answer:
            case None:
                return
            case "join":
                await line.ask(JoinSeason(True))
                say(JOINED)
                return
            case "leave":
                options = [Option("Leave", id=_LEAVE), Option("Stay", id=_STAY)]
                asking = ListScreen(leaving_in_words(page), options, chosen=_STAY)
                if await app.push_screen_wait(asking) == _LEAVE:
                    await line.ask(JoinSeason(False))
                    say(NOT_JOINED)
                    return
            case "table":
                lines = "\n".join(cross_table(page))
                await app.push_screen_wait(TextScreen(title_in_words(page), lines))
            case str(number):
                row = page.rows[int(number)]
                lines = "\n".join(results_in_words(page, row))
                await app.push_screen_wait(TextScreen(row_in_words(row), lines))


def _options(page: SeasonPage) -> list[Option | None]:
    if not page.note.drawn:
        leave = Option("Do not take part after all", id=_LEAVE)
        return [leave if page.note.joined else Option("Join", id=_JOIN)]
    rows = [Option(Text(row_in_words(row)), id=str(number)) for number, row in enumerate(page.rows)]
    leaves = page.note.joined and not page.note.over
    leave_it = [Option("Leave the season", id=_LEAVE)] if leaves else []
    return [Option("Cross table", id=_TABLE), *leave_it, None, *rows]
