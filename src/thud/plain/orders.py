"""The words that a player can type besides moves, and what each does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from thud.plain.abilities import (
    captures_in_words,
    dangers_in_words,
    piece_in_words,
    side_in_general,
)
from thud.plain.board_words import board_in_words, drawing, side_in_words, surroundings
from thud.plain.conversation import Conversation, Left
from thud.plain.rules_words import rules_on, topics_in_words
from thud.plain.words import move_list, sentence, standing
from thud.records.files import open_named, save_as
from thud.records.formats import READABLE, WRITABLE, spoken
from thud.rules.geometry import parse_square, shown
from thud.rules.position import Position, Side
from thud.rules.reasons import counted


class Order(NamedTuple):
    """What a word does: with the conversation and the rest of the line; and how it is explained."""

    run: Callable[[Conversation, str], None]
    form: str
    meaning: str


def obey(talk: Conversation, line: str) -> None:
    """Do what a line says: a word of `ORDERS`, or a move.

    Raises:
        Left: it says to leave, or the input has ended.
    """
    word, _, rest = line.partition(" ")
    name = _SHORT.get(line.lower(), word.lower())
    if not line and talk.session.battle.outcome and not talk.match.over:
        name = "next"
    try:
        if name in ORDERS:
            ORDERS[name].run(talk, rest.strip())
        elif line.isascii() and line.isalpha():
            talk.say(f"There is no word {shown(line)}. Type help, or a move like F1 F5.")
        elif line:
            talk.type_move(line)
        else:
            talk.say("Type a move like F1 F5, or help.")
    except (ValueError, OSError) as refusal:
        talk.say(sentence(str(refusal)))


def _help(talk: Conversation, _: str) -> None:
    talk.say(
        "Type a move like F1 F5; captures like F6 G6 x F5 G5, or all, or none.",
        "A square alone is enough where only one piece can go there.",
        "These words do something else:",
        *(f"{order.form}: {order.meaning}." for order in ORDERS.values()),
    )


def _rules(talk: Conversation, topic: str) -> None:
    variant = talk.match.variant
    if topic:
        talk.say(*rules_on(variant, topic.lower()))
    else:
        talk.say(*variant.summary.splitlines(), *topics_in_words(variant))


def _moves(talk: Conversation, where: str) -> None:
    variant, position = talk.match.variant, talk.session.battle.position
    if where:
        talk.say(*piece_in_words(variant, position, parse_square(where)))
    else:
        talk.say(*side_in_general(variant, position))


def _captures(talk: Conversation, _: str) -> None:
    talk.say(*captures_in_words(talk.match.variant, talk.session.battle.position))


def _threats(talk: Conversation, _: str) -> None:
    talk.say(*dangers_in_words(talk.match.variant, talk.session.battle.position))


def _board(talk: Conversation, number: str) -> None:
    position = _position(talk, number)
    talk.say(*board_in_words(talk.match.variant, position, flipped=talk.narrator.flipped))


def _draw(talk: Conversation, number: str) -> None:
    talk.say(*drawing(_position(talk, number), flipped=talk.narrator.flipped))


def _position(talk: Conversation, number: str) -> Position:
    """Return the position after so many moves of the battle, now if it is not said."""
    positions = talk.session.battle.positions
    if not number:
        return positions[-1]
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        raise ValueError(f"{shown(number)} is not a number of moves")
    if int(number) >= len(positions):
        raise ValueError(f"this battle has had {counted(len(positions) - 1, 'move')}")
    return positions[int(number)]


def _look(talk: Conversation, where: str) -> None:
    if not where:
        raise ValueError("say where to look, such as look H8")
    talk.say(*surroundings(talk.match.variant, talk.session.battle.position, parse_square(where)))


def _dwarfs(talk: Conversation, _: str) -> None:
    talk.say(side_in_words(talk.session.battle.position, Side.DWARFS))


def _trolls(talk: Conversation, _: str) -> None:
    talk.say(side_in_words(talk.session.battle.position, Side.TROLLS))


def _flip(talk: Conversation, _: str) -> None:
    talk.narrator.flipped = not talk.narrator.flipped
    talk.say(f"Rank {15 if talk.narrator.flipped else 1} comes first now.")


def _score(talk: Conversation, _: str) -> None:
    talk.say(*standing(talk.match))


def _list(talk: Conversation, _: str) -> None:
    talk.say(*(move_list(talk.session.battle) or ["No move has been made."]))


def _take(talk: Conversation, style: str) -> None:
    if style.lower() not in ("all", "ask"):
        raise ValueError("say take all, or take ask")
    talk.takes_all = style.lower() == "all"
    talk.say(
        "A move takes all it can unless it says what."
        if talk.takes_all
        else "You are asked what a move takes."
    )


def _undo(talk: Conversation, _: str) -> None:
    talk.do(talk.session.undo())


def _redo(talk: Conversation, _: str) -> None:
    talk.do(talk.session.redo())


def _hint(talk: Conversation, _: str) -> None:
    talk.do(_advised(talk))


async def _advised(talk: Conversation) -> None:
    talk.narrator.wait()
    await talk.session.advise()


def _again(talk: Conversation, _: str) -> None:
    if not talk.session.try_again():
        talk.say("No computer has failed.")


def _end(talk: Conversation, _: str) -> None:
    talk.do(talk.session.propose_end())


def _next(talk: Conversation, _: str) -> None:
    talk.do(talk.session.next_battle())


def _new(talk: Conversation, _: str) -> None:
    if not talk.match.over and not talk.ask_yes("This match is not over. Begin a new one?"):
        return
    talk.do(talk.session.new_match())


def _save(talk: Conversation, name: str) -> None:
    if not name:
        raise ValueError("say where to, such as save battle.tgn")
    talk.say(sentence(save_as(talk.session.record, name)))


def _open(talk: Conversation, name: str) -> None:
    if not name:
        raise ValueError("say which file, such as open battle.tgn")
    record, fault = open_named(name, talk.session.keeper.store)
    talk.do(talk.session.open(record))
    if fault:
        talk.say(sentence(fault))


def _text(talk: Conversation, _: str) -> None:
    talk.say(talk.session.battle.position.to_text())


def _quit(talk: Conversation, _: str) -> None:
    raise Left


ORDERS: Final = {
    "help": Order(_help, "help, or ?", "this"),
    "rules": Order(_rules, "rules, or rules end", "the rules in a nutshell, or on one topic"),
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
