"""The words that a player can type besides moves, and what each does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from thud.engines.seating import seats_of
from thud.plain.abilities import (
    captures_in_words,
    dangers_in_words,
    piece_in_words,
    side_in_general,
)
from thud.plain.agreement import propose_end
from thud.plain.board_words import board_in_words, drawing, side_in_words, surroundings
from thud.plain.files import opened
from thud.plain.table import Left, Table
from thud.plain.thinking import give_hint
from thud.plain.undoing import make_again, take_back
from thud.plain.words import move_list, sentence, standing
from thud.records.files import save_as
from thud.records.formats import READABLE, WRITABLE, spoken
from thud.rules.geometry import parse_square, shown
from thud.rules.position import Position, Side
from thud.rules.reasons import counted


class Order(NamedTuple):
    """What a word does: with the table and the rest of the line; and how it is explained."""

    run: Callable[[Table, str], None]
    form: str
    meaning: str


def obey(table: Table, line: str) -> None:
    """Do what a line says: a word of `ORDERS`, or a move.

    Raises:
        Left: it says to leave, or the input has ended.
    """
    word, _, rest = line.partition(" ")
    name = _SHORT.get(line.lower(), word.lower())
    if not line and table.match.battle.outcome and not table.match.over:
        name = "next"
    try:
        if name in ORDERS:
            ORDERS[name].run(table, rest.strip())
        elif line.isascii() and line.isalpha():
            table.say(f"There is no word {shown(line)}. Type help, or a move like F1 F5.")
        elif line:
            table.type_move(line)
        else:
            table.say("Type a move like F1 F5, or help.")
    except (ValueError, OSError) as refusal:
        table.say(sentence(str(refusal)))


def _help(table: Table, _: str) -> None:
    table.say(
        "Type a move like F1 F5; captures like F6 G6 x F5 G5, or all, or none.",
        "A square alone is enough where only one piece can go there.",
        "These words do something else:",
        *(f"{order.form}: {order.meaning}." for order in ORDERS.values()),
    )


def _rules(table: Table, _: str) -> None:
    table.say(*table.match.variant.summary.splitlines())


def _moves(table: Table, where: str) -> None:
    variant, position = table.match.variant, table.match.battle.position
    if where:
        table.say(*piece_in_words(variant, position, parse_square(where)))
    else:
        table.say(*side_in_general(variant, position))


def _captures(table: Table, _: str) -> None:
    table.say(*captures_in_words(table.match.variant, table.match.battle.position))


def _threats(table: Table, _: str) -> None:
    table.say(*dangers_in_words(table.match.variant, table.match.battle.position))


def _board(table: Table, number: str) -> None:
    position = _position(table, number)
    table.say(*board_in_words(table.match.variant, position, flipped=table.flipped))


def _draw(table: Table, number: str) -> None:
    table.say(*drawing(_position(table, number), flipped=table.flipped))


def _position(table: Table, number: str) -> Position:
    """Return the position after so many moves of the battle, now if it is not said."""
    positions = table.match.battle.positions
    if not number:
        return positions[-1]
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        raise ValueError(f"{shown(number)} is not a number of moves")
    if int(number) >= len(positions):
        raise ValueError(f"this battle has had {counted(len(positions) - 1, 'move')}")
    return positions[int(number)]


def _look(table: Table, where: str) -> None:
    if not where:
        raise ValueError("say where to look, such as look H8")
    table.say(*surroundings(table.match.variant, table.match.battle.position, parse_square(where)))


def _dwarfs(table: Table, _: str) -> None:
    table.say(side_in_words(table.match.battle.position, Side.DWARFS))


def _trolls(table: Table, _: str) -> None:
    table.say(side_in_words(table.match.battle.position, Side.TROLLS))


def _flip(table: Table, _: str) -> None:
    table.flipped = not table.flipped
    table.say(f"Rank {15 if table.flipped else 1} comes first now.")


def _score(table: Table, _: str) -> None:
    table.say(*standing(table.match))


def _list(table: Table, _: str) -> None:
    table.say(*(move_list(table.match.battle) or ["No move has been made."]))


def _take(table: Table, style: str) -> None:
    if style.lower() not in ("all", "ask"):
        raise ValueError("say take all, or take ask")
    table.takes_all = style.lower() == "all"
    table.say(
        "A move takes all it can unless it says what."
        if table.takes_all
        else "You are asked what a move takes."
    )


def _undo(table: Table, _: str) -> None:
    take_back(table)


def _redo(table: Table, _: str) -> None:
    make_again(table)


def _hint(table: Table, _: str) -> None:
    give_hint(table)


def _again(table: Table, _: str) -> None:
    if not table.computers.seating.take_back():
        table.say("No computer has failed.")


def _end(table: Table, _: str) -> None:
    propose_end(table)


def _next(table: Table, _: str) -> None:
    table.next_battle()


def _new(table: Table, _: str) -> None:
    if not table.match.over and not table.ask_yes("This match is not over. Begin a new one?"):
        return
    table.keeping.turn_to()
    table.take_up(table.match.again())


def _save(table: Table, name: str) -> None:
    if not name:
        raise ValueError("say where to, such as save battle.tgn")
    table.say(sentence(save_as(table.keeping.record(table.match), name)))


def _open(table: Table, name: str) -> None:
    if not name:
        raise ValueError("say which file, such as open battle.tgn")
    record, match, fault = opened(name, table.keeping.store)
    complaint = table.keeping.turn_to(None if record.over else record)
    table.seat(seats_of(record))
    table.take_up(match)
    for notice in filter(None, (fault, complaint)):
        table.say(sentence(notice))


def _text(table: Table, _: str) -> None:
    table.say(table.match.battle.position.to_text())


def _quit(table: Table, _: str) -> None:
    raise Left


ORDERS: Final = {
    "help": Order(_help, "help, or ?", "this"),
    "rules": Order(_rules, "rules", "the rules in a nutshell"),
    "board": Order(_board, "board, or board 12", "what stands where now, or after 12 moves"),
    "draw": Order(_draw, "draw, or draw 12", "the same drawn in letters"),
    "look": Order(_look, "look H8", "what is on a square and in each direction from it"),
    "dwarfs": Order(_dwarfs, "dwarfs", "where the dwarfs are"),
    "trolls": Order(_trolls, "trolls", "where the trolls are"),
    "moves": Order(_moves, "moves, or moves A6", "who can move, or what one piece may do"),
    "captures": Order(_captures, "captures", "the moves that capture"),
    "threats": Order(_threats, "threats", "the pieces that could be captured next move"),
    "score": Order(_score, "score", "how the match stands"),
    "list": Order(_list, "list", "the moves of this battle"),
    "undo": Order(_undo, "undo, or u", "take the last move back"),
    "redo": Order(_redo, "redo, or r", "make it again"),
    "hint": Order(_hint, "hint", "what the computer would do"),
    "again": Order(_again, "again", "let a computer that has failed try again"),
    "end": Order(_end, "end", "ask the other player to end the battle"),
    "next": Order(_next, "next", "the second battle, once the first is over"),
    "new": Order(_new, "new", "a new match of the same players"),
    "take": Order(_take, "take all, or take ask", "what a move takes that does not say it"),
    "flip": Order(_flip, "flip", "say and draw the board from the other end"),
    "text": Order(_text, "text", "the position as text for other programs"),
    "save": Order(_save, "save FILE", f"write the match to a file: {spoken(WRITABLE, 'or')}"),
    "open": Order(
        _open,
        "open FILE",
        f"go on with, or look at, the match in a {spoken(READABLE, 'or')} file or of that id",
    ),
    "quit": Order(_quit, "quit", "leave; the match is kept"),
}
_SHORT: Final = {"?": "help", "u": "undo", "r": "redo"}
