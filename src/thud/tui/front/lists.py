"""Lists to choose from: saved matches, lessons and model battles."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.widgets.option_list import Option

from thud.records.store import Discarded, Store
from thud.records.summary import Summary
from thud.records.words import addressed_in_list
from thud.text import capitalised, counted
from thud.tui.actions import bindings
from thud.tui.widgets.modals import ListScreen
from thud.words.match import figure, handicap_in_short

if TYPE_CHECKING:
    from thud.exercises.lessons.course import Course
    from thud.exercises.lessons.model_battles import ModelBattle
    from thud.exercises.lessons.model_scores import ModelScores
    from thud.tui.front.results import After

PRACTISE: Final = "practise"
"""The answer of a list of matches to practise what they show; no match has such an id."""

_ONE_LINE: Final = 60
"""Fewest columns for a match on one line."""


class MatchList(ListScreen):
    """A list of matches, the latest first; the answer is an id, `PRACTISE` or None.

    Args:
        title: the title.
        matches: the matches.
        without: text to show if there are none.
        store: where they are saved.

    Attributes:
        reviews: whether the match that is the answer is to be reviewed.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("matches")

    def __init__(self, title: str, matches: Sequence[Summary], without: str, store: Store) -> None:
        finished, matches = matches, list(map(addressed_in_list, matches))
        super().__init__(
            title, [Option(ListedMatch(each), id=each.id) for each in matches], without
        )
        self._matches = {each.id: each for each in matches}
        self._finished = finished
        self._store = store
        self.reviews = False
        self._asked: str | None = None
        self._deleted: list[tuple[Discarded, int]] = []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something now."""
        possible = {
            "delete": self._asked is None and self._chosen_id is not None,
            "confirm": self._asked is not None,
            "keep": self._asked is not None,
            "undo": self._asked is None and bool(self._deleted),
            "results": self._asked is None and any(each.over for each in self._finished),
        }
        possible["review"] = possible["results"] and self._chosen_id is not None
        return possible.get(action, True)

    @property
    def _chosen_id(self) -> str | None:
        place = self._listed.highlighted if self.is_mounted else None
        return None if place is None else self._listed.get_option_at_index(place).id

    @property
    def may_choose(self) -> bool:
        """Whether a selection is accepted now: not while asking whether to delete a match."""
        return self._asked is None

    def say(self, text: str) -> None:
        """Show a text above the list."""
        self._said.update(text)
        self.refresh_bindings()

    def _say_title(self, said: str = "") -> None:
        self._asked = None
        self.say(said or (self._title if self._listed.option_count else self._without))

    def action_review(self) -> None:
        """Choose the highlighted match, to be reviewed."""
        self.reviews = True
        self.dismiss(self._chosen_id)

    def action_delete(self) -> None:
        """Ask whether to delete the highlighted match."""
        if name := self._chosen_id:
            self._asked = name
            players = " – ".join(self._matches[name].players)
            self.say(f"Delete the match of {players}? y deletes it, n keeps it.")

    @work(exclusive=True)
    async def action_results(self) -> None:
        """Show what the matches show of each person: results, rating, accuracy."""
        from thud.history import histories
        from thud.tui.front.results import After, ResultsScreen

        def answered(answer: tuple[After, str] | None) -> None:
            if answer:
                after, name = answer
                self.reviews = after is After.REVIEW
                self.dismiss(PRACTISE if after is After.PRACTISE else name)

        left = [each for each in self._finished if each.over and each.id in self._ids]
        people = await asyncio.to_thread(histories, self._store, left)
        if self.is_current:
            shown = [Option(ListedMatch(self._matches[each.id]), id=each.id) for each in left]
            self.app.push_screen(ResultsScreen(people, shown), answered)

    @property
    def _ids(self) -> set[str | None]:
        return {option.id for option in self._listed.options}

    def action_keep(self) -> None:
        """Cancel the deletion."""
        self._say_title()

    async def action_confirm(self) -> None:
        """Delete the match that was asked about."""
        name, self._asked = self._asked, None
        if name is None:
            return
        try:
            discarded = await asyncio.to_thread(self._store.discard, name)
        except ValueError as error:
            self._say_title(f"{capitalised(str(error))}.")
            return
        place = self._listed.get_option_index(name)
        self._deleted.append((discarded, place))
        self._listed.remove_option(name)
        if self._listed.option_count:
            self._listed.highlighted = min(place, self._listed.option_count - 1)
        self._say_title("The match is deleted; u brings it back.")

    async def action_undo(self) -> None:
        """Restore the match deleted last."""
        discarded, place = self._deleted[-1]
        try:
            await asyncio.to_thread(self._store.put_back, discarded)
        except ValueError as error:
            self._say_title(f"{capitalised(str(error))}.")
            return
        self._deleted.pop()
        there = [str(option.id) for option in self._listed.options]
        there.insert(place, discarded.id)
        self._listed.clear_options()
        options = [Option(ListedMatch(self._matches[name]), id=name) for name in there]
        self._listed.add_options(self.far_apart(options))
        self._listed.highlighted = place
        self._say_title("The match is back.")


class ListedMatch:
    """A match on one line, or on two if the list is narrow.

    Args:
        match: the match's summary.
    """

    def __init__(self, match: Summary) -> None:
        score = " : ".join(map(figure, match.tally))
        self._place = score if match.over else match.place
        self._players = " – ".join(match.players)
        if match.handicap:
            self._players += f", {handicap_in_short(match.players, match.handicap)}"
        if match.looked_on:
            self._players = f"watched: {self._players}"
        self._saved, self._game = f"{match.saved:%d %b %H:%M}", match.variant.short

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the form that fits the width."""
        if options.max_width < _ONE_LINE:
            yield Text(self._players).append(f"\n{self._game}, {self._place}, {self._saved}")
            return
        line = Table.grid(padding=(0, 2), expand=True)
        for width in (12, 15):
            line.add_column(width=width, no_wrap=True)
        line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        line.add_column(justify="right", no_wrap=True)
        # As `Text`, because names in brackets in plain strings would be parsed as markup.
        line.add_row(*map(Text, (self._saved, self._game, self._players, self._place)))
        yield line


def lesson_list(course: Course) -> ListScreen:
    """Return a list of lessons by chapter, done ones ticked; the answer is a lesson's name."""
    options: list[Option] = []
    for title, lessons in course.chapters():
        options.append(Option(Text(title, "bold"), disabled=True))
        for lesson, done in lessons:
            row = Text(f" {'✓' if done else ' '} {lesson.title}")
            if score := course.score(lesson):
                row.append(f"  {score}", "dim")
            options.append(Option(row, id=lesson.name))
    count = sum(each.name in course.progress.done for each in course.lessons)
    title = f"Learn Thud: {count} of {len(course.lessons)}" if count else "Learn Thud"
    return ListScreen(title, options, chosen=course.next.name)


def model_list(battles: Sequence[ModelBattle], scores: ModelScores, chosen: str) -> ListScreen:
    """Return a list of model battles by variant, with ticks and scores; the answer is a name."""
    options: list[Option] = []
    for variant, found in groupby(battles, key=attrgetter("variant")):
        those = tuple(found)
        options.append(
            Option(Text(f"{variant.title}, {len(those)} battles", "bold"), disabled=True)
        )
        begun = any(scores.begun(each) for each in those)
        for each in those:
            told = scores.in_words(each)
            if each is those[0] and not begun:
                told = f"begin here: {told.partition(', ')[2]}"
            row = Table.grid(padding=(0, 2), expand=True)
            row.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
            row.add_column(justify="right", no_wrap=True, style="dim")
            row.add_row(Text(f" {'✓' if scores.done(each) else ' '} {each.title}"), Text(told))
            options.append(Option(row, id=each.name))
    title = f"{len(battles)} model battles, with comments and questions"
    return ListScreen(title, options, chosen=chosen)


RETURN: Final = "return"
"""The answer that brings back what is put aside."""


EARLY: Final = "early"
"""The answer that begins what comes back tomorrow."""


def early_list(told: str, number: int) -> ListScreen:
    """Return a list that asks whether to practise today what comes back tomorrow.

    Args:
        told: how much there is to practise today.
        number: how many positions come back.
    """
    options = [
        Option(Text(f" Practise {counted(number, 'position')} of tomorrow now"), id=EARLY),
        Option(Text(" Leave it for tomorrow"), id="leave"),
    ]
    return ListScreen(told, options)


def aside_list(number: int) -> ListScreen:
    """Return a list that asks whether positions put aside are to come back."""
    which = "it" if number == 1 else "them"
    options = [
        Option(Text(f" Bring {which} back"), id=RETURN),
        Option(Text(f" Leave {which} aside"), id="leave"),
    ]
    return ListScreen(f"{capitalised(counted(number, 'position'))} put aside", options)
