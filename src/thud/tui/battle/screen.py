"""The screen on which a match is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.binding import BindingType

from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.session.view import SessionView
from thud.settings.values import Settings
from thud.tui.battle.disabled_actions import possible, waits_for_turn, why_not
from thud.tui.battle.pane import BattlePane
from thud.tui.battle.picking_screen import PickingScreen
from thud.tui.board.widget import Board
from thud.tui.keys.bar import Entry
from thud.tui.keys.bindings import BATTLE_KEYS, LOOK_KEYS, PICTURE_KEY, WHILE_ASKED
from thud.tui.keys.keymap import keymap_of, keys_of
from thud.tui.widgets.move_list import MoveList
from thud.wording.text import sentence

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.tree import Excerpt
    from thud.rules.setup import Setup
    from thud.tui.battle.dialogs import Dialogs
    from thud.tui.battle.presenter import Presenter
    from thud.tui.widgets.margin_graph import MarginGraph


_RETURN: Final = Entry("escape", "Any other key", "Back to now")


class BattleScreen(PickingScreen):
    """Plays one match after the other, and shows each battle as it was, too.

    Args:
        session: what is played.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*BATTLE_KEYS]

    pane: BattlePane

    def __init__(
        self, session: SessionView, notice: str = "", *, mention_unfinished: bool = False
    ) -> None:
        super().__init__(BattlePane(session, self.play))
        self.session = session
        session.turns.leisurely = True
        self._notice = notice
        self._stop_listening: Callable[[], None] | None = None
        self._mention_unfinished = mention_unfinished
        self._new = True

    # What tells and asks is loaded when there is something to be told: after the first frame.

    @cached_property
    def _dialogs(self) -> Dialogs:
        from thud.tui.battle.dialogs import Dialogs

        return Dialogs(self.session, self.pane)

    @cached_property
    def _presenter(self) -> Presenter:
        from thud.tui.battle.presenter import Presenter

        return Presenter(self.session, self.pane, self._dialogs, self._notice)

    def update_node_styles(self, animate: bool = True) -> None:
        """Apply the styles anew, but not when the screen is shown first: they were just applied."""
        if not self._new:
            super().update_node_styles(animate)
        self._new = False

    async def begin(self) -> None:
        """Begin the match, and let it go on."""
        await self.pane.complete()
        self._stop_listening = self.session.subscribe(self._presenter)
        await self.session.begin()
        self.run_worker(self.session.run(), group="session")
        if self.session.company.invitation and self.session.company.missing:
            self.action_who()
        if self._mention_unfinished:
            self._look_for_unfinished()

    async def on_unmount(self) -> None:
        """Leave no process and no trace behind."""
        if self._stop_listening:
            self._stop_listening()
            self._presenter.leave()
        await self.session.leave()

    @work
    async def _look_for_unfinished(self) -> None:
        mentioned = await asyncio.to_thread(self.session.autosave.mention)
        if mentioned and self.pane.whole:
            self.picker.mention(mentioned)

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self.session.advice.judging = settings.evaluation_bar
        self.session.coach.on = settings.coach

    # What others ask of it

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.session.match

    @property
    def at_hand(self) -> Setup:
        """The position on the board, for the editor."""
        from thud.rules.setup import Setup

        return Setup(self.session.match.variant, self.session.battle.position)

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""
        return self.session.record

    async def pictured(self) -> tuple[Record, Excerpt]:
        """Return a record, and the place in it that is shown, for a picture of that."""
        from thud.records.tree import Excerpt

        number, flipped = self.session.match.number, self.pane.board.flipped
        advised = self.picker.advised if self.pane.past is None else None
        return self.record, Excerpt(number, self.pane.past, flipped, advised=advised)

    @property
    def asking(self) -> bool:
        """Whether a question that decides something is open."""
        question = self.pane.prompt.question
        return question is not None and (question.holds or self.session.battle.outcome is None)

    def noted(self) -> None:
        """Do nothing when the record was written to a file: the match is saved anyhow."""

    def ask_to_leave(self) -> None:
        """Leave; in the middle of a match ask first."""
        self.picker.let_go()
        self._dialogs.leave(at_once=self.has_class("-too-small"))

    # Playing

    async def play(self, move: Move) -> None:
        """Play a move that was picked, once the coach has nothing against it or is overruled."""
        number = self.picker.number
        if doubt := await self.session.weigh(move):
            self.picker.show_doubt(doubt)
            self._dialogs.ask_about_doubt(
                doubt, partial(self._play, move, number), self.picker.keep
            )
        else:
            await self._play(move, number)

    async def _play(self, move: Move, number: int) -> None:
        """Play a move, unless the match has gone on while it was picked."""
        await self._dialogs.attempt(self.session.play(move, number))

    @property
    def opens(self) -> bool:
        """Whether another match can be opened in place of this one."""
        return not (self.asking or self.session.seats.apart)

    def plays_for(self, side: Side) -> bool:
        """Say whether somebody here plays for a side."""
        return self.session.seat_of(side).here

    # Looking back

    @on(MoveList.Picked)
    def _look_back(self, event: MoveList.Picked) -> None:
        if 0 < event.played <= self.session.battle.played:
            self._show_past(event.played)

    def on_margin_graph_picked(self, event: MarginGraph.Picked) -> None:
        """Look back at the place in the graph that was clicked."""
        self.action_look(event.played - self.pane.shown)

    def _show_past(self, played: int) -> None:
        """Show the battle after so many of its moves, unless something has to be decided."""
        if not (self.asking or self.picker.hand.grip):
            self.pane.show_past(played)
            self.refresh_bindings()

    def action_look(self, by: int) -> None:
        """Look back at the battle a move earlier, or a move later; after the last comes now."""
        wanted = max(0, self.pane.shown + by)
        if wanted < self.session.battle.played:
            self._show_past(wanted)
        else:
            self._return_to_now()

    def take_any_key(self, key: str) -> bool:
        """Return to the current position on any key except those that step."""
        keymap = keymap_of(self.app)
        steps = any(key in keys_of(each, keymap) for each in (*LOOK_KEYS, PICTURE_KEY))
        return super().take_any_key(key) or (not steps and self._return_to_now())

    @on(Board.Clicked)
    def _return_to_now(self) -> bool:
        """Show the battle as it stands if people look back; say whether they did."""
        looked_back = self.pane.past is not None
        if looked_back:
            self._dialogs.show()
        return looked_back

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say which keys do something now."""
        if self.has_class("-too-small"):
            return False
        if (self.asking or self.pane.typing) and action not in WHILE_ASKED:
            return False
        if action == "back":
            return bool(self.picker.hand.grip)
        if possible(self.session, action) or self.why_not(action):
            return True
        return None if waits_for_turn(self.session, action) else False

    def offers(self, action: str) -> bool | None:
        """Say whether the footer has a key for an action: None is dimmed, in its place."""
        return None if waits_for_turn(self.session, action) else not self.why_not(action)

    def only_keys(self) -> tuple[Entry, ...]:
        """Return what the footer shows while people look back, or do not play."""
        session = self.session
        if self.pane.past is not None:
            return (_RETURN,)
        if self.pane.prompt.question or session.seats.here or session.battle.outcome:
            return ()
        from thud.tui.battle.disabled_actions import onlook_entries, watch_entries

        if session.watched:
            return watch_entries(self.app, self, paused=session.paused)
        return onlook_entries(self.app, self)

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Say whether an action would do something now, and is worth offering."""
        if action == "look" and parameters == (1,) and self.pane.past is None:
            return False
        # The line of a move opens even so, lest what is typed into it does other things.
        if (action == "type_move" and not self.session.can_move) or self.why_not(action):
            return False
        return super().does_something(action, parameters)

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor; pause what is only watched."""
        if self.session.watched and not self.session.battle.outcome:
            self.session.pause(not self.session.paused)
            self._dialogs.show()
        else:
            await super().action_choose()

    async def action_undo(self) -> None:
        """Take the last move back, to a person's turn if one plays, or the agreement to end."""
        await self._dialogs.attempt(self.session.undo())

    async def action_redo(self) -> None:
        """Play again what was taken back last."""
        await self._dialogs.attempt(self.session.redo())

    def action_hint(self) -> None:
        """Ask the computer for the best move."""
        if self._refuses("hint"):
            return
        self.say("Looking for the best move …")
        self.run_worker(
            self._dialogs.attempt(self.session.advise(self.session.number)), group="hint"
        )

    async def action_evaluate(self) -> None:
        """Show what the computer expects beside the board, or no longer."""
        if not self._refuses("evaluate"):
            await self.run_action("app.switch('evaluation_bar')")

    def why_not(self, action: str) -> str:
        """Return why a key only says that it does nothing now, empty if it does something."""
        return why_not(self.session, action)

    def _refuses(self, action: str) -> bool:
        """Say why a key does nothing now, if it does nothing; return whether that is so."""
        because = self.why_not(action)
        if because:
            self.say(because)
        return bool(because)

    def action_speed(self, by: int) -> None:
        """Change the speed at which computers play with one another."""
        seconds = self.session.turns.faster(by)
        self.say(f"At least {seconds:g} s a move." if seconds else "As fast as they can.")

    async def action_end_battle(self) -> None:
        """Ask the other player to end the battle."""
        self.picker.let_go()
        await self._dialogs.attempt(self.session.propose_end())

    def action_resign(self) -> None:
        """Ask whether the battle is given up."""
        self.picker.let_go()
        self._dialogs.resign()

    def action_claim(self) -> None:
        """Ask whether the battle is claimed of a player who is away."""
        self.picker.let_go()
        self._dialogs.claim()

    def action_reconnect(self) -> None:
        """Leave the terminal to ssh, which has to ask before the line is mended."""
        try:
            with self.app.suspend():
                self.session.reconnect()
        except ValueError as refusal:
            self.say(sentence(str(refusal)))

    def action_give_seat(self) -> None:
        """Ask whether a seat is given to whoever asks for it."""
        self.picker.let_go()
        self._dialogs.give_seat()

    def action_talk(self) -> None:
        """Say something to those at other places."""
        if self._refuses("talk"):
            return
        from thud.session.company import LONGEST_WORDS
        from thud.tui.widgets.modals import AskScreen

        async def say(text: str) -> None:
            self.session.say(text)

        question = f"Say something (up to {LONGEST_WORDS} characters)"
        self.app.push_screen(AskScreen(question, "", say))

    def action_said(self) -> None:
        """Show all that was said, as far as it is remembered."""
        from thud.tui.widgets.modals import TextScreen

        said = "\n".join(self.session.company.conversation)
        self.app.push_screen(TextScreen("Chat", said))

    def action_who(self) -> None:
        """Tell who is there, and how others can come."""
        from thud.tui.battle.company_screen import CompanyScreen

        self.app.push_screen(CompanyScreen(self.session))

    def action_review(self) -> None:
        """Replay the battle, which is over, and have it judged."""
        if not self._refuses("review"):
            self._dialogs.review(judge=True)

    def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        self.picker.let_go()
        self._dialogs.copy(self.app.copy_to_clipboard)
