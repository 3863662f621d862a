"""The editor: set up a position, then play, evaluate or save it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from thud.engines.analyst import Analyst
from thud.records.formats import WRITABLE, unused_name
from thud.review.hints import evaluation
from thud.rules.geometry import SQUARES, Square, squares_of
from thud.rules.position import Move
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.session import editor
from thud.session.editor import Editor, add_to, confirmed, puzzle_in_words
from thud.settings.values import Settings
from thud.text import capitalised, joined
from thud.tui.actions import bindings
from thud.tui.board.look import SquareMark, View
from thud.tui.board.widget import Board
from thud.tui.delivery import SaveScreen
from thud.tui.deployment import deployment_of
from thud.tui.editor.panel import Brush, EditPanel
from thud.tui.help.screen import HelpScreen
from thud.tui.keys.bar import KeyBar
from thud.tui.screens import ThudScreen
from thud.tui.textual_fixes import FixedScreen
from thud.tui.widgets.appearance import apply_appearance, settings_of
from thud.tui.widgets.match_line import match_line
from thud.tui.widgets.modals import AskScreen
from thud.tui.widgets.size_classes import fit, show_if_room

PlayFrom: TypeAlias = Callable[[Setup, Callable[[], object]], str]
"""Asks who plays from a setup, calls back once that is known, and plays; returns why it cannot."""


class EditScreen(FixedScreen[None], ThudScreen):
    """Edits a setup step by step.

    Args:
        editor: the setup with its undo history.
        play_from: plays from the setup.
        notice: message to show at the start.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("edit")

    def __init__(self, editor: Editor, play_from: PlayFrom, notice: str = "") -> None:
        super().__init__()
        self.editor = editor
        self.advised: Move | None = None
        """The advised move, until something changes."""
        self._brush = Brush.HAND
        self._held: Square | None = None
        self._notice = notice
        self._board = Board(editor.setup.position)
        self._message = Static(id="message", markup=False)
        self._panel = EditPanel()
        self._play_from = play_from
        self._analyst = Analyst()

    def compose(self) -> ComposeResult:
        """Lay out the board above its message, the panel and the footer."""
        fit(self, self.app.size, update=False)
        if len(self.app.screen_stack) > 1:
            yield from match_line(self)
        with Horizontal(id="play"):
            with Vertical(id="column"):
                yield self._board
                yield self._message
            with Vertical(id="panel"):
                yield self._panel
        yield Static(id="too-small")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the setup after the first refresh."""
        apply_appearance(self._board, settings_of(self.app))
        self._board.focus()
        self.call_after_refresh(self.show)

    async def on_unmount(self) -> None:
        """Stop the engine process."""
        await self._analyst.close()

    def on_resize(self, event: events.Resize) -> None:
        """Show the board if there is room for it, else how much it needs."""
        show_if_room(self, event.size)
        self.call_after_refresh(self.show)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        apply_appearance(self._board, settings)
        if self.is_mounted:
            self.call_after_refresh(self.show)

    @property
    def setup(self) -> Setup:
        """The current setup."""
        return self.editor.setup

    # Showing

    def show(self, notice: str | None = None) -> None:
        """Show the setup with a notice, by default the previous one."""
        if notice is not None:
            self._notice = notice
        # A screen that is being removed has its `display` off.
        if not (self.is_mounted and self.is_attached and self.display):
            return
        setup, position, variant = self.setup, self.setup.position, self.setup.variant
        marks: dict[Square, SquareMark] = {}
        if self.advised:
            marks |= dict.fromkeys(squares_of(self.advised.captures), SquareMark.VICTIM)
            marks |= dict.fromkeys(self.advised[:2], SquareMark.ADVISED)
        if self._held is not None:
            marks[self._held] = SquareMark.HELD
        stops = tuple(square for square in SQUARES if position.letter_at(square))
        self._board.show(
            View(position, marks, stops=stops, goals=variant.goals, stone=variant.stone)
        )
        self._panel.show(setup, self._brush)
        verdict = f"Legal in {variant.title}."
        if objections := setup.objections:
            verdict = f"{capitalised('; '.join(objections))}."
        text = Text(verdict, "bold" if verdict == self._notice else "")
        if verdict != self._notice:
            text.append(f"\n{self._notice}", "bold")
        self._message.update(text, layout=False)
        self.refresh_bindings()

    # Changing

    def change(self, setup: Setup, notice: str = "") -> None:
        """Change the setup."""
        self.editor.change(setup)
        self.begin_anew(notice)

    def begin_anew(self, notice: str) -> None:
        """Show the setup anew, dropping pending answers, the advised move and the held piece."""
        self.workers.cancel_group(self, "asked")
        self._held = self.advised = None
        self.show(notice)

    def _use(self, square: Square) -> None:
        """Put down the held piece on a square, or else use the brush there."""
        letter = self.setup.position.letter_at(square)
        if self._held is not None:
            self.change(self.setup.move(self._held, square))
        elif self._brush is not Brush.HAND:
            erases = self._brush.value in ("", letter)
            setup = self.setup
            self.change(setup.remove(square) if erases else setup.put(self._brush.value, square))
        elif letter:
            self._held = square
            self.show("Enter or a click puts it down, Esc leaves it where it was.")
        else:
            self.show(
                "This square is empty. d, t and R put a piece on it; b changes what Enter does."
            )

    # The mouse

    @on(Board.Clicked)
    def _use_clicked(self, event: Board.Clicked) -> None:
        self._use(event.square)

    @on(Board.Grabbed)
    def _grab(self, event: Board.Grabbed) -> None:
        if self.setup.position.letter_at(event.square):
            self._held = event.square
            self.show("")

    @on(Board.Dropped)
    def _drop(self, event: Board.Dropped) -> None:
        if event.destination is None:
            self.change(self.setup.remove(event.origin))
        else:
            self.change(self.setup.move(event.origin, event.destination))

    # Text

    def on_paste(self, event: events.Paste) -> None:
        """Set the position whose text is pasted."""
        event.stop()
        try:
            self._read(event.text)
        except ValueError as refusal:
            self.show(f"Not changed: {refusal}.")

    def _read(self, text: str) -> None:
        self.change(self.setup.read(" ".join(text.split())), "Position set.")

    def action_type(self) -> None:
        """Ask for the text of a position."""

        async def attempt(text: str) -> bool:
            self._read(text)
            return True

        text = self.setup.position.to_text()
        self.app.push_screen(AskScreen("The text of a position", text, attempt))

    def action_copy(self) -> None:
        """Copy the position's text to the clipboard."""
        self.app.copy_to_clipboard(self.setup.position.to_text())
        self.show(f"The position was sent to {deployment_of(self.app).clipboard}.")

    def action_link(self) -> None:
        """Copy a link to the position to the clipboard."""
        from thud.records.links import link_to_position

        self.app.copy_to_clipboard(link_to_position(self.setup))
        self.show(f"A link to the position was sent to {deployment_of(self.app).clipboard}.")

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now."""
        if self.has_class("-too-small"):
            return action == "leave"
        possible = {
            "undo": self.editor.can_undo,
            "redo": self.editor.can_redo,
            "cycle_captures": False,
        }
        return possible.get(action, deployment_of(self.app).allows(action))

    def action_choose(self) -> None:
        """Put down or use the brush on the square under the cursor."""
        self._use(self._board.cursor)

    def action_put(self, letter: str) -> None:
        """Put a piece on the square under the cursor."""
        self.change(self.setup.put(letter, self._board.cursor))

    def action_remove(self) -> None:
        """Remove the piece from the square under the cursor."""
        self.change(self.setup.remove(self._board.cursor))

    def action_brush(self) -> None:
        """Switch to the next brush."""
        every = list(Brush)
        self._brush = every[(every.index(self._brush) + 1) % len(every)]
        self._held = None
        self.show("")

    def action_alter(self, how: str) -> None:
        """Apply one of the changes of the whole setup."""
        setup = self.setup
        match how:
            case "side":
                self.change(setup.give_turn(setup.position.to_move.other))
            case "game":
                games = list(VARIANTS.values())
                after = games.index(setup.variant) + 1 if setup.variant in games else 0
                self.change(setup.at_game(games[after % len(games)]))
            case "start":
                self.change(Setup.usual(setup.variant), "Usual start. u undoes it.")
            case "clear":
                self.change(setup.clear(), "Cleared. u undoes it.")
            case "mirror":
                self.change(setup.mirror())
            case "turn":
                self.change(setup.turn())

    def action_undo(self) -> None:
        """Undo the last change."""
        self.editor.undo()
        self.begin_anew("")

    def action_redo(self) -> None:
        """Redo the change undone last."""
        self.editor.redo()
        self.begin_anew("")

    def action_flip(self) -> None:
        """Flip the board."""
        self._board.flip()

    def action_help(self) -> None:
        """Show the marks, linked to the rules and to all keys."""
        self.app.push_screen(HelpScreen(self.setup.variant))

    def action_back(self) -> None:
        """Drop the held piece and the advised move, or leave if there is neither."""
        if self._held is None and not self.advised:
            self.action_leave()
        else:
            self.begin_anew("")

    def action_leave(self) -> None:
        """Leave, at any moment."""
        self.dismiss(None)

    # Using the position

    def action_play(self) -> None:
        """Ask who plays from here, and play."""
        if refusal := self._play_from(self.setup, lambda: self.begin_anew("")):
            self.show(refusal)

    def action_judge(self) -> None:
        """Have the computer evaluate the position."""
        self._ask("Looking for the best move …", self._judged)

    async def _judged(self) -> str:
        setup = self.setup
        decision, expects = await editor.evaluated(setup, self._analyst)
        self.advised = decision.move
        return " ".join(evaluation(*setup, decision, expects))

    def action_puzzle(self) -> None:
        """Check whether the position is a puzzle, and ask where to save it."""
        self._ask("Checking whether one move is much better than the others …", self._puzzle)

    async def _puzzle(self) -> str:
        puzzle = await confirmed(self.setup)
        about = puzzle_in_words(puzzle)
        if self.app.screen is not self:
            return f"This is a puzzle: {about}. Press z to save it."

        async def attempt(name: str) -> str:
            return await asyncio.to_thread(add_to, puzzle, name)

        asking = AskScreen(f"A puzzle: {about}. Add it to the file", "puzzles.jsonl", attempt)
        self.app.push_screen(asking, self._tell)
        return f"This is a puzzle: {about}."

    def action_save(self) -> None:
        """Ask for a file name until the position can be written."""

        async def save(name: str, *, overwrite: bool) -> str:
            return await asyncio.to_thread(editor.save_as, self.setup, name, overwrite=overwrite)

        question = f"Save the position as {joined(WRITABLE, 'or')}"
        name = unused_name(f"thud-{self.setup.variant.name}-position", ".tgn")
        self.app.push_screen(SaveScreen(question, name, save), self._tell)

    def _tell(self, notice: str | None) -> None:
        if notice:
            self.show(f"{notice}.")

    def _ask(self, notice: str, ask: Callable[[], Awaitable[str]]) -> None:
        """Show a notice, then the answer once it comes, unless the setup changes before."""
        self.begin_anew(notice)
        self._wait_for(ask)

    @work(group="asked", exclusive=True)
    async def _wait_for(self, ask: Callable[[], Awaitable[str]]) -> None:
        try:
            said = await ask()
        except ValueError as refusal:
            said = f"{capitalised(str(refusal))}."
        self.show(said)
