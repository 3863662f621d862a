"""The replay screen: walk, try variations, review."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.binding import BindingType

from thud.engines.faults import EngineFault
from thud.records import editing
from thud.records.record import Record
from thud.records.store import CannotSave, Notebook
from thud.records.tree import Cursor, Excerpt
from thud.rules.match import Match, side_of
from thud.rules.position import Move, Side
from thud.rules.setup import Setup
from thud.tui.battle.picking_screen import PickingScreen
from thud.tui.deployment import deployment_of
from thud.tui.keys.bindings import REPLAY_KEYS, REVIEW_KEYS, WHILE_ASKED
from thud.tui.replay import questions
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.runner import Runner
from thud.tui.replay.table import ReplayTable
from thud.tui.replay.thoughts import Thoughts, Watching
from thud.tui.replay.walk import destination, one_on
from thud.tui.replay.words import Leads, at_board, told_of
from thud.tui.review.judging import Judging, pointed_out
from thud.tui.roles import MatchLeft
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.tui.widgets.prompt import Answer
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.tui.review.summary import Chosen


_AT_A_TIME: Final = 0.4
"""So many seconds pass at least between two pictures of how a review gets on."""


class ReplayScreen(PickingScreen, inherit_bindings=False):
    """Steps through a match and into its variations, has it judged, and goes to its mistakes.

    Args:
        notebook: the record, and what keeps what is judged, tried and written.
        play_from: called with a match that is to be played on.
        notice: what to say at the start.
        place: what is shown first, by itself the beginning.
        begin: whether to have the match judged at once.
        learn: the battle and the side whose mistakes are gone over at once, if any.
        returns: whether the screen below comes back when this one is left.

    Attributes:
        cursor: the place that is shown.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = [*REVIEW_KEYS, *REPLAY_KEYS]

    table: ReplayTable

    def __init__(
        self,
        notebook: Notebook,
        play_from: Callable[[Match], None],
        notice: str = "",
        *,
        place: Cursor | None = None,
        begin: bool = False,
        learn: tuple[int, Side] | None = None,
        returns: bool = False,
    ) -> None:
        self.cursor = place or Cursor.at(notebook.record, 1, 0)
        super().__init__(ReplayTable(self.cursor, self.play))
        self.notebook = notebook
        self._play_from = play_from
        self._notice = notice
        self._at_once, self._returns, self._to_learn = begin, returns, learn
        self._people = notebook.record.match_at_start()
        self._leads = Leads(notebook.record.variant)
        self._runner = Runner(self.table, self._run_on)
        self._watching = Watching(self)
        self._judging: Judging | None = None
        """What is known of the moves, None until the record's comments have been read."""
        self._due = False
        self._typed = ""

    async def begin(self) -> None:
        """Show the place that is shown first, and find out what the record says already."""
        self._show()
        self._look_up()

    @work(group="review")
    async def _look_up(self) -> None:
        self._judging = await asyncio.to_thread(Judging, self.record, self._tell_soon)
        self._show_judged()
        if self._at_once:
            self.action_review()
        if self._to_learn:
            self.learn(*self._to_learn)

    def on_screen_suspend(self) -> None:
        """Let the computer think no more while something else is looked at."""
        self._watching.rest()

    def on_screen_resume(self) -> None:
        """Let it think again."""
        self._watching.follow(self.cursor)

    async def on_unmount(self) -> None:
        """Leave no process behind."""
        if self._judging:
            await self._judging.close()
        await self._watching.close()

    # What others ask of it

    @property
    def record(self) -> Record:
        """The record as it is now."""
        return self.cursor.record

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        return self.table.prompt.question is not None

    @property
    def at_hand(self) -> Setup:
        """What is on the board, to be changed elsewhere."""
        return Setup(self.record.variant, self.cursor.position)

    async def pictured(self) -> tuple[Record, Excerpt]:
        """Return a record that ends with the place that is shown, for a picture of that."""
        match = await self.match_so_far()
        flipped, advised = self.table.board.flipped, self.picker.advised
        return Record.of(match), Excerpt(match.number, flipped=flipped, advised=advised)

    async def match_so_far(self) -> Match:
        """Run no longer, and return a match of its own that has come as far as is shown."""
        self._runner.stop()
        return await asyncio.to_thread(self.cursor.match)

    def noted(self) -> None:
        """Know that the record has been written to a file."""
        self.notebook.kept_elsewhere(self.record)

    # Leaving

    def ask_to_leave(self) -> None:
        """Leave, once what is judged is kept; if something would be lost, ask first."""
        if self.judging:
            self._leave_when_kept()
        elif self.notebook.behind and not self.has_class("-too-small"):
            self.table.ask(questions.leaving(self._saving, self.leave, self._close))
        else:
            self.leave()

    @work(group="leaving", exclusive=True)
    async def _leave_when_kept(self) -> None:
        self._stop()
        await self.app.workers.wait_for_complete(
            [each for each in self.app.workers if each.node is self and each.group == "judging"]
        )
        self.ask_to_leave()

    def leave(self) -> None:
        """Leave for the screen below, or as a match is left."""
        if self._returns:
            self.dismiss(None)
        else:
            self.post_message(MatchLeft())

    @property
    def _saving(self) -> Answer:
        """The answer to what is not kept that keeps it."""
        says = deployment_of(self.app).says
        return Answer(("s",), says("save it as a file"), self._save_as)

    async def _save_as(self) -> None:
        self._close()
        await self.run_action("app.save_as")

    # Showing

    def _show(self, *, stepped: bool = False) -> None:
        """Show the place, with nothing in hand and nothing else open, and what is known of it."""
        self._show_told()
        self.table.withdraw()
        self.picker.begin(at_board(self.cursor), self.picker.number + 1, step=stepped)
        self.table.show_place(self.cursor)
        move = self._judging and self._judging.last_move(self.cursor)
        if move and move.mark:
            threats = pointed_out(self.record.variant, move)
            self.picker.advise(move.judgement.best, self._notice, threats)
        else:
            self.say(self._notice)
        self.refresh_bindings()
        self._draw_leads()
        self._watching.follow(self.cursor)

    def _show_told(self) -> None:
        """Say where this is and what goes on."""
        told = told_of(self._people, self.cursor)
        if self._judging:
            told = self._judging.told(self.cursor, told)
        if self._runner.running:
            told.append(f"Running, {self._runner.seconds:g} s a move; + and - change that.")
        if self._typed:
            told.append(f"Go to turn {self._typed}: Enter")
        self.table.tell_of(told)

    @work(group="leads", exclusive=True)
    async def _draw_leads(self) -> None:
        """Draw who was ahead when, worked out beside what people do."""
        cursor = self.cursor
        leads = self._leads.known(cursor)
        if leads is None:
            leads = await asyncio.to_thread(self._leads.of, cursor)
        if self.is_attached and self.cursor.positions is cursor.positions:
            self.query_one(MarginGraph).show(leads, self.cursor.ply)
            self._draw_expected()

    def _draw_expected(self) -> None:
        """Add to the graph what was expected, as far as that is known."""
        leads = self._leads.known(self.cursor)
        if leads is not None and self._judging:
            expected = self._judging.expected(self.cursor, scale(leads))
            self.query_one(MarginGraph).expect(expected)

    # Going elsewhere

    def go_to(self, cursor: Cursor) -> None:
        """Show another place."""
        before, self.cursor = self.cursor, cursor
        self._notice = ""
        self._show(stepped=one_on(before, cursor))

    def _jump_to(self, cursor: Cursor) -> None:
        """Show another place, and run no longer."""
        self._runner.stop()
        self.go_to(cursor)

    @on(MarginGraph.Picked)
    def _go_to_ply(self, event: MarginGraph.Picked) -> None:
        self._jump_to(self.cursor.to(event.played))

    @on(MoveTree.Picked)
    def _go_to_clicked(self, event: MoveTree.Picked) -> None:
        cursor = self.cursor
        self._jump_to(Cursor.at(cursor.record, cursor.number, event.ply, event.trail))

    def _walk(self, key: str, by: int = 0) -> None:
        """Go where a key leads."""
        if cursor := destination(self.cursor, key, by):
            self._jump_to(cursor)

    def action_go(self, by: int) -> None:
        """Go some moves on, or back."""
        self._walk("go", by)

    def action_first(self) -> None:
        """Go to where the battle begins."""
        self._walk("first")

    def action_last(self) -> None:
        """Go to the end of the line."""
        self._walk("last")

    def action_battle(self) -> None:
        """Go to the beginning of the other battle."""
        self._walk("battle")

    def action_into(self) -> None:
        """Go into the variation that begins here, or else to another move than the last."""
        self._walk("into")

    def action_out(self) -> None:
        """Go to where the variation begins."""
        self._walk("out")

    def action_across(self) -> None:
        """Go to another move in place of the last, or else to the next variation ahead."""
        self._walk("across")

    # Running by itself

    def action_run(self) -> None:
        """Let the line run by itself, from its beginning where this is its end, or stop it."""
        if self._runner.running:
            self._runner.stop()
        else:
            if self.cursor.ply == self.cursor.last:
                self.cursor = self.cursor.to_beginning()
            self._runner.start()
        self._show()

    def action_speed(self, by: int) -> None:
        """Change the speed of running by itself."""
        self._runner.faster(by)
        self._show()

    def _run_on(self) -> bool:
        last = self.cursor.ply + 1 >= self.cursor.last
        if last:
            self._runner.stop()
        self.go_to(self.cursor.to_next())
        return not last

    # Going to a turn by its number

    def action_digit(self, digit: int) -> None:
        """Type the number of a turn to go to."""
        self._typed = f"{self._typed}{digit}"[-4:]
        self._show_told()

    @property
    def going_on(self) -> bool:
        """Whether there is anything to let go of, or to stop."""
        return self.judging or self._in_hand

    @property
    def _in_hand(self) -> bool:
        """Whether there is anything to let go of: digits, a piece, or picking moves."""
        return bool(self._typed or self.picker.hand.grip or self.table.trying)

    def action_back(self) -> None:
        """Let go of the last digit, of a piece, of picking moves; or else stop judging."""
        if self._typed:
            self._typed = self._typed[:-1]
            self._show_told()
        elif self.picker.hand.grip:
            self.picker.back()
        elif self.judging and not self.table.trying:
            self._stop()
        else:
            self.table.try_moves(False)
            self._show()

    def action_jump(self) -> None:
        """Go to the turn whose number was typed; where none was, pick a move on the board."""
        if self._typed:
            typed, self._typed = int(self._typed), ""
            self._jump_to(self.cursor.to_turn(typed))
        else:
            self._runner.stop()
            self.table.try_moves(True)
            self._show()

    # Variations

    async def play(self, move: Move) -> None:
        """Go on with a move: as the line does, or in a variation."""
        self._runner.stop()
        await self._change(lambda: editing.played(self.cursor, move))

    async def _change(self, change: Callable[[], Cursor], done: str = "") -> None:
        """Change the record, keep it, and show the place; say why where that is refused."""
        before = self.record
        try:
            self.go_to(change())
        except ValueError as refusal:
            self.say(capitalised(str(refusal)))
            return
        if self.record is not before:
            self._notice = done
            await self._keep()

    async def _keep(self) -> None:
        first = not self.notebook.behind
        try:
            await self.notebook.keep(self.record)
        except CannotSave as error:
            self.say(f"Not kept: {error}.")
            return
        if self.notebook.behind and first:
            says = deployment_of(self.app).says
            self._notice = f"This is not kept yet: s to {says('save it as a file')}."
        if self._notice:
            self.say(self._notice)

    def action_think(self) -> None:
        """Show what the computer thinks of this place and all that follow, or no longer."""
        self._watching.switch(self.cursor)

    @on(Thoughts.Picked)
    async def _play_clicked(self, event: Thoughts.Picked) -> None:
        await self.action_play_line(event.rank)

    async def action_play_line(self, rank: int) -> None:
        """Play one of the lines that the computer thinks of, into a variation."""
        thought = self.query_one(Thoughts).line(rank)
        if self._watching.on and thought:
            self._runner.stop()
            await self._change(lambda: editing.line_played(self.cursor, thought.line))

    def action_delete(self) -> None:
        """Ask whether to delete the variation from the last move on."""
        cursor = self.cursor
        if cursor.left is None:
            self.say("What was played stays: only a variation can be deleted.")
        else:
            self._runner.stop()
            self.table.ask(questions.deleting(cursor, self._delete, self._close))
            self.refresh_bindings()

    async def _delete(self) -> None:
        await self._change(lambda: editing.deleted(self.cursor))

    async def action_promote(self) -> None:
        """Put the variation before those that stand before it."""
        await self._change(lambda: editing.promoted(self.cursor), "It comes first now.")

    def action_comment(self) -> None:
        """Ask what there is to say of the place; nothing takes away what was said."""
        from thud.tui.widgets.modals import AskScreen

        said = " ".join(self.cursor.words)

        async def attempt(text: str) -> str:
            editing.commented(self.cursor, text)
            return text

        screen = AskScreen("A comment on this place", said, attempt, empty="")
        self.app.push_screen(screen, self._comment)

    async def _comment(self, text: str | None) -> None:
        if text is not None:
            await self._change(lambda: editing.commented(self.cursor, text))

    def _close(self) -> None:
        """Close what was asked."""
        self.table.withdraw()
        self._show()

    # Judging

    @property
    def judging(self) -> bool:
        """Whether moves are being judged."""
        return self._judging is not None and self._judging.running

    def action_review(self) -> None:
        """Have the match judged; once it is, show what that adds up to."""
        if self._judging is None or self.judging:
            return
        if self._judging.progress.complete:
            self._sum_up(self._judging)
        else:
            self._judge(self._judging)

    @work(group="judging", exclusive=True)
    async def _judge(self, judging: Judging) -> None:
        done, fault = False, ""
        try:
            running = asyncio.create_task(judging.run(self.cursor.number))
            await asyncio.sleep(0)
            self._show_judged()
            done = await running
        except EngineFault as error:
            fault = capitalised(f"{error}.")
        if self.is_attached:
            await self._keep_judgement(judging)
        if self._whole:
            self.say(fault)
            if done and self.is_current and not self.table.occupied:
                self._sum_up(judging)

    async def _keep_judgement(self, judging: Judging) -> None:
        """Put into the record what has been judged, whatever people change meanwhile."""
        while True:
            record = self.record
            noted = await asyncio.to_thread(judging.progress.noted, record)
            if record is self.record:
                break
        cursor = self.cursor
        self.cursor = Cursor.at(noted, cursor.number, cursor.ply, cursor.trail)
        self._show_judged()
        await self._keep()

    def _stop(self) -> None:
        if self._judging:
            self._judging.stop()

    def _tell_soon(self) -> None:
        """Show what is known by now, but not for every move."""
        if not self._due and self.is_attached:
            self._due = True
            self.set_timer(_AT_A_TIME, self._tell_now)

    def _tell_now(self) -> None:
        self._due = False
        self._show_judged()

    def _show_judged(self) -> None:
        """Show what is known of the battle: in the list, in the graph, and in words."""
        if self._whole and self._judging:
            self.query_one(MoveTree).mark(self._judging.marks(self.cursor.number))
            self.refresh_bindings()
            self.table.show_place(self.cursor)
            self._show_told()
            self._draw_expected()

    @property
    def _whole(self) -> bool:
        """Whether all its parts are there, and it is not being taken down."""
        return self.is_attached and bool(self.query(MoveTree))

    # Mistakes

    def action_mistake(self, by: int) -> None:
        """Go to the next move with a mark, or to the one before."""
        assert self._judging
        if found := self._judging.mistake(self.cursor, by):
            self._jump_to(found)
        else:
            self.say(f"No further mistake {'ahead' if by > 0 else 'before'} in this battle.")

    async def action_better(self) -> None:
        """Play what was better on the board, as a variation that can be gone along."""
        assert self._judging
        line = self._judging.better(self.cursor)
        if not line:
            self.say("Nothing better is known here: n goes to a mistake.")
            return
        before = self.cursor.to(self.cursor.ply - 1)
        self._runner.stop()
        await self._change(lambda: editing.line_played(before, line))

    def action_learn(self) -> None:
        """Go over a side's mistakes, as questions."""
        number = self.cursor.number
        people = [player for player in range(2) if not self.record.programs[player]]
        if len(people) == 1:
            self.learn(number, side_of(people[0], number))
            return
        self._runner.stop()
        learn = partial(self.learn, number)
        self.table.ask(questions.whose(*self.cursor.commanders, learn, self._close))
        self.refresh_bindings()

    def learn(self, number: int, side: Side) -> None:
        """Go over the mistakes of a side in a battle."""
        from thud.tui.drill.screen import DrillScreen

        assert self._judging
        self._close()
        name = self.record.commanders(number)[side is Side.TROLLS]
        drill = self._judging.drill(number, side, name)
        if drill is None:
            self.say(f"{name} has made no mistake with the {side.plural}.")
        else:
            self.app.push_screen(DrillScreen(iter([drill])))

    def _sum_up(self, judging: Judging) -> None:
        from thud.tui.review.summary import SummaryScreen

        def answered(chosen: Chosen | None) -> None:
            if chosen:
                self.learn(*chosen)

        screen = SummaryScreen(self.record, judging.progress, self.cursor.number)
        self.app.push_screen(screen, answered)

    # Other keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        if self.has_class("-too-small"):
            return False
        if self.asking or self.table.typing:
            return action in WHILE_ASKED
        if action in ("mistake", "better", "learn"):
            # They keep their place in the footer.
            return True if self._judging and self._judging.progress.begun else None
        return action != "play_line" or self._watching.on

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now, and is worth offering."""
        if action == "back" and (self._typed or self.table.trying):
            return True
        by = int(str(parameters[0])) if action == "go" else 0
        if destination(self.cursor, action, by) == self.cursor:
            return False
        varied = self.cursor.left is not None or action not in ("delete", "promote")
        return varied and super().does_something(action, parameters)

    def action_explain(self) -> None:
        """Tell what the piece under the cursor may do; where there is no cursor, show the help."""
        if self.table.trying:
            super().action_explain()
        else:
            self.action_help()

    async def action_step_out(self) -> None:
        """Let go of whatever is going on here; where nothing is, leave."""
        if self.going_on:
            self.action_back()
        else:
            await self.run_action("app.quit")

    def action_help(self) -> None:
        """Show the keys of a replay and what its signs mean; while a move is tried, the rules."""
        from thud.tui.help.screen import HelpScreen

        if self.table.trying:
            super().action_help()
        else:
            self.app.push_screen(HelpScreen(self.record.variant, self.BINDINGS))

    def action_play_from(self) -> None:
        """Go on playing from the position shown; if something would be lost, ask first."""
        if self.notebook.behind:
            self._runner.stop()
            self.table.ask(questions.playing_on(self._saving, self._play_on, self._close))
            self.refresh_bindings()
        else:
            self._play_on()

    def _play_on(self) -> None:
        self.run_worker(self._hand_on(), group="play_from", exclusive=True)

    async def _hand_on(self) -> None:
        match = await self.match_so_far()
        if self.is_current:
            self._play_from(match)
