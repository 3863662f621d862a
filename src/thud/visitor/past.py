"""Fetching a club's finished matches from the keeper."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from thud.records.formats import match_in
from thud.records.record import Record
from thud.text import sentence
from thud.visitor.look_up import PAGE, FindMatches, Found, ReadMatches, Texts, next_page
from thud.visitor.tables import TableLine

MOST_FETCHED: Final = 1000
"""Most matches in one download: further ones are in others."""


def part_in_words(first: int, most: int, total: int) -> str:
    """Return which of all matches are in one download, such as `1001 to 2000 of 2345`."""
    return f"{first + 1} to {min(first + most, total)} of {total}"


async def text_of(line: TableLine, match: str) -> str:
    """Return the text of a match.

    Raises:
        KeeperRefused: there is none, it is too long, or the keeper does not answer.
    """
    return (await line.look_up(ReadMatches((match,)), Texts)).texts[0]


async def match_of(line: TableLine, match: str) -> tuple[Record, str]:
    """Return a match, and a sentence about what could not be read of it, empty if all was.

    Raises:
        ValueError: there is none, it cannot be read, or the keeper does not answer.
    """
    record, fault = match_in(await text_of(line, match))
    return record, sentence(fault) if fault else ""


async def texts_of(
    line: TableLine,
    asked: FindMatches,
    most: int = MOST_FETCHED,
    first: int = 0,
) -> list[str]:
    """Return the texts of the matches that fit a search, latest first.

    Args:
        line: the connection to the keeper.
        asked: the search.
        most: most matches.
        first: how many matches are left out before, whole pages of the search.

    Raises:
        KeeperRefused: one is too long, or the keeper does not answer.
    """
    texts, known, asked = list[str](), set[str](), replace(asked, page=first // PAGE)
    while len(texts) < most:
        found = await line.look_up(asked, Found)
        # Where a match has ended meanwhile, a page begins with the last one of the page before.
        missing = [each.id for each in found.matches if each.id not in known][: most - len(texts)]
        known.update(missing)
        while missing:
            some = (await line.look_up(ReadMatches(tuple(missing)), Texts)).texts
            texts += some
            missing = missing[len(some) :]
        if len(found.matches) < PAGE:
            break
        asked = next_page(asked)
    return texts
