//! What is fixed to bodies: geoms and their bounding volumes, sites, cameras, lights.

use super::super::pose::{Pose, same_quat, same_vec};
use super::super::tree::Body;
use super::super::{bvh, fluid, names};
use super::{each, user};
use crate::error::{Location, Problems};
use sim_core::Model;
use sim_types::{ObjType, OptId, Quat, SameFrame, Vec3};

/// Arrays of geoms.
pub(super) fn geoms(bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    let geoms = || bodies.iter().flat_map(|b| &b.geoms);
    m.geom_type = each(geoms(), |g| g.spec.r#type);
    m.geom_contype = each(geoms(), |g| g.spec.contype);
    m.geom_conaffinity = each(geoms(), |g| g.spec.conaffinity);
    m.geom_condim = each(geoms(), |g| g.spec.condim as u32);
    m.geom_bodyid = owners(bodies, |b| b.geoms.len());
    m.geom_dataid = each(geoms(), |g| OptId::from(g.data));
    m.geom_plugin = vec![OptId::NONE; m.ngeom];
    m.geom_matid = geoms().map(|g| material(m, &g.spec.material, &g.spec.at, problems)).collect();
    m.geom_group = each(geoms(), |g| g.spec.group);
    m.geom_priority = each(geoms(), |g| g.spec.priority);
    m.geom_solmix = each(geoms(), |g| g.spec.solmix);
    m.geom_solref = each(geoms(), |g| g.spec.solref);
    m.geom_solimp = each(geoms(), |g| g.spec.solimp);
    m.geom_size = each(geoms(), |g| Vec3::from(g.spec.size));
    m.geom_aabb = each(geoms(), |g| g.aabb);
    m.geom_rbound = each(geoms(), |g| g.rbound);
    m.geom_pos = each(geoms(), |g| g.spec.pos);
    m.geom_quat = each(geoms(), |g| g.spec.quat);
    m.geom_friction = each(geoms(), |g| Vec3::from(g.spec.friction));
    m.geom_margin = each(geoms(), |g| g.spec.margin);
    m.geom_gap = each(geoms(), |g| g.spec.gap);
    m.geom_fluid = each(geoms(), |g| fluid::coefficients(&g.spec));
    m.geom_user = user(geoms().map(|g| &g.spec.user), m.nuser_geom);
    m.geom_rgba = each(geoms(), |g| g.spec.rgba);
    m.geom_sameframe = bodies.iter().flat_map(|b| b.geoms.iter().map(|g| same_frame(&g.pose(), &b.inertial))).collect();
}

/// Bounding volumes over the geoms of each body that can collide.
pub(super) fn volumes(bodies: &[Body<'_>], m: &mut Model) {
    let mut first = 0;
    for body in bodies {
        let leaves: Vec<bvh::Leaf> = body
            .geoms
            .iter()
            .enumerate()
            .filter(|(_, g)| g.spec.contype != 0 || g.spec.conaffinity != 0)
            .map(|(i, g)| bvh::Leaf { geom: first + i, pose: g.pose(), aabb: g.aabb })
            .collect();
        first += body.geoms.len();
        let nodes = bvh::build(&leaves, &body.inertial);
        m.body_bvhadr.push(super::address(m.bvh_depth.len(), nodes.len()));
        m.body_bvhnum.push(nodes.len() as u32);
        m.bvh_aabb.extend(nodes.iter().map(|n| n.aabb));
        m.bvh_child.extend(nodes.iter().map(|n| n.child));
        m.bvh_nodeid.extend(nodes.iter().map(|n| n.id));
        m.bvh_depth.extend(nodes.iter().map(|n| n.depth));
    }
}

/// Arrays of sites.
pub(super) fn sites(bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    let sites = || bodies.iter().flat_map(|b| &b.sites);
    m.site_type = each(sites(), |s| s.r#type);
    m.site_bodyid = owners(bodies, |b| b.sites.len());
    m.site_matid = sites().map(|s| material(m, &s.material, &s.at, problems)).collect();
    m.site_group = each(sites(), |s| s.group);
    m.site_size = each(sites(), |s| Vec3::from(s.size));
    m.site_pos = each(sites(), |s| s.pos);
    m.site_quat = each(sites(), |s| s.quat);
    m.site_user = user(sites().map(|s| &s.user), m.nuser_site);
    m.site_rgba = each(sites(), |s| s.rgba);
    let frame = |b: &Body<'_>, pos, quat| same_frame(&Pose::new(pos, quat), &b.inertial);
    m.site_sameframe = bodies.iter().flat_map(|b| b.sites.iter().map(move |s| frame(b, s.pos, s.quat))).collect();
}

/// Arrays of cameras, except what needs the reference pose.
pub(super) fn cameras(bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    let cameras = || bodies.iter().flat_map(|b| &b.cameras);
    m.cam_mode = each(cameras(), |c| c.spec.mode);
    m.cam_bodyid = owners(bodies, |b| b.cameras.len());
    m.cam_targetbodyid = cameras().map(|c| target(m, &c.spec.target, &c.spec.at, problems)).collect();
    m.cam_pos = each(cameras(), |c| c.spec.pos);
    m.cam_quat = each(cameras(), |c| c.spec.quat);
    m.cam_projection = each(cameras(), |c| c.spec.projection);
    m.cam_fovy = each(cameras(), |c| c.spec.fovy);
    m.cam_ipd = each(cameras(), |c| c.spec.ipd);
    m.cam_resolution = each(cameras(), |c| c.spec.resolution);
    m.cam_output = each(cameras(), |c| c.spec.output);
    m.cam_sensorsize = each(cameras(), |c| c.spec.sensor_size);
    m.cam_intrinsic = each(cameras(), |c| c.intrinsic);
    m.cam_user = user(cameras().map(|c| &c.spec.user), m.nuser_cam);
    m.cam_poscom0 = vec![Vec3::zeros(); m.ncam];
    m.cam_pos0 = vec![Vec3::zeros(); m.ncam];
    m.cam_mat0 = vec![sim_types::Mat3::identity(); m.ncam];
}

/// Arrays of lights, except what needs the reference pose.
pub(super) fn lights(bodies: &[Body<'_>], m: &mut Model, problems: &mut Problems) {
    let lights = || bodies.iter().flat_map(|b| &b.lights);
    m.light_mode = each(lights(), |l| l.mode);
    m.light_bodyid = owners(bodies, |b| b.lights.len());
    m.light_targetbodyid = lights().map(|l| target(m, &l.target, &l.at, problems)).collect();
    m.light_type = each(lights(), |l| l.r#type);
    m.light_texid = lights().map(|l| texture(m, &l.texture, &l.at, problems)).collect();
    m.light_castshadow = each(lights(), |l| l.castshadow);
    m.light_bulbradius = each(lights(), |l| l.bulbradius);
    m.light_intensity = each(lights(), |l| l.intensity);
    m.light_range = each(lights(), |l| l.range);
    m.light_active = each(lights(), |l| l.active);
    m.light_pos = each(lights(), |l| l.pos);
    m.light_dir = each(lights(), |l| l.dir);
    m.light_attenuation = each(lights(), |l| l.attenuation);
    m.light_cutoff = each(lights(), |l| l.cutoff);
    m.light_exponent = each(lights(), |l| l.exponent);
    m.light_ambient = each(lights(), |l| l.ambient);
    m.light_diffuse = each(lights(), |l| l.diffuse);
    m.light_specular = each(lights(), |l| l.specular);
    m.light_poscom0 = vec![Vec3::zeros(); m.nlight];
    m.light_pos0 = vec![Vec3::zeros(); m.nlight];
    m.light_dir0 = vec![Vec3::zeros(); m.nlight];
}

/// Body of every element, when each body has `number` of them.
fn owners(bodies: &[Body<'_>], number: impl Fn(&Body<'_>) -> usize) -> Vec<u32> {
    bodies.iter().enumerate().flat_map(|(id, body)| std::iter::repeat_n(id as u32, number(body))).collect()
}

/// Which frame something fixed to a body shares with it.
fn same_frame(pose: &Pose, inertial: &Pose) -> SameFrame {
    if pose.is_null() {
        SameFrame::Body
    } else if same_quat(pose.quat, Quat::IDENTITY) {
        SameFrame::BodyRot
    } else if same_quat(pose.quat, inertial.quat) {
        if same_vec(&pose.pos, &inertial.pos) { SameFrame::Inertia } else { SameFrame::InertiaRot }
    } else {
        SameFrame::None
    }
}

pub(super) fn material(m: &Model, name: &str, at: &Location, problems: &mut Problems) -> OptId {
    reference(m, (ObjType::Material, "material"), name, at, problems)
}

fn target(m: &Model, name: &str, at: &Location, problems: &mut Problems) -> OptId {
    reference(m, (ObjType::Body, "body"), name, at, problems)
}

/// The object called `name`; none for an empty name.
fn reference(m: &Model, kind: (ObjType, &str), name: &str, at: &Location, problems: &mut Problems) -> OptId {
    if name.is_empty() { OptId::NONE } else { OptId::from(names::resolve(&m.names, kind, name, at, problems)) }
}

fn texture(m: &Model, name: &str, at: &Location, problems: &mut Problems) -> OptId {
    reference(m, (ObjType::Texture, "texture"), name, at, problems)
}
