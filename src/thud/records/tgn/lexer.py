"""The lexer of the text format: tags and words, with line numbers.

Every quantifier is possessive or bounded, so that the time is linear in the length of any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thud.records.bounds import (
    MAX_MATCHES,
    MAX_TAGS,
    BadRecord,
    InvalidRecord,
    check_comment,
    check_tag,
)
from thud.rules.match import BATTLES
from thud.wording.text import quoted

VARIANT: Final = "Variant"
"""The tag required in every record."""

_TOKEN: Final = re.compile(
    r"""
      (?P<space> \s++ )
    | \[ [ \t]*+ (?P<tag> \w++ ) [ \t]++ " (?P<value> (?: [^"\\\n] | \\["\\] )*+ ) " [ \t]*+ \]
    | \{ (?P<comment> [^{}]*+ ) \}
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?: \* | \d{1,3}+(?:\.5)?-\d{1,3}+(?:\.5)? ) (?= [\s(){}\[\]] | \Z ) )
    | (?P<number> \d{1,6}+ ) (?: \.++ )
    | (?P<dots> \.++ )
    | (?P<word> [^\s(){}\[\]]++ )
    """,
    re.VERBOSE | re.ASCII,
)

_ESCAPE: Final = re.compile(r"\\([\"\\])")


class Token(NamedTuple):
    """A token: its kind (`word`, `comment`, …), text and line number."""

    kind: str
    text: str
    line: int


class Tag(NamedTuple):
    """A tag's value and line number."""

    value: str
    line: int


class Draft(NamedTuple):
    """One match as tokens: tags by name, and the tokens of each battle.

    The last token of each battle is its result.
    """

    line: int
    tags: dict[str, Tag]
    battles: list[list[Token]]


def drafts(text: str) -> Iterator[Draft]:
    """Yield the matches of a clean text.

    Raises:
        BadRecord: the text is not laid out as a record.
    """
    number, draft = 0, None
    battle: list[Token] = []
    for token in _tokens(text):
        if draft is None or (token.kind == "tag" and draft.battles and not battle):
            if draft:
                yield draft
            draft, number = Draft(token.line, {}, []), number + 1
            if number > MAX_MATCHES:
                raise BadRecord(token.line, f"a file has at most {MAX_MATCHES} matches")
        if token.kind == "tag":
            _add_tag(draft, token, battle)
        else:
            _add_to_battle(draft, battle, token)
            battle = [] if token.kind == "result" else battle
    if draft is None:
        raise BadRecord(1, "the file is empty")
    _refuse_end(draft, battle, text)
    yield draft


def only_draft(text: str) -> Draft:
    """Return the one match of a text.

    Raises:
        BadRecord: the text is no record, or has more than one match.
    """
    first, *others = drafts(text)
    if others:
        raise BadRecord(
            others[0].line, "a second match begins, but the file of a saved match has only one"
        )
    return first


def _refuse_end(draft: Draft, battle: list[Token], text: str) -> None:
    if battle or not draft.battles:
        line = text.rstrip().count("\n") + 1
        raise BadRecord(
            line, "the file ends within a battle: add its result, or * if it is not over"
        )


def _add_tag(draft: Draft, token: Token, battle: list[Token]) -> None:
    name, _, value = token.text.partition(" ")
    if battle:
        raise BadRecord(
            token.line,
            f"the tag {name} is among the moves: the result of the battle before it is"
            " missing, or * if it is not over",
        )
    if name in draft.tags:
        raise BadRecord(token.line, f"the tag {name} is given twice")
    if len(draft.tags) == MAX_TAGS:
        raise BadRecord(token.line, f"a match has at most {MAX_TAGS} tags")
    try:
        check_tag(name, value)
    except InvalidRecord as error:
        raise BadRecord(token.line, str(error)) from None
    draft.tags[name] = Tag(value, token.line)


def _add_to_battle(draft: Draft, battle: list[Token], token: Token) -> None:
    if not draft.tags:
        raise BadRecord(draft.line, 'a record begins with a tag, such as [Variant "classic"]')
    if VARIANT not in draft.tags:
        raise BadRecord(draft.line, "the tag Variant is missing: it says which game was played")
    if len(draft.battles) == BATTLES:
        raise BadRecord(
            token.line,
            f"{quoted(token.text)} comes after the second battle: a match has two,"
            " and the next match begins with a tag",
        )
    battle.append(token)
    if token.kind == "result":
        draft.battles.append(list(battle))


def _tokens(text: str) -> Iterator[Token]:
    place, line = 0, 1
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise BadRecord(line, _complaint(text, place))
        token = _token(found, line)
        if token:
            yield token
        line += text.count("\n", place, found.end())
        place = found.end()


def _token(found: re.Match[str], line: int) -> Token | None:
    """Return a match's token, None for white space and dots."""
    if found["tag"]:
        value = _ESCAPE.sub(r"\1", found["value"])
        return Token("tag", f"{found['tag']} {value}", line)
    kind = found.lastgroup or "space"
    if kind in ("space", "dots"):
        return None
    text = found[kind]
    if kind == "comment":
        text = " ".join(text.split())
        return _comment(text, line) if text else None
    return Token(kind, text, line)


def _comment(text: str, line: int) -> Token:
    try:
        check_comment(text)
    except InvalidRecord as error:
        raise BadRecord(line, str(error)) from None
    return Token("comment", text, line)


def _complaint(text: str, place: int) -> str:
    """Return what is wrong where no token matches."""
    character = text[place]
    if character == "[":
        end = text.find("\n", place)
        tag = text[place : end if end >= 0 else len(text)]
        return f'a tag is written like [Event "A friendly match"], not {quoted(tag)}'
    if character == "{":
        if "{" in text[place + 1 :]:
            return "a comment begins inside this comment: braces do not nest"
        return "this comment never ends: } is missing"
    if character == "}":
        return "} without a comment"
    return f"{quoted(character)} does not belong here"
