//! Scales of a model at its reference pose.

use sim_types::{GeomType, JointType, Statistic, Vec3};

use super::flex;
use crate::data::Data;
use crate::model::Model;

/// Size, mass and inertia scales of the whole model.
pub(super) fn set_statistics(m: &mut Model, d: &Data) {
    let mut stat = Statistic::default();
    bounding_box(m, d, &mut stat);

    let size = body_sizes(m, d);
    let moving = m.nbody.saturating_sub(1);
    if moving > 0 {
        stat.meansize = size[1..].iter().map(|s| s / moving as f64).sum();
        stat.meanmass = m.body_mass[1..].iter().sum::<f64>() / moving as f64;
    }
    stat.extent = stat.extent.max(2.0 * stat.meansize);
    if m.nv > 0 {
        let diagonal = (0..m.nv).map(|dof| d.M[(m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize]);
        stat.meaninertia = diagonal.sum::<f64>() / m.nv as f64;
    }
    for dof in 0..m.nv {
        let jnt = m.dof_jntid[dof] as usize;
        let rotates = match m.jnt_type[jnt] {
            JointType::Slide => false,
            JointType::Ball | JointType::Hinge => true,
            JointType::Free => dof >= m.jnt_dofadr[jnt] as usize + 3,
        };
        m.dof_length[dof] = if rotates { size[m.dof_bodyid[dof] as usize] } else { 1.0 };
    }
    m.stat = stat;
}

/// The box around bodies, joints, sites and geoms.
fn bounding_box(m: &Model, d: &Data, stat: &mut Statistic) {
    let (mut low, mut high) = (Vec3::repeat(1e10), Vec3::repeat(-1e10));
    let mut include = |p: &Vec3, radius: f64| {
        for k in 0..3 {
            low[k] = low[k].min(p[k] - radius);
            high[k] = high[k].max(p[k] + radius);
        }
    };
    for body in 1..m.nbody {
        include(&d.xpos[body], 0.0);
        include(&d.xipos[body], 0.0);
    }
    for p in d.xanchor.iter().chain(&d.site_xpos) {
        include(p, 0.0);
    }
    for geom in 0..m.ngeom {
        include(&d.geom_xpos[geom], geom_radius(m, geom));
    }
    stat.center = (low + high) * 0.5;
    if high.x > low.x {
        stat.extent = (high - low).max().max(1e-5);
    }
}

/// Radius of a geom for the purpose of statistics; planes and height fields count a tenth of their size.
fn geom_radius(m: &Model, geom: usize) -> f64 {
    if m.geom_rbound[geom] > 0.0 {
        return m.geom_rbound[geom];
    }
    match (m.geom_type[geom], m.geom_dataid[geom].get()) {
        (GeomType::Plane, _) => {
            let size = &m.geom_size[geom];
            if size.x == 0.0 && size.y == 0.0 { 1.0 } else { 0.1 * size.x.max(size.y) }
        }
        (GeomType::Hfield, Some(id)) => 0.1 * m.assets.hfield_size[id].iter().copied().fold(0.0, f64::max),
        _ => 0.0,
    }
}

/// How far each body reaches from its centre of mass, at least 1e-5.
fn body_sizes(m: &Model, d: &Data) -> Vec<f64> {
    let mut size = vec![0.0f64; m.nbody];
    for jnt in 0..m.njnt {
        let body = m.jnt_bodyid[jnt] as usize;
        for b in [body, m.body_parentid[body] as usize] {
            size[b] = size[b].max((d.xipos[b] - d.xanchor[jnt]).norm());
        }
    }
    for body in 1..m.nbody {
        for geom in m.body_geoms(body) {
            if m.geom_rbound[geom] > 0.0 {
                size[body] = size[body].max(m.geom_rbound[geom] + (d.xipos[body] - d.geom_xpos[geom]).norm());
            }
        }
    }
    flex::extend_bodies(m, d, &mut size);
    size.iter_mut().skip(1).for_each(|s| *s = s.max(1e-5));
    size
}
