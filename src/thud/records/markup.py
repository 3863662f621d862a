"""What programs write in comments beside the words of people: `[%eval -3.2]`, as in chess's PGN."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

_NOTE: Final = re.compile(r"\[%([a-z]{1,12}) ([^\[\]]{1,400})\] ?", re.ASCII)


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
