//! Tactile sensors: how deep the points of a mesh are in what touches their body, and how it slides.

use sim_collision::sdf::distance;
use sim_types::{GeomType, MINVAL, Vec3};

use crate::collision::Work;
use crate::collision::shape::{Hulls, octree, with_posed};
use crate::data::Data;
use crate::model::Model;

/// Depth at which the pressure is half of its limit.
const SOFTNESS: f64 = 0.05;

/// Pressure and sliding speed along two tangents at every vertex of the mesh, as one list each.
///
/// Everything in contact with the sensor's body counts, whichever geom of it touches; where several overlap a vertex,
/// the last one does. Tangents are axes of the mesh, and the sliding velocity is the world's, as in MuJoCo. Meshes
/// without an octree and height fields have no depth and are left out.
pub(super) fn tactile(m: &Model, d: &Data, work: &mut Work, sensor: usize, out: &mut [f64]) {
    out.fill(0.0);
    let (Some(mesh), Some(geom)) = (m.sensor_objid[sensor].get(), m.sensor_refid[sensor].get()) else { return };
    let weld = m.body_weldid[m.geom_bodyid[geom] as usize] as usize;
    for contact in 0..d.contact.len() {
        for (own, other) in [(0, 1), (1, 0)] {
            let Some(other) = touching(m, d, weld, contact, own, other) else { continue };
            let seen = |c: usize| [(0, 1), (1, 0)].iter().any(|&(a, b)| touching(m, d, weld, c, a, b) == Some(other));
            let first_side = own == 1 && touching(m, d, weld, contact, 0, 1) == Some(other);
            if !first_side && !(0..contact).any(seen) {
                probe(m, d, work, &Probe { mesh, geom, weld, other }, out);
            }
        }
    }
}

/// The other geom of a contact when one side of it is on the sensor's body.
fn touching(m: &Model, d: &Data, weld: usize, contact: usize, own: usize, other: usize) -> Option<usize> {
    let con = &d.contact[contact];
    let body = m.geom_bodyid[con.geom[own].get()?] as usize;
    let geom = con.geom[other].get()?;
    (m.body_weldid[body] as usize == weld).then_some(geom)
}

/// What is measured against what.
struct Probe {
    mesh: usize,
    geom: usize,
    weld: usize,
    other: usize,
}

/// All vertices of the mesh in one geom.
fn probe(m: &Model, d: &Data, work: &mut Work, p: &Probe, out: &mut [f64]) {
    let a = &*m.assets;
    let kind = m.geom_type[p.other];
    let tree = octree(m, p.other);
    if kind == GeomType::Hfield || (kind == GeomType::Mesh && tree.aabb.is_empty()) {
        return;
    }
    let n = a.mesh_vertnum[p.mesh] as usize;
    let first = a.mesh_vertadr[p.mesh] as usize;
    let normals = a.mesh_normal.get(a.mesh_normaladr[p.mesh] as usize..).unwrap_or_default();
    let body = m.geom_bodyid[p.other] as usize;
    let beyond = velocity(m, d, body, &d.geom_xpos[p.other]);
    let none = Hulls::default();
    let options = crate::collision::convex_options(m);
    let (_, convex, _) = work.for_queries();
    for (node, vertex) in a.mesh_vert.iter().skip(first).take(n).enumerate() {
        let pos = d.geom_xmat[p.geom] * Vec3::from(vertex.map(f64::from)) + d.geom_xpos[p.geom];
        let local = d.geom_xmat[p.other].tr_mul(&(pos - d.geom_xpos[p.other]));
        let dist = if kind == GeomType::Mesh {
            tree.distance(&local)
        } else {
            with_posed(m, d, &none, p.other, |posed| distance(&posed.shape, &local, &options, convex)).unwrap_or(0.0)
        };
        if dist.is_nan() || dist >= 0.0 {
            continue;
        }
        let axis = |k: usize| {
            let v = normals.get(3 * node + k).map_or([0.0; 3], |v| v.map(f64::from));
            a.mesh_quat[p.mesh].rotate(&Vec3::from(v))
        };
        let normal = axis(0);
        let sliding = velocity(m, d, p.weld, &pos) - beyond;
        let pressure = dist / (SOFTNESS - dist).max(MINVAL);
        let values = [(normal * pressure).dot(&normal), sliding.dot(&axis(1)).abs(), sliding.dot(&axis(2)).abs()];
        for (channel, value) in out.chunks_exact_mut(n).zip(values) {
            channel[node] = value;
        }
    }
}

/// Velocity of the point of a body that is at a place of the world.
fn velocity(m: &Model, d: &Data, body: usize, pos: &Vec3) -> Vec3 {
    let offset = pos - d.subtree_com[m.body_rootid[body] as usize];
    d.cvel[body].moved(&offset).lin
}
