"""How large a record may be, and what may stand in it: the same for reading and writing."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from thud.wording.text import quoted

MAX_BYTES: Final = 1 << 20
"""The largest file, whatever the number of its matches."""

MAX_MATCHES: Final = 1000
MAX_PLIES: Final = 5000
"""The longest line of moves in a battle, the moves taken back included."""

MAX_VARIED: Final = 5000
"""The most moves that the variations of a battle have in all."""

MAX_DEPTH: Final = 20
"""How deep variations may be in one another: a variation of the battle itself is 1 deep."""

MAX_QUIET: Final = 1000
MAX_COMMENTS: Final = MAX_PLIES + 1000
"""The most comments in a battle and its variations: a judgement of each move is one, too."""

MAX_COMMENT: Final = 4000
MAX_TAGS: Final = 64
MAX_TAG_VALUE: Final = 400

_TAG_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_]{0,31}", re.ASCII)
_DATE: Final = re.compile(r"(\d{4}|\?{4})[-./](\d\d|\?\?)[-./](\d\d|\?\?)", re.ASCII)


class InvalidRecord(ValueError):
    """A record, or a part of one, that cannot be written as a text that would be read again."""


def check_tag(name: str, value: str) -> None:
    """Pass a tag that can be written.

    Raises:
        InvalidRecord: its name is no tag name, or its value is too long or does not print.
    """
    if not _TAG_NAME.fullmatch(name):
        raise InvalidRecord(
            f"{quoted(name)} is not the name of a tag: up to 32 letters, digits and _,"
            " a capital letter first"
        )
    if len(value) > MAX_TAG_VALUE:
        raise InvalidRecord(f"the tag {name} has more than {MAX_TAG_VALUE} characters")
    if not value.isprintable():
        raise InvalidRecord(f"the tag {name} has characters that do not print: {quoted(value)}")


def check_comment(text: str) -> None:
    """Pass a comment that can be written.

    Raises:
        InvalidRecord: it is too long, holds a brace or does not print.
    """
    if len(text) > MAX_COMMENT:
        raise InvalidRecord(f"a comment has more than {MAX_COMMENT} characters")
    if "{" in text or "}" in text:
        raise InvalidRecord(f"a comment has a brace in it: {quoted(text)}")
    if not text.isprintable() or text != " ".join(text.split()) or not text:
        raise InvalidRecord(f"a comment is one line of words, not {quoted(text)}")


def parse_date(text: str) -> str:
    """Return a date as it is written, such as `"2026-11-20"` or `"2026-11-??"`.

    Raises:
        InvalidRecord: it is not a date of the calendar, written year, month, day.
    """
    found = _DATE.fullmatch(text)
    if found and not ("?" not in text and _is_off_calendar(found)):
        return "-".join(found.groups())
    raise InvalidRecord(f"{quoted(text)} is not a date: write it like 2026-11-20 or 2026-11-??")


def _is_off_calendar(found: re.Match[str]) -> bool:
    try:
        date(*map(int, found.groups()))
    except ValueError:
        return True
    return False


def parse_quiet_limit(text: str) -> int:
    """Return a quiet limit, in turns without a capture.

    Raises:
        InvalidRecord: it is not a whole number from 1 to `MAX_QUIET`.
    """
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_QUIET:
        return int(text)
    raise InvalidRecord(
        f"a quiet limit is a whole number from 1 to {MAX_QUIET}, not {quoted(text)}"
    )
