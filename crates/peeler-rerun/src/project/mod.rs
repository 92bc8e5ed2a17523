//! The compiled Java project whose tests are rerun: its modules, each with a class path and a working folder.
//!
//! The project's build tool compiles the tests and prints their class paths once. After that no build tool is involved.
//!
//! What the build says about its test JVMs is taken over: options, system properties, environment, working folder, the
//! classes that it runs.
//!
//! Left out: what only exists while the build runs its own tests, such as agents of coverage tools and ports that a
//! plugin reserved. `--jvm-arg` passes options by hand.

mod build;
mod build_options;
mod class_patterns;
mod command;
mod error;
mod folders;
mod gradle;
mod gradle_failure;
mod jdk_hint;
mod launcher;
mod maven;
mod module;
mod surefire;

pub use build::Build;
pub use build_options::BuildOptions;
pub use class_patterns::ClassPatterns;
pub use error::ProjectError;
pub use module::{Module, Project};
