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
    /// The variant with a number of the C interface.
    pub fn numbered(number: i32) -> Option<Variant> {
        [Variant::Classic, Variant::Single, Variant::Koom, Variant::Football]
            .get(usize::try_from(number).ok()?)
            .copied()
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
    /// A validated position; none if pieces overlap or are off the board, or Classic's stone
    /// is not in the centre.
    pub fn checked(
        variant: Variant,
        dwarfs: Mask,
        trolls: Mask,
        stone: u32,
        side: u32,
    ) -> Option<Position> {
        let stone = Square::try_from(stone).ok()?;
        let side = [Side::Dwarfs, Side::Trolls].get(side as usize).copied()?;
        let fixed = !variant.is_classic() || stone == CENTRE;
        Some(Position { dwarfs, trolls, stone, side }).filter(|found| fixed && found.is_sound())
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
        Position::checked(variant, dwarfs, trolls, stone, u32::from(side == "T")).unwrap()
    }

    #[test]
    fn what_shares_a_square_or_stands_off_the_board_is_no_position() {
        let Position { dwarfs, trolls, .. } = start(Variant::Classic);
        let checked = |dwarfs, trolls, stone, side| {
            Position::checked(Variant::Classic, dwarfs, trolls, stone, side).is_some()
        };
        let stone = u32::from(CENTRE);
        assert!(checked(dwarfs, trolls, stone, 0));
        assert!(!checked(dwarfs | trolls, trolls, stone, 0));
        assert!(!checked(dwarfs.with(0), trolls, stone, 0));
        assert!(!checked(dwarfs, trolls.with(CENTRE), stone, 0));
        assert!(!checked(dwarfs, trolls, stone + 1, 0));
        assert!(!checked(dwarfs, trolls, stone + 256, 0));
        assert!(!checked(dwarfs, trolls, stone, 2));
    }
}
