"""The replay of a match."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from thud.engines.spec import level_contender
from thud.exercises.lessons.model_battles import model_battle
from thud.records.questions import noted
from thud.records.record import Record, positions_along
from thud.records.store import Store
from thud.review.judgement import Band, Judgement, Mark
from thud.review.summary import Marked
from thud.rules.geometry import square_name
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.cursor import cycled
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.screen import ReplayScreen
from thud.tui.review.judging import dots
from thud.tui.start import Replay
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.standing import Standing
from tui.driver import Player, running, work_done


def played(variant: str, plies: int = 30) -> Match:
    """Return a match of random moves."""
    chooser, rules = random.Random(30), VARIANTS[variant]
    match = Match(rules, ("Anna", "Bert"))
    for number in (1, 2):
        while len(match.battle.moves) < plies and not match.battle.outcome:
            moves = rules.legal_moves(match.battle.position)
            captures = [move for move in moves if move.captures]
            match.battle.play(chooser.choice(captures or moves))
        if not match.battle.outcome:
            match.battle.agree()
        if number == 1:
            match.next_battle()
    return match


SIDES = [side.plural for side in Side]


@asynccontextmanager
async def replaying(
    match: Match, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[ReplayScreen, Player]]:
    app = ThudApp(Replay(Record.of(match)))
    async with running(app, size) as player:
        yield await player.see(ReplayScreen), player


def route(match: Match, ply: int) -> str:
    """Return origin and destination of a move of the first battle."""
    move = match.battles[0].moves[ply]
    return f"{square_name(move.origin)}-{square_name(move.destination)}"


def said(screen: ReplayScreen) -> str:
    return str(screen.query_one("#message", Static).render())


def commented(screen: ReplayScreen) -> str:
    """Return the comment shown, empty if there is none."""
    comment = screen.query_one("#comment", Static)
    return str(comment.render()) if comment.display else ""


def read(player: Player) -> str:
    """Return the panel beside the board at 80 columns, in one line, without the footer."""
    *lines, _ = player.written.splitlines()
    return " ".join(" ".join(line[50:] for line in lines).split())


async def test_keys_go_through_the_battle() -> None:
    match = played("classic")
    async with replaying(match) as (screen, player):
        await player.press("right", "right", "right", "left")
        assert screen.cursor.ply == 2
        assert said(screen).startswith(f"Bert steps {route(match, 1)}")
        await player.press("end")
        assert screen.cursor.ply == 30
        assert "Both players agree" in said(screen)
        await player.press("right")
        assert screen.cursor.ply == 30
        await player.press("home", "left")
        assert screen.cursor.ply == 0
        await player.press("1", "2", "enter")
        assert screen.cursor.ply == 24
        await player.press("9", "9", "9", "9", "9", "enter")
        assert screen.cursor.ply == 30
        await player.press("b")
        assert (screen.cursor.number, screen.cursor.ply) == (2, 0)
    assert len(match.battles[0].moves) == 30


async def test_the_pieces_are_drawn_as_is_wanted_and_so_is_what_was_taken() -> None:
    async with replaying(played("classic")) as (screen, player):
        await player.press("end")
        for pieces, dwarf in (("letters", "d"), ("sprites", "▲")):
            player.app.change_setting("pieces", pieces)
            await player.pilot.pause()
            assert screen.pane.board.piece_set == pieces
            lines = player.standing.splitlines()
            trays = [line.split()[1:] for line in lines if line.startswith("  captured")]
            assert any(dwarf in tray[-1] for tray in trays)


async def test_clicks_on_the_graph_and_the_list_jump() -> None:
    async with replaying(played("classic")) as (screen, player):
        graph = screen.query_one(MarginGraph)
        await player.pilot.click(graph, offset=(3 + 11 + 12, 1))
        assert screen.cursor.ply == 12
        for column in (6, 0):
            await player.press("home")
            await player.pilot.click(MoveTree, offset=(column, 0))
            assert screen.cursor.ply == 1


async def test_escape_lets_go_and_then_leaves() -> None:
    async with replaying(played("classic")) as (screen, player):
        await player.press("7", "escape")
        await player.press("enter")
        assert screen.pane.trying
        await player.press("escape")
        assert not screen.pane.trying
        assert not player.app._exit
        await player.press("backspace")
        assert not player.app._exit
        await player.press("escape")
        assert player.app._exit


async def test_play_from_here_against_a_level() -> None:
    match = played("classic")
    async with replaying(match) as (_, player):
        await player.press("b", "right", "p", *["down"] * 3, "enter")
        session = (await player.see(BattleScreen)).session
        assert session.state.seat_of(Side.DWARFS).is_local
        assert session.state.match.name_of(Side.TROLLS) == level_contender(3).name
        assert session.state.match.name_of(Side.DWARFS) == match.name_of(Side.DWARFS, 2)


async def test_every_variant_and_size(full: bool) -> None:
    for variant in VARIANTS if full else ("koom",):
        async with replaying(played(variant, 12), (130, 45)) as (screen, player):
            await player.press("end", "f", "left")
            assert screen.cursor.ply > 0
            await player.pilot.resize_terminal(30, 12)
            await player.pilot.pause()
            assert screen.has_class("-too-small")
            await player.pilot.resize_terminal(80, 24)
            await player.pilot.pause()
            assert screen.cursor.ply == screen.cursor.last - 1


async def test_the_graph_says_whose_half_is_whose_and_where_mistakes_are() -> None:
    async with replaying(played("classic")) as (screen, _):
        graph = screen.query_one(MarginGraph)
        graph.show((0, -1), 0)
        drawn = [graph.render_line(y).text.rstrip() for y in range(4)]
        assert [drawn[0].split()[0], drawn[3].split()[0]] == ["dwarfs", "trolls"]
        assert drawn[2].endswith("▆▆▆"), "a quarter of a row hangs there, reversed"
        graph.show((8, 8, 0), 2)
        sure, other = Band(4, 4, 4), Band(-4, -4, -4)
        graph.expect((sure, other, None), {1: Mark.BLUNDER})
        drawn = [graph.render_line(y).text[11:20] for y in range(4)]
        assert drawn == ["      │  ", "███   │▁▁", "   •  │  ", "      │  "], "a tick for now"
        graph.expect((sure, Band(-8, -8, -8), None), {1: Mark.BLUNDER})
        assert [graph.render_line(y).text[14] for y in range(4)] == [" ", " ", " ", "•"]
        graph.expect((Band(-3, 3, 8), other, None), {})
        drawn = [graph.render_line(y).text[11:14] for y in range(4)]
        assert drawn == ["███", "▆▆▆", "▂▂▂", "   "], "what is open reaches into both halves"
        first = [[*graph.render_line(y)][1].style for y in range(4)]
        pale = [graph.get_component_rich_style(f"graph--open-{side}").color for side in SIDES]
        assert first[0].color == first[1].bgcolor == pale[0], "the whole band, also beside a tip"
        assert (first[2].color, first[2].reverse) == (pale[1], True)
        graph.expect((Band(-8, -6, -1), other, None), {})
        drawn = [graph.render_line(y).text[11:14] for y in range(4)]
        assert drawn == ["   ", "   ", "   ", "▄▄▄"], "a full bar hides what is open below it"


@pytest.mark.parametrize(
    ("game", "columns", "scale"),
    [
        ("classic", 45, ["dwarfs +12", "", "even", "trolls +12"]),
        ("classic", 30, ["d +12", "", "even", "T +12"]),
        ("koom", 45, ["dwarfs", "", "", "trolls"]),
    ],
)
async def test_the_graph_has_a_scale_where_points_count(
    game: str, columns: int, scale: list[str]
) -> None:
    async with replaying(played(game)) as (screen, player):
        graph = screen.query(MarginGraph).first()
        graph.styles.width = columns
        await player.until(lambda: graph.size.width <= columns)
        graph.show((0, -12, 3), 0)
        drawn = [graph.render_line(y).text[:11] for y in range(graph.size.height)]
        assert [each.strip(" ▁▂▃▄▅▆▇█│") for each in drawn] == scale


def test_of_mistakes_in_one_column_of_the_graph_the_worst_is_seen() -> None:
    graph = MarginGraph()
    graph.show([0.0] * 50, 0)
    graph.expect((), {7: Mark.MISTAKE, 8: Mark.BLUNDER, 9: Mark.MISTAKE})
    assert list(graph._dots.values()) == [Mark.BLUNDER]


def test_mistakes_and_blunders_are_dots_and_dubious_moves_are_not() -> None:
    start = VARIANTS["classic"].start
    move = parse_move(VARIANTS["classic"], start, "dF1-F5")
    marked = [
        Marked(ply, start, move, Judgement(0, 0), 0.0, mark, None) for ply, mark in enumerate(Mark)
    ]
    assert dots(marked) == {2: Mark.MISTAKE, 3: Mark.BLUNDER}


@pytest.mark.slow
async def test_turns_are_counted_from_the_side_that_began() -> None:
    match = Match(
        VARIANTS["classic"], start=VARIANTS["classic"].start._replace(to_move=Side.TROLLS)
    )
    for _ in range(5):
        match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    async with replaying(match) as (screen, player):
        await player.press("1", "enter")
        assert screen.cursor.ply == 1
        await player.press("2", "enter")
        assert screen.cursor.ply == 3
        await player.press("2", "escape", "enter")
        assert screen.cursor.ply == 3


@pytest.mark.slow
async def test_playing_on_from_the_end_of_a_match_keeps_no_second_one(tmp_path: Path) -> None:
    store, match = Store(tmp_path), played("classic", 4)
    app = ThudApp(Replay(Record.of(match)), store=store)
    async with running(app) as player:
        await player.press("b", "end", "p", "enter")
        await work_done(app)
        assert isinstance(app.screen, BattleScreen)
    assert store.finished() == []


@pytest.mark.slow
async def test_a_battle_ended_by_the_quiet_limit_is_played_on_after() -> None:
    match = Match(VARIANTS["classic"])
    match.battle.quiet_limit = 3
    while not match.battle.outcome:
        match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    match.next_battle()
    async with replaying(match) as (_, player):
        await player.press("b", "p", "enter")
        assert (await player.see(BattleScreen)).match.number == 2


async def test_comments_and_notices_are_shown() -> None:
    match = played("classic", 4)
    record = Record.of(match)
    first = record.battles[0].with_notes({2: "a good fight"})
    record = record._replace(battles=(first, *record.battles[1:]))
    app = ThudApp(Replay(record, notice="line 7: a fault"))
    async with running(app) as player:
        screen = await player.see(ReplayScreen)
        assert "line 7: a fault" in said(screen)
        await player.press("right", "right")
        assert "a good fight" in commented(screen)
        assert "line 7" not in said(screen)


@pytest.mark.slow
async def test_a_long_remark_takes_its_room_from_the_list_of_moves() -> None:
    async with replaying(played("classic")) as (screen, player):
        remarks = [f"remark {line}." for line in range(13)]
        screen.pane.show_place(screen.cursor, screen.record, remarks, until=30)
        await player.until(lambda: "remark 12." in player.written)
        assert screen.query_one(MoveTree).size.height


def asking(ply: int) -> Record:
    """Return a match that asks for a move of its first battle."""
    record = Record.of(played("classic"))
    battle = record.battles[0]
    *_, before = positions_along(battle.start, battle.moves[:ply])
    note = f"[%ask {move_text(before, battle.moves[ply])}]"
    return record._replace(battles=(battle.with_notes({ply: note}), *record.battles[1:]))


async def test_a_question_hides_the_moves_until_it_is_answered() -> None:
    asked = asking(0)
    right = asked.battles[0].moves[0]
    async with running(ThudApp(Replay(asked))) as player:
        screen = await player.see(ReplayScreen)
        assert "What would you play as the dwarfs?" in commented(screen)
        assert not screen.query_one(MoveTree).virtual_size.height
        moves = asked.variant.legal_moves(asked.start)
        await screen.play(next(move for move in moves if move != right))
        assert screen.cursor.ply == 0
        assert "is not as good as what was played" in commented(screen)
        await player.press("enter")
        wrong = next(move for move in moves if move != right)
        await screen.play(wrong)
        told = f"{move_text(asked.start, wrong)} is not as good as what was played."
        assert told in commented(screen).partition("What would you play")[2]
        flipped, board = screen.pane.board.flipped, screen.pane.board.region
        await player.press(":")
        await player.settled()
        assert screen.pane.board.region == board, "the entry does not move it"
        await player.press(*move_text(asked.start, right), "enter")
        assert screen.cursor.ply == 1
        assert screen.pane.board.flipped is flipped, "its letters are no keys"
        assert f"Right: {move_text(asked.start, right)} was played." in commented(screen)
        assert screen.query_one(MoveTree).virtual_size.height
        await player.press("left")
        assert "What would you play" not in commented(screen)


async def test_seeing_what_was_played_ends_trying_moves() -> None:
    async with running(ThudApp(Replay(asking(0)))) as player:
        screen = await player.see(ReplayScreen)
        await player.press("enter")
        assert "pick up a dwarf" in said(screen)
        assert "Esc goes back." in said(screen)
        await player.press("enter")
        assert "Esc lets go" in said(screen)
        assert "Esc goes back." not in said(screen)
        await player.press("]", "]")
        assert screen.cursor.ply == 1
        assert "pick up" not in said(screen)
        assert not screen.pane.trying


async def test_autoplay_waits_for_an_answer_and_a_question_passed_is_asked_again() -> None:
    async with running(ThudApp(Replay(asking(1)))) as player:
        screen = await player.see(ReplayScreen)
        await player.press("space")
        assert screen._autoplay.on
        screen._run_on()
        assert screen.cursor.ply == 1
        assert not screen._autoplay.on
        assert "What would you play as the trolls?" in commented(screen)
        for _ in range(2):
            await player.press("right")
            assert screen.cursor.ply == 1, "it stays once"
            assert "play your move, or → again goes on." in said(screen)
            await player.press("right")
            assert "What would you play" not in commented(screen)
            assert "again goes on" not in said(screen)
            await player.press("left")
            assert "What would you play as the trolls?" in commented(screen)
        await player.press("enter", "G", "g")
        assert not screen.pane.trying, "no move is tried elsewhere unawares"


async def test_a_model_battle_shows_its_plan_and_goes_from_note_to_note() -> None:
    app = ThudApp(Replay(model_battle("classic-1").record()))
    async with running(app, (120, 40)) as player:
        screen = await player.see(ReplayScreen)
        comment = screen.query_one("#comment", Static)
        assert comment.border_title == "The plan"
        assert "come together at the right" in commented(screen)
        assert comment.region.y < screen.query_one(Standing).region.y
        notes = noted(screen.cursor.battle)
        await player.press("n", "n")
        assert screen.cursor.ply == notes[2]
        assert comment.border_subtitle == f"n next · note 3 of {len(notes)}"
        await player.press("n", "left")
        assert "far away for one dwarf" in commented(screen), "the last comment stays"
        await player.press("N")
        assert screen.cursor.ply == notes[1]
        assert screen.labels_now()["mistake(1)"] == "Next note"


async def test_a_model_battle_gives_neither_its_result_nor_an_answer_away() -> None:
    app = ThudApp(Replay(model_battle("classic-1").record()))
    async with running(app) as player:
        screen = await player.see(ReplayScreen)
        await player.until(lambda: bool(screen.pane._leads))
        graph, listed = screen.query(MarginGraph).first(), screen.query_one(MoveTree)
        assert not any(graph._leads)
        asked = screen._questions.next_open(screen.cursor)
        assert 0 < asked < screen.cursor.last
        assert not listed._moves, "nothing ahead, neither before a question"
        await player.press("right", "right", "left")
        assert [move.ply for move in listed._moves] == [1, 2], "what one has seen"
        await player.press("n", "n")
        assert screen.cursor.ply == asked == max(move.ply for move in listed._moves)
        await player.press("end", "home")
        assert not any(graph._leads)
        for _ in range(3):  # each question stops it once
            await player.press(*["right"] * (5 - screen.cursor.ply))
        assert graph._leads[5] == screen.record.variant.lead(screen.cursor.position) != 0
        assert not any(graph._leads[6:])
        assert max(move.ply for move in listed._moves) > asked, "the question is passed"


async def test_a_question_names_the_key_that_leads_on_also_while_a_move_is_tried() -> None:
    async with running(ThudApp(Replay(asking(0)))) as player:
        screen = await player.see(ReplayScreen)
        assert "] twice: see what was played" in commented(screen)
        await player.until(lambda: "] See it" in player.written)
        assert "→ " not in player.written.splitlines()[-1]
        await player.press("enter", "right")
        assert screen.cursor.ply == 0
        assert "] twice: see what was played" in commented(screen)
        await player.press("]")
        assert "play your move, or ] again goes on." in said(screen)
        await player.press("]")
        assert screen.cursor.ply == 1


async def test_what_is_wrong_with_an_answer_is_shown_to_its_end() -> None:
    record = model_battle("koom-1").record()
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        screen = await player.see(ReplayScreen)
        screen.go_to(screen.cursor.to(40))
        assert "What would you play" in commented(screen)
        await player.press("i")
        assert "Look for a move of the Rock. It lets the dwarfs hit back" in said(screen)
        for _ in range(2):
            await player.press("i")
            assert "Look at the Rock on J8." in said(screen)
        await player.press("enter")
        await screen.play(parse_move(record.variant, screen.cursor.position, "RJ8-K8"))
        await player.settled()
        assert "captures L4. Try another move." in read(player), player.written


async def test_the_longest_question_of_a_model_battle_is_seen_whole_while_it_is_answered() -> None:
    record = model_battle("classic-1").record()
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        screen = await player.see(ReplayScreen)
        await player.press("n", "n", "n")
        assert '" note · * open question' in player.written
        assert f"note 4 of {len(noted(screen.cursor.battle))}" in player.written
        screen.go_to(screen.cursor.to(24))
        await player.press("enter")
        await screen.play(parse_move(record.variant, screen.cursor.position, "dJ1-J5"))
        await player.settled()
        panel = read(player)
        assert "been away: TM8-L9xK8. What would you play" in panel
        assert "dJ1-J5 is not as good as what was played. Now the troll" in panel
        assert "Try another move." in panel
        assert "Dwarfs to move: pick up a dwarf" in panel
        assert "Esc goes back." in panel
        assert "step H6-J7" not in panel, "the note says which move was the last"


async def test_below_a_long_question_a_notice_is_read_to_its_end() -> None:
    record = model_battle("koom-1").record()
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        screen = await player.see(ReplayScreen)
        screen.go_to(screen.cursor.to(40))
        await player.press("D")
        await player.settled()
        assert read(player).endswith("deleted, not the moves played.")
        await player.press("!", "escape")
        await player.until(lambda: screen.asking)
        await player.settled()
        assert "] twice: see what was played." in read(player)
        assert "What you added to the match is not saved." in read(player)


async def test_at_its_end_a_model_battle_tells_how_many_answers_were_right() -> None:
    async with running(ThudApp(Replay(asking(0)))) as player:
        screen = await player.see(ReplayScreen)
        await player.press("G")
        assert "at first" not in said(screen), "nothing was answered"
        await player.press("g")
        await screen.play(screen.record.battles[0].moves[0])
        assert "at first" not in said(screen)
        await player.press("G")
        assert "1 of 1 right at first." in said(screen)


async def test_a_move_of_ones_own_is_listed_at_its_place_with_the_way_back() -> None:
    app = ThudApp(Replay(model_battle("koom-1").record()))
    async with running(app) as player:
        screen = await player.see(ReplayScreen)
        await player.press("n", "n")
        place, listed = screen.cursor, screen.query_one(MoveTree)
        legal = screen.record.variant.legal_moves(place.position)
        await player.press("enter")
        await screen.play(next(move for move in legal if move != place.next_move))
        assert screen.cursor.path in [(each.trail, each.ply) for each in listed._moves]
        assert max(each.ply for each in listed._moves if not each.trail) == place.ply
        assert "Your own move" in commented(screen)
        assert place.before
        assert place.move
        last = f"turn {place.battle.turn(place.ply - 1)}, {move_text(place.before, place.move)}"
        assert f"The battle is left after {last}." in commented(screen)
        await player.until(lambda: screen.cursor.positions in screen.pane._leads)
        graph = screen.query(MarginGraph).first()
        await player.until(lambda: graph._now == screen.cursor.ply)
        assert len(graph._leads) == len(screen.cursor.battle.line), "as wide as the battle's"
        assert screen.pane.trying
        await player.until(
            lambda: player.written.splitlines()[-1].startswith("{ Back to the battle")
        )
        assert "] Next" not in player.written
        await player.press("{")
        assert screen.cursor.path == place.path
        assert not screen.pane.trying, "a step out of it ends trying"
        await player.press("down")
        await player.until(
            lambda: player.written.splitlines()[-1].startswith("↑ Back to the battle")
        )
        inner = screen.cursor
        for reply in screen.record.variant.legal_moves(inner.position)[:2]:
            screen.go_to(inner)
            await screen.play(reply)
            inner = screen.cursor.to(inner.ply)
        assert len(screen.cursor.trail) == 2
        await player.until(lambda: player.written.splitlines()[-1].startswith("↑ Back a variation"))
        await player.press("up", "up", "enter")
        assert screen.cursor.path == place.path
        assert screen.pane.trying
        await player.press("n")
        assert screen.cursor.ply > place.ply
        assert not screen.pane.trying


async def test_with_a_piece_in_hand_one_does_not_go_to_the_next_note() -> None:
    async with running(ThudApp(Replay(model_battle("koom-1").record()))) as player:
        screen = await player.see(ReplayScreen)
        await player.press("enter", "enter")
        picked, place = screen.picker.selection.picked, screen.cursor
        assert picked
        await player.press("n")
        assert (screen.picker.selection.picked, screen.cursor) == (picked, place)
        assert "First put down the piece" in said(screen)


async def test_a_model_battle_opens_again_where_one_left_off() -> None:
    start = Replay(model_battle("classic-1").record())
    async with running(ThudApp(start)) as player:
        screen = await player.see(ReplayScreen)
        await player.press("n", "n")
        ply = screen.cursor.ply
    async with running(ThudApp(start)) as player:
        screen = await player.see(ReplayScreen)
        assert screen.cursor.ply == ply > 0
        assert "You left off here." in said(screen)
        await player.press("home")
        assert screen.cursor.ply == 0
        assert "You left off" not in said(screen)


async def test_open_questions_are_marked_and_found_from_the_end() -> None:
    async with running(ThudApp(Replay(asking(0)))) as player:
        screen = await player.see(ReplayScreen)
        await player.press("end")
        assert "One question is open: n goes there." in said(screen)
        listed = screen.query_one(MoveTree)
        assert listed._moves[0].text.startswith("*")
        await player.until(lambda: "n Open question" in player.written)
        await player.press("n")
        assert screen.cursor.ply == 0
        await screen.play(screen.record.battles[0].moves[0])
        await player.press("end")
        assert "open" not in said(screen)
        assert not listed._moves[0].text.startswith("*")
        assert "All are found: n asks again." in said(screen)
        await player.until(lambda: "n Ask again" in player.written)
        await player.press("n")
        assert screen.cursor.ply == 0
        assert screen._asked


async def test_the_key_of_notes_passes_over_an_open_question() -> None:
    app = ThudApp(Replay(model_battle("classic-1").record()))
    async with running(app, (120, 40)) as player:
        screen = await player.see(ReplayScreen)
        await player.until(lambda: "n Next note" in player.written)
        while not screen._asked:
            await player.press("n")
        await player.until(lambda: "n Pass over" in player.written)
        asked = screen.cursor
        await player.press("n")
        assert screen.cursor != asked
        assert "A question was passed over: N goes back to it." in said(screen)
        await player.press("N")
        assert screen.cursor == asked
        assert "passed over" not in said(screen)
        assert screen.cursor.next_move
        await screen.play(screen.cursor.next_move)
        await player.until(lambda: "n Next note" in player.written)


async def test_at_a_question_neither_tab_nor_the_last_shove_points_to_a_capture() -> None:
    async with running(ThudApp(Replay(model_battle("classic-1").record())), (120, 40)) as player:
        screen = await player.see(ReplayScreen)
        place, board = screen.cursor.to(4), screen.pane.board
        assert place.next_move
        assert place.next_move.captures

        async def pick_up() -> None:
            screen.go_to(place)
            await player.press("enter")
            assert place.next_move
            board.move_cursor(place.next_move.origin)
            await player.press("enter")
            await player.until(lambda: bool(board.captures))

        screen.go_to(place)
        assert not board.view.strokes
        await pick_up()
        for _ in board.view.stops:
            before = board.cursor
            await player.press("tab")
            assert board.cursor == cycled(before, board.view.stops, 1)
        await player.press("escape")
        await screen.play(place.next_move)
        screen.go_to(place)
        assert board.view.strokes, "it is answered"
        await pick_up()
        await player.press("tab")
        assert board.cursor in board.captures


async def test_a_question_has_hints_and_the_computer_keeps_its_thoughts() -> None:
    async with running(ThudApp(Replay(asking(0)))) as player:
        screen = await player.see(ReplayScreen)
        move = screen.record.battles[0].moves[0]
        await player.until(lambda: "i: hint" in read(player))
        await player.press("v")
        assert not screen.pane.analysis.on
        await player.press("i")
        assert f"on {square_name(move.origin)}." in said(screen), "nothing else is known of it"
        assert screen.pane.board.cursor == move.origin
        await player.press("right", "right", "v")
        assert screen.pane.analysis.on
        await player.press("left")
        assert not screen.pane.analysis.display
        await player.press("right", "right")
        assert screen.pane.analysis.display


async def test_a_model_battle_is_left_without_a_question_unless_it_was_edited() -> None:
    app = ThudApp(Replay(model_battle("koom-1").record()))
    async with running(app) as player:
        screen = await player.see(ReplayScreen)
        for _ in range(2):
            await screen.play(screen.record.variant.legal_moves(screen.cursor.position)[0])
        assert screen.cursor.trail
        assert not screen.annotations.behind
        assert "not saved" not in said(screen)
        await player.press("D", "y")
        await player.until(lambda: screen.cursor.ply == 1)
        assert not screen.annotations.behind
        await player.press("home")
        await player.press("c")
        await player.press("enter")
        await player.press("right", *["!"] * 7)
        assert not screen.annotations.behind
        await player.press("!")
        assert screen.annotations.behind
        await screen.play(screen.record.variant.legal_moves(screen.cursor.position)[0])
        assert screen.annotations.behind


async def test_the_footer_begins_with_the_keys_that_walk() -> None:
    async with replaying(played("classic", 4), (120, 40)) as (_, player):
        assert player.written.splitlines()[-1].startswith("Enter Try a move  → Next  m Review")
