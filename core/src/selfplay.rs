//! Battles of Classic against itself, with either capture rule: to learn from, and to compare
//! evaluations.

use std::collections::HashSet;
use std::fs;
use std::rc::Rc;
use std::time::Instant;

use crate::board::{BOARD, distance};
use crate::classic::{Classic, kinds};
use crate::deepen::{self, Effect, Question, Thought};
use crate::game::{Game, Score};
use crate::mask::{Mask, Square};
use crate::net::Net;
use crate::position::{Position, Side, Variant};
use crate::rules::for_each_move;
use crate::search::{Host, Limits, Search};

pub use crate::classic::margin;

/// The starting position.
const START: &str = "d36004100808100420024001400100004001400120021004080804100360 \
    T1c0014001c0000000000000000000000000 R800000000000000000000000000000 >d";

/// Repeatable random numbers ("splitmix64").
pub struct Chance(pub u64);

impl Chance {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as usize % limit
    }

    /// Whether something happens whose chance is so many in a hundred.
    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// A host whose clock is the thread's processor time, or wall-clock time where the system does not
/// tell it.
pub struct Standalone {
    pub chance: Chance,
    begun: Instant,
}

impl Standalone {
    pub fn new(seed: u64) -> Standalone {
        Standalone { chance: Chance(seed), begun: Instant::now() }
    }
}

impl Host for Standalone {
    fn now(&mut self) -> u64 {
        let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanoseconds = told.split(' ').next().and_then(|ns| ns.parse::<u64>().ok());
        nanoseconds.map_or_else(|| self.begun.elapsed().as_micros() as u64, |ns| ns / 1000)
    }

    fn should_stop(&mut self) -> bool {
        false
    }

    fn report(&mut self, _thought: &Thought) {}

    fn shuffled(&mut self, len: usize) -> Vec<u32> {
        let mut order: Vec<_> = (0..len as u32).collect();
        for place in (1..len).rev() {
            order.swap(place, self.chance.below(place + 1));
        }
        order
    }
}

/// A player: the networks by which it evaluates as dwarfs and as trolls.
pub struct Player {
    nets: [Rc<Net>; 2],
    search: Search<Classic>,
}

impl Player {
    /// A player named by its networks' files, for both sides or `DWARFS,TROLLS`.
    pub fn named(name: &str) -> Result<Player, String> {
        let net = |path: &str| {
            let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            Net::read(&bytes).map(Rc::new).ok_or(format!("{path} is no network"))
        };
        let (dwarfs, trolls) = name.split_once(',').unwrap_or((name, name));
        Ok(Player::new([net(dwarfs)?, net(trolls)?]))
    }

    /// The player of a game that is in the core.
    pub fn of_game(variant: Variant) -> Player {
        let net = Rc::new(Net::of_game(variant == Variant::Single));
        Player::new([Rc::clone(&net), net])
    }

    fn new(nets: [Rc<Net>; 2]) -> Player {
        let search = Search::new(Classic::new(&start(), false, &nets[0]));
        Player { nets, search }
    }

    /// The move and its score for the side to move; none if there is no move.
    pub fn think(
        &mut self,
        variant: Variant,
        positions: &[Position],
        limits: Limits,
        host: &mut Standalone,
    ) -> Option<(Effect, Score)> {
        let (root, before) = positions.split_last()?;
        let pieces = (root.dwarfs | root.trolls).count();
        let same = |at: &&Position| (at.dwarfs | at.trolls).count() == pieces;
        let quiet = before.iter().rev().take_while(same).count();
        let before = &before[before.len() - quiet..];
        let net = &self.nets[root.side as usize];
        self.search.game = Classic::new(root, variant == Variant::Single, net);
        self.search.turn_to(Classic::OPTIONS, before, root);
        let without = &HashSet::new();
        let question = Question { root, limits, without, lines: 1, shuffled: true };
        let thought = deepen::search(&mut self.search, &question, host)?.thought;
        Some((*thought.line.first()?, thought.score))
    }
}

/// The position after a move.
fn after(position: &Position, played: Effect) -> Position {
    let mut child = Position { side: position.side.other(), ..*position };
    let path = Mask::of(played.origin) | Mask::of(played.destination);
    match position.side {
        Side::Dwarfs => {
            child.dwarfs ^= path;
            child.trolls = child.trolls.minus(played.captures);
        }
        Side::Trolls => {
            child.trolls ^= path;
            child.dwarfs = child.dwarfs.minus(played.captures);
        }
    }
    child
}

/// How a battle is played.
pub struct Pace {
    pub limits: [Limits; 2],
    /// How many moves in a hundred are played at a glance.
    pub careless: usize,
    /// Turns without a capture to the end.
    pub quiet: usize,
}

/// A position of a battle with what its mover expected, in hundredths for the dwarfs.
pub struct Seen {
    pub position: Position,
    pub score: Score,
    pub captures: bool,
}

/// Play a battle from a position; the searched positions, and the final one.
pub fn battle(
    variant: Variant,
    players: [&mut Player; 2],
    start: Position,
    pace: &Pace,
    host: &mut Standalone,
) -> (Vec<Seen>, Position) {
    let [dwarfs, trolls] = players;
    let (mut positions, mut seen) = (vec![start], Vec::new());
    let mut quiet = 0;
    loop {
        let position = positions[positions.len() - 1];
        if quiet >= pace.quiet || !position.dwarfs.any() || !position.trolls.any() {
            return (seen, position);
        }
        let mut limits = pace.limits[position.side as usize];
        let careless = host.chance.percent(pace.careless);
        if careless {
            limits = Limits { nodes: Some(128), ..Limits::default() };
        }
        let player = if position.side == Side::Dwarfs { &mut *dwarfs } else { &mut *trolls };
        let Some((played, score)) = player.think(variant, &positions, limits, host) else {
            return (seen, position);
        };
        let sign = if position.side == Side::Dwarfs { 1 } else { -1 };
        let captures = played.captures.any();
        if !careless {
            seen.push(Seen { position, score: sign * score, captures });
        }
        quiet = if captures { 0 } else { quiet + 1 };
        positions.push(after(&position, played));
    }
}

/// The starting position.
fn start() -> Position {
    Position::parsed(Variant::Classic, START).unwrap_or_else(|| unreachable!("it is a position"))
}

/// A random opening: moves at random from the start, from it with a handicap, or from a board set
/// up at random.
pub fn opening(variant: Variant, chance: &mut Chance) -> Position {
    let mut position = start();
    let (turns, kind) = (chance.below(6), chance.below(20));
    let remove = |chance: &mut Chance, mask: &mut Mask, most: usize| {
        for _ in 0..chance.below(most + 1) {
            let squares: Vec<_> = mask.squares().collect();
            *mask = mask.minus(Mask::of(squares[chance.below(squares.len())]));
        }
    };
    if kind < 6 {
        let few = kind < 3;
        remove(chance, &mut position.dwarfs, if few { 4 } else { 20 });
        remove(chance, &mut position.trolls, if few { 2 } else { 6 });
    } else if kind < 9 {
        let (dwarfs, trolls) = (4 + chance.below(29), 1 + chance.below(8));
        let around = chance.percent(70);
        let squares: Vec<_> = BOARD.squares().collect();
        let centre = squares[chance.below(squares.len())];
        let reach = 3 + chance.below(6) as u8;
        let near = |at: Square| distance(at, centre) <= reach;
        let mut room = BOARD.minus(Mask::of(position.stone));
        (position.dwarfs, position.trolls) = (Mask::EMPTY, Mask::EMPTY);
        for number in 0..dwarfs + trolls {
            let wanted: Vec<_> =
                room.squares().filter(|&at| number >= dwarfs || !around || near(at)).collect();
            let wanted =
                if wanted.is_empty() { room.squares().collect::<Vec<_>>() } else { wanted };
            let at = wanted[chance.below(wanted.len())];
            room = room.minus(Mask::of(at));
            let kind = if number < dwarfs { &mut position.dwarfs } else { &mut position.trolls };
            *kind = kind.with(at);
        }
        if chance.percent(50) {
            position.side = Side::Trolls;
        }
    }
    wander(variant, position, turns, chance)
}

/// A fair opening: each move the best of a dozen random quiet ones, by a short search.
pub fn fair_opening(
    variant: Variant,
    player: &mut Player,
    turns: usize,
    host: &mut Standalone,
) -> Position {
    let mut position = start();
    let limits = Limits { depth: Some(2), ..Limits::default() };
    for _ in 0..turns {
        let pieces = (position.dwarfs | position.trolls).count();
        let mut quiet = Vec::new();
        let _ = for_each_move(variant, &position, |child| {
            if (child.dwarfs | child.trolls).count() == pieces {
                quiet.push(*child);
            }
            Ok(())
        });
        while quiet.len() > 12 {
            quiet.swap_remove(host.chance.below(quiet.len()));
        }
        let worth = |child: &Position, player: &mut Player, host: &mut Standalone| {
            player.think(variant, &[*child], limits, host).map_or(0, |(_, score)| score)
        };
        let best = quiet.into_iter().min_by_key(|child| worth(child, player, host));
        position = best.unwrap_or(position);
    }
    position
}

/// The position after random moves.
fn wander(variant: Variant, position: Position, turns: usize, chance: &mut Chance) -> Position {
    let mut position = position;
    for _ in 0..turns {
        let mut found = Vec::new();
        let _ = for_each_move(variant, &position, |child| {
            found.push(*child);
            Ok(())
        });
        if found.is_empty() || !position.dwarfs.any() || !position.trolls.any() {
            break;
        }
        position = found[chance.below(found.len())];
    }
    position
}

/// The size of a position in a file.
const RECORD: usize = 80;

impl Seen {
    /// A record of `RECORD` bytes: masks, stone, side, whether the move captured, a zero, score,
    /// result, the battle's number, the turn, and zeros.
    pub fn record(&self, result: Score, battle: u32, turn: usize) -> Vec<u8> {
        let Seen { position, score, captures } = self;
        let mut bytes = Vec::with_capacity(RECORD);
        let words = position.dwarfs.0.iter().chain(&position.trolls.0);
        words.for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend([position.stone, position.side as u8, (*captures).into(), 0]);
        bytes.extend((*score as i16).to_le_bytes());
        bytes.extend((result as i16).to_le_bytes());
        bytes.extend(battle.to_le_bytes());
        bytes.extend((turn as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }
}

/// The squares a network sees in each record of a file, as masks.
pub fn kinds_of(records: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(records.len() * 4);
    for record in records.chunks_exact(RECORD) {
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&record[8 * at..8 * at + 8]);
            u64::from_le_bytes(bytes)
        };
        let position = Position {
            dwarfs: Mask([word(0), word(1), word(2), word(3)]),
            trolls: Mask([word(4), word(5), word(6), word(7)]),
            stone: record[64],
            side: if record[65] == 0 { Side::Dwarfs } else { Side::Trolls },
        };
        for mask in kinds(position.dwarfs, position.trolls, position.empty()) {
            mask.0.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests;

    #[test]
    fn the_battle_begins_as_in_the_rules() {
        assert_eq!(start(), tests::start(Variant::Classic));
    }

    #[test]
    fn battles_are_legal_repeatable_and_end() {
        for variant in [Variant::Classic, Variant::Single] {
            let played = |seed| {
                let mut host = Standalone::new(seed);
                let [mut dwarfs, mut trolls] = [(); 2].map(|()| Player::of_game(variant));
                let begin = opening(variant, &mut host.chance);
                let limits = [Limits { nodes: Some(256), ..Limits::default() }; 2];
                let pace = Pace { limits, careless: 0, quiet: 10 };
                battle(variant, [&mut dwarfs, &mut trolls], begin, &pace, &mut host)
            };
            for seed in 0..6 {
                let (seen, end) = played(seed);
                let positions = seen.iter().map(|each| each.position);
                let positions: Vec<_> = positions.chain([end]).collect();
                for pair in positions.windows(2) {
                    assert!(tests::children(variant, &pair[0]).contains(&pair[1]));
                }
                assert_eq!(played(seed).1, end);
            }
        }
    }

    #[test]
    fn an_opening_that_is_fair_loses_nothing() {
        let (mut host, mut judge) = (Standalone::new(5), Player::of_game(Variant::Classic));
        let position = fair_opening(Variant::Classic, &mut judge, 4, &mut host);
        assert_eq!(margin(&position), 0);
        assert_ne!(position, start());
    }

    #[test]
    fn records_keep_the_position() {
        for position in tests::wanderings(Variant::Classic, 3) {
            let seen = Seen { position, score: -123, captures: true };
            let record = seen.record(-3200, 7, 40);
            assert_eq!(record.len(), RECORD);
            let masks = kinds(position.dwarfs, position.trolls, position.empty());
            let words = masks.iter().flat_map(|mask| mask.0).flat_map(u64::to_le_bytes);
            assert_eq!(kinds_of(&record), words.collect::<Vec<_>>());
        }
    }
}
