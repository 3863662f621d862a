"""Reasons for and against a move, as sentences about what the board shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from thud.rules import tactics
from thud.rules.geometry import Mask, in_file_order, listed, mask_of, square_name
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import Compared, Fault, wins
from thud.rules.threats import threats_in
from thud.rules.variant import Gain, Kind, Merit, Variant
from thud.text import counted, spelled
from thud.words.moves import described, pieces

_CLAUSES: Final = {
    Gain.WINS: "wins at once",
    Gain.TAKES: "captures {victims}",
    Gain.THREATENS_TO_WIN: "threatens to win next",
    Gain.KEEPS_FROM_WINNING: "stops the {others} from winning at once",
    Gain.THREATENS: "threatens {their}",
    Gain.SAVES: "saves {our}",
    Gain.FLEES: "gets the {own} out of danger",
    Gain.LEAVES_NONE: "leaves no {own} in danger",
    Gain.AVENGED: "lets the {ours} hit back after any capture",
    Gain.NEARER: "brings the {stone} nearer to the far side",
    Gain.BESIDE: "gets {mine} next to the {stone}",
    Gain.OPENS: "lets the {stone} go on to {any}",
    Gain.DENIES: "keeps the {stone} from {any}",
    Gain.GETS_AWAY: "leaves {trolls} within a move of the {stone}",
    Gain.AWAITS: "has a dwarf ready for the {stone} at {any}",
    Gain.LINES_UP: "makes a line of {mine}",
    Gain.JOINS: "puts the {own} next to {others_of_own}",
}

_NAMED: Final = 2
"""Most threatened pieces that are named."""

FAULTS: Final = {
    Fault.LETS_WIN: "let the other side win",
    Fault.MISSES_WIN: "missed a win",
    Fault.HANGS: "left pieces hanging",
    Fault.MISSES_CAPTURE: "missed a capture",
    Fault.LOSES_LATER: "could have lost the battle soon after",
    Fault.FORGOES_WIN: "could have won soon after",
    Fault.LOSES_SOON: "lost pieces soon after",
    Fault.LEAVES_OPEN: "left dwarfs open to capture",
    Fault.BREAKS_BLOCK: "broke up the block",
    Fault.OPENS_MORE: "opened more squares to captures",
    Fault.STRAYS: "left a dwarf alone",
    Fault.FORGOES_BLOCK: "gathered less than was possible",
    Fault.EXPOSES: "left more to capture than was needed",
    Fault.FORGOES_THREAT: "threatened less than was possible",
    None: "led to a worse position in the long run",
}
"""What a bad move did, by fault; None if neither the board nor a line shows it."""


# For a move


def merits(
    variant: Variant,
    position: Position,
    move: Move,
    *,
    known: Collection[Gain] = (),
    unlike: Move | None = None,
    most: int = 3,
) -> str:
    """Say a legal move's merits in a sentence or two; empty if it has none visible on the board.

    Args:
        variant: the variant.
        position: the position before the move.
        move: the move.
        known: gains that need no telling, as the move has been described.
        unlike: another move; what it does, too, is said only if there is nothing else.
        most: the most merits said.
    """
    found = [each for each in tactics.merits(variant, position, move) if each.gain not in known]
    if unlike:
        shared = set(tactics.merits(variant, position, unlike))
        found = [each for each in found if each not in shared] or found
    side, later, clauses = position.to_move, list[str](), list[str]()
    for each in found[:most]:
        shoved = 0
        if each.gain is Gain.THREATENS:
            shoved = _only_by_shove(variant, position.after(move), each.pieces)
        if shoved:
            how = "a shove" if shoved.bit_count() == 1 else "shoves"
            later.append(f"After it, {how} could capture {_some(side.other, shoved)}.")
        if each.gain is Gain.CLOSES_IN:
            number = each.pieces.bit_count()
            are = f"{counted(number, 'troll')} {'is' if number == 1 else 'are'}"
            later.append(f"Then {are} within a move of the {variant.stone}.")
        elif shoved != each.pieces or not shoved:
            clauses.append(_clause(variant, side, Merit(each.gain, each.pieces & ~shoved)))
    *others, last = clauses or [""]
    told = f"It {', '.join(others)}, and {last}." if others else f"It {last}." if last else ""
    return " ".join(filter(None, [told, *later]))


def _only_by_shove(variant: Variant, after: Position, victims: Mask) -> Mask:
    """Return which pieces only a shove, of a line of trolls, could capture."""
    shoved = direct = 0
    for aim in threats_in(variant, after).aims:
        if aim.kind is Kind.SHOVE:
            shoved |= aim.victims
        else:
            direct |= aim.victims
    return victims & shoved & ~direct


def _some(side: Side, squares: Mask) -> str:
    """Name pieces, at most two of them: `"the dwarfs on D3 and F3, and two others"`."""
    named, rest = in_file_order(squares)[:_NAMED], squares.bit_count() - _NAMED
    others = f", and {spelled(rest)} other{'s' * (rest > 1)}" if rest > 0 else ""
    return f"{pieces(side, mask_of(*named))}{others}"


def _clause(variant: Variant, side: Side, merit: Merit) -> str:
    """Return a merit as a clause without its subject."""
    number = merit.pieces.bit_count()
    return _CLAUSES[merit.gain].format(
        own=side.singular,
        ours=side.plural,
        others=side.other.plural,
        our=pieces(side, merit.pieces),
        their=_some(side.other, merit.pieces),
        victims=counted(number, side.other.singular),
        trolls=counted(number, "troll"),
        mine=counted(number, side.singular),
        others_of_own="another" if number == 1 else f"{spelled(number)} others",
        any=listed(merit.pieces, "or"),
        stone=variant.stone,
    )


# Against a move


def reply_wins(variant: Variant, after: Position, reply: Move) -> str:
    """Say that the reply wins."""
    return f"The reply: the {described(variant, after, reply)}, and wins at once."


def reply_captures(variant: Variant, after: Position, reply: Move) -> str:
    """Say what the reply captures."""
    return f"The reply: the {described(variant, after, reply)}."


def instead(variant: Variant, position: Position, move: Move) -> str:
    """Say what another move would do."""
    path = f"The move from {square_name(move.origin)} to {square_name(move.destination)}"
    if wins(variant, position, move):
        return f"{path} would win at once."
    return f"{path} would capture {pieces(position.to_move.other, move.captures)}."


def describe_fault(variant: Variant, compared: Compared, found: Fault) -> str:
    """Say a move's fault in a sentence."""
    position, move, best, answer = compared
    if not found.answered or answer is None:
        return instead(variant, position, best)
    after = position.after(move)
    return (reply_wins if found is Fault.LETS_WIN else reply_captures)(variant, after, answer)
