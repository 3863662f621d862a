"""Blocks, and dwarfs that stand alone."""

from hypothesis import given
from hypothesis import strategies as st

from thud.rules.formation import alone, blocks, largest_block
from thud.rules.geometry import BOARD, SQUARES, Mask, distance, mask_of, squares_of
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
