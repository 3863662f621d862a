//! Battles of the search against itself: to learn from, and to compare networks.

use std::collections::HashSet;
use std::fs;
use std::rc::Rc;
use std::time::Instant;

use crate::board::{BOARD, FAR_SIDE, distance};
use crate::classic::{self, Classic};
use crate::deepen::{self, Effect, Question, Thought};
use crate::game::{GOAL, Game, Score};
use crate::mask::{Mask, Square};
use crate::net::{Net, View};
use crate::position::{Position, Side, Variant};
use crate::rules::{for_each_move, is_decided};
use crate::search::{Host, Limits, Search};
use crate::valley::{self, Football, Koom, Valley};

/// The starting positions of the Classic variants, and of the Valley games.
const STARTS: [&str; 2] = [
    "d36004100808100420024001400100004001400120021004080804100360 \
     T1c0014001c0000000000000000000000000 R800000000000000000000000000000 >d",
    "d3e004100808100420024001008000000000000000000000000000000000 T6b002a00000 \
     R800000000000000000000000000000 >d",
];

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

/// A player: the networks by which it evaluates as dwarfs and as trolls; Football has none.
pub enum Player {
    Classic(Box<Search<Classic>>, [Rc<classic::Net>; 2]),
    Koom(Box<Search<Valley<Koom>>>, [Rc<valley::Net>; 2]),
    Football(Box<Search<Valley<Football>>>),
}

impl Player {
    /// A player named by its networks' files, for both sides or `DWARFS,TROLLS`.
    pub fn named(variant: Variant, name: &str) -> Result<Player, String> {
        let (dwarfs, trolls) = name.split_once(',').unwrap_or((name, name));
        Ok(if variant.is_classic() {
            Player::classic([net(dwarfs, &classic::VIEW)?, net(trolls, &classic::VIEW)?])
        } else {
            Player::koom([net(dwarfs, &valley::VIEW)?, net(trolls, &valley::VIEW)?])
        })
    }

    /// The player of a game that is in the core.
    pub fn of_game(variant: Variant) -> Player {
        if variant.is_classic() {
            let net = Rc::new(classic::Net::of_game(variant == Variant::Single));
            Player::classic([Rc::clone(&net), net])
        } else if variant == Variant::Koom {
            let net = Rc::new(valley::Net::of_koom());
            Player::koom([Rc::clone(&net), net])
        } else {
            Player::Football(Box::new(Search::new(Valley(Football))))
        }
    }

    fn classic(nets: [Rc<classic::Net>; 2]) -> Player {
        let game = Classic::new(&start(Variant::Classic), false, &nets[0]);
        Player::Classic(Box::new(Search::new(game)), nets)
    }

    fn koom(nets: [Rc<valley::Net>; 2]) -> Player {
        Player::Koom(Box::new(Search::new(Valley::new(&nets[0]))), nets)
    }

    /// The move and its score for the side to move; none if there is no move.
    ///
    /// Where a goal decides, the score is in hundredths of the logarithm of the odds.
    pub fn think(
        &mut self,
        variant: Variant,
        positions: &[Position],
        limits: Limits,
        host: &mut Standalone,
    ) -> Option<(Effect, Score)> {
        let root = positions.last()?;
        match self {
            Player::Classic(search, nets) => {
                let net = &nets[root.side as usize];
                search.game = Classic::new(root, variant == Variant::Single, net);
                searched(search, positions, limits, host)
            }
            Player::Koom(search, nets) => {
                search.game = Valley::new(&nets[root.side as usize]);
                let (played, score) = searched(search, positions, limits, host)?;
                let even = if root.side == Side::Dwarfs { valley::EVEN } else { -valley::EVEN };
                Some((played, ((score - even) * 100 / valley::ODDS).clamp(-1000, 1000)))
            }
            Player::Football(search) => searched(search, positions, limits, host),
        }
    }
}

/// The network in a file.
fn net<const KINDS: usize>(path: &str, view: &View<KINDS>) -> Result<Rc<Net<KINDS>>, String> {
    let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    Net::read(&bytes, view).map(Rc::new).ok_or(format!("{path} is no network"))
}

/// The move and score of a search of the last position.
fn searched<G: Game>(
    search: &mut Search<G>,
    positions: &[Position],
    limits: Limits,
    host: &mut Standalone,
) -> Option<(Effect, Score)> {
    let (root, before) = positions.split_last()?;
    let pieces = (root.dwarfs | root.trolls).count();
    let same = |at: &&Position| (at.dwarfs | at.trolls).count() == pieces;
    let quiet = before.iter().rev().take_while(same).count();
    search.turn_to(G::OPTIONS, &before[before.len() - quiet..], root);
    let without = &HashSet::new();
    let question = Question { root, limits, without, lines: 1, shuffled: true };
    let thought = deepen::search(search, &question, host)?.thought;
    Some((*thought.line.first()?, thought.score))
}

/// The result of a battle that ends in a position, in hundredths for the dwarfs: the margin, or a
/// win, a draw or a loss.
pub fn result(variant: Variant, end: &Position) -> Score {
    if variant.is_classic() {
        return classic::margin(end);
    }
    // Both games of the valley end alike.
    let decided = Valley(Football).decided(end).unwrap_or(0);
    let sign = if end.side == Side::Dwarfs { 1 } else { -1 };
    if decided.abs() == GOAL { 100 * sign * decided.signum() } else { 0 }
}

/// The position after a move.
fn after(position: &Position, played: Effect) -> Position {
    let mut child = Position { side: position.side.other(), ..*position };
    let path = Mask::of(played.origin) | Mask::of(played.destination);
    match position.side {
        Side::Dwarfs if played.origin == position.stone => child.stone = played.destination,
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
    /// Moves without a capture to the end.
    pub quiet: usize,
}

/// A position of a battle, the move played there, and what its mover expected, in hundredths for
/// the dwarfs.
pub struct Seen {
    pub position: Position,
    pub played: Effect,
    pub score: Score,
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
        if quiet >= pace.quiet || is_decided(variant, &position) {
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
            seen.push(Seen { position, played, score: sign * score });
        }
        quiet = if captures { 0 } else { quiet + 1 };
        positions.push(after(&position, played));
    }
}

/// The starting position.
fn start(variant: Variant) -> Position {
    let text = STARTS[usize::from(!variant.is_classic())];
    Position::parsed(variant, text).unwrap_or_else(|| unreachable!("it is a position"))
}

/// The results of battles from a position, in hundredths for the dwarfs; the players of each get
/// half of a number of positions a move, all of it or twice as many.
pub fn worth(
    variant: Variant,
    start: Position,
    battles: usize,
    nodes: u64,
    host: &mut Standalone,
) -> Vec<Score> {
    let one = |_| {
        let nodes = nodes << host.chance.below(3) >> 1;
        result(variant, &played(variant, start, nodes, host).1)
    };
    (0..battles).map(one).collect()
}

/// Play a battle with so many positions a move; the searched positions, and the final one.
pub fn played(
    variant: Variant,
    start: Position,
    nodes: u64,
    host: &mut Standalone,
) -> (Vec<Seen>, Position) {
    let [mut dwarfs, mut trolls] = [(); 2].map(|()| Player::of_game(variant));
    let quiet = match variant {
        Variant::Classic | Variant::Single => 50,
        Variant::Koom => 100,
        Variant::Football => 300,
    };
    let limits = [Limits { nodes: Some(nodes), ..Limits::default() }; 2];
    let pace = Pace { limits, careless: 0, quiet };
    battle(variant, [&mut dwarfs, &mut trolls], start, &pace, host)
}

/// A random opening: moves at random from the start, from it with a handicap, or from a board set
/// up at random.
pub fn opening(variant: Variant, chance: &mut Chance) -> Position {
    let mut position = start(variant);
    let (turns, kind) = (chance.below(6), chance.below(20));
    let remove = |chance: &mut Chance, mask: &mut Mask, most: usize| {
        for _ in 0..chance.below(most + 1) {
            let squares: Vec<_> = mask.squares().collect();
            *mask = mask.minus(Mask::of(squares[chance.below(squares.len())]));
        }
    };
    if kind < 6 {
        let few = kind < 3;
        let most = if few { [4, 2] } else { [20, 6] };
        let [dwarfs, trolls] = if variant.is_classic() { most } else { [most[0] / 2, most[1] - 1] };
        remove(chance, &mut position.dwarfs, dwarfs);
        remove(chance, &mut position.trolls, trolls);
    } else if kind < 9 {
        let trolls = 1 + chance.below(8);
        let dwarfs = if variant.is_classic() {
            4 + chance.below(29)
        } else {
            let squares: Vec<_> = BOARD.minus(FAR_SIDE).squares().collect();
            position.stone = squares[chance.below(squares.len())];
            2 + chance.below(15)
        };
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
    let mut position = start(variant);
    let limits = Limits { depth: Some(2), nodes: Some(10_000), ..Limits::default() };
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
        if found.is_empty() || is_decided(variant, &position) {
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
        let Seen { position, played, score } = self;
        let captures = played.captures.any();
        let mut bytes = Vec::with_capacity(RECORD);
        let words = position.dwarfs.0.iter().chain(&position.trolls.0);
        words.for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend([position.stone, position.side as u8, captures.into(), 0]);
        bytes.extend((*score as i16).to_le_bytes());
        bytes.extend((result as i16).to_le_bytes());
        bytes.extend(battle.to_le_bytes());
        bytes.extend((turn as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }
}

/// The squares a network sees in each record of a file, as masks.
pub fn kinds_of(variant: Variant, records: &[u8]) -> Vec<u8> {
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
        let mut write =
            |mask: Mask| mask.0.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        if variant.is_classic() {
            classic::kinds(&position).into_iter().for_each(&mut write);
        } else {
            valley::kinds(&position).into_iter().for_each(&mut write);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::NEAR;
    use crate::position::tests;

    /// The variants that are played.
    const PLAYED: [Variant; 3] = [Variant::Classic, Variant::Single, Variant::Koom];

    #[test]
    fn the_battle_begins_as_in_the_rules() {
        for variant in PLAYED {
            assert_eq!(start(variant), tests::start(variant));
        }
    }

    #[test]
    fn battles_are_legal_repeatable_and_end() {
        for variant in PLAYED {
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
    fn an_opening_that_is_fair_decides_nothing() {
        for variant in PLAYED {
            let (mut host, mut judge) = (Standalone::new(5), Player::of_game(variant));
            let position = fair_opening(variant, &mut judge, 4, &mut host);
            assert_eq!(result(variant, &position), 0);
            assert_ne!(position, start(variant));
        }
    }

    #[test]
    fn a_result_is_that_of_the_rules() {
        let seen = tests::wanderings(Variant::Koom, 12);
        let over = seen.iter().filter(|end| is_decided(Variant::Koom, end));
        for end in over {
            let home = FAR_SIDE.has(end.stone);
            let expected = if home { 100 } else { -100 };
            let beside = (NEAR[end.stone as usize] & end.trolls).count();
            if home || beside > 2 {
                assert_eq!(result(Variant::Koom, end), expected);
            }
        }
    }

    #[test]
    fn records_keep_the_position() {
        for variant in [Variant::Classic, Variant::Koom] {
            for position in tests::wanderings(variant, 3) {
                let played = Effect { origin: 0, destination: 0, captures: position.dwarfs };
                let seen = Seen { position, played, score: -123 };
                let record = seen.record(-3200, 7, 40);
                assert_eq!(record.len(), RECORD);
                let masks = if variant.is_classic() {
                    classic::kinds(&position).to_vec()
                } else {
                    valley::kinds(&position).to_vec()
                };
                let words = masks.iter().flat_map(|mask| mask.0).flat_map(u64::to_le_bytes);
                assert_eq!(kinds_of(variant, &record), words.collect::<Vec<_>>());
            }
        }
    }
}
