"""Mistakes as exercises: find a better move."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.ai.player import Limits
from thud.engines.analyst import Analyst
from thud.engines.faults import EngineFault
from thud.engines.refutation import refutation
from thud.exercises.drill import Drill, Verdict
from thud.review.judgement import is_mistake
from thud.review.reviewer import Reviewer
from thud.review.sentences import cost_in_words, did, is_gift, side_lines, why_better, wrong
from thud.review.summary import Marked, Reviewed, marked, worst_first
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.text import whose
from thud.words.moves import described

ENOUGH: Final = {True: 0.5, False: 0.05}
"""Greatest loss of a right answer: in points (True), or in chance of winning (False)."""

_LOOK: Final = Limits(nodes=8_000)
"""Limits for judging an answer, while the user waits."""

_SHOWN: Final = 3
"""Moves shown to refute a wrong answer whose loss comes later."""


class MistakeTask(NamedTuple):
    """A mistake, and the exercise to find a better move."""

    variant: Variant
    mistake: Marked
    words: str
    """The exercise's question."""
    analyst: Analyst

    @property
    def position(self) -> Position:
        """The position of the mistake."""
        return self.mistake.position

    @property
    def solution(self) -> Move:
        """The better move."""
        assert self.mistake.judgement.best is not None
        return self.mistake.judgement.best

    @property
    def line(self) -> tuple[Move, ...]:
        """The better move and its line."""
        return (self.solution, *self.mistake.judgement.line)

    @property
    def played(self) -> Move:
        """The mistake."""
        return self.mistake.move

    async def judge(self, move: Move | None) -> Verdict:
        """Judge a move: by the review if it knows the move, else with an engine."""
        if move is None:
            return Verdict(
                False, "The battle did not end here. What is better than the move played?"
            )
        if move == self.solution:
            because = why_better(self.variant, self.mistake, move)
            lost = f": better by {cost_in_words(self.variant, self.mistake)}"
            lost = "" if is_gift(self.variant, self.mistake) else lost
            return Verdict(True, f"Right{lost}. {because}")
        if move == self.mistake.move:
            return await self._missed(self.mistake, "That is the same move as was played.")
        battle = Battle(self.variant, self.position)
        battle.play(move)
        try:
            judgement = await Reviewer(battle, self.analyst, _LOOK).compare(0, self.solution)
        except EngineFault as fault:
            return Verdict(False, f"That cannot be judged: {fault}.", miss=False)
        ply, quiet = self.mistake.ply, self.mistake.quiet
        found = marked(self.variant, ply, self.position, move, judgement, quiet=quiet)
        if found.cost <= ENOUGH[self.variant.counts_points]:
            text = move_text(self.position, self.solution)
            judged = self.mistake.judgement._replace(promised=judgement.expected)
            because = why_better(self.variant, self.mistake._replace(judgement=judged), move)
            return Verdict(True, f"Right: as good as {text}. {because}")
        lost = cost_in_words(self.variant, found)
        return await self._missed(found, f"That loses {lost}.")

    async def _missed(self, found: Marked, words: str) -> Verdict:
        """Return a verdict that refutes a move on the board, without giving away the better one."""
        after, reply = self.position.after(found.move), found.judgement.reply
        if not reply and (decision := await refutation(self.variant, after)):
            reply = (decision.move,)
        answered = found.fault is not None and found.fault.answered
        tells = any(each[:2] == self.solution[:2] for each in reply[1:_SHOWN:2])
        shown = reply[: 1 if answered or tells else _SHOWN]
        because = wrong(self.variant, found) if answered else ""
        if not because and shown:
            because = f"The reply: the {described(self.variant, after, shown[0])}."
        return Verdict(False, f"{words} {because}".strip(), shown)


def asked_about(reviewed: Reviewed, side: Side) -> list[Marked]:
    """Return a side's mistakes with something better, the worst first.

    Dubious moves are among them only if there is nothing worse.
    """
    found = [each for each in reviewed.mistakes if each.side is side and each.judgement.best]
    return worst_first([each for each in found if is_mistake(each.mark)] or found)


def no_mistakes(reviewed: Reviewed, side: Side, name: str, *, so_far: bool = False) -> str:
    """Say why a side has no mistakes to drill: it made none, or none of its moves is judged."""
    if not reviewed.effort(side).moves:
        return next(side_lines(reviewed, side, name))
    return f"{name} made no mistakes with the {side.plural}{' so far' if so_far else ''}."


def mistakes_drill(
    reviewed: Reviewed,
    side: Side,
    name: str,
    analyst: Analyst | None = None,
    *,
    so_far: bool = False,
) -> Drill | None:
    """Return a drill of a side's mistakes in a battle, None if there are none.

    Args:
        reviewed: the battle.
        side: the side whose mistakes they are.
        name: its player's name.
        analyst: judges answers, and is closed by the drill; None makes one.
        so_far: whether more mistakes may be found.
    """
    own = asked_about(reviewed, side)
    if not own:
        return None
    title = f"{whose(name)} mistakes with the {side.plural}"
    farewell = ""
    if so_far:
        title, farewell = f"{title} so far: more may come", "More may come."
    elif len(own) == 1:
        farewell = "That was the only one."
    analyst, tasks = analyst or Analyst(), list[MistakeTask]()
    for mistake in own:
        turn = reviewed.battle.turn(mistake.ply)
        played = move_text(mistake.position, mistake.move)
        asked = f"Turn {turn}: {played} {did(reviewed.variant, mistake)}. What is better?"
        tasks.append(MistakeTask(reviewed.variant, mistake, asked, analyst))
    return Drill(
        title,
        tasks,
        farewell=farewell,
        skips=True,
        slow=True,
        release=analyst.close,
        tallied=True,
    )
