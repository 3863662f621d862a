//! The octagonal board: its squares, their neighbours, rays and distances.

use crate::mask::{Mask, Square};

/// Offsets of the eight directions.
pub const STEPS: [i16; 8] = [-17, -16, -15, -1, 1, 15, 16, 17];

/// The order in which slides are listed: towards higher squares, then towards lower ones.
pub const SLIDE_ORDER: [usize; 8] = [4, 5, 6, 7, 0, 1, 2, 3];

/// Unroll a block over the four axes, with the shift as a constant, for speed.
macro_rules! each_axis {
    ($by:ident => $body:block) => {{
        {
            const $by: u32 = 1;
            $body
        }
        {
            const $by: u32 = 15;
            $body
        }
        {
            const $by: u32 = 16;
            $body
        }
        {
            const $by: u32 = 17;
            $body
        }
    }};
}
pub(crate) use each_axis;

/// Every square of the octagon.
pub const BOARD: Mask = board();

/// The square in the middle, where the Thudstone stands.
pub const CENTRE: Square = 7 * 16 + 7;

/// The squares with an orthogonal neighbour off the board.
pub const EDGE: Mask = edge();

/// The goal of the dwarfs in the valley variants, for the stone: F1 to K1.
pub const FAR_SIDE: Mask = Mask([0b11111 << 5, 0, 0, 0]);

/// The neighbours of each square; none for squares off the board.
pub static NEAR: [Mask; 256] = near();

/// The squares from each square to the edge, by direction.
pub static RAYS: [[Mask; 256]; 8] = rays(15);

/// As `RAYS`, up to three squares.
pub static SHORT_RAYS: [[Mask; 256]; 8] = rays(3);

/// The distance of each square from the far side; 15 for squares off the board.
pub static TO_GO: [u8; 256] = to_go();

/// Where a square is on the board turned or mirrored, by one of the eight symmetries.
pub const fn turned(square: Square, symmetry: usize) -> Square {
    let (mut row, mut column) = (square >> 4, square & 15);
    if symmetry & 1 != 0 {
        column = 14 - column;
    }
    if symmetry & 2 != 0 {
        row = 14 - row;
    }
    if symmetry & 4 != 0 { column << 4 | row } else { row << 4 | column }
}

/// A square's neighbour in a direction; if that is off the board, no set contains it.
#[inline(always)]
pub const fn next(square: Square, step: i16) -> Square {
    (square as i16).wrapping_add(step) as Square
}

/// The number of single steps from one square to another.
pub const fn distance(one: Square, other: Square) -> u8 {
    let across = (one & 15).abs_diff(other & 15);
    let down = (one >> 4).abs_diff(other >> 4);
    if across > down { across } else { down }
}

const fn board() -> Mask {
    let mut found = Mask::EMPTY;
    let mut row = 0u8;
    while row < 15 {
        let mut column = 0u8;
        while column < 15 {
            if column.abs_diff(7) + row.abs_diff(7) <= 9 {
                found = found.with(row * 16 + column);
            }
            column += 1;
        }
        row += 1;
    }
    found
}

const fn edge() -> Mask {
    let mut found = Mask::EMPTY;
    let mut square = 0;
    while square < 240 {
        if BOARD.has(square) {
            let inner = BOARD.has(next(square, -16))
                && BOARD.has(next(square, -1))
                && BOARD.has(next(square, 1))
                && BOARD.has(next(square, 16));
            if !inner {
                found = found.with(square);
            }
        }
        square += 1;
    }
    found
}

const fn near() -> [Mask; 256] {
    let mut found = [Mask::EMPTY; 256];
    let mut square = 0;
    while square < 240 {
        if BOARD.has(square) {
            let mut direction = 0;
            while direction < 8 {
                let neighbour = next(square, STEPS[direction]);
                if BOARD.has(neighbour) {
                    found[square as usize] = found[square as usize].with(neighbour);
                }
                direction += 1;
            }
        }
        square += 1;
    }
    found
}

const fn rays(reach: usize) -> [[Mask; 256]; 8] {
    let mut found = [[Mask::EMPTY; 256]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 240 {
            let mut at = next(square, STEPS[direction]);
            let mut ray = Mask::EMPTY;
            let mut gone = 0;
            while BOARD.has(square) && gone < reach && BOARD.has(at) {
                ray = ray.with(at);
                at = next(at, STEPS[direction]);
                gone += 1;
            }
            found[direction][square as usize] = ray;
            square += 1;
        }
        direction += 1;
    }
    found
}

const fn to_go() -> [u8; 256] {
    let mut found = [15; 256];
    let mut square = 0;
    while square < 240 {
        if BOARD.has(square) {
            let mut goal = 5;
            while goal < 10 {
                let away = distance(square, goal);
                if away < found[square as usize] {
                    found[square as usize] = away;
                }
                goal += 1;
            }
        }
        square += 1;
    }
    found
}

/// The squares with one of each set adjacent on opposite sides.
#[inline(always)]
pub fn between(one: Mask, other: Mask) -> Mask {
    let mut found = Mask::EMPTY;
    each_axis!(BY => { found |= one.up(BY) & other.down(BY) | one.down(BY) & other.up(BY); });
    found
}

/// The squares adjacent to one of `near` that has one of `beyond` straight behind it.
#[inline(always)]
pub fn facing(near: Mask, beyond: Mask) -> Mask {
    let mut found = Mask::EMPTY;
    each_axis!(BY => { found |= (beyond.up(BY) & near).up(BY) | (beyond.down(BY) & near).down(BY); });
    found
}

/// A move fully given by its squares: `origin | destination << 8`.
pub type Path = u16;

/// The path of a move.
#[inline(always)]
pub fn path(origin: Square, destination: Square) -> Path {
    Path::from(origin) | Path::from(destination) << 8
}

/// List the slides of pieces to empty target squares, up to `reach` squares.
pub fn slides_to(pieces: Mask, empty: Mask, reach: u32, targets: Mask, found: &mut Vec<Path>) {
    for_each_front(pieces, empty, reach, |front, far| list_slides(front & targets, far, found));
}

/// Call a function with the squares reached at each distance along each direction.
#[inline(always)]
pub fn for_each_front(pieces: Mask, empty: Mask, reach: u32, mut act: impl FnMut(Mask, Square)) {
    each_axis!(BY => {
        let (mut front, mut far) = (pieces.up(BY) & empty, BY as Square);
        let most = (reach * BY) as Square;
        while front.any() {
            act(front, far);
            if far == most {
                break;
            }
            front = front.up(BY) & empty;
            far = far.wrapping_add(BY as Square);
        }
        (front, far) = (pieces.down(BY) & empty, BY as Square);
        while front.any() {
            act(front, far.wrapping_neg());
            if far == most {
                break;
            }
            front = front.down(BY) & empty;
            far = far.wrapping_add(BY as Square);
        }
    });
}

/// List the slides that end on some squares, given the offset from origin to destination.
#[inline(always)]
pub fn list_slides(squares: Mask, far: Square, found: &mut Vec<Path>) {
    if squares.any() {
        found.extend(squares.squares().map(|at| path(at.wrapping_sub(far), at)));
    }
}

/// Call a function with the slides of pieces up to `reach` squares that end on `stops`.
///
/// Highest piece first, towards higher squares first.
#[inline]
pub fn for_each_slide(
    pieces: Mask,
    empty: Mask,
    reach: usize,
    stops: Mask,
    mut act: impl FnMut(Square, Square),
) {
    let mut rest = pieces;
    while let Some(origin) = rest.last() {
        rest ^= Mask::of(origin);
        for direction in SLIDE_ORDER {
            let step = STEPS[direction];
            let mut at = next(origin, step);
            for _ in 0..reach {
                if !empty.has(at) {
                    break;
                }
                if stops.has(at) {
                    act(origin, at);
                }
                at = next(at, step);
            }
        }
    }
}

/// The empty squares in an open straight line with any target.
#[inline(always)]
pub fn seen(targets: Mask, empty: Mask) -> Mask {
    let mut found = Mask::EMPTY;
    each_axis!(BY => {
        let mut ahead = targets.up(BY) & empty;
        while ahead.any() {
            found |= ahead;
            ahead = ahead.up(BY) & empty;
        }
        let mut back = targets.down(BY) & empty;
        while back.any() {
            found |= back;
            back = back.down(BY) & empty;
        }
    });
    found
}

/// The squares from which a piece slides to a target, up to three squares.
#[inline(always)]
pub fn reaching(targets: Mask, empty: Mask) -> Mask {
    let mut found = Mask::EMPTY;
    each_axis!(BY => {
        let (mut ahead, mut back) = (targets, targets);
        for _ in 0..3 {
            ahead = ahead.up(BY);
            back = back.down(BY);
            found |= ahead | back;
            ahead &= empty;
            back &= empty;
        }
    });
    found
}

/// The first occupied square along a ray.
#[inline(always)]
pub fn blocker(
    rays: &[[Mask; 256]; 8],
    direction: usize,
    square: Square,
    occupied: Mask,
) -> Option<Square> {
    let on_ray = rays[direction][square as usize] & occupied;
    if STEPS[direction] > 0 { on_ray.first() } else { on_ray.last() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_octagon_has_165_squares_and_36_on_its_edge() {
        assert_eq!(BOARD.count(), 165);
        assert_eq!(EDGE.count(), 36);
        assert_eq!(FAR_SIDE & BOARD, FAR_SIDE);
        assert_eq!(NEAR[CENTRE as usize].count(), 8);
        assert_eq!(TO_GO[CENTRE as usize], 7);
    }
}
