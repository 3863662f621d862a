"""Every command that draws the board follows the settings."""

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from thud.cli import launch
from thud.cli.main import main
from thud.records.formats import write_file
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp

COMMANDS = {
    "play": ("play",),
    "replay": ("replay", "match.tgn"),
    "review": ("review", "match.tgn", "--nodes", "40", "--jobs", "1", "--learn", "dwarfs"),
    "explore": ("explore",),
    "learn": ("learn", "lines"),
    "puzzles": ("puzzles", "classic-2"),
    "edit": ("edit",),
}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[ThudApp]:
    """Collect the apps that commands start instead of running them, with non-default settings."""
    for name in "DATA", "CONFIG", "CACHE":
        monkeypatch.setenv(f"THUD_{name}_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("settings.toml").write_text('pieces = "letters"\nascii = true\ntheme = "okabe-ito"\n')
    match = Match(VARIANTS["classic"])
    for text in "dF1-F5", "TG7-F6xF5", "dG1-G5", "TF6-G6xG5":
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    write_file(Path("match.tgn"), Record.of(match))
    apps: list[ThudApp] = []

    def run(app: ThudApp, **_: Any) -> None:
        apps.append(app)

    monkeypatch.setattr(launch, "run", run)
    monkeypatch.setattr(launch, "require_terminal", lambda _: None)
    return apps


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_command_begins_with_the_settings_of_the_file(
    arguments: tuple[str, ...], begun: list[ThudApp]
) -> None:
    assert main(arguments) == 0
    assert_follows(begun)


@pytest.mark.parametrize("name", ["play", "replay"])
def test_the_command_line_overrules_the_file(name: str, begun: list[ThudApp]) -> None:
    assert main((*COMMANDS[name], "--theme", "nord", "--pieces", "blocks")) == 0
    (app,) = begun
    assert (app.theme, app.settings.pieces, app.settings.ascii) == ("nord", "blocks", True)


def test_the_front_page_begins_with_the_settings_of_the_file(begun: list[ThudApp]) -> None:
    launch.front_page(Namespace())
    assert_follows(begun)


def test_what_is_played_on_from_a_review_of_a_match_is_saved(
    begun: list[ThudApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(COMMANDS["play"]) == 0
    (app,) = begun
    played: list[Session] = []
    monkeypatch.setattr(app.matches, "play", lambda session, *_, **__: played.append(session))
    app.matches.play_on(Match(VARIANTS["classic"]), None)
    [session] = played
    assert session.autosave.store


def assert_follows(begun: list[ThudApp]) -> None:
    (app,) = begun
    assert (app.settings.pieces, app.settings.ascii) == ("letters", True)
    assert app.theme == "okabe-ito"
