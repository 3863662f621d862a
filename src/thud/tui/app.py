"""The application: a match is played or replayed, and the ways to others."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on, work
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen

from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.keeper import Keeper
from thud.session.session import Session
from thud.settings.preferences import Preferences
from thud.tui.battle.match_screen import MatchScreen
from thud.tui.battle.screen import BattleScreen
from thud.tui.keys.bindings import APP_KEYS
from thud.tui.offering_app import OfferingApp
from thud.tui.roles import is_stopover, shows_match, shows_position
from thud.tui.signals import leave_when_told

if TYPE_CHECKING:
    from thud.editing.editor import Editor
    from thud.explore.library import Library
    from thud.records.cursor import Cursor
    from thud.records.record import Record
    from thud.records.store import Store
    from thud.rules.setup import Setup
    from thud.session.seats import Contenders
    from thud.tui.battle.sharing import Opened
    from thud.tui.editor.screen import EditScreen
    from thud.tui.replay.screen import ReplayScreen


_CLOSING: Final = 2.0
"""Seconds that the index of what others played may take to be closed."""


class ThudApp(OfferingApp):
    """Plays or replays a match at one terminal.

    Args:
        session: what is played.
        replay: show this record move by move if nothing is played.
        replay_name: the name of its match, if it is a saved one.
        learn: go over the mistakes of a side in a battle of it at once.
        explore: show what others played where this match stands, if nothing is played or replayed.
        library: returns the matches of those others, if not only those that are kept.
        store: where the matches are kept that are played on from it.
        notice: what to say at the start.
        mention_unfinished: say at the start if another match waits to be resumed.
        preferences: the settings; without them everything is as by itself, and nothing is kept.

    Attributes:
        session: what is played now, or was last.
    """

    TITLE = "Thud"
    CSS_PATH = Path(__file__).with_name("thud.tcss")
    ALLOW_SELECT: ClassVar[bool] = False

    BINDINGS: ClassVar[list[BindingType]] = [*APP_KEYS]

    def __init__(
        self,
        session: Session | None = None,
        *,
        replay: Record | None = None,
        explore: Match | None = None,
        library: Callable[[], Library] | None = None,
        replay_name: str = "",
        learn: tuple[int, Side] | None = None,
        store: Store | None = None,
        notice: str = "",
        mention_unfinished: bool = False,
        preferences: Preferences | None = None,
    ) -> None:
        super().__init__(preferences)
        self.session = session
        self._replay = replay
        self._explore = explore
        self._make_library = library or self._library_of_kept
        self._library: Library | None = None
        self._replay_name = replay_name
        self._to_learn = learn
        self._store = store
        self._notice = notice
        self._mention_unfinished = mention_unfinished
        self._editor: EditScreen | None = None

    def get_default_screen(self) -> Screen[None]:
        """Begin with the board: above another screen it would be painted later."""
        screen: Screen[None]
        if self.session:
            mention = self._mention_unfinished
            screen = BattleScreen(self.session, self._notice, mention_unfinished=mention)
        elif self._replay:
            screen = self._replay_screen(self._replay, self._notice, self._replay_name)
        else:
            assert self._explore is not None
            screen = self._explore_screen(self._explore)
        # What is pushed has a callback for its result.  Without one it could not be switched.
        screen._push_result_callback(screen, None)
        return self._following(screen)

    def on_mount(self) -> None:
        """Leave until the first frame is painted what is not seen in it."""
        leave_when_told(self)
        wrong = self._use_keys()
        self.call_after_refresh(self._after_first_frame, wrong)

    @on(events.Unmount)
    async def _close_library(self) -> None:
        """Close the index of what others played, if it was asked."""
        if self._library:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.to_thread(self._library.close), _CLOSING)

    def _after_first_frame(self, wrong_keys: Mapping[str, str]) -> None:
        # The commands that draw switch the collector off while everything is loaded.
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        self._tell_faults(wrong_keys)

    def _replay_screen(self, record: Record, notice: str, name: str = "") -> ReplayScreen:
        """Return what replays a match; `name` is that of a saved one."""
        from thud.records.notebook import Notebook, in_store
        from thud.tui.review.screen import ReviewScreen

        notebook = Notebook(record, in_store(self._kept_matches, name) if name else None)
        learn, self._to_learn = self._to_learn, None
        return ReviewScreen(notebook, self._play_from, notice, learn=learn)

    def on_battle_screen_review_wanted(self, event: BattleScreen.ReviewWanted) -> None:
        """Replay what has been played, or have it judged, above the board where it was."""
        from thud.records.notebook import Notebook
        from thud.tui.review.screen import ReviewScreen

        if (session := self.session) and isinstance(self.screen, BattleScreen):
            notebook = Notebook(session.record, session.keeper.annotate)
            screen = ReviewScreen(notebook, self._play_from, begin=event.judge, returns=True)
            self._show(screen)

    def _explore_screen(self, match: Match) -> Screen[None]:
        from thud.tui.explore.screen import ExploreScreen

        self._library = self._library or self._make_library()
        return ExploreScreen(match, self._library, self._replay_sample, self._leave)

    def _library_of_kept(self) -> Library:
        """Return the matches that are kept here."""
        from thud.disk.directories import cache_directory
        from thud.explore.library import Library

        return Library([self._kept_matches.matches], cache_directory())

    @property
    def _kept_matches(self) -> Store:
        """Where matches are kept."""
        from thud.records.store import Store

        return self._store or Store()

    async def action_explore(self) -> None:
        """Show what others played where a replay is."""
        from thud.tui.replay.screen import ReplayScreen

        if isinstance(self.screen, ReplayScreen):
            match = await self.screen.match_so_far()
            self._show(self._explore_screen(match))

    async def _replay_sample(self, place: Cursor, path: Path, notice: str) -> None:
        """Replay a match from a place of it; one of those kept here keeps what is written."""
        name = await asyncio.to_thread(self._kept_matches.id_of, path, place.record)
        screen = self._replay_screen(place.record, notice, name)
        screen.cursor = place
        self._show(screen)

    def _play_from(self, match: Match) -> None:
        session = Session(match, Keeper(self._store))
        self._play(session, "Playing on, in a new match.", instead=True)

    def _play(self, session: Session, notice: str = "", *, instead: bool = False) -> None:
        """Play at a session, above or instead of the screen that is there."""
        self.session = session
        self._show(BattleScreen(session, notice), instead=instead)

    # Any position

    def action_edit(self) -> None:
        """Set up another position, from the one that is shown."""
        if shows_position(self.screen):
            self._edit(self.screen.at_hand)

    def _edit(self, setup: Setup) -> None:
        """Set up a position, a step on from what was set up before: nothing of that is lost."""
        from thud.editing.editor import Editor
        from thud.tui.editor.screen import EditScreen

        editor, notice = self._set_up or Editor(setup), ""
        if editor.change(setup):
            notice = "u goes back to what was set up before."
        self._editor = EditScreen(editor, self._play_setup, notice)
        self._show(self._editor)

    @property
    def _set_up(self) -> Editor | None:
        """What was set up and left, if anything was changed then."""
        left = self._editor.editor if self._editor else None
        return left if left and left.can_undo else None

    def _play_setup(self, match: Match, seats: Contenders) -> None:
        self._play(Session(match, Keeper(self._store), seats), "From a position that was set up.")

    @property
    def _playing(self) -> BattleScreen | None:
        from_top = reversed(self.screen_stack)
        return next((screen for screen in from_top if isinstance(screen, BattleScreen)), None)

    @property
    def _match_screen(self) -> MatchScreen | None:
        """The screen with a match, played or replayed, that is nearest."""
        from_top = reversed(self.screen_stack)
        return next((screen for screen in from_top if isinstance(screen, MatchScreen)), None)

    def action_save_as(self) -> None:
        """Ask for a name until the match is written to a file of that name."""
        from thud.tui.battle import sharing
        from thud.tui.widgets.modals import AskScreen

        if (screen := self._match_screen) and not screen.asking:
            record = screen.record
            asking = AskScreen(
                "Save the match as",
                sharing.proposed_name(record),
                lambda name: sharing.save_as(record, name),
            )

            def answered(saved: str | None) -> None:
                if saved:
                    screen.noted()
                    screen.say(saved)

            self.push_screen(asking, answered)

    async def action_picture(self) -> None:
        """Ask for a name until a picture of what is shown is written to a file of that name."""
        from thud.tui.battle import sharing
        from thud.tui.battle.picture_screen import PictureScreen
        from thud.tui.board.designs import design_shown

        if (screen := self._match_screen) and not screen.asking:
            record, place = await screen.pictured()
            design = design_shown(self, screen.table.board.piece_set, record.variant.stone)
            asking = PictureScreen(
                sharing.proposed_picture(record),
                place._replace(design=design),
                partial(sharing.save_picture, record),
            )
            self.push_screen(asking, lambda saved: screen.say(saved) if saved else None)

    def action_open(self) -> None:
        """Ask for a file until one can be read, and go on with its match, or replay it."""
        from thud.records.formats import READABLE
        from thud.tui.battle import sharing
        from thud.tui.widgets.modals import AskScreen
        from thud.wording.text import joined

        if (screen := self._playing) and not screen.asking:
            if screen.session.seats.apart:
                screen.say("Here somebody at another place plays: leave this match first.")
                return

            def answered(opened: sharing.Opened | None) -> None:
                if opened:
                    self._take_up(screen, opened)

            question = f"Open a {joined(READABLE, 'or')} file"
            self.push_screen(AskScreen(question, "", sharing.open_file), answered)

    @work
    async def _take_up(self, screen: BattleScreen, opened: Opened) -> None:
        record = opened.record
        if record.over:
            await screen.session.leave()
            self.session = None
            self._close_what_covers(screen)
            self._show(self._replay_screen(record, opened.notice), instead=True)
            return
        await screen.session.open(record)
        if opened.fault or not screen.session.keeper.behind:
            screen.say(opened.notice)

    def _close_what_covers(self, screen: Screen[None]) -> None:
        while self.screen is not screen:
            self.pop_screen()

    def action_help_quit(self) -> None:
        """Take Ctrl+C for the wish to leave."""
        self._leave()

    async def action_quit(self) -> None:
        """Leave, after asking in the middle of a match."""
        self._leave()

    def _leave(self) -> None:
        place = self._place
        if isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        elif isinstance(place, MatchScreen):
            place.ask_to_leave()
        elif place and (below := self._below(place)):
            self._close_what_covers(below[-1])
        else:
            self.leave()

    @property
    def _place(self) -> Screen[None] | None:
        """The screen that leaving is about: the one shown, or that something passing covers."""
        from_top = reversed(self.screen_stack)
        return next(filter(_is_place, from_top), None)

    def _below(self, screen: Screen[None]) -> Sequence[Screen[None]]:
        return self.screen_stack[: self.screen_stack.index(screen)]

    def _left(self) -> None:
        """Leave a match for the screen that it was opened from, if that is come back to."""
        below = self._below(place) if (place := self._place) else ()
        if stop := next((each for each in reversed(below) if is_stopover(each)), None):
            self._return_to(stop, self._playing if place is self._playing else None)
        else:
            self.leave()

    @work
    async def _return_to(self, stop: Screen[None], battle: BattleScreen | None) -> None:
        """Return to a screen, from a battle, if it is one that is left."""
        if battle:
            await battle.session.leave()
        self._close_what_covers(stop)
        if battle:
            self.session = self._playing.session if self._playing else None

    def leave(self) -> None:
        """Leave a match or a replay, which is the end where nothing else is open."""
        self.exit()

    def on_match_left(self) -> None:
        """Leave when the players have said that they want to."""
        self._left()


def _is_place(screen: Screen[Any]) -> bool:
    return shows_match(screen) or is_stopover(screen)
