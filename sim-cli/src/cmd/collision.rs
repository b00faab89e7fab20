//! `sim bench --collision`: time of one search for contacts.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::json;
use sim_core::Mujoco;
use sim_core::collision::collision;
use sim_core::pipeline::forward_partial;

use crate::load::load;
use crate::text::seconds;

/// Batches of calls; the fastest counts.
const BATCHES: u32 = 100;
/// About how long a batch lasts: short enough that some are not interrupted.
const BATCH_SECONDS: f64 = 0.002;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pose {
    qpos: Vec<f64>,
}

pub(crate) fn run(model: &Path, state: &Path, as_json: bool) -> Result<()> {
    let text = std::fs::read_to_string(state).with_context(|| format!("cannot read '{}'", state.display()))?;
    let pose: Pose = serde_json::from_str(&text).context("the state does not fit")?;
    let m = load(model)?.model;
    let mut d = m.make_data();
    if pose.qpos.len() != m.nq {
        bail!("qpos has {} numbers, the model needs {}", pose.qpos.len(), m.nq);
    }
    d.qpos.copy_from_slice(&pose.qpos);
    let parts = Mujoco::default();
    forward_partial(&m, &mut d, &mut Mujoco::default())?;

    let mut time = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            collision(&m, &mut d, &parts);
        }
        start.elapsed().as_secs_f64() / f64::from(calls)
    };
    let calls = (BATCH_SECONDS / time(1).max(1e-9)).clamp(1.0, 100_000.0) as u32;
    let best = (0..BATCHES).map(|_| time(calls)).fold(f64::INFINITY, f64::min);
    if as_json {
        writeln!(anstream::stdout(), "{}", json!({ "seconds": best, "ncon": d.ncon() }))?;
    } else {
        writeln!(anstream::stdout(), "{} for {} contacts", seconds(best), d.ncon())?;
    }
    Ok(())
}
