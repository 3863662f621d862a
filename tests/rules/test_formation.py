"""Blocks, and dwarfs that stand alone."""

from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, positions
from thud.rules.formation import alone, blocks, breaks_up, largest_block, left_open
from thud.rules.geometry import BOARD, SQUARES, Mask, distance, mask_of, squares_of
from thud.rules.threats import unanswered
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

masks = st.sets(st.sampled_from(SQUARES), max_size=40).map(lambda squares: mask_of(*squares))


def near(mask: Mask, other: Mask) -> bool:
    return any(distance(a, b) == 1 for a in squares_of(mask) for b in squares_of(other))


@given(masks)
def test_blocks_part_pieces_into_connected_groups_that_do_not_touch(pieces: Mask) -> None:
    found = blocks(pieces)
    assert sum(found) == pieces
    assert sorted(found, key=int.bit_count, reverse=True) == found
    for place, block in enumerate(found):
        assert not any(near(block, other) for other in found[place + 1 :])
        first, *others = squares_of(block)
        reached = {first}
        while step := {b for b in others if b not in reached and near(mask_of(*reached), 1 << b)}:
            reached |= step
        assert mask_of(*reached) == block
    single = mask_of(*(s for s in squares_of(pieces) if not near(1 << s, pieces)))
    assert alone(pieces) == single


def test_the_dwarfs_begin_in_four_blocks_of_eight() -> None:
    dwarfs = VARIANTS["classic"].start.dwarfs
    assert [block.bit_count() for block in blocks(dwarfs)] == [8, 8, 8, 8]
    assert largest_block(dwarfs).bit_count() == 8
    assert not largest_block(0)
    assert len(blocks(BOARD)) == 1


@every_variant
@given(data=st.data())
def test_what_one_move_leaves_open_another_does_not(variant: Variant, data: st.DataObject) -> None:
    after, instead = data.draw(positions(variant)), data.draw(positions(variant))
    one, other = unanswered(variant, after), unanswered(variant, instead)
    found = left_open(variant, after, instead)
    assert left_open(variant, after, after) is None
    assert not (found and left_open(variant, instead, after))
    if found:
        square, captures = found
        assert one[square] == captures
        assert captures.bit_count() > other.get(square, 0).bit_count()


@given(masks, masks, masks)
def test_a_block_is_broken_up_only_where_the_other_move_keeps_it(
    before: Mask, after: Mask, instead: Mask
) -> None:
    now, then, other = (largest_block(each).bit_count() for each in (before, after, instead))
    assert breaks_up(before, after, instead) is (then < now and other >= now)
