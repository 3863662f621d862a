//! The static evaluation of Koom Valley and Football.
//!
//! The goals decide, so most terms are about the stone: how far it has come, how far it could roll
//! with the dwarfs where they are, and how many trolls are beside it or could be there next.

use crate::board::{EDGE, FAR_SIDE, NEAR, TO_GO, between, distance, facing, reaching, seen};
use crate::game::Score;
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};
use crate::weights::weights;

/// Distances from the stone within which trolls count.
const REACHES: [u8; 6] = [2, 3, 4, 5, 6, 8];
/// Distances from the stone within which dwarfs count.
const SUPPORTS: [u8; 2] = [2, 4];

weights! {
    /// Weights of the evaluation, in hundredths of a dwarf; 0 for terms a game does not use.
    pub struct Weights {
        pub dwarf: Score,
        pub troll: Score,
        /// Makes the start roughly even.
        pub even: Score,
        /// A draw: the score at which both sides win equally often.
        pub drawn: Score,
        /// Trolls too few to win.
        pub helpless: Score,
        /// A stone without room beside it for three trolls.
        pub safe: Score,
        /// A dwarf that a troll can take.
        pub hanging: Score,
        /// For each square the ball has come nearer.
        pub upfield: Score,
        /// A square the ball can roll to, and from there to the far side.
        pub passes: Score,
        /// A ball that can roll to the far side.
        pub shot: Score,
        /// For each square from which a ball could roll to the far side.
        pub lane: Score,
        /// With the trolls to move, for each square where the dwarfs could trap a troll.
        pub trappable: Score,
        /// Scores by the stone's distance from the far side.
        pub advanced: [Score; 16],
        /// Scores by the squares the stone can gain with the dwarfs where they are.
        pub rolling: [Score; 16],
        /// Scores by the number of dwarfs beside the stone.
        pub escorted: [Score; 9],
        /// Scores by the trolls beside the stone (row) and those able to come next (column).
        pub threats: [[Score; 4]; 4],
        /// For each troll within each of the `REACHES`.
        pub reached: [Score; 6],
        /// For each dwarf within each of the `SUPPORTS`.
        pub supported: [Score; 2],
    }
}

impl Weights {
    pub const KOOM: Weights = Weights {
        dwarf: 100,
        troll: 300,
        even: 800,
        drawn: 400,
        helpless: 800,
        safe: 80,
        hanging: 30,
        upfield: 0,
        passes: 0,
        shot: 0,
        lane: 0,
        trappable: 10,
        advanced: [
            900, 660, 550, 440, 330, 220, 110, 0, -110, -220, -330, -440, -550, -660, -770, -880,
        ],
        rolling: [0, 45, 80, 110, 130, 150, 170, 190, 210, 230, 250, 250, 250, 250, 250, 250],
        escorted: [-80, 0, 25, 40, 50, 50, 50, 50, 50],
        threats: [[0, 10, 30, 70], [40, 60, 110, 150], [120, 330, 360, 400], [600, 600, 600, 600]],
        reached: [14, 10, 8, 8, 6, 6],
        supported: [8, 8],
    };

    /// Fitted to battle results by tools/tune_weights.py.
    pub const FOOTBALL: Weights = Weights {
        dwarf: 0,
        troll: 0,
        even: 0,
        drawn: -500,
        helpless: 0,
        safe: 0,
        hanging: 0,
        upfield: 20,
        passes: 28,
        shot: 150,
        lane: 2,
        trappable: 0,
        advanced: [0; 16],
        rolling: [0; 16],
        escorted: [-80, 42, 39, -8, -25, -114, -12, -14, 50],
        threats: [
            [-53, -25, -28, -33],
            [-59, -53, -25, 23],
            [-3, 330, 360, 400],
            [600, 600, 600, 600],
        ],
        reached: [34, -5, 2, 22, -4, -4],
        supported: [0; 2],
    };
}

/// Weights, and what follows from them.
#[derive(Clone)]
pub struct Evaluation {
    weights: Weights,
    /// The worth of a troll, and of a dwarf, by its distance from the stone.
    hunters: [Score; 16],
    supporters: [Score; 16],
}

impl Evaluation {
    pub fn new(weights: &Weights) -> Evaluation {
        let within = |reaches: &[u8], worth: &[Score]| {
            std::array::from_fn(|away| {
                let reached = reaches.iter().zip(worth);
                reached
                    .filter(|(reach, _)| away <= usize::from(**reach))
                    .map(|(_, &worth)| worth)
                    .sum()
            })
        };
        Evaluation {
            hunters: within(&REACHES, &weights.reached),
            supporters: within(&SUPPORTS, &weights.supported),
            weights: weights.clone(),
        }
    }
}

/// The total worth of pieces by their distance from the stone.
#[inline]
fn about(stone: Square, pieces: Mask, worth: &[Score; 16]) -> Score {
    pieces.squares().map(|square| worth[(distance(stone, square) & 15) as usize]).sum()
}

/// Evaluate a position of Koom Valley for the dwarfs.
pub fn koom_score(position: &Position, evaluation: &Evaluation) -> Score {
    let weights = &evaluation.weights;
    let (dwarfs, trolls, stone) = (position.dwarfs, position.trolls, position.stone);
    let empty = position.empty();
    let left = trolls.count();
    let mut score = weights.even + weights.dwarf * dwarfs.count() - weights.troll * left;
    if left < 3 {
        score += weights.helpless;
    }
    score += come(stone, dwarfs, empty, weights);
    score -= closing(stone, trolls, empty, empty, evaluation);
    if position.side == Side::Dwarfs {
        let victims = between(trolls, empty) & dwarfs;
        if victims.any() {
            score -= weights.hanging * victims.count();
        }
    } else {
        score += weights.trappable * (facing(trolls, dwarfs) & empty).count();
    }
    score + about(stone, dwarfs, &evaluation.supporters)
}

/// Evaluate the stone's square and its escort.
fn come(stone: Square, dwarfs: Mask, empty: Mask, weights: &Weights) -> Score {
    let to_go = TO_GO[stone as usize];
    let escorts = dwarfs & NEAR[stone as usize];
    let mut score = weights.advanced[to_go as usize] + weights.escorted[escorts.count() as usize];
    if escorts.any() {
        let covered = dwarfs.spread() & empty;
        let (mut reached, mut front) = (Mask::EMPTY, Mask::of(stone));
        for _ in 0..7 {
            front = (front.spread() & covered).minus(reached);
            if !front.any() {
                break;
            }
            reached |= front;
            if (front & FAR_SIDE).any() {
                break;
            }
        }
        if let Some(ahead) = reached.first() {
            let gained = to_go.saturating_sub(TO_GO[ahead as usize]);
            if gained > 0 {
                score += weights.rolling[gained as usize];
            }
        }
    }
    score
}

/// Evaluate the trolls' hunt for the stone; their moves may end only on `stops`.
fn closing(
    stone: Square,
    trolls: Mask,
    empty: Mask,
    stops: Mask,
    Evaluation { weights, hunters, .. }: &Evaluation,
) -> Score {
    let score = about(stone, trolls, hunters);
    let near = NEAR[stone as usize];
    let beside = (near & trolls).count();
    let room = near & stops;
    if beside + room.count() < 3 {
        return score - weights.safe;
    }
    let coming = (reaching(room, empty) & trolls).minus(near).count();
    score + weights.threats[beside.min(3) as usize][coming.min(3) as usize]
}

/// Evaluate a position of Football for the dwarfs.
pub fn football_score(position: &Position, evaluation: &Evaluation) -> Score {
    let weights = &evaluation.weights;
    let (dwarfs, trolls, stone) = (position.dwarfs, position.trolls, position.stone);
    let empty = position.empty();
    let escorts = dwarfs & NEAR[stone as usize];
    let mut score = weights.escorted[escorts.count() as usize]
        + weights.upfield * (7 - Score::from(TO_GO[stone as usize]));
    score -= closing(stone, trolls, empty, empty.minus(EDGE), evaluation);
    let covered = dwarfs.spread() & empty;
    let lanes = seen(covered & FAR_SIDE, empty);
    if escorts.any() {
        let landings = seen(Mask::of(stone), empty) & covered;
        score += weights.passes * (landings & lanes).count().min(5);
        if (landings & FAR_SIDE).any() {
            score += weights.shot;
        }
    }
    score + weights.lane * lanes.count()
}
