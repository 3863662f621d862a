//! Iterative deepening over the root moves, for one or several lines ("MultiPV").

use std::collections::HashSet;

use crate::game::{GOAL, Game, INFINITE, LIMIT, Move, Score};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side};
use crate::search::{Host, Limits, Run, Search, Stopped, Window};

/// The most moves in a line that is reported.
const LONGEST_LINE: usize = 12;
/// Half the width of an aspiration window.
const ASPIRATION: Score = 50;
/// The deepest round, without a limit and with any.
const USUALLY_DEEPEST: i32 = 40;
const DEEPEST: i32 = 60;
/// The least depth of a reliable result.
const RELIABLE: i32 = 3;
/// The most that a margin may differ from the exact one because scores are whole numbers.
const ROUNDED: u32 = 5;
/// The share of a limit, in tenths, after which no further round begins: it could not be finished.
const LATE: u128 = 6;

/// A move of the rules: origin, destination and captured pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    pub origin: Square,
    pub destination: Square,
    pub captures: Mask,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The depth searched, in plies.
    pub depth: i32,
    /// The expected margin in hundredths of a point, or a goal's score.
    pub score: Score,
    /// Nodes and microseconds since the search began.
    pub nodes: u64,
    pub microseconds: u64,
    /// Rank among several lines, from 1.
    pub rank: usize,
    /// The expected moves.
    pub line: Vec<Effect>,
}

/// A search's result.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub thought: Thought,
    /// The present position's value on the scale of the score.
    pub standing: Score,
    /// Whether the search was deep enough to rely on.
    pub reliable: bool,
}

/// A question about a position.
pub struct Question<'q> {
    pub root: &'q Position,
    pub limits: Limits,
    /// Moves that are left out.
    pub without: &'q HashSet<Effect>,
    /// How many lines to report.
    pub lines: usize,
    /// Whether the host shuffles equally good moves.
    pub shuffled: bool,
}

/// Search by iterative deepening until a limit; none if no move is left to search.
///
/// With one line, each better move is reported, and each round.  With several, all are reported at
/// the end of each round, in order.
pub fn search<G: Game>(
    search: &mut Search<G>,
    question: &Question,
    host: &mut dyn Host,
) -> Option<Found> {
    let Question { root, without, .. } = *question;
    let mut moves = root_moves(search, root, question.shuffled, host);
    if !without.is_empty() {
        moves.retain(|&played| !without.contains(&effect(&search.game, root, played)));
    }
    let first = *moves.first()?;
    let standing = search.game.shown(root, search.game.evaluate(root));
    let ranking = moves.iter().map(|&played| (0, played)).collect::<Vec<_>>();
    let lines = question.lines.clamp(1, moves.len());
    let mut deepening = Deepening {
        run: Run::new(search, host, question.limits),
        root,
        best: vec![Best { score: 0, played: first, depth: 0 }; lines],
        rankings: vec![ranking; lines],
        reported: None,
    };
    // A limit that is reached ends the search; what was found until then counts.
    let _ = deepening.deepen();
    let thought = match deepening.reported.take() {
        Some(thought) if lines > 1 => thought,
        _ => deepening.thought(0),
    };
    Some(Found { reliable: thought.depth >= RELIABLE, standing, thought })
}

/// The best move of a line, with its score and depth.
#[derive(Clone, Copy)]
struct Best<M> {
    score: Score,
    played: M,
    depth: i32,
}

struct Deepening<'s, 'q, G: Game> {
    run: Run<'s, G>,
    root: &'q Position,
    /// For each line, its best move, and the order in which the next round tries the moves.
    best: Vec<Best<G::Move>>,
    rankings: Vec<Vec<(Score, G::Move)>>,
    /// The best line of the last complete round, where there are several.
    reported: Option<Thought>,
}

impl<G: Game> Deepening<'_, '_, G> {
    fn deepen(&mut self) -> Result<(), Stopped> {
        let lines = self.best.len();
        let guessed = self.guess();
        if lines > 1 && guessed.is_err() {
            self.report(0);
        }
        guessed?;
        for depth in 1..=self.run.limits.depth.unwrap_or(USUALLY_DEEPEST).min(DEEPEST) {
            if depth > 1 && self.is_late() || depth > 2 && self.rankings[0].len() == 1 {
                break;
            }
            let mut taken = Vec::new();
            for line in 0..lines {
                let done = self.search_line(line, depth, &taken);
                if lines > 1 && done.is_err() && depth == 1 {
                    self.report(0);
                }
                done?;
                taken.push(self.best[line].played);
            }
            if lines > 1 {
                self.report_lines();
            }
            if depth >= GOAL - self.best[0].score.abs() {
                break;
            }
        }
        Ok(())
    }

    /// Order the moves by their static evaluation.
    fn guess(&mut self) -> Result<(), Stopped> {
        let mut ranking = std::mem::take(&mut self.rankings[0]);
        let mut done = Ok(());
        for (score, played) in &mut ranking {
            match self.run.evaluate_move(self.root, *played) {
                Ok(found) => *score = found,
                Err(stopped) => {
                    done = Err(stopped);
                    break;
                }
            }
        }
        if done.is_ok() {
            ranking.sort_by_key(|&(score, _)| -score);
            let (score, played) = ranking[0];
            self.best.fill(Best { score, played, depth: 0 });
            self.rankings.fill(ranking);
        }
        done
    }

    fn is_late(&mut self) -> bool {
        let Limits { nodes, microseconds, .. } = self.run.limits;
        let is_late = |spent: u64, most: u64| u128::from(spent) * 10 > u128::from(most) * LATE;
        nodes.is_some_and(|most| is_late(self.run.search.nodes, most))
            || microseconds.is_some_and(|most| is_late(self.run.microseconds(), most))
    }

    /// Search a line's moves to a depth, first in a window around the last round's score.
    ///
    /// The best moves of the lines before are left out.
    fn search_line(&mut self, line: usize, depth: i32, taken: &[G::Move]) -> Result<(), Stopped> {
        let last = self.best[line].score;
        if depth < 3 || last.abs() > LIMIT {
            return self.round(line, depth, taken, -INFINITE, INFINITE).map(|_| ());
        }
        let (low, high) = (last - ASPIRATION, last + ASPIRATION);
        let score = self.round(line, depth, taken, low, high)?;
        if score <= low {
            self.round(line, depth, taken, -INFINITE, high)?;
        } else if score >= high {
            self.round(line, depth, taken, low, INFINITE)?;
        }
        Ok(())
    }

    /// Search the moves once within bounds, and reorder them; the best score.
    fn round(
        &mut self,
        line: usize,
        depth: i32,
        taken: &[G::Move],
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let options = &self.run.search.options;
        let (selective, extensions) = (options.selective, options.extensions);
        let caps = &options.root_caps[self.root.side as usize];
        let most = if selective { caps[(depth as usize).min(caps.len() - 1)] } else { usize::MAX };
        let low = alpha;
        let mut best = -INFINITE;
        // The best moves of all lines are searched first, to the full depth.
        let rivals = if self.best.len() > 1 && depth > 2 { &self.best[..] } else { &[] };
        let rivals: Vec<_> = rivals.iter().map(|best| best.played).collect();
        let mut moves = Vec::with_capacity(self.rankings[line].len());
        for first in [true, false] {
            for &(_, played) in &self.rankings[line] {
                if rivals.contains(&played) == first && !taken.contains(&played) {
                    moves.push(played);
                }
            }
        }
        moves.truncate(most);
        let mut scores = Vec::with_capacity(moves.len());
        for (place, &played) in moves.iter().enumerate() {
            let whole = !selective || rivals.contains(&played);
            let reduction = if whole { 0 } else { reduction(depth, place) };
            let extensions = if depth > 1 { extensions } else { 0 };
            let window = Window { depth: depth - 1, alpha, beta, extensions };
            let score =
                self.run.search_move(self.root, played, window, 0, place == 0, reduction)?;
            scores.push((score, played));
            if score > best {
                best = score;
                if score > low {
                    self.best[line] = Best { score, played, depth };
                    if self.best.len() == 1 {
                        self.report(0);
                    }
                }
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.rank(line, depth, &scores);
        Ok(best)
    }

    /// Order the moves for the next round: by score; from depth 3 on, only the best first.
    fn rank(&mut self, line: usize, depth: i32, scores: &[(Score, G::Move)]) {
        let ranking = &mut self.rankings[line];
        if depth > 2 {
            let best = self.best[line].played;
            ranking.sort_by_key(|&(_, played)| played != best);
            return;
        }
        // The moves were searched in this order.
        let mut searched = scores.iter().peekable();
        for (score, played) in &mut *ranking {
            if let Some(&(found, _)) = searched.next_if(|(_, searched)| searched == played) {
                *score = found;
            }
        }
        ranking.sort_by_key(|&(score, _)| -score);
    }

    /// Put the lines in order, and report them.
    fn report_lines(&mut self) {
        let mut thoughts: Vec<_> = (0..self.best.len()).map(|line| self.thought(line)).collect();
        for line in 1..thoughts.len() {
            for at in (1..=line).rev() {
                if thoughts[at].score <= thoughts[at - 1].score {
                    break;
                }
                thoughts.swap(at - 1, at);
                self.best.swap(at - 1, at);
                self.rankings.swap(at - 1, at);
            }
        }
        for (place, mut thought) in thoughts.into_iter().enumerate() {
            thought.rank = place + 1;
            self.run.host.report(&thought);
            if place == 0 {
                self.reported = Some(thought);
            }
        }
    }

    fn report(&mut self, line: usize) {
        let thought = self.thought(line);
        self.run.host.report(&thought);
        if line == 0 {
            self.reported = Some(thought);
        }
    }

    fn thought(&mut self, line: usize) -> Thought {
        let Best { score, played, depth } = self.best[line];
        let microseconds = self.run.microseconds();
        let search = &*self.run.search;
        let (moves, end) = principal_variation(search, self.root, played);
        let shown = search.game.shown(self.root, score);
        // The end of the battle is known exactly, and scores are whole numbers.
        let exact = search.game.final_margin(&end).map(|margin| match self.root.side {
            Side::Dwarfs => margin,
            Side::Trolls => -margin,
        });
        Thought {
            depth,
            score: exact.filter(|exact| exact.abs_diff(shown) <= ROUNDED).unwrap_or(shown),
            nodes: search.nodes,
            microseconds,
            rank: line + 1,
            line: moves,
        }
    }
}

/// The late-move reduction of a root move, in plies.
fn reduction(depth: i32, place: usize) -> i32 {
    match (depth, place) {
        (2, 40..) => 1,
        (..=2, _) | (_, ..8) => 0,
        (3, _) | (_, ..24) => 1,
        _ => 2,
    }
}

/// All moves: captures, then promising ones, then the rest.
fn root_moves<G: Game>(
    search: &Search<G>,
    root: &Position,
    shuffled: bool,
    host: &mut dyn Host,
) -> Vec<G::Move> {
    let (mut captures, mut quiets, mut others) = (Vec::new(), Vec::new(), Vec::new());
    search.game.captures(root, &mut captures);
    search.game.quiets(root, 9, &mut quiets);
    search.game.all_quiets(root, &mut others);
    if shuffled {
        for listed in [&mut quiets, &mut others] {
            let order = host.shuffled(listed.len());
            *listed = order.iter().filter_map(|&at| listed.get(at as usize).copied()).collect();
        }
    }
    let mut seen = HashSet::new();
    quiets.append(&mut others);
    quiets.retain(|&path| seen.insert(path));
    captures.into_iter().map(|(_, played)| played).chain(quiets.into_iter().map(Move::of)).collect()
}

/// A search's move as a move of the rules.
pub fn effect<G: Game>(game: &G, position: &Position, played: G::Move) -> Effect {
    let (origin, destination) = played.squares();
    let child = game.make(position, played);
    let other = position.side.other();
    let captures = position.pieces(other).minus(child.pieces(other));
    Effect { origin, destination, captures }
}

/// The expected moves, as far as the table holds them, and the position after them.
fn principal_variation<G: Game>(
    search: &Search<G>,
    root: &Position,
    first: G::Move,
) -> (Vec<Effect>, Position) {
    let (mut line, mut seen) = (Vec::new(), HashSet::new());
    let (mut position, mut played) = (*root, first);
    while played != G::Move::default() && line.len() < LONGEST_LINE && seen.insert(position.key()) {
        line.push(effect(&search.game, &position, played));
        position = search.game.make(&position, played);
        played = search.best_known(&position);
    }
    (line, position)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::classic::{Classic, Net};
    use crate::game::{Options, adjust_mate};
    use crate::position::Variant;
    use crate::position::tests::{VARIANTS, endgames};
    use crate::rules::tests::Stopping;
    use crate::valley::{self, Football, Valley};

    /// A check of a game's search from a position.
    pub(crate) trait Check {
        fn check<G: Game>(&mut self, game: G, position: &Position);
    }

    /// Check the searches of every variant, and of networks, from positions with few pieces.
    pub(crate) fn in_every_variant(battles: u64, check: &mut impl Check) {
        for variant in VARIANTS {
            for position in &endgames(variant, battles) {
                match variant {
                    Variant::Classic | Variant::Single => {
                        let single = variant == Variant::Single;
                        let net = Rc::new(Net::of_game(single));
                        check.check(Classic::new(position, single, &net), position);
                    }
                    Variant::Koom => {
                        let net = Rc::new(valley::Net::of_koom());
                        check.check(Valley::new(&net), position);
                    }
                    Variant::Football => check.check(Valley(Football), position),
                }
            }
        }
    }

    /// A game searched from a position with nothing left out, and what was found.
    pub(crate) fn full<G: Game>(game: G, root: &Position, depth: i32) -> (Search<G>, Thought) {
        let mut tree = Search::new(game);
        tree.turn_to(Options::FULL, &[], root);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let without = &HashSet::new();
        let question = Question { root, limits, without, lines: 1, shuffled: true };
        let found = search(&mut tree, &question, &mut Stopping(false)).unwrap();
        (tree, found.thought)
    }

    fn every_move<G: Game>(game: &G, position: &Position) -> Vec<G::Move> {
        let (mut captures, mut quiets) = (Vec::new(), Vec::new());
        game.captures(position, &mut captures);
        game.all_quiets(position, &mut quiets);
        captures
            .into_iter()
            .map(|(_, played)| played)
            .chain(quiets.into_iter().map(Move::of))
            .collect()
    }

    /// Quiescence without pruning: the best of standing pat and every capture.
    fn settled<G: Game>(game: &G, position: &Position, ply: i32) -> Score {
        if let Some(over) = game.decided(position) {
            return adjust_mate(over, ply);
        }
        let mut captures = Vec::new();
        game.captures(position, &mut captures);
        let after = captures.iter().map(|&(_, played)| game.make(position, played));
        let best = after.map(|child| -settled(game, &child, ply + 1)).max();
        best.unwrap_or(-INFINITE).max(game.evaluate(position))
    }

    /// The score of a position by plain minimax.
    pub(crate) fn minimax<G: Game>(game: &G, position: &Position, depth: i32, ply: i32) -> Score {
        if depth == 0 {
            return settled(game, position, ply);
        }
        if let Some(over) = game.decided(position) {
            return adjust_mate(over, ply);
        }
        let moves = every_move(game, position).into_iter();
        let after = moves.map(|played| game.make(position, played));
        after
            .map(|child| -minimax(game, &child, depth - 1, ply + 1))
            .max()
            .unwrap_or_else(|| adjust_mate(game.stuck(position), ply))
    }

    /// A host that keeps what is reported.
    struct Listening(Vec<Thought>);

    impl Host for Listening {
        fn now(&mut self) -> u64 {
            0
        }

        fn should_stop(&mut self) -> bool {
            false
        }

        fn report(&mut self, thought: &Thought) {
            self.0.push(thought.clone());
        }

        fn shuffled(&mut self, len: usize) -> Vec<u32> {
            (0..len as u32).rev().collect()
        }
    }

    /// Checks that lines are reported together, all of one depth, and the best first.
    struct Ordered;

    impl Check for Ordered {
        fn check<G: Game>(&mut self, game: G, position: &Position) {
            let mut tree = Search::new(game);
            tree.turn_to(G::OPTIONS, &[], position);
            let limits = Limits { depth: Some(5), nodes: Some(30_000), ..Limits::default() };
            let without = &HashSet::new();
            let question = Question { root: position, limits, without, lines: 4, shuffled: true };
            let mut host = Listening(Vec::new());
            let found = search(&mut tree, &question, &mut host).unwrap().thought;
            let told = host.0;
            for (one, other) in told.iter().zip(&told[1..]) {
                if other.rank > 1 {
                    assert_eq!((other.rank, other.depth), (one.rank + 1, one.depth));
                    assert!(other.score <= one.score, "{position:?}");
                }
            }
            assert_eq!(told.iter().rfind(|thought| thought.rank == 1).unwrap(), &found);
        }
    }

    #[test]
    fn lines_are_in_order() {
        in_every_variant(3, &mut Ordered);
    }

    /// Searches to each depth and compares with minimax.
    struct Compare;

    impl Check for Compare {
        fn check<G: Game>(&mut self, game: G, position: &Position) {
            let mut game = game;
            for depth in [1, 2] {
                let best = minimax(&game, position, depth, 0);
                let expected = game.shown(position, best);
                let (tree, thought) = full(game, position, depth);
                assert!(thought.score.abs_diff(expected) <= ROUNDED, "{position:?}");
                game = tree.game;
            }
        }
    }

    #[test]
    fn nothing_pruned_it_finds_what_trying_everything_finds() {
        in_every_variant(10, &mut Compare);
    }
}
