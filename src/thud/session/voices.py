"""What the computer's levels say: at the beginning, after a fine capture, and at the end.

A line is a message of the chat, so that everybody at the match sees it in the same place.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from thud.records.programs import level_of
from thud.rules.match import Match
from thud.session.events import Begun, Ended, Event, Played
from thud.session.seats import Seats


@cache
def voices() -> tuple[Mapping[str, list[str]], ...]:
    """Return each level's lines by occasion, the weakest level's first."""
    text = Path(__file__).with_name("voices.toml").read_text("utf-8")
    return tuple(tomllib.loads(text)["level"])


class Voices:
    """The words of the level that plays against a person.

    Attributes:
        on: whether it speaks.
    """

    def __init__(self) -> None:
        self.on = False
        self._said = ""

    def remarks(
        self, events: Iterable[Event], current: Match, seats: Seats
    ) -> Iterator[tuple[int, str]]:
        """Yield what there is to say about some events, each with the player who says it."""
        levels = [(player, level_of(seats[player].program)) for player in (0, 1)]
        speakers = [(player, level) for player, level in levels if level]
        if len(speakers) != 1:
            return
        [(player, level)] = speakers
        for event in events:
            occasion = ""
            match event:
                case Begun() if not current.battle.played:
                    occasion = "start"
                case Played(before, move) if current.commander(before.to_move) == player:
                    occasion = "capture" if move.is_great else ""
                case Ended():
                    occasion = "end"
            if occasion:
                lines = voices()[level - 1][occasion]
                self._said = random.choice([line for line in lines if line != self._said])
                yield player, self._said
