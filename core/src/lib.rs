//! The search of Thud's computer players, and counts of moves.
//!
//! `core` answers requests in text; `wasm` is its WebAssembly interface and the only module with
//! unsafe code.  `deepen` deepens the search at the root, `search` searches below it, and a
//! `game::Game` is a variant in a form that is fast to search.

mod board;
mod classic;
pub mod core;
pub mod deepen;
mod game;
mod mask;
mod net;
pub mod position;
mod rules;
pub mod search;
pub mod selfplay;
mod table;
mod valley;
#[cfg(target_arch = "wasm32")]
mod wasm;
