"""The application of a visitor: the lobby, and what is played, watched and read from there."""

from __future__ import annotations

import asyncio
from typing import Final

from textual import events, work
from textual.widgets.option_list import Option

from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.net.transports.invitation import OnThisMachine
from thud.records.bounded import BoundedStore
from thud.records.saved import CannotSave, Saved
from thud.records.store import InUse
from thud.session.session import Session
from thud.settings.last_choices import LastChoices
from thud.settings.preferences import Preferences
from thud.tui.club.discreet import DiscreetApp
from thud.tui.club.handing import HandingApp
from thud.tui.club.lobby import Lobby, Welcome
from thud.tui.club.profile import MATCH, NOBODY, SEAT, WATCH, LastPlace, VisitorProfile
from thud.tui.club.size import LARGEST
from thud.tui.deployment import CLUB, CLUB_IN_BROWSERS, Deployment
from thud.tui.front.app import FrontApp
from thud.tui.front.page import FrontPage
from thud.tui.front.places import Destination
from thud.tui.widgets.modals import AskScreen, ListScreen
from thud.wording.text import capitalised

_OPEN: Final = "Your table is open: whoever comes to the club sees it."
_BACK: Final = "Welcome back: here you were when the line broke."
_TRIES: Final = 80
_BETWEEN_TRIES: Final = 0.1
"""Seconds: the last visit may not have come to its end when the next one begins."""


class ClubApp(DiscreetApp, HandingApp, FrontApp):
    """Lets a visitor play match after match from the lobby, and come back to where they sat.

    Args:
        store: the visitor's matches; everything else of theirs is kept beside them.
        preferences: the settings.
    """

    _matches: BoundedStore

    def __init__(self, store: BoundedStore, preferences: Preferences | None = None) -> None:
        super().__init__(store, preferences)
        store.way_back = "It waits for you in the lobby."
        self._visitor = VisitorProfile(self._directory)
        self._place_left = self._visitor.place
        self._goal: LastPlace | None = None
        self._call_first(self._visitor.name)

    @property
    def premises(self) -> Deployment:
        """What may be done in a club, from where the visitor is."""
        return CLUB_IN_BROWSERS if self.is_web else CLUB

    def _first_page(self) -> FrontPage:
        return Lobby(self._choices, self._own_name, learning=not self._progress.graduated)

    @property
    def _front(self) -> Lobby:
        page = self.screen_stack[0]
        assert isinstance(page, Lobby)
        return page

    @property
    def _own_name(self) -> str:
        return self._visitor.name or NOBODY

    def on_mount(self) -> None:
        """Go back to where the visitor was, or ask who has come first."""
        if place := self._place_left:
            self.call_after_refresh(self._go_back, place)
        elif not self._visitor.name:
            self._ask_name()

    def on_resize(self, event: events.Resize) -> None:
        """Pass over a size that only somebody types who wants this machine to draw without end.

        A terminal may tell its size among the keys, and past the door that bounds it.
        """
        if event.size.width > LARGEST[0] or event.size.height > LARGEST[1]:
            event.stop()
            event.prevent_default()

    # Names

    def _ask_name(self) -> None:
        async def attempt(name: str) -> str:
            return name

        screen = AskScreen if self._visitor.name else Welcome
        asking = screen("What are you called?", self._visitor.proposed, attempt)
        self.push_screen(asking, self._be_called)

    def _be_called(self, name: str | None) -> None:
        self._visitor.call(name or self._visitor.proposed)
        self._call_first(self._visitor.name)
        self._front.call(self._visitor.name)

    def _call_first(self, name: str) -> None:
        """Let the visitor be the first player of the next match, if nobody else is."""
        first, second = self._choices.names
        if name and name != second and first == LastChoices().names[0]:
            self._choices = self._choices._replace(names=(name, second))

    # Where the visitor is

    def _play(self, session: Session, notice: str = "", *, instead: bool = False) -> None:
        if fault := self._no_room_for(session):
            self._turn_away(session, fault)
            return
        place = self._goal if isinstance(session, Remote) else None
        self._front.say("")
        session.subscribe(lambda _: self._note(session, place))
        self._note(session, place)
        super()._play(session, notice, instead=instead)

    def _note(self, session: Session, place: LastPlace | None) -> None:
        """Keep where the visitor is, as soon as something leads back to it."""
        if place or session.keeper.id:
            self._visitor.sit(place or LastPlace(MATCH, session.keeper.id))

    def leave(self) -> None:
        """Leave a match or a replay for the lobby, or the club: nothing leads back by itself."""
        if self.session:
            self.session.keeper.stays = False
        super().leave()

    async def action_quit(self) -> None:
        """Leave what is shown; ask before the club itself is left."""
        if self.screen is self._front:
            self._ask_to_leave()
        else:
            await super().action_quit()

    def _ask_to_leave(self) -> None:
        def answered(what: str | None) -> None:
            if what:
                self.leave()

        options = [Option("Leave", id="leave"), Option("Stay", id="")]
        self.push_screen(ListScreen("Leave the club?", options), answered)

    def on_front_page_shown(self) -> None:
        """Know that the visitor has left where they were, but for who is about to go back."""
        if not self._place_left:
            self._visitor.sit(None)

    @work(group="kept")
    async def _go_back(self, place: LastPlace) -> None:
        """Go back to where the visitor was, which is kept until that is done, or cannot be."""
        self._front.say("One moment …")
        if place.kind == MATCH:
            await self._go_on(place.id, _BACK)
        else:
            self._goal = place
            destination = Destination(OnThisMachine(place.id), place.kind)
            await self._arrive_at(destination, _BACK)
        self._place_left = None
        if self.screen is self._front:
            self._visitor.sit(None)

    async def _saved(self, name: str) -> Saved:
        for _ in range(_TRIES):
            try:
                return await super()._saved(name)
            except InUse:
                await asyncio.sleep(_BETWEEN_TRIES)
        self._visitor.let_be()
        raise InUse("that match is open in another window of yours")

    # Tables

    async def on_front_page_wanted(self, event: FrontPage.Wanted) -> None:
        """Ask for another name, or go where a row of any front page leads."""
        if event.what == "name":
            event.prevent_default()
            if self._waiting:
                self._ask_name()

    def on_lobby_table_chosen(self, event: Lobby.TableChosen) -> None:
        """Go to a table; where one can sit down, ask whether to look on instead."""
        if not self._waiting:
            return
        name, sides = event.table.id, " and the ".join(event.table.about.wanted)
        if not (sides or event.own):
            self._go_to_table(LastPlace(WATCH, name))
            return
        seat = f"Sit down: the {sides}" if sides else "Sit down at your seat"
        options = [Option(seat, id=SEAT), Option("Look on", id=WATCH)]

        def answered(kind: str | None) -> None:
            if kind:
                self._go_to_table(LastPlace(kind, name))

        self.push_screen(ListScreen("At this table", options), answered)

    def _go_to_table(self, place: LastPlace) -> None:
        self._goal = place
        self._visit(Destination(OnThisMachine(place.id), place.kind))

    def _ask_who_can_come(self, session: Session) -> None:
        if session.match.control:
            self._ask_about_clock(session, "own")
        else:
            self._host(session, "own")

    async def _open_to_others(self, session: Session, terms: Terms, notice: str = "") -> None:
        """Open a table to everybody who comes to the club: it is there as soon as it is open."""
        here = Terms(hints=terms.hints, chat=terms.chat, waits=terms.waits)
        await super()._open_to_others(session, here, notice or _OPEN)

    async def _is_open(self, session: Session) -> None:
        """Keep a table before anybody has moved: it is come back to whatever happens."""
        session.keeper.stays = True
        await session.keeper.keep(session.match, session.seats.programs)

    # Room on the disk

    def _no_room_for(self, session: Session) -> str:
        """Return why a match cannot be played, empty if it can: it is here already, say."""
        if session.keeper.id or isinstance(session, Remote):
            return ""
        try:
            self._matches.refuse_if_full()
        except CannotSave as refusal:
            return f"{capitalised(str(refusal))}."
        return ""

    @work
    async def _turn_away(self, session: Session, fault: str) -> None:
        await session.leave()
        if self.screen is self._front:
            self._front.say(fault)
        else:
            self.notify(fault, severity="warning", markup=False)
