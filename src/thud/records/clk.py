"""What was left on the clock, as it stands in the comments of a record.

`[%clk 0:19:42]` is what whoever moved had left then, as in chess's PGN, `[%periods 2]` how many
periods follow on that, and `[%used 0:00:12]`, on the last move, what the player to move had used
of the turn when the battle was put down; docs/notation.md describes it.
"""

from __future__ import annotations

import re
from typing import Final

from thud.records.markup import notes_in, without_notes
from thud.rules.clock import MOST_PERIODS, TimeLeft

_TIME: Final = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)(?:\.(\d))?", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,2}", re.ASCII)
_NAMES: Final = ("clk", "periods", "used")


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
