//! The static evaluation of Koom Valley and Football; see `thud.ai.valley.evaluation`.

use crate::board::{EDGE, FAR_SIDE, NEAR, TO_GO, between, distance, facing, reaching, seen};
use crate::game::Score;
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};

/// Weights of the evaluation, named as in the Python.
#[derive(Clone, Debug)]
pub struct Weights {
    pub dwarf: Score,
    pub troll: Score,
    pub even: Score,
    pub helpless: Score,
    pub safe: Score,
    pub hanging: Score,
    pub upfield: Score,
    pub passes: Score,
    pub shot: Score,
    pub lane: Score,
    pub trappable: Score,
    pub advanced: [Score; 16],
    pub rolling: [Score; 16],
    pub escorted: [Score; 9],
    pub threats: [[Score; 4]; 4],
    /// The worth of a troll by its distance from the stone.
    pub reached: [Score; 16],
    /// The worth of a dwarf by its distance from the stone.
    pub supported: [Score; 16],
}

/// The total worth of pieces by their distance from the stone.
#[inline]
fn about(stone: Square, pieces: Mask, worth: &[Score; 16]) -> Score {
    pieces.squares().map(|square| worth[(distance(stone, square) & 15) as usize]).sum()
}

/// Evaluate a position of Koom Valley for the dwarfs.
pub fn koom_score(position: &Position, weights: &Weights) -> Score {
    let (dwarfs, trolls, stone) = (position.dwarfs, position.trolls, position.stone);
    let empty = position.empty();
    let left = trolls.count();
    let mut score = weights.even + weights.dwarf * dwarfs.count() - weights.troll * left;
    if left < 3 {
        score += weights.helpless;
    }
    score += come(stone, dwarfs, empty, weights);
    score -= closing(stone, trolls, empty, empty, weights.safe, weights);
    if position.side == Side::Dwarfs {
        let victims = between(trolls, empty) & dwarfs;
        if victims.any() {
            score -= weights.hanging * victims.count();
        }
    } else {
        score += weights.trappable * (facing(trolls, dwarfs) & empty).count();
    }
    score + about(stone, dwarfs, &weights.supported)
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
    safe: Score,
    weights: &Weights,
) -> Score {
    let score = about(stone, trolls, &weights.reached);
    let near = NEAR[stone as usize];
    let beside = (near & trolls).count();
    let room = near & stops;
    if beside + room.count() < 3 {
        return score - safe;
    }
    let coming = (reaching(room, empty) & trolls).minus(near).count();
    score + weights.threats[beside.min(3) as usize][coming.min(3) as usize]
}

/// Evaluate a position of Football for the dwarfs.
pub fn football_score(position: &Position, weights: &Weights) -> Score {
    let (dwarfs, trolls, stone) = (position.dwarfs, position.trolls, position.stone);
    let empty = position.empty();
    let escorts = dwarfs & NEAR[stone as usize];
    let mut score = weights.escorted[escorts.count() as usize]
        + weights.upfield * (7 - Score::from(TO_GO[stone as usize]));
    score -= closing(stone, trolls, empty, empty.minus(EDGE), 0, weights);
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
