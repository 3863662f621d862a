"""What the board looks like, picture by picture.

Pictures change with every release of Textual: they are taken and compared in one version of it and
of Python only.  `pytest tests/snapshots --snapshot-update` takes them anew; look at each then.
"""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.image import SVGImageSnapshotExtension

from sampling import sampled
from snapshots.pictures import picture, watching
from thud.records.store import Store
from thud.tui.app import ThudApp
from thud.tui.start import Front
from tui.driver import Player, placed, work_done

PYTHON, TEXTUAL = "3.11", "8.2.8"

COMPARABLE = platform.python_version().startswith(f"{PYTHON}.") and version("textual") == TEXTUAL

BATTLE = """\
dM13-L13 TG9-H10 dG15-H14 TG8-F7 dJ1-C7 TF7-D7xC7 dO11-O8 TD7-C6xB5 dA6-G12 TC6-C5xC4 dA7-B7
TH10-G11xG12 dA10-B10 TC5-C6xB7 dE14-E3 TH9-G9 dB10-G15 TH7-J6 dG1-N7 TJ9-J13xH14 dK15-G12"""
"""A battle after which the trolls choose whom to capture, from J13 to K14."""
AT_THE_FAR_SIDE = placed("RG2", "dF2", "dH4", "dA10", "TD5", "TM6")
SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (200, 60)
UPRIGHT = (48, 40)

STARTS = [
    ("classic", SMALL),
    ("classic", MIDDLE),
    ("classic", LARGE),
    ("koom", SMALL),
    ("football", MIDDLE),
]


@pytest.fixture(autouse=True)
def _comparable() -> None:
    """Skip where pictures cannot be compared; in CI fail, lest nobody looks at them any more."""
    if not COMPARABLE:
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse(f"pictures are compared in Python {PYTHON} with Textual {TEXTUAL} only")


@pytest.fixture(autouse=True)
def _colourful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paint as in a terminal of which nothing is known but that it has all colours."""
    for name in "NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_COLOR_SYSTEM", "TERM_PROGRAM", "COLORTERM":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def as_before(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with a picture in a file of its own."""
    return snapshot.use_extension(SVGImageSnapshotExtension)


async def choose_captures(player: Player) -> None:
    """Stop in the middle of choosing what a troll captures."""
    await player.choose("J13", "K14")
    await player.press("1")


@pytest.mark.parametrize(
    ("variant", "size"),
    STARTS,
    ids=[f"{variant}-{columns}x{lines}" for variant, (columns, lines) in STARTS],
)
async def test_the_start(variant: str, size: tuple[int, int], as_before: SnapshotAssertion) -> None:
    async with watching(variant, size=size) as player:
        assert await picture(player) == as_before


@pytest.mark.parametrize(
    ("size", "ascii_only"),
    [(SMALL, False), (MIDDLE, False), (UPRIGHT, False), (SMALL, True)],
    ids=["80x24", "120x40", "48x40", "ascii"],
)
async def test_choosing_captures(
    size: tuple[int, int], ascii_only: bool, as_before: SnapshotAssertion
) -> None:
    async with watching(moves=BATTLE, size=size, ascii=ascii_only) as player:
        await choose_captures(player)
        assert await picture(player) == as_before


@pytest.mark.parametrize("pieces", sampled(["sprites", "unicode", "letters", "blocks"]))
async def test_a_piece_in_hand(pieces: str, as_before: SnapshotAssertion) -> None:
    async with watching(moves=BATTLE, size=MIDDLE, pieces=pieces) as player:
        await player.choose("G9")
        await player.press("tab")
        assert await picture(player) == as_before


@pytest.mark.parametrize("theme", sampled(["ankh-morpork", "okabe-ito"]))
async def test_a_theme(theme: str, as_before: SnapshotAssertion) -> None:
    moves = "dA10-F5 TE3-F4 dP10-K5"
    async with watching("koom", moves=moves, size=MIDDLE, theme=theme) as player:
        await player.choose("F4")
        assert await picture(player) == as_before


async def test_no_colours(monkeypatch: pytest.MonkeyPatch, as_before: SnapshotAssertion) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with watching(moves=BATTLE, size=SMALL) as player:
        await choose_captures(player)
        assert await picture(player) == as_before


async def test_threats(as_before: SnapshotAssertion) -> None:
    async with watching(moves=BATTLE, size=MIDDLE) as player:
        await player.press("t")
        assert await picture(player) == as_before


async def test_a_board_turned_round(as_before: SnapshotAssertion) -> None:
    async with watching("football", size=SMALL) as player:
        await player.press("f")
        assert await picture(player) == as_before


async def test_the_end_of_a_battle(as_before: SnapshotAssertion) -> None:
    async with watching("koom", AT_THE_FAR_SIDE, size=MIDDLE) as player:
        await player.play("RG2-G1")
        assert await picture(player) == as_before


async def test_the_end_of_a_match(as_before: SnapshotAssertion) -> None:
    async with watching(moves=BATTLE, size=SMALL) as player:
        for key in "eyney":
            await player.do(key)
        assert await picture(player) == as_before


async def test_the_front_page_in_a_window_that_is_higher_than_wide(
    tmp_path: Path, as_before: SnapshotAssertion
) -> None:
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=UPRIGHT) as pilot:
        await work_done(app)
        assert await picture(Player(app, pilot)) == as_before


async def test_too_small(as_before: SnapshotAssertion) -> None:
    async with watching(size=(60, 20)) as player:
        assert await picture(player) == as_before
