//! The dependency graph of the workspace, as `cargo metadata` resolves it for this machine.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// Packages and their dependencies, by identifier.
pub(crate) struct Packages {
    by_id: BTreeMap<String, Package>,
    /// Dependencies that are compiled into a package: neither dev- nor build-dependencies.
    dependencies: BTreeMap<String, Vec<String>>,
    /// The identifiers of the packages of the workspace, by name.
    ours: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    dependencies: Vec<Declared>,
    features: BTreeMap<String, Vec<String>>,
}

/// A dependency as a manifest declares it.
#[derive(Deserialize)]
struct Declared {
    name: String,
    rename: Option<String>,
    optional: bool,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
    /// Features of the package that are on.
    features: Vec<String>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
struct EdgeKind {
    kind: Option<String>,
}

impl Package {
    /// Whether a package is a dependency that these features switch on, or one that is not optional.
    ///
    /// The resolver also lists what a feature such as `x?/std` names, although nothing switches `x` on.
    fn has_active(&self, dependency: &str, features: &[String]) -> bool {
        let declared = self.dependencies.iter();
        let mut normal = declared.filter(|it| it.name == dependency && it.kind.is_none());
        let is_on = |name: &str| {
            let named = features.iter().filter_map(|it| self.features.get(it)).flatten();
            let mut named = named.map(|it| it.split('/').next().unwrap_or(it));
            named.any(|it| it == name || it.strip_prefix("dep:") == Some(name))
        };
        normal.any(|it| !it.optional || is_on(it.rename.as_ref().unwrap_or(&it.name)))
    }
}

impl Packages {
    /// The graph of a workspace, without network access. Packages for other platforms are left out.
    pub(crate) fn of(workspace: &Path) -> Self {
        let rustc = Command::new("rustc").arg("-vV").output().expect("rustc starts");
        let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
        let host = rustc.lines().find_map(|it| it.strip_prefix("host: ")).expect("a host");
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["metadata", "--format-version", "1", "--locked", "--offline"])
            .args(["--filter-platform", host])
            .current_dir(workspace)
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self::new(serde_json::from_slice(&output.stdout).expect("metadata"))
    }

    fn new(metadata: Metadata) -> Self {
        let packages: BTreeMap<String, Package> = metadata.packages.into_iter().map(|it| (it.id.clone(), it)).collect();
        let ours = metadata.workspace_members.into_iter();
        let ours = ours.map(|id| (packages[&id].name.clone(), id)).collect();
        let mut dependencies = BTreeMap::new();
        for node in metadata.resolve.nodes {
            let normal = node.deps.into_iter().filter(|edge| {
                edge.dep_kinds.iter().any(|it| it.kind.is_none())
                    && packages[&node.id].has_active(&packages[&edge.pkg].name, &node.features)
            });
            dependencies.insert(node.id.clone(), normal.map(|it| it.pkg).collect());
        }
        Self {
            by_id: packages,
            dependencies,
            ours,
        }
    }

    /// Names of the packages of the workspace.
    pub(crate) fn ours(&self) -> BTreeSet<&str> {
        self.ours.keys().map(String::as_str).collect()
    }

    /// The names of all dependencies, of any kind, in the manifest of one of our packages.
    pub(crate) fn declared(&self, package: &str) -> BTreeSet<&str> {
        let declared = self.by_id[&self.ours[package]].dependencies.iter();
        declared.map(|it| it.name.as_str()).collect()
    }

    /// The names of all packages that one of ours depends on, each with the shortest chain of dependencies to it.
    pub(crate) fn reached(&self, package: &str) -> BTreeMap<&str, String> {
        let start = &self.ours[package];
        let mut chains = BTreeMap::from([(start, package.to_owned())]);
        let mut waiting = VecDeque::from([start]);
        while let Some(next) = waiting.pop_front() {
            for dependency in &self.dependencies[next] {
                if !chains.contains_key(dependency) {
                    let chain = format!("{} -> {}", chains[next], self.by_id[dependency].name);
                    chains.insert(dependency, chain);
                    waiting.push_back(dependency);
                }
            }
        }
        chains.remove(start);
        let named = chains
            .into_iter()
            .map(|(id, chain)| (self.by_id[id].name.as_str(), chain));
        named.collect()
    }
}
