"""Going over mistakes: right moves, wrong moves, and their refutations."""

import pytest

from review.judging import Thinking, battle_of, record_of, reviewed_of
from thud.ai.player import Decision, Limits
from thud.engines.analyst import Analyst
from thud.engines.faults import EngineMissing
from thud.exercises import mistakes
from thud.exercises.drill import Drill, Verdict
from thud.exercises.mistakes import MistakeTask, mistakes_drill
from thud.review.judgement import Judgement
from thud.review.reviewer import Reviewer
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
HURLED = Position.from_text("5/7/9/11/13/15/6T8/7R7/4d10/3d11/2d10/11/9/7/5 d")
"""Three dwarfs in a line aim at a troll that stands alone."""


class _Failing(Analyst):
    """An analyst that always fails."""

    async def analyse(self, *_: object, **__: object) -> Decision:
        raise EngineMissing("it is gone")


@pytest.fixture
def task(monkeypatch: pytest.MonkeyPatch) -> MistakeTask:
    monkeypatch.setattr(mistakes, "_LOOK", Limits(nodes=300))
    drill = drilled(Judgement(-400, 300, move("dE9-G7xG7"), (), ()))
    (only,) = drill.tasks
    assert isinstance(only, MistakeTask)
    return only


def move(text: str) -> Move:
    return parse_move(CLASSIC, HURLED, text)


def drilled(*judged: Judgement, analyst: Analyst | None = None) -> Drill:
    battle = battle_of(CLASSIC, "dE9-A9", "TG7-G6", "dA9-E9", "TG6-G7", start=HURLED)
    judgements = {2 * place: judgement for place, judgement in enumerate(judged)}
    reviewed = reviewed_of(record_of(battle), judgements)
    drill = mistakes_drill(reviewed, Side.DWARFS, "Ann", analyst or Thinking(CLASSIC))
    assert drill
    return drill


async def test_only_the_best_move_is_right_and_no_answer_tells_it(task: MistakeTask) -> None:
    assert "Turn 1: dE9-A9 lost 7.0 points. What is better?" in task.words
    assert (await task.judge(task.solution)).right
    verdict = await task.judge(task.mistake.move)
    assert not verdict.right
    assert "That is the same move as was played." in verdict.words
    assert "xG7" not in verdict.words
    assert "The reply: " in verdict.words, "also where the review kept none"
    assert not (await task.judge(None)).right, "to propose the end is not asked for"
    poor = await task.judge(move("dE9-B9"))
    assert not poor.right
    assert "That loses" in poor.words
    assert "xG7" not in poor.words


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (("TG7-G6", "dE9-E8", "TG6-G5"), 3),
        (("TG7-H7", "dE9-G7", "TH7-H6"), 1),
    ],
    ids=["another plan", "the better move, a move later"],
)
async def test_what_follows_a_wrong_move_is_shown_unless_it_tells_the_answer(
    monkeypatch: pytest.MonkeyPatch, line: tuple[str, ...], shown: int
) -> None:
    battle = battle_of(CLASSIC, "dD11-D12", *line, start=HURLED)
    reply = tuple(battle.moves[1:])

    async def compared(*_: object) -> Judgement:
        return Judgement(0, 300, move("dE9-G7xG7"), (), reply)

    monkeypatch.setattr(Reviewer, "compare", compared)
    (task,) = drilled(Judgement(-400, 300, move("dE9-G7xG7"))).tasks
    verdict = await task.judge(move("dD11-D12"))
    assert not verdict.right
    assert verdict.words.endswith(f" The reply: the troll steps from G7 to {line[0][-2:]}.")
    assert len(verdict.answers) == shown


async def test_a_move_that_is_as_good_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    async def as_good(*_: object) -> Judgement:
        return Judgement(260, 300, move("dE9-G7xG7"))

    monkeypatch.setattr(Reviewer, "compare", as_good)
    (task,) = drilled(Judgement(-400, 300, move("dE9-G7xG7"))).tasks
    verdict = await task.judge(move("dE9-B9"))
    assert verdict.right
    assert verdict.words == "Right: as good as dE9-G7xG7. It gets the dwarf out of danger."
    verdict = await task.judge(task.solution)
    assert verdict.words == "Right: better by 7.0 points. It wins at once."


async def test_a_computer_that_fails_is_told_of_and_counts_no_miss() -> None:
    (task,) = drilled(Judgement(-400, 300, move("dE9-G7xG7")), analyst=_Failing()).tasks
    verdict = await task.judge(move("dE9-B9"))
    assert not verdict.right
    assert not verdict.miss
    assert "it is gone" in verdict.words


async def test_one_process_judges_every_attempt_and_ends_with_the_drill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mistakes, "_LOOK", Limits(nodes=50))
    analyst = Analyst()
    drill = drilled(Judgement(-400, 300, move("dE9-G7xG7")), analyst=analyst)
    processes = set[int]()
    for text in "dE9-B9", "dE9-C9":
        await drill.attempt(move(text))
        (engine,) = analyst._engines
        assert engine._program
        processes.add(id(engine._program))
    assert len(processes) == 1
    await drill.close()
    assert not engine.running


def test_what_was_dubious_is_gone_over_where_nothing_is_worse_and_all_but_the_last_skipped() -> (
    None
):
    best = move("dE9-G7xG7")
    blunder, dubious = Judgement(-400, 300, best), Judgement(150, 300, best)
    assert [each.mistake.ply for each in tasks(drilled(dubious))] == [0]
    later = battle_of(CLASSIC, "dE9-A9", "TG7-G6", start=HURLED).position
    third = Judgement(-400, 300, parse_move(CLASSIC, later, "dA9-E9"))
    assert [each.mistake.ply for each in tasks(drilled(dubious, third))] == [2]
    drill = drilled(blunder, third)
    assert [each.mistake.ply for each in tasks(drill)] == [0, 2]
    assert drill.skip()
    assert drill.place == 1
    assert not drill.skip()
    assert drill.last_words == "0 of 2 found at the first try, two skipped."
    assert not Drill("lesson", drill.tasks).skip()


def test_the_end_tells_how_many_were_found_at_the_first_try_and_what_came_of_others() -> None:
    best = move("dE9-G7xG7")
    task = tasks(drilled(Judgement(-400, 300, best)))[0]
    drill = Drill("five", (task,) * 5, skips=True, tallied=True)
    right, wrong = Verdict(True, ""), Verdict(False, "")
    for verdicts in ((right,), (wrong, wrong, right)):
        for verdict in verdicts:
            drill.count(verdict)
        assert drill.proceed()
    drill.hint()
    drill.count(right)
    assert drill.proceed()
    assert drill.skip()
    drill.count(wrong)
    drill.give_up()
    assert drill.over
    told = "one with a hint, one at a later try, one shown, one skipped."
    assert drill.last_words == f"1 of 5 found at the first try, {told}"


def tasks(drill: Drill) -> list[MistakeTask]:
    return [task for task in drill.tasks if isinstance(task, MistakeTask)]


def test_who_made_none_has_nothing_to_go_over() -> None:
    battle = battle_of(CLASSIC, "dE9-A9", start=HURLED)
    reviewed = reviewed_of(record_of(battle), {0: Judgement(0, 0)})
    assert mistakes_drill(reviewed, Side.DWARFS, "Ann") is None
    assert mistakes_drill(reviewed, Side.TROLLS, "Bob") is None
