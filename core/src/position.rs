//! Positions: where the pieces stand and who is to move.

use crate::board::{BOARD, CENTRE};
use crate::mask::{Mask, Square};

/// The variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Classic Thud.
    Classic,
    /// Classic, where a step captures at most one dwarf.
    Single,
    /// Koom Valley.
    Koom,
    /// Koom Valley Football.
    Football,
}

impl Variant {
    /// The variant with a name.
    pub fn named(name: &str) -> Option<Variant> {
        match name {
            "classic" => Some(Variant::Classic),
            "single" => Some(Variant::Single),
            "koom" => Some(Variant::Koom),
            "football" => Some(Variant::Football),
            _ => None,
        }
    }

    /// Whether the stone never moves.
    pub fn is_classic(self) -> bool {
        matches!(self, Variant::Classic | Variant::Single)
    }
}

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The dwarfs, who move first.
    Dwarfs,
    /// The trolls.
    Trolls,
}

impl Side {
    /// The opponent.
    #[inline(always)]
    pub fn other(self) -> Side {
        match self {
            Side::Dwarfs => Side::Trolls,
            Side::Trolls => Side::Dwarfs,
        }
    }

    /// The side with a letter, `d` or `T`.
    fn lettered(letter: &str) -> Option<Side> {
        match letter {
            "d" => Some(Side::Dwarfs),
            "T" => Some(Side::Trolls),
            _ => None,
        }
    }
}

/// Where the pieces stand and who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The squares of the dwarfs.
    pub dwarfs: Mask,
    /// The squares of the trolls.
    pub trolls: Mask,
    /// The square of the stone.
    pub stone: Square,
    /// The side to move.
    pub side: Side,
}

impl Position {
    /// Parse a position such as `d1f0 T3 R77 >d`: the masks of the dwarfs, trolls and stone in
    /// hexadecimal, and the side to move.
    ///
    /// None if it is malformed, pieces overlap or are off the board, or Classic's stone is not in
    /// the centre.
    pub fn parsed(variant: Variant, text: &str) -> Option<Position> {
        let mut position =
            Position { dwarfs: Mask::EMPTY, trolls: Mask::EMPTY, stone: 0, side: Side::Dwarfs };
        let mut stones = Mask::EMPTY;
        for word in text.split_whitespace() {
            match word.split_at_checked(1)? {
                ("d", hex) => position.dwarfs = Mask::from_hex(hex)?,
                ("T", hex) => position.trolls = Mask::from_hex(hex)?,
                ("R", hex) => stones = Mask::from_hex(hex)?,
                (">", side) => position.side = Side::lettered(side)?,
                _ => return None,
            }
        }
        position.stone = stones.first()?;
        let sound = stones.count() == 1
            && position.is_sound()
            && (!variant.is_classic() || position.stone == CENTRE);
        sound.then_some(position)
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> Mask {
        if side == Side::Dwarfs { self.dwarfs } else { self.trolls }
    }

    /// Whether all pieces are on the board and on squares of their own.
    pub fn is_sound(&self) -> bool {
        let Position { dwarfs, trolls, stone, .. } = *self;
        let apart = !(dwarfs & trolls).any() && !(dwarfs | trolls).has(stone);
        apart && !(dwarfs | trolls).minus(BOARD).any() && BOARD.has(stone)
    }

    /// The empty squares.
    #[inline(always)]
    pub fn empty(&self) -> Mask {
        BOARD.minus(self.dwarfs | self.trolls | Mask::of(self.stone))
    }

    /// The hash key; two positions of a search share it with a chance of 2^-64.
    #[inline(always)]
    pub fn key(&self) -> u128 {
        // The universal hash "NH" over the eight words, the stone and the side.
        const KEYS: [u64; 10] = [
            0x9e37_79b9_7f4a_7c15,
            0xbf58_476d_1ce4_e5b9,
            0x94d0_49bb_1331_11eb,
            0x2545_f491_4f6c_dd1d,
            0xd6e8_feb8_6659_fd93,
            0xa076_1d64_78bd_642f,
            0xe703_7ed1_a0b4_28db,
            0x8ebc_6af0_9c88_c6e3,
            0x5899_65cc_7537_4cc3,
            0x1d8e_4e27_c47d_124f,
        ];
        let pair = |a: u64, b: u64, i: usize| {
            u128::from(a.wrapping_add(KEYS[i])) * u128::from(b.wrapping_add(KEYS[i + 1]))
        };
        let (Mask(d), Mask(t)) = (self.dwarfs, self.trolls);
        let rest = u64::from(self.stone) << 1 | self.side as u64;
        pair(d[0], t[0], 0)
            .wrapping_add(pair(d[1], t[1], 2))
            .wrapping_add(pair(d[2], t[2], 4))
            .wrapping_add(pair(d[3], t[3], 6))
            .wrapping_add(pair(rest, rest, 8))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::{EDGE, distance};
    use crate::rules::{for_each_move, is_decided};
    pub(crate) use crate::selfplay::Chance;

    /// The starting positions of the Classic variants, and of Koom Valley and Football.
    const STARTS: [&str; 2] = [
        "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d",
        "5/1T1T1T1/1TT1T1TT1/11/13/15/15/7R7/7d7/d13d/d11d/d9d/d7d/d5d/ddddd d",
    ];

    /// All variants.
    pub(crate) const VARIANTS: [Variant; 4] =
        [Variant::Classic, Variant::Single, Variant::Koom, Variant::Football];

    /// The starting position of a variant.
    pub(crate) fn start(variant: Variant) -> Position {
        read(variant, STARTS[usize::from(!variant.is_classic())])
    }

    /// Parse a position.
    pub(crate) fn read(variant: Variant, text: &str) -> Position {
        let (board, side) = text.split_once(' ').unwrap();
        let (mut dwarfs, mut trolls, mut stone) = (Mask::EMPTY, Mask::EMPTY, 0);
        for (row, rank) in (0u32..).zip(board.split('/')) {
            let mut squares = (row * 16..row * 16 + 15).filter(|&at| BOARD.has(at as Square));
            let mut empty = 0;
            for letter in rank.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    empty = 10 * empty + digit;
                    continue;
                }
                let at = squares.nth(empty as usize).unwrap();
                empty = 0;
                match letter {
                    'd' => dwarfs = dwarfs.with(at as Square),
                    'T' => trolls = trolls.with(at as Square),
                    _ => stone = at,
                }
            }
        }
        let [dwarfs, trolls, stone] = [dwarfs, trolls, Mask::of(stone as Square)].map(Mask::to_hex);
        Position::parsed(variant, &format!("d{dwarfs} T{trolls} R{stone} >{side}")).unwrap()
    }

    impl Chance {
        /// Some of the squares of a mask, at most `most`.
        fn some(&mut self, mask: Mask, most: usize) -> Mask {
            let mut squares: Vec<_> = mask.squares().collect();
            while squares.len() > most {
                squares.swap_remove(self.below(squares.len()));
            }
            squares.into_iter().fold(Mask::EMPTY, Mask::with)
        }
    }

    /// The positions after all legal moves.
    pub(crate) fn children(variant: Variant, position: &Position) -> Vec<Position> {
        let mut found = Vec::new();
        let listed = for_each_move(variant, position, |child| {
            found.push(*child);
            Ok(())
        });
        assert_eq!(listed, Ok(()));
        found
    }

    /// A random battle: its undecided positions.
    pub(crate) fn battle(variant: Variant, seed: u64, turns: usize) -> Vec<Position> {
        let (mut chance, mut positions) = (Chance(seed), vec![start(variant)]);
        for _ in 0..turns {
            let position = positions.last().unwrap();
            let mut next = children(variant, position);
            let pieces = |it: &Position| it.dwarfs.count() + it.trolls.count();
            let captures = next.iter().filter(|it| pieces(it) < pieces(position));
            if chance.below(3) == 0 && captures.clone().count() > 0 {
                next = captures.copied().collect();
            }
            if next.is_empty() {
                break;
            }
            positions.push(next[chance.below(next.len())]);
        }
        positions.retain(|position| !is_decided(variant, position));
        positions
    }

    /// Positions of random battles.
    pub(crate) fn wanderings(variant: Variant, battles: u64) -> Vec<Position> {
        (0..battles).flat_map(|seed| battle(variant, seed, 100).into_iter().step_by(7)).collect()
    }

    /// Positions with few pieces left, so that a search can try everything.
    pub(crate) fn endgames(variant: Variant, battles: u64) -> Vec<Position> {
        let mut found = Vec::new();
        for seed in 0..battles {
            let (mut chance, positions) = (Chance(!seed), battle(variant, seed, 60));
            let mut position = positions[chance.below(positions.len())];
            position.dwarfs = chance.some(position.dwarfs, 4);
            position.trolls = chance.some(position.trolls, 3);
            if !is_decided(variant, &position) && !children(variant, &position).is_empty() {
                found.push(position);
            }
        }
        assert!(found.len() > battles as usize / 2);
        found
    }

    /// Positions with many pieces around some square: traps, held stones, and goals in reach.
    pub(crate) fn crowds(variant: Variant, count: u64) -> Vec<Position> {
        let mut found = Vec::new();
        for seed in 0..count {
            let mut chance = Chance(seed);
            let squares: Vec<_> = BOARD.squares().collect();
            let near = if chance.below(2) == 0 { 12 } else { squares.len() };
            let centre = squares[chance.below(near)];
            let radius = 2 + chance.below(4) as u8;
            let mut room = squares.into_iter().filter(|&at| distance(at, centre) <= radius);
            let mut room = room.by_ref().fold(Mask::EMPTY, Mask::with);
            let stone = if variant.is_classic() { Mask::of(CENTRE) } else { chance.some(room, 1) };
            room = room.minus(stone);
            let (dwarfs, trolls) = (chance.below(17), chance.below(9));
            let dwarfs = chance.some(room, dwarfs);
            let trolls = chance.some(room.minus(dwarfs), trolls);
            let trolls = if variant == Variant::Football { trolls.minus(EDGE) } else { trolls };
            let side = if chance.below(2) == 0 { Side::Dwarfs } else { Side::Trolls };
            let position = Position { dwarfs, trolls, stone: stone.first().unwrap(), side };
            if !is_decided(variant, &position) {
                found.push(position);
            }
        }
        found
    }

    #[test]
    fn what_shares_a_square_or_stands_off_the_board_is_no_position() {
        let refused = |text: &str| Position::parsed(Variant::Classic, text).is_none();
        let stone = Mask::of(CENTRE).to_hex();
        assert!(!refused(&format!("d20 T40 R{stone} >T")));
        assert!(!refused(&format!("R{stone} >d")));
        for text in [
            format!("d20 T60 R{stone} >d"),
            format!("d1 T40 R{stone} >d"),
            format!("d20 T{stone} R{stone} >d"),
            "d20 T40 R80 >d".to_owned(),
            "d20 T40 R0 >d".to_owned(),
            format!("d20 T40 R{stone} >x"),
            format!("dx T40 R{stone} >d"),
            format!("d20 T40 R{stone} d"),
            format!("d{} T40 R{stone} >d", "f".repeat(65)),
            "\u{e9}".to_owned(),
        ] {
            assert!(refused(&text), "{text}");
        }
    }
}
