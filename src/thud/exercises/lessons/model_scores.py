"""The answers to the questions of model battles, saved in the data directory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from thud.disk.small import read_small, write_small
from thud.exercises.lessons.model_battles import ModelBattle, model_battles
from thud.records.questions import Questions, is_model
from thud.records.record import Record
from thud.text import plural

FILE_NAME: Final = "models.json"
_MAX_BYTES: Final = 65_536


class ModelScores:
    """The first answer to each question, by battle and ply.

    Args:
        directory: the file's directory; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME

    @property
    def _answers(self) -> dict[str, dict[str, bool]]:
        """What is saved, as far as it is valid and still asked."""
        listed = read_small(self._path, _MAX_BYTES)
        return {
            each.name: {
                ply: good
                for ply in map(str, each.questions)
                if isinstance(good := told.get(ply), bool)
            }
            for each in model_battles()
            if isinstance(told := listed.get(each.name), dict)
        }

    def questions(self, record: Record) -> Questions:
        """Return a record's questions; their answers are kept if it is a model battle."""
        for each in model_battles() if is_model(record) else ():
            if (each.variant, each.title) == (record.variant, record.event):
                return Questions(partial(self._keep, each.name))
        return Questions()

    def in_words(self, battle: ModelBattle) -> str:
        """Return a battle's score, empty if no question was answered.

        It is such as `"2 of 3 questions right"`.
        """
        answers, asked = self._answers.get(battle.name, {}), len(battle.questions)
        right = f"{sum(answers.values())} of {asked} {plural(asked, 'question')} right"
        return right if answers else ""

    def done(self, battle: ModelBattle) -> bool:
        """Whether all of a battle's questions were answered."""
        return 0 < len(battle.questions) == len(self._answers.get(battle.name, {}))

    def _keep(self, name: str, ply: int, good: bool) -> None:
        """Save the answer to a question, unless there is one.

        Raises:
            OSError: it cannot be saved.
        """
        answers = self._answers
        of_battle = answers.setdefault(name, {})
        if str(ply) not in of_battle:
            of_battle[str(ply)] = good
            write_small(self._path, answers)

    def reset(self) -> None:
        """Forget all answers.

        Raises:
            OSError: the file cannot be deleted.
        """
        self._path.unlink(missing_ok=True)
