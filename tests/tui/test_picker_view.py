"""What the board is told to draw."""

from __future__ import annotations

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
    stops = seen(picker).stops
    hover = seen(picker._replace(hovered=parse_square("C8")))
    assert marked(hover, SquareMark.CAPTURE) == {"F8"}
    assert {"D8", "E8", "C7"} <= marked(hover, SquareMark.DESTINATION)
    assert not marked(hover, SquareMark.HELD)
    assert hover.stops == stops
    picker, _ = picker.choose(parse_square("C8"))
    held = seen(picker)
    for mark in (SquareMark.CAPTURE, SquareMark.DESTINATION):
        assert marked(held, mark) == marked(hover, mark)
    assert seen(picker._replace(hovered=parse_square("A8"))) == held


def test_hovering_over_nothing_that_can_move_shows_nothing() -> None:
    picker = picker_of(CLASSIC, LINE)
    before = seen(picker)
    for square in ("F8", "D8", "H8"):
        assert seen(picker._replace(hovered=parse_square(square))) == before


def test_an_advised_move_is_marked_over_the_last_one() -> None:
    picker = picker_of(CLASSIC, LINE)
    picker.match.battle.play(parse_move(CLASSIC, LINE, "dC8-E8"))
    advised = parse_move(CLASSIC, LINE, "dC8-F8xF8")
    picker = picker._replace(advice=ShownHint(advised))
    view = seen(picker)
    assert marked(view, SquareMark.ADVISED) == {"C8", "F8"}
    assert marked(view, SquareMark.LAST) == {"E8"}
    assert not marked(view, SquareMark.VICTIM)


def test_an_advised_move_shows_what_it_captures() -> None:
    position = drawn("   E F G\n7  d . .\n8  . . T", "T")
    picker = picker_of(CLASSIC, position)
    picker = picker._replace(advice=ShownHint(parse_move(CLASSIC, position, "TG8-F8xE7")))
    view = seen(picker)
    assert marked(view, SquareMark.VICTIM) == {"E7"}
    assert marked(view, SquareMark.ADVISED) == {"F8", "G8"}


def test_the_threat_map_draws_lines_in_their_directions() -> None:
    view = with_threats(View(LINE), threats_in(CLASSIC, LINE))
    assert view.threatened == mask_of(parse_square("F8"))
    assert strokes_in(view) == {
        **dict.fromkeys(("A8", "B8", "C8", "D8", "E8", "F8"), Stroke.ACROSS)
    }


def strokes(drawing: str) -> dict[str, Stroke]:
    position = drawn(drawing, "d")
    return strokes_in(with_threats(View(position), threats_in(CLASSIC, position)))


def landing_on(*squares: str) -> dict[str, Stroke]:
    return dict.fromkeys(squares, Stroke.LANDING)


def test_diagonal_lines_rise_and_fall() -> None:
    falling = strokes("   D E F G\n3  d . . .\n4  . d . .\n5  . . . .\n6  . . . T")
    assert falling == dict.fromkeys(("D3", "E4", "G6"), Stroke.FALLING) | landing_on("F5")
    rising = strokes("   D E F G\n3  . . . d\n4  . . d .\n5  . . . .\n6  T . . .")
    assert rising == dict.fromkeys(("G3", "F4", "D6"), Stroke.RISING) | landing_on("E5")
    down = strokes("   E\n2  d\n3  d\n4  d\n5  .\n6  .\n7  T")
    assert down == dict.fromkeys(("E2", "E3", "E4", "E5", "E6", "E7"), Stroke.DOWN)


def test_the_threatened_aim_back() -> None:
    strokes_of_both = strokes("   E\n3  d\n4  d\n5  .\n6  T")
    assert strokes_of_both == {
        **dict.fromkeys(("E3", "E4"), Stroke.DOWN),
        **landing_on("D5", "E5", "F5"),
        "E6": Stroke.CROSSING,
    }


def test_lines_that_cross_are_drawn_as_a_crossing() -> None:
    down = "   B C D E F G\n5  . . . d . .\n6  . . . d . .\n7  . . . d . .\n"
    crossed = strokes(f"{down}8  d d d . . T\n9  . . . . . .\n10 . . . T . .")
    assert crossed["E8"] is Stroke.CROSSING


def test_a_trample_marks_where_it_lands() -> None:
    position = drawn("   E F G H J\n5  T d . d .", "d")
    view = with_threats(View(position), threats_in(KOOM, position))
    assert {"G5", "J5"} <= set(strokes_in(view))
    assert strokes_in(view)["G5"] is Stroke.LANDING


def test_threats_are_drawn_with_a_piece_picked_up() -> None:
    picker = picker_of(CLASSIC, LINE)
    picker, _ = picker.choose(parse_square("A8"))
    picker = picker._replace(threats=threats_in(CLASSIC, LINE))
    view = seen(picker)
    assert view.threatened
    assert marked(view, SquareMark.HELD) == {"A8"}


def test_football_has_no_threats() -> None:
    football = VARIANTS["football"]
    picker = picker_of(football, football.start).toggle_threats()
    assert picker.threats is not None
    view = seen(picker)
    assert (view.threatened, view.strokes) == (0, {})
