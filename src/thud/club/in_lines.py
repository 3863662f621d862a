"""The club in lines of text: the lobby as commands, the matches as `thud play --plain`."""

from __future__ import annotations

import io
import os
import sys
from asyncio import Runner, to_thread
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import count
from typing import BinaryIO, Final, TextIO, cast

from thud.club.past_in_lines import NO_FILES, PAST_COMMANDS, PastRepl
from thud.engines.spec import HUMAN, level_contender, parse_contender
from thud.exercises.drill import Drill
from thud.exercises.lessons.course import Course
from thud.exercises.lessons.model_battles import model_battle, model_battles
from thud.exercises.lessons.model_scores import ModelScores
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.practise import Practice, in_words, nothing_kept
from thud.exercises.puzzles.book import puzzle_of_the_day
from thud.exercises.puzzles.book import puzzles as our_own
from thud.exercises.puzzles.puzzle import PuzzleFilter
from thud.exercises.puzzles.score import PuzzleCourse, load_score, save_score
from thud.net.host_connection import Caller
from thud.net.remote import Remote
from thud.net.seat_registry import ANY, MOST_LATE
from thud.net.transports.invitation import OnThisMachine
from thud.net.transports.resolve import transport_to
from thud.plain.drill import run as run_drills
from thud.plain.lines import Lines
from thud.plain.loop import Loop, begun_runner
from thud.plain.match import MatchRepl, run
from thud.plain.repl import Left, rules_in_lines
from thud.plain.replay import run as replay
from thud.records.annotation_store import AnnotationStore, in_store
from thud.records.programs import HIGHEST_LEVEL
from thud.records.store import Saved, Store
from thud.records.summary import Summary
from thud.rules.clock import parse_control
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.commands import TypedCommand
from thud.session.participants import LONGEST_GIVEN_NAME, SEAT, SHOW, WATCH, contenders_of
from thud.session.session import Session
from thud.session.view import SessionView
from thud.settings.preferences import Preferences
from thud.terminal.signals import exit_cleanly
from thud.text import counted, is_number, joined, quoted, sentence
from thud.visitor.links import TableLinks, what_for
from thud.visitor.profile import (
    GUEST_FILE,
    MATCH,
    TABLE_VARIABLE,
    LastPlace,
    VisitorProfile,
    clean,
)
from thud.visitor.season import (
    JOINED,
    NOT_JOINED,
    JoinSeason,
    SeasonPage,
    SeeSeason,
    cross_table,
    leaving_in_words,
    results_in_words,
    row_in_words,
    season_in_words,
    title_in_words,
)
from thud.visitor.seek import (
    OFFERED,
    TAKEN,
    WITHDRAWN,
    ListedSeek,
    MakeSeek,
    TakeSeek,
    WithdrawSeek,
)
from thud.visitor.tables import (
    NO_SUCH_TABLE,
    OPEN,
    OPEN_WITH_HOUSE,
    UNRATED,
    AddDevice,
    CarriedOut,
    LinkDevice,
    ListedTable,
    OpenTable,
    PlayUnrated,
    Request,
    TableLine,
    club_links,
    who_plays,
)
from thud.visitor.waiting import Row, news_in, waiting_in, what_in_words, who_in_words

_NEW_HERE: Final = (
    "New here? learn begins the lessons, play finds somebody to play with, watch shows a match, "
    "and puzzles today is the day's puzzle: {}."
)
_REMEMBERED: Final = "Everything is saved for your next visit."
_FORGOTTEN: Final = "As a guest you are forgotten in ten minutes."

_LINKS: Final = ("", " seat", " watch", " show")
_SEATS: Final = ("play in the first seat", "play in the second seat")
_GAMES: Final = joined([*VARIANTS], "or")

COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": TypedCommand("help", "these words"),
    "tables": TypedCommand(
        "tables", "what waits for you, and the other tables, each with its number"
    ),
    "sit": TypedCommand("sit 2", "sit down at table 2, or go back to your seat there"),
    "ask": TypedCommand("ask 2 ANN", "ask for Ann's seat at table 2, if it was yours"),
    "play": TypedCommand(
        "play", "sit down with whoever waits; if nobody comes within a minute, a computer does"
    ),
    "watch": TypedCommand(
        "watch, or watch 2", "watch one match after the other, the liveliest first; or table 2"
    ),
    "open": TypedCommand(
        "open, or open koom 3d",
        f"open a table; you may name a game, {_GAMES}, and a clock such as 20+10 or 3d",
    ),
    "link": TypedCommand(
        "link 2, link 2 seat, link 2 watch, or link 2 show 6",
        "a link to your table 2 for others: to play in any seat, in the other one, to watch, or to "
        "watch without coming in, at once or some moves late",
    ),
    "offer": TypedCommand(
        "offer koom 3d, or offer koom 3d even",
        "offer a match to whoever takes it, also while you are away; or an even one, to those "
        "alone who are about as strong as you",
    ),
    "take": TypedCommand("take 2", "take offer 2: the match begins"),
    "withdraw": TypedCommand("withdraw 2", "withdraw your offer 2"),
    "hear": TypedCommand("hear on, or hear off", "be told of new offers, or no longer"),
    "unrated": TypedCommand(
        "unrated 2", "let what is played at your table 2 not be rated: before the first move"
    ),
    "revoke": TypedCommand("revoke 2", "end all your links to table 2"),
    "computer": TypedCommand(
        "computer 3, or computer 3 koom", f"play the computer, at a level of 1 to {HIGHEST_LEVEL}"
    ),
    "resume": TypedCommand("resume", "go on with your last match with the computer"),
    "replay": TypedCommand("replay, or replay 2", "your matches, or one of them to look at"),
    **PAST_COMMANDS,
    "season": TypedCommand(
        "season, season join, season leave, season table, or season 2",
        "the season and its standing; take part, or leave it; its cross table; or the results of "
        "the second in it",
    ),
    "rules": TypedCommand("rules, or rules koom", f"the rules; you may name a game, {_GAMES}"),
    "learn": TypedCommand("learn", "the lessons, from the first one not done"),
    "puzzles": TypedCommand("puzzles, or puzzles today", "puzzles, easy ones first; or the day's"),
    "models": TypedCommand("models, or models koom-2", "model battles, or one of them to study"),
    "practise": TypedCommand(
        "practise, or practise return, or practise early",
        "your mistakes and missed puzzles, until you know them; or bring back what was put aside; "
        "or what comes tomorrow",
    ),
    "who": TypedCommand("who", "who is in the club"),
    "name": TypedCommand("name ANN", "call yourself Ann"),
    "device": TypedCommand("device, or device WORD", "be the same visitor on another device"),
    "remind": TypedCommand(
        "remind on, or remind off",
        "be told outside the club, while you are away, where it is your turn",
    ),
    "quit": TypedCommand("quit", "leave the club"),
}
"""What can be typed in the lobby; in place of sit, a table's number is enough."""


class PlainLobby(PastRepl):
    """A visit to the club in lines of text.

    Args:
        lines: the visitor's input and output.
        store: the visitor's matches; their other files are beside them.
        runner: runs the coroutines.
    """

    commands = COMMANDS

    def __init__(self, lines: Lines, store: Store, runner: Runner) -> None:
        self._link = os.environ.get(TABLE_VARIABLE, "")
        line = TableLine(lambda: self._profile.proposed, self._tell_changes, self._link)
        super().__init__(lines, Loop(runner), line)
        self._store = store
        self._own = store.matches.parent
        self._runner = runner
        self._profile = VisitorProfile(self._own)
        self._told: frozenset[tuple[str, str]] = frozenset()
        self._begun = False
        self._listed: tuple[Row, ...] = ()
        self._matches: Sequence[Summary] = ()
        self._in_lobby = True

    def run(self) -> None:
        """Stay until the visitor leaves or the input ends."""
        keeping = self._loop.begin(self._line.run)
        try:
            with suppress(Left):
                self.lines.set_loop(self._loop)
                self.say("The club, in lines of text.")
                self._loop.run(self._line.when_known)
                while not self._profile.name:
                    proposal = f"(Enter for {self._profile.proposed})"
                    self.attempt(self._do_name, self.ask(f"What is your name? {proposal}:"))
                self.say("Type help for the commands.")
                if self._profile.has_given_name and not self._store.matches.exists():
                    daily = puzzle_of_the_day(date.today()).puzzle
                    self.say(_NEW_HERE.format(f"{daily.variant.title}, {daily.band}"))
                self._tell_tables()
                place = self._profile.place
                if self._link:
                    self.attempt(self._go_to_link)
                elif place and place.kind == MATCH:
                    self.attempt(self._go_back, place.id)
                elif place:
                    self.attempt(self._join, place)
                while True:
                    self.lines.set_loop(self._loop)
                    self.obey(self.ask("In the lobby. What now?"))
        finally:
            keeping.cancel()
            self.lines.set_loop(None)
            self._loop.close()

    # Commands

    def take(self, line: str) -> None:
        """Sit down at the table with a number, or take the offer."""
        word, _, _ = line.partition(" ")
        if word.isdigit():
            is_offer = isinstance(self._row(word), ListedSeek)
            (self._do_take if is_offer else self._do_sit)(word)
        elif word:
            raise ValueError(f"unknown command {quoted(word)}: type help for a list")

    def _do_tables(self, _: str) -> None:
        self._tell_tables()

    def _do_sit(self, number: str) -> None:
        table = self._table(number)
        if not (table.seated or table.wanted):
            raise ValueError(f"that table is full: type watch {number} to watch")
        self._join(LastPlace(SEAT, table.id, table.word))

    def _do_ask(self, rest: str) -> None:
        number, _, name = rest.partition(" ")
        table = self._table(number)
        known = [each.casefold() for each in table.players]
        if (wanted := name.strip().casefold()) not in known:
            raise ValueError(f"say whose seat, such as ask {number} {table.players[0]}")
        self._join(LastPlace(SEAT, table.id, table.word), known.index(wanted))

    def _do_play(self, _: str) -> None:
        if free := self._line.state.waiting:
            self._join(LastPlace(SEAT, free.id, free.word))
            return
        self._store.refuse_if_full()
        answer = self._asked(OpenTable("classic", house=True))
        self.say(OPEN_WITH_HOUSE)
        self._join(LastPlace(SEAT, answer.id, answer.word))

    def _do_watch(self, number: str) -> None:
        if number:
            table = self._table(number)
            self._join(LastPlace(WATCH, table.id, table.word))
            return
        seen = ""
        while following := self._line.state.liveliest(but=seen):
            self.say(f"You watch {who_plays(following)}. After the match, quit leads to the next.")
            self._join(LastPlace(WATCH, following.id, following.word))
            self._loop.run(self._line.enter)
            seen, watched = following.id, self._line.state.table(following.id)
            if watched and not watched.over:
                return
        self.say("No other match is being played." if seen else "No match is being played now.")

    def _do_link(self, rest: str) -> None:
        number, _, purpose = rest.partition(" ")
        purpose, _, late = purpose.partition(" ")
        table = self._table(number)
        purposes = {"": ANY, "seat": "0" if table.mine == 1 else "1", "watch": WATCH, "show": SHOW}
        if purpose not in purposes or (late and purpose != "show"):
            raise ValueError(f"say {joined([f'link {number}{each}' for each in _LINKS], 'or')}")
        if late and not (is_number(late) and int(late) <= MOST_LATE):
            raise ValueError(f"say how many moves late, 0 to {MOST_LATE}: link {number} show 6")
        self._tell_links(table.id, make=purposes[purpose], late=int(late or 0))

    def _do_offer(self, what: str) -> None:
        words = what.lower().split()
        game, clock = self._game_and_clock(each for each in words if each != "even")
        self._asked(MakeSeek(game, clock, "even" in words))
        self.say(OFFERED)

    def _do_take(self, number: str) -> None:
        seek = self._offer(number)
        taken = self._asked(TakeSeek(seek.id))
        self.say(TAKEN.format(clean(seek.name)))
        self._join(LastPlace(SEAT, taken.id))

    def _do_withdraw(self, number: str) -> None:
        self._asked(WithdrawSeek(self._offer(number).id))
        self.say(WITHDRAWN)

    def _do_hear(self, when: str) -> None:
        if when not in ("on", "off"):
            raise ValueError("say hear on or hear off")
        self.say(self._profile.hear(when == "on"))

    def _do_unrated(self, number: str) -> None:
        self._asked(PlayUnrated(self._table(number).id))
        self.say(UNRATED)

    def _do_revoke(self, number: str) -> None:
        listed = self._table(number).id
        for each in self._loop.run(lambda: self._line.links(listed)):
            self._loop.run(partial(self._line.links, listed, revoke=each.word))
        self.say("Your links to that table let nobody in any longer.")

    def _do_resume(self, _: str) -> None:
        self._go_on(self._store.resume_latest())

    def _do_rules(self, rest: str) -> None:
        game, _, topic = rest.partition(" ")
        variant = VARIANTS.get(game.lower())
        self.say(*rules_in_lines(variant or VARIANTS["classic"], topic if variant else rest))

    def _do_learn(self, _: str) -> None:
        progress = LessonProgress(self._own)
        course = Course(progress, progress.save, battles=False)
        self._drill(course.drills(course.next))

    def _do_puzzles(self, which: str) -> None:
        if which not in ("", "today"):
            raise ValueError("say puzzles, or puzzles today")
        save, daily = partial(save_score, self._own), puzzle_of_the_day(date.today())
        choice = PuzzleFilter(only=daily.puzzle.id if which == "today" else "")
        puzzles = PuzzleCourse(our_own(), load_score(self._own), save, choice, daily)
        self._drill(puzzles.drills())

    def _do_models(self, name: str) -> None:
        if name:
            self._replay(AnnotationStore(model_battle(name, "type models for a list").record()))
        else:
            scores = ModelScores(self._own)
            told = ((each, scores.in_words(each)) for each in model_battles())
            self.say(*(f"{it.name}: {it.title}. {score}".rstrip() for it, score in told))

    def _do_practise(self, which: str) -> None:
        if which not in ("", "return", "early"):
            raise ValueError("say practise, practise return or practise early")
        practice = Practice(self._own)
        if which == "return":
            self._keep(practice.bring_back)
        dubious = Preferences.load().settings.practise_dubious
        self._keep(partial(practice.refresh, self._store, dubious=dubious))
        self.say(in_words(practice, "practise return", "practise early"))
        early = which == "early"
        if practice.due() or (early and practice.early()):
            self._drill(practice.drills(partial(self._keep, practice.save), early=early))

    def _do_who(self, _: str) -> None:
        names = joined([each.name for each in self._line.state.visitors])
        turns = counted(self._line.state.turns, "table")
        self.say(f"Here now: {names}. It is your turn at {turns}.")

    def _do_device(self, word: str) -> None:
        if word:
            self._asked(LinkDevice(word))
            self.say("This device is yours now. Please come in again.")
            raise Left
        answer = self._asked(AddDevice())
        self.say(
            f"The word is {answer.word}. It works once, within ten minutes.",
            "On the other device, go to the club, choose Devices, and type it there.",
        )

    def _do_remind(self, when: str) -> None:
        if when not in ("on", "off"):
            raise ValueError("say remind on or remind off")
        self.say(self._loop.run(lambda: self._line.remind(when == "on")))

    def _keep(self, save: Callable[[], object]) -> None:
        """Save what was practised; without success, say so."""
        try:
            save()
        except OSError as error:
            self.say(sentence(nothing_kept(error)))

    # The season

    def _do_season(self, what: str) -> None:
        if what == "join":
            self._asked(JoinSeason(True))
            self.say(JOINED)
            return
        page = self._loop.run(lambda: self._line.look_up(SeeSeason(), SeasonPage))
        rows = {str(at): row for at, row in enumerate(page.rows, 1)} if page.note.drawn else {}
        if what == "leave":
            if self.ask_yes(leaving_in_words(page)):
                self._asked(JoinSeason(False))
                self.say(NOT_JOINED)
        elif what == "table" and rows:
            self.lines.say(*cross_table(page))
        elif what in rows:
            self.say(f"{row_in_words(rows[what])}.", *results_in_words(page, rows[what]))
        elif what in ("", "table"):
            self.say(f"{title_in_words(page)}.", *season_in_words(page))
            self.say(*(f"{row_in_words(each)}." for each in rows.values()))
        else:
            raise ValueError("say season, season join, season leave, season table, or season 2")

    # Tables

    def _tell_changes(self) -> None:
        """Tell the visitor's new name, tables where it is newly their turn, and new offers."""
        if (name := self._line.state.name) not in ("", self._profile.name):
            self._profile.rename(name)
            self.say(f"Whoever runs the club calls you {name} now.")
        news = news_in(self._line.state, offers=self._profile.hears)
        new = [each for what, each in news.items() if what not in self._told]
        self._told = frozenset(news)
        told = [each.words for each in new if self._in_lobby or each.rings]
        if self._begun and told:
            self.say(*told, *(["Type tables for the numbers."] if self._in_lobby else []))

    def _tell_tables(self) -> None:
        waiting, numbers = waiting_in(self._line.state), count(1)
        self._listed = waiting.rows
        self._begun = True
        for title, rows in waiting.groups():
            told = (f"{next(numbers)}: {who_in_words(x)}, {what_in_words(x)}." for x in rows)
            self.say(f"{title}:", *told)
        if not self._listed:
            self.say("No table is open. Type open to open one.")

    def _row(self, number: str) -> Row | None:
        return {str(place): row for place, row in enumerate(self._listed, 1)}.get(number)

    def _table(self, number: str) -> ListedTable:
        table = self._row(number)
        if not isinstance(table, ListedTable):
            raise ValueError("say which table by its number: type tables for the list")
        return self._line.state.table(table.id) or table

    def _offer(self, number: str) -> ListedSeek:
        seek = self._row(number)
        if not isinstance(seek, ListedSeek):
            raise ValueError("say which offer by its number: type tables for the list")
        return seek

    def _go_to_link(self) -> None:
        if table := self._line.state.table(self._link):
            sits = table.seated or table.wanted
            ask = LastPlace(SEAT if sits else WATCH, table.id, table.word), None
            self._join(*table.linked_to or ask)
        else:
            self.say(NO_SUCH_TABLE)

    def _do_open(self, what: str) -> None:
        game, clock = self._game_and_clock(what.split())
        answer = self._asked(OpenTable(game, clock=clock))
        place = LastPlace(SEAT, answer.id, answer.word)
        self.say(OPEN)
        self._tell_links(place.id)
        self._join(place, 0)

    @staticmethod
    def _game_and_clock(words: Iterable[str]) -> tuple[str, str]:
        """Return the game and the clock in what was typed.

        Raises:
            ValueError: a word is neither.
        """
        game, clock = "classic", ""
        for each in words:
            if each.lower() in VARIANTS:
                game = each.lower()
            elif each[0].isdigit():
                clock = str(parse_control(each))
            else:
                clocks = "and a clock such as 20+10 or 3d"
                raise ValueError(f"unknown game {quoted(each)}: use {_GAMES}, {clocks}")
        return game, clock

    def _tell_links(self, table: str, make: str = "", late: int = 0) -> None:
        for each in self._loop.run(lambda: self._line.links(table, make, late=late)):
            self.say(what_for(each, _SEATS), *club_links(table, each))

    def _join(self, place: LastPlace, seat: int | None = None) -> None:
        """Play or watch at a table until the visitor leaves it."""
        transport = transport_to(OnThisMachine(place.id, place.word))
        caller = Caller(self._profile.proposed, place.kind, seat, named=False)
        try:
            session = self._loop.run(lambda: Remote.joined(transport, caller, store=self._store))
        except ValueError:
            self._profile.keep_place(None)
            raise
        self._loop.run(TableLinks(self._line, place.id, session.state).load)
        self._play(session, place)

    def _play(self, session: SessionView, place: LastPlace | None = None) -> None:
        """Play until the visitor returns to the lobby; a broken-off visit resumes here.

        Args:
            session: the session to play.
            place: the table; None for the visitor's own match.
        """
        self._profile.follow(session, place)
        self._line.follow(session)
        self._in_lobby = False
        settings = Preferences.load().settings
        takes_all = settings.captures == "all"
        repl = MatchRepl(session, self.lines, self._runner, takes_all=takes_all, off=NO_FILES)
        session.set_computers(coach=settings.coach, voices=settings.voices)
        try:
            run(repl, "Type help for the commands; quit leads to the lobby.")
        finally:
            self._in_lobby = True
            session.autosave.close()
        if self.lines.ended:
            raise Left
        self._profile.keep_place(None)
        self._loop.run(self._line.enter)

    # The computer

    def _do_computer(self, what: str) -> None:
        level, _, game = what.partition(" ")
        if level not in map(str, range(1, HIGHEST_LEVEL + 1)):
            raise ValueError(f"say which level, from 1 to {HIGHEST_LEVEL}, such as computer 3")
        if (game := game.strip().lower() or "classic") not in VARIANTS:
            raise ValueError(f"unknown game {quoted(game)}: use {_GAMES}")
        self._store.refuse_if_full()
        computer = level_contender(int(level))
        match = Match(VARIANTS[game], (self._profile.proposed, computer.name))
        self._play(Session(match, Autosave(self._store), (parse_contender(HUMAN), computer)))

    def _go_back(self, match: str) -> None:
        """Resume a match as soon as the broken-off visit has released it."""
        resume = partial(to_thread, self._store.resume, match)
        self._go_on(self._loop.run(lambda: self._profile.when_free(resume)))

    def _go_on(self, saved: Saved) -> None:
        pair = contenders_of(saved.record)
        self._play(Session(saved.record.match(), Autosave(self._store, saved), pair))

    def _do_replay(self, number: str) -> None:
        """Replay one of the visitor's matches by its number in the list; without one, list them."""
        if not number:
            unfinished, finished, _ = self._store.listing()
            self._matches = unfinished + finished
            told = (
                f"{place}: {each.variant.title}, {' and '.join(each.players)}, {each.date}."
                for place, each in enumerate(self._matches, 1)
            )
            self.say(*told if self._matches else ["You have no matches yet."])
            return
        known = {str(place): each.id for place, each in enumerate(self._matches, 1)}
        if number not in known:
            raise ValueError("say which match by its number: type replay for the list")
        match = known[number]
        self._replay(AnnotationStore(self._store.load(match), in_store(self._store, match)))

    # Elsewhere

    def _replay(self, annotations: AnnotationStore) -> None:
        questions = ModelScores(self._own).questions(annotations.record)
        self.stay_at(lambda: replay(annotations, self.lines, NO_FILES, questions))

    def _drill(self, drills: Iterator[Drill]) -> None:
        self.stay_at(lambda: run_drills(drills, self.lines))

    def stay_at(self, stay: Callable[[], object]) -> None:
        """Be elsewhere than in the lobby, until the visitor leads back."""
        self.say("Type help for the commands; quit leads to the lobby.")
        self._in_lobby = False
        try:
            stay()
        finally:
            self._in_lobby = True
        if self.lines.ended:
            raise Left

    # The visitor

    def _do_name(self, name: str) -> None:
        wanted = name or self._profile.proposed
        self._profile.rename(self._loop.run(partial(self._line.take_name, wanted)))
        if len(name) > LONGEST_GIVEN_NAME:
            self.say(f"A name has at most {LONGEST_GIVEN_NAME} characters.")
        self.say(f"Your name is {self._profile.name}.")
        self._loop.run(self._line.enter)

    def _asked(self, request: Request) -> CarriedOut:
        return self._loop.run(lambda: self._line.ask(request))


# The streams


class _Packets(io.TextIOBase):
    """A text sink for the web door: each write is one packet."""

    def write(self, text: str) -> int:
        """Send text as one packet."""
        data = text.encode()
        if data:
            sys.stdout.buffer.write(b"D" + len(data).to_bytes(4, "big") + data)
        return len(text)

    def flush(self) -> None:
        """Flush standard output."""
        sys.stdout.buffer.flush()


class _Typed(io.RawIOBase):
    """A source of input from the web door's packets; packets without input are skipped."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._left = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: object) -> int:
        """Read the next input; 0 bytes at the end."""
        target = memoryview(cast("bytearray", buffer))
        while not self._left:
            head = self._source.read(5)
            if len(head) < 5:
                return 0
            data = self._source.read(int.from_bytes(head[1:], "big"))
            self._left = data if head[:1] == b"D" else b""
        size = min(len(target), len(self._left))
        target[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def streams(*, browser: bool) -> Lines:
    """Return this process's input and output as lines.

    Args:
        browser: whether they lead to the web door, which speaks in packets.
    """
    keyboard = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - until the end
    if browser:
        sys.stdout.buffer.write(b"__GANGLION__\n")
        source = cast("BinaryIO", io.BufferedReader(_Typed(keyboard)))
        return Lines(source, cast("TextIO", _Packets()), echo=True)
    return Lines(keyboard, sys.stdout, echo=False)


def visit(store: Store, *, browser: bool) -> int:
    """Serve a visitor in the club until they leave; return the exit status.

    Args:
        store: their matches.
        browser: whether they come through the web door.
    """
    lines = streams(browser=browser)
    with begun_runner() as runner, exit_cleanly(), suppress(KeyboardInterrupt):
        PlainLobby(lines, store, runner).run()
        is_guest = (store.matches.parent / GUEST_FILE).exists()
        lines.say(f"You have left. {_FORGOTTEN if is_guest else _REMEMBERED}")
    return 0
