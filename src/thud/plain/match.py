"""A match in plain text: questions, answers, moves and commands, a line each."""

from __future__ import annotations

import asyncio
from asyncio import Runner
from collections.abc import Callable, Collection, Container, Coroutine, Mapping, Sequence
from time import monotonic
from typing import TypeVar

from thud.disk.directories import cache_directory
from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.exercises.drill import Attempts, Task
from thud.exercises.mistakes import mistakes_drill, no_mistakes
from thud.plain.drill import run as run_drills
from thud.plain.lines import Lines, Superseded
from thud.plain.loop import Loop
from thud.plain.narrator import Narrator
from thud.plain.repl import (
    NO,
    NO_MOVES,
    NOTHING_MADE,
    YES,
    YES_OR_NO,
    BoardRepl,
    Left,
)
from thud.plain.replay import tried_in_words
from thud.records.formats import open_named, save_as
from thud.records.links import link_to, remark_on
from thud.records.words import addressed_in, saved_as
from thud.review.known import left_known
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import closing_lines, heading, how_far, in_turn, summary_lines
from thud.review.summary import Progress
from thud.rules.match import Match, side_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.session.advice import ALL_THE_SAME
from thud.session.commands import COMMANDS, COMMANDS_APART, Question, TypedCommand, with_text
from thud.session.events import Event, Faulted, NewMatch, ProposeEnd, Undo
from thud.session.law import (
    LASTING,
    Answer,
    Claim,
    GiveSeat,
    Open,
    Pause,
    Play,
    Redo,
    Request,
    RequestRefused,
    Resign,
    Say,
    TakeOver,
    allows,
    refused,
    why_not,
)
from thud.session.state import Proposal, Reply, TooLate, Turn, Whose
from thud.session.view import SessionView
from thud.session.words import (
    ANOTHER,
    NO_CLOCK,
    Confirmed,
    agreeing,
    agrees_later,
    clock_in_words,
    confirmation,
    participants_in_words,
    proposes,
    score_in_words,
    still_stands,
    waiting,
    wish_question,
)
from thud.settings.preferences import Preferences
from thud.text import quoted, sentence
from thud.words.clocks import in_words
from thud.words.match import if_agreed
from thud.words.moves import move_list

HOW: str = "--plain"
"""The option to resume, replay or join a match in plain text."""

_Result = TypeVar("_Result")


class MatchRepl(BoardRepl):
    """A REPL of one session, for its local players.

    The runner's tasks run while a line is awaited; with remote players or background tasks, so does
    the session itself.

    Args:
        session: the session played.
        lines: output and input.
        runner: runs the session; by default a new one, closed at the end.
        takes_all: whether a move without captures takes all it can.
        off: the disabled commands.

    Attributes:
        session: the session played.
        state: its match.
        revision: the session's revision when the players were last asked for a command.
    """

    def __init__(
        self,
        session: SessionView,
        lines: Lines,
        runner: Runner | None = None,
        *,
        takes_all: bool = False,
        off: Container[str] = (),
    ) -> None:
        super().__init__(lines, takes_all=takes_all)
        self.session = session
        self.state = session.state
        self.revision: int | None = None
        self._off = off
        self._narrator = Narrator(session, self)
        self._loop = Loop(runner)
        lines.set_loop(self._loop)
        self._others: asyncio.Task[None] | None = None
        self._waited: tuple[int, Proposal | None] | None = None
        self._stop_listening = session.subscribe(self._hear)

    @property
    def commands(self) -> Mapping[str, TypedCommand]:
        """The commands there are."""
        known = {**COMMANDS, **COMMANDS_APART} if self.state.seats.has_remote else COMMANDS
        return {word: command for word, command in known.items() if word not in self._off}

    @property
    def unavailable(self) -> Collection[str]:
        """What the game, remote play, the host's terms or watching rules out."""
        state, found = self.state, {*super().unavailable}
        for word, command in self.commands.items():
            does = command.does
            request = Open(self.session.record) if does is Question.OPEN else does
            if isinstance(request, Request):
                refusal = refused(state, request)
                if refusal and refusal.code in LASTING:
                    found.add(word)
        return found if state.hints_allowed else found | {"hint"}

    @property
    def match(self) -> Match:
        """The match played."""
        return self.state.match

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.match.variant

    @property
    def positions(self) -> Sequence[Position]:
        """Positions of the current battle so far."""
        return self.state.battle.positions

    def do(self, doing: Coroutine[object, object, _Result]) -> _Result:
        """Run a coroutine to its end."""
        try:
            return self._loop.run(lambda: doing)
        finally:
            doing.close()  # an interrupt may have come before it began
            self._narrator.settle()

    def close(self) -> None:
        """Leave the session."""

        async def leave() -> None:
            await self.session.leave()
            if self._others:
                self._others.cancel()
                await asyncio.gather(self._others, return_exceptions=True)

        try:
            self.do(leave())
        finally:
            self.lines.set_loop(None)
            self._loop.close()

    def _hear(self, event: Event) -> None:
        """Report an event; if output fails, end the conversation."""
        try:
            self._narrator(event)
        except Exception as error:
            self._stop_listening()
            self._loop.fail(error)

    # A turn

    def take_turn(self) -> None:
        """Let engines play, then ask what the session asks, or for one command."""
        session, state = self.session, self.state
        if state.computers.paused:
            self.do(session.request(Pause(False)))
        if session.autosave.has_unsaved:
            self.do(session.save_again())
        if self._others or session.expects_events:
            if self._others is None:
                self._others = self._loop.begin(session.run)
                self._others.add_done_callback(lambda _: self.lines.recheck())
            self.do(self._until_asked(self._others))
        else:
            self.do(session.play_on())
        if state.left:
            raise Left
        try:
            match state.asked:
                case Faulted():
                    self.do(session.request(TakeOver()))
                case Reply(proposal):
                    self._answer(proposal)
                case _:
                    self._ask_command()
        except Superseded:
            return
        except (IllegalMove, TooLate) as refusal:
            self.say(sentence(str(refusal)))

    async def _until_asked(self, others: asyncio.Task[None]) -> None:
        """Wait until no engine is to move, unless there are remote players."""
        session, state = self.session, self.state
        await session.settled()
        told = asyncio.Event()
        unsubscribe = session.subscribe(lambda _: told.set())
        while state.engine_due and not state.seats.has_remote and not others.done():
            told.clear()
            telling = asyncio.create_task(told.wait())
            await asyncio.wait({telling, others}, return_when=asyncio.FIRST_COMPLETED)
            telling.cancel()
        unsubscribe()
        if others.done() and (fault := others.exception()):
            while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
                fault = fault.exceptions[0]
            raise fault
        await session.prepare_coach()

    def _answer(self, proposal: Proposal) -> None:
        """Ask whether a player here agrees to a proposal."""
        state, side, wish = self.state, proposal.by, proposal.wish
        if not state.seat_of(side).is_remote:
            said = f"{proposes(state, proposal)} {if_agreed(state.with_display_names)}"
            agreed = self.ask_yes(f"{said} {agreeing(state, side)}")
            self.do(self.session.request(Answer(agreed, wish)))
            return
        # Commands may be typed, too.
        question = wish_question(state, side, wish)
        line = self._ask_now(question, lambda: state.proposal is proposal)
        if not line:
            self.say(YES_OR_NO)
        elif line.lower() not in YES + NO:
            self.obey(line)
        elif state.proposal is not proposal:
            raise TooLate("that question is closed")
        else:
            self.do(self.session.request(Answer(line.lower() in YES, wish)))

    def _ask_command(self) -> None:
        """Ask for a command; any event ends the question with `Superseded`, to be asked again."""
        question = self._question
        if question.endswith(("?", ":")):
            self._waited = None
        else:
            # It only says whom we wait for: once for each wait.
            wait = self.state.revision, self.state.proposal
            question = "" if wait == self._waited else question
            self._waited = wait
        self.obey(self._ask_now(question, lambda: False))

    def _ask_now(self, question: str, stands: Callable[[], bool]) -> str:
        """Ask what to do with the match as it is now, and return the line typed.

        Raises:
            Left: the answer is to quit, or the input has ended.
            Superseded: the question stands no longer.
        """
        self.revision = self.state.revision
        return self.ask(question, stands)

    def ask(self, question: str, stands: Callable[[], bool] | None = None) -> str:
        """Ask a question, by default about the match as it is now, and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
            TooLate: the match has changed before there was an answer.
            Superseded: `stands` was given, and the question stands no longer.
        """
        if stands is not None:
            return super().ask(question, stands)
        session, state, revision = self.session, self.state, self.state.revision

        def same() -> bool:
            """Whether the match has not changed, and is not about to."""
            self.do(session.settled())
            return state.revision == revision

        try:
            answer = super().ask(question, same)
        except Superseded:
            raise _late() from None
        if state.revision != revision:
            raise _late()
        return answer

    @property
    def _question(self) -> str:
        """The prompt for a command, or whom we wait for."""
        state, match = self.state, self.match
        if state.seats.has_remote and (awaited := waiting(state)):
            return awaited
        undo = " undo," if allows(state, Undo()) else ""
        side, clock = state.to_move, state.clock
        left = f", {in_words(clock.left(side))} left" if clock else ""
        match state.turn:
            case Turn(Whose.OVER) if match.over and state.arranged:
                return f"The match is over.{' Undo, or quit?' if undo else ' Quit?'}"
            case Turn(Whose.OVER) if match.over:
                from thud.session.fairer import fairer_match

                fairer = fairer_match(state)
                other = f" fairer match ({fairer.words})," if fairer else ""
                return f"The match is over. New match,{other}{undo} or quit?"
            case Turn(Whose.OVER):
                return f"Next battle,{undo} or quit?"
            case _ if state.you is not None:
                return f"You have the {side.plural}{left}. Your move:"
        return f"{match.name_of(side)}, {side.plural}, to move{left}. Your move:"

    # Moves and commands

    def obey(self, line: str) -> None:
        """Run a line: one of the commands, or a move.  Say why if it is refused.

        Raises:
            Left: the line is to quit, or the input has ended.
            Superseded: a question that it needed stands no longer.
        """
        if not line and self.state.battle.outcome and not self.match.over:
            line = "next"
        if line.startswith('"') and self.state.seats.has_remote:
            line = f"say {line[1:]}"
        super().obey(line)

    def type_move(self, text: str) -> None:
        """Make a typed move, asking for its captures if they are open.

        Raises:
            ValueError: it is not a legal move, or not a local player's turn; the message says why.
            TooLate: the match has changed since the players were asked.
        """
        state = self.state
        if self.revision not in (None, state.revision):
            raise _late()
        if not (state.turn.here or state.battle.outcome):
            raise IllegalMove(state.not_yet)
        super().type_move(text)

    def make(self, move: Move) -> None:
        """Play a legal move, after a confirmation if the coach objects."""
        doubt = self.do(self.session.check_move(move))
        if doubt and not self.ask_yes(f"{doubt.because} {ALL_THE_SAME}"):
            self.say(NOTHING_MADE)
            return
        self.do(self.session.request(Play(move), self.revision))
        self.revision = self.state.revision

    def run_command(self, word: str, rest: str) -> None:
        """Make the request that a command stands for, or run another command."""
        session, state, revision = self.session, self.state, self.revision
        match does := with_text(self.commands[word].does, rest):
            case Undo() | Redo() if rest:
                goes = "back" if word == "undo" else "forward"
                raise ValueError(f"{word} goes {goes} one turn at a time: leave out {quoted(rest)}")
            case Resign() | Claim() | GiveSeat():
                self._confirm(does)
            case NewMatch():
                sure = self.match.over or state.seats.has_remote
                if sure or self.ask_yes(ANOTHER):
                    self.do(session.request(does, revision))
            case Say():
                self.do(session.request(does))
            case does if isinstance(does, Request):
                self.do(session.request(does, revision))
            case _:
                super().run_command(word, rest)

    def _do_score(self, _: str) -> None:
        self.say(*score_in_words(self.state))

    def _do_clock(self, _: str) -> None:
        self.say(*(clock_in_words(self.state) or [NO_CLOCK]))

    def _do_list(self, _: str) -> None:
        self.say(*(move_list(self.state.battle) or [NO_MOVES]))

    def _do_variations(self, _: str) -> None:
        self.say(*tried_in_words(self.session.record.battles[self.match.number - 1]))

    def _do_hint(self, _: str) -> None:
        self.do(self._advise())

    def _do_save(self, file: str) -> None:
        if not file:
            raise ValueError("name a file, such as save battle.tgn")
        record = self.session.record
        self.say(sentence(saved_as(save_as(record, file), record)))

    def _do_open(self, file: str) -> None:
        if not file:
            raise ValueError("name a file, such as open battle.tgn")
        record, fault = open_named(file, self.session.autosave.store)
        self.do(self.session.request(Open(record)))
        if fault:
            self.say(sentence(fault))

    def _do_said(self, _: str) -> None:
        self.say(*(self.state.participants.conversation or ["No messages yet."]))

    def _do_who(self, _: str) -> None:
        state = self.state
        self.say(*participants_in_words(state), *state.participants.how_to_join)

    def _do_link(self, _: str) -> None:
        link = link_to(self.session.record)
        self.say(link, *filter(None, [remark_on(link)]))

    def _do_reconnect(self, _: str) -> None:
        self.session.reconnect()

    def _confirm(self, request: Confirmed) -> None:
        """Make a request, once a question is answered with yes; what it means is said before it.

        Raises:
            Left: the answer is to quit, or the input has ended.
            RequestRefused: it is refused from the start.
            TooLate: the match has changed before there was an answer.
            Superseded: there is nothing to confirm any more.
        """
        session, state, revision = self.session, self.state, self.state.revision
        if refusal := why_not(state, request):
            raise RequestRefused(refusal)
        if isinstance(request, ProposeEnd) and (later := agrees_later(state)):
            self.say(later)
            return
        question, then = asked = confirmation(state, request)

        def stands() -> bool:
            self.do(session.settled())
            return state.revision == revision and still_stands(state, request, asked)

        try:
            sure = self.ask_yes(f"{then} {question}", stands)
        except Superseded:
            if state.revision != revision:
                raise _late() from None
            raise
        if sure:
            self.do(session.request(request, revision))

    async def _advise(self) -> None:
        self._narrator.wait()
        await self.session.advise()

    def _do_review(self, _: str) -> None:
        """Review the current battle, reporting marked moves as they are found, and save the review.

        Raises:
            ValueError: the battle is not over, or the review cannot be saved.
        """
        session, state, number = self.session, self.state, self.match.number
        if state.battle.outcome is None:
            raise ValueError("a battle is reviewed when it is over")
        record = session.record
        progress = Progress(record)
        progress.renew(number)
        news, missing = in_turn(progress, number), progress.missing(number)
        people = addressed_in(record)
        self.say(heading(people, number))
        if missing:
            self.say("The computer judges every move. This can take a minute.")
        self.say(*next(news))
        of, since = len(state.battle.moves), 0.0
        before = of - len(missing)
        quarters = {of // 4, of // 2, of * 3 // 4} - {0}

        def tell(judged: Judged) -> None:
            nonlocal since
            since = since or monotonic()
            progress.add(number, judged.ply, judged.judgement)
            self.say(*next(news))
            done = of - len(progress.missing(number))
            if done in quarters:
                self.say(sentence(how_far(done, of, monotonic() - since, before=before)))

        async def judge() -> None:
            async with Analyst(processors()) as analyst:
                await judge_battle(record, number, missing, analyst, tell)
            await asyncio.to_thread(session.autosave.annotate, record, progress.noted(record))

        if missing:
            self.do(judge())
        reviewed = progress.reviewed(number)
        self.say(*summary_lines(people, reviewed), *closing_lines([reviewed]))
        if known := left_known(reviewed.variant, reviewed.battle, cache_directory()):
            self.say(known)
        if reviewed.mistakes:
            self.say("Type learn to go over mistakes.")

    def _do_learn(self, whose: str) -> None:
        """Drill a side's mistakes in the current battle, by default those of the only local player.

        Raises:
            ValueError: the battle has not been reviewed, or the side is unclear.
        """
        session, state, number = self.session, self.state, self.match.number
        reviewed = Progress(session.record).reviewed(number)
        if not (reviewed.moves or reviewed.complete):
            raise ValueError("nothing has been reviewed here: type review first")
        side = next((each for each in Side if whose.lower() in (each.plural, each.singular)), None)
        people = [player for player in range(2) if state.seats[player].is_local]
        if side is None:
            if whose or len(people) != 1:
                raise ValueError("say whose mistakes: learn dwarfs, or learn trolls")
            side = side_of(people[0], number)
        name = state.with_display_names.name_of(side)
        drill = mistakes_drill(reviewed, side, name)
        if drill is None:
            self.say(no_mistakes(reviewed, side, name))
        else:
            drill.answered = self._count
            run_drills(iter([drill]), self.lines)
            self.say("Back at the match.")

    def _count(self, task: Task, effort: Attempts) -> None:
        """Count an answer in practice, too, or say why it is not kept."""
        from thud.exercises.practise import count_answer, nothing_kept

        if store := self.session.autosave.store:
            dubious = Preferences.load().settings.practise_dubious
            try:
                count_answer(store, task, effort, dubious=dubious)
            except OSError as error:
                self.say(sentence(nothing_kept(error)))


def _late() -> TooLate:
    return TooLate("the match has moved on")


def run(repl: MatchRepl, *notices: str) -> None:
    """Play until the players leave or the input ends, then say what happens to the match."""
    session = repl.session
    try:
        try:
            repl.do(session.begin())
            repl.say(*filter(None, notices))
            while True:
                repl.take_turn()
        finally:
            repl.close()
    except Left:
        repl.say(*filter(None, [session.farewell(HOW)]))
    except KeyboardInterrupt:
        repl.lines.break_off()
        repl.say(session.farewell(HOW))
        raise
