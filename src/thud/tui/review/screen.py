"""The replay of a match that can be judged: its mistakes, and what would have been better."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.binding import BindingType

from thud.engines.client import EngineFault
from thud.records import editing
from thud.records.cursor import Cursor
from thud.records.notebook import Notebook
from thud.records.outline import Node
from thud.review.summary import Marked, Progress
from thud.rules.match import Match
from thud.rules.position import Side
from thud.tui.keys.bindings import REPLAY_KEYS, REVIEW_KEYS
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.screen import ReplayScreen
from thud.tui.review.judging import Judging, drawn, pointed_out, told_of_move
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.tui.review.summary import Chosen

_AT_A_TIME: Final = 0.4
"""So many seconds pass at least between two pictures of how a review gets on."""


class ReviewScreen(ReplayScreen, inherit_bindings=False):
    """Replays a match, has it judged, and goes through its mistakes.

    Args:
        notebook: the record, and what keeps what is judged, tried and written.
        play_from: called with a match that is to be played on.
        notice: what to say at the start.
        begin: whether to have the match judged at once.
        learn: the battle and the side whose mistakes are gone over at once, if any.
        returns: whether the screen below comes back when this one is left.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*REVIEW_KEYS, *REPLAY_KEYS]

    def __init__(
        self,
        notebook: Notebook,
        play_from: Callable[[Match], None],
        notice: str = "",
        *,
        begin: bool = False,
        learn: tuple[int, Side] | None = None,
        returns: bool = False,
    ) -> None:
        super().__init__(notebook, play_from, notice)
        self._at_once, self._returns, self._to_learn = begin, returns, learn
        self._progress: Progress | None = None
        self._judging: Judging | None = None
        self._due = False

    def _begin(self) -> None:
        """Show the place that is shown first, and find out what the record says already."""
        super()._begin()
        self._look_up()

    @work(group="review")
    async def _look_up(self) -> None:
        record = self.record
        self._progress = progress = await asyncio.to_thread(Progress, record)
        self._judging = Judging(record, progress, self._tell_soon)
        self._show_judged()
        if self._at_once:
            self.action_review()
        if self._to_learn:
            self.learn(*self._to_learn)

    async def on_unmount(self) -> None:
        """Leave no process behind."""
        if self._judging:
            await self._judging.close()

    # Judging

    @property
    def judging(self) -> bool:
        """Whether moves are being judged."""
        return self._judging is not None and self._judging.running

    def action_review(self) -> None:
        """Have the match judged; once it is, show what that adds up to."""
        if self._progress is None or self.judging:
            return
        if self._progress.complete:
            self._sum_up()
        else:
            self._judge()

    @work(group="judging", exclusive=True)
    async def _judge(self) -> None:
        judging, progress = self._judging, self._progress
        assert judging
        assert progress
        here = self.cursor.number
        others = [number for number in progress.numbers if number != here]
        done, fault = False, ""
        try:
            running = asyncio.create_task(judging.run([here, *others]))
            await asyncio.sleep(0)
            self._show_judged()
            done = await running
        except EngineFault as error:
            fault = capitalised(f"{error}.")
        if self.is_attached:
            await self._keep_judgement()
        if self._whole:
            self.say(fault)
            if done and self.is_current and not self.table.occupied:
                self._sum_up()

    async def _keep_judgement(self) -> None:
        """Put into the record what has been judged, whatever people change meanwhile."""
        assert self._progress
        while True:
            record = self.record
            noted = await asyncio.to_thread(self._progress.noted, record)
            if record is self.record:
                break
        cursor = self.cursor
        self.cursor = Cursor.at(noted, cursor.number, cursor.ply, cursor.trail)
        self._show_judged()
        await self._keep()

    @property
    def going_on(self) -> bool:
        """Whether there is anything to let go of, or to stop."""
        return self.judging or super().going_on

    def action_back(self) -> None:
        """Stop judging; or else as in any replay."""
        if self.judging and not super().going_on:
            self._stop()
        else:
            super().action_back()

    def _stop(self) -> None:
        if self._judging:
            self._judging.stop()

    # What is known

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
        if not self._whole or self._progress is None:
            return
        mistakes = self._progress.reviewed(self.cursor.number).mistakes
        marks: dict[Node, str] = {
            ((), each.ply + 1): each.mark.value for each in mistakes if each.mark
        }
        self.query_one(MoveTree).mark(marks)
        self.refresh_bindings()
        self.table.show_place(self.cursor)
        self._runner_told()
        self._draw_expected()

    @property
    def _whole(self) -> bool:
        """Whether all its parts are there, and it is not being taken down."""
        return self.is_attached and bool(self.query(MoveTree))

    def _draw_expected(self) -> None:
        leads = self._leads.known(self.cursor)
        if leads is None or self._progress is None:
            return
        expected = drawn(self._progress.reviewed(self.cursor.number), scale(leads))
        known = self.cursor.begins + 1 if self.cursor.left else len(expected)
        self.query_one(MarginGraph).expect(expected[:known])

    def _leads_drawn(self) -> None:
        self._draw_expected()

    @property
    def _here(self) -> Marked | None:
        """What is known of the move that was played last, in the battle as it was played."""
        cursor = self.cursor
        if self._progress is None or cursor.left or not cursor.ply:
            return None
        return self._progress.at(cursor.number, cursor.ply - 1)

    def _told(self) -> list[str]:
        told = super()._told()
        here = self._here
        if here and here.mark:
            told = [*told_of_move(self.record.variant, here), *self.cursor.words]
        elif here:
            told += told_of_move(self.record.variant, here)
        if self.judging and self._judging:
            told.insert(0, f"{self._judging.judged} of {self._judging.wanted} judged; Esc stops.")
        return told

    def _show(self, *, stepped: bool = False) -> None:
        super()._show(stepped=stepped)
        here = self._here
        if here and here.mark:
            self.picker.advised = here.judgement.best
            self.picker.pointed_out = pointed_out(self.record.variant, here)
            self.picker.show(self.picker.notice)

    # Mistakes

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        possible = super().check_action(action, parameters)
        if action in ("mistake", "better", "learn") and not self._begun:
            # They keep their place in the footer.
            return None if possible else False
        return possible

    @property
    def _begun(self) -> bool:
        return self._progress is not None and self._progress.begun

    def action_mistake(self, by: int) -> None:
        """Go to the next move with a mark, or to the one before."""
        assert self._progress
        marked = self._progress.reviewed(self.cursor.number).mistakes
        places = [move.ply + 1 for move in marked][::by]
        found = next((ply for ply in places if (ply - self._ply_in_battle) * by > 0), None)
        if found is None:
            self.say(f"No further mistake {'ahead' if by > 0 else 'before'} in this battle.")
        else:
            self._jump_to(Cursor.at(self.record, self.cursor.number, found))

    @property
    def _ply_in_battle(self) -> int:
        """After how many moves of the battle as it was played this is, or a variation began."""
        place = self.cursor
        while place.left:
            place = place.left
        return place.ply

    async def action_better(self) -> None:
        """Play what was better on the board, as a variation that can be gone along."""
        here = self._here
        if here is None or here.judgement.best is None:
            self.say("Nothing better is known here: n goes to a mistake.")
            return
        line = (here.judgement.best, *here.judgement.line)
        before = self.cursor.to(self.cursor.ply - 1)
        self._runner.stop()

        def along() -> Cursor:
            place = before
            for move in line:
                place = editing.played(place, move)
            return place.to(before.ply + 1)

        await self._change(along)

    def action_learn(self) -> None:
        """Go over a side's mistakes, as questions."""
        from thud.tui.replay import questions

        if side := self._person:
            self.learn(self.cursor.number, side)
        else:
            dwarfs, trolls = self.cursor.commanders
            question = questions.whose(
                dwarfs, trolls, partial(self.learn, self.cursor.number), self._close
            )
            self._runner.stop()
            self.table.ask(question)
            self.refresh_bindings()

    @property
    def _person(self) -> Side | None:
        """The side of the one person who has played against a computer, if that is so."""
        from thud.rules.match import side_of

        people = [player for player in range(2) if not self.record.programs[player]]
        return side_of(people[0], self.cursor.number) if len(people) == 1 else None

    def learn(self, number: int, side: Side) -> None:
        """Go over the mistakes of a side in a battle."""
        from thud.review.mistakes import mistakes_drill
        from thud.tui.drill.screen import DrillScreen

        assert self._progress
        self._close()
        name = self.record.commanders(number)[side is Side.TROLLS]
        drill = mistakes_drill(self._progress.reviewed(number), side, name)
        if drill is None:
            self.say(f"{name} has made no mistake with the {side.plural}.")
        else:
            self.app.push_screen(DrillScreen(iter([drill])))

    def _sum_up(self) -> None:
        from thud.tui.review.summary import SummaryScreen

        assert self._progress

        def answered(chosen: Chosen | None) -> None:
            if chosen:
                self.learn(*chosen)

        screen = SummaryScreen(self.record, self._progress, self.cursor.number)
        self.app.push_screen(screen, answered)

    # Leaving

    def ask_to_leave(self) -> None:
        """Stop judging and keep what there is; then leave as from any replay."""
        if self.judging:
            self._leave_when_kept()
        else:
            super().ask_to_leave()

    @work(group="leaving", exclusive=True)
    async def _leave_when_kept(self) -> None:
        self._stop()
        await self.app.workers.wait_for_complete(
            [each for each in self.app.workers if each.node is self and each.group == "judging"]
        )
        super().ask_to_leave()

    def leave(self) -> None:
        """Leave for the screen below, or as from any replay."""
        if self._returns:
            self.dismiss(None)
        else:
            super().leave()
