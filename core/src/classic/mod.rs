//! Classic Thud for the search, with either capture rule.
//!
//! Trolls take every dwarf they can: that is nearly always best, and keeps the moves few.

mod evaluation;
mod gathering;
mod margin;
mod moves;

use std::rc::Rc;

use crate::board::{NEAR, Path, slides_to};
use crate::game::{self, GOAL, Game, Options, Score};
use crate::mask::{Mask, Square};
use crate::net::{Evaluator, Net};
use crate::position::{Position, Side};

use margin::Margins;

pub use evaluation::{Area, KINDS, Weights, kinds};
pub use margin::margin;

/// Flags a move that captures only one of several dwarfs: its square is in bits 16 to 23.
const ONE: u32 = 1 << 24;

/// A move of Classic: the path, and possibly the only dwarf it captures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Move(u32);

impl Move {
    fn new(origin: Square, destination: Square) -> Move {
        Move(u32::from(origin) | u32::from(destination) << 8)
    }

    fn taking(self, victim: Square) -> Move {
        Move(self.0 | u32::from(victim) << 16 | ONE)
    }
}

impl game::Move for Move {
    #[inline(always)]
    fn of(path: Path) -> Move {
        Move(u32::from(path))
    }

    #[inline(always)]
    fn path(self) -> Option<Path> {
        Path::try_from(self.0).ok()
    }

    fn squares(self) -> (Square, Square) {
        (self.0 as Square, (self.0 >> 8) as Square)
    }
}

/// Classic, with either capture rule, from one side's view.
pub struct Classic {
    /// Whether a step captures at most one dwarf.
    pub single: bool,
    /// Weights of the evaluation.
    pub weights: Weights,
    /// The number of promising moves, per ply of depth, from which the others are left out.
    pub enough: usize,
    /// Whether a null move may be tried.
    pub passing: bool,
    /// The area where the dwarfs gather.
    pub area: Area,
    /// The network that evaluates instead of the weights.
    learnt: Option<Evaluator>,
    /// What scores stand for, and the scores of finished battles.
    margins: Margins,
}

/// The weights of each side, and of dwarfs that advance; or a side's network.
#[derive(Clone)]
pub struct Roles {
    pub dwarfs: Weights,
    pub advancing: Weights,
    pub trolls: Weights,
    /// For dwarfs and trolls.
    pub learnt: [Option<Rc<Net>>; 2],
}

impl Roles {
    /// Fitted to battle results by tools/tune_weights.py.
    pub const FITTED: Roles = Roles {
        dwarfs: Weights::DWARFS,
        advancing: Weights::ADVANCING,
        trolls: Weights::TROLLS,
        learnt: [None, None],
    };
}

/// Quiet turns after a capture until the dwarfs advance.
const SETTLED: usize = 4;
/// Turns from the start until they advance if nothing was captured.
const GATHERED: usize = 40;
/// What a dwarf and a troll are worth where a network evaluates, to order and prune captures.
const NET_DWARF: Score = 40;
const NET_TROLL: Score = 260;
/// The pieces at the start.
const PIECES: i32 = 40;

impl Classic {
    /// A side's game with some weights, for positions that follow from a root.
    ///
    /// Null moves pay off for the trolls only.
    pub fn new(root: &Position, side: Side, single: bool, weights: Weights, area: Area) -> Classic {
        let (enough, passing) = if side == Side::Dwarfs { (40, false) } else { (12, true) };
        let evaluation = evaluation::worth(root.dwarfs, root.trolls, root.empty(), &weights, &area);
        let margins = Margins::new(root, evaluation, weights.troll, weights.dwarf);
        Classic { single, weights, enough, passing, area, learnt: None, margins }
    }

    /// A side's game with a network.
    fn with_net(root: &Position, single: bool, net: &Rc<Net>) -> Classic {
        let weights = Weights { dwarf: NET_DWARF, troll: NET_TROLL, ..Weights::TROLLS };
        Classic {
            learnt: Some(Evaluator::new(net)),
            margins: Margins::learnt(root),
            ..Classic::new(root, root.side, single, weights, Area::default())
        }
    }

    /// The game for a search from a position, so many turns after the last capture.
    pub fn seen_from(root: &Position, quiet: usize, single: bool, roles: &Roles) -> Classic {
        if let Some(net) = &roles.learnt[root.side as usize] {
            return Classic::with_net(root, single, net);
        }
        let (dwarfs, trolls) = (root.dwarfs, root.trolls);
        let untouched = (dwarfs | trolls).count() == PIECES;
        let (weights, area) = if root.side == Side::Trolls {
            (&roles.trolls, Area::default())
        } else if quiet >= if untouched { GATHERED } else { SETTLED } {
            (&roles.advancing, gathering::advance(dwarfs, trolls))
        } else {
            (&roles.dwarfs, gathering::gathering(dwarfs, trolls))
        };
        Classic::new(root, root.side, single, weights.clone(), area)
    }
}

impl Game for Classic {
    type Move = Move;

    const OPTIONS: Options = Options { delta_margin: 60, ..Options::SELECTIVE };

    fn captures(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        match position.side {
            Side::Dwarfs => {
                moves::hurls(dwarfs, trolls, empty, self.most_gained(position), found);
            }
            Side::Trolls => {
                moves::takes(dwarfs, trolls, empty, self.single, self.weights.dwarf, found);
            }
        }
    }

    #[inline]
    fn most_gained(&self, position: &Position) -> Score {
        match position.side {
            // The last troll ends the battle.
            Side::Dwarfs if position.trolls.count() == 1 => GOAL,
            Side::Dwarfs => self.weights.troll,
            Side::Trolls if position.dwarfs.count() <= 8 => GOAL,
            Side::Trolls => 8 * self.weights.dwarf.max(0),
        }
    }

    fn quiets(&self, position: &Position, depth: i32, found: &mut Vec<Path>) {
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        match position.side {
            Side::Trolls => moves::steps(dwarfs, trolls, empty, found),
            Side::Dwarfs => {
                let enough = self.enough.saturating_mul(depth as usize);
                moves::promising_slides(dwarfs, trolls, empty, enough, found);
            }
        }
    }

    fn all_quiets(&self, position: &Position, found: &mut Vec<Path>) {
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        match position.side {
            Side::Trolls => moves::steps(dwarfs, trolls, empty, found),
            Side::Dwarfs => slides_to(dwarfs, empty, 15, empty, found),
        }
    }

    fn evasions(&self, position: &Position, found: &mut Vec<Path>) {
        if position.side == Side::Dwarfs {
            moves::flights(position.dwarfs, position.trolls, position.empty(), found);
        }
    }

    #[inline]
    fn make(&self, position: &Position, Move(played): Move) -> Position {
        let (origin, destination) = (played as Square, (played >> 8) as Square);
        let landed = Mask::of(destination);
        let path = Mask::of(origin) | landed;
        let mut child = Position { side: position.side.other(), ..*position };
        if position.side == Side::Dwarfs {
            child.dwarfs ^= path;
            child.trolls = child.trolls.minus(landed);
        } else {
            child.trolls ^= path;
            child.dwarfs = if played & ONE != 0 {
                child.dwarfs ^ Mask::of((played >> 16) as Square)
            } else {
                child.dwarfs.minus(NEAR[destination as usize])
            };
        }
        child
    }

    fn evaluate(&self, position: &Position) -> Score {
        let (dwarfs, trolls) = (position.dwarfs, position.trolls);
        let score = match &self.learnt {
            Some(net) => margin::bounded(position, net.evaluate(position)),
            None => evaluation::worth(dwarfs, trolls, position.empty(), &self.weights, &self.area),
        };
        if position.side == Side::Trolls { -score } else { score }
    }

    #[inline]
    fn decided(&self, position: &Position) -> Option<Score> {
        if position.dwarfs.any() && position.trolls.any() {
            return None;
        }
        Some(self.stuck(position))
    }

    fn stuck(&self, position: &Position) -> Score {
        let score = self.margins.finished(position);
        if position.side == Side::Trolls { -score } else { score }
    }

    fn repeated(&self, _position: &Position) -> Option<Score> {
        None
    }

    fn after_null(&self, position: &Position) -> Option<Position> {
        self.passing.then(|| Position { side: position.side.other(), ..*position })
    }

    fn in_check(&self, position: &Position) -> bool {
        if position.side == Side::Trolls {
            return false;
        }
        let (dwarfs, trolls) = (position.dwarfs, position.trolls);
        evaluation::hanging_dwarfs(dwarfs, trolls, position.empty()).count() > 1
    }

    fn shown(&self, position: &Position, score: Score) -> Score {
        let sign = if position.side == Side::Dwarfs { 1 } else { -1 };
        sign * self.margins.margin(sign * score)
    }

    fn final_margin(&self, position: &Position) -> Option<Score> {
        self.decided(position).map(|_| margin::margin(position) as Score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BOARD;
    use crate::position::Variant;
    use crate::position::tests::start;

    fn seen(root: &Position, quiet: usize) -> Classic {
        Classic::seen_from(root, quiet, false, &Roles::FITTED)
    }

    #[test]
    fn only_who_plays_the_dwarfs_thinks_of_gathering_and_advances_once_it_is_quiet() {
        let root = start(Variant::Classic);
        let belts = |game: &Classic| game.area.count(BOARD);
        let fewer = Position { dwarfs: root.dwarfs.minus(Mask::of(5)), ..root };
        for (root, settled) in [(root, GATHERED), (fewer, SETTLED)] {
            assert_eq!(seen(&root, settled - 1).weights.gap, Weights::DWARFS.gap);
            assert_eq!(seen(&root, settled).weights.gap, Weights::ADVANCING.gap);
            assert_ne!(belts(&seen(&root, settled - 1)), belts(&seen(&root, settled)));
            let trolls = Position { side: Side::Trolls, ..root };
            for quiet in [0, settled] {
                assert_eq!(belts(&seen(&trolls, quiet)), 0);
            }
        }
    }

    #[test]
    fn a_dwarf_that_joins_the_others_stands_better_and_later_one_nearer_to_the_trolls() {
        let at = |squares: [Square; 4]| Position {
            dwarfs: squares.into_iter().fold(Mask::EMPTY, Mask::with),
            trolls: Mask::of(0x36),
            stone: 0x77,
            side: Side::Dwarfs,
        };
        let better = |quiet, one: [Square; 4], other: [Square; 4]| {
            let game = seen(&at(one), quiet);
            game.evaluate(&at(one)) > game.evaluate(&at(other))
        };
        let (near, far) = ([0x97, 0xa7, 0xa6, 0xa8], [0xd7, 0xe7, 0xe6, 0xe8]);
        assert!(better(0, [0xe6, 0xe7, 0xe8, 0xc6], [0xe6, 0xe7, 0xe8, 0x06]));
        assert!(better(0, far, near));
        assert!(better(20, near, far));
    }
}
