"""Practice: mistakes and missed puzzles, which come back until you know them.

Every mistake in a reviewed match, and every missed puzzle, is a card.  fsrs plans when it comes
back, by the answers so far: https://github.com/open-spaced-repetition/py-fsrs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import choice
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from thud.disk.dates import is_ahead
from thud.disk.small import read_small, write_small
from thud.engines.analyst import Analyst
from thud.exercises.drill import Attempts, Drill, Task
from thud.exercises.lessons.lesson import lessons
from thud.exercises.mistakes import MistakeTask
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import Puzzle, tasks
from thud.exercises.puzzles.score import load_score
from thud.exercises.puzzles.themes import THEMES
from thud.records.bounds import read_text
from thud.records.record import MAX_PLIES, Record
from thud.records.store import Store
from thud.records.summary import Summary
from thud.review.judgement import Mark
from thud.review.notes import EDITION, JUDGED, edition_in, judgement_in, note
from thud.review.sentences import did
from thud.review.summary import Marked, Progress, marked
from thud.rules.match import DEFAULT_PLAYERS, commander_of
from thud.rules.notation import move_text, written_move
from thud.rules.position import Move, Position, Side
from thud.rules.symmetry import Symmetry, symmetries
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import kept_names
from thud.text import YOU, called, capitalised, counted, joined, printable, spelled, why

FILE_NAME: Final = "practise.json"

MOST_A_DAY: Final = 20
"""Most cards a day."""
NEW_A_DAY: Final = 10
"""Most of them that have never been answered."""

MOST_MISSED: Final = 4
"""Times that a card is missed, of the last `_RECENT`, until it is put aside."""
_RECENT: Final = 10

LESSONS: Final = MappingProxyType(
    {
        ("classic", Side.DWARFS): "shelter",
        ("classic", Side.TROLLS): "spare",
        ("single", Side.DWARFS): "bargain",
        ("single", Side.TROLLS): "patience",
        ("koom", Side.DWARFS): "escort",
        ("koom", Side.TROLLS): "hold",
        ("football", Side.DWARFS): "runs",
        ("football", Side.TROLLS): "in-the-way",
    }
)
"""The lesson for what is put aside, by game and side."""

_MAX_BYTES: Final = 64 << 20
"""Largest file: more than the most cards can take."""
_MOST: Final = 5_000
"""Most cards."""
_MOST_ANSWERS: Final = 100
"""Most answers kept of a card; those before are forgotten."""
_LONGEST_NAME: Final = 80
_LONGEST_NOTE: Final = 2_000
_DAYS_COUNTED: Final = 12
"""Most days that are counted until a card comes back; beyond them there is a date."""
_LATEST: Final = 1 << 33
"""Bound of a time in seconds since 1970."""

_GRADES: Final = MappingProxyType({"shown": 1, "wrong": 1, "hint": 2, "right": 3})
"""The ratings of fsrs (again, hard, good) by what a file says of an answer."""


class GradedAnswer(NamedTuple):
    """An answer: when, in seconds since 1970, and how good."""

    at: int
    grade: str


class Mistake(NamedTuple):
    """A mistake in a match."""

    played: Move
    note: str
    """The judgement with its edition, as in a record's comment."""
    name: str
    """Who made it."""
    match: str
    """The match's id."""
    ply: int = 0
    """How many moves were played before it: in football its cost depends on that."""


class Card(NamedTuple):
    """A position to practise: a mistake, or a puzzle of the book."""

    variant: Variant
    position: Position
    mistake: Mistake | None = None
    answers: tuple[GradedAnswer, ...] = ()
    """In the order of their times."""
    back: int = 0
    """When it was brought back after it was put aside, in seconds since 1970; 0 if never."""
    dubious: bool = False
    """Whether it is a dubious move, and no mistake."""

    @property
    def aside(self) -> bool:
        """Whether it was missed so often that a lesson is better than another try."""
        if not self.is_current:
            return False
        recent = [each.grade for each in self.answers[-_RECENT:] if each.at > self.back]
        return sum(_GRADES[each] == 1 for each in recent) >= MOST_MISSED

    @property
    def key(self) -> str:
        """The game and the position: a card is the same wherever it comes from."""
        return f"{self.variant.name} {self.position.to_text()}"

    def with_answers(self, answers: Sequence[GradedAnswer]) -> Card:
        """Return the card with further answers, each once."""
        known = sorted({*self.answers, *answers})
        return self._replace(answers=tuple(known[-_MOST_ANSWERS:]))

    @property
    def in_time(self) -> Card:
        """The card with the answers of a clock that was ahead dated to the evening before today.

        With their dates it would not come back before them; dated today, it would count as begun
        today.
        """
        right = [each for each in self.answers if not is_ahead(each.at)]
        ahead = self.answers[len(right) :]
        if not ahead:
            return self
        today = int(_midnight(now()).timestamp())
        before = max((each.at for each in right if each.at < today), default=0)
        first = max(before + 1, today - _MOST_ANSWERS - 1)  # after those dated so earlier
        dated = [each._replace(at=at) for at, each in enumerate(ahead, first)]
        answers = tuple(sorted([*right, *dated]))
        return self._replace(answers=answers, back=min(self.back, answers[-1].at))

    @property
    def puzzle(self) -> Puzzle | None:
        """The book's puzzle at this position, None if there is none."""
        return _by_position().get((self.variant.name, self.position))

    @property
    def is_current(self) -> bool:
        """Whether the book has the puzzle, or today's evaluation has judged the mistake."""
        if self.mistake is None:
            return self.puzzle is not None
        return edition_in(self.mistake.note) >= EDITION

    @property
    def due(self) -> datetime | None:
        """When it comes back, in whole days; None if it was never answered."""
        if not self.answers:
            return None
        from fsrs import Card as Schedule
        from fsrs import Rating, Scheduler

        scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        schedule = Schedule(card_id=0)
        for at, grade in self.answers:
            when = datetime.fromtimestamp(at, UTC)
            schedule, _ = scheduler.review_card(schedule, Rating(_GRADES[grade]), when)
        return schedule.due


class Practice:
    """All cards of a data directory, in one file that is read at once and saved atomically.

    Args:
        directory: the data directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._saving, self._changing = Lock(), Lock()
        self._dropped = set[str]()
        self._dubious, self._own = True, ""
        """Whether dubious moves are practised, and the name of the person here, if known."""
        self._fresh: Sequence[Card] = ()
        """Puzzles missed today, which are cards from tomorrow on."""
        self._listed: Mapping[str, Summary] = {}
        """The saved matches by id, once they are listed."""
        self._kept = _loaded(directory / FILE_NAME)
        cards, read = self._kept
        self._cards, self._read = dict(cards), dict(read)
        self._join({})

    @property
    def cards(self) -> Sequence[Card]:
        """All cards."""
        return tuple(self._cards.values())

    @property
    def current(self) -> list[Card]:
        """The cards that are practised now: dubious moves only if that is chosen.

        Mistakes of others whom the person here played are not among them; their answers are kept.
        """
        chosen = (card for card in self._cards.values() if self._dubious or not card.dubious)
        return [card for card in chosen if card.is_current and not self._is_anothers(card)]

    def _is_anothers(self, card: Card) -> bool:
        """Whether it is the mistake of somebody whom the person here played."""
        if (made := card.mistake) is None or made.name == self._own:
            return False
        match = self._listed.get(made.match)
        return match is not None and self._own in match.players

    def refresh(self, store: Store, *, dubious: bool = False) -> None:
        """Make cards of the mistakes in matches reviewed since, and of puzzles missed before today.

        Args:
            store: the matches.
            dubious: whether dubious moves are practised, too.

        Raises:
            OSError: the matches cannot be listed, or the cards cannot be saved; there are as many
                to practise as could be read.
        """
        self._dubious, (_, self._own) = dubious, kept_names(self._directory)
        score, today = load_score(self._directory), now().date()
        missed = {each.id for each in score.solved if not each.effort.clean}
        fresh = {each for each, day in score.missed.items() if day == today}
        if missed:
            of_book = [each for each in puzzles() if each.id in missed]
            earlier = (each for each in of_book if each.id not in fresh)
            self._add([Card(each.variant, each.position) for each in earlier])
            miss = GradedAnswer(int(_midnight(now()).timestamp()), "wrong")
            self._fresh = [
                Card(each.variant, each.position, answers=(miss,))
                for each in of_book
                if each.id in fresh
            ]
        listing = store.listing()
        self._listed = {each.id: each for each in (*listing.finished, *listing.unfinished)}
        for each in self._listed.values():
            if each.looked_on:
                continue
            version = store.version(each.id)  # a review keeps the time of the file
            if dubious:
                version = (*version, len(Mark))
            if self._read.get(each.id) != version:
                with suppress(ValueError, OSError):
                    # Most matches have no review, and are only looked through.
                    if JUDGED in read_text(store.existing(each.id)):
                        self._read_match(each.id, store.load(each.id))
                    self._read[each.id] = version
        if self._kept != (self._cards, self._read):
            self.save()

    def due(self, at: datetime | None = None) -> list[Card]:
        """Return the cards to practise on a day, or today: those that come back, then new ones."""
        midnight = _midnight(at or now())
        today = midnight.timestamp()
        answered = [card.answers for card in self.cards if card.answers]
        left = max(0, MOST_A_DAY - sum(each[-1].at >= today for each in answered))
        begun = sum(each[0].at >= today for each in answered)
        new = [card for card in self.current if not card.answers]
        return (self._planned(midnight) + new[: max(0, NEW_A_DAY - begun)])[:left]

    @property
    def tomorrow(self) -> bool:
        """Whether a puzzle was missed today, which is a card from tomorrow on."""
        return any(card.key not in self._cards for card in self._fresh)

    def early(self) -> list[Card]:
        """Return tomorrow's cards, which may be practised when none is left today."""
        if self.due() or self.waiting():
            return []
        fresh = [card for card in self._fresh if card.key not in self._cards]
        return (self._planned(_midnight(now()) + timedelta(days=1)) + fresh)[:MOST_A_DAY]

    def waiting(self, at: datetime | None = None) -> int:
        """Return how many cards have come back that are too many for a day, or today."""
        midnight = _midnight(at or now())
        planned = self._planned(midnight)
        return len(planned) - sum(bool(card.answers) for card in self.due(at))

    def _planned(self, midnight: datetime) -> list[Card]:
        """Return the cards that come back on a day or before, those first that came first."""
        tomorrow = midnight + timedelta(days=1)
        shown = (card for card in self.current if not card.aside)
        planned = [(due, card) for card in shown if (due := card.due) and due < tomorrow]
        return [card for _, card in sorted(planned, key=lambda each: each[0])]

    @property
    def aside(self) -> int:
        """How many cards are put aside."""
        return sum(card.aside for card in self.current)

    def bring_back(self) -> int:
        """Bring back the cards that are put aside; return how many.

        Raises:
            OSError: they cannot be saved.
        """
        found = [card for card in self.cards if card.aside]
        for card in found:
            self._cards[card.key] = card._replace(back=card.answers[-1].at)
        self.save()
        return len(found)

    def answer(self, card: Card, effort: Attempts, at: datetime) -> Card:
        """Record an answer, which is not saved yet; return the card.

        It counts as later than those before it, whatever the clock says.
        """
        grade = "wrong" if effort.misses else "hint" if effort.hints else "right"
        grade = "shown" if effort.shown else grade
        with self._changing:  # another thread may be saving
            found = self._cards.get(card.key, card)
            last = found.answers[-1].at if found.answers else 0
            answer = GradedAnswer(max(int(at.timestamp()), last + 1), grade)
            found = found.with_answers([answer])
            self._cards[card.key] = found
        return found

    def answer_elsewhere(self, task: Task, effort: Attempts) -> None:
        """Record an answer given outside practice, and save it, if the position is a card.

        Raises:
            OSError: it cannot be saved.
        """
        if card := self._cards.get(Card(task.variant, task.position).key):
            self.answer(card, effort, now())
            self.save()

    def merge(self, path: Path) -> int:
        """Add the cards and answers of another machine's file; return how many cards are new.

        Raises:
            ValueError: there is no such file, or it has no cards.
            OSError: the cards cannot be saved.
        """
        if not path.is_file():
            raise ValueError(f"there is no file {path}")
        others, _ = _loaded(path)
        if not others:
            raise ValueError(f"{path} has no cards to practise")
        before = len(self._cards)
        self._join(others)
        self.save()
        return len(self._cards) - before

    def forget_missing(self, store: Store) -> int:
        """Drop the mistakes of matches that are gone; return how many.

        Raises:
            OSError: the matches cannot be listed, or the cards cannot be saved.
        """
        listing = store.listing()
        kept = {each.id for each in (*listing.finished, *listing.unfinished)}
        gone = [card for card in self.cards if card.mistake and card.mistake.match not in kept]
        for card in gone:
            self._drop(card)
        self._read = {name: at for name, at in self._read.items() if name in kept}
        self.save()
        return len(gone)

    def _read_match(self, name: str, record: Record) -> None:
        """Add the mistakes of a match; drop those that a whole new review finds no more.

        A dubious move that was answered stays while dubious moves are not practised.
        """
        marked = [*mistakes_in(name, record)]
        found = [card for card in marked if self._dubious or self._stays(card)]
        keys, complete = {card.key for card in found}, Progress(record).complete
        milder = {card.key for card in marked} - keys
        for card in self.cards:
            of_match = card.mistake and card.mistake.match == name
            if of_match and card.key not in keys and (complete or card.key in milder):
                self._drop(card)
        self._add(found)

    def _stays(self, card: Card) -> bool:
        """Whether a card is kept though no dubious moves are practised."""
        known = self._cards.get(card.key)
        return not card.dubious or bool(known and known.mistake and known.answers)

    def _add(self, cards: Iterable[Card]) -> None:
        """Add cards; one that is known keeps its answers, and takes the latest judgement."""
        for card in cards:
            known = self._cards.get(card.key)
            self._dropped.discard(card.key)
            if known:
                kept = card._replace(back=known.back)
                self._cards[card.key] = kept.with_answers(known.answers)
            elif len(self._cards) < _MOST:
                self._cards[card.key] = card

    def _drop(self, card: Card) -> None:
        del self._cards[card.key]
        self._dropped.add(card.key)

    def _join(self, others: dict[str, Card]) -> None:
        """Add cards and answers that another program has saved; none is dated ahead then."""
        self._cards = {key: card.in_time for key, card in self._cards.items()}
        for key, card in others.items():
            mine = self._cards.get(key)
            if key in self._dropped:
                continue
            theirs = card.in_time
            if mine:
                later = mine._replace(back=max(mine.back, theirs.back))
                self._cards[key] = later.with_answers(theirs.answers)
            elif len(self._cards) < _MOST:
                self._cards[key] = theirs

    def save(self) -> None:
        """Save the cards, with what another program has saved meanwhile.

        Raises:
            OSError: they cannot be saved.
        """
        with self._saving:
            others, _ = _loaded(self._directory / FILE_NAME)
            with self._changing:
                self._join(others)
                kept = dict(self._cards), dict(self._read)
            cards, read = kept
            values = {"cards": {key: _values(card) for key, card in cards.items()}, "read": read}
            write_small(self._directory / FILE_NAME, values)
            self._kept = kept

    def drills(self, keep: Callable[[], object], *, early: bool = False) -> Iterator[Drill]:
        """Yield a drill for each card of today; one that is skipped comes again at the end, once.

        It looks the same then.

        Args:
            keep: called after each answer, to save it.
            early: whether tomorrow's cards follow if there are none today.
        """
        cards = self.due() or (self.early() if early else [])
        turned = [(card, choice(symmetries(card.variant))) for card in cards]
        queue = deque((number, *each, False) for number, each in enumerate(turned, 1))
        while queue:
            number, card, turn, again = queue.popleft()
            place = f"Practise, {number} of {len(cards)}" if len(cards) > 1 else "Practise"
            place += " again" * again
            drill = self._drill(card, turn, place, len(queue), keep)
            yield drill
            if queue and not (drill.over or again):
                queue.append((number, card, turn, True))

    def _drill(
        self, card: Card, turn: Symmetry, place: str, left: int, keep: Callable[[], object]
    ) -> Drill:
        def done(effort: Attempts) -> None:
            answered = self.answer(card, effort, now())
            keep()
            if answered.aside or not answered.due:
                told = _put_aside(card)
            elif answered.answers[-1].grade == "hint":
                told = f"Because of the hint you will see it again {_when(answered.due)}."
            else:
                told = f"You will see it again {_when(answered.due)}."
            more = f" {capitalised(counted(left, 'position'))} left today."
            drill.farewell = told + (more if left else f"\n\n{end_of_round(self, told)}")

        made = card.mistake and _marked(card, card.mistake)
        plain = symmetries(card.variant)[0]
        image = "" if turn is plain else "mirrored" if turn.mirrors else "turned"
        if not (card.mistake and made):
            assert card.puzzle
            puzzle = card.puzzle.turned(turn)
            title = f"{place}: {puzzle.variant.title}, puzzle {puzzle.number}"
            title += f", {image}" if image else ""
            drill = Drill(
                title,
                tuple(tasks(puzzle)),
                done,
                skips=True,
                linked=True,
                theme=THEMES[puzzle.theme],
                followed=left > 0,
            )
            return drill
        analyst, made = Analyst(), _turned(made, card.variant, turn)
        name = YOU if card.mistake.name in DEFAULT_PLAYERS else card.mistake.name
        move = move_text(card.position, card.mistake.played)
        played = f"played {move}, which {did(card.variant, made)}."
        asked = f"{name} {played}"
        if image:
            here = move_text(made.position, made.move)
            asked = f"In the match {called(name)} {played} The board is {image} here: {here}."
        asked += " What is better?"
        if match := self._listed.get(card.mistake.match):
            asked = f"{asked} {_from(match, card.mistake.name)}"
        task = MistakeTask(card.variant, made, asked, analyst)
        title = f"{place}: a mistake in {card.variant.title}"
        drill = Drill(
            title,
            (task,),
            done,
            skips=True,
            slow=True,
            release=analyst.close,
            followed=left > 0,
        )
        return drill


def mistakes_in(name: str, record: Record) -> Iterator[Card]:
    """Yield the moves with marks that people made in a match, as far as it has been reviewed.

    Judgements of an earlier edition are left out.

    Args:
        name: the match's id.
        record: the match.
    """
    progress = Progress(record)
    for number in progress.numbers:
        if number in progress.outdated:
            continue
        reviewed = progress.reviewed(number)
        for each in reviewed.mistakes:
            player = commander_of(each.side, number)
            if each.mark and each.judgement.best and not record.programs[player]:
                judged = note(each.judgement, each.position, each.move, edition=True)
                mistake = Mistake(each.move, judged, record.players[player], name, each.ply)
                dubious = each.mark is Mark.DUBIOUS
                yield Card(record.variant, each.position, mistake, dubious=dubious)


def count_answer(store: Store, task: Task, effort: Attempts, *, dubious: bool = False) -> None:
    """Count an answer in a review as one of today, if its match is among those saved.

    Raises:
        OSError: the matches cannot be read, or the answer cannot be saved.
    """
    practice = Practice(store.matches.parent)
    practice.refresh(store, dubious=dubious)
    practice.answer_elsewhere(task, effort)


def in_words(
    practice: Practice,
    returns: str = "thud practise --return",
    early: str = "thud practise --early",
) -> str:
    """Say how much there is to practise today, or when there is.

    Args:
        practice: the cards.
        returns: the command that brings back what is put aside, empty where there is none.
        early: the command to practise what comes back tomorrow, empty where there is none.
    """
    aside, told = practice.aside, ""
    if aside:
        which = "it" if aside == 1 else "them"
        put = capitalised(counted(aside, "position"))
        how = f": '{returns}' brings {which} back" if returns else ""
        told = f" {put} put aside{how}."
    if due := practice.due():
        return f"{capitalised(counted(len(due), 'position'))} to practise today.{told}"
    if not (practice.cards or practice.tomorrow):
        return "Nothing to practise yet: your ? and ?? in reviews come here, and missed puzzles."
    if waiting := practice.waiting():
        return f"Enough for today. {capitalised(spelled(waiting))} more from tomorrow on.{told}"
    done = tally(practice) or "Nothing to practise today."
    at_once = f": '{early}' has it now" if early and practice.early() else ""
    comes = f"The next one comes back {day}{at_once}." if (day := next_day(practice)) else ""
    return " ".join(filter(None, (done, comes, told.strip())))


def tally(practice: Practice, what: str = "Practised today") -> str:
    """Say how the positions practised today went; nothing if there are none."""
    today = _midnight(now()).timestamp()
    latest = [card.answers[-1] for card in practice.cards if card.answers]
    grades = [each.grade for each in latest if each.at >= today]
    parts = (
        ("right", "right"),
        ("hint", "with a hint"),
        ("wrong", "at a later try"),
        ("shown", "shown"),
    )
    told = [f"{spelled(n)} {words}" for grade, words in parts if (n := grades.count(grade))]
    return f"{what}: {joined(told)}." if told else ""


def end_of_round(practice: Practice, told: str = "") -> str:
    """Say how today's positions went, and how many are left today or when the next comes back.

    Args:
        practice: the cards.
        told: what is told before; a day in it is not told again.
    """
    if left := len(practice.due()):
        remaining = capitalised(counted(left, "position"))
        return f"{tally(practice)} {remaining} left today.".lstrip()
    day = next_day(practice)
    then = f" The next one comes back {day}." if day and day not in told else ""
    return f"{tally(practice, 'Done for today')}{then}"


def next_day(practice: Practice) -> str:
    """Say on which day the next card comes back, if none is due today; nothing if none does."""
    cards = [card for card in practice.current if not card.aside]
    times = [back for card in cards if (back := card.due)]
    if practice.tomorrow:
        times.append(now() + timedelta(days=1))
    return _when(min(times)) if times else ""


def _when(due: datetime) -> str:
    """Say on which day a card comes back that is not due today."""
    day = due.astimezone().date()
    days = max(1, (day - now().date()).days)
    if days > _DAYS_COUNTED:
        return f"on {day.day} {day:%B}" + (f" {day.year}" if day.year > now().year else "")
    return "tomorrow" if days == 1 else f"in {counted(days, 'day')}"


def _from(match: Summary, name: str) -> str:
    """Say which match a mistake is from: whom it was played against, and when."""
    others = [each for each in match.players if each != name]
    day = match.saved
    return f"That was against {others[0] if others else name}, on {day.day} {day:%B}."


def _put_aside(card: Card) -> str:
    """Say that a card is put aside, and which lesson may help."""
    name = LESSONS.get((card.variant.name, card.position.to_move))
    title = next((each.title for each in lessons() if each.name == name), "")
    about = f' Do the lesson "{title}".' if title else ""
    return f"You have missed it {spelled(MOST_MISSED)} times, so it is put aside.{about}"


def nothing_kept(error: OSError) -> str:
    """Say that answers are lost, since nothing can be saved."""
    return f"your answers are not kept: {why(error)}"


def now() -> datetime:
    """Return the present time, in the local time zone."""
    return datetime.now(UTC).astimezone()


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


@cache
def _by_position() -> dict[tuple[str, Position], Puzzle]:
    return {(each.variant.name, each.position): each for each in puzzles()}


def _marked(card: Card, mistake: Mistake) -> Marked | None:
    """Return a card's mistake with its judgement, None if its note says none."""
    judgement = judgement_in(card.variant, card.position, mistake.played, mistake.note)
    if judgement is None or judgement.best is None:
        return None
    return marked(card.variant, mistake.ply, card.position, mistake.played, judgement)


def _turned(made: Marked, variant: Variant, turn: Symmetry) -> Marked:
    """Return the image of a mistake."""
    judged = made.judgement
    line, reply = (tuple(map(turn.move, each)) for each in (judged.line, judged.reply))
    best = judged.best and turn.move(judged.best)
    judged = judged._replace(best=best, line=line, reply=reply)
    position, move = turn.position(made.position), turn.move(made.move)
    return marked(variant, made.ply, position, move, judged, quiet=made.quiet)


# The file


def _values(card: Card) -> dict[str, Any]:
    values: dict[str, Any] = {"answers": [list(each) for each in card.answers]}
    if card.back:
        values["back"] = card.back
    if card.mistake:
        played, judged, name, match, ply = card.mistake
        text = move_text(card.position, played)
        values |= {"played": text, "note": judged, "name": name, "match": match}
        if ply:
            values["ply"] = ply
    return values


def _loaded(path: Path) -> tuple[dict[str, Card], dict[str, tuple[int, ...]]]:
    """Read the cards of a file, and the versions of matches read; what is invalid is left out."""
    values = read_small(path, _MAX_BYTES)
    listed, read = values.get("cards"), values.get("read")
    cards = dict[str, Card]()
    for key, told in listed.items() if isinstance(listed, dict) else ():
        if len(cards) < _MOST and isinstance(told, dict) and (card := _card(key, told)):
            cards[card.key] = card
    versions = read.items() if isinstance(read, dict) else ()
    return cards, {name: tuple(version) for name, version in versions if isinstance(version, list)}


def _card(key: str, told: dict[str, Any]) -> Card | None:
    name, _, text = key.partition(" ")
    if name not in VARIANTS:
        return None
    variant = VARIANTS[name]
    try:
        card = Card(variant, variant.position(text))
    except ValueError:
        return None
    listed, answers = told.get("answers"), list[GradedAnswer]()
    for each in listed if isinstance(listed, list) else ():
        match each:
            case [int(at), str(grade)] if 0 <= at < _LATEST and grade in _GRADES:
                answers.append(GradedAnswer(at, grade))
    card = card.with_answers(answers)
    match told.get("back"):
        case int(at) if 0 <= at < _LATEST:
            card = card._replace(back=at)
    parts = [told.get(each) for each in ("played", "note", "name", "match")]
    if not all(isinstance(each, str) for each in parts):
        return card
    played, judged, who, match = map(str, parts)
    try:
        move = written_move(variant, card.position, played)
    except ValueError:
        return None
    who, match = printable(who, _LONGEST_NAME), printable(match, _LONGEST_NAME)
    mistake = Mistake(move, judged[:_LONGEST_NOTE], who, match)
    match told.get("ply"):
        case int(ply) if 0 <= ply < MAX_PLIES:
            mistake = mistake._replace(ply=ply)
    made = _marked(card, mistake) if variant.is_legal(card.position, move) else None
    return made and card._replace(mistake=mistake, dubious=made.mark is Mark.DUBIOUS)
