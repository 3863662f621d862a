"""The front page: new matches, those that wait, those that are over, and the way back."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from textual.events import Paste
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static

from sampling import sampled
from saving import begin
from session.timing import ManualClock
from thud.ai.levels import LEVELS
from thud.engines.spec import HUMAN, level_contender, parse_contender
from thud.exercises.lessons.model_battles import model_battle
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.puzzles.book import puzzle_of_the_day
from thud.records.links import link_to, link_to_position, link_to_puzzle
from thud.records.programs import EDITION
from thud.records.record import Record
from thud.records.store import Listing, Saved, Store
from thud.rules.clock import parse_control
from thud.rules.match import Handicap, Match, starts_at
from thud.rules.notation import move_text, parse_move
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.session.law import Resign, allows
from thud.session.words import who_is_there
from thud.settings.last_choices import CLOCKS, LastChoices, kept_names, load_choices, save_choices
from thud.settings.preferences import Preferences
from thud.settings.values import Settings
from thud.strength.glicko import Rating
from thud.strength.levels import RATINGS
from thud.strength.people import Strength, person
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.drill.screen import DrillScreen
from thud.tui.editor.screen import EditScreen
from thud.tui.front.form import NameInput, OptionsScreen, PairScreen
from thud.tui.front.lists import MatchList
from thud.tui.front.page import FrontPage
from thud.tui.help.keys_card import KeysCard
from thud.tui.help.screen import HelpScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.replay.screen import ReplayScreen
from thud.tui.settings.screen import SettingsScreen
from thud.tui.start import Front
from thud.tui.widgets.marked_list import MarkedList
from thud.tui.widgets.menu import Choice, CommandChoice, Row
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.tui.widgets.title import Title
from thud.words.clocks import in_short
from tui.driver import Player, running


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@asynccontextmanager
async def front_page(
    store: Store, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> AsyncIterator[Player]:
    progress = LessonProgress(store.matches.parent)
    progress.add("battle")
    progress.save()
    app = ThudApp(Front(), store=store, preferences=Preferences(None, settings))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Player(app, pilot)


def shown(player: Player) -> str:
    """Return everything that the front page says."""
    page = player.app.screen_stack[0]
    return "\n".join(str(each.render()) for each in page.query(Static) if each.display)


def keep_one(
    store: Store,
    *,
    over: bool,
    names: tuple[str, str] = ("Cheery", "Detritus"),
    programs: tuple[str, str] = ("", ""),
) -> str:
    """Keep a match of one move, or one that is over; return its id."""
    match = Match(VARIANTS["classic"], names)
    battle = match.battle
    battle.play(parse_move(battle.variant, battle.position, "dF1-F5"))
    if over:
        battle.agree()
        match.next_battle()
        match.battle.agree()
    with begin(store, match, programs=programs) as saved:
        return saved.id


def rows(player: Player) -> list[str]:
    """Return the ids of the rows that are seen."""
    return [str(row.id) for row in player.app.screen.query(Row) if row.region]


async def test_the_first_thing_for_somebody_new_is_to_learn_then_to_play(store: Store) -> None:
    app = ThudApp(Front(), store=store, preferences=Preferences(None))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        player = Player(app, pilot)
        assert rows(player)[:5] == ["learn", "puzzles", "rules", "computer", "here"]
        assert app.focused is app.screen.query_one("#learn")
        assert "The computer ‹ level 1 ›" in shown(player)
        assert "‹ trolls first ›" in shown(player)
        for useless in ("resume", "replay", "practise", "odds", "clock"):
            assert useless not in rows(player)


async def test_a_first_match_seats_a_newcomer_to_win_with_the_coach_and_says_why(
    store: Store,
) -> None:
    app = ThudApp(Front(), store=store, preferences=Preferences(None))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        player = Player(app, pilot)
        app.screen.query_one("#game").focus()
        await player.press("right", "right")
        assert "‹ dwarfs first ›" in shown(player), "the easier side of Koom Valley"
        await player.press("left", "left")
        app.screen.query_one("#side").focus()
        await player.until(lambda: "Between equal players the dwarfs end" in shown(player))
        await player.press("c")
        await player.until(lambda: isinstance(app.screen, BattleScreen))
        assert player.match.players[0] == level_contender(1).name
        await player.until(lambda: app.settings.coach)
        told = "You begin with the trolls, the easier side; then you swap sides."
        opening = f"{player.match.players[0]} moves"
        await player.until(lambda: opening in player.screen.pane.notice)
        assert told in player.screen.pane.notice, "it is still to be read"
    choices = load_choices(store.matches.parent)
    assert choices.seats == ("fair", "human"), "later levels follow the results"


async def test_a_newcomer_who_takes_the_dwarfs_has_them(store: Store) -> None:
    app = ThudApp(Front(), store=store, preferences=Preferences(None))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        player = Player(app, pilot)
        app.screen.query_one("#side").focus()
        await player.press("right", "c")
        await player.until(lambda: isinstance(app.screen, BattleScreen))
        assert player.match.players[1] == level_contender(1).name
        assert any("You begin with the dwarfs; then" in each for each in player.screen.pane.said)


@pytest.mark.parametrize(
    ("seats", "row"),
    [
        ((HUMAN, HUMAN), "here"),
        ((HUMAN, "cpu:1"), "computer"),
        (("cpu:1", HUMAN), "computer"),
        (("cpu:1", "cpu:2"), "watch"),
    ],
)
async def test_it_begins_where_the_last_match_was_begun(
    store: Store, seats: tuple[str, str], row: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    focused, set_focus = list[str | None](), FrontPage.set_focus

    def noted(page: FrontPage, widget: Widget | None, *scroll: bool, **more: bool) -> None:
        focused.append(widget.id if widget else None)
        set_focus(page, widget, *scroll, **more)

    monkeypatch.setattr(FrontPage, "set_focus", noted)
    save_choices(store.matches.parent, LastChoices(seats=seats))
    async with front_page(store) as player:
        assert set(focused) == {row}, "no frame has the cursor elsewhere"
        assert rows(player)[:2] == ["computer", "here"]
        assert rows(player).index("learn") > rows(player).index("options")
        assert player.app.focused is player.app.screen.query_one(f"#{row}")


async def test_rows_do_not_move_when_matches_are_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for over in False, True:
        keep_one(store, over=over)
    async with front_page(store) as player:
        await player.until(lambda: load_choices(store.matches.parent).rows == ("resume", "replay"))
    read, listing = Event(), Store.listing

    def slow(store: Store) -> Listing:
        assert read.wait(60)
        return listing(store)

    monkeypatch.setattr(Store, "listing", slow)
    async with front_page(store) as player:
        try:
            await player.pilot.pause()
            before = {row.id: row.region for row in player.app.screen.query(Row)}
            assert {"resume", "replay"} <= set(rows(player))
            assert "1 match" not in shown(player)
        finally:
            read.set()
        await player.until(lambda: shown(player).count("1 match") == 2)
        await player.settled()
        assert before == {row.id: row.region for row in player.app.screen.query(Row)}


@pytest.mark.parametrize(
    ("row", "label"), [("computer", "New match"), ("here", "New match"), ("edit", "Play again")]
)
async def test_n_begins_the_match_of_its_row_or_else_one_like_the_last(
    store: Store, row: str, label: str
) -> None:
    save_choices(store.matches.parent, LastChoices(seats=("cpu:1", "cpu:2")))
    async with front_page(store) as player:
        player.app.screen.query_one(f"#{row}").focus()
        await player.until(lambda: f" n {label} " in player.text("KeyBar"))
        await player.press("n")
        if row == "here":
            await player.see(PairScreen)
            return
        await player.see(BattleScreen)
        levels = [LEVELS[1].name, LEVELS[2].name]
        assert (list(player.match.players) == levels) is (row == "edit")


async def test_a_refusal_stays_while_one_goes_to_the_row_at_fault(store: Store) -> None:
    choices = LastChoices(seats=("human", "cpu:2"), names=(level_contender(2).name, "Ann"))
    save_choices(store.matches.parent, choices)
    async with front_page(store) as player:
        await player.press("n")
        assert "Both players are called" in shown(player)
        await player.press("up", "up")
        assert "Both players are called" in shown(player)


async def test_game_name_side_and_opponent_are_chosen_and_remembered(store: Store) -> None:
    veteran = level_contender(13).name
    async with front_page(store) as player:
        page = player.app.screen
        page.query_one("#side").focus()
        await player.pilot.press("right", "down", "right", "right")
        assert "Koom Valley" in shown(player)
        assert page.query_one(Board).view.position == VARIANTS["koom"].start
        await player.pilot.press("down", "enter")
        options = await player.see(OptionsScreen)
        options.query_one(NameInput).focus()
        await player.pilot.press(*["backspace"] * 9, *"Anna", "enter")
        options.query_one("#clock").focus()
        await player.press(*["right"] * 3, "escape")
        await player.until(lambda: player.app.screen is page)
        assert "Anna, 20 min + 10 s" in shown(player), "it is told beside the row"
        page.query_one("#computer").focus()
        await player.do(*["left"] * 3, "enter")
        assert player.match.players == (veteran, "Anna")
        assert player.match.variant is VARIANTS["koom"]
        assert player.match.control == parse_control("20+10")
        assert player.screen.session.state.seats.programs[0].endswith(
            f"level 13 of 15, edition {EDITION}"
        )
    assert load_choices(store.matches.parent) == LastChoices(
        "koom", ("cpu:13", "human"), ("Player 2", "Anna"), "", "20+10", fitting=1, opener=1
    )
    async with front_page(store) as player:
        assert player.app.focused is player.app.screen.query_one("#computer")
        for each in ("Koom Valley", "level 13", "trolls first"):
            assert each in shown(player)
        assert player.app.screen.query_one(NameInput).value == "Anna"


async def test_both_names_are_asked_for_and_remembered(store: Store) -> None:
    async with front_page(store) as player:
        await player.pilot.press("t", *"Anna", "enter", *"anna", "enter", "enter")
        assert "Both players are called" in player.text("#refusal")
        await player.pilot.press("up", *"Bert", "enter", "enter")
        await player.see(BattleScreen)
        assert player.match.players == ("Anna", "Bert")
        await player.do("q")
        await player.see(FrontPage)
        assert player.app.focused is player.app.screen.query_one("#here")
    async with front_page(store) as player:
        await player.pilot.press("t", "escape")
        assert player.app.screen.query_one(NameInput).value == "Player 1"
        await player.pilot.press("t", "enter")
        await player.see(BattleScreen)
        assert player.match.players == ("Anna", "Bert"), "once they are known, Enter begins"
    async with front_page(store) as player:
        player.app.screen.query_one("#side").focus()
        await player.pilot.press("right", "t", "enter")
        await player.see(BattleScreen)
    async with front_page(store) as player:
        assert "trolls first" in shown(player)
        player.app.screen.query_one(NameInput).value = "bert"
        await player.pilot.press("t", "enter")
        await player.see(BattleScreen)
        assert player.match.players == ("Anna", "Bert")


@pytest.mark.parametrize(
    ("own", "typed"),
    [
        ("Player 1", ("Anna", "Bert")),
        ("Bert", ("Anna", "Bert")),
        ("Bert", ("bert", "Anna")),
    ],
)
async def test_two_names_change_neither_the_name_nor_the_side_of_the_person_here(
    store: Store, own: str, typed: tuple[str, str]
) -> None:
    save_choices(store.matches.parent, LastChoices(names=("Player 1", own), opener=1))
    async with front_page(store) as player:
        await player.pilot.press("t")
        for row, name in zip(player.app.screen.query(NameInput), typed, strict=True):
            row.value = name
        await player.pilot.click("#begin")
        await player.see(BattleScreen)
        assert player.match.players == typed
        await player.do("q")
        await player.see(FrontPage)
        assert player.app.screen.query_one(NameInput).value == own
        assert "trolls first" in shown(player)
    assert kept_names(store.matches.parent) == (typed, "" if own == "Player 1" else own)


async def test_two_computers_are_watched(store: Store) -> None:
    async with front_page(store) as player:
        player.app.screen.query_one("#watch").focus()
        await player.pilot.press("enter", "up", "right", "up", "right", "right")
        await player.pilot.click("#begin")
        await player.see(BattleScreen)
        assert player.screen.session.state.watched
    seats = load_choices(store.matches.parent).seats
    assert seats == ("cpu:2", "cpu:1")
    save_choices(store.matches.parent, LastChoices("classic", ("cpu:1", "cpu:1")))
    async with front_page(store) as player:
        await player.pilot.press("n")
        await player.see(BattleScreen)
        assert player.screen.session.state.watched
        name = level_contender(1).name
        assert player.match.players == (f"{name} 1", f"{name} 2"), "they are told apart"


async def test_a_level_that_fits_now_instead_of_another_is_told(store: Store) -> None:
    choices = LastChoices(seats=("human", "fair"), fitting=5)
    save_choices(store.matches.parent, choices)
    async with front_page(store) as player:
        await player.until(
            lambda: "Level 1 is offered next. More matches will show" in shown(player)
        )
        form = (await player.see(FrontPage))._form
        await player.until(lambda: load_choices(store.matches.parent).fitting == 1)
        sure = Strength(Rating()._replace(deviation=50.0), 20)
        told = form.fit({person(form.own_name.value): sure})
        assert told == "After these results level 8 suits you better than 1."
    async with front_page(store) as player:
        await player.settled()
        assert "is offered next" not in shown(player)


@pytest.mark.slow
@pytest.mark.parametrize("waits", sampled([True, False]))
async def test_who_hosts_by_the_clock_says_whether_it_waits(
    store: Store, short_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "run"))
    save_choices(store.matches.parent, LastChoices(clock="20+10"))
    async with front_page(store) as player:
        await player.press("H")
        await player.press("enter")
        await player.do(*(["down"] if waits else []), "enter")
        session = player.app.session
        assert session is not None
        assert session.state.seats.has_remote
        assert session.state.match.control == parse_control("20+10")
        assert session.state.waits is waits
        told = "The clock waits while somebody is away." in who_is_there(session.state)
        assert told is waits
        await session.leave()


async def test_odds_are_given_to_the_other_player_and_remembered(store: Store) -> None:
    async with front_page(store) as player:
        assert "name, clock, more" in shown(player)
        await player.pilot.click("#options")
        player.app.screen.query_one("#odds").focus()
        await player.pilot.press(*["right"] * 6, "escape")
        await player.until(lambda: "‹ you get 2 ›" in shown(player))
        await player.do("n")
        assert player.match.starts == starts_at(VARIANTS["classic"], Handicap(1, 2))
        assert "Player 2 gives 2" in player.standing
    assert load_choices(store.matches.parent).handicap == "2:2"
    async with front_page(store) as player:
        player.app.screen.query_one("#side").focus()
        await player.pilot.press("right")
        assert "you get 2" in shown(player), "whoever gives them goes on giving them"
        await player.do("c")
        assert player.match.players[1] == "Player 1", "who is alone is the first, on either side"
        assert player.match.starts == starts_at(VARIANTS["classic"], Handicap(0, 2))
    assert load_choices(store.matches.parent).handicap == "1:2"
    async with front_page(store) as player:
        game = player.app.screen.query_one("#game")
        game.focus()
        await player.pilot.press(*["right"] * [*VARIANTS].index("football"), "n")
        assert isinstance(player.app.screen, FrontPage)
        assert "Football has no handicaps" in shown(player)


@pytest.mark.slow
async def test_a_name_row_is_marked_and_escape_undoes_what_was_typed(store: Store) -> None:
    async with front_page(store) as player:
        name = player.app.screen.query(NameInput).first()
        row = name.query_ancestor(".name").query_one(Static)
        assert not row.visible
        name.focus()
        name.action_restore()
        assert name.value == "Player 1", "also before the row has noticed its focus"
        await player.press("q", "x")
        assert row.visible
        assert name.value == "qx"
        await player.press("escape")
        assert name.value == "Player 1"
        await player.press("down")
        assert not row.visible


async def test_everything_can_be_clicked(store: Store) -> None:
    async with front_page(store) as player:
        await player.pilot.click("#game")
        assert "Single capture" in shown(player)
        await player.pilot.click("#rules")
        assert isinstance(player.app.screen, HelpScreen)
        first = player.app.screen.query(Static).first()
        assert str(first.render()).startswith("Single capture")
        await player.press("escape")
        await player.pilot.click("#game", offset=(10, 0))
        assert "‹ Classic ›" in shown(player)
        await player.pilot.click("#settings")
        assert isinstance(player.app.screen, SettingsScreen)
        await player.press("escape")
        await player.pilot.click("#here")
        await player.see(PairScreen)
        await player.pilot.click("#begin")
        await player.see(BattleScreen)


async def slow_click(player: Player, row: Row, offset: tuple[int, int]) -> None:
    """Click on a row; it must not move between the press and the release of the button."""
    place = row.region.offset
    await player.pilot.mouse_down(row, offset=offset)
    await player.settled()
    assert row.region.offset == place
    await player.pilot.click(row, offset=offset)
    await player.settled()


@pytest.mark.parametrize("size", sampled([(79, 23), (160, 50)]))
async def test_a_click_on_an_arrow_takes_the_next_level_and_one_on_the_label_plays(
    store: Store, size: tuple[int, int]
) -> None:
    async with front_page(store, size) as player:
        row = player.app.screen.query_one("#computer", CommandChoice)
        await player.settled()
        first = len(row.label) + 3
        await slow_click(player, row, (first + len(row.said) - 1, 0))
        assert row.value == "cpu:2"
        assert f"{LEVELS[2].meeting}. Rated {RATINGS[2].value:.0f}." in shown(player)
        await slow_click(player, row, (first, 0))
        assert row.value == "cpu:1"
        await slow_click(player, row, (3, 0))
        assert player.match.players == ("Player 1", level_contender(1).name)


LISTED = "pp", "pr"
BEGUN = "nn", "cc", "nr", "rp", "rr", "rn"


@pytest.mark.parametrize("keys", sampled([*LISTED, *BEGUN], 5))
async def test_what_is_wanted_first_is_shown_alone_and_once(store: Store, keys: str) -> None:
    keep_one(store, over=False)
    keep_one(store, over=True)
    async with front_page(store) as player:
        await player.do(*keys)
        assert isinstance(player.app.screen, ListScreen if keys in LISTED else BattleScreen)
        assert len(player.app.screen_stack) == 2


@pytest.mark.parametrize(
    ("key", "told"), [("r", "No unfinished matches."), ("p", "No finished matches yet.")]
)
async def test_without_matches_no_list_opens(store: Store, key: str, told: str) -> None:
    async with front_page(store) as player:
        await player.do(key)
        assert len(player.app.screen_stack) == 1
        assert told in shown(player)


@pytest.mark.slow
@pytest.mark.parametrize("key", sampled(["r", "p"]))
async def test_a_match_of_a_list_is_taken_up_once(store: Store, key: str) -> None:
    programs = parse_contender("random").program, parse_contender("cpu:1").program
    for _ in range(2):
        keep_one(store, over=key == "p", programs=programs)
    async with front_page(store) as player:
        await player.do(key)
        await player.do("enter", "enter", key)
        assert isinstance(player.app.screen, BattleScreen if key == "r" else ReplayScreen)
        assert len(player.app.screen_stack) == 2
        if key == "r":
            seats = player.screen.session.state.seats
            assert seats.programs == programs, "the same computers go on with it"


@pytest.mark.slow
async def test_a_match_that_comes_too_late_is_let_go(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, asked, go_on = keep_one(store, over=False), Event(), Event()
    resume = store.resume

    def slow(name: str) -> Saved:
        asked.set()
        assert go_on.wait(30)
        return resume(name)

    monkeypatch.setattr(store, "resume", slow)
    async with front_page(store) as player:
        await player.press("r")
        await asyncio.to_thread(asked.wait, 30)
        await player.press("comma")
        go_on.set()
        await player.settled()
        assert isinstance(player.app.screen, SettingsScreen)
        resume(name).close()


async def test_leaving_a_match_leads_back_and_leaving_the_page_ends(store: Store) -> None:
    async with front_page(store) as player:
        await player.pilot.press("n")
        await player.play("dF1-F5")
        await player.do("q", "y")
        assert isinstance(player.app.screen, FrontPage)
        assert "Resume   1 match" in shown(player)
        (waiting,) = store.listing().unfinished
        farewell = player.app.matches.farewell
        assert farewell() == f"Saved. Resume with: thud resume {waiting.id}"
        discarded = store.discard(waiting.id)
        assert farewell() == "", "it is deleted"
        store.put_back(discarded)
        with store.resume(waiting.id):
            pass
        await player.do("n")
        await player.do("q")
        assert isinstance(player.app.screen, FrontPage)
        await player.pilot.press("q")
        await player.pilot.pause()
        assert not player.app.is_running


def listed(player: Player) -> list[str]:
    options = player.app.screen.query_one(OptionList)
    return [str(option.id) for option in options.options]


@pytest.mark.parametrize("key", sampled(["r", "p"]))
async def test_a_match_in_a_list_is_deleted_after_a_question_and_comes_back(
    store: Store, key: str
) -> None:
    for _ in range(3):
        keep_one(store, over=key == "p", names=("[b]Bo", "[/x]:x:"))
    async with front_page(store) as player:
        await player.do(key)
        before = listed(player)
        assert len(before) == 3
        assert "[b]Bo – [/x]:x:" in player.app.screen.query_one(OptionList).render_line(0).text
        await player.press("down", "D", "n")
        assert listed(player) == before
        await player.press("D")
        assert "Delete the match of [b]Bo – [/x]:x:?" in said(player)
        await player.press("enter")
        assert isinstance(player.app.screen, ListScreen)
        await player.press("y")
        assert listed(player) == [before[0], before[2]]
        assert not (store.matches / f"{before[1]}.tgn").exists()
        await player.press("u")
        assert listed(player) == before
        assert (store.matches / f"{before[1]}.tgn").exists()
        await player.press(*("D", "y") * 3)
        assert listed(player) == []
        assert list(store.matches.glob("*.tgn")) == []
        await player.do("u", "escape")
        assert "1 match" in shown(player)


async def test_a_single_unfinished_match_is_deleted_from_the_front_page(store: Store) -> None:
    keep_one(store, over=False)
    async with front_page(store) as player:
        player.app.screen.query_one("#resume").focus()
        await player.until(lambda: "D Delete" in player.written)
        await player.do("D")
        assert len(listed(player)) == 1
        assert "Resume or delete a match" in said(player)
        await player.press("D", "y")
        assert listed(player) == []
        await player.do("escape")
        await player.until(lambda: "D Delete" not in player.written)


@pytest.mark.slow
async def test_a_deletion_that_ends_after_its_list_is_closed_does_no_harm(store: Store) -> None:
    keep_one(store, over=False)
    name = keep_one(store, over=False)
    async with front_page(store) as player:
        await player.do("r")
        await player.press("D")
        asked = player.app.screen
        assert isinstance(asked, MatchList)
        await player.do("escape")
        assert not asked.is_attached
        await asked.action_confirm()
        assert not (store.matches / f"{name}.tgn").exists()


def said(player: Player) -> str:
    return str(player.app.screen.query_one("#said", Static).render())


async def test_a_match_that_is_open_elsewhere_is_neither_deleted_nor_opened(store: Store) -> None:
    other = keep_one(store, over=False)
    name = keep_one(store, over=False)
    with store.resume(name):
        async with front_page(store) as player:
            await player.do("r")
            await player.press("D", "y")
            assert "open in another terminal" in said(player)
            assert listed(player) == [name, other]
            await player.do("enter")
            assert isinstance(player.app.screen, FrontPage)
            assert "is open in another terminal" in shown(player)


@pytest.mark.slow
async def test_what_is_played_on_from_a_replay_is_a_match_of_its_own(store: Store) -> None:
    keep_one(store, over=True)
    async with front_page(store) as player:
        await player.do("p")
        await player.do("enter")
        await player.do("right", "p", "enter")
        await player.do("q", "y")
        assert isinstance(player.app.screen, FrontPage)
        assert (len(store.listing().unfinished), len(store.finished())) == (1, 1)


@pytest.mark.slow
async def test_empty_lists_say_so(store: Store) -> None:
    async with front_page(store) as player:
        await player.do("r")
        await player.until(lambda: "No unfinished matches." in shown(player))
        await player.do("p")
        await player.until(lambda: "No finished matches yet." in shown(player))
        assert isinstance(player.app.screen, FrontPage)


@pytest.mark.slow
@pytest.mark.parametrize("size", sampled([(79, 23), (20, 8), (1, 1), (467, 145)], 4))
async def test_every_terminal_has_room_for_it(store: Store, size: tuple[int, int]) -> None:
    async with front_page(store, size) as player:
        await player.pilot.wait_for_scheduled_animations()
        for row in player.app.screen.query(Row):
            row.focus()
            await player.pilot.wait_for_scheduled_animations()
            if size[0] >= 20:
                await scrolled_to(player, row)
        assert player.app.screen.query_one(Board).is_on_screen == (size[0] >= 79)


async def scrolled_to(player: Player, row: Row) -> None:
    """Wait until a row is seen whole."""
    await player.until(lambda: player.app.screen.region.contains_region(row.region))


NO_CHOICES = (
    *("", "[]", "{", "[" * 4000, "\x00", '{"variant": "chess"}', '{"variant": []}'),
    *('{"seats": ["human"]}', '{"seats": [1, 2]}', '{"clock": "1/1x1"}', '{"handicap": 7}'),
    *('{"handicap": "3:1"}', '{"handicap": "1:9"}', '{"handicap": ["1:1"]}'),
    *('{"names": ["A", "a"]}', '{"names": ["A", ""]}', '{"names": {"A": 1}}'),
    '{"names": ["' + "A" * 5000 + '", "B"]}',
)


@pytest.mark.parametrize("text", NO_CHOICES)
def test_what_was_chosen_and_is_broken_counts_as_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "last-match.json").write_text(text)
    assert load_choices(tmp_path) == LastChoices()


@pytest.mark.slow
async def test_a_seat_that_is_not_offered_is_a_person(store: Store) -> None:
    save_choices(store.matches.parent, LastChoices("classic", ("engine:rm -rf", "cpu:99")))
    async with front_page(store) as player:
        await player.press("n")
        assert player.screen.session.state.seats.programs == ("", "")


def test_a_level_chosen_when_there_were_fewer_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "last-match.json"
    path.write_text('{"seats": ["cpu:3", "cpu:7"]}')
    assert load_choices(tmp_path).seats == ("cpu:8", "cpu:15")
    path.write_text('{"seats": ["human", "cpu:4"], "fitting": 12, "levels": 12}')
    assert load_choices(tmp_path).seats == ("human", "cpu:6")
    assert load_choices(tmp_path).fitting == 0, "the nearest level is another one, which is no news"
    path.write_text('{"seats": ["human", "cpu:12"], "levels": 12.0}')
    assert load_choices(tmp_path).seats == ("human", "cpu:15")
    path.write_text('{"seats": ["human", "cpu:4"], "fitting": 12, "levels": 15}')
    assert load_choices(tmp_path).seats == ("human", "cpu:4")
    assert load_choices(tmp_path).fitting == 12


@pytest.mark.slow
async def test_choices_that_cannot_be_kept_stop_nobody(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("thud.tui.front.page.save_choices", full)
    async with front_page(store) as player:
        await player.do("n")
        assert isinstance(player.app.screen, BattleScreen)


async def test_a_match_is_joined_by_the_name_that_is_written_now(
    store: Store, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    async def join(app: object, destination: object, name: str, store: object) -> None:
        names.append(name)
        raise ValueError("nobody is there")

    monkeypatch.setenv("THUD_RUN_DIR", str(short_path))
    monkeypatch.setattr("thud.tui.front.elsewhere.join", join)
    async with front_page(store) as player:
        player.app.screen.query_one(NameInput).value = "Ann"
        await player.press("J")
        await player.see(ListScreen)
        await player.press("enter")
        await player.see(AskScreen)
        await player.press(*"there", "enter")
        await player.until(lambda: "Nobody is there." in shown(player))
    assert names == ["Ann"]


@pytest.mark.slow
@pytest.mark.parametrize("ascii_only", sampled([False, True]))
async def test_the_row_of_a_list_is_marked_by_a_glyph(store: Store, ascii_only: bool) -> None:
    pointer = ">" if ascii_only else "»"
    keep_one(store, over=False)
    keep_one(store, over=False)
    async with front_page(store, settings=Settings(ascii=ascii_only)) as player:
        await player.do("r")
        listed = player.app.screen.query_one(MarkedList)
        for row in range(2):
            rows = [listed.render_line(y).text for y in range(2)]
            assert [each.startswith(f"{pointer} ") for each in rows] == [row == 0, row == 1]
            await player.press("down")
        lines = player.app.screen._compositor.render_strips()
        assert all(line.text.isascii() for line in lines) is ascii_only
        assert "Enter Choose" in str(player.app.screen.query_one(KeyBar).render())
        await player.press("D")
        assert "Enter Choose" not in str(player.app.screen.query_one(KeyBar).render())


@pytest.mark.slow
async def test_in_a_narrow_terminal_the_level_is_below_and_a_tap_on_it_changes_it(
    store: Store,
) -> None:
    async with front_page(store, (48, 60)) as player:
        await player.settled()
        row = player.app.screen.query_one("#computer", CommandChoice)
        assert row.size.height == 2
        assert re.search(r"The computer +c\n  ‹ level 1 ›", shown(player))
        await slow_click(player, row, (8, 1))
        assert re.search(r"The computer +c\n  ‹ level 2 ›", shown(player))
        await slow_click(player, row, (8, 0))
        assert player.match.players == ("Player 1", level_contender(2).name)


@pytest.mark.parametrize(
    ("link", "opened"),
    [
        (lambda: link_to(Record.of(Match(VARIANTS["koom"]))), ReplayScreen),
        (lambda: link_to_position(Setup.usual(VARIANTS["football"])), EditScreen),
        (lambda: link_to_puzzle("classic-2"), DrillScreen),
        (lambda: "https://example.org/x#day", DrillScreen),
    ],
)
async def test_a_pasted_link_opens_what_it_leads_to(
    store: Store, link: Callable[[], str], opened: type[Screen[object]]
) -> None:
    async with front_page(store) as player:
        player.app.post_message(Paste(link()))
        await player.see(opened)


async def test_a_pasted_link_that_cannot_be_opened_gets_a_sentence(store: Store) -> None:
    async with front_page(store) as player:
        for link, said in (
            ("#match=1.AAAA", "the link is cut off"),
            ("#match=2.AAAA", "of a later version"),
            ("#position=chess:d", "there is no game 'chess' here"),
            ("#puzzle=classic-99999", "there is no puzzle"),
            ("#match=1." + "A" * (1 << 20), "at most 100,000 characters"),
            ("#puzzle=[bold]x", "there is no puzzle"),
        ):
            player.app.post_message(Paste(link))
            await player.until(partial(contains, player, said))


def contains(player: Player, said: str) -> bool:
    return said in " ".join(shown(player).split())


async def paste(player: Player, text: str) -> None:
    player.app.post_message(Paste(text))
    await player.settled()


async def test_what_is_pasted_is_opened(store: Store) -> None:
    async with front_page(store) as player:
        await paste(player, "1. dF1-F5! TG7-F6")
        await player.see(ReplayScreen)
        assert "dF1-F5" in player.written
        await player.press("q")
        await player.see(FrontPage)
        await paste(player, VARIANTS["classic"].start.to_text())
        await player.see(EditScreen)
        await player.press("q")
        await player.see(FrontPage)
        await paste(player, "hello")
        assert "That is no position, record or list of moves" in shown(player)
        player.app.screen.query_one(NameInput).focus()
        await paste(player, "Ann")
        assert "Ann" in player.app.screen.query_one(NameInput).value


async def test_model_battles_are_chosen_from_a_list_again_and_again(store: Store) -> None:
    async with front_page(store) as player:
        await player.press("m")
        await player.see(ListScreen)
        await player.press("down", "enter")
        await player.see(ReplayScreen)
        replay = player.app.screen
        assert isinstance(replay, ReplayScreen)
        assert replay.record.event == model_battle("classic-2").title
        await player.press("q")
        await player.see(ListScreen)
        listed = player.app.screen.query_one(OptionList).highlighted_option
        assert listed
        assert listed.id == "classic-2"
        await player.press("enter")
        await player.see(ReplayScreen)
        await player.do("p")
        await player.press("enter")
        await player.see(BattleScreen)
        await player.press("q")
        await player.see(FrontPage)
        await player.press("m")
        await player.see(ListScreen)


async def test_one_key_opens_the_puzzle_of_the_day(store: Store) -> None:
    async with front_page(store) as player:
        assert "today's waits: Z" in shown(player)
        await player.do("Z")
        screen = await player.see(DrillScreen)
        daily = puzzle_of_the_day(date.today())
        assert screen.drill.task.position == daily.puzzle.position


async def test_a_list_says_what_its_keys_do(store: Store) -> None:
    keep_one(store, over=True)
    async with front_page(store) as player:
        await player.do("p")
        await player.see(MatchList)
        await player.do("question_mark")
        card = await player.see(KeysCard)
        assert any(
            "Del" in each.text and "Delete" in each.text
            for each in card._compositor.render_strips()
        )
        await player.do("D")
        await player.see(MatchList)
        await player.until(lambda: "Delete the match of" in said(player))


async def test_what_is_next_is_told_below_other_news(store: Store) -> None:
    keep_one(store, over=True)
    async with front_page(store) as player:
        player.app.screen.query_one("#computer").focus()
        told = r"Rated \d+\.\s+Next: "
        await player.until(lambda: re.search(told, player.text("#news")))


async def test_who_leaves_a_match_half_way_is_on_the_row_that_resumes_it(store: Store) -> None:
    async with front_page(store, (80, 24)) as player:
        await player.press("t")
        player.app.screen.query_one("#begin").focus()
        await player.do("enter")
        await player.play("dF1-F5")
        await player.do("q", "y")
        await player.see(FrontPage)
        await player.until(lambda: (at := player.app.screen.focused) and at.id == "resume")
        await player.do("enter")
        await player.see(BattleScreen)
        assert len(player.match.battle.moves) == 1


async def test_a_match_by_the_clock_stays_one_match_however_often_it_is_left(store: Store) -> None:
    def is_gone(screen: BattleScreen) -> bool:
        return not screen.is_attached

    match = Match(VARIANTS["classic"], control=parse_control("10+5"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    with begin(store, match) as saved:
        name = saved.id
    async with front_page(store) as player:
        for times in 1, 2:
            await player.until(lambda: "resume" in rows(player))
            await player.press("r")
            screen = await player.see(BattleScreen)
            ManualClock().put_at(player.session).pass_ms(3_000)
            await player.do("q", "y")
            await player.see(FrontPage)
            await player.until(partial(is_gone, screen))
            assert [path.stem for path in store.matches.glob("*.tgn")] == [name]
            assert store.load(name).battles[0].used == times * 3_000


async def test_nothing_is_cut_once_the_options_were_opened(store: Store) -> None:
    for over in False, True:
        keep_one(store, over=over)
    async with front_page(store, (80, 24)) as player:
        page = player.app.screen
        await player.until(lambda: {"resume", "replay", "quit"} <= set(rows(player)))
        await player.pilot.click("#options")
        await player.see(OptionsScreen)
        await player.press("right", "escape")
        await player.until(lambda: player.app.screen is page and "you give 1" in shown(player))
        assert page.query_one("#menu").max_scroll_y == 0


async def test_every_clock_is_named_whole_with_its_units(store: Store) -> None:
    def whole(told: str) -> bool:
        return f"‹ {told} ›" in player.written

    async with front_page(store, (120, 40)) as player:
        row = player.app.screen.query_one("#clock", Choice)
        for clock in CLOCKS:
            row.set_value(clock)
            told = in_short(parse_control(clock))
            await player.until(partial(whole, told))
        assert told == "30 min, 5 × 60 s"


@pytest.mark.parametrize("size", [(80, 24), (120, 24), (120, 35)])
async def test_news_does_not_move_the_board(store: Store, size: tuple[int, int]) -> None:
    keep_one(store, over=True)
    async with front_page(store, size) as player:
        page = player.app.screen
        await player.until(lambda: "Next: " in str(page.query_one("#gist", Static).render()))
        place = page.query_one(Board).region
        await player.do("r")
        told = r"No unfinished matches\.\s+Next: "
        await player.until(lambda: re.search(told, player.text("#news")))
        await player.settled()
        assert page.query_one("#news").display
        assert page.query_one(Board).region == place


async def test_one_key_goes_on_with_what_is_next(store: Store) -> None:
    async with front_page(store) as player:
        await player.until(lambda: "Next: an easy puzzle of Classic (N)" in shown(player))
        await player.press("N")
        await player.see(DrillScreen)


async def test_a_match_of_two_people_here_leaves_out_what_is_next(store: Store) -> None:
    async with front_page(store) as player:
        await player.until(lambda: "Next: an easy puzzle of Classic (N)" in shown(player))
        await player.pilot.press("t", *"Anna", "enter", *"Bert", "enter", "enter")
        await player.see(BattleScreen)
        await player.do(*"Ry", "n", *"Ry")
        await player.settled()
        assert "again, Bert has the dwarfs" in " ".join(player.question.split())
        assert "next: " not in player.question


async def test_what_is_next_is_told_in_the_same_words_where_something_ends(store: Store) -> None:
    async with front_page(store) as player:
        await player.until(lambda: "Next: an easy puzzle of Classic (N)" in shown(player))
        await player.pilot.press("c")
        await player.see(BattleScreen)
        for number in (1, 2):
            await player.until(lambda: allows(player.session.state, Resign()))
            assert player.match.number == number
            await player.do(*"Ry")
            await player.until(lambda: player.match.battle.outcome)
            if number == 1:
                await player.do("n")
        told = "next: an easy puzzle of Classic"
        for leaves in (True, False):
            await player.until(lambda: told in " ".join(player.question.split()))
            await player.do("N")
            await player.see(DrillScreen)
            if leaves:
                await player.do("escape")
                await player.see(BattleScreen)
                assert "The match is over" in player.question
        drill = (await player.see(DrillScreen)).drill
        for task in drill.tasks:
            assert task.solution
            await player.do(":", *move_text(task.position, task.solution), "enter")
            await player.until(
                lambda: ("another puzzle" if drill.over else "go on") in player.question
            )
            if not drill.over:
                await player.do("enter")
        await player.until(lambda: "next: today's puzzle" in player.question)
        await player.do("N")
        await player.until(
            lambda: (
                isinstance(screen := player.app.screen, DrillScreen) and screen.drill is not drill
            )
        )
        await player.do("escape")
        await player.see(BattleScreen)
        assert "next: today's puzzle" in player.question, "it is found out anew"


async def test_who_has_played_before_is_no_newcomer(store: Store) -> None:
    keep_one(store, over=True)
    app = ThudApp(Front(), store=store, preferences=Preferences(None))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        player = Player(app, pilot)
        assert "‹ dwarfs first ›" in shown(player)
        await player.until(lambda: "Next: " in shown(player))


@pytest.mark.parametrize("opened_by", ["t", "enter"], ids=["key", "row"])
async def test_names_typed_at_once_are_taken_whole(store: Store, opened_by: str) -> None:
    async with front_page(store) as player:
        player.app.screen.set_focus(player.app.screen.query_one("#here"))
        await player.press(opened_by, *"Annika", "enter", *"Bertram", "enter", "enter")
        await player.see(BattleScreen)
        assert player.match.players == ("Annika", "Bertram")


async def test_rows_end_with_their_keys_and_the_footer_drops_none(store: Store) -> None:
    for over in False, True:
        keep_one(store, over=over)
    async with front_page(store, (80, 24)) as player:
        await player.until(lambda: {"resume", "replay"} <= set(rows(player)))
        page = await player.see(FrontPage)
        player.app.change_keys({"front.puzzles": ("f8",)})
        for row, key in (
            ("puzzles", "F8"),
            ("resume", "r"),
            ("replay", "p"),
            ("computer", "c"),
            ("settings", ","),
            ("rules", "F1"),
        ):
            assert str(page.query_one(f"#{row}", Row).render()).endswith(f" {key}")
        assert len(player.written.splitlines()) == 24
        page.query_one("#computer").focus()
        shown = "← → Change Enter Go n New match N Next ^P More"
        await player.until(lambda: player.text("KeyBar").startswith(shown))
        player.app.prefer(touch=True, calm=False, light=False)
        assert str(page.query_one("#resume", Row).render()).endswith("1 match"), (
            "fingers press none"
        )


async def test_a_small_title_is_above_the_board_and_news_does_not_move_that(store: Store) -> None:
    async with front_page(store, (80, 24)) as player:
        await player.settled()
        page = await player.see(FrontPage)
        before = page.query_one(Board).region
        assert "▀▀██▀▀ ██  ██ ██  ██ ██▀▀█▄" in player.written
        for number in range(1, 4):
            page.say(" ".join(["word"] * 8 * number))
            await player.settled()
            assert page.query_one(Board).region == before
        player.app.theme = "ankh-morpork"
        await player.settled()
        title = page.query_one("#above", Title)
        colours = {str(each.style) for each in title.render().spans}
        variables = player.app.get_css_variables()
        assert any(variables["board-dwarf"].lower() in each for each in colours)


async def test_leaving_a_match_says_where_it_leads(store: Store) -> None:
    async with front_page(store) as player:
        await player.pilot.press("t", *"Anna", "enter", *"Bert", "enter", "enter")
        await player.see(BattleScreen)
        assert str(player.screen.query_one(KeyBar).render()).endswith("q Leave")
        await player.play("dF1-F5")
        await player.press("q")
        assert "Leave?" in player.question
        assert "press r on the front page" in " ".join(player.question.split())
        await player.press("n", "R", "y")
        assert "q  leave" in player.question, "the match goes on"
        await player.press("n", "R", "y")
        await player.until(lambda: "q  front page" in player.question)
        await player.do("q")
        await player.see(FrontPage)
        assert player.app.matches.farewell() == "", "nothing is left to go on with"


@pytest.mark.parametrize("size", [(80, 24), (160, 50), (160, 60)])
@pytest.mark.parametrize("key", "Lm")
async def test_a_list_is_as_high_as_its_rows_up_to_the_screen(
    key: str, size: tuple[int, int], tmp_path: Path
) -> None:
    async with running(ThudApp(Front(), store=Store(tmp_path)), size) as player:
        await player.do(key)
        listed = player.app.screen.query_one(OptionList)
        assert listed.size.height == min(listed.virtual_size.height, size[1] - 6)
        frame = player.app.screen.query_one("ListScreen > Vertical")
        assert frame.region.bottom <= player.app.screen.query_one(KeyBar).region.y
