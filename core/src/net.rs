//! A small neural network that evaluates positions: one layer of units over what is on the squares,
//! and an output for each side to move.
//!
//! Everything is whole numbers, so that it says the same on every machine.  A move changes few
//! inputs, so the layer of the last position is brought up to date, not computed anew.

use std::cell::RefCell;
use std::rc::Rc;

use crate::board::turned;
use crate::game::{LIMIT, Score};
use crate::mask::Mask;
use crate::position::Side;

/// The units of the layer.
const UNITS: usize = 32;
/// A unit's highest output.
const CEILING: i16 = 800;
/// An output is a sum over 2^SHIFT.
const SHIFT: u32 = 12;

type Layer = [i16; UNITS];

/// What a game's networks see: masks of several kinds.
pub struct View<const KINDS: usize> {
    /// The squares that each kind can be on.
    pub squares: [Mask; KINDS],
    /// The highest sum of the numbers of those kinds that a square can be of together.
    pub most: fn(&[i64; KINDS]) -> i64,
}

/// A network's weights.
pub struct Net<const KINDS: usize> {
    /// By kind and square.
    inputs: Vec<[[i8; UNITS]; 256]>,
    biases: Layer,
    /// With the dwarfs and with the trolls to move.
    outputs: [Layer; 2],
    offsets: [i32; 2],
}

impl<const KINDS: usize> Net<KINDS> {
    /// Read a network: the inputs, numbers of 8 bits by the squares of each kind; biases and
    /// outputs, of 16 bits; then the offsets, of 32 bits.  Low bytes come first.
    ///
    /// None if the size is wrong, or a sum of weights could overflow.
    pub fn read(bytes: &[u8], view: &View<KINDS>) -> Option<Net<KINDS>> {
        let mut rest = bytes;
        let mut next = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let mut inputs = vec![[[0; UNITS]; 256]; KINDS];
        for (kind, squares) in inputs.iter_mut().zip(view.squares) {
            for square in squares.squares() {
                for (weight, &byte) in kind[square as usize].iter_mut().zip(next(UNITS)?) {
                    *weight = i8::from_le_bytes([byte]);
                }
            }
        }
        let mut layer = || {
            let mut numbers = [0; UNITS];
            for (number, bytes) in numbers.iter_mut().zip(next(2 * UNITS)?.chunks_exact(2)) {
                *number = i16::from_le_bytes(bytes.try_into().ok()?);
            }
            Some(numbers)
        };
        let (biases, outputs) = (layer()?, [layer()?, layer()?]);
        let mut offset = || Some(i32::from_le_bytes(next(4)?.try_into().ok()?));
        let net = Net { inputs, biases, outputs, offsets: [offset()?, offset()?] };
        (rest.is_empty() && net.is_bounded(view.most)).then_some(net)
    }

    /// The network that sees the board turned or mirrored: as strong, but its choices differ.
    pub fn turned(&self, symmetry: usize) -> Net<KINDS> {
        let mut inputs = self.inputs.clone();
        for (ours, theirs) in inputs.iter_mut().zip(&self.inputs) {
            for square in (0..240).filter(|square| square & 15 < 15) {
                ours[turned(square, symmetry) as usize] = theirs[square as usize];
            }
        }
        Net { inputs, ..*self }
    }

    /// Whether no layer and no output of a board can overflow.
    fn is_bounded(&self, most: fn(&[i64; KINDS]) -> i64) -> bool {
        let within = |unit: usize, sign: i64| {
            let sums = (0..256).map(|square| {
                most(&std::array::from_fn(|kind| sign * i64::from(self.inputs[kind][square][unit])))
            });
            sums.sum::<i64>() + sign * i64::from(self.biases[unit]) < i64::from(i16::MAX)
        };
        let output = |weights: &Layer, offset: i32| {
            let sum = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum::<i64>();
            sum * i64::from(CEILING) + i64::from(offset).abs() < i64::from(i32::MAX)
        };
        (0..UNITS).all(|unit| within(unit, 1) && within(unit, -1))
            && output(&self.outputs[0], self.offsets[0])
            && output(&self.outputs[1], self.offsets[1])
    }

    /// What a layer says for the dwarfs with a side to move.
    #[inline]
    fn output(&self, layer: &Layer, side: Side) -> Score {
        let mut sum = self.offsets[side as usize];
        for (&unit, &weight) in layer.iter().zip(&self.outputs[side as usize]) {
            sum += i32::from(unit.clamp(0, CEILING)) * i32::from(weight);
        }
        (sum >> SHIFT).clamp(1 - LIMIT, LIMIT - 1)
    }
}

/// The last position that was evaluated, and its layer.
#[derive(Clone)]
struct Last<const KINDS: usize> {
    kinds: [Mask; KINDS],
    layer: Layer,
}

/// A network with the layer of the last position.
#[derive(Clone)]
pub struct Evaluator<const KINDS: usize> {
    net: Rc<Net<KINDS>>,
    last: RefCell<Last<KINDS>>,
}

impl<const KINDS: usize> Evaluator<KINDS> {
    pub fn new(net: &Rc<Net<KINDS>>) -> Evaluator<KINDS> {
        let last = Last { kinds: [Mask::EMPTY; KINDS], layer: net.biases };
        Evaluator { net: Rc::clone(net), last: RefCell::new(last) }
    }

    /// Evaluate a position for the dwarfs, given the squares of each kind and the side to move.
    #[inline]
    pub fn evaluate(&self, now: [Mask; KINDS], side: Side) -> Score {
        let mut last = self.last.borrow_mut();
        let Last { kinds: before, layer } = &mut *last;
        for (kind, weights) in self.net.inputs.iter().enumerate() {
            for square in now[kind].minus(before[kind]).squares() {
                change(layer, &weights[square as usize], i16::wrapping_add);
            }
            for square in before[kind].minus(now[kind]).squares() {
                change(layer, &weights[square as usize], i16::wrapping_sub);
            }
        }
        *before = now;
        self.net.output(layer, side)
    }
}

#[inline(always)]
fn change(layer: &mut Layer, weights: &[i8; UNITS], by: impl Fn(i16, i16) -> i16) {
    for (unit, &weight) in layer.iter_mut().zip(weights) {
        *unit = by(*unit, i16::from(weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BOARD;
    use crate::mask::Square;
    use crate::position::tests::Chance;

    /// Two kinds of pieces, and one of all squares of a row.
    const VIEW: View<3> = View {
        squares: [BOARD, BOARD, Mask([0x7fff, 0, 0, 0])],
        most: |[one, other, row]| (*one).max(*other).max(0) + row.max(&0),
    };
    const INPUTS: usize = UNITS * (2 * 165 + 15);

    /// A network of small random weights.
    fn some_net(seed: u64) -> Vec<u8> {
        let mut chance = Chance(seed);
        let mut some = |count| (0..count).map(|_| chance.below(101) as i8 - 50).collect::<Vec<_>>();
        let inputs = some(INPUTS).into_iter().flat_map(i8::to_le_bytes).collect::<Vec<_>>();
        let rest = some(3 * UNITS).into_iter().map(i16::from).flat_map(i16::to_le_bytes);
        inputs.into_iter().chain(rest).chain([0, 16, 0, 0, 0, 0, 255, 255]).collect()
    }

    fn read(bytes: &[u8]) -> Option<Net<3>> {
        Net::read(bytes, &VIEW)
    }

    /// Random squares of each kind.
    fn some_kinds(chance: &mut Chance) -> [Mask; 3] {
        let mut some =
            |of: Mask| of.squares().filter(|_| chance.below(4) == 0).fold(Mask::EMPTY, Mask::with);
        let one = some(BOARD);
        [one, some(BOARD.minus(one)), some(VIEW.squares[2])]
    }

    #[test]
    fn bringing_the_layer_up_to_date_is_computing_it_anew() {
        let (net, mut chance) = (Rc::new(read(&some_net(1)).unwrap()), Chance(2));
        let kept = Evaluator::new(&net);
        let found: Vec<_> = (0..60)
            .map(|_| {
                let kinds = some_kinds(&mut chance);
                let score = kept.evaluate(kinds, Side::Trolls);
                assert_eq!(Evaluator::new(&net).evaluate(kinds, Side::Trolls), score);
                score
            })
            .collect();
        assert!(found.iter().any(|&score| score != found[0]));
    }

    #[test]
    fn turned_it_says_the_same_of_the_turned_board() {
        let (net, mut chance) = (read(&some_net(3)).unwrap(), Chance(4));
        for symmetry in 0..8 {
            let (straight, other) = (Evaluator::new(&Rc::new(net.turned(0))), net.turned(symmetry));
            let other = Evaluator::new(&Rc::new(other));
            let turn = |mask: Mask| {
                let there = mask.squares().map(|at: Square| turned(at, symmetry));
                there.fold(Mask::EMPTY, Mask::with)
            };
            for _ in 0..20 {
                let kinds = some_kinds(&mut chance);
                let there = kinds.map(turn);
                for side in [Side::Dwarfs, Side::Trolls] {
                    assert_eq!(other.evaluate(there, side), straight.evaluate(kinds, side));
                }
            }
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let sound = some_net(2);
        assert!(read(&sound).is_some());
        assert!(read(&sound[..sound.len() - 1]).is_none());
        assert!(read(&[&sound[..], &[0]].concat()).is_none());
        assert!(read(&[]).is_none());
        let heavy = vec![0x7f; sound.len()];
        assert!(read(&heavy).is_none());
    }
}
