"""Looking up a club's finished matches on the board, through the keys."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

import pytest
from textual.widgets import OptionList

from club.test_keeper import guests, kept
from saving import begin
from thud.club.past import who_sat
from thud.club.results import RESULTS_FILE, Results, ResultsFile, result_of
from thud.club.storage import Visitors
from thud.net.seat_registry import SeatRegistry
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.tui.replay.screen import ReplayScreen
from thud.tui.widgets.modals import AskScreen, ListScreen, TextScreen
from thud.visitor.look_up import PAGE, FindMatches
from thud.visitor.past import part_in_words, texts_of
from thud.visitor.profile import VisitorProfile
from tui.test_club import Guest, own, own_places, visiting
from waiting import until

__all__ = ["own", "own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


def archived(club: Path, number: int) -> None:
    """Put finished matches into a club's archive, between two visitors."""
    ids = "c" * 32, "d" * 32
    for each, name in zip(ids, ("Cid [b]", "Dora"), strict=True):
        VisitorProfile(club / "visitors" / each).rename(name)
    (club / "tables").mkdir(mode=0o700)
    archive, results = Store(club / "tables" / "archive"), Results()
    for at in range(number):
        match = Match(VARIANTS["koom" if at == 0 else "classic"], ("Cid [b]", "Dora"))
        match.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
        match.next_battle()
        match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
        begin(archive, match).close(keep_empty=True)
        (name,) = {each.id for each in archive.finished()} - {each.id for each in results.results}
        results.results.append(result_of(name, match, ids, private=False, ended=1.7e9 + at))
    ResultsFile(club / RESULTS_FILE).change(
        lambda found: found.results.extend(results.results),
    )


def rows(guest: Guest) -> list[str]:
    listed = guest.app.screen.query_one(OptionList)
    return [str(each.prompt) for each in listed.options]


async def chooses(guest: Guest, words: str) -> None:
    """Choose the row that has some words."""
    at = next(place for place, each in enumerate(rows(guest)) if words in each)
    before = guest.app.screen
    guest.app.screen.query_one(OptionList).highlighted = at
    await guest.press("enter")
    await guest.until(lambda: guest.app.screen is not before)


async def test_matches_are_searched_replayed_and_downloaded(
    tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived(tmp_path, 23)
    monkeypatch.setattr("thud.tui.club.past._MOST_ON_SCREEN", 20)
    async with kept(tmp_path), visiting(own) as ann:
        await ann.until(lambda: ann.app.screen is ann.lobby)
        assert ann.app._club
        await ann.until(ann.app._club.line.known.is_set)
        ann.lobby.query_one("#past").focus()
        await ann.press("enter")
        await ann.see(ListScreen)
        assert "23 finished matches" in str(ann.app.screen.query_one("#said").render())
        assert sum("Cid [b] – Dora" in each for each in rows(ann)) == 20
        await chooses(ann, "More: 3 earlier ones")
        await ann.see(ListScreen)
        assert sum("Cid [b] – Dora" in each for each in rows(ann)) == 3
        await chooses(ann, "Search")
        await ann.see(AskScreen)
        await ann.press(*"won", "enter")
        assert "say who won" in str(ann.app.screen.query_one("#refusal").render()).lower()
        await ann.press(*(["backspace"] * 3), *"dora koom", "enter")
        await ann.see(ListScreen)
        assert sum("Cid [b] – Dora" in each for each in rows(ann)) == 1
        await chooses(ann, "Koom Valley")
        await chooses(ann, "Dora's page")
        assert any("Against Cid [b]:" in each for each in rows(ann))
        await chooses(ann, "Matches")
        await chooses(ann, "Download the text of these 23, 20 at a time")
        await ann.until(lambda: rows(ann) == ["1 to 20 of 23", "21 to 23 of 23"])
        await chooses(ann, "21 to 23")
        await ann.see(TextScreen)
        assert ann.text("VerticalScroll Static").count("[Variant ") == 3
        await ann.press("escape")
        await ann.see(ListScreen)
        await chooses(ann, "Cid [b]")
        await chooses(ann, "Replay")
        await ann.see(ReplayScreen)
        replaying = ann.app.screen
        assert isinstance(replaying, ReplayScreen)
        assert replaying.record.players == ("Cid [b]", "Dora")


def test_nobody_sat_where_there_is_no_seat(tmp_path: Path) -> None:
    assert who_sat(Visitors(tmp_path / "none"), SeatRegistry(range(2))) == ("", "")


async def test_all_matches_are_downloaded_in_parts_of_whole_pages(tmp_path: Path) -> None:
    archived(tmp_path, 2 * PAGE + 3)
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        await until(ann.line.known.is_set)
        parts = [
            await texts_of(ann.line, FindMatches(page=7), PAGE, first)
            for first in range(0, 4 * PAGE, PAGE)
        ]
        assert [*map(len, parts)] == [PAGE, PAGE, 3, 0]
        assert [*chain.from_iterable(parts)] == await texts_of(ann.line, FindMatches())
    assert part_in_words(0, PAGE, 2 * PAGE + 3) == "1 to 20 of 43"
    assert part_in_words(2 * PAGE, PAGE, 2 * PAGE + 3) == "41 to 43 of 43"
