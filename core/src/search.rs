//! The search below the root, for all variants.
//!
//! Principal variation search with quiescence, a transposition table, null moves, late-move
//! reductions and futility pruning (<https://www.chessprogramming.org>).  Scores are from the view
//! of the side to move.  `deepen` calls it for each root move, a ply deeper each round.

use std::cmp::Reverse;

use crate::board::Path;
use crate::deepen::Thought;
use crate::game::{Game, INFINITE, LIMIT, Move, Options, ROOM, Score, adjust_mate};
use crate::position::{Position, Side};
use crate::table::{Entry, EvalCache, Table};

/// Nodes between two checks of the limits.
pub const POLL: u64 = 128;
/// Microseconds between two looks at the host's clock, roughly: each takes several itself.
const LOOK_EVERY: u64 = 2_000;
/// Plies of quiescence in which every capture is tried: on a crowded board there is no end of them.
const WIDE: i32 = 4;
/// The depth limit of a line, in plies.
pub const DEEPEST: usize = 60;

/// A limit was reached, or the search was stopped.
#[derive(Debug)]
pub struct Stopped;

/// What a search needs from whoever runs it.
pub trait Host {
    /// Microseconds since some fixed moment.
    fn now(&mut self) -> u64;

    /// Whether the search shall stop.
    fn should_stop(&mut self) -> bool;

    /// Take a thought.
    fn report(&mut self, thought: &Thought);

    /// A random order of so many things.
    fn shuffled(&mut self, len: usize) -> Vec<u32>;
}

/// Limits of a search; none is no limit.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The most microseconds.
    pub microseconds: Option<u64>,
    /// The most plies.
    pub depth: Option<i32>,
}

/// Depth, bounds and extensions left.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Plies to go before quiescence.
    pub depth: i32,
    /// Lower bound: a score not above it need not be exact.
    pub alpha: Score,
    /// Upper bound: a score not below it need not be exact.
    pub beta: Score,
    /// Extensions by a ply still allowed in this line.
    pub extensions: i32,
}

/// What quiescence may still try.
#[derive(Clone, Copy)]
struct Quiescence {
    /// Whether a quiet evasion may follow.
    evasions: bool,
    /// The plies in which every capture is tried; after them only the best one is.
    wide: i32,
}

/// What a search remembers: tables and move-ordering data.
pub struct Search<G: Game> {
    pub game: G,
    pub options: Options,
    /// Positions reached by a move since the search began.
    pub nodes: u64,
    /// The earlier positions of the battle, and the root, sorted.
    before: Vec<u128>,
    line: Vec<u128>,
    table: Table<G::Move>,
    evals: EvalCache,
    history: [History; 2],
    killers: Vec<[G::Move; 2]>,
    captures: Vec<(Score, G::Move)>,
    quiets: Vec<Path>,
    rewarded: Vec<(u32, Path)>,
}

/// The history heuristic: merits of quiet moves that caused beta cutoffs.
struct History {
    merits: Vec<u32>,
    known: Vec<Path>,
    /// A bit for each path with a merit: few of the many listed moves have one.
    bits: Box<[u64; 1 << 10]>,
}

impl History {
    fn new() -> History {
        History { merits: vec![0; 1 << 16], known: Vec::new(), bits: Box::new([0; 1 << 10]) }
    }

    fn clear(&mut self) {
        for path in self.known.drain(..) {
            self.merits[usize::from(path)] = 0;
        }
        self.bits.fill(0);
    }

    #[inline(always)]
    fn is_known(&self, path: Path) -> bool {
        self.bits[usize::from(path >> 6)] >> (path & 63) & 1 != 0
    }

    fn reward(&mut self, path: Path, merit: u32) {
        let kept = &mut self.merits[usize::from(path)];
        if *kept == 0 {
            self.known.push(path);
            self.bits[usize::from(path >> 6)] |= 1 << (path & 63);
        }
        *kept = kept.saturating_add(merit);
    }
}

impl<G: Game> Search<G> {
    /// An empty search.
    pub fn new(game: G) -> Search<G> {
        Search {
            game,
            options: G::OPTIONS,
            nodes: 0,
            before: Vec::new(),
            line: Vec::with_capacity(DEEPEST),
            table: Table::default(),
            evals: EvalCache::default(),
            history: [History::new(), History::new()],
            killers: vec![[G::Move::default(); 2]; DEEPEST + 2],
            captures: Vec::with_capacity(ROOM),
            quiets: Vec::with_capacity(ROOM),
            rewarded: Vec::new(),
        }
    }

    /// Turn to a position of a battle, and forget everything: no search depends on earlier ones.
    pub fn turn_to(&mut self, options: Options, before: &[Position], root: &Position) {
        self.options = options;
        self.nodes = 0;
        self.before = before.iter().chain([root]).map(Position::key).collect();
        self.before.sort_unstable();
        self.line.clear();
        self.captures.clear();
        self.quiets.clear();
        self.table.clear();
        self.evals.clear();
        self.history.iter_mut().for_each(History::clear);
        self.killers.fill([G::Move::default(); 2]);
    }

    /// The best known move for a position, the default if there is none.
    pub fn best_known(&self, position: &Position) -> G::Move {
        self.table.get(position.key()).map_or_else(G::Move::default, |entry| entry.best)
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        let game = &self.game;
        self.evals.get(position.key(), || game.evaluate(position))
    }

    /// Record a move that caused a beta cutoff, in history (if a path) and killers.
    fn reward(&mut self, side: Side, played: G::Move, depth: i32, ply: usize) {
        if let Some(path) = played.path() {
            let depth = depth.unsigned_abs();
            self.history[side as usize].reward(path, depth.saturating_mul(depth));
        }
        let killers = &mut self.killers[ply];
        if killers[0] != played {
            *killers = [played, killers[0]];
        }
    }

    /// List the quiet moves in the order in which to try them.
    fn list_quiets(&mut self, position: &Position, depth: i32, ply: usize) {
        let from = self.quiets.len();
        if self.options.selective {
            self.game.quiets(position, depth, &mut self.quiets);
        } else {
            self.game.all_quiets(position, &mut self.quiets);
        }
        // Moves with merits go to the front, best first; the others keep their order.
        let listed = &mut self.quiets[from..];
        let history = &self.history[position.side as usize];
        self.rewarded.clear();
        let mut free = listed.len();
        for place in (0..listed.len()).rev() {
            let path = listed[place];
            if history.is_known(path) {
                self.rewarded.push((history.merits[usize::from(path)], path));
            } else {
                free -= 1;
                listed[free] = path;
            }
        }
        self.rewarded.reverse();
        self.rewarded.sort_by_key(|&(merit, _)| Reverse(merit));
        for (place, &(_, path)) in listed.iter_mut().zip(&self.rewarded) {
            *place = path;
        }
        let [first, second] = self.killers[ply];
        for killer in [second, first].into_iter().filter_map(G::Move::path) {
            if let Some(place) = listed.iter().position(|&path| path == killer) {
                listed[..=place].rotate_right(1);
            }
        }
    }

    fn is_in_path(&self, key: u128) -> bool {
        self.line.contains(&key) || self.before.binary_search(&key).is_ok()
    }
}

/// A search with its limits, under way.
pub struct Run<'s, G: Game> {
    pub search: &'s mut Search<G>,
    pub host: &'s mut dyn Host,
    pub limits: Limits,
    begun: u64,
    /// When the host's clock was last looked at.
    looked: u64,
    /// Polls between two looks at the clock, and those left until the next.
    stride: u32,
    wait: u32,
}

impl<'s, G: Game> Run<'s, G> {
    /// Begin a search: start the clock.
    pub fn new(search: &'s mut Search<G>, host: &'s mut dyn Host, limits: Limits) -> Run<'s, G> {
        let begun = host.now();
        Run { search, host, limits, begun, looked: begun, stride: 1, wait: 0 }
    }

    /// Microseconds since the search began.
    pub fn microseconds(&mut self) -> u64 {
        self.host.now().saturating_sub(self.begun)
    }

    /// The static evaluation after a root move, for the side that plays it.
    pub fn evaluate_move(&mut self, root: &Position, played: G::Move) -> Result<Score, Stopped> {
        self.count()?;
        let child = self.search.game.make(root, played);
        let game = &self.search.game;
        Ok(-game.decided(&child).unwrap_or_else(|| game.evaluate(&child)))
    }

    /// Count a node, and poll the limits now and then.
    #[inline(always)]
    fn count(&mut self) -> Result<(), Stopped> {
        self.search.nodes += 1;
        if self.search.nodes.is_multiple_of(POLL) { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|most| self.search.nodes >= most) {
            return Err(Stopped);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(());
        }
        let now = self.host.now();
        if self.limits.microseconds.is_some_and(|most| now.saturating_sub(self.begun) >= most)
            || self.host.should_stop()
        {
            return Err(Stopped);
        }
        let since = now.saturating_sub(self.looked);
        self.looked = now;
        if since < LOOK_EVERY / 2 {
            self.stride = (self.stride * 2).min(1 << 16);
        } else if since > LOOK_EVERY {
            self.stride = (self.stride / 2).max(1);
        }
        self.wait = self.stride - 1;
        Ok(())
    }

    /// Search a position to a depth and return its score.
    fn negamax(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        may_null: bool,
    ) -> Result<Score, Stopped> {
        let Window { depth, alpha, beta, .. } = window;
        let plies = ply as i32;
        if depth <= 0 {
            return self.quiescence(position, alpha, beta, plies, self.quiescent());
        }
        if let Some(over) = self.search.game.decided(position) {
            return Ok(adjust_mate(over, plies));
        }
        let key = position.key();
        if self.search.options.repetitions && self.search.is_in_path(key) {
            let game = &self.search.game;
            return Ok(game.repeated(position).unwrap_or_else(|| game.evaluate(position)));
        }
        let mut first = G::Move::default();
        if let Some(entry) = self.search.table.get(key) {
            first = entry.best;
            let exact = self.search.options.exact_depth;
            if if exact { entry.depth == depth } else { entry.depth >= depth } {
                let (low, high) = (adjust_mate(entry.low, plies), adjust_mate(entry.high, plies));
                if low >= beta || low == high {
                    return Ok(low);
                }
                if high <= alpha {
                    return Ok(high);
                }
            }
        }
        if ply >= DEEPEST {
            return Ok(self.search.evaluate(position));
        }
        if self.search.options.null_reduction != 0
            && may_null
            && depth > 1
            && -LIMIT < beta
            && beta < LIMIT
        {
            let score = self.null_move(position, window, ply)?;
            if score >= beta {
                return Ok(if score > LIMIT { beta } else { score });
            }
        }
        self.search.line.push(key);
        let (best, found) = self.moves(position, window, ply, first)?;
        self.search.line.pop();
        // The table serves every path to this node, so it counts plies to a goal from here.
        let worth = adjust_mate(best, -plies);
        let low = if best > alpha { worth } else { -INFINITE };
        let high = if best < beta { worth } else { INFINITE };
        let found = if found == G::Move::default() { first } else { found };
        let limit = self.search.options.table;
        self.search.table.keep(key, Entry { depth, low, high, best: found }, limit);
        Ok(best)
    }

    /// Null-move search: the score if the side to move passes; -INFINITE if not worth trying.
    fn null_move(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let beta = window.beta;
        if self.search.evaluate(position) < beta {
            return Ok(-INFINITE);
        }
        let Some(passed) = self.search.game.after_null(position) else { return Ok(-INFINITE) };
        self.count()?;
        let depth = window.depth - 1 - self.search.options.null_reduction;
        let window = Window { depth, alpha: -beta, beta: 1 - beta, ..window };
        Ok(-self.negamax(&passed, window, ply + 1, false)?)
    }

    /// Search the moves in stages; the best score with its move, or no move if none was tried.
    fn moves(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        first: G::Move,
    ) -> Result<(Score, G::Move), Stopped> {
        let none = G::Move::default();
        let Window { depth, mut alpha, beta, extensions } = window;
        let below = |alpha| Window { depth: depth - 1, alpha, beta, extensions };
        let side = position.side;
        let (mut best, mut best_move, mut tried) = (-INFINITE, none, false);
        if first != none {
            tried = true;
            best = self.child(position, first, below(alpha), ply)?;
            best_move = first;
            if best >= beta {
                self.search.reward(side, first, depth, ply);
                return Ok((best, first));
            }
            alpha = alpha.max(best);
        }
        let from = self.search.captures.len();
        let search = &mut *self.search;
        search.game.captures(position, &mut search.captures);
        let to = search.captures.len();
        for place in from..to {
            let played = self.search.captures[place].1;
            if played == first {
                continue;
            }
            let score = self.search_move(position, played, below(alpha), ply, !tried, 0)?;
            tried = true;
            if score > best {
                (best, best_move) = (score, played);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.search.captures.truncate(from);
                        return Ok((score, played));
                    }
                }
            }
        }
        self.search.captures.truncate(from);
        let caps = &self.search.options.caps[side as usize];
        let mut most = caps[(depth as usize).min(caps.len() - 1)];
        let free = self.search.options.reduce_after[side as usize];
        let futility = self.search.options.futility;
        if depth == 1 && futility != 0 && -LIMIT < alpha && alpha < LIMIT {
            let estimate = self.search.evaluate(position);
            if estimate + futility <= alpha {
                if tried || to > from {
                    return Ok((best.max(estimate), best_move));
                }
                most = most.min(3);
            }
        }
        let from = self.search.quiets.len();
        if most > 0 {
            self.search.list_quiets(position, depth, ply);
        }
        for at in from..self.search.quiets.len() {
            let place = at - from;
            if place >= most {
                break;
            }
            let played = G::Move::of(self.search.quiets[at]);
            if played == first {
                continue;
            }
            let mut reduction = 0;
            if place >= free && depth > 1 {
                reduction = if place >= 4 * free && depth > 3 { 2 } else { 1 };
            }
            let score = self.search_move(position, played, below(alpha), ply, !tried, reduction)?;
            tried = true;
            if score > best {
                (best, best_move) = (score, played);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.search.reward(side, played, depth, ply);
                        self.search.quiets.truncate(from);
                        return Ok((score, played));
                    }
                }
            }
        }
        self.search.quiets.truncate(from);
        if !tried {
            return Ok((self.without_moves(position, ply), none));
        }
        Ok((best, best_move))
    }

    /// The score if no move was tried: no legal move, or none worth searching.
    fn without_moves(&mut self, position: &Position, ply: usize) -> Score {
        let search = &mut *self.search;
        let from = search.quiets.len();
        if search.options.selective {
            search.game.all_quiets(position, &mut search.quiets);
        }
        let any = search.quiets.len() > from;
        search.quiets.truncate(from);
        if any {
            search.evaluate(position)
        } else {
            adjust_mate(search.game.stuck(position), ply as i32)
        }
    }

    /// Search a move: full window for the first, else a null window, and again if it fails high.
    pub fn search_move(
        &mut self,
        position: &Position,
        played: G::Move,
        window: Window,
        ply: usize,
        first: bool,
        reduction: i32,
    ) -> Result<Score, Stopped> {
        if first {
            return self.child(position, played, window, ply);
        }
        let Window { depth, alpha, beta, .. } = window;
        let narrow = Window { beta: alpha + 1, ..window };
        let mut score =
            self.child(position, played, Window { depth: depth - reduction, ..narrow }, ply)?;
        if reduction != 0 && score > alpha {
            score = self.child(position, played, narrow, ply)?;
        }
        if alpha < score && score < beta {
            score = self.child(position, played, window, ply)?;
        }
        Ok(score)
    }

    fn child(
        &mut self,
        position: &Position,
        played: G::Move,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.count()?;
        let child = self.search.game.make(position, played);
        let Window { mut depth, alpha, beta, mut extensions } = window;
        if depth <= 0 {
            if extensions == 0 || !self.search.game.in_check(&child) {
                let next = self.quiescent();
                return Ok(-self.quiescence(&child, -beta, -alpha, ply as i32 + 1, next)?);
            }
            depth = 1;
            extensions -= 1;
        }
        let window = Window { depth, alpha: -beta, beta: -alpha, extensions };
        Ok(-self.negamax(&child, window, ply + 1, true)?)
    }

    /// What quiescence may try at its first ply.
    fn quiescent(&self) -> Quiescence {
        Quiescence { evasions: self.search.options.evasions, wide: WIDE }
    }

    /// Quiescence search: the score once no capture pays any more.
    fn quiescence(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: i32,
        Quiescence { evasions, wide }: Quiescence,
    ) -> Result<Score, Stopped> {
        if let Some(over) = self.search.game.decided(position) {
            return Ok(adjust_mate(over, ply));
        }
        let mut best = self.search.evaluate(position);
        if best >= beta {
            return Ok(best);
        }
        let options = &self.search.options;
        let floor = if options.delta { alpha - best - options.delta_margin } else { -INFINITE };
        let mut alpha = alpha.max(best);
        let from = self.search.captures.len();
        let search = &mut *self.search;
        if search.game.most_gained(position) > floor {
            search.game.captures(position, &mut search.captures);
        }
        let next = Quiescence { evasions, wide: wide - 1 };
        let all = search.captures.len();
        for place in from..if wide > 0 { all } else { all.min(from + 1) } {
            let (gain, played) = self.search.captures[place];
            if gain <= floor {
                break;
            }
            self.count()?;
            let child = self.search.game.make(position, played);
            let score = -self.quiescence(&child, -beta, -alpha, ply + 1, next)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.search.captures.truncate(from);
                        return Ok(score);
                    }
                }
            }
        }
        self.search.captures.truncate(from);
        if evasions && position.side == Side::Dwarfs {
            let next = Quiescence { evasions: false, ..next };
            return self.evade(position, alpha, beta, ply, next, best);
        }
        Ok(best)
    }

    /// Extend quiescence by one quiet move that evasions a hanging piece.
    fn evade(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: i32,
        next: Quiescence,
        mut best: Score,
    ) -> Result<Score, Stopped> {
        let from = self.search.quiets.len();
        let search = &mut *self.search;
        search.game.evasions(position, &mut search.quiets);
        for at in from..search.quiets.len().min(from + 4) {
            self.count()?;
            let played = G::Move::of(self.search.quiets[at]);
            let child = self.search.game.make(position, played);
            let score = -self.quiescence(&child, -beta, -alpha, ply + 1, next)?;
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.search.quiets.truncate(from);
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deepen::tests::{Check, full, in_every_variant, minimax};

    /// Compares the bounds kept for each position after the root with its score.
    struct Bounds {
        kept: usize,
    }

    impl Check for Bounds {
        fn check<G: Game>(&mut self, game: G, position: &Position) {
            let (tree, _) = full(game, position, 3);
            let (mut captures, mut paths) = (Vec::new(), Vec::new());
            tree.game.captures(position, &mut captures);
            tree.game.all_quiets(position, &mut paths);
            let quiets = paths.into_iter().map(G::Move::of).step_by(9);
            for played in captures.into_iter().map(|(_, played)| played).chain(quiets) {
                let child = tree.game.make(position, played);
                let Some(entry) = tree.table.get(child.key()) else { continue };
                let score = minimax(&tree.game, &child, entry.depth, 0);
                assert!((entry.low..=entry.high).contains(&score), "{child:?}");
                self.kept += 1;
            }
        }
    }

    #[test]
    fn the_bounds_in_the_table_contain_the_score() {
        let mut bounds = Bounds { kept: 0 };
        in_every_variant(3, &mut bounds);
        assert!(bounds.kept > 100, "{}", bounds.kept);
    }
}
