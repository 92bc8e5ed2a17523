//! How the build tool of a project is called: what the user chose, and whether it may use the network.

use std::path::PathBuf;

/// The user's settings for the build of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// The folder of the JDK that the build tool runs with; `None` for the build tool's own choice.
    pub java_home: Option<PathBuf>,
    /// The modules whose tests are wanted, by their folder in the project; all modules if it is empty.
    pub modules: Vec<String>,
    /// Further arguments of the build tool.
    pub arguments: Vec<String>,
}

/// Whether the build tool may download plugins and libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// The build tool must not download anything.
    Offline,
    /// The build tool may download plugins and libraries.
    Online,
}
