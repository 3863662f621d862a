"""Understand the tags of a record: who played what, when and from where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from thud.records.bounds import InvalidRecord, parse_date, parse_quiet_limit
from thud.records.draft import VARIANT, Draft, Tag
from thud.records.intake import BadRecord
from thud.records.record import Record
from thud.records.tgn_writer import ENDS, GOES_ON, own_tags
from thud.rules.clock import Control, InvalidControl, parse_control
from thud.rules.match import BATTLES, DEFAULT_PLAYERS, InvalidPlayers, player_names
from thud.rules.position import InvalidPosition, Position
from thud.rules.variant import Reason, Variant
from thud.rules.variants import VARIANTS
from thud.wording.text import quoted

_TAGS_OF_A_BATTLE: Final = ("Dwarfs", "Trolls", "QuietLimit", "Result", "End")
OWN_TAGS: Final = frozenset(
    ["Event", "Date", VARIANT, "Start", "Start2", "TimeControl", "Program1", "Program2", "Result"]
    + [f"{name}{n}" for name in _TAGS_OF_A_BATTLE for n in range(1, BATTLES + 1)]
)
"""The tags that mean something here; all others are kept as they are."""

_Value = TypeVar("_Value")


def value_of(draft: Draft, name: str) -> str:
    """Return the value of a tag, nothing if it is not given."""
    return draft.tags[name].value if name in draft.tags else ""


def variant_of(draft: Draft) -> Variant:
    """Return the variant that was played.

    Raises:
        BadRecord: it is none of this program's.
    """
    tag = draft.tags[VARIANT]
    if tag.value in VARIANTS:
        return VARIANTS[tag.value]
    *names, last = VARIANTS
    reason = f"{quoted(tag.value)} is no variant: there are {', '.join(names)} and {last}"
    raise BadRecord(tag.line, reason)


def players_of(draft: Draft) -> tuple[str, str]:
    """Return the names of both players, who exchange the sides for the second battle.

    Raises:
        BadRecord: they cannot go by these names, or did not exchange the sides.
    """
    tags = [_player_tag(draft, "Dwarfs1", "Trolls2"), _player_tag(draft, "Trolls1", "Dwarfs2")]
    names = [tag.value or name for tag, name in zip(tags, DEFAULT_PLAYERS, strict=True)]
    try:
        return player_names(names[0], names[1])
    except InvalidPlayers as error:
        raise BadRecord(max(draft.line, *(tag.line for tag in tags)), str(error)) from None


def _player_tag(draft: Draft, first: str, second: str) -> Tag:
    """Return the tag that names a player, who has one side in each battle."""
    one, other = (draft.tags.get(name, Tag("", 0)) for name in (first, second))
    if one.value and other.value and one.value.split() != other.value.split():
        reason = (
            f"the players exchange sides, so {second} is {one.value}, not {quoted(other.value)}"
        )
        raise BadRecord(other.line, reason)
    return one if one.value else other


def start_of(draft: Draft, variant: Variant) -> Position:
    """Return where the first battle begins, and the second if it begins nowhere else.

    Raises:
        BadRecord: the tag Start is no position text of the variant.
    """
    return _understood(draft, "Start", variant.position, variant.start)


def second_start_of(draft: Draft, variant: Variant) -> Position | None:
    """Return where the second battle begins, None if where the first does.

    Raises:
        BadRecord: the tag Start2 is no position text of the variant.
    """
    second = _understood(draft, "Start2", variant.position, None)
    return None if second == start_of(draft, variant) else second


def date_of(draft: Draft) -> str:
    """Return the date as it is written, nothing if it is not given.

    Raises:
        BadRecord: it is no date.
    """
    return _understood(draft, "Date", parse_date, "")


def quiet_limit_of(draft: Draft, number: int) -> int | None:
    """Return the quiet limit of a battle, None without one.

    Raises:
        BadRecord: it is no number, or too large.
    """
    return _understood(draft, f"QuietLimit{number}", parse_quiet_limit, None)


def control_of(draft: Draft) -> Control | None:
    """Return what the clocks are set to, None without clocks.

    Raises:
        BadRecord: the tag TimeControl sets no clock.
    """
    return _understood(draft, "TimeControl", _control, None)


def _control(text: str) -> Control | None:
    # Other programs write so, after PGN, where nothing is known or there is no clock.
    return None if text in ("-", "?") else parse_control(text)


def timed_out(draft: Draft, number: int) -> bool:
    """Say whether a battle is said to have ended because a time was up."""
    return value_of(draft, f"End{number}") == ENDS[Reason.TIME]


def _understood(
    draft: Draft, name: str, parse: Callable[[str], _Value], otherwise: _Value
) -> _Value:
    tag = draft.tags.get(name)
    if tag is None or not tag.value:
        return otherwise
    try:
        return parse(tag.value)
    except (InvalidRecord, InvalidPosition, InvalidControl) as error:
        raise BadRecord(tag.line, str(error)) from None


def other_tags(draft: Draft) -> tuple[tuple[str, str], ...]:
    """Return the tags that mean nothing here, as they are."""
    return tuple((name, tag.value) for name, tag in draft.tags.items() if name not in OWN_TAGS)


def compare_results(draft: Draft, record: Record) -> None:
    """Pass tags that say of the results and ends what the moves say.

    Raises:
        BadRecord: they say something else.
    """
    own = own_tags(record)
    for name in ("Result1", "End1", "Result2", "End2", "Result"):
        given = draft.tags.get(name)
        if given is None or not given.value:
            continue
        expected = own.get(name, "" if name.startswith("End") else GOES_ON)
        if given.value != expected:
            means = f"it is {expected}" if expected else "that battle goes on"
            reason = f"the tag {name} is {quoted(given.value)}, but by the moves {means}"
            raise BadRecord(given.line, reason)
