"""The lexer of the text format: tags and words, with line numbers.

Every quantifier is possessive or bounded, so that the time is linear in the length of any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thud.records.bounds import MAX_MATCHES, BadRecord, clean
from thud.records.record import MAX_TAGS, InvalidRecord, check_comment, check_tag
from thud.rules.match import BATTLES
from thud.rules.notation import DASHES
from thud.text import quoted

VARIANT: Final = "Variant"
"""The tag required in every record."""

_TOKEN: Final = re.compile(
    r"""
    (?: (?P<word> [A-Za-z][^\s(){}\[\];]*+ )
    | (?P<space> \s++ )
    | \[ [ \t]*+ (?P<tag> \w++ ) [ \t]++ " (?P<value> (?: [^"\\\n] | \\["\\] )*+ ) " [ \t]*+ \]
    | \{ (?P<comment> [^{}]*+ ) \}
    | ; (?P<line> [^\n]*+ )
    | (?<! [^\n] ) (?P<escape> % [^\n]*+ )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> (?: \* | \d{1,3}+(?:\.5)?[-‐-—−]\d{1,3}+(?:\.5)? ) (?= [\s(){}\[\];] | \Z ) )
    | (?P<number> \d{1,6}+ ) (?: \.++ )
    | (?P<dots> \.++ )
    | (?P<other> [^\s(){}\[\];]++ )
    ) [ ]*+
    """,
    re.VERBOSE | re.ASCII,
)

_TAGS: Final = ("tag", "bad tag")
_MOVES: Final = ("word", "number")
_NO_TAG: Final = 'a record begins with a tag, such as [Variant "classic"]'
_ESCAPE: Final = re.compile(r"\\([\"\\])")
_BRACES: Final = str.maketrans("{}", "()")
"""Only a comment up to the end of its line can have braces."""


class Token(NamedTuple):
    """A token: its kind (`word`, `comment`, …), text and place.

    Damaged text has kinds of its own, whose text is the reason: of a `fault` nothing is lost but
    a comment or a character, of a `bad tag` that tag, and behind `damage` moves may be missing.
    """

    kind: str
    text: str
    line: int
    column: int

    def fault(self, reason: str) -> BadRecord:
        """Return the error for a fault at this token."""
        return BadRecord(self.line, reason, self.column)


class Draft:
    """One match as tokens.

    Attributes:
        line: the number of its first line.
        tags: its tags by name, each with its value as text.
        battles: the tokens of each battle; the last is its result, unless that is missing.
        battle: the tokens of a battle without a result so far.
        fault: its first fault, None without any.
    """

    def __init__(self, line: int, column: int = 1) -> None:
        self.line = line
        self.column = column
        self.tags: dict[str, Token] = {}
        self.battles: list[list[Token]] = []
        self.fault: BadRecord | None = None
        self.battle: list[Token] = []

    def note(self, fault: BadRecord) -> None:
        """Note a fault; the first in the text is kept."""
        if fault.precedes(self.fault):
            self.fault = fault

    def _note_at(self, token: Token, reason: str) -> None:
        """Note a fault at a token, which costs next to nothing if there was one before."""
        if self.fault is None or (token.line, token.column) < (self.fault.line, self.fault.column):
            self.fault = token.fault(reason)

    def ends_before(self, token: Token) -> bool:
        """Whether a tag begins the next match."""
        begun = self.battles or self.battle
        return bool(self.tags and begun) and (token.kind == "tag" or token.column == 1)

    def add(self, token: Token) -> None:
        """Add a token of this match, or note its fault."""
        if token.kind == "tag":
            self._add_tag(token)
        elif token.kind == "fault" or (token.kind == "bad tag" and not self.battle):
            self._note_at(token, token.text)
        elif not self.tags:
            self._note_at(token, _NO_TAG)
        elif len(self.battles) == BATTLES:
            after = f"{quoted(token.text)} comes after the second battle: a match has two,"
            self.note(token.fault(f"{after} and the next match begins with a tag"))
        else:
            self.battle.append(token)
            if token.kind == "result":
                self.battles.append(self.battle)
                self.battle = []

    def finish(self, following: Token | None, text: str) -> None:
        """Note what is missing at the end.

        Args:
            following: the first token of the next match, None at the end of the text.
            text: the whole text.
        """
        if not self.tags:
            self.note(BadRecord(self.line, _NO_TAG, self.column))
        elif VARIANT not in self.tags:
            missing = "the tag Variant is missing: it says which game was played"
            self.note(BadRecord(self.line, missing, self.column))
        if self.battles and not self.battle:
            return
        if following:
            name = f"the tag {following.text.split()[0]}" if following.kind == "tag" else "a tag"
            missing = f"{name} is among the moves: the result of the battle before it is missing,"
            self.note(following.fault(f"{missing} or * if it is not over"))
        else:
            missing = "the file ends within a battle: add its result, or * if it is not over"
            lines = text.rstrip().split("\n")
            self.note(BadRecord(len(lines), missing, len(lines[-1]) + 1))
            if self.battle and self.battle[-1].kind == "word" and not text[-1].isspace():
                self.battle.pop()  # it may be cut short
        self.battles.append(self.battle)

    def _add_tag(self, token: Token) -> None:
        name, _, value = token.text.partition(" ")
        if name != VARIANT and name.lower() == VARIANT.lower():
            self.note(token.fault(f"the tag {VARIANT} is written like this, not {quoted(name)}"))
            name = VARIANT
        try:
            check_tag(name, value)
        except InvalidRecord as error:
            self.note(token.fault(str(error)))
            return
        if name in self.tags:
            self.note(token.fault(f"the tag {name} is given twice"))
        elif len(self.tags) == MAX_TAGS:
            self.note(token.fault(f"a match has at most {MAX_TAGS} tags"))
        else:
            self.tags[name] = token._replace(text=value)


def drafts(text: str) -> Iterator[Draft]:
    """Yield the matches of a text, each with its first fault.

    After a fault, the next match begins with the next tag.

    Raises:
        BadRecord: the text is too large or empty.
    """
    text, strange = clean(text)
    strange.reverse()
    draft: Draft | None = None
    number = 0
    for token in _tokens(text):
        if token.kind in _MOVES and draft and draft.battle and not strange:
            draft.battle.append(token)
            continue
        if draft is None or (token.kind in _TAGS and draft.ends_before(token)):
            if draft:
                draft.finish(token, text)
                yield draft
            draft, number = Draft(token.line, token.column), number + 1
            if number > MAX_MATCHES:
                draft.note(BadRecord(token.line, f"a file has at most {MAX_MATCHES} matches"))
                yield draft
                return
        while strange and strange[-1].line <= token.line:
            draft.note(strange.pop())
        draft.add(token)
    if draft is None:
        raise strange[-1] if strange else BadRecord(1, "the file is empty")
    while strange:
        draft.note(strange.pop())
    draft.finish(None, text)
    yield draft


def only_draft(text: str) -> Draft:
    """Return the one match of a text, which is laid out without a fault.

    Raises:
        BadRecord: there is a fault, or a second match.
    """
    first, *others = drafts(text)
    if first.fault:
        raise first.fault
    if others:
        second = "a second match begins, but the file of a saved match has only one"
        raise BadRecord(others[0].line, second, others[0].column)
    return first


def _tokens(text: str) -> Iterator[Token]:
    """Yield all tokens but dots, empty comments, and lines that begin with `%`."""
    place, line, begin = 0, 1, 0
    while place < len(text):
        for found in iter(_TOKEN.scanner(text, place).match, None):  # type: ignore[attr-defined]
            kind, (start, place) = found.lastgroup, found.span()
            column = start - begin + 1
            if kind in ("word", "number", "open", "close"):
                yield Token(kind, found[kind], line, column)
                continue
            if kind == "value":
                value = _ESCAPE.sub(r"\1", found["value"])
                yield Token("tag", f"{found['tag']} {value}", line, column)
            elif kind in ("comment", "line"):
                if comment := " ".join(found[kind].translate(_BRACES).split()):
                    try:
                        check_comment(comment)
                    except InvalidRecord as error:
                        yield Token("fault", str(error), line, column)
                    else:
                        yield Token("comment", comment, line, column)
            elif kind == "result":
                yield Token(kind, found[kind].translate(DASHES), line, column)
            elif kind == "other":
                yield Token("word", found[kind], line, column)
            if newlines := text.count("\n", start, place):
                line += newlines
                begin = text.rindex("\n", 0, place) + 1
        if place < len(text):
            place, damage = _damaged(text, place, line, place - begin + 1)
            yield damage


def _damaged(text: str, place: int, line: int, column: int) -> tuple[int, Token]:
    """Return where to read on when no token matches, and a token that says what is wrong."""
    character = text[place]
    if character not in "[{":
        reason = "} without a comment"
        if character != "}":
            reason = f"{quoted(character)} does not belong here"
        return place + 1, Token("fault", reason, line, column)
    found = text.find("\n", place)
    end = found if found >= 0 else len(text)
    if character == "[":
        reason = 'a tag is written like [Event "A friendly match"], not '
        return end, Token("bad tag", reason + quoted(text[place:end]), line, column)
    reason = "this comment never ends: } is missing"
    if text.find("{", place + 1) >= 0:
        reason = "a comment begins inside this comment: braces do not nest"
    return end, Token("damage", reason, line, column)
