"""Play the words of one battle, as a record has them, by the rules."""

from __future__ import annotations

from time import monotonic
from typing import Final

from thud.records.bounds import MAX_COMMENTS, MAX_PLIES
from thud.records.draft import Token
from thud.records.intake import BadRecord
from thud.records.record import Comment
from thud.records.tgn_writer import GOES_ON, result_text
from thud.rules.battle import Battle
from thud.rules.geometry import InvalidSquare, shown
from thud.rules.notation import InvalidMoveText, written_move
from thud.rules.position import Side
from thud.rules.variant import IllegalMove

PATIENCE: Final = 30.0
"""Seconds that checking the moves of a file may take.

The largest collections take ten; a position made for the purpose could take hours.
"""


def read_battle(
    battle: Battle, tokens: list[Token], comments: list[Comment], deadline: float
) -> None:
    """Play the tokens of a battle that has not begun, and add its comments to a list.

    The last token is the result.  What was played before a fault stays played.

    Raises:
        BadRecord: a token makes no sense, a move is not legal, or it is past the deadline.
    """
    *tokens, result = tokens
    brackets = [place for place, token in enumerate(tokens) if token.kind in ("open", "close")]
    if not brackets:
        _play_all(battle, tokens, comments, deadline)
    else:
        opening, closing = _pair(tokens, brackets)
        _play_all(battle, tokens[:opening], comments, deadline)
        _play_undone(battle, tokens[opening + 1 : closing], deadline)
        _add_last(battle, tokens[closing + 1 :], comments)
    _end(battle, result)


def play_text(battle: Battle, text: str, line: int) -> None:
    """Play a move from its text.

    Raises:
        BadRecord: it is not a move, or not a legal one.
    """
    if len(battle.moves) == MAX_PLIES:
        raise BadRecord(line, f"a battle in a record has at most {MAX_PLIES} moves")
    try:
        battle.play(written_move(battle.variant, battle.position, text))
    except InvalidMoveText as error:
        raise BadRecord(line, str(error)) from None
    except (IllegalMove, InvalidSquare) as error:
        raise BadRecord(line, f"{' '.join(text.split())}: {error}") from None


def _pair(tokens: list[Token], brackets: list[int]) -> tuple[int, int]:
    """Return where the one pair of parentheses is, which holds the moves taken back."""
    kinds = [tokens[place].kind for place in brackets]
    if kinds[:2] == ["open", "close"] and len(brackets) == 2:
        return brackets[0], brackets[1]
    if kinds[0] == "close":
        raise BadRecord(tokens[brackets[0]].line, "a parenthesis is closed that was not opened")
    if len(kinds) == 1:
        raise BadRecord(tokens[brackets[0]].line, "a parenthesis is opened and never closed")
    wrong = tokens[brackets[1 if kinds[1] == "open" else 2]]
    reason = "a battle has one pair of parentheses, for the moves taken back at its end"
    raise BadRecord(wrong.line, reason)


def _play_all(
    battle: Battle, tokens: list[Token], comments: list[Comment], deadline: float
) -> None:
    for token in tokens:
        if token.kind == "comment":
            _add_comment(battle, token, comments)
        elif token.kind == "number":
            _check_number(battle, token)
        else:
            if monotonic() > deadline:
                raise BadRecord(token.line, f"checking the moves took over {PATIENCE:.0f} seconds")
            play_text(battle, token.text, token.line)


def _play_undone(battle: Battle, tokens: list[Token], deadline: float) -> None:
    """Play what was taken back and take it back."""
    played = len(battle.moves)
    for token in tokens:
        if token.kind == "comment":
            raise BadRecord(token.line, "a comment stands among the moves taken back")
    try:
        _play_all(battle, tokens, [], deadline)
    finally:
        while len(battle.moves) > played:
            battle.undo()


def _add_last(battle: Battle, tokens: list[Token], comments: list[Comment]) -> None:
    for token in tokens:
        if token.kind != "comment":
            raise BadRecord(token.line, f"{shown(token.text)} stands after the moves taken back")
        _add_comment(battle, token, comments)


def _add_comment(battle: Battle, token: Token, comments: list[Comment]) -> None:
    if len(comments) == MAX_COMMENTS:
        raise BadRecord(token.line, f"a battle in a record has at most {MAX_COMMENTS} comments")
    comments.append(Comment(len(battle.moves), token.text))


def _check_number(battle: Battle, token: Token) -> None:
    trolls_began = battle.positions[0].to_move is Side.TROLLS
    turn = 1 + (len(battle.moves) + trolls_began) // 2
    if int(token.text) != turn:
        raise BadRecord(token.line, f"the move number {token.text}. stands where {turn}. belongs")


def _end(battle: Battle, result: Token) -> None:
    """End a battle by agreement if its result says so and nothing else has ended it."""
    if battle.outcome is None and result.text == GOES_ON:
        return
    agreed = battle.outcome is None
    if agreed:
        battle.agree()
    outcome = battle.outcome
    if result.text != (points := result_text(outcome)):
        if agreed:
            battle.undo()
        because = f" ({outcome.because})" if outcome and not agreed else ""
        raise BadRecord(result.line, f"the result is {points}{because}, not {result.text}")
