"""What keys do whose names say too little by themselves."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

MEANINGS: Final = MappingProxyType(
    {
        "battle.hint": "Ask the computer for the best move",
        "battle.threats": "Show what could be captured next move",
        "battle.end": "Ask the other player to end the battle here",
        "replay.into": "Go into the variation that begins here",
        "replay.across": "See another move in place of the last one",
        "replay.think": "Show the computer's three best moves here",
        "replay.comment": "Write something about this place",
        "replay.battle": "Go to the other battle",
        "replay.run": "Let the moves go on by themselves",
        "replay.explore": "See what others played from here",
        "replay.play": "Begin a match from this place",
        "review.review": "Have every move judged",
        "review.next": "Go to the next move that was a mistake",
        "review.before": "Go to the mistake before this place",
        "review.better": "Play what would have been better",
        "review.learn": "Go over the mistakes of a side, as questions",
        "front.play": "Play the match that is chosen on the page",
        "front.learn": "Lessons: small tasks on the board",
        "front.resume": "Go on with a match that is kept",
        "front.replay": "See a match again that is over",
        "front.puzzles": "Find the move that is much better than the others",
        "front.rules": "How the games are played",
    }
)
"""What the binding of an id does, in a few words."""
