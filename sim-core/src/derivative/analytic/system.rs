//! The two linear systems of a step: of the constraint solve, and of the integrator.

use sim_types::linalg::dense::{cholesky, cholesky_solve};
use sim_types::{DisableFlags, Integrator};

use super::active::ActiveSet;
use crate::constraint::Efc;
use crate::data::Data;
use crate::derivative::smooth_vel;
use crate::error::StepError;
use crate::integrate::{full_matrix, lower_matrix, spring_damper};
use crate::model::Model;
use crate::pipeline::Parts;

/// How the integrator finds the acceleration `s` that it applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// `s = a`.
    #[default]
    Same,
    /// `(M + h·D)·s = M·a`.
    Damped,
    /// `(M + h·D + h²·K)·s = M·a − h·K·v`.
    SpringDamper,
    /// `(M − h·∂τ/∂v)·s = M·a`.
    Full,
    /// The same without the bias force, lower triangle only.
    Lower,
}

/// Both matrices at the solution, factored.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) form: Form,
    inertia: Vec<f64>,
    hessian: Vec<f64>,
    factor: Vec<f64>,
    diaginv: Vec<f64>,
    product: Vec<f64>,
    weighted: Vec<f64>,
}

impl System {
    /// Factors the integrator's matrix.
    pub(super) fn prepare<P: Parts>(&mut self, m: &Model, d: &mut Data, parts: &P) -> Result<(), StepError> {
        let damped = || {
            let flags = m.opt.has(DisableFlags::EULERDAMP) && m.opt.has(DisableFlags::DAMPER);
            flags && m.dof_damping.iter().any(|x| *x > 0.0)
        };
        self.form = match m.opt.integrator {
            Integrator::Euler | Integrator::Rk4 if damped() => Form::Damped,
            Integrator::Euler | Integrator::Rk4 => Form::Same,
            Integrator::ImplicitSpringDamper => Form::SpringDamper,
            Integrator::Implicit => Form::Full,
            Integrator::ImplicitFast => Form::Lower,
        };
        self.inertia.clone_from(&d.M);
        self.product.resize(m.nv, 0.0);
        match self.form {
            Form::Same => return Ok(()),
            Form::Full => {
                smooth_vel(m, d, parts, true);
                full_matrix(m, d);
                self.factor.clone_from(&d.qLU);
                return m.d_pattern().factor(&mut self.factor).map_err(StepError::singular_step);
            }
            Form::Lower => {
                smooth_vel(m, d, parts, false);
                lower_matrix(m, d);
                self.factor.clone_from(&d.qH);
            }
            Form::Damped | Form::SpringDamper => {
                self.factor.clone_from(&d.M);
                for dof in 0..m.nv {
                    let own = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
                    self.factor[own] += match self.form {
                        Form::Damped => m.opt.timestep * m.dof_damping[dof],
                        _ => spring_damper(m, dof).1,
                    };
                }
            }
        }
        self.diaginv.resize(m.nv, 0.0);
        m.m_pattern().factor(&mut self.factor, &mut self.diaginv);
        Ok(())
    }

    /// Factors `M + JᵀWJ`.
    pub(super) fn hessian(
        &mut self,
        m: &Model,
        d: &Data,
        qacc: &[f64],
        active: &mut ActiveSet,
    ) -> Result<(), StepError> {
        let Self { hessian, weighted, .. } = self;
        hessian.clear();
        hessian.resize(m.nv * m.nv, 0.0);
        m.m_pattern().to_dense(&d.M, hessian);
        active.weights(&d.efc, qacc, |base, n, w| add_block(&d.efc, base, (n, w), None, weighted, hessian));
        cholesky(hessian, m.nv)
            .map_err(|e| StepError::Unsolvable { what: format!("Hessian of the constraints: {e}"), dof: None })
    }

    /// Adds `JᵀWBJ` to the dense matrix `out`: how the forces of the rows resist velocity.
    pub(super) fn add_damping(&mut self, d: &Data, qacc: &[f64], active: &mut ActiveSet, out: &mut [f64]) {
        let weighted = &mut self.weighted;
        active.weights(&d.efc, qacc, |base, n, w| add_block(&d.efc, base, (n, w), Some(&d.efc.KBIP), weighted, out));
    }

    /// `x ← (M + JᵀWJ)⁻¹·x`.
    pub(super) fn solve_constraints(&self, x: &mut [f64]) {
        cholesky_solve(&self.hessian, x);
    }

    /// What the integrator adds to the forces.
    pub(super) fn integrator_force(&self, m: &Model, qvel: &[f64], force: &mut [f64]) {
        if self.form == Form::SpringDamper {
            for dof in 0..m.nv {
                force[dof] -= m.opt.timestep * spring_damper(m, dof).0 * qvel[dof];
            }
        }
    }

    /// `x ← Â⁻¹·x`; for an integrator that takes the acceleration as it is, that one.
    pub(super) fn solve_step(&self, m: &Model, qacc: &[f64], x: &mut [f64]) {
        match self.form {
            Form::Same => x.copy_from_slice(qacc),
            Form::Full => m.d_pattern().solve(&self.factor, x),
            _ => m.m_pattern().solve(&self.factor, &self.diaginv, x),
        }
    }

    /// `M·x` at the solution.
    pub(super) fn mul_inertia(&self, m: &Model, x: &[f64], out: &mut [f64]) {
        m.m_pattern().mul(&self.inertia, x, out);
    }

    /// `r₂` of the state that is in the data, without terms that never change.
    pub(super) fn residual<P: Parts>(
        &mut self,
        m: &Model,
        d: &mut Data,
        parts: &P,
        (qacc, step): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let product = &mut self.product;
        match self.form {
            Form::Same => out.fill(0.0),
            Form::Damped | Form::SpringDamper => {
                for (x, (s, a)) in product.iter_mut().zip(step.iter().zip(qacc)) {
                    *x = s - a;
                }
                m.m_pattern().mul(&d.M, product, out);
                if self.form == Form::SpringDamper {
                    for dof in 0..m.nv {
                        out[dof] += m.opt.timestep * spring_damper(m, dof).0 * d.qvel[dof];
                    }
                }
            }
            Form::Full | Form::Lower => {
                let full = self.form == Form::Full;
                smooth_vel(m, d, parts, full);
                if full {
                    full_matrix(m, d);
                    m.d_pattern().mul(&d.qLU, step, out);
                } else {
                    lower_matrix(m, d);
                    m.m_pattern().mul(&d.qH, step, out);
                }
                m.m_pattern().mul(&d.M, qacc, product);
                for (x, y) in out.iter_mut().zip(product) {
                    *x -= *y;
                }
            }
        }
    }
}

/// Adds `jᵀ·w·j` of a block of rows, which have the same columns, to a dense matrix; with `kbip` each row is multiplied
/// by its damping first.
fn add_block(
    efc: &Efc,
    base: usize,
    (n, w): (usize, &[f64]),
    kbip: Option<&[[f64; 4]]>,
    weighted: &mut Vec<f64>,
    out: &mut [f64],
) {
    let columns = &efc.colind[efc.entries(base)];
    let nv = out.len().isqrt();
    for k in 0..n {
        weighted.clear();
        weighted.resize(columns.len(), 0.0);
        for l in 0..n {
            let scale = w[k * n + l] * kbip.map_or(1.0, |kbip| kbip[base + l][1]);
            for (x, j) in weighted.iter_mut().zip(&efc.J[efc.entries(base + l)]) {
                *x += scale * j;
            }
        }
        for (j, &row) in efc.J[efc.entries(base + k)].iter().zip(columns) {
            let own = &mut out[row as usize * nv..(row as usize + 1) * nv];
            for (x, &c) in weighted.iter().zip(columns) {
                own[c as usize] += j * x;
            }
        }
    }
}
