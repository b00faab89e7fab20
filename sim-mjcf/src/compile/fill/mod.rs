//! From compiled bodies to the arrays of the model.

mod actuator;
mod assets;
mod contact;
mod equality;
mod flex;
mod kinematics;
mod objects;
mod sensor;
mod tendon;

#[cfg(test)]
mod tests;

use super::asset::Assets;
use super::tree::Body;
use super::{budget, names, sparse};
use crate::Limits;
use crate::error::{Location, Problems};
use crate::spec::Spec;
use sim_core::Model;
use sim_types::OptId;

/// Most numbers that one size in the file may ask for; beyond it a model is refused, not allocated.
const MAX_NUMBERS: u64 = 1 << 28;

/// Fills everything but keyframes and custom data: sizes, names, the tree and what is fixed to it, what refers to it.
///
/// Bodies that carry a tendon with inertia are not simple, so tendons come before the sparsity of M.
#[doc(alias = "mjCModel::CopyTree")]
pub(super) fn fill(
    spec: &Spec,
    bodies: &[Body<'_>],
    assets: &Assets<'_>,
    limits: Limits,
    m: &mut Model,
    problems: &mut Problems,
) {
    user_sizes(spec, m, problems);
    if !sizes(spec, bodies, m, problems) || !budget::check_memory(spec, m, limits, problems) {
        return;
    }
    m.modelname.clone_from(&spec.model_name);
    m.opt = spec.option.clone();
    m.vis = spec.visual.clone();
    m.names = names::collect(spec, bodies, m.nkey);
    assets::names(spec, assets, m);
    kinematics::bodies(bodies, m);
    kinematics::joints(bodies, m);
    kinematics::trees(bodies, m, problems);
    assets::materials(spec, m);
    objects::geoms(bodies, m, problems);
    objects::volumes(bodies, m);
    assets::assets(spec, assets, m, problems);
    objects::sites(bodies, m, problems);
    objects::cameras(bodies, m, problems);
    objects::lights(bodies, m, problems);
    tendon::tendons(spec, m, problems);
    flex::flexes(spec, bodies, m, problems);
    kinematics::simple(bodies, m);
    if sparsity(spec, m, limits, problems) {
        contact::pairs(spec, m, problems);
        contact::excludes(spec, m, problems);
        equality::equalities(spec, m, problems);
        actuator::actuators(spec, m, problems);
        sensor::sensors(spec, m, problems);
    }
}

/// All sizes that follow from the lists and from `<size>`; false when they ask for too much.
#[doc(alias = "mjCModel::SetSizes")]
fn sizes(spec: &Spec, bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) -> bool {
    let count = |f: fn(&Body<'_>) -> usize| bodies.iter().map(f).sum::<usize>();
    m.nbody = bodies.len();
    m.njnt = count(|b| b.joints.len());
    m.nq = count(|b| b.joints.iter().map(|j| j.spec.r#type.nq()).sum());
    m.nv = bodies.iter().map(Body::dofnum).sum();
    m.ngeom = count(|b| b.geoms.len());
    m.nsite = count(|b| b.sites.len());
    m.ncam = count(|b| b.cameras.len());
    m.nlight = count(|b| b.lights.len());
    (m.nu, m.ntendon, m.nsensor) = (spec.actuators.len(), spec.tendons.len(), spec.sensors.len());
    m.nmocap = count(|b| usize::from(b.spec.mocap));
    m.ngravcomp = count(|b| usize::from(b.spec.gravcomp > 0.0));
    let size = &spec.size;
    m.njmax = size.njmax.map_or(-1, i64::from);
    m.nconmax = size.nconmax.map_or(-1, i64::from);
    m.nuserdata = usize::try_from(size.nuserdata).unwrap_or(0);
    m.nkey = spec.keys.len().max(usize::try_from(size.nkey).unwrap_or(0)) + spec.pending.keys.len();

    // nothing that a number in the file asks for may exhaust the memory
    let per_key = m.nq + 2 * m.nv + 7 * m.nmocap + spec.actuators.len() + 1;
    let asked = [
        ("nuserdata", m.nuserdata, 1),
        ("nkey", m.nkey, per_key),
        ("nuser_body", m.nuser_body, m.nbody),
        ("nuser_jnt", m.nuser_jnt, m.njnt),
        ("nuser_geom", m.nuser_geom, m.ngeom),
        ("nuser_site", m.nuser_site, m.nsite),
        ("nuser_cam", m.nuser_cam, m.ncam),
        ("nuser_tendon", m.nuser_tendon, spec.tendons.len()),
        ("nuser_actuator", m.nuser_actuator, spec.actuators.len()),
        ("nuser_sensor", m.nuser_sensor, spec.sensors.len()),
    ];
    let mut fits = true;
    for (name, n, each) in asked {
        if n as u64 * each as u64 > MAX_NUMBERS {
            fits = false;
            problems.invalid(&size.at, "size", "", format!("{name} = {n} asks for more than {MAX_NUMBERS} numbers"));
        }
    }
    fits
}

/// User numbers per element: as many as the longest needs, unless the file says. Elements that are dropped later count.
#[doc(alias = "mjCModel::SetNuser")]
fn user_sizes(spec: &Spec, m: &mut Model, problems: &mut Problems) {
    let size = &spec.size;
    let mut users = Users { at: &size.at, problems };
    m.nuser_body = users.size(("body", size.nuser_body), spec.bodies.iter().map(|b| (&b.user, &b.at)));
    m.nuser_jnt = users.size(("jnt", size.nuser_jnt), spec.joints.iter().map(|j| (&j.user, &j.at)));
    m.nuser_geom = users.size(("geom", size.nuser_geom), spec.geoms.iter().map(|g| (&g.user, &g.at)));
    m.nuser_site = users.size(("site", size.nuser_site), spec.sites.iter().map(|s| (&s.user, &s.at)));
    m.nuser_cam = users.size(("cam", size.nuser_cam), spec.cameras.iter().map(|c| (&c.user, &c.at)));
    m.nuser_tendon = users.size(("tendon", size.nuser_tendon), spec.tendons.iter().map(|t| (&t.user, &t.at)));
    m.nuser_actuator = users.size(("actuator", size.nuser_actuator), spec.actuators.iter().map(|a| (&a.user, &a.at)));
    m.nuser_sensor = users.size(("sensor", size.nuser_sensor), spec.sensors.iter().map(|s| (&s.user, &s.at)));
}

/// Finds the length of user data.
struct Users<'a> {
    at: &'a Location,
    problems: &'a mut Problems,
}

impl Users<'_> {
    /// The given size, else that of the longest; an element with more is a problem.
    fn size<'b>(
        &mut self,
        (name, given): (&str, Option<i32>),
        elements: impl Iterator<Item = (&'b Vec<f64>, &'b Location)>,
    ) -> usize {
        let Some(given) = given else { return elements.map(|(user, _)| user.len()).max().unwrap_or(0) };
        let Ok(size) = usize::try_from(given) else {
            self.problems.invalid(
                self.at,
                "size",
                "",
                format!("nuser_{name} cannot be negative, except −1 for automatic"),
            );
            return 0;
        };
        for (user, at) in elements.filter(|(user, _)| user.len() > size) {
            let message = format!("user has {} numbers, but nuser_{name} is {size}", user.len());
            self.problems.invalid(at, name, "", message);
        }
        size
    }
}

/// Patterns of M, D and B, and the maps between them; false when they would be too large.
fn sparsity(spec: &Spec, m: &mut Model, limits: Limits, problems: &mut Problems) -> bool {
    let chain = sparse::chain_entries(&m.dof_parentid);
    let pairs = sparse::body_dof_entries(&m.body_parentid, &m.body_dofnum);
    if chain.max(pairs) > MAX_NUMBERS {
        let message = format!("the inertia matrix would have {chain} entries, more than {MAX_NUMBERS}");
        problems.invalid(&Location::default(), "worldbody", "", message);
        return false;
    }
    (m.nM, m.nC, m.nD, m.nB) = (chain as usize, chain as usize, 2 * chain as usize - m.nv, pairs as usize);
    if !budget::check_memory(spec, m, limits, problems) {
        return false;
    }
    let mut adr = 0;
    let mut length = vec![0; m.nv];
    for i in 0..m.nv {
        length[i] = 1 + m.dof_parentid[i].get().map_or(0, |p| length[p]);
        m.dof_Madr.push(adr);
        adr += length[i];
    }
    let inertia = sparse::inertia(&m.dof_parentid, &m.dof_simplenum);
    let (symmetric, diagonal) = sparse::symmetric(&m.dof_parentid);
    let maps = sparse::maps(&inertia, &symmetric, &m.dof_Madr);
    let body_dof = sparse::body_dof(&m.body_parentid, &m.body_dofnum);
    (m.nC, m.nD) = (inertia.colind.len(), symmetric.colind.len());
    m.nB = body_dof.colind.len();
    (m.M_rownnz, m.M_rowadr, m.M_colind) = (inertia.rownnz, inertia.rowadr, inertia.colind);
    (m.D_rownnz, m.D_rowadr, m.D_colind) = (symmetric.rownnz, symmetric.rowadr, symmetric.colind);
    (m.B_rownnz, m.B_rowadr, m.B_colind) = (body_dof.rownnz, body_dof.rowadr, body_dof.colind);
    m.D_diag = diagonal;
    (m.mapM2M, m.mapD2M, m.mapM2D) = (maps.m_to_m, maps.d_to_m, maps.m_to_d);
    true
}

/// One value per element of a list.
fn each<'a, T: 'a, U>(list: impl IntoIterator<Item = &'a T>, value: impl Fn(&T) -> U) -> Vec<U> {
    list.into_iter().map(value).collect()
}

/// User numbers of one element, padded to the common length.
fn user<'a>(list: impl IntoIterator<Item = &'a Vec<f64>>, size: usize) -> Vec<f64> {
    list.into_iter().flat_map(|user| user.iter().copied().chain(std::iter::repeat(0.0)).take(size)).collect()
}

/// First address of a run of `number`, none when it is empty.
fn address(first: usize, number: usize) -> OptId {
    if number == 0 { OptId::NONE } else { OptId::some(first) }
}
