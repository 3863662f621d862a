"""The questions of picking a move, and what a piece can do."""

from __future__ import annotations

from rich.text import Text

from thud.rules.geometry import Square, square_name, squares_of
from thud.rules.position import Position
from thud.rules.tactics import abilities
from thud.rules.variant import Variant
from thud.text import capitalised
from thud.tui.board.cursor import direction_keys
from thud.tui.picking.picker import CaptureChoice, Take
from thud.tui.widgets.prompt import PromptAnswer, Question
from thud.words.moves import piece_at


def captures(choice: CaptureChoice, *, flipped: bool) -> Question[Take | Square | None]:
    """Ask which pieces to capture, None to go back; the keys depend on how the board lies."""
    keys = {
        square: direction_keys(choice.destination, square, flipped=flipped)
        for square in squares_of(choice.victims)
    }
    taken, victims = choice.taken.bit_count(), choice.victims.bit_count()
    text = Text.assemble(
        ("Capture from ", ""),
        (square_name(choice.destination), "bold"),
        f": {taken} of {victims}\n",
    )
    # As they lie around it, and their keys on the numpad.
    around = {pointing[0]: square for square, pointing in keys.items()} | {"5": choice.destination}
    for row in "789", "456", "123":
        if any(key in around for key in row):
            cells = (_victim(choice, key, around.get(key)) for key in row)
            text.append(f"\n{'  '.join(cells)}".rstrip())
    single = victims == 1
    if single:
        (pointing,) = keys.values()
        text.append(f"\n\nClick it, or press {pointing[0]}, to {'spare' if taken else 'take'} it.")
    else:
        text.append("\n\nClick one, or press its number, to take or spare it.")
    these = ("capture it" if taken else "spare it") if single else "capture these"
    every, none = (None, None) if single else ("all of them", "none of them")
    answers: list[PromptAnswer[Take | Square | None]] = [
        *(PromptAnswer(pointing, None, square) for square, pointing in keys.items()),
        PromptAnswer(("enter", "space", "5", "kp_begin"), these, Take.THESE),
    ]
    if choice.is_legal(choice.victims):
        answers.append(PromptAnswer(("a",), every, Take.ALL))
    if choice.is_legal(0):
        answers.append(PromptAnswer(("n",), none, Take.NONE))
    return Question(text, [*answers, PromptAnswer(("escape", "backspace"), "back", None)])


def _victim(choice: CaptureChoice, key: str, square: Square | None) -> str:
    """Return a victim with its key and whether it is taken; or the piece's own square."""
    if square is None:
        return " " * 7
    name = square_name(square)
    if square == choice.destination:
        return f"{name:^7}"
    return f"{key}[{'×' if choice.taken >> square & 1 else ' '}]{name:<3}"


def explanation(variant: Variant, position: Position, square: Square) -> Question[None]:
    """Show where the piece on a square can move, until a key closes it; captures are marked."""
    may = abilities(variant, position, square)
    piece = piece_at(position, square, variant.stone)
    text = Text(f"{capitalised(piece)} on {square_name(square)}", "bold")
    if may.side is not position.to_move:
        text.append("\nif it were its turn", "italic")
    for kind, places in may.kinds.items():
        text.append(f"\n\n{kind.value}:", "bold")
        for where, taken in places.items():
            many = taken.bit_count() if taken.bit_count() > 1 else ""
            text.append(f" {square_name(where)}" + (f"×{many}" if taken else ""))
    if not may.moves:
        text.append("\n\ncannot move.")
    close = ("escape", "enter", "space", "d", "backspace")
    return Question(text, [PromptAnswer(close, "close", None)], yields=True)
