"""Whatever shows a session, what is done has the same effect: on the disk, and as it is told."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from textual.events import Paste

from rules.strategies import every_variant
from sampling import sampled
from session.scripts import Performance, Step, Table, computers, improvise, perform
from thud.engines.spec import parse_contender
from thud.plain.lines import Lines
from thud.plain.match import MatchRepl, run
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.participants import Contenders
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.start import PlayMatch
from tui.driver import Player

HUMAN, CPU = parse_contender("human"), parse_contender("random")
SEATS: dict[str, Contenders] = {
    "people": None,
    "dwarfs": (HUMAN, CPU),
    "trolls": (CPU, HUMAN),
}

_WORDS = {
    "refuse": ["no"],
    "agree": ["yes"],
    "resign": ["resign", "yes"],
    "end at once": ["end", "yes"],
}
_ANSWERS = {"play": [], "keep": ["no"], "overrule": ["yes"]}
"""What is answered to the coach."""
_KEYS = {
    "undo": "u",
    "redo": "r",
    "end": "e",
    "end at once": "ey",
    "resign": "Ry",
    "agree": "y",
    "refuse": "n",
    "next": "n",
    "take over": "p",
}


async def bare(table: Table, steps: list[Step]) -> Performance:
    """Perform a script at a bare session."""
    await table.session.begin()
    await table.session.play_on()
    for step in steps:
        await perform(table.session, step.what, step.move)
        await table.session.play_on()
    await table.session.leave()
    return table.performance


async def in_lines(table: Table, steps: list[Step]) -> Performance:
    """Perform a script in plain mode, which takes over by itself where a computer fails."""
    words = [word for step in steps if step.what != "take over" for word in _lines(step)]
    source = io.BytesIO("".join(f"{word}\n" for word in words).encode())
    lines = Lines(source, io.StringIO(), echo=True)
    await asyncio.to_thread(lambda: run(MatchRepl(table.session, lines)))
    return table.performance


def _lines(step: Step) -> list[str]:
    if not step.move:
        return _WORDS.get(step.what, [step.what])
    return [step.move if "x" in step.move else f"{step.move} none", *_ANSWERS[step.what]]


async def on_board(table: Table, steps: list[Step]) -> Performance:
    """Perform a script through the keys of the interface."""
    overrides = {"animation": False, "coach": table.coached}
    app = ThudApp(PlayMatch(table.session), preferences=Preferences(overrides=overrides))
    async with app.run_test() as pilot:
        player = Player(app, pilot)
        await pilot.pause()
        for before, step in zip((0, *(each.told for each in steps)), steps, strict=False):
            await _told(player, table, before)
            await _do(player, step)
            await _told(player, table, step.told)
    return table.performance


async def _do(player: Player, step: Step) -> None:
    """Press the key of what is done, or paste a move, confirm it and answer."""
    if not step.move:
        await player.press(*_KEYS[step.what])
        return
    player.app.post_message(Paste(_lines(step)[0]))
    await player.press("enter", *(word[0] for word in _ANSWERS[step.what]))


async def _told(player: Player, table: Table, number: int) -> None:
    """Wait until so much has been told, and nobody thinks any more."""
    await player.until(lambda: len(table.events) >= number and not table.session.state.engine_due)
    await player.pilot.pause()


Front = Callable[[Table, list[Step]], Coroutine[object, object, Performance]]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("front", sampled([in_lines, bare]))
@every_variant
async def test_a_script_has_the_same_effect_at_a_bare_session_and_in_lines(
    variant: Variant, front: Front, seats: str, tmp_path: Path
) -> None:
    await has_the_same_effect(variant, front, seats, tmp_path)


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(name, seats, marks=[] if (at, place) == (2, 1) else pytest.mark.slow)
        for at, name in enumerate(VARIANTS)
        for place, seats in enumerate(SEATS)
    ],
)
async def test_a_script_has_the_same_effect_on_the_board(
    name: str, seats: str, tmp_path: Path
) -> None:
    await has_the_same_effect(VARIANTS[name], on_board, seats, tmp_path)


@pytest.mark.parametrize("front", sampled([in_lines, bare]))
@every_variant
async def test_what_the_coach_doubts_is_kept_back_or_played_on_every_front(
    variant: Variant, front: Front, tmp_path: Path
) -> None:
    await has_the_same_effect(variant, front, "dwarfs", tmp_path, coached=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(VARIANTS, len(VARIANTS)))
async def test_what_the_coach_doubts_is_kept_back_or_played_on_the_board(
    name: str, tmp_path: Path
) -> None:
    await has_the_same_effect(VARIANTS[name], on_board, "dwarfs", tmp_path, coached=True)


async def has_the_same_effect(
    variant: Variant, front: Front, seats: str, directory: Path, *, coached: bool = False
) -> None:
    steps, model = await improvised(variant, seats, coached=coached)
    with computers():
        table = Table(directory, variant, SEATS[seats], coached=coached)
        shown = await front(table, steps)
    assert shown.events == model.events
    assert shown.kept == model.kept


_improvised: dict[tuple[str, str, bool], tuple[list[Step], Performance]] = {}


async def improvised(
    variant: Variant, seats: str, *, coached: bool
) -> tuple[list[Step], Performance]:
    """Return a script with what it does, improvised once for all fronts."""
    key = variant.name, seats, coached
    if key not in _improvised:
        with computers(), TemporaryDirectory() as directory:
            model = Table(Path(directory), variant, SEATS[seats], coached=coached)
            steps = await improvise(model, Random(seats))
            _improvised[key] = steps, model.performance
    return _improvised[key]


async def test_the_scripts_have_everything_in_them() -> None:
    done = set()
    for coached, every in (False, SEATS), (True, ("dwarfs",)):
        for variant in VARIANTS.values():
            for seats in every:
                steps, model = await improvised(variant, seats, coached=coached)
                done |= {step.what for step in steps}
                done |= {type(event).__name__ for event in model.events}
    assert done >= {
        "play",
        "undo",
        "redo",
        "end",
        "end at once",
        "agree",
        "refuse",
        "next",
        "resign",
        "take over",
    }
    assert done >= {"keep", "overrule"}
    assert done >= {"Played", "TakenBack", "Redone", "Proposed", "Answered", "Faulted"}
