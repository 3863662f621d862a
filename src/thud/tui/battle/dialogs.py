"""The battle as it stands, what is asked at its pane, and what the answers do."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING

from thud.rules.position import Side
from thud.session.events import Wish
from thud.session.view import SessionView, TooLate
from thud.settings.values import Settings
from thud.tui.battle import questions
from thud.tui.battle.pane import BattlePane
from thud.tui.deployment import Deployment, deployment_of
from thud.tui.roles import MatchLeft, ReviewWanted
from thud.tui.widgets.appearance import settings_of
from thud.tui.widgets.prompt import Run
from thud.wording.session import claiming, giving, resigning
from thud.wording.text import capitalised

if TYPE_CHECKING:
    from thud.session.blunders import Blunder


class Dialogs:
    """Shows the battle as it stands, asks what is to be asked, and does what is answered.

    Args:
        session: what is played.
        pane: where it is shown and asked.
    """

    def __init__(self, session: SessionView, pane: BattlePane) -> None:
        self._session = session
        self._pane = pane

    @property
    def _settings(self) -> Settings:
        return settings_of(self._pane.app)

    @property
    def _deployment(self) -> Deployment:
        return deployment_of(self._pane.app)

    def show(self, notice: str = "") -> None:
        """Show the battle as it stands, with nothing in hand and nothing else open."""
        self._pane.withdraw()
        self._pane.show_behind(notice)
        if self._session.battle.outcome:
            self.show_result()

    async def attempt(self, doing: Coroutine[object, object, object]) -> None:
        """Do something at the session, and show why if it is refused."""
        try:
            await doing
        except TooLate:
            # The board shows already what has come before it.
            return
        except ValueError as refusal:
            self.show(capitalised(str(refusal)))

    # What both have to agree to

    def ask(self, by: Side, wish: Wish) -> None:
        """Ask the player who is not of a side what the one who is has proposed."""
        session = self._session
        proposed_here = session.seat_of(by).here
        self._pane.ask(
            questions.proposed(
                session,
                by,
                wish,
                agree=lambda: self.attempt(session.answer(True)),
                refuse=lambda: self.attempt(session.answer(False)),
                withdraw=self._withdraw if proposed_here else None,
            )
        )

    def await_answer(self, by: Side, wish: Wish) -> None:
        """Wait for the answer of somebody at another place, or until it is not wanted any more."""
        self._pane.ask(questions.awaited(self._session, by, wish, withdraw=self._withdraw))

    async def _withdraw(self) -> None:
        await self.attempt(self._session.withdraw())

    # Giving a battle up, and claiming it

    def resign(self) -> None:
        """Ask whether the battle is given up, and give it up."""
        self._ask_if_sure(resigning(self._session), "resign", self._session.resign)

    def claim(self) -> None:
        """Ask whether the battle is claimed, and claim it."""
        self._ask_if_sure(claiming(self._session), "claim it", self._session.claim)

    def give_seat(self) -> None:
        """Ask whether a seat is given to whoever asks for it, and give it."""
        self._ask_if_sure(giving(self._session), "give it", self._session.give_seat, "keep it")

    def _ask_if_sure(
        self,
        asked: tuple[str, str],
        label: str,
        do: Callable[[], Coroutine[object, object, None]],
        no: str = "play on",
    ) -> None:
        def sure() -> Coroutine[object, object, None]:
            self._pane.withdraw()
            return self.attempt(do())

        self._pane.ask(questions.sure(*asked, (label, no), do=sure, back=self.show))

    # The end of a battle

    def show_result(self) -> None:
        """Show how the battle or the match has ended, and ask how to go on."""
        session, pane = self._session, self._pane
        over = session.match.over

        def go_on() -> Coroutine[object, object, None]:
            return self.attempt(session.new_match() if over else session.next_battle())

        then = questions.Next(
            go_on=go_on if session.takes_part else None,
            undo=(lambda: self.attempt(session.undo())) if session.can_undo else None,
            review=partial(self.review, judge=True),
            replay=partial(self.review, judge=False),
            picture=self._picture if self._deployment.allows("picture") else None,
            leave=self.leave,
            deployment=self._deployment,
        )
        beside = not pane.screen.has_class("-upright")
        large = beside and pane.screen.has_class("-tall") and not self._settings.ascii
        result = questions.Result(session.addressed, pane.leads, large)
        pane.ask((questions.match_over if over else questions.battle_over)(result, then))

    async def _picture(self) -> None:
        await self._pane.run_action("app.picture")

    def review(self, *, judge: bool) -> None:
        """Replay the battle, which is over, and have it judged if that is wanted."""
        self._pane.post_message(ReviewWanted(judge=judge))

    # Computers

    def ask_about_fault(self, player: int, fault: str) -> None:
        """Tell that a computer has failed, and ask how to go on."""
        name = self._session.match.players[player]
        self._pane.ask(
            questions.failed(fault, name, again=self._try_again, take_over=self._session.take_over)
        )

    def _try_again(self) -> None:
        self._session.try_again()
        self.show()

    def ask_about_doubt(self, doubt: Blunder, play: Run, keep: Run) -> None:
        """Say what the coach has against a move, and ask whether it is played."""
        self._pane.ask(questions.doubted(doubt, play=play, keep=keep))

    # Leaving

    def leave(self, *, at_once: bool = False) -> None:
        """Leave; in the middle of a match ask first."""
        match = self._session.match
        begun = match.battle.moves or match.number > 1
        if match.over or not begun or at_once or not self._settings.confirm:
            self._leave()
            return
        self._session.hold()
        told = self._session.outlook
        self._pane.ask(questions.leave(told, self._deployment, leave=self._leave, stay=self._stay))

    def _leave(self) -> None:
        self._pane.post_message(MatchLeft())

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
