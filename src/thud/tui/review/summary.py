"""The summary of a review: both sides, a marked move before and after, the battle's course."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeAlias

from rich.style import Style
from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from thud.disk.directories import cache_directory
from thud.exercises.mistakes import asked_about
from thud.records.record import Record
from thud.review.judgement import Mark
from thud.review.known import left_known
from thud.review.sentences import (
    about_summary,
    accuracy_line,
    ending,
    faults_in_words,
    lost_in_words,
    marks_line,
    move_in_brief,
    move_lines,
    par_line,
    story_lines,
    turning_line,
)
from thud.review.summary import Marked, Progress, Reviewed, worst_first
from thud.rulebook.diagrams import BoardPart, Diagram
from thud.rules.geometry import SIZE, file_of, rank_of, squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.text import YOU, capitalised, plural, spelled
from thud.tui.actions import ACTIONS, bindings
from thud.tui.battle.questions import in_figures
from thud.tui.delivery import save_review
from thud.tui.deployment import deployment_of
from thud.tui.help.page import DiagramView
from thud.tui.help.screen import HelpScreen
from thud.tui.keys.bar import KeyBar, key_of
from thud.tui.looks.fitted import fitted
from thud.tui.looks.themes import tones_merge
from thud.tui.navigator import next_of
from thud.tui.review.judging import dots, drawn
from thud.tui.textual_fixes import FixedScreen
from thud.tui.widgets.appearance import dress_surface, settings_of
from thud.tui.widgets.margin_graph import MarginGraph, scale
from thud.tui.widgets.match_line import match_line
from thud.tui.widgets.prompt import Tappable, side_by_side
from thud.words.moves import described

if TYPE_CHECKING:
    from thud.exercises.next_step import Step

_TALL: Final = 34
"""Fewest rows for reasons and the other battle."""
_WIDE: Final = 110
"""Fewest columns for the marked move beside the sides, with its boards."""
_LONG: Final = 46
"""Fewest rows for the line after the better move, and for what the boards mark."""
_ROOMY: Final = 32
"""Fewest columns of a side for its marks beside the figure."""
_MARGINS: Final = 4
_WORD: Final = len("blunders")
_FILES, _RANKS = 6, 7
"""Files and ranks of a small board."""


Chosen: TypeAlias = tuple[int, Side | int]
"""A battle, and the side whose mistakes to drill, or the place in it to go to."""


class SideBlock(Static):
    """A side's accuracy in large figures, and its marked moves to jump to."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *("block--dwarfs", "block--trolls", "block--faint"),
        *(f"block--{mark.name.lower()}" for mark in Mark),
    }

    def __init__(self) -> None:
        super().__init__(classes="-empty")
        self._again: Callable[[], None] = lambda: None

    def on_resize(self) -> None:
        """Fit all into the frame."""
        self._again()

    def show(
        self, reviewed: Reviewed, side: Side, name: str, now: int, *, whole: bool, reasons: bool
    ) -> None:
        """Show a side.

        Args:
            reviewed: the battle.
            side: the side.
            name: its player's name.
            now: the ply of the move shown, -1 for none.
            whole: whether there is room for all turns, in more than a line a mark.
            reasons: whether to say what the marked moves did.
        """
        self._again = partial(self.show, reviewed, side, name, now, whole=whole, reasons=reasons)
        effort, width = reviewed.effort(side), self.content_size.width
        if not width:
            return
        shown = fitted(name, max(8, self.size.width - len(side.plural) - 3))
        alone = name.casefold() == side.plural
        self.border_title = shown if alone else f"{shown} · {side.plural}"
        self.remove_class("-empty")
        if effort.accuracy is None:
            self.border_subtitle = ""
            self.update(Text("No move to judge."))
            return
        *high, low = in_figures(f"{effort.accuracy:.0f}")
        figure = [*high, f"{low}%", "accuracy"]
        colour = self.get_component_rich_style(f"block--{side.plural}", partial=True)
        beside = max(map(len, figure)) + 1 if width >= _ROOMY else 0
        marks = list(self._marks(reviewed, side, now, width - beside, whole=whole))
        made = {each.mark for each in reviewed.mistakes if each.side is side}
        unsaid = sum("turn" in line.plain for line in marks) < len(made)
        self.border_subtitle = "numbers: turns" if unsaid else ""
        rows = zip_longest(figure, marks if beside else (), fillvalue="")
        lines = [Text.assemble((f"{line:<{beside}}", colour), told) for line, told in rows]
        lines += [] if beside else marks
        if reasons and (told := faults_in_words(effort)):
            lines.append(Text(f"\n{told}"))
        self.update(Text("\n").join(lines))

    def _marks(
        self, reviewed: Reviewed, side: Side, now: int, width: int, *, whole: bool
    ) -> Iterator[Text]:
        """Yield a line for each mark, with its turns; with `whole`, more lines where needed."""
        style = partial(self.get_component_rich_style, partial=True)
        faint = style("block--faint")
        for mark in reversed(Mark):
            moves = [m for m in reviewed.mistakes if m.side is side and m.mark is mark]
            word = "dubious" if mark is Mark.DUBIOUS else plural(len(moves), mark.word)
            line = Text(
                f"{mark.value:<2} {len(moves):>2} {word:<{_WORD}}",
                style(f"block--{mark.name.lower() if moves else 'faint'}"),
                end="",
            )
            indent = len(line)
            turns = [f"{reviewed.battle.turn(move.ply)}" for move in moves]
            told = f" {plural(len(moves), 'turn')}"
            if moves and indent + len(told) + len(", ".join(turns)) < width:
                line.append(told, faint)
            for place, (move, turn) in enumerate(zip(moves, turns, strict=True)):
                rest = 2 * (place < len(moves) - 1)
                if len(line) + 1 + len(turn) + rest > width:
                    if not whole:
                        line.append(" …", faint)
                        break
                    yield line
                    line = Text(" " * indent)
                click = Style(
                    meta={"@click": f"screen.mark_at({move.ply})"}, reverse=move.ply == now
                )
                line.append(" ").append(turn, click).append("," if rest else "", faint)
            yield line


class MoveBlock(Vertical):
    """A marked move: what it cost, what was better, and the board before and after."""

    def __init__(self) -> None:
        super().__init__()
        self._words = Static(markup=False)
        self._boards = DiagramView(())
        self._legend = Static(classes="legend", markup=False)

    def compose(self) -> ComposeResult:
        """Lay out the words above the boards."""
        dress_surface(self._boards, settings_of(self.app))
        yield self._words
        yield self._boards
        yield self._legend

    def show(
        self, reviewed: Reviewed, move: Marked, title: str, *, brief: bool, whole: bool
    ) -> None:
        """Show a move, `brief` with one reason only; `whole` adds the line after the better one."""
        self.border_title = title
        lines = [line.strip() for line in move_lines(reviewed, move)]
        if brief:
            lines = list(move_in_brief(reviewed, move))
        self._words.update("\n".join(lines if whole else lines[:3]))
        on_boards = Shown.of(move)
        self._boards.show(on_boards.boards(reviewed.variant))
        self._legend.update(on_boards.in_words(reviewed.variant))


class SummaryScreen(FixedScreen[Chosen | None]):
    """Shows both sides' results; the answer is whose mistakes to drill, or where to go.

    Args:
        record: the match, with the names as they are shown.
        progress: its judgements.
        number: the current battle.
        kept: the match with its players' own names, to pass on.
        now: the ply of the marked move to show, -1 for the worst.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("summary")

    DEFAULT_CSS = """
    SummaryScreen {
        #summed { height: 1fr; padding: 0 1; overflow-y: auto; }
        Static { height: auto; }
        #sides, MoveBlock { height: auto; }
        SideBlock, MoveBlock, #story, MarginGraph {
            width: 1fr;
            border: round $foreground 25%;
            border-title-color: $foreground;
            border-title-style: bold;
            border-subtitle-color: $foreground-muted;
            padding: 0 1;
        }
        /* Its lines depend on its width: until it has one, it is seen nowhere. */
        SideBlock { min-height: 6; }
        SideBlock.-empty { border: blank; }
        #result, #verdict { padding: 0 2; }
        MarginGraph { height: 1fr; min-height: 7; max-height: 14; }
        DiagramView { display: none; margin: 1 0 0 0; }
        .legend { display: none; color: $foreground-muted; }
        .block--dwarfs { color: $board-dwarf; }
        .block--trolls { color: $board-troll; }
        .block--faint { color: $foreground-muted; }
        .block--dubious { color: $mark-dubious; }
        .block--mistake { color: $mark-mistake; }
        .block--blunder { color: $mark-blunder; text-style: bold; }
        &:nocolor .block--dubious, &:nocolor .block--mistake, &:nocolor .block--blunder {
            color: $foreground;
            text-style: bold;
        }
        #onward { display: none; padding: 0 2; link-style: none; }
        #learn { display: none; margin: 1 0 0 0; link-style: none; }
        &.-upright #learn { display: block; }
        &.-beside #top { layout: horizontal; height: auto; }
        &.-beside #sides { width: 1fr; }
        &.-beside MoveBlock { width: 1fr; }
        &.-beside.-tall DiagramView, &.-beside.-long .legend { display: block; }
        #top { height: auto; }
    }
    """

    def __init__(
        self,
        record: Record,
        progress: Progress,
        number: int,
        kept: Record | None = None,
        now: int = -1,
    ) -> None:
        super().__init__()
        self._record, self._kept = record, kept or record
        self._number = number
        self._reviewed = [progress.reviewed(each) for each in progress.numbers]
        self._known: dict[int, str] = {}
        """How far the computer's battles go along, by battle."""
        self._stories: dict[int, list[str]] = {}
        """How each battle went, by its number."""
        self._now = now
        """The ply of the marked move shown, -1 for the worst."""
        self._sides = SideBlock(), SideBlock()
        """One's own side first, else the dwarfs'."""
        self._move = MoveBlock()
        self._result = Static(id="result", markup=False)
        self._verdict = Static(id="verdict", markup=False)
        self._graph = MarginGraph(fills=True, fits=record.variant.counts_points)
        self._story = Static(id="story", markup=False)
        self._offered = Static(id="learn")
        self._onward: Step | None = None
        """What is to be done next."""
        self._told_next = Static(id="onward")

    def compose(self) -> ComposeResult:
        """Lay out the sides and the move, and the course of the battle below them."""
        yield from match_line(self)
        with VerticalScroll(id="summed"):
            yield self._result
            yield self._told_next
            with Vertical(id="top"):
                yield Horizontal(*self._sides, id="sides")
                yield self._move
            yield self._verdict
            yield self._offered
            yield self._graph
            yield self._story
        yield KeyBar()

    def on_mount(self) -> None:
        """Show everything, and find out how the battles went and what is known of them."""
        self._story.border_title = "How it went"
        self._show()
        self._look_up()
        self._find_next()

    @work
    async def _look_up(self) -> None:
        for each in self._reviewed:
            known = await asyncio.to_thread(
                left_known, each.variant, each.battle, cache_directory()
            )
            self._known[each.number] = known or ""
            self._stories[each.number] = await asyncio.to_thread(list, story_lines(each))
            self._show()

    @work
    async def _find_next(self) -> None:
        step = await next_of(self.app)
        if step and (step.way != "resume" or self._record.over):
            self._onward = step
            self._tell_next()
            self.refresh_bindings()

    def _tell_next(self) -> None:
        """Say what can be done now: the mistakes to learn from, and what is next."""
        ways = list[tuple[str, str, str]]()
        # On an upright screen all keys are offered above.
        to_learn = {} if self.has_class("-upright") else self._to_learn
        for side, several in to_learn.items():
            number = f"{spelled(several)} mistakes" if several > 1 else "mistake"
            name = side.plural
            if side is self._own:
                ways.append(("summary.learn", "learn_own", f"Try your {number} again"))
            else:
                ways.append((f"summary.{name}", f"learn('{name}')", f"The {name}' {number}"))
        if self._onward:
            ways.append(("summary.onward", "onward", self._onward.told))
        text = Text()
        for action, runs, told in ways:
            click = Style(meta={"@click": f"screen.{runs}"})
            text.append("   " if text else "")
            text.append(f" {key_of(self.app, action)} ", Style(bold=True, reverse=True) + click)
            text.append(f" {told}", click)
        self._told_next.update(text)
        self._told_next.display = bool(ways)

    async def action_onward(self) -> None:
        """Go on with what is to be done next."""
        if self._onward:
            await self.run_action(f"app.go_on('{self._onward.way}')")

    def on_resize(self, event: events.Resize) -> None:
        """Show more if there is room."""
        for block in (*self._sides, self._move):
            block.styles.min_height = None
        upright = self.app.has_class("-upright")
        self.set_class(upright, "-upright")
        self.set_class(event.size.height >= _TALL and not upright, "-tall")
        self.set_class(event.size.height >= _LONG and not upright, "-long")
        self.set_class(event.size.width >= _WIDE, "-beside")
        self._show()

    @property
    def _battle(self) -> Reviewed:
        return self._reviewed[self._number - 1]

    @property
    def _worst(self) -> Marked | None:
        """The worst move, of one's own if there is any."""
        own = self._own
        ours = self._marks(own) if own else ()
        return next(iter(worst_first(ours or self._battle.mistakes)), None)

    def _marks(self, side: Side) -> tuple[Marked, ...]:
        """The marked moves of a side."""
        return tuple(each for each in self._battle.mistakes if each.side is side)

    @property
    def _walked(self) -> tuple[Marked, ...]:
        """The marked moves to step through: of one side if one person played, else all."""
        shown = self._shown
        return self._marks(shown.side) if shown and self._own else self._battle.mistakes

    @property
    def _shown(self) -> Marked | None:
        """The marked move shown: the one chosen, else the worst."""
        chosen = (each for each in self._battle.mistakes if each.ply == self._now)
        return next(chosen, self._worst)

    def _show(self) -> None:
        """Show the current battle, and the move chosen in it."""
        reviewed = self._battle
        names = self._record.commanders(self._number)
        shown = self._shown
        now = shown.ply if shown else -1
        tall = self.has_class("-tall")
        whole = tall or self.has_class("-upright")
        order = sorted(zip(Side, names, strict=True), key=lambda each: each[0] is not self._own)
        for block, (side, name) in zip(self._sides, order, strict=True):
            block.show(reviewed, side, name, now, whole=whole, reasons=tall)
        self._move.display = shown is not None
        if shown:
            title, long = self._title(shown), self.has_class("-long")
            self._move.show(reviewed, shown, title, brief=not whole, whole=long)
        self._tell(names)
        self._draw(reviewed)
        self._offer()
        self._tell_next()
        self.call_after_refresh(self._level)
        self.refresh_bindings()

    def _title(self, shown: Marked) -> str:
        """Say which of the marked moves one is, and whether none is worse."""
        walked, variant = self._walked, self._battle.variant
        what = "Mark" if self._own is None else f"The {shown.side.plural}' mark"
        what = "Your mark" if shown.side is self._own else what
        title = f"{what} {walked.index(shown) + 1} of {len(walked)}"
        if not (worst := self._worst):
            return title
        most = lost_in_words(variant, worst)
        alike = [
            self._battle.battle.turn(each.ply)
            for each in worst_first(walked)
            if each.side is worst.side and lost_in_words(variant, each) == most
        ]
        here = self._battle.battle.turn(shown.ply)
        if shown.side is not worst.side or here not in alike:
            return title
        whose = "your" if shown.side is self._own else "the"
        told = f"{whose} worst {plural(len(alike), 'move')}"
        told = capitalised(f"one of {told}" if len(alike) > 1 else told)
        title = title.removeprefix("Your ")
        return f"{told} · {title[0].lower()}{title[1:]}"

    def _tell(self, names: tuple[str, str]) -> None:
        """Say how the battle ended and went, and the other one where there is room."""
        number, several, variant = self._number, len(self._reviewed) > 1, self._battle.variant
        head = f"Battle {number} of {len(self._reviewed)}. " if several else ""
        result = Text(f"{head}{ending(self._record, number)}", "bold")
        own = None if self._own is None else self._battle.effort(self._own)
        self._result.update(result.append(f"\n{accuracy_line(variant, own)}", "not bold"))
        tall = self.has_class("-tall")
        about = [turning_line(self._battle, names), par_line([self._battle])]
        if tall:
            about.append(self._known.get(number, ""))
            for other in self._reviewed:
                if other.number != number:
                    told = turning_line(other, self._record.commanders(other.number))
                    about.append(f"Battle {other.number}. {told}")
        if self.has_class("-long"):
            about.append(marks_line(variant))
        self._verdict.update("\n".join(filter(None, about)))
        story = self._stories.get(number)
        self._story.update("\n".join(story or ()))
        self._story.display = bool(story)

    def _draw(self, reviewed: Reviewed) -> None:
        leads = list(map(reviewed.variant.lead, reviewed.battle.positions()))
        self._graph.display = len(leads) > 1
        turns = [reviewed.battle.turn(max(0, played - 1)) for played in range(len(leads))]
        self._graph.show(leads, -1, turns)
        self._graph.expect(drawn(reviewed, scale(leads)), dots(reviewed.mistakes))
        counts = reviewed.variant.counts_points
        what = "Expected lead at the end, in points" if counts else "Expected result"
        self._graph.border_title = f"{what}, by turn"
        sign = "░" if tones_merge(self.app) else "pale"
        told = [
            *([] if counts else ["full height: a sure win"]),
            f"{sign}: {'how unsure' if counts else 'may be drawn'}",
            "dots: ? and ??",
        ]
        while len(told) > 1 and len(" · ".join(told)) > self.size.width - 2 * _MARGINS:
            del told[0]
        self._graph.border_subtitle = " · ".join(told)

    def _offer(self) -> None:
        # To tap on screens whose footer has no room for the keys' labels.
        ways: list[Tappable] = []
        active = self.active_bindings
        for each in ACTIONS["summary"][:-3]:
            if each.keys in active and each.show:
                click = Style(meta={"@click": f"app.simulate_key('{each.keys}')"})
                key = (f" {each.keys} ", Style(bold=True, reverse=True) + click)
                ways.append(Tappable(Text.assemble(key, (f" {each.label}", click)), click))
        self._offered.update(side_by_side(ways, self.size.width - _MARGINS, 2, high=True))

    def _level(self) -> None:
        """Make the frames side by side equally high, and none lower than it was."""
        sides, move = self._sides, self._move
        rows: list[list[Widget]] = [[*sides, move]]
        if not self.has_class("-beside"):
            rows = [[*sides], [move]]
        for row in rows:
            highest = max(each.display * each.virtual_region.height for each in row)
            for block in row:
                block.styles.min_height = highest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action's key does something."""
        if action == "learn_own":
            return self._own in self._to_learn
        if action == "learn":
            side = Side.DWARFS if parameters == ("dwarfs",) else Side.TROLLS
            return self._own is None and side in self._to_learn
        if action == "onward":
            return self._onward is not None
        if action in ("mark", "go"):
            return len(self._walked) > (action == "mark")
        return action != "battle" or len(self._reviewed) > 1

    @property
    def _to_learn(self) -> dict[Side, int]:
        """The number of mistakes to learn from, one's own, or if nobody is `You`, each side's."""
        sides = Side if self._own is None else (self._own,)
        found = {side: len(asked_about(self._battle, side)) for side in sides}
        return {side: number for side, number in found.items() if number}

    @property
    def _own(self) -> Side | None:
        """The side of the one person who played, None if two did, or other people."""
        commanders = self._record.commanders(self._number)
        return next(
            (side for side, name in zip(Side, commanders, strict=True) if name == YOU), None
        )

    def action_battle(self) -> None:
        """Switch to the other battle."""
        self._number, self._now = self._number % len(self._reviewed) + 1, -1
        self._show()

    def action_mark(self, by: int) -> None:
        """Show the next or previous marked move; after the last comes the first."""
        walked = self._walked
        if shown := self._shown:
            self._now = walked[(walked.index(shown) + by) % len(walked)].ply
        self._show()

    def action_mark_at(self, ply: int) -> None:
        """Show a marked move; again, go to it."""
        if ply == self._now:
            self.dismiss((self._number, ply + 1))
        else:
            self._now = ply
            self._show()

    def action_go(self) -> None:
        """Go to the marked move shown, in the replay."""
        if shown := self._shown:
            self.dismiss((self._number, shown.ply + 1))

    @on(MarginGraph.Picked)
    def _go_to_ply(self, event: MarginGraph.Picked) -> None:
        self.dismiss((self._number, event.played))

    def action_save(self) -> None:
        """Save the review as a page, or as text."""
        app = self.app
        save_review(app, self._kept, self._reviewed, deployment_of(app).delivery)

    def action_learn_own(self) -> None:
        """Drill one's own mistakes."""
        assert self._own
        self.dismiss((self._number, self._own))

    def action_learn(self, side: str) -> None:
        """Drill the mistakes of a side."""
        chosen = Side.DWARFS if side == "dwarfs" else Side.TROLLS
        self.dismiss((self._number, chosen))

    def action_close(self) -> None:
        """Go back to the replay."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Show what the summary says, linked to the rules."""
        variant = self._record.variant
        shade = "░" if tones_merge(self.app) else "The paler part"
        about = tuple(about_summary(variant, shade=shade))
        self.app.push_screen(HelpScreen(variant, about=about, judged=True))


class Shown(NamedTuple):
    """What the boards show of a marked move.

    The reply that captures, else a better move that would have captured, else the move alone.
    """

    before: Position
    move: Move
    reply: Move | None
    """The reply to it, if it is shown."""
    is_better: bool
    """Whether it is the better move, which was not played."""

    @classmethod
    def of(cls, marked: Marked) -> Shown:
        """Choose what tells a move's fault."""
        before, best, reply = marked.position, marked.judgement.best, marked.judgement.reply
        if reply and reply[0].captures:
            return cls(before, marked.move, reply[0], is_better=False)
        if best and best.captures:
            return cls(before, best, None, is_better=True)
        return cls(before, marked.move, None, is_better=False)

    def boards(self, variant: Variant) -> Diagram:
        """Return the part of the board around it, before and after."""
        after, last = self.before.after(self.move), self.reply or self.move
        caption = "after the better move" if self.is_better else "after"
        if self.reply:
            after, caption = after.after(self.reply), "after the reply"
        files, ranks = self._part
        first = BoardPart("before", variant, self.before, files, ranks, following=self.move)
        return first, BoardPart(caption, variant, after, files, ranks, last)

    def in_words(self, variant: Variant) -> str:
        """Say which moves are marked on the boards."""
        told = f"the {described(variant, self.before, self.move)}"
        if self.is_better:
            return f"The better move: {told}."
        files, ranks = self._part
        ends = self.move.origin, self.move.destination
        seen = any(file_of(end) in files and rank_of(end) in ranks for end in ends)
        lines = [f"Marked: {told}."] if seen else []
        if self.reply:
            then = described(variant, self.before.after(self.move), self.reply)
            lines.append(f"The reply: the {then}.")
        return " ".join(lines)

    @property
    def _part(self) -> tuple[range, range]:
        """The files and ranks of the boards: around the reply, and as far as it fits, the move."""
        last = self.reply or self.move
        ends = last.destination, self.move.destination, last.origin, self.move.origin
        around = [*squares_of(last.captures), *ends]
        return _window(map(file_of, around), _FILES), _window(map(rank_of, around), _RANKS)


def _window(places: Iterable[int], room: int) -> range:
    """Return as many files or ranks as there is room for, around as many of the first as fit."""
    low, high = SIZE, 1
    for place in places:
        wider = min(low, place), max(high, place)
        if wider[1] - wider[0] < room:
            low, high = wider
    first = max(1, min((low + high - room + 1) // 2, SIZE + 1 - room))
    return range(first, first + room)
