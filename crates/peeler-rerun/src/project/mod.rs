//! The compiled Java project whose tests are rerun: its modules, each with a class path and a working folder.
//!
//! The project's build tool compiles the tests and prints their class paths once. After that no build tool is involved.
//!
//! Left out: the build's configuration of its test JVMs, such as options, system properties, agents, and resources that
//! later build phases generate. `--jvm-arg` passes options by hand.

mod build;
mod command;
mod error;
mod folders;
mod gradle;
mod launcher;
mod maven;
mod module;

pub use build::Build;
pub use error::ProjectError;
pub use module::{Module, Project};
