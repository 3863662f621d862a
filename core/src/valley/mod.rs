//! Koom Valley and Football for the search.

mod choice;
mod features;
mod football;
mod moves;

use std::rc::Rc;

use crate::board::{BOARD, EDGE, FAR_SIDE, NEAR, Path, RAYS, SHORT_RAYS, TO_GO, facing};
use crate::game::{self, GOAL, Game, Options, Score};
use crate::mask::{Mask, Square};
use crate::net::{self, Evaluator};
use crate::position::{Position, Side};
use crate::rules::trapped;

pub use features::{VIEW, kinds};

/// A network that evaluates Koom Valley: `EVEN`, and `ODDS` times the logarithm of the dwarfs' odds.
pub type Net = net::Net<{ features::KINDS }>;

impl Net {
    /// The network of Koom Valley.
    pub fn of_koom() -> Net {
        let file = include_bytes!("../../nets/koom.net");
        Net::read(file, &VIEW).unwrap_or_else(|| unreachable!("it is a network"))
    }
}

/// Koom Valley's score of an even position for the dwarfs, and of a draw.
pub const EVEN: Score = 400;
/// What multiplies the odds by e, in Koom Valley's scores.
pub const ODDS: Score = 600;
/// The score beyond `EVEN` from which the dwarfs make haste: a network that knows that they win does
/// not care when.
const SURE: Score = 1200;
/// The most that a square counts then by which the rock has come nearer.
const HASTE: Score = 600;
/// What a troll is worth in Koom Valley, and a dwarf, to order and prune captures.
const TROLL: Score = 300;
const DWARF: Score = 100;

/// The number of trolls beside the stone with which they win.
const TROLLS_NEEDED: i32 = 3;

/// A move of the valley: the path in the low 16 bits, a trample's captures above them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Move(Mask);

/// The first bit of a trample's captures.
const VICTIMS: u32 = 16;

impl Move {
    #[inline(always)]
    fn origin(self) -> Square {
        self.0.0[0] as Square
    }

    #[inline(always)]
    fn destination(self) -> Square {
        (self.0.0[0] >> 8) as Square
    }

    #[inline(always)]
    fn victims(self) -> Mask {
        self.0.down(VICTIMS)
    }

    fn trample(origin: Square, destination: Square, victims: Mask) -> Move {
        let path = u64::from(origin) | u64::from(destination) << 8;
        Move(victims.up(VICTIMS) | Mask([path, 0, 0, 0]))
    }
}

impl game::Move for Move {
    #[inline(always)]
    fn of(path: Path) -> Move {
        Move(Mask([u64::from(path), 0, 0, 0]))
    }

    #[inline(always)]
    fn path(self) -> Option<Path> {
        let Mask([low, a, b, c]) = self.0;
        if a | b | c == 0 { Path::try_from(low).ok() } else { None }
    }

    fn squares(self) -> (Square, Square) {
        (self.origin(), self.destination())
    }
}

/// What the two games differ in.
pub trait Rules {
    /// Whether it is Koom Valley.
    const KOOM: bool;
    /// The score of a draw for the dwarfs.
    const DRAWN: Score;
    /// How far the stone can move.
    const ROLL: usize = if Self::KOOM { 1 } else { 15 };
    /// Where the trolls may end a move.
    const STOPS: Mask = if Self::KOOM { BOARD } else { BOARD.minus(EDGE) };

    /// Evaluate a position for the dwarfs.
    fn evaluate(&self, position: &Position) -> Score;
}

/// Koom Valley, evaluated by a network.
pub struct Koom(Evaluator<{ features::KINDS }>);

impl Rules for Koom {
    const KOOM: bool = true;
    const DRAWN: Score = EVEN;

    fn evaluate(&self, position: &Position) -> Score {
        let score = self.0.evaluate(kinds(position), position.side);
        let come = 7 - Score::from(TO_GO[position.stone as usize]);
        let score = score + come * (score - EVEN - SURE).clamp(0, HASTE);
        // Too few trolls can at best draw.
        if position.trolls.count() < TROLLS_NEEDED { score.max(EVEN) } else { score }
    }
}

/// Football.
pub struct Football;

impl Rules for Football {
    const KOOM: bool = false;
    const DRAWN: Score = -2400;

    fn evaluate(&self, position: &Position) -> Score {
        football::evaluate(position)
    }
}

/// Koom Valley or Football.
pub struct Valley<R>(pub R);

impl Valley<Koom> {
    pub fn new(net: &Rc<Net>) -> Valley<Koom> {
        Valley(Koom(Evaluator::new(net)))
    }
}

impl<R: Rules> Valley<R> {
    /// The score of a draw.
    fn drawn(&self, position: &Position) -> Score {
        if position.side == Side::Dwarfs { R::DRAWN } else { -R::DRAWN }
    }

    /// List the moves that win at once.
    fn goals(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        let near = NEAR[position.stone as usize];
        match position.side {
            Side::Dwarfs => self.dwarf_goals(position, found),
            Side::Trolls => {
                let beside = (near & position.trolls).count();
                if beside >= TROLLS_NEEDED - 1 {
                    self.troll_goals(position, near, beside, found);
                }
            }
        }
    }

    fn dwarf_goals(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        let goals = self.roll_targets(position) & FAR_SIDE;
        if goals.any() {
            moves::rolls(position, R::ROLL, goals, |path| {
                found.push((GOAL, game::Move::of(path)));
            });
        }
    }

    /// The empty squares beside a dwarf, if the stone can move.
    #[inline]
    fn roll_targets(&self, position: &Position) -> Mask {
        if (NEAR[position.stone as usize] & position.dwarfs).any() {
            position.dwarfs.spread() & position.empty()
        } else {
            Mask::EMPTY
        }
    }

    /// List the winning troll moves, which leave three beside the stone, if two or more are.
    fn troll_goals(
        &self,
        position: &Position,
        near: Mask,
        beside: i32,
        found: &mut Vec<(Score, Move)>,
    ) {
        let (trolls, empty) = (position.trolls, position.empty());
        let occupied = BOARD.minus(empty);
        let mut keep = |played: Move| {
            let gone = i32::from(near.has(played.origin()));
            let come = i32::from(near.has(played.destination()));
            if beside - gone + come >= TROLLS_NEEDED {
                found.push((GOAL, played));
            }
        };
        if beside >= TROLLS_NEEDED {
            moves::slides(trolls, empty, 3, R::STOPS, |path| keep(game::Move::of(path)));
        } else {
            for square in (near & empty & R::STOPS).squares() {
                moves::slides_to(&SHORT_RAYS, square, trolls.minus(near), occupied, |path| {
                    keep(game::Move::of(path));
                });
            }
        }
        if R::KOOM {
            moves::tramples(position.dwarfs, trolls, empty, keep);
        }
    }

    /// List the moves for quiescence: the winning moves, then the captures, best first.
    fn list_captures(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        let from = found.len();
        self.goals(position, found);
        if !R::KOOM {
            return;
        }
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        let won = found.len();
        match position.side {
            Side::Trolls => moves::tramples(dwarfs, trolls, empty, |played| {
                if !found[from..won].iter().any(|&(_, goal)| goal == played) {
                    found.push((DWARF * played.victims().count(), played));
                }
            }),
            // No move both traps a troll and brings the rock home.
            Side::Dwarfs => {
                let occupied = BOARD.minus(empty);
                for square in (facing(trolls, dwarfs) & empty).squares() {
                    let taken = trapped(dwarfs, trolls, square).count();
                    moves::slides_to(&RAYS, square, dwarfs, occupied, |path| {
                        found.push((TROLL * taken, game::Move::of(path)));
                    });
                }
            }
        }
        // Who takes the last piece wins, unless they cannot reach their goal any more.
        let (worth, left) = match position.side {
            Side::Dwarfs => (TROLL, trolls.count()),
            Side::Trolls if trolls.count() < TROLLS_NEEDED => (0, 0),
            Side::Trolls => (DWARF, dwarfs.count()),
        };
        let last = found[won..].iter_mut().filter(|(gain, _)| *gain > 0 && *gain == worth * left);
        last.for_each(|(gain, _)| *gain = GOAL);
        found[won..].sort_unstable_by(|one, other| other.cmp(one));
    }
}

impl<R: Rules> Game for Valley<R> {
    type Move = Move;

    /// Few moves, chosen by a quick look, to search deeper: goals call for depth.
    const OPTIONS: Options = Options {
        caps: [[0, 10, 16, 24, 40], [0, 12, 20, 30, 40]],
        root_caps: [[1000, 300, 200, 150, 120], [1000, 100, 100, 80, 60]],
        delta_margin: if R::KOOM { 150 } else { 0 },
        ..Options::SELECTIVE
    };

    fn captures(&self, position: &Position, found: &mut Vec<(Score, Move)>) {
        self.list_captures(position, found);
    }

    fn most_gained(&self, _position: &Position) -> Score {
        Score::MAX
    }

    fn quiets(&self, position: &Position, _depth: i32, found: &mut Vec<Path>) {
        choice::choose(self, position, found);
    }

    fn all_quiets(&self, position: &Position, found: &mut Vec<Path>) {
        let (dwarfs, trolls, empty) = (position.dwarfs, position.trolls, position.empty());
        let mut won = Vec::new();
        self.goals(position, &mut won);
        let is_won = |path: Path| won.iter().any(|(_, goal)| game::Move::path(*goal) == Some(path));
        let mut keep = |path: Path| {
            if !is_won(path) {
                found.push(path);
            }
        };
        match position.side {
            Side::Trolls => moves::slides(trolls, empty, 3, R::STOPS, keep),
            Side::Dwarfs => {
                let targets = self.roll_targets(position);
                if targets.any() {
                    moves::rolls(position, R::ROLL, targets, &mut keep);
                }
                let traps = if R::KOOM { facing(trolls, dwarfs) } else { Mask::EMPTY };
                moves::slides(dwarfs, empty, 15, BOARD.minus(traps), keep);
            }
        }
    }

    fn evasions(&self, _position: &Position, _found: &mut Vec<Path>) {}

    #[inline]
    fn make(&self, position: &Position, played: Move) -> Position {
        let (origin, destination) = (played.origin(), played.destination());
        let path = Mask::of(origin) ^ Mask::of(destination);
        let mut child = Position { side: position.side.other(), ..*position };
        if position.side == Side::Trolls {
            child.trolls ^= path;
            if R::KOOM {
                child.dwarfs = child.dwarfs.minus(played.victims());
            }
        } else if origin == position.stone {
            child.stone = destination;
        } else {
            child.dwarfs ^= path;
            if R::KOOM {
                let traps = trapped(position.dwarfs, position.trolls, destination);
                child.trolls = child.trolls.minus(traps);
            }
        }
        child
    }

    fn evaluate(&self, position: &Position) -> Score {
        let score = self.0.evaluate(position);
        if position.side == Side::Trolls { -score } else { score }
    }

    #[inline]
    fn decided(&self, position: &Position) -> Option<Score> {
        if FAR_SIDE.has(position.stone) {
            return Some(if position.side == Side::Dwarfs { GOAL } else { -GOAL });
        }
        let beside = NEAR[position.stone as usize] & position.trolls;
        if position.side == Side::Dwarfs && beside.any() && beside.count() >= TROLLS_NEEDED {
            return Some(-GOAL);
        }
        if !position.dwarfs.any() && position.trolls.count() < TROLLS_NEEDED {
            return Some(self.drawn(position));
        }
        if position.pieces(position.side).any() { None } else { Some(self.stuck(position)) }
    }

    fn stuck(&self, position: &Position) -> Score {
        let lost = match position.side {
            Side::Dwarfs => position.trolls.count() >= TROLLS_NEEDED,
            Side::Trolls => position.dwarfs.any(),
        };
        if lost { -GOAL } else { self.drawn(position) }
    }

    fn repeated(&self, position: &Position) -> Option<Score> {
        Some(self.drawn(position))
    }

    fn after_null(&self, position: &Position) -> Option<Position> {
        let beside = NEAR[position.stone as usize] & position.trolls;
        let held = position.side == Side::Trolls && beside.count() >= TROLLS_NEEDED;
        (!held).then(|| Position { side: position.side.other(), ..*position })
    }

    fn in_check(&self, position: &Position) -> bool {
        let mut found = Vec::new();
        match position.side {
            // The threats are those of the other side.
            Side::Dwarfs => {
                let near = NEAR[position.stone as usize];
                let beside = (near & position.trolls).count();
                if beside == TROLLS_NEEDED - 1 {
                    self.troll_goals(position, near, beside, &mut found);
                }
            }
            Side::Trolls => self.dwarf_goals(position, &mut found),
        }
        !found.is_empty()
    }

    fn shown(&self, _position: &Position, score: Score) -> Score {
        score
    }

    fn final_margin(&self, _position: &Position) -> Option<Score> {
        None
    }
}
