//! Conformance tests: models written here, goldens made from them by MuJoCo, and the harness that compares.
//!
//! - `models/*.xml`, `models/*.urdf`: one branch of the engine each; `models/bad/*.xml`: files that MuJoCo refuses
//! - `golden/*.txt`: what MuJoCo 3.5.0 computes for the models, made by `golden.py` (`cargo xtask golden`)
//! - [`fuzz`]: mutants of the models, and what may happen to them
//! - [`golden`], [`engine`], [`tol`], [`fd`]: loading goldens, running the engine on them, tolerances, differences

#![forbid(unsafe_code)]

pub mod engine;
pub mod fd;
pub mod fuzz;
pub mod golden;
pub mod mujoco_model;
pub mod rng;
pub mod tol;

use std::path::{Path, PathBuf};

pub use golden::{Array, Golden, Section};
pub use mujoco_model::mujoco_model;
pub use rng::Rng;
pub use tol::{Tol, assert_close, assert_close_quats};

/// Folder of the models.
pub fn models_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// Path of the model with this name, MJCF or else URDF.
pub fn model_path(name: &str) -> PathBuf {
    let mjcf = models_dir().join(format!("{name}.xml"));
    if mjcf.exists() { mjcf } else { models_dir().join(format!("{name}.urdf")) }
}

/// Folder of the golden files.
pub fn golden_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Files with this extension directly in a folder, sorted by name.
pub fn files(dir: &Path, extension: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|e| e == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Names of all models, MJCF first, each sorted.
pub fn zoo() -> std::io::Result<Vec<String>> {
    let mut paths = files(&models_dir(), "xml")?;
    paths.append(&mut files(&models_dir(), "urdf")?);
    Ok(paths.iter().filter_map(|p| Some(p.file_stem()?.to_str()?.to_owned())).collect())
}
