//! Move generation in Koom Valley and Football.

use super::Move;
use crate::board::{NEAR, Path, SLIDE_ORDER, STEPS, blocker, facing, for_each_slide, next, path};
use crate::mask::{Mask, Square};
use crate::position::Position;

/// The most tramples of one troll and one length that are listed; no real battle has so many.
const MOST_ALIKE: usize = 300;

/// List the slides of pieces up to `reach` squares that end on `stops`.
pub fn slides(pieces: Mask, empty: Mask, reach: usize, stops: Mask, mut act: impl FnMut(Path)) {
    for_each_slide(pieces, empty, reach, stops, |origin, to| act(path(origin, to)));
}

/// List the slides of pieces to an empty square.
#[inline]
pub fn slides_to(
    rays: &[[Mask; 256]; 8],
    square: Square,
    pieces: Mask,
    occupied: Mask,
    mut act: impl FnMut(Path),
) {
    for direction in SLIDE_ORDER {
        if let Some(origin) = blocker(rays, direction, square, occupied)
            && pieces.has(origin)
        {
            act(path(origin, square));
        }
    }
}

/// List the moves of the stone to some squares.
pub fn rolls(position: &Position, reach: usize, targets: Mask, act: impl FnMut(Path)) {
    slides(Mask::of(position.stone), position.empty(), reach, targets, act);
}

/// List the tramples of all trolls, with every square where they can stop.
pub fn tramples(dwarfs: Mask, trolls: Mask, empty: Mask, mut act: impl FnMut(Move)) {
    let mut ends = Vec::new();
    for origin in (facing(dwarfs, empty) & trolls).squares() {
        ends.clear();
        ends.push((origin, Mask::EMPTY));
        list_tramples(origin, dwarfs, empty, &mut ends);
        ends[1..].iter().for_each(|&(end, taken)| act(Move::trample(origin, end, taken)));
    }
}

/// List the ends of one troll's tramples with their captures, fewest first.
fn list_tramples(origin: Square, dwarfs: Mask, empty: Mask, ends: &mut Vec<(Square, Mask)>) {
    let empty = empty.with(origin);
    let mut place = 0;
    while place < ends.len() {
        // Those that capture one dwarf more follow after all that capture as many.
        let longer = ends.len();
        for at in place..longer {
            let (square, taken) = ends[at];
            let (left, free) = (dwarfs.minus(taken), empty | taken);
            if (left & NEAR[square as usize]).any() {
                for step in STEPS {
                    let over = next(square, step);
                    let landing = next(over, step);
                    if left.has(over) && free.has(landing) {
                        let end = (landing, taken.with(over));
                        if ends.len() - longer < MOST_ALIKE && !ends[longer..].contains(&end) {
                            ends.push(end);
                        }
                    }
                }
            }
        }
        place = longer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Variant;
    use crate::position::tests::read;

    #[test]
    fn the_longest_of_thousands_of_tramples_is_listed() {
        let text = "5/7/5d3/11/5dddd4/6d1d6/6dddd5/7Td6/6dddd5/15/13/11/9/R6/5 T";
        let position = read(Variant::Koom, text);
        let (mut longest, mut listed) = (0, 0);
        tramples(position.dwarfs, position.trolls, position.empty(), |played| {
            longest = longest.max(played.victims().count());
            listed += 1;
        });
        assert_eq!((longest, position.dwarfs.count()), (15, 16));
        assert!(listed <= 15 * MOST_ALIKE);
    }
}
