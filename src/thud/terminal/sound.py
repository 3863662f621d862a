"""A short, deep sound, played by a program of the system: terminals can only ring a bell."""

from __future__ import annotations

import subprocess
import sys
import wave
from functools import cache
from io import BytesIO
from math import exp, pi, sin
from pathlib import Path
from shutil import which
from struct import pack
from typing import Final

from thud.disk.atomic import write_atomic

_PLAYERS: Final = (
    ("pw-play",),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"),
    ("play", "-q"),
)
"""Programs that play a file, with their arguments: of PipeWire, PulseAudio, ALSA, macOS, others."""

_RATE: Final = 22_050
_SECONDS: Final = 0.3
_LONGEST: Final = 5
"""Seconds after which a program that still plays is stopped."""


@cache
def player() -> tuple[str, ...]:
    """Return the program that plays sounds here, with its arguments; empty if there is none."""
    if sys.platform == "win32":
        return ("winsound",)
    return next(((path, *rest) for name, *rest in _PLAYERS if (path := which(name))), ())


def thud() -> bytes:
    """Return the sound as a WAV file: a knock, and a low tone that falls and fades."""
    samples, turn = list[int](), 0.0
    for number in range(int(_RATE * _SECONDS)):
        at = number / _RATE
        turn += 2 * pi * (45 + 65 * exp(-at * 18)) / _RATE
        knock = sin(at * 9000) * exp(-at * 240)
        samples.append(int(32_000 * (0.8 * sin(turn) * exp(-at * 13) + 0.2 * knock)))
    file = BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(_RATE)
        sound.writeframes(pack(f"<{len(samples)}h", *samples))
    return file.getvalue()


def play(directory: Path) -> bool:
    """Play the sound to its end; return whether it could be.

    Args:
        directory: where the sound is kept as a file; it need not exist.
    """
    if not (program := player()):
        return False
    path = directory / "thud.wav"
    try:
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, thud())
        if sys.platform == "win32":
            import winsound

            winsound.PlaySound(str(path), winsound.SND_FILENAME)
            return True
        done = subprocess.run(
            [*program, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_LONGEST,
            check=False,
        )
    except (OSError, RuntimeError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
