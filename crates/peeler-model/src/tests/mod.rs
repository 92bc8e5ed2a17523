//! Tests of the network as a whole, on our own Java project.

mod bench;
mod gradients;
mod inference;
mod pretrained;
mod store;
mod training;
mod training_run;
