"""Every move is on the disk; matches go to files and come from them."""

import errno
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual import events
from textual.widgets import Input, Static

from saving import begin, save
from thud.disk.atomic import write_atomic
from thud.records.formats import match_in, read_file, write_file
from thud.records.links import read_link
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import PlayMatch, Replay
from thud.tui.widgets.modals import MAX_TEXT
from tui.driver import Player, placed, playing, running, work_done

MOVES = ("dF1-F5", "TG7-F6xF5", "dE14-E10", "TH7-G6")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def on_disk(store: Store) -> Match:
    """Return the one match in a store, read anew."""
    (path,) = store.matches.glob("*.tgn")
    return read_file(path)[0].match()


async def test_a_full_disk_is_told_once_and_play_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with playing(store=store) as player:
        await player.play(MOVES[0])
        monkeypatch.setattr("thud.records.store.write_atomic", full)
        await player.play(MOVES[1])
        assert "The match cannot be saved" in player.message
        assert "No space left on device" in player.message
        await player.play(MOVES[2])
        assert "cannot be saved" not in player.message
        await player.press("q")
        assert "The last moves could not be saved" in player.question
        await player.press("n")
        assert "are not saved" in player.screen.session.farewell()
        assert len(on_disk(store).battle.moves) == 1
        monkeypatch.undo()
        await player.play(MOVES[3])
        assert len(on_disk(store).battle.moves) == 4


async def test_another_match_is_mentioned_that_both_sides_have_begun(store: Store) -> None:
    match = Match(VARIANTS["koom"])
    with begin(store, match) as saved:
        for _ in range(2):
            match.battle.play(match.variant.legal_moves(match.battle.position)[0])
        save(saved, match)
    session = Session(Match(VARIANTS["classic"]), Autosave(store))
    async with running(ThudApp(PlayMatch(session, mention_unfinished=True))) as player:
        await work_done(player.app)
        assert f"thud resume {saved.id}" in player.message
        assert "Player 1 to move" in player.message


async def typed(player: Player, text: str) -> None:
    await player.press("ctrl+a", "ctrl+k")
    await player.press(*text, "enter")
    await work_done(player.app)
    await player.pilot.pause()


def refusal(player: Player) -> str:
    shown = player.app.screen.query_one("#refusal", Static)
    return str(shown.render()) if shown.display else ""


async def test_save_as_and_open(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "kept.tgn"
    async with playing(store=store) as player:
        await player.play(MOVES[0])
        await player.press("s")
        await typed(player, str(path))
        assert read_file(path)[0].match().battle.moves == player.match.battle.moves
        await player.press("s")
        await typed(player, str(path))
        assert f"{path} exists." in player.question
        await player.press("n")
        assert player.app.screen.query_one(Input).value == str(path), "to be mended"
        await player.press("escape")
        await player.play(MOVES[1])
        await player.press("o")
        await typed(player, str(path))
        assert len(player.match.battle.moves) == 1
        assert "Saved. Resume with: " in player.screen.session.farewell()
        (tmp_path / "fault.tgn").write_text(path.read_text().replace("\n*", " dF1-F5\n*"))
        await player.press("o")
        await typed(player, str(tmp_path / "fault.tgn"))
        assert "1 move is kept" in player.message
        await player.press("o")
        await typed(player, str(tmp_path / "none.tgn"))
        assert "Not opened" in refusal(player)
        await typed(player, str(path))
        assert f"{path} is open" in player.message
        assert len(player.match.battle.moves) == 1


@pytest.mark.slow
async def test_a_slow_disk_never_mixes_two_matches(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, quick = tmp_path / "koom.tgn", write_atomic
    match = Match(VARIANTS["koom"], ("Kay", "Lou"))
    match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    write_file(path, Record.of(match))

    saving = Event()

    def slow(*arguments: Any) -> None:
        saving.set()
        time.sleep(0.3)
        quick(*arguments)

    monkeypatch.setattr("thud.records.store.write_atomic", slow)
    async with playing(store=store) as player:
        for key in ("tab", "enter", "tab", "enter", "o"):
            player.app.post_message(events.Key(key, None))
        await player.until(saving.is_set)
        await player.press("o")
        await typed(player, str(path))
        assert player.match.variant.name == "koom"
        await player.press("tab", "enter", "tab", "enter")
    kept = {summary.variant.name: summary for summary in store.listing().unfinished}
    assert set(kept) == {"classic", "koom"}
    assert kept["koom"].players == ("Kay", "Lou")
    assert not store.listing().broken


@pytest.mark.slow
async def test_opening_a_match_that_is_over_replays_it(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "over.tgn"
    async with playing("classic", placed("dF4", "TG7")) as player:
        await player.press("e", "y", "n", "e", "y", "s")
        await typed(player, str(path))
        await player.press("o")
        await typed(player, str(path))
        assert isinstance(player.app.screen, ReplayScreen)


async def test_copy() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        for key, expected in ("p", "d5TTT5d/6TRT6"), ("m", "dF1-F5"), ("s", "<svg"):
            await player.press("c", key)
            assert expected in player.app.clipboard
            assert "clipboard" in player.message
        await player.press("c", "l")
        assert match_in(read_link(player.app.clipboard).text)[0].battles[0].moves
        assert "characters" not in player.message


async def test_a_key_saves_a_picture_of_what_is_shown_as_it_is_wanted(tmp_path: Path) -> None:
    pictures: list[str] = []
    async with playing() as player:
        await player.play("dF1-F5")
        for before, looks in (((), ()), ((), ("f2",)), ((), ("f3",)), (("[",), ())):
            await player.press(*before, "S", *looks)
            await typed(player, str(path := tmp_path / f"{len(pictures)}.svg"))
            pictures.append(path.read_text())
        assert f"Saved as {path}" in player.message.replace("\n", "")
    usual, _, arrow, earlier = pictures
    assert len({*pictures}) == 4
    assert usual.startswith("<svg")
    assert len(arrow.splitlines()) == len(usual.splitlines()) + 1
    assert "F1-F5" not in earlier


async def test_a_picture_has_the_name_of_one(tmp_path: Path) -> None:
    async with playing() as player:
        await player.press("S")
        await typed(player, str(tmp_path / "match.tgn"))
        assert refusal(player).endswith("has to end in .png, .svg or .gif.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", "sS")
async def test_a_file_that_exists_is_replaced_only_when_that_is_said(
    key: str, store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "there.svg"
    path.write_text("something else")
    async with playing(store=store) as player:
        await player.press(key)
        await typed(player, str(path))
        assert player.question.startswith(f"{path} exists.")
        assert not refusal(player)
        assert "nothing was written" not in player.written
        await player.press("enter", "escape", "ctrl+u", *str(path))
        assert not player.question
        assert path.read_text() == "something else"
        await player.press("enter")
        await player.until(lambda: player.question)
        await player.press("y")
        await player.until(lambda: "Saved as" in player.message)
        assert path.read_text().startswith("<svg")


async def test_what_is_too_long_for_a_dialog_is_refused_with_a_reason() -> None:
    async with playing() as player:
        await player.press("s")
        line = player.app.screen.query_one(Input)
        await player.press("ctrl+u", *"ab")
        player.app.post_message(events.Paste("x" * 9000))
        await player.press("c")
        assert line.value == "abc"
        assert f"at most {MAX_TEXT} characters" in refusal(player)


@pytest.mark.slow
async def test_a_replay_saves_a_picture_of_a_variation(tmp_path: Path) -> None:
    match = Match(VARIANTS["classic"])
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    async with running(ThudApp(Replay(Record.of(match)))) as player:
        await player.press(":", *"g1g5", "enter")
        await player.pilot.pause()
        await player.press("S")
        await typed(player, str(tmp_path / "other.svg"))
        await player.press("s")
        await typed(player, str(tmp_path / "saved.svg"))
    assert "G1-G5" in (tmp_path / "other.svg").read_text()
    assert (tmp_path / "saved.svg").read_text() == (tmp_path / "other.svg").read_text()


@pytest.mark.slow
async def test_a_name_that_is_no_file_is_told_and_mended(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.svg").write_text("something else")
    async with playing(store=store) as player:
        await player.play(MOVES[0])
        for key in "os":
            await player.press(key)
            for name in "~nobody-by-that-name/x.tgn", "/", "none/x.tgn", "x.doc":
                await typed(player, name)
                assert refusal(player), name
            if key == "o":
                await player.press("escape")
        await typed(player, "there.svg")
        assert "exists" in player.question
        await player.press("n")
        await typed(player, "match.svg")
        assert "Saved as" in player.message
        assert (tmp_path / "match.svg").read_text().startswith("<svg")
        assert not list(tmp_path.glob("*.tgn"))
