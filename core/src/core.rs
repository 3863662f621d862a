//! Requests in lines of text, and their answers as JSON: the only way in.
//!
//! A request is its kind, then a line for each thing that is known, in any order:
//!
//! ```text
//! search                      the best moves of a position
//! variant koom                classic, single, koom or football
//! position d1c0 T3 R77 >d     masks in hexadecimal, and the side to move
//! before d1c0 T3 R77 >T       an earlier position of the battle; oldest first, since a capture
//! nodes 20000                 limits; without one, until the host stops the search
//! microseconds 2500000
//! depth 6
//! without 33-49 50-66x51      moves to leave out: squares are 16 * row + column, from 0
//! lines 3                     how many of the best moves to report (1)
//! shuffled                    the host orders equally good moves
//! turned 3                    which of the board's symmetries a network sees, 0 to 7 (0)
//! full                        leave out nothing, for proofs
//! ```
//!
//! `perft` counts sequences of `depth` moves from a position.  `evaluate` evaluates positions for the
//! dwarfs.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt::Write;
use std::rc::Rc;

use crate::classic::{Classic, Net};
use crate::deepen::{self, Effect, Found, Question, Thought};
use crate::game::{Game, Options, Score};
use crate::mask::{Mask, Square};
use crate::position::{Position, Side, Variant};
use crate::rules::{self, Uncounted};
use crate::search::{Host, Limits, Search};
use crate::valley::{self, Football, Koom, Valley};

/// The depth limit of perft.
const DEEPEST_COUNT: i32 = 60;
/// The limit on lines.
const MOST_LINES: usize = 500;

/// All searches, with their tables and networks.
#[derive(Default)]
pub struct Core {
    classic: Lazy<Classic>,
    koom: Lazy<Valley<Koom>>,
    football: Lazy<Valley<Football>>,
    /// Without and with single capture.
    classic_nets: [OnceCell<Rc<Net>>; 2],
    koom_net: OnceCell<Rc<valley::Net>>,
}

/// A search that is made when it is needed.
type Lazy<G> = Option<Box<Search<G>>>;

/// Why a request has no answer: a sentence.
type Refused = String;

impl Core {
    /// Answer a request, as a JSON object; if it is refused, with a `"refused"` sentence.
    pub fn answer(&mut self, request: &str, host: &mut dyn Host) -> String {
        let answered = Request::parsed(request).and_then(|request| match request.kind {
            "search" => self.search(&request, host),
            "perft" => perft(&request, host),
            "evaluate" => self.evaluate(&request),
            kind => Err(format!("unknown request {kind:?}")),
        });
        answered.unwrap_or_else(|refused| format!("{{\"refused\":{}}}", quoted(&refused)))
    }

    fn search(&mut self, request: &Request, host: &mut dyn Host) -> Result<String, Refused> {
        let root = request.position()?;
        if rules::is_decided(request.variant, root) {
            return Err("the battle is over".to_owned());
        }
        let found = match request.variant {
            Variant::Classic | Variant::Single => {
                let game = self.classic_from(request, root);
                searched(&mut self.classic, game, request, root, host)
            }
            Variant::Koom => {
                let game = self.koom(request);
                searched(&mut self.koom, game, request, root, host)
            }
            Variant::Football => {
                searched(&mut self.football, Valley(Football), request, root, host)
            }
        };
        let Some(Found { thought, standing, reliable }) = found else {
            return Ok("{\"thought\":null}".to_owned());
        };
        let thought = thought_json(&thought);
        Ok(format!("{{\"thought\":{thought},\"standing\":{standing},\"reliable\":{reliable}}}"))
    }

    fn evaluate(&self, request: &Request) -> Result<String, Refused> {
        let mut told = Vec::new();
        for position in &request.positions {
            let (score, quiet) = match request.variant {
                Variant::Classic | Variant::Single => {
                    looked_at(&self.classic_from(request, position), position)
                }
                Variant::Koom => looked_at(&self.koom(request), position),
                Variant::Football => looked_at(&Valley(Football), position),
            };
            told.push(format!("{{\"score\":{score},\"quiet\":{quiet}}}"));
        }
        Ok(format!("{{\"evaluations\":[{}]}}", told.join(",")))
    }

    fn classic_from(&self, request: &Request, root: &Position) -> Classic {
        let single = request.variant == Variant::Single;
        let net = &self.classic_nets[usize::from(single)];
        let net = net.get_or_init(|| Rc::new(Net::of_game(single)));
        match request.turned {
            0 => Classic::new(root, single, net),
            symmetry => Classic::new(root, single, &Rc::new(net.turned(symmetry))),
        }
    }

    fn koom(&self, request: &Request) -> Valley<Koom> {
        let net = self.koom_net.get_or_init(|| Rc::new(valley::Net::of_koom()));
        // The far side stays where it is.
        match request.turned & 1 {
            0 => Valley::new(net),
            mirrored => Valley::new(&Rc::new(net.turned(mirrored))),
        }
    }
}

fn searched<G: Game>(
    lazy: &mut Lazy<G>,
    game: G,
    request: &Request,
    root: &Position,
    host: &mut dyn Host,
) -> Option<Found> {
    let options = if request.full {
        Options { delta_margin: G::OPTIONS.delta_margin, ..Options::FULL }
    } else {
        G::OPTIONS
    };
    let search = match lazy {
        Some(search) => {
            search.game = game;
            search
        }
        None => lazy.insert(Box::new(Search::new(game))),
    };
    search.turn_to(options, &request.before, root);
    let question = Question {
        root,
        limits: request.limits,
        without: &request.without,
        lines: request.lines,
        shuffled: request.shuffled,
    };
    deepen::search(search, &question, host)
}

/// The evaluation for the dwarfs, and whether nothing can be captured and nothing threatens.
fn looked_at<G: Game>(game: &G, position: &Position) -> (Score, bool) {
    let mut captures = Vec::new();
    game.captures(position, &mut captures);
    let score = game.evaluate(position);
    let score = if position.side == Side::Dwarfs { score } else { -score };
    (score, captures.is_empty() && !game.in_check(position))
}

fn perft(request: &Request, host: &mut dyn Host) -> Result<String, Refused> {
    let depth = request.limits.depth.unwrap_or(1);
    if !(0..=DEEPEST_COUNT).contains(&depth) {
        return Err(format!("the depth is between 0 and {DEEPEST_COUNT}"));
    }
    match rules::perft(request.variant, request.position()?, depth, host) {
        Ok(count) => Ok(format!("{{\"count\":{count}}}")),
        Err(Uncounted::Stopped) => Ok("{\"count\":null}".to_owned()),
        Err(Uncounted::TooMany) => Err("a troll has too many tramples".to_owned()),
    }
}

struct Request<'r> {
    kind: &'r str,
    variant: Variant,
    positions: Vec<Position>,
    before: Vec<Position>,
    limits: Limits,
    without: HashSet<Effect>,
    lines: usize,
    shuffled: bool,
    /// Below 8.
    turned: usize,
    full: bool,
}

impl<'r> Request<'r> {
    fn parsed(text: &'r str) -> Result<Request<'r>, Refused> {
        let (kind, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut request = Request {
            kind,
            variant: Variant::Classic,
            positions: Vec::new(),
            before: Vec::new(),
            limits: Limits::default(),
            without: HashSet::new(),
            lines: 1,
            shuffled: false,
            turned: 0,
            full: false,
        };
        let (mut positions, mut before) = (Vec::new(), Vec::new());
        for line in rest.lines() {
            let (word, value) = line.split_once(' ').unwrap_or((line, ""));
            let malformed = || format!("{line:?} is malformed");
            match word {
                "variant" => request.variant = Variant::named(value).ok_or_else(malformed)?,
                "position" => positions.push(value),
                "before" => before.push(value),
                "nodes" => request.limits.nodes = Some(value.parse().map_err(|_| malformed())?),
                "microseconds" => {
                    request.limits.microseconds = Some(value.parse().map_err(|_| malformed())?);
                }
                "depth" => request.limits.depth = Some(value.parse().map_err(|_| malformed())?),
                "without" => {
                    let moves = value.split_whitespace().map(Effect::parsed);
                    request.without = moves.collect::<Option<_>>().ok_or_else(malformed)?;
                }
                "lines" => {
                    let lines: usize = value.parse().map_err(|_| malformed())?;
                    request.lines = lines.min(MOST_LINES);
                }
                "shuffled" => request.shuffled = true,
                "turned" => {
                    let symmetry = value.parse().ok().filter(|&symmetry| symmetry < 8);
                    request.turned = symmetry.ok_or_else(malformed)?;
                }
                "full" => request.full = true,
                _ => return Err(malformed()),
            }
        }
        let parsed = |texts: Vec<&str>| {
            let position = |text| {
                Position::parsed(request.variant, text).ok_or(format!("{text:?} is no position"))
            };
            texts.into_iter().map(position).collect::<Result<Vec<_>, _>>()
        };
        (request.positions, request.before) = (parsed(positions)?, parsed(before)?);
        Ok(request)
    }

    fn position(&self) -> Result<&Position, Refused> {
        self.positions.first().ok_or("there is no position".to_owned())
    }
}

impl Effect {
    /// Parse a move such as `33-49x50x51`.
    fn parsed(text: &str) -> Option<Effect> {
        let (origin, rest) = text.split_once('-')?;
        let mut squares = rest.split('x').map(|square| square.parse::<Square>().ok());
        let destination = squares.next()??;
        let captures = squares.try_fold(Mask::EMPTY, |mask, square| Some(mask.with(square?)))?;
        Some(Effect { origin: origin.parse().ok()?, destination, captures })
    }
}

/// A thought as a JSON object.
pub fn thought_json(thought: &Thought) -> String {
    let Thought { depth, score, nodes, microseconds, rank, line } = thought;
    let mut moves = String::new();
    for Effect { origin, destination, captures } in line {
        let gap = if moves.is_empty() { "" } else { " " };
        let _ = write!(moves, "{gap}{origin}-{destination}");
        captures.squares().for_each(|square| {
            let _ = write!(moves, "x{square}");
        });
    }
    format!(
        "{{\"depth\":{depth},\"score\":{score},\"nodes\":{nodes},\
         \"microseconds\":{microseconds},\"rank\":{rank},\"line\":\"{moves}\"}}"
    )
}

/// A JSON string; control characters become spaces.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => quoted.push(' '),
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
