//! The degrees of freedom that move two bodies.

use sim_types::{Contact, Motion, Vec3};

use crate::model::Model;

/// The dof moves the first body only.
pub(super) const FIRST: u8 = 1;
/// The dof moves the second body only.
pub(super) const SECOND: u8 = 2;

/// Every dof that moves one of two bodies or both, increasing, with the bodies that it moves.
#[doc(alias = "mj_mergeChain")]
pub(super) fn both_chains(m: &Model, body1: usize, body2: usize, out: &mut Vec<(u32, u8)>) {
    walk(m, body1, body2, true, out);
}

/// Every dof that moves exactly one of two bodies, increasing, with its axis, by components.
///
/// What is above both moves a common point of them alike: its column in the difference of their Jacobians is zero.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unshared {
    dofs: Vec<u32>,
    /// Rotation and translation, four dofs at a time; negative where the dof moves the first body.
    axes: Vec<[[f64; 4]; 6]>,
    /// How many dofs are of the tree whose root is `roots[0]`; the others are of that of `roots[1]`.
    split: usize,
    roots: [usize; 2],
    walked: Vec<(u32, u8)>,
}

impl Unshared {
    /// The dofs.
    pub(super) fn dofs(&self) -> &[u32] {
        &self.dofs
    }

    /// Finds the dofs that move two bodies, and takes their axes.
    pub(super) fn find(&mut self, m: &Model, cdof: &[Motion], [first, second]: [usize; 2]) {
        self.dofs.clear();
        let last = [last_dof(m, first), last_dof(m, second)];
        let roots = [first, second].map(|body| m.body_rootid[body] as usize);
        if let (Some(above1), Some(above2)) = (with_ancestors(m, last[0]), with_ancestors(m, last[1]))
            && (roots[0] != roots[1] || above1.is_empty() || above2.is_empty())
        {
            // no dof is above both: the dofs of one tree come before those of the other
            let swap = last[0] > last[1];
            let ((low, high), roots) =
                if swap { ((above2, above1), [roots[1], roots[0]]) } else { ((above1, above2), roots) };
            self.dofs.extend_from_slice(low);
            self.dofs.extend_from_slice(high);
            (self.split, self.roots) = (low.len(), roots);
            let sign = if swap { 1.0 } else { -1.0 };
            self.take(cdof, |i| if i < low.len() { sign } else { -sign });
            return;
        }
        let mut walked = std::mem::take(&mut self.walked);
        walk(m, first, second, false, &mut walked);
        self.dofs.extend(walked.iter().map(|w| w.0));
        // in one tree offsets are the same; of two trees, one comes first
        self.roots = if last[0] > last[1] { [roots[1], roots[0]] } else { roots };
        let low = if last[0] > last[1] { SECOND } else { FIRST };
        self.split = if roots[0] == roots[1] { walked.len() } else { walked.iter().take_while(|w| w.1 == low).count() };
        self.take(cdof, |i| if walked[i].1 == FIRST { -1.0 } else { 1.0 });
        self.walked = walked;
    }

    /// Takes the axes of the dofs, each with its sign.
    #[inline(always)]
    fn take(&mut self, cdof: &[Motion], sign: impl Fn(usize) -> f64) {
        self.axes.resize(self.dofs.len().div_ceil(4), [[0.0; 4]; 6]);
        if let Some(last) = self.axes.last_mut() {
            *last = [[0.0; 4]; 6];
        }
        for (i, &dof) in self.dofs.iter().enumerate() {
            let (axis, sign) = (&cdof[dof as usize], sign(i));
            let group = &mut self.axes[i / 4];
            for k in 0..3 {
                group[k][i % 4] = sign * axis.rot[k];
                group[k + 3][i % 4] = sign * axis.lin[k];
            }
        }
    }

    /// Fills the rows of a contact: velocity of the second body relative to the first, along the axes of its frame. Writes
    /// a few numbers behind the last row too.
    pub(super) fn fill(&self, con: &Contact, subtree_com: &[Vec3], rows: &mut [f64]) {
        let offsets = self.roots.map(|root| con.pos - subtree_com[root]);
        match con.dim {
            1 => self.fill_rows::<1>(con, &offsets, rows),
            3 => self.fill_rows::<3>(con, &offsets, rows),
            4 => self.fill_rows::<4>(con, &offsets, rows),
            _ => self.fill_rows::<6>(con, &offsets, rows),
        }
    }

    #[inline(always)]
    fn fill_rows<const D: usize>(&self, con: &Contact, offsets: &[Vec3; 2], rows: &mut [f64]) {
        let n = self.dofs.len();
        // backwards, so that what is written beyond the end of a row is overwritten by the next one
        for (g, axes) in self.axes.iter().enumerate().rev() {
            let at = 4 * g;
            let mut values = columns::<D>(axes, &offsets[usize::from(at >= self.split)], con);
            if at < self.split && self.split < (at + 4).min(n) {
                // a group of both trees
                let high = columns::<D>(axes, &offsets[1], con);
                for k in 0..D {
                    for l in self.split - at..4 {
                        values[k][l] = high[k][l];
                    }
                }
            }
            for k in 0..D {
                if let Some(row) = rows.get_mut(k * n + at..).and_then(|row| row.first_chunk_mut()) {
                    *row = values[k];
                }
            }
        }
    }
}

/// Entries of four dofs in the `D` rows of a contact.
#[inline(always)]
fn columns<const D: usize>([wx, wy, wz, x, y, z]: &[[f64; 4]; 6], offset: &Vec3, con: &Contact) -> [[f64; 4]; D] {
    let mut out = [[0.0; 4]; D];
    let (mut vx, mut vy, mut vz) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    for l in 0..4 {
        vx[l] = x[l] + (wy[l] * offset.z - wz[l] * offset.y);
        vy[l] = y[l] + (wz[l] * offset.x - wx[l] * offset.z);
        vz[l] = z[l] + (wx[l] * offset.y - wy[l] * offset.x);
    }
    for k in 0..D {
        let [a, b, c] = [0, 1, 2].map(|c| con.frame[(k % 3, c)]);
        let (x, y, z) = if k < 3 { (&vx, &vy, &vz) } else { (wx, wy, wz) };
        for l in 0..4 {
            out[k][l] = a * x[l] + b * y[l] + c * z[l];
        }
    }
    out
}

/// A dof and all above it, increasing; none for no dof. They are the columns of its row of the inertia, unless that row is
/// known to be diagonal.
#[inline]
fn with_ancestors(m: &Model, dof: i32) -> Option<&[u32]> {
    let Ok(dof) = usize::try_from(dof) else { return Some(&[]) };
    let (adr, nnz) = (m.M_rowadr[dof] as usize, m.M_rownnz[dof] as usize);
    (m.dof_simplenum[dof] == 0).then(|| m.M_colind.get(adr..adr + nnz))?
}

fn walk(m: &Model, body1: usize, body2: usize, shared: bool, out: &mut Vec<(u32, u8)>) {
    out.clear();
    let (mut a, mut b) = (last_dof(m, body1), last_dof(m, body2));
    while a != b {
        let dof = if a > b { a } else { b };
        let side = if a > b { FIRST } else { SECOND };
        out.push((dof as u32, side));
        let up = m.dof_parentid[dof as usize].raw();
        if side == FIRST {
            a = up;
        } else {
            b = up;
        }
    }
    // from here on the two chains are one
    while shared && a >= 0 {
        out.push((a as u32, FIRST | SECOND));
        a = m.dof_parentid[a as usize].raw();
    }
    out.reverse();
}

/// The last dof of the body that carries this one, or −1.
fn last_dof(m: &Model, body: usize) -> i32 {
    let dofs = m.body_dofs(m.body_weldid[body] as usize);
    if dofs.is_empty() { -1 } else { dofs.end as i32 - 1 }
}
