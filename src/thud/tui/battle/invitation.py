"""What the player to move can do now, with the cursor where it is."""

from __future__ import annotations

from thud.rules.geometry import Mask, Square, listed, square_name
from thud.rules.match import Match
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant
from thud.tui.battle.hand import Hand
from thud.wording.pieces import piece_at
from thud.wording.text import capitalised


def invitation(match: Match, hand: Hand, cursor: Square) -> str:
    """Say what the player to move can do, with the cursor on a square."""
    grip, position = hand.grip, hand.position
    if match.battle.outcome:
        return ""
    if grip is None:
        what = f"a {position.to_move.singular}"
        if position.stone in hand.movable:
            what += f", or the {match.variant.stone}"
        return f"{match.name_of(position.to_move)} to move: pick up {what}"
    if grip.choice:
        return f"Choose what to capture on {square_name(grip.choice.destination)}"
    if grip.captured and cursor == grip.at:
        return f"Trampled {listed(grip.captured)}: Enter stops here, or trample on"
    if moves := grip.destinations.get(cursor):
        return _offer(match.variant, position, moves, grip.captures_at(cursor))
    piece = piece_at(position, grip.origin, match.variant.stone)
    return capitalised(f"{piece} on {square_name(grip.at)} in hand: put it down, or Esc lets go")


def _offer(variant: Variant, position: Position, moves: list[Move], captures: Mask) -> str:
    what = f"{variant.kind(position, moves[-1]).value} to {square_name(moves[-1].destination)}"
    if not captures:
        return capitalised(what)
    choices = {move.captures for move in moves}
    verb = "captures" if len(moves) == 1 else "can capture"
    if captures not in choices and Kind.TRAMPLE is not variant.kind(position, moves[-1]):
        verb += " one of"
    return capitalised(f"{what}: {verb} {listed(captures)}")
