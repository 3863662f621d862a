"""Replaying a match, in plain text: from place to place, with variations, comments and marks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Final

from thud.plain.lines import Lines
from thud.plain.repl import (
    BOARD_COMMANDS,
    NO_MOVES,
    Left,
    Repl,
    TypedCommand,
    execute,
    help_with,
    leave,
    number_of_moves,
)
from thud.plain.review import tried_in_words
from thud.records import editing
from thud.records.annotation import MARKS, typed_shapes, written_shapes
from thud.records.annotation_store import AnnotationStore
from thud.records.formats import WRITABLE, save_as
from thud.records.questions import Questions
from thud.records.record import moves_of
from thud.records.tree import Cursor, destination, one_on
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.text import counted, joined, plural, sentence
from thud.wording.moves import move_list
from thud.wording.records import (
    addressed_in,
    answered_in_words,
    asked_in_words,
    place_in_words,
    saved_as,
)

_NONE: Final = "none"
"""Typed to take a mark, shapes or a comment away."""


class ReplayRepl(Repl):
    """A REPL of a record, one place at a time.

    Args:
        annotations: the record, and what saves its changes.
        lines: output and input.
        off: the disabled commands.

    Attributes:
        place: the place in the record.
        questions: the questions still open.
        commands: the commands, besides a move to try.
    """

    def __init__(
        self, annotations: AnnotationStore, lines: Lines, off: Container[str] = ()
    ) -> None:
        super().__init__(lines)
        self.annotations = annotations
        self.place = Cursor.at(annotations.record, 1, 0)
        self.questions = Questions()
        self.commands = {name: each for name, each in REPLAY_COMMANDS.items() if name not in off}
        record = annotations.record
        self._people = (addressed_in(record) if annotations.own else record).match_at_start()

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.place.record.variant

    @property
    def positions(self) -> Sequence[Position]:
        """The positions on the way here."""
        return self.place.positions[: self.place.ply + 1]

    def make(self, move: Move) -> None:
        """Answer a question; else follow the line if the move is its next, or begin a variation."""
        here = self.place
        if not self.questions.open_at(here):
            self.change(editing.played(here, move))
            return
        good = self.questions.answer(here, move)
        self.say(answered_in_words(here, move, good=good))
        if good:
            self.go(here.to_next())

    def go(self, place: Cursor) -> None:
        """Go to another place, and tell of it."""
        if place == self.place:
            raise ValueError("that leads nowhere from here")
        if one_on(self.place, place):
            self.questions.leave(self.place)
        self.place = place
        self.tell()

    def tell(self) -> None:
        """Say what happened here, what is noted, and which variations begin."""
        here = self.place
        told = [sentence(each) for each in place_in_words(self._people, here)]
        annotation = here.annotation
        if annotation.mark:
            told.append(f"Marked {annotation.mark}")
        if annotation.shapes:
            told.append(f"Drawn on the board: {written_shapes(annotation)}.")
        if variations := here.node.variations:
            first = (move for line in variations for move in moves_of(line[:1]))
            texts = joined([move_text(here.position, move) for move in first], "and")
            told.append(f"{plural(len(variations), 'Variation')} from here: {texts}.")
        if self.questions.open_at(here):
            told.append(f"{asked_in_words(here)} Type a move, or next to see what was played.")
        self.say(*(told or [f"Battle {here.number}, before its first move."]))

    def change(self, place: Cursor) -> None:
        """Take a place in a changed record, save that, and tell of the place."""
        changed = place.record is not self.place.record
        self.place = place
        self.tell()
        if changed:
            asyncio.run(self.annotations.keep(place.record))

    @property
    def question(self) -> str:
        """The prompt: where one is."""
        here = self.place
        where = "in a variation, " if here.parent else ""
        return f"Battle {here.number}, {where}move {here.ply} of {here.last}:"


def run(annotations: AnnotationStore, lines: Lines, off: Container[str] = ()) -> None:
    """Replay until the user leaves or the input ends.

    Args:
        annotations: the record, and what saves its changes.
        lines: output and input.
        off: the disabled commands.
    """
    repl = ReplayRepl(annotations, lines, off)
    record = annotations.record
    try:
        names = " and ".join(record.players)
        battles = counted(len(record.battles), "battle")
        event = f"{record.event}: " if record.event else ""
        repl.say(f"{event}{record.variant.title}, {names}, {battles}. Type next, or help.")
        if repl.place.node.comments:
            repl.tell()
        while True:
            _ask(repl)
    except Left:
        pass


def _ask(repl: ReplayRepl) -> None:
    try:
        execute(repl, repl.ask(repl.question), repl.commands)
    except Left:
        if repl.annotations.behind and "save" in repl.commands and not _may_lose(repl):
            return
        raise


def _may_lose(repl: ReplayRepl) -> bool:
    repl.say("The variations, comments and marks are not saved: save FILE does.")
    return repl.ask_yes("Leave all the same?")


def _help(repl: ReplayRepl, _: str) -> None:
    help_with(repl, repl.commands)


def _way(name: str) -> Callable[[ReplayRepl, str], None]:
    """Return the command that goes one way."""

    def go(repl: ReplayRepl, _: str) -> None:
        repl.go(destination(repl.place, name))

    return go


def _go(repl: ReplayRepl, number: str) -> None:
    repl.go(repl.place.to(number_of_moves(number)))


def _list(repl: ReplayRepl, _: str) -> None:
    here = repl.place
    shown = here if repl.questions.open_at(here) else here.to(here.last)
    line = shown.match(ended=False)
    repl.say(*(move_list(line.battle) or [NO_MOVES]))


def _variations(repl: ReplayRepl, _: str) -> None:
    repl.say(*tried_in_words(repl.place.battle))


def _comment(repl: ReplayRepl, text: str) -> None:
    if not text:
        raise ValueError("write a comment, such as comment Bold; or comment none")
    repl.change(editing.commented(repl.place, "" if text.lower() == _NONE else text))


def _mark(repl: ReplayRepl, mark: str) -> None:
    if mark not in (*MARKS, _NONE):
        raise ValueError(f"a mark is {joined(MARKS, 'or')}; or mark none")
    chosen = "" if mark == _NONE else mark
    repl.change(editing.annotated(repl.place, repl.place.annotation._replace(mark=chosen)))


def _arrows(repl: ReplayRepl, text: str) -> None:
    if not text:
        raise ValueError("write arrows and circles, such as arrows F1-F5 H8; or arrows none")
    shapes = () if text.lower() == _NONE else typed_shapes(text)
    repl.change(editing.annotated(repl.place, repl.place.annotation._replace(shapes=shapes)))


def _edit(edited: Callable[[Cursor], Cursor]) -> Callable[[ReplayRepl, str], None]:
    """Return the command that makes an edit."""

    def edit(repl: ReplayRepl, _: str) -> None:
        repl.change(edited(repl.place))

    return edit


def _save(repl: ReplayRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as save battle.tgn")
    record = repl.place.record
    repl.say(sentence(saved_as(save_as(record, name), record)))
    repl.annotations.kept_elsewhere(record)


REPLAY_COMMANDS: Final[Mapping[str, TypedCommand[ReplayRepl]]] = {
    "help": TypedCommand(_help, "help, or ?", "this"),
    "next": TypedCommand(_way("next"), "next", "the next move"),
    "back": TypedCommand(_way("back"), "back", "one move back"),
    "go": TypedCommand(_go, "go 12", "to after the twelfth move"),
    "first": TypedCommand(_way("first"), "first", "the start of the battle"),
    "last": TypedCommand(_way("last"), "last", "its end"),
    "battle": TypedCommand(_way("battle"), "battle", "the other battle"),
    "into": TypedCommand(_way("into"), "into", "into the variation that begins here"),
    "across": TypedCommand(_way("across"), "across", "another move instead of the last one"),
    "out": TypedCommand(_way("out"), "out", "out of the variation"),
    "list": TypedCommand(_list, "list", "the moves of this line"),
    "variations": TypedCommand(_variations, "variations", "all variations, comments and marks"),
    "comment": TypedCommand(_comment, "comment TEXT, or comment none", "write or remove a comment"),
    "mark": TypedCommand(_mark, "mark !?, or mark none", "mark the move"),
    "arrows": TypedCommand(_arrows, "arrows F1-F5 H8, or arrows none", "draw arrows and circles"),
    "delete": TypedCommand(_edit(editing.deleted), "delete", "delete the variation from here on"),
    "promote": TypedCommand(_edit(editing.promoted), "promote", "put the variation first"),
    "save": TypedCommand(
        _save, "save FILE", f"write the match to a file: {joined(WRITABLE, 'or')}"
    ),
    **BOARD_COMMANDS,
    "quit": TypedCommand(leave, "quit", "leave"),
}
"""All commands, besides a move to try."""
