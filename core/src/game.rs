//! The interface between the search and a game, with its scores and options.

use crate::board::Path;
use crate::mask::Mask;
use crate::position::Position;

/// A score from the view of the side to move.
pub type Score = i32;

/// The highest score in points; beyond it are forced goals.
pub const LIMIT: Score = 50_000;
/// The winner's score of a position in which a goal has just been reached.
pub const GOAL: Score = 100_000;
/// Above every score.
pub const INFINITE: Score = 1_000_000;

/// A score seen from some plies earlier: goals are further away, points stay.
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

/// A move in the search's own form; the default is no move.
pub trait Move: Copy + PartialEq + Default + Send {
    /// The move of a path.
    fn of(path: Path) -> Self;

    /// The path, if it fully gives the move.
    fn path(self) -> Option<Path>;

    /// The move encoded by a number of the Python, if valid.
    fn from_number(number: Mask) -> Option<Self>;

    /// The number that encodes the move in the Python.
    fn number(self) -> Mask;
}

/// Selectivity options of the search; see `thud.ai.game.Options`.
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

/// A game in a form that is fast to search; see `thud.ai.game.Game`.
///
/// The listing functions append to the caller's vector.
pub trait Game: Send {
    /// The game's encoding of moves.
    type Move: Move;

    /// List the moves for quiescence search with their gains, highest first.
    fn captures(&self, position: &Position, found: &mut Vec<(Score, Self::Move)>);

    /// The most that a capture can gain.
    fn most_gained(&self, position: &Position) -> Score;

    /// List the other moves worth a look, the most promising first.
    fn quiets(&self, position: &Position, depth: i32, found: &mut Vec<Path>);

    /// List every legal move that `captures` does not list.
    fn all_quiets(&self, position: &Position, found: &mut Vec<Path>);

    /// List the few quiet moves that quiescence also tries, because something hangs.
    fn rescues(&self, position: &Position, found: &mut Vec<Path>);

    /// The position after a move.
    fn make(&self, position: &Position, played: Self::Move) -> Position;

    /// The static evaluation of an undecided position for the side to move.
    fn evaluate(&self, position: &Position) -> Score;

    /// The score of a position in which the battle has ended; none if it has not.
    fn decided(&self, position: &Position) -> Option<Score>;

    /// The score for the side to move if it has no legal move.
    fn stuck(&self, position: &Position) -> Score;

    /// The score of a repeated position; none if it is simply evaluated.
    fn repeated(&self) -> Option<Score>;

    /// The position after a null move; none where a null move would mislead.
    fn passed(&self, position: &Position) -> Option<Position>;

    /// Whether the threats against the side to move call for an extension by a ply.
    fn pressed(&self, position: &Position) -> bool;
}

/// Initial capacity of the move lists, so that they seldom grow.
pub const ROOM: usize = 4096;
