"""The screen on which a match is replayed, and what else could have been played is tried."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from thud.records import editing
from thud.records.cursor import Cursor
from thud.records.excerpt import Excerpt
from thud.records.notebook import Notebook
from thud.records.record import Record
from thud.records.saved import CannotSave
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.setup import Setup
from thud.tui.deployment import deployment_of
from thud.tui.keys.bindings import REPLAY_KEYS, WHILE_ASKED
from thud.tui.replay import questions
from thud.tui.replay.thoughts import Thoughts, Watching
from thud.tui.replay.walking import WalkingScreen
from thud.tui.widgets.prompt import Answer
from thud.wording.text import capitalised


class ReplayScreen(WalkingScreen):
    """Steps through a match, battle after battle, and into its variations.

    Args:
        notebook: the record, and what keeps what is tried and written.
        play_from: called with a match that is to be played on.
        notice: what to say at the start.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = [*REPLAY_KEYS]

    def __init__(
        self, notebook: Notebook, play_from: Callable[[Match], None], notice: str = ""
    ) -> None:
        super().__init__(notebook.record, notice)
        self.notebook = notebook
        self._play_from = play_from
        self._watching = Watching(self)

    def on_screen_suspend(self) -> None:
        """Let the computer think no more while something else is looked at."""
        self._watching.rest()

    def on_screen_resume(self) -> None:
        """Let it think again."""
        self._watching.follow(self.cursor)

    async def on_unmount(self) -> None:
        """Leave no process behind."""
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

    def say(self, notice: str) -> None:
        """Show a notice."""
        self.picker.show(notice)

    def noted(self) -> None:
        """Know that the record has been written to a file."""
        self.notebook.kept_elsewhere(self.record)

    def ask_to_leave(self) -> None:
        """Leave; if something would be lost, ask first."""
        if self.notebook.behind and not self.has_class("-too-small"):
            self.table.ask(questions.leaving(self._saving, self.leave, self._close))
        else:
            self.leave()

    @property
    def _saving(self) -> Answer:
        """The answer to what is not kept that keeps it."""
        says = deployment_of(self.app).says
        return Answer(("s",), says("save it as a file"), self._save_as)

    async def _save_as(self) -> None:
        self._close()
        await self.run_action("app.save_as")

    def _show(self, *, stepped: bool = False) -> None:
        """Show the place, and what the computer thinks of it."""
        super()._show(stepped=stepped)
        self._watching.follow(self.cursor)

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

    # Other keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        if self.has_class("-too-small"):
            return False
        if self.asking or self.table.typing:
            return action in WHILE_ASKED
        return action != "play_line" or self._watching.on

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
