"""How things end at the table: a battle by agreement or by itself, a match, the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thud.rules.match import Match
from thud.rules.position import Move
from thud.tui import questions

if TYPE_CHECKING:
    from thud.tui.battle_screen import BattleScreen


class Closing:
    """Asks what is to be asked at the ends, and does what is answered.

    Args:
        screen: where the match is played.
    """

    def __init__(self, screen: BattleScreen) -> None:
        self._screen = screen

    # A battle, by agreement

    async def propose(self) -> None:
        """Propose to the other player, a person or a computer, to end the battle."""
        screen = self._screen
        match = screen.match
        if screen.opponents.turns.computers.commands(match, match.battle.position.to_move.other):
            await self._ask_computer(match)
            return
        screen.table.ask(
            questions.end_battle(
                match,
                agree=self._agree,
                play_on=self._play_on,
                withdraw=screen.show_battle,
            )
        )

    async def _ask_computer(self, match: Match) -> None:
        screen, played = self._screen, len(match.battle.moves)
        side = match.battle.position.to_move.other
        name = match.name_of(side)
        screen.say(f"{name} considers whether to end the battle …")
        try:
            agrees = await screen.opponents.turns.computers.agrees(
                match, match.battle.position.to_move.other
            )
        except ValueError as fault:
            screen.say(str(fault))
            return
        if agrees:
            await self.agree(match, played)
        elif screen.match is match and len(match.battle.moves) == played:
            screen.say(f"{name} plays on.")

    def answer_computer(self, match: Match, played: int, move: Move) -> None:
        """Ask a person whether to end the battle, as the computer to move proposes."""
        screen = self._screen

        async def play_on() -> None:
            screen.opponents.turns.refuse()
            screen.opponents.turns.release()
            await screen.play_for(match, played, move)

        async def agree() -> None:
            screen.opponents.turns.release()
            await self.agree(match, played)

        screen.table.ask(questions.end_battle(match, agree=agree, play_on=play_on, withdraw=None))

    async def agree(self, match: Match, played: int) -> None:
        """End the battle by agreement, unless it has gone on since `played` moves."""
        battle = match.battle

        def agree() -> None:
            if battle is self._screen.match.battle and len(battle.moves) == played:
                battle.agree()

        await self._screen.change(agree)

    async def _agree(self) -> None:
        await self._screen.change(self._screen.match.battle.agree)

    def _play_on(self) -> None:
        screen = self._screen
        name = screen.match.name_of(screen.match.battle.position.to_move.other)
        screen.table.withdraw()
        screen.say(f"{name} plays on.")

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
        await screen.change(screen.match.next_battle, "The players have exchanged sides.")

    async def _play_again(self) -> None:
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
        screen.opponents.turns.hold()
        screen.table.ask(
            questions.leave(screen.keeper.outlook, leave=screen.leave, stay=self._stay)
        )

    def _stay(self) -> None:
        self._screen.show_battle()
        self._screen.opponents.turns.release()
