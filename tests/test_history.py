"""What finished matches show of people."""

import json
from pathlib import Path

import pytest
from textual.widgets import Static

from strength.matches import keep
from thud.cli.main import main
from thud.history import Results, histories, history_lines
from thud.records.store import Store
from thud.review.judgement import Judgement
from thud.review.notes import with_judgements
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.tui.app import ThudApp
from thud.tui.front.lists import MatchList
from thud.tui.front.page import FrontPage
from thud.tui.front.results import ResultsScreen
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import Front
from tui.driver import running


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    return Store()


def test_results_are_counted_by_opponent_and_side_and_the_rating_has_its_course(
    store: Store,
) -> None:
    keep(store, won=True, hour=1)
    keep(store, won=False, hour=2)
    keep(store, won=True, seats=("human", "human"), names=("Bo", "Ann"), hour=3)
    found = histories(store, store.finished())
    assert [*found] == ["Ann", "Bo"]
    ann = found["Ann"]
    assert ann.opponents == {"Bo": Results(lost=1), "computer, level 3": Results(1, 0, 1)}
    assert {side: sum(each) for side, each in ann.sides.items()} == dict.fromkeys(Side, 3)
    assert [*ann.sides] == [*found["Bo"].sides] == [*Side], "whoever began with which"
    first, last = ann.ratings
    assert first.rating.value > last.rating.value
    assert not ann.months
    assert found["Bo"].ratings == []


@pytest.mark.parametrize("width", [80, 120])
async def test_the_list_of_finished_matches_shows_the_results(store: Store, width: int) -> None:
    keep(store, won=True)
    keep(store, won=False, hour=1)
    async with running(ThudApp(Front(), store=store), size=(width, 24)) as player:
        await player.see(FrontPage)
        await player.press("p")
        await player.see(MatchList)
        await player.press("h")
        results = await player.see(ResultsScreen)
        await player.pilot.pause()
        assert "Ann" in player.written
        assert "matches against" in player.written
        assert "█▁" in player.written
        frames = [each.region for each in results.query(".block")]
        assert len(frames) == 3
        assert all(each.width and each.right <= width for each in frames)
        assert (frames[0].y == frames[1].y) is (width > 100), "side by side where there is room"
        assert "Matches" in player.written
        await player.press("c")
        assert "matches against" in player.app.clipboard
        await player.press("escape")
        await player.see(MatchList)
        await player.press("h")
        await player.see(ResultsScreen)
        await player.press("P")
        page = await player.see(FrontPage)
        notice = page.query_one("#notice", Static)
        await player.until(lambda: "Nothing to practise yet" in str(notice.content))


@pytest.mark.parametrize("way", ["enter", "m", "h enter", "h m"])
async def test_a_match_is_replayed_or_reviewed_from_there(
    store: Store, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed = list[ReplayScreen]()

    def review(self: ReplayScreen) -> None:
        reviewed.append(self)

    monkeypatch.setattr(ReplayScreen, "action_review", review)
    keep(store, won=True)
    async with running(ThudApp(Front(), store=store), size=(80, 24)) as player:
        await player.press("p")
        await player.see(MatchList)
        *first, last = way.split()
        if first:
            await player.press(*first)
            await player.see(ResultsScreen)
        await player.do(last)
        replay = await player.see(ReplayScreen)
        await player.pilot.pause()
        await player.until(lambda: replay.review_task.progress is not None)
        assert reviewed == [replay] * (last == "m")


def test_a_single_rating_is_told_once(store: Store) -> None:
    keep(store, won=True)
    people = histories(store, store.finished())
    (rated,) = people["Ann"].ratings
    told = [*history_lines(people, drawn=True)]
    assert told[told.index("rating after each match") + 1] == str(rated.rating)


def test_accuracy_is_told_by_month_of_what_was_reviewed(store: Store) -> None:
    name = keep(store, won=False)
    before = store.load(name)
    better = parse_move(before.variant, before.start, "dA6-B6")
    judged = {0: Judgement(-200, 0, better), 1: Judgement(-200, -200)}
    number = next(n for n, battle in enumerate(before.battles, 1) if battle.moves)
    store.rewrite(name, before, with_judgements(before, number, judged))
    (month,) = histories(store, store.finished())["Ann"].months
    assert month.moves == 1
    assert 0 < month.mean < 100
    history = histories(store, store.finished())["Ann"]
    assert month.sides == {Side.DWARFS: month.mean}
    for (other,), of in (
        (history.phases, "turns 1 to 15"),
        (history.rivals, "computer, level 3"),
    ):
        assert other == month._replace(of=of)
    told = [*history_lines({"Ann": history})]
    assert month.course == (month.mean,)
    against = [*filter(lambda line: line.startswith("computer, level 3  "), told)][-1]
    assert against.endswith(f"  {month.mean:.0f}")
    row = f"{month.of}  {month.mean:.0f}%       {month.mean:.0f}%             1"
    assert told[told.index("month    accuracy  dwarfs  trolls  moves") + 1] == row


def test_the_command_prints_them_in_lines_and_as_json(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "--results"]) == 0
    assert capsys.readouterr().out == "No finished matches yet.\n"
    keep(store, won=True)
    keep(store, won=None, names=("Bo", "Miner"), hour=1)
    assert main(["history", "--results", "--name", "ann"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Ann\n")
    assert "computer, level 3  1    0      0" in told
    assert "Bo" not in told
    assert main(["history", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "thud history"
    assert len(document["matches"]) == 2
    assert document["people"]["Bo"]["opponents"]["computer, level 3"]["drawn"] == 1
