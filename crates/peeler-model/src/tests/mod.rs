//! Tests of the network as a whole, on our own Java samples.

mod bench;
mod gradients;
mod inference;
mod kind_models;
mod pretrained;
mod store;
mod training;
mod training_run;
