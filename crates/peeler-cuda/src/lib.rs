//! Matrices on an NVIDIA card, with the operations and gradients that the network needs.
//!
//! CUDA's own libraries (driver, compiler of kernels, matrix products) are loaded when a card is opened, so this crate
//! is built without them. A [`Tape`] computes with matrices and remembers how to compute gradients. The numbers that an
//! operation needs beside matrices, such as indices of rows, are checked and packed on any thread into a [`Package`],
//! which is then copied to the card in one go.
//!
//! Invariant: the same operations on the same numbers give the same bits.

mod card;
mod driver;
mod matrix;
mod operations;
mod optimiser;
mod package;
mod queue;
mod tape;

pub use card::Card;
pub use driver::CardError;
pub use matrix::Matrix;
pub use optimiser::{AdamW, Moments};
pub use package::{Bits, Delivery, Floats, Groups, Lists, Package, RowLists};
pub use queue::Queue;
pub use tape::{Tape, Term};
