//! Which quiet moves of Koom Valley and Football are worth a look, and in which order.
//!
//! As `thud.ai.valley.choice`: each square gets a rank, 0 for the most promising.

use std::sync::LazyLock;

use super::{TROLLS_NEEDED, Valley, moves};
use crate::board::{BOARD, FAR_SIDE, NEAR, TO_GO, between, distance, each_axis, facing, seen};
use crate::game::{Path, path};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};

const FAR_AWAY: u8 = 9;
/// The rank of squares that are left out.
const NONE: u8 = 255;
/// So many rolls of the ball are looked at.
const MOST_ROLLS: usize = 8;
/// Above every rank.
const RANKS: usize = 16;

type Ranks = [u8; 256];

/// Ranks of squares by the square of the stone.
struct Tables {
    region: Vec<Ranks>,
    football_region: Vec<Ranks>,
    troll_region: Vec<Ranks>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let by_stone = |rank: &dyn Fn(Square, Square) -> u8| {
        let ranks = |stone| {
            let mut ranks = [NONE; 256];
            BOARD.squares().for_each(|square| ranks[square as usize] = rank(stone, square));
            ranks
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

/// List the quiet moves worth a look, the most promising first.
pub fn choose<const KOOM: bool>(game: &Valley<KOOM>, position: &Position, found: &mut Vec<Path>) {
    match position.side {
        Side::Dwarfs if KOOM => choose_dwarfs(game, position, found),
        Side::Trolls if KOOM => choose_trolls::<KOOM>(position, found),
        Side::Dwarfs => choose_football_dwarfs(game, position, found),
        Side::Trolls => choose_blocks::<KOOM>(position, found),
    }
}

fn choose_dwarfs<const KOOM: bool>(
    game: &Valley<KOOM>,
    position: &Position,
    found: &mut Vec<Path>,
) {
    let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
    let mut ranks = TABLES.region[position.stone as usize];
    let (threats, blocks) = (facing(trolls, empty), facing(dwarfs, trolls));
    let unsafe_squares = between(trolls, empty);
    for square in ((threats.minus(unsafe_squares) | blocks) & empty).squares() {
        let rank = &mut ranks[square as usize];
        *rank = (*rank).min(2);
    }
    for square in (unsafe_squares & empty).minus(blocks).squares() {
        let rank = &mut ranks[square as usize];
        if *rank != NONE {
            *rank += 3;
        }
    }
    let traps = facing(trolls, dwarfs);
    let rolls = game.roll_targets(position).minus(FAR_SIDE) & NEAR[position.stone as usize];
    list_ranked(position, empty.minus(traps), rolls, &ranks, found);
}

fn choose_football_dwarfs<const KOOM: bool>(
    game: &Valley<KOOM>,
    position: &Position,
    found: &mut Vec<Path>,
) {
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
        sort_by_rank(&mut found[from..], rank);
        found.truncate(from + MOST_ROLLS);
    }
    let ranks = &TABLES.football_region[position.stone as usize];
    list_ranked(position, empty, Mask::EMPTY, ranks, found);
}

/// List the moves of the dwarfs to ranked squares, and of the stone to some of its own.
///
/// They come by rank, then by destination, then by origin; those beside the stone are busy.
fn list_ranked(
    position: &Position,
    targets: Mask,
    rolls: Mask,
    ranks: &Ranks,
    found: &mut Vec<Path>,
) {
    let (dwarfs, empty, stone) = (position.dwarfs, position.empty(), position.stone);
    let from = found.len();
    found.extend(rolls.squares().map(|square| path(stone, square)));
    let mut list = |squares: Mask, far: Square| {
        for at in squares.squares() {
            if ranks[at as usize] != NONE {
                found.push(path(at.wrapping_sub(far), at));
            }
        }
    };
    each_axis!(BY => {
        let (mut ahead, mut back) = (dwarfs.up(BY) & empty, dwarfs.down(BY) & empty);
        let mut far = BY as Square;
        while (ahead | back).any() {
            list(ahead & targets, far);
            list(back & targets, far.wrapping_neg());
            ahead = ahead.up(BY) & empty;
            back = back.down(BY) & empty;
            far = far.wrapping_add(BY as Square);
        }
    });
    let busy = NEAR[stone as usize];
    let listed = &mut found[from..];
    let rank =
        |path: Path| ranks[usize::from(path >> 8)] + if busy.has(path as Square) { 2 } else { 0 };
    sort_by_rank(listed, rank);
    sort_equals(listed, rank);
}

fn choose_trolls<const KOOM: bool>(position: &Position, found: &mut Vec<Path>) {
    let (dwarfs, empty) = (position.dwarfs, position.empty());
    let mut ranks = TABLES.troll_region[position.stone as usize];
    let (threats, unsafe_squares) = (facing(dwarfs, empty), between(dwarfs, empty));
    for square in (threats & empty).minus(unsafe_squares).squares() {
        let rank = &mut ranks[square as usize];
        *rank = (*rank).min(2);
    }
    for square in (unsafe_squares & empty).squares() {
        ranks[square as usize] += 3;
    }
    let from = found.len();
    list_unwon::<KOOM>(position, found);
    let listed = &mut found[from..];
    let rank = |path: Path| ranks[usize::from(path >> 8)];
    sort_by_rank(listed, rank);
    sort_equals(listed, rank);
}

/// List the trolls' moves in Football, first to the ball and into the way of a shot.
fn choose_blocks<const KOOM: bool>(position: &Position, found: &mut Vec<Path>) {
    let empty = position.empty();
    let lanes = seen(position.dwarfs.spread() & empty & FAR_SIDE, empty);
    let ranks = &TABLES.troll_region[position.stone as usize];
    let from = found.len();
    list_unwon::<KOOM>(position, found);
    sort_by_rank(&mut found[from..], |path| {
        let rank = ranks[usize::from(path >> 8)];
        if lanes.has((path >> 8) as Square) { rank.min(3) } else { rank }
    });
}

/// List the slides of the trolls that reach no goal.
fn list_unwon<const KOOM: bool>(position: &Position, found: &mut Vec<Path>) {
    let near = NEAR[position.stone as usize];
    let beside = (near & position.trolls).count();
    let holds = |path: Path| {
        let gone = i32::from(near.has(path as Square));
        let come = i32::from(near.has((path >> 8) as Square));
        beside >= TROLLS_NEEDED - 1 && beside - gone + come >= TROLLS_NEEDED
    };
    moves::slides(position.trolls, position.empty(), 3, Valley::<KOOM>::STOPS, |path| {
        if !holds(path) {
            found.push(path);
        }
    });
}

/// Sort moves by their ranks and leave equals in their order.
fn sort_by_rank(listed: &mut [Path], rank: impl Fn(Path) -> u8) {
    let mut places = [0usize; RANKS + 1];
    let ranked: Vec<_> = listed
        .iter()
        .map(|&path| {
            let rank = usize::from(rank(path));
            places[rank + 1] += 1;
            (rank, path)
        })
        .collect();
    for rank in 0..RANKS {
        places[rank + 1] += places[rank];
    }
    for (rank, path) in ranked {
        listed[places[rank]] = path;
        places[rank] += 1;
    }
}

/// Sort moves that are in the order of their ranks: equals by destination, then by origin.
fn sort_equals(listed: &mut [Path], rank: impl Fn(Path) -> u8) {
    listed.chunk_by_mut(|&one, &other| rank(one) == rank(other)).for_each(<[_]>::sort_unstable);
}
