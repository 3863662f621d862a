"""The answers to the questions of model battles, saved in the data directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from thud.disk.small import parse_small, read_regular, write_small
from thud.exercises.lessons.model_battles import ModelBattle, model_battles
from thud.records.questions import Kept, Questions, is_model, score_in_words
from thud.records.record import Record
from thud.text import plural

FILE_NAME: Final = "models.json"
_MAX_BYTES: Final = 65_536
_PLACE: Final = "place"
"""The key of where the reader left off."""
_MOST_MOVES: Final = 9999


class ModelScores:
    """The first answer to each question, by battle and ply, and where the reader left off.

    Args:
        directory: the file's directory; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        self._parsed: tuple[bytes, dict[str, dict[str, int]]] = b"", {}
        """What was read last, and what it says: a list asks for each battle."""

    def read(self) -> dict[str, dict[str, int]]:
        """Return what is saved of each battle, as far as it is valid and still asked."""
        data = read_regular(self._path, _MAX_BYTES)
        if data != self._parsed[0]:
            self._parsed = data, self._valid(parse_small(data))
        return self._parsed[1]

    def _valid(self, listed: dict[str, Any]) -> dict[str, dict[str, int]]:
        return {
            each.name: {
                key: value
                for key, value in told.items()
                if (type(value) is bool and key in map(str, each.questions))
                or (key == _PLACE and type(value) is int and 0 < value <= _MOST_MOVES)
            }
            for each in model_battles()
            if isinstance(told := listed.get(each.name), dict)
        }

    def write(self, name: str, key: str, value: int) -> None:
        """Save an answer or the place of a battle.

        Raises:
            OSError: it cannot be saved.
        """
        kept = self.read()
        write_small(self._path, kept | {name: kept.get(name, {}) | {key: value}})

    def of(self, battle: ModelBattle) -> KeptAnswers:
        """Return what is kept of a battle."""
        return KeptAnswers(self, battle.name)

    def questions(self, record: Record) -> Questions:
        """Return a record's questions; their answers are kept if it is a model battle."""
        for each in model_battles() if is_model(record) else ():
            if (each.variant, each.title) == (record.variant, record.event):
                return Questions(self.of(each))
        return Questions()

    def in_words(self, battle: ModelBattle) -> str:
        """Return a battle's score, such as `"2 of 3 right at first"`, else place or length."""
        kept, asked = self.of(battle), len(battle.questions)
        place = f"move {kept.place} of {battle.moves}" if kept.place else f"{battle.moves} moves"
        score = score_in_words([*kept.answers.values()], asked)
        return score or f"{place}, {asked or 'no'} {plural(asked, 'question')}"

    def begun(self, battle: ModelBattle) -> bool:
        """Whether something of a battle is kept: an answer or a place."""
        return battle.name in self.read()

    def done(self, battle: ModelBattle) -> bool:
        """Whether all of a battle's questions were answered."""
        return 0 < len(battle.questions) == len(self.of(battle).answers)

    def reset(self) -> None:
        """Forget all answers.

        Raises:
            OSError: the file cannot be deleted.
        """
        self._path.unlink(missing_ok=True)


class KeptAnswers(Kept):
    """What is kept of one battle.

    Args:
        scores: what is kept of all.
        name: the battle's name.
    """

    def __init__(self, scores: ModelScores, name: str) -> None:
        self._scores, self._name = scores, name

    @property
    def _all(self) -> Mapping[str, int]:
        return self._scores.read().get(self._name, {})

    @property
    def answers(self) -> Mapping[int, bool]:
        """Whether the first answer to each question was right, by its ply."""
        return {int(key): bool(good) for key, good in self._all.items() if key != _PLACE}

    @property
    def place(self) -> int:
        """The number of moves at which the reader left off; 0 begins anew."""
        return self._all.get(_PLACE, 0)

    def keep(self, ply: int, *, good: bool) -> None:
        """Keep the answer to a question, unless there is one."""
        if ply not in self.answers:
            self._scores.write(self._name, str(ply), good)

    def leave(self, ply: int) -> None:
        """Keep the place at which the reader leaves off."""
        if ply != self.place:
            self._scores.write(self._name, _PLACE, ply)
