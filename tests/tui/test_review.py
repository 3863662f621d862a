"""A match is judged where it is replayed: marks, reasons, what was better, and learning from it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App
from textual.widgets import Input, Static

from records.matches import variations_of
from rules.drawing import drawn
from sampling import sampled
from thud.ai.player import Limits
from thud.engines.analyst import Analyst
from thud.engines.spec import parse_contender
from thud.exercises.next_step import Step
from thud.records.programs import written
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.review.judgement import Judgement
from thud.review.notes import EDITION, are_outdated, judgements_in, with_judgements
from thud.review.reviewer import Judged
from thud.review.summary import Progress
from thud.rules.geometry import squares_of
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.tui import delivery
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.look import SquareMark
from thud.tui.board.widget import Board
from thud.tui.delivery import PictureScreen
from thud.tui.drill.screen import DrillScreen
from thud.tui.help.page import DiagramView
from thud.tui.keys.bar import KeyBar
from thud.tui.replay.move_tree import MoveTree
from thud.tui.replay.screen import ReplayScreen
from thud.tui.review.summary import MoveBlock, Shown, SideBlock, SummaryScreen
from thud.tui.start import PlayMatch, Replay
from thud.tui.widgets.appearance import piece_set
from thud.tui.widgets.margin_graph import MarginGraph
from thud.tui.widgets.prompt import Prompt
from thud.tui.widgets.standing import Standing
from tui.driver import running, work_done
from tui.test_keys import offered
from tui.test_replay import commented, said
from tui.test_variations import PLAYED, short

CLASSIC = VARIANTS["classic"]


def judgements() -> list[Judgement]:
    """Return judgements of the four moves of a battle: the third left two dwarfs hanging."""
    match = Match(CLASSIC)
    found = []
    for ply, text in enumerate(PLAYED):
        position = match.battle.position
        if ply == 2:
            best = parse_move(CLASSIC, position, "dF5-F1")
            after = position.after(best)
            line = (parse_move(CLASSIC, after, "TF6-G7"),)
            match.battle.play(parse_move(CLASSIC, position, text))
            reply = (parse_move(CLASSIC, match.battle.position, PLAYED[3]),)
            found.append(Judgement(-250, 0, best, line, reply))
        else:
            match.battle.play(parse_move(CLASSIC, position, text))
            found.append(Judgement(0, 0))
    return found


class Judge:
    """Judges moves as far as it is let."""

    def __init__(self) -> None:
        self.allowed = asyncio.Semaphore(0)
        self.cancelled = False
        self.asked = list[Analyst]()
        self.plies = list[tuple[int, int]]()

    async def __call__(
        self,
        record: Record,
        number: int,
        plies: list[int],
        analyst: Analyst,
        tell: Callable[[Judged], None],
        *,
        limits: Limits | None = None,
    ) -> None:
        self.asked.append(analyst)
        if limits:
            return  # a glance
        self.plies += [(number, ply) for ply in plies]
        try:
            for ply in plies:
                await self.allowed.acquire()
                tell(Judged(ply, judgements()[ply]))
        except asyncio.CancelledError:
            self.cancelled = True
            raise

    def allow(self, moves: int) -> None:
        for _ in range(moves):
            self.allowed.release()


KNOWN = "The computer's battles begin the same way for one move."


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer how far the computer's battles go along without looking."""
    monkeypatch.setattr("thud.tui.review.summary.left_known", lambda *_: KNOWN)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    judge = Judge()
    monkeypatch.setattr("thud.tui.review.judging.judge_battle", judge)
    return judge


def judged(record: Record) -> Record:
    """Return a match with the judgement of both battles."""
    for number in (1, 2):
        record = with_judgements(record, number, dict(enumerate(judgements())))
    return record


def screen_of(app: App[None]) -> ReplayScreen:
    screen = app.screen
    assert isinstance(screen, ReplayScreen)
    return screen


def listed(screen: ReplayScreen) -> str:
    tree = screen.query_one(MoveTree)
    return "\n".join(tree.render_line(y).text.rstrip() for y in range(tree.size.height))


def kept_match(directory: Path, record: Record | None = None) -> tuple[ThudApp, Store, str]:
    """Return a replay of a match that is kept, where to, and by which name."""
    store = Store(directory)
    with store.adopt(record or Record.of(short())) as saved:
        name = saved.id
    return ThudApp(Replay(store.load(name), name=name), store=store), store, name


async def test_m_judges_marks_appear_and_the_match_keeps_them(judge: Judge, tmp_path: Path) -> None:
    app, store, name = kept_match(tmp_path)
    async with running(app) as player:
        await player.settled()
        assert offered(app).isdisjoint({"Mistake", "Better", "Your mistakes"})
        for key in "nwM":
            await player.press("right", key)
            assert "Review it first: m." in said(screen_of(app))
        await player.press("m")
        judge.allow(3)
        await player.until(
            lambda: "G5??" in listed(screen_of(app)) or "G5?" in listed(screen_of(app))
        )
        assert "3 of 8 moves judged" in said(screen_of(app))
        await player.press("end", "n")
        told = said(screen_of(app))
        assert "No mistake found ahead yet." in told
        assert "█" in told
        assert "░" in told
        judge.allow(5)
        await player.until(lambda: "The review is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        await work_done(app)
        await player.press("escape")
        kept = store.load(name)
        assert all(len(judgements_in(CLASSIC, each)) == 4 for each in kept.battles)
    first, second = judge.asked
    assert first is second, "the processes of the first battle judge the second, too"


@pytest.mark.slow
async def test_m_judges_anew_what_an_earlier_version_judged(judge: Judge, tmp_path: Path) -> None:
    (old,) = read_tgn(tgn_text(judged(Record.of(short()))).replace(f" [%judge {EDITION}]", ""))
    app, store, name = kept_match(tmp_path, old)
    async with running(app) as player:
        await player.settled()
        await player.press("n")
        assert "Judged by an earlier version of Thud: m judges anew." in said(screen_of(app))
        await player.press("m")
        judge.allow(8)
        await player.until(lambda: "The review is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        await work_done(app)
        await player.press("escape", "n")
        assert "earlier version" not in said(screen_of(app))
    assert not any(map(are_outdated, store.load(name).battles))


@pytest.mark.parametrize("key", sampled(["escape", "q"]))
async def test_who_leaves_stops_it_and_what_there_is_is_kept(
    judge: Judge, tmp_path: Path, key: str
) -> None:
    app, store, name = kept_match(tmp_path)
    async with running(app) as player:
        await player.settled()
        await player.press("m")
        judge.allow(2)
        await player.until(lambda: "2 of 8" in said(screen_of(app)))
        await player.press(key)
        await player.until(lambda: judge.cancelled and app._exit)
    assert sorted(judgements_in(CLASSIC, store.load(name).battles[0])) == [0, 1]
    app = ThudApp(Replay(store.load(name), name=name), store=store)
    async with running(app) as player:
        await player.settled()
        await player.press("m")
        await player.until(lambda: "2 of 8 moves judged." in said(screen_of(app)))
        judge.allow(1)
        await player.until(lambda: "3 of 8 moves judged." in said(screen_of(app)))


async def test_escape_ends_trying_moves_and_the_review_goes_on(
    judge: Judge, tmp_path: Path
) -> None:
    app, *_ = kept_match(tmp_path)
    async with running(app) as player:
        await player.settled()
        await player.press("m")
        judge.allow(2)
        await player.until(lambda: "2 of 8" in said(screen_of(app)))
        await player.press("enter")
        assert screen_of(app).pane.trying
        await player.press("escape")
        assert not screen_of(app).pane.trying
        await player.press("backspace")
        judge.allow(1)
        await player.until(lambda: "3 of 8" in said(screen_of(app)))
        assert not judge.cancelled
        assert "When all are, m shows the summary." in " ".join(said(screen_of(app)).split())


async def test_mistakes_tried_while_a_review_runs_are_those_so_far(
    judge: Judge, tmp_path: Path
) -> None:
    app, *_ = kept_match(tmp_path)
    async with running(app) as player:
        await player.settled()
        await player.press("m")
        judge.allow(3)
        await player.until(lambda: "3 of 8 moves judged" in said(screen_of(app)))
        await player.press("M", "t")
        assert "made no mistakes with the trolls so far." in said(screen_of(app))
        await player.press("M", "d")
        screen = await player.see(DrillScreen)
        assert screen.drill.title.endswith(" so far: more may come")
        await player.press("n")
        assert "one skipped. More may come." in asked(screen)


async def test_what_is_judged_while_the_screen_goes_is_kept_and_not_shown(
    judge: Judge, tmp_path: Path
) -> None:
    app, store, name = kept_match(tmp_path)
    async with running(app) as player:
        await player.settled()
        assert "m Review" in player.text("KeyBar")
        await player.press("m")
        await player.until(lambda: screen_of(app).review_task.running)
        await player.until(lambda: "m Review" not in player.text("KeyBar"))
        await screen_of(app).pane.remove()
        judge.allow(8)
        await player.until(lambda: not screen_of(app).review_task.running)
        await work_done(app)
    assert len(judgements_in(CLASSIC, store.load(name).battles[0])) == 4


async def test_what_needs_pillow_is_not_offered_without_it(
    reviewed: ThudApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "has_pillow", lambda: False)
    async with running(reviewed) as player:
        await player.press("S")
        await player.see(PictureScreen)
        assert "for .png and .gif install Thud as '.[pictures]'" in player.text("Label")
        assert player.app.screen.query_one(Input).value.endswith(".svg")


@pytest.fixture
def reviewed() -> ThudApp:
    return ThudApp(Replay(judged(Record.of(short()))))


async def test_n_goes_to_mistakes_and_the_board_shows_what_is_wrong(reviewed: ThudApp) -> None:
    async with running(reviewed) as player:
        await player.settled()
        await player.press("n")
        screen = screen_of(reviewed)
        assert (screen.cursor.ply, screen.cursor.trail) == (3, ())
        assert screen.excerpt().advised == judgements()[2].best
        told = said(screen)
        assert "%eval" not in told
        assert "? Mistake. Cost the dwarfs 3 points." in told
        assert "The reply: " in told
        assert "Better: dF5-F1." in told
        view = screen.pane.board.view
        assert SquareMark.ADVISED in view.marks.values()
        assert view.threatened
        await player.press("n")
        assert "No further mistake ahead" in said(screen)
        await player.press("left")
        assert SquareMark.ADVISED not in screen.pane.board.view.marks.values()
        assert screen.excerpt().advised is None
        await player.press("right", "right", "N")
        assert screen.cursor.ply == 3
        await player.press("c", *"oh", "enter")
        await work_done(reviewed)
        assert "oh" in commented(screen)
        assert judgements_in(CLASSIC, screen.record.battles[0])[2] == judgements()[2]


async def test_what_was_better_is_gone_along_as_a_variation(reviewed: ThudApp) -> None:
    async with running(reviewed) as player:
        await player.settled()
        await player.press("w")
        told = "No better move is known here."
        assert f"{told} Press n for the next mistake." in said(screen_of(reviewed))
        await player.press("n", "right", "w")
        assert told in said(screen_of(reviewed))
        assert "Press n" not in said(screen_of(reviewed)), "there is no other"
        await player.press("left", "w")
        await work_done(reviewed)
        screen = screen_of(reviewed)
        assert (screen.cursor.trail, screen.cursor.ply) == (((2, 0),), 3)
        assert screen.cursor.last == 4
        await player.press("up", "n", "w")
        await work_done(reviewed)
        assert len(variations_of(screen.record.battles[0].line)) == 1


async def test_a_better_move_is_offered_only_where_one_is_known_in_the_battle() -> None:
    record = with_judgements(Record.of(short()), 1, dict.fromkeys(range(4), Judgement(0, 0)))
    record = with_judgements(record, 2, dict(enumerate(judgements())))
    async with running(ThudApp(Replay(record)), (120, 40)) as player:
        await player.settled()
        assert "m Summary" in player.text("KeyBar")
        assert "w Better move" not in player.text("KeyBar")
        await player.press("w")
        assert "No better move is known in this battle." in said(screen_of(player.app))
        await player.press("b")
        assert "w Better move" in player.text("KeyBar")


@pytest.mark.parametrize("battles", [1, 2])
async def test_nothing_is_offered_of_the_review_of_a_battle_without_moves(battles: int) -> None:
    match = Match(CLASSIC, ("Anna", "Bert"))
    match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    if battles == 2:
        match.next_battle()
        for text in PLAYED:
            match.battle.play(parse_move(CLASSIC, match.battle.position, text))
    record = Record.of(match)
    if battles == 2:
        record = with_judgements(record, 2, dict(enumerate(judgements())))
    async with running(ThudApp(Replay(record)), (120, 40)) as player:
        await player.settled()
        bar = player.text("KeyBar")
        assert "Better move" not in bar
        assert "Your mistakes" not in bar
        assert ("m Summary" in bar) == (battles == 2)
        for key in "wMm"[: 4 - battles]:
            await player.press(key)
            assert not player.question
            assert "There is no move to judge." in said(screen_of(player.app))


async def test_mistakes_are_dots_on_the_graph_and_coloured_in_the_list(reviewed: ThudApp) -> None:
    async with running(reviewed) as player:
        await player.settled()
        for keys in (), ("n",):
            await player.press(*keys)
            assert player.written.count("•") == 1, "also where it is shown"
        await player.press("home")
        tree = screen_of(reviewed).query_one(MoveTree)
        segments = [segment for y in range(2) for segment in tree.render_line(y)]
        (wrong,) = (each.style for each in segments if each.text.strip() == "dG1-G5?")
        (fine,) = (each.style for each in segments if each.text.strip() == "dF1-F5")
        assert wrong
        assert fine
        assert wrong.color == tree.get_component_rich_style("moves--mistake").color
        assert wrong.color != fine.color


@pytest.mark.parametrize("size", sampled([(80, 24), (160, 50)]))
async def test_the_summary_fits(size: tuple[int, int], reviewed: ThudApp) -> None:
    async with running(reviewed, size) as player:
        await player.settled()
        await player.press("m")
        screen = await player.see(SummaryScreen)
        summed, story = screen.query_one("#summed"), screen.query_one("#story")
        assert (summed.max_scroll_y > 0) == (size[1] == 24)
        assert screen.query_one(MarginGraph).region.bottom <= summed.region.bottom
        result = screen.query_one("#result", Static)
        assert str(result.render()).splitlines() == [
            "Battle 1 of 2. Both players agree. Bert wins by 2 points.",
            "Accuracy: the best moves have 100%, level 8 about 81%, level 1 36%.",
        ]
        told = str(screen.query_one("#verdict", Static).render())
        assert told.startswith(
            "The turning point was turn 2: dG1-G5 by Anna.\nBetween equal players the dwarfs end "
        )
        for each in (KNOWN, "Battle 2.", "is marked ?!"):
            assert (each in told) == (size[1] > 24)
        assert "One move left pieces hanging." in player.written or size[1] == 24
        assert "d  The dwarfs' mistake" in player.written
        bar = str(screen.query_one(KeyBar).render())
        assert "Next mark" not in bar, "there is only one"
        assert "Turn 2, dG1-G5 ?" in player.written
        assert screen.query_one(DiagramView).display == (size[1] > 24)
        legend = "Marked: the dwarf moves from G1 to G5. The reply: the troll steps"
        assert legend in str(screen.query_one(".legend", Static).render())
        await player.press("end")
        await player.until(lambda: summed.region.contains_region(story.region))
        await player.press("N")
        assert player.app.screen is screen, "the mark before, not what is next"
        first, second = (each.region for each in screen.query(SideBlock))
        assert (first.y, first.height) == (second.y, second.height)
        await player.press("b")
        assert str(result.render()).startswith("Battle 2 of 2")
        await player.press("escape")
        assert screen_of(reviewed).cursor.ply == 0


@pytest.mark.parametrize("blunders", [2, 12])
async def test_the_numbers_of_marks_are_named_where_the_rows_have_no_room_for_it(
    blunders: int,
) -> None:
    match, judged = Match(CLASSIC), dict[int, Judgement]()
    for ply in range(2 * blunders):
        best, *_, move = CLASSIC.legal_moves(match.battle.position)
        judged[ply] = Judgement(0, 0) if ply % 2 else Judgement(-900, 0, best)
        match.battle.play(move)
    record = with_judgements(Record.of(match), 1, judged)
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        await player.settled()
        await player.press("m")
        dwarfs, trolls = (await player.see(SummaryScreen)).query(SideBlock)
        await player.until(lambda: f"{blunders} blunders" in str(dwarfs.render()))
        roomy = blunders == 2
        assert ("blunders turns 1, 2" in str(dwarfs.render())) == roomy
        assert dwarfs.border_subtitle == ("" if roomy else "numbers: turns")
        assert not trolls.border_subtitle
        assert not dwarfs.has_class("-empty")


async def test_the_curve_uses_the_height_if_one_side_leads_all_the_way() -> None:
    record = Record.of(short())
    for number in (1, 2):
        record = with_judgements(record, number, dict.fromkeys(range(4), Judgement(-2400, -2400)))
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        await player.settled()
        await player.press("m")
        graph = (await player.see(SummaryScreen)).query_one(MarginGraph)
        await player.pilot.pause()
        lines = [graph.render_line(y) for y in range(graph.size.height)]
        assert lines[0].text.split()[0] == "even", "the dwarfs have no lines"
        assert any(each.text.strip() in {"+10", "+12"} for each in lines[1:-2])
        assert lines[-2].text.split()[:2] == ["trolls", "+24"]
        assert lines[-1].text.split() == ["turn", "1", "2"]
        drawn = [
            sum(bool(each.style and each.style.reverse) for each in line) for line in lines[:-1]
        ]
        assert len(lines) > 6
        assert len({*drawn}) == 1, "all lines are the trolls'"


async def test_marks_in_the_summary_lead_to_their_moves(reviewed: ThudApp) -> None:
    async with running(reviewed, (120, 40)) as player:
        await player.settled()
        await player.press("m")
        screen = await player.see(SummaryScreen)
        assert screen.query_one(MoveBlock).border_title == "The worst move · mark 1 of 1"
        await player.press("n")
        assert screen.query_one(MoveBlock).border_title == "The worst move · mark 1 of 1"
        await player.press("enter")
        assert screen_of(reviewed).cursor.ply == 3
        assert "Esc Summary" in str(screen_of(reviewed).query_one(KeyBar).render())
        await player.press("left", "escape")
        assert (await player.see(SummaryScreen))._now == 2, "back where one came from"
        await player.press("escape")
        assert "Esc Back" in str(screen_of(reviewed).query_one(KeyBar).render())
        await player.press("m")
        graph = (await player.see(SummaryScreen)).query_one(MarginGraph)
        assert graph._column_of(4) > graph.size.width // 2, "a short battle fills the width"
        graph.post_message(MarginGraph.Picked(2))
        await player.see(ReplayScreen)
        assert screen_of(reviewed).cursor.ply == 2


async def test_marks_in_the_summary_come_in_turn_after_the_one_shown() -> None:
    positions, found = Record.of(short()).battles[0].positions(), list[Judgement]()
    for position, expected in zip(positions, (-200, 0, -600, 300), strict=False):
        found.append(Judgement(expected, 0, CLASSIC.legal_moves(position)[0] if expected else None))
    record = with_judgements(Record.of(short()), 1, dict(enumerate(found)))
    record = with_judgements(record, 2, dict(enumerate(judgements())))
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        await player.settled()
        await player.press("m")
        block = (await player.see(SummaryScreen)).query_one(MoveBlock)
        titles, heights = [], set()
        for _ in range(4):
            titles.append(block.border_title)
            heights.add(block.size.height)
            await player.press("n")
            await player.pilot.pause()
        worst = "The worst move · mark 2 of 3"
        assert titles == [worst, "Mark 3 of 3", "Mark 1 of 3", worst]


async def test_the_summary_ends_with_what_is_next(
    reviewed: ThudApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def practise(_: object) -> Step:
        return Step("practise", "two positions to practise", "thud practise")

    monkeypatch.setattr("thud.tui.review.summary.next_of", practise)
    async with running(reviewed, (80, 24)) as player:
        await player.settled()
        await player.press("m")
        screen = await player.see(SummaryScreen)
        await player.until(lambda: "o  Next: two positions to practise" in player.written)
        summed, graph = screen.query_one("#summed"), screen.query_one(MarginGraph)
        assert graph.region.bottom <= summed.region.bottom


async def test_once_a_review_is_ready_its_key_is_named_by_what_it_shows(
    reviewed: ThudApp,
) -> None:
    async with running(reviewed, (80, 24)) as player:
        first = "Enter Try a move → Next n Next mistake m Summary "
        await player.until(lambda: player.written.splitlines()[-1].startswith(first))


def test_a_marked_move_is_shown_with_the_capture_that_tells_its_fault() -> None:
    battle = Progress(judged(Record.of(short()))).reviewed(1)
    shown = Shown.of(battle.mistakes[0])
    before, after = shown.boards(CLASSIC)
    assert after.caption == "after the reply"
    assert before.following == battle.mistakes[0].move
    seen = {square for _, row in after.rows() for square in row}
    assert after.last
    assert {*squares_of(after.last.captures)} <= seen


def test_a_move_far_from_the_reply_that_the_boards_show_is_not_called_marked() -> None:
    before = drawn("   A N O\n6  d . .\n7  . . d\n8  . . T", "d")
    for origin, told in (("A6-A7", ""), ("O7-O6", "Marked: the dwarf moves from O7 to O6. ")):
        move = parse_move(CLASSIC, before, f"d{origin}")
        capture = next(each for each in CLASSIC.legal_moves(before.after(move)) if each.captures)
        shown = Shown(before, move, capture, is_better=False)
        assert shown.in_words(CLASSIC).startswith(f"{told}The reply: the troll")


async def test_names_have_the_room_of_a_battle_that_was_not_played() -> None:
    names = ("Samuel Vimes of Ankh", "Mr Chrysoprase the 1st")
    match = Match(CLASSIC, names)
    for text in PLAYED:
        match.battle.play(parse_move(CLASSIC, match.battle.position, text))
    record = with_judgements(Record.of(match), 1, dict(enumerate(judgements())))
    async with running(ThudApp(Replay(record)), (80, 24)) as player:
        await player.settled()
        await player.press("m")
        await player.see(SummaryScreen)
        assert any(all(name in line for name in names) for line in player.written.splitlines())


def against_a_level(*judged: Judgement) -> Record:
    """Return a match of Ann against a level, its first battle judged."""
    record = Record.of(short(), programs=("", written(2)))
    return with_judgements(record, 1, dict(enumerate(judged)))


@pytest.mark.slow
async def test_who_played_a_computer_is_you_in_a_replay_and_its_summary(
    tmp_path: Path, judge: Judge
) -> None:
    app, store, name = kept_match(tmp_path, against_a_level(*judgements()))
    async with running(app) as player:
        await player.settled()
        assert "You" in player.standing
        await player.press("right")
        assert "You move F1-F5" in said(screen_of(app))
        judge.allow(4)
        await player.press("m")
        await player.see(ReplayScreen)
        await player.until(lambda: "The review is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        await player.settled()
        assert "The turning point was turn 2: dG1-G5 by you." in player.written
        assert "You" in player.written
        assert "Anna" not in player.written
        bar = str(app.screen.query_one(KeyBar).render())
        assert "M Your mistakes" in bar
        assert "Dwarfs' mistakes" not in bar
        await player.press("M")
        await player.see(DrillScreen)
        assert "Your mistakes with the" in player.written
    assert store.load(name).players[0] == "Anna"


async def test_the_keys_of_mistakes_go_to_ones_own_first_then_to_the_computers() -> None:
    positions, found = Record.of(short()).battles[0].positions(), list[Judgement]()
    for position, expected in zip(positions, (0, 300, -600, 300), strict=False):
        found.append(Judgement(expected, 0, CLASSIC.legal_moves(position)[0] if expected else None))
    record = against_a_level(*found)
    async with running(ThudApp(Replay(record))) as player:
        await player.settled()
        screen = screen_of(player.app)
        for key, ply in (("n", 3), ("n", 2), ("N", 3), ("n", 2)):
            await player.press(key)
            assert screen.cursor.ply == ply
        assert "From here on: " in said(screen)
        await player.press("n")
        assert screen.cursor.ply == 4
        assert "From here on: " not in said(screen)
        await player.press("n")
        assert "No further mistake ahead in this battle." in said(screen)
        await player.press("home", "n")
        assert screen.cursor.ply == 3
        assert "From here on" not in said(screen)


async def test_who_leaves_the_mistakes_of_a_summary_is_back_there(judge: Judge) -> None:
    app = ThudApp(Replay(against_a_level(*judgements())))
    async with running(app) as player:
        await player.settled()
        judge.allow(4)
        await player.press("m")
        await player.until(lambda: "is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        await player.press("d")
        await player.see(DrillScreen)
        await player.press("q")
        await player.see(SummaryScreen)
        await player.press("d")
        await player.see(DrillScreen)
        await player.press("colon", *"f5f1", "enter")
        await player.until(lambda: "Right" in player.written)
        await player.press("enter")
        await player.see(SummaryScreen)
        await player.press("escape")
        await player.see(ReplayScreen)
        await player.press("M")
        await player.see(DrillScreen)
        await player.press("q")
        await player.see(ReplayScreen)


async def test_somebody_elses_record_keeps_its_names() -> None:
    async with running(ThudApp(Replay(against_a_level()))) as player:
        await player.settled()
        assert "Anna" in player.standing


async def test_learning_asks_whose_and_goes_over_mistakes(reviewed: ThudApp) -> None:
    async with running(reviewed) as player:
        await player.settled()
        await player.press("M")
        assert "Whose?" in player.question
        await player.press("t")
        assert "Bert made no mistakes with the trolls." in said(screen_of(reviewed))
        await player.press("M", "d")
        assert reviewed.screen.query_one(Board).piece_set == piece_set(reviewed.settings)
        screen = await player.see(DrillScreen)
        assert " lost 3 points. What is better?" in screen.drill.task.words
        await player.press("colon", *PLAYED[2][1:].lower(), "enter")
        await player.until(lambda: "That is the same move as was played." in asked(screen))
        await player.press("enter", "colon", *"f5f1", "enter")
        await player.until(lambda: "Right: better by 3 points." in asked(screen))
        told = "0 of 1 found at the first try, one at a later try. That was the only one."
        assert told in asked(screen)
        await player.press("enter")
        await player.pilot.pause()
        assert screen_of(reviewed).cursor.ply == 0
        await player.press("M", "d")
        screen = await player.see(DrillScreen)
        await player.press("n")
        assert "0 of 1 found at the first try, one skipped." in asked(screen)
        await player.press("enter")
        await player.see(ReplayScreen)


def asked(screen: DrillScreen) -> str:
    return str(screen.query_one(Prompt).render())


async def test_a_battle_that_is_over_is_judged_and_its_board_comes_back(
    judge: Judge, tmp_path: Path
) -> None:
    match, store = short(), Store(tmp_path)
    session = Session(match, Autosave(store))
    app = ThudApp(PlayMatch(session), store=store)
    async with running(app) as player:
        assert "review" in str(app.screen.query_one(Prompt).render())
        judge.allow(8)
        await player.press("m")
        await player.see(ReplayScreen)
        await player.until(lambda: "The review is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        await player.press("escape")
        await work_done(app)
        replay = screen_of(app).query_one(Standing)
        assert replay._glyphs == app.screen_stack[0].query_one(Standing)._glyphs
        await player.press("escape")
        await player.see(BattleScreen)
        record = session.record
        assert all(len(judgements_in(CLASSIC, each)) == 4 for each in record.battles)
        assert record.battles[0].moves == match.battles[0].moves


async def test_the_end_of_a_match_and_its_review_judge_a_move_alike(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    at_the_end, store = Judge(), Store(tmp_path)
    monkeypatch.setattr("thud.session.costliest.judge_battle", at_the_end)
    at_the_end.allow(4)
    seats = parse_contender("human"), parse_contender("cpu:1")
    session = Session(short(), Autosave(store), seats)
    app = ThudApp(PlayMatch(session), store=store)
    async with running(app, (120, 40)) as player:
        # Without the coach, too.
        await player.until(lambda: "Your costliest move: turn 2, dG1-G5" in player.written)
        assert "Cost the dwarfs 3 points" in player.message
        assert "so few moves say little" in " ".join(player.question.split())
        judge.allow(4)
        await player.press("m")
        await player.see(ReplayScreen)
        cursor = screen_of(app).cursor
        assert (cursor.number, cursor.ply) == (1, 3), "after the costliest move"
        await player.until(lambda: "The review is ready" in said(screen_of(app)))
        await player.press("m")
        await player.see(SummaryScreen)
        assert "Turn 2, dG1-G5 ?" in player.written
        assert "Cost the dwarfs 3 points" in player.written
    assert judge.plies == [(1, 1), (1, 3), (2, 0), (2, 2)], "only what is not judged yet"
