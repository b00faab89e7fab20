//! Jacobians of points, bodies and sites.
//!
//! A Jacobian here is two `3 × nv` row-major matrices: `jacp` for the velocity of the point, `jacr` for the angular
//! velocity of the body. Either may be left out by passing an empty slice.

use sim_types::Vec3;

use crate::data::Data;
use crate::model::Model;

/// Jacobian of a point fixed in `body`, given in the world frame.
///
/// Reads `cdof`, `subtree_com`. `jacp` and `jacr` must have `3·nv` numbers, or none.
#[doc(alias = "mj_jac")]
pub fn jac(m: &Model, d: &Data, jacp: &mut [f64], jacr: &mut [f64], point: &Vec3, body: usize) {
    let nv = m.nv;
    jacp.fill(0.0);
    jacr.fill(0.0);
    let offset = point - d.subtree_com[m.body_rootid[body] as usize];
    for dof in m.body_chain(body) {
        let axis = &d.cdof[dof];
        if !jacr.is_empty() {
            for k in 0..3 {
                jacr[k * nv + dof] = axis.rot[k];
            }
        }
        if !jacp.is_empty() {
            let at_point = axis.lin + axis.rot.cross(&offset);
            for k in 0..3 {
                jacp[k * nv + dof] = at_point[k];
            }
        }
    }
}

/// Jacobian of the origin of a body's frame.
#[doc(alias = "mj_jacBody")]
pub fn jac_body(m: &Model, d: &Data, jacp: &mut [f64], jacr: &mut [f64], body: usize) {
    jac(m, d, jacp, jacr, &d.xpos[body], body);
}

/// Jacobian of a body's centre of mass.
#[doc(alias = "mj_jacBodyCom")]
pub fn jac_body_com(m: &Model, d: &Data, jacp: &mut [f64], jacr: &mut [f64], body: usize) {
    jac(m, d, jacp, jacr, &d.xipos[body], body);
}

/// Jacobian of a geom's centre.
#[doc(alias = "mj_jacGeom")]
pub fn jac_geom(m: &Model, d: &Data, jacp: &mut [f64], jacr: &mut [f64], geom: usize) {
    jac(m, d, jacp, jacr, &d.geom_xpos[geom], m.geom_bodyid[geom] as usize);
}

/// Jacobian of a site.
#[doc(alias = "mj_jacSite")]
pub fn jac_site(m: &Model, d: &Data, jacp: &mut [f64], jacr: &mut [f64], site: usize) {
    jac(m, d, jacp, jacr, &d.site_xpos[site], m.site_bodyid[site] as usize);
}
