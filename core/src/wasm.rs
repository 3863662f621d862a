//! The WebAssembly interface: a request's text in, its answer's text out.
//!
//! The host writes a request of `len` bytes where `input(len)` says, and calls `answer()`, which
//! returns the address of the answer in the high 32 bits and its length in the low ones.

#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::core::{Core, thought_json};
use crate::deepen::Thought;
use crate::search::Host;

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Microseconds since some fixed moment.
        pub safe fn now() -> u64;
        /// Whether the search shall stop: 0 or 1.
        pub safe fn should_stop() -> i32;
        /// Take a thought's JSON.
        pub safe fn report(text: *const u8, len: usize);
        /// Write a random order of `len` things, as 32-bit numbers.
        pub fn shuffle(order: *mut u32, len: usize);
    }
}

struct Caller;

impl Host for Caller {
    fn now(&mut self) -> u64 {
        host::now()
    }

    fn should_stop(&mut self) -> bool {
        host::should_stop() != 0
    }

    fn report(&mut self, thought: &Thought) {
        let text = thought_json(thought);
        host::report(text.as_ptr(), text.len());
    }

    fn shuffled(&mut self, len: usize) -> Vec<u32> {
        let mut order = vec![0; len];
        // SAFETY: the host writes `len` numbers.
        unsafe { host::shuffle(order.as_mut_ptr(), len) };
        order
    }
}

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static CORE: RefCell<Core> = RefCell::default();
}

/// Make room for a request.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        *text = vec![0; len];
        text.as_mut_ptr()
    })
}

/// Answer the request.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> u64 {
    let request = TEXT.take();
    let request = String::from_utf8_lossy(&request);
    let answer = CORE.with_borrow_mut(|core| core.answer(&request, &mut Caller));
    TEXT.with_borrow_mut(|text| {
        *text = answer.into_bytes();
        (text.as_ptr() as u64) << 32 | text.len() as u64
    })
}
