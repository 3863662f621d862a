"""How things end at the table: a battle by agreement or by itself, a match, the session."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from thud.engines.faults import EngineFault
from thud.rules.match import Match
from thud.rules.position import Move
from thud.tui.battle import questions
from thud.tui.looks.phrases import sentence

if TYPE_CHECKING:
    from thud.tui.battle.screen import BattleScreen


class Closing:
    """Asks what is to be asked at the ends, and does what is answered.

    Args:
        screen: where the match is played.
    """

    def __init__(self, screen: BattleScreen) -> None:
        self._screen = screen

    # A battle, by agreement

    def propose(self) -> None:
        """Propose to the other player, a person or a computer, to end the battle."""
        screen = self._screen
        match = screen.match
        if screen.opponents.turns.commands(match.battle.position.to_move.other):
            screen.opponents.start(self._ask_computer(match))
            return
        screen.table.ask(
            questions.end_battle(
                match,
                agree=lambda: self.agree(match, len(match.battle.moves)),
                play_on=self._play_on,
                withdraw=screen.show_battle,
            )
        )

    async def _ask_computer(self, match: Match) -> None:
        screen, battle, played = self._screen, match.battle, len(match.battle.moves)
        name = match.name_of(battle.position.to_move.other)
        screen.say(f"{name} considers whether to end the battle …")
        try:
            agrees = await screen.opponents.turns.agrees()
        except EngineFault as fault:
            screen.say(sentence(str(fault)))
            return
        if agrees:
            await self.agree(match, played)
        elif agrees is not None:
            screen.say(f"{name} plays on.")

    def answer_computer(self, match: Match, played: int, move: Move) -> None:
        """Ask a person whether to end the battle, as the computer to move proposes."""
        screen = self._screen

        async def play_on() -> None:
            screen.opponents.turns.refuse(match.battle)
            await screen.play_for(match, played, move)

        question = questions.end_battle(
            match, agree=lambda: self.agree(match, played), play_on=play_on, withdraw=None
        )
        screen.table.ask(question)

    async def agree(self, match: Match, played: int) -> None:
        """End the battle by agreement, unless it has gone on since `played` moves."""
        battle = match.battle

        def agree() -> None:
            if battle is self._screen.match.battle and len(battle.moves) == played:
                battle.agree()

        await self._screen.change(agree)

    def _play_on(self) -> None:
        screen = self._screen
        name = screen.match.name_of(screen.match.battle.position.to_move.other)
        screen.show_battle(f"{name} plays on.")

    # Results

    def show_result(self) -> None:
        """Show how the battle or the match has ended, and ask how to go on."""
        screen = self._screen
        result = questions.match_over if screen.match.over else questions.battle_over
        go_on = self._play_again if screen.match.over else self._next_battle
        screen.table.ask(
            result(screen.match, go_on=go_on, undo=screen.action_undo, leave=self.leave)
        )

    async def _next_battle(self) -> None:
        screen = self._screen
        told = partial(screen.show_battle, "The players have exchanged sides.")
        await screen.change(screen.match.next_battle, show=told)

    async def _play_again(self) -> None:
        self._screen.let_go_of_match()
        await self._screen.keeper.turn_to()
        self._screen.take_up(self._screen.match.again(), "A new match.")

    # The session

    def leave(self) -> None:
        """Leave; in the middle of a match ask first."""
        screen = self._screen
        match = screen.match
        begun = match.battle.moves or match.number > 1
        if match.over or not begun or screen.has_class("-too-small") or not screen.settings.confirm:
            screen.leave()
            return
        screen.moving.let_go()
        screen.opponents.turns.interrupt()
        outlook = screen.keeper.outlook
        screen.table.ask(questions.leave(outlook, leave=screen.leave, stay=screen.show_battle))
