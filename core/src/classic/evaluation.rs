//! The static evaluation of Classic, on whole bitboards.

use crate::board::{BOARD, each_axis};
use crate::game::Score;
use crate::mask::Mask;
use crate::weights::weights;

weights! {
    /// Weights of the evaluation.
    pub struct Weights {
        pub dwarf: Score,
        pub troll: Score,
        /// Two adjacent dwarfs.
        pub pair: Score,
        /// Three dwarfs in a line; four in a line count twice.
        pub line: Score,
        /// A dwarf that a troll can take from a square no line of dwarfs aims at.
        pub hanging: Score,
        /// A troll without another beside it.
        pub isolated: Score,
        /// A dwarf with four or more dwarfs around it.
        pub crowded: Score,
        /// A dwarf with six or seven around it: inside a block, yet not enclosed.
        pub packed: Score,
        /// A square beside dwarfs where a troll can land and no line of dwarfs aims.
        pub inroad: Score,
        /// A square where a troll can land and a line of dwarfs aims.
        pub guarded: Score,
        /// For each dwarf, a belt of the gathering area that it is in.
        pub gathering: Score,
        /// A dwarf within two steps of a troll with at most one dwarf beside it: little to take.
        pub skirmisher: Score,
        /// A dwarf within three steps of a troll with two or more beside it: much to take.
        pub exposed: Score,
        /// A dwarf in front of one of the four gaps in the dwarfs' starting line.
        pub gap: Score,
    }
}

impl Weights {
    /// The dwarfs' weights while they gather.
    pub const DWARFS: Weights = Weights {
        dwarf: 38,
        troll: 490,
        pair: 14,
        line: 2,
        hanging: 42,
        isolated: 6,
        crowded: 18,
        packed: 5,
        inroad: 6,
        guarded: 6,
        gathering: 8,
        skirmisher: 26,
        exposed: 8,
        gap: 10,
    };

    /// The dwarfs' weights when they have gathered and advance.
    pub const ADVANCING: Weights = Weights {
        troll: 500,
        line: 8,
        hanging: 55,
        crowded: 16,
        packed: 0,
        guarded: 3,
        gathering: 10,
        skirmisher: 0,
        exposed: 0,
        gap: 0,
        ..Weights::DWARFS
    };

    /// The trolls' weights.
    pub const TROLLS: Weights = Weights {
        dwarf: 36,
        troll: 320,
        pair: 10,
        line: 17,
        hanging: 12,
        isolated: 6,
        crowded: 0,
        packed: 0,
        inroad: 0,
        guarded: 0,
        gathering: 0,
        skirmisher: 0,
        exposed: 0,
        gap: 0,
    };
}

/// Belts where the dwarfs gather: each square's number of belts, as binary digits in masks.
#[derive(Clone, Default)]
pub struct Area(Vec<Mask>);

impl FromIterator<Mask> for Area {
    fn from_iter<T: IntoIterator<Item = Mask>>(belts: T) -> Area {
        let mut digits: Vec<Mask> = Vec::new();
        for belt in belts {
            let mut carry = belt;
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
            if carry.any() {
                digits.push(carry);
            }
        }
        Area(digits)
    }
}

impl Area {
    /// Sum over the pieces of the number of belts each is in.
    #[inline]
    pub(super) fn count(&self, pieces: Mask) -> Score {
        let digits = self.0.iter().enumerate();
        digits.map(|(place, &digit)| (pieces & digit).count() << place).sum()
    }
}

/// The squares in front of the gaps in the dwarfs' starting line, and a little to either side.
const GAPS: Mask = gaps();

const fn gaps() -> Mask {
    let mut found = Mask::EMPTY;
    let mut square = 0u8;
    while square < 240 {
        let across = (square & 15).abs_diff(7);
        let down = (square >> 4).abs_diff(7);
        let (less, more) = if across < down { (across, down) } else { (down, across) };
        let before = matches!((less, more), (1, 4..=6) | (2, 4..=5));
        if before && BOARD.has(square) {
            found = found.with(square);
        }
        square += 1;
    }
    found
}

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

/// The squares of each kind: dwarfs with at most one, two or three, and more dwarfs around them;
/// trolls with another beside them, and alone; hanging dwarfs; landings beside dwarfs at which no
/// line of dwarfs aims, and landings at which one does; and trolls in range of a hurl.
#[inline]
pub fn kinds(dwarfs: Mask, trolls: Mask, empty: Mask) -> [Mask; KINDS] {
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

/// Evaluate for the dwarfs, with a bonus for gathering in the belts of an area.
pub fn worth(dwarfs: Mask, trolls: Mask, empty: Mask, weights: &Weights, area: &Area) -> Score {
    let mut score = dwarfs.count() * weights.dwarf - trolls.count() * weights.troll;
    let (mut aimed, mut beside) = (Mask::EMPTY, Mask::EMPTY);
    let mut company = Company::default();
    let around = trolls.spread();
    let mut landing = around & empty;
    each_axis!(BY => {
        let two = dwarfs & dwarfs.down(BY);
        if two.any() {
            score += two.count() * weights.pair;
            aimed |= covered(two, dwarfs, empty, BY);
            score += (two & two.down(BY)).count() * weights.line;
            company.add(two, two.up(BY));
        }
        let two = trolls & trolls.down(BY);
        if two.any() {
            beside |= two | two.up(BY);
            landing |= shoved(two, trolls, empty, BY);
        }
    });
    let Company { twice, often, .. } = company;
    score += area.count(dwarfs) * weights.gathering;
    if weights.skirmisher != 0 || weights.exposed != 0 {
        let company = dwarfs & (twice | often);
        let near = (around & BOARD).spread();
        score += (near & (dwarfs ^ company)).count() * weights.skirmisher;
        score -= ((near & BOARD).spread() & company).count() * weights.exposed;
    }
    if weights.gap != 0 {
        score += (dwarfs & GAPS).count() * weights.gap;
    }
    let inroads = landing.minus(aimed) & dwarfs.spread();
    if weights.crowded != 0 {
        score += often.count() * weights.crowded;
    }
    if weights.packed != 0 {
        score += (often & twice).count() * weights.packed;
    }
    if weights.inroad != 0 {
        score -= inroads.count() * weights.inroad;
    }
    if weights.guarded != 0 {
        score += (landing & aimed).count() * weights.guarded;
    }
    let hanging = inroads.spread() & dwarfs;
    score - hanging.count() * weights.hanging + trolls.minus(beside).count() * weights.isolated
}
