//! Classic Thud for the search, with either capture rule; see `thud.ai.classic`.

mod evaluation;
mod moves;

use crate::board::{NEAR, Path, slides_to};
use crate::game::{self, Game, Score};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};

pub use evaluation::{Area, Weights};

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

    fn from_number(Mask([low, a, b, c]): Mask) -> Option<Move> {
        let number = u32::try_from(low).ok()?;
        (a | b | c == 0 && number < ONE << 1).then_some(Move(number))
    }

    fn number(self) -> Mask {
        Mask([u64::from(self.0), 0, 0, 0])
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
}

impl Game for Classic {
    type Move = Move;

    fn captures(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        match position.side {
            Side::Dwarfs => moves::hurls(dwarfs, trolls, empty, self.weights.troll, found),
            Side::Trolls => {
                moves::takes(dwarfs, trolls, empty, self.single, self.weights.dwarf, found);
            }
        }
    }

    #[inline]
    fn most_gained(&self, position: &Position) -> Score {
        match position.side {
            Side::Dwarfs => self.weights.troll,
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

    fn rescues(&self, position: &Position, found: &mut Vec<Path>) {
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
        let score = evaluation::worth(dwarfs, trolls, position.empty(), &self.weights, &self.area);
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
        let (dwarfs, trolls) = (position.dwarfs.count(), position.trolls.count());
        let score = dwarfs * self.weights.dwarf - trolls * self.weights.troll;
        if position.side == Side::Trolls { -score } else { score }
    }

    fn repeated(&self) -> Option<Score> {
        None
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        self.passing.then(|| Position { side: position.side.other(), ..*position })
    }

    fn pressed(&self, position: &Position) -> bool {
        if position.side == Side::Trolls {
            return false;
        }
        let (dwarfs, trolls) = (position.dwarfs, position.trolls);
        evaluation::hanging_dwarfs(dwarfs, trolls, position.empty()).count() > 1
    }
}
