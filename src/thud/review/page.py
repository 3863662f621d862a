"""A review to pass on: a page of HTML that needs nothing else, or plain text for a message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic
from thud.pictures.drawings import carved
from thud.pictures.layout import Arrow
from thud.pictures.svg import board_svg
from thud.records.formats import FileThere, known_suffix, new_path
from thud.records.record import Node, Record
from thud.records.tgn.notes import prose
from thud.review.judgement import Mark
from thud.review.sentences import closing_lines, ending, heading, move_lines, summary_lines
from thud.review.summary import Marked, Reviewed, curve, worst_first
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.text import why

PAGE, TEXT = SUFFIXES = (".html", ".txt")
"""Suffixes of such files."""

_MOST: Final = 8
"""Most diagrams of mistakes in a battle."""

_WIDE, _HIGH, _LEAST = 640, 150, 16.0
"""The size of a graph, and the least number of points of its height."""

_LEGEND: Final = (
    "Above the line the dwarfs are ahead, below it the trolls; "
    "two battles in three, or the draws, lie within the band"
)

_COLOURS: Final = {Mark.DUBIOUS: "#9a7500", Mark.MISTAKE: "#c05010", Mark.BLUNDER: "#b00020"}

_STYLE: Final = """
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 Georgia, serif;
  color: #222; background: #fff; }
h1, h2 { line-height: 1.2; }
.boards { display: grid; grid-template-columns: 1fr 1fr; gap: 2em; }
figure { break-inside: avoid; margin: 0; }
figure svg { width: 100%; height: auto; }
.graph { width: 100%; height: auto; }
.moves b { white-space: nowrap; }
.comment { font-style: italic; }
.dubious { color: #9a7500; } .mistake { color: #c05010; } .blunder { color: #b00020; }
footer { margin-top: 3em; font-size: smaller; color: #666; }
@media (max-width: 40em) { .boards { grid-template-columns: 1fr; } }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } a { color: inherit; }
  h2 { break-before: page; } h2:first-of-type { break-before: auto; } }
"""


def write_review(
    name: str, record: Record, reviews: Sequence[Reviewed], *, overwrite: bool = False
) -> Path:
    """Write reviews of a match's battles to a file, as a page or as text by its suffix.

    Without a suffix it is a page.

    Returns:
        The file.

    Raises:
        FileThere: it exists, and `overwrite` is off.
        ValueError: it has another suffix, or cannot be written.
    """
    path = new_path(name, PAGE)
    suffix = known_suffix(path, SUFFIXES)
    if path.is_file() and not overwrite:
        raise FileThere(path)
    told = review_page if suffix == PAGE else review_text
    try:
        write_atomic(path, told(record, reviews).encode())
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {why(error)}") from error
    return path


def review_text(record: Record, reviews: Sequence[Reviewed]) -> str:
    """Return reviews of a match's battles as plain text: mistakes and summary of each."""
    lines = list[str]()
    for reviewed in reviews:
        told = [line for each in reviewed.mistakes for line in move_lines(reviewed, each)]
        lines += [heading(record, reviewed.number), "", *told, *([""] if told else ())]
        lines += [*summary_lines(record, reviewed), ""]
    return "\n".join([*lines, *closing_lines(reviews), ""])


def review_page(record: Record, reviews: Sequence[Reviewed]) -> str:
    """Return reviews of a match's battles as an HTML document.

    It has the moves with marks and comments, a graph, and a diagram of each of the worst mistakes.
    It has no script and no outside address.
    """
    title = escape(f"{record.variant.title}: {' – '.join(record.players)}")
    about = " · ".join(filter(None, (record.event, record.date)))
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>",
        f"<p>{escape(about)}</p>" if about else "",
        *(f"<p>{escape(line)}</p>" for line in closing_lines(reviews)),
        *(part for reviewed in reviews for part in _battle(record, reviewed)),
        "<footer>Made with Thud, an unofficial fan program. The game is by Trevor Truran, after"
        " Terry Pratchett.</footer>\n</body>\n</html>\n",
    ]
    return "\n".join(filter(None, parts))


def _battle(record: Record, reviewed: Reviewed) -> Iterator[str]:
    """Yield the parts of a battle's chapter."""
    number = reviewed.number
    yield f"<h2>{escape(heading(record, number))}</h2>"
    lines = summary_lines(record, reviewed)
    yield f"<p>{'<br>'.join(escape(line.strip()) for line in lines)}</p>"
    yield _graph(reviewed)
    shown = _shown(reviewed)
    yield f'<p class="moves">{" ".join(_moves(reviewed, {each.ply for each in shown}))}</p>'
    yield '<div class="boards">'
    for marked in shown:
        after, better = marked.position.after(marked.move), marked.judgement.best
        picture = _picture(record, after, marked.move, better)
        yield _figure(_anchor(reviewed, marked.ply), picture, list(move_lines(reviewed, marked)))
    *_, end = reviewed.battle.positions()
    last = reviewed.battle.line[-1].move
    words = f"After the last move. {ending(record, number)}"
    yield _figure("", _picture(record, end, last), [words])
    yield "</div>"


def _shown(reviewed: Reviewed) -> list[Marked]:
    """Return the most costly mistakes, in order; dubious moves only if there is nothing worse."""
    worst = [each for each in reviewed.mistakes if each.mark is not Mark.DUBIOUS]
    return sorted(worst_first(worst or reviewed.mistakes)[:_MOST], key=lambda each: each.ply)


def _moves(reviewed: Reviewed, shown: set[int]) -> Iterator[str]:
    """Yield the moves with their marks, and the comments on them."""
    battle = reviewed.battle
    marks = {each.ply: each.mark for each in reviewed.mistakes}
    yield from _comments(battle.line[0])
    for ply, (position, node) in enumerate(zip(battle.positions(), battle.line[1:], strict=False)):
        assert node.move
        if position.to_move is Side.DWARFS or not ply:
            yield f"{battle.turn(ply)}{'.' if position.to_move is Side.DWARFS else '...'}"
        mark, text = marks.get(ply), escape(move_text(position, node.move))
        if mark:
            text = f'<b class="{mark.name.lower()}">{text}{mark.value}</b>'
        yield f'<a href="#{_anchor(reviewed, ply)}">{text}</a>' if ply in shown else text
        yield from _comments(node)


def _comments(node: Node) -> Iterator[str]:
    for words in filter(None, map(prose, node.comments)):
        yield f'<span class="comment">{escape(words)}</span>'


def _anchor(reviewed: Reviewed, ply: int) -> str:
    return f"battle-{reviewed.number}-move-{ply + 1}"


def _picture(
    record: Record, position: Position, last: Move | None, better: Move | None = None
) -> str:
    """Return a picture of a position after a move, with an arrow for a better one."""
    variant = record.variant
    arrows = (Arrow.of(better, advises=True),) if better else ()
    design = carved(variant.stone)
    return board_svg(position, last=last, goals=variant.goals, arrows=arrows, design=design)


def _figure(anchor: str, picture: str, lines: Sequence[str]) -> str:
    name = f' id="{anchor}"' if anchor else ""
    words = "<br>".join(escape(line.strip()) for line in lines)
    return f"<figure{name}>{picture}<figcaption>{words}</figcaption></figure>"


def _graph(reviewed: Reviewed) -> str:
    """Return the graph of the expectations, the dwarfs above, with mistakes as dots."""
    known = {ply: each for ply, each in enumerate(curve(reviewed)) if each is not None}
    if len(known) < 2:
        return ""
    top, bottom = 1.0, -1.0
    if reviewed.variant.counts_points:
        top, bottom = (pick(0, *map(pick, known.values())) for pick in (max, min))
        spare = max(0, _LEAST - (top - bottom)) / 2
        top, bottom = top + spare, bottom - spare
    last = max(1, len(reviewed.battle.moves))

    def place(ply: int, value: float) -> tuple[float, float]:
        return round(_WIDE * ply / last, 1), round(_HIGH * (top - value) / (top - bottom), 1)

    places = {ply: place(ply, each.expected) for ply, each in known.items()}
    line = _points(places.values())
    lower = [place(ply, each.low) for ply, each in known.items()]
    upper = [place(ply, each.high) for ply, each in known.items()]
    dots = [
        f'<circle cx="{places[ply][0]:g}" cy="{places[ply][1]:g}" r="4" fill="{_COLOURS[mark]}"/>'
        for ply, mark in ((each.ply + 1, each.mark) for each in reviewed.mistakes)
        if mark and ply in places
    ]
    ends = ((Side.DWARFS, top, 12), (Side.TROLLS, -bottom, _HIGH - 4))
    scale = "".join(
        f'<text x="4" y="{y}" font-size="11" fill="#666">{side.plural} {most:.0f}</text>'
        for side, most, y in ends
        if reviewed.variant.counts_points
    )
    return (
        '<svg class="graph" xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="-5 -5 {_WIDE + 10} {_HIGH + 10}"'
        f' role="img"><title>{_LEGEND}</title>'
        f'<rect width="{_WIDE}" height="{_HIGH}" fill="#f3f0e8"/>'
        f'<path d="M0 {place(0, 0)[1]:g}H{_WIDE}" stroke="#999" fill="none"/>'
        f'<polygon points="{_points([*upper, *reversed(lower)])}" fill="#ddd6c4"/>'
        f'<polyline points="{line}" stroke="#333" stroke-width="2" fill="none"/>'
        f"{''.join(dots)}{scale}</svg>"
    )


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
