//! The operations of a [`Tape`](crate::Tape), each with its gradients.

mod attention;
mod elements;
mod loss;
mod lstm;
mod normalisation;
mod products;
mod rows;
