"""The drill screen: tasks of lessons, puzzles and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec.structs import replace
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widgets import Static

from thud.exercises.drill import Drill, Task, Verdict, describe_with_reason
from thud.exercises.puzzles.book import id_in_book
from thud.rules.geometry import Square
from thud.rules.match import Match
from thud.rules.notation import texts_of
from thud.rules.position import Move, Side
from thud.rules.setup import Setup
from thud.rules.variant import IllegalMove
from thud.session.law import NextBattle
from thud.text import capitalised, sentence
from thud.tui.actions import WHILE_ASKED, bindings
from thud.tui.board.cursor import nearest
from thud.tui.deployment import deployment_of
from thud.tui.drill.choosing import ChoosingScreen
from thud.tui.keys.bar import BarEntry
from thud.tui.keys.keymap import key_name
from thud.tui.navigator import next_of
from thud.tui.picking.picker import Selection
from thud.tui.picking.screen import BoardPane, PickingScreen, Play
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.prompt import PromptAnswer, Question

if TYPE_CHECKING:
    from thud.exercises.next_step import Step, Way
    from thud.exercises.puzzles.score import PuzzleCourse
    from thud.tui.picking.move_entry import Typed


class DrillPane(BoardPane):
    """The task beside the board.

    Args:
        drill: the current drill.
        play: callback to try a move.
    """

    def __init__(self, drill: Drill, play: Play) -> None:
        super().__init__(_match(drill), play)
        self._told = Static(id="task", classes="section")

    @property
    def verdict(self) -> Question[_Then] | None:
        """The verdict being read or waited for, if any."""
        question = self.prompt.question
        return question if question and question.is_modal else None

    def compose_panel(self) -> ComposeResult:
        """Lay out the task."""
        yield self._told

    def tell(self, line: str, notice: str = "", legend: str = "", advice: str = "") -> None:
        """Show a message below the board, and update the footer, which depends on what is picked.

        While a verdict is read, nothing else is said.
        """
        super().tell("" if self.verdict else line, notice, legend, advice)
        self.screen.refresh_bindings()

    def show_task(self, drill: Drill) -> None:
        """Show the task and the drill's progress."""
        number, of = drill.place + 1, len(drill.tasks)
        text = Text(drill.title, "bold")
        if of > 1:
            text.append(f"\n{number} of {of}", "dim")
        text.append(f"\n\n{drill.task.words}", "not bold")
        if drill.keys and not drill.place:
            text.append(f"\n\n{drill.keys}", "dim")
        self._told.update(text)


ANSWER_AFTER: Final = 0.9
"""Seconds between the moves shown in reply to an attempt."""

_PLAYERS: Final = ("You", "The other side")
_ARROWS: Final = BarEntry("down", "←↓↑→", "Move")
_ON: Final = ("enter", "space", "5", "kp_begin")


class _Then(Enum):
    """Answers to a verdict."""

    AGAIN = "try again"
    SOLUTION = "show the solution"
    CHOOSE = "choose other puzzles"
    STEP = "show the next move"
    GO_ON = "go on"
    SKIP = "skip it"
    ONWARD = "go on with what is to be done next"
    LEAVE = "leave"


_LEAVE: Final = PromptAnswer(("escape", "q"), "back", _Then.LEAVE)


class DrillScreen(PickingScreen):
    """Goes through drills one by one until none is left.

    Args:
        drills: one or more drills, each taken when the one before is done.
        then: callback once the last is done and the screen is left.
        back: callback once the screen is left before.
        course: the source of the drills, if they are puzzles.
        way: the way to the drills, after which another one is offered.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("drill")

    CSS = """
    DrillScreen {
        #panel { padding: 0 0 0 1; }
        #task { height: 1fr; padding: 0 1 0 0; }
        &.-wide #task { height: auto; }
        &.-wide #message { height: 2; }
    }
    """

    pane: DrillPane

    def __init__(
        self,
        drills: Iterator[Drill],
        then: Callable[[], object] | None = None,
        back: Callable[[], object] | None = None,
        *,
        course: PuzzleCourse | None = None,
        way: Way | None = None,
    ) -> None:
        self._way = way
        self._onward: Step | None = None
        """What is to be done next, where a verdict tells it."""
        self._drills = drills
        self._then = then
        self._back = back
        self._course = course
        self.drill = next(drills)
        super().__init__(DrillPane(self.drill, self.play))
        self._task_shown: Task | None = None
        self._waiting: list[Move] = []
        self._tried = self.picker.selection
        """The selection from which a move was tried, nothing picked before that."""
        self._timer: Timer | None = None

    # One task

    async def begin(self) -> None:
        """Begin the current task, from its position."""
        self._stop()
        self.pane.withdraw()
        self.pane.close_entry()
        if self._task_shown is not self.drill.task:
            self._task_shown = self.drill.task
            self.pane.picker = replace(self.picker, threats=None)
        self.pane.begin(_match(self.drill), self.picker.revision + 1)
        self._mark(self.drill.task.played)
        self._tried = self.picker.selection
        self.pane.board.asked_for = self._asked_for
        self.pane.board.move_cursor(self._first_stop)
        self.pane.show_task(self.drill)
        self.pane.advise(None, "")
        self.refresh_bindings()

    def _mark(self, played: Move | None) -> None:
        """Draw an arrow for a move that was played, or for none."""
        told = "An arrow marks the move played, a ring where it ended." if played else ""
        arrows = [played[:2]] if played else []
        self.pane.picker = replace(self.picker, shapes=arrows, footnote=told)

    @property
    def at_hand(self) -> Selection:
        """What help is on: while a verdict is read, what was tried."""
        return self._tried if self.pane.verdict else super().at_hand

    @property
    def current_setup(self) -> Setup:
        """The position of the task, for the editor or to play from."""
        task = self.drill.task
        return Setup(task.variant, task.position)

    @property
    def _asked_for(self) -> tuple[Square, ...]:
        """The squares of the move that a lesson asks for; a puzzle keeps them to itself."""
        move = None if self.drill.skips else self.drill.task.solution
        return (move.origin, move.destination) if move else ()

    @property
    def _first_stop(self) -> Square:
        """Where the cursor begins: in a lesson a Tab before the piece asked for, then on it."""
        stops, asked = self.picker.selection.movable, self._asked_for
        if asked and self.drill.efforts[self.drill.place].misses:
            return asked[0]
        others = [each for each in stops if each not in asked]
        return others[-1] if asked and others else nearest(self.pane.board.cursor, stops)

    async def play(self, move: Move) -> None:
        """Try a move; judging it may need a search, or an engine that takes its time."""
        self._tried = self.picker.selection
        if self.drill.slow:
            question = Question(Text("Looking at your move …"), [_LEAVE], is_modal=True)
            self.pane.show_question(question, self._carry_out)
            self._judge_slowly(move)
        else:
            await self._judge(move)

    @work(group="judging", exclusive=True)
    async def _judge_slowly(self, move: Move) -> None:
        await self._judge(move)

    async def _judge(self, move: Move) -> None:
        verdict = await self.drill.task.judge(move)
        if not self.pane.is_complete:
            return
        self.drill.count(verdict)
        self.pane.board.move_cursor(move.destination)
        self._show_move(move)
        self._tell(verdict)

    async def action_end_battle(self) -> None:
        """Try to propose the end, where that can be right."""
        self.pane.let_go()
        try:
            verdict = await self.drill.attempt(None)
        except IllegalMove as refusal:
            self.say(sentence(str(refusal)))
        else:
            self._tell(verdict)

    def _tell(self, verdict: Verdict, *, stops: bool = False) -> None:
        """Show the verdict on an attempt, and the reply; the moves after it are shown one by one.

        Args:
            verdict: the verdict.
            stops: whether the first move, too, waits for a key.
        """
        text = Text(verdict.words)
        if verdict.right:
            if self.drill.over and self.drill.last_words:
                text.append(f"\n\n{self.drill.last_words}", "bold")
            further = (*_ON, "n") if self.drill.skips else _ON
            answers = [PromptAnswer(further, self._onto, _Then.GO_ON)]
        else:
            # The verdict describes the reply, but not the moves after it.
            if len(verdict.answers) > 1:
                position = self.picker.match.battle.position.after(verdict.answers[0])
                text.append(f" Then: {' '.join(texts_of(position, verdict.answers[1:]))}.")
            answers = [PromptAnswer((*_ON, "backspace"), "try again", _Then.AGAIN)]
            if self.drill.skips:
                answers.append(PromptAnswer(("s",), "solution", _Then.SOLUTION))
                answers.append(PromptAnswer(("n",), "skip", _Then.SKIP))
            if self._course:
                answers.append(PromptAnswer(("c",), "other puzzles", _Then.CHOOSE))
        self._waiting = list(verdict.answers)
        if len(self._waiting) > (not stops):
            answers.insert(1, PromptAnswer(("right", "l"), "the next move", _Then.STEP))
        question = Question(text, [*answers, _LEAVE], is_modal=True)
        self.pane.show_question(question, self._carry_out)
        self.pane.tell("")
        if self._waiting and not stops:
            self._timer = self.set_timer(ANSWER_AFTER, self._show_answer)
        if verdict.right and self.drill.over and not self.drill.followed:
            self._offer_next(question)

    @work(group="onward", exclusive=True)
    async def _offer_next(self, asked: Question[_Then]) -> None:
        """Tell in the last verdict what is to be done next, if that is something else."""
        self._onward = await next_of(self.app)
        if self._onward and self._onward.way != self._way and self.pane.verdict is asked:
            *answers, leave = asked.answers
            answers += [PromptAnswer(("N",), self._onward.answer, _Then.ONWARD), leave]
            self.pane.show_question(replace(asked, answers=answers), self._carry_out)

    async def _carry_out(self, answer: _Then) -> None:
        match answer:
            case _Then.AGAIN:
                await self.begin()
            case _Then.SOLUTION:
                await self.action_solution()
            case _Then.SKIP:
                await self.action_skip()
            case _Then.CHOOSE:
                self.action_choose_puzzles()
            case _Then.STEP:
                self._show_answer()
                if (asked := self.pane.verdict) and not self._waiting:
                    answers = [each for each in asked.answers if each.means is not answer]
                    self.pane.show_question(replace(asked, answers=answers), self._carry_out)
            case _Then.GO_ON:
                if self.drill.proceed():
                    await self.begin()
                elif not await self._next_drill():
                    self._close(self._then)
            case _Then.ONWARD:
                if self._onward:
                    self._close(partial(self.app.run_action, f"go_on('{self._onward.way}')"))
            case _Then.LEAVE:
                self._close(self._back)

    def _show_answer(self) -> None:
        self._stop()
        self._show_move(self._waiting.pop(0))

    def _show_move(self, move: Move) -> None:
        self._mark(None)
        self.picker.match.battle.play(move)
        self.pane.begin(self.picker.match, self.picker.revision, step=True)
        self.pane.show()

    @property
    def _onto(self) -> str:
        """Where one goes on to from a task that is done."""
        if self.drill.over and self._course:
            return "another puzzle"
        if self.drill.followed and self.drill.over:
            return "next position"
        return "go on" if not self.drill.over or self._way == "learn" else "finish"

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
            self._timer = None

    async def on_unmount(self) -> None:
        """Stop judging."""
        await self.drill.close()

    async def _next_drill(self) -> bool:
        """Begin the next drill; return whether there is one."""
        drill = next(self._drills, None)
        if drill:
            await self.drill.close()
            self.drill = drill
            await self.begin()
        return drill is not None

    def _close(self, then: Callable[[], object] | None) -> None:
        self._stop()
        self.dismiss(None)
        if then:
            self.app.call_later(then)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now."""
        if self.has_class("-too-small"):
            return action == "leave"
        if verdict := self.pane.verdict:
            again = any(each.means is _Then.AGAIN for each in verdict.answers)
            return action in WHILE_ASKED - {"back"} or (again and action == "type_move")
        possible = {
            "choose_puzzles": bool(self._course),
            "link": bool(id_in_book(self.drill.task)),
        }
        if not possible.get(action, True):
            return False
        # A key may do something if only to say why not.
        return not self.pane.typing or action in WHILE_ASKED

    @property
    def offers(self) -> Mapping[str, bool | None]:
        """Which keys the footer hides: those that would only say why they do nothing."""
        return {each: not self.why_not(each) for each in ("skip", "solution", "theme")}

    def why_not(self, action: str) -> str:
        """Return why an action does nothing now, empty if it does something or has no reason."""
        return self.drill.why_not(action)

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        if self.why_not(action) or (action == "end_battle" and not self.drill.ends):
            return False
        return super().does_something(action, parameters)

    def first_keys(self) -> tuple[BarEntry, ...]:
        """Return a verdict's answers, or in lessons the arrow keys while nothing is in hand."""
        if verdict := self.pane.verdict:
            ascii_only = settings_of(self.app).ascii
            return tuple(
                BarEntry(
                    each.keys[0],
                    key_name(each.keys[0], ascii_only=ascii_only),
                    capitalised(each.label),
                    ends=each is _LEAVE,
                )
                for each in verdict.answers
                if each.label
            )
        busy = self.picker.selection.picked or self.pane.busy or self.has_class("-too-small")
        return () if busy or self.drill.skips else (_ARROWS,)

    async def obey(self, typed: Typed) -> None:
        """Carry out a typed command; `next` is another word for skipping, not the next battle."""
        skips = typed.does == NextBattle()
        await super().obey(typed._replace(action="skip") if skips else typed)

    async def action_type_move(self) -> None:
        """Open the move entry; after a wrong move, for another try."""
        if self.pane.verdict:
            await self.begin()
        self.pane.type()

    async def action_skip(self) -> None:
        """Skip the current task, if possible; after the last tell how it went, or leave."""
        if self.refuses("skip"):
            return
        self.pane.let_go()
        if self.drill.skip():
            await self.begin()
        elif self.drill.tallied:
            answers = [PromptAnswer((*_ON, "n"), "finish", _Then.GO_ON), _LEAVE]
            question = Question(Text(self.drill.last_words, "bold"), answers, is_modal=True)
            self.pane.show_question(question, self._carry_out)
            self.pane.tell("")
        elif not await self._next_drill():
            self._close(self._back)

    async def action_solution(self) -> None:
        """Show the solution on the board; the task counts as missed."""
        if self.refuses("solution"):
            return
        task = self.drill.task
        await self.begin()
        first, *rest = self.drill.give_up()
        told = f"The solution: {describe_with_reason(task, first)}"
        self.pane.board.move_cursor(first.destination)
        self.pane.advise(first, "")
        self._tell(Verdict(True, told, (first, *rest)), stops=True)
        self.pane.show()  # what its marks mean

    @work
    async def action_choose_puzzles(self) -> None:
        """Choose puzzles by game, difficulty and theme, and begin the first of them."""
        course = self._course
        assert course
        chosen = await self.app.push_screen_wait(ChoosingScreen(course))
        if chosen and chosen != course.choice:
            course.choice = chosen
            self._drills = course.drills()
            await self._next_drill()

    async def action_back(self) -> None:
        """Undo the last choice, or leave if nothing is in hand."""
        if self.picker.selection.picked or self.pane.busy:
            await super().action_back()
        else:
            self._close(self._back)

    def action_leave(self) -> None:
        """Leave, at any moment."""
        self._close(self._back)

    def action_hint(self) -> None:
        """Point at a piece; asked again, show the move."""
        if not self.pane.asks_captures:
            self.pane.let_go()
        hint = self.drill.hint()
        if hint.square is not None:
            self.pane.board.move_cursor(hint.square)
        self.pane.advise(hint.move, hint.words)

    def action_link(self) -> None:
        """Copy a link to the puzzle to the clipboard."""
        from thud.records.links import link_to_puzzle

        self.app.copy_to_clipboard(link_to_puzzle(id_in_book(self.drill.task)))
        self.say(f"A link to the puzzle was sent to {deployment_of(self.app).clipboard}.")

    def action_theme(self) -> None:
        """Say what the puzzle is about, which counts as a hint."""
        if self.refuses("theme"):
            return
        self.pane.advise(None, self.drill.tell_theme())


def _match(drill: Drill) -> Match:
    """Return a match whose battle begins with the current task, the learner to move."""
    task = drill.task
    dwarfs, trolls = _PLAYERS if task.position.to_move is Side.DWARFS else reversed(_PLAYERS)
    return Match(task.variant, (dwarfs, trolls), task.position)
