//! Battles of the search against itself.
//!
//! ```text
//! selfplay generate VARIANT BATTLES SEED NODES FILE PLAYER...
//! selfplay kinds VARIANT FILE TO
//! selfplay match VARIANT PAIRS SEED LIMIT FIRST SECOND
//! selfplay worth VARIANT BATTLES NODES
//! selfplay play VARIANT NODES
//! ```
//!
//! `generate` appends the positions of battles between players chosen at random to a file, and
//! `kinds` writes what a network sees of them; `tools/train_net.py` learns from both.  `match`
//! compares two players in pairs of battles from fair openings, sides swapped; the limit is a number
//! of positions a move, or milliseconds of processor time, such as `50ms`.  A player is the file of
//! a network, or `DWARFS,TROLLS` for two.  `worth` reads positions, a line each, and answers each
//! with the results of battles from it, in hundredths for the dwarfs; `play` answers with the moves
//! of one battle, as origins, destinations and captured squares, each with its score for the dwarfs.

use std::env;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write, stdin};
use std::process::ExitCode;

use thud_core::deepen::Effect;
use thud_core::position::{Position, Variant};
use thud_core::search::Limits;
use thud_core::selfplay::{
    self, Chance, Pace, Player, Seen, Standalone, battle, fair_opening, opening, result,
};

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["generate", variant, battles, seed, nodes, file, players @ ..] if !players.is_empty() => {
            generate(variant, battles, seed, nodes, file, players)
        }
        ["match", variant, pairs, seed, limit, first, second] => {
            compare(variant, pairs, seed, limit, first, second)
        }
        ["play", variant, nodes] => play(variant, nodes),
        ["worth", variant, battles, nodes] => worth(variant, battles, nodes),
        ["kinds", variant, from, to] => variant_of(variant).and_then(|variant| {
            std::fs::read(from)
                .and_then(|records| std::fs::write(to, selfplay::kinds_of(variant, &records)))
                .map_err(|error| error.to_string())
        }),
        _ => Err("generate, kinds, match, worth or play; its source says how".to_owned()),
    };
    if let Err(why) = done {
        eprintln!("selfplay: {why}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("{word:?} is no number"))
}

fn variant_of(word: &str) -> Result<Variant, String> {
    let named = Variant::named(word).filter(|&variant| variant != Variant::Football);
    named.ok_or(format!("the variant is classic, single or koom, not {word:?}"))
}

fn generate(
    variant: &str,
    battles: &str,
    seed: &str,
    nodes: &str,
    file: &str,
    players: &[&str],
) -> Result<(), String> {
    let (variant, seed, nodes) = (variant_of(variant)?, number(seed)?, number(nodes)?);
    let file = OpenOptions::new().create(true).append(true).open(file);
    let mut out = BufWriter::new(file.map_err(|error| error.to_string())?);
    let named =
        |_| players.iter().map(|name| Player::named(variant, name)).collect::<Result<Vec<_>, _>>();
    let mut sides = [named(0)?, named(1)?];
    let mut host = Standalone::new(seed as u64);
    for number in 0..number(battles)? {
        let position = if host.chance.below(100) < 40 {
            let turns = 1 + host.chance.below(30);
            let judge = host.chance.below(players.len());
            fair_opening(variant, &mut sides[0][judge], turns, &mut host)
        } else {
            opening(variant, &mut host.chance)
        };
        let chance = &mut host.chance;
        let mut limits =
            || Limits { nodes: Some((nodes << chance.below(3) >> 1) as u64), ..Limits::default() };
        let limits = [limits(), limits()];
        let careless = [0, 0, 3, 10][chance.below(4)];
        let [first, second] = [chance.below(players.len()), chance.below(players.len())];
        let quiet = if variant.is_classic() { 50 } else { 100 };
        let pace = Pace { limits, careless, quiet };
        let [dwarfs, trolls] = &mut sides;
        let (dwarfs, trolls) = (&mut dwarfs[first], &mut trolls[second]);
        let (seen, end) = battle(variant, [dwarfs, trolls], position, &pace, &mut host);
        let id = (seed * 1_000_000 + number) as u32;
        for (turn, each) in seen.iter().enumerate() {
            let bytes = each.record(result(variant, &end), id, turn);
            out.write_all(&bytes).map_err(|error| error.to_string())?;
        }
    }
    out.flush().map_err(|error| error.to_string())
}

fn compare(
    variant: &str,
    pairs: &str,
    seed: &str,
    limit: &str,
    first: &str,
    second: &str,
) -> Result<(), String> {
    let (variant, pairs, seed) = (variant_of(variant)?, number(pairs)?, number(seed)?);
    let limits = match limit.strip_suffix("ms") {
        Some(ms) => Limits { microseconds: Some(1000 * number(ms)? as u64), ..Limits::default() },
        None => Limits { nodes: Some(number(limit)? as u64), ..Limits::default() },
    };
    let mut judge = Player::of_game(variant);
    let mut players = [Player::named(variant, first)?, Player::named(variant, second)?];
    let mut host = Standalone::new(seed as u64);
    let mut margins = [Vec::new(), Vec::new()];
    let pace = Pace { limits: [limits; 2], careless: 0, quiet: 200 };
    for pair in 0..pairs {
        host.chance = Chance((seed * 1000 + pair) as u64);
        let position = fair_opening(variant, &mut judge, 4, &mut host);
        let [one, other] = &mut players;
        let (_, end) = battle(variant, [&mut *one, &mut *other], position, &pace, &mut host);
        margins[0].push(points(variant, &end));
        let (_, end) = battle(variant, [other, one], position, &pace, &mut host);
        margins[1].push(-points(variant, &end));
    }
    let both: Vec<_> = margins[0].iter().zip(&margins[1]).map(|(a, b)| a + b).collect();
    let won = both.iter().filter(|&&margin| margin > 0.0).count();
    let lost = both.iter().filter(|&&margin| margin < 0.0).count();
    println!(
        "{first} - {second}, {limit}: {} as dwarfs {} as trolls {}, won {won}, lost {lost} of {pairs}",
        told(&both),
        told(&margins[0]),
        told(&margins[1]),
    );
    Ok(())
}

fn worth(variant: &str, battles: &str, nodes: &str) -> Result<(), String> {
    let (battles, nodes) = (number(battles)?, number(nodes)? as u64);
    answered(variant, |variant, start, host| {
        let results = selfplay::worth(variant, start, battles, nodes, host);
        results.iter().map(ToString::to_string).collect()
    })
}

fn play(variant: &str, nodes: &str) -> Result<(), String> {
    let nodes = number(nodes)? as u64;
    answered(variant, |variant, start, host| {
        let (seen, _) = selfplay::played(variant, start, nodes, host);
        let told = |each: &Seen| {
            let Effect { origin, destination, captures } = each.played;
            let captures = captures.squares().map(|square| format!("x{square}"));
            format!("{origin}-{destination}{}={}", captures.collect::<String>(), each.score)
        };
        seen.iter().map(told).collect()
    })
}

/// Answer each position that is read with some words.
fn answered(
    variant: &str,
    mut answer: impl FnMut(Variant, Position, &mut Standalone) -> Vec<String>,
) -> Result<(), String> {
    let variant = Variant::named(variant).ok_or(format!("there is no variant {variant:?}"))?;
    let mut host = Standalone::new(0);
    for line in stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let start = Position::parsed(variant, &line).ok_or(format!("{line:?} is no position"))?;
        println!("{}", answer(variant, start, &mut host).join(" "));
    }
    Ok(())
}

/// The result for the dwarfs of a battle that ends in a position, in points or battles.
fn points(variant: Variant, end: &Position) -> f64 {
    f64::from(result(variant, end)) / 100.0
}

/// A mean with its standard error.
fn told(values: &[f64]) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    format!("{mean:+.1} ± {:.1}", (spread / count).sqrt())
}
