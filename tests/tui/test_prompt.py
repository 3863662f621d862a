"""Questions beside the board: only what is asked now can be answered."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich.text import Text
from textual.app import App, ComposeResult

from thud.tui.widgets.prompt import Answer, Prompt, Question


class Asking(App[None]):
    """A prompt, and what was answered."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def compose(self) -> ComposeResult:
        yield Prompt()

    def question(self, *answers: str) -> Question:
        each = [Answer((a[0],), a, lambda a=a: self.given.append(a)) for a in answers]  # type: ignore[misc]
        return Question(Text("Well?"), each)


@asynccontextmanager
async def asking() -> AsyncIterator[tuple[Asking, Prompt]]:
    app = Asking()
    async with app.run_test() as pilot:
        yield app, app.query_one(Prompt)
        await pilot.pause()


def clicks(prompt: Prompt) -> list[str]:
    """Return what a click on each answer does, as it is painted now."""
    content = prompt.content
    assert isinstance(content, Text)
    found = [
        span.style.meta.get("@click") for span in content.spans if not isinstance(span.style, str)
    ]
    return [each for each in dict.fromkeys(found) if each]


async def test_an_answer_is_clicked() -> None:
    async with asking() as (app, prompt):
        prompt.ask(app.question("yes", "no"))
        await app.run_action(clicks(prompt)[1], prompt)
        assert app.given == ["no"]


async def test_a_click_on_a_question_that_has_gone_answers_nothing() -> None:
    async with asking() as (app, prompt):
        prompt.ask(app.question("yes", "no"))
        _, no = clicks(prompt)
        prompt.ask(app.question("quit", "undo"))
        await app.run_action(no, prompt)
        prompt.ask(app.question("go on"))
        await app.run_action(no, prompt)
        prompt.close()
        await app.run_action(no, prompt)
        assert app.given == []
