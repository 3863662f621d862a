"""Lessons and their tasks, read from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from thud.exercises.drill import Drill, Verdict
from thud.exercises.lessons.aim import Aim, read_aim
from thud.exercises.lessons.goal import Condition, Deed, goal, squares
from thud.rules.formation import left_open
from thud.rules.geometry import listed, parse_square
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import wins
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.words.match import CALMED, par
from thud.words.moves import described


class LessonTask(NamedTuple):
    """One task of a lesson; it is a `thud.exercises.drill.Task`.

    Attributes:
        variant: the game.
        position: its position.
        words: the instruction.
        goal: whether a move is right; None if the end has to be proposed.
        wanted: a reminder of the goal, after a wrong move.
        done: the message on success; empty to describe the move.
        solution: a right move, None if the end has to be proposed.
        answer: the other side's move shown on success, if it is legal.
        punished: whether a wrong move is answered by a win or the biggest capture, if there is one.
        searched: whether a search found the right moves: they are not named where a reply shows
            what was wrong.
        played: no move: nobody has played from here.
    """

    variant: Variant
    position: Position
    words: str
    goal: Condition | None
    wanted: str
    done: str = ""
    solution: Move | None = None
    answer: Move | None = None
    punished: bool = False
    searched: bool = False
    played: None = None

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution to show."""
        return (self.solution,) if self.solution else ()

    async def judge(self, move: Move | None) -> Verdict:
        """Judge a legal move, or None, the proposal to end the battle."""
        if move is None:
            if self.goal is None:
                return Verdict(True, self.done)
            return Verdict(False, f"It is too early to end the battle. {self.wanted}")
        after = self.position.after(move)
        if self.goal and self.goal(Deed(self.variant, self.position, move)):
            did = f"The {described(self.variant, self.position, move)}."
            legal = self.answer and self.variant.is_legal(after, self.answer)
            return Verdict(True, self.done or did, (self.answer,) if self.answer and legal else ())
        answer, then = self._punishment(after) if self.punished else None, self.wanted
        if answer is None:
            return Verdict(False, f"Not that one. {then}")
        taken = f"captures {listed(answer.captures)}" if answer.captures else "wins"
        then = "" if self.searched else f" {then}"
        return Verdict(False, f"Not that one. The reply {taken}.{then}", (answer,))

    def _punishment(self, after: Position) -> Move | None:
        """Return the reply that wins, or else captures the most, if there is one.

        Where a search found the right moves, the solution does not allow it, or would answer it.
        """
        replies = () if self.variant.outcome(after) else self.variant.legal_moves(after)
        if self.variant.goals:
            for reply in replies:
                if wins(self.variant, after, reply):
                    return reply
        if self.searched and self.solution:
            instead = self.position.after(self.solution)
            if open_here := left_open(self.variant, after, instead):
                replies = [each for each in replies if each[1:] == open_here]
            else:
                allowed = set(self.variant.legal_moves(instead))
                replies = [each for each in replies if each not in allowed]
        worst = max(replies, key=lambda reply: reply.captures.bit_count(), default=None)
        return worst if worst and worst.captures else None


class Lesson(NamedTuple):
    """One idea, in a few tasks."""

    name: str
    """Its name on the command line."""

    title: str
    chapter: str
    tasks: Sequence[LessonTask]
    farewell: str = ""
    """The closing words."""

    keys: str = ""
    """Keys to use, shown at its first task on a board."""

    battle: str = ""
    """The opponent of the battle that ends the lesson, such as `cpu:1`; empty for none."""

    continues: bool = False
    """Whether that battle goes on from the last task, and does not begin anew."""

    aim: Aim | None = None
    """What to reach in that battle."""

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.tasks[0].variant

    @property
    def last_words(self) -> str:
        """The closing words, and whether a battle follows on the same board, with its aim."""
        last, then = self.tasks[-1], ""
        if self.continues and last.solution:
            # Other moves may be right, too: the battle begins after this one.
            then = f"Now play on after {move_text(last.position, last.solution)}."
        return " ".join(filter(None, [self.farewell, then, self.aim.words if self.aim else ""]))

    @property
    def battle_start(self) -> Position:
        """Where its battle begins."""
        last = self.tasks[-1]
        if self.continues and last.solution:
            return last.position.after(last.solution)
        return self.variant.start

    @property
    def side(self) -> Side:
        """The learner's side in its battle."""
        return self.tasks[-1].position.to_move if self.continues else Side.DWARFS

    def drill(self, done: Callable[[], None]) -> Drill:
        """Return the lesson as a drill; `done` is called at its end."""
        return Drill(self.title, self.tasks, lambda _: done(), self.last_words, keys=self.keys)


_FILES: Final = "lessons.toml", "strategy.toml"
_TASK: Final = {
    *("words", "position", "dwarfs", "trolls", "stone", "to_move", "goal", "wanted"),
    *("done", "solution", "answer", "punished"),
}
_LESSON: Final = {
    "name",
    "title",
    "chapter",
    "variant",
    "farewell",
    "keys",
    "battle",
    "continues",
    "aim",
    "task",
}
_SIDES: Final = {side.plural: side for side in Side}


class BadLesson(ValueError):
    """A lesson is invalid; the message says which, and why."""


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the program's lessons, in order."""
    texts = (files("thud.exercises.lessons").joinpath(name).read_text("utf-8") for name in _FILES)
    return tuple(lesson for text in texts for lesson in read_lessons(text))


def read_lessons(text: str) -> tuple[Lesson, ...]:
    """Parse lessons.

    Raises:
        BadLesson: the text is not valid TOML, or a lesson in it is invalid.
    """
    try:
        written = tomllib.loads(text)["lesson"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise BadLesson(f"the file has no lessons: {error}") from error
    if not isinstance(written, list):
        raise BadLesson("the file has no lessons: each begins with [[lesson]]")
    return tuple(map(_lesson, written))


def _lesson(written: Mapping[str, Any]) -> Lesson:
    try:
        _known(written, _LESSON)
        variant = VARIANTS[written.get("variant", "classic")]
        tasks: list[LessonTask] = []
        for number, each in enumerate(written["task"], 1):
            try:
                tasks.append(_task(variant, each))
            except (KeyError, ValueError) as error:
                raise BadLesson(f"task {number}: {error}") from error
        lesson = Lesson(
            written["name"],
            written["title"],
            written["chapter"],
            tuple(tasks),
            _filled(variant, written.get("farewell", "")),
            written.get("keys", ""),
            written.get("battle", ""),
            written.get("continues", False),
        )
        if "aim" in written:
            lesson = lesson._replace(aim=read_aim(lesson.side, written["aim"]))
        return lesson
    except (KeyError, ValueError) as error:
        raise BadLesson(f"lesson {written.get('name', '?')}: {error}") from error


def _task(variant: Variant, written: Mapping[str, Any]) -> LessonTask:
    _known(written, _TASK)
    position = _position(variant, written)
    ends = written["goal"] == "end"
    searched = not ends and "best" in written["goal"]
    solution = None if ends else parse_move(variant, position, written["solution"])
    answer = written.get("answer")
    assert not answer or solution
    return LessonTask(
        variant,
        position,
        _filled(variant, written["words"]),
        None if ends else goal(written["goal"]),
        written["wanted"].strip(),
        written.get("done", "").strip(),
        solution,
        parse_move(variant, position.after(solution), answer) if answer and solution else None,
        written.get("punished", searched),
        searched,
    )


def _filled(variant: Variant, text: str) -> str:
    """Return a text with what was measured, where it says `{par}` or `{calm}`."""
    if "{" in text:
        text = text.replace("{par}", par(variant)).replace("{calm}", CALMED)
    return text.strip()


def _position(variant: Variant, written: Mapping[str, Any]) -> Position:
    """Return a task's position: as text, the given pieces, or the variant's start."""
    if "position" in written:
        return variant.position(written["position"])
    side = _SIDES[written.get("to_move", Side.DWARFS.plural)]
    if "dwarfs" not in written and "trolls" not in written:
        return variant.start._replace(to_move=side)
    stone = parse_square(written.get("stone", "H8"))
    pieces = squares(written.get("dwarfs", "")), squares(written.get("trolls", ""))
    return variant.position(Position(*pieces, stone, side).to_text())


def _known(written: Mapping[str, Any], names: set[str]) -> None:
    if unknown := written.keys() - names:
        raise ValueError(f"there is no {', '.join(sorted(unknown))}")
