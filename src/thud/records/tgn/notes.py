"""Notes in comments, as in chess's PGN: `[%eval -3.2]`, `[%clk 0:19:42]`.

`clk` is the time left to the player who moved, `periods` the number of periods after it, and
`used`, on the last move, the time the next player had used when the battle was saved;
docs/notation.md describes them.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from thud.rules.clock import MOST_PERIODS, TimeLeft

# Compiled by `re` when first used, which is after the board is shown.
_NOTE: Final = r"\[%([a-z]{1,12}) ([^\[\]]{1,400})\] ?"
_TIME: Final = r"([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]))?"
_NUMBER: Final = r"[0-9]{1,2}"
_NAMES: Final = ("clk", "periods", "used")


def notes_in(text: str) -> dict[str, str]:
    """Return a comment's notes for programs, by name; the last of equal names."""
    return dict(re.findall(_NOTE, text)) if "[%" in text else {}


def prose(text: str) -> str:
    """Return a comment without its notes for programs."""
    return " ".join(re.sub(_NOTE, "", text).split()) if "[%" in text else text


def without_notes(text: str, names: Container[str]) -> str:
    """Return a comment without the notes of given names."""
    kept = re.sub(_NOTE, lambda found: "" if found[1] in names else found[0], text)
    return " ".join(kept.split())


def with_prose(text: str, words: str) -> str:
    """Return a comment with its notes, and other text for people."""
    notes = "".join(found[0] for found in re.finditer(_NOTE, text)) if "[%" in text else ""
    return f"{notes.strip()} {words}".strip()


# Clocks


def clock_note(left: TimeLeft | None, used: int = 0) -> str:
    """Format the time left after a move, and the time used since; empty if there is neither."""
    notes = []
    if left is not None:
        notes.append(f"[%clk {time_text(left.ms)}]")
        notes += [f"[%periods {left.periods}]"] if left.periods else []
    if used >= 100:
        notes.append(f"[%used {time_text(used)}]")
    return " ".join(notes)


def left_in(text: str) -> TimeLeft | None:
    """Return the time left by a comment's notes, None without any."""
    notes = notes_in(text)
    ms = _ms(notes.get("clk", ""))
    periods = notes.get("periods", "0")
    if ms is None or not re.fullmatch(_NUMBER, periods):
        return None
    return TimeLeft(ms, min(int(periods), MOST_PERIODS))


def used_in(text: str) -> int:
    """Return the milliseconds used since a move by a comment's notes, 0 without any."""
    return _ms(notes_in(text).get("used", "")) or 0


def without_clock(text: str) -> str:
    """Return a comment without its clock notes, unchanged if they are invalid."""
    if left_in(text) is None and not used_in(text):
        return text
    return without_notes(text, _NAMES)


def time_text(ms: int) -> str:
    """Format a time, rounded down, as hours, minutes and seconds, with tenths if not 0."""
    seconds, tenths = divmod(ms // 100, 10)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{tenths}" if tenths else text


def _ms(text: str) -> int | None:
    found = re.fullmatch(_TIME, text)
    if not found:
        return None
    hours, minutes, seconds, tenths = (int(group or 0) for group in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + tenths * 100
