//! Derivatives of inverse dynamics by finite differences.

use sim_types::Integrator;

use crate::actuation;
use crate::data::Data;
use crate::error::StepError;
use crate::integrate::integrate_pos;
use crate::inverse::inverse_skip;
use crate::model::Model;
use crate::pipeline::{self, Parts, Skip};

/// Derivatives of the force of inverse dynamics and of sensors, each optional. Row `i` of a matrix is the derivative by
/// coordinate `i`.
#[derive(Debug, Default)]
pub struct InverseDerivatives<'a> {
    /// Force by position, `nv × nv`.
    pub force_by_pos: Option<&'a mut [f64]>,
    /// Force by velocity, `nv × nv`.
    pub force_by_vel: Option<&'a mut [f64]>,
    /// Force by acceleration, `nv × nv`.
    pub force_by_acc: Option<&'a mut [f64]>,
    /// Sensors by position, `nv × nsensordata`.
    pub sensor_by_pos: Option<&'a mut [f64]>,
    /// Sensors by velocity, `nv × nsensordata`.
    pub sensor_by_vel: Option<&'a mut [f64]>,
    /// Sensors by acceleration, `nv × nsensordata`.
    pub sensor_by_acc: Option<&'a mut [f64]>,
    /// Inertia matrix by position, `nv × nM`: each row in the order of MuJoCo's `qM`, every dof followed by its
    /// ancestors.
    pub inertia_by_pos: Option<&'a mut [f64]>,
}

/// Computes the derivatives of inverse dynamics at the state and acceleration of `d` by forward differences of size
/// `eps`; with `actuation` the force of actuators is subtracted.
///
/// Positions, velocities and accelerations are kept; what is computed from them belongs to the last perturbation.
/// Runge–Kutta and the noslip solver are refused.
///
/// ```
/// use sim_core::derivative::{InverseDerivatives, inverse_fd};
/// # fn torques(m: &sim_core::Model) -> Result<(), sim_core::StepError> {
/// let mut d = m.make_data();
/// d.qacc.fill(0.1);
/// let mut by_pos = vec![0.0; m.nv * m.nv];
/// let mut out = InverseDerivatives { force_by_pos: Some(&mut by_pos), ..InverseDerivatives::default() };
/// inverse_fd(m, &mut d, &mut sim_core::Mujoco::default(), 1e-6, false, &mut out)?;
/// # Ok(())
/// # }
/// # assert!(torques(&sim_core::Model::default()).is_err(), "a model without a world");
/// ```
#[doc(alias = "mjd_inverseFD")]
pub fn inverse_fd<P: Parts>(
    m: &Model,
    d: &mut Data,
    parts: &mut P,
    eps: f64,
    actuation: bool,
    out: &mut InverseDerivatives<'_>,
) -> Result<(), StepError> {
    pipeline::check_runnable(m, d)?;
    if m.opt.integrator == Integrator::Rk4 || m.opt.noslip_iterations > 0 {
        let what = "derivatives of inverse dynamics with the integrator RK4 or the noslip solver; choose another integrator, and \
                    no noslip iterations"
            .to_owned();
        return Err(StepError::Unsupported { what });
    }
    out.check(m)?;
    let sensors = out.sensor_by_pos.is_some() || out.sensor_by_vel.is_some() || out.sensor_by_acc.is_some();
    let mut run = Run { eps, actuation, sensors, ..Run::default() };
    let qpos = d.qpos.clone();
    run.evaluate(m, d, parts, Skip::Nothing)?;
    run.center.clone_from(&run.force);
    let (sensor, inertia) = (d.sensordata.clone(), d.M.clone());

    if out.force_by_acc.is_some() || out.sensor_by_acc.is_some() {
        for i in 0..m.nv {
            let kept = d.qacc[i];
            d.qacc[i] += eps;
            let done = run.evaluate(m, d, parts, Skip::Velocity);
            d.qacc[i] = kept;
            done?;
            run.write(i, &mut out.force_by_acc, &mut out.sensor_by_acc, (&sensor, &d.sensordata));
        }
    }
    if out.force_by_vel.is_some() || out.sensor_by_vel.is_some() {
        for i in 0..m.nv {
            let kept = d.qvel[i];
            d.qvel[i] += eps;
            let done = run.evaluate(m, d, parts, Skip::Position);
            d.qvel[i] = kept;
            done?;
            run.write(i, &mut out.force_by_vel, &mut out.sensor_by_vel, (&sensor, &d.sensordata));
        }
    }
    if out.force_by_pos.is_some() || out.sensor_by_pos.is_some() || out.inertia_by_pos.is_some() {
        let mut direction = vec![0.0; m.nv];
        for i in 0..m.nv {
            direction.fill(0.0);
            direction[i] = 1.0;
            integrate_pos(m, &mut d.qpos, &direction, eps);
            let done = run.evaluate(m, d, parts, Skip::Nothing);
            d.qpos.copy_from_slice(&qpos);
            done?;
            run.write(i, &mut out.force_by_pos, &mut out.sensor_by_pos, (&sensor, &d.sensordata));
            if let Some(rows) = &mut out.inertia_by_pos {
                let row = &mut rows[i * m.nM..(i + 1) * m.nM];
                row.fill(0.0);
                for (k, &at) in m.mapM2M.iter().enumerate() {
                    row[at as usize] = (d.M[k] - inertia[k]) / eps;
                }
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Run {
    eps: f64,
    actuation: bool,
    sensors: bool,
    center: Vec<f64>,
    force: Vec<f64>,
}

impl Run {
    /// The force that the accelerations need.
    fn evaluate<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &mut P, skip: Skip) -> Result<(), StepError> {
        inverse_skip(m, d, parts, skip, self.sensors)?;
        self.force.clone_from(&d.qfrc_inverse);
        if self.actuation {
            actuation::actuation(m, d, parts);
            for (x, y) in self.force.iter_mut().zip(&d.qfrc_actuator) {
                *x -= y;
            }
        }
        Ok(())
    }

    fn write(
        &self,
        row: usize,
        force: &mut Option<&mut [f64]>,
        sensor: &mut Option<&mut [f64]>,
        (center, moved): (&[f64], &[f64]),
    ) {
        let pairs = [(force.as_deref_mut(), &self.center[..], &self.force[..]), (sensor.as_deref_mut(), center, moved)];
        for (matrix, from, to) in pairs {
            if let Some(matrix) = matrix {
                let n = from.len();
                for ((x, from), to) in matrix[row * n..(row + 1) * n].iter_mut().zip(from).zip(to) {
                    *x = (to - from) / self.eps;
                }
            }
        }
    }
}

impl InverseDerivatives<'_> {
    fn check(&self, m: &Model) -> Result<(), StepError> {
        let square = m.nv * m.nv;
        for (array, matrix, want) in [
            ("force_by_pos", &self.force_by_pos, square),
            ("force_by_vel", &self.force_by_vel, square),
            ("force_by_acc", &self.force_by_acc, square),
            ("sensor_by_pos", &self.sensor_by_pos, m.nv * m.nsensordata),
            ("sensor_by_vel", &self.sensor_by_vel, m.nv * m.nsensordata),
            ("sensor_by_acc", &self.sensor_by_acc, m.nv * m.nsensordata),
            ("inertia_by_pos", &self.inertia_by_pos, m.nv * m.nM),
        ] {
            let got = matrix.as_ref().map_or(want, |x| x.len());
            if got != want {
                return Err(StepError::WrongSize { array, got, want });
            }
        }
        Ok(())
    }
}
