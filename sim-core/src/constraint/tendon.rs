//! Rows of the tendon Jacobian as the constraints use them.

use sim_types::{OptId, WrapType};

use crate::data::Data;
use crate::model::Model;

/// Columns and entries of a tendon's row.
///
/// The pattern of `ten_J` holds every geom the tendon may wrap around. A geom that the path passes by has no entries in
/// MuJoCo's sparse rows, and so does not join its tree to the others'. Its dense rows join nothing by a zero.
pub(super) fn tendon_row<'a>(m: &'a Model, d: &'a Data, tendon: usize) -> impl Iterator<Item = (u32, f64)> + 'a {
    let entries = m.ten_j_row(tendon);
    let pairs = m.ten_J_colind[entries.clone()].iter().copied().zip(d.ten_J[entries].iter().copied());
    let sparse = m.is_sparse();
    let tree = |dof: u32| OptId::some(m.dof_treeid[dof as usize] as usize);
    pairs.filter(move |&(dof, x)| x != 0.0 || (sparse && reaches(m, d, tendon, tree(dof))))
}

/// Whether the present path has a piece between two bodies of which one is in the tree.
fn reaches(m: &Model, d: &Data, tendon: usize, tree: OptId) -> bool {
    let objects = m.tendon_objects(tendon);
    if m.wrap_type[objects.start] == WrapType::Joint {
        return true;
    }
    // the path's points that belong to no geom are its sites, in order
    let mut sites = objects.filter(|&o| m.wrap_type[o] == WrapType::Site).filter_map(|o| m.wrap_objid[o].get());
    let first = d.ten_wrapadr[tendon] as usize;
    let mut before = None;
    for point in first..first + d.ten_wrapnum[tendon] as usize {
        let body = match d.wrap_obj[point / 2][point % 2] {
            -2 => None,
            -1 => sites.next().map(|site| m.site_bodyid[site] as usize),
            geom => Some(m.geom_bodyid[geom as usize] as usize),
        };
        if let (Some(a), Some(b)) = (before, body)
            && a != b
            && [a, b].iter().any(|&body| m.body_treeid[body] == tree)
        {
            return true;
        }
        before = body;
    }
    false
}
