"""Reviewing a battle in plain text: judgements, mistakes, variations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from operator import add
from time import monotonic

from thud.disk.directories import cache_directory
from thud.engines.analyst import Analyst
from thud.engines.processors import processors
from thud.plain.drill import run
from thud.plain.match_repl import MatchRepl
from thud.records.annotation import annotation_in, written_shapes
from thud.records.record import BattleRecord, Line, Node, moves_of, positions_along
from thud.records.tgn.notes import prose
from thud.review.known import left_known
from thud.review.mistakes import mistakes_drill
from thud.review.reviewer import Judged, judge_battle
from thud.review.sentences import heading, how_far, in_turn, summary_lines
from thud.review.summary import Progress
from thud.rules.match import side_of
from thud.rules.notation import texts_of
from thud.rules.position import Position, Side
from thud.text import plural, sentence
from thud.wording.records import addressed_in

_BEGUN = "The computer judges every move. This can take a minute."


def review(repl: MatchRepl) -> None:
    """Review the current battle, reporting marked moves as they are found, and save the review.

    Raises:
        ValueError: the battle is not over, or the review cannot be saved.
    """
    session, number = repl.session, repl.match.number
    if session.battle.outcome is None:
        raise ValueError("a battle is reviewed when it is over")
    record = session.record
    progress = Progress(record)
    progress.renew(number)
    news, missing = in_turn(progress, number), progress.missing(number)
    told = addressed_in(record)
    repl.say(heading(told, number), *([_BEGUN] if missing else []))
    repl.say(*next(news))
    of, since = len(missing), 0.0
    quarters = {of // 4, of // 2, of * 3 // 4} - {0}

    def tell(judged: Judged) -> None:
        nonlocal since
        since = since or monotonic()
        progress.add(number, judged.ply, judged.judgement)
        repl.say(*next(news))
        done = of - len(progress.missing(number))
        if done in quarters:
            repl.say(sentence(how_far(done, of, monotonic() - since)))

    async def judge() -> None:
        async with Analyst(processors()) as analyst:
            await judge_battle(record, number, missing, analyst, tell)

    if missing:
        repl.do(judge())
        repl.do(asyncio.to_thread(session.autosave.annotate, record, progress.noted(record)))
    reviewed = progress.reviewed(number)
    repl.say(*summary_lines(reviewed, told.commanders(number)))
    if known := left_known(reviewed.variant, reviewed.battle, cache_directory()):
        repl.say(known)
    repl.say("Type learn to go over mistakes.")


def learn(repl: MatchRepl, whose: str) -> None:
    """Drill a side's mistakes in the current battle.

    Raises:
        ValueError: the battle has not been reviewed, or the side is unclear.
    """
    session, number = repl.session, repl.match.number
    reviewed = Progress(session.record).reviewed(number)
    if not reviewed.moves:
        raise ValueError("nothing has been reviewed here: type review first")
    side = _side(repl, whose)
    name = session.with_display_names.name_of(side)
    drill = mistakes_drill(reviewed, side, name)
    if drill is None:
        repl.say(f"{name} made no mistakes with the {side.plural}.")
    else:
        run(iter([drill]), repl.lines)
        repl.say("Back at the match.")


def _side(repl: MatchRepl, whose: str) -> Side:
    """Return the named side, by default that of the only local player."""
    for side in Side:
        if whose.lower() in (side.plural, side.singular):
            return side
    people = [player for player in range(2) if repl.session.seats[player].is_local]
    if whose or len(people) != 1:
        raise ValueError("say whose mistakes: learn dwarfs, or learn trolls")
    return side_of(people[0], repl.match.number)


def tried_in_words(battle: BattleRecord) -> list[str]:
    """Return a sentence for each variation of a battle, and one for each comment."""
    found = list(_tried(battle.line, battle.start, 0, ""))
    return found or ["Nothing else was tried in this battle."]


def _tried(line: Line, start: Position, first: int, name: str) -> Iterator[str]:
    """Yield the sentences on a line whose first node is of ply `first`, and on its variations.

    A variation has a name: 2.1 is the first one within the second.
    """
    moves = moves_of(line[1:])
    marks = (annotation_in(node.comments).mark for node in line[1:])
    texts = list(map(add, texts_of(start, moves), marks))
    if name:
        after = f"{first} {plural(first, 'move')}" if first else "no move"
        yield f"Variation {name}, after {after}: {', '.join(texts)}."
    for node, text in zip(line, ["", *texts], strict=True):
        yield from _said(node, text)
    numbers = count(1)
    positions = tuple(positions_along(start, moves))
    for ply, (node, position) in enumerate(zip(line, positions, strict=True), first):
        for variation in node.variations:
            within = f"{name}.{next(numbers)}" if name else f"{next(numbers)}"
            yield from _tried((Node(), *variation), position, ply, within)


def _said(node: Node, move: str) -> Iterator[str]:
    where = f"On {move}" if move else "At the beginning"
    for text in node.comments:
        if words := prose(text):
            yield f"{where}: {words}"
        annotation = annotation_in([text])
        if shapes := written_shapes(annotation):
            yield f"{where}, drawn on the board: {shapes}."
        elif annotation.mark and not words and move:
            yield f"Marked: {move}."
