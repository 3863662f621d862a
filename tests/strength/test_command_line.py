"""Strength on the command line: display, reset, and fair opponents."""

import io
from pathlib import Path

import pytest

from strength.matches import keep
from thud.cli.main import main
from thud.engines.spec import level_contender
from thud.records.store import Store
from thud.settings.last_choices import LastChoices, save_choices

Capture = pytest.CaptureFixture[str]
GENTLE, STRONGER = (level_contender(level) for level in (1, 5))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    return Store()


def told(capsys: Capture, *command: str) -> str:
    assert main(command) == 0
    return capsys.readouterr().out


def plays_against(monkeypatch: pytest.MonkeyPatch, capsys: Capture, *command: str) -> str:
    """Start a match and quit before a move; return the output."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    return told(capsys, *command, "--plain")


def test_the_history_tells_how_strong_people_are(store: Store, capsys: Capture) -> None:
    keep(store, won=True, seats=("human", "human"), names=("Ann", "Bo"))
    assert "rating" not in told(capsys, "history")
    keep(store, won=True)
    keep(store, won=False, names=("Bo", "Miner"))
    table = told(capsys, "history")
    assert [line.split()[:2] for line in table.splitlines()[-2:]] == [["Ann", "1"], ["Bo", "1"]]
    assert table.count(" after one match") == 2
    only = told(capsys, "history", "--name", "bo", "--variant", "classic")
    assert "Bo" in only
    assert told(capsys, "history", "--variant", "koom").count(" after ") == 0


def test_a_person_without_a_name_is_called_you(store: Store, capsys: Capture) -> None:
    keep(store, won=True, names=("Player 1", "Miner"), hour=1)
    keep(store, won=True, names=("Player 2", "Miner"), hour=2)
    table = told(capsys, "history")
    assert "You – Miner" in table
    assert "Player" not in table
    assert [line.split()[:2] for line in table.splitlines()[-1:]] == [["You", "2"]]


def test_a_reset_is_told_and_the_matches_stay(store: Store, capsys: Capture) -> None:
    name = keep(store, won=True)
    keep(store, won=True, names=("Bo", "Miner"))
    assert told(capsys, "reset", "ratings", "--name", "Bo").startswith("Reset one rating.")
    assert told(capsys, "history").count(" after ") == 1
    told(capsys, "reset", "ratings")
    history = told(capsys, "history")
    assert name in history
    assert " after " not in history


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("reset ratings", "no ratings yet"),
        ("reset ratings --name Bo", "'Bo' has no rating"),
        ("reset puzzles --name Bo", "--name goes with ratings"),
        ("play --plain --dwarfs Fair --trolls 3", "fair works only with --opponent"),
        ("play --plain --opponent fair --trolls 3", "use either --opponent"),
        ("arena fair 3", "unknown player 'fair'"),
        ("play --opponent 0", "unknown opponent '0': use 1 to 15, max, or fair for a level"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(
    store: Store, capsys: Capture, command: str, complaint: str
) -> None:
    assert main(command.split()) == 2
    printed = capsys.readouterr()
    assert complaint in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_a_fair_opponent_is_a_level_by_the_name_of_the_person(
    store: Store, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(store, won=True, seats=("human", "cpu:2"))
    fair = ("play", "--opponent", "fair")
    assert GENTLE.name in plays_against(monkeypatch, capsys, *fair)
    assert STRONGER.name in plays_against(monkeypatch, capsys, *fair, "--names", "ann")
    assert "Bo has the trolls" in plays_against(monkeypatch, capsys, *fair, "--names", "Ann", "Bo")
    assert GENTLE.name in plays_against(monkeypatch, capsys, *fair, "--names", "Cheery")
    # It is recorded as the level that it is.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"f1f5\nquit\n")))
    told(capsys, *fair, "--names", "Ann", "--plain")
    (begun,) = store.listing().unfinished
    assert begun.programs == ("", STRONGER.program)


def test_names_kept_by_the_front_page_are_those_of_the_command_line(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    two = LastChoices(names=("Bo", "Ann"), opener=1)
    save_choices(store.matches.parent, two)
    assert "Bo has the dwarfs. Ann has the trolls." in plays_against(monkeypatch, capsys, "play")
    assert "You have the trolls." in plays_against(monkeypatch, capsys, "play", "--dwarfs", "1")
    assert {each.players for each in store.listing().unfinished} >= {("Pebble", "Ann")}
    assert "Cy has the dwarfs." in plays_against(monkeypatch, capsys, "play", "--names", "Cy", "Di")
