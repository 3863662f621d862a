"""The screen on which a match is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec.structs import replace
from textual import events, on, work
from textual.actions import parse
from textual.binding import BindingType

from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.session.events import NewMatch, ProposeEnd, Undo
from thud.session.law import (
    ChangeSpeed,
    Claim,
    Code,
    GiveSeat,
    Hold,
    NextBattle,
    Pause,
    Play,
    Redo,
    Refusal,
    Request,
    Resign,
    Say,
    refused,
    why_not,
)
from thud.session.state import SPEEDS, TableState, TooLate
from thud.session.view import SessionView
from thud.session.words import (
    NO_CLOCK,
    Confirmed,
    agrees_later,
    clock_in_words,
    confirmation,
    score_in_words,
    still_stands,
)
from thud.settings.values import Settings
from thud.text import capitalised, sentence
from thud.tui.actions import ACTIONS, BY_ID, SPECTATING, WATCHING, WHILE_ASKED, bindings
from thud.tui.battle.pane import BattlePane, Presenter
from thud.tui.board.widget import Board
from thud.tui.deployment import deployment_of
from thud.tui.keys.bar import BarEntry, entry_of, key_of
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.navigator import leave_label, way_back
from thud.tui.picking.screen import PickingScreen, asks
from thud.tui.screens import MatchScreen
from thud.tui.widgets.appearance import settings_of
from thud.words.moves import move_list, nothing_in_danger

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.tree import Excerpt
    from thud.rules.setup import Setup
    from thud.session.blunders import Blunder
    from thud.tui.picking.move_entry import Typed
    from thud.tui.widgets.margin_graph import MarginGraph
    from thud.tui.widgets.move_list import MoveRows
    from thud.visitor.links import TableLinks


_LOOKING: Final = "Looking for the best move …"
_SOMETHING: Final = "something"
_WITHOUT_HINTS: Final = Refusal(Code.EXCLUDED, "This match is played without hints.")
_WITHOUT_EVALUATION: Final = Refusal(Code.EXCLUDED, "This match is played without evaluation.")
_SPECTATES: Final = Refusal(Code.NOT_A_PLAYER, "Spectators get no evaluation.")
_IN_PAST: Final = [each for each in ACTIONS["battle"] if each.in_past]


_SILENT: Final = Refusal(Code.NOTHING, "")
"""An action does nothing, and it goes without saying why."""


def actions_now(state: TableState) -> Mapping[str, Refusal | None]:
    """Return why actions do nothing now, by name; None for those that do something, as others do.

    A reason is a sentence; without one, the action is not offered, or waits for one's turn.
    """
    here, seats, participants = state.turn.here, state.seats, state.participants
    over, hinted = state.battle.outcome is not None, state.hints_allowed
    lost = state.connection.lost if state.connection else None
    waits = not over and bool(seats.local) and not here
    captures = state.match.variant.has_captures
    nobody = "" if captures else nothing_in_danger(state.match.variant)

    def does(possible: bool, because: str = "", *, waits: bool = False) -> Refusal | None:
        return None if possible else Refusal(Code.NOTHING, because, waits)

    def asked(request: Request) -> Refusal | None:
        refusal = refused(state, request)
        if refusal is None or refusal.code is Code.TOO_EARLY:
            return None
        # The result on the board says what comes next.
        silent = over and not isinstance(request, Say)
        return _SILENT if silent else replace(refusal, because=sentence(refusal.because))

    hint = does(state.advisable, waits=waits)
    evaluation = _SPECTATES if seats.has_remote and not seats.local else None
    if not hinted:
        hint, evaluation = _WITHOUT_HINTS, evaluation or _WITHOUT_EVALUATION
    elif seats.has_remote and not (here or over):
        hint = does(False, "Wait for your turn to ask for a hint.", waits=waits)
    if over:
        evaluation = evaluation or _SILENT
    return {
        "choose": does(state.takes_part),
        "undo": asked(Undo()),
        "redo": asked(Redo()),
        "end_battle": asked(ProposeEnd()),
        "resign": asked(Resign()),
        "reconnect": does(lost is not None and lost.asks),
        "give_seat": asked(GiveSeat()),
        "claim": asked(Claim()),
        "hint": hint,
        "talk": asked(Say(_SOMETHING)),
        "who": does(participants.met),
        "type_move": does(not over and bool(seats.local)),
        "cycle_captures": does(not over and bool(seats.local) and captures),
        "threats": does(not over and captures, nobody),
        "explain": does(not over),
        "evaluate": evaluation,
        "explore": None if over or hinted else _WITHOUT_HINTS,
        "speed": does(state.watched),
        "turn_board": does(len(seats.local) == len(state.match.players) and not over),
        "review": does(over, "You can review the battle when it is over."),
        "look": does(state.battle.played > 0),
    }


class BattleScreen(PickingScreen, MatchScreen):
    """Plays matches one after the other, and looks back at earlier moves.

    Args:
        session: the session played.
        notice: message to show at the start.
        mention_unfinished: whether to mention another unfinished match at the start.
        links: the visitor's links to it, if it is a club's table.

    Attributes:
        state: the match played.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("battle")

    pane: BattlePane
    session: SessionView

    def __init__(
        self,
        session: SessionView,
        notice: str = "",
        *,
        mention_unfinished: bool = False,
        links: TableLinks | None = None,
    ) -> None:
        super().__init__(BattlePane(session.state, self.play))
        self.session = session
        self.state = session.state
        self._presenter = Presenter(session, self.pane, notice)
        self._stop_listening: Callable[[], None] | None = None
        self._mention_unfinished = mention_unfinished
        self._links = links
        self._new = True

    def update_node_styles(self, animate: bool = True) -> None:
        """Update the styles, except when first shown: they were just applied."""
        if not self._new:
            super().update_node_styles(animate)
        self._new = False

    async def begin(self) -> None:
        """Begin the match and run the session."""
        await self.pane.complete()
        self._stop_listening = self.session.subscribe(self._presenter)
        await self.session.begin()
        self.run_worker(self.session.run(), group="session")
        if self._links:
            await self._links.load()
        if self.state.participants.invitation and self.state.participants.missing:
            self.action_who()
        if self._mention_unfinished:
            self._look_for_unfinished()

    @on(events.Resize)
    def _fit_result(self) -> None:
        """Lay a result out for the new size, too."""
        self.call_after_refresh(self._presenter.fit_result)

    def on_screen_resume(self) -> None:
        """Let the coach go on once a review has ended, and tell anew what is to be done next."""
        self.session.advice.end_review()
        self._presenter.tell_more()

    async def on_unmount(self) -> None:
        """Unsubscribe, restore the terminal's title and leave the session."""
        if self._stop_listening:
            self._stop_listening()
            self._presenter.leave()
        await self.session.leave()

    @work
    async def _look_for_unfinished(self) -> None:
        mentioned = await asyncio.to_thread(self.session.autosave.mention)
        if mentioned and self.pane.is_complete:
            self.pane.picker = replace(self.picker, footnote=mentioned)
            self.pane.invite()

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self.session.advice.judging = settings.evaluation_bar
        # Nobody has asked for it: a club's machine is everybody's.
        looks_back = not deployment_of(self.app).club
        self.session.set_computers(
            coach=settings.coach, voices=settings.voices, paced=True, looks_back=looks_back
        )

    # Used by the app

    @property
    def match(self) -> Match:
        """The match played."""
        return self.state.match

    @property
    def current_setup(self) -> Setup:
        """The position on the board, for the editor."""
        from thud.rules.setup import Setup

        return Setup(self.state.match.variant, self.state.battle.position)

    @property
    def record(self) -> Record:
        """The record of the match as it is now."""
        return self.session.record

    def excerpt(self) -> Excerpt:
        """Return the place shown, to save its battle or draw a picture of it."""
        from thud.records.tree import Excerpt

        number, flipped = self.state.match.number, self.pane.board.flipped
        advised = self.picker.advice.move if self.pane.past_ply is None else None
        return Excerpt(number, self.pane.past_ply, flipped, advised=advised)

    @property
    def asking(self) -> bool:
        """Whether a question is open that is to be answered before anything else is done."""
        question = self.pane.prompt.question
        return question is not None and (question.is_modal or self.state.battle.outcome is None)

    @asks
    async def ask_to_leave(self) -> None:
        """Leave; ask first in the middle of a match."""
        from thud.tui.battle import questions

        self.pane.let_go()
        match = self.state.match
        begun = match.battle.moves or match.number > 1
        confirms = begun and not match.over and settings_of(self.app).confirm
        if confirms and not self.has_class("-too-small"):
            await self.session.request(Hold())  # engines wait meanwhile
            question = questions.leave(self._outlook, leave_label(self.app))
            sure = await self.pane.ask(question)
            asked_anew = sure is None and self.pane.prompt.question == question
            if not (sure or asked_anew):
                await self.session.request(Hold(False))
            if sure is False:
                self._presenter.show()
            if not sure:
                return
        self.post_message(self.Left())

    @property
    def _outlook(self) -> str:
        """What happens to the match if it is left now."""
        return self.session.outlook(way_back(self.app))

    # Playing

    async def play(self, move: Move) -> None:
        """Play a picked move, after a confirmation if the coach objects."""
        revision = self.picker.revision
        if doubt := await self.session.check_move(move):
            await self._play_in_doubt(move, revision, doubt)
        else:
            await self._presenter.request(Play(move), revision)

    @asks
    async def _play_in_doubt(self, move: Move, revision: int, doubt: Blunder) -> None:
        """Play a move if the player wants to all the same."""
        from thud.tui.battle import questions

        self.pane.picker = replace(self.picker, doubt=doubt)
        self.pane.show()
        question = questions.doubted(doubt)
        question = replace(question, stands=lambda: self.state.revision == revision)
        wanted = await self.pane.ask(question)
        if wanted:
            await self._presenter.request(Play(move), revision)
        elif wanted is False:
            self.pane.picker = replace(self.picker, doubt=None)
            self.pane.close_question()

    @property
    def opens(self) -> bool:
        """Whether another match can be opened in place of this one."""
        return not (self.asking or self.state.seats.has_remote)

    def plays_for(self, side: Side) -> bool:
        """Whether somebody here plays for a side."""
        return self.state.seat_of(side).is_local

    async def take_paste(self, text: str) -> None:
        """Take pasted moves where somebody here plays."""
        if self.state.seats.local:
            await super().take_paste(text)

    @property
    def topic(self) -> str:
        """The topic of the rules that fits now: how battles end, once that is asked about."""
        from thud.rulebook.chapters import END

        question, picked = self.pane.prompt.question, self.picker.selection.picked
        ends = self.state.battle.outcome or (question and question.is_modal and not picked)
        return END if ends else super().topic

    # Looking back

    def on_move_rows_picked(self, event: MoveRows.Picked) -> None:
        """Look back to the place of the move clicked."""
        if 0 < event.played <= self.state.battle.played:
            self._show_past(event.played)

    def on_margin_graph_picked(self, event: MarginGraph.Picked) -> None:
        """Look back to the place clicked in the graph."""
        self.action_look(event.played - self.pane.shown)

    def _show_past(self, played: int) -> None:
        """Show the battle after a number of moves, unless something is asked or in hand."""
        if not (self.asking or self.picker.selection.picked):
            self.pane.show_past(played)
            self.refresh_bindings()

    def action_look(self, by: int) -> None:
        """Step through the battle's moves; past the last one, return to the present."""
        wanted = max(0, self.pane.shown + by)
        if wanted < self.state.battle.played:
            self._show_past(wanted)
        else:
            self._return_to_now()

    def take_any_key(self, key: str) -> bool:
        """Return to the current position on any key except those that step."""
        if super().take_any_key(key):
            return True
        if self.pane.past_ply is None:
            return False
        keymap = keymap_of(self.app)
        stays = any(key in keys_of(each, keymap) for each in _IN_PAST)
        return not stays and self._return_to_now()

    @on(Board.Clicked)
    def _return_to_now(self) -> bool:
        """Stop looking back; return whether the player did look back."""
        looked_back = self.pane.past_ply is not None
        if looked_back:
            self._presenter.show()
        return looked_back

    # Keys

    @property
    def _actions(self) -> Mapping[str, Refusal | None]:
        """Why actions do nothing now, found out once after each change of the session."""
        found = self.state.found
        if actions_now not in found:
            found[actions_now] = actions_now(self.state)
        actions: Mapping[str, Refusal | None] = found[actions_now]
        return actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now; None dims it."""
        if self.has_class("-too-small") or not deployment_of(self.app).allows(action):
            return False
        pane = self.pane
        asked = pane.prompt.question and self.asking
        # A typed move takes the place of the one that is being picked.
        takes_place = action == "type_move" and pane.asks_captures and not pane.typing
        if action not in WHILE_ASKED and (asked or pane.typing) and not takes_place:
            return False
        picked = bool(self.picker.selection.picked)
        if action == "back":
            return picked
        if action == "look" and picked:
            return False
        refusal = self._actions.get(action)
        # A key may do something if only to say why not.
        return True if refusal is None or refusal.because else None if refusal.waits else False

    @property
    def offers(self) -> Mapping[str, bool | None]:
        """Whether the footer shows the keys of some actions; None dims one."""
        offered: dict[str, bool | None] = {
            name: None if each and each.waits else not (each and each.because)
            for name, each in self._actions.items()
        }
        if self.picker.selection.picked:
            # The way back is to let go, and few end a battle with a piece in hand.
            offered |= {"end_battle": False, "app.quit": False}
        return offered

    def only_keys(self) -> tuple[BarEntry, ...]:
        """Return the footer's entries while looking back, watching or spectating."""
        state = self.state
        if self.pane.past_ply is not None:
            steps = [("battle.earlier", "Earlier")] if self.pane.past_ply else []
            steps.append(("battle.later", "Later"))
            here = (entry_of(self.app, name, label) for name, label in steps)
            return (*here, BarEntry("escape", "Esc", "Back", ends=True))
        if self.pane.prompt.question or state.seats.local or state.battle.outcome:
            return ()
        entries, relabelled = [], self.labels_now()
        for _, label, name in WATCHING if state.watched else SPECTATING:
            runs = BY_ID[name].runs
            space, action, parameters = parse(runs)
            if name == "battle.undo" and not state.computers.paused:
                continue
            if space or self.does_something(action, parameters):
                entries.append(entry_of(self.app, name, relabelled.get(runs, label)))
        return tuple(entries)

    def first_keys(self) -> tuple[BarEntry, ...]:
        """Return the answers to a result for the footer, which lacks keys that the prompt takes."""
        question = self.pane.prompt.question
        if not (question and question.is_unhurried):
            return ()
        from thud.tui.battle.questions import Then

        labels = {
            NextBattle(): "Battle 2",
            NewMatch(): "New match",
            Then.REVIEW: "Review",
            Then.REPLAY: "Replay",
            Then.LEAVE: leave_label(self.app, over=self.match.over),
        }
        ascii_only = settings_of(self.app).ascii
        return tuple(
            BarEntry(
                each.keys[0],
                key_name(each.keys[0], ascii_only=ascii_only),
                labels[each.means],
                ends=each.means is Then.LEAVE,
            )
            for each in question.answers
            if each.means in labels
        )

    def labels_now(self) -> Mapping[str, str]:
        """Return the labels of actions that are called otherwise for now."""
        labels = {**super().labels_now(), "app.quit": leave_label(self.app)}
        if self._pauses:
            labels["screen.choose"] = "Go on" if self.state.computers.paused else "Pause"
        return labels

    def does_something(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether an action would do something now, and is worth offering."""
        if action == "look" and parameters == (1,) and self.pane.past_ply is None:
            return False
        if action == "said" and not (self.pane.said or self.state.participants.conversation):
            return False
        return not self.why_not(action) and super().does_something(action, parameters)

    @property
    def _pauses(self) -> bool:
        """Whether the keys that choose pause the match, because computers play it."""
        return self.state.watched and self.state.battle.outcome is None

    async def action_choose(self) -> None:
        """Pick up or put down on the square under the cursor; pause a match only watched."""
        if self._pauses:
            await self._presenter.request(Pause(not self.state.computers.paused))
            self._presenter.show()
        else:
            await super().action_choose()

    async def action_undo(self) -> None:
        """Take back the agreement to end, or moves back to a person's turn, if one plays."""
        await self._presenter.request(Undo())

    async def action_redo(self) -> None:
        """Redo what was taken back last."""
        await self._presenter.request(Redo())

    def action_hint(self) -> None:
        """Ask the computer for the best move."""
        if self.refuses("hint"):
            return
        self.say(_LOOKING)

        async def advise() -> None:
            try:
                found = await self.session.advise(self.state.revision)
                if found is None and self.pane.notice == _LOOKING:
                    self.say("The search for a hint was broken off.")
            except TooLate:
                return
            except ValueError as refusal:
                # Without closing what is open by now.
                self.say(capitalised(str(refusal)))

        self.run_worker(advise(), group="hint", exclusive=True)

    async def action_evaluate(self) -> None:
        """Toggle the evaluation bar."""
        if self.refuses("evaluate"):
            return
        await self.run_action("app.switch('evaluation_bar')")
        state = self.state
        if state.seats.has_remote and not (state.turn.here or state.battle.outcome):
            # Nothing is to be seen of it now.
            shown = "shown on your turn" if self.session.advice.judging else "off"
            self.say(f"The evaluation is {shown}.")

    async def action_turn_board(self) -> None:
        """Toggle whether the board turns to whoever of two people here is to move."""
        await self.run_action("app.switch('turn_board')")
        turns = settings_of(self.app).turn_board
        self.say(f"The board {'turns to who moves' if turns else 'no longer turns'}.")

    def why_not(self, action: str) -> str:
        """Return why an action does nothing now, empty if it does something or has no reason."""
        refusal = self._actions.get(action)
        return refusal.because if refusal else ""

    async def action_speed(self, by: int) -> None:
        """Change the speed at which computers play each other."""
        await self._presenter.request(ChangeSpeed(by))
        seconds = SPEEDS[self.state.computers.speed]
        self.say(f"At least {seconds:g} s a move." if seconds else "As fast as they can.")

    async def action_end_battle(self) -> None:
        """Ask the other player to end the battle."""
        self.pane.let_go()
        if self.refuses("end_battle"):
            return
        if later := agrees_later(self.state):
            self._presenter.show(f"{later} {key_of(self.app, 'battle.resign')} resigns.")
        elif self.state.opponent_is_computer:
            await self._confirm(ProposeEnd(), "propose it")
        else:
            await self._presenter.request(ProposeEnd())

    async def action_resign(self) -> None:
        """Resign, after a confirmation."""
        await self._confirm(Resign(), "resign")

    async def action_claim(self) -> None:
        """Claim the battle against an absent player, after a confirmation."""
        await self._confirm(Claim(), "claim it")

    def action_reconnect(self) -> None:
        """Suspend the app while ssh asks on the terminal to restore the connection."""
        try:
            with self.app.suspend():
                self.session.reconnect()
        except ValueError as refusal:
            self.say(sentence(str(refusal)))

    async def action_give_seat(self) -> None:
        """Give a seat to the person who asks for it, after a confirmation."""
        await self._confirm(GiveSeat(), "give it", no="keep it")

    @asks
    async def _confirm(self, request: Confirmed, yes: str, no: str = "play on") -> None:
        """Make a request if the player is sure, while the question stands."""
        from thud.tui.battle import questions

        self.pane.let_go()
        state = self.state
        if refusal := why_not(state, request):
            self._presenter.show(sentence(refusal.because))
            return
        asked = confirmation(state, request)
        title, means = asked
        question = questions.sure(title, means, yes, no)
        sure = await self.pane.ask(
            replace(question, stands=lambda: still_stands(state, request, asked))
        )
        if sure:
            self.pane.withdraw()
            await self._presenter.request(request)
        elif sure is False:
            self._presenter.show()

    async def obey(self, typed: Typed) -> None:
        """Carry out a typed command: what has no key of its own, as a request."""
        state = self.state
        match typed.does:
            case NewMatch() as another if not self.match.over and not state.seats.has_remote:
                await self._begin_another(another)
            case request if isinstance(request, Request) and (refusal := why_not(state, request)):
                self.say(sentence(refusal.because))
            case request if isinstance(request, Request) and not typed.action:
                await self._presenter.request(request)
            case _:
                await super().obey(typed)

    @asks
    async def _begin_another(self, another: NewMatch) -> None:
        """Begin another match in the middle of one, if the players are sure."""
        from thud.tui.battle import questions

        question = questions.sure("Start a new match?", self._outlook, "start it")
        sure = await self.pane.ask(question)
        if sure:
            self.pane.withdraw()
            await self._presenter.request(another)
        elif sure is False:
            self._presenter.show()

    def action_score(self) -> None:
        """Show the state of the match."""
        self._show_text("The match so far", score_in_words(self.state))

    def action_clock(self) -> None:
        """Say how much time the players have left."""
        self.say(" ".join(clock_in_words(self.state)) or NO_CLOCK)

    def action_moves(self) -> None:
        """Show the moves of the battle."""
        self._show_text("The moves", move_list(self.state.battle) or ["No move has been made."])

    def _show_text(self, title: str, lines: Sequence[str]) -> None:
        from thud.tui.widgets.modals import TextScreen

        self.app.push_screen(TextScreen(title, "\n".join(lines)))

    def action_talk(self) -> None:
        """Send a chat message."""
        if not self.refuses("talk"):
            self.pane.talk(self._say)

    async def _say(self, text: str) -> None:
        await self.session.request(Say(text))

    def action_said(self) -> None:
        """Show the chat and the notices again, as far as they are remembered."""
        from thud.tui.widgets.modals import TextScreen

        lists = {"Chat": self.state.participants.conversation, "Notices": self.pane.said}
        parts = ["\n".join((f"{name}:", *reversed(said))) for name, said in lists.items() if said]
        text = "\n\n".join(parts) or "Nothing has been said yet."
        self.app.push_screen(TextScreen("Messages, the newest first", text))

    def action_who(self) -> None:
        """Show who is connected, and how others can join."""
        from thud.tui.battle.participants_screen import ParticipantsScreen

        self.app.push_screen(ParticipantsScreen(self.session, self._links))

    def action_review(self) -> None:
        """Replay the finished battle with a review."""
        if not self.refuses("review"):
            self.post_message(self.ReviewWanted(self.session, judge=True))

    @asks
    async def action_copy(self) -> None:
        """Ask what to copy to the clipboard."""
        from thud.records.record import Record
        from thud.records.tree import Excerpt
        from thud.rules.notation import texts_of
        from thud.tui.battle import questions

        self.pane.let_go()
        what = await self.pane.ask(questions.copy())
        match, battle, remark = self.match, self.match.battle, ""
        match what:
            case None:
                return
            case "position":
                text = battle.position.to_text()
            case "moves":
                text = "\n".join(texts_of(battle.start, battle.moves))
            case "picture":
                from thud.records.pictured import svg_text

                text = svg_text(Record.of(match), Excerpt(flipped=self.pane.board.flipped))
            case "link":
                from thud.records.links import link_to, remark_on

                text = link_to(self.record)
                remark = remark_on(text)
            case _:
                self._presenter.show()
                return
        self.app.copy_to_clipboard(text)
        were = "were" if what == "moves" else "was"
        told = f"The {what} {were} sent to {deployment_of(self.app).clipboard}."
        self._presenter.show(f"{told} {remark}".rstrip())
