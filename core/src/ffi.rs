//! The C interface: validates all arguments and turns panics into errors.
//!
//! Every function returns a status; if it is not `OK`, the output parameters are untouched.
//! Arguments are structs and arrays owned by the caller, valid at least for the call.  A call
//! on a tree that is in use by another call returns `BUSY`.

#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, TryLockError};

use crate::mask::Mask;
use crate::position::{Position, Variant};
use crate::rules::{self, Uncounted};
use crate::search::{Limits, Window};
use crate::tree::{AnyTree, Settings};

/// The version of this interface: callers built for another version must not use it.
pub const INTERFACE: i32 = 2;

/// Success.
pub const OK: i32 = 0;
/// A limit was reached, or the caller stopped the call.
pub const STOPPED: i32 = 1;
/// The library does not support these arguments: the caller falls back to the Python.
pub const REFUSED: i32 = -1;
/// A bug in this library: it must not be used any more.
pub const FAILED: i32 = -2;
/// Another call is using the same tree.
pub const BUSY: i32 = -3;

/// The depth limit of perft.
const DEEPEST: u32 = 60;
/// The limit on perft threads.
const MOST_THREADS: u32 = 64;

/// A position in the caller's layout: masks as four words, lowest first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawPosition {
    dwarfs: [u64; 4],
    trolls: [u64; 4],
    stone: u32,
    /// 0 if the dwarfs are to move, 1 if the trolls.
    side: u32,
}

impl RawPosition {
    fn checked(&self, variant: Variant) -> Option<Position> {
        let RawPosition { dwarfs, trolls, stone, side } = *self;
        Position::checked(variant, Mask(dwarfs), Mask(trolls), stone, side)
    }
}

fn guarded(work: impl FnOnce() -> Option<i32>) -> i32 {
    catch_unwind(AssertUnwindSafe(work)).map_or(FAILED, |status| status.unwrap_or(REFUSED))
}

/// Return the version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn thud_interface() -> i32 {
    INTERFACE
}

/// Return the version of the library as a zero-terminated string.
#[unsafe(no_mangle)]
pub extern "C" fn thud_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Count the sequences of `depth` legal moves on several threads; stop when `stop` is not 0.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call; `stop` may be written to
/// by others meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_perft(
    variant: i32,
    position: *const RawPosition,
    depth: u32,
    threads: u32,
    stop: *const i32,
    count: *mut u64,
) -> i32 {
    let never = AtomicI32::new(0);
    // SAFETY: as above; an `AtomicI32` is laid out as an `i32`.
    let (position, stop, count) =
        unsafe { (position.as_ref(), stop.cast::<AtomicI32>().as_ref(), count.as_mut()) };
    let stop = stop.unwrap_or(&never);
    guarded(|| {
        let variant = Variant::numbered(variant)?;
        let position = position?.checked(variant)?;
        let count = count?;
        if depth > DEEPEST {
            return None;
        }
        let threads = threads.clamp(1, MOST_THREADS) as usize;
        match rules::perft(variant, &position, depth, threads, stop) {
            Ok(found) => *count = found,
            Err(Uncounted::Stopped) => return Some(STOPPED),
            Err(Uncounted::TooMany) => return None,
        }
        Some(OK)
    })
}

/// A game from one side's view, with its search options; `thud.ai.compiled` defines the order
/// of the values.
#[repr(C)]
pub struct RawGame {
    variant: i32,
    options_len: u32,
    weights_len: u32,
    areas_len: u32,
    options: *const i64,
    weights: *const i32,
    areas: *const [u64; 4],
}

/// The length limit of an array argument.
const MOST: u32 = 1 << 20;

/// The array as a slice; none if it is too long, or null but not empty.
///
/// # Safety
///
/// The pointer is null or to `len` values that live as long as the result.
unsafe fn array<'a, T>(values: *const T, len: u32) -> Option<&'a [T]> {
    if len == 0 {
        return Some(&[]);
    }
    if values.is_null() || len > MOST {
        return None;
    }
    // SAFETY: as above, and `len` is not too large.
    Some(unsafe { slice::from_raw_parts(values, len as usize) })
}

/// The window, depth and reduction for the search of a root move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawWindow {
    depth: i64,
    alpha: i64,
    beta: i64,
    spare: i64,
    less: i64,
    /// 0 for the first move of an iteration, which is searched with the full window.
    tried: i64,
}

impl RawWindow {
    fn checked(&self) -> Option<(Window, bool, i32)> {
        let within =
            |number: i64| i32::try_from(number).ok().filter(|n| n.unsigned_abs() <= 1 << 28);
        let RawWindow { depth, alpha, beta, spare, less, tried } = *self;
        let window = Window {
            depth: within(depth)?,
            alpha: within(alpha)?,
            beta: within(beta)?,
            spare: within(spare)?,
        };
        Some((window, tried == 0, within(less)?))
    }
}

/// Callback polled during a search; a result other than 0 stops it.
pub type RawAsk = Option<extern "C" fn() -> i32>;

fn asking(ask: RawAsk) -> impl FnMut() -> bool {
    move || ask.is_some_and(|ask| ask() != 0)
}

/// The trees by number; calls with an unknown or freed number are refused.
static TREES: LazyLock<Mutex<Trees>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Trees {
    by_number: HashMap<u64, Arc<Mutex<AnyTree>>>,
    last: u64,
}

fn with_trees<T>(act: impl FnOnce(&mut Trees) -> T) -> T {
    act(&mut TREES.lock().unwrap_or_else(PoisonError::into_inner))
}

fn with_tree(number: u64, act: impl FnOnce(&mut AnyTree) -> Option<i32>) -> i32 {
    guarded(|| {
        let tree = with_trees(|trees| trees.by_number.get(&number).cloned())?;
        match tree.try_lock() {
            Ok(mut tree) => act(&mut tree),
            Err(TryLockError::WouldBlock) => Some(BUSY),
            Err(TryLockError::Poisoned(_)) => Some(FAILED),
        }
    })
}

/// Create an empty search tree and write its number.
///
/// # Safety
///
/// The pointer is null or to a value that lives as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_new(number: *mut u64) -> i32 {
    // SAFETY: as above.
    let number = unsafe { number.as_mut() };
    guarded(|| {
        let number = number?;
        with_trees(|trees| {
            trees.last += 1;
            trees.by_number.insert(trees.last, Arc::new(Mutex::new(AnyTree::Empty)));
            *number = trees.last;
        });
        Some(OK)
    })
}

/// Free a tree; a call that is using it still completes.
#[unsafe(no_mangle)]
pub extern "C" fn thud_tree_free(number: u64) -> i32 {
    guarded(|| with_trees(|trees| trees.by_number.remove(&number)).map(|_| OK))
}

/// Reset a tree for another game or position; `before` has the positions of the battle so far.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call; the arrays in `game` have
/// the lengths given there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_turn_to(
    number: u64,
    game: *const RawGame,
    before: *const RawPosition,
    before_len: u32,
) -> i32 {
    // SAFETY: as above.
    let settings = unsafe {
        game.as_ref().and_then(|game| {
            Some(Settings {
                variant: Variant::numbered(game.variant)?,
                options: array(game.options, game.options_len)?,
                weights: array(game.weights, game.weights_len)?,
                areas: array(game.areas, game.areas_len)?,
            })
        })
    };
    // SAFETY: as above.
    let before = unsafe { array(before, before_len) };
    with_tree(number, |tree| {
        let settings = settings?;
        let before: Option<Vec<_>> =
            before?.iter().map(|position| position.checked(settings.variant)).collect();
        tree.turn_to(&settings, &before?).then_some(OK)
    })
}

/// Begin a search of a position.  Negative `nodes`, and negative or NaN `seconds`, mean no
/// limit.
///
/// # Safety
///
/// The pointer is null or to a value that lives as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_begin(
    number: u64,
    root: *const RawPosition,
    nodes: i64,
    seconds: f64,
) -> i32 {
    // SAFETY: as above.
    let root = unsafe { root.as_ref() };
    with_tree(number, |tree| {
        let root = root?.checked(tree.variant()?)?;
        let limits = Limits {
            nodes: u64::try_from(nodes).ok(),
            seconds: (seconds >= 0.0).then_some(seconds),
        };
        tree.begin(&root, limits).then_some(OK)
    })
}

/// Write the static score of a root move, for the side that plays it.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call; `ask` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_glance(
    number: u64,
    played: *const [u64; 4],
    ask: RawAsk,
    score: *mut i32,
    nodes: *mut u64,
) -> i32 {
    // SAFETY: as above.
    let (played, score, nodes) = unsafe { (played.as_ref(), score.as_mut(), nodes.as_mut()) };
    with_tree(number, |tree| {
        let found = tree.glance(Mask(*played?), &mut asking(ask))?;
        *nodes? = tree.nodes();
        let Ok(found) = found else { return Some(STOPPED) };
        *score? = found;
        Some(OK)
    })
}

/// Write the score of a root move: exact inside the window, else a bound.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call; `ask` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_search(
    number: u64,
    played: *const [u64; 4],
    window: *const RawWindow,
    ask: RawAsk,
    score: *mut i32,
    nodes: *mut u64,
) -> i32 {
    // SAFETY: as above.
    let (played, window) = unsafe { (played.as_ref(), window.as_ref()) };
    // SAFETY: as above.
    let (score, nodes) = unsafe { (score.as_mut(), nodes.as_mut()) };
    with_tree(number, |tree| {
        let (window, first, less) = window?.checked()?;
        let found = tree.search(Mask(*played?), window, first, less, &mut asking(ask))?;
        *nodes? = tree.nodes();
        let Ok(found) = found else { return Some(STOPPED) };
        *score? = found;
        Some(OK)
    })
}

/// Write the best known move in a position, 0 if there is none.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_tree_best_known(
    number: u64,
    position: *const RawPosition,
    played: *mut [u64; 4],
) -> i32 {
    // SAFETY: as above.
    let (position, played) = unsafe { (position.as_ref(), played.as_mut()) };
    with_tree(number, |tree| {
        let position = position?.checked(tree.variant()?)?;
        *played? = tree.best_known(&position)?.0;
        Some(OK)
    })
}
