//! Compiled search and perft for Thud, node for node identical to `thud.ai` and `thud.rules`.
//!
//! `ffi` is the C interface and the only module with unsafe code.

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
