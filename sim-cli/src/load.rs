//! A model from a file: MJCF, URDF or binary, told apart by content.

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
        let loaded = sim_mjcf::load_with(&Files, text(path)?, LoadOptions::default())?;
        (loaded.model, loaded.report)
    };
    Ok(Loaded { model, report, time: start.elapsed() })
}

/// A compiled model as MJCF that will stand in the directory `dir`; the error names the file.
pub(crate) fn load_flat(path: &Path, dir: &Path) -> Result<String> {
    if is_binary(path)? {
        let model = load(path)?.model;
        return sim_mjcf::model_to_mjcf(&model).with_context(|| path.display().to_string());
    }
    let (name, options) = (text(path)?, LoadOptions::default());
    let (spec, _) = sim_mjcf::load_spec(&Files, name, options)?;
    let model = sim_mjcf::compile(&spec, &Files, options)?.model;
    let mut flat = spec.flattened(&model).with_context(|| path.display().to_string())?;
    flat.map_files(|file| relative(dir, Path::new(file)));
    Ok(flat.to_xml())
}

/// A file seen from a directory; as it is if one of them cannot be found.
fn relative(dir: &Path, file: &Path) -> String {
    let (Ok(dir), Ok(file)) = (std::path::absolute(dir), std::path::absolute(file)) else {
        return file.display().to_string();
    };
    let shared = dir.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = dir.components().skip(shared).map(|_| "..".into());
    let down = file.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<String>>().join("/")
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| anyhow!("cannot read '{}': the path is not UTF-8", path.display()))
}

fn is_binary(path: &Path) -> Result<bool> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .with_context(|| format!("cannot read '{}'", path.display()))?;
    Ok(start == MAGIC)
}
