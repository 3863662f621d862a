"""The answers to the questions of model battles, saved in the data directory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from thud.disk.small import parse_small, read_regular, write_small
from thud.exercises.lessons.model_battles import ModelBattle, model_battles
from thud.records.questions import Answers, Questions, is_model, score_in_words
from thud.records.record import Record
from thud.text import plural

FILE_NAME: Final = "models.json"
_MAX_BYTES: Final = 65_536
_PLACE: Final = "place"
"""The key of where the reader left off."""
_FOUND: Final = "found"
"""The key of the questions found; the other keys are the plies of first answers."""
_LATER: Final = "later"
"""The key of those found after a wrong first answer."""


class ModelScores:
    """What is kept of the reader's way through each model battle.

    Args:
        directory: the file's directory; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        self._parsed: tuple[bytes, dict[str, Answers]] = b"", {}
        """What was read last, and what it says: a list asks for each battle."""

    def read(self) -> Mapping[str, Answers]:
        """Return what is kept by battle, as far as it is valid and still asked."""
        data = read_regular(self._path, _MAX_BYTES)
        if data != self._parsed[0]:
            listed = parse_small(data)
            self._parsed = (
                data,
                {
                    each.name: _answers_in(told, each)
                    for each in model_battles()
                    if isinstance(told := listed.get(each.name), dict)
                },
            )
        return self._parsed[1]

    def of(self, battle: ModelBattle) -> Answers:
        """Return what is kept of a battle."""
        return self.read().get(battle.name, Answers())

    def keep(self, battle: ModelBattle, answers: Answers) -> None:
        """Save what is to be kept of a battle, but for the first answers that are there.

        Raises:
            OSError: it cannot be saved.
        """
        kept = self.of(battle)
        answers = answers._replace(
            first={**answers.first, **kept.first}, later=answers.later | kept.later
        )
        if answers != kept:
            every = {**self.read(), battle.name: answers}
            write_small(self._path, {name: _as_json(each) for name, each in every.items()})

    def questions(self, record: Record) -> Questions:
        """Return a record's questions; their answers are kept if it is a model battle."""
        for each in model_battles() if is_model(record) else ():
            if (each.variant, each.title) == (record.variant, record.event):
                return Questions(self.of(each), partial(self.keep, each))
        return Questions()

    def in_words(self, battle: ModelBattle) -> str:
        """Return a battle's score, such as `"2 of 3 right at first"`, else place or length."""
        kept, asked = self.of(battle), len(battle.questions)
        place = f"move {kept.place} of {battle.moves}" if kept.place else f"{battle.moves} moves"
        score = score_in_words([*kept.first.values()], len(kept.later), asked)
        return score or f"{place}, {asked or 'no'} {plural(asked, 'question')}"

    def begun(self, battle: ModelBattle) -> bool:
        """Whether something of a battle is kept: an answer or a place."""
        return battle.name in self.read()

    def done(self, battle: ModelBattle) -> bool:
        """Whether all of a battle's questions were answered."""
        return 0 < len(battle.questions) == len(self.of(battle).first)

    def reset(self) -> None:
        """Forget all answers.

        Raises:
            OSError: the file cannot be deleted.
        """
        self._path.unlink(missing_ok=True)


def _answers_in(told: Mapping[str, Any], battle: ModelBattle) -> Answers:
    """Return what a file says of a battle.

    An older one does not say what was found: there it is what was right at first, and after the
    battle's end all is asked again.  One without what was found later counts what is found.
    """
    first = {ply: good for ply in battle.questions if type(good := told.get(str(ply))) is bool}
    place = told.get(_PLACE)
    place = place if type(place) is int and 0 < place <= battle.moves else 0
    found = told.get(_FOUND)
    if not isinstance(found, list):
        found = [ply for ply, good in first.items() if good and place]
    later = told.get(_LATER)
    if not isinstance(later, list):
        later = found
    return Answers(
        first,
        frozenset(ply for ply in first if ply in found),
        frozenset(ply for ply, good in first.items() if ply in later and not good),
        place,
    )


def _as_json(answers: Answers) -> dict[str, object]:
    first = {str(ply): good for ply, good in answers.first.items()}
    lists = {_FOUND: sorted(answers.found), _LATER: sorted(answers.later)}
    return first | lists | {_PLACE: answers.place}
