"""What the computer's levels say: at the beginning, after a fine capture, and at the end.

A line is a message of the chat, so that everybody at the match sees it in the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from thud.session.events import Begun, Ended, Event, Played

if TYPE_CHECKING:
    from thud.session.participants import Participants
    from thud.session.state import SessionState

_MANY: Final = 3
"""Fewest dwarfs whose capture at once is worth a word."""


@cache
def voices() -> tuple[Mapping[str, list[str]], ...]:
    """Return each level's lines by occasion, the weakest level's first."""
    import tomllib
    from importlib.resources import files

    text = files("thud.session").joinpath("voices.toml").read_text("utf-8")
    return tuple(tomllib.loads(text)["level"])


class Voices:
    """Speaks for the level that plays against a person, if it is on.

    Args:
        session: the session.
        participants: its participants, who hear it.
    """

    def __init__(self, session: SessionState, participants: Participants) -> None:
        self.on = False
        self._session = session
        self._participants = participants
        self._said = ""

    def answer(self, events: Iterable[Event]) -> None:
        """Say a line about what has happened, if there is one."""
        if not self.on or self._participants.muted:
            return
        for event in events:
            if occasion := self._occasion(event):
                self._say(occasion)

    def _occasion(self, event: Event) -> str:
        match event:
            case Begun() if not self._session.battle.played:
                return "start"
            case Played(before, move) if self._player == self._session.match.commander(
                before.to_move
            ):
                lands = move.captures >> move.destination & 1
                return "capture" if lands or move.captures.bit_count() >= _MANY else ""
            case Ended():
                return "end"
        return ""

    @property
    def _player(self) -> int | None:
        """The player who speaks: the only one that is a level."""
        levels = [player for player in (0, 1) if self._level(player)]
        return levels[0] if len(levels) == 1 else None

    def _level(self, player: int) -> int | None:
        from thud.records.programs import level_of

        return level_of(self._session.seats[player].program)

    def _say(self, occasion: str) -> None:
        player = self._player
        if player is None or not (level := self._level(player)):
            return
        import random

        fresh = [line for line in voices()[level - 1][occasion] if line != self._said]
        self._said = random.choice(fresh)
        name = self._session.match.players[player]
        self._session.emit(self._participants.add_message(player, name, self._said))
