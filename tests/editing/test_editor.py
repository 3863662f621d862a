"""Undo and redo of what is set up."""

from __future__ import annotations

from random import Random

from thud.rules.geometry import SQUARES
from thud.rules.setup import PIECES, Setup
from thud.rules.variants import VARIANTS
from thud.session.editor import Editor


def test_undo_and_redo_are_those_of_a_list() -> None:
    chance, variant = Random(3), VARIANTS["classic"]
    editor = Editor(Setup.usual(variant))
    line, place = [editor.setup], 0
    for _ in range(300):
        done = chance.choice(("change", "undo", "redo"))
        if done == "change":
            setup = editor.setup.put(chance.choice(PIECES), chance.choice(SQUARES))
            if editor.change(setup):
                line, place = [*line[: place + 1], setup], place + 1
        elif done == "undo":
            assert editor.undo() is (place > 0)
            place = max(0, place - 1)
        else:
            assert editor.redo() is (place < len(line) - 1)
            place = min(place + 1, len(line) - 1)
        assert editor.setup == line[place]
        assert (editor.can_undo, editor.can_redo) == (place > 0, place < len(line) - 1)
