//! What a network sees of a Classic position, on whole bitboards.

use crate::board::{BOARD, each_axis};
use crate::mask::Mask;
use crate::net::View;
use crate::position::Position;

/// The empty squares that trolls reach by a step or by a shove of up to three squares.
#[inline]
pub fn landings(trolls: Mask, empty: Mask) -> Mask {
    let mut found = trolls.spread() & empty;
    each_axis!(BY => {
        let pairs = trolls & trolls.down(BY);
        if pairs.any() {
            found |= shoved(pairs, trolls, empty, BY);
        }
    });
    found
}

/// The empty squares reached by shoves of two or three trolls in line along an axis.
#[inline(always)]
fn shoved(pairs: Mask, trolls: Mask, empty: Mask, by: u32) -> Mask {
    let ahead = (pairs.up(2 * by) & empty).up(by) & empty;
    let back = (pairs.down(by) & empty).down(by) & empty;
    let mut found = ahead | back;
    let lines = pairs & trolls.down(2 * by);
    if lines.any() {
        found |= (ahead & lines.up(4 * by)).up(by) & empty;
        found |= (back & lines.down(2 * by)).down(by) & empty;
    }
    found
}

/// The squares in hurling range of two or three dwarfs in line along an axis.
#[inline(always)]
fn covered(pairs: Mask, dwarfs: Mask, empty: Mask, by: u32) -> Mask {
    let (ahead, back) = (pairs.up(2 * by) & empty, pairs.down(by) & empty);
    let mut found = ahead.up(by) | back.down(by);
    let lines = pairs & dwarfs.down(2 * by);
    if lines.any() {
        let (ahead, back) = (lines.up(3 * by) & empty, lines.down(by) & empty);
        let far = (ahead.up(by) & empty).up(by) | (back.down(by) & empty).down(by);
        found |= ahead | back | far;
    }
    found
}

/// The dwarfs beside a square where a troll can land out of range of any hurl.
#[inline]
pub fn hanging_dwarfs(dwarfs: Mask, trolls: Mask, empty: Mask) -> Mask {
    let mut aimed = Mask::EMPTY;
    each_axis!(BY => {
        let pairs = dwarfs & dwarfs.down(BY);
        if pairs.any() {
            aimed |= covered(pairs, dwarfs, empty, BY);
        }
    });
    landings(trolls, empty).minus(aimed).spread() & dwarfs
}

/// How many dwarfs are around each dwarf, in binary, for all dwarfs at once: digits for one and two,
/// and those with four or more.
#[derive(Default)]
struct Company {
    once: Mask,
    twice: Mask,
    often: Mask,
}

impl Company {
    /// Add the dwarfs with another beside them on one side of an axis, and on the other.
    #[inline(always)]
    fn add(&mut self, one: Mask, other: Mask) {
        let (carry, both) = (one & other, one ^ other);
        let carried = self.once & both;
        self.once ^= both;
        self.often |= self.twice & carry | (self.twice ^ carry) & carried;
        self.twice ^= carry ^ carried;
    }
}

/// The kinds of squares that a network knows.
pub const KINDS: usize = 9;

/// What can be on a square together.
pub const VIEW: View<KINDS> = View {
    squares: [BOARD; KINDS],
    most: |[few, some, many, beside, alone, hanging, inroad, landing, aimed]| {
        let dwarf = few.max(some).max(many) + hanging.max(&0);
        let troll = beside.max(alone) + aimed.max(&0);
        dwarf.max(troll).max(*inroad).max(*landing).max(0)
    },
};

/// The squares of each kind: dwarfs with at most one, two or three, and more dwarfs around them;
/// trolls with another beside them, and alone; hanging dwarfs; landings beside dwarfs at which no
/// line of dwarfs aims, and landings at which one does; and trolls at which one does, from two or
/// three squares away.
#[inline]
pub fn kinds(position: &Position) -> [Mask; KINDS] {
    let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
    let (mut aimed, mut beside) = (Mask::EMPTY, Mask::EMPTY);
    let mut company = Company::default();
    let mut landing = trolls.spread() & empty;
    each_axis!(BY => {
        let two = dwarfs & dwarfs.down(BY);
        if two.any() {
            aimed |= covered(two, dwarfs, empty, BY);
            company.add(two, two.up(BY));
        }
        let two = trolls & trolls.down(BY);
        if two.any() {
            beside |= two | two.up(BY);
            landing |= shoved(two, trolls, empty, BY);
        }
    });
    let Company { twice, often, .. } = company;
    let inroads = landing.minus(aimed) & dwarfs.spread();
    [
        dwarfs.minus(twice | often),
        (dwarfs & twice).minus(often),
        dwarfs & often,
        trolls & beside,
        trolls.minus(beside),
        inroads.spread() & dwarfs,
        inroads,
        landing & aimed,
        trolls & aimed,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{NEAR, RAYS, STEPS, next};
    use crate::mask::Square;
    use crate::position::Variant;
    use crate::position::tests::{crowds, wanderings};

    /// The squares up to three ahead of a piece, as far as the first that is not free, with the
    /// distance and the length of its line.
    fn ahead(head: Square, pieces: Mask, empty: Mask) -> Vec<(Square, usize, usize)> {
        let mut found = Vec::new();
        for (direction, step) in STEPS.into_iter().enumerate() {
            let behind = RAYS[STEPS.len() - 1 - direction][head as usize];
            let mut at = head;
            let mut line = 1;
            loop {
                at = next(at, -step);
                if !behind.has(at) || !pieces.has(at) {
                    break;
                }
                line += 1;
            }
            at = head;
            for far in 1..=3 {
                at = next(at, step);
                found.push((at, far, line));
                if !empty.has(at) {
                    break;
                }
            }
        }
        found
    }

    fn counted(dwarfs: Mask, trolls: Mask, empty: Mask) -> [Mask; KINDS] {
        let mask = |squares: Vec<Square>| squares.into_iter().fold(Mask::EMPTY, Mask::with);
        let around = |square: Square, pieces: Mask| (NEAR[square as usize] & pieces).count();
        let reached = |pieces: Mask, reaches: fn(usize, usize) -> bool| {
            let all = pieces.squares().flat_map(|head| ahead(head, pieces, empty));
            mask(all.filter(|&(_, far, line)| reaches(far, line)).map(|(at, ..)| at).collect())
        };
        let landings = reached(trolls, |far, line| far <= line) & empty;
        // After a troll has landed and captured next to it, a line must still reach it.
        let near = reached(dwarfs, |far, line| far == 1 && line >= 3) & empty;
        let aimed = near | reached(dwarfs, |far, line| far > 1 && line >= far);
        let beside = |pieces: Mask, of: Mask, holds: fn(i32) -> bool| {
            mask(pieces.squares().filter(|&at| holds(around(at, of))).collect())
        };
        let inroads = beside(landings.minus(aimed), dwarfs, |count| count > 0);
        [
            beside(dwarfs, dwarfs, |count| count < 2),
            beside(dwarfs, dwarfs, |count| (2..4).contains(&count)),
            beside(dwarfs, dwarfs, |count| count >= 4),
            beside(trolls, trolls, |count| count > 0),
            beside(trolls, trolls, |count| count == 0),
            beside(dwarfs, inroads, |count| count > 0),
            inroads,
            landings & aimed,
            trolls & aimed,
        ]
    }

    #[test]
    fn each_kind_of_square_is_what_it_says() {
        let mut seen = [Mask::EMPTY; KINDS];
        for position in [wanderings(Variant::Classic, 12), crowds(Variant::Classic, 60)].concat() {
            let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
            let (found, counted) = (kinds(&position), counted(dwarfs, trolls, empty));
            assert_eq!(found, counted, "{position:?}");
            for (all, one) in seen.iter_mut().zip(found) {
                *all |= one;
            }
        }
        assert!(seen.iter().all(|kind| kind.count() > 9));
    }
}
