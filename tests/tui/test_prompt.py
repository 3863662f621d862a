"""Questions beside the board: only what is asked now can be answered."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich.text import Text
from textual.app import App, ComposeResult

from thud.tui.widgets.prompt import Prompt, PromptAnswer, Question


class Asking(App[None]):
    """A prompt, and what was answered."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def compose(self) -> ComposeResult:
        yield Prompt()

    def question(self, *answers: str) -> Question[str]:
        return Question(Text("Well?"), [PromptAnswer((each[0],), each, each) for each in answers])

    async def note(self, answer: str) -> None:
        self.given.append(answer)


@asynccontextmanager
async def asking(
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[Asking, Prompt]]:
    app = Asking()
    async with app.run_test(size=size) as pilot:
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


async def test_a_click_answers_but_not_a_question_that_has_gone() -> None:
    async with asking() as (app, prompt):
        prompt.show(app.question("yes", "no"), app.note)
        _, no = clicks(prompt)
        await app.run_action(no, prompt)
        assert app.given == ["no"]
        prompt.show(app.question("yes", "no"), app.note)
        _, no = clicks(prompt)
        prompt.show(app.question("quit", "undo"), app.note)
        await app.run_action(no, prompt)
        prompt.show(app.question("go on"), app.note)
        await app.run_action(no, prompt)
        prompt.close()
        await app.run_action(no, prompt)
        assert app.given == ["no"]


async def test_an_answer_is_awaited_while_the_next_key_is_handled() -> None:
    async with asking() as (app, prompt):

        async def ask() -> None:
            while (answer := await prompt.ask(app.question("yes", "no"))) == "no":
                app.given.append("asked again")
            app.given.append(str(answer))

        await prompt.converse(ask())
        await prompt.action_press("n")
        assert app.given == ["asked again"]
        await prompt.action_press("y")
        assert app.given == ["asked again", "yes"]
        await prompt.action_press("y")
        assert app.given == ["asked again", "yes"], "it has been answered"


async def test_nobody_waits_for_an_answer_that_cannot_come() -> None:
    async with asking() as (app, prompt):

        async def ask() -> None:
            app.given.append(str(await prompt.ask(app.question("yes"))))

        await prompt.converse(ask())
        prompt.close()
        await app.workers.wait_for_complete()
        await prompt.converse(ask())
        prompt.show(app.question("no"), app.note)
        await app.workers.wait_for_complete()
        assert app.given == ["None", "None"]


async def test_further_lines_of_an_answer_begin_below_its_first() -> None:
    async with asking((20, 20)) as (app, prompt):
        prompt.show(app.question("begin the battle as the dwarfs", "no"), app.note)
        await prompt.wait_for_refresh()
        lines = [prompt.render_line(y).text.rstrip() for y in range(prompt.size.height)]
        assert lines[2:] == [" b  begin the battle", "    as the dwarfs", " n  no"]
