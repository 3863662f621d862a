//! Move generation in Koom Valley and Football.

use super::Move;
use crate::board::{NEAR, Path, SLIDE_ORDER, STEPS, blocker, facing, for_each_slide, next, path};
use crate::mask::{Mask, Square};
use crate::position::Position;

/// Listing one troll's tramples stops beyond this many; no real battle has so many.
const MOST_TRAMPLES: usize = 300;

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
    while let Some(&(square, taken)) = ends.get(place) {
        place += 1;
        let (left, free) = (dwarfs.minus(taken), empty | taken);
        if (left & NEAR[square as usize]).any() {
            for step in STEPS {
                let over = next(square, step);
                let landing = next(over, step);
                if left.has(over) && free.has(landing) {
                    let end = (landing, taken.with(over));
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                }
            }
        }
        if ends.len() > MOST_TRAMPLES {
            break;
        }
    }
}
