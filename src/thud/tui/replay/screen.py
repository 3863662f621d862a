"""The replay screen: step through a match, try variations, review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar, Final

from msgspec.structs import replace
from textual import on, work
from textual.binding import BindingType

from thud.engines.faults import EngineFault
from thud.engines.refutation import refutation
from thud.exercises.mistakes import no_mistakes
from thud.records import editing
from thud.records.annotation import Annotation, Shape
from thud.records.annotation_store import AnnotationStore
from thud.records.questions import Questions, hints_in_words, noted
from thud.records.record import Record
from thud.records.store import CannotSave
from thud.records.tree import Cursor, Excerpt, at_board, destination, one_on
from thud.records.words import (
    addressed_in,
    answered_in_words,
    asked_in_words,
    numbered,
    place_in_words,
)
from thud.review.summary import Progress
from thud.rules.match import Match, side_of
from thud.rules.notation import move_text
from thud.rules.position import Move, Side
from thud.rules.setup import Setup
from thud.session.editor import seated
from thud.session.participants import Contenders
from thud.session.view import SAVE_AGAIN
from thud.text import capitalised, whose
from thud.tui.actions import ACTIONS, BY_ID, WHILE_ASKED, bindings
from thud.tui.board.widget import Board
from thud.tui.deployment import deployment_of
from thud.tui.drill.screen import DrillScreen
from thud.tui.help.screen import HelpScreen
from thud.tui.keys.bar import BarEntry, entry_of, key_of
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.navigator import count_answer_of, leave_label
from thud.tui.picking.screen import PickingScreen, asks
from thud.tui.replay.autoplay import Autoplay, Jump
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.pane import Comment, ReplayPane
from thud.tui.replay.questions import Leave, commenting, deleting, drawing, leaving, whose_mistakes
from thud.tui.review.judging import ReviewTask, allowed_capture
from thud.tui.review.summary import Chosen, SummaryScreen
from thud.tui.screens import MatchScreen
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.player_list import player_list

_OF_REVIEW: Final = ("mistake", "better", "learn")
"""Actions that need a review."""
_NOTHING: Final = "There is no move to judge."
"""Why nothing is reviewed."""
_OUT: Final = "Back to the battle", "Back a variation"
"""What leaving a variation is called: one of the battle, and one within another."""


class ReplayScreen(PickingScreen, MatchScreen, inherit_bindings=False):
    """Steps through a match and its variations, reviews it, and goes to its mistakes.

    Args:
        annotations: the record, and the storage of its judgements, variations and comments.
        play_from: called with a match to be played on, and the players.
        notice: message to show at the start.
        place: the place to show first; by default the beginning.
        begin: whether to start the review at once.
        learn: the battle and side whose mistakes to drill at once, if any.
        returns: whether leaving returns to the screen below.
        questions: the record's questions; by default their answers are not kept.

    Attributes:
        cursor: the place shown.
        annotations: the record and its storage.
        review_task: the judgements of its moves.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("walk", "review", "replay")

    CSS = """
    ReplayScreen {
        /* Of a long comment and message all is read; the standing between them gives way. */
        #comment { height: auto; max-height: 100%; margin: 0 0 1 0; }
        #panel > #message { dock: bottom; height: auto; max-height: 14; padding: 1 0 0 0; }
        BoardPane.-asking #panel > #message { display: none; }
        &.-wide #panel > #message { dock: none; padding: 0 1 0 3; }
        &.-wide BoardPane.-asking #panel > #message { display: block; }
        &.-wide #panel > #comment { max-height: 60%; border: round $accent 60%; margin: 0; }
        #column MarginGraph { padding: 0 0 0 3; }
        &.-wide.-tall #column MarginGraph { height: 5; border-top: blank; }
        .-typing #column MarginGraph { padding: 0 0 1 3; }
        #panel MarginGraph { display: none; margin: 1 0 0 0; }
        &.-board-alone #column MarginGraph { display: none; }
        &.-board-alone #panel MarginGraph.-tells { display: block; }
        /* Its last row, without a frame, says what the sign of notes means. */
        MoveTree { margin: 1 0 0 0; border-bottom: blank; }
        MoveTree { border-subtitle-color: $foreground-muted; }
    }
    ReplayScreen.-upright {
        #column MarginGraph { display: none; padding: 0 0 0 3; }
        Standing { max-height: 6; }
        MoveTree { margin: 0; min-height: 1; border: none; }
        Analysis { margin: 0; }
        #comment { max-height: 60%; }
        #panel > #message { max-height: 10; padding: 0; }
    }
    ReplayScreen.-upright.-roomy {
        #column MarginGraph { display: block; }
        Standing { max-height: 9; }
    }
    """

    pane: ReplayPane

    def __init__(
        self,
        annotations: AnnotationStore,
        play_from: Callable[[Match, Contenders], None],
        notice: str = "",
        *,
        place: Cursor | None = None,
        begin: bool = False,
        learn: tuple[int, Side] | None = None,
        returns: bool = False,
        questions: Questions | None = None,
    ) -> None:
        self._questions = questions or Questions()
        begins = 0 if place else self._questions.begins
        self.cursor = place or Cursor.at(annotations.record, 1, 0).to(begins)
        self.review_task = ReviewTask(annotations.record, self._show_place)
        super().__init__(
            ReplayPane(self.cursor, self.play, self.review_task, model=annotations.is_model)
        )
        self.annotations = annotations
        self._play_from = play_from
        self._left_off = begins > 0
        """Whether it begins where the reader left off, until one goes elsewhere."""
        self._notice = notice
        self._at_once, self._returns, self._to_learn = begin, returns, learn
        self._people = self._told_of(annotations.record).match_at_start()
        self._autoplay = Autoplay(self.pane, self._run_on)
        self._jump = Jump()
        self._left_summary: Chosen | None = None
        """Where one went from the summary, until one is back."""
        self._leaving = False
        """Whether the player is leaving as soon as the judgements are saved."""
        self._verdict = ""
        """What is said of the last answer, until one goes elsewhere."""
        self._hints = 0
        """How many hints were given to the question here, without the last."""
        self._warned = False
        """Whether it was said that stepping on passes over the question here."""
        self._farthest = begins
        """The number of moves of a model battle that have been shown."""
        self._stops: Sequence[int] = ()
        """The battle's places that the keys of mistakes go to, by their plies."""
        self._others: Sequence[int] = ()
        """Those that they go to afterwards: the mistakes of a computer, if one's own come first."""
        self._led: Cursor | None = None
        """Where the keys of mistakes led last."""

    async def begin(self) -> None:
        """Show the first place, and read the judgements in the record's comments."""
        self._show()
        await self.review_task.read()
        self._show_place()
        if self._at_once:
            self.action_review()
        if self._to_learn:
            self.learn(*self._to_learn)

    def on_screen_suspend(self) -> None:
        """Pause the analysis while another screen is shown."""
        self.pane.analysis.rest()

    def on_screen_resume(self) -> None:
        """Resume the analysis."""
        self._follow()

    async def on_unmount(self) -> None:
        """Stop the review's processes, and keep the place."""
        await self.review_task.close()
        await asyncio.to_thread(self._questions.leave, self.cursor)

    # Used by the app

    @property
    def record(self) -> Record:
        """The record as it is now."""
        return self.cursor.record

    def _told_of(self, record: Record) -> Record:
        """Return the record with display names: in one's own matches against computers, `You`."""
        return addressed_in(record) if self.annotations.own else record

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        return self.pane.prompt.question is not None

    @property
    def current_setup(self) -> Setup:
        """The position on the board, for the editor."""
        return Setup(self.record.variant, self.cursor.position)

    def excerpt(self) -> Excerpt:
        """Stop autoplay, and return the place shown, to save its battle or draw a picture of it."""
        self._autoplay.stop()
        flipped, advised = self.pane.board.flipped, self.picker.advice.move
        place = Excerpt(self.cursor.number, self.cursor.ply, flipped, advised=advised)
        return place._replace(trail=self.cursor.trail)

    async def match_so_far(self, *, ended: bool = True) -> Match:
        """Stop autoplay, and return the match up to the place shown; see `Cursor.match`."""
        self._autoplay.stop()
        return await asyncio.to_thread(self.cursor.match, ended=ended)

    def on_saved(self) -> None:
        """Note that the record has been written to a file."""
        self.annotations.kept_elsewhere(self.record)

    # Leaving

    @asks
    async def ask_to_leave(self) -> None:
        """Leave once the judgements are saved; ask first if something would be lost."""
        if self.review_task.running:
            self._leaving = True
            self.review_task.stop()
        elif not await self._may_end("Leave?", "leave"):
            return
        elif self._returns:
            self.dismiss()
        else:
            self.post_message(self.Left())

    @asks
    async def action_play_from(self) -> None:
        """Play on from the position shown; ask who plays, and first if something would be lost."""

        async def hand_on(who: str) -> None:
            match = await self.match_so_far()
            if self.is_active:
                self._play_from(match, seated(match, self.record.programs, who))

        def answered(who: str | None) -> None:
            if who:
                self.run_worker(hand_on(who), group="play_from", exclusive=True)

        if await self._may_end("Play on from here?", "play on"):
            self.app.push_screen(player_list("now"), answered)

    async def _may_end(self, asked: str, label: str) -> bool:
        """Whether the replay may end; ask first if something would be lost."""
        if self.annotations.behind and self.annotations.own:
            # There may be room again since it could not be saved.
            with suppress(CannotSave):
                await self.annotations.keep(self.record)
        if not self.annotations.behind or self.has_class("-too-small"):
            return True
        self._autoplay.stop()
        answer = await self.pane.ask(leaving(asked, label, deployment_of(self.app).saving))
        if answer in (Leave.SAVE, Leave.STAY):
            self._show()
        if answer is Leave.SAVE:
            await self.run_action("app.save_as")
        return answer is Leave.GO

    # Showing

    def _show(self, *, stepped: bool = False) -> None:
        """Show the place, with nothing in hand and no question open."""
        self.pane.withdraw()
        self.pane.close_entry()
        board = at_board(self.cursor, self._told_of(self.record).commanders(self.cursor.number))
        shapes = self.cursor.annotation.shapes
        self.pane.picker = replace(self.picker, shapes=shapes, with_line=not self._asked)
        self.pane.board.captures_first = not self._asked
        self.pane.begin(board, self.picker.revision + 1, step=stepped)
        move = self.review_task.last_move(self.cursor)
        if move and move.mark:
            threats = allowed_capture(self.record.variant, move)
            self.pane.advise(move.judgement.best, self._notice, threats)
        else:
            self.say(self._notice)
        self._show_place()
        self._follow()

    def _follow(self) -> None:
        """Analyse the place, unless that would give an answer away."""
        analysis = self.pane.analysis
        analysis.display = analysis.on and not self._asked
        if self._asked:
            analysis.rest()
        else:
            analysis.follow(self.cursor)

    @property
    def _asked(self) -> bool:
        """Whether a question is open here."""
        return self._questions.open_at(self.cursor)

    def _show_place(self) -> None:
        """Update everything but the board: the pane, and the text about the place."""
        if not self.pane.is_complete:
            return
        told = self.review_task.with_judgement(
            self.cursor,
            place_in_words(self._people, self.cursor),
            key_of(self.app, "review.review"),
        )
        score = self._questions.end_at(self.cursor, key_of(self.app, "review.next"))
        told += filter(None, (score, self._autoplay.told, self._jump.told))
        if self._left_off:
            told.append(f"You left off here. {key_of(self.app, 'replay.first')}: the beginning.")
            found = self._questions.back_at(self.cursor, key_of(self.app, "replay.last"))
            told += filter(None, [found])
        notes = noted(self.cursor.battle)
        sides = self.review_task.sides_marked(self.cursor.number)
        goes_to_notes = self.annotations.is_model or not (
            self.review_task.begun or self.review_task.running
        )
        own = [ply for ply, side in sides.items() if side is self._own]
        self._stops = sorted({*sides, *notes}) if goes_to_notes else own or list(sides)
        self._others = [] if goes_to_notes else [ply for ply in sides if ply not in self._stops]
        until = self._questions.next_open(self.cursor)
        if self.annotations.is_model:  # what is to come is for the reader to find
            self._farthest = max(self._farthest, self.cursor.ply_in_battle)
            until = min(until, self._farthest)
        record = self._told_of(self.record)
        self.pane.show_place(
            self.cursor,
            record,
            told,
            self._comment(notes),
            until=until,
            questions=self._questions.open_in(self.cursor),
        )
        self.refresh_bindings()

    def _comment(self, notes: Sequence[int]) -> Comment | None:
        """Return the comment at the place with what it asks; in a model battle, the last so far."""
        here, asked = self.cursor, ""
        if self._asked:
            pick, hint = key_of(self.app, "replay.jump"), key_of(self.app, "replay.hint")
            keys = "" if self.pane.trying else f"{pick}: pick a move. {hint}: hint. "
            asked = f"{asked_in_words(here)} {keys}{self._key_on} twice: see what was played."
        if self.annotations.is_model and here.parent and not here.words:
            return self._own_move(here.parent)
        if self.annotations.is_model and not asked:
            while here.ply and not here.words:
                here = here.to(here.ply - 1)
        if not (here.words or asked or self._verdict):
            return None
        title = "The plan" if self.annotations.is_model else "Comment"
        if here.before and here.move:
            title = f"On {move_text(here.before, here.move)}"
        places = [""]
        if here.parent is None and here.ply in notes:
            next_one = key_of(self.app, "review.next")
            which = f"{notes.index(here.ply) + 1} of {len(notes)}"
            places = [f"note {which}", which]
            if here.ply != notes[-1]:
                places.insert(0, f"{next_one} next · note {which}")
        return Comment(title, " ".join(here.words), asked, self._verdict, places)

    def _own_move(self, branch: Cursor) -> Comment:
        """Return what is said of a variation without a comment, and the way back."""
        battle, key = branch.to(branch.ply_in_battle), self._key_out
        instead = ""
        if branch.parent is None and branch.ply < self._farthest and branch.next_move:
            played = move_text(branch.position, branch.next_move)
            instead = f"{played} was played instead."
        elif battle.before and battle.move:
            last = numbered(battle.battle, battle.ply - 1, battle.before, battle.move)
            instead = f"The battle is left after {last}."
        label = _OUT[len(self.cursor.trail) > 1].lower()
        places = f"{key} {label}", f"{key} back"
        return Comment("Your own move", instead, places=places)

    @property
    def _key_out(self) -> str:
        """The key that leaves a variation: the last one while the board has the others."""
        return self._key("replay.out", -1 if self.pane.trying else 0)

    @property
    def _key_on(self) -> str:
        """The key that steps on past a question, also while the board has the arrows."""
        return self._key("replay.next", -1)

    def _key(self, name: str, which: int) -> str:
        """Return one of an action's keys."""
        key = keys_of(BY_ID[name], keymap_of(self.app))[which]
        return key_name(key, ascii_only=settings_of(self.app).ascii)

    # Going elsewhere

    def go_to(
        self, cursor: Cursor, notice: str = "", *, running: bool = False, tried: bool = False
    ) -> None:
        """Show another place.

        Args:
            cursor: the place.
            notice: message to show there.
            running: whether autoplay goes on.
            tried: whether a move tried leads there; else one tries no further, but in a variation.
        """
        if not running:
            self._autoplay.stop()
        before, self.cursor = self.cursor, cursor
        if cursor != before:
            self._hints, self._left_off, self._warned = 0, False, False
            if not (tried or cursor.parent):
                self.pane.try_moves(False)
        self._notice, self._verdict = notice, ""
        self._show(stepped=one_on(before, cursor))

    def action_walk(self, way: str) -> None:
        """Go to the place that a key leads to; a first step past an open question says so."""
        if way == "next" and self._asked and not self._warned:
            self._autoplay.stop()
            self._warned = True
            key = self._key("replay.next", -1 if self.pane.trying else 0)
            self.say(f"A question is asked here: play your move, or {key} again goes on.")
            return
        self.go_to(destination(self.cursor, way))

    @on(MarginGraph.Picked)
    def _go_to_ply(self, event: MarginGraph.Picked) -> None:
        self.go_to(self.cursor.to(event.played))

    @on(MoveTree.Picked)
    def _go_to_move(self, event: MoveTree.Picked) -> None:
        here = self.cursor
        self.go_to(Cursor.at(here.record, here.number, event.played, event.trail))

    # Autoplay

    def action_run(self) -> None:
        """Start or stop autoplay of the line; at its end, start from its beginning."""
        if self._autoplay.on:
            self._autoplay.stop()
        else:
            if self.cursor.ply == self.cursor.last:
                self.cursor = self.cursor.to(self.cursor.first)
            self._autoplay.start()
        self._show()

    def action_speed(self, by: int) -> None:
        """Change the speed of autoplay by steps; negative is slower."""
        self._autoplay.change_speed(by)
        self._show()

    def _run_on(self) -> None:
        there = self.cursor.to_next()
        more = there.ply < there.last and not self._questions.open_at(there)
        self.go_to(there, running=more)

    # Going to a turn by its number

    def action_digit(self, digit: int) -> None:
        """Append a digit to the number of a turn to go to."""
        self._jump.append(digit)
        self._show_place()

    async def action_back(self) -> None:
        """Undo the last digit or choice, or end trying moves."""
        if self._jump:
            self._jump.drop()
            self._show_place()
        elif self.picker.selection.picked:
            self.pane.back()
        else:
            self.pane.try_moves(False)
            self._show()

    async def action_step_out(self) -> None:
        """Cancel like `action_back`, else go back to the summary one came from, or leave."""
        if self._jump or self.picker.selection.picked or self.pane.trying:
            await self.action_back()
        elif self._left_summary:
            self.action_review()
        else:
            await self.run_action("app.quit")

    def action_jump_or_try(self) -> None:
        """Go to the turn whose number was typed; without one, start trying moves."""
        if self._jump:
            self.go_to(self.cursor.to_turn(self._jump.take()))
        else:
            self._autoplay.stop()
            self.pane.try_moves(True)
            self._show()

    # Variations

    async def play(self, move: Move) -> None:
        """Answer a question; else follow the line if the move is its next, or begin a variation."""
        here = self.cursor
        if self._questions.open_at(here):
            good = await asyncio.to_thread(self._questions.answer, here, move)
            self.pane.try_moves(not good)
            self.go_to(here.to_next() if good else here)
            reply = (
                None if good else await refutation(self.record.variant, here.position.after(move))
            )
            self._verdict = answered_in_words(here, move, reply and reply.move, good=good)
            self._show_place()
            self.say(self._questions.complaint)
            return
        await self._change(lambda: editing.played(self.cursor, move), tried=True)

    async def _change(
        self, change: Callable[[], Cursor], done: str = "", *, tried: bool = False
    ) -> None:
        """Change the record, save it and show the place; show why if it is refused."""
        self._autoplay.stop()
        before = self.record
        try:
            self.go_to(change(), tried=tried)
        except ValueError as refusal:
            self.say(capitalised(str(refusal)))
            return
        if self.record is not before:
            self._notice = done
            await self._keep(tried=tried)

    async def _keep(self, *, tried: bool) -> None:
        first = not self.annotations.behind
        try:
            await self.annotations.keep(self.record, tried=tried)
        except CannotSave as error:
            self.say(f"Not saved: {error}.")
            self.run_worker(self._save_again(), group="saving", exclusive=True)
            return
        if self.annotations.behind and first:
            self._notice = f"This is not saved yet: s to {deployment_of(self.app).saving}."
        if self._notice:
            self.say(self._notice)

    async def _save_again(self) -> None:
        """Try again and again to save what could not be saved."""
        while self.annotations.behind:
            await asyncio.sleep(SAVE_AGAIN)
            with suppress(CannotSave):
                await self.annotations.keep(self.record)
                self.say("The match is saved again.")

    def action_think(self) -> None:
        """Toggle the analysis."""
        if self._asked:
            self.say("First answer the question, or pass it: the computer's moves give it away.")
        else:
            self.pane.analysis.switch(self.cursor)

    def action_hint(self) -> None:
        """Give a hint to the question here: what the move does, then the piece."""
        if self._asked:
            hint, *more = hints_in_words(self.cursor)[self._hints :]
            self.say(hint)
            if more:
                self._hints += 1
            elif self.cursor.next_move:
                self.pane.board.move_cursor(self.cursor.next_move.origin)

    async def action_play_line(self, rank: int) -> None:
        """Add one of the analysis's lines as a variation."""
        if thought := self.pane.analysis.lines.get(rank):
            await self._change(lambda: editing.line_played(self.cursor, thought.line), tried=True)

    @asks
    async def action_delete(self) -> None:
        """Delete the variation from the last move onwards, after a confirmation."""
        cursor = self.cursor
        if cursor.parent is None:
            self.say("Only variations can be deleted, not the moves played.")
            return

        self._autoplay.stop()
        sure = await self.pane.ask(deleting(cursor))
        if sure:
            await self._change(lambda: editing.deleted(self.cursor), tried=True)
        elif sure is False:
            self._show()

    async def action_promote(self) -> None:
        """Put the variation before its siblings."""
        await self._change(lambda: editing.promoted(self.cursor), "This variation comes first now.")

    def action_comment(self) -> None:
        """Edit the place's comment; an empty one is deleted."""
        self._autoplay.stop()
        self._show_place()

        async def comment(text: str | None) -> None:
            if text is not None:
                await self._change(lambda: editing.commented(self.cursor, text))

        self.app.push_screen(commenting(self.cursor), comment)

    async def action_mark(self) -> None:
        """Give the move the next mark; after the last one, none."""
        here = self.cursor.annotation
        await self._annotate(here._replace(mark=here.next_mark))

    def action_draw(self) -> None:
        """Edit the arrows and circles on the board, written as squares."""
        self._autoplay.stop()
        self._show_place()

        async def draw(shapes: tuple[Shape, ...] | None) -> None:
            if shapes is not None:
                await self._annotate(self.cursor.annotation._replace(shapes=shapes))

        self.app.push_screen(drawing(self.cursor), draw)

    @on(Board.Drawn)
    async def _draw_dragged(self, event: Board.Drawn) -> None:
        """Draw what the right button was dragged over, or remove it if it is there."""
        try:
            drawn = self.cursor.annotation.toggled((event.square, event.end))
        except ValueError as refusal:
            self.say(capitalised(str(refusal)))
            return
        await self._annotate(drawn)

    async def _annotate(self, annotation: Annotation) -> None:
        await self._change(lambda: editing.annotated(self.cursor, annotation))

    # The review

    @property
    def _reviewed(self) -> Progress | None:
        """The review, once it is complete."""
        progress = self.review_task.progress
        return progress if progress and progress.complete else None

    def action_review(self) -> None:
        """Review the match; once that is complete, show the summary."""
        if self.refuses("review"):
            return
        if progress := self._reviewed:

            def answered(chosen: Chosen | None) -> None:
                self._left_summary = chosen
                if chosen is None:
                    return
                number, what = chosen
                if isinstance(what, Side):
                    self.learn(number, what, back=self.action_review)
                else:
                    self.go_to(Cursor.at(self.record, number, what))

            number, now = self.cursor.number, -1
            if self._left_summary:
                number, what = self._left_summary
                now = -1 if isinstance(what, Side) else what - 1
            told = self._told_of(self.record)
            self.app.push_screen(SummaryScreen(told, progress, number, self.record, now), answered)
        elif not self.review_task.running:
            self.say("")  # what was said of an earlier run
            self._judge()

    @work(group="judging", exclusive=True)
    async def _judge(self) -> None:
        done, fault = False, ""
        try:
            done = await self.review_task.run(self.cursor.number)
        except EngineFault as error:
            fault = capitalised(f"{error}.")
        noted, place = await self.review_task.noted(lambda: self.record), self.cursor
        self.cursor = Cursor.at(noted, place.number, place.ply, place.trail)
        self._show_place()
        await self._keep(tried=True)
        if not self.pane.is_complete:
            return
        self.say(fault)
        if self._leaving:
            self._leaving = False
            await self.ask_to_leave()
        elif done:
            told = f"The review is ready: {key_of(self.app, 'review.review')} shows its summary."
            self.say(told)
            if not self.is_current:
                self.app.notify(told, markup=False)

    # Mistakes

    @property
    def _own(self) -> Side | None:
        """The side of the one person who played a computer in this battle, None if none did."""
        people = [player for player in range(2) if not self.record.programs[player]]
        return side_of(people[0], self.cursor.number) if len(people) == 1 else None

    def action_mistake(self, by: int) -> None:
        """Go to the next or previous mistake."""
        if self.refuses("mistake"):
            return
        if self.picker.selection.picked:
            self.say("First put down the piece: Esc lets go of it.")
            return
        if found := self._stop_to(by):
            notice = ""
            if by > 0 and self._asked:
                back = key_of(self.app, "review.before")
                notice = f"A question was passed over: {back} goes back to it."
            elif found.ply in self._others and not self._among_others:
                names = self.record.commanders(self.cursor.number)
                notice = f"From here on: {whose(names[self._own is Side.DWARFS])} mistakes."
            self._led = found
            self.go_to(found, notice)
            return
        if by > 0 and self._may_ask_again:
            self.go_to(self._questions.ask_again(self.cursor))
            return
        where = "ahead" if by > 0 else "before"
        if self.review_task.running:
            self._show_place()
            self.say(f"No mistake found {where} yet.")
        else:
            self.say(f"No further {self._stop} {where} in this battle.")

    def _stop_to(self, by: int) -> Cursor | None:
        """Return the next or previous place to go to; after the last, the first open question.

        After one's own mistakes, those of the computer follow from the beginning.
        """
        here = self.cursor
        if self._among_others:
            own = here.to(self._stops[-1]) if by < 0 else None
            return here.to_nearest(self._others, by) or own
        if (found := here.to_nearest(self._stops, by)) or by < 0:
            return found
        if self._others and not self.review_task.running:  # more of one's own may be found
            return Cursor.at(here.record, here.number, self._others[0])
        return self._questions.first_open(here)

    @property
    def _among_others(self) -> bool:
        """Whether the keys of mistakes have led to one of a computer's."""
        return self.cursor == self._led and self.cursor.ply in self._others

    @property
    def _may_ask_again(self) -> bool:
        """Whether all questions were found, so that after the last note they can be asked again."""
        return self._stop == "note" and self._questions.all_found(self.cursor)

    async def action_better(self) -> None:
        """Add the better line as a variation."""
        if self.refuses("better"):
            return
        line = self.review_task.better(self.cursor)
        if not line:
            told = "No better move is known here."
            if self._stop == "mistake" and self._stop_to(1):
                told += f" Press {key_of(self.app, 'review.next')} for the next mistake."
            self.say(told)
            return
        before = self.cursor.to(self.cursor.ply - 1)
        await self._change(lambda: editing.line_played(before, line), tried=True)

    @asks
    async def action_learn(self) -> None:
        """Drill a side's mistakes; ask whose if both players are people."""
        if self.refuses("learn"):
            return
        number = self.cursor.number
        if own := self._own:
            self.learn(number, own)
            return
        self._autoplay.stop()
        question = whose_mistakes(self.cursor)
        side = await self.pane.ask(question)
        if side:
            self.learn(number, side)
        elif self.pane.prompt.question is question:
            self._show()

    def learn(self, number: int, side: Side, back: Callable[[], object] | None = None) -> None:
        """Drill a side's mistakes in a battle.

        Args:
            number: the battle.
            side: the side.
            back: callback once the drill is left, but not for what is to be done next.
        """
        self._show()
        name = self._told_of(self.record).commanders(number)[side is Side.TROLLS]
        drill = self.review_task.drill(number, side, name)
        if drill is None:
            assert self.review_task.progress
            reviewed = self.review_task.progress.reviewed(number)
            self.say(no_mistakes(reviewed, side, name, so_far=self.review_task.running))
        else:
            drill.answered = partial(count_answer_of, self.app)
            self.app.push_screen(DrillScreen(iter([drill]), then=back, back=back))

    # Other keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now; None dims it."""
        if self.has_class("-too-small"):
            return False
        if self.asking or self.pane.typing:
            return action in WHILE_ASKED
        if action == "walk" and "battle" in parameters:
            return len(self.record.battles) > 1
        if action == "hint":
            return self._asked
        return action != "play_line" or self.pane.analysis.on

    @property
    def offers(self) -> Mapping[str, bool | None]:
        """Which keys the footer hides or dims: those that need a review, dimmed while it runs.

        The key that begins it is hidden then.
        """
        running = self.review_task.running
        off = None if running else False
        of_review = {
            each.runs: off if self.why_not(each.name) else True for each in ACTIONS["review"]
        }
        if not (running or self._stop_to(1) or self._may_ask_again):
            of_review["mistake(1)"] = False
        return of_review | {
            "review": not running and not self.why_not("review"),
            # Past a question, the key is shown that does so on the board, too.
            "walk('next')": self.cursor.ply < self.cursor.last and not self._asked,
            # Who steps on knows the way back; there is room for it where there is no way on.
            "walk('back')": self.cursor.ply == self.cursor.last > 0,
            "walk('into')": destination(self.cursor, "into") != self.cursor,
            "think": not self._asked,
        }

    @property
    def _stop(self) -> str:
        """What the keys of mistakes go to."""
        return "note" if self.annotations.is_model or not self.review_task.begun else "mistake"

    def first_keys(self) -> tuple[BarEntry, ...]:
        """Return the key that leaves a variation, in one, or that steps on past a question."""
        if self._asked:
            return (replace(entry_of(self.app, "replay.next", "See it"), shown=self._key_on),)
        if not self.cursor.parent:
            return ()
        return (
            replace(
                entry_of(self.app, "replay.out", _OUT[len(self.cursor.trail) > 1]),
                shown=self._key_out,
            ),
        )

    def labels_now(self) -> Mapping[str, str]:
        """Return the labels of actions that are called otherwise for now."""
        labels = {**super().labels_now(), "app.quit": leave_label(self.app)}
        if self._reviewed:
            labels |= {"review": "Summary"}
        if self.picker.selection.picked:
            labels |= {"step_out": "Let go"}
        elif self._left_summary and not self.pane.trying:
            labels |= {"step_out": "Summary"}
        if self._stop == "note" and self._stops:
            labels |= {"mistake(1)": "Next note", "mistake(-1)": "Previous note"}
            if self.cursor.to_nearest(self._stops, 1) is None:
                again = self._may_ask_again
                labels |= {"mistake(1)": "Ask again" if again else "Open question"}
            elif self._asked:
                labels |= {"mistake(1)": "Pass over"}
        if self._asked:
            labels |= {"jump_or_try": "Pick a move"}
        return labels

    @property
    def labels_on_card(self) -> Mapping[str, str]:
        """Return the labels that the card of keys has in more words than the footer."""
        labels: dict[str, str] = {}
        if self._asked:
            if self._stop == "note" and self.cursor.to_nearest(self._stops, 1):
                labels |= {"mistake(1)": "Pass the question over"}
            labels |= {
                "jump_or_try": "Answer with a move",
                "walk('next')": "See what was played",
            }
        return labels

    def why_not(self, action: str) -> str:
        """Return why an action does nothing now, empty if it does something or has no reason."""
        number, battles = self.cursor.number, self.record.battles
        if action == "review":
            return "" if any(each.moves for each in battles) else _NOTHING
        if action not in _OF_REVIEW or (action == "mistake" and self._stops):
            return ""
        if not battles[number - 1].moves:
            return _NOTHING
        running = self.review_task.running
        if self.review_task.begun:
            known = action != "better" or self.review_task.knows_better(number)
            yet = " yet" if running else ""
            return "" if known else f"No better move is known in this battle{yet}."
        if running:
            return "" if action == "mistake" else "The review has just begun."
        return f"Review it first: {key_of(self.app, 'review.review')}."

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        if self.why_not(action) or (action == "review" and self.review_task.running):
            return False
        if action == "speed" and not self._autoplay.on:
            return False
        if action == "back" and (self._jump or self.pane.trying):
            return True
        if action == "hint" or (action == "think" and self._asked):
            return self._asked and action == "hint"
        if action == "walk" and destination(self.cursor, str(parameters[0])) == self.cursor:
            return False
        varied = self.cursor.parent is not None or action not in ("delete", "promote")
        return varied and super().does_something(action, parameters)

    def action_explain(self) -> None:
        """Show the moves of the piece under the cursor, if one is shown."""
        if self.pane.trying:
            super().action_explain()
        else:
            self.say("Enter shows a cursor: put it on a piece first.")

    def action_help(self) -> None:
        """Show the signs of a replay, or while trying moves, the rules."""
        if self.pane.trying:
            super().action_help()
        else:
            self.app.push_screen(HelpScreen(self.record.variant, judged=True))
