//! The rows as MuJoCo stores them: pyramids expanded to edges, arrays by MuJoCo's names.

use sim_constraint::impedance::diagonal;
use sim_types::Item;

use super::Efc;
use crate::arrays::Array;

/// A row as MuJoCo counts: a base row, or an edge that is a base row plus a multiple of another.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    base: usize,
    /// The tangent of an edge, and its signed friction.
    edge: Option<(usize, f64)>,
}

/// MuJoCo's names of what [`Efc::array`] gives.
pub(crate) const NAMES: &[&str] = &[
    "ne",
    "nf",
    "nl",
    "nefc",
    "efc_type",
    "efc_id",
    "efc_J",
    "efc_J_rownnz",
    "efc_J_rowadr",
    "efc_J_colind",
    "efc_pos",
    "efc_margin",
    "efc_frictionloss",
    "efc_diagApprox",
    "efc_KBIP",
    "efc_R",
    "efc_D",
    "efc_vel",
    "efc_aref",
    "efc_b",
    "efc_force",
    "efc_state",
];

impl Efc {
    /// Residuals, velocities or references of all rows, from those of the base rows.
    pub fn expand(&self, values: &[f64]) -> Vec<f64> {
        let at = |i: usize| values.get(i).copied().unwrap_or(0.0);
        self.mujoco_rows().map(|row| row.edge.map_or(at(row.base), |(k, mu)| at(row.base) + mu * at(k))).collect()
    }

    /// The Jacobian of all rows, row-major with `nv` columns.
    #[doc(alias = "mju_sparse2dense")]
    pub fn dense_jacobian(&self, nv: usize) -> Vec<f64> {
        let mut dense = vec![0.0; self.nefc * nv];
        for (row, out) in self.mujoco_rows().zip(dense.chunks_exact_mut(nv.max(1))) {
            self.add_row(row.base, 1.0, out);
            if let Some((tangent, mu)) = row.edge {
                self.add_row(tangent, mu, out);
            }
        }
        dense
    }

    /// The Jacobian of all rows, compressed: number of entries of each row, columns, values.
    pub fn sparse_jacobian(&self) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
        let (mut rownnz, mut colind, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for row in self.mujoco_rows() {
            let entries = self.entries(row.base);
            rownnz.push(self.rownnz[row.base]);
            colind.extend_from_slice(&self.colind[entries.clone()]);
            match row.edge {
                None => values.extend_from_slice(&self.J[entries]),
                Some((tangent, mu)) => {
                    let sideways = &self.J[self.entries(tangent)];
                    values.extend(self.J[entries].iter().zip(sideways).map(|(n, t)| n + mu * t));
                }
            }
        }
        (rownnz, colind, values)
    }

    /// An array by MuJoCo's name.
    pub(crate) fn array(&self, qacc_smooth: &[f64], name: &str) -> Option<Array> {
        let nv = qacc_smooth.len();
        let vector = |data: Vec<f64>| Some(Array { shape: vec![data.len()], data });
        let of_base = |f: &dyn Fn(usize) -> f64| vector(self.mujoco_rows().map(|row| f(row.base)).collect());
        let (rownnz, colind, _) = match name {
            "efc_J_rownnz" | "efc_J_rowadr" | "efc_J_colind" => self.sparse_jacobian(),
            _ => Default::default(),
        };
        match name {
            "ne" => Some(Array::scalar(self.ne as f64)),
            "nf" => Some(Array::scalar(self.nf as f64)),
            "nl" => Some(Array::scalar(self.nl as f64)),
            "nefc" => Some(Array::scalar(self.nefc as f64)),
            "efc_type" => of_base(&|i| f64::from(self.kind[i].number())),
            "efc_id" => of_base(&|i| f64::from(self.id[i])),
            "efc_J" => Some(Array { shape: vec![self.nefc, nv], data: self.dense_jacobian(nv) }),
            "efc_J_rownnz" => vector(rownnz.iter().map(|n| f64::from(*n)).collect()),
            "efc_J_rowadr" => vector(addresses(&rownnz)),
            "efc_J_colind" => vector(colind.iter().map(|c| f64::from(*c)).collect()),
            "efc_pos" => of_base(&|i| self.pos[i]),
            "efc_margin" => of_base(&|i| self.margin[i]),
            "efc_frictionloss" => of_base(&|i| self.frictionloss[i]),
            "efc_diagApprox" => of_base(&|i| diagonal(self.KBIP[i][2], self.R[i])),
            "efc_KBIP" => {
                let mut data = Vec::with_capacity(4 * self.nefc);
                self.mujoco_rows().for_each(|row| self.KBIP[row.base].write(&mut data));
                Some(Array { shape: vec![self.nefc, 4], data })
            }
            "efc_R" => of_base(&|i| self.R[i]),
            "efc_D" => of_base(&|i| self.D[i]),
            "efc_vel" => vector(self.expand(&self.vel)),
            "efc_aref" => vector(self.expand(&self.aref)),
            "efc_b" => {
                let mut b = vec![0.0; self.nbase()];
                self.mul_j(qacc_smooth, &mut b);
                b.iter_mut().zip(&self.aref).for_each(|(b, aref)| *b -= aref);
                vector(self.expand(&b))
            }
            "efc_force" => vector(self.force.clone()),
            "efc_state" => vector(self.state.iter().map(|s| f64::from(*s)).collect()),
            _ => None,
        }
    }

    /// The rows as MuJoCo counts them.
    fn mujoco_rows(&self) -> impl Iterator<Item = Row> + '_ {
        let scalars = (0..self.ne + self.nf + self.nl).map(|base| Row { base, edge: None });
        let contacts = self.contacts.iter().flat_map(|con| {
            let normal = con.base as usize;
            (0..con.nrow()).map(move |k| {
                if con.is_pyramid() {
                    let mu = con.friction[k / 2];
                    Row { base: normal, edge: Some((normal + 1 + k / 2, if k % 2 == 0 { mu } else { -mu })) }
                } else {
                    Row { base: normal + k, edge: None }
                }
            })
        });
        scalars.chain(contacts)
    }

    fn add_row(&self, base: usize, scale: f64, out: &mut [f64]) {
        let entries = self.entries(base);
        for (x, &col) in self.J[entries.clone()].iter().zip(&self.colind[entries]) {
            out[col as usize] += scale * x;
        }
    }
}

fn addresses(rownnz: &[u32]) -> Vec<f64> {
    let starts = rownnz.iter().scan(0, |next, n| {
        let start = *next;
        *next += n;
        Some(f64::from(start))
    });
    starts.collect()
}
