"""The input line for typed and pasted moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import ClassVar, Final, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.keys import key_to_character
from textual.suggester import Suggester
from textual.widgets import Input

from thud.rules.battle import Battle
from thud.rules.geometry import square_name
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Position
from thud.rules.typed import completions
from thud.session.commands import (
    COMMANDS,
    COMMANDS_APART,
    DRILL_COMMANDS,
    Question,
    TypedCommand,
    command_in,
    with_text,
)
from thud.session.events import ProposeEnd, Undo
from thud.session.law import Claim, GiveSeat, Redo, Request, Resign
from thud.session.participants import LONGEST_WORDS
from thud.tui.actions import bindings

_TYPED: Final[Mapping[str, TypedCommand]] = {
    word: command
    for word, command in {**COMMANDS, **COMMANDS_APART, **DRILL_COMMANDS}.items()
    if command.does is not None
    and command.does not in (Question.SAVE, Question.OPEN, Question.LEARN, Question.VARIATIONS)
}
"""The commands that the board knows; a file is named, and mistakes are practised, in dialogs."""

_ACTIONS: Final[Mapping[type[Request], str]] = {
    Undo: "undo",
    Redo: "redo",
    ProposeEnd: "end_battle",
    Resign: "resign",
    Claim: "claim",
    GiveSeat: "give_seat",
}
"""The actions that make requests; others have no key."""


class Typed(NamedTuple):
    """A command that was typed."""

    does: Request | Question
    """What it stands for; chat with its text."""
    action: str
    """The name of a screen's action for it, empty if there is none."""


def typed_in(text: str) -> Typed | None:
    """Return the command in a text; None if there is none, or it takes no more words."""
    if (found := command_in(_TYPED, text)) is None:
        return None
    known, rest = _TYPED[found[0]].does, found[1]
    does = with_text(known, rest)
    if does is None or (rest and does is known):
        return None
    action = does.value if isinstance(does, Question) else _ACTIONS.get(type(does), "")
    return Typed(does, action)


class MoveEntry(Input):
    """Input for a move in any notation, or for a command, with completion.

    Letters are handled by bindings, which are looked up when a key's turn comes: keys typed faster
    than the input opens are neither lost nor reordered.

    Args:
        battle: where the move is to be played.
        typed: callback that plays the submitted text.
        obeyed: callback that carries out a submitted command.
        closed: callback when the input is closed without a move.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("entry")

    def __init__(
        self,
        battle: Battle,
        typed: Callable[[str], Awaitable[None]],
        obeyed: Callable[[Typed], Awaitable[None]],
        closed: Callable[[], None],
    ) -> None:
        @cache
        def found(position: Position, text: str) -> list[str]:
            moves = completions(battle.variant, position, text)
            return moves or [word for word in _TYPED if len(text) > 1 and word.startswith(text)]

        self.completions: Callable[[str], list[str]] = lambda text: found(battle.position, text)
        """Returns the completions of a text by legal moves, else by commands."""
        self._play = typed
        self._obey = obeyed
        self._give_up = closed
        self.tried: str | None = None
        """The text submitted last."""
        super().__init__(
            placeholder=_example(battle),
            suggester=_Completion(self.completions),
            max_length=max(MAX_TEXT, len("say ") + LONGEST_WORDS),
            select_on_focus=False,
            compact=True,
        )

    async def on_key(self, event: events.Key) -> None:
        """Leave the keys to the bindings."""
        event.prevent_default()

    def takes(self, key: str) -> bool:
        """Insert a key's character if a chat message is typed; return whether it is."""
        text = key_to_character(key)
        if not (text and text.isprintable() and self.value.lower().startswith("say ")):
            return False
        self.action_write(text)
        return True

    def action_write(self, text: str) -> None:
        """Insert a text at the cursor, replacing the selection."""
        self.replace(text, *sorted(self.selection))

    async def action_submit(self) -> None:
        """Carry out what is typed before the next key is handled; a refused move is selected."""
        self.tried = self.value
        if typed := typed_in(self.value):
            await self._obey(typed)
            return
        await self._play(self.value)
        self.select_all()

    def action_complete(self) -> None:
        """Accept the suggestion."""
        if found := self.completions(self.value):
            self.value = found[0]
            self.cursor_position = len(self.value)

    def action_close(self) -> None:
        """Close the input without playing."""
        self._give_up()


def _example(battle: Battle) -> str:
    """Return a move that is legal now, in two notations."""
    moves = battle.variant.legal_moves(battle.position)
    number = Counter((move.origin, move.destination) for move in moves)
    ends = next((map(square_name, each) for each in number if number[each] == 1), ())
    written = "-".join(ends)
    return written and f"{written}, or just {written.replace('-', '').lower()}"


class _Completion(Suggester):
    """Suggests the first completion of a move."""

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._complete = complete

    async def get_suggestion(self, value: str) -> str | None:
        """Return the text completed, None if no legal move begins so."""
        return next(iter(self._complete(value)), None)
