//! The static evaluation of Football.
//!
//! The goals decide, so all terms are about the ball: how far it has come, how far it could roll,
//! and how many trolls are beside it or could be there next.  The numbers were fitted to the results
//! of battles.

use crate::board::{EDGE, FAR_SIDE, NEAR, TO_GO, distance, reaching, seen};
use crate::game::Score;
use crate::mask::Mask;
use crate::position::Position;

/// For each square the ball has come nearer than the centre.
const UPFIELD: Score = 20;
/// A square the ball can roll to, and from there to the far side.
const PASS: Score = 28;
/// The most such squares that count.
const PASSES: i32 = 5;
/// A ball that can roll to the far side.
const SHOT: Score = 150;
/// For each square from which a ball could roll to the far side.
const LANE: Score = 2;
/// By the number of dwarfs beside the ball.
const ESCORTED: [Score; 9] = [-80, 42, 39, -8, -25, -114, -12, -14, 50];
/// By the trolls beside the ball (row) and those able to come next (column).
const THREATS: [[Score; 4]; 4] =
    [[-53, -25, -28, -33], [-59, -53, -25, 23], [-3, 330, 360, 400], [600, 600, 600, 600]];
/// For a troll, by its distance from the ball.
const HUNTING: [Score; 16] = [45, 45, 45, 11, 16, 14, -8, -4, -4, 0, 0, 0, 0, 0, 0, 0];

/// Evaluate a position for the dwarfs.
pub fn evaluate(position: &Position) -> Score {
    let (dwarfs, trolls, ball) = (position.dwarfs, position.trolls, position.stone);
    let (empty, near) = (position.empty(), NEAR[ball as usize]);
    let escorts = dwarfs & near;
    let mut score =
        ESCORTED[escorts.count() as usize] + UPFIELD * (7 - Score::from(TO_GO[ball as usize]));
    score -=
        trolls.squares().map(|square| HUNTING[usize::from(distance(ball, square))]).sum::<Score>();
    let (beside, room) = ((near & trolls).count(), near & empty.minus(EDGE));
    if beside + room.count() >= 3 {
        let coming = (reaching(room, empty) & trolls).minus(near).count();
        score -= THREATS[beside.min(3) as usize][coming.min(3) as usize];
    }
    let covered = dwarfs.spread() & empty;
    let lanes = seen(covered & FAR_SIDE, empty);
    if escorts.any() {
        let landings = seen(Mask::of(ball), empty) & covered;
        score += PASS * (landings & lanes).count().min(PASSES);
        if (landings & FAR_SIDE).any() {
            score += SHOT;
        }
    }
    score + LANE * lanes.count()
}
