//! The interface between the search and a game, with its scores and options.

use crate::board::Path;
use crate::mask::Square;
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
pub fn adjust_mate(score: Score, plies: i32) -> Score {
    if (-LIMIT..=LIMIT).contains(&score) {
        score
    } else if score > 0 {
        score - plies
    } else {
        score + plies
    }
}

/// A move in the search's own form; the default is no move.
///
/// The same move moves the same squares in every position, so that it can be tried first elsewhere
/// (killer and history heuristics).
pub trait Move: Copy + PartialEq + Default {
    /// The move of a path.
    fn of(path: Path) -> Self;

    /// The path, if it fully gives the move.
    fn path(self) -> Option<Path>;

    /// Origin and destination.
    fn squares(self) -> (Square, Square);
}

/// What a search may leave out; pairs are for dwarfs and trolls.
#[derive(Clone, Debug)]
pub struct Options {
    /// Search only the game's selection of quiet moves.
    pub selective: bool,
    /// Quiet moves searched at full depth before the rest are reduced.
    pub reduce_after: [usize; 2],
    /// The most quiet moves by plies to go; the last number applies beyond, too.
    pub caps: [[usize; 5]; 2],
    /// The most root moves by depth; the last number applies beyond, too.
    pub root_caps: [[usize; 5]; 2],
    /// Null-move reduction in plies; 0 for no null moves.
    pub null_reduction: i32,
    /// Delta pruning: skip captures in quiescence that cannot reach alpha.
    pub delta: bool,
    /// How far an evaluation may rise beyond a capture's gain.
    pub delta_margin: Score,
    /// The most extensions by a ply in one line.
    pub extensions: i32,
    /// Try evasions in quiescence, too.
    pub evasions: bool,
    /// Score a repeated position without searching on.
    pub repetitions: bool,
    /// Futility margin below alpha, with one ply to go; 0 for no pruning.
    pub futility: Score,
    /// Use only table entries of exactly the same depth, not deeper ones.
    pub exact_depth: bool,
    /// The most positions in either half of the table.
    pub table: usize,
}

impl Options {
    /// What suits every game, unless it says otherwise.
    pub const SELECTIVE: Options = Options {
        selective: true,
        reduce_after: [3, 6],
        caps: [[0, 20, 20, 24, 40], [0, 12, 20, 30, 40]],
        root_caps: [[1000, 1000, 1000, 120, 60], [1000, 1000, 1000, 120, 40]],
        null_reduction: 2,
        delta: true,
        delta_margin: 0,
        extensions: 1,
        evasions: true,
        repetitions: true,
        futility: 90,
        exact_depth: false,
        table: 120_000,
    };

    /// Leaves out nothing: plain alpha-beta, for proofs.
    pub const FULL: Options = Options {
        selective: false,
        reduce_after: [usize::MAX; 2],
        caps: [[usize::MAX; 5]; 2],
        null_reduction: 0,
        delta: false,
        extensions: 0,
        evasions: false,
        repetitions: false,
        futility: 0,
        exact_depth: true,
        ..Options::SELECTIVE
    };
}

/// A game in a form that is fast to search.
///
/// The listing functions append to the caller's vector.
pub trait Game {
    /// The game's encoding of moves.
    type Move: Move;

    /// The search options that suit the game best.
    const OPTIONS: Options;

    /// List the moves for quiescence search with their gains, highest first.
    ///
    /// These are all captures that the search should know and, where a goal decides, moves that
    /// reach it.
    fn captures(&self, position: &Position, found: &mut Vec<(Score, Self::Move)>);

    /// The most that a capture can gain.
    fn most_gained(&self, position: &Position) -> Score;

    /// List the promising quiet moves, the most promising first.
    fn quiets(&self, position: &Position, depth: i32, found: &mut Vec<Path>);

    /// List every legal move that `captures` does not list.
    ///
    /// Where a capture may take different subsets, only those the game considers.
    fn all_quiets(&self, position: &Position, found: &mut Vec<Path>);

    /// List the few quiet moves that quiescence also tries, because something hangs.
    fn evasions(&self, position: &Position, found: &mut Vec<Path>);

    /// The position after a move.
    fn make(&self, position: &Position, played: Self::Move) -> Position;

    /// The static evaluation of an undecided position for the side to move.
    fn evaluate(&self, position: &Position) -> Score;

    /// The score of a position in which the battle has ended; none if it has not.
    fn decided(&self, position: &Position) -> Option<Score>;

    /// The score for the side to move if it has no legal move.
    fn stuck(&self, position: &Position) -> Score;

    /// The score of a repeated position; none if it is simply evaluated.
    fn repeated(&self, position: &Position) -> Option<Score>;

    /// The position after a null move; none where a null move would mislead.
    fn after_null(&self, position: &Position) -> Option<Position>;

    /// Whether the threats against the side to move call for an extension by a ply.
    fn in_check(&self, position: &Position) -> bool;

    /// What a score of the root, or of a finished position, stands for: the expected final margin in
    /// hundredths of a point where pieces count, else the score itself.
    fn shown(&self, position: &Position, score: Score) -> Score;

    /// The margin of a battle that has ended in a position, in hundredths of a point for the
    /// dwarfs; none if it goes on, or a goal decides.
    fn final_margin(&self, position: &Position) -> Option<Score>;
}

/// Initial capacity of the move lists, so that they seldom grow.
pub const ROOM: usize = 4096;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::rc::Rc;

    use super::*;
    use crate::board::BOARD;
    use crate::classic::{Classic, Net};
    use crate::deepen::effect;
    use crate::mask::Mask;
    use crate::position::tests::{VARIANTS, children, crowds, wanderings};
    use crate::position::{Side, Variant};
    use crate::valley::{self, Football, Valley};

    /// A law that every game keeps.
    trait Law {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position);
    }

    /// Check a law in positions of every variant.
    fn in_every_variant(law: &mut impl Law) {
        for variant in VARIANTS {
            let single = variant == Variant::Single;
            let net = Rc::new(Net::of_game(single));
            let koom = Valley::new(&Rc::new(valley::Net::of_koom()));
            for position in wanderings(variant, 12).iter().chain(&crowds(variant, 150)) {
                match variant {
                    Variant::Classic | Variant::Single => {
                        let root = Position { side: Side::Trolls, ..*position };
                        law.check(&Classic::new(&root, single, &net), variant, position);
                    }
                    Variant::Koom => law.check(&koom, variant, position),
                    Variant::Football => law.check(&Valley(Football), variant, position),
                }
            }
        }
    }

    fn captures<G: Game>(game: &G, position: &Position) -> Vec<(Score, G::Move)> {
        let mut found = Vec::new();
        game.captures(position, &mut found);
        found
    }

    fn listed(list: impl FnOnce(&mut Vec<Path>)) -> Vec<Path> {
        let mut found = Vec::new();
        list(&mut found);
        let once: HashSet<_> = found.iter().collect();
        assert_eq!(once.len(), found.len(), "a move is listed twice");
        found
    }

    fn every_move<G: Game>(game: &G, position: &Position) -> Vec<G::Move> {
        let quiets = listed(|found| game.all_quiets(position, found));
        let captures = captures(game, position).into_iter().map(|(_, played)| played);
        captures.chain(quiets.into_iter().map(Move::of)).collect()
    }

    /// Every move is legal, listed once and made as in the rules; what is not listed captures
    /// less than a move that is.
    struct Moves;

    impl Law for Moves {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position) {
            let legal = children(variant, position);
            let moves = every_move(game, position);
            let made: Vec<_> = moves.iter().map(|&played| game.make(position, played)).collect();
            let effects: HashSet<_> =
                moves.iter().map(|&played| effect(game, position, played)).collect();
            assert_eq!(effects.len(), made.len());
            assert!(made.iter().all(|child| legal.contains(child)), "{variant:?} {position:?}");
            let mover = position.side;
            for child in legal.iter().filter(|child| !made.contains(child)) {
                let surpassed = made.iter().any(|more| {
                    let (few, many) = (more.pieces(mover.other()), child.pieces(mover.other()));
                    more.pieces(mover) == child.pieces(mover) && few & many == few && few != many
                });
                assert!(surpassed, "{variant:?} {position:?} {child:?}");
            }
        }
    }

    #[test]
    fn the_moves_are_those_of_the_rules() {
        in_every_variant(&mut Moves);
    }

    /// Captures come by gain; and a goal is called so if and only if the rules say that it wins.
    struct Gains {
        won: [usize; 2],
    }

    impl Law for Gains {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position) {
            let captures = captures(game, position);
            assert!(captures.is_sorted_by(|one, other| one.0 >= other.0));
            let most = captures.first().map_or(0, |&(gain, _)| gain);
            assert!(captures.is_empty() || (1..=game.most_gained(position)).contains(&most));
            if variant.is_classic() || !position.pieces(position.side.other()).any() {
                return;
            }
            for played in every_move(game, position) {
                let wins = game.decided(&game.make(position, played)) == Some(-GOAL);
                let called = captures.iter().any(|&(gain, goal)| gain == GOAL && goal == played);
                assert_eq!(wins, called, "{variant:?} {position:?}");
                self.won[position.side as usize] += usize::from(wins);
            }
        }
    }

    #[test]
    fn captures_come_by_their_gains() {
        let mut law = Gains { won: [0; 2] };
        in_every_variant(&mut law);
        assert!(law.won.iter().all(|&won| won > 10), "{:?}", law.won);
    }

    /// Promising moves and evasions are legal quiet moves.
    struct Selection;

    impl Law for Selection {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position) {
            let all: HashSet<_> =
                listed(|found| game.all_quiets(position, found)).into_iter().collect();
            for depth in [1, 2, 4, 9] {
                let chosen = listed(|found| game.quiets(position, depth, found));
                assert!(chosen.iter().all(|path| all.contains(path)), "{variant:?} {position:?}");
            }
            let evasions = listed(|found| game.evasions(position, found));
            assert!(evasions.iter().all(|path| all.contains(path)), "{variant:?} {position:?}");
        }
    }

    #[test]
    fn the_selection_is_of_legal_moves() {
        in_every_variant(&mut Selection);
    }

    /// In the valley, a side is in check if and only if the other could reach its goal at once.
    struct Check {
        seen: usize,
    }

    impl Law for Check {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position) {
            let Some(passed) = game.after_null(position) else { return };
            let over = [position, &passed].iter().any(|each| game.decided(each).is_some());
            if variant.is_classic() || over {
                return;
            }
            let reached = |played| game.make(&passed, played).pieces(position.side).any();
            let won = captures(game, &passed).into_iter().filter(|&(gain, _)| gain == GOAL);
            let threat = won.map(|(_, played)| played).any(reached);
            assert_eq!(game.in_check(position), threat, "{variant:?} {position:?}");
            self.seen += usize::from(threat);
        }
    }

    #[test]
    fn check_is_a_threat_to_win() {
        let mut law = Check { seen: 0 };
        in_every_variant(&mut law);
        assert!(law.seen > 10, "{}", law.seen);
    }

    /// The evaluation is within its limit and, except by a network, the same on a mirrored board.
    struct Evaluations;

    impl Law for Evaluations {
        fn check<G: Game>(&mut self, game: &G, variant: Variant, position: &Position) {
            let score = game.evaluate(position);
            assert!((1 - LIMIT..LIMIT).contains(&score));
            let flip = |square: Square| (square & !15) + 14 - (square & 15);
            let mirror = |mask: Mask| mask.squares().map(flip).fold(Mask::EMPTY, Mask::with);
            let mirrored = Position {
                dwarfs: mirror(position.dwarfs),
                trolls: mirror(position.trolls),
                stone: flip(position.stone),
                ..*position
            };
            assert!(!(mirrored.dwarfs | mirrored.trolls).minus(BOARD).any());
            if variant == Variant::Football {
                assert_eq!(game.evaluate(&mirrored), score, "{variant:?} {position:?}");
            }
        }
    }

    #[test]
    fn both_halves_of_the_board_are_alike() {
        in_every_variant(&mut Evaluations);
    }

    #[test]
    fn a_held_stone_allows_no_null_move_and_who_cannot_move_has_lost_or_drawn() {
        let koom = Valley::new(&Rc::new(valley::Net::of_koom()));
        let row = |from: Square, count| (from..from + count).fold(Mask::EMPTY, Mask::with);
        let stand = |dwarfs, trolls, side| Position { dwarfs, trolls, stone: 0x66, side };
        let held = stand(row(0x8d, 1), row(0x75, 3), Side::Trolls);
        assert_eq!(koom.after_null(&held), None);
        let stuck = |dwarfs, trolls, side| koom.stuck(&stand(dwarfs, trolls, side));
        assert_eq!(stuck(Mask::EMPTY, row(0x95, 3), Side::Dwarfs), -GOAL);
        assert_eq!(stuck(Mask::EMPTY, row(0x95, 2), Side::Dwarfs), valley::EVEN);
        assert_eq!(stuck(row(0x95, 1), Mask::EMPTY, Side::Trolls), -GOAL);
    }
}
