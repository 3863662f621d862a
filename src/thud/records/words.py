"""Sentences about records: where one was saved, who its players are, and a place in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thud.records.programs import own_player
from thud.records.record import LOOKED_ON, BattleRecord, Record
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.notation import move_text
from thud.text import capitalised, counted
from thud.words.clocks import left_then
from thud.words.match import calling_you, result_of, why_over
from thud.words.moves import describe_short, described

if TYPE_CHECKING:
    from pathlib import Path

    from thud.records.summary import Summary
    from thud.records.tree import Cursor, Excerpt
    from thud.rules.position import Move, Position


def saved_as(path: Path, record: Record, excerpt: Excerpt | None = None) -> str:
    """Say where a match was saved, and which of its battles if the format holds only one."""
    from thud.records.formats import Extent, format_of  # not for the first frame

    last = len(record.battles)
    number = excerpt.battle if excerpt else last
    part = last > 1 and format_of(path).extent is not Extent.RECORD
    battle = f" (battle {number})" if part else ""
    return f"Saved as {path}{battle}"


def computer(program: str) -> str:
    """Describe a player by the program in a record: `"computer, level 4"`; empty for a person.

    >>> from thud.records.programs import written
    >>> computer(written(4)), computer("GnuThud 2"), computer("")
    ('computer, level 4', 'computer, GnuThud 2', '')
    """
    if not program:
        return ""
    found = own_player(program)
    if not found:
        return f"computer, {program}"
    what = f"level {found.level}" if found.level else found.simple
    return f"computer, {what}" if what else "computer"


def addressed_in(record: Record) -> Record:
    """Return one's own record with the person who played a computer called `You`."""
    people = [player for player in range(len(record.players)) if not record.programs[player]]
    if len(people) != 1 or LOOKED_ON in record.tags:
        return record
    return record._replace(players=calling_you(record.players, people[0]))


def addressed_in_list(match: Summary) -> Summary:
    """Return a saved match with a person without a name who played a computer called `You`.

    Names that people chose stay: several may play on one machine.
    """
    one, other = match.programs
    human = int(not other)
    if bool(one) == bool(other) or match.looked_on:
        return match
    if match.players[human] not in DEFAULT_PLAYERS:
        return match
    return match._replace(players=calling_you(match.players, human))


def place_in_words(people: Match, cursor: Cursor) -> list[str]:
    """Return lines on the move that led to a place, and its outcome.

    Args:
        people: the match, for the players' names.
        cursor: the place.
    """
    lines = []
    if cursor.before and cursor.move:
        told = describe_short(people, cursor.before, cursor.move, cursor.number)
        lines.append(told + left_then(cursor.time_left, cursor.record.control))
    if cursor.parent:
        lines.append("In a variation.")
    if cursor.outcome:
        ending = result_of(people, cursor.outcome, cursor.number)
        lines.append(f"{capitalised(why_over(people, cursor.outcome, cursor.number))}. {ending}.")
    return lines


def numbered(battle: BattleRecord, ply: int, position: Position, move: Move) -> str:
    """Return a move with the number of its turn: `"turn 12, TG7-G8"`."""
    return f"turn {battle.turn(ply)}, {move_text(position, move)}"


def asked_in_words(here: Cursor) -> str:
    """Ask what one would play at a place."""
    return f"What would you play as the {here.position.to_move.plural}?"


def answered_in_words(here: Cursor, move: Move, reply: Move | None, *, good: bool) -> str:
    """Judge an answer to the question asked at a place; tell the reply to a wrong one, if any."""
    text = move_text(here.position, move)
    if not good:
        after = here.position.after(move)
        then = f" Now the {described(here.record.variant, after, reply)}." if reply else ""
        more = here.next_move.captures.bit_count() if here.next_move else 0
        if more > move.captures.bit_count() and not (reply and reply.captures):
            victim = here.position.to_move.other.singular
            there = f"{counted(more, victim)} were" if more > 1 else f"a {victim} was"
            then = f" {capitalised(there)} there for the taking.{then}"
        return f"{text} is not as good as what was played.{then} Try another move."
    if move == here.next_move:
        return f"Right: {text} was played."
    return f"Right: {text} is as good as what was played."
