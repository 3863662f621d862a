//! The search of Thud and the counts of its moves: the compiled form of `thud.ai` and
//! `thud.rules`, node for node the same.
//!
//! `ffi` is the C interface, and the only module with unsafe code.

mod board;
mod classic;
mod ffi;
mod game;
mod mask;
mod position;
mod rules;
mod search;
mod table;
mod tree;
mod valley;
