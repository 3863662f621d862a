//! The dwarfs' gathering area, and their aim after gathering.
//!
//! A troll takes lone dwarfs one after the other, long before a search sees that they should have
//! gathered.  So the dwarfs are drawn to one of the board's eight edges, to the area with most
//! dwarfs and fewest trolls.  When nothing happens any more, they advance together on the nearest
//! troll: their lines reach more and more squares, and the trolls run out of safe ones.

use std::cmp::Reverse;

use super::Area;
use crate::board::{BOARD, CENTRE, distance};
use crate::mask::{Mask, Square};

/// The number of belts of an area at an edge.
const BELTS: i32 = 4;
/// The distance of the widest belt around a square.
const REACH: u8 = 7;
/// Steps across and down towards the four straight edges, then the four slanting ones.
const EDGES: [(i32, i32); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// The squares for which a condition holds.
fn squares(holds: impl Fn(Square) -> bool) -> Mask {
    BOARD.squares().filter(|&square| holds(square)).fold(Mask::EMPTY, Mask::with)
}

/// The squares at least so many steps from the centre towards an edge.
fn belt((across, down): (i32, i32), beyond: i32) -> Mask {
    let from_centre = |place: Square| i32::from(place) - i32::from(CENTRE & 15);
    squares(|at| from_centre(at & 15) * across + from_centre(at >> 4) * down >= beyond)
}

/// The area with the most dwarfs, minus its squares within three steps of a troll.
pub fn gathering(dwarfs: Mask, trolls: Mask) -> Area {
    let near = trolls.spread().spread().spread();
    let widest = |&edge: &(i32, i32)| belt(edge, first(edge));
    let merit = |edge: &(i32, i32)| {
        let widest = widest(edge);
        (dwarfs & widest).count() - (near & widest).count()
    };
    // Of equal areas, the first.
    let edge = *EDGES.iter().min_by_key(|edge| Reverse(merit(edge))).unwrap_or(&EDGES[0]);
    (0..BELTS).map(|place| belt(edge, first(edge) + place)).collect()
}

/// The widest belt's distance from the centre.
fn first((across, down): (i32, i32)) -> i32 {
    if across != 0 && down != 0 { 3 } else { 2 }
}

/// The belts around the troll nearest to the middle of the dwarfs.
pub fn advance(dwarfs: Mask, trolls: Mask) -> Area {
    let file = |square: Square| f64::from(square % 16 + 1);
    let rank = |square: Square| f64::from(square / 16 + 1);
    let (mut files, mut ranks) = (file(CENTRE), rank(CENTRE));
    if dwarfs.any() {
        let count = f64::from(dwarfs.count());
        files = dwarfs.squares().map(file).sum::<f64>() / count;
        ranks = dwarfs.squares().map(rank).sum::<f64>() / count;
    }
    let away = |troll: Square| (file(troll) - files).abs().max((rank(troll) - ranks).abs());
    let nearest = trolls.squares().min_by(|&one, &other| away(one).total_cmp(&away(other)));
    let aim = nearest.unwrap_or(CENTRE);
    (1..=REACH).rev().map(|reach| squares(|square| distance(square, aim) <= reach)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::NEAR;
    use crate::game::Score;

    /// The squares with names such as `H15`; there is no file I.
    fn mask(names: &str) -> Mask {
        let square = |name: &str| {
            let (file, rank) = name.split_at(1);
            let file = "ABCDEFGHJKLMNOP".find(file).unwrap() as Square;
            16 * (rank.parse::<Square>().unwrap() - 1) + file
        };
        names.split_whitespace().map(square).fold(Mask::EMPTY, Mask::with)
    }

    /// How many belts of an area each square is in.
    fn belts(area: &Area) -> Vec<Score> {
        BOARD.squares().map(|square| area.count(Mask::of(square))).collect()
    }

    fn edge(place: usize) -> Vec<Score> {
        let edge = EDGES[place];
        belts(&(0..BELTS).map(|belt_at| belt(edge, first(edge) + belt_at)).collect())
    }

    #[test]
    fn dwarfs_gather_where_most_of_them_and_fewest_trolls_are() {
        for (dwarfs, trolls, place) in [
            ("H15 J15 G15 H14", "H2", 0),
            ("A8 A7 A9 B8", "O8", 3),
            ("A7 B6 E3 G2", "M12", 4),
            ("O9 N10 K13 J14", "D4", 7),
            ("H15 G15 H1 G1", "H4", 0),
            ("H15 G15 H1 G1", "H12", 1),
        ] {
            assert_eq!(belts(&gathering(mask(dwarfs), mask(trolls))), edge(place), "{dwarfs}");
        }
    }

    #[test]
    fn edges_of_a_kind_have_areas_of_a_size() {
        let sizes: Vec<Score> = (0..8).map(|place| edge(place).iter().sum()).collect();
        assert!(sizes[..4].iter().all(|&size| size == sizes[0]));
        assert!(sizes[4..].iter().all(|&size| size == sizes[4]));
    }

    #[test]
    fn dwarfs_advance_on_the_troll_nearest_to_their_middle() {
        for (dwarfs, trolls, aim) in [
            ("G7 H7", "C7 K7", "K7"),
            ("G7 H7 J7", "C7 K11", "K11"),
            ("B5 B6 P10", "O10 C7", "C7"),
            ("H1", "", "H8"),
            ("", "B6 K7", "K7"),
        ] {
            let aim = mask(aim).first().unwrap();
            let area = advance(mask(dwarfs), mask(trolls));
            for square in BOARD.squares() {
                let near = Mask::of(aim) | NEAR[aim as usize];
                let belts = area.count(Mask::of(square));
                assert_eq!(belts == Score::from(REACH), near.has(square));
                assert_eq!(
                    belts,
                    (Score::from(REACH) + 1 - Score::from(distance(square, aim).max(1))).max(0)
                );
            }
        }
    }
}
