//! The rows of the constraint problem: how they are stored, and how stages add them.
//!
//! Rows are stored as *base rows*: a contact of dimension d has d of them (normal, two tangents, spin, two rolls), with
//! either cone. MuJoCo turns a pyramidal contact into 2(d−1) edge rows, normal ± μ·tangent; those are formed only when
//! somebody asks for them. Every other constraint has as many base rows as MuJoCo has rows.

use sim_constraint::impedance::{RowKind, SolParam, regularizer};
use sim_constraint::{ContactRows, Rows};
use sim_types::linalg::dot;
use sim_types::{ConstraintType, DisableFlags, SolImp, SolRef};

use crate::model::Model;

/// The constraint rows of one state. Vectors keep their capacity from step to step.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(non_snake_case, reason = "arrays keep MuJoCo's names")]
pub struct Efc {
    /// Number of equality rows.
    pub ne: usize,
    /// Number of friction loss rows.
    pub nf: usize,
    /// Number of limit rows.
    pub nl: usize,
    /// Number of rows as MuJoCo counts them, with the edges of pyramids.
    pub nefc: usize,
    /// First entry of each base row.
    pub rowadr: Vec<u32>,
    /// Number of entries of each base row.
    pub rownnz: Vec<u32>,
    /// Column of each entry, increasing within a row.
    pub colind: Vec<u32>,
    /// Jacobian of the base rows.
    pub J: Vec<f64>,
    /// What each base row is.
    pub kind: Vec<ConstraintType>,
    /// Which object: equality, dof, tendon, joint or contact.
    pub id: Vec<u32>,
    /// Violation; zero in the friction rows of contacts.
    pub pos: Vec<f64>,
    /// Inclusion margin; zero in the friction rows of contacts.
    pub margin: Vec<f64>,
    /// Dry friction.
    pub frictionloss: Vec<f64>,
    /// Stiffness, damping, impedance and its slope.
    pub KBIP: Vec<[f64; 4]>,
    /// Regularisation; of pyramidal contacts that of their edges.
    pub R: Vec<f64>,
    /// Its inverse.
    pub D: Vec<f64>,
    /// Velocity.
    pub vel: Vec<f64>,
    /// Reference acceleration.
    pub aref: Vec<f64>,
    /// The contacts among the rows, in row order.
    pub contacts: Vec<ContactRows>,
    /// Force of each row, as MuJoCo counts them.
    pub force: Vec<f64>,
    /// State of each row, as MuJoCo counts them; see [`RowState`](sim_constraint::RowState).
    pub state: Vec<i32>,
    /// Scratch of the solve.
    pub(super) cursor: Vec<u32>,
}

/// Places behind new rows that may be written to while they are filled.
pub(super) const BEYOND: usize = 3;

/// What a row says besides its Jacobian.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub kind: ConstraintType,
    pub id: usize,
    pub pos: f64,
    pub margin: f64,
    pub frictionloss: f64,
}

/// Softness of a row, with the safety of time constants as the model has it.
pub(super) fn softness(m: &Model, solref: &SolRef, friction: &SolRef, solimp: &SolImp) -> SolParam {
    let refsafe = m.opt.has(DisableFlags::REFSAFE).then_some(m.opt.timestep);
    SolParam::new(*solref, *friction, *solimp, refsafe)
}

impl Efc {
    /// Number of base rows.
    pub fn nbase(&self) -> usize {
        self.rowadr.len()
    }

    /// Makes room, so that a scene with as many rows and entries does not allocate.
    pub fn reserve(&mut self, rows: usize, entries: usize) {
        let more = |have: usize, want: usize| want.saturating_sub(have);
        let n = more(self.nbase(), rows);
        for v in [&mut self.rowadr, &mut self.rownnz, &mut self.id] {
            v.reserve(n);
        }
        for v in [
            &mut self.pos,
            &mut self.margin,
            &mut self.frictionloss,
            &mut self.R,
            &mut self.D,
            &mut self.vel,
            &mut self.aref,
        ] {
            v.reserve(n);
        }
        self.kind.reserve(n);
        self.KBIP.reserve(n);
        // a pyramid has at most ten edges for six base rows
        self.force.reserve(2 * n);
        self.state.reserve(2 * n);
        self.contacts.reserve(n);
        let n = more(self.J.len(), entries);
        self.colind.reserve(n);
        self.J.reserve(n + BEYOND);
    }

    /// The rows as the solvers see them.
    pub fn rows(&self) -> Rows<'_> {
        Rows {
            ne: self.ne,
            nf: self.nf,
            nl: self.nl,
            nefc: self.nefc,
            rowadr: &self.rowadr,
            rownnz: &self.rownnz,
            colind: &self.colind,
            j: &self.J,
            d: &self.D,
            r: &self.R,
            aref: &self.aref,
            frictionloss: &self.frictionloss,
            contacts: &self.contacts,
        }
    }

    /// Entries of a base row in `J` and `colind`.
    #[inline]
    pub fn entries(&self, row: usize) -> std::ops::Range<usize> {
        let adr = self.rowadr[row] as usize;
        adr..adr + self.rownnz[row] as usize
    }

    /// `out = J·x`, one number per base row.
    #[doc(alias = "mj_mulJacVec")]
    pub fn mul_j(&self, x: &[f64], out: &mut [f64]) {
        self.mul_j_scalars(x, out);
        // the rows of a contact have the same columns: numbers are looked up once
        let mut found = [0.0; 64];
        for c in &self.contacts {
            let (base, dim) = (c.base as usize, c.dim as usize);
            let entries = self.entries(base);
            let n = entries.len();
            let Some(found) = found.get_mut(..n) else {
                (base..base + dim).for_each(|row| out[row] = self.row_dot(row, x));
                continue;
            };
            for (y, &c) in found.iter_mut().zip(&self.colind[entries.clone()]) {
                *y = x[c as usize];
            }
            let rows = &self.J[entries.start..entries.start + dim * n];
            for (k, y) in out[base..base + dim].iter_mut().enumerate() {
                *y = dot(&rows[k * n..(k + 1) * n], found);
            }
        }
    }

    /// `out = J·x` in the rows of no contact.
    pub(super) fn mul_j_scalars(&self, x: &[f64], out: &mut [f64]) {
        let nscalar = self.contacts.first().map_or(self.nbase(), |c| c.base as usize);
        for (row, y) in out.iter_mut().enumerate().take(nscalar) {
            *y = self.row_dot(row, x);
        }
    }

    fn row_dot(&self, row: usize, x: &[f64]) -> f64 {
        let entries = self.entries(row);
        let mut sum = 0.0;
        for (v, &c) in self.J[entries.clone()].iter().zip(&self.colind[entries]) {
            sum += v * x[c as usize];
        }
        sum
    }

    /// Forgets all rows, keeps the memory.
    pub fn clear(&mut self) {
        (self.ne, self.nf, self.nl, self.nefc) = (0, 0, 0, 0);
        self.truncate(0);
        self.contacts.clear();
        self.force.clear();
        self.state.clear();
        self.vel.clear();
        self.aref.clear();
    }

    /// Copies everything; allocates nothing when the room is there.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        (self.ne, self.nf, self.nl, self.nefc) = (from.ne, from.nf, from.nl, from.nefc);
        self.rowadr.clone_from(&from.rowadr);
        self.rownnz.clone_from(&from.rownnz);
        self.colind.clone_from(&from.colind);
        self.J.clone_from(&from.J);
        self.kind.clone_from(&from.kind);
        self.id.clone_from(&from.id);
        self.pos.clone_from(&from.pos);
        self.margin.clone_from(&from.margin);
        self.frictionloss.clone_from(&from.frictionloss);
        self.KBIP.clone_from(&from.KBIP);
        self.R.clone_from(&from.R);
        self.D.clone_from(&from.D);
        self.vel.clone_from(&from.vel);
        self.aref.clone_from(&from.aref);
        self.contacts.clone_from(&from.contacts);
        self.force.clone_from(&from.force);
        self.state.clone_from(&from.state);
    }

    /// Adds the entries of the next row.
    #[inline]
    pub(super) fn push_entries(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        let adr = self.J.len();
        for (col, value) in entries {
            self.colind.push(col);
            self.J.push(value);
        }
        self.rowadr.push(adr as u32);
        self.rownnz.push((self.J.len() - adr) as u32);
    }

    /// Adds `count` rows with the same columns and has their entries, one row after the other, filled by `fill`, which may
    /// write to [`BEYOND`] places behind them.
    #[inline]
    pub(super) fn push_block(
        &mut self,
        count: usize,
        columns: &(impl ExactSizeIterator<Item = u32> + Clone),
        fill: impl FnOnce(&mut [f64]),
    ) {
        let (adr, n) = (self.J.len(), columns.len());
        // not as slices: calls that copy a few numbers take longer
        for _ in 0..count {
            self.colind.extend(columns.clone());
        }
        self.rowadr.extend((0..count).map(|k| (adr + k * n) as u32));
        self.rownnz.resize(self.rownnz.len() + count, n as u32);
        self.J.resize(adr + count * n + BEYOND, 0.0);
        fill(&mut self.J[adr..]);
        self.J.truncate(adr + count * n);
    }

    /// Adds what a row says besides its Jacobian, and its softness.
    #[inline]
    pub(super) fn push_head(&mut self, head: &Head, kbip: [f64; 4], r: f64) {
        self.kind.push(head.kind);
        self.id.push(head.id as u32);
        self.pos.push(head.pos);
        self.margin.push(head.margin);
        self.frictionloss.push(head.frictionloss);
        self.KBIP.push(kbip);
        self.R.push(r);
        self.D.push(1.0 / r);
    }

    /// Adds what the rows of a contact say besides their Jacobian: the normal with its spring, then `sideways` ones.
    #[inline(always)]
    pub(super) fn push_contact_heads<const D: usize>(
        &mut self,
        head: &Head,
        spring: [f64; 4],
        sideways: [f64; 4],
        [r, inverse]: [&[f64; 6]; 2],
    ) {
        let (mut pos, mut margin, mut kbip) = ([0.0; D], [0.0; D], [sideways; D]);
        (pos[0], margin[0], kbip[0]) = (head.pos, head.margin, spring);
        self.kind.extend_from_slice(&[head.kind; D]);
        self.id.extend_from_slice(&[head.id as u32; D]);
        self.pos.extend_from_slice(&pos);
        self.margin.extend_from_slice(&margin);
        self.frictionloss.extend_from_slice(&[head.frictionloss; D]);
        self.KBIP.extend_from_slice(&kbip);
        self.R.extend_from_slice(&r[..D]);
        self.D.extend_from_slice(&inverse[..D]);
    }

    /// Completes a row of its own: its entries are in. Drops it when it is empty.
    pub(super) fn finish_row(&mut self, m: &Model, head: &Head, param: &SolParam, diag: f64) -> bool {
        let row = self.nbase() - 1;
        if self.drop_if_empty(m, row) {
            return false;
        }
        let kind = match head.kind {
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => RowKind::Friction,
            _ => RowKind::Position,
        };
        let imp = param.impedance(head.pos, head.margin);
        self.push_head(head, param.kbip(kind, imp), regularizer(imp.0, diag));
        true
    }

    /// Takes back the rows from `first` on when their whole block is empty: without entries in MuJoCo's sparse mode,
    /// without a number other than zero in its dense mode.
    pub(super) fn drop_if_empty(&mut self, m: &Model, first: usize) -> bool {
        let start = self.rowadr.get(first).map_or(self.J.len(), |adr| *adr as usize);
        let entries = &self.J[start..];
        let empty = if m.is_sparse() { entries.is_empty() } else { entries.iter().all(|x| *x == 0.0) };
        if empty {
            self.truncate(first);
        }
        empty
    }

    fn truncate(&mut self, rows: usize) {
        let entries = self.rowadr.get(rows).map_or(self.J.len(), |adr| *adr as usize);
        self.colind.truncate(entries);
        self.J.truncate(entries);
        self.rowadr.truncate(rows);
        self.rownnz.truncate(rows);
        self.kind.truncate(rows);
        self.id.truncate(rows);
        self.pos.truncate(rows);
        self.margin.truncate(rows);
        self.frictionloss.truncate(rows);
        self.KBIP.truncate(rows);
        self.R.truncate(rows);
        self.D.truncate(rows);
    }
}
