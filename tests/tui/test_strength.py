"""Strength on the front page: how strong somebody is, and an opponent that suits it."""

import asyncio
from pathlib import Path
from threading import Event

import pytest
from textual.events import Key

from strength.matches import keep
from thud.engines.spec import level_contender, parse_contender
from thud.records.store import Store
from thud.session.law import Resign, allows
from thud.settings.last_choices import LastChoices, load_choices, save_choices
from thud.strength.people import strengths_in
from thud.tui.battle.screen import BattleScreen
from thud.tui.front.form import NameInput, OptionsScreen
from thud.tui.front.page import FrontPage
from tui.driver import Player, playing
from tui.test_front_page import front_page, shown


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def choose(store: Store, *seats: str, names: tuple[str, str] = ("Ann", "Bo")) -> None:
    save_choices(store.matches.parent, LastChoices("classic", (seats[0], seats[1]), names))


def win(store: Store) -> None:
    """Let Ann win a match against level 2, which is little to go by."""
    keep(store, won=True, seats=("human", "cpu:2"))


def play_much(store: Store) -> str:
    """Let Ann play matches until her rating has settled, and return it."""
    for hour in range(9):
        other = "Ann", f"Miner {hour}"
        keep(store, won=hour % 2 == 0, seats=("human", "cpu:5"), names=other, hour=hour)
    strength = strengths_in(store, store.finished())["ann"]
    assert strength.rating.narrow
    return strength.rating.about


async def begun(player: Player) -> tuple[str, str]:
    """Press n, and return who plays when the match has begun."""
    await player.press("n")
    await player.settled()
    assert isinstance(player.app.screen, BattleScreen)
    return player.match.players


async def test_the_front_page_says_how_strong_whoever_is_named_is(store: Store) -> None:
    about = play_much(store)
    choose(store, "human", "cpu:3", names=("An", "Bo"))
    async with front_page(store) as player:
        await player.settled()
        assert "your rating" not in shown(player)
        await player.pilot.click("#options")
        (await player.see(OptionsScreen)).query_one(NameInput).focus()
        await player.pilot.press("end", "n", "escape")
        await player.until(lambda: f"Play  your rating {about}" in shown(player))


async def test_a_rating_from_one_match_is_no_figure_on_the_front_page(store: Store) -> None:
    win(store)
    choose(store, "human", "cpu:3")
    async with front_page(store) as player:
        await player.settled()
        assert "Ann" in shown(player)
        assert "your rating" not in shown(player)


async def test_a_fair_level_is_offered_and_is_that_level(store: Store) -> None:
    win(store)
    choose(store, "human", "human")
    fair = level_contender(5)
    async with front_page(store) as player:
        await player.press("c")
        await player.settled()
        assert player.match.players == ("Ann", fair.name)
        assert player.session.state.seats.programs == ("", fair.program)
    assert load_choices(store.matches.parent).seats == ("human", "fair")


@pytest.mark.slow
async def test_a_fair_level_without_a_person_is_a_gentle_one(store: Store) -> None:
    choose(store, "fair", "fair")
    async with front_page(store) as player:
        await begun(player)
        assert player.session.state.seats.programs[1] == level_contender(1).program


@pytest.mark.slow
async def test_a_name_that_the_fair_level_has_is_refused(store: Store) -> None:
    choose(store, "human", "fair", names=(level_contender(1).name, "Bo"))
    async with front_page(store) as player:
        await player.press("n")
        await player.settled()
        assert isinstance(player.app.screen, FrontPage)
        assert "Both players are called" in shown(player)


async def test_a_fair_match_that_is_looked_for_begins_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(store, "human", "fair")
    looking, go = Event(), Event()
    listing = Store.listing

    def slow(self: Store) -> object:
        looking.set()
        assert go.wait(60)
        return listing(self)

    async with front_page(store) as player:
        await player.settled()
        monkeypatch.setattr(Store, "listing", slow)
        await player.press("n")
        await asyncio.to_thread(looking.wait, 60)
        for key in "nps":
            player.app.post_message(Key(key, key))
        await player.pilot.pause()
        assert isinstance(player.app.screen, FrontPage)
        go.set()
        await player.settled()
        assert isinstance(player.app.screen, BattleScreen)
        assert len(player.app.screen_stack) == 2


async def test_the_end_of_a_match_says_how_it_changed_the_rating(store: Store) -> None:
    level = level_contender(1)
    seats = parse_contender("human"), level
    async with playing(store=store, seats=seats, names=("Ann", level.name)) as player:
        await player.until(lambda: allows(player.session.state, Resign()))
        await player.press("R")
        assert "Your rating counts who wins the match" in " ".join(player.question.split())
        await player.press("y")
        await player.until(lambda: player.match.battle.outcome)
        await player.press("n")
        await player.until(
            lambda: player.match.number == 2 and allows(player.session.state, Resign())
        )
        await player.press("R", "y")
        await player.until(lambda: "after one match; some ten" in " ".join(player.question.split()))
        assert not player.app._notifications
