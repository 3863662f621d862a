//! The C interface: whatever is handed over is checked here, and a panic becomes an error.
//!
//! Every function returns a status: `OK`, or one of the others below, and then what it was to
//! write is untouched.  Numbers are little structs and arrays of the caller's, which live at
//! least as long as the call.  No call may be made about one tree while another one runs: it
//! returns `BUSY`.

#![allow(unsafe_code)]

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicI32;

use crate::mask::Mask;
use crate::position::{Position, Variant};
use crate::rules::{self, Uncounted};

/// The version of this interface: a caller made for another one does not use it.
pub const INTERFACE: i32 = 1;

/// It is done.
pub const OK: i32 = 0;
/// The search has to end, or was told to.
pub const STOPPED: i32 = 1;
/// What was handed over is nothing that this can work with: the caller does it itself.
pub const REFUSED: i32 = -1;
/// A fault of this library: it is not to be used any more.
pub const FAILED: i32 = -2;
/// Another call is at work on the same tree.
pub const BUSY: i32 = -3;

/// As deep as sequences of moves are counted.
const DEEPEST: u32 = 60;
/// The most threads that count.
const MOST_THREADS: u32 = 64;

/// A position as the caller has it: masks in four words, the lowest first.
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

/// Return the version of the library as a string that ends with a zero byte.
#[unsafe(no_mangle)]
pub extern "C" fn thud_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Count the legal moves of a position.
///
/// # Safety
///
/// The pointers are null or to values that live as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn thud_count_moves(
    variant: i32,
    position: *const RawPosition,
    count: *mut u64,
) -> i32 {
    // SAFETY: as above.
    let (position, count) = unsafe { (position.as_ref(), count.as_mut()) };
    guarded(|| {
        let variant = Variant::numbered(variant)?;
        let position = position?.checked(variant)?;
        *count? = rules::count_moves(variant, &position).ok()?;
        Some(OK)
    })
}

/// Count the sequences of `depth` legal moves on some threads, until `stop` is not 0.
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
