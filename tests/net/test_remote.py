"""Remote play, even when connections break."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from net.meeting import Meeting, SocketPairTransport, Streams, any_move
from thud.net.codec import SAID_BEFORE
from thud.net.host import fulfilled
from thud.net.host_connection import TurnedAway
from thud.net.messages import Asked, Done
from thud.net.seat_registry import kept_for
from thud.net.transports.transport import MustAsk
from thud.records.record import GUEST, LOOKED_ON, Record
from thud.records.store import CannotSave, Saved, Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import IllegalMove
from thud.rules.variants import VARIANTS
from thud.session.events import (
    Answered,
    Arrived,
    Begun,
    ConnectionBack,
    ConnectionLost,
    Departed,
    NotSaid,
    Played,
    Said,
    SaveFailed,
    SeatAsked,
    Wish,
    Withdrawn,
)
from thud.session.participants import MOST_SAID, SEAT, WATCH
from thud.session.state import (
    Answer,
    GiveSeat,
    NewMatch,
    NextBattle,
    Play,
    ProposeEnd,
    Resign,
    Say,
    TooLate,
    Undo,
    Withdraw,
)
from thud.wording.session import happened, news
from waiting import until


async def test_a_guest_plays_with_the_host(meeting: Meeting) -> None:
    guest = await meeting.join()
    assert guest.state.match.players == meeting.session.state.match.players == ("Ann", "Bob")
    assert Arrived("Bob", 1) in meeting.told["host"]
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()
    assert guest.state.can.move
    await guest.request(Play(any_move(guest)))
    assert len(meeting.session.state.battle.moves) == 2
    assert guest.state.battle.moves == meeting.session.state.battle.moves
    played = [event for event in meeting.told["Bob"] if isinstance(event, Played)]
    assert played == [event for event in meeting.told["host"] if isinstance(event, Played)]


async def test_what_is_refused_is_refused_here(meeting: Meeting) -> None:
    guest = await meeting.join()
    with pytest.raises(IllegalMove, match="Ann's turn"):
        await guest.request(Play(any_move(guest)))
    with pytest.raises(IllegalMove, match="nothing to undo"):
        await guest.request(Undo())
    with pytest.raises(TooLate):
        await guest.request(NextBattle(), guest.state.revision + 1)
    with pytest.raises(IllegalMove, match="is not over"):
        await guest.request(NextBattle())
    with pytest.raises(IllegalMove, match="is not over"):
        await guest.request(NewMatch())
    with pytest.raises(IllegalMove, match="there is no proposal"):
        await guest.request(Answer(True, Wish.NEW_MATCH))


@pytest.mark.usefixtures("mended_at_once")
async def test_a_line_that_breaks_is_mended(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    meeting_host, way.host = way.host, None
    way.break_off()
    await until(lambda: ConnectionLost("") in meeting.told["Bob"])
    await until(lambda: Departed("Bob", 1) in meeting.told["host"])
    with pytest.raises(IllegalMove, match="connection to the host is broken"):
        await guest.request(Undo())
    move = any_move(meeting.session)
    await meeting.session.request(Play(move))
    way.host = meeting_host
    await until(lambda: ConnectionBack() in meeting.told["Bob"])
    lost = meeting.told["Bob"].index(ConnectionLost(""))
    before = meeting.session.state.battle.positions[0]
    assert meeting.told["Bob"][lost:][1:] == [Played(before, move), ConnectionBack()]
    await guest.request(Play(any_move(guest)))
    assert meeting.session.state.battle.moves == guest.state.battle.moves


async def test_a_seat_is_its_owners(meeting: Meeting) -> None:
    first = await meeting.join()
    with pytest.raises(TurnedAway, match="seat is taken"):
        await meeting.join("Eve")
    again = await meeting.join("Bob")
    lost = ConnectionLost("you joined from another place", for_good=True)
    await until(lambda: lost in meeting.told["Bob"])
    await meeting.session.request(Play(any_move(meeting.session)))
    await until(lambda: again.state.can.move)
    await again.request(Play(any_move(again)))
    with pytest.raises(IllegalMove):
        await first.request(Play(any_move(first)))


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
        assert guest.state.lost == lost[-1]
        assert not guest.state.can.resign
        guest.reconnect()
        await until(lambda: ConnectionBack() in told[-1:])
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()


async def test_what_was_said_outlives_the_host_and_who_comes_back(meeting: Meeting) -> None:
    guest = await meeting.join()
    await meeting.session.request(Play(any_move(meeting.session)))
    await guest.request(Say("good luck"))
    await until(lambda: meeting.session.state.participants.said)
    await meeting.session.request(Say("and to you"))
    await until(lambda: len(guest.state.participants.said) == 2)
    path = kept_for(meeting.store.matches, meeting.session.autosave.id)
    await until(lambda: "and to you" in path.read_text())
    meeting.guests.remove(guest)
    await guest.leave()
    await meeting.open_again()
    said = ["Bob says: good luck", "Ann says: and to you"]
    assert meeting.session.state.participants.conversation == said
    assert (await meeting.join()).state.participants.conversation == said


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


@pytest.mark.usefixtures("mended_at_once")
async def test_seats_and_moves_outlive_the_host(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()
    await guest.request(Play(any_move(guest)))
    secrets, name = meeting.host.registry.watching, meeting.host.id
    way.host = None
    await meeting.close_host()
    await until(lambda: any(isinstance(each, ConnectionLost) for each in meeting.told["Bob"]))
    await meeting.open_again()
    assert (meeting.host.registry.watching, meeting.host.id) == (secrets, name)
    with pytest.raises(TurnedAway, match="seat is taken"):
        await meeting.join("Eve")
    way.host = meeting.host
    await until(lambda: ConnectionBack("Ann") in meeting.told["Bob"])
    await meeting.session.request(Play(any_move(meeting.session)))
    await until(lambda: len(guest.state.battle.moves) == 3)
    await guest.request(Play(any_move(guest)))
    assert guest.state.battle.moves == meeting.session.state.battle.moves
    assert not [each for each in meeting.told["Bob"][1:] if isinstance(each, Begun)]


async def test_players_talk(meeting: Meeting) -> None:
    guest = await meeting.join()
    await meeting.session.request(Say("hello"))
    await guest.request(Say("hello, Ann"))
    await until(lambda: Said(1, "Bob", "hello, Ann") in meeting.told["Bob"])
    assert Said(0, "Ann", "hello") in meeting.told["Bob"]


async def test_whose_words_the_host_refuses_is_told_why(meeting: Meeting) -> None:
    guest = await meeting.join()
    meeting.session.state.participants.chat_allowed = False
    await guest.request(Say("hello, Ann"))
    refused = NotSaid("hello, Ann", "this match has no chat")
    await until(lambda: refused in meeting.told["Bob"])
    assert happened(guest.state, refused) == "This match has no chat. Not sent: hello, Ann"
    assert not [each for each in meeting.told["Bob"] if isinstance(each, Said)]
    await guest.request(Say("are you there?"))
    await guest.leave()
    assert [each for each in meeting.told["Bob"] if isinstance(each, NotSaid)] == [refused]
    assert not guest.state.participants.said


@pytest.mark.usefixtures("mended_at_once")
async def test_lines_and_refusals_are_logged(
    meeting: Meeting, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "thud.net")
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    meeting.session.state.participants.chat_allowed = False
    await guest.request(Say("hello"))
    await until(lambda: any(isinstance(each, NotSaid) for each in meeting.told["Bob"]))
    way.break_off()
    await until(lambda: ConnectionBack() in meeting.told["Bob"])
    logged = [each.getMessage() for each in caplog.records]
    for line in (
        "let in: player 2",
        "refused say of player 2: this match has no chat",
        "the line to the host is lost: it ended without a word",
        "the line to the host is there again",
    ):
        assert line in logged
    assert logged.count("let in: player 2") == 2
    assert "hello" not in caplog.text


@pytest.mark.usefixtures("mended_at_once")
async def test_what_was_said_is_there_for_who_comes_back(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    await meeting.session.request(Say("hello"))
    await until(lambda: guest.state.participants.said)
    way.host = None
    way.break_off()
    await until(lambda: any(isinstance(each, ConnectionLost) for each in meeting.told["Bob"]))
    for words in ("hello", "are you there?"):
        await meeting.session.request(Say(words))
    way.host = meeting.host
    await until(
        lambda: (
            guest.state.participants.conversation == meeting.session.state.participants.conversation
        )
    )
    said = [each.text for each in meeting.told["Bob"] if isinstance(each, Said)]
    assert said == ["hello", "hello", "are you there?"]
    await guest.leave()
    again = await meeting.join()
    assert again.state.participants.conversation == meeting.session.state.participants.conversation


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


async def test_who_looks_on_sees_everything_and_changes_nothing(meeting: Meeting) -> None:
    guest, watcher = await meeting.join(), await meeting.watch()
    assert not any(
        [
            watcher.state.watched,
            watcher.state.can.move,
            watcher.state.can.undo,
            watcher.state.engine_due,
        ]
    )
    assert (
        meeting.session.state.participants.spectators
        == guest.state.participants.spectators
        == ["Wim"]
    )
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()
    for doing in (
        watcher.request(Play(any_move(watcher))),
        watcher.request(Undo()),
        watcher.request(ProposeEnd()),
        watcher.request(GiveSeat()),
    ):
        with pytest.raises(IllegalMove):
            await doing
    await guest.request(Play(any_move(guest)))
    await meeting.all_agree()
    assert watcher.state.battle.moves == guest.state.battle.moves
    await watcher.leave()
    await until(lambda: not guest.state.participants.spectators)


async def test_only_so_many_look_on(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path, watchers=1)
    first = await meeting.watch()
    with pytest.raises(TurnedAway, match="no room for more spectators"):
        await meeting.watch("Xaver")
    await first.leave()
    await until(lambda: not meeting.session.state.participants.spectators)
    await meeting.watch("Xaver")
    await meeting.close()


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


async def test_a_guest_keeps_a_match_once_it_is_over(meeting: Meeting) -> None:
    guest = await meeting.join()
    for battle in (1, 2):
        here, there = (meeting.session, guest) if battle == 1 else (guest, meeting.session)
        await here.request(Play(any_move(here)))
        await meeting.all_agree()
        await there.request(ProposeEnd())
        await until(lambda: meeting.session.state.proposal and guest.state.proposal)
        assert not guest.autosave.id
        await here.request(Answer(True, Wish.END))
        await meeting.all_agree()
        if battle == 1:
            await guest.request(NextBattle(), guest.state.revision)
    kept = Store(meeting.directory / "Bob").matches / f"{meeting.session.autosave.id}.tgn"
    await until(kept.exists)
    record = Store(meeting.directory / "Bob").load(kept.stem)
    assert GUEST in record.tags
    assert record._replace(tags=()) == meeting.store.load(kept.stem)
    assert "thud replay" in guest.farewell()
    await guest.request(NewMatch(), guest.state.revision)
    await until(lambda: meeting.session.state.proposal)
    await meeting.session.request(Answer(True, Wish.NEW_MATCH))
    await until(lambda: not guest.state.match.over)
    assert guest.state.match.players == ("Ann", "Bob")
    assert "thud join" in guest.farewell()


async def test_nobody_is_said_to_leave_when_the_host_does(meeting: Meeting) -> None:
    await meeting.join()
    await meeting.watch()
    meeting.session.on_close(meeting.host.close)
    await meeting.session.leave()
    assert not meeting.session.state.participants.connected
    assert not [each for each in meeting.told["host"] if isinstance(each, Departed)]


async def test_who_comes_when_it_is_over_is_told_that_it_is_kept(meeting: Meeting) -> None:
    await meeting.join()
    await meeting.play_out()
    late = await meeting.watch()
    assert not late.autosave.id
    kept = "The match is kept. Come back with: thud join"
    assert [late.farewell(), late.farewell("--plain")] == [kept, f"{kept} --plain"]


async def test_an_end_that_is_taken_back_is_the_hosts_again(meeting: Meeting) -> None:
    guest = await meeting.join()
    await meeting.play_out()
    await until(lambda: guest.autosave.id)
    await meeting.session.request(Undo())
    await meeting.session.request(Answer(True, Wish.TAKE_BACK), by=1)
    await meeting.all_agree()
    assert not guest.state.match.over
    assert guest.farewell() == "The match and your seat are kept. Come back with: thud join"


@pytest.mark.usefixtures("mended_at_once")
async def test_who_leaves_does_not_come_back(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    await guest.leave()
    await until(lambda: Departed("Bob", 1) in meeting.told["host"])
    await guest._keep_connection()
    assert len(way.lines) == 1
    assert not [each for each in meeting.told["Bob"] if isinstance(each, ConnectionLost)]


@pytest.mark.usefixtures("mended_at_once")
async def test_a_wish_that_is_gone_when_the_line_is_back_is_taken_back(meeting: Meeting) -> None:
    way = SocketPairTransport(meeting.host)
    guest = await meeting.join(way=way)
    await meeting.session.request(ProposeEnd())
    await until(lambda: guest.state.proposal)
    host, way.host = way.host, None
    way.break_off()
    await until(lambda: Departed("Bob", 1) in meeting.told["host"])
    await meeting.session.request(Withdraw())
    way.host = host
    await until(lambda: ConnectionBack() in meeting.told["Bob"])
    assert meeting.told["Bob"][-2:] == [Withdrawn(Side.DWARFS), ConnectionBack()]
    way.break_off()
    await until(lambda: meeting.told["Bob"].count(ConnectionBack()) == 2)
    await meeting.session.request(ProposeEnd())
    await until(lambda: guest.state.proposal)
    await guest.request(Answer(True, Wish.END))
    assert guest.state.match.battle.outcome


async def test_hints_are_the_hosts_word(meeting: Meeting) -> None:
    meeting.session.state.hints_allowed = False
    guest = await meeting.join()
    await meeting.session.request(Play(any_move(meeting.session)))
    await meeting.all_agree()
    assert not guest.state.advisable
    with pytest.raises(IllegalMove, match="without hints"):
        await guest.advise()


async def test_who_looked_on_keeps_the_match_marked_so(meeting: Meeting) -> None:
    await meeting.join()
    watcher = await meeting.watch()
    await meeting.play_out()
    await until(lambda: watcher.autosave.id)
    (kept,) = Store(meeting.directory / "Wim").finished()
    assert kept.looked_on
    (played,) = Store(meeting.directory / "Bob").finished()
    assert not played.looked_on
    begun = Record.of(Match(VARIANTS["classic"]))._replace(tags=(LOOKED_ON,))
    assert begun.updated(begun.match()).tags == ()


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


async def test_a_new_match_takes_both(meeting: Meeting) -> None:
    guest, onlooker = await meeting.join(), await meeting.watch()
    await meeting.play_out()
    await guest.request(NewMatch())
    everywhere = meeting.everywhere
    await until(lambda: all(each.state.proposal for each in everywhere))
    assert {(p.by, p.wish) for each in everywhere if (p := each.state.proposal)} == {
        (Side.DWARFS, Wish.NEW_MATCH)
    }
    with pytest.raises(IllegalMove, match="spectators cannot"):
        await onlooker.request(Answer(True, Wish.NEW_MATCH))
    await meeting.session.request(Answer(False, Wish.NEW_MATCH))
    await until(lambda: not guest.state.proposal)
    assert guest.state.match.over
    await meeting.session.request(NewMatch())
    await until(lambda: guest.state.proposal)
    await guest.request(Answer(True, Wish.NEW_MATCH))
    await meeting.all_agree()
    assert not guest.state.match.over
    assert not onlooker.state.match.over
    assert Answered(Side.DWARFS, True, Wish.NEW_MATCH) in meeting.told["Wim"]


async def test_both_may_begin_a_new_match_at_once_and_one_is_begun(meeting: Meeting) -> None:
    guest = await meeting.join()
    await meeting.play_out()
    session, at = meeting.session, meeting.session.state.revision
    both = (fulfilled(session, Asked(NewMatch(), at), 1), session.request(NewMatch(), at))
    assert [*await asyncio.gather(*both)] == [Done(), None]
    await meeting.all_agree()
    assert meeting.session.state.match.number == guest.state.match.number == 1
    assert len([each for each in meeting.told["host"] if isinstance(each, Begun)]) == 2
