"""What the board is told to draw."""

from __future__ import annotations

from msgspec.structs import replace

from rules.drawing import drawn
from thud.rules.geometry import mask_of, parse_square, square_name
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.threats import threats_in
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.tui.board.look import SquareMark, Stroke, View
from thud.tui.picking.picker import Picker, ShownHint, with_threats

CLASSIC, KOOM = VARIANTS["classic"], VARIANTS["koom"]
LINE = drawn("   A B C D E F G\n8  d d d . . T .", "d")


def marked(view: View, mark: SquareMark) -> set[str]:
    return {square_name(square) for square, each in view.marks.items() if each is mark}


def strokes_in(view: View) -> dict[str, Stroke]:
    return {square_name(square): stroke for square, stroke in view.strokes.items()}


def picker_of(variant: Variant, position: Position) -> Picker:
    return Picker.of(Match(variant, ("Anna", "Bert"), position))


def seen(picker: Picker) -> View:
    return picker.view(flipped=False)


def test_hovering_shows_the_destinations_that_picking_up_would_show() -> None:
    picker = picker_of(CLASSIC, LINE)
    before = seen(picker)
    for square in ("F8", "D8", "H8"):
        assert seen(replace(picker, hovered=parse_square(square))) == before, "none can move"
    hover = seen(replace(picker, hovered=parse_square("C8")))
    assert marked(hover, SquareMark.CAPTURE) == {"F8"}
    assert {"D8", "E8", "C7"} <= marked(hover, SquareMark.DESTINATION)
    assert not marked(hover, SquareMark.HELD)
    assert hover.stops == before.stops
    picker, _ = picker.choose(parse_square("C8"))
    held = seen(picker)
    for mark in (SquareMark.CAPTURE, SquareMark.DESTINATION):
        assert marked(held, mark) == marked(hover, mark)
    assert seen(replace(picker, hovered=parse_square("A8"))) == held
    threatened = seen(replace(picker, threats=threats_in(CLASSIC, LINE)))
    assert threatened.threatened == mask_of(parse_square("F8"))
    assert marked(threatened, SquareMark.HELD) == {"C8"}


def strokes(drawing: str) -> dict[str, Stroke]:
    position = drawn(drawing, "d")
    return strokes_in(with_threats(View(position), threats_in(CLASSIC, position)))


def test_a_trample_marks_where_it_lands() -> None:
    position = drawn("   E F G H J\n5  T d . d .", "d")
    view = with_threats(View(position), threats_in(KOOM, position))
    assert {"G5", "J5"} <= set(strokes_in(view))
    assert strokes_in(view)["G5"] is Stroke.LANDING


def test_football_has_no_threats() -> None:
    football = VARIANTS["football"]
    picker = picker_of(football, football.start).toggle_threats()
    assert picker.threats is not None
    view = seen(picker)
    assert (view.threatened, view.strokes) == (0, {})


def test_an_advised_move_is_marked_over_the_last_one_with_what_it_captures() -> None:
    position = drawn("   E F G\n7  d . .\n8  . . T", "d")
    picker = picker_of(CLASSIC, position)
    picker.match.battle.play(parse_move(CLASSIC, position, "dE7-F7"))
    after = picker.match.battle.position
    advised = parse_move(CLASSIC, after, "TG8-G7xF7")
    view = seen(replace(picker, advice=ShownHint(advised)))
    assert marked(view, SquareMark.ADVISED) == {"G8", "G7"}
    assert marked(view, SquareMark.LAST) == {"E7"}
    assert marked(view, SquareMark.VICTIM) == {"F7"}


def test_the_end_of_the_advised_move_stays_marked_while_its_piece_is_in_hand() -> None:
    picker = picker_of(CLASSIC, LINE)
    advised = parse_move(CLASSIC, LINE, "dC8-C7")
    picker = replace(picker, advice=ShownHint(advised))
    for origin, ends in (("C8", {"C7"}), ("B8", set[str]())):
        picked, _ = picker.let_go().choose(parse_square(origin))
        assert marked(seen(picked), SquareMark.ADVISED) == ends
        _, _, legend, _ = picked.texts(parse_square(origin), "")
        assert ("* best move" in legend) is bool(ends)


def test_threats_are_lines_in_their_directions_that_may_cross() -> None:
    assert strokes("   A B C D E F G\n8  d d d . . T .") == lines(ACROSS="A8 B8 C8 D8 E8 F8")
    falling = strokes("   D E F G\n3  d . . .\n4  . d . .\n5  . . . .\n6  . . . T")
    assert falling == lines(FALLING="D3 E4 G6", LANDING="F5")
    rising = strokes("   D E F G\n3  . . . d\n4  . . d .\n5  . . . .\n6  T . . .")
    assert rising == lines(RISING="G3 F4 D6", LANDING="E5")
    down = strokes("   E\n2  d\n3  d\n4  d\n5  .\n6  .\n7  T")
    assert down == lines(DOWN="E2 E3 E4 E5 E6 E7")
    back = strokes("   E\n3  d\n4  d\n5  .\n6  T")
    assert back == lines(DOWN="E3 E4", LANDING="D5 E5 F5", CROSSING="E6")


def test_the_legend_of_threats_tells_of_pieces_that_only_help() -> None:
    position = drawn("   D E F\n7  d . d\n8  . . .\n9  . T .\n10 . T .", "T")
    picker = picker_of(VARIANTS["single"], position).toggle_threats()
    helper = parse_square("E10")
    assert "E10" in strokes_in(seen(picker))
    assert not any(
        move.captures for move in VARIANTS["single"].legal_moves(position) if move.origin == helper
    )
    _, _, legend, _ = picker.texts(helper, "")
    assert ": captures, or helps to" in legend


def lines(**squares: str) -> dict[str, Stroke]:
    return {square: Stroke[name] for name, text in squares.items() for square in text.split()}


def test_the_line_of_the_last_hurl_stays_until_the_next_move() -> None:
    match = Match(CLASSIC, ("Anna", "Bert"), LINE)
    match.battle.play(parse_move(CLASSIC, LINE, "dC8-F8xF8"))
    lines = strokes_in(seen(Picker.of(match)))
    assert {*lines} == {"A8", "B8", "C8", "D8", "E8"}
    assert {*lines.values()} == {Stroke.ACROSS}
    near = Match(CLASSIC, ("Anna", "Bert"), drawn("   A B C D E\n8  d d d . T", "d"))
    near.battle.play(parse_move(CLASSIC, near.battle.position, "dC8-E8xE8"))
    assert {*strokes_in(seen(Picker.of(near)))} == {"A8", "B8", "C8", "D8"}, "the whole line"


def test_the_line_of_the_last_move_is_drawn_as_no_threat() -> None:
    match = Match(CLASSIC, ("Anna", "Bert"), LINE)
    match.battle.play(parse_move(CLASSIC, LINE, "dC8-F8xF8"))
    waiting = Picker.of(match)
    assert seen(waiting).past
    assert not seen(waiting.toggle_threats()).past
    assert not seen(Picker.of(Match(CLASSIC, ("Anna", "Bert"), LINE))).past
