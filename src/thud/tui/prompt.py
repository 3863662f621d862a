"""Questions asked beside the board, never over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual import events
from textual.widgets import Static


class Choice(NamedTuple):
    """One answer: the keys that give it, its label (None: not shown), and what it does."""

    keys: tuple[str, ...]
    label: str | None
    run: Callable[[], None]


class Question(NamedTuple):
    """What is asked, and the answers."""

    text: Text
    choices: Sequence[Choice]


class Prompt(Static, can_focus=True):
    """Shows one question at a time and runs the answer that is pressed or clicked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"prompt--key"}

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.question: Question | None = None
        self.display = False

    def ask(self, question: Question) -> None:
        """Show a question in place of any other and take the keys."""
        self.question = question
        self.display = True
        self.update(self._written(question))
        self.focus()

    def close(self) -> None:
        """Withdraw the question."""
        self.question = None
        self.display = False

    def _written(self, question: Question) -> Text:
        text = question.text.copy()
        key_style = self.get_component_rich_style("prompt--key", partial=True)
        text.append("\n")
        for index, choice in enumerate(question.choices):
            if choice.label is not None:
                click = Style(meta={"@click": f"answer({index})"})
                text.append("\n")
                text.append(f" {_key_name(choice.keys[0])} ", key_style + click)
                text.append(f" {choice.label}", click)
        return text

    def on_key(self, event: events.Key) -> None:
        """Run the answer of a key; other keys go on to the screen."""
        for choice in self.question.choices if self.question else ():
            if event.key in choice.keys:
                event.stop()
                event.prevent_default()
                choice.run()
                return

    def action_answer(self, index: int) -> None:
        """Run the answer that was clicked."""
        if self.question:
            self.question.choices[index].run()


def _key_name(key: str) -> str:
    return {"enter": "Enter", "escape": "Esc", "space": "Space"}.get(key, key)
