//! What a network sees of a position of Koom Valley, on whole bitboards.

use crate::board::{BOARD, CENTRE, FAR_SIDE, NEAR, between, facing, reaching};
use crate::mask::{Mask, Square};
use crate::net::View;
use crate::position::Position;

/// The kinds of squares that a network knows.
pub const KINDS: usize = 10;

/// How far from the rock squares are seen by where they are from it.
const REACH: u8 = 6;

/// What can be on a square together, on the board and around the rock.
pub const VIEW: View<KINDS> = View {
    squares: {
        let around = window(CENTRE);
        [BOARD, BOARD, BOARD, BOARD, around, around, around, around, around, around]
    },
    most: |[dwarf, troll, rock, path, standing, hanging, far, coming, trap, covered]| {
        let there = dwarf.max(troll).max(rock).max(path).max(&0);
        let around = *standing.max(hanging).max(far).max(coming);
        there + around.max(*trap.max(&0) + *covered.max(&0))
    },
};

/// The squares in reach of a rock, also beyond the edge of the board.
const fn window(rock: Square) -> Mask {
    let mut found = Mask::EMPTY;
    let mut square: Square = 0;
    while square < 240 {
        let across = (square & 15).abs_diff(rock & 15);
        let down = (square >> 4).abs_diff(rock >> 4);
        if square & 15 < 15 && across <= REACH && down <= REACH {
            found = found.with(square);
        }
        square += 1;
    }
    found
}

/// The squares in reach of a rock on each square.
static WINDOWS: [Mask; 256] = {
    let mut found = [Mask::EMPTY; 256];
    let mut rock: Square = 0;
    while rock < 240 {
        found[rock as usize] = window(rock);
        rock += 1;
    }
    found
};

/// The squares of each kind.
///
/// Where they are on the board: dwarfs; trolls; the rock; and the squares to which it could be
/// moved with the dwarfs where they are.  Where they would be with the rock in the centre: dwarfs
/// that no troll can trample, and others; trolls that cannot come beside the rock at once, and
/// others; empty squares where a dwarf would trap a troll, and those beside dwarfs.
#[inline]
pub fn kinds(position: &Position) -> [Mask; KINDS] {
    let (dwarfs, trolls, rock) = (position.dwarfs, position.trolls, position.stone);
    let (empty, near) = (position.empty(), NEAR[rock as usize]);
    let covered = dwarfs.spread() & empty;
    let hanging = between(trolls, empty) & dwarfs;
    let coming = reaching(near & empty, empty) & trolls;
    let window = WINDOWS[rock as usize];
    let around = |squares: Mask| {
        let seen = squares & window;
        if rock < CENTRE {
            seen.up(u32::from(CENTRE - rock))
        } else {
            seen.down(u32::from(rock - CENTRE))
        }
    };
    [
        dwarfs,
        trolls,
        Mask::of(rock),
        path(rock, dwarfs, covered),
        around(dwarfs.minus(hanging)),
        around(hanging),
        around(trolls.minus(coming)),
        around(coming),
        around(facing(trolls, dwarfs) & empty),
        around(covered),
    ]
}

/// The squares to which the rock could be moved through covered ones, until the far side.
#[inline]
fn path(rock: Square, dwarfs: Mask, covered: Mask) -> Mask {
    let (mut reached, mut front) = (Mask::EMPTY, Mask::of(rock));
    if !(NEAR[rock as usize] & dwarfs).any() {
        return reached;
    }
    loop {
        front = (front.spread() & covered).minus(reached);
        reached |= front;
        if !front.any() || (front & FAR_SIDE).any() {
            return reached;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::turned;
    use crate::position::Variant;
    use crate::position::tests::{crowds, wanderings};

    #[test]
    fn what_is_around_the_rock_keeps_its_place() {
        for position in [wanderings(Variant::Koom, 12), crowds(Variant::Koom, 60)].concat() {
            let [dwarfs, trolls, _, _, standing, hanging, far, coming, trap, covered] =
                kinds(&position);
            assert_eq!((dwarfs, trolls), (position.dwarfs, position.trolls));
            let [row, column] = [position.stone >> 4, position.stone & 15].map(i16::from);
            let expected = |of: Mask| {
                let there = of
                    .squares()
                    .map(|at| (i16::from(at >> 4) - row + 7, i16::from(at & 15) - column + 7));
                let seen = there.filter(|(down, across)| {
                    (down - 7).abs() <= i16::from(REACH) && (across - 7).abs() <= i16::from(REACH)
                });
                seen.fold(Mask::EMPTY, |mask, (down, across)| {
                    mask.with((16 * down + across) as Square)
                })
            };
            assert_eq!(standing | hanging, expected(dwarfs));
            assert_eq!(far | coming, expected(trolls));
            assert!(!(standing & hanging | far & coming).any());
            let empty = position.empty();
            assert_eq!(trap, expected(facing(trolls, dwarfs) & empty));
            assert_eq!(covered, expected(dwarfs.spread() & empty));
        }
    }

    #[test]
    fn a_mirrored_position_has_mirrored_kinds() {
        let mirror =
            |squares: Mask| squares.squares().map(|at| turned(at, 1)).fold(Mask::EMPTY, Mask::with);
        for position in [wanderings(Variant::Koom, 12), crowds(Variant::Koom, 60)].concat() {
            let mirrored = Position {
                dwarfs: mirror(position.dwarfs),
                trolls: mirror(position.trolls),
                stone: turned(position.stone, 1),
                ..position
            };
            assert_eq!(kinds(&mirrored), kinds(&position).map(mirror));
        }
    }

    #[test]
    fn the_path_ends_at_the_far_side() {
        let mut reached = 0;
        for position in wanderings(Variant::Koom, 12) {
            let covered = position.dwarfs.spread() & position.empty();
            let found = kinds(&position)[3];
            assert!(!found.minus(covered).any());
            reached += i32::from((found & FAR_SIDE).any());
        }
        assert!(reached > 0);
    }
}
