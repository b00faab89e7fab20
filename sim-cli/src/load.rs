//! A model from a file: MJCF or binary, told apart by content.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use sim_core::Model;
use sim_mjcf::{Files, LoadOptions, LoadReport};

/// How every binary model file begins.
const MAGIC: &[u8; 8] = b"SIMMODEL";

/// A model, what was noticed while loading it, and how long that took.
pub(crate) struct Loaded {
    pub model: Model,
    pub report: LoadReport,
    pub time: Duration,
}

/// Loads a model; the error names the file.
pub(crate) fn load(path: &Path) -> Result<Loaded> {
    let start = Instant::now();
    let (model, report) = if is_binary(path)? {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let model = Model::from_bytes(&bytes).with_context(|| path.display().to_string())?;
        (model, LoadReport::default())
    } else {
        let name = path.to_str().ok_or_else(|| anyhow!("cannot read '{}': the path is not UTF-8", path.display()))?;
        let loaded = sim_mjcf::load_with(&Files, name, LoadOptions::default())?;
        (loaded.model, loaded.report)
    };
    Ok(Loaded { model, report, time: start.elapsed() })
}

fn is_binary(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .with_context(|| format!("cannot read '{}'", path.display()))?;
    Ok(start == MAGIC)
}
