"""The sound of a capture: short, and played by the first program that is there."""

import os
import sys
import wave
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from thud.terminal import sound

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows plays sounds itself")


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    sound.player.cache_clear()
    yield
    sound.player.cache_clear()


def install(directory: Path, name: str, script: str) -> None:
    directory.mkdir(exist_ok=True)
    (directory / name).write_text(f"#!/bin/sh\n{script}\n")
    (directory / name).chmod(0o755)


def test_it_is_short_loud_and_ends_in_silence() -> None:
    with wave.open(BytesIO(sound.thud())) as file:
        frames = file.readframes(file.getnframes())
        seconds = file.getnframes() / file.getframerate()
    samples = memoryview(frames).cast("h")
    assert 0.1 < seconds <= 0.5
    assert 20_000 < max(map(abs, samples)) < 2**15
    assert max(map(abs, samples[-200:])) < 1_500
    assert sound.thud() == sound.thud()


@posix
def test_it_is_played_by_the_first_program_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs, cache = tmp_path / "bin", tmp_path / "cache"
    install(programs, "afplay", "exit 1")
    install(programs, "aplay", f'echo "$@" >> {tmp_path}/played')
    monkeypatch.setenv("PATH", str(programs))
    assert sound.player() == (str(programs / "aplay"), "-q")
    assert sound.play(cache)
    assert sound.play(cache)
    assert (tmp_path / "played").read_text() == f"-q {cache}/thud.wav\n" * 2
    assert (cache / "thud.wav").read_bytes() == sound.thud()


@posix
def test_without_a_program_or_with_one_that_fails_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sound.player() == ()
    assert not sound.play(tmp_path)
    sound.player.cache_clear()
    install(tmp_path / "bin", "paplay", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert not sound.play(tmp_path)
    assert not sound.play(Path(os.devnull) / "cache")
