//! Arrows point down only: which of our crates a crate may use, and what must never be below it.

use super::Cell;
use crate::workspace::{LEAVES, Workspace};
use anyhow::Result;
use cargo_metadata::{DependencyKind, Metadata, PackageId};
use std::collections::{BTreeMap, BTreeSet};

/// Crates of others that compile C or C++.
const C_BUILDERS: [&str; 3] = ["cc", "cmake", "bindgen"];

/// Which of our crates a crate may depend on; `None` for a crate without a rule.
fn allowed(name: &str) -> Option<Vec<&'static str>> {
    let below_core = || [&["sim-types"][..], &LEAVES].concat();
    Some(match name {
        "sim-types" | "sim-plot" | "xtask" => Vec::new(),
        leaf if LEAVES.contains(&leaf) => vec!["sim-types"],
        "sim-core" => below_core(),
        "sim-mjcf" => [below_core(), vec!["sim-core"]].concat(),
        "sim-gpu" => vec!["sim-types", "sim-core"],
        "sim-physics" | "sim-env" => [below_core(), vec!["sim-core", "sim-mjcf", "sim-gpu"]].concat(),
        "sim-cli" => [below_core(), vec!["sim-core", "sim-mjcf", "sim-gpu", "sim-plot"]].concat(),
        "sim-tests" => [below_core(), vec!["sim-core", "sim-mjcf", "sim-gpu", "sim-physics"]].concat(),
        _ => return None,
    })
}

/// What must not be found anywhere below a crate.
fn forbidden(name: &str) -> Vec<&'static str> {
    match name {
        "sim-gpu" | "sim-cli" | "sim-tests" | "sim-env" | "xtask" => Vec::new(),
        _ => [&["wgpu"][..], &C_BUILDERS].concat(),
    }
}

/// The graph of dependencies, asked for once.
pub(crate) struct Layers(Graph);

impl Layers {
    pub(crate) fn load(workspace: &Workspace) -> Result<Self> {
        Ok(Self(Graph::new(&workspace.resolve()?)))
    }

    /// Checks the direct arrows to our crates and everything reachable along them.
    pub(crate) fn cell(&self, name: &str) -> Cell {
        Cell::from_details(judge(name, &self.0))
    }
}

fn judge(name: &str, graph: &Graph) -> Vec<String> {
    let Some(allowed) = allowed(name) else {
        return vec!["no rule says what this crate may depend on; add it to xtask/src/grade/layers.rs".to_owned()];
    };
    let list = |names: &[&str]| if names.is_empty() { "none of ours".to_owned() } else { names.join(", ") };
    let direct = graph.direct(name).into_iter().filter(|d| graph.ours.contains(*d) && !allowed.contains(d));
    let mut details: Vec<String> =
        direct.map(|d| format!("depends on {d}; it may depend on {}", list(&allowed))).collect();
    let below = graph.below(name);
    let bad = forbidden(name).into_iter().filter(|f| below.contains(f));
    details.extend(bad.map(|f| format!("{f} is among its dependencies, direct or not")));
    details
}

/// Names of packages and the arrows between them, without those of tests.
#[derive(Default)]
struct Graph {
    ours: BTreeSet<String>,
    arrows: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn new(metadata: &Metadata) -> Self {
        let names: BTreeMap<&PackageId, &str> = metadata.packages.iter().map(|p| (&p.id, p.name.as_str())).collect();
        let name = |id: &PackageId| names.get(id).map(|n| (*n).to_owned());
        let mut graph =
            Self { ours: metadata.workspace_members.iter().filter_map(name).collect(), arrows: BTreeMap::new() };
        for node in metadata.resolve.iter().flat_map(|r| &r.nodes) {
            let used = node.deps.iter().filter(|d| d.dep_kinds.iter().any(|k| k.kind != DependencyKind::Development));
            if let Some(from) = name(&node.id) {
                graph.arrows.entry(from).or_default().extend(used.filter_map(|d| name(&d.pkg)));
            }
        }
        graph
    }

    fn direct(&self, name: &str) -> Vec<&str> {
        self.arrows.get(name).into_iter().flatten().map(String::as_str).collect()
    }

    fn below(&self, name: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut todo = self.direct(name);
        while let Some(next) = todo.pop() {
            if found.insert(next) {
                todo.extend(self.direct(next));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(arrows: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (from, to) in arrows {
            graph.arrows.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            graph.ours.extend([*from, *to].into_iter().filter(|n| n.starts_with("sim-")).map(str::to_owned));
        }
        graph
    }

    #[test]
    fn a_leaf_knows_the_types_and_nothing_else_of_ours() {
        let good = graph(&[("sim-tendon", "sim-types"), ("sim-tendon", "thiserror")]);
        assert!(judge("sim-tendon", &good).is_empty());
        let bad = graph(&[("sim-tendon", "sim-types"), ("sim-tendon", "sim-collision")]);
        assert_eq!(judge("sim-tendon", &bad), ["depends on sim-collision; it may depend on sim-types"]);
    }

    #[test]
    fn core_knows_neither_the_loader_nor_a_gpu() {
        assert_eq!(judge("sim-core", &graph(&[("sim-core", "sim-mjcf")])).len(), 1);
        let hidden = graph(&[("sim-core", "helper"), ("helper", "wgpu")]);
        assert_eq!(judge("sim-core", &hidden), ["wgpu is among its dependencies, direct or not"]);
        assert!(judge("sim-gpu", &graph(&[("sim-gpu", "wgpu")])).is_empty());
    }

    #[test]
    fn no_library_compiles_c() {
        assert_eq!(judge("sim-mjcf", &graph(&[("sim-mjcf", "zlib"), ("zlib", "cc")])).len(), 1);
    }

    #[test]
    fn the_developer_commands_stand_alone() {
        assert_eq!(judge("xtask", &graph(&[("xtask", "sim-core")])).len(), 1);
    }

    #[test]
    fn a_new_crate_needs_a_rule() {
        assert_eq!(judge("sim-new", &graph(&[("sim-new", "sim-types")])).len(), 1);
    }
}
