//! The search below the root, for all variants: node for node that of `thud.ai.search.Tree`.
//!
//! Principal variation search with quiescence.  Scores are from the view of the side to move.
//! The Python explains the steps; here they are the same, in the same order.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use crate::board::Path;
use crate::game::{Game, INFINITE, LIMIT, Move, Options, ROOM, Score, put_off};
use crate::position::{Position, Side};
use crate::table::{Entry, Table, Worths};

/// Nodes between two checks of the clock.
const POLL: u64 = 128;
/// The minimum time between two `ask` callbacks: they may wait for other threads.
const ASK_EVERY: Duration = Duration::from_millis(4);
/// The depth limit of a line, in plies.
pub const DEEPEST: usize = 60;

/// A limit was reached, or the search was stopped.
#[derive(Debug)]
pub struct Stopped;

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The node limit, if any.
    pub nodes: Option<u64>,
    /// The time limit in seconds, if any.
    pub seconds: Option<f64>,
}

/// Depth, bounds and extensions left; see `Tree.visit` and `Tree.later` in the Python.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    pub spare: i32,
}

/// Callback polled during a search: whether to stop.
pub type Ask<'a> = &'a mut dyn FnMut() -> bool;

/// The state that a search keeps: tables, move-ordering data and limits.
pub struct Tree<G: Game> {
    game: G,
    options: Options,
    nodes: u64,
    limits: Limits,
    begun: Instant,
    asked: Option<Instant>,
    root: Option<Position>,
    before: Vec<u128>,
    line: Vec<u128>,
    table: Table<G::Move>,
    worths: Worths,
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

/// One call of the search: the tree with the callback that may stop it.
struct Walk<'t, 'a, G: Game> {
    tree: &'t mut Tree<G>,
    ask: Ask<'a>,
}

impl<G: Game> Tree<G> {
    /// A tree for a game, with the earlier positions of the battle.
    pub fn new(game: G, options: Options, before: &[Position]) -> Tree<G> {
        let mut tree = Tree {
            game,
            options,
            nodes: 0,
            limits: Limits { nodes: None, seconds: None },
            begun: Instant::now(),
            asked: None,
            root: None,
            before: Vec::new(),
            line: Vec::with_capacity(DEEPEST),
            table: Table::default(),
            worths: Worths::default(),
            history: [History::new(), History::new()],
            killers: vec![[G::Move::default(); 2]; DEEPEST + 2],
            captures: Vec::with_capacity(ROOM),
            quiets: Vec::with_capacity(ROOM),
            rewarded: Vec::new(),
        };
        tree.stand_after(before);
        tree
    }

    /// Reset for another game or battle: clears everything remembered.
    pub fn turn_to(&mut self, game: G, options: Options, before: &[Position]) {
        self.game = game;
        self.options = options;
        self.stand_after(before);
    }

    fn stand_after(&mut self, before: &[Position]) {
        self.root = None;
        self.before = before.iter().map(Position::key).collect();
        self.before.sort_unstable();
        self.table.clear();
        self.worths.clear();
        self.history.iter_mut().for_each(History::clear);
        self.killers.fill([G::Move::default(); 2]);
    }

    /// Begin a search of a position: reset the node count and the clock.
    pub fn begin(&mut self, root: &Position, limits: Limits) {
        let key = root.key();
        if let Err(place) = self.before.binary_search(&key) {
            self.before.insert(place, key);
        }
        self.root = Some(*root);
        self.nodes = 0;
        self.limits = limits;
        self.begun = Instant::now();
        self.asked = None;
    }

    /// Nodes searched since `begin`.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best known move for a position; the default if there is none.
    pub fn best_known(&self, position: &Position) -> G::Move {
        self.table.get(position.key()).map_or_else(G::Move::default, |entry| entry.best)
    }

    /// The static score of a root move for the side that plays it; none if it is unplayable.
    pub fn glance(&mut self, played: G::Move, ask: Ask) -> Result<Option<Score>, Stopped> {
        let Some(root) = self.root_of(played) else { return Ok(None) };
        self.walk(ask).count()?;
        let child = self.game.make(&root, played);
        let score = self.game.decided(&child).unwrap_or_else(|| self.game.evaluate(&child));
        Ok(Some(-score))
    }

    /// The score of a root move: full window for the first, else a null window first.
    pub fn later(
        &mut self,
        played: G::Move,
        window: Window,
        first: bool,
        less: i32,
        ask: Ask,
    ) -> Result<Option<Score>, Stopped> {
        let Some(root) = self.root_of(played) else { return Ok(None) };
        self.line.clear();
        self.captures.clear();
        self.quiets.clear();
        self.walk(ask).later(&root, played, window, 0, first, less).map(Some)
    }

    /// The root position, if a move leads from it to a sound position.
    fn root_of(&self, played: G::Move) -> Option<Position> {
        self.root.filter(|root| self.game.make(root, played).is_sound())
    }

    fn walk<'t, 'a>(&'t mut self, ask: Ask<'a>) -> Walk<'t, 'a, G> {
        Walk { tree: self, ask }
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> Score {
        let game = &self.game;
        self.worths.get(position.key(), || game.evaluate(position))
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

impl<G: Game> Walk<'_, '_, G> {
    /// Count a node, and poll the limits now and then.
    #[inline(always)]
    fn count(&mut self) -> Result<(), Stopped> {
        self.tree.nodes += 1;
        if self.tree.nodes.is_multiple_of(POLL) { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let tree = &mut *self.tree;
        if tree.limits.nodes.is_some_and(|limit| tree.nodes >= limit) {
            return Err(Stopped);
        }
        let now = Instant::now();
        let spent = now.duration_since(tree.begun).as_secs_f64();
        if tree.limits.seconds.is_some_and(|limit| spent >= limit) {
            return Err(Stopped);
        }
        if tree.asked.is_none_or(|asked| now.duration_since(asked) >= ASK_EVERY) {
            tree.asked = Some(now);
            if (self.ask)() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Search a position to a depth and return its score.
    fn visit(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        may_pass: bool,
    ) -> Result<Score, Stopped> {
        let Window { depth, alpha, beta, .. } = window;
        let plies = ply as i32;
        if depth <= 0 {
            return self.settle(position, alpha, beta, plies, self.tree.options.rescues);
        }
        if let Some(over) = self.tree.game.decided(position) {
            return Ok(put_off(over, plies));
        }
        let key = position.key();
        if self.tree.options.repetitions && self.tree.is_in_path(key) {
            let game = &self.tree.game;
            return Ok(game.repeated().unwrap_or_else(|| game.evaluate(position)));
        }
        let mut first = G::Move::default();
        if let Some(entry) = self.tree.table.get(key) {
            first = entry.best;
            let exact = self.tree.options.exact_depth;
            if if exact { entry.depth == depth } else { entry.depth >= depth } {
                let (low, high) = (put_off(entry.low, plies), put_off(entry.high, plies));
                if low >= beta || low == high {
                    return Ok(low);
                }
                if high <= alpha {
                    return Ok(high);
                }
            }
        }
        if ply >= DEEPEST {
            return Ok(self.tree.evaluate(position));
        }
        if self.tree.options.passing != 0 && may_pass && depth > 1 && -LIMIT < beta && beta < LIMIT
        {
            let score = self.pass(position, window, ply)?;
            if score >= beta {
                return Ok(if score > LIMIT { beta } else { score });
            }
        }
        self.tree.line.push(key);
        let (best, found) = self.moves(position, window, ply, first)?;
        self.tree.line.pop();
        // The table serves every path to this node, so it counts plies to a goal from here.
        let worth = put_off(best, -plies);
        let low = if best > alpha { worth } else { -INFINITE };
        let high = if best < beta { worth } else { INFINITE };
        let found = if found == G::Move::default() { first } else { found };
        let limit = self.tree.options.table;
        self.tree.table.keep(key, Entry { depth, low, high, best: found }, limit);
        Ok(best)
    }

    /// Null-move search: the score if the side to move passes; -INFINITE if not worth trying.
    fn pass(&mut self, position: &Position, window: Window, ply: usize) -> Result<Score, Stopped> {
        let beta = window.beta;
        if self.tree.evaluate(position) < beta {
            return Ok(-INFINITE);
        }
        let Some(passed) = self.tree.game.passed(position) else { return Ok(-INFINITE) };
        self.count()?;
        let depth = window.depth - 1 - self.tree.options.passing;
        let window = Window { depth, alpha: -beta, beta: 1 - beta, ..window };
        Ok(-self.visit(&passed, window, ply + 1, false)?)
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
        let Window { depth, mut alpha, beta, spare } = window;
        let below = |alpha| Window { depth: depth - 1, alpha, beta, spare };
        let side = position.side;
        let (mut best, mut best_move, mut tried) = (-INFINITE, none, false);
        if first != none {
            tried = true;
            best = self.child(position, first, below(alpha), ply)?;
            best_move = first;
            if best >= beta {
                self.tree.reward(side, first, depth, ply);
                return Ok((best, first));
            }
            alpha = alpha.max(best);
        }
        let from = self.tree.captures.len();
        let tree = &mut *self.tree;
        tree.game.captures(position, &mut tree.captures);
        let to = tree.captures.len();
        for place in from..to {
            let played = self.tree.captures[place].1;
            if played == first {
                continue;
            }
            let score = self.later(position, played, below(alpha), ply, !tried, 0)?;
            tried = true;
            if score > best {
                (best, best_move) = (score, played);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.tree.captures.truncate(from);
                        return Ok((score, played));
                    }
                }
            }
        }
        self.tree.captures.truncate(from);
        let caps = &self.tree.options.caps[side as usize];
        let mut most = caps[(depth as usize).min(caps.len() - 1)];
        let free = self.tree.options.reduce_after[side as usize];
        let futility = self.tree.options.futility;
        if depth == 1 && futility != 0 && -LIMIT < alpha && alpha < LIMIT {
            let estimate = self.tree.evaluate(position);
            if estimate + futility <= alpha {
                if tried || to > from {
                    return Ok((best.max(estimate), best_move));
                }
                most = most.min(3);
            }
        }
        let from = self.tree.quiets.len();
        if most > 0 {
            self.tree.list_quiets(position, depth, ply);
        }
        for at in from..self.tree.quiets.len() {
            let place = (at - from) as i64;
            if place >= most {
                break;
            }
            let played = G::Move::of(self.tree.quiets[at]);
            if played == first {
                continue;
            }
            let mut less = 0;
            if place >= free && depth > 1 {
                less = if place >= 4 * free && depth > 3 { 2 } else { 1 };
            }
            let score = self.later(position, played, below(alpha), ply, !tried, less)?;
            tried = true;
            if score > best {
                (best, best_move) = (score, played);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.tree.reward(side, played, depth, ply);
                        self.tree.quiets.truncate(from);
                        return Ok((score, played));
                    }
                }
            }
        }
        self.tree.quiets.truncate(from);
        if !tried {
            return Ok((self.without_moves(position), none));
        }
        Ok((best, best_move))
    }

    /// The score if no move was tried: no legal move, or none worth searching.
    fn without_moves(&mut self, position: &Position) -> Score {
        let tree = &mut *self.tree;
        let from = tree.quiets.len();
        if tree.options.selective {
            tree.game.all_quiets(position, &mut tree.quiets);
        }
        let any = tree.quiets.len() > from;
        tree.quiets.truncate(from);
        if any { tree.evaluate(position) } else { tree.game.stuck(position) }
    }

    /// Search a move: full window for the first, else a null window, and again if it fails high.
    fn later(
        &mut self,
        position: &Position,
        played: G::Move,
        window: Window,
        ply: usize,
        first: bool,
        less: i32,
    ) -> Result<Score, Stopped> {
        if first {
            return self.child(position, played, window, ply);
        }
        let Window { depth, alpha, beta, .. } = window;
        let narrow = Window { beta: alpha + 1, ..window };
        let mut score =
            self.child(position, played, Window { depth: depth - less, ..narrow }, ply)?;
        if less != 0 && score > alpha {
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
        let child = self.tree.game.make(position, played);
        let Window { mut depth, alpha, beta, mut spare } = window;
        if depth <= 0 {
            if spare == 0 || !self.tree.game.pressed(&child) {
                let rescues = self.tree.options.rescues;
                return Ok(-self.settle(&child, -beta, -alpha, ply as i32 + 1, rescues)?);
            }
            depth = 1;
            spare -= 1;
        }
        let window = Window { depth, alpha: -beta, beta: -alpha, spare };
        Ok(-self.visit(&child, window, ply + 1, true)?)
    }

    /// Quiescence search: the score once no capture pays any more.
    fn settle(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: i32,
        rescues: bool,
    ) -> Result<Score, Stopped> {
        if let Some(over) = self.tree.game.decided(position) {
            return Ok(put_off(over, ply));
        }
        let mut best = self.tree.evaluate(position);
        if best >= beta {
            return Ok(best);
        }
        let options = &self.tree.options;
        let floor = if options.delta { alpha - best - options.swing } else { -INFINITE };
        let mut alpha = alpha.max(best);
        let from = self.tree.captures.len();
        let tree = &mut *self.tree;
        if tree.game.most_gained(position) > floor {
            tree.game.captures(position, &mut tree.captures);
        }
        for place in from..tree.captures.len() {
            let (gain, played) = self.tree.captures[place];
            if gain <= floor {
                break;
            }
            self.count()?;
            let child = self.tree.game.make(position, played);
            let score = -self.settle(&child, -beta, -alpha, ply + 1, rescues)?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        self.tree.captures.truncate(from);
                        return Ok(score);
                    }
                }
            }
        }
        self.tree.captures.truncate(from);
        if rescues && position.side == Side::Dwarfs {
            return self.rescue(position, alpha, beta, ply, best);
        }
        Ok(best)
    }

    /// Extend quiescence by one quiet move that rescues a hanging piece.
    fn rescue(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: i32,
        mut best: Score,
    ) -> Result<Score, Stopped> {
        let from = self.tree.quiets.len();
        let tree = &mut *self.tree;
        tree.game.rescues(position, &mut tree.quiets);
        for at in from..tree.quiets.len().min(from + 4) {
            self.count()?;
            let played = G::Move::of(self.tree.quiets[at]);
            let child = self.tree.game.make(position, played);
            let score = -self.settle(&child, -beta, -alpha, ply + 1, false)?;
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.tree.quiets.truncate(from);
        Ok(best)
    }
}
