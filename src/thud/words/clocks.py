"""Clock times in digits and in words."""

from __future__ import annotations

from typing import Final

from thud.rules.clock import Control, TimeLeft
from thud.text import counted, does, joined, plural

FEW: Final = 20_000
"""Total milliseconds below which a time is shown as running out."""


def in_digits(left: TimeLeft, control: Control | None) -> str:
    """Return a time left in digits: `"19:42"`, `"0:09.8"`; in a period, with their number.

    Args:
        left: the time left.
        control: the time control, None if unknown.
    """
    if control and control.days and left.ms >= 24 * 3_600_000:
        days, hours = _days(left)
        return f"{days} d {hours} h"
    seconds, tenths = divmod(left.ms // 100, 10)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    if left.ms < 10_000:
        text += f".{tenths}"
    in_period = control is not None and control.in_period(left) and not control.days
    return f"{left.periods + 1}×{text}" if in_period else text


def _days(left: TimeLeft) -> tuple[int, int]:
    """Return a time left in days and hours, to the nearest hour."""
    return divmod(round(left.ms / 3_600_000), 24)


def left_then(left: TimeLeft | None, control: Control | None) -> str:
    """Return the time left after a move, such as `", 0:09.8 left"`; empty if unknown."""
    return f", {in_digits(left, control)} left" if left else ""


def in_words(left: TimeLeft) -> str:
    """Return a time left in words: `"19 minutes"`, `"75 seconds and two more periods"`."""
    seconds = left.ms // 1000
    if seconds >= 24 * 3600:
        days, hours = _days(left)
        rest = [counted(hours, "hour")] if hours else []
        return joined([counted(days, "day"), *rest])
    said = counted(seconds, "second") if seconds < 120 else counted(seconds // 60, "minute")
    return f"{said} and {counted(left.periods, 'more period')}" if left.periods else said


def in_short(control: Control) -> str:
    """Describe a time control in few words: `"20 min + 10 s"`, `"3 days a move"`."""
    if control.days:
        return f"{control.days} {plural(control.days, 'day')} a move"
    minutes = f"{control.main / 60_000:g} min"
    if control.periods:
        return f"{minutes}, {control.periods} × {control.period // 1000} s"
    return f"{minutes} + {control.added // 1000} s" if control.added else minutes


def set_to(control: Control) -> str:
    """Describe a time control in a sentence."""
    if control.days:
        return f"Each player has {counted(control.days, 'day')} for each move."
    minutes, rest = divmod(control.main, 60_000)
    first = counted(control.main // 1000, "second") if rest else counted(minutes, "minute")
    has = f"Each player has {first} for the battle"
    if control.periods:
        then = f"{counted(control.periods, 'period')} of {control.period // 1000} seconds"
        return f"{has}, then {then}." if control.main else f"Each player has {then}."
    if control.added:
        return f"{has}, and {counted(control.added // 1000, 'second')} more after each move."
    return f"{has}."


def has_left(name: str, left: TimeLeft) -> str:
    """Say what time a player has left, in a sentence."""
    return f"{does(name, 'have')} {in_words(left)} left."


def lasting(seconds: float) -> str:
    """Return a duration in words: `"45 seconds"`, `"10 minutes"`, `"3 hours"`, `"2 days"`."""
    sizes = {"day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
    whole = (unit for unit, size in sizes.items() if seconds >= 2 * size or seconds == size)
    unit = next(whole, "second")
    number = round(seconds / sizes[unit])
    return f"{number} {plural(number, unit)}"


def claim_later(name: str, away: float, after: float) -> str:
    """Say that a battle cannot be claimed yet from a player who is away, but when it can."""
    more = max(1, after - away)
    return f"claim the battle in {lasting(more)}: {name} can be away for {lasting(after)}"
