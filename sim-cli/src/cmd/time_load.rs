//! `sim time-load`: times loading for `cargo xtask bench-load`, which asks for one file at a time.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use crate::load::load;

/// Reads paths from standard input; answers each with a line of JSON: seconds, or why the file does not load.
pub(crate) fn run() -> Result<()> {
    for path in std::io::stdin().lock().lines() {
        let answer = match load(Path::new(&path?)) {
            Ok(loaded) => json!({ "seconds": loaded.time.as_secs_f64() }),
            Err(error) => json!({ "error": format!("{error:#}") }),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
