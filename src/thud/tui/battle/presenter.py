"""Shows a session's events in the pane, and asks there what the session asks."""

from __future__ import annotations

import asyncio
import os
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from thud.disk.directories import cache_directory
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.session.events import (
    Advised,
    Answered,
    Begun,
    ClockRuns,
    ConnectionSilent,
    Ended,
    Evaluated,
    Event,
    Faulted,
    HandedOver,
    News,
    Notified,
    Played,
    Proposed,
    Redone,
    RunningOut,
    Said,
    SaveFailed,
    SpectatorSaid,
    TakenBack,
    Thinking,
    Wish,
    Withdrawn,
)
from thud.session.view import Await, GoOn, Reply, Request, SessionView, TooLate
from thud.settings.values import Settings
from thud.terminal import notices
from thud.text import capitalised
from thud.tui.battle import questions
from thud.tui.battle.pane import BattlePane
from thud.tui.battle.questions import Then
from thud.tui.deployment import deployment_of
from thud.tui.keys.bar import key_of
from thud.tui.screens import MatchScreen
from thud.tui.textual_fixes import send_codes
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.prompt import Question
from thud.wording.clocks import has_left
from thud.wording.hints import hint
from thud.wording.session import (
    answered,
    away_rule,
    begun,
    ended_by,
    fails,
    idle,
    news,
    proposes,
    thinking,
    title,
)

if TYPE_CHECKING:
    from thud.ai.player import Thought


_LONG_THINK: Final = 5.0
"""Seconds of a computer's thinking after which players are notified that it is their turn."""


class Presenter:
    """A listener to a session that shows each event.

    Args:
        session: the session played.
        pane: where events are shown.
        notice: message to show with the first battle.
    """

    def __init__(self, session: SessionView, pane: BattlePane, notice: str = "") -> None:
        self._session = session
        self._pane = pane
        self._notice = notice
        self._title = ""
        self._known: Match | None = None
        self._since = 0.0
        self._led_to = pane.board.cursor
        """Where the last move left the cursor."""
        self._agreed = ""
        """A sentence saying who has just agreed to a proposal."""
        self._ended_by = ""
        """A sentence saying who has just agreed to end the battle."""

    @property
    def _settings(self) -> Settings:
        return settings_of(self._pane.app)

    def __call__(self, event: Event) -> None:
        """Show an event, unless the pane is not mounted yet or any more."""
        if self._pane.is_complete:
            self._present(event)
            self._show_title()

    def _present(self, event: Event) -> None:
        match event:
            case Begun():
                self._begin(event)
            case Played(before, move):
                self._show_played(before.to_move, move)
            case TakenBack() | Redone():
                self.show(self._agreement())
            case Ended():
                self._end()
                if self._session.match.over:
                    self._pane.run_worker(self._tell_rating(), group="rating")
            case SaveFailed(complaint):
                self._pane.show(capitalised(complaint))
            case Notified(words):
                self._pane.show(words)
            case _:
                self._present_talk(event)

    def _present_talk(self, event: Event) -> None:
        """Show events other than the moves and the end of a battle."""
        match event:
            case Proposed(by, wish):
                self._ask(by, wish)
            case Answered():
                self._show_answer(event)
            case _ if isinstance(event, News):
                self._show_news(event)
            case Withdrawn(_, because):
                self.show(capitalised(because))
            case Thinking(side, thought):
                self._show_thinking(side, thought)
            case Advised(position, decision, because, expects):
                told = hint(self._session.with_display_names, decision, because, expects)
                self._pane.advise(decision.move, " ".join(told))
                self._overhear(position.to_move, decision.thought)
            case RunningOut(side):
                self._warn_of_time(side)
            case ClockRuns():
                self._pane.show_clock()
            case Evaluated(side, thought):
                self._pane.show_evaluation(side, thought)
            case Faulted(player, fault) if self._session.seats[player].is_remote:
                self._pane.show(fails(self._session.match, player, fault))
            case Faulted():
                self._show_asked()
            case HandedOver():
                self._clear_evaluation()
                self.show("A person takes over.")

    def leave(self) -> None:
        """Restore the terminal's title."""
        self._send(notices.restored_title(os.environ))

    def show(self, notice: str = "") -> None:
        """Show the current position, with nothing in hand, and what the session asks."""
        self._pane.withdraw()
        self._pane.show_behind(notice)
        self._show_asked()

    async def request(self, request: Request, at: int | None = None) -> None:
        """Make a request to the session, and show why if it is refused."""
        try:
            await self._session.request(request, at)
        except TooLate:
            # The board already shows what came first.
            return
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))

    # What the session asks

    def _show_asked(self) -> None:
        session = self._session
        question: Question[Request | Then]
        match session.asked:
            case None:
                return
            case Reply((by, _, _, wish), made_here):
                question = questions.proposed(session, by, wish, withdrawable=made_here)
            case Await((by, _, _, wish)):
                question = questions.awaited(session, by, wish)
            case Faulted() as fault:
                question = questions.failed(session.match, fault)
            case GoOn():
                deployment = deployment_of(self._pane.app)
                question = questions.over(session, self._result(), deployment)
        self._pane.show_question(question, self._carry_out)

    def _result(self) -> questions.Result:
        """Return the result of the battle, with what there is room for."""
        screen = self._pane.screen
        beside = not screen.has_class("-upright")
        large = beside and screen.has_class("-tall") and not self._settings.ascii
        # Below a board there is a line for it, and names may be long.
        agreement = self._ended_by if self._session.battle.agreed and beside else ""
        match = self._session.with_display_names
        return questions.Result(match, self._pane.leads, agreement, large)

    async def _carry_out(self, answer: Request | Then) -> None:
        match answer:
            case Then.TRY_AGAIN:
                self._session.try_again()
                self.show()
            case Then.TAKE_OVER:
                self._session.take_over()
            case Then.REVIEW | Then.REPLAY:
                judge = answer is Then.REVIEW
                self._pane.post_message(MatchScreen.ReviewWanted(self._session, judge=judge))
            case Then.PICTURE:
                await self._pane.run_action("app.picture")
            case Then.LEAVE:
                await self._pane.run_action("app.quit")
            case _:
                await self.request(answer)

    async def _tell_rating(self) -> None:
        """Tell how the match has changed a person's rating."""
        told = await asyncio.to_thread(self._session.autosave.rating_change)
        if told:
            self._pane.app.notify(told, markup=False)

    # The battle

    def _show_title(self) -> None:
        if (shown := title(self._session)) != self._title:
            self._title = shown
            self._send(notices.title(os.environ, shown))

    def _begin(self, event: Begun) -> None:
        match, known = self._session.match, self._known
        if known is None:
            self._send(notices.saved_title(os.environ))
            self._begin_first()
        elif match is known:
            self.show(begun(self._session, event))
        else:
            self._clear_evaluation()
            self.show(f"{self._agreement()} A new match.".lstrip())
        self._known = match

    def _begin_first(self) -> None:
        """Show the first battle, in which the player may have a piece in hand already."""
        self._pane.take_keys()
        self._pane.show_talk()
        rule = [] if self._session.battle.played else away_rule(self._session)
        self._pane.show_around(self._notice or " ".join(rule))
        if self._session.battle.outcome and not self._pane.busy:
            self._show_asked()

    def _show_played(self, side: Side, move: Move) -> None:
        self._lead_cursor(side, move)
        if move.captures:
            if self._settings.bell:
                self._pane.app.bell()
            self._sound()
        session = self._session
        here = session.seat_of(side).is_local
        if here:
            self._pane.hush()
        if here or session.battle.outcome or not self._pane.busy:
            self.show()
        else:
            # The player is looking at something else: keep it open.
            self._pane.show_behind()
        if not here and session.can.move:
            self._call_players()

    def _sound(self) -> None:
        """Play the sound of a capture if the settings say so; a club's machine is silent."""
        if self._settings.sound and not deployment_of(self._pane.app).club:
            from thud.terminal.sound import play

            Thread(target=play, args=(cache_directory(),), daemon=True).start()

    def _lead_cursor(self, side: Side, move: Move) -> None:
        """Move the cursor to a move's end, unless the player moved it during a remote turn."""
        board = self._pane.board
        if not self._session.seat_of(side).is_remote or board.cursor == self._led_to:
            board.move_cursor(move.destination)
            self._led_to = move.destination

    def _call_players(self) -> None:
        """Notify the players that it is their turn, after a long wait."""
        if self._settings.notify and monotonic() - self._since > _LONG_THINK:
            self._send(notices.notification(os.environ, "Thud: it is your turn"))
            if self._settings.bell:
                self._pane.app.bell()

    def _warn_of_time(self, side: Side) -> None:
        """Warn a local player that little time is left."""
        session = self._session
        if session.clock and session.seat_of(side).is_local:
            self._pane.show(
                has_left(session.with_display_names.name_of(side), session.clock.left(side))
            )
            if self._settings.bell:
                self._pane.app.bell()

    def _end(self) -> None:
        # The result says that both have agreed.
        self._agreed = ""
        question = self._pane.prompt.question
        if question is None or not (question.is_modal or question.is_unhurried):
            self.show()

    # Proposals

    def _ask(self, by: Side, wish: Wish) -> None:
        session = self._session
        self._pane.picker.blocked = idle(session)
        self._pane.invite()
        if isinstance(session.asked, Reply | Await):
            self._show_asked()
        elif session.seat_of(by.other).is_remote:
            self._pane.show(proposes(session, by, wish))
        elif not session.watched:
            name = session.match.name_of(by.other)
            self._pane.show(f"{name} is thinking about your offer …")

    def _show_answer(self, answer: Answered) -> None:
        key = key_of(self._pane.app, "battle.resign")
        told = answered(self._session, answer, f"resign with {key}")
        if answer.agree:
            self._pane.withdraw()
            self._agreed = told
            if answer.wish is Wish.END:
                self._ended_by = ended_by(self._session, answer)
        elif not self._session.watched:
            self.show(told)

    def _agreement(self) -> str:
        """Return and clear the sentence saying who has just agreed, empty if nobody has."""
        told, self._agreed = self._agreed, ""
        return told

    # Remote players and spectators

    def _show_news(self, event: News) -> None:
        """Show news of other participants without interrupting the player."""
        self._pane.picker.blocked = idle(self._session)
        self._pane.show_standing()
        self._pane.screen.refresh_bindings()
        told = news(self._session, event)
        if isinstance(event, ConnectionSilent) and event.seconds:
            told = told or self._pane.notice
        chat = isinstance(event, Said | SpectatorSaid)
        if chat:
            self._pane.show_talk()
            met = self._session.participants.met
            if not (met or self._session.battle.outcome):
                return  # a computer has spoken: the panel has room for it until the end
            told = self._pane.room_for(told)
            if met and self._settings.bell:
                self._pane.app.bell()
        self._pane.show(told, remember=not chat)

    # Computers

    def _show_thinking(self, side: Side, thought: Thought | None) -> None:
        if thought is None:
            self._since = monotonic()
        self._pane.picker.blocked = thinking(self._session, thought)
        self._pane.invite()
        self._overhear(side, thought)

    def _overhear(self, side: Side, thought: Thought | None) -> None:
        """Show a computer's own evaluation, if evaluations are shown or it is only watched."""
        if thought and (self._session.advice.judging or self._session.watched):
            self._pane.show_evaluation(side, thought)

    def _clear_evaluation(self) -> None:
        if not self._session.advice.judging:
            self._pane.show_evaluation(Side.DWARFS, None)

    def _send(self, codes: str) -> None:
        send_codes(self._pane.app, codes)
