//! Bitboards of 256 bits in four words, in rows of sixteen.

use std::cmp::Ordering;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign};

/// A square: 16 * row + column, both from 0.
pub type Square = u8;

/// A set of squares as a bitboard; the same number as in `thud.rules.geometry`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Hash)]
pub struct Mask(pub [u64; 4]);

impl Mask {
    /// No square.
    pub const EMPTY: Mask = Mask([0; 4]);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Mask {
        let mut words = [0; 4];
        words[(square >> 6) as usize] = 1 << (square & 63);
        Mask(words)
    }

    /// The set from its number in hexadecimal; none if it is malformed or too long.
    pub fn from_hex(text: &str) -> Option<Mask> {
        if !(1..=64).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut words = [0; 4];
        for (place, digit) in text.bytes().rev().enumerate() {
            let digit = char::from(digit).to_digit(16)?;
            words[place / 16] |= u64::from(digit) << (place % 16 * 4);
        }
        Some(Mask(words))
    }

    /// Whether a square is in the set.
    #[inline(always)]
    pub const fn has(self, square: Square) -> bool {
        self.0[(square >> 6) as usize] >> (square & 63) & 1 != 0
    }

    /// Whether there is any square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] != 0
    }

    /// How many squares there are.
    #[inline(always)]
    pub const fn count(self) -> i32 {
        let Mask([a, b, c, d]) = self;
        (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()) as i32
    }

    /// The squares that are not in the other set.
    #[inline(always)]
    pub const fn minus(self, other: Mask) -> Mask {
        let (Mask(a), Mask(b)) = (self, other);
        Mask([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    /// Shift every square up by a number; squares beyond the last row are dropped.
    #[inline(always)]
    pub const fn up(self, by: u32) -> Mask {
        let Mask([a, b, c, d]) = self;
        let bits = by & 63;
        let [a, b, c, d] = if bits == 0 {
            [a, b, c, d]
        } else {
            let rest = 64 - bits;
            [a << bits, b << bits | a >> rest, c << bits | b >> rest, d << bits | c >> rest]
        };
        match by >> 6 {
            0 => Mask([a, b, c, d]),
            1 => Mask([0, a, b, c]),
            2 => Mask([0, 0, a, b]),
            3 => Mask([0, 0, 0, a]),
            _ => Mask::EMPTY,
        }
    }

    /// Shift every square down by a number; squares below the first are dropped.
    #[inline(always)]
    pub const fn down(self, by: u32) -> Mask {
        let Mask([a, b, c, d]) = self;
        let bits = by & 63;
        let [a, b, c, d] = if bits == 0 {
            [a, b, c, d]
        } else {
            let rest = 64 - bits;
            [a >> bits | b << rest, b >> bits | c << rest, c >> bits | d << rest, d >> bits]
        };
        match by >> 6 {
            0 => Mask([a, b, c, d]),
            1 => Mask([b, c, d, 0]),
            2 => Mask([c, d, 0, 0]),
            3 => Mask([d, 0, 0, 0]),
            _ => Mask::EMPTY,
        }
    }

    /// The set with all neighbours, including some off the board.
    #[inline(always)]
    pub const fn spread(self) -> Mask {
        let row = self.or(self.up(1)).or(self.down(1));
        row.or(row.up(16)).or(row.down(16))
    }

    /// The union, usable in constants.
    #[inline(always)]
    pub const fn or(self, other: Mask) -> Mask {
        let (Mask(a), Mask(b)) = (self, other);
        Mask([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// The lowest square.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        let mut word = 0;
        while word < 4 {
            if self.0[word] != 0 {
                return Some((word as u32 * 64 + self.0[word].trailing_zeros()) as Square);
            }
            word += 1;
        }
        None
    }

    /// The highest square.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        let mut word = 4;
        while word > 0 {
            word -= 1;
            if self.0[word] != 0 {
                return Some((word as u32 * 64 + 63 - self.0[word].leading_zeros()) as Square);
            }
        }
        None
    }

    /// The squares, lowest first.
    #[inline(always)]
    pub fn squares(self) -> Squares {
        Squares { words: self.0, word: 0 }
    }

    /// The same set with a square added.
    #[inline(always)]
    pub const fn with(self, square: Square) -> Mask {
        self.or(Mask::of(square))
    }
}

/// Iterator over the squares of a set, lowest first.
pub struct Squares {
    words: [u64; 4],
    word: usize,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        while self.word < 4 {
            let word = self.words[self.word];
            if word != 0 {
                self.words[self.word] = word & (word - 1);
                return Some((self.word as u32 * 64 + word.trailing_zeros()) as Square);
            }
            self.word += 1;
        }
        None
    }
}

/// Ordered as numbers: the highest word decides first.
impl Ord for Mask {
    fn cmp(&self, other: &Mask) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Mask {
    fn partial_cmp(&self, other: &Mask) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitand(self, Mask(b): Mask) -> Mask {
        let Mask(a) = self;
        Mask([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }
}

impl BitOr for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitor(self, other: Mask) -> Mask {
        self.or(other)
    }
}

impl BitXor for Mask {
    type Output = Mask;
    #[inline(always)]
    fn bitxor(self, Mask(b): Mask) -> Mask {
        let Mask(a) = self;
        Mask([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
    }
}

impl BitAndAssign for Mask {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Mask) {
        *self = *self & other;
    }
}

impl BitOrAssign for Mask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Mask) {
        *self = *self | other;
    }
}

impl BitXorAssign for Mask {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Mask) {
        *self = *self ^ other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Mask {
        /// The number in hexadecimal.
        pub fn to_hex(self) -> String {
            self.0.iter().rev().map(|word| format!("{word:016x}")).collect()
        }
    }

    #[test]
    fn hexadecimal_numbers_are_read_back() {
        let mask = Mask([1, 0xfedc_ba98_7654_3210, 3, u64::MAX]);
        assert_eq!(Mask::from_hex(&mask.to_hex()), Some(mask));
        assert_eq!(Mask::from_hex("a"), Some(Mask([10, 0, 0, 0])));
        assert_eq!(Mask::from_hex("+a"), None);
    }

    #[test]
    fn a_shift_moves_every_square_across_words() {
        for square in 0..=255u8 {
            for by in 0..=255u32 {
                let moved = Mask::of(square).up(by);
                let expected = u32::from(square) + by;
                assert_eq!(moved.first(), u8::try_from(expected).ok());
                let moved = Mask::of(square).down(by);
                assert_eq!(moved.last(), u8::try_from(i32::from(square) - by as i32).ok());
            }
        }
    }

    #[test]
    fn squares_come_in_order() {
        let mask = Mask::of(3).with(64).with(200).with(255);
        assert_eq!(mask.squares().collect::<Vec<_>>(), [3, 64, 200, 255]);
        assert_eq!(mask.count(), 4);
        assert!(Mask::of(64) > Mask::of(63).with(0));
    }
}
