//! A search tree for any game, built from the numbers that the caller passes.

use crate::classic::{self, Classic};
use crate::game::{Move, Options, Score};
use crate::mask::Mask;
use crate::position::{Position, Variant};
use crate::search::{Ask, Limits, Stopped, Tree, Window};
use crate::valley::{self, Valley};

/// The limit on weights, so that no sum of them overflows.
const HEAVIEST: Score = 20_000;

/// The limit on areas, so that no sum of them overflows; the Python has a few.
const MOST_AREAS: usize = 64;

/// A game from one side's view, in numbers.
pub struct Settings<'a> {
    /// The variant.
    pub variant: Variant,
    /// Selectivity options of the search.
    pub options: &'a [i64],
    /// Weights of the evaluation.
    pub weights: &'a [Score],
    /// The areas where the dwarfs gather.
    pub areas: &'a [[u64; 4]],
}

/// Reads values from the front of a slice.
struct Reader<'a, T>(&'a [T]);

impl<T: Copy> Reader<'_, T> {
    fn next(&mut self) -> Option<T> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn array<const N: usize>(&mut self) -> Option<[T; N]> {
        let (&first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(first)
    }

    fn many(&mut self, count: usize) -> Option<&[T]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    /// The value, if nothing is left over.
    fn end<V>(self, value: V) -> Option<V> {
        self.0.is_empty().then_some(value)
    }
}

fn options(numbers: &[i64]) -> Option<Options> {
    let mut reader = Reader(numbers);
    let [selective, delta, rescues, repetitions, exact_depth] = reader.array()?.map(|n| n != 0);
    let [passing, futility, swing] = reader.array()?;
    let [table, after_dwarfs, after_trolls] = reader.array()?;
    let caps: Option<Vec<_>> = (0..2)
        .map(|_| {
            let len = usize::try_from(reader.next()?).ok()?;
            reader.many(len).filter(|caps| !caps.is_empty()).map(<[_]>::to_vec)
        })
        .collect();
    let small = |number: i64| Score::try_from(number).ok().filter(|n| n.unsigned_abs() <= 1 << 20);
    let options = Options {
        selective,
        reduce_after: [after_dwarfs, after_trolls].map(|n| n.clamp(-(1 << 40), 1 << 40)),
        caps: caps?.try_into().ok()?,
        passing: small(passing)?,
        delta,
        rescues,
        repetitions,
        futility: small(futility)?,
        exact_depth,
        table,
        swing: small(swing)?,
    };
    reader.end(options)
}

fn classic(settings: &Settings) -> Option<Classic> {
    if settings.areas.len() > MOST_AREAS {
        return None;
    }
    let mut reader = Reader(settings.weights);
    let [enough, passing] = reader.array()?;
    let [dwarf, troll, pair, line, hanging, isolated, crowded] = reader.array()?;
    let [packed, inroad, guarded, gathering, skirmisher, exposed, gap] = reader.array()?;
    let weights = classic::Weights {
        dwarf,
        troll,
        pair,
        line,
        hanging,
        isolated,
        crowded,
        packed,
        inroad,
        guarded,
        gathering,
        skirmisher,
        exposed,
        gap,
    };
    reader.end(Classic {
        single: settings.variant == Variant::Single,
        weights,
        enough: usize::try_from(enough).ok()?,
        passing: passing != 0,
        area: settings.areas.iter().copied().map(Mask).collect(),
    })
}

fn valley<const KOOM: bool>(settings: &Settings) -> Option<Valley<KOOM>> {
    let mut reader = Reader(settings.weights);
    let [dwarf, troll, even, helpless, safe, hanging] = reader.array()?;
    let [upfield, passes, shot, lane, trappable] = reader.array()?;
    let (advanced, rolling, escorted) = (reader.array()?, reader.array()?, reader.array()?);
    let threats = [reader.array()?, reader.array()?, reader.array()?, reader.array()?];
    let (reached, supported) = (reader.array()?, reader.array()?);
    reader.end(Valley {
        weights: valley::Weights {
            dwarf,
            troll,
            even,
            helpless,
            safe,
            hanging,
            upfield,
            passes,
            shot,
            lane,
            trappable,
            advanced,
            rolling,
            escorted,
            threats,
            reached,
            supported,
        },
    })
}

/// A search tree for any game.
pub enum AnyTree {
    /// No game yet.
    Empty,
    /// Classic, with either capture rule.
    Classic(Box<Tree<Classic>>, Variant),
    /// Koom Valley.
    Koom(Box<Tree<Valley<true>>>),
    /// Football.
    Football(Box<Tree<Valley<false>>>),
}

/// Apply an expression to the tree of any game; none if there is no game yet.
macro_rules! any {
    ($tree:expr, $bound:ident => $act:expr) => {
        match $tree {
            AnyTree::Empty => None,
            AnyTree::Classic($bound, _) => $act,
            AnyTree::Koom($bound) => $act,
            AnyTree::Football($bound) => $act,
        }
    };
}

type Found = Result<Score, Stopped>;

impl AnyTree {
    /// Reset for another game or battle; false if the settings are refused.
    pub fn turn_to(&mut self, settings: &Settings, before: &[Position]) -> bool {
        self.try_turn_to(settings, before).is_some()
    }

    fn try_turn_to(&mut self, settings: &Settings, before: &[Position]) -> Option<()> {
        if settings.weights.iter().any(|weight| weight.unsigned_abs() > HEAVIEST as u32) {
            return None;
        }
        let options = options(settings.options)?;
        match settings.variant {
            Variant::Classic | Variant::Single => {
                let game = classic(settings)?;
                if let AnyTree::Classic(tree, variant) = self {
                    *variant = settings.variant;
                    tree.turn_to(game, options, before);
                } else {
                    let tree = Tree::new(game, options, before);
                    *self = AnyTree::Classic(Box::new(tree), settings.variant);
                }
            }
            Variant::Koom => match self {
                AnyTree::Koom(tree) => tree.turn_to(valley(settings)?, options, before),
                _ => {
                    let tree = Tree::new(valley(settings)?, options, before);
                    *self = AnyTree::Koom(Box::new(tree));
                }
            },
            Variant::Football => match self {
                AnyTree::Football(tree) => tree.turn_to(valley(settings)?, options, before),
                _ => {
                    let tree = Tree::new(valley(settings)?, options, before);
                    *self = AnyTree::Football(Box::new(tree));
                }
            },
        }
        Some(())
    }

    /// The variant, if a game is set.
    pub fn variant(&self) -> Option<Variant> {
        match self {
            AnyTree::Empty => None,
            AnyTree::Classic(_, variant) => Some(*variant),
            AnyTree::Koom(_) => Some(Variant::Koom),
            AnyTree::Football(_) => Some(Variant::Football),
        }
    }

    /// Begin a search of a position; false if no game is set.
    pub fn begin(&mut self, root: &Position, limits: Limits) -> bool {
        any!(self, tree => {
            tree.begin(root, limits);
            Some(())
        })
        .is_some()
    }

    /// The static score of a root move, for the side that plays it.
    pub fn glance(&mut self, played: Mask, ask: Ask) -> Option<Found> {
        any!(self, tree => tree.glance(Move::from_number(played)?, ask).transpose())
    }

    /// Search a root move and return its score.
    pub fn search(
        &mut self,
        played: Mask,
        window: Window,
        first: bool,
        less: i32,
        ask: Ask,
    ) -> Option<Found> {
        any!(self, tree => {
            tree.later(Move::from_number(played)?, window, first, less, ask).transpose()
        })
    }

    /// The best known move in a position, 0 if there is none.
    pub fn best_known(&self, position: &Position) -> Option<Mask> {
        any!(self, tree => Some(tree.best_known(position).number()))
    }

    /// Nodes searched since `begin`.
    pub fn nodes(&self) -> u64 {
        any!(self, tree => Some(tree.nodes())).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_areas_that_sums_could_overflow_are_refused() {
        let options = [1, 0, 0, 0, 0, 2, 0, 60, 100, 4, 4, 1, 9, 1, 9];
        let taken = |number| {
            let settings = Settings {
                variant: Variant::Classic,
                options: &options,
                weights: &[HEAVIEST; 16],
                areas: &vec![[u64::MAX; 4]; number],
            };
            AnyTree::Empty.turn_to(&settings, &[])
        };
        assert!(taken(0) && taken(MOST_AREAS) && !taken(MOST_AREAS + 1));
    }
}
