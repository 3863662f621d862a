"""The explorer: step through what others played."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from textwrap import shorten
from typing import ClassVar, Final, TypeAlias

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ProgressBar, Static
from textual.widgets.option_list import Option

from thud.engines.analyst import Analyst
from thud.explore.library import (
    CannotIndex,
    ExploredMove,
    IndexState,
    Library,
    Sample,
)
from thud.explore.material import Material, battles_with, parse_material
from thud.explore.words import (
    FLEETING,
    NO_MATCHES,
    NOBODY_WENT_ON,
    NOBODY_YET,
    TITLE,
    faults,
    made,
    nobody_had,
    place_in,
    reading,
    result,
)
from thud.records.formats import read_match
from thud.records.tree import Cursor
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move
from thud.rules.setup import Setup
from thud.session.editor import judged
from thud.text import capitalised, counted, sentence
from thud.tui.actions import WHILE_ASKED, bindings
from thud.tui.explore.played_list import PlayedList
from thud.tui.picking.screen import BoardPane, PickingScreen, Play
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.words.match import figure


class ExplorePane(BoardPane):
    """The moves played, beside the board.

    Args:
        match: the match to begin from.
        play: callback to step into a move.

    Attributes:
        played: the list of moves.
        on_board: whether the board has the keys instead of the list.
    """

    def __init__(self, match: Match, play: Play) -> None:
        super().__init__(match, play)
        self.played = PlayedList()
        self.on_board = False
        self._where = Static(id="where", classes="section")
        self._bar = ProgressBar(show_percentage=False, show_eta=False)
        self._bar.display = False
        self._state = Static(id="told")

    def compose_panel(self) -> ComposeResult:
        """Lay out the position's heading, the moves played, and the state of the index."""
        yield self._where
        yield self.played
        yield self._bar
        yield self._state

    def focus_now(self) -> Widget | None:
        """Return the list of moves, or what the board pane focuses if that has the keys."""
        return super().focus_now() if self.busy or self.on_board else self.played

    def show_where(
        self, battle: Battle, played: Sequence[ExploredMove] | None, of: str = ""
    ) -> None:
        """Show the last move, the number of battles, and of which battles they are.

        `played` is None until it is known.
        """
        text = Text(TITLE, "bold")
        text.append(f"\n{battle.variant.title}", "not bold")
        if battle.last:
            text.append(f", move {battle.played}: {move_text(*battle.last)}", "not bold")
        if battle.outcome:
            told = capitalised(battle.outcome.description)
        elif played is None:
            told = "…"
        elif not played:
            told = NOBODY_WENT_ON
        else:
            battles = counted(sum(each.number for each in played), "battle")
            told = f"{counted(len(played), 'move')} in {battles}".capitalize()
        text.append(f"\n{told}", "not bold")
        if of:
            text.append(f"\nCounted: {of}", "not bold")
        self._where.update(text)

    def show_state(self, state: IndexState) -> None:
        """Show the state of the index, with a bar while files are read."""
        self._bar.update(total=state.files, progress=state.read)
        self._bar.display = state.read < state.files
        told = (
            "" if state.files else NO_MATCHES,
            reading(state.read, state.files),
            faults(state.faulty, state.fault),
            "" if state.lasts else FLEETING,
        )
        self._state.update(Text("\n".join(filter(None, told))))


OpenAt: TypeAlias = Callable[[Cursor, Path, str], Awaitable[None]]
"""Opens a match at a place, given its file and a notice."""

_TURNED: Final = "In that match, the board is turned or mirrored."


class ExploreScreen(PickingScreen):
    """Steps from position to position, by others' moves or any.

    Args:
        match: the match to begin from; its battle is changed by the steps.
        library: the others' matches; left open.
        open_at: opens one of them.
        leave: leaves this screen.
    """

    stopover = True

    BINDINGS: ClassVar[list[BindingType]] = bindings("explore")

    CSS = """
    ExploreScreen {
        #panel { padding: 0 0 0 1; }
        #where, #told { height: auto; padding: 0 1 0 0; }
        #told { color: $foreground-muted; }
        PlayedList { height: 1fr; margin: 1 0 0 0; }
        &.-wide PlayedList { margin: 0; }
        ProgressBar { height: 1; width: 1fr; }
        ProgressBar Bar { width: 1fr; }
    }
    ExploreScreen.-wide #panel { width: 40; }
    ExploreScreen.-large {
        #message { height: 2; }
    }
    """

    pane: ExplorePane

    class Read(Message):
        """More matches have been indexed."""

        def __init__(self, state: IndexState) -> None:
            super().__init__()
            self.state = state

    def __init__(
        self, match: Match, library: Library, open_at: OpenAt, leave: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(ExplorePane(match, self.play))
        self._match, self._begun_at = match, match.battle.played
        self._library = library
        self._open_at = open_at
        self._leave = leave
        self._analyst = Analyst()
        self._left = False
        self._counted = 0
        self._reading = True

    async def begin(self) -> None:
        """Show the first position, and what was played there."""
        self._show()
        self._read()

    async def on_unmount(self) -> None:
        """Stop posting news of the index, which is read in a thread; end the engine."""
        self._left = True
        await self._analyst.close()

    @property
    def current_setup(self) -> Setup:
        """The position on the board, for the editor or to play from."""
        return Setup(self._match.variant, self._match.battle.position)

    # What was played

    @work(group="read", exclusive=True)
    async def _read(self) -> None:
        """Update the index, then look the position up again."""
        try:
            await asyncio.to_thread(self._library.update, self._tell_read)
        except CannotIndex as error:
            self.pane.show(capitalised(str(error)))
        self._reading = False
        self._look()

    def _tell_read(self, state: IndexState) -> None:
        """Post the index's state to the screen; called in another thread."""
        if not self._left:
            self.post_message(self.Read(state))

    @on(Read)
    def _show_read(self, event: Read) -> None:
        self.pane.show_state(event.state)
        if self._counted != self._library.counted:
            self._counted = self._library.counted
            self._look()

    def _show(self) -> None:
        """Show the current position, and look up what was played there."""
        self.pane.withdraw()
        self.pane.close_entry()
        self.pane.played.clear()
        self.pane.begin(self._match, self.picker.revision + 1)
        self.pane.show_where(self._match.battle, None)
        self.pane.show()
        self.refresh_bindings()
        self._look()

    @work(group="look", exclusive=True)
    async def _look(self) -> None:
        battle = self._match.battle
        position = battle.position
        try:
            played = await asyncio.to_thread(self._library.played, battle.variant, position)
        except CannotIndex as error:
            self.pane.show(capitalised(str(error)))
            return
        if self._match.battle.position == position:
            compared = self._library.compares
            self.pane.played.show(battle.variant, position, played, compared=compared)
            of = self._library.source.value if self._library.has_corpus else ""
            self.pane.show_where(battle, None if self._reading and not played else played, of)
            self._show_chosen()
            self.refresh_bindings()

    @on(PlayedList.Chosen)
    def _show_chosen(self) -> None:
        """Show the chosen move on the board, with its results."""
        if self.picker.selection.picked or self.pane.busy:
            return
        battle = self._match.battle
        if chosen := self.pane.played.chosen:
            told = made(battle.variant, chosen, compared=self._library.compares)
            text = f"{move_text(battle.position, chosen.move)}: {told}"
            self.pane.advise(chosen.move, text, with_legend=False)
        else:
            self.pane.advise(None, "")

    # Walking

    async def play(self, move: Move) -> None:
        """Step into a move."""
        self._match.battle.play(move)
        self.pane.board.move_cursor(move.destination)
        self._show()

    @on(PlayedList.Entered)
    async def action_step_in(self) -> None:
        """Step into the move chosen in the list."""
        if chosen := self.pane.played.chosen:
            await self.play(chosen.move)

    def action_step_back(self) -> None:
        """Take the last step back."""
        if self._match.battle.played:
            self._match.battle.undo()
            self._show()

    def action_step_on(self) -> None:
        """Redo the step taken back last."""
        if self._match.battle.undone:
            self._match.battle.redo()
            self._show()

    def action_to_start(self) -> None:
        """Go back to the battle's beginning."""
        while self._match.battle.played:
            self._match.battle.undo()
        self._show()

    def action_next_source(self) -> None:
        """Count all battles, one's own, or the computer's."""
        self._library.source = self._library.source.next
        self._look()

    # Judging

    @work(group="judge", exclusive=True)
    async def action_judge(self) -> None:
        """Have the computer judge the position after the chosen move."""
        battle, chosen = self._match.battle, self.pane.played.chosen
        if chosen is None:
            return
        before = battle.position
        self.pane.show(f"Judging {move_text(before, chosen.move)} …")
        try:
            said = await judged(battle.variant, before, chosen.move, self._analyst)
        except ValueError as refusal:
            said = sentence(str(refusal))
        if before == self._match.battle.position and chosen == self.pane.played.chosen:
            self.pane.show(said)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now."""
        if self.has_class("-too-small"):
            return action == "leave"
        if self.pane.typing or self.pane.prompt.question:
            return action in WHILE_ASKED
        return action != "next_source" or self._library.has_corpus

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        battle = self._match.battle
        if action == "judge":
            return self.pane.played.chosen is not None and not battle.outcome
        stepped = {"step_back": battle.played, "to_start": battle.played, "step_on": battle.undone}
        return bool(stepped.get(action, True)) and super().does_something(action, parameters)

    def action_to_board(self) -> None:
        """Focus the board."""
        self.pane.on_board = True
        self.pane.take_keys()

    async def action_back(self) -> None:
        """Undo the last choice, return from the board to the list, undo a step, or leave."""
        if self.picker.selection.picked or self.pane.busy:
            await super().action_back()
        elif self.pane.on_board:
            self.pane.on_board = False
            self.pane.take_keys()
        elif self._match.battle.played > self._begun_at:
            self.action_step_back()
        else:
            await self._leave()

    async def action_leave(self) -> None:
        """Leave, at any moment."""
        await self._leave()

    # Matches

    @work(group="matches", exclusive=True)
    async def action_matches(self) -> None:
        """List matches with the chosen move, to open one."""
        self.pane.let_go()
        battle, chosen = self._match.battle, self.pane.played.chosen
        move = chosen.move if chosen else None
        try:
            samples = await asyncio.to_thread(
                self._library.samples, battle.variant, battle.position, move
            )
        except CannotIndex as error:
            self.pane.show(capitalised(str(error)))
            return

        text = f"with {move_text(battle.position, move)}" if move else "that continue from here"
        without = NOBODY_YET if self._reading else NOBODY_WENT_ON
        self._list(f"Matches {text}", samples, without, after=1 if move else 0)

    def action_material(self) -> None:
        """Ask for numbers of pieces, and list the matches with them."""

        async def attempt(text: str) -> Material:
            return parse_material(text)

        def answered(material: Material | None) -> None:
            if material:
                self._list_with(material)

        question = "How many dwarfs and trolls? Such as 24 1"
        self.app.push_screen(AskScreen(question, "", attempt), answered)

    @work(group="matches", exclusive=True)
    async def _list_with(self, material: Material) -> None:
        """List matches with some pieces, to open one."""
        variant, paths = self._match.variant, self._library.paths

        self.pane.show(f"Looking for {material} …")
        samples = await asyncio.to_thread(
            battles_with, paths, variant, material, lambda: self._left
        )
        self.pane.show("")

        self._list(f"Matches with {material}", samples, nobody_had(material), here=False)

    def _list(
        self,
        title: str,
        samples: Sequence[Sample],
        without: str,
        *,
        here: bool = True,
        after: int = 0,
    ) -> None:
        """List matches with their players, places and results, to open one.

        Args:
            title: the title of the list.
            samples: the matches, with the places in them.
            without: text to show if there are none.
            here: whether they reached this position.
            after: how many moves all of them have in common there.
        """
        # What a list leaves at both sides of its options.
        room = min(90, self.app.size.width * 95 // 100) - 12
        options: list[Option] = []
        for number, sample in enumerate(samples):
            line = Table.grid(padding=(0, 2), expand=True)
            line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
            line.add_column(justify="right", no_wrap=True)
            how = result(self._match.variant, sample.margin, figure)
            # As `Text`, because names in brackets in plain strings would be parsed as markup.
            line.add_row(Text(sample.battle.players), Text(how))
            place = shorten(place_in(sample, after=after), room, placeholder=" …")
            options.append(Option(Group(line, Text(f"  {place}", "dim")), id=str(number)))

        def answered(number: str | None) -> None:
            if number:
                self._open(samples[int(number)], here=here)

        self.app.push_screen(ListScreen(title, options, without), answered)

    @work(group="matches", exclusive=True)
    async def _open(self, sample: Sample, *, here: bool = True) -> None:
        """Open a match at its place, which has this position if `here` is set."""
        variant, position, where = self._match.variant, self._match.battle.position, sample.where
        try:
            record, _ = await asyncio.to_thread(read_match, sample.path, variant, where.match)
            place = Cursor.at(record, where.battle, where.ply)
        except ValueError as error:
            self.pane.show(capitalised(str(error)))
            return
        notice = _TURNED if here and place.position != position else ""
        await self._open_at(place, sample.path, notice)
