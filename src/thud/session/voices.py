"""What the computer's levels say: at the beginning, after a fine capture, and at the end.

A line is a message of the chat, so that everybody at the match sees it in the same place.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from thud.records.programs import level_of
from thud.session.events import Begun, Ended, Event, Played

if TYPE_CHECKING:
    from thud.session.participants import Participants
    from thud.session.state import SessionState


@cache
def voices() -> tuple[Mapping[str, list[str]], ...]:
    """Return each level's lines by occasion, the weakest level's first."""
    text = Path(__file__).with_name("voices.toml").read_text("utf-8")
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
        if not (self.on and self._participants.chat_allowed):
            return
        seats, played = self._session.seats, self._session.match
        levels = [(player, level_of(seats[player].program)) for player in (0, 1)]
        speakers = [(player, level) for player, level in levels if level]
        if len(speakers) != 1:
            return
        [(player, level)] = speakers
        for event in events:
            occasion = ""
            match event:
                case Begun() if not self._session.battle.played:
                    occasion = "start"
                case Played(before, move) if played.commander(before.to_move) == player:
                    occasion = "capture" if move.is_great else ""
                case Ended():
                    occasion = "end"
            if occasion:
                self._say(player, voices()[level - 1][occasion])

    def _say(self, player: int, lines: list[str]) -> None:
        self._said = random.choice([line for line in lines if line != self._said])
        name = self._session.match.players[player]
        self._session.emit(self._participants.add_message(player, name, self._said))
