//! Selection and order of the quiet moves in Koom Valley and Football.
//!
//! The dwarfs have hundreds of moves, and few matter: those that end near the stone or on its way,
//! and those that threaten or block a troll.  Each square has a rank, 0 for the most promising.

use std::sync::LazyLock;

use super::{Rules, TROLLS_NEEDED, Valley, moves};
use crate::board::{
    BOARD, FAR_SIDE, NEAR, Path, TO_GO, between, distance, facing, for_each_slide, path, seen,
    slides_to,
};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};

const FAR_AWAY: u8 = 9;
/// The rank of omitted squares.
const NONE: u8 = 255;
/// The limit on rolls of the ball to try.
const MOST_ROLLS: usize = 8;
/// Above every rank.
const RANKS: usize = 16;

type Ranks = [u8; 256];

/// The ranks of squares, and the set of ranked squares.
#[derive(Clone, Copy)]
struct Region {
    ranks: Ranks,
    squares: Mask,
}

/// Regions by the square of the stone.
struct Tables {
    region: Vec<Region>,
    football_region: Vec<Region>,
    troll_region: Vec<Region>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let by_stone = |rank: &dyn Fn(Square, Square) -> u8| {
        let ranks = |stone| {
            let mut region = Region { ranks: [NONE; 256], squares: Mask::EMPTY };
            for square in BOARD.squares() {
                region.ranks[square as usize] = rank(stone, square);
                if rank(stone, square) != NONE {
                    region.squares |= Mask::of(square);
                }
            }
            region
        };
        (0..=255).map(ranks).collect()
    };
    let goalmouth = FAR_SIDE.spread() & BOARD;
    Tables {
        region: by_stone(&region),
        football_region: by_stone(&|stone, square| match region(stone, square) {
            NONE if goalmouth.has(square) => 3,
            rank => rank,
        }),
        troll_region: by_stone(&|stone, square| distance(stone, square).min(FAR_AWAY)),
    }
});

/// Rank the squares about the stone: next to it, then those ahead, then those behind.
fn region(stone: Square, square: Square) -> u8 {
    let ahead = i32::from(TO_GO[stone as usize]) - i32::from(TO_GO[square as usize]);
    match distance(stone, square) {
        1 => 1,
        2 if ahead >= 0 => 2,
        2 => 4,
        3 if ahead >= 2 => 3,
        0 | 4 if ahead >= 2 => 5,
        _ => NONE,
    }
}

/// List the promising quiet moves, best first.
pub fn choose<R: Rules>(game: &Valley<R>, position: &Position, found: &mut Vec<Path>) {
    match position.side {
        Side::Dwarfs if R::KOOM => choose_dwarfs(game, position, found),
        Side::Trolls if R::KOOM => choose_trolls::<R>(position, found),
        Side::Dwarfs => choose_football_dwarfs(game, position, found),
        Side::Trolls => choose_blocks::<R>(position, found),
    }
}

fn choose_dwarfs<R: Rules>(game: &Valley<R>, position: &Position, found: &mut Vec<Path>) {
    let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
    let Region { mut ranks, squares } = TABLES.region[position.stone as usize];
    let (threats, blocks) = (facing(trolls, empty), facing(dwarfs, trolls));
    let unsafe_squares = between(trolls, empty);
    let better = (threats.minus(unsafe_squares) | blocks) & empty;
    for square in better.squares() {
        let rank = &mut ranks[square as usize];
        *rank = (*rank).min(2);
    }
    for square in (unsafe_squares & empty & squares).minus(blocks).squares() {
        ranks[square as usize] += 3;
    }
    let traps = facing(trolls, dwarfs);
    let rolls = game.roll_targets(position).minus(FAR_SIDE) & NEAR[position.stone as usize];
    let from = found.len();
    found.extend(rolls.squares().map(|square| path(position.stone, square)));
    slides_to(dwarfs, empty, 15, ((squares | better) & empty).minus(traps), found);
    sort_dwarfs(&mut found[from..], position, &ranks);
}

fn choose_football_dwarfs<R: Rules>(game: &Valley<R>, position: &Position, found: &mut Vec<Path>) {
    let empty = position.empty();
    let lanes = seen(position.dwarfs.spread() & empty & FAR_SIDE, empty);
    let rank = |path: Path| {
        let square = (path >> 8) as Square;
        if lanes.has(square) { 0 } else { 1 + TO_GO[square as usize] / 3 }
    };
    let from = found.len();
    let targets = game.roll_targets(position).minus(FAR_SIDE);
    if targets.any() {
        moves::rolls(position, 15, targets, |path| found.push(path));
        sort_by_rank(&mut found[from..], rank, |_| {});
        found.truncate(from + MOST_ROLLS);
    }
    let from = found.len();
    let Region { ranks, squares } = &TABLES.football_region[position.stone as usize];
    slides_to(position.dwarfs, empty, 15, empty & *squares, found);
    sort_dwarfs(&mut found[from..], position, ranks);
}

/// Sort the dwarfs' moves by rank, then by destination, then by origin.
///
/// Dwarfs beside the stone are needed there, so their moves come later.
fn sort_dwarfs(listed: &mut [Path], position: &Position, ranks: &Ranks) {
    let busy = NEAR[position.stone as usize];
    let rank =
        |path: Path| ranks[usize::from(path >> 8)] + if busy.has(path as Square) { 2 } else { 0 };
    sort_by_rank(listed, rank, <[_]>::sort_unstable);
}

fn choose_trolls<R: Rules>(position: &Position, found: &mut Vec<Path>) {
    let (dwarfs, empty) = (position.dwarfs, position.empty());
    let mut ranks = TABLES.troll_region[position.stone as usize].ranks;
    let (threats, unsafe_squares) = (facing(dwarfs, empty), between(dwarfs, empty));
    for square in (threats & empty).minus(unsafe_squares).squares() {
        let rank = &mut ranks[square as usize];
        *rank = (*rank).min(2);
    }
    for square in (unsafe_squares & empty).squares() {
        ranks[square as usize] += 3;
    }
    let from = found.len();
    slides_to(position.trolls, empty, 3, R::STOPS, found);
    drop_won(position, from, found);
    sort_by_rank(&mut found[from..], |path| ranks[usize::from(path >> 8)], <[_]>::sort_unstable);
}

/// List the trolls' moves in Football: first towards the ball and into lanes of a shot.
fn choose_blocks<R: Rules>(position: &Position, found: &mut Vec<Path>) {
    let empty = position.empty();
    let lanes = seen(position.dwarfs.spread() & empty & FAR_SIDE, empty);
    let ranks = &TABLES.troll_region[position.stone as usize].ranks;
    let from = found.len();
    for_each_slide(position.trolls, empty, 3, R::STOPS, |origin, to| {
        found.push(path(origin, to));
    });
    drop_won(position, from, found);
    let rank = |path: Path| {
        let rank = ranks[usize::from(path >> 8)];
        if lanes.has((path >> 8) as Square) { rank.min(3) } else { rank }
    };
    sort_by_rank(&mut found[from..], rank, |_| {});
}

/// Drop the trolls' winning moves.
fn drop_won(position: &Position, from: usize, found: &mut Vec<Path>) {
    let near = NEAR[position.stone as usize];
    let beside = (near & position.trolls).count();
    if beside < TROLLS_NEEDED - 1 {
        return;
    }
    let mut place = from;
    for at in from..found.len() {
        let played = found[at];
        let gone = i32::from(near.has(played as Square));
        let come = i32::from(near.has((played >> 8) as Square));
        if beside - gone + come < TROLLS_NEEDED {
            found[place] = played;
            place += 1;
        }
    }
    found.truncate(place);
}

/// Counting sort by rank, stable until `sort_equals` sorts the moves of equal rank.
fn sort_by_rank(listed: &mut [Path], rank: impl Fn(Path) -> u8, sort_equals: impl Fn(&mut [Path])) {
    let mut ends = [0; RANKS + 1];
    let ranked: Vec<_> = listed
        .iter()
        .map(|&path| {
            let rank = rank(path);
            ends[usize::from(rank) + 1] += 1;
            (rank, path)
        })
        .collect();
    for rank in 0..RANKS {
        ends[rank + 1] += ends[rank];
    }
    // `ends` starts as where each rank begins; placing its moves advances it to the end.
    for (rank, path) in ranked {
        let end = &mut ends[usize::from(rank)];
        listed[*end] = path;
        *end += 1;
    }
    let mut begin = 0;
    for end in ends {
        sort_equals(&mut listed[begin..end]);
        begin = end;
    }
}
