"""What is wrong with a marked move, as far as the board shows it, at once or a few moves later."""

from __future__ import annotations

from collections.abc import Sequence

from thud.review.judgement import Judgement
from thud.rules.notation import texts_of
from thud.rules.position import Move, Position
from thud.rules.tactics import TELLING, Compared, Fault, captured_worth, fault, wins
from thud.rules.variant import Variant
from thud.wording.remarks import told
from thud.wording.text import counted


def fault_of(
    variant: Variant, position: Position, move: Move, judgement: Judgement
) -> Fault | None:
    """Return what is wrong with a move that has a mark; None if no board shows anything."""
    if judgement.best is None:
        return None
    found = fault(variant, _compared(position, move, judgement))
    if found in (Fault.LETS_WIN, Fault.MISSES_WIN):
        return found
    after = position.after(move)
    if _won(variant, after, judgement.reply):
        return Fault.LETS_WIN
    if _won(variant, position, (judgement.best, *judgement.line)):
        return Fault.MISSES_WIN
    if found is None and _loses_soon(variant, position, move, judgement):
        return Fault.LOSES_SOON
    return found


def because(variant: Variant, position: Position, move: Move, judgement: Judgement) -> str:
    """Say in a sentence what is wrong with a move that has a mark; nothing if nothing shows."""
    found, best = fault_of(variant, position, move, judgement), judgement.best
    if found is None or best is None:
        return ""
    after, reply = position.after(move), judgement.reply
    if found is Fault.LOSES_SOON:
        return _what_is_lost(after, reply)
    if found is Fault.LETS_WIN and not wins(variant, after, reply[0]):
        return f"After {_texts(after, reply)} the {after.to_move.plural} win."
    if found is Fault.MISSES_WIN and not wins(variant, position, best):
        line = _texts(position, (best, *judgement.line))
        return f"{line} would win."
    return told(variant, _compared(position, move, judgement), found)


def _won(variant: Variant, position: Position, line: Sequence[Move]) -> bool:
    """Say whether a line ends with the goal of whoever begins it."""
    side = position.to_move
    for move in line:
        position = position.after(move)
    outcome = variant.decided(position) if line else None
    return outcome is not None and outcome.winner is side


def _texts(position: Position, line: Sequence[Move]) -> str:
    return " ".join(texts_of(position, line))


def _compared(position: Position, move: Move, judgement: Judgement) -> Compared:
    assert judgement.best is not None
    reply = judgement.reply[0] if judgement.reply else None
    return Compared(position, move, judgement.best, reply)


def _loses_soon(variant: Variant, position: Position, move: Move, judgement: Judgement) -> bool:
    """Say whether what follows on a move takes more than what follows on the best."""
    assert judgement.best is not None
    losing = _gained(variant, position, (move, *judgement.reply))
    saving = _gained(variant, position, (judgement.best, *judgement.line))
    return losing < 0 and saving - losing >= TELLING


def _gained(variant: Variant, position: Position, moves: Sequence[Move]) -> float:
    """Return the points that a line takes for whoever begins it, less those that it loses."""
    points, sign = 0, 1
    for move in moves:
        points += sign * captured_worth(variant, position, move)
        position, sign = position.after(move), -sign
    return points


def _what_is_lost(position: Position, line: Sequence[Move]) -> str:
    """Say what a line takes, as far as its last capture by whoever begins it."""
    side = position.to_move
    own = [place for place in range(0, len(line), 2) if line[place].captures]
    line = line[: own[-1] + 1]
    taken, lost = (sum(move.captures.bit_count() for move in line[begin::2]) for begin in (0, 1))
    texts = _texts(position, line)
    gone = f"{counted(taken, side.other.singular)} {'is' if taken == 1 else 'are'} gone"
    price = f" for {counted(lost, side.singular)}" if lost else ""
    return f"After {texts}, {gone}{price}."
