"""The screen on which any position is set up, and handed on: played, judged, kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from textual import events, work

from thud.editing import keeping
from thud.editing.editor import Editor
from thud.editing.judging import Judge
from thud.editing.judging import in_words as judged_in_words
from thud.rules.match import Match
from thud.session.seats import Contenders
from thud.tui.board.widget import Board
from thud.tui.editor.panel import EditPanel
from thud.tui.editor.setup_screen import SetupScreen, player_list
from thud.tui.widgets.modals import AskScreen
from thud.wording.text import capitalised

Play: TypeAlias = Callable[[Match, Contenders], None]
"""Plays a match of these, who are the first and the second player."""


class EditScreen(SetupScreen):
    """Hands on what is set up.

    Args:
        editor: what is set up, and the steps that led there.
        play: is given a match to be played from there.
        notice: what there is to say to begin with.
    """

    stopover = True

    def __init__(self, editor: Editor, play: Play, notice: str = "") -> None:
        super().__init__(editor, notice)
        self._play = play
        self._judge = Judge()

    async def on_unmount(self) -> None:
        """Leave no process behind."""
        await self._judge.close()

    # Text

    def on_paste(self, event: events.Paste) -> None:
        """Take a position whose text is pasted."""
        event.stop()
        try:
            self._read(event.text)
        except ValueError as refusal:
            self.show(f"Not taken: {refusal}.")

    def _read(self, text: str) -> None:
        self.change(self.setup.read(" ".join(text.split())), "That is what the text says.")

    def action_type(self) -> None:
        """Ask for the text of a position."""

        async def attempt(text: str) -> bool:
            self._read(text)
            return True

        self.app.push_screen(
            AskScreen("The text of a position", self.setup.position.to_text(), attempt)
        )

    def action_copy(self) -> None:
        """Copy the position's text to the clipboard."""
        self.app.copy_to_clipboard(self.setup.position.to_text())
        self.show("The position was sent to the terminal's clipboard.")

    # Keys

    def action_help(self) -> None:
        """Show the keys, and the way to the rules."""
        from thud.tui.help.screen import HelpScreen

        bindings = (*self.BINDINGS, *Board.BINDINGS)
        self.app.push_screen(HelpScreen(self.setup.variant, bindings))

    # What becomes of it

    def action_play(self) -> None:
        """Ask who plays from here, and play."""
        try:
            self.setup.playable()
        except ValueError as refusal:
            self.show(f"It cannot be played: {refusal}.")
            return

        def answered(who: str | None) -> None:
            if who:
                self.begin_anew("")
                seats = keeping.seats_of(who)
                self._play(keeping.match_of(self.setup, seats), seats)

        self.app.push_screen(player_list(), answered)

    def action_judge(self) -> None:
        """Ask the computer what it thinks of the position."""
        self._ask("Looking for the best move …", self._judged())

    async def _judged(self) -> str:
        decision = await self._judge.judge(self.setup)
        self.advised = decision.move
        return " ".join(judged_in_words(self.setup, decision))

    def action_puzzle(self) -> None:
        """Ask the computer whether it is a puzzle, and where to keep it."""
        self._ask("Looking whether one move is much better than all others …", self._puzzle())

    async def _puzzle(self) -> str:
        from thud.editing.puzzling import add_to, confirmed, in_words

        puzzle = await confirmed(self.setup)
        about = in_words(puzzle)
        if self.app.screen is not self:
            return f"It is a puzzle: {about}. z asks where to keep it."

        async def attempt(name: str) -> str:
            return await asyncio.to_thread(add_to, puzzle, name)

        asking = AskScreen(f"A puzzle: {about}. Add it to the file", "puzzles.jsonl", attempt)
        self.app.push_screen(asking, self._tell)
        return f"It is a puzzle: {about}."

    def action_save(self) -> None:
        """Ask for a name until the position is written to a file of that name."""
        from thud.records.formats import WRITABLE
        from thud.wording.text import joined

        async def attempt(name: str) -> str:
            return await asyncio.to_thread(keeping.save_as, self.setup, name)

        question = f"Save the position as {joined(WRITABLE, 'or')}"
        name = f"thud-{self.setup.variant.name}-position.tgn"
        self.app.push_screen(AskScreen(question, name, attempt), self._tell)

    def _tell(self, notice: str | None) -> None:
        if notice:
            self.show(f"{notice}.")

    def _ask(self, notice: str, asking: Coroutine[Any, Any, str]) -> None:
        """Say that somebody is asked something, and then the answer, unless all changes before."""
        self.begin_anew(notice)
        self._wait_for(asking)

    @work(group="asked", exclusive=True)
    async def _wait_for(self, asking: Coroutine[Any, Any, str]) -> None:
        try:
            said = await asking
        except ValueError as refusal:
            said = f"{capitalised(str(refusal))}."
        if self.query(EditPanel):  # the screen may be gone by now
            self.show(said)
