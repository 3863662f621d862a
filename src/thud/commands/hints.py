"""What is worth knowing about a terminal, in sentences."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thud.settings.values import AUTO, Settings
from thud.terminal.environment import speaks_utf8
from thud.terminal.probe import Answers

_FARTHEST: Final = 32


def hints(settings: Settings, answers: Answers | None, wide: str) -> Iterator[str]:
    """Yield what a player could change, or has to know.

    Args:
        settings: what is set.
        answers: what the terminal has answered, None where there is none.
        wide: the glyphs that it draws too wide.
    """
    if answers is None or os.environ.get("TERM") == "dumb":
        yield "'thud play --plain' plays in lines of text, without a terminal."
    if not speaks_utf8(sys.stdout.encoding):
        yield "A UTF-8 locale, such as LANG=C.UTF-8, lets the pieces be drawn as pictures."
    if wide and settings.pieces in (AUTO, "sprites", "unicode", "blocks"):
        yield f"{wide} would break the board: 'thud play --pieces letters' avoids that."
    if answers and answers.answered and not answers.kitty_keyboard:
        yield "The key Esc takes effect after a moment; Backspace does the same at once."
    yield from _about_tmux()
    if os.environ.get("STY"):
        yield "In screen the mouse may not arrive; every key works."
    if _over_mosh():
        yield "Over mosh the mouse is unreliable; every key works."


def _about_tmux() -> Iterator[str]:
    if not os.environ.get("TMUX"):
        return
    try:
        done = subprocess.run(
            ["tmux", "show-options", "-gv", "mouse"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=1,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    if done.stdout.strip() == b"off":
        yield "'tmux set -g mouse on' lets the mouse through to the game."


def _over_mosh() -> bool:
    """Say whether the terminal is one of mosh, as far as the processes above this one tell."""
    process = str(os.getppid())
    for _ in range(_FARTHEST):
        try:
            text = Path("/proc", process, "status").read_text()
        except OSError:
            return False
        facts = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        if facts.get("Name", "").startswith("mosh-server"):
            return True
        process = facts.get("PPid", "0").strip()
    return False
