//! The workspace as cargo sees it, and the rules that follow from a crate's name.

use crate::source::modules::Root;
use anyhow::{Context as _, Result, bail};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand, Package, PackageId, TargetKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that take plain values and slices, and know neither the model nor each other.
pub(crate) const LEAVES: [&str; 4] = ["sim-collision", "sim-constraint", "sim-tendon", "sim-deformable"];

/// Crates that must build for wasm32.
pub(crate) const WASM: [&str; 7] =
    ["sim-types", "sim-collision", "sim-constraint", "sim-tendon", "sim-deformable", "sim-core", "sim-mjcf"];

/// Crates that are programs or tests, not libraries.
pub(crate) const PROGRAMS: [&str; 3] = ["sim-cli", "sim-tests", "xtask"];

/// The workspace: its root folder and what `cargo metadata` says about it.
pub(crate) struct Workspace {
    /// The repository's root.
    pub(crate) root: PathBuf,
    /// The answer of `cargo metadata`.
    pub(crate) metadata: Metadata,
}

impl Workspace {
    /// Asks cargo about the workspace this program was built in. Needs no network.
    pub(crate) fn load() -> Result<Self> {
        let root = root()?;
        let metadata = MetadataCommand::new()
            .manifest_path(root.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("asking `cargo metadata` about the workspace")?;
        Ok(Self { root, metadata })
    }

    /// The same with all dependencies of this machine's builds.
    pub(crate) fn resolve(&self) -> Result<Metadata> {
        let output = rustc().arg("-vV").output().context("asking rustc for its host")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let host = text.lines().find_map(|l| l.strip_prefix("host: ")).context("rustc does not say its host")?;
        MetadataCommand::new()
            .manifest_path(self.root.join("Cargo.toml"))
            .features(CargoOpt::AllFeatures)
            .other_options(["--filter-platform".to_owned(), host.to_owned()])
            .exec()
            .context("asking `cargo metadata` about the dependencies")
    }

    /// Our own packages, by name.
    pub(crate) fn members(&self) -> Vec<&Package> {
        let mut members = self.metadata.workspace_packages();
        members.sort_by_key(|p| p.name.to_string());
        members
    }

    /// The name of the member with this id.
    pub(crate) fn member_name(&self, id: &PackageId) -> Option<&str> {
        self.metadata.workspace_packages().into_iter().find(|p| &p.id == id).map(|p| p.name.as_str())
    }

    /// The path relative to the root, with forward slashes.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    /// A command that runs cargo at the root.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root);
        command
    }

    /// The folder for what the commands here leave behind; never committed.
    pub(crate) fn scratch(&self) -> Result<PathBuf> {
        let folder = self.metadata.target_directory.as_std_path().join("xtask");
        std::fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
        Ok(folder)
    }
}

/// A command that runs the compiler.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The repository's root: the folder above this crate's manifest.
fn root() -> Result<PathBuf> {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    match manifest.parent() {
        Some(root) if root.join("Cargo.toml").is_file() => Ok(root.to_owned()),
        _ => bail!("no workspace around {}; run this as `cargo xtask`", manifest.display()),
    }
}

/// The folder of a package.
pub(crate) fn folder(package: &Package) -> PathBuf {
    package.manifest_path.as_std_path().parent().map(Path::to_owned).unwrap_or_default()
}

/// Where the modules of a package start.
pub(crate) fn roots(package: &Package) -> Vec<Root> {
    let test_kinds = [TargetKind::Test, TargetKind::Bench, TargetKind::Example, TargetKind::CustomBuild];
    package
        .targets
        .iter()
        .map(|t| Root {
            path: t.src_path.clone().into_std_path_buf(),
            test: t.kind.iter().any(|k| test_kinds.contains(k)),
        })
        .collect()
}

/// Whether the crate is a library that others build on.
pub(crate) fn is_library(name: &str) -> bool {
    !PROGRAMS.contains(&name)
}
