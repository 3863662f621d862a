//! What the search asks of a game, and the scores and options that it works with.

use crate::board::Path;
use crate::mask::Mask;
use crate::position::Position;

/// How good it is for the side to move.
pub type Score = i32;

/// The highest score of points; higher ones are goals within reach.
pub const LIMIT: Score = 50_000;
/// The score of the winner where a goal has just been reached.
pub const GOAL: Score = 100_000;
/// Above every score.
pub const INFINITE: Score = 1_000_000;

/// A score some plies earlier: a goal is further away, points stay.
#[inline(always)]
pub fn put_off(score: Score, plies: i32) -> Score {
    if (-LIMIT..=LIMIT).contains(&score) {
        score
    } else if score > 0 {
        score - plies
    } else {
        score + plies
    }
}

/// A move as the search keeps it; the default is no move.
pub trait Move: Copy + PartialEq + Default + Send {
    /// The move of a path.
    fn of(path: Path) -> Self;

    /// The path, if that is all of the move.
    fn path(self) -> Option<Path>;

    /// The move of the number that the Python has for it, if it is one.
    fn from_number(number: Mask) -> Option<Self>;

    /// The number that the Python has for it.
    fn number(self) -> Mask;
}

/// What the search may leave out; see `thud.ai.game.Options`.
#[derive(Clone, Debug)]
pub struct Options {
    pub selective: bool,
    pub reduce_after: [i64; 2],
    pub caps: [Vec<i64>; 2],
    pub passing: i32,
    pub delta: bool,
    pub rescues: bool,
    pub repetitions: bool,
    pub futility: Score,
    pub exact_depth: bool,
    pub table: i64,
    pub swing: Score,
}

/// One game in a form that is fast to search; see `thud.ai.game.Game`.
///
/// Lists are added to the end of a vector that is the caller's.
pub trait Game: Send {
    /// How the game tells its moves.
    type Move: Move;

    /// List the moves that quiescence looks at, each with its gain, the highest gain first.
    fn captures(&self, position: &Position, found: &mut Vec<(Score, Self::Move)>);

    /// The most that a capture can gain.
    fn most_gained(&self, position: &Position) -> Score;

    /// List the other moves worth a look, the most promising first.
    fn quiets(&self, position: &Position, depth: i32, found: &mut Vec<Path>);

    /// List every legal move that `captures` does not list.
    fn all_quiets(&self, position: &Position, found: &mut Vec<Path>);

    /// List the few quiet moves that quiescence tries too, because something hangs.
    fn rescues(&self, position: &Position, found: &mut Vec<Path>);

    /// The position after a move.
    fn make(&self, position: &Position, played: Self::Move) -> Position;

    /// How good an undecided position is for the side to move.
    fn evaluate(&self, position: &Position) -> Score;

    /// The score of a battle that has ended here.
    fn decided(&self, position: &Position) -> Option<Score>;

    /// The score for the side to move if it has no legal move at all.
    fn stuck(&self, position: &Position) -> Score;

    /// The score of a position that comes back, if it is not what the position is worth anyway.
    fn repeated(&self) -> Option<Score>;

    /// The position with the other side to move, none where passing would mislead.
    fn passed(&self, position: &Position) -> Option<Position>;

    /// Whether the side to move is under such threats that the search goes a ply deeper.
    fn pressed(&self, position: &Position) -> bool;
}

/// Pick a vector's capacity once, so that lists seldom grow.
pub const ROOM: usize = 4096;
