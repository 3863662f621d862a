//! Expected margins: how the evaluation and the final margins of finished battles compare.

use crate::game::{GOAL, LIMIT, Score};
use crate::position::Position;

/// A dwarf and a troll in hundredths of a point.
const DWARF: i64 = 100;
const TROLL: i64 = 400;

/// A monotone map between the search's scores and final margins, both for the dwarfs.
///
/// It is made for a root: its static evaluation stands for the present margin.  A gain counts at
/// the value of trolls and a loss at that of dwarfs: in full until half-way to the bound, and less
/// and less from there.  The bounds are the margins without trolls and without dwarfs, which no
/// undecided position reaches.
#[derive(Clone, Debug)]
pub struct Margins {
    /// The highest margin, the lowest and the present one, in hundredths of a point.
    highest: i64,
    lowest: i64,
    present: i64,
    /// The root's static evaluation.
    evaluation: i64,
    /// The evaluation's worth of a troll and of a dwarf.
    troll: i64,
    dwarf: i64,
    /// Whether a network evaluates: its scores are margins, `UNIT` to a point.
    learnt: bool,
}

/// A point in a network's scores.
const UNIT: i64 = 40;

/// The margin of a position as it stands, in hundredths of a point for the dwarfs.
pub fn margin(position: &Position) -> i64 {
    DWARF * i64::from(position.dwarfs.count()) - TROLL * i64::from(position.trolls.count())
}

/// A network's score of a position that goes on: between the margins without dwarfs and without
/// trolls.
#[inline]
pub fn bounded(position: &Position, score: Score) -> Score {
    let point = UNIT as Score;
    let lowest = 1 - 4 * point * position.trolls.count();
    let highest = point * position.dwarfs.count() - 1;
    score.max(lowest).min(highest)
}

impl Margins {
    /// The map for a root with its static evaluation for the dwarfs.
    pub fn new(root: &Position, evaluation: Score, troll: Score, dwarf: Score) -> Margins {
        Margins {
            highest: DWARF * i64::from(root.dwarfs.count()),
            lowest: -TROLL * i64::from(root.trolls.count()),
            present: margin(root),
            evaluation: i64::from(evaluation),
            troll: i64::from(troll.max(1)),
            dwarf: i64::from(dwarf.max(1)),
            learnt: false,
        }
    }

    /// The map for a network, whose scores are margins.
    pub fn learnt(root: &Position) -> Margins {
        Margins { learnt: true, ..Margins::new(root, 0, 1, 1) }
    }

    /// The margin that a score stands for, within the bounds.
    pub fn margin(&self, score: Score) -> Score {
        if score.abs() > LIMIT {
            return (if score > 0 { self.highest } else { self.lowest }) as Score;
        }
        if self.learnt {
            let margin = i64::from(score) * DWARF / UNIT;
            return margin.clamp(self.lowest + 1, self.highest - 1) as Score;
        }
        let rise = i64::from(score) - self.evaluation;
        let (bound, worth, unit) = self.towards(rise);
        let gap = (bound - self.present).abs();
        if gap == 0 {
            return self.present as Score;
        }
        let (half, points) = (gap / 2, unit * rise.abs() / worth);
        let left = if points <= half { gap - points } else { half * half / points };
        // Never less than a hundredth from the bound.
        let left = left.max(1);
        (if rise > 0 { bound - left } else { bound + left }) as Score
    }

    /// The score of a battle that has ended in a position.
    ///
    /// At a bound it is a goal: nothing better can be had from the root.
    pub fn finished(&self, position: &Position) -> Score {
        let margin = margin(position);
        if margin >= self.highest {
            return GOAL;
        }
        if margin <= self.lowest {
            return -GOAL;
        }
        if self.learnt {
            return (margin * UNIT / DWARF) as Score;
        }
        let rise = margin - self.present;
        let (bound, worth, unit) = self.towards(rise);
        let (gap, left) = ((bound - self.present).abs(), (bound - margin).abs());
        let half = gap / 2;
        let points = if left >= half { gap - left } else { half * half / left };
        let found = self.evaluation + rise.signum() * (points * worth / unit);
        found.clamp(-i64::from(LIMIT), i64::from(LIMIT)) as Score
    }

    /// The bound in the direction of a rise, and the evaluation's and the margin's worth of a piece.
    fn towards(&self, rise: i64) -> (i64, i64, i64) {
        if rise > 0 { (self.highest, self.troll, TROLL) } else { (self.lowest, self.dwarf, DWARF) }
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
        for evaluation in [-3000, -40, 0, 900] {
            let margins = Margins::new(&root, evaluation, 490, 38);
            assert_eq!(margins.margin(evaluation), 1400);
            check(&root, &margins, 3);
        }
        check(&root, &Margins::learnt(&root), 0);
    }

    fn check(root: &Position, margins: &Margins, rounded: Score) {
        let mut last = -400;
        for score in (-LIMIT..=LIMIT).step_by(7) {
            let margin = margins.margin(score);
            assert!((-399..=1799).contains(&margin) && margin >= last);
            last = margin;
        }
        assert_eq!((margins.margin(GOAL), margins.margin(-GOAL)), (1800, -400));
        let trolls_gone = Position { trolls: Mask::EMPTY, ..*root };
        assert_eq!(margins.finished(&trolls_gone), GOAL);
        for lost in 1..18 {
            let dwarfs = root.dwarfs.squares().skip(lost).fold(Mask::EMPTY, Mask::with);
            let finished = margins.finished(&Position { dwarfs, ..trolls_gone });
            let exact = 1800 - 100 * lost as Score;
            assert!((margins.margin(finished) - exact).abs() <= rounded, "{lost} lost");
        }
    }

    #[test]
    fn a_network_s_scores_stay_within_what_the_pieces_allow() {
        for position in wanderings(Variant::Classic, 12) {
            let margins = Margins::learnt(&position);
            for score in (-LIMIT..LIMIT).step_by(499) {
                let bounded = bounded(&position, score);
                assert!(margins.lowest < margins.margin(bounded).into());
                assert!(i64::from(margins.margin(bounded)) < margins.highest);
                assert!(i64::from(bounded) * DWARF / UNIT >= margins.lowest);
                assert!(i64::from(bounded) * DWARF / UNIT <= margins.highest);
            }
        }
    }
}
