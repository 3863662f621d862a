//! Margins: what a position's pieces are worth, and what the search's scores stand for.

use crate::game::{GOAL, LIMIT, Score};
use crate::position::Position;

/// A dwarf and a troll in points.
const DWARF: Score = 1;
const TROLL: Score = 4;
/// A point in the search's scores, and in margins.
pub const POINT: Score = 40;
const HUNDREDTHS: Score = 100;

/// The margin of a position as it stands, in hundredths of a point for the dwarfs.
pub fn margin(position: &Position) -> Score {
    HUNDREDTHS * (DWARF * position.dwarfs.count() - TROLL * position.trolls.count())
}

/// The score of a position that goes on, between those without dwarfs and without trolls.
#[inline]
pub fn bounded(position: &Position, score: Score) -> Score {
    let lowest = 1 - POINT * TROLL * position.trolls.count();
    let highest = POINT * DWARF * position.dwarfs.count() - 1;
    score.max(lowest).min(highest)
}

/// The margins that can be had from a root: without trolls, and without dwarfs.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// In hundredths of a point for the dwarfs.
    highest: Score,
    lowest: Score,
}

impl Bounds {
    /// The bounds of a root.
    pub fn new(root: &Position) -> Bounds {
        let lowest = -HUNDREDTHS * TROLL * root.trolls.count();
        Bounds { highest: HUNDREDTHS * DWARF * root.dwarfs.count(), lowest }
    }

    /// The margin that a score for the dwarfs stands for; a bound only if it is certain.
    pub fn margin(&self, score: Score) -> Score {
        if score.abs() > LIMIT {
            return if score > 0 { self.highest } else { self.lowest };
        }
        (score * HUNDREDTHS / POINT).clamp(self.lowest + 1, self.highest - 1)
    }

    /// The score for the dwarfs of a battle that has ended in a position.
    ///
    /// At a bound it is a goal: nothing better can be had from the root.
    pub fn finished(&self, position: &Position) -> Score {
        match margin(position) {
            margin if margin >= self.highest => GOAL,
            margin if margin <= self.lowest => -GOAL,
            margin => margin * POINT / HUNDREDTHS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;
    use crate::position::Variant;
    use crate::position::tests::{read, wanderings};

    #[test]
    fn margins_are_bounded_monotone_and_finished_battles_exact() {
        let text = "5/7/9/11/13/1ddd11/1ddd11/1dddd1TR7/1dddd10/2ddd10/2d10/11/9/7/5";
        let root = read(Variant::Classic, &format!("{text} d"));
        let bounds = Bounds::new(&root);
        let mut last = -400;
        for score in (-LIMIT..=LIMIT).step_by(7) {
            let margin = bounds.margin(score);
            assert!((-399..=1799).contains(&margin) && margin >= last);
            last = margin;
        }
        assert_eq!((bounds.margin(GOAL), bounds.margin(-GOAL)), (1800, -400));
        let trolls_gone = Position { trolls: Mask::EMPTY, ..root };
        assert_eq!(bounds.finished(&trolls_gone), GOAL);
        for lost in 1..18 {
            let dwarfs = root.dwarfs.squares().skip(lost).fold(Mask::EMPTY, Mask::with);
            let finished = bounds.finished(&Position { dwarfs, ..trolls_gone });
            assert_eq!(bounds.margin(finished), 1800 - 100 * lost as Score);
        }
    }

    #[test]
    fn a_position_that_goes_on_is_worth_neither_bound() {
        for position in wanderings(Variant::Classic, 12) {
            let Bounds { highest, lowest } = Bounds::new(&position);
            for score in (-LIMIT..LIMIT).step_by(499) {
                let hundredths = bounded(&position, score) * HUNDREDTHS;
                assert!(lowest * POINT < hundredths && hundredths < highest * POINT);
            }
        }
    }
}
