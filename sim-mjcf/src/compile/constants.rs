//! What follows from the physics at the reference pose, and what the user puts in its place.

use super::tree::Body;
use crate::error::{Location, MjcfError, Problem, Problems};
use crate::spec::Spec;
use sim_core::Model;
use sim_types::{MINVAL, Vec3};

/// Sets constants and statistics, springs and dampers given by time constant, and the user's own statistics.
pub(super) fn set(spec: &Spec, bodies: &[Body<'_>], m: &mut Model) -> Result<(), MjcfError> {
    sim_core::set_const(m)
        .map_err(|error| Problem::invalid(&Location::default(), "mujoco", &spec.model_name, error.to_string()))?;
    spring_dampers(bodies, m);

    let user = &spec.statistic;
    m.stat.meaninertia = user.meaninertia.unwrap_or(m.stat.meaninertia);
    m.stat.meanmass = user.meanmass.unwrap_or(m.stat.meanmass);
    m.stat.meansize = user.meansize.unwrap_or(m.stat.meansize);
    m.stat.extent = user.extent.unwrap_or(m.stat.extent);
    m.stat.center = user.center.map_or(m.stat.center, Vec3::from);
    Ok(())
}

/// Rules about settings that stand outside of the tree.
pub(super) fn check_settings(spec: &Spec, problems: &mut Problems) {
    let nowhere = Location::default();
    if spec.statistic.extent.is_some_and(|extent| extent <= 0.0) {
        problems.invalid(&nowhere, "statistic", "", "extent must be positive");
    }
    if spec.visual.global.realtime <= 0.0 {
        problems.invalid(&nowhere, "global", "", "realtime must be positive");
    }
    if spec.visual.map.znear <= 0.0 {
        problems.invalid(&nowhere, "map", "", "znear must be positive");
    }
}

/// Stiffness and damping of joints that give a time constant and a damping ratio instead.
#[doc(alias = "mjCModel::AutoSpringDamper")]
fn spring_dampers(bodies: &[Body<'_>], m: &mut Model) {
    for (jnt, joint) in bodies.iter().flat_map(|b| &b.joints).enumerate() {
        let [timeconst, dampratio] = joint.spec.springdamper;
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }

        // mean inertia seen by the joint
        let first = m.jnt_dofadr[jnt] as usize;
        let dofs = first..first + joint.spec.r#type.nv();
        let inverse: f64 = m.dof_invweight0[dofs.clone()].iter().sum();
        let inertia = dofs.len() as f64 / MINVAL.max(inverse);
        m.jnt_stiffness[jnt] = inertia / MINVAL.max(timeconst * timeconst * dampratio * dampratio);
        m.dof_damping[dofs].fill(2.0 * inertia / MINVAL.max(timeconst));
    }
}
