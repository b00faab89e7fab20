//! From a [`Spec`] to a [`Model`]: everything MuJoCo's compiler derives, in MuJoCo's order.
//!
//! `run` lists the steps. A problem does not stop the others of its kind: each step notes what it finds and the
//! next one starts only if nothing was found. The spec is never changed.

mod asset;
mod body;
mod budget;
mod bvh;
mod camera;
mod constants;
mod custom;
mod eig3;
mod fill;
mod flex;
mod fluid;
mod fuse;
mod geom;
pub mod hfield;
mod inertia;
mod joint;
mod keyframe;
pub mod mesh;
mod names;
pub(crate) mod pose;
mod shape;
mod skin;
mod sparse;
pub mod texture;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use asset::name as name_of_asset;
pub(crate) use pose::{orientation, z_to};

use crate::Context;
use crate::error::{LoadReport, MjcfError, Problems};
use crate::spec::Spec;
use crate::spec::pending::Layout;

use sim_core::Model;

/// Compiles a model. What is accepted but probably a mistake is added to `report`.
pub(crate) fn compile(spec: &Spec, context: Context<'_>, report: &mut LoadReport) -> Result<Model, MjcfError> {
    let span = tracing::debug_span!("compile", model = %spec.model_name);
    let _guard = span.enter();
    let mut problems = Problems::new();
    let model = run(spec, context, &mut problems);
    report.warnings.append(&mut problems.take_report().warnings);
    model
}

/// The order of compilation.
#[doc(alias = "mjCModel::TryCompile")]
fn run(spec: &Spec, context: Context<'_>, problems: &mut Problems) -> Result<Model, MjcfError> {
    // what was written: names that can be told apart, bodies that make a tree
    budget::check_spec(spec, context.limits, problems);
    problems.check()?;
    names::check_unique(spec, problems);
    let mut bodies = tree::build(spec, problems);
    problems.check()?;
    let padding = Layout::of(spec);

    // every body with everything fixed to it
    let mut assets = asset::compile(spec, context, problems);
    problems.check()?;
    let frames = tree::frames(spec, problems);
    for (id, body) in bodies.iter_mut().enumerate() {
        body::compile(spec, id, body, (&frames, &assets), problems);
    }
    problems.check()?;

    // changes to the whole tree
    if spec.compiler.fusestatic {
        bodies = fuse::fuse_static(spec, bodies, problems);
    }
    if spec.compiler.discardvisual {
        fuse::discard_visual(spec, &mut bodies, &mut assets);
    }
    body::check_free(&bodies, problems);
    inertia::check_moving(&bodies, problems);
    if spec.compiler.settotalmass > 0.0 {
        inertia::set_total_mass(&mut bodies, spec.compiler.settotalmass);
    }
    problems.check()?;

    // arrays
    let mut m = Model::default();
    fill::fill(spec, &bodies, &assets, context.limits, &mut m, problems);
    skin::skins(spec, context, &mut m, problems);
    budget::check_memory(spec, &m, context.limits, problems);
    problems.check()?;
    keyframe::fill(spec, &padding, &mut m, problems);
    custom::fill(spec, &mut m, problems);
    constants::check_settings(spec, problems);
    problems.check()?;

    // what only the physics at the reference pose can tell
    constants::set(spec, &bodies, &mut m)?;
    tracing::debug!(nbody = m.nbody, nv = m.nv, ngeom = m.ngeom, "compiled");
    Ok(m)
}
