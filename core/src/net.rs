//! A small neural network that evaluates Classic positions: one layer of units over what is on the
//! squares, and an output for each side to move.
//!
//! Everything is whole numbers, so that it says the same on every machine.  A move changes few
//! inputs, so the layer of the last position is brought up to date, not computed anew.

use std::cell::RefCell;
use std::rc::Rc;

use crate::board::{BOARD, turned};
use crate::classic::{KINDS, kinds};
use crate::game::{LIMIT, Score};
use crate::mask::Mask;
use crate::position::{Position, Side};

/// The units of the layer.
const UNITS: usize = 32;
/// A unit's highest output.
const CEILING: i16 = 1024;
/// An output is a sum over 2^SHIFT.
const SHIFT: u32 = 12;
/// The squares of the board.
const SQUARES: usize = 165;
/// The numbers of 16 bits in a file: inputs, biases and two outputs.
const NUMBERS: usize = UNITS * (KINDS * SQUARES + 3);

type Layer = [i16; UNITS];

/// A network's weights.
pub struct Net {
    /// By kind and square.
    inputs: Vec<[Layer; 256]>,
    biases: Layer,
    /// With the dwarfs and with the trolls to move.
    outputs: [Layer; 2],
    offsets: [i32; 2],
}

impl Net {
    /// The network that evaluates Classic, or the game with single capture.
    pub fn of_game(single: bool) -> Net {
        let file: &[u8] = if single {
            include_bytes!("../nets/single.net")
        } else {
            include_bytes!("../nets/classic.net")
        };
        Net::read(file).unwrap_or_else(|| unreachable!("it is a network"))
    }

    /// Read a network: numbers of 16 bits, low byte first, in the order of the fields and by the
    /// squares of the board; then the offsets, of 32 bits.
    ///
    /// None if the size is wrong, or a sum of weights could overflow.
    pub fn read(bytes: &[u8]) -> Option<Net> {
        let (numbers, offsets) = bytes.split_at_checked(2 * NUMBERS)?;
        let numbers: Vec<_> =
            numbers.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut layers = numbers.chunks_exact(UNITS).map(|row| {
            let mut layer = [0; UNITS];
            layer.copy_from_slice(row);
            layer
        });
        let mut inputs = vec![[[0; UNITS]; 256]; KINDS];
        for kind in &mut inputs {
            for square in BOARD.squares() {
                kind[square as usize] = layers.next()?;
            }
        }
        let (biases, outputs) = (layers.next()?, [layers.next()?, layers.next()?]);
        let (dwarfs, trolls) = offsets.split_at_checked(4)?;
        let offset = |bytes: &[u8]| Some(i32::from_le_bytes(bytes.try_into().ok()?));
        let net = Net { inputs, biases, outputs, offsets: [offset(dwarfs)?, offset(trolls)?] };
        net.is_bounded().then_some(net)
    }

    /// The network that sees the board turned or mirrored: as strong, but its choices differ.
    pub fn turned(&self, symmetry: usize) -> Net {
        let mut inputs = self.inputs.clone();
        for (ours, theirs) in inputs.iter_mut().zip(&self.inputs) {
            for square in BOARD.squares() {
                ours[turned(square, symmetry) as usize] = theirs[square as usize];
            }
        }
        Net { inputs, ..*self }
    }

    /// Whether no layer and no output of a board can overflow.
    fn is_bounded(&self) -> bool {
        let within = |unit: usize, sign: i64| {
            // What can be on a square together, by `kinds`.
            let most = |square: u8| {
                let weight =
                    |kind: usize| sign * i64::from(self.inputs[kind][square as usize][unit]);
                let dwarf = weight(0).max(weight(1)).max(weight(2)) + weight(5).max(0);
                let troll = weight(3).max(weight(4)) + weight(8).max(0);
                dwarf.max(troll).max(weight(6)).max(weight(7)).max(0)
            };
            let sum = BOARD.squares().map(most).sum::<i64>() + sign * i64::from(self.biases[unit]);
            sum < i64::from(i16::MAX)
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
struct Last {
    kinds: [Mask; KINDS],
    layer: Layer,
}

/// A network with the layer of the last position.
#[derive(Clone)]
pub struct Evaluator {
    net: Rc<Net>,
    last: RefCell<Last>,
}

impl Evaluator {
    pub fn new(net: &Rc<Net>) -> Evaluator {
        let last = Last { kinds: [Mask::EMPTY; KINDS], layer: net.biases };
        Evaluator { net: Rc::clone(net), last: RefCell::new(last) }
    }

    /// Evaluate a position for the dwarfs, in fortieths of a point.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let mut last = self.last.borrow_mut();
        let Last { kinds: before, layer } = &mut *last;
        let now = kinds(position.dwarfs, position.trolls, position.empty());
        for (kind, weights) in self.net.inputs.iter().enumerate() {
            for square in now[kind].minus(before[kind]).squares() {
                change(layer, &weights[square as usize], i16::wrapping_add);
            }
            for square in before[kind].minus(now[kind]).squares() {
                change(layer, &weights[square as usize], i16::wrapping_sub);
            }
        }
        *before = now;
        self.net.output(layer, position.side)
    }
}

#[inline(always)]
fn change(layer: &mut Layer, weights: &Layer, by: impl Fn(i16, i16) -> i16) {
    for (unit, &weight) in layer.iter_mut().zip(weights) {
        *unit = by(*unit, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Variant;
    use crate::position::tests::{Chance, start, wanderings};

    /// A network of small random weights.
    fn some_net(seed: u64) -> Vec<u8> {
        let mut chance = Chance(seed);
        let numbers = (0..NUMBERS).flat_map(|_| (chance.below(101) as i16 - 50).to_le_bytes());
        numbers.collect::<Vec<_>>().into_iter().chain([0, 16, 0, 0, 0, 0, 255, 255]).collect()
    }

    #[test]
    fn bringing_the_layer_up_to_date_is_computing_it_anew() {
        let net = Rc::new(Net::read(&some_net(1)).unwrap());
        let kept = Evaluator::new(&net);
        let found: Vec<_> = wanderings(Variant::Classic, 12)
            .iter()
            .map(|position| {
                let score = kept.evaluate(position);
                assert_eq!(Evaluator::new(&net).evaluate(position), score);
                score
            })
            .collect();
        assert!(found.iter().any(|&score| score != found[0]));
    }

    #[test]
    fn the_games_have_their_networks() {
        let start = start(Variant::Classic);
        for single in [false, true] {
            let said = Evaluator::new(&Rc::new(Net::of_game(single))).evaluate(&start);
            assert!(said.abs() < 800, "no side is twenty points ahead");
        }
    }

    #[test]
    fn turned_it_says_the_same_of_the_turned_board() {
        let net = Net::of_game(false);
        for symmetry in 0..8 {
            let (straight, other) = (Evaluator::new(&Rc::new(net.turned(0))), net.turned(symmetry));
            let other = Evaluator::new(&Rc::new(other));
            let turn = |mask: Mask| {
                mask.squares().map(|at| turned(at, symmetry)).fold(Mask::EMPTY, Mask::with)
            };
            for position in wanderings(Variant::Classic, 2) {
                let (dwarfs, trolls) = (turn(position.dwarfs), turn(position.trolls));
                let there = Position { dwarfs, trolls, ..position };
                assert_eq!(other.evaluate(&there), straight.evaluate(&position));
            }
        }
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let sound = some_net(2);
        assert!(Net::read(&sound).is_some());
        assert!(Net::read(&sound[..sound.len() - 1]).is_none());
        assert!(Net::read(&[&sound[..], &[0]].concat()).is_none());
        assert!(Net::read(&[]).is_none());
        let heavy = [0xff, 0x7f].repeat(NUMBERS).into_iter().chain([0; 8]).collect::<Vec<_>>();
        assert!(Net::read(&heavy).is_none());
    }
}
