//! Constants of a model that follow from its other fields.

use sim_types::{GeomType, JointType, MINVAL, SleepPolicy, Statistic, Vec3};

use crate::data::Data;
use crate::error::ModelError;
use crate::jacobian::jac_body_com;
use crate::model::Model;
use crate::smooth;

/// Recomputes everything derived from masses, inertias and poses: subtree masses, inertia and inverse inertia at the
/// reference pose, tracking offsets of cameras and lights, statistics.
///
/// Call it after editing such fields by hand. `stat` is overwritten: set user statistics afterwards.
#[doc(alias = "mj_setConst")]
pub fn set_const(m: &mut Model) -> Result<(), ModelError> {
    m.check()?;
    set_fixed(m);
    let mut d = m.make_data();
    set_reference_pose(m, &mut d);
    set_statistics(m, &d);
    Ok(())
}

/// What does not depend on the pose.
fn set_fixed(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for body in (1..m.nbody).rev() {
        let mass = m.body_subtreemass[body];
        m.body_subtreemass[m.body_parentid[body] as usize] += mass;
    }
    m.ngravcomp = m.body_gravcomp.iter().filter(|x| **x > 0.0).count();

    // trees own contiguous runs of bodies and dofs
    for tree in 0..m.ntree {
        let of_tree = |id: &sim_types::OptId| id.get() == Some(tree);
        m.tree_bodyadr[tree] = m.body_treeid.iter().position(of_tree).unwrap_or(0) as u32;
        m.tree_bodynum[tree] = m.body_treeid.iter().filter(|id| of_tree(id)).count() as u32;
        m.tree_dofadr[tree] = m.dof_treeid.iter().position(|t| *t as usize == tree).unwrap_or(0) as u32;
        m.tree_dofnum[tree] = m.dof_treeid.iter().filter(|t| **t as usize == tree).count() as u32;
        if m.tree_sleep_policy[tree] == SleepPolicy::Auto {
            m.tree_sleep_policy[tree] = SleepPolicy::AutoAllowed;
        }
    }
}

/// What is measured at the reference pose.
fn set_reference_pose(m: &mut Model, d: &mut Data) {
    smooth::kinematics(m, d);
    smooth::com_pos(m, d);
    smooth::cam_light_fixed(m, d);

    // diagonal of M: simple dofs take it from here
    let mut composite = d.cinert.clone();
    for body in (1..m.nbody).rev() {
        let child = composite[body];
        composite[m.body_parentid[body] as usize] += child;
    }
    for dof in 0..m.nv {
        let force = composite[m.dof_bodyid[dof] as usize] * d.cdof[dof];
        m.dof_M0[dof] = m.dof_armature[dof] + d.cdof[dof].dot(&force);
    }
    smooth::crb(m, d);
    smooth::factor_m(m, d);

    body_inverse_inertia(m, d);
    dof_inverse_inertia(m, d);
    tracking_offsets(m, d);
}

/// Mean inverse inertia of each body, translation and rotation.
fn body_inverse_inertia(m: &mut Model, d: &Data) {
    let nv = m.nv;
    let mut jac = vec![0.0; 6 * nv];
    let mut solved = vec![0.0; nv];
    for body in 0..m.nbody {
        m.body_invweight0[body] = if m.body_weldid[body] == 0 {
            [0.0; 2]
        } else if m.body_simple[body] == 2 {
            [1.0 / m.body_mass[body].max(MINVAL), 0.0]
        } else {
            // mean diagonal of J M⁻¹ Jᵀ
            let (jacp, jacr) = jac.split_at_mut(3 * nv);
            jac_body_com(m, d, jacp, jacr, body);
            let mut diagonal = [0.0; 6];
            for (k, row) in jac.chunks_exact(nv).enumerate() {
                solved.copy_from_slice(row);
                smooth::solve_m(m, d, &mut solved);
                diagonal[k] = row.iter().zip(&solved).map(|(a, b)| a * b).sum();
            }
            let tran = (diagonal[0] + diagonal[1] + diagonal[2]) / 3.0;
            let rot = (diagonal[3] + diagonal[4] + diagonal[5]) / 3.0;

            // a body that can only turn, or only slide, takes the other number
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
}

/// Diagonal of the inverse inertia matrix, averaged over the dofs that a joint rotates or translates together.
fn dof_inverse_inertia(m: &mut Model, d: &Data) {
    let mut column = vec![0.0; m.nv];
    for jnt in 0..m.njnt {
        let dof = m.jnt_dofadr[jnt] as usize;
        let body = m.jnt_bodyid[jnt] as usize;
        if m.body_simple[body] == 2 {
            m.dof_invweight0[dof] = 1.0 / m.body_mass[body].max(MINVAL);
            continue;
        }
        let mut diagonal = [0.0; 6];
        let n = m.jnt_type[jnt].nv();
        for k in 0..n {
            column.fill(0.0);
            column[dof + k] = 1.0;
            smooth::solve_m(m, d, &mut column);
            diagonal[k] = column[dof + k];
        }
        let mean = |k: usize| (diagonal[k] + diagonal[k + 1] + diagonal[k + 2]) / 3.0;
        let weights = &mut m.dof_invweight0[dof..dof + n];
        match m.jnt_type[jnt] {
            JointType::Free => {
                weights[..3].fill(mean(0));
                weights[3..].fill(mean(3));
            }
            JointType::Ball => weights.fill(mean(0)),
            JointType::Slide | JointType::Hinge => weights[0] = diagonal[0],
        }
    }
}

/// Poses that tracking cameras and lights keep relative to their body.
fn tracking_offsets(m: &mut Model, d: &Data) {
    for cam in 0..m.ncam {
        let body = m.cam_bodyid[cam] as usize;
        let target = m.cam_targetbodyid[cam].get().unwrap_or(body);
        m.cam_pos0[cam] = d.cam_xpos[cam] - d.xpos[body];
        m.cam_poscom0[cam] = d.cam_xpos[cam] - d.subtree_com[target];
        m.cam_mat0[cam] = d.cam_xmat[cam];
    }
    for light in 0..m.nlight {
        let body = m.light_bodyid[light] as usize;
        let target = m.light_targetbodyid[light].get().unwrap_or(body);
        m.light_pos0[light] = d.light_xpos[light] - d.xpos[body];
        m.light_poscom0[light] = d.light_xpos[light] - d.subtree_com[target];
        m.light_dir0[light] = d.light_xdir[light];
    }
}

/// Size, mass and inertia scales of the whole model.
fn set_statistics(m: &mut Model, d: &Data) {
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
        size[body] = size[body].max(1e-5);
    }
    size
}
