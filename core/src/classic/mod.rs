//! Classic Thud for the search, with either capture rule.
//!
//! Trolls take every dwarf they can: that is nearly always best, and keeps the moves few.

mod features;
mod margin;
mod moves;

use std::rc::Rc;

use crate::board::{NEAR, Path, slides_to};
use crate::game::{self, GOAL, Game, Options, Score};
use crate::mask::{Mask, Square};
use crate::net::{self, Evaluator};
use crate::position::{Position, Side};

use margin::{Bounds, POINT};

pub use features::{VIEW, kinds};
pub use margin::margin;

/// A network that evaluates Classic, in fortieths of a point.
pub type Net = net::Net<{ features::KINDS }>;

impl Net {
    /// The network of Classic, or of the game with single capture.
    pub fn of_game(single: bool) -> Net {
        let file: &[u8] = if single {
            include_bytes!("../../nets/single.net")
        } else {
            include_bytes!("../../nets/classic.net")
        };
        Net::read(file, &VIEW).unwrap_or_else(|| unreachable!("it is a network"))
    }
}

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
    single: bool,
    /// The number of promising moves, per ply of depth, from which the others are left out.
    enough: usize,
    /// Whether a null move may be tried.
    passing: bool,
    net: Evaluator<{ features::KINDS }>,
    bounds: Bounds,
}

/// What a troll is worth, and a dwarf, to order and prune captures.
const TROLL: Score = 260;
const DWARF: Score = POINT;

impl Classic {
    /// The game for a search from a position, evaluated by a network.
    ///
    /// Null moves pay off for the trolls only.
    pub fn new(root: &Position, single: bool, net: &Rc<Net>) -> Classic {
        let (enough, passing) = if root.side == Side::Dwarfs { (40, false) } else { (12, true) };
        let (net, bounds) = (Evaluator::new(net), Bounds::new(root));
        Classic { single, enough, passing, net, bounds }
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
                moves::takes(dwarfs, trolls, empty, self.single, DWARF, found);
            }
        }
    }

    #[inline]
    fn most_gained(&self, position: &Position) -> Score {
        match position.side {
            // The last troll ends the battle.
            Side::Dwarfs if position.trolls.count() == 1 => GOAL,
            Side::Dwarfs => TROLL,
            Side::Trolls if position.dwarfs.count() <= 8 => GOAL,
            Side::Trolls => 8 * DWARF,
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
        let score = margin::bounded(position, self.net.evaluate(kinds(position), position.side));
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
        let score = self.bounds.finished(position);
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
        features::hanging_dwarfs(dwarfs, trolls, position.empty()).count() > 1
    }

    fn shown(&self, position: &Position, score: Score) -> Score {
        let sign = if position.side == Side::Dwarfs { 1 } else { -1 };
        sign * self.bounds.margin(sign * score)
    }

    fn final_margin(&self, position: &Position) -> Option<Score> {
        self.decided(position).map(|_| margin(position))
    }
}
