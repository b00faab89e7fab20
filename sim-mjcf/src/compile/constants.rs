//! What follows from the physics at the reference pose, and what the user puts in its place.

use super::tree::Body;
use crate::error::{Location, MjcfError, Problem, Problems};
use crate::spec::{Actuator, LengthRange, LengthRangeMode, Spec};
use sim_core::Model;
use sim_core::set_const::{LengthRangeSearch, find_length_range};
use sim_types::{BiasType, EnableFlags, GainType, MINVAL, TrnType, Vec3};

/// Sets constants and statistics, springs and dampers given by time constant, and the user's own statistics.
pub(super) fn set(spec: &Spec, bodies: &[Body<'_>], m: &mut Model) -> Result<(), MjcfError> {
    sim_core::set_const(m)
        .map_err(|error| Problem::invalid(&Location::default(), "mujoco", &spec.model_name, error.to_string()))?;
    spring_dampers(bodies, m);
    length_ranges(spec, m)?;

    let user = &spec.statistic;
    m.stat.meaninertia = user.meaninertia.unwrap_or(m.stat.meaninertia);
    m.stat.meanmass = user.meanmass.unwrap_or(m.stat.meanmass);
    m.stat.meansize = user.meansize.unwrap_or(m.stat.meansize);
    m.stat.extent = user.extent.unwrap_or(m.stat.extent);
    m.stat.center = user.center.map_or(m.stat.center, Vec3::from);
    if m.opt.enabled(EnableFlags::SLEEP) {
        m.check_sleep()
            .map_err(|error| Problem::invalid(&Location::default(), "mujoco", &spec.model_name, error.to_string()))?;
    }
    Ok(())
}

/// Finds the length ranges that the compiler's settings ask for: from limits, or by simulation.
#[doc(alias = "mj_setLengthRange")]
fn length_ranges(spec: &Spec, m: &mut Model) -> Result<(), MjcfError> {
    let options = &spec.compiler.lengthrange;
    let search = LengthRangeSearch {
        accel: options.accel,
        maxforce: options.maxforce,
        timeconst: options.timeconst,
        timestep: options.timestep,
        inttotal: options.inttotal,
        interval: options.interval,
        tolrange: options.tolrange,
    };
    for (id, a) in spec.actuators.iter().enumerate().take(m.nu) {
        if !needs_length_range(a, options) {
            continue;
        }
        let limits = match (m.actuator_trntype[id], m.actuator_trnid[id][0].get()) {
            (TrnType::Joint | TrnType::JointInParent, Some(jnt)) if m.jnt_limited[jnt] => Some(m.jnt_range[jnt]),
            (TrnType::Tendon, Some(tendon)) if m.tendon_limited[tendon] => Some(m.tendon_range[tendon]),
            _ => None,
        };
        m.actuator_lengthrange[id] = match limits.filter(|_| options.uselimit) {
            Some(limits) => limits,
            None => find_length_range(m, id, &search)
                .map_err(|error| Problem::invalid(&a.at, "actuator", &a.name, error.to_string()))?,
        };
    }
    Ok(())
}

/// Whether the range of an actuator is searched.
pub(super) fn needs_length_range(a: &Actuator, options: &LengthRange) -> bool {
    let muscle = a.gaintype == GainType::Muscle || a.biastype == BiasType::Muscle;
    let user = a.gaintype == GainType::User || a.biastype == BiasType::User;
    let selected = match options.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::MuscleUser => muscle || user,
        LengthRangeMode::All => true,
    };
    selected && !(options.useexisting && a.lengthrange[0] < a.lengthrange[1])
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
