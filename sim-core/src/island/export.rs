//! Islands as MuJoCo stores them: arrays by MuJoCo's names.

use super::Islands;
use crate::arrays::Array;
use crate::constraint::Efc;
use crate::model::Model;

/// MuJoCo's names of what [`Islands::array`] gives.
pub(crate) const NAMES: &[&str] = &[
    "nisland",
    "nidof",
    "tree_island",
    "island_ntree",
    "island_itreeadr",
    "map_itree2tree",
    "dof_island",
    "island_nv",
    "island_idofadr",
    "island_dofadr",
    "map_dof2idof",
    "map_idof2dof",
    "efc_island",
    "island_ne",
    "island_nf",
    "island_nefc",
    "island_iefcadr",
    "map_iefc2efc",
    "map_efc2iefc",
];

impl Islands {
    /// An array by MuJoCo's name.
    pub(crate) fn array(&self, m: &Model, efc: &Efc, name: &str) -> Option<Array> {
        let vector = |data: Vec<f64>| Some(Array { shape: vec![data.len()], data });
        let starts = |adr: &[u32]| vector(adr.iter().take(self.nisland).map(|x| f64::from(*x)).collect());
        let counts = |adr: &[u32]| vector(adr.windows(2).take(self.nisland).map(|w| f64::from(w[1] - w[0])).collect());
        let numbers = |list: &[u32]| {
            let shown = if self.nisland > 0 { list } else { &[] };
            vector(shown.iter().map(|x| f64::from(*x)).collect())
        };
        let first_rows = self.islands_of_rows(efc);
        match name {
            "nisland" => Some(Array::scalar(self.nisland as f64)),
            "nidof" => Some(Array::scalar(self.nidof as f64)),
            "tree_island" => vector(self.tree_island.iter().map(|x| f64::from(x.raw())).collect()),
            "island_ntree" => counts(&self.island_itreeadr),
            "island_itreeadr" => starts(&self.island_itreeadr),
            "map_itree2tree" => numbers(&self.map_itree2tree),
            "dof_island" => vector((0..m.nv).map(|dof| self.dof_island(m, dof)).collect()),
            "island_nv" => counts(&self.island_idofadr),
            "island_idofadr" => starts(&self.island_idofadr),
            "island_dofadr" => {
                let first = |adr: &u32| self.map_idof2dof.get(*adr as usize).map_or(-1.0, |x| f64::from(*x));
                vector(self.island_idofadr.iter().take(self.nisland).map(first).collect())
            }
            "map_dof2idof" => numbers(&self.map_dof2idof),
            "map_idof2dof" => numbers(&self.map_idof2dof),
            "efc_island" => vector(first_rows.iter().map(|x| f64::from(*x)).collect()),
            "island_ne" => vector(self.count_rows(&first_rows, 0..efc.ne)),
            "island_nf" => vector(self.count_rows(&first_rows, efc.ne..efc.ne + efc.nf)),
            "island_nefc" => vector(self.count_rows(&first_rows, 0..efc.nefc)),
            "island_iefcadr" => {
                let counts = self.count_rows(&first_rows, 0..efc.nefc);
                let starts = counts.iter().scan(0.0, |next, n| {
                    let start = *next;
                    *next += n;
                    Some(start)
                });
                vector(starts.collect())
            }
            "map_iefc2efc" => vector(rows_by_island(&first_rows).iter().map(|x| *x as f64).collect()),
            "map_efc2iefc" => {
                let order = rows_by_island(&first_rows);
                let mut inverse = vec![0.0; order.len()];
                for (i, row) in order.into_iter().enumerate() {
                    inverse[row] = i as f64;
                }
                vector(inverse)
            }
            _ => None,
        }
    }

    fn dof_island(&self, m: &Model, dof: usize) -> f64 {
        let tree = m.dof_treeid[dof] as usize;
        if self.nisland == 0 { -1.0 } else { self.tree_island.get(tree).map_or(-1.0, |x| f64::from(x.raw())) }
    }

    /// Island of every row, as MuJoCo counts rows.
    fn islands_of_rows(&self, efc: &Efc) -> Vec<u32> {
        if self.nisland == 0 || self.base_island.len() != efc.nbase() {
            return Vec::new();
        }
        let scalars = self.base_island[..efc.ne + efc.nf + efc.nl].iter().copied();
        let contacts =
            efc.contacts.iter().flat_map(|c| std::iter::repeat_n(self.base_island[c.base as usize], c.nrow()));
        scalars.chain(contacts).collect()
    }

    fn count_rows(&self, rows: &[u32], range: std::ops::Range<usize>) -> Vec<f64> {
        let mut counts = vec![0.0; self.nisland];
        for &island in rows.get(range).unwrap_or(&[]) {
            counts[island as usize] += 1.0;
        }
        counts
    }
}

fn rows_by_island(rows: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| rows[row]);
    order
}
