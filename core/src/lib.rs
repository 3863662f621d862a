//! The search of Thud and the counts of its moves: the compiled form of `thud.ai` and
//! `thud.rules`, node for node the same.
//!
//! `ffi` is the C interface, and the only module with unsafe code.

pub mod board;
pub mod classic;
pub mod ffi;
pub mod game;
pub mod mask;
pub mod position;
pub mod rules;
pub mod search;
pub mod table;
pub mod tree;
pub mod valley;
