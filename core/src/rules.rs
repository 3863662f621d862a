//! Perft for all variants; every choice of captures counts as a move of its own.

use std::collections::HashSet;

use crate::board::{
    BOARD, EDGE, FAR_SIDE, NEAR, RAYS, STEPS, blocker, each_axis, facing, for_each_slide, next,
};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side, Variant};
use crate::search::Host;

/// The limit on distinct tramples of one troll; no battle comes near it.
const MOST_TRAMPLES: usize = 1 << 20;

/// Why a count is incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// The caller stopped it.
    Stopped,
    /// A troll has more tramples than the limit.
    TooMany,
}

type Counted = Result<u64, Uncounted>;

/// Whether a goal, or the loss of every chance of one, has ended the battle.
pub fn is_decided(variant: Variant, position: &Position) -> bool {
    if variant.is_classic() {
        return false;
    }
    let beside = (NEAR[position.stone as usize] & position.trolls).count();
    FAR_SIDE.has(position.stone)
        || position.side == Side::Dwarfs && beside >= 3
        || !position.dwarfs.any() && position.trolls.count() < 3
}

/// Count the legal moves.
fn count_moves(variant: Variant, position: &Position) -> Counted {
    if is_decided(variant, position) {
        return Ok(0);
    }
    match (variant, position.side) {
        (Variant::Classic | Variant::Single, Side::Dwarfs) => {
            Ok(count_slides(position.dwarfs, position.empty(), 15, BOARD) + count_hurls(position))
        }
        (Variant::Classic | Variant::Single, Side::Trolls) => {
            let mut count = 0;
            for_each_landing(position, |landing| count += landing.choices(variant));
            Ok(count)
        }
        (Variant::Koom, Side::Dwarfs) => {
            let mut count = count_slides(position.dwarfs, position.empty(), 15, BOARD);
            for_each_roll(position, 1, |_| count += 1);
            for_each_trap(position, |_, _, traps| count += (1 << traps.count()) - 1);
            Ok(count)
        }
        (Variant::Koom, Side::Trolls) => {
            let mut count = count_slides(position.trolls, position.empty(), 3, BOARD);
            for origin in tramplers(position).squares() {
                count += tramples(position, origin)?.len() as u64;
            }
            Ok(count)
        }
        (Variant::Football, Side::Dwarfs) => {
            let mut count = count_slides(position.dwarfs, position.empty(), 15, BOARD);
            for_each_roll(position, 15, |_| count += 1);
            Ok(count)
        }
        (Variant::Football, Side::Trolls) => {
            Ok(count_slides(position.trolls, position.empty(), 3, BOARD.minus(EDGE)))
        }
    }
}

/// Call a function with the position after each legal move.
pub fn for_each_move(
    variant: Variant,
    position: &Position,
    mut act: impl FnMut(&Position) -> Result<(), Uncounted>,
) -> Result<(), Uncounted> {
    if is_decided(variant, position) {
        return Ok(());
    }
    let mut moves = Vec::new();
    let stone = position.stone;
    match (variant, position.side) {
        (_, Side::Dwarfs) => {
            for_each_slide(position.dwarfs, position.empty(), 15, BOARD, |from, to| {
                moves.push((from, to, Mask::EMPTY));
            });
            if variant.is_classic() {
                for_each_hurl(position, |from, to| moves.push((from, to, Mask::of(to))));
            } else {
                let reach = if variant == Variant::Koom { 1 } else { 15 };
                for_each_roll(position, reach, |to| moves.push((stone, to, Mask::EMPTY)));
            }
            if variant == Variant::Koom {
                for_each_trap(position, |from, to, traps| {
                    for_each_subset(traps, true, |taken| moves.push((from, to, taken)));
                });
            }
        }
        (Variant::Classic | Variant::Single, Side::Trolls) => {
            for_each_landing(position, |landing| {
                landing.for_each_choice(variant, |taken| {
                    moves.push((landing.origin, landing.destination, taken));
                });
            });
        }
        (Variant::Koom, Side::Trolls) => {
            for_each_slide(position.trolls, position.empty(), 3, BOARD, |from, to| {
                moves.push((from, to, Mask::EMPTY));
            });
            for origin in tramplers(position).squares() {
                let ends = tramples(position, origin)?;
                moves.extend(ends.into_iter().map(|(to, taken)| (origin, to, taken)));
            }
        }
        (Variant::Football, Side::Trolls) => {
            let stops = BOARD.minus(EDGE);
            for_each_slide(position.trolls, position.empty(), 3, stops, |from, to| {
                moves.push((from, to, Mask::EMPTY));
            });
        }
    }
    moves.iter().try_for_each(|&(from, to, taken)| act(&after(position, from, to, taken)))
}

/// The position after a move, which must be legal.
fn after(position: &Position, from: Square, to: Square, taken: Mask) -> Position {
    let mut child = Position { side: position.side.other(), ..*position };
    let path = Mask::of(from) ^ Mask::of(to);
    if from == position.stone {
        child.stone = to;
    } else if position.side == Side::Dwarfs {
        child.dwarfs ^= path;
        child.trolls = child.trolls.minus(taken);
    } else {
        child.trolls ^= path;
        child.dwarfs = child.dwarfs.minus(taken);
    }
    child
}

/// Count the sequences of `depth` legal moves, until the host stops it.
pub fn perft(variant: Variant, position: &Position, depth: i32, host: &mut dyn Host) -> Counted {
    match depth {
        0 => return Ok(1),
        1 => return count_moves(variant, position),
        _ => {}
    }
    // The host is asked every few milliseconds at most.
    if depth > 2 && host.should_stop() {
        return Err(Uncounted::Stopped);
    }
    let mut count = 0u64;
    for_each_move(variant, position, |child| {
        count = count.saturating_add(perft(variant, child, depth - 1, host)?);
        Ok(())
    })?;
    Ok(count)
}

fn count_slides(pieces: Mask, empty: Mask, reach: u32, stops: Mask) -> u64 {
    let mut count = 0;
    each_axis!(BY => {
        let (mut ahead, mut back) = (pieces, pieces);
        for _ in 0..reach {
            ahead = ahead.up(BY) & empty;
            back = back.down(BY) & empty;
            if !(ahead | back).any() {
                break;
            }
            count += ((ahead & stops).count() + (back & stops).count()) as u64;
        }
    });
    count
}

fn count_hurls(position: &Position) -> u64 {
    let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
    let mut count = 0;
    each_axis!(BY => {
        let (mut aim, mut line) = (trolls.down(BY), dwarfs);
        while aim.any() && line.any() {
            count += (aim & line).count();
            aim = (aim & empty).down(BY);
            line = line.up(BY) & dwarfs;
        }
        (aim, line) = (trolls.up(BY), dwarfs);
        while aim.any() && line.any() {
            count += (aim & line).count();
            aim = (aim & empty).up(BY);
            line = line.down(BY) & dwarfs;
        }
    });
    count as u64
}

fn for_each_hurl(position: &Position, mut act: impl FnMut(Square, Square)) {
    let occupied = BOARD.minus(position.empty());
    for troll in position.trolls.squares() {
        for (direction, step) in STEPS.into_iter().enumerate() {
            let Some(origin) = blocker(&RAYS, direction, troll, occupied) else { continue };
            let mut line = 0;
            let mut behind = origin;
            let mut at = troll;
            while at != origin {
                at = next(at, step);
                line += i32::from(position.dwarfs.has(behind)) - 1;
                behind = next(behind, step);
            }
            if line == 0 {
                act(origin, troll);
            }
        }
    }
}

/// A troll's step or shove with the dwarfs adjacent to its destination.
struct Landing {
    origin: Square,
    destination: Square,
    distance: u32,
    line: u32,
    victims: Mask,
}

impl Landing {
    /// The number of choices of captures.
    fn choices(&self, variant: Variant) -> u64 {
        let victims = self.victims.count();
        if variant == Variant::Single && self.line == 1 {
            return 1 + victims as u64;
        }
        (1 << victims) - u64::from(self.distance > 1)
    }

    fn for_each_choice(&self, variant: Variant, mut act: impl FnMut(Mask)) {
        if variant == Variant::Single && self.line == 1 {
            act(Mask::EMPTY);
            self.victims.squares().map(Mask::of).for_each(act);
        } else {
            for_each_subset(self.victims, self.distance > 1, act);
        }
    }
}

fn for_each_landing(position: &Position, mut act: impl FnMut(&Landing)) {
    let (trolls, empty) = (position.trolls, position.empty());
    for origin in trolls.squares() {
        for step in STEPS {
            let mut destination = next(origin, step);
            if !empty.has(destination) {
                continue;
            }
            let mut line = 1;
            let mut behind = next(origin, -step);
            while trolls.has(behind) {
                line += 1;
                behind = next(behind, -step);
            }
            for distance in 1..=line {
                if !empty.has(destination) {
                    break;
                }
                let victims = NEAR[destination as usize] & position.dwarfs;
                if distance == 1 || victims.any() {
                    act(&Landing { origin, destination, distance, line, victims });
                }
                destination = next(destination, step);
            }
        }
    }
}

/// Call a function with every subset, without the empty one if `not_empty`.
fn for_each_subset(mask: Mask, not_empty: bool, mut act: impl FnMut(Mask)) {
    // At most eight squares: the neighbours of one.
    let squares: Vec<_> = mask.squares().collect();
    for choice in u32::from(not_empty)..1 << squares.len() {
        let mut subset = Mask::EMPTY;
        for (place, &square) in squares.iter().enumerate() {
            if choice >> place & 1 != 0 {
                subset = subset.with(square);
            }
        }
        act(subset);
    }
}

fn for_each_roll(position: &Position, reach: usize, mut act: impl FnMut(Square)) {
    let (stone, dwarfs) = (position.stone, position.dwarfs);
    if !(NEAR[stone as usize] & dwarfs).any() {
        return;
    }
    for_each_slide(Mask::of(stone), position.empty(), reach, BOARD, |_, to| {
        if (NEAR[to as usize] & dwarfs).any() {
            act(to);
        }
    });
}

/// Call a function with the dwarf moves that trap trolls, and all the trolls they trap.
fn for_each_trap(position: &Position, mut act: impl FnMut(Square, Square, Mask)) {
    let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
    let occupied = BOARD.minus(empty);
    for square in (facing(trolls, dwarfs) & empty).squares() {
        let traps = trapped(dwarfs, trolls, square);
        for direction in 0..8 {
            if let Some(origin) = blocker(&RAYS, direction, square, occupied)
                && dwarfs.has(origin)
            {
                act(origin, square, traps);
            }
        }
    }
}

/// The trolls that a dwarf moving to a square traps against another dwarf.
#[inline]
pub fn trapped(dwarfs: Mask, trolls: Mask, square: Square) -> Mask {
    let mut traps = Mask::EMPTY;
    if (trolls & NEAR[square as usize]).any() {
        for step in STEPS {
            let between = next(square, step);
            if trolls.has(between) && dwarfs.has(next(between, step)) {
                traps = traps.with(between);
            }
        }
    }
    traps
}

/// The trolls that can trample.
fn tramplers(position: &Position) -> Mask {
    facing(position.dwarfs, position.empty()) & position.trolls
}

/// The tramples of one troll: destinations, each with its captures.
fn tramples(position: &Position, origin: Square) -> Result<Vec<(Square, Mask)>, Uncounted> {
    let empty = position.empty().with(origin);
    let mut seen = HashSet::new();
    let mut ends = vec![(origin, Mask::EMPTY)];
    let mut place = 0;
    while let Some(&(square, taken)) = ends.get(place) {
        place += 1;
        for step in STEPS {
            let over = next(square, step);
            let landing = next(over, step);
            let left = position.dwarfs.minus(taken);
            if left.has(over) && (empty | taken).has(landing) {
                let end = (landing, taken.with(over));
                if seen.insert(end) {
                    ends.push(end);
                }
            }
        }
        if ends.len() > MOST_TRAMPLES {
            return Err(Uncounted::TooMany);
        }
    }
    ends.swap_remove(0);
    Ok(ends)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::deepen::Thought;
    use crate::position::tests::{VARIANTS, read, start};

    /// A host that stops at once, or never.
    pub(crate) struct Stopping(pub bool);

    impl Host for Stopping {
        fn now(&mut self) -> u64 {
            0
        }

        fn should_stop(&mut self) -> bool {
            self.0
        }

        fn report(&mut self, _: &Thought) {}

        fn shuffled(&mut self, len: usize) -> Vec<u32> {
            (0..len as u32).rev().collect()
        }
    }

    #[test]
    fn the_reference_counts_from_the_start() {
        let counts = [
            [1, 656, 22_624, 14_142_624],
            [1, 656, 22_624, 14_142_624],
            [1, 388, 33_974, 12_977_012],
            [1, 390, 26_718, 10_258_606],
        ];
        for (variant, counts) in VARIANTS.into_iter().zip(counts) {
            for (depth, count) in (0..).zip(counts) {
                let counted = perft(variant, &start(variant), depth, &mut Stopping(false));
                assert_eq!(counted, Ok(count));
            }
        }
    }

    #[test]
    fn as_many_moves_are_listed_as_are_counted() {
        let text = "dd1dd/dd5/d8/d7T1d/d11d/d13d/d5T7d/6TRTT5/d7T5d/dd5T6d/d1T9d/10d/8d/1d4d/1d1dd";
        for variant in VARIANTS {
            for side in ["d", "T"] {
                let position = read(variant, &format!("{text} {side}"));
                let mut listed = 0;
                let ended = for_each_move(variant, &position, |child| {
                    assert!(child.is_sound());
                    listed += 1;
                    Ok(())
                });
                assert_eq!((ended, count_moves(variant, &position)), (Ok(()), Ok(listed)));
            }
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        let variant = Variant::Classic;
        let stopped = perft(variant, &start(variant), 5, &mut Stopping(true));
        assert_eq!(stopped, Err(Uncounted::Stopped));
    }
}
