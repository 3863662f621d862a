"""Remote play, even when connections break."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from net.meeting import Meeting, SocketPairTransport, Streams, any_move
from session.timing import ManualClock
from thud.net.codec import SAID_BEFORE
from thud.net.host import fulfilled
from thud.net.host_connection import TurnedAway
from thud.net.messages import Asked, Done
from thud.net.remote import Remote
from thud.net.seat_registry import kept_for
from thud.net.transports.transport import MustAsk
from thud.records.record import LOOKED_ON, Record
from thud.records.store import CannotSave, Saved, Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, IllegalMove, Reason
from thud.rules.variants import VARIANTS
from thud.session.events import (
    Arrived,
    Begun,
    ConnectionBack,
    ConnectionLost,
    Departed,
    Event,
    NewMatch,
    Notified,
    NotSaid,
    Played,
    Proposed,
    ProposeEnd,
    SaveFailed,
    SeatAsked,
    Undo,
    Withdrawn,
)
from thud.session.law import (
    Answer,
    Claim,
    Code,
    GiveSeat,
    Hold,
    NextBattle,
    Pause,
    Play,
    Resign,
    Say,
    Withdraw,
    allows,
    refused,
)
from thud.session.participants import MOST_SAID, SEAT, WATCH
from thud.session.state import TooLate
from thud.session.words import confirmation, happened, news
from waiting import until


async def test_what_is_refused_is_refused_here(meeting: Meeting) -> None:
    guest = await meeting.join()
    with pytest.raises(TooLate):
        await guest.request(NextBattle(), guest.state.revision + 1)
    for request, why in (
        (Play(any_move(guest)), "Ann's turn"),
        (Undo(), "nothing to undo"),
        (NextBattle(), "is not over"),
        (NewMatch(), "is not over"),
        (Answer(True, NewMatch()), "there is no proposal"),
    ):
        with pytest.raises(IllegalMove, match=why):
            await guest.request(request)


@pytest.mark.usefixtures("mended_at_once")
async def test_a_seat_is_its_owners(meeting: Meeting) -> None:
    first = await meeting.join()
    with pytest.raises(TurnedAway, match="seat is taken"):
        await meeting.join("Eve")
    again = await meeting.join("Bob")
    lost = ConnectionLost("you joined from another place", for_good=True)
    await until(lambda: lost in meeting.told["Bob"])
    await meeting.session.request(Play(any_move(meeting.session)))
    await until(lambda: again.state.turn.here)
    await again.request(Play(any_move(again)))
    with pytest.raises(IllegalMove):
        await first.request(Play(any_move(first)))
    assert first.there.lost == lost, "it does not come back"


class Locked(SocketPairTransport):
    """A transport that needs the user's input for each connection."""

    def __init__(self, meeting: Meeting) -> None:
        super().__init__(meeting.host)
        self.answers = 1

    async def open(self) -> Streams:
        if not self.answers:
            raise MustAsk(
                "cannot connect to ann@box: Permission denied; ssh needs to ask you something",
                self.connect,
            )
        self.answers -= 1
        return await super().open()

    def connect(self) -> None:
        self.answers += 1


@pytest.mark.usefixtures("mended_at_once")
async def test_who_has_to_be_asked_is_told_at_once_and_asked_when_they_like(
    meeting: Meeting,
) -> None:
    way = Locked(meeting)
    guest = await meeting.join(way=way)
    with pytest.raises(ValueError, match="no connection is waiting"):
        guest.reconnect()
    told = meeting.told["Bob"]
    for round_ in (1, 2):
        way.break_off()
        await until(lambda: isinstance(told[-1], ConnectionLost) and told[-1].asks)
        lost = [each for each in told if isinstance(each, ConnectionLost) and each.asks]
        assert len(lost) == round_
        assert "ssh needs to ask you something" in news(guest.state, lost[-1])
        assert guest.there.lost == lost[-1]
        assert not allows(guest.state, Resign())
        guest.reconnect()
        await until(lambda: ConnectionBack() in told[-1:])
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()


async def test_a_lost_seat_is_given_to_whoever_asks_for_it(meeting: Meeting) -> None:
    bob = await meeting.join()
    await meeting.session.request(Play(any_move(meeting.session)))
    with pytest.raises(TurnedAway, match="seat is taken"):
        await meeting.join("Eve")
    assert meeting.session.state.participants.asking is None
    with pytest.raises(ValueError, match="nobody is asking"):
        await meeting.session.request(GiveSeat())
    meeting.guests.remove(bob)
    await bob.leave()
    await until(lambda: Departed("Bob", 1) in meeting.told["host"])
    for _ in range(5):
        with pytest.raises(TurnedAway, match="those at the table can give it to you"):
            await meeting.join("Bob's brother")
    asked = [each for each in meeting.told["host"] if isinstance(each, SeatAsked)]
    assert asked == [SeatAsked(1, "Bob's brother", "with your account")] * 3
    await meeting.session.request(GiveSeat())
    brother = await meeting.join("Bob's brother")
    assert meeting.told["host"][-1] == Arrived("Bob's brother", 1)
    await brother.request(Play(any_move(brother)))
    assert meeting.session.state.match.players[1] == "Bob's brother"
    with pytest.raises(TurnedAway, match="seat is taken"):
        await meeting.join("Bob")
    assert meeting.session.state.participants.asking is None


async def test_of_what_was_said_the_last_is_told_again(meeting: Meeting) -> None:
    await meeting.join()
    for number in range(MOST_SAID):
        await meeting.session.request(Say(f"word {number}"))
    watcher = await meeting.watch()
    assert (
        watcher.state.participants.conversation
        == meeting.session.state.participants.conversation[-SAID_BEFORE:]
    )


async def test_players_do_not_hear_who_looks_on_until_the_match_is_over(meeting: Meeting) -> None:
    guest = await meeting.join()
    wim, xenia = await meeting.watch("Wim"), await meeting.watch("Xenia")
    await wim.request(Say("the third dwarf!"))
    await until(lambda: xenia.state.participants.conversation == ["Wim says: the third dwarf!"])
    assert wim.state.participants.conversation == xenia.state.participants.conversation
    # Messages to everybody arrive in the same order.
    await meeting.session.request(Say("good luck"))
    await until(
        lambda: all(len(each.state.participants.conversation) == 2 for each in (wim, xenia))
    )
    await until(lambda: guest.state.participants.conversation == ["Ann says: good luck"])
    assert meeting.session.state.participants.conversation == guest.state.participants.conversation
    for _ in range(2):
        await meeting.session.request(Resign())
        if not meeting.session.state.match.over:
            await meeting.session.request(NextBattle())
    await until(lambda: guest.state.match.over and xenia.state.match.over)
    await xenia.request(Say("well played"))
    await until(lambda: guest.state.participants.conversation[-1] == "Xenia says: well played")
    assert meeting.session.state.participants.conversation[-1] == "Xenia says: well played"
    await until(lambda: wim.state.participants.conversation[-1] == "Xenia says: well played")
    # A snapshot contains the players' chat, and later messages follow as events.
    zoe = await meeting.watch("Zoe")
    assert zoe.state.participants.conversation == ["Ann says: good luck"]
    await zoe.request(Say("and you"))
    await until(lambda: wim.state.participants.conversation[-1] == "Zoe says: and you")


async def test_without_a_secret_nobody_gets_anything(meeting: Meeting) -> None:
    registry = meeting.host.registry
    for secret in ("", "wrong", registry.id):
        for want in (SEAT, WATCH):
            way = SocketPairTransport(meeting.host, secret, trusted=False)
            with pytest.raises(TurnedAway, match="not valid"):
                await meeting.join(want=want, way=way)
    watching = SocketPairTransport(meeting.host, registry.watching, trusted=False)
    with pytest.raises(TurnedAway, match="not valid"):
        await meeting.join(way=watching)
    await meeting.join("Wim", WATCH, watching)
    await meeting.join(
        way=SocketPairTransport(meeting.host, registry.seats[1].secret, trusted=False)
    )


async def test_nobody_is_said_to_leave_when_the_host_does(meeting: Meeting) -> None:
    await meeting.join()
    await meeting.watch()
    meeting.session.on_close(meeting.host.close)
    await meeting.session.leave()
    assert not meeting.session.state.participants.connected
    assert not [each for each in meeting.told["host"] if isinstance(each, Departed)]


@pytest.mark.usefixtures("mended_at_once")
async def test_who_leaves_does_not_come_back(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    await guest.leave()
    await guest.request(Hold())  # who is asked whether they leave may be leaving already
    with pytest.raises(IllegalMove, match="computers play at the host's"):
        await guest.request(Pause())
    await until(lambda: Departed("Bob", 1) in meeting.told["host"])
    await guest._keep_connection()
    assert len(way.lines) == 1
    assert not [each for each in meeting.told["Bob"] if isinstance(each, ConnectionLost)]


async def test_who_comes_is_told_that_the_host_cannot_keep_the_match(
    meeting: Meeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(saved: Saved, record: Record) -> None:
        raise CannotSave("the match cannot be saved: No space left on device")

    monkeypatch.setattr("thud.net.host_connection.PAUSES", (0.0,))
    with monkeypatch.context() as broken:
        broken.setattr(Saved, "write", full)
        await meeting.session.request(Play(any_move(meeting.session)))
        await meeting.session.request(Play(any_move(meeting.session)), by=1)
        way = SocketPairTransport(meeting.host)
        await meeting.join(way=way)
        told = SaveFailed("at the host's the match cannot be saved: No space left on device")
        assert meeting.told["host"].count(SaveFailed(told.complaint[14:])) == 1
        await until(lambda: told in meeting.told["Bob"])
        way.break_off()
        await until(lambda: ConnectionBack() in meeting.told["Bob"])
        assert meeting.told["Bob"].count(told) == 1
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.watch()
    assert told not in meeting.told["Wim"]


async def test_both_may_begin_a_new_match_at_once_and_one_is_begun(meeting: Meeting) -> None:
    guest = await meeting.join()
    await meeting.play_out()
    session, at = meeting.session, meeting.session.state.revision
    both = (fulfilled(session, Asked(NewMatch(), at), 1), session.request(NewMatch(), at))
    assert [*await asyncio.gather(*both)] == [Done(), None]
    await meeting.all_agree()
    assert meeting.session.state.match.number == guest.state.match.number == 1
    assert len([each for each in meeting.told["host"] if isinstance(each, Begun)]) == 2
    await session.request(Play(any_move(session)))
    await meeting.all_agree()
    assert guest.host_match_id == session.autosave.id
    assert kept_for(meeting.store.matches, session.autosave.id).exists()


@pytest.mark.usefixtures("mended_at_once")
async def test_who_comes_or_comes_back_knows_what_is_proposed_and_agreed(meeting: Meeting) -> None:
    session = meeting.session
    way, told = SocketPairTransport(meeting.host), meeting.told
    guest = await meeting.join(way=way)
    for _ in range(2):
        await session.request(Play(any_move(session)), by=session.state.battle.played)
    await session.request(ProposeEnd())
    await meeting.watch()
    assert Proposed(Side.DWARFS, ProposeEnd()) in told["Wim"]
    assert guest.state.hints_allowed
    meeting.terms = meeting.terms._replace(hints=False)
    await meeting.open_again()
    way.host = meeting.host
    await until(lambda: any(isinstance(each, ConnectionBack) for each in told["Bob"]))
    assert not guest.state.hints_allowed


@pytest.mark.usefixtures("mended_at_once")
async def test_only_what_is_new_is_told_after_a_broken_line(meeting: Meeting) -> None:
    way, told = SocketPairTransport(meeting.host), meeting.told
    guest = await meeting.join(way=way)
    assert Arrived("Bob", 1) in told["host"]

    async def broken() -> None:
        way.host = None
        way.break_off()
        await until(lambda: isinstance(told["Bob"][-1], ConnectionLost))
        await until(lambda: told["host"][-1] == Departed("Bob", 1))

    async def mended() -> list[Event]:
        way.host = meeting.host
        await until(lambda: told["Bob"][-1] == ConnectionBack())
        lost = max(at for at, each in enumerate(told["Bob"]) if isinstance(each, ConnectionLost))
        return told["Bob"][lost:]

    await broken()
    with pytest.raises(IllegalMove, match="connection to the host is broken"):
        await guest.request(Undo())
    with pytest.raises(IllegalMove, match="connection to the host is broken"):
        await guest.request(Resign())
    before, move = meeting.session.state.battle.position, any_move(meeting.session)
    await meeting.session.request(Play(move))
    assert await mended() == [ConnectionLost(""), Played(before, move), ConnectionBack()]
    await guest.request(Play(any_move(guest)))
    await meeting.session.request(ProposeEnd())
    await until(lambda: guest.state.proposal)
    await broken()
    await meeting.session.request(Withdraw())
    assert await mended() == [ConnectionLost(""), Withdrawn(Side.DWARFS), ConnectionBack()]
    await guest.request(Undo())
    await broken()
    before, move = meeting.session.state.battle.position, any_move(meeting.session)
    await meeting.session.request(Play(move))
    lapsed = Notified("Your proposal to undo has lapsed: the match has moved on.")
    assert await mended() == [ConnectionLost(""), Played(before, move), lapsed, ConnectionBack()]
    await guest.request(Play(any_move(guest)))
    await guest.request(Undo())
    await broken()
    await meeting.session.request(Answer(True, Undo()))
    assert len(await mended()) == 3, "what was agreed to meanwhile has not lapsed"


async def test_a_guest_is_told_that_its_proposal_has_lapsed(meeting: Meeting) -> None:
    guest, host = await meeting.join(), meeting.session
    await host.request(Play(any_move(host)))
    await meeting.all_agree()
    await guest.request(Play(any_move(guest)))
    await guest.request(Undo())
    await host.request(Play(any_move(host)))
    lapsed = Notified("Your proposal to undo has lapsed: the match has moved on.")
    await until(lambda: meeting.told["Bob"][-1] == lapsed)
    assert lapsed not in meeting.told["host"]


@pytest.mark.usefixtures("mended_at_once")
async def test_whose_words_the_host_refuses_is_told_why_and_nobody_writes_them_down(
    meeting: Meeting, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "thud.net")
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    meeting.session.state.participants.chat_allowed = False
    await guest.request(Say("hello, Ann"))
    refused = NotSaid("hello, Ann", "this match has no chat")
    await until(lambda: refused in meeting.told["Bob"])
    assert happened(guest.state, refused) == "This match has no chat. Not sent: hello, Ann"
    way.break_off()
    await until(lambda: ConnectionBack() in meeting.told["Bob"])
    guest.state.participants.chat_allowed = True
    await guest.request(Say("are you there?"))
    await guest.leave()
    assert [each for each in meeting.told["Bob"] if isinstance(each, NotSaid)] == [refused]
    assert not guest.state.participants.said
    logged = [each.getMessage() for each in caplog.records]
    assert {
        "refused say of player 2: this match has no chat",
        "the line to the host is lost: it ended without a word",
        "the line to the host is there again",
    } <= {*logged}
    assert logged.count("let in: player 2") == 2
    assert "hello" not in caplog.text


async def test_guests_keep_a_match_once_it_is_over(meeting: Meeting) -> None:
    guest, watcher = await meeting.join(), await meeting.watch()
    assert "Come back with: thud join" in guest.farewell()
    assert not guest.autosave.id
    await meeting.play_out()
    await until(lambda: guest.autosave.id and watcher.autosave.id)
    (played,) = Store(meeting.directory / "Bob").finished()
    (seen,) = Store(meeting.directory / "Wim").finished()
    assert (played.id, played.guest, played.looked_on) == (meeting.session.autosave.id, True, False)
    assert seen.looked_on
    begun = Record.of(Match(VARIANTS["classic"]))._replace(tags=(LOOKED_ON,))
    assert begun.updated(begun.match()).tags == ()
    assert "thud replay" in guest.farewell()
    late = await meeting.watch("Xaver")
    assert not late.autosave.id
    assert late.farewell("--plain") == "The match is kept. Come back with: thud join --plain"
    await meeting.session.request(Undo())
    await meeting.session.request(Answer(True, Undo()), by=1)
    await meeting.all_agree()
    assert guest.farewell() == "The match and your seat are kept. Come back with: thud join"


async def test_a_battle_that_is_over_can_be_annotated_while_the_match_goes_on(
    meeting: Meeting,
) -> None:
    guest, watcher = await meeting.join(), await meeting.watch()
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.session.request(Resign())
    await meeting.all_agree()
    for each in guest, watcher:
        reviewed = each.record.with_battle(1, each.record.battles[0].with_notes({1: "a note"}))
        each.autosave.annotate(each.record, reviewed)
        assert each.record.battles[0].line[1].comments == ("a note",)


async def test_who_looks_on_sees_everything_and_changes_nothing(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path, watchers=1)
    meeting.session.state.hints_allowed = False
    guest, watcher = await meeting.join(), await meeting.watch()
    here, there = guest.state, watcher.state
    await until(lambda: here.participants.spectators == there.participants.spectators == ["Wim"])
    with pytest.raises(TurnedAway, match="no room for more spectators"):
        await meeting.watch("Xaver")
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()
    assert not any([there.watched, there.turn.here, allows(there, Undo()), there.engine_due])
    for request in (Play(any_move(watcher)), Undo(), ProposeEnd(), Resign(), GiveSeat()):
        with pytest.raises(IllegalMove):
            await watcher.request(request)
    assert not here.advisable
    with pytest.raises(IllegalMove, match="without hints"):
        await guest.advise()
    await watcher.leave()
    await until(lambda: not here.participants.spectators)
    await meeting.watch("Xaver")
    await meeting.close()


async def test_one_guest_claims_of_another(tmp_path: Path, glass: ManualClock) -> None:
    meeting = Meeting(tmp_path, seats=("guest", "guest"))

    async def away(guest: Remote) -> None:
        meeting.guests.remove(guest)
        (player,) = guest.state.seats.local
        await guest.leave()
        await until(lambda: player in meeting.session.state.participants.missing)

    ann, bob = await meeting.join("Anna"), await meeting.join("Bob")
    await away(ann)

    def claims() -> Code | None:
        refusal = refused(bob.state, Claim())
        return refusal.code if refusal else None

    await until(lambda: claims() is Code.TOO_EARLY)
    with pytest.raises(IllegalMove, match="in 10 minutes"):
        await bob.request(Claim())
    glass.pass_ms(300_000)
    await away(bob)
    bob = await meeting.join("Bob")
    # He has not seen when Ann left: only the host knows.
    assert claims() is None
    assert confirmation(bob.state, Claim())[0] == "Claim the battle?"
    glass.pass_ms(300_000)
    await bob.request(Claim())
    await meeting.all_agree()
    assert bob.state.battle.forfeit == Forfeit(Side.DWARFS, Reason.CLAIM)
    await meeting.close()
