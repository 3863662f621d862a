"""Sentences about a match: who plays, how it stands, who won, why, and by how much."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from typing import TYPE_CHECKING, Final

from thud.ai.player import CALM
from thud.rules.match import (
    BATTLES,
    Handicap,
    Match,
    ahead,
    handicap_in,
    pieces_missing,
    side_of,
)
from thud.rules.position import Position, Side
from thud.rules.variant import Forfeit, Outcome, Reason, Variant
from thud.text import YOU, called, counted, does, plural, sentence, spelled, whose
from thud.words.moves import pieces_left, turn_of

if TYPE_CHECKING:
    from thud.rules.measured import Par

LOOKS_ON: Final = "You are watching."
"""Message to a guest without a seat."""


# Who plays, and how it stands


def standing(match: Match, free: Collection[int] = ()) -> list[str]:
    """Describe the state of the match; `free` are seats nobody has taken."""
    battle = match.battle
    told = [heading(match), seats(match, free), *handicap(match)]
    if battle.outcome is None:
        told.append(f"Turn {turn_of(battle, battle.played)}.")
    left = " and ".join(pieces_left(battle.position, side) for side in Side)
    told.append(f"{left} on the board.")
    if battle.outcome is None:
        told += map(_row, match.variant.progress(battle.position))
    else:
        told += result(match)
    if match.number > 1:
        made = (
            f"{called(name)} made {points(match.points(player)[0])}"
            for player, name in enumerate(match.players)
        )
        told.append(f"In the first battle {', '.join(made)}.")
        told += filter(None, [needed(match)])
    return told


def with_display_names(match: Match, you: int) -> Match:
    """Return a copy of a match with one player called `You`."""
    told = copy(match)
    told.players = calling_you(match.players, you)
    return told


def calling_you(players: tuple[str, str], you: int) -> tuple[str, str]:
    """Return the players' names with `You` for one, unless the other has that name."""
    if players[1 - you].casefold() == YOU.casefold():
        return players
    first, second = players
    return (YOU, second) if you == 0 else (first, YOU)


def heading(match: Match) -> str:
    """Say the variant, and the battle's number."""
    return f"{match.variant.title}, battle {match.number} of {BATTLES}."


def seats(match: Match, free: Collection[int] = ()) -> str:
    """Say who has which side; `free` are seats nobody has taken."""
    return " ".join(
        sentence(untaken(side))
        if match.commander(side) in free
        else f"{does(match.name_of(side), 'have')} the {side.plural}."
        for side in Side
    )


def changes(variant: Variant, before: Position, after: Position) -> list[str]:
    """Say what a move has changed: the pieces left, and the standing."""
    lines = [
        f"{pieces_left(after, side)} left."
        for side in Side
        if before.pieces(side).bit_count() > after.pieces(side).bit_count()
    ]
    counted_before = variant.progress(before)
    return lines + [_row(row) for row in variant.progress(after) if row not in counted_before]


def _row(row: tuple[str, str]) -> str:
    label, value = row
    return sentence(f"{label}: {value}")


def with_side(name: str, side: Side) -> str:
    """Return a player's name with their side; a player called by it needs no more.

    >>> with_side("Ann", Side.DWARFS), with_side("Dwarfs", Side.DWARFS)
    ('Ann (dwarfs)', 'Dwarfs')
    """
    return name if name.casefold() == side.plural else f"{name} ({side.plural})"


def handicap(match: Match) -> list[str]:
    """Say a match's handicap, empty if there is none."""
    found = handicap_in(match.variant, match.starts)
    return [handicap_in_words(match.variant, match.players, found)] if found else []


def handicap_in_short(players: tuple[str, str], handicap: Handicap) -> str:
    """Describe a handicap in a few words: `"Ann gives 2"`."""
    return f"{does(players[handicap.player], 'give')} {handicap.steps}"


def handicap_in_words(variant: Variant, players: tuple[str, str], handicap: Handicap) -> str:
    """Describe a handicap in a sentence.

    It is such as `"Ann gives one step: four dwarfs fewer to begin with, or one troll fewer."`.
    """
    dwarfs, trolls = (
        counted(pieces_missing(variant, side, handicap.steps).bit_count(), side.singular)
        for side in Side
    )
    gives = f"{does(players[handicap.player], 'give')} {counted(handicap.steps, 'step')}"
    return f"{gives}: {dwarfs} fewer to begin with, or {trolls} fewer."


def says(name: str, text: str) -> str:
    """Return a chat message with its author."""
    return f"{name} says: {text}"


def untaken(side: Side) -> str:
    """Say that nobody has taken the seat of a side yet."""
    return f"nobody has taken the {side.plural} yet"


# Results


def figure(number: float) -> str:
    """Return points in figures: 21, 0.5, 1.5."""
    return f"{number:g}"


def points(number: float) -> str:
    """Return points in words: `"21 points"`, `"half a point"`, `"one and a half points"`."""
    whole, half = int(number), number % 1 == 0.5
    if half:
        return f"{spelled(whole)} and a half points" if whole else "half a point"
    return f"{whole} {plural(whole, 'point')}"


def leader(match: Match) -> Side | None:
    """Return the side that wins the battle if both players agree to end it now."""
    return match.variant.settled(match.battle.position, Reason.AGREEMENT).winner


def why_over(match: Match, outcome: Outcome, number: int | None = None) -> str:
    """Say why a battle is over, within a sentence: `"no dwarf is left"`, `"you resign"`.

    Args:
        match: the battle's match.
        outcome: the battle's outcome.
        number: the battle's number; None for the current one.
    """
    if not outcome.forfeit:
        return outcome.because
    name = match.name_of(outcome.forfeit.loser, number)
    told = {
        Reason.TIME: f"{whose(name)} time is up",
        Reason.RESIGNATION: does(name, "resign"),
        Reason.CLAIM: f"{does(name, 'have')} been away for too long",
    }[outcome.forfeit.reason]
    return told.replace(YOU, called(YOU), 1) if name == YOU else told


def over(match: Match, outcome: Outcome) -> str:
    """Say that the battle is over, and why."""
    return f"The battle is over: {why_over(match, outcome)}."


def if_agreed(match: Match) -> str:
    """Say who wins the battle, and with the second one the match, if it is ended by agreement."""
    outcome = match.variant.settled(match.battle.position, Reason.AGREEMENT)
    told = f"{result_of(match, outcome)} if it ends here."
    if outcome.winner is None:
        told = "That makes the battle a draw."
    if match.number < BATTLES:
        return told
    return f"{told} {_verdict(match, _tally_with(match, outcome))}."


def if_forfeited(match: Match, loser: Side, reason: Reason) -> str:
    """Say who would win the battle if a side forfeited it now, and what that means for the match.

    It is such as `"Ann would win the battle by 28 points: Bob's 30 would not count."`, and then
    what the second battle has to bring, or who wins the match.
    """
    position, variant = match.battle.position, match.variant
    outcome = variant.forfeited(position, Forfeit(loser, reason))
    told = f"{match.name_of(loser.other)} would win the battle{_by(match, outcome.margin)}"
    lost = variant.settled(position, reason).score.of(loser)
    if variant.counts_points and lost:
        name = match.name_of(loser)
        told += f": {'your' if name == YOU else whose(name)} {figure(lost)} would not count"
    tally = _tally_with(match, outcome)
    last = match.number == BATTLES
    then = f"{_verdict(match, tally)}." if last else _needed(match, tally, match.starts[-1])
    return f"{told}. {then}"


def _tally_with(match: Match, outcome: Outcome) -> tuple[float, float]:
    """Return both players' points once the battle has ended with an outcome."""
    first, second = (
        before + outcome.score.of(match.side_of(player))
        for player, before in enumerate(match.tally)
    )
    return first, second


def result_of(
    match: Match, outcome: Outcome, number: int | None = None, *, brief: bool = False
) -> str:
    """Say who won a battle, and by how much: `"Ann wins the battle by 21 points"`.

    Args:
        match: the battle's match.
        outcome: the battle's outcome.
        number: the battle's number; None for the current one.
        brief: whether to leave out that it is a battle: `"Ann wins by 21 points"`.
    """
    winner = None if outcome.winner is None else match.name_of(outcome.winner, number)
    won = _won(match, winner, outcome.margin, "" if brief else " the battle")
    return won or "The battle is drawn"


def needed(match: Match) -> str:
    """Say what the second battle has to bring, once the first is over; else empty.

    It is such as `"Ann needs to win the second battle by 7 points or more."`.
    """
    if match.over or (match.number == 1 and match.battle.outcome is None):
        return ""
    position = match.starts[-1] if match.number == 1 else match.battle.position
    return _needed(match, _first_points(match), position)


def newly_needed(match: Match, before: Position) -> list[str]:
    """Say what the second battle has to bring, if the last move has changed that."""
    told = needed(match) if match.number == BATTLES else ""
    return [told] if told and told != _needed(match, _first_points(match), before) else []


def _first_points(match: Match) -> list[float]:
    return [match.points(player)[0] for player in range(len(match.players))]


def _needed(match: Match, gained: Sequence[float], position: Position) -> str:
    player, lead, most = behind(match.variant, gained, position)
    name = match.players[player]
    if not lead:
        return "Whoever wins the second battle wins the match."
    if not match.variant.counts_points:
        return f"{does(name, 'need')} to win the second battle to draw the match."
    if lead < most:
        return f"{does(name, 'need')} to win the second battle by {points(lead + 1)} or more."
    if lead == most:
        return f"{does(name, 'need')} to win the second battle by {points(lead)} to draw the match."
    return f"{name} can not win the match."


def behind(
    variant: Variant, points: Sequence[float], position: Position
) -> tuple[int, float, float]:
    """Return who is behind after the first battle, by how much, and what the second can bring.

    Args:
        variant: the game.
        points: both players' in the first battle.
        position: the second battle's: whoever loses none of the pieces there, and captures all
            others, wins by as much as those count.
    """
    player = int(points[0] > points[1])
    side = side_of(player, BATTLES)
    most = variant.worth.get(side, 1) * position.pieces(side).bit_count()
    return player, abs(points[0] - points[1]), most


def match_verdict(match: Match, *, brief: bool = False) -> str:
    """Say who won a match, with the margin where points count; `brief` as in `result_of`."""
    return _verdict(match, match.tally, brief=brief)


def _verdict(match: Match, tally: tuple[float, float], *, brief: bool = False) -> str:
    first, second = tally
    player = ahead(tally)
    winner = None if player is None else match.players[player]
    won = _won(match, winner, first - second, "" if brief else " the match")
    return won or "The match is drawn"


def _won(match: Match, winner: str | None, margin: float, what: str) -> str:
    return f"{does(winner, 'win')}{what}{_by(match, margin)}" if winner is not None else ""


def _by(match: Match, margin: float) -> str:
    return f" by {points(abs(margin))}" if match.variant.counts_points else ""


def result(match: Match) -> list[str]:
    """Say how the battle ended, and the match if it was the last."""
    battle = match.battle
    assert battle.outcome is not None
    outcome = battle.outcome
    lines = [over(match, outcome)]
    if match.variant.counts_points:
        lines += [_reckoned(match, side, outcome) for side in Side]
    lines.append(f"{result_of(match, outcome)}.")
    lines += filter(None, [needed(match)])
    if match.over:
        for name, made in zip(match.players, match.tally, strict=True):
            lines.append(f"{name}: {points(made)} in the match.")
        lines.append(f"{match_verdict(match)}.")
    return lines


def _reckoned(match: Match, side: Side, outcome: Outcome) -> str:
    if outcome.is_forfeit(side):
        return f"{match.name_of(side)}: {points(0)}, {outcome.reason.value}."
    worth, left = match.variant.worth[side], pieces_left(match.battle.position, side)
    several = match.battle.position.pieces(side).bit_count() > 1
    each = f", {points(worth)} each" if worth > 1 and several else ""
    return f"{match.name_of(side)}: {points(outcome.score.of(side))}, {left}{each}."


# What was measured


def par(variant: Variant) -> str:
    """Say how battles between equal players end; empty if that is unknown.

    It is such as `"Between equal players the dwarfs end 8 to 19 points behind."`.
    """
    found = variant.measured.par
    if not found:
        return ""
    return f"Between equal players the dwarfs {_ends(variant, found)}."


def easier_side(variant: Variant) -> Side | None:
    """Return the side that ends ahead between equal players; None if that is unknown."""
    margins = [each.dwarfs - (0 if variant.counts_points else 0.5) for each in variant.measured.par]
    return None if not any(margins) else Side.DWARFS if sum(margins) > 0 else Side.TROLLS


def _ends(variant: Variant, found: tuple[Par, ...]) -> str:
    """Say in which range battles end, in whole points or in percent of the battles."""
    scale = 1 if variant.counts_points else 100
    ends = sorted({round(scale * each.dwarfs) for each in found})
    least, most = ends[0], ends[-1]
    if not variant.counts_points:
        return f"win {_range(least, most)}% of the battles, counting draws as half"
    if least < 0 < most:
        return f"end between {-least} points behind and {most} ahead"
    where = "ahead" if most > 0 else "behind"
    return f"end {_range(*sorted((abs(least), abs(most))))} points {where}"


def _range(least: int, most: int) -> str:
    return f"about {least}" if least == most else f"{least} to {most}"


CALMED = (
    f"A battle is calm after {CALM} moves without a capture, or when a position comes up for the "
    "third time: propose the end."
)
"""When to propose the end."""
