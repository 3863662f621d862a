"""Notes in comments, as in chess's PGN: `[%eval -3.2]`, `[%clk 0:19:42]`.

`clk` is what whoever moved had left then, `periods` how many periods follow on that, and `used`,
on the last move, what the player to move had used of the turn when the battle was put down;
docs/notation.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from thud.rules.clock import MOST_PERIODS, TimeLeft

_NOTE: Final = re.compile(r"\[%([a-z]{1,12}) ([^\[\]]{1,400})\] ?", re.ASCII)
_TIME: Final = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)(?:\.(\d))?", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,2}", re.ASCII)
_NAMES: Final = ("clk", "periods", "used")


def notes_in(text: str) -> dict[str, str]:
    """Return what a comment notes for programs, by name; of equal names the last."""
    return dict(_NOTE.findall(text)) if "[%" in text else {}


def prose(text: str) -> str:
    """Return what a comment says to people."""
    return " ".join(_NOTE.sub("", text).split()) if "[%" in text else text


def without_notes(text: str, names: Container[str]) -> str:
    """Return a comment without the notes of some names."""
    kept = _NOTE.sub(lambda found: "" if found[1] in names else found[0], text)
    return " ".join(kept.split())


def with_prose(text: str, words: str) -> str:
    """Return a comment with other words for people, and all of its notes."""
    notes = "".join(found[0] for found in _NOTE.finditer(text)) if "[%" in text else ""
    return f"{notes.strip()} {words}".strip()


# Clocks


def clock_note(left: TimeLeft | None, used: int = 0) -> str:
    """Write what was left after a move, and what has been used since; nothing if neither is."""
    notes = []
    if left is not None:
        notes.append(f"[%clk {time_text(left.ms)}]")
        notes += [f"[%periods {left.periods}]"] if left.periods else []
    if used >= 100:
        notes.append(f"[%used {time_text(used)}]")
    return " ".join(notes)


def left_in(text: str) -> TimeLeft | None:
    """Return what was left by a comment, None if it does not say so."""
    notes = notes_in(text)
    ms = _ms(notes.get("clk", ""))
    periods = notes.get("periods", "0")
    if ms is None or not _NUMBER.fullmatch(periods):
        return None
    return TimeLeft(ms, min(int(periods), MOST_PERIODS))


def used_in(text: str) -> int:
    """Return the milliseconds used since a move, 0 if a comment says nothing of that."""
    return _ms(notes_in(text).get("used", "")) or 0


def without_clock(text: str) -> str:
    """Return a comment without what it says of clocks: all of it, if that cannot be read."""
    if left_in(text) is None and not used_in(text):
        return text
    return without_notes(text, _NAMES)


def time_text(ms: int) -> str:
    """Write a time in hours, minutes and seconds, with tenths if there are any; no more than is."""
    seconds, tenths = divmod(ms // 100, 10)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{tenths}" if tenths else text


def _ms(text: str) -> int | None:
    found = _TIME.fullmatch(text)
    if not found:
        return None
    hours, minutes, seconds, tenths = (int(group or 0) for group in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + tenths * 100
