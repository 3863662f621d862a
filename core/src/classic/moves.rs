//! Move generation in Classic: all or only the promising dwarf moves, and the trolls' moves.
//!
//! The order matters, since it breaks ties.

use super::Move;
use super::features::{hanging_dwarfs, landings};
use crate::board::{NEAR, Path, each_axis, for_each_front, list_slides, path, slides_to};
use crate::game::{GOAL, Score};
use crate::mask::{Mask, Square};

/// List the hurls, searching backwards from the trolls.
pub fn hurls(dwarfs: Mask, trolls: Mask, empty: Mask, gain: Score, found: &mut Vec<(Score, Move)>) {
    let room = dwarfs | empty;
    each_axis!(BY => {
        let (mut line, mut aim, mut far) = (dwarfs, trolls.down(BY) & room, BY as Square);
        while aim.any() && line.any() {
            for origin in (aim & line).squares() {
                found.push((gain, Move::new(origin, origin.wrapping_add(far))));
            }
            aim = (aim & empty).down(BY);
            line = line.up(BY) & dwarfs;
            far = far.wrapping_add(BY as Square);
        }
        (line, aim, far) = (dwarfs, trolls.up(BY) & room, BY as Square);
        while aim.any() && line.any() {
            for origin in (aim & line).squares() {
                found.push((gain, Move::new(origin, origin.wrapping_sub(far))));
            }
            aim = (aim & empty).up(BY);
            line = line.down(BY) & dwarfs;
            far = far.wrapping_add(BY as Square);
        }
    });
}

/// The squares with two or more dwarfs adjacent, and those with three or more.
fn crowded(dwarfs: Mask) -> (Mask, Mask) {
    let (mut one, mut two, mut three) = (Mask::EMPTY, Mask::EMPTY, Mask::EMPTY);
    let mut add = |side: Mask| {
        three |= two & side;
        two |= one & side;
        one |= side;
    };
    each_axis!(BY => {
        add(dwarfs.up(BY));
        add(dwarfs.down(BY));
    });
    (two, three)
}

/// The empty squares where a dwarf would complete a line that can hurl at a target.
fn aiming(dwarfs: Mask, targets: Mask, empty: Mask) -> Mask {
    let mut found = Mask::EMPTY;
    each_axis!(BY => {
        let mut line = dwarfs.up(BY);
        let mut aim = (targets.down(BY) & empty).down(BY) & empty;
        while aim.any() && line.any() {
            found |= aim & line;
            aim = aim.down(BY) & empty;
            line = (line & dwarfs).up(BY);
        }
        line = dwarfs.down(BY);
        aim = (targets.up(BY) & empty).up(BY) & empty;
        while aim.any() && line.any() {
            found |= aim & line;
            aim = aim.up(BY) & empty;
            line = (line & dwarfs).down(BY);
        }
    });
    found
}

/// List the slides of hanging dwarfs to squares beside another dwarf, out of trolls' reach.
pub fn flights(dwarfs: Mask, trolls: Mask, empty: Mask, found: &mut Vec<Path>) {
    let hanging = hanging_dwarfs(dwarfs, trolls, empty);
    if hanging.any() {
        let reached = landings(trolls, empty).spread();
        let safe = empty.minus(reached) & (dwarfs ^ hanging).spread();
        slides_to(hanging, empty, 15, safe, found);
    }
}

/// List the promising slides, best first; later groups only if there are fewer than `enough`.
pub fn promising_slides(
    dwarfs: Mask,
    trolls: Mask,
    empty: Mask,
    enough: usize,
    found: &mut Vec<Path>,
) {
    let from = found.len();
    let reached = landings(trolls, empty);
    let safe = empty.minus(reached.spread());
    let hanging = hanging_dwarfs(dwarfs, trolls, empty);
    let calm = dwarfs ^ hanging;
    let (two, three) = crowded(dwarfs);
    let aims = aiming(dwarfs, trolls, empty);
    let mut lines = aims & two;
    let threats = reached & hanging.spread();
    if threats.any() {
        lines |= aiming(dwarfs, threats, empty);
    }
    let company = (safe & (three | aims)).minus(lines);
    let rest = (safe & two | three & empty | aims).minus(lines);
    if !hanging.any() {
        let further = [company, rest.minus(company)];
        return list_in_turn(dwarfs, empty, lines, further, enough, found);
    }
    if lines.any() {
        slides_to(dwarfs, empty, 15, lines, found);
    }
    slides_to(hanging, empty, 15, (safe & two).minus(lines), found);
    if found.len() - from >= enough {
        return;
    }
    slides_to(calm, empty, 15, company, found);
    slides_to(hanging, empty, 15, safe.minus(two | lines), found);
    if found.len() - from >= enough {
        return;
    }
    slides_to(calm, empty, 15, rest.minus(company), found);
    slides_to(hanging, empty, 15, rest.minus(safe), found);
}

/// List the slides to `targets`, then to each further set while there are too few.
fn list_in_turn(
    dwarfs: Mask,
    empty: Mask,
    targets: Mask,
    further: [Mask; 2],
    enough: usize,
    found: &mut Vec<Path>,
) {
    let from = found.len();
    let mut lists = further.map(|_| Vec::with_capacity(128));
    let reached = targets | further[0] | further[1];
    for_each_front(dwarfs, empty, 15, |front, far| {
        if (front & reached).any() {
            list_slides(front & targets, far, found);
            list_slides(front & further[0], far, &mut lists[0]);
            list_slides(front & further[1], far, &mut lists[1]);
        }
    });
    for list in lists {
        if found.len() - from < enough {
            found.extend(list);
        }
    }
}

/// List the steps and shoves that capture, most dwarfs first.
pub fn takes(
    dwarfs: Mask,
    trolls: Mask,
    empty: Mask,
    single: bool,
    dwarf: Score,
    found: &mut Vec<(Score, Move)>,
) {
    let from = found.len();
    let near = dwarfs.spread() & empty;
    let victims = |landing: Square| dwarfs & NEAR[landing as usize];
    for origin in (trolls & near.spread()).squares() {
        for landing in (NEAR[origin as usize] & near).squares() {
            let victims = victims(landing);
            let (count, taking) = (victims.count(), Move::new(origin, landing));
            let behind = 2 * i16::from(origin) - i16::from(landing);
            let all = !single
                || count == 1
                || Square::try_from(behind).is_ok_and(|behind| trolls.has(behind));
            if all {
                found.push((count * dwarf, taking));
            } else {
                found.extend(victims.squares().map(|victim| (dwarf, taking.taking(victim))));
            }
        }
    }
    each_axis!(BY => {
        shoves(trolls, empty, near, BY, |origin, landing| {
            found.push((victims(landing).count() * dwarf, Move::new(origin, landing)));
        });
    });
    // Taking all that are left ends the battle.
    if dwarfs.count() <= 8 {
        let all = dwarfs.count() * dwarf;
        found[from..]
            .iter_mut()
            .filter(|(gain, _)| *gain == all)
            .for_each(|(gain, _)| *gain = GOAL);
    }
    found[from..].sort_unstable_by(|one, other| other.cmp(one));
}

/// Call a function with origin and landing of each shove of two or more squares along an axis.
fn shoves(trolls: Mask, empty: Mask, near: Mask, by: u32, mut act: impl FnMut(Square, Square)) {
    let mut line = trolls & trolls.down(by);
    let mut distance = 2;
    let (mut ahead, mut back) = (line.up(2 * by) & empty, line.down(by) & empty);
    while line.any() && (ahead | back).any() {
        ahead = ahead.up(by) & empty;
        back = back.down(by) & empty;
        let far = (distance * by) as Square;
        (ahead & near).squares().for_each(|at| act(at.wrapping_sub(far), at));
        (back & near).squares().for_each(|at| act(at.wrapping_add(far), at));
        line &= trolls.down(distance * by);
        distance += 1;
        ahead &= line.up(2 * (distance - 1) * by);
        back &= line.down((distance - 1) * by);
    }
}

/// List the steps to squares with no adjacent dwarf, those nearest to the dwarfs first.
pub fn steps(dwarfs: Mask, trolls: Mask, empty: Mask, found: &mut Vec<Path>) {
    let around = dwarfs.spread();
    let free = empty.minus(around);
    let close = free & around.spread();
    for targets in [close, free.minus(close)] {
        for origin in trolls.squares() {
            for landing in (NEAR[origin as usize] & targets).squares() {
                found.push(path(origin, landing));
            }
        }
    }
}
