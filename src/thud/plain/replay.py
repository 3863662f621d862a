"""Replaying a match, in plain text: from place to place, with variations, comments and marks."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from operator import add
from typing import Final

from thud.engines.refutation import refutation
from thud.plain.lines import Lines
from thud.plain.repl import NO_MOVES, BoardRepl, Left, number_of_moves
from thud.records import editing
from thud.records.annotation import MARKS, annotation_in, typed_shapes, written_shapes
from thud.records.annotation_store import AnnotationStore
from thud.records.formats import WRITABLE, save_as
from thud.records.questions import Questions, hints_in_words, noted
from thud.records.record import BattleRecord, Line, Node, moves_of, positions_along
from thud.records.tgn.notes import prose
from thud.records.tree import Cursor, Excerpt, destination
from thud.records.words import (
    addressed_in,
    answered_in_words,
    asked_in_words,
    place_in_words,
    saved_as,
)
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.session.commands import BOARD_COMMANDS, HELP, TypedCommand
from thud.text import counted, joined, plural, sentence
from thud.words.moves import move_list

REPLAY_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": HELP,
    "next": TypedCommand("next, or skip, or solution", "the next move"),
    "back": TypedCommand("back", "one move back"),
    "go": TypedCommand("go 12", "to after the twelfth move"),
    "first": TypedCommand("first", "the start of the battle"),
    "last": TypedCommand("last", "its end"),
    "battle": TypedCommand("battle", "the other battle"),
    "into": TypedCommand("into", "into the variation that begins here"),
    "across": TypedCommand("across", "another move instead of the last one, or the next variation"),
    "out": TypedCommand("out", "out of the variation"),
    "note": TypedCommand("note", "to the next comment, mark or question"),
    "hint": TypedCommand("hint", "what the move that a question asks for does, then the piece"),
    "list": TypedCommand("list", "the moves of this line"),
    "variations": TypedCommand("variations", "all variations, comments and marks"),
    "comment": TypedCommand("comment TEXT, or comment none", "write or remove a comment"),
    "mark": TypedCommand("mark !?, or mark none", "mark the move"),
    "arrows": TypedCommand("arrows F1-F5 H8, or arrows none", "draw arrows and circles"),
    "delete": TypedCommand("delete", "delete the variation from here on"),
    "promote": TypedCommand("promote", "put the variation first"),
    "save": TypedCommand("save FILE", f"write the match to a file: {joined(WRITABLE, 'or')}"),
    **BOARD_COMMANDS,
    "quit": TypedCommand("quit", "leave"),
}
"""All commands, besides a move to try."""

LEADS: Final = ("next", "back", "first", "last", "battle", "into", "across", "out")
"""Commands that lead to another place."""


class ReplayRepl(BoardRepl):
    """A REPL of a record, one place at a time.

    Args:
        annotations: the record, and what saves its changes.
        lines: output and input.
        off: the disabled commands.
        questions: the record's questions; by default their answers are not kept.

    Attributes:
        place: the place in the record.
        questions: the questions still open.
    """

    def __init__(
        self,
        annotations: AnnotationStore,
        lines: Lines,
        off: Container[str] = (),
        questions: Questions | None = None,
    ) -> None:
        super().__init__(lines)
        self.annotations = annotations
        self.questions = questions or Questions()
        self.place = Cursor.at(annotations.record, 1, 0).to(self.questions.begins)
        self._hints = 0
        """How many hints were given to the question here, without the last."""
        self._off = off
        record = annotations.record
        self._people = (addressed_in(record) if annotations.own else record).match_at_start()

    @property
    def commands(self) -> Mapping[str, TypedCommand]:
        """The commands, besides a move to try."""
        return {name: each for name, each in REPLAY_COMMANDS.items() if name not in self._off}

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.place.record.variant

    @property
    def positions(self) -> Sequence[Position]:
        """The positions of this line, those ahead, too."""
        return self.place.positions

    @property
    def position(self) -> Position:
        """The position here."""
        return self.place.position

    def make(self, move: Move) -> None:
        """Answer a question; else follow the line if the move is its next, or begin a variation."""
        here = self.place
        if not self.questions.open_at(here):
            self.change(editing.played(here, move), tried=True)
            return
        good = self.questions.answer(here, move)
        reply = None if good else asyncio.run(refutation(self.variant, here.position.after(move)))
        self.say(answered_in_words(here, move, reply and reply.move, good=good))
        self.say(*filter(None, [self.questions.complaint]))
        if good:
            self.go(here.to_next())

    def go(self, place: Cursor) -> None:
        """Go to another place, and tell of it."""
        if place == self.place:
            raise ValueError("that leads nowhere from here")
        self.place, self._hints = place, 0
        self.tell()

    def tell(self) -> None:
        """Say what happened here, what is noted, and which variations begin."""
        here = self.place
        told = [sentence(each) for each in (*place_in_words(self._people, here), *here.words)]
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
            told.append(
                f"{asked_in_words(here)} Type a move, hint, or next to see what was played."
            )
        told += filter(None, [self.questions.end_at(here, "note")])
        self.say(*(told or [f"Battle {here.number}, before its first move."]))

    def change(self, place: Cursor, *, tried: bool = False) -> None:
        """Take a place in a changed record, save that, and tell of the place."""
        changed = place.record is not self.place.record
        self.place = place
        self.tell()
        if changed:
            asyncio.run(self.annotations.keep(place.record, tried=tried))

    # Commands

    def run_command(self, word: str, rest: str) -> None:
        """Go to where a word leads, or run another command."""
        if word in LEADS:
            self.go(destination(self.place, word))
        else:
            super().run_command(word, rest)

    def _do_go(self, moves: str) -> None:
        if not moves:
            raise ValueError("say after how many moves, such as go 12")
        self.go(self.place.to(number_of_moves(moves)))

    def _do_note(self, _: str) -> None:
        there = self.place.to_nearest(noted(self.place.battle), 1)
        there = there or self.questions.first_open(self.place)
        if there is None and self.questions.all_found(self.place):
            there = self.questions.ask_again(self.place)
        if there is None:
            raise ValueError("the battle's own moves have no comment, mark or question after this")
        if self.questions.open_at(self.place) and there != self.place:
            self.say(f"A question was passed over: go {self.place.ply} goes back to it.")
        self.go(there)

    def _do_hint(self, _: str) -> None:
        if not self.questions.open_at(self.place):
            raise ValueError("no question is open here")
        hints = hints_in_words(self.place)[self._hints :]
        self.say(hints[0])
        self._hints += len(hints) > 1

    def _do_list(self, _: str) -> None:
        here = self.place
        shown = here if here.parent else here.to(self.questions.next_open(here))
        self.say(*(move_list(shown.match(ended=False).battle) or [NO_MOVES]))

    def _do_variations(self, _: str) -> None:
        self.say(*tried_in_words(self.place.battle))

    def _do_comment(self, text: str) -> None:
        if not text:
            raise ValueError("write a comment, such as comment Bold; or comment none")
        self.change(editing.commented(self.place, "" if text.lower() == "none" else text))

    def _do_mark(self, mark: str) -> None:
        if mark not in (*MARKS, "none"):
            raise ValueError(f"a mark is {joined(MARKS, 'or')}; or mark none")
        marked = self.place.annotation._replace(mark="" if mark == "none" else mark)
        self.change(editing.annotated(self.place, marked))

    def _do_arrows(self, typed: str) -> None:
        if not typed:
            raise ValueError("write arrows and circles, such as arrows F1-F5 H8; or arrows none")
        shapes = () if typed.lower() == "none" else typed_shapes(typed)
        drawn = self.place.annotation._replace(shapes=shapes)
        self.change(editing.annotated(self.place, drawn))

    def _do_delete(self, _: str) -> None:
        self.change(editing.deleted(self.place), tried=True)

    def _do_promote(self, _: str) -> None:
        self.change(editing.promoted(self.place))

    def _do_save(self, file: str) -> None:
        if not file:
            raise ValueError("name a file, such as save battle.tgn")
        here = self.place
        excerpt = Excerpt(here.number, here.ply, self.flipped, trail=here.trail)
        path = save_as(here.record, file, excerpt)
        self.say(sentence(saved_as(path, here.record, excerpt)))
        self.annotations.kept_elsewhere(here.record)


def run(
    annotations: AnnotationStore,
    lines: Lines,
    off: Container[str] = (),
    questions: Questions | None = None,
) -> None:
    """Replay until the user leaves or the input ends.

    Args:
        annotations: the record, and what saves its changes.
        lines: output and input.
        off: the disabled commands.
        questions: the record's questions; by default their answers are not kept.
    """
    repl = ReplayRepl(annotations, lines, off, questions)
    record = annotations.record
    names = " and ".join(record.players)
    battles = counted(len(record.battles), "battle")
    event = f"{record.event}: " if record.event else ""
    repl.say(f"{event}{record.variant.title}, {names}, {battles}. Type next, or help.")
    if repl.place.ply:
        repl.say("You left off here: first leads to the beginning.")
        repl.say(*filter(None, [repl.questions.back_at(repl.place, "last")]))
    if repl.place.ply or repl.place.node.comments:
        repl.tell()
    try:
        _obey(repl, off)
    finally:
        repl.questions.leave(repl.place)


def _obey(repl: ReplayRepl, off: Container[str]) -> None:
    """Obey commands until the user leaves."""
    annotations = repl.annotations
    with suppress(Left):
        while True:
            here = repl.place
            where = "in a variation, " if here.parent else ""
            question = f"Battle {here.number}, {where}move {here.ply} of {here.last}:"
            try:
                repl.obey(repl.ask(question))
            except Left:
                if not annotations.behind or "save" in off:
                    raise
                repl.say("The variations, comments and marks are not saved: save FILE does.")
                if repl.ask_yes("Leave all the same?"):
                    raise


def tried_in_words(battle: BattleRecord) -> list[str]:
    """Return a sentence for each variation of a battle, and one for each comment."""
    found = list(_tried(battle.line, battle.start, 0, ""))
    return found or ["Nothing else was tried in this battle."]


def _tried(line: Line, start: Position, first: int, name: str) -> Iterator[str]:
    """Yield the sentences on a line whose first node is of ply `first`, and on its variations.

    A variation has a name: 2.1 is the first one within the second.
    """
    moves = moves_of(line[1:])
    marks = (annotation_in(node.comments).mark for node in line[1:])
    texts = list(map(add, texts_of(start, moves), marks))
    if name:
        after = f"{first} {plural(first, 'move')}" if first else "no move"
        yield f"Variation {name}, after {after}: {', '.join(texts)}."
    for node, move in zip(line, ["", *texts], strict=True):
        where = f"On {move}" if move else "At the beginning"
        for text in node.comments:
            if words := prose(text):
                yield f"{where}: {words}"
            annotation = annotation_in([text])
            if shapes := written_shapes(annotation):
                yield f"{where}, drawn on the board: {shapes}."
            elif annotation.mark and not words and move:
                yield f"Marked: {move}."
    numbers = count(1)
    positions = tuple(positions_along(start, moves))
    for ply, (node, position) in enumerate(zip(line, positions, strict=True), first):
        for variation in node.variations:
            within = f"{name}.{next(numbers)}" if name else f"{next(numbers)}"
            yield from _tried((Node(), *variation), position, ply, within)
