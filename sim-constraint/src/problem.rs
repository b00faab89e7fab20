//! What a solver receives and what it gives back: rows, the problem, the solution, statistics.
//!
//! One [`Problem`] is one island, or the whole system; it is contiguous and has no index maps. Rows are **base rows**:
//! a contact of dimension d keeps its d rows (normal, tangents, spin, rolls) with either cone. MuJoCo expands a
//! pyramid to 2(d−1) edge rows; here that happens inside the solver, where edge residuals are `r_n ± μ_k·r_k`.

use sim_types::linalg::TreeSparse;
use sim_types::{Options, Solver};

/// Find the acceleration `a` that minimises `½‖a − qacc_smooth‖²_M + s(J·a − aref)`.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Length of a step, in seconds.
    pub timestep: f64,
    /// Multiplies improvement and gradient in the tests of convergence: `1/(meaninertia·max(1, nv))` for the whole
    /// system, `1/Σ M_ii` for an island.
    pub scale: f64,
    /// Where the entries of `m` and `ld` are.
    pub pattern: TreeSparse<'a>,
    /// Inertia, lower triangle.
    pub m: &'a [f64],
    /// Its factor `LᵀDL`.
    pub ld: &'a [f64],
    /// `1/D` of the factor.
    pub diaginv: &'a [f64],
    /// Force without constraints.
    pub qfrc_smooth: &'a [f64],
    /// Acceleration without constraints.
    pub qacc_smooth: &'a [f64],
    /// The constraints.
    pub rows: Rows<'a>,
}

/// Constraint rows in MuJoCo's order: equality, friction loss, limits, contacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction loss rows.
    pub nf: usize,
    /// Number of limit rows.
    pub nl: usize,
    /// Number of rows as MuJoCo counts them, pyramids expanded.
    pub nefc: usize,
    /// Address of the first entry of each base row.
    pub rowadr: &'a [u32],
    /// Number of entries of each base row.
    pub rownnz: &'a [u32],
    /// Column of each entry, increasing within a row. The rows of one contact have the same columns and follow one
    /// another.
    pub colind: &'a [u32],
    /// Jacobian.
    pub j: &'a [f64],
    /// Inverse of `r`. In a pyramid: that of its edges, the same in all rows of the contact.
    pub d: &'a [f64],
    /// Regularisation.
    pub r: &'a [f64],
    /// Reference acceleration. In a pyramid the normal row has `−B·v_n − K·imp·(pos − margin)` and tangent k has
    /// `−B·v_k`, so that an edge has `aref_n ± μ_k·aref_k`.
    pub aref: &'a [f64],
    /// Largest force of a friction loss row; read in those rows only.
    pub frictionloss: &'a [f64],
    /// Contacts, in row order; they cover all rows after equality, friction loss and limits.
    pub contacts: &'a [ContactRows],
}

/// The rows of one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactRows {
    /// First row, as MuJoCo counts.
    pub row: u32,
    /// First base row.
    pub base: u32,
    /// Number of base rows: 1, 3, 4 or 6.
    pub dim: u32,
    /// Elliptic cone; has no meaning when `dim` is 1.
    pub elliptic: bool,
    /// Friction of the regularised cone; read in elliptic contacts only.
    pub mu: f64,
    /// Friction of each direction after the normal.
    pub friction: [f64; 5],
}

impl ContactRows {
    /// True when the contact is a pyramid of edge rows.
    #[inline]
    pub fn is_pyramid(&self) -> bool {
        self.dim > 1 && !self.elliptic
    }

    /// True when the contact has an elliptic cone.
    #[inline]
    pub fn is_elliptic(&self) -> bool {
        self.dim > 1 && self.elliptic
    }

    /// Number of rows, as MuJoCo counts.
    #[inline]
    pub fn nrow(&self) -> usize {
        if self.is_pyramid() { 2 * (self.dim as usize - 1) } else { self.dim as usize }
    }
}

/// Where in its cost a row is (`mjtConstraintState`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum RowState {
    /// No force.
    #[default]
    Satisfied = 0,
    /// Quadratic cost.
    Quadratic = 1,
    /// Friction loss at its positive bound.
    LinearNeg = 2,
    /// Friction loss at its negative bound.
    LinearPos = 3,
    /// On the surface of an elliptic cone.
    Cone = 4,
}

/// What a solver writes.
#[derive(Debug)]
pub struct Solution<'a> {
    /// Acceleration. Holds the warm start before the solve.
    pub qacc: &'a mut [f64],
    /// Force of the constraints on the dofs, `Jᵀ·force`.
    pub qfrc_constraint: &'a mut [f64],
    /// Force per row, as MuJoCo counts rows.
    pub force: &'a mut [f64],
    /// [`RowState`] per row, as a number.
    pub state: &'a mut [i32],
    /// One entry per iteration; entries beyond its length are dropped.
    pub stat: &'a mut [SolverStat],
}

/// Numbers of one iteration (`mjSolverStat`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolverStat {
    /// Decrease of the cost, scaled.
    pub improvement: f64,
    /// Norm of the gradient, scaled; primal solvers only.
    pub gradient: f64,
    /// Slope left by the line search, scaled; primal solvers only.
    pub lineslope: f64,
    /// Number of active rows.
    pub nactive: i32,
    /// Number of rows whose state changed.
    pub nchange: i32,
    /// Number of evaluations in the line search.
    pub neval: i32,
    /// Number of rank-one updates of the Hessian, as MuJoCo counts them.
    pub nupdate: i32,
}

/// What a solver reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Iterations done, noslip included.
    pub niter: usize,
    /// Entries of the matrix the solver worked with; 0 when it needs none.
    pub nnz: usize,
    /// False when the iterations ran out before a test of convergence was met.
    pub converged: bool,
    /// Multiplications done, as an estimate.
    pub work: u64,
    /// True when [`Settings::work`] ended the solve.
    pub cut: bool,
}

/// Where a solve starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At [`Solution::qacc`]; PGS starts from the forces that belong to it.
    Warm,
    /// At `qacc_smooth`; PGS starts from zero forces.
    Smooth,
}

/// Costs of the two points a primal solve may start from. Costs of islands and of free dofs add up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StartCost {
    /// At the warm start.
    pub warm: f64,
    /// At `qacc_smooth`.
    pub smooth: f64,
}

impl StartCost {
    /// The better point; the warm start when they are equal.
    pub fn choose(self) -> Start {
        if self.warm > self.smooth { Start::Smooth } else { Start::Warm }
    }
}

impl std::ops::AddAssign for StartCost {
    fn add_assign(&mut self, other: Self) {
        self.warm += other.warm;
        self.smooth += other.smooth;
    }
}

/// Options of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Method.
    pub solver: Solver,
    /// Limit on iterations.
    pub iterations: usize,
    /// Improvement or gradient below which the solve ends.
    pub tolerance: f64,
    /// Limit on evaluations of one line search.
    pub ls_iterations: usize,
    /// Tolerance of the line search, relative to `tolerance`.
    pub ls_tolerance: f64,
    /// Limit on iterations of noslip; 0 switches it off.
    pub noslip_iterations: usize,
    /// Improvement below which noslip ends.
    pub noslip_tolerance: f64,
    /// A solve that does not converge gives zero forces instead of its last iterate. MuJoCo has no such option.
    pub strict: bool,
    /// Limit on multiplications. A solve that reaches it stops as if its iterations had run out; one whose first iteration
    /// would pass it is an error.
    pub work: u64,
    /// Multiplications done before, by other islands of the same system.
    pub work_done: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self::from(&Options::default())
    }
}

impl From<&Options> for Settings {
    fn from(opt: &Options) -> Self {
        let count = |n: i32| usize::try_from(n).unwrap_or(0);
        Self {
            solver: opt.solver,
            iterations: count(opt.iterations),
            tolerance: opt.tolerance,
            ls_iterations: count(opt.ls_iterations),
            ls_tolerance: opt.ls_tolerance,
            noslip_iterations: count(opt.noslip_iterations),
            noslip_tolerance: opt.noslip_tolerance,
            strict: false,
            work: u64::MAX,
            work_done: 0,
        }
    }
}

/// Why a problem has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Arrays whose lengths or indices do not fit together.
    #[error("constraint problem is inconsistent: {what}")]
    Shape {
        /// What does not fit.
        what: &'static str,
    },
    /// One iteration takes more work than is allowed.
    #[error("an iteration for {nv} dofs and {nefc} rows takes {work} multiplications, and the limit is {limit}")]
    TooLarge {
        /// Dofs of the problem.
        nv: usize,
        /// Its rows.
        nefc: usize,
        /// Multiplications of one iteration, as an estimate.
        work: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A number of a constraint row is NaN or infinite.
    #[error("constraint row {row} is not finite")]
    BadRow {
        /// First bad row, as MuJoCo counts.
        row: usize,
    },
    /// A number of a dof is NaN or infinite, or its inertia is singular.
    #[error("dof {dof} has a force, acceleration or inertia that is not finite")]
    BadDof {
        /// First bad dof.
        dof: usize,
    },
}

impl Problem<'_> {
    /// Number of dofs.
    #[inline]
    pub fn nv(&self) -> usize {
        self.qfrc_smooth.len()
    }

    /// Checks lengths and indices of the problem, so that no solver can index out of bounds.
    pub fn check(&self) -> Result<(), SolveError> {
        self.check_inertia()?;
        self.rows.check(self.nv())
    }

    /// Checks lengths and indices of the inertia.
    pub(crate) fn check_inertia(&self) -> Result<(), SolveError> {
        let nv = self.nv();
        let p = &self.pattern;
        if [p.n(), p.rowadr.len(), self.diaginv.len(), self.qacc_smooth.len()] != [nv; 4] {
            return Err(SolveError::Shape { what: "an array of dofs has the wrong length" });
        }
        let n = self.m.len().min(self.ld.len()).min(p.colind.len());
        let row = |i: usize| (p.rowadr[i] as usize, p.rownnz[i] as usize);
        let inside = |(adr, nnz): (usize, usize)| nnz > 0 && adr + nnz <= n;
        if !(0..nv).all(|i| inside(row(i)) && p.colind[row(i).0 + row(i).1 - 1] as usize == i)
            || !all_below(p.colind, nv)
        {
            return Err(SolveError::Shape { what: "an index of the inertia is out of range" });
        }
        Ok(())
    }

    /// Checks the lengths of the arrays a solution is written to.
    pub fn check_solution(&self, out: &Solution<'_>) -> Result<(), SolveError> {
        if out.qacc.len() != self.nv() || out.qfrc_constraint.len() != self.nv() {
            return Err(SolveError::Shape { what: "an array of dofs has the wrong length" });
        }
        if out.force.len() != self.rows.nefc || out.state.len() != self.rows.nefc {
            return Err(SolveError::Shape { what: "an array of rows has the wrong length" });
        }
        Ok(())
    }
}

impl Rows<'_> {
    /// Number of base rows.
    #[inline]
    pub fn nbase(&self) -> usize {
        self.d.len()
    }

    /// Entries and columns of one base row.
    #[inline]
    pub fn row(&self, i: usize) -> (&[f64], &[u32]) {
        let (adr, nnz) = (self.rowadr[i] as usize, self.rownnz[i] as usize);
        (&self.j[adr..adr + nnz], &self.colind[adr..adr + nnz])
    }

    /// True when `dim` rows from `base` on exist, have equal lengths and follow one another.
    fn contiguous(&self, base: usize, dim: usize) -> bool {
        let (Some(adr), Some(nnz)) = (self.rowadr.get(base..base + dim), self.rownnz.get(base..base + dim)) else {
            return false;
        };
        let (first, n) = (adr[0], nnz[0]);
        let mut odd = false;
        for k in 1..dim {
            odd |= nnz[k] != n || adr[k] != first.wrapping_add((k as u32).wrapping_mul(n));
        }
        !odd && first as usize + dim * n as usize <= self.j.len()
    }

    pub(crate) fn check(&self, nv: usize) -> Result<(), SolveError> {
        let n = self.nbase();
        let nscalar = self.ne + self.nf + self.nl;
        let lens = [self.rowadr.len(), self.rownnz.len(), self.r.len(), self.aref.len(), self.frictionloss.len()];
        if lens != [n; 5] || self.j.len() > self.colind.len() || nscalar > n {
            return Err(SolveError::Shape { what: "an array of rows has the wrong length" });
        }
        let inside = |i: usize| self.rowadr[i] as usize + self.rownnz[i] as usize <= self.j.len();
        if !(0..nscalar).all(inside) || !all_below(self.colind, nv) {
            return Err(SolveError::Shape { what: "an index of the Jacobian is out of range" });
        }

        // contacts follow one another and end at the last row
        let (mut row, mut base) = (nscalar, nscalar);
        for c in self.contacts {
            if c.row as usize != row || c.base as usize != base || !matches!(c.dim, 1 | 3 | 4 | 6) {
                return Err(SolveError::Shape { what: "a contact is out of order or has a wrong dimension" });
            }
            if !self.contiguous(base, c.dim as usize) {
                return Err(SolveError::Shape { what: "the rows of a contact are not one block" });
            }
            row += c.nrow();
            base += c.dim as usize;
        }
        if row != self.nefc || base != n {
            return Err(SolveError::Shape { what: "contacts do not cover the rows" });
        }
        Ok(())
    }
}

/// True when every number is below `n`. Looks at sign bits only, which compiles to few instructions.
fn all_below(numbers: &[u32], n: usize) -> bool {
    let Ok(n) = i32::try_from(n) else { return false };
    let mut bits = 0;
    for &x in numbers {
        bits |= x | !x.wrapping_sub(n as u32);
    }
    bits >> 31 == 0
}
