"""Animated GIFs have the right frames and times, and never destroy existing files."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("PIL", reason="moving pictures need Pillow")

from PIL import Image, ImageSequence

from sampling import sampled
from thud.pictures import raster
from thud.pictures.layout import CELL, corner
from thud.pictures.pixels import Frame, write_gif
from thud.pictures.raster import Raster
from thud.rules.geometry import Square, bit, parse_square
from thud.rules.position import Move, Position
from thud.rules.valley import FAR_SIDE
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
STILL = [Frame(CLASSIC.start, None, "The dwarfs begin")]


def battle(variant: Variant, length: int) -> Iterator[Frame]:
    """Yield the frames of a random battle."""
    random, position = Random(1), variant.start
    yield Frame(position, None, variant.title)
    for number in range(length):
        if not (moves := variant.legal_moves(position)):
            return
        move = random.choice(moves)
        position = position.after(move)
        yield Frame(position, move, f"{number + 1}. {position.dwarfs.bit_count()} dwarfs")


def pixels(image: Image.Image, square: Square, flipped: bool = False) -> bytes:
    """Return a square's pixels."""
    x, y = (place // 2 for place in corner(square, flipped))
    return image.crop((x, y, x + CELL // 2, y + CELL // 2)).tobytes()


def frames_of(path: Path) -> list[Image.Image]:
    with Image.open(path) as image:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(image)]


def times_of(path: Path) -> list[int]:
    with Image.open(path) as image:
        return [frame.info["duration"] for frame in ImageSequence.Iterator(image)]


def save_gif(path: Path, frames: Sequence[Frame], **how: Any) -> None:
    with path.open("wb") as file:
        write_gif(file, frames, **how)


@pytest.mark.slow
def test_a_long_battle_is_written_frame_by_frame_each_as_it_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, held, most = Raster.frame, 0, 0
    drawn: list[bytes] = []

    def gone() -> None:
        nonlocal held
        held -= 1

    def counted(*arguments: Any) -> Image.Image:
        nonlocal held, most
        image = frame(*arguments)
        weakref.finalize(image, gone)
        held += 1
        most = max(most, held)
        drawn.append(image.convert("RGB").tobytes())
        return image

    monkeypatch.setattr(Raster, "frame", counted)
    path, frames = tmp_path / "battle.gif", list(battle(CLASSIC, 60))
    save_gif(path, frames)
    assert [image.tobytes() for image in frames_of(path)] == drawn
    assert times_of(path) == [900] * (len(frames) - 1) + [3000]
    assert path.stat().st_size < 500_000
    assert most <= 4
    with Image.open(path) as image:
        assert image.info["loop"] == 0
        assert image.width == 480


def test_equal_frames_become_a_longer_one_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "still.gif"
    save_gif(path, STILL * 3)
    assert times_of(path) == [900 + 900 + 3000]
    monkeypatch.setattr("thud.pictures.pixels._FRAME", 600_000)
    save_gif(path, STILL * 4)
    assert times_of(path) == [600_000, 600_000, 603_000]


def test_each_frame_shows_its_position(tmp_path: Path) -> None:
    origin, destination, troll = map(parse_square, ("C4", "C8", "K8"))
    before = Position(bit(origin), bit(troll), parse_square("H8"))
    move = Move(origin, destination, bit(troll))
    after = Position(bit(destination), 0, before.stone)
    save_gif(tmp_path / "hurl.gif", [Frame(before), Frame(after, move)])
    first, second = frames_of(tmp_path / "hurl.gif")
    for square in (origin, destination, troll):
        assert pixels(first, square) != pixels(second, square)
    assert pixels(first, before.stone) == pixels(second, before.stone)
    assert pixels(first, destination) == pixels(first, parse_square("E8"))
    assert pixels(first, parse_square("E9")) == pixels(second, parse_square("E9"))


def test_the_board_can_be_turned_and_goals_tinted(tmp_path: Path) -> None:
    start = VARIANTS["koom"].start
    save_gif(tmp_path / "upright.gif", [Frame(start)], goals=FAR_SIDE)
    save_gif(tmp_path / "turned.gif", [Frame(start)], goals=FAR_SIDE, flipped=True)
    (upright,), (turned,) = frames_of(tmp_path / "upright.gif"), frames_of(tmp_path / "turned.gif")
    goal, plain = parse_square("G1"), parse_square("G3")
    assert pixels(upright, goal) == pixels(turned, goal, flipped=True)
    assert pixels(upright, goal) != pixels(upright, plain)


def test_the_same_frames_make_the_same_file(tmp_path: Path) -> None:
    for name in ("one.gif", "other.gif"):
        save_gif(tmp_path / name, list(battle(CLASSIC, 5)))
    assert (tmp_path / "one.gif").read_bytes() == (tmp_path / "other.gif").read_bytes()


@pytest.mark.parametrize(
    "caption", sampled(["</text>\x00\ud800", "", "Zoë × Łukasz — ½", "W " * 90, "中文" * 99])
)
def test_any_caption_can_be_written(caption: str, tmp_path: Path) -> None:
    save_gif(tmp_path / "still.gif", [Frame(CLASSIC.start, None, caption)])
    assert len(frames_of(tmp_path / "still.gif")) == 1


def test_without_a_font_of_the_system_accents_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "_system_font", lambda: "")
    lettering = raster.Lettering("Zoë")
    assert lettering.readable("Zoë × Ann — “5…”, 中") == 'Zoe x Ann - "5...", ?'


def test_no_frames_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs a position"):
        save_gif(tmp_path / "battle.gif", [])
