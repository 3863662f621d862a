"""The questions of a battle, and what their answers do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING

from thud.rules.position import Side
from thud.rules.variant import IllegalMove
from thud.session.events import Wish
from thud.session.requests import (
    Answer,
    Claim,
    GiveSeat,
    NewMatch,
    NextBattle,
    Request,
    Resign,
    Undo,
    Withdraw,
)
from thud.session.view import SessionView, TooLate
from thud.settings.values import Settings
from thud.text import capitalised, sentence
from thud.tui.battle import questions
from thud.tui.battle.pane import BattlePane
from thud.tui.deployment import Deployment, deployment_of
from thud.tui.screens import MatchScreen
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.prompt import Run
from thud.wording.session import claiming, giving, resigning

if TYPE_CHECKING:
    from thud.session.blunders import Blunder


class Dialogs:
    """Shows the current battle, asks its questions, and carries out the answers.

    Args:
        session: the session played.
        pane: where battle and questions are shown.

    Attributes:
        agreement: who has just agreed to end the battle, as a sentence.
    """

    def __init__(self, session: SessionView, pane: BattlePane) -> None:
        self._session = session
        self._pane = pane
        self.agreement = ""

    @property
    def _settings(self) -> Settings:
        return settings_of(self._pane.app)

    @property
    def _deployment(self) -> Deployment:
        return deployment_of(self._pane.app)

    def show(self, notice: str = "") -> None:
        """Show the current position, with nothing in hand and no question open."""
        self._pane.withdraw()
        self._pane.show_behind(notice)
        if self._session.battle.outcome:
            self.show_result()

    async def request(self, request: Request, at: int | None = None) -> None:
        """Make a request to the session, and show why if it is refused."""
        await self.attempt(self._session.request(request, at))

    async def attempt(self, doing: Coroutine[object, object, object]) -> None:
        """Await something of the session, and show why if it is refused."""
        try:
            await doing
        except TooLate:
            # The board already shows what came first.
            return
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))

    # What both players must agree to

    def ask(self, by: Side, wish: Wish) -> None:
        """Ask the opponent of a side whether they agree to its proposal."""
        session = self._session
        proposed_here = session.seat_of(by).is_local
        self._pane.ask(
            questions.proposed(
                session,
                by,
                wish,
                agree=lambda: self.request(Answer(True, wish)),
                refuse=lambda: self.request(Answer(False, wish)),
                withdraw=self._withdraw if proposed_here else None,
            )
        )

    def await_answer(self, by: Side, wish: Wish) -> None:
        """Show that a remote player's answer is awaited; the proposal can be withdrawn."""
        self._pane.ask(questions.awaited(self._session, by, wish, withdraw=self._withdraw))

    async def _withdraw(self) -> None:
        await self.request(Withdraw())

    # Resigning, claiming, giving a seat away

    def resign(self) -> None:
        """Resign, after a confirmation."""
        self._ask_if_sure(resigning(self._session), "resign", Resign())

    def claim(self) -> None:
        """Claim the battle, after a confirmation, or say why that is not possible yet."""
        try:
            asked = claiming(self._session)
        except IllegalMove as refusal:
            self.show(sentence(str(refusal)))
            return
        self._ask_if_sure(asked, "claim it", Claim())

    def give_seat(self) -> None:
        """Give a seat to the person who asks for it, after a confirmation."""
        self._ask_if_sure(giving(self._session), "give it", GiveSeat(), "keep it")

    def _ask_if_sure(
        self,
        asked: tuple[str, str],
        label: str,
        request: Request,
        no: str = "play on",
    ) -> None:
        def sure() -> Coroutine[object, object, None]:
            self._pane.withdraw()
            return self.request(request)

        self._pane.ask(questions.sure(*asked, (label, no), do=sure, back=self.show))

    # The end of a battle

    def show_result(self) -> None:
        """Show the result of the battle or match, and ask what to do next."""
        session, pane = self._session, self._pane
        over = session.match.over

        def go_on() -> Coroutine[object, object, None]:
            return self.request(NewMatch() if over else NextBattle())

        then = questions.Next(
            go_on=go_on if session.can.take_part else None,
            undo=(lambda: self.request(Undo())) if session.can.undo else None,
            undoes="play on" if session.agreed else "undo",
            review=partial(self.review, judge=True),
            replay=partial(self.review, judge=False),
            picture=self._picture if self._deployment.allows("picture") else None,
            leave=self.leave,
            deployment=self._deployment,
        )
        beside = not pane.screen.has_class("-upright")
        large = beside and pane.screen.has_class("-tall") and not self._settings.ascii
        # Below a board there is a line for it, and names may be long.
        agreement = self.agreement if session.agreed and beside else ""
        result = questions.Result(session.with_display_names, pane.leads, agreement, large)
        pane.ask((questions.match_over if over else questions.battle_over)(result, then))

    async def _picture(self) -> None:
        await self._pane.run_action("app.picture")

    def review(self, *, judge: bool) -> None:
        """Replay the finished battle, with a review if `judge` is set."""
        self._pane.post_message(MatchScreen.ReviewWanted(self._session, judge=judge))

    # Computers

    def ask_about_fault(self, player: int, fault: str) -> None:
        """Report that a computer player has failed, and ask how to go on."""
        name = self._session.match.players[player]
        self._pane.ask(
            questions.failed(fault, name, again=self._try_again, take_over=self._session.take_over)
        )

    def _try_again(self) -> None:
        self._session.try_again()
        self.show()

    def ask_about_doubt(self, doubt: Blunder, play: Run, keep: Run) -> None:
        """Show the coach's objection to a move, and ask whether to play it."""
        self._pane.ask(questions.doubted(doubt, play=play, keep=keep))

    # Leaving

    def leave(self, *, at_once: bool = False) -> None:
        """Leave; ask first in the middle of a match."""
        match = self._session.match
        begun = match.battle.moves or match.number > 1
        if match.over or not begun or at_once or not self._settings.confirm:
            self._leave()
            return
        self._session.hold()
        told = self._session.outlook
        self._pane.ask(questions.leave(told, self._deployment, leave=self._leave, stay=self._stay))

    def _leave(self) -> None:
        self._pane.post_message(MatchScreen.Left())

    def _stay(self) -> None:
        self._session.hold(False)
        self.show()

    # Copies

    def copy(self, copy_text: Callable[[str], None]) -> None:
        """Ask what to copy to the clipboard."""
        from thud.tui.battle import sharing

        def copy(what: str, text: str) -> None:
            copy_text(text)
            were = "were" if what == "moves" else "was"
            self.show(f"The {what} {were} sent to {deployment_of(self._pane.app).clipboard}.")

        match, flipped = self._session.match, self._pane.board.flipped
        self._pane.ask(sharing.copying(match, copy, self.show, flipped=flipped))
