"""The pane of a match, and the presenter that shows a session's events there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from itertools import takewhile
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.widget import Widget

from thud.disk.directories import cache_directory
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome
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
    LookedBack,
    LookingBack,
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
    Withdrawn,
)
from thud.session.law import Request, TryAgain
from thud.session.state import Await, Reply, TableState, TooLate
from thud.session.view import SessionView
from thud.session.words import (
    answered,
    away_rule,
    begun,
    calmed,
    fails,
    happened,
    idle,
    meanwhile,
    news,
    proposes,
    thinking,
    title,
)
from thud.settings.values import Settings
from thud.terminal import notices
from thud.text import YOU, capitalised, does, sentence, stopped
from thud.tui.board.cursor import nearest
from thud.tui.board.look import View, last_marks
from thud.tui.deployment import deployment_of
from thud.tui.keys.bar import key_of
from thud.tui.looks.fitted import first_rows
from thud.tui.navigator import leave_label, next_of
from thud.tui.picking.picker import line_of
from thud.tui.picking.screen import BoardPane, Play
from thud.tui.screens import MatchScreen
from thud.tui.textual_fixes import send_codes
from thud.tui.widgets.prompt import Prompt, Question
from thud.tui.widgets.standing import Standing
from thud.words.clocks import left_then
from thud.words.match import handicap
from thud.words.moves import describe_last, describe_short, turn_of

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.exercises.next_step import Step
    from thud.tui.battle.questions import Then
    from thud.tui.battle.talk_screen import TalkScreen
    from thud.tui.battle.widgets import ChatLog, Clocks, EvaluationBar
    from thud.tui.widgets.margin_graph import MarginGraph
    from thud.tui.widgets.move_list import MoveList

_LONG_THINK: Final = 5.0
"""Seconds of a computer's thinking after which players are notified that it is their turn."""


class BattlePane(BoardPane):
    """Shows a match and its questions.

    Args:
        state: the match.
        play: callback for a complete move.
    """

    # These are laid out after the first frame.
    _bar: EvaluationBar
    _clocks: Clocks
    _graph: MarginGraph
    _moves: MoveList
    _chat_log: ChatLog

    def __init__(self, state: TableState, play: Play) -> None:
        # A remote match may have advanced before it is first shown here.
        super().__init__(state.with_display_names, play, state.revision)
        self._state = state
        self._standing = Standing()
        self._begun = False
        """Whether the rest is laid out."""
        self._leads: list[tuple[Position, float]] = []
        """The dwarfs' lead in each position of the battle, computed once each."""
        self._looked_at = ""
        self._talk: TalkScreen | None = None
        self._draft = ""
        """A chat message that a question has interrupted."""
        self._face_mover()

    def compose_panel(self) -> ComposeResult:
        """Lay out the points."""
        yield self._standing

    @property
    def is_complete(self) -> bool:
        """Whether all children are mounted and none is being removed."""
        return self._begun and super().is_complete

    async def complete(self) -> None:
        """Lay out the rest, which is empty before the battle begins."""
        from thud.tui.battle.widgets import ChatLog, Clocks, EvaluationBar
        from thud.tui.widgets.margin_graph import MarginGraph
        from thud.tui.widgets.move_list import MoveList

        self._clocks, self._graph = Clocks(), MarginGraph()
        self._moves, self._chat_log = MoveList(), ChatLog()
        self._bar = EvaluationBar()
        self._bar.apply_settings(self.picker.settings)
        self._begun = True
        if self.is_complete:
            # Mount all before awaiting any: meanwhile the app may begin to exit.
            below = self._panel.mount(
                self._clocks, self._graph, self._moves, self._chat_log, after=self._standing
            )
            beside = self.mount(self._bar, before=self._panel)
            self._panel.styles.margin = 0  # the bar takes its place
            await below
            await beside

    def apply_settings(self, settings: Settings) -> None:
        """Follow the settings."""
        super().apply_settings(settings)
        self._standing.apply_settings(settings)
        if self.is_complete:
            self._bar.apply_settings(settings)
            self._face_mover()

    # The battle

    def show_behind(self, notice: str = "") -> None:
        """Show the current position, with nothing in hand, behind any open question."""
        before = self.picker.selection.position.to_move
        self.begin(self._state.with_display_names, self._state.revision)
        if self.two_here and self._state.to_move is not before:
            # It was for the one who has moved.
            self.picker = replace(self.picker, threats=None)
        self.show_around(notice)

    @property
    def two_here(self) -> bool:
        """Whether two people take turns at this board."""
        return len(self._state.seats.local) == len(self._state.match.players)

    def _face_mover(self) -> None:
        """Show by the board itself who of two people here is to move."""
        state, board, turns = self._state, self.board, self.picker.settings.turn_board
        board.turn = state.to_move if self.two_here and not state.battle.outcome else None
        if turns and board.turn and board.flipped is not (board.turn is Side.TROLLS):
            board.flip()

    @property
    def asks_others(self) -> bool:
        """Whether the session asks something, which stays open whatever is picked."""
        return self._state.asked is not None

    def block(self, because: str) -> None:
        """Say why nobody here can move now; with an empty text, somebody can."""
        self.picker = replace(self.picker, blocked=because)
        self.invite()

    def lines_now(self) -> tuple[str, str, str, str]:
        """Return what is told; of two people here, who is to answer comes before who is to move."""
        line, *others = super().lines_now()
        asked = self._state.asked
        if isinstance(asked, Reply):
            name = self._state.with_display_names.name_of(asked.proposal.by.other)
            line = "Your answer" if name == YOU else f"{name} to answer"
        elif self._confirms and not (self.picker.blocked or self.picker.doubt):
            line = ""
        notice, legend, advice = others
        return line, notice, legend, advice

    @property
    def _confirms(self) -> bool:
        """Whether a question is open that is to be answered before anything is picked up."""
        return self.prompt.question is not None and self.prompt.question.is_modal

    def show_around(self, notice: str = "") -> None:
        """Update everything around the position; the piece in hand stays in hand."""
        self.picker = replace(self.picker, blocked=idle(self._state))
        self.show_standing()
        self._moves.show(self._state.battle, self.past_ply)
        self._face_mover()
        self.screen.refresh_bindings()
        self.show(notice or describe_last(self._state.with_display_names))

    def show_standing(self) -> None:
        """Show the standing, the margin graph and the clocks, if any."""
        battle = self._state.battle
        self._show_standing(battle.position, over=battle.outcome is not None)
        self._graph.show(self.leads, battle.played)
        self.show_clock()

    def _show_standing(self, position: Position, *, over: bool) -> None:
        state = self._state
        self._standing.show(
            state.with_display_names,
            state.match.number,
            position,
            over=over,
            programs=state.seats.programs,
            free=state.participants.free,
            summed=over and state.match.over,
        )

    @property
    def leads(self) -> Sequence[float]:
        """The dwarfs' lead after each move of the battle; a new list each time."""
        battle = self._state.battle
        # What was taken back and played differently since is computed anew.
        pairs = zip(self._leads, battle.positions, strict=False)
        self._leads = [known for known, _ in takewhile(lambda each: each[0][0] is each[1], pairs)]
        rest = battle.positions[len(self._leads) :]
        self._leads += [(position, battle.variant.lead(position)) for position in rest]
        return [lead for _, lead in self._leads]

    def show_clock(self) -> None:
        """Show the players' remaining time, if there is or was a clock."""
        if self._state.clock or self._clocks.display:
            self._clocks.show(self._state.clock)

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show a computer's evaluation for the given side, which is to move."""
        from thud.review.hints import expectation
        from thud.tui.battle.widgets import share

        battle = self._state.battle
        known = battle.variant, battle.position._replace(to_move=side)
        quiet = battle.quiet_moves
        self._bar.show(None if thought is None else share(*known, thought, quiet))
        self._standing.expect(expectation(*known, thought, quiet) if thought else "")

    @on(Prompt.Resized)
    def make_room(self) -> None:
        """Take away what a result would cover: the graph, or all else, which it says as well."""
        if not (self.prompt.question and self.prompt.question.is_unhurried):
            return
        if not self.prompt.region:
            self.call_after_refresh(self.make_room)  # it is laid out later
            return
        shown = [each for each in self._panel.children if each.display and each is not self.prompt]
        if shown and shown[-1].region.bottom > self.prompt.region.y:
            self.add_class("-covered")
        self.set_class(
            self._standing.virtual_region.bottom > self.prompt.virtual_region.y, "-alone"
        )

    def drop_question(self) -> None:
        """Close the question, and leave all else as it is."""
        self.remove_class("-covered", "-alone")
        super().drop_question()

    # Chat

    def talk(self, say: Callable[[str], Awaitable[None]], draft: str = "") -> None:
        """Ask for a chat message, and send it by `say`."""
        from thud.tui.battle.talk_screen import TalkScreen

        self._talk = TalkScreen(draft, say, self.typed)
        self._say = say
        self.app.push_screen(self._talk)

    @property
    def line(self) -> Widget | None:
        """The line that takes the keys, if any; a chat message is on top of the others."""
        if self._talk and self._talk.is_current:
            return self._talk.focused
        return super().line

    def take_keys(self) -> None:
        """Focus the widget that the keys are for; a question interrupts a chat message."""
        super().take_keys()
        if not (talk := self._talk):
            return
        if self.prompt.question and talk.is_current and not self._rest:
            talk.dismiss()
            self._draft = talk.draft
        elif self._draft and not self.prompt.question:
            self.call_after_refresh(self._talk_on)

    def _talk_on(self) -> None:
        """Go on with the chat message that a question has interrupted."""
        if self._draft and self.screen.is_current and not self.prompt.question:
            draft, self._draft = self._draft, ""
            self.talk(self._say, draft)

    def show_talk(self) -> None:
        """Show the latest chat messages; where only a computer speaks, its last one."""
        participants = self._state.participants
        said = participants.conversation
        self._chat_log.show(said if participants.met else said[-1:])

    def hush(self) -> None:
        """Take away what a computer has said, if only computers speak."""
        if self._chat_log.display and not self._state.participants.met:
            self._chat_log.show(())

    def room_for(self, notice: str) -> str:
        """Truncate a notice to the rows below the board, less one for the line above it."""
        room = self.message.content_size
        return first_rows(notice, self.app.console, room.width, room.height - 1)

    # Looking back

    @property
    def shown(self) -> int:
        """The number of moves after which the battle is shown."""
        return self._state.battle.played if self.past_ply is None else self.past_ply

    def show_past(self, played: int) -> None:
        """Show the battle after the given number of moves, until a key is pressed."""
        from thud.records.record import Record
        from thud.records.tree import Cursor

        match = self._state.with_display_names
        cursor = Cursor.at(Record.of(match), match.number, played)
        marks, variant = last_marks(cursor.move), match.variant
        view = View(cursor.position, marks, goals=variant.goals, stone=variant.stone)
        if cursor.before and cursor.move:
            strokes = line_of(variant, cursor.before, cursor.move)
            view = replace(view, strokes=strokes, past=bool(strokes))
        self.board.show(view)
        self.past_ply = played
        self._show_standing(cursor.position, over=False)
        self._graph.show(self.leads, played)
        self._moves.show(self._state.battle, self.past_ply)
        self._looked_at = "The battle begins"
        if cursor.before and cursor.move:
            # Turns, as in the list of moves.
            turn, last = (turn_of(match.battle, ply - 1) for ply in (cursor.ply, cursor.last))
            told = describe_short(match, cursor.before, cursor.move, cursor.number)
            told += left_then(cursor.time_left, cursor.record.control)
            self._looked_at = f"Turn {turn} of {last}: {told}"
        self.tell(self._looked_at, "[ and ] step; any other key returns to the battle.")

    def tell_meanwhile(self, notice: str) -> None:
        """Show what has happened while the player looks back."""
        if notice:
            self.tell(
                self._looked_at,
                f"{stopped(notice)} Only [ and ] step; any other key returns to the battle.",
            )


class Presenter:
    """A listener to a session that shows each event.

    Args:
        session: the session played.
        pane: where events are shown.
        notice: message to show with the first battle.
    """

    def __init__(self, session: SessionView, pane: BattlePane, notice: str = "") -> None:
        self._session = session
        self._state = session.state
        self._pane = pane
        self._notice = notice
        self._title = ""
        self._known: Match | None = None
        self._since = 0.0
        self._led_to = pane.board.cursor
        """Where the last move left the cursor."""
        self._agreed = ""
        """A sentence saying who has just agreed to a proposal."""
        self._accuracy = self._rating = ""
        """How accurate the player's moves were, and how the match has changed their rating."""
        self._onward: Step | None = None
        """What is to be done next, once the match is over."""

    def __call__(self, event: Event) -> None:  # noqa: PLR0912, PLR0915 - a branch for each event
        """Show an event, unless the pane is not mounted yet or any more."""
        from thud.review.hints import hint

        pane, state = self._pane, self._state
        if not pane.is_complete:
            return
        pane.drop_outdated()
        match event:
            case Begun():
                self._begin(event)
            case Played(before, move):
                self._show_played(before.to_move, move)
            case TakenBack() | Redone():
                self._clear_evaluation()
                self.show(self._agreement())
            case Ended():
                self._end(event)
            case SaveFailed(complaint):
                self._notice = capitalised(complaint)
                pane.show(self._notice)
            case Notified(words):
                pane.show(words)
            case LookingBack(words, first):
                pane.show(words, remember=first)
            case LookedBack(words, accuracy):
                self._accuracy = accuracy
                self._update_result()
                pane.show(words)
            case Proposed():
                self._show_proposal(event)
            case Answered():
                self._show_answer(event)
            case Withdrawn(_, because):
                self.show(capitalised(because) or happened(state, event))
            case Thinking(side, thought):
                if thought is None:
                    self._since = monotonic()
                pane.block(thinking(state, thought if self._is_shown() else None))
                self._show_thought(side, thought)
            case Advised(position, decision, because, expects, earlier):
                told = hint(state.with_display_names, decision, because, expects, earlier)
                pane.advise(decision.move, " ".join(told))
                if decision.move and not (pane.busy or pane.picker.selection.picked):
                    pane.board.move_cursor(decision.move.origin)
                self._show_thought(position.to_move, decision.thought)
            case Evaluated(side, thought):
                pane.show_evaluation(side, thought)
            case RunningOut() if said := happened(state, event):
                pane.show(said)
                self._ring()
            case ClockRuns():
                pane.show_clock()
            case Faulted(player, fault) if state.seats[player].is_remote:
                pane.show(fails(state.match, player, fault))
            case Faulted():
                pane.block(idle(state))
                self._show_asked()
            case HandedOver():
                self._clear_evaluation()
                self.show(happened(state, event))
            case _ if isinstance(event, News):
                self._show_news(event)
        if (shown := title(state)) != self._title:
            self._title = shown
            send_codes(pane.app, notices.title(os.environ, shown))

    def leave(self) -> None:
        """Restore the terminal's title."""
        send_codes(self._pane.app, notices.restored_title(os.environ))

    def show(self, notice: str = "") -> None:
        """Show the current position, with nothing in hand, and what the session asks."""
        self._pane.withdraw()
        self._pane.show_behind(notice)
        self._show_asked()

    def fit_result(self) -> None:
        """Lay the result out for the screen's new size, if it is shown."""
        if isinstance(self._state.asked, Outcome):
            self._update_result()

    def _update_result(self) -> None:
        """Show the result as it is now, if one is shown."""
        question = self._pane.prompt.question
        if self._pane.is_complete and question and question.is_unhurried:
            self._show_asked()

    async def request(self, request: Request, at: int | None = None) -> None:
        """Make a request to the session, and show why if it is refused."""
        try:
            await self._session.request(request, at)
        except TooLate:
            # The board already shows what came first.
            return
        except ValueError as refusal:
            self.show()
            self._pane.refuse(sentence(str(refusal)))

    # What the session asks

    def _show_asked(self) -> None:
        from thud.tui.battle import questions

        state = self._state
        question: Question[Request | Then]
        match asked := state.asked:
            case None:
                return
            case Reply(proposal, made_here):
                question = questions.proposed(state, proposal, withdrawable=made_here)
            case Await(proposal):
                question = questions.awaited(state, proposal)
            case Faulted() as fault:
                question = questions.failed(state.match, fault)
            case Outcome():
                self._pane.close_entry()
                self._pane.hush()
                screen, deployment = self._pane.screen, deployment_of(self._pane.app)
                beside = not screen.has_class("-upright")
                width = questions.WIDE if screen.has_class("-wide") else questions.WIDTH
                width = width if beside else questions.BELOW
                high = beside and screen.has_class("-tall") and not self._pane.picker.settings.ascii
                question = questions.over(
                    state,
                    deployment,
                    leaving=leave_label(self._pane.app, over=state.match.over),
                    figures=[*filter(None, (self._accuracy, self._rating))],
                    onward=self._onward if state.match.over else None,
                    width=width,
                    high=high,
                )
        question = replace(question, stands=lambda: state.asked == asked)
        self._pane.show_question(question, self._carry_out)
        if question.is_unhurried:
            self._pane.call_after_refresh(self._pane.make_room)

    async def _carry_out(self, answer: Request | Then) -> None:
        from thud.tui.battle.questions import Then

        match answer:
            case TryAgain():
                await self.request(answer)
                self.show()
            case Then.REVIEW | Then.REPLAY:
                judge = answer is Then.REVIEW
                self._pane.post_message(MatchScreen.ReviewWanted(self._session, judge=judge))
            case Then.PICTURE:
                await self._pane.run_action("app.picture")
            case Then.LEAVE:
                await self._pane.run_action("app.quit")
            case Then.ONWARD:
                if self._onward:
                    await self._pane.run_action(f"app.go_on('{self._onward.way}')")
            case _:
                await self.request(answer)

    # The battle

    def _begin(self, event: Begun) -> None:
        pane, state = self._pane, self._state
        match, known = state.match, self._known
        self._accuracy, self._rating, self._onward = "", "", None
        if known is None:
            send_codes(pane.app, notices.saved_title(os.environ))
            pane.take_keys()
            pane.show_talk()
            rule = [] if state.battle.played else away_rule(state)
            # The player may have a piece in hand already: it stays there.
            pane.show_around(self._notice or " ".join(rule))
            if state.battle.outcome and not pane.busy:
                self._show_asked()
        elif match is known:
            self.show(begun(state, event))
        else:
            self._clear_evaluation()
            pane.close_entry()
            shown = state.with_display_names
            begins = does(shown.name_of(state.to_move), "begin")
            told = [self._agreement(), f"A new match. {begins}.", *handicap(shown)]
            self.show(" ".join(told).lstrip())
        if known:
            pane.board.move_cursor(nearest(pane.board.cursor, pane.picker.selection.movable))
        self._known = match

    def _show_played(self, side: Side, move: Move) -> None:
        pane, state = self._pane, self._state
        seat = state.seat_of(side)
        if not seat.is_remote or pane.board.cursor == self._led_to:
            # Whoever moves the cursor during a remote turn keeps it.
            pane.board.move_cursor(move.destination)
            self._led_to = move.destination
        if move.captures:
            self._ring()
            if self._pane.picker.settings.sound and deployment_of(pane.app).sounds:
                from thud.terminal.sound import play

                Thread(target=play, args=(cache_directory(),), daemon=True).start()
        if seat.is_local:
            pane.hush()
            pane.close_entry()
        question = pane.prompt.question
        decides = question is not None and question.is_modal
        calm = calmed(state)
        if calm and state.turn.here:
            calm += f" {key_of(pane.app, 'battle.end')} proposes the end."
        if state.battle.outcome is None:
            calm = f"{state.aimed} {calm}".strip()
        last, unread = stopped(describe_last(state.with_display_names)), self._notice
        self._notice = ""
        if unread and not seat.is_local:
            # A computer may move before anybody has read what was said at the start.
            pane.show_behind(f"{last} {unread}")
        elif seat.is_local or not pane.busy or (state.battle.outcome and not decides):
            self.show(calm)
        else:
            # The player is looking at something else: keep it open.
            pane.show_behind(f"{last} {calm}" if calm else "")
        long = monotonic() - self._since > _LONG_THINK
        if long and not seat.is_local and state.turn.here and self._pane.picker.settings.notify:
            send_codes(pane.app, notices.notification(os.environ, "Thud: it is your turn"))
            self._ring()

    def _end(self, event: Ended) -> None:
        pane, state = self._pane, self._state
        # The result says that both have agreed.
        self._agreed = ""
        question = pane.prompt.question
        if question and question.is_modal:
            # It has nothing to do with the battle: the result is shown after it.
            pane.show_behind(meanwhile(state, event))
        elif not (question and question.is_unhurried):
            self.show()
        self.tell_more()

    def tell_more(self) -> None:
        """Tell how a match that is over has changed a rating, and what is to be done next."""
        pane, state = self._pane, self._state
        match = state.match

        async def tell() -> None:
            rating = await asyncio.to_thread(self._session.autosave.rating_change)
            # Of two people, both may want another match, and what is next is neither's.
            alone = not (state.seats.has_remote or pane.two_here)
            onward = await next_of(pane.app) if alone else None
            if state.match is not match:
                return
            if onward and onward.way == "play":
                onward = None  # the key of another match is there already
            self._rating, self._onward = rating, onward
            self._update_result()

        if match.over and pane.is_complete:
            pane.run_worker(tell(), group="result")

    def _ring(self) -> None:
        if self._pane.picker.settings.bell:
            self._pane.app.bell()

    # Proposals

    def _show_proposal(self, proposed: Proposed) -> None:
        state, asks = self._state, isinstance(self._state.asked, Reply | Await)
        if asks:
            self._pane.drop_question()
        self._pane.block(idle(state))
        if asks:
            self._show_asked()
        elif state.seat_of(proposed.by.other).is_remote:
            self._pane.show(proposes(state, proposed))
        elif not state.watched:
            name = state.match.name_of(proposed.by.other)
            self._pane.show(f"{name} is thinking about your offer …")

    def _show_answer(self, answer: Answered) -> None:
        key = key_of(self._pane.app, "battle.resign")
        told = answered(self._state, answer, f"resign with {key}")
        if answer.agree:
            self._pane.withdraw()
            self._agreed = told
        elif not self._state.watched:
            self.show(told)

    def _agreement(self) -> str:
        """Return and clear the sentence saying who has just agreed, empty if nobody has."""
        told, self._agreed = self._agreed, ""
        return told

    # Remote players and spectators

    def _show_news(self, event: News) -> None:
        """Show news of other participants without interrupting the player."""
        pane, state = self._pane, self._state
        pane.picker = replace(pane.picker, blocked=idle(state))
        pane.show_standing()
        pane.screen.refresh_bindings()
        told = news(state, event)
        if isinstance(event, ConnectionSilent) and event.seconds:
            told = told or pane.notice
        chat = isinstance(event, Said | SpectatorSaid)
        if chat:
            met = state.participants.met
            if met or not state.battle.outcome:
                pane.show_talk()
            if not (met or state.battle.outcome):
                return  # a computer has spoken: the panel has room for it until the end
            told = pane.room_for(told)
            if met:
                self._ring()
        pane.show(told, remember=not chat)

    # Computers

    def _show_thought(self, side: Side, thought: Thought | None) -> None:
        """Show a computer's own evaluation, if it is to be shown."""
        if thought and self._is_shown():
            self._pane.show_evaluation(side, thought)

    def _is_shown(self) -> bool:
        """Whether to show what computers think: evaluations are shown, or they are only watched."""
        return self._session.advice.judging or self._state.watched

    def _clear_evaluation(self) -> None:
        """Withdraw the evaluation: it is of another position."""
        self._pane.show_evaluation(Side.DWARFS, None)
